#include "../support/program.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolchain/toolchain.h"

enum { MAX_WORDS = 64, WALL_SECONDS = 60 };

struct process_result program_run(const char *const *words, const char *const *environment)
{
    const char *argv[MAX_WORDS + 2] = {program_path()};
    const char *full[MAX_WORDS] = {NULL};
    char path[4200], home[64], state[64], cache[64];
    size_t count = 0;
    for (size_t i = 0; words[i] && i < MAX_WORDS; i++)
        argv[i + 1] = words[i];
    // By user, not by test: the compilation cache is worth keeping, progress is not looked at unless a test sets it.
    snprintf(path, sizeof path, "PATH=%s", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
    snprintf(home, sizeof home, "HOME=/tmp/bankshot-tests-%u", (unsigned)getuid());
    snprintf(state, sizeof state, "XDG_STATE_HOME=/tmp/bankshot-tests-%u/state", (unsigned)getuid());
    snprintf(cache, sizeof cache, "XDG_CACHE_HOME=/tmp/bankshot-tests-%u/cache", (unsigned)getuid());
    for (size_t i = 0; environment && environment[i] && count < MAX_WORDS - 6; i++)
        full[count++] = environment[i];
    full[count++] = path;
    full[count++] = home;
    full[count++] = state;
    full[count++] = cache;
    full[count++] = "LC_ALL=C.UTF-8";
    struct process_options options = {
        .argv = argv,
        .environment = full,
        .limits = {.wall_seconds = program_seconds(WALL_SECONDS), .output_bytes = 64 << 20}};
    struct process_result result = {0};
    struct diagnostic diagnostic = {0};
    ck_assert_msg(process_run(&options, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_msg(result.end == PROCESS_EXITED, "the program did not end by itself; stderr: %s", text_get(&result.err));
    return result;
}

struct process_result program_run_line(const char *line)
{
    const char *words[MAX_WORDS] = {NULL};
    char copy[4096];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *at = copy, *word; (word = strsep(&at, " ")) && count < MAX_WORDS - 1;)
        words[count++] = word;
    return program_run(words, NULL);
}

bool program_has_compiler(void)
{
    struct toolchain toolchain;
    struct diagnostic diagnostic;
    return toolchain_find(TOOLCHAIN_AUTO, NULL, &toolchain, &diagnostic) == STATUS_OK;
}
