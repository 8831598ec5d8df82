// `init`: a learner's own workspace, from the source tree or an installed copy.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cli.h"
#include "lesson/lesson.h"
#include "toolchain/toolchain.h"

enum { SOURCE_MAX_BYTES = 1 << 20 };

static const char read_me[] =
    "This is a Bankshot workspace. Each file in exercises/ is one lesson's exercise; edit it and save.\n"
    "\n"
    "    bankshot                  opens the lab in a terminal\n"
    "    bankshot check            grades everything here\n"
    "    bankshot check padding    grades one lesson and says why\n"
    "    bankshot help             lists the rest\n"
    "\n"
    "compile_flags.txt and .bankshot-headers let clangd understand the exercises without a CUDA Toolkit.\n";

static enum status put_new_file(const char *folder, const char *name, const char *text, size_t length,
                                struct diagnostic *diagnostic)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
        return diagnostic_at(diagnostic, STATUS_USAGE, folder, 0, 0, "this path is too long");
    return file_exists(path) ? STATUS_OK : file_write(path, text, length, diagnostic);
}

// Exercises that are there already stay as they are: init again fetches what is new.
static enum status put_exercise(const char *folder, const struct lesson *lesson, bool *is_new,
                                struct diagnostic *diagnostic)
{
    char path[PATH_MAX], *text;
    size_t length;
    if ((size_t)snprintf(path, sizeof path, "%s/exercises/%s.cu", folder, lesson->id) >= sizeof path)
        return diagnostic_at(diagnostic, STATUS_USAGE, folder, 0, 0, "this path is too long");
    *is_new = !file_exists(path);
    if (!*is_new)
        return STATUS_OK;
    enum status status = file_read(lesson->starter, SOURCE_MAX_BYTES, &text, &length, diagnostic);
    if (status != STATUS_OK)
        return status;
    status = file_write(path, text, length, diagnostic);
    free(text);
    return status;
}

static enum status put_clangd(const char *folder, struct diagnostic *diagnostic)
{
    char headers[PATH_MAX];
    struct text flags = {0};
    if ((size_t)snprintf(headers, sizeof headers, "%s/.bankshot-headers", folder) >= sizeof headers)
        return diagnostic_at(diagnostic, STATUS_USAGE, folder, 0, 0, "this path is too long");
    enum status status = toolchain_write_headers(headers, diagnostic);
    // clangd reads compile_flags.txt in the folder of the source or above, paths relative to it
    toolchain_clangd_flags(&flags, ".bankshot-headers");
    if (status == STATUS_OK)
        status = put_new_file(folder, "compile_flags.txt", text_get(&flags), flags.length, diagnostic);
    text_free(&flags);
    return status;
}

static enum status make_workspace(const struct lesson_set *set, const char *folder, size_t *fresh,
                                  struct diagnostic *diagnostic)
{
    char exercises[PATH_MAX];
    *fresh = 0;
    if ((size_t)snprintf(exercises, sizeof exercises, "%s/exercises", folder) >= sizeof exercises)
        return diagnostic_at(diagnostic, STATUS_USAGE, folder, 0, 0, "this path is too long");
    enum status status = file_make_folders(exercises, false, diagnostic);
    for (size_t i = 0; i < set->count && status == STATUS_OK; i++) {
        bool is_new = false;
        status = put_exercise(folder, set->items[i], &is_new, diagnostic);
        *fresh += is_new;
    }
    if (status == STATUS_OK)
        status = put_clangd(folder, diagnostic);
    if (status == STATUS_OK)
        status = put_new_file(folder, "README.txt", read_me, strlen(read_me), diagnostic);
    // The marker comes last: a folder that has it is complete.
    if (status == STATUS_OK)
        status = put_new_file(folder, LESSON_MARKER, BANKSHOT_VERSION "\n", strlen(BANKSHOT_VERSION "\n"), diagnostic);
    return status;
}

static int run_init(struct cli_call *call)
{
    const char *folder = call->words[0];
    struct lesson_set set;
    struct diagnostic diagnostic = {0};
    size_t fresh;
    if (lesson_set_open(&set, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    enum status status = make_workspace(&set, folder, &fresh, &diagnostic);
    if (status == STATUS_OK)
        printf("%s: %zu exercise%s put there, %zu kept. Now: cd %s && bankshot\n", folder, fresh, fresh == 1 ? "" : "s",
               set.count - fresh, folder);
    lesson_set_close(&set);
    return status == STATUS_OK ? CLI_PASSED : cli_diagnostic(&diagnostic);
}

const struct cli_command cli_command_init = {
    .name = "init",
    .arguments = "DIR",
    .summary = "Make a workspace of your own: exercises and clangd settings",
    .description = "Run it again after an update: it adds new lessons and leaves your work alone.",
    .least_words = 1,
    .most_words = 1,
    .word_rule = "give the folder to make",
    .run = run_init,
};
