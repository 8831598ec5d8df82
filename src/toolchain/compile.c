#include "toolchain/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process.h"
#include "toolchain/cache.h"
#include "toolchain/headers.h"
#include "toolchain/messages.h"
#include "toolchain/sandbox.h"

#define MAIN_NAME "kernel.cu"
#define LAB_FOLDER "lab"

enum { ARGV_MAX = 128, READ_MAX = 96, PTX_MAX = 32 << 20 };

static const struct process_limits default_limits = {
    .wall_seconds = 20,
    .cpu_seconds = 15,
    .memory_bytes = 2ull << 30,
    .file_bytes = PTX_MAX,
    .open_files = 256,
    .output_bytes = 1 << 20,
};

struct compilation {
    const struct toolchain *toolchain;
    const struct compile_request *request;
    struct compile_result *result;
    struct diagnostic *diagnostic;
    struct arena *arena;
    char display[256]; // escaped
    char display_folder[256];
    const char *own_folder; // real path, NULL = not to be read
    char folder[PATH_MAX];  // private; "" = none yet
    const char *argv[ARGV_MAX];
    size_t argc;
    const char *read[READ_MAX]; // what the jail may read
    size_t read_count;
    struct text key;
    struct cache_entry entry;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void argue(struct compilation *c, const char *argument)
{
    if (c->argc + 1 < ARGV_MAX)
        c->argv[c->argc++] = argument;
    text_puts(&c->key, argument);
    text_append(&c->key, "\n", 1);
}

static void may_read(struct compilation *c, const char *path)
{
    if (c->read_count + 1 < READ_MAX)
        c->read[c->read_count++] = path;
}

// ---- architectures

struct clang_arch {
    int sm;
    bool accelerated;                  // also as sm_NNa
    unsigned since, since_accelerated; // clang's major version
};

// Clang's NVPTX targets (LLVM's NVPTX.td and Cuda.h by release).
static const struct clang_arch clang_archs[] = {
    {60, false, 14, 0},  {61, false, 14, 0},  {70, false, 14, 0},  {72, false, 14, 0}, {75, false, 14, 0},
    {80, false, 14, 0},  {86, false, 14, 0},  {87, false, 16, 0},  {89, false, 16, 0}, {90, true, 16, 18},
    {100, true, 20, 20}, {101, true, 20, 20}, {120, true, 20, 20},
};

static bool parse_arch(const char *arch, int *sm, char *suffix)
{
    char *end;
    if (!text_starts(arch, "sm_") || arch[3] < '1' || arch[3] > '9')
        return false;
    long number = strtol(arch + 3, &end, 10);
    *suffix = *end;
    *sm = (int)number;
    return number >= 50 && number < 1000 && (*end == 0 || ((*end == 'a' || *end == 'f') && end[1] == 0));
}

static const char *nearest_clang_arch(struct compilation *c, int sm, char suffix)
{
    const struct clang_arch *best = &clang_archs[0];
    for (size_t i = 0; i < sizeof clang_archs / sizeof *clang_archs; i++)
        if (clang_archs[i].sm <= sm && clang_archs[i].since <= c->toolchain->major)
            best = &clang_archs[i];
    bool keep = suffix == 'a' && best->sm == sm && best->accelerated && best->since_accelerated <= c->toolchain->major;
    return arena_printf(c->arena, "sm_%d%s", best->sm, keep ? "a" : "");
}

static enum status choose_arch(struct compilation *c)
{
    const char *wanted = c->request->arch ? c->request->arch : "sm_90";
    int sm;
    char suffix;
    if (!parse_arch(wanted, &sm, &suffix))
        return diagnostic_set(c->diagnostic, STATUS_USAGE, "no architecture '%.20s': say sm_75, sm_80, sm_90 …",
                              wanted);
    const char *arch = c->toolchain->kind == TOOLCHAIN_CLANG ? nearest_clang_arch(c, sm, suffix) : wanted;
    snprintf(c->result->arch, sizeof c->result->arch, "%s", arch);
    if (c->request->arch && strcmp(arch, wanted) != 0) {
        struct diagnostic note = {.code = STATUS_OK, .severity = SEVERITY_NOTE};
        snprintf(note.message, sizeof note.message, "%s does not know %s: compiled for %s instead", c->toolchain->label,
                 wanted, arch);
        diagnostic_add(&c->result->diagnostics, &note);
    }
    return STATUS_OK;
}

// ---- the command line

static bool is_flag(const char *flag)
{
    static const char *const plain[] = {"-use_fast_math", "-std=c++11", "-std=c++14", "-std=c++17", "-std=c++20"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(flag, plain[i]) == 0)
            return true;
    return (text_starts(flag, "-D") || text_starts(flag, "-U")) && flag[2] && !strpbrk(flag, "\n\r") &&
           strlen(flag) < 1000;
}

static enum status check_flags(struct compilation *c)
{
    const char *level = c->request->optimisation;
    if (level && (!text_starts(level, "-O") || level[2] < '0' || level[2] > '3' || level[3]))
        return diagnostic_set(c->diagnostic, STATUS_USAGE, "no optimisation '%.20s': say -O0 to -O3", level);
    for (const char *const *flag = c->request->flags; flag && *flag; flag++)
        if (!is_flag(*flag))
            return diagnostic_set(c->diagnostic, STATUS_USAGE,
                                  "the flag '%.100s' is not taken: -D, -U, -std=c++NN and -use_fast_math are", *flag);
    return STATUS_OK;
}

static bool has_standard(const struct compile_request *request)
{
    for (const char *const *flag = request->flags; flag && *flag; flag++)
        if (text_starts(*flag, "-std="))
            return true;
    return false;
}

static void argue_common(struct compilation *c)
{
    bool is_clang = c->toolchain->kind == TOOLCHAIN_CLANG;
    argue(c, c->request->optimisation ? c->request->optimisation : "-O3");
    if (!has_standard(c->request))
        argue(c, "-std=c++17");
    for (const char *const *flag = c->request->flags; flag && *flag; flag++) {
        if (is_clang && strcmp(*flag, "-use_fast_math") == 0) {
            argue(c, "-ffast-math");
            argue(c, "-fcuda-flush-denormals-to-zero");
        } else {
            argue(c, *flag);
        }
    }
    if (c->own_folder)
        argue(c, arena_printf(c->arena, "%s%s", is_clang ? "-iquote" : "-I", c->own_folder));
    for (const char *const *dir = c->request->include_dirs; dir && *dir; dir++) {
        char real[PATH_MAX];
        if (!realpath(*dir, real))
            continue;
        argue(c, arena_printf(c->arena, "-I%s", real));
        may_read(c, arena_strdup(c->arena, real));
    }
    argue(c, "-include");
    argue(c, LAB_FOLDER "/bankshot.h");
    argue(c, "-MD");
    argue(c, "-MF");
    argue(c, "kernel.d");
    argue(c, "-o");
    argue(c, "kernel.ptx");
    argue(c, MAIN_NAME);
}

static void argue_nvcc(struct compilation *c)
{
    argue(c, c->toolchain->path);
    argue(c, "-ptx");
    argue(c, "-lineinfo");
    argue(c, "--expt-relaxed-constexpr"); // as clang does
    argue(c, arena_printf(c->arena, "-arch=%s", c->result->arch));
    argue_common(c);
}

// PTX 7.8 is the first to know sm_89 and sm_90, 8.0 sm_90a; older PTX pleases older drivers.
static const char *clang_ptx_feature(const char *arch)
{
    int sm = 0;
    char suffix = 0;
    parse_arch(arch, &sm, &suffix);
    return sm > 90 ? "+ptx86" : suffix ? "+ptx80" : sm >= 89 ? "+ptx78" : "+ptx75";
}

static void argue_clang(struct compilation *c)
{
    static const char *const fixed[] = {
        "-x",
        "cuda",
        "--cuda-device-only",
        "-nocudainc",
        "-nocudalib",
        "-S",
        "-gline-tables-only",
        "-Wno-unknown-cuda-version",
        "-Wno-unused-command-line-argument",
        "-fno-color-diagnostics",
        "-fno-caret-diagnostics",
        "-fno-crash-diagnostics",
        "-ferror-limit=60",
        "-ftemplate-depth=512",
        // A CUDA Toolkit that happens to be there must make no difference.
        "--cuda-path=" LAB_FOLDER,
        "-isystem",
        LAB_FOLDER "/cuda",
        "-include",
        LAB_FOLDER "/cuda/bankshot_device.h",
    };
    argue(c, c->toolchain->path);
    argue(c, arena_printf(c->arena, "--cuda-gpu-arch=%s", c->result->arch));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        argue(c, fixed[i]);
    argue(c, "-Xclang");
    argue(c, "-target-feature");
    argue(c, "-Xclang");
    argue(c, clang_ptx_feature(c->result->arch));
    argue_common(c);
}

// ---- what may be read

// The folder that a compiler was installed to, if it looks like one: never a home folder that has a bin.
static const char *installation(struct compilation *c, const char *program)
{
    static const char *const marks[] = {"nvvm", "lib/clang", "lib64/clang", "lib/gcc"};
    char path[PATH_MAX], mark[PATH_MAX + 16];
    if (!realpath(program, path))
        return NULL;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path)
            return NULL;
        *slash = '\0';
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        snprintf(mark, sizeof mark, "%s/%s", path, marks[i]);
        if (strcmp(path, "/usr") != 0 && access(mark, F_OK) == 0)
            return arena_strdup(c->arena, path);
    }
    return NULL;
}

static void list_readable(struct compilation *c)
{
    static const char *const system[] = {
        "/usr/bin",           "/usr/lib",     "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/include",
        "/usr/local/include", "/bin",         "/lib",       "/lib64",     "/nix/store",   "/gnu/store",
        "/etc/ld.so.cache",   "/dev/urandom", "/dev/zero",
    };
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        may_read(c, system[i]);
    const char *folder = installation(c, c->toolchain->path);
    char program[PATH_MAX];
    if (folder)
        may_read(c, folder);
    else if (realpath(c->toolchain->path, program))
        may_read(c, arena_strdup(c->arena, program));
    if (c->own_folder)
        may_read(c, c->own_folder);
}

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0' || length == 1);
}

static bool is_readable(const struct compilation *c, const char *real)
{
    for (size_t i = 0; i < c->read_count; i++) {
        char folder[PATH_MAX];
        if (realpath(c->read[i], folder) && is_below(real, folder))
            return true;
    }
    return is_below(real, c->folder);
}

static bool is_users_header(const struct compilation *c, const char *real)
{
    char folder[PATH_MAX];
    if (c->own_folder && is_below(real, c->own_folder))
        return true;
    for (const char *const *dir = c->request->include_dirs; dir && *dir; dir++)
        if (realpath(*dir, folder) && is_below(real, folder))
            return true;
    return false;
}

// ---- the private folder

static enum status write_file(struct compilation *c, const char *name, const char *bytes, size_t length)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0;
    while (good && length) {
        ssize_t written = write(fd, bytes, length);
        good = written > 0;
        bytes += written;
        length -= good ? (size_t)written : 0;
    }
    if (fd >= 0 && close(fd) != 0)
        good = false;
    return good ? STATUS_OK : diagnostic_set(c->diagnostic, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
}

static enum status make_folder(struct compilation *c)
{
    char lab[PATH_MAX + 8], real[PATH_MAX];
    const char *base = getenv("TMPDIR");
    if (!base || base[0] != '/' || access(base, W_OK | X_OK) != 0)
        base = "/tmp";
    snprintf(c->folder, sizeof c->folder, "%.3000s/bankshot-XXXXXX", base);
    if (!mkdtemp(c->folder) || !realpath(c->folder, real)) {
        c->folder[0] = '\0';
        return diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT, "cannot make a temporary folder in %.500s: %s", base,
                              strerror(errno));
    }
    strcpy(c->folder, real);
    snprintf(lab, sizeof lab, "%s/" LAB_FOLDER, c->folder);
    if (mkdir(lab, 0700) != 0)
        return diagnostic_set(c->diagnostic, STATUS_IO, "cannot make %s: %s", lab, strerror(errno));
    enum status status = headers_write(lab, c->diagnostic);
    return status == STATUS_OK ? write_file(c, MAIN_NAME, c->result->source, c->result->source_length) : status;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    remove(path);
    return 0;
}

static void remove_folder(struct compilation *c)
{
    if (c->folder[0])
        nftw(c->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    c->folder[0] = '\0';
}

// ---- after the compiler

static enum status read_output(struct compilation *c, const char *name, size_t most, struct text *text)
{
    char path[PATH_MAX + 32], buffer[65536];
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT, "%s left no %s", c->toolchain->label, name);
    ssize_t got;
    while (text->length <= most && (got = read(fd, buffer, sizeof buffer)) > 0)
        text_append(text, buffer, (size_t)got);
    close(fd);
    return text->length <= most ? STATUS_OK
                                : diagnostic_set(c->diagnostic, STATUS_COMPILE,
                                                 "the PTX of this file has more than %d MB", PTX_MAX >> 20);
}

// Appends text with every mention of the private folder taken out, so that results do not depend on its name.
static void append_without_folder(const struct compilation *c, const struct text *text, struct text *out)
{
    size_t length = strlen(c->folder);
    const char *at = text_get(text), *end = at + text->length, *found;
    while ((found = memmem(at, (size_t)(end - at), c->folder, length))) {
        text_append(out, at, (size_t)(found - at));
        at = found + length;
        if (at < end && *at == '/')
            at++;
    }
    text_append(out, at, (size_t)(end - at));
}

// One name of a make rule; false at the end. Spaces in names are written "\ ".
static bool next_dependency(const char **at, char name[PATH_MAX])
{
    size_t length = 0;
    while (**at == ' ' || **at == '\n' || (**at == '\\' && (*at)[1] == '\n'))
        *at += **at == '\\' ? 2 : 1;
    while (**at && **at != ' ' && **at != '\n' && length + 1 < PATH_MAX) {
        if (**at == '\\' && (*at)[1] == '\n')
            break;
        if ((**at == '\\' && ((*at)[1] == ' ' || (*at)[1] == '#')) || (**at == '$' && (*at)[1] == '$'))
            (*at)++;
        name[length++] = *(*at)++;
    }
    name[length] = '\0';
    return length > 0;
}

// Checks what was read, also where Landlock has seen to it, and notes the user's headers for the cache.
static enum status check_dependencies(struct compilation *c)
{
    struct text list = {0};
    char name[PATH_MAX], path[2 * PATH_MAX], real[PATH_MAX];
    enum status status = read_output(c, "kernel.d", 4 << 20, &list);
    const char *at = strchr(text_get(&list), ':');
    at = at ? at + 1 : "";
    while (status == STATUS_OK && next_dependency(&at, name)) {
        snprintf(path, sizeof path, "%s%s%s", name[0] == '/' ? "" : c->folder, name[0] == '/' ? "" : "/", name);
        uint64_t hash;
        if (!realpath(path, real))
            continue;
        if (!is_readable(c, real))
            status = diagnostic_at(
                c->diagnostic, STATUS_COMPILE, c->display, 0, 0,
                "cannot #include \"%.300s\": only system headers and the lab's own may be included here", name);
        else if (is_users_header(c, real) && cache_hash_file(real, &hash))
            text_printf(&c->entry.dependencies, "%016llx %s\n", (unsigned long long)hash, real);
    }
    text_free(&list);
    return status;
}

static bool mentions(const struct process_result *result, const char *word)
{
    return strstr(text_get(&result->err), word) || strstr(text_get(&result->out), word);
}

static bool mentions_any(const struct process_result *result, const char *const *words)
{
    for (; *words; words++)
        if (mentions(result, *words))
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
    static const char *const crash[] = {"died due to signal",        "Stack dump:",    "use -v to see invocation",
                                        "unable to execute command", "internal error", NULL};
    if (result->end == PROCESS_TIMED_OUT || mentions_any(result, time) ||
        result->cpu_seconds >= default_limits.cpu_seconds - 0.5)
        return arena_printf(c->arena,
                            "the compiler was stopped after %.0f s: is there a template, constexpr or loop to unroll "
                            "that never ends?",
                            result->wall_seconds);
    if (result->end == PROCESS_OUTPUT_LIMIT)
        return "the compiler was stopped because it printed more than 1 MB of messages";
    if (mentions_any(result, memory))
        return arena_printf(
            c->arena,
            "the compiler was stopped because it needed more than %.1f GB of memory: is there a "
            "template, macro or array that grows without end?",
            (double)(c->request->memory_limit ? c->request->memory_limit : default_limits.memory_bytes) / (1 << 30));
    if (result->signal == SIGXFSZ || mentions_any(result, size))
        return arena_printf(c->arena,
                            "the compiler was stopped because it wrote more than %d MB: is there a huge array with "
                            "initial values?",
                            PTX_MAX >> 20);
    if (result->end == PROCESS_SIGNALLED || mentions_any(result, crash))
        return "the compiler crashed on this file. Simplify the last thing you changed";
    return NULL;
}

static const struct diagnostic *first_error(const struct diagnostic_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].severity == SEVERITY_ERROR)
            return &list->items[i];
    return NULL;
}

static enum status fail(struct compilation *c, const char *message)
{
    struct diagnostic diagnostic;
    diagnostic_at(&diagnostic, STATUS_COMPILE, c->display, 0, 0, "%s", message);
    diagnostic_add(&c->result->diagnostics, &diagnostic);
    if (c->diagnostic)
        *c->diagnostic = diagnostic;
    return STATUS_COMPILE;
}

static void parse_messages(struct compilation *c, const struct text *messages)
{
    struct messages_names names = {.main_name = MAIN_NAME,
                                   .display = c->display,
                                   .own_folder = c->own_folder,
                                   .display_folder = c->display_folder,
                                   .source = c->result->source};
    messages_parse(&names, text_get(messages), messages->length, &c->result->diagnostics);
}

static enum status report_failure(struct compilation *c, const struct process_result *result)
{
    if (mentions(result, "for option 'gpu-architecture'") || mentions(result, "unsupported CUDA gpu architecture"))
        return diagnostic_set(c->diagnostic, STATUS_USAGE, "%s cannot compile for %s", c->toolchain->label,
                              c->result->arch);
    const char *reason = explain_end(c, result);
    parse_messages(c, &c->entry.messages);
    if (reason)
        return fail(c, reason);
    const struct diagnostic *first = first_error(&c->result->diagnostics);
    if (first && c->diagnostic)
        *c->diagnostic = *first;
    if (first)
        return STATUS_COMPILE;
    struct text line = {0};
    const char *said = text_get(&c->entry.messages);
    text_printf(&line, "%s gave up: ", c->toolchain->label);
    text_escape(&line, said, strcspn(said, "\n") < 400 ? strcspn(said, "\n") : 400, false);
    enum status status = fail(c, text_get(&line));
    text_free(&line);
    return status;
}

// .file names as the user knows them
static void present_ptx(struct compilation *c)
{
    struct messages_names names = {.main_name = MAIN_NAME,
                                   .display = c->display,
                                   .own_folder = c->own_folder,
                                   .display_folder = c->display_folder};
    struct text out = {0};
    const char *at = text_get(&c->entry.ptx), *end = at + c->entry.ptx.length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = stop ? (size_t)(stop - at) + 1 : (size_t)(end - at);
        size_t blank = strspn(at, " \t");
        const char *open = NULL, *close = NULL;
        if (blank < length && text_starts(at + blank, ".file") && (open = memchr(at, '"', length)))
            close = memchr(open + 1, '"', length - (size_t)(open + 1 - at));
        if (close) {
            char name[1100];
            messages_map_name(&names, open + 1, (size_t)(close - open) - 1, name, sizeof name);
            for (char *byte = name; *byte; byte++)
                if (*byte == '"' || *byte == '\\')
                    *byte = '_';
            text_append(&out, at, (size_t)(open + 1 - at));
            text_puts(&out, name);
            text_append(&out, close, length - (size_t)(close - at));
        } else {
            text_append(&out, at, length);
        }
        at += length;
    }
    c->result->ptx = out.data ? out.data : mem_strdup("");
    c->result->ptx_length = out.length;
}

// ---- the road

static enum status run_compiler(struct compilation *c, struct process_result *result)
{
    char *tmp = arena_printf(c->arena, "TMPDIR=%s", c->folder);
    // A crash report with symbols takes longer than any compilation.
    const char *environment[] = {
        "PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8", "LLVM_DISABLE_SYMBOLIZATION=1", tmp, NULL};
    struct sandbox sandbox;
    struct process_options options = {.argv = c->argv,
                                      .environment = environment,
                                      .directory = c->folder,
                                      .limits = default_limits,
                                      .cancel = c->request->cancel,
                                      .before_exec = sandbox_enter,
                                      .context = &sandbox};
    if (c->request->wall_limit > 0)
        options.limits.wall_seconds = c->request->wall_limit;
    if (c->request->memory_limit)
        options.limits.memory_bytes = c->request->memory_limit;
    c->argv[c->argc] = NULL;
    c->read[c->read_count] = NULL;
    enum status status = sandbox_prepare(&sandbox, c->read, c->folder, c->diagnostic);
    if (status != STATUS_OK)
        return status;
    status = process_run(&options, result, c->diagnostic);
    sandbox_release(&sandbox);
    return status;
}

static enum status compile_now(struct compilation *c)
{
    struct process_result result = {0};
    struct text ptx = {0};
    enum status status = make_folder(c);
    if (status == STATUS_OK)
        status = run_compiler(c, &result);
    if (status != STATUS_OK)
        goto out;
    append_without_folder(c, &result.out, &c->entry.messages); // nvcc's front end writes to stdout
    append_without_folder(c, &result.err, &c->entry.messages);
    if (result.end == PROCESS_KILLED) {
        status = diagnostic_set(c->diagnostic, STATUS_CANCELLED, "the compilation was cancelled");
        goto out;
    }
    if (!process_succeeded(&result)) {
        status = report_failure(c, &result);
        goto out;
    }
    status = check_dependencies(c);
    if (status == STATUS_OK)
        status = read_output(c, "kernel.ptx", PTX_MAX, &ptx);
    if (status == STATUS_COMPILE && c->diagnostic)
        diagnostic_add(&c->result->diagnostics, c->diagnostic);
    if (status != STATUS_OK)
        goto out;
    append_without_folder(c, &ptx, &c->entry.ptx);
    parse_messages(c, &c->entry.messages);
    if (!c->request->no_cache)
        cache_store(&c->key, &c->entry);
out:
    text_free(&ptx);
    process_result_free(&result);
    remove_folder(c);
    return status;
}

static enum status get_source(struct compilation *c)
{
    const struct compile_request *request = c->request;
    struct compile_result *result = c->result;
    if (!request->source)
        return toolchain_read_source(request->path, request->root, c->display, &result->source, &result->source_length,
                                     c->diagnostic);
    enum status status = toolchain_check_source(request->source, request->source_length, c->display, c->diagnostic);
    if (status == STATUS_OK) {
        result->source = mem_strndup(request->source, request->source_length);
        result->source_length = request->source_length;
    }
    return status;
}

static void name_things(struct compilation *c)
{
    const char *display = c->request->display ? c->request->display : c->request->path, *slash;
    struct text escaped = {0};
    text_escape(&escaped, display, strlen(display), false);
    snprintf(c->display, sizeof c->display, "%s", text_get(&escaped));
    text_free(&escaped);
    if ((slash = strrchr(c->display, '/')))
        snprintf(c->display_folder, sizeof c->display_folder, "%.*s", (int)(slash - c->display), c->display);
    if (c->request->own_folder) {
        char folder[PATH_MAX], real[PATH_MAX];
        slash = strrchr(c->request->path, '/');
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - c->request->path) + 1 : 1,
                 slash ? c->request->path : ".");
        if (realpath(folder, real))
            c->own_folder = arena_strdup(c->arena, real);
    }
}

static enum status compile(struct compilation *c)
{
    name_things(c);
    enum status status = get_source(c);
    if (status == STATUS_COMPILE && c->diagnostic)
        diagnostic_add(&c->result->diagnostics, c->diagnostic);
    if (status == STATUS_OK)
        status = check_flags(c);
    if (status == STATUS_OK)
        status = choose_arch(c);
    if (status != STATUS_OK)
        return status;
    text_printf(&c->key, "%s\n%llx\n", c->toolchain->identity, headers_hash());
    if (c->toolchain->kind == TOOLCHAIN_CLANG)
        argue_clang(c);
    else
        argue_nvcc(c);
    list_readable(c);
    text_append(&c->key, c->result->source, c->result->source_length);
    if (!c->request->no_cache && cache_load(&c->key, &c->entry)) {
        c->result->from_cache = true;
        parse_messages(c, &c->entry.messages);
    } else {
        status = compile_now(c);
    }
    if (status == STATUS_OK)
        present_ptx(c);
    return status;
}

enum status toolchain_compile(const struct toolchain *toolchain, const struct compile_request *request,
                              struct compile_result *result, struct diagnostic *diagnostic)
{
    double start = now();
    struct diagnostic own;
    *result = (struct compile_result){0};
    struct compilation *c = mem_alloc(sizeof *c);
    *c = (struct compilation){.toolchain = toolchain,
                              .request = request,
                              .result = result,
                              .diagnostic = diagnostic ? diagnostic : &own,
                              .arena = arena_new()};
    snprintf(result->compiler, sizeof result->compiler, "%s", toolchain->label);
    enum status status = compile(c);
    result->seconds = now() - start;
    text_free(&c->key);
    cache_entry_free(&c->entry);
    arena_free(c->arena);
    free(c);
    return status;
}

void compile_result_free(struct compile_result *result)
{
    free(result->ptx);
    free(result->source);
    diagnostic_list_free(&result->diagnostics);
    *result = (struct compile_result){0};
}

char *toolchain_protection(char *text, size_t size)
{
    int abi = sandbox_landlock_abi();
    if (abi)
        snprintf(text, size, "Landlock (ABI %d)%s, resource limits", abi, sandbox_has_seccomp() ? ", seccomp" : "");
    else
        snprintf(text, size,
                 "%sresource limits; no Landlock in this kernel, so the headers read are checked afterwards",
                 sandbox_has_seccomp() ? "seccomp, " : "");
    return text;
}

enum status toolchain_write_headers(const char *folder, struct diagnostic *diagnostic)
{
    if (mkdir(folder, 0755) != 0 && errno != EEXIST)
        return diagnostic_set(diagnostic, STATUS_IO, "cannot make %.500s: %s", folder, strerror(errno));
    return headers_write(folder, diagnostic);
}

void toolchain_clangd_flags(struct text *text, const char *folder)
{
    text_printf(text,
                "-xcuda\n--cuda-device-only\n--cuda-gpu-arch=sm_80\n-nocudainc\n-nocudalib\n--cuda-path=%s\n"
                "-std=c++17\n-Wno-unknown-cuda-version\n-isystem\n%s/cuda\n-include\n%s/cuda/bankshot_device.h\n"
                "-include\n%s/bankshot.h\n",
                folder, folder, folder, folder);
}
