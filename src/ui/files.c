#include "ui/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"

enum { LARGEST_SHOWN = 1 << 20 };

enum status files_read(const char *path, struct text *content, struct diagnostic *diagnostic)
{
    char block[65536];
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return diagnostic_set(diagnostic, STATUS_IO, "cannot read %.200s: %s", path, strerror(errno));
    enum status status = STATUS_OK;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        status = diagnostic_set(diagnostic, STATUS_IO, "%.200s is not a regular file", path);
        goto out;
    }
    ssize_t got;
    while (content->length < LARGEST_SHOWN && (got = read(file, block, sizeof block)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            status = diagnostic_set(diagnostic, STATUS_IO, "cannot read %.200s: %s", path, strerror(errno));
            goto out;
        }
        for (char *nul = block; (nul = memchr(nul, '\0', (size_t)(block + got - nul))) != NULL;)
            *nul = '\1';
        text_append(content, block, (size_t)got);
    }
out:
    close(file);
    return status;
}

uint64_t files_hash(const char *bytes, size_t length)
{
    return map_hash(MAP_HASH_START, bytes, length) | 1; // never 0: "no text"
}
