// The device headers as part of the program, and out of it again.
#include "toolchain/headers.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/text.h"

// The assembler reads the files, so they need no generated source; the Makefile knows the dependency.
#define HEADER(symbol, path)                                                                                           \
    __asm__(".pushsection .rodata\n"                                                                                   \
            "bankshot_header_" #symbol ":\n"                                                                           \
            ".incbin \"src/toolchain/include/" path "\"\n"                                                             \
            "bankshot_header_" #symbol "_end:\n"                                                                       \
            ".byte 0\n"                                                                                                \
            ".popsection\n");                                                                                          \
    extern const char bankshot_header_##symbol[], bankshot_header_##symbol##_end[];
#define TEXT(path, text)
#define EMPTY(path) TEXT(path, "// All of it that the lab's clang knows is included before every file.\n")
#define STANDARD(name)                                                                                                 \
    TEXT("cuda/cuda/std/" name, "#pragma clang system_header\n#include <" name ">\n"                                   \
                                "namespace cuda { namespace std { using namespace ::std; } }\n")
#define ALIAS(path, other) TEXT(path, "#include <" other ">\n")
#include "toolchain/headers.def"
#undef HEADER
#undef TEXT

static const struct header {
    const char *path, *start, *end; // end NULL: terminated
} headers[] = {
#define HEADER(symbol, path) {path, bankshot_header_##symbol, bankshot_header_##symbol##_end},
#define TEXT(path, text) {path, text, NULL},
#include "toolchain/headers.def"
};

enum { HEADER_COUNT = sizeof headers / sizeof *headers };

static size_t header_length(const struct header *header)
{
    return header->end ? (size_t)(header->end - header->start) : strlen(header->start);
}

uint64_t headers_hash(void)
{
    uint64_t hash = MAP_HASH_START;
    for (size_t i = 0; i < HEADER_COUNT; i++)
        hash = map_hash(hash, headers[i].start, header_length(&headers[i]));
    return hash;
}

enum status headers_write(const char *folder, bool for_clang, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    char path[4096], last[4096] = "";
    for (size_t i = 0; i < HEADER_COUNT && status == STATUS_OK; i++) {
        if (!for_clang && text_starts(headers[i].path, "cuda/"))
            continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, headers[i].path) >= (int)sizeof path)
            return diagnostic_set(diagnostic, STATUS_IO, "%.200s…: the name is too long", folder);
        char *slash = strrchr(path, '/');
        *slash = '\0';
        if (strcmp(path, last) != 0)
            status = file_make_folders(path, false, diagnostic);
        strcpy(last, path);
        *slash = '/';
        if (status == STATUS_OK)
            status = file_put(path, headers[i].start, header_length(&headers[i]), diagnostic);
    }
    return status;
}
