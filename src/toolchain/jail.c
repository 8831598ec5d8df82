// Where a compiler works and what it may read there.
#include "toolchain/compilation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "toolchain/headers.h"
#include "toolchain/sandbox.h"

const struct process_limits compilation_limits = {
    .wall_seconds = 20,
    .cpu_seconds = 15,
    .memory_bytes = 2ull << 30,
    .file_bytes = COMPILATION_PTX_MAX,
    .open_files = 256,
    .output_bytes = 1 << 20,
};

void compilation_may_read(struct compilation *c, const char *path)
{
    char real[PATH_MAX];
    if (c->read_count + 1 >= COMPILATION_READ_MAX)
        return;
    c->read_real[c->read_count] = realpath(path, real) ? arena_strdup(c->arena, real) : path;
    c->read[c->read_count++] = path;
}

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

void compilation_may_run(struct compilation *c, const char *program)
{
    char real[PATH_MAX];
    const char *folder = installation(c, program);
    if (folder)
        compilation_may_read(c, folder);
    else if (realpath(program, real))
        compilation_may_read(c, arena_strdup(c->arena, real));
}

// A gcc that the user's PATH finds outside the system's folders (a cluster's module): nvcc must find it too.
static void find_host_compiler(struct compilation *c)
{
    char gcc[PATH_MAX];
    const char *named = getenv("NVCC_CCBIN");
    c->host_path = "PATH=/usr/bin:/bin";
    if (c->toolchain->kind != TOOLCHAIN_NVCC)
        return;
    if (named && named[0] == '/')
        compilation_may_run(c, named);
    if (!file_find_program("gcc", gcc, sizeof gcc))
        return;
    compilation_may_run(c, gcc);
    *strrchr(gcc, '/') = '\0';
    c->host_path = arena_printf(c->arena, "PATH=%s:/usr/bin:/bin", gcc);
}

void compilation_list_system(struct compilation *c)
{
    static const char *const system[] = {
        "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/include",     "/usr/local/include",
        "/bin",     "/lib",     "/lib64",     "/nix/store", "/gnu/store",   "/etc/ld.so.cache", "/dev/urandom",
    };
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        compilation_may_read(c, system[i]);
}

void compilation_list_readable(struct compilation *c)
{
    compilation_list_system(c);
    compilation_may_run(c, c->toolchain->path);
    find_host_compiler(c);
    if (c->own_folder)
        compilation_may_read(c, c->own_folder);
}

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0' || length == 1);
}

bool compilation_is_readable(const struct compilation *c, const char *path)
{
    char full[2 * PATH_MAX], real[PATH_MAX];
    snprintf(full, sizeof full, "%s%s%s", path[0] == '/' ? "" : c->folder, path[0] == '/' ? "" : "/", path);
    if (!realpath(full, real) || is_below(real, c->folder))
        return true;
    for (size_t i = 0; i < c->read_count; i++)
        if (is_below(real, c->read_real[i]))
            return true;
    return false;
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

enum status compilation_write(struct compilation *c, const char *name, const char *bytes, size_t length)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    return file_put(path, bytes, length, c->diagnostic);
}

// nvcc gives the names of its files to a shell, and both compilers write them into quoted text.
static bool is_plain(const char *path)
{
    return !strpbrk(path, "\"$`\\'*?[]{}<>|&;!#~()\n\r\t ");
}

const char *toolchain_temporary(void)
{
    const char *base = getenv("TMPDIR");
    return base && base[0] == '/' && is_plain(base) && access(base, W_OK | X_OK) == 0 ? base : "/tmp";
}

enum status compilation_make_folder(struct compilation *c)
{
    const char *base = toolchain_temporary();
    snprintf(c->folder, sizeof c->folder, "%.3000s/bankshot-compile-", base);
    file_remove_unlocked(c->folder);
    strcat(c->folder, "XXXXXX");
    if (!file_make_own(c->folder))
        return diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT, "cannot make a temporary folder in %.500s: %s", base,
                              strerror(errno));
    return STATUS_OK;
}

enum status compilation_fill_folder(struct compilation *c)
{
    char lab[PATH_MAX + 8];
    snprintf(lab, sizeof lab, "%s/" COMPILATION_LAB, c->folder);
    bool is_clang = c->toolchain->kind == TOOLCHAIN_CLANG;
    enum status status = headers_write(lab, is_clang, c->diagnostic);
    const char *source = c->source ? c->source : c->result->source;
    char *joined = is_clang ? source_join_launches(source) : NULL;
    if (status == STATUS_OK)
        status = compilation_write(c, COMPILATION_MAIN, joined ? joined : source, strlen(joined ? joined : source));
    free(joined);
    return status;
}

void compilation_remove_folder(struct compilation *c)
{
    file_remove_own(c->folder);
    c->folder[0] = '\0';
}

enum status compilation_read_output(struct compilation *c, const char *name, size_t most, struct text *text)
{
    char path[PATH_MAX + 32], *bytes;
    size_t length;
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    if (lstat(path, &info) == 0 && (uint64_t)info.st_size > most)
        return diagnostic_set(c->diagnostic, STATUS_COMPILE, "the PTX of this file has more than %d MB",
                              COMPILATION_PTX_MAX >> 20);
    if (file_read_no_link(path, most, &bytes, &length, NULL) != STATUS_OK)
        return diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT, "%s left no %s", c->toolchain->label, name);
    text_append(text, bytes, length);
    free(bytes);
    return STATUS_OK;
}

enum status compilation_start(struct compilation *c, const char *const *argv, struct process **process)
{
    // A crash report with symbols takes longer than any compilation.
    const char *environment[] = {c->host_path ? c->host_path : "PATH=/usr/bin:/bin", "HOME=/nonexistent",
                                 "LC_ALL=C.UTF-8", "LLVM_DISABLE_SYMBOLIZATION=1",
                                 // Compilers fill the memory that they take: large pages are a tenth of ptxas' time.
                                 "GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
                                 arena_printf(c->arena, "TMPDIR=%s", c->folder), NULL};
    struct sandbox sandbox;
    struct process_options options = {.argv = argv,
                                      .environment = environment,
                                      .directory = c->folder,
                                      .limits = c->limits,
                                      .cancel = c->request ? c->request->cancel : NULL,
                                      .before_exec = sandbox_enter,
                                      .context = &sandbox};
    *process = NULL;
    c->read[c->read_count] = NULL;
    enum status status = sandbox_prepare(&sandbox, c->read, c->folder, c->diagnostic);
    if (status != STATUS_OK)
        return status;
    status = process_start(&options, process, c->diagnostic);
    sandbox_release(&sandbox);
    return status;
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

// Checks what was read, even where Landlock has seen to it, and notes the user's headers for the cache.
enum status compilation_check_dependencies(struct compilation *c)
{
    struct text list = {0};
    char name[PATH_MAX], path[2 * PATH_MAX], real[PATH_MAX];
    enum status status = compilation_read_output(c, "kernel.d", 4 << 20, &list);
    const char *at = strchr(text_get(&list), ':');
    at = at ? at + 1 : "";
    while (status == STATUS_OK && next_dependency(&at, name)) {
        snprintf(path, sizeof path, "%s%s%s", name[0] == '/' ? "" : c->folder, name[0] == '/' ? "" : "/", name);
        uint64_t hash;
        bool is_there = realpath(path, real);
        if (!is_there && !is_below(name, "/dev") && !is_below(name, "/proc"))
            continue;
        char folder[1024];
        bool is_allowed =
            is_there && !is_below(name, "/dev") && !is_below(name, "/proc") && compilation_is_readable(c, real);
        if (!is_allowed && source_find_header(c, name, folder, sizeof folder))
            status = diagnostic_at(c->diagnostic, STATUS_COMPILE, c->display, 0, 0,
                                   "cannot #include \"%.300s\": no folder that was given has it. Try -I %.300s", name,
                                   folder);
        else if (!is_allowed)
            status = diagnostic_at(
                c->diagnostic, STATUS_COMPILE, c->display, 0, 0,
                "cannot #include \"%.300s\": only system headers and the lab's own may be included here", name);
        else if (is_users_header(c, real) && cache_hash_file(real, &hash))
            text_printf(&c->entry.dependencies, "%016llx %s\n", (unsigned long long)hash, real);
    }
    text_free(&list);
    return status;
}
