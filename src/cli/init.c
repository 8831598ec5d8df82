// `init`: a learner's own workspace, from the source tree or an installed copy.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
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

struct workspace {
    const char *folder;
    struct arena *arena; // of paths
    size_t fresh;        // exercises put there now
    struct diagnostic *diagnostic;
};

// What cannot be looked at is neither kept nor put there.
static enum status look_for(const char *path, bool *is_there, struct diagnostic *diagnostic)
{
    struct stat info;
    *is_there = lstat(path, &info) == 0;
    return *is_there || !file_exists(path)
               ? STATUS_OK
               : diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "cannot look at it: %s.", strerror(errno));
}

static enum status put_new_file(const struct workspace *workspace, const char *name, const char *text, size_t length)
{
    const char *path = arena_printf(workspace->arena, "%s/%s", workspace->folder, name);
    bool is_there;
    enum status status = look_for(path, &is_there, workspace->diagnostic);
    return status || is_there ? status : file_write(path, text, length, workspace->diagnostic);
}

// Exercises that are there already stay as they are: init again fetches what is new.
static enum status put_exercise(struct workspace *workspace, const struct lesson *lesson)
{
    const char *path = arena_printf(workspace->arena, "%s/exercises/%s.cu", workspace->folder, lesson->id);
    char *text;
    size_t length;
    bool is_there;
    enum status status = look_for(path, &is_there, workspace->diagnostic);
    if (status || is_there)
        return status;
    status = file_read(lesson->starter, SOURCE_MAX_BYTES, &text, &length, workspace->diagnostic);
    if (status != STATUS_OK)
        return status;
    workspace->fresh++;
    status = file_write(path, text, length, workspace->diagnostic);
    free(text);
    return status;
}

static enum status put_clangd(const struct workspace *workspace)
{
    struct text flags = {0};
    enum status status = toolchain_write_headers(
        arena_printf(workspace->arena, "%s/.bankshot-headers", workspace->folder), workspace->diagnostic);
    // clangd reads compile_flags.txt in the folder of the source or above, paths relative to it
    toolchain_clangd_flags(&flags, ".bankshot-headers");
    if (status == STATUS_OK)
        status = put_new_file(workspace, "compile_flags.txt", text_get(&flags), flags.length);
    text_free(&flags);
    return status;
}

static enum status make_workspace(struct workspace *workspace, const struct lesson_set *set)
{
    const char *exercises = arena_printf(workspace->arena, "%s/exercises", workspace->folder);
    enum status status = file_make_folders(exercises, false, workspace->diagnostic);
    for (size_t i = 0; i < set->count && status == STATUS_OK; i++)
        status = put_exercise(workspace, set->items[i]);
    if (status == STATUS_OK)
        status = put_clangd(workspace);
    if (status == STATUS_OK)
        status = put_new_file(workspace, "README.txt", read_me, strlen(read_me));
    // The marker comes last: a folder that has it is complete.
    if (status == STATUS_OK)
        status = put_new_file(workspace, LESSON_MARKER, BANKSHOT_VERSION "\n", strlen(BANKSHOT_VERSION "\n"));
    return status;
}

static int run_init(struct cli_call *call)
{
    const char *folder = call->words[0];
    struct lesson_set set;
    struct diagnostic diagnostic = {0};
    struct workspace workspace = {.folder = folder, .diagnostic = &diagnostic};
    if (!*folder)
        return cli_error("the folder to make has an empty name: is a variable unset?");
    if (lesson_set_open(&set, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    for (size_t i = 0; i < set.broken.count; i++)
        cli_diagnostic(&set.broken.items[i]);
    workspace.arena = arena_new();
    enum status status = make_workspace(&workspace, &set);
    if (status == STATUS_OK)
        cli_print("%s: %zu exercise%s put there, %zu kept. Now: cd %s && bankshot\n", folder, workspace.fresh,
                  workspace.fresh == 1 ? "" : "s", set.count - workspace.fresh, folder);
    arena_free(workspace.arena);
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
