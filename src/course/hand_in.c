// Finding a lesson's hand-in in a folder that a student filled.
#include "course/hand_in.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "toolchain/toolchain.h"

enum { NAMED_AT_MOST = 5, PLACES = 4 };

enum place { PLACE_EMPTY, PLACE_LINK, PLACE_TAKEN, PLACE_CLOSED };

static enum place look_at_place(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG ? PLACE_EMPTY : PLACE_CLOSED;
    return S_ISLNK(info.st_mode) ? PLACE_LINK : PLACE_TAKEN;
}

// "a.cu, b\xe4.cu and 3 more".
struct name_list {
    struct text *out;
    int count;
};

static void add_name(struct name_list *list, const char *folder, const char *name)
{
    if (++list->count > NAMED_AT_MOST)
        return;
    text_puts(list->out, list->count == 1 ? "" : ", ");
    text_escape_name(list->out, folder);
    text_escape_name(list->out, name);
}

static void end_names(struct name_list *list)
{
    if (list->count > NAMED_AT_MOST)
        text_printf(list->out, " and %d more", list->count - NAMED_AT_MOST);
}

// So that a misnamed file is found.
static void name_sources(const char *folder, struct name_list *list)
{
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = file_next_entry(stream));)
        if (entry->d_name[0] != '.' && text_ends(entry->d_name, ".cu"))
            add_name(list, "", entry->d_name);
    if (stream)
        closedir(stream);
}

// "Padding.CU", "4_padding.cu.txt": the lesson's name, but for its number, its case and what stands between its words.
static bool is_named_alike(const char *file, const char *name)
{
    file += strspn(file, "0123456789");
    file += strspn(file, "-_ ");
    for (; *name; file++, name++)
        if (tolower((unsigned char)*file) != tolower((unsigned char)*name) &&
            !(*name == '-' && *file && strchr("_ ", *file)))
            return false;
    return strncasecmp(file, ".cu", 3) == 0;
}

// Those of a folder that are named alike, and of the folders in it, where it is the student's own.
static void name_alike(const char *folder, const char *inner, const struct lesson *lesson, struct name_list *list)
{
    char path[PATH_MAX], below[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, inner) >= sizeof path)
        return;
    DIR *stream = opendir(path);
    for (struct dirent *entry; stream && (entry = file_next_entry(stream));) {
        struct stat info;
        if (entry->d_name[0] == '.' || fstatat(dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(info.st_mode) && is_named_alike(entry->d_name, lesson->name))
            add_name(list, inner, entry->d_name);
        else if (S_ISDIR(info.st_mode) && !*inner &&
                 (size_t)snprintf(below, sizeof below, "%s/", entry->d_name) < sizeof below)
            name_alike(folder, below, lesson, list);
    }
    if (stream)
        closedir(stream);
}

static bool holds_sources(const char *folder)
{
    DIR *stream = opendir(folder);
    bool has = false;
    for (struct dirent *entry; stream && !has && (entry = file_next_entry(stream));)
        has = text_ends(entry->d_name, ".cu");
    if (stream)
        closedir(stream);
    return has;
}

bool hand_in_has_sources(const char *folder)
{
    char inner[PATH_MAX];
    bool fits = (size_t)snprintf(inner, sizeof inner, "%s/exercises", folder) < sizeof inner;
    return holds_sources(folder) || (fits && holds_sources(inner));
}

static enum status tell_missing(const char *folder, const struct lesson *lesson, const char *link,
                                const struct text *alike, struct diagnostic *diagnostic)
{
    struct text found = {0};
    struct name_list list = {.out = &found};
    enum status status = STATUS_PARSE;
    if (link) {
        text_escape_name(&found, link);
        diagnostic_set(diagnostic, status, "%.200s is a link, and links are not followed: hand in the file itself.",
                       text_get(&found));
    } else {
        if (alike->length)
            text_puts(&found, text_get(alike));
        else
            name_sources(folder, &list);
        end_names(&list);
        diagnostic_set(diagnostic, status, "nothing was handed in as %.80s.cu or %.80s.cu%s%.400s.", lesson->id,
                       lesson->name, found.length ? "; there is " : "", text_get(&found));
    }
    text_free(&found);
    return status;
}

// Not so what cannot be read.
static bool is_untouched(const char *path, const struct lesson *lesson)
{
    char *bytes;
    size_t length;
    bool is_starter = false;
    if (file_read_no_link(path, TOOLCHAIN_SOURCE_MAX, &bytes, &length, NULL) != STATUS_OK)
        return false;
    bool is_known = lesson_is_starter(lesson, bytes, &is_starter, NULL) == STATUS_OK;
    free(bytes);
    return is_known && is_starter;
}

// Of the lesson's files the one that is graded; the names of the others.
static const char *choose_file(char files[PLACES][PATH_MAX], size_t count, const char *folder,
                               const struct lesson *lesson, struct text *others)
{
    struct name_list list = {.out = others};
    size_t chosen = 0;
    while (count > 1 && chosen < count && is_untouched(files[chosen], lesson))
        chosen++;
    chosen = chosen < count ? chosen : 0;
    for (size_t i = 0; i < count; i++)
        if (i != chosen)
            add_name(&list, "", files[i] + strlen(folder) + 1);
    end_names(&list);
    return files[chosen];
}

enum hand_in hand_in_look(const char *folder, const struct lesson *lesson, char *path, size_t size, struct text *others)
{
    const char *const inner[] = {"", "exercises/"}, *const names[] = {lesson->id, lesson->name};
    char tried[PATH_MAX], files[PLACES][PATH_MAX];
    size_t count = 0;
    bool is_link = false;
    path[0] = '\0';
    for (int i = 0; i < PLACES; i++) {
        bool fits = (size_t)snprintf(tried, sizeof tried, "%s/exercises", folder) < size;
        bool whole = i < 2 || !fits || look_at_place(tried) != PLACE_LINK; // else nothing of it is looked at
        if (whole)
            fits = (size_t)snprintf(tried, sizeof tried, "%s/%s%s.cu", folder, inner[i / 2], names[i % 2]) < size;
        if (!fits)
            errno = ENAMETOOLONG;
        enum place place = fits ? look_at_place(tried) : PLACE_CLOSED;
        if (place == PLACE_TAKEN)
            memcpy(files[count++], tried, sizeof tried);
        if (place == PLACE_EMPTY || place == PLACE_TAKEN || count)
            continue;
        snprintf(path, size, "%s", tried);
        if (place == PLACE_CLOSED)
            return HAND_IN_UNREADABLE;
        is_link = true;
        if (!whole)
            break;
    }
    if (count) {
        snprintf(path, size, "%s", choose_file(files, count, folder, lesson, others));
    } else if (!is_link) {
        struct name_list list = {.out = others};
        name_alike(folder, "", lesson, &list);
        end_names(&list);
    }
    return count ? HAND_IN_FILE : is_link ? HAND_IN_LINK : HAND_IN_MISSING;
}

enum status hand_in_find(const char *folder, const struct lesson *lesson, char *path, size_t size, struct text *others,
                         struct diagnostic *diagnostic)
{
    struct text names = {0};
    enum hand_in what = hand_in_look(folder, lesson, path, size, &names);
    enum status status = STATUS_OK;
    if (what == HAND_IN_FILE)
        text_puts(others, text_get(&names));
    else if (what == HAND_IN_UNREADABLE)
        status = diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "cannot look at it: %s.", strerror(errno));
    else if (!file_is_folder(folder))
        status = diagnostic_at(diagnostic, STATUS_IO, folder, 0, 0, "this is not a folder that can be read.");
    else
        status =
            tell_missing(folder, lesson, what == HAND_IN_LINK ? path + strlen(folder) + 1 : NULL, &names, diagnostic);
    text_free(&names);
    return status;
}
