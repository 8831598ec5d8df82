// Reading a learner's source: what may be one, and what is refused before a compiler sees it.
#include "toolchain/toolchain.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

static void folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 1;
    if (slash == path)
        length = 1;
    if (length >= size)
        length = size - 1;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
}

// A symlink is followed only to a place inside root. The file opened is then the one checked: its real path, without
// following a link that someone puts there meanwhile.
static enum status resolve_link(const char *path, const char *root, const char *display, char real[PATH_MAX],
                                struct diagnostic *diagnostic)
{
    char folder[PATH_MAX], real_root[PATH_MAX];
    struct stat info;
    if (lstat(path, &info) != 0 || !realpath(path, real))
        return diagnostic_at(diagnostic, STATUS_IO, display, 0, 0, "cannot read the file: %s", strerror(errno));
    if (!S_ISLNK(info.st_mode))
        return STATUS_OK;
    folder_of(path, folder, sizeof folder);
    if (!realpath(root ? root : folder, real_root))
        return diagnostic_at(diagnostic, STATUS_IO, display, 0, 0, "cannot read the folder: %s", strerror(errno));
    size_t length = strlen(real_root);
    if (length > 1 && (strncmp(real, real_root, length) != 0 || real[length] != '/'))
        return diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0,
                             "this is a symbolic link to a file outside the workspace. Copy the file here instead");
    return STATUS_OK;
}

static enum status too_large(size_t size, const char *display, struct diagnostic *diagnostic)
{
    return diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0,
                         "the file has %.1f MB; a source may have 1 MB at most", (double)size * 1e-6);
}

static enum status check_kind(const char *path, const char *display, struct diagnostic *diagnostic)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return diagnostic_at(diagnostic, STATUS_IO, display, 0, 0, "cannot read the file: %s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0, "this is not a file: %s",
                             S_ISDIR(info.st_mode) ? "it is a folder" : "it is a device or a pipe");
    return info.st_size > TOOLCHAIN_SOURCE_MAX ? too_large((size_t)info.st_size, display, diagnostic) : STATUS_OK;
}

enum status toolchain_check_source(const char *bytes, size_t length, const char *display, struct diagnostic *diagnostic)
{
    int line = 1;
    bool blank = true;
    if (length > TOOLCHAIN_SOURCE_MAX)
        return too_large(length, display, diagnostic);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        line += byte == '\n';
        blank = blank && strchr(" \t\r\n\f\v", byte) && byte;
        if (byte == 0 || (byte < 0x20 && !strchr("\t\r\n\f\v\x1b\a\b", byte)))
            return diagnostic_at(diagnostic, STATUS_COMPILE, display, line, 0,
                                 "this is not a text file: it holds the byte 0x%02x", byte);
    }
    return blank ? diagnostic_at(diagnostic, STATUS_COMPILE, display, 0, 0, "the file is empty") : STATUS_OK;
}

enum status toolchain_read_source(const char *path, const char *root, const char *display, char **bytes, size_t *length,
                                  struct diagnostic *diagnostic)
{
    char real[PATH_MAX];
    if (!display)
        display = path;
    *bytes = NULL;
    *length = 0;
    enum status status = resolve_link(path, root, display, real, diagnostic);
    if (status == STATUS_OK)
        status = check_kind(real, display, diagnostic);
    if (status == STATUS_OK && file_read_no_link(real, TOOLCHAIN_SOURCE_MAX, bytes, length, NULL) != STATUS_OK)
        status = diagnostic_at(diagnostic, STATUS_IO, display, 0, 0, "cannot read the file: %s", strerror(errno));
    if (status == STATUS_OK)
        status = toolchain_check_source(*bytes, *length, display, diagnostic);
    if (status != STATUS_OK) {
        free(*bytes);
        *bytes = NULL;
        *length = 0;
    }
    return status;
}
