// Finding a lesson's hand-in in a folder that a student filled.
#include "course/hand_in.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"

enum { NAMED_AT_MOST = 5 };

enum place { PLACE_EMPTY, PLACE_LINK, PLACE_TAKEN, PLACE_CLOSED };

static enum place look_at_place(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG ? PLACE_EMPTY : PLACE_CLOSED;
    return S_ISLNK(info.st_mode) ? PLACE_LINK : PLACE_TAKEN;
}

// "; what is there: a.cu, b\xe4.cu", so that a misnamed file is found.
static void tell_sources(const char *folder, struct text *out)
{
    DIR *stream = opendir(folder);
    int count = 0;
    for (struct dirent *entry; stream && (entry = file_next_entry(stream));) {
        if (entry->d_name[0] == '.' || !text_ends(entry->d_name, ".cu") || ++count > NAMED_AT_MOST)
            continue;
        text_puts(out, count == 1 ? "; there is " : ", ");
        text_escape_name(out, entry->d_name);
    }
    if (count > NAMED_AT_MOST)
        text_printf(out, " and %d more", count - NAMED_AT_MOST);
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
                                struct diagnostic *diagnostic)
{
    struct text found = {0};
    enum status status = STATUS_PARSE;
    if (link) {
        text_escape_name(&found, link);
        diagnostic_set(diagnostic, status, "%.200s is a link, and links are not followed: hand in the file itself.",
                       text_get(&found));
    } else {
        tell_sources(folder, &found);
        diagnostic_set(diagnostic, status, "nothing was handed in as %.80s.cu or %.80s.cu%.400s.", lesson->id,
                       lesson->name, text_get(&found));
    }
    text_free(&found);
    return status;
}

enum hand_in hand_in_look(const char *folder, const struct lesson *lesson, char *path, size_t size)
{
    const char *const inner[] = {"", "exercises/"}, *const names[] = {lesson->id, lesson->name};
    char tried[PATH_MAX];
    bool is_link = false;
    path[0] = '\0';
    for (int i = 0; i < 4; i++) {
        bool fits = (size_t)snprintf(tried, sizeof tried, "%s/exercises", folder) < size;
        bool whole = i < 2 || !fits || look_at_place(tried) != PLACE_LINK; // else nothing of it is looked at
        if (whole)
            fits = (size_t)snprintf(tried, sizeof tried, "%s/%s%s.cu", folder, inner[i / 2], names[i % 2]) < size;
        if (!fits)
            errno = ENAMETOOLONG;
        enum place place = fits ? look_at_place(tried) : PLACE_CLOSED;
        if (place == PLACE_EMPTY)
            continue;
        snprintf(path, size, "%s", tried);
        if (place != PLACE_LINK)
            return place == PLACE_TAKEN ? HAND_IN_FILE : HAND_IN_UNREADABLE;
        is_link = true;
        if (!whole)
            break;
    }
    return is_link ? HAND_IN_LINK : HAND_IN_MISSING;
}

enum status hand_in_find(const char *folder, const struct lesson *lesson, char *path, size_t size,
                         struct diagnostic *diagnostic)
{
    enum hand_in what = hand_in_look(folder, lesson, path, size);
    if (what == HAND_IN_FILE)
        return STATUS_OK;
    if (what == HAND_IN_UNREADABLE)
        return diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "cannot look at it: %s.", strerror(errno));
    if (!file_is_folder(folder))
        return diagnostic_at(diagnostic, STATUS_IO, folder, 0, 0, "this is not a folder that can be read.");
    return tell_missing(folder, lesson, what == HAND_IN_LINK ? path + strlen(folder) + 1 : NULL, diagnostic);
}
