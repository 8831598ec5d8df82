// The compilers' lines, taken apart form by form.
#include "toolchain/messages.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "toolchain/toolchain.h"

struct slice {
    const char *at;
    size_t length;
};

struct message_parser {
    const struct messages_names *names;
    struct diagnostic_list *list;
    size_t dropped;          // beyond the maximum
    int include_line;        // of the main file, from "In file included from"; 0 = none
    struct diagnostic *last; // what a continuation or caret belongs to; NULL = dropped
    struct slice quoted;     // the line before a caret line
};

static const struct {
    const char *word;
    enum severity severity;
} severities[] = {
    {"fatal error", SEVERITY_ERROR},    {"catastrophic error", SEVERITY_ERROR},
    {"internal error", SEVERITY_ERROR}, {"error", SEVERITY_ERROR},
    {"fatal", SEVERITY_ERROR},          {"LLVM ERROR", SEVERITY_ERROR},
    {"warning", SEVERITY_WARNING},      {"note", SEVERITY_NOTE},
    {"remark", SEVERITY_NOTE},          {"info", SEVERITY_NOTE},
};

static bool slice_starts(struct slice text, const char *prefix)
{
    size_t length = strlen(prefix);
    return text.length >= length && memcmp(text.at, prefix, length) == 0;
}

static struct slice slice_skip(struct slice text, size_t count)
{
    return (struct slice){text.at + count, text.length - count};
}

static struct slice slice_trim(struct slice text)
{
    while (text.length && isspace((unsigned char)text.at[0]))
        text = slice_skip(text, 1);
    while (text.length && isspace((unsigned char)text.at[text.length - 1]))
        text.length--;
    return text;
}

static bool take_digits(struct slice *text, int *number)
{
    size_t digits = 0;
    *number = 0;
    while (digits < text->length && digits < 8 && isdigit((unsigned char)text->at[digits]))
        *number = *number * 10 + (text->at[digits++] - '0');
    *text = slice_skip(*text, digits);
    return digits > 0;
}

// "error", "error #20-D", "fatal   " and a colon: the severity, and what follows
static bool take_severity(struct slice *text, enum severity *severity)
{
    for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
        if (!slice_starts(*text, severities[i].word))
            continue;
        struct slice rest = slice_skip(*text, strlen(severities[i].word));
        while (rest.length && rest.at[0] == ' ')
            rest = slice_skip(rest, 1);
        if (rest.length && rest.at[0] == '#') { // EDG's number: "#20-D"
            while (rest.length && rest.at[0] != ':')
                rest = slice_skip(rest, 1);
        }
        if (rest.length == 0 || rest.at[0] != ':')
            continue;
        *severity = severities[i].severity;
        *text = slice_trim(slice_skip(rest, 1));
        return true;
    }
    return false;
}

char *messages_map_name(const struct messages_names *names, const char *name, size_t length, char *text, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : sizeof path - 1), name);
    const char *rest = path;
    size_t own = names->own_folder ? strlen(names->own_folder) : 0;
    while (strncmp(rest, "./", 2) == 0)
        rest += 2;
    struct text escaped = {0};
    if (strcmp(rest, names->main_name) == 0) {
        text_puts(&escaped, names->display);
    } else if (own && strncmp(rest, names->own_folder, own) == 0 && rest[own] == '/') {
        if (names->display_folder && names->display_folder[0])
            text_printf(&escaped, "%s/", names->display_folder);
        text_puts(&escaped, rest + own + 1);
    } else {
        text_puts(&escaped, rest);
    }
    struct text shown = {0};
    text_escape(&shown, text_get(&escaped), escaped.length, false);
    snprintf(text, size, "%s", text_get(&shown));
    text_free(&shown);
    text_free(&escaped);
    return text;
}

static bool is_users(const struct messages_names *names, struct slice name)
{
    char mapped[300];
    messages_map_name(names, name.at, name.length, mapped, sizeof mapped);
    if (strcmp(mapped, names->display) == 0)
        return true;
    size_t own = names->own_folder ? strlen(names->own_folder) : 0;
    return own && name.length > own && memcmp(name.at, names->own_folder, own) == 0;
}

static void append_message(struct diagnostic *diagnostic, const char *before, struct slice text)
{
    struct text escaped = {0};
    text_puts(&escaped, diagnostic->message);
    text_puts(&escaped, before);
    text_escape(&escaped, text.at, text.length, false);
    snprintf(diagnostic->message, sizeof diagnostic->message, "%s", text_get(&escaped));
    text_free(&escaped);
}

// What the compiler says, the source named as the user does: "(lambda at kernel.cu:3:15)".
static void append_said(const struct messages_names *names, struct diagnostic *diagnostic, struct slice text)
{
    size_t length = strlen(names->main_name);
    const char *found;
    while ((found = memmem(text.at, text.length, names->main_name, length))) {
        append_message(diagnostic, "", (struct slice){text.at, (size_t)(found - text.at)});
        append_message(diagnostic, names->display, (struct slice){"", 0});
        text = slice_skip(text, (size_t)(found - text.at) + length);
    }
    append_message(diagnostic, "", text);
}

static const char only_system_headers[] = "\": only system headers and the lab's own may be included here";

// Line number `line` of the source, without its newline.
static struct slice written_line(const char *source, int line)
{
    for (int i = 1; source && i < line; i++) {
        source = strchr(source, '\n');
        source = source ? source + 1 : NULL;
    }
    return source ? (struct slice){source, strcspn(source, "\n")} : (struct slice){0};
}

// The header as this line of the source names it, where a path that the compiler tried ends so; else that path.
static struct slice written_header(const struct messages_names *names, const struct diagnostic *diagnostic,
                                   struct slice path)
{
    bool is_main = strcmp(diagnostic->file, names->display) == 0;
    struct slice line = is_main ? written_line(names->source, diagnostic->line) : (struct slice){0};
    const char *word = line.length ? memmem(line.at, line.length, "include", strlen("include")) : NULL;
    if (!word)
        return path;
    struct slice name = slice_trim(slice_skip(line, (size_t)(word - line.at) + strlen("include")));
    const char *end = name.length && strchr("<\"", *name.at)
                          ? memchr(name.at + 1, *name.at == '<' ? '>' : '"', name.length - 1)
                          : NULL;
    if (!end)
        return path;
    name = (struct slice){name.at + 1, (size_t)(end - name.at) - 1};
    size_t before = path.length - name.length;
    bool is_end = name.length && name.length < path.length && path.at[before - 1] == '/' &&
                  memcmp(path.at + before, name.at, name.length) == 0;
    return is_end ? name : path;
}

static bool is_of_toolkit(struct slice name)
{
    const char *slash = name.length && name.at[0] == '/' ? memrchr(name.at, '/', name.length) : NULL;
    if (slash) // one that a folder of the system leads to
        name = slice_skip(name, (size_t)(slash + 1 - name.at));
    static const char *const folders[] = {"cub/", "cuda/", "thrust/", "nv", "crt/", "cooperative_groups/"};
    static const char *const files[] = {"cu", "nv", "mma.h", "texture_", "surface_", "sm_", "cooperative_groups"};
    bool in_folder = memchr(name.at, '/', name.length);
    const char *const *starts = in_folder ? folders : files;
    for (size_t i = 0; i < (in_folder ? sizeof folders / sizeof *folders : sizeof files / sizeof *files); i++)
        if (slice_starts(name, starts[i]))
            return true;
    return false;
}

// Why there is no such header.
static const char *missing_header(struct slice name, bool is_denied, bool is_clang, bool takes_folders)
{
    if (is_of_toolkit(name))
        return is_clang
                   ? "\": no such header. It belongs to the CUDA Toolkit and needs nvcc; the lab's own for clang do "
                     "not have it"
                   : "\": no such header. The CUDA Toolkit that this nvcc is of does not have it";
    if (is_denied)
        return only_system_headers;
    return takes_folders
               ? "\": no such header. -I DIR adds the folder that has it; if only host code needs it, put the "
                 "kernel into a file of its own"
               : "\": no such header. The lab compiles device code with the system headers and its own";
}

// The compilers' words for what our jail refuses, said plainly.
static bool explain_include(const struct messages_names *names, struct diagnostic *diagnostic, struct slice text)
{
    static const char denied[] = ": Permission denied", missing[] = ": No such file or directory";
    static const char missing_clang[] = "' file not found", denied_clang[] = "': Permission denied";
    static const char socket[] = ": No such device or address", socket_clang[] = "': No such device or address";
    const char *end = NULL;
    bool is_denied = false;
    char copy[8192]; // longer paths than the system takes are no paths
    snprintf(copy, sizeof copy, "%.*s", (int)(text.length < sizeof copy - 1 ? text.length : sizeof copy - 1), text.at);
    if ((end = strstr(copy, denied_clang)) || (end = strstr(copy, denied)) || (end = strstr(copy, socket_clang)) ||
        (end = strstr(copy, socket)))
        is_denied = true;
    else if (!(end = strstr(copy, missing_clang)))
        end = strstr(copy, missing);
    if (!end)
        return false;
    const char *start = strchr(copy, '\'');
    start = start && start < end ? start + 1 : copy;
    struct slice name = {start, (size_t)(end - start)};
    char folder[1024], wanted[512];
    size_t own = names->own_folder ? strlen(names->own_folder) : 0;
    bool is_own = own && slice_starts(name, names->own_folder) && name.at[own] == '/';
    snprintf(wanted, sizeof wanted, "%.*s", (int)(name.length - (is_own ? own + 1 : 0)),
             name.at + (is_own ? own + 1 : 0));
    if (names->find_header && names->find_header(names->context, wanted, folder, sizeof folder)) {
        diagnostic->message[0] = '\0';
        append_message(diagnostic, "cannot #include \"", (struct slice){wanted, strlen(wanted)});
        append_message(diagnostic, "\": no folder that was given has it. Try -I ",
                       (struct slice){folder, strlen(folder)});
        return true;
    }
    if (*start == '/' || memmem(start, name.length, "..", 2)) // whether it exists is nobody's business
        is_denied = true;
    diagnostic->message[0] = '\0';
    append_message(diagnostic, "cannot #include \"", written_header(names, diagnostic, name));
    append_message(diagnostic,
                   missing_header(name, is_denied, *end == '\'', names->own_folder != NULL), // clang quotes the name
                   (struct slice){"", 0});
    return true;
}

// The header that declares a name: a name that nobody declared is most often one whose header was forgotten.
static const char *header_of(struct slice name)
{
    static const struct {
        const char *header, *names; // parted by blanks; NAME* is all that begins so
    } headers[] = {
        {"cstdint", "intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"},
        {"climits", "INT_MAX INT_MIN UINT_MAX LLONG_MAX ULLONG_MAX CHAR_BIT"},
        {"cfloat", "FLT_* DBL_*"},
        {"cassert", "assert"},
        {"cuda_fp16.h", "half half2 __half __half2"},
        {"cuda_bf16.h", "nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162"},
        {"cuda_pipeline.h", "__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior"},
        {"cuda.h", "CUtensorMap"},
        {"cooperative_groups.h", "cooperative_groups"},
        {"mma.h", "nvcuda"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        for (const char *at = headers[i].names; *at;) {
            size_t length = strcspn(at, " ");
            bool is_start = at[length - 1] == '*', begins = name.length >= length - is_start;
            if (begins && memcmp(name.at, at, length - is_start) == 0 && (is_start || name.length == length))
                return headers[i].header;
            at += length + strspn(at + length, " ");
        }
    return NULL;
}

// The compilers' words for such a name. What clang thinks was meant leads elsewhere, and is left out.
static bool explain_undeclared(struct diagnostic *diagnostic, struct slice text)
{
    static const char *const phrases[] = {"use of undeclared identifier '", "unknown type name '", "identifier \""};
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t length = strlen(phrases[i]);
        struct slice name = slice_skip(text, length);
        const char *end = slice_starts(text, phrases[i]) ? memchr(name.at, phrases[i][length - 1], name.length) : NULL;
        if (!end)
            continue;
        name.length = (size_t)(end - name.at);
        const char *header = header_of(name), *rest = i == 2 ? " is undefined" : "";
        if (!header || (i == 2 && !slice_starts(slice_skip(text, length + name.length + 1), rest)))
            return false;
        append_message(diagnostic, "", (struct slice){text.at, length + name.length + 1});
        append_message(diagnostic, rest, (struct slice){"", 0});
        append_message(diagnostic, ": #include <", (struct slice){header, strlen(header)});
        append_message(diagnostic, "> declares it", (struct slice){"", 0});
        return true;
    }
    return false;
}

// Behind clang's words for a name that looks like CUDA's: it may be one that our headers have not.
static void explain_name(struct diagnostic *diagnostic, struct slice text)
{
    // texture<float, 2> t; in the words of nvcc and clang
    static const char *const references[] = {"texture is not a template", "use of undeclared identifier 'texture'",
                                             "unknown type name 'texture'", "no template named 'texture'",
                                             "use of undeclared identifier 'cudaReadMode"};
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (slice_starts(text, references[i])) {
            append_message(
                diagnostic,
                ". CUDA 12 took texture references out: give the kernel a cudaTextureObject_t parameter, and read "
                "it as tex1Dfetch<float>(t, i)",
                (struct slice){"", 0});
            return;
        }
    static const char *const phrases[] = {"use of undeclared identifier '", "unknown type name '"};
    static const char *const starts[] = {"__", "cu", "tex", "surf", "atomic", "nv"};
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        if (!slice_starts(text, phrases[i]))
            continue;
        struct slice name = slice_skip(text, strlen(phrases[i]));
        const char *end = memchr(name.at, '\'', name.length);
        name.length = end ? (size_t)(end - name.at) : name.length;
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            if (slice_starts(name, starts[k])) {
                append_message(diagnostic, text.at[text.length - 1] == '?' ? " If CUDA has '" : ". If CUDA has '",
                               name);
                append_message(diagnostic, "', nvcc knows it (--compiler nvcc): the lab's headers for clang do not",
                               (struct slice){"", 0});
                return;
            }
    }
}

// Behind words that are right and do not say what to do.
static void explain_words(struct diagnostic *diagnostic, struct slice text)
{
    static const char two[] = ". That is what LAUNCH makes: keep one LAUNCH line";
    static const struct {
        const char *words, *remark;
    } remarks[] = {
        {"\"bankshot_launch\" has already been defined", two},
        {"redefinition of 'bankshot_launch'", two},
        {"asm operand type size(8) does not match type/size implied by constraint 'r'",
         ": \"r\" is a register of 32 bits. Cast the operand to unsigned, or give it \"l\" where the instruction takes "
         "64"},
        {"requires --extended-lambda nvcc flag", ": trace has it as --compiler-option=--extended-lambda"},
        {"invalid % escape in inline assembly string",
         ": a special register is written with two, as in \"mov.u32 %0, %%smid;\""},
        {"no member named 'move' in namespace 'std'", ": #include <utility>"},
        {"reference to __global__ function",
         ": a kernel that launches another one (dynamic parallelism) needs a GPU, and nvcc"},
        {"copy assignment operator is implicitly deleted",
         ": if it is a union that holds a vector of 16 bytes, assign that member (w.q = u.q); nvcc takes the whole"},
        {"no template named 'block_tile_memory'", ": tiles of more than a warp need nvcc"},
        {"identifier \"concept\" is undefined", ": C++20 has it (trace --std c++20)"},
        {"unknown type name 'concept'", ": C++20 has it (trace --std c++20)"},
    };
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++)
        if (memmem(text.at, text.length, remarks[i].words, strlen(remarks[i].words)))
            append_message(diagnostic, remarks[i].remark, (struct slice){"", 0});
}

static bool may_show_name(const struct messages_names *names, struct slice name)
{
    char path[4096];
    if (!names->may_show || name.length >= sizeof path)
        return !names->may_show;
    memcpy(path, name.at, name.length);
    path[name.length] = '\0';
    return names->may_show(names->context, path);
}

static const char launches[] = "requires separate compilation mode";
static const char nested[] =
    "a kernel launches another one (dynamic parallelism), which needs a GPU. The kernels that do "
    "not launch any run with --compiler-option=-rdc=true";

// An error that comes behind many warnings takes the place of one. False: there is none.
static bool drop_last_warning(struct diagnostic_list *list)
{
    size_t at = list->count;
    while (at > 0 && list->items[at - 1].severity == SEVERITY_ERROR)
        at--;
    if (at == 0)
        return false;
    memmove(&list->items[at - 1], &list->items[at], (list->count - at) * sizeof *list->items);
    list->count--;
    return true;
}

static void add_message(struct message_parser *parser, struct slice name, int line, int column, enum severity severity,
                        struct slice text)
{
    struct diagnostic diagnostic = {.code = STATUS_COMPILE, .severity = severity, .line = line, .column = column};
    bool users = name.length == 0 || is_users(parser->names, name);
    parser->last = NULL;
    parser->quoted = (struct slice){0};
    if (!users && severity != SEVERITY_ERROR)
        return;
    if (parser->list->count >= TOOLCHAIN_DIAGNOSTICS_MAX) {
        parser->dropped++;
        if (severity != SEVERITY_ERROR || !drop_last_warning(parser->list))
            return;
    }
    if (name.length)
        messages_map_name(parser->names, name.at, name.length, diagnostic.file, sizeof diagnostic.file);
    bool foreign = !users && !may_show_name(parser->names, name);
    if (foreign) {
        append_message(&diagnostic, "cannot #include \"", name);
        append_message(&diagnostic, only_system_headers, (struct slice){"", 0});
    } else if (memmem(text.at, text.length, launches, sizeof launches - 1)) {
        append_message(&diagnostic, "", (struct slice){nested, sizeof nested - 1});
    } else if (!explain_include(parser->names, &diagnostic, text) && !explain_undeclared(&diagnostic, text)) {
        append_said(parser->names, &diagnostic, text);
        explain_name(&diagnostic, text);
        explain_words(&diagnostic, text);
    }
    if (foreign) {
        snprintf(diagnostic.file, sizeof diagnostic.file, "%s", parser->names->display);
        diagnostic.line = parser->include_line;
        diagnostic.column = 0;
    } else if (!users && parser->include_line) {
        char inside[sizeof diagnostic.message];
        snprintf(inside, sizeof inside, "in a header included here (%s:%d): %.400s", diagnostic.file, line,
                 diagnostic.message);
        snprintf(diagnostic.file, sizeof diagnostic.file, "%s", parser->names->display);
        diagnostic.line = parser->include_line;
        diagnostic.column = 0;
        snprintf(diagnostic.message, sizeof diagnostic.message, "%s", inside);
    }
    const struct diagnostic *before = parser->list->count ? &parser->list->items[parser->list->count - 1] : NULL;
    if (before && before->line == diagnostic.line && before->column == diagnostic.column &&
        strcmp(before->file, diagnostic.file) == 0 && strcmp(before->message, diagnostic.message) == 0)
        return; // nvcc runs the preprocessor twice
    parser->last = diagnostic_add(parser->list, &diagnostic);
}

// PATH:LINE:COLUMN: severity: text, or PATH(LINE): severity #NUMBER: text
static bool parse_message_place(struct message_parser *parser, struct slice text)
{
    for (size_t i = 1; i + 1 < text.length; i++) {
        bool is_colon = text.at[i] == ':';
        if ((!is_colon && text.at[i] != '(') || !isdigit((unsigned char)text.at[i + 1]))
            continue;
        struct slice rest = slice_skip(text, i + 1);
        int line = 0, column = 0;
        enum severity severity;
        take_digits(&rest, &line);
        if (!is_colon && !slice_starts(rest, "):"))
            continue;
        if (!is_colon || (rest.length > 1 && rest.at[0] == ':' && isdigit((unsigned char)rest.at[1])))
            rest = slice_skip(rest, 1);
        if (is_colon)
            take_digits(&rest, &column);
        if (rest.length < 2 || rest.at[0] != ':')
            continue;
        rest = slice_trim(slice_skip(rest, 1));
        if (!take_severity(&rest, &severity))
            continue;
        add_message(parser, (struct slice){text.at, i}, line, column, severity, rest);
        if (is_colon)
            parser->include_line = 0;
        return true;
    }
    return false;
}

// "nvcc fatal   : …", "clang-14: error: …", "ptxas kernel.ptx, line 3; error   : …", "error: …"
static bool parse_driver(struct message_parser *parser, struct slice text)
{
    enum severity severity;
    struct slice rest = text;
    if (take_severity(&rest, &severity)) {
        add_message(parser, (struct slice){0}, 0, 0, severity, rest);
        return true;
    }
    static const char *const tools[] = {"nvcc", "ptxas", "clang", "cicc", "nvlink", "cudafe++", "cc1plus", "gcc"};
    const char *tool = NULL;
    for (size_t i = 0; i < sizeof tools / sizeof *tools && !tool; i++)
        tool = slice_starts(text, tools[i]) ? tools[i] : NULL;
    for (size_t i = 0; tool && i + 1 < text.length; i++) {
        if (text.at[i] != ' ' && text.at[i] != ';')
            continue;
        rest = slice_trim(slice_skip(text, i + 1));
        if (!take_severity(&rest, &severity))
            continue;
        // A driver's warnings are about its own installation or flags; that its parts failed, they said themselves.
        if (severity != SEVERITY_ERROR || memmem(text.at, text.length, "command", 7) ||
            memmem(text.at, text.length, "aborted due to errors", 21)) {
            parser->last = NULL;
            return true;
        }
        int line = 0;
        const char *place = memmem(text.at, i, ", line ", 7);
        struct slice digits = place ? slice_skip(text, (size_t)(place - text.at) + 7) : (struct slice){0};
        if (place && !take_digits(&digits, &line))
            line = 0;
        add_message(parser, (struct slice){0}, line, 0, severity, rest);
        if (parser->last) {
            char message[sizeof parser->last->message];
            const char *said = parser->last->message, *target = strstr(said, "not supported on .target 'sm_");
            snprintf(message, sizeof message, "%s: %.700s", tool, said);
            if (target && atoi(strchr(target, '_') + 1) >= 90) { // what a GPU has for itself alone, such as wgmma
                size_t used = strlen(message);
                snprintf(message + used, sizeof message - used,
                         "; if it is that GPU's own, 'trace --arch %.*sa' has it",
                         (int)strcspn(strstr(target, "sm_"), "'"), strstr(target, "sm_"));
            }
            snprintf(parser->last->message, sizeof parser->last->message, "%s", message);
        }
        return true;
    }
    return false;
}

// "In file included from kernel.cu:3:" and gcc's "                 from kernel.cu:1:"
static bool parse_included(struct message_parser *parser, struct slice text)
{
    static const char *const forms[] = {"In file included from ", "from "};
    struct slice rest = slice_trim(text);
    for (size_t i = 0; i < 2; i++) {
        if (!slice_starts(rest, forms[i]))
            continue;
        rest = slice_skip(rest, strlen(forms[i]));
        size_t colon = 0;
        while (colon < rest.length && rest.at[colon] != ':')
            colon++;
        if (colon == rest.length)
            return i == 0;
        int line;
        struct slice digits = slice_skip(rest, colon + 1);
        if (is_users(parser->names, (struct slice){rest.at, colon}) && take_digits(&digits, &line))
            parser->include_line = line;
        parser->last = NULL;
        return true;
    }
    return false;
}

// EDG says more on lines of their own: "            argument types are: (int)"
static bool parse_continuation(struct message_parser *parser, struct slice text)
{
    static const char *const words[] = {"argument types are", "object type is",    "detected during",
                                        "could be",           "function template", "candidate"};
    struct slice rest = slice_trim(text);
    if (!slice_starts(text, "          ") || !parser->last)
        return false;
    if (rest.length && rest.at[rest.length - 1] == ':') // "detected during:", and the places on lines of their own
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_starts(rest, words[i])) {
            append_message(parser->last, "; ", (struct slice){"", 0});
            append_said(parser->names, parser->last, rest);
            if (i > 1) // the innermost place is enough
                parser->last = NULL;
            return true;
        }
    return false;
}

// EDG prints the line, indented by two and after macro expansion, and a caret below: a column only if it is the line
// that the user wrote.
static void parse_caret(struct message_parser *parser, struct slice text)
{
    struct slice caret = slice_trim(text);
    if (caret.length == 1 && caret.at[0] == '^' && parser->last && parser->last->column == 0 &&
        parser->quoted.length > 2 && strcmp(parser->last->file, parser->names->display) == 0) {
        struct slice written = written_line(parser->names->source, parser->last->line),
                     quoted = slice_skip(parser->quoted, 2);
        if (written.length == quoted.length && memcmp(written.at, quoted.at, quoted.length) == 0)
            parser->last->column = (int)(caret.at - text.at) - 1;
    }
    parser->quoted = text;
}

void messages_parse(const struct messages_names *names, const char *text, size_t length, struct diagnostic_list *list)
{
    struct message_parser parser = {.names = names, .list = list};
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        struct slice line = {text + at, end ? (size_t)(end - text) - at : length - at};
        at += line.length + 1;
        if (line.length && line.at[line.length - 1] == '\r')
            line.length--;
        if (line.length > 4096)
            line.length = 4096;
        if (!parse_included(&parser, line) && !parse_continuation(&parser, line) &&
            !parse_message_place(&parser, line) && !parse_driver(&parser, line))
            parse_caret(&parser, line);
    }
    if (parser.dropped) {
        struct diagnostic more = {.code = STATUS_COMPILE, .severity = SEVERITY_NOTE};
        snprintf(more.message, sizeof more.message, "and %zu more messages", parser.dropped);
        diagnostic_add(list, &more);
    }
}
