// Finding nvcc and clang, and asking them once which version they are.
#include "toolchain/toolchain.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/process.h"
#include "toolchain/compilation.h"

enum status toolchain_kind_parse(const char *name, enum toolchain_kind *kind, struct diagnostic *diagnostic)
{
    if (!name || strcmp(name, "auto") == 0)
        *kind = TOOLCHAIN_AUTO;
    else if (strcmp(name, "nvcc") == 0)
        *kind = TOOLCHAIN_NVCC;
    else if (strcmp(name, "clang") == 0)
        *kind = TOOLCHAIN_CLANG;
    else
        return diagnostic_set(diagnostic, STATUS_USAGE, "no compiler '%.60s': say auto, nvcc or clang", name);
    return STATUS_OK;
}

// The first "word N.M" in text
static bool find_version(const char *text, const char *word, unsigned *major, unsigned *minor)
{
    const char *at = strstr(text, word);
    return at && sscanf(at + strlen(word), "%u.%u", major, minor) == 2;
}

static bool parse_compiler_version(struct toolchain *toolchain, const char *answer)
{
    return find_version(answer, toolchain->kind == TOOLCHAIN_NVCC ? "release " : "clang version ", &toolchain->major,
                        &toolchain->minor);
}

// Asks the compiler for its version; false if it does not answer as such a compiler would.
static bool ask_version(struct toolchain *toolchain, struct text *answer)
{
    const char *argv[] = {toolchain->path, "--version", NULL};
    struct process_options options = {.argv = argv,
                                      .limits = {.wall_seconds = 20, .output_bytes = 1 << 16, .open_files = 256}};
    struct process_result result;
    struct diagnostic ignored;
    bool good = process_run(&options, &result, &ignored) == STATUS_OK && process_succeeded(&result) &&
                parse_compiler_version(toolchain, text_get(&result.out));
    if (good)
        text_append(answer, text_get(&result.out), result.out.length);
    process_result_free(&result);
    return good;
}

// The same program gives the same answer: it is asked once, not before every compilation.
static bool know_version(struct toolchain *toolchain, const char *identity)
{
    struct text key = {0};
    struct cache_entry entry = {0};
    text_printf(&key, "version\n%s\n", identity);
    bool good = cache_load(&key, &entry) && parse_compiler_version(toolchain, text_get(&entry.ptx));
    if (!good) {
        cache_entry_free(&entry);
        good = ask_version(toolchain, &entry.ptx);
        if (good)
            cache_store(&key, &entry);
    }
    cache_entry_free(&entry);
    text_free(&key);
    return good;
}

static bool accept_program(struct toolchain *toolchain, enum toolchain_kind kind, const char *name)
{
    char identity[sizeof toolchain->path + 64];
    toolchain->kind = kind;
    if (!file_find_program(name, toolchain->path, sizeof toolchain->path) ||
        !*file_identify(toolchain->path, identity, sizeof identity) || !know_version(toolchain, identity) ||
        (kind == TOOLCHAIN_CLANG && toolchain->major < TOOLCHAIN_CLANG_MIN))
        return false;
    const char *word = kind == TOOLCHAIN_NVCC ? "nvcc" : "clang";
    snprintf(toolchain->label, sizeof toolchain->label, "%s %u.%u", word, toolchain->major, toolchain->minor);
    snprintf(toolchain->identity, sizeof toolchain->identity, "%s %s", toolchain->label, identity);
    return true;
}

static bool find_nvcc(struct toolchain *toolchain)
{
    static const char *const places[] = {"$BANKSHOT_NVCC", "nvcc", "$CUDA_HOME/bin/nvcc", "$CUDA_PATH/bin/nvcc",
                                         "/usr/local/cuda/bin/nvcc"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (accept_program(toolchain, TOOLCHAIN_NVCC, places[i]))
            return true;
    return false;
}

static bool find_clang(struct toolchain *toolchain)
{
    if (accept_program(toolchain, TOOLCHAIN_CLANG, "$BANKSHOT_CLANG") ||
        accept_program(toolchain, TOOLCHAIN_CLANG, "clang"))
        return true;
    for (int version = 21; version >= TOOLCHAIN_CLANG_MIN; version--) {
        char name[16];
        snprintf(name, sizeof name, "clang-%d", version);
        if (accept_program(toolchain, TOOLCHAIN_CLANG, name))
            return true;
    }
    return false;
}

// Asked for by its kind, and the user says which: no other may stand in for it.
static bool is_named_in_vain(enum toolchain_kind kind, const struct toolchain *found, const char **variable)
{
    const char *name = kind == TOOLCHAIN_NVCC ? "$BANKSHOT_NVCC" : "$BANKSHOT_CLANG", *value = getenv(name + 1);
    char path[sizeof found->path];
    *variable = name + 1;
    return kind != TOOLCHAIN_AUTO && value && *value &&
           (!file_find_program(name, path, sizeof path) || strcmp(path, found->path) != 0);
}

static bool ends_with_clang(const char *path)
{
    return strstr(text_file_name(path), "clang") != NULL;
}

enum status toolchain_find(enum toolchain_kind kind, const char *path, struct toolchain *toolchain,
                           struct diagnostic *diagnostic)
{
    *toolchain = (struct toolchain){0};
    if (path) {
        if (kind == TOOLCHAIN_AUTO)
            kind = ends_with_clang(path) ? TOOLCHAIN_CLANG : TOOLCHAIN_NVCC;
        if (accept_program(toolchain, kind, path))
            return STATUS_OK;
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "%.300s is not a working %s", path,
                              kind == TOOLCHAIN_NVCC ? "nvcc" : "clang of version 14 or later");
    }
    const char *variable;
    bool found = (kind != TOOLCHAIN_CLANG && find_nvcc(toolchain)) || (kind != TOOLCHAIN_NVCC && find_clang(toolchain));
    if (is_named_in_vain(kind, toolchain, &variable))
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "%s names %.300s, which is not a working %s: set it to one, or unset it", variable,
                              getenv(variable), kind == TOOLCHAIN_NVCC ? "nvcc" : "clang of version 14 or later");
    if (found)
        return STATUS_OK;
    if (kind == TOOLCHAIN_NVCC)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "no nvcc in PATH, $CUDA_HOME or /usr/local/cuda: install the CUDA Toolkit, set "
                              "BANKSHOT_NVCC, or use --compiler clang");
    return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                          "no %sclang of version 14 or later found: install clang (on Debian: apt install clang)",
                          kind == TOOLCHAIN_AUTO ? "nvcc and no " : "");
}
