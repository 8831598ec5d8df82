#include "toolchain/headers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"

// The assembler reads the files, so they need no generated source; the Makefile knows the dependency.
#define HEADER(symbol, path)                                                                                           \
    __asm__(".pushsection .rodata\n"                                                                                   \
            "bankshot_header_" #symbol ":\n"                                                                           \
            ".incbin \"src/toolchain/include/" path "\"\n"                                                             \
            "bankshot_header_" #symbol "_end:\n"                                                                       \
            ".byte 0\n"                                                                                                \
            ".popsection\n");                                                                                          \
    extern const char bankshot_header_##symbol[], bankshot_header_##symbol##_end[];
#include "toolchain/headers.def"
#undef HEADER

static const struct header {
    const char *path, *start, *end;
} headers[] = {
#define HEADER(symbol, path) {path, bankshot_header_##symbol, bankshot_header_##symbol##_end},
#include "toolchain/headers.def"
#undef HEADER
};

enum { HEADER_COUNT = sizeof headers / sizeof *headers };

uint64_t headers_hash(void)
{
    uint64_t hash = MAP_HASH_START;
    for (size_t i = 0; i < HEADER_COUNT; i++)
        hash = map_hash(hash, headers[i].start, (size_t)(headers[i].end - headers[i].start));
    return hash;
}

static enum status write_header(const char *path, const struct header *header, struct diagnostic *diagnostic)
{
    size_t length = (size_t)(header->end - header->start);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool good = fd >= 0 && write(fd, header->start, length) == (ssize_t)length;
    if (fd >= 0 && close(fd) != 0)
        good = false;
    return good ? STATUS_OK : diagnostic_set(diagnostic, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
}

enum status headers_write(const char *folder, struct diagnostic *diagnostic)
{
    char path[4096];
    for (size_t i = 0; i < HEADER_COUNT; i++) {
        if (snprintf(path, sizeof path, "%s/%s", folder, headers[i].path) >= (int)sizeof path)
            return diagnostic_set(diagnostic, STATUS_IO, "%.200s…: the name is too long", folder);
        char *slash = path + strlen(folder);
        while ((slash = strchr(slash + 1, '/'))) {
            *slash = '\0';
            mkdir(path, 0755);
            *slash = '/';
        }
        enum status status = write_header(path, &headers[i], diagnostic);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
