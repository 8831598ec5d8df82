// What a failed compiler meant, and whose doing PTX is that cannot be read.
#include "toolchain/compilation.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"
#include "ptx/ptx.h"
#include "toolchain/messages.h"

enum {
    LEAST_ROOM = 8 << 20, // bytes of a disk that is not full
    LEAST_STACK = 1 << 20 // bytes that compilers do with
};
#define LEAST_SHARE 0.2        // of a processor, of what does not end by itself: no honest source wants a tenth of that

// Does a line of text say word as the compiler's own? Lines that quote the source (they are indented) do not count, and
// in a line about the source only its start does.
static bool text_says(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)); at++) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        bool quotes = *line == ' ' || *line == '\t';
        bool is_place = strncmp(line, COMPILATION_MAIN, sizeof COMPILATION_MAIN - 1) == 0;
        if (!quotes && (!is_place || (at - line > 1 && strncmp(at - 2, ": ", 2) == 0)))
            return true;
    }
    return false;
}

static bool output_mentions(const struct process_result *result, const char *word)
{
    return text_says(text_get(&result->err), word) || text_says(text_get(&result->out), word);
}

static bool mentions_any(const struct process_result *result, const char *const *words)
{
    for (; *words; words++)
        if (output_mentions(result, *words))
            return true;
    return false;
}

// What stopped a compiler that did not simply say what is wrong; NULL if it did. The first that fits counts: clang
// turns the signal of the CPU limit into a crash report, and either compiler may die in other ways without memory.
static const char *explain_end(const struct compilation *c, const struct process_result *result)
{
    static const char *const time[] = {"CPU time limit exceeded", NULL};
    static const char *const memory[] = {"out of memory",
                                         "bad_alloc",
                                         "memory exhausted",
                                         "Cannot allocate memory",
                                         "Loop in catastrophic error processing",
                                         NULL};
    static const char *const size[] = {"File too large", "File size limit exceeded", NULL};
    static const char *const name[] = {"Symbol name with unsupported characters", NULL};
    static const char *const missing[] = {
        "Undefined external symbol \"__udivti3\"", "Undefined external symbol \"__divti3\"",
        "Undefined external symbol \"__umodti3\"", "Undefined external symbol \"__modti3\"", NULL};
    static const char *const runtime[] = {"Undefined external symbol \"", NULL};
    static const char *const circle[] = {"Circular dependency found in global variable set", NULL};
    static const char *const stack[] = {"dynamic_stackalloc", NULL};
    static const char *const crash[] = {"died due to signal",        "Stack dump:",    "use -v to see invocation",
                                        "unable to execute command", "internal error", NULL};
    if (result->end == PROCESS_TIMED_OUT || mentions_any(result, time) ||
        result->cpu_seconds >= c->limits.cpu_seconds - 0.5)
        return arena_printf(c->arena,
                            "the compiler was stopped after %.0f s: is there a template, constexpr or loop to unroll "
                            "that never ends?",
                            result->wall_seconds);
    if (result->end == PROCESS_OUTPUT_LIMIT)
        return "the compiler was stopped because it printed more than 1 MB of messages";
    if (mentions_any(result, memory))
        return arena_printf(c->arena,
                            "the compiler was stopped because it needed more than %.1f GB of memory: is there a "
                            "template, macro or array that grows without end? (trace has --compile-memory)",
                            (double)c->limits.memory_bytes / (1 << 30));
    if (result->signal == SIGXFSZ || mentions_any(result, size))
        return arena_printf(c->arena,
                            "the compiler was stopped because it wrote more than %d MB: is there a huge array with "
                            "initial values?",
                            COMPILATION_PTX_MAX >> 20);
    if (mentions_any(result, name))
        return "this compiler cannot give a kernel, a function or a shared variable a name with other letters than A "
               "to "
               "Z, digits and _: rename it";
    if (mentions_any(result, missing))
        return "this clang knows no division of 128-bit integers (__int128) on a GPU: clang 16 and later do, and nvcc "
               "does";
    if (mentions_any(result, runtime))
        return "this clang has no code for something here that takes a function of the host's runtime library, such as a "
               "conversion between a 128-bit integer (__int128) and a float: make it of two halves of 64 bits; nvcc "
               "knows it";
    if (mentions_any(result, circle))
        return c->toolchain->kind == TOOLCHAIN_CLANG
                   ? "this clang cannot place a local array of strings or addresses that an index chooses from: make it "
                     "`static const` or `__constant__`; nvcc takes it as it is"
                   : "variables are initialised by each other's addresses in a circle: set one of them in the kernel";
    if (mentions_any(result, stack))
        return "this clang knows no alloca() and no arrays of variable size on a GPU: later ones (clang 19) do, and nvcc "
               "does";
    if (result->end == PROCESS_SIGNALLED || mentions_any(result, crash))
        return "the compiler crashed on this file. Simplify the last thing you changed";
    return NULL;
}

// nvcc has a shell start its compilers, which ends as they do.
static bool was_killed(const struct process_result *result)
{
    static const int outside[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    bool killed = false;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        killed |= (result->end == PROCESS_SIGNALLED && result->signal == outside[i]) ||
                  (result->end == PROCESS_EXITED && result->exit_code == 128 + outside[i]);
    return killed;
}

bool compilation_was_killed(const struct compilation *c, const struct process_result *result)
{
    // gcc of its parts, clang of itself, nvcc's shell of what it started; a source can have gcc say that, too
    static const char *const words[] = {"Killed signal terminated", "Terminated signal terminated", "Terminated",
                                        "Killed", NULL};
    bool has_failed = result->end == PROCESS_EXITED && result->exit_code != 0;
    return (was_killed(result) || (has_failed && mentions_any(result, words))) &&
           result->cpu_seconds < c->limits.cpu_seconds - 0.5;
}

// Died of something else than what it may use: a file can do that to a compiler, and so can a disk, a library of another
// version or another processor.
bool compilation_crashed(const struct process_result *result)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGSYS, SIGTRAP};
    bool crashed = false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        crashed |= (result->end == PROCESS_SIGNALLED && result->signal == own[i]) ||
                   (result->end == PROCESS_EXITED && result->exit_code == 128 + own[i]);
    return crashed;
}

// A limit that whoever started the lab had set already and that is lower than ours: running into it says nothing about
// the source.
static bool has_lower_limit(const struct compilation *c, const struct process_result *result, const char **name)
{
    static const char *const memory[] = {"out of memory",
                                         "bad_alloc",
                                         "memory exhausted",
                                         "Cannot allocate memory",
                                         "error while loading shared libraries",
                                         NULL};
    static const char *const size[] = {"File too large", "File size limit exceeded", NULL};
    static const char *const time[] = {"CPU time limit exceeded", NULL};
    static const char *const many[] = {"Too many open files", NULL};
    static const char *const segments[] = {"Segmentation fault", NULL};
    bool timed_out = result->end == PROCESS_TIMED_OUT || was_killed(result), was_too_large = result->signal == SIGXFSZ;
    bool crashed = result->signal == SIGSEGV || result->exit_code == 128 + SIGSEGV || mentions_any(result, segments);
    const struct {
        int resource;
        uint64_t ours;
        bool is_hit;
        const char *name;
    } limits[] = {
        {RLIMIT_AS, c->limits.memory_bytes, mentions_any(result, memory), "memory (ulimit -v)"},
        {RLIMIT_DATA, c->limits.memory_bytes, mentions_any(result, memory), "memory (ulimit -d)"},
        {RLIMIT_FSIZE, c->limits.file_bytes, was_too_large || mentions_any(result, size), "file size (ulimit -f)"},
        {RLIMIT_CPU, c->limits.cpu_seconds, timed_out || mentions_any(result, time), "processor time (ulimit -t)"},
        {RLIMIT_NOFILE, c->limits.open_files, mentions_any(result, many), "open files (ulimit -n)"},
        {RLIMIT_STACK, LEAST_STACK, crashed, "stack (ulimit -s)"},
    };
    struct rlimit limit;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].is_hit && getrlimit((unsigned)limits[i].resource, &limit) == 0 &&
            (limits[i].resource == RLIMIT_DATA || limits[i].resource == RLIMIT_STACK ? limit.rlim_cur
                                                                                    : limit.rlim_max) < limits[i].ours) {
            *name = limits[i].name;
            return true;
        }
    return false;
}

// What this machine did to a compiler; NULL: nothing. A source can make a compiler say anything, so that what it says
// counts only where it is so.
const char *compilation_blame_machine(const struct compilation *c, const struct process_result *result)
{
    // gcc says an old reason where it cannot write.
    static const char *const full[] = {"No space left on device", "Disk quota exceeded", "when writing output to", NULL};
    struct statvfs disk;
    const char *limit;
    if (has_lower_limit(c, result, &limit))
        return arena_printf(c->arena, "may use too little %s here: raise that limit", limit);
    if (was_killed(result) && result->cpu_seconds < c->limits.cpu_seconds - 0.5) // the limit kills too, after its time
        return "was killed from outside, most likely because this machine ran out of memory. Close other programs and "
               "try again";
    if (result->end == PROCESS_TIMED_OUT && result->cpu_seconds < LEAST_SHARE * result->wall_seconds)
        return arena_printf(
            c->arena,
            "had only %.1f s of a processor in %.0f s, because this machine is busy with other work. Try "
            "again",
            result->cpu_seconds, result->wall_seconds);
    if (access(c->folder, F_OK) != 0)
        return arena_printf(c->arena,
                            "lost its folder %.300s while it worked: something else removes what is there. Try again, "
                            "or set TMPDIR to another folder",
                            c->folder);
    if (mentions_any(result, full) && statvfs(c->folder, &disk) == 0 &&
        (disk.f_bavail < LEAST_ROOM / (disk.f_frsize ? disk.f_frsize : 1) || (disk.f_files && !disk.f_favail)))
        return arena_printf(c->arena, "has no room left in %.300s: free some there, or set TMPDIR to another folder",
                            c->folder);
    return NULL;
}

static const struct diagnostic *first_error(const struct diagnostic_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].severity == SEVERITY_ERROR)
            return &list->items[i];
    return NULL;
}

static enum status fail_compilation(struct compilation *c, const char *message)
{
    struct diagnostic diagnostic;
    diagnostic_at(&diagnostic, STATUS_COMPILE, c->display, 0, 0, "%s", message);
    diagnostic_add(&c->result->diagnostics, &diagnostic);
    if (c->diagnostic)
        *c->diagnostic = diagnostic;
    return STATUS_COMPILE;
}

static bool may_show_path(const void *context, const char *path)
{
    return compilation_is_readable(context, path);
}

static const char *find_header(const void *context, const char *name, char *folder, size_t size)
{
    return source_find_header(context, name, folder, size);
}

void compilation_parse_messages(struct compilation *c)
{
    struct messages_names names = {.main_name = COMPILATION_MAIN,
                                   .display = c->display,
                                   .own_folder = c->own_folder,
                                   .display_folder = c->display_folder,
                                   .source = c->result->source,
                                   .may_show = may_show_path,
                                   .find_header = find_header,
                                   .context = c};
    messages_parse(&names, text_get(&c->entry.messages), c->entry.messages.length, &c->result->diagnostics);
}

// What a compiler says that could do nothing, of which the source is not the cause if it could not compile anything
// else: without a place in the source, in a header that every source includes, or because the system refused it
// something.
static bool may_be_broken(const struct compilation *c, const struct process_result *result,
                          const struct diagnostic *first)
{
    static const char *const refused[] = {"Resource temporarily unavailable",
                                          "when writing output to",
                                          "Disk quota exceeded",
                                          "No space left on device",
                                          "Cannot fork",
                                          "Killed signal terminated",
                                          NULL};
    return !first || !first->line || strcmp(first->file, c->display) != 0 || mentions_any(result, refused);
}

// ---- lines of PTX

// Where a line of PTX comes from; lines of the source, 0 = none.
struct origin {
    const char *text; // the PTX line, trimmed
    size_t length;
    int line;     // of the .loc before it
    int assembly; // of the last inline assembly begun before it
    bool is_in;   // it is part of that
};

void compilation_file_name(char *name)
{
    for (char *byte = name; *byte; byte++)
        if (*byte == '"' || *byte == '\\')
            *byte = '_';
}

// The number of `.file N "display"`; 0 = there is none.
static unsigned file_number(const char *ptx, const char *display)
{
    char name[256];
    snprintf(name, sizeof name, "%s", display);
    compilation_file_name(name);
    size_t length = strlen(name);
    for (const char *at = ptx; (at = strstr(at, ".file\t")); at++) {
        unsigned number;
        int used = 0;
        if (sscanf(at, ".file\t%u \"%n", &number, &used) == 1 && used && strncmp(at + used, name, length) == 0 &&
            at[(size_t)used + length] == '"')
            return number;
    }
    return 0;
}

// ".loc 1 10 5, function_name …, inlined_at 2 12 3": the line in file, if it is the place or one that it was inlined
// at.
static int located_line(const char *line, size_t length, unsigned file)
{
    char text[256], *at = text;
    unsigned found, number;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text - 1 ? length : sizeof text - 1), line);
    for (const char *word = ".loc %u %u"; at; word = "inlined_at %u %u") {
        if (sscanf(at, word, &found, &number) == 2 && found == file && number <= TOOLCHAIN_SOURCE_MAX)
            return (int)number;
        at = strstr(at + 1, "inlined_at ");
    }
    return 0;
}

static struct origin find_origin(const char *ptx, unsigned file, int wanted)
{
    struct origin origin = {.text = "", .length = 0};
    const char *at = ptx;
    for (int line = 1; line <= wanted && *at; line++) {
        size_t length = strcspn(at, "\n"), blank = strspn(at, " \t");
        const char *text = at + blank;
        int located = text_starts(text, ".loc") ? located_line(text, length - blank, file) : 0;
        if (located && !origin.is_in) // one in the assembly says what its author likes
            origin.line = located;
        if (text_starts(text, "// begin inline asm") || text_starts(text, "// Start of file scope inline assembly")) {
            origin.is_in = true;
            origin.assembly = origin.line;
        } else if (text_starts(text, "// end inline asm") ||
                   text_starts(text, "// End of file scope inline assembly")) {
            origin.is_in = false;
        } else if (text_starts(text, ".func") || text_starts(text, ".entry") || text_starts(text, ".visible")) {
            origin.line = origin.assembly = 0;
        }
        origin.text = text;
        origin.length = length > blank ? length - blank : 0;
        at += length + (at[length] == '\n');
    }
    return origin;
}

// What is wrong with the line of PTX, as the line of the source has it. Returns the latter.
static int explain_line(const struct origin *origin, const char *said, int line, struct text *why)
{
    struct text quoted = {0};
    int of_source = origin->line;
    char shown[81];
    snprintf(shown, sizeof shown, "%.*s", (int)(origin->length < 80 ? origin->length : 80), origin->text);
    for (char *tab = shown; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    text_escape(&quoted, shown, strlen(shown), false);
    if (origin->is_in)
        text_printf(why, "this inline assembly is no PTX that can run here: %s", said);
    else if (origin->assembly)
        text_printf(why, "%s. Does the inline assembly on line %d leave something open?", said,
                    of_source = origin->assembly);
    else
        text_printf(why, "what this compiles to cannot run here: %s", said);
    text_printf(why, " (line %d of the PTX: %s)", line, text_get(&quoted));
    text_free(&quoted);
    return of_source;
}

// The number of the main file in PTX as the compiler left it; 0 = it has none.
static unsigned main_file_number(const char *ptx)
{
    for (const char *at = ptx; (at = strstr(at, ".file\t")); at++) {
        unsigned number;
        size_t length = strcspn(at, "\n");
        if (sscanf(at, ".file\t%u", &number) == 1 &&
            memmem(at, length, COMPILATION_MAIN "\"", sizeof COMPILATION_MAIN))
            return number;
    }
    return 0;
}

// nvcc has ptxas look at what it made. Its errors get the place in the source that the line of PTX comes from.
static void place_errors(struct compilation *c)
{
    struct text ptx = {0};
    bool is_read = false;
    for (size_t i = 0; i < c->result->diagnostics.count; i++) {
        struct diagnostic *said = &c->result->diagnostics.items[i];
        int line = said->line;
        if (said->file[0] || !line)
            continue;
        said->line = 0;
        is_read = is_read || compilation_read_output(c, "kernel.ptx", COMPILATION_PTX_MAX, &ptx) == STATUS_OK;
        struct origin origin = find_origin(text_get(&ptx), main_file_number(text_get(&ptx)), line);
        struct text why = {0};
        int of_source = explain_line(&origin, said->message, line, &why);
        if (is_read && of_source)
            diagnostic_at(said, STATUS_COMPILE, c->display, of_source, 0, "%s", text_get(&why));
        text_free(&why);
    }
    text_free(&ptx);
}

// ---- vectors that are stored in parts

// A store of one element: "st.global.f32 	[%rd14+4], %f2;".
struct part_store {
    char base[24];
    long offset;
    unsigned bytes;
    int line; // of the source
};

static bool read_part_store(const char *text, size_t length, struct part_store *store)
{
    unsigned bits = 0;
    int used = 0;
    const char *open = memchr(text, '[', length), *type = open;
    while (type && type > text && *type != '.')
        type--;
    if (!open || memmem(text, (size_t)(open - text), ".v", 2) || sscanf(type, ".%*[a-z]%u", &bits) != 1 ||
        sscanf(open, "[%23[%a-z0-9]%n", store->base, &used) != 1)
        return false;
    store->bytes = bits / 8;
    store->offset = open[used] == '+' ? strtol(open + used + 1, NULL, 10) : 0; // as compilers write it, "+-4"
    return bits >= 32;
}

// The vector type that a line of the source names; its elements. 0: it names none.
static unsigned vector_named(const char *source, int number, char name[16])
{
    static const char *const types[] = {"float4", "float2", "uint4", "uint2", "int4", "int2", "double2"};
    const char *line = source;
    for (int i = 1; i < number && line; i++)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    for (size_t i = 0; line && i < sizeof types / sizeof *types; i++)
        if (memmem(line, strcspn(line, "\n"), types[i], strlen(types[i]))) {
            snprintf(name, 16, "%s", types[i]);
            return (unsigned)(types[i][strlen(types[i]) - 1] - '0');
        }
    return 0;
}

static void note_parts(struct compile_result *result, const struct part_store *store, unsigned run)
{
    char name[16];
    struct diagnostic note = {0};
    bool is_full = result->diagnostics.count >= TOOLCHAIN_DIAGNOSTICS_MAX; // the first lines say it
    if (run < 2 || is_full || run != vector_named(result->source, store->line, name))
        return;
    for (size_t i = 0; i < result->diagnostics.count; i++)
        if (result->diagnostics.items[i].line == store->line &&
            result->diagnostics.items[i].severity == SEVERITY_NOTE)
            return;
    diagnostic_at(&note, STATUS_OK, result->display, store->line, 0,
                  "the compiler stores this %s in %u parts, and all of them are counted: ((%s *)array)[index], or indices "
                  "of type int, may keep it whole",
                  name, run, name);
    note.severity = SEVERITY_NOTE;
    diagnostic_add(&result->diagnostics, &note);
}

void compilation_note_parts(struct compile_result *result)
{
    unsigned file = file_number(result->ptx, result->display), run = 0;
    struct part_store last = {.line = 0}, store = last;
    int line = 0;
    for (const char *at = result->ptx, *next; *at; at = next) {
        size_t length = strcspn(at, "\n"), blank = strspn(at, " \t");
        const char *text = at + blank;
        next = at + length + (at[length] == '\n');
        if (text_starts(text, ".loc"))
            line = located_line(text, length - blank, file);
        if (!text_starts(text, "st.global"))
            continue;
        bool is_part = line && read_part_store(text, length - blank, &store);
        bool goes_on = is_part && run && last.line == line && !strcmp(last.base, store.base) &&
                       store.offset == last.offset + (long)last.bytes && store.bytes == last.bytes;
        if (!goes_on)
            note_parts(result, &last, run);
        run = !is_part ? 0 : goes_on ? run + 1 : 1;
        last = store;
        last.line = line;
    }
    note_parts(result, &last, run);
}

// ---- what became of a compilation

enum status compilation_fail(struct compilation *c, const struct process_result *result,
                             compilation_trial *fails_on_anything)
{
    static const char *const architecture[] = {"for option 'gpu-architecture'", "unsupported CUDA gpu architecture",
                                               NULL};
    static const char *const host[] = {"preprocess host compiler", "Host compiler targets", "unsupported GNU version",
                                       NULL};
    static const char *const processes[] = {"Resource temporarily unavailable", "Cannot fork", NULL};
    bool is_architecture = mentions_any(result, architecture), is_host = mentions_any(result, host);
    if ((is_architecture || is_host) && !fails_on_anything(c))
        is_architecture = is_host = false;
    if (is_architecture)
        return diagnostic_set(c->diagnostic, STATUS_USAGE, "%s cannot compile for %s", c->toolchain->label,
                              c->result->arch);
    const char *fault = compilation_blame_machine(c, result), *reason = explain_end(c, result);
    if (fault)
        return diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT, "%s %s.", c->toolchain->label, fault);
    if (mentions_any(result, processes) && (is_host || fails_on_anything(c)))
        return diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT,
                              "%s may start too few processes here: raise that limit (ulimit -u), or end others",
                              c->toolchain->label);
    // An nvcc that lacks a gcc it can work with: the machine's fault, not the file's.
    if (is_host)
        return diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT,
                              "%s finds no host compiler that it can use: install g++ (a version it supports), set "
                              "NVCC_CCBIN, or use --compiler clang",
                              c->toolchain->label);
    compilation_parse_messages(c);
    place_errors(c);
    const struct diagnostic *first = first_error(&c->result->diagnostics);
    const char *said = text_get(&c->entry.messages);
    struct text line = {0};
    text_escape(&line, said, strcspn(said, "\n") < 400 ? strcspn(said, "\n") : 400, false);
    enum status status = STATUS_COMPILE;
    bool has_died = result->end == PROCESS_SIGNALLED || compilation_crashed(result),
         is_doubtful = result->end == PROCESS_EXITED && may_be_broken(c, result, first);
    if ((has_died || is_doubtful) && fails_on_anything(c))
        status = diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT,
                                "%s compiles nothing here, not even an empty kernel: install it anew, or use another "
                                "compiler (--compiler). It %s%s",
                                c->toolchain->label, line.length ? "says: " : "crashes", text_get(&line));
    else if (reason)
        status = fail_compilation(c, reason);
    else if (!first)
        status = fail_compilation(c, arena_printf(c->arena, "%s gave up: %s", c->toolchain->label, text_get(&line)));
    else if (c->diagnostic)
        *c->diagnostic = *first;
    text_free(&line);
    return status;
}

enum status toolchain_blame_source(struct compile_result *result, struct diagnostic *diagnostic)
{
    struct origin origin = find_origin(result->ptx, file_number(result->ptx, result->display), diagnostic->line);
    struct text why = {0};
    int line = explain_line(&origin, diagnostic->message, diagnostic->line, &why);
    enum status status = diagnostic_at(diagnostic, STATUS_COMPILE, result->display, line, 0, "%s", text_get(&why));
    diagnostic_add(&result->diagnostics, diagnostic);
    text_free(&why);
    return status;
}

// Clang 14 counts the bytes of a variable in 32 bits: one of 4 GB, or a multiple, is left without a size.
enum status compilation_check_sizes(struct compilation *c)
{
    const char *ptx = text_get(&c->entry.ptx), *line = ptx;
    for (; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        char mangled[256], name[256], end = 0, depot[32];
        unsigned number;
        line += strspn(line, " \t");
        if (!text_starts(line, ".shared .align") && !text_starts(line, "mov.u64 %SPL"))
            continue; // sscanf looks for the end of all the text first
        if (sscanf(line, ".shared .align %*u .b8 %255[A-Za-z0-9_$]%c", mangled, &end) == 2 && end == ';')
            return fail_compilation(c, arena_printf(c->arena,
                                                    "the shared variable `%s` takes 4 GB or a multiple of it: a block "
                                                    "has 227 KB at most",
                                                    ptx_short_name(mangled, name, sizeof name)));
        if (sscanf(line, "mov.u64 %%SPL, __local_depot%u;", &number) != 1)
            continue;
        snprintf(depot, sizeof depot, "__local_depot%u[", number);
        if (!strstr(ptx, depot))
            return fail_compilation(c, "the local arrays of a function take 4 GB or a multiple of it: a thread has "
                                       "512 KB at most");
    }
    return STATUS_OK;
}
