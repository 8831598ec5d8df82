// Finding the lessons and the workspace; loading all of them; starting an exercise over.
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "lesson/lesson.h"

enum { MAX_EXERCISE_BYTES = 1 << 20 };

static bool folder_holds(const char *root, const char *name)
{
    char path[PATH_MAX];
    return (size_t)snprintf(path, sizeof path, "%s/%s", root, name) < sizeof path && file_exists(path);
}

// ../share/bankshot beside the executable (installed), or the source tree above it: build/bankshot or
// build/sanitize/bankshot.
char *lesson_own_root(const char *folder, bool *in_source_tree)
{
    char path[PATH_MAX], absolute[PATH_MAX];
    *in_source_tree = false;
    char *own = process_own_path();
    char *slash = own ? strrchr(own, '/') : NULL;
    char *root = NULL;
    if (slash) {
        *slash = '\0';
        static const char *const places[] = {"../share/bankshot", "..", "../.."};
        for (size_t i = 0; i < 3 && !root; i++) {
            snprintf(path, sizeof path, "%s/%s", own, places[i]);
            if (!folder_holds(path, folder) || (i > 0 && !folder_holds(path, "src/lesson")) ||
                !realpath(path, absolute))
                continue;
            root = mem_strdup(absolute);
            *in_source_tree = i > 0;
        }
    }
    free(own);
    return root;
}

// $BANKSHOT_LESSONS (the folder that holds lessons/, or lessons/ itself), else what came with the program.
static char *find_root(bool *in_source_tree)
{
    char path[PATH_MAX], absolute[PATH_MAX];
    const char *named = getenv("BANKSHOT_LESSONS");
    *in_source_tree = false;
    if (named && *named) {
        if (!folder_holds(named, "lessons") && text_ends(named, "lessons"))
            snprintf(path, sizeof path, "%s/..", named);
        else
            snprintf(path, sizeof path, "%s", named);
        return folder_holds(path, "lessons") && realpath(path, absolute) ? mem_strdup(absolute) : NULL;
    }
    return lesson_own_root("lessons", in_source_tree);
}

// The current folder or one above it that `init` made; else the source tree. Whoever stands in a folder that cannot be
// told may have a workspace there: the source tree's exercises are not theirs.
static enum status find_workspace(struct lesson_set *set, struct diagnostic *diagnostic)
{
    char folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder))
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "cannot tell the current folder: %s. Change to a folder that is there.", strerror(errno));
    for (char *slash = folder; slash; slash = strrchr(folder, '/')) {
        if (slash != folder)
            *slash = '\0';
        if (folder_holds(folder, LESSON_MARKER)) {
            set->workspace = mem_strdup(folder);
            return STATUS_OK;
        }
        if (slash == folder && strrchr(folder, '/') == folder)
            break;
    }
    set->workspace = set->in_source_tree ? mem_strdup(set->root) : NULL;
    return STATUS_OK;
}

static int by_number(const void *a, const void *b)
{
    const struct lesson *left = *(struct lesson *const *)a, *right = *(struct lesson *const *)b;
    return left->number != right->number ? (left->number > right->number) - (left->number < right->number)
                                         : strcmp(left->id, right->id);
}

static enum status load_lessons(struct lesson_set *set, struct diagnostic *diagnostic)
{
    char folder[PATH_MAX], path[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/lessons", set->root);
    DIR *stream = opendir(folder);
    if (!stream)
        return diagnostic_at(diagnostic, STATUS_IO, folder, 0, 0, "cannot read this folder.");
    size_t capacity = 0;
    for (struct dirent *entry; (entry = file_next_entry(stream));) {
        struct diagnostic why = {0};
        struct lesson *lesson;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
            continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= sizeof path)
            continue;
        if (lesson_load(path, set->workspace, &lesson, &why) == STATUS_OK)
            *mem_append(set->items, capacity, set->count) = lesson;
        else
            diagnostic_add(&set->broken, &why);
    }
    int error = errno;
    closedir(stream);
    return error ? diagnostic_at(diagnostic, STATUS_IO, folder, 0, 0, "cannot read this folder: %s.", strerror(error))
                 : STATUS_OK;
}

enum status lesson_set_open(struct lesson_set *set, struct diagnostic *diagnostic)
{
    *set = (struct lesson_set){0};
    set->root = find_root(&set->in_source_tree);
    if (!set->root)
        return diagnostic_set(
            diagnostic, STATUS_ENVIRONMENT,
            "the lessons are neither beside the program nor in its share folder; set BANKSHOT_LESSONS to "
            "the folder that holds lessons/.");
    enum status status = find_workspace(set, diagnostic);
    if (status == STATUS_OK)
        status = load_lessons(set, diagnostic);
    if (status == STATUS_OK && set->count == 0 && set->broken.count) {
        *diagnostic = set->broken.items[0];
        status = diagnostic->code;
    }
    if (status != STATUS_OK)
        lesson_set_close(set);
    else if (set->count)
        qsort(set->items, set->count, sizeof *set->items, by_number);
    return status;
}

void lesson_set_close(struct lesson_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        lesson_free(set->items[i]);
    free(set->items);
    diagnostic_list_free(&set->broken);
    free(set->root);
    free(set->workspace);
    *set = (struct lesson_set){0};
}

struct lesson *lesson_set_find(const struct lesson_set *set, const char *name)
{
    char *end = NULL;
    long number = strtol(name, &end, 10);
    bool is_number = *name && !*end;
    for (size_t i = 0; i < set->count; i++) {
        struct lesson *lesson = set->items[i];
        if ((is_number && lesson->number == number) || strcmp(lesson->id, name) == 0 || strcmp(lesson->name, name) == 0)
            return lesson;
    }
    return NULL;
}

enum status lesson_reset(const struct lesson *lesson, char **backup, struct diagnostic *diagnostic)
{
    char *text, folder[PATH_MAX];
    size_t length;
    *backup = NULL;
    if (strcmp(lesson->exercise, lesson->starter) == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "there is no workspace here: make one with \"bankshot init DIR\" and work in it.");
    enum status status = file_read(lesson->starter, MAX_EXERCISE_BYTES, &text, &length, diagnostic);
    if (status)
        return status;
    if (file_exists(lesson->exercise))
        status = file_backup(lesson->exercise, backup, diagnostic);
    if (!status) {
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(lesson->exercise, '/') - lesson->exercise),
                 lesson->exercise);
        status = file_make_folders(folder, false, diagnostic);
    }
    if (!status)
        status = file_write(lesson->exercise, text, length, diagnostic);
    free(text);
    return status;
}
