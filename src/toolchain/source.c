// Reading a learner's source: what may be one, and what is refused before a compiler sees it.

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "toolchain/compilation.h"
#include "toolchain/plain.h"

static void folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 1;
    if (slash == path)
        length = 1;
    if (length >= size)
        length = size - 1;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
}

// A symlink is followed only to a place inside root. The file opened is then the one checked: its real path, without
// following a link that someone puts there meanwhile.
static enum status resolve_link(const char *path, const char *root, const char *display, char real[PATH_MAX],
                                struct diagnostic *diagnostic)
{
    char folder[PATH_MAX], real_root[PATH_MAX];
    struct stat info;
    if (lstat(path, &info) != 0 || !realpath(path, real))
        return diagnostic_at(diagnostic, STATUS_IO, display, 0, 0, "cannot read the file: %s", strerror(errno));
    if (!S_ISLNK(info.st_mode))
        return STATUS_OK;
    folder_of(path, folder, sizeof folder);
    if (!realpath(root ? root : folder, real_root))
        return diagnostic_at(diagnostic, STATUS_IO, display, 0, 0, "cannot read the folder: %s", strerror(errno));
    size_t length = strlen(real_root);
    if (length > 1 && (strncmp(real, real_root, length) != 0 || real[length] != '/'))
        return diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0,
                             "this is a symbolic link to a file outside the workspace. Copy the file here instead");
    return STATUS_OK;
}

static enum status too_large(size_t size, const char *display, struct diagnostic *diagnostic)
{
    return diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0,
                         "the file has %.1f MB; a source may have 1 MB at most", (double)size * 1e-6);
}

static enum status check_kind(const char *path, const char *display, struct diagnostic *diagnostic)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return diagnostic_at(diagnostic, STATUS_IO, display, 0, 0, "cannot read the file: %s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0, "this is not a file: %s",
                             S_ISDIR(info.st_mode) ? "it is a folder" : "it is a device or a pipe");
    return info.st_size > TOOLCHAIN_SOURCE_MAX ? too_large((size_t)info.st_size, display, diagnostic) : STATUS_OK;
}

enum status toolchain_check_source(const char *bytes, size_t length, const char *display, struct diagnostic *diagnostic)
{
    int line = 1;
    bool blank = true;
    if (length > TOOLCHAIN_SOURCE_MAX)
        return too_large(length, display, diagnostic);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        line += byte == '\n';
        blank = blank && strchr(" \t\r\n\f\v", byte) && byte;
        if (byte == 0 || (byte < 0x20 && !strchr("\t\r\n\f\v\x1b\a\b", byte)))
            return diagnostic_at(diagnostic, STATUS_COMPILE, display, line, 0,
                                 "this is not a text file: it holds the byte 0x%02x", byte);
    }
    return blank ? diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0, "the file is empty") : STATUS_OK;
}

enum status toolchain_read_source(const char *path, const char *root, const char *display, char **bytes, size_t *length,
                                  struct diagnostic *diagnostic)
{
    char real[PATH_MAX];
    if (!display)
        display = path;
    *bytes = NULL;
    *length = 0;
    enum status status = resolve_link(path, root, display, real, diagnostic);
    if (status == STATUS_OK)
        status = check_kind(real, display, diagnostic);
    if (status == STATUS_OK && file_read_no_link(real, TOOLCHAIN_SOURCE_MAX, bytes, length, NULL) != STATUS_OK)
        status = diagnostic_at(diagnostic, STATUS_IO, display, 0, 0, "cannot read the file: %s", strerror(errno));
    if (status == STATUS_OK)
        status = toolchain_check_source(*bytes, *length, display, diagnostic);
    if (status != STATUS_OK) {
        free(*bytes);
        *bytes = NULL;
        *length = 0;
    }
    return status;
}

// ---- what a source asks of the file system
//
// Landlock keeps files from being read, but whether a path exists shows in stat(2), which it cannot refuse:
// __has_include and #pragma GCC dependency would tell. So whatever a source may ask for is a name below an include
// folder, written out.

static const char *const probes[] = {"__has_include", "__has_include_next", "__has_embed"};
enum { PROBES = sizeof probes / sizeof *probes };

static bool is_word_byte(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '_';
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\f\v\r");
}

// False: the operand of a probe at `at` is a path out of the include folders. Or a name with other signs than honest
// ones have: between < and > a compiler sees no comments and no quotation marks, as this file does.
static bool is_inside(const char *at)
{
    const char *path = at + 1;
    size_t length = 0;
    while (is_word_byte(path[length]) || (path[length] && strchr("./+-", path[length])))
        length++;
    if (*path == '/' || path[length] != (*at == '<' ? '>' : '"'))
        return false;
    for (size_t i = 0; i + 1 < length; i++)
        if (path[i] == '.' && path[i + 1] == '.' && (i == 0 || path[i - 1] == '/') &&
            (i + 2 == length || path[i + 2] == '/'))
            return false;
    return true;
}

static enum status refuse_path(const char *at, const char *display, int line, struct diagnostic *diagnostic)
{
    char name[200];
    struct text escaped = {0};
    size_t length = strcspn(at + 1, *at == '<' ? ">\n" : "\"\n");
    text_escape(&escaped, at + 1, length < sizeof name ? length : sizeof name, false);
    enum status status = diagnostic_at(
        diagnostic, STATUS_COMPILE, display, line, 0,
        "cannot #include \"%s\": only system headers and the lab's own may be included here", text_get(&escaped));
    text_free(&escaped);
    return status;
}

static bool is_probe(const char *word, size_t length)
{
    for (size_t i = 0; i < PROBES; i++)
        if (length == strlen(probes[i]) && strncmp(word, probes[i], length) == 0)
            return true;
    return false;
}

// Pieces of a probe's name that are words of the source: with ## they could be put together. length[i] has a bit for
// each length that a word at place i of the name has.
struct pieces {
    uint32_t length[PROBES][32];
};

static void note_piece(struct pieces *pieces, const char *word, size_t length)
{
    for (size_t i = 0; i < PROBES; i++)
        for (const char *at = probes[i]; length < strlen(probes[i]) && *at; at++)
            if (strncmp(at, word, length) == 0)
                pieces->length[i][at - probes[i]] |= 1u << length;
}

// Can words of the source make one of the names? An honest one has many of its letters, but hardly all of them and
// pieces with its underscores.
static bool can_be_pasted(const struct pieces *pieces)
{
    for (size_t i = 0; i < PROBES; i++) {
        bool reached[32] = {true}; // pieces end here
        for (size_t at = 0; at < strlen(probes[i]); at++)
            for (size_t length = 1; at + length <= strlen(probes[i]); length++)
                reached[at + length] |= reached[at] && (pieces->length[i][at] >> length & 1);
        if (reached[strlen(probes[i])])
            return true;
    }
    return false;
}

// Whether a word ends at `end`; *start: where it begins.
static bool ends_with_word(const char *text, const char *end, const char *word, const char **start)
{
    size_t length = strlen(word);
    if ((size_t)(end - text) < length || strncmp(end - length, word, length) != 0)
        return false;
    *start = end - length;
    return *start == text || !is_word_byte((*start)[-1]);
}

static const char *skip_blanks_back(const char *text, const char *end)
{
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return end;
}

// Whether the probe is only asked after: defined(__has_include), #ifdef __has_include. No macro can be called
// `defined`, but one can be called `ifdef`, so that its # is looked for.
static bool is_only_named(const char *text, const char *probe)
{
    static const char *const directives[] = {"ifdef", "ifndef", "elifdef", "elifndef"};
    const char *end = skip_blanks_back(text, probe), *start;
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (ends_with_word(text, end, directives[i], &start)) {
            start = skip_blanks_back(text, start);
            return start > text && (start[-1] == '#' || (start[-1] == ':' && start - text > 1 && start[-2] == '%'));
        }
    if (end > text && end[-1] == '(')
        end = skip_blanks_back(text, end - 1);
    return ends_with_word(text, end, "defined", &start);
}

static enum status check_probe(const char *text, const char *word, size_t length, const char *display, int line,
                               struct diagnostic *diagnostic)
{
    const char *at = skip_blanks(word + length);
    if (is_only_named(text, word))
        return STATUS_OK;
    at = *at == '(' ? skip_blanks(at + 1) : at;
    if (*at != '<' && *at != '"')
        return diagnostic_at(diagnostic, STATUS_COMPILE, display, line, 0,
                             "%.*s must name its header itself here: <header>", (int)length, word);
    return is_inside(at) ? STATUS_OK : refuse_path(at, display, line, diagnostic);
}

static enum status check_directive(const char *at, const char *display, int line, struct diagnostic *diagnostic)
{
    at = skip_blanks(at);
    const char *asked = text_starts(at, "pragma") ? strstr(at, "dependency") : NULL;
    if (asked && asked < strchrnul(at, '\n'))
        return diagnostic_at(diagnostic, STATUS_COMPILE, display, line, 0,
                             "#pragma GCC dependency asks about files, which a kernel may not");
    return STATUS_OK;
}

static bool asks_in_pragma(const char *text)
{
    return strstr(text, "_Pragma") && strstr(text, "dependency") && (strstr(text, "GCC") || strstr(text, "clang"));
}

static enum status check_questions(const char *text, const char *display, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    struct pieces pieces = {0};
    bool begins = true;
    int line = 1;
    for (const char *at = text; *at && status == STATUS_OK;) {
        if (begins && (*at == '#' || strncmp(at, "%:", 2) == 0))
            status = check_directive(at + (*at == '#' ? 1 : 2), display, line, diagnostic);
        begins = *at == '\n' || (begins && strchr(" \t\f\v\r", *at));
        line += *at == '\n';
        size_t length = 0;
        while (is_word_byte(at[length]))
            length++;
        note_piece(&pieces, at, length);
        if (length && status == STATUS_OK && is_probe(at, length))
            status = check_probe(text, at, length, display, line, diagnostic);
        at += length ? length : 1;
    }
    bool pastes = strstr(text, "##") || strstr(text, "%:%:") || strstr(text, "CONCAT");
    if (status == STATUS_OK && ((pastes && can_be_pasted(&pieces)) || asks_in_pragma(text)))
        status =
            diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0,
                          "this file puts a question about files together from pieces: write __has_include(<header>)");
    return status;
}

enum status source_check_paths(const char *bytes, size_t length, const char *display, struct diagnostic *diagnostic)
{
    struct text plain = {0};
    bool is_whole = source_make_plain(&plain, bytes, length);
    int line = 1;
    for (size_t i = 0; i < plain.length; i++)
        line += plain.data[i] == '\n';
    enum status status =
        is_whole ? check_questions(text_get(&plain), display, diagnostic)
                 : diagnostic_at(diagnostic, STATUS_COMPILE, display, line, 0,
                                 "a raw string is not closed as it begins: write R\"( … )\" or R\"mark( … )mark\"");
    text_free(&plain);
    return status;
}

// ---- lines that say where they are from

// Whether "#line 5 …" or "# 5 …" begins at text.
static bool is_line_directive(const char *text)
{
    text = skip_blanks(text);
    if (*text != '#' && strncmp(text, "%:", 2) != 0)
        return false;
    text = skip_blanks(text + (*text == '#' ? 1 : 2));
    return (*text >= '0' && *text <= '9') || (strncmp(text, "line", 4) == 0 && !source_is_name_byte(text[4]));
}

char *source_without_lines(const char *bytes, size_t length)
{
    struct text plain = {0};
    bool is_found = false;
    source_make_plain(&plain, bytes, length); // of a raw string, too, as compilers may see none there
    for (size_t at = 0; at < plain.length;) {
        size_t line = strcspn(plain.data + at, "\n");
        if (is_line_directive(plain.data + at)) {
            memset(plain.data + at, ' ', line);
            is_found = true;
        }
        at += line + 1;
    }
    if (is_found)
        return plain.data;
    text_free(&plain);
    return NULL;
}

// ---- headers that lie elsewhere

// "a/b" -> "a", "a" -> ".", "." -> "..": the folder around one, as its user names it.
static void go_up(char *folder, size_t size)
{
    size_t length = strlen(folder);
    char *slash = strrchr(folder, '/');
    bool is_above = strcmp(folder, "..") == 0 || (length > 2 && strcmp(folder + length - 3, "/..") == 0);
    if (strcmp(folder, ".") == 0)
        snprintf(folder, size, "..");
    else if (is_above && length + 4 < size)
        strcat(folder, "/..");
    else if (slash && slash != folder)
        *slash = '\0';
    else if (!slash)
        snprintf(folder, size, ".");
}

static bool holds_header(const char *folder, const char *name)
{
    char path[2 * PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// A folder of folder that holds the header, itself or in its include: of several the first by name.
static bool find_below(const char *folder, const char *name, char *found, size_t size)
{
    enum { MOST_ENTRIES = 1000 };
    DIR *listing = opendir(folder);
    found[0] = '\0';
    struct dirent *entry;
    for (int i = 0; listing && i < MOST_ENTRIES && (entry = readdir(listing)); i++) {
        char below[PATH_MAX];
        snprintf(below, sizeof below, "%.2000s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || (found[0] && strcmp(below, found) >= 0))
            continue;
        bool is_there = holds_header(below, name);
        if (!is_there)
            strcat(below, "/include");
        if (is_there || holds_header(below, name))
            snprintf(found, size, "%s", below);
    }
    if (listing)
        closedir(listing);
    return found[0] != '\0';
}

// What a source says as "../inc/x.h" is looked up beside it; a name alone in the folders around it and in theirs.
char *source_find_header(const struct compilation *c, const char *name, char *found, size_t size)
{
    enum { LEVELS = 6 };
    char around[PATH_MAX];
    size_t own = c->own_folder ? strlen(c->own_folder) : 0;
    if (own && strncmp(name, c->own_folder, own) == 0 && name[own] == '/')
        name += own + 1;
    while (text_starts(name, "./"))
        name += 2;
    folder_of(c->request->path, around, sizeof around);
    if (!own || name[0] == '/')
        return NULL;
    if (text_starts(name, "../") && holds_header(around, name)) {
        for (; text_starts(name, "../"); name += 3)
            go_up(around, sizeof around);
        const char *slash = strrchr(name, '/');
        snprintf(found, size, "%s%s%.*s", around, slash ? "/" : "", slash ? (int)(slash - name) : 0, name);
        return found;
    }
    for (int level = 0; level < LEVELS; level++, go_up(around, sizeof around)) {
        if (holds_header(around, name)) {
            snprintf(found, size, "%s", around);
            return found;
        }
        if (find_below(around, name, found, size))
            return found;
    }
    return NULL;
}

// ---- launches

static bool is_token(struct source_token token, const char *text)
{
    return token.length == strlen(text) && !strncmp(token.start, text, token.length);
}

// Three signs in two tokens become one, and the blanks between them come behind it.
static void join_signs(char *at, size_t length)
{
    memset(at + 3, ' ', length - 3);
    memset(at + 1, *at, 2);
}

char *source_join_launches(const char *bytes)
{
    char *joined = mem_strdup(bytes);
    struct source_scanner scanner = source_scan(joined);
    struct source_token before = {joined, 0}, last = before, token;
    int depth = -1; // of brackets in a launch's configuration; below 0: in none
    for (; (token = source_next_token(&scanner)).length; before = last, last = token) {
        size_t length = (size_t)(token.start - last.start) + token.length;
        bool opens = is_token(last, "<<") && is_token(token, "<") && !is_token(before, "operator");
        bool closes = depth == 0 && ((is_token(last, ">>") && is_token(token, ">")) ||
                                     (is_token(last, ">") && is_token(token, ">>")));
        if (opens || closes) {
            if (!memchr(last.start, '\n', length))
                join_signs(joined + (last.start - joined), length);
            depth = opens ? 0 : -1;
        } else if (depth >= 0) {
            depth =
                strchr(";{}", *token.start) ? -1 : depth + !!strchr("([", *token.start) - !!strchr(")]", *token.start);
        }
    }
    return joined;
}
