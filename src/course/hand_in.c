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

static enum status tell_missing(const char *folder, const struct lesson *lesson, const char *link,
                                struct diagnostic *diagnostic)
{
    struct text found = {0};
    enum status status = STATUS_PARSE;
    if (link[0]) {
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

enum status hand_in_find(const char *folder, const struct lesson *lesson, char *path, size_t size,
                         struct diagnostic *diagnostic)
{
    const char *const inner[] = {"", "exercises/"}, *const names[] = {lesson->id, lesson->name};
    char link[PATH_MAX] = "";
    for (int i = 0; i < 4; i++) {
        if (i == 2 && (size_t)snprintf(path, size, "%s/exercises", folder) < size &&
            look_at_place(path) == PLACE_LINK) {
            snprintf(link, sizeof link, "exercises");
            break;
        }
        if ((size_t)snprintf(path, size, "%s/%s%s.cu", folder, inner[i / 2], names[i % 2]) >= size)
            return diagnostic_set(diagnostic, STATUS_IO, "%.200s…: the name is too long", folder);
        enum place place = look_at_place(path);
        if (place == PLACE_TAKEN)
            return STATUS_OK;
        if (place == PLACE_CLOSED)
            return diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "cannot look at it: %s.", strerror(errno));
        if (place == PLACE_LINK)
            snprintf(link, sizeof link, "%s%s.cu", inner[i / 2], names[i % 2]);
    }
    if (!file_is_folder(folder))
        return diagnostic_at(diagnostic, STATUS_IO, folder, 0, 0, "this is not a folder that can be read.");
    return tell_missing(folder, lesson, link, diagnostic);
}
