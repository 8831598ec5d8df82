// The files of the cache: written whole, checked when read, the oldest removed.
#include "toolchain/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"

static const char magic[] = "bankshot ptx cache 1\n";

enum {
    ENTRY_MAX = 32 << 20,
    PART_COUNT = 4,
    LARGE_ENTRY = 1 << 20,
    LOOKS_OF = 16 // smaller ones: the folder is looked through, which takes milliseconds, behind one in so many
};

bool cache_hash_file(const char *path, uint64_t *hash)
{
    char *bytes;
    size_t length;
    bool good = file_read(path, ENTRY_MAX, &bytes, &length, NULL) == STATUS_OK;
    *hash = good ? map_hash(MAP_HASH_START, bytes, length) : 0;
    free(bytes);
    return good;
}

// The cache's folder without a trailing slash, made if it is missing; "" = there is none.
static const char *cache_folder(char path[PATH_MAX])
{
    char *folder = file_user_folder("XDG_CACHE_HOME", ".cache", "bankshot/ptx");
    struct stat info;
    bool good = folder && file_make_folders(folder, true, NULL) == STATUS_OK && stat(folder, &info) == 0 &&
                info.st_uid == geteuid();
    snprintf(path, PATH_MAX, "%s", good ? folder : "");
    free(folder);
    return path;
}

static bool entry_path(const struct text *key, char path[PATH_MAX])
{
    char base[PATH_MAX];
    uint64_t hash = map_hash(MAP_HASH_START, text_get(key), key->length);
    return *cache_folder(base) && snprintf(path, PATH_MAX, "%s/%016" PRIx64, base, hash) < PATH_MAX;
}

// The file: magic, checksum of the rest, then four parts, each a line with its length and the bytes.
static void append_part(struct text *file, const struct text *part)
{
    text_printf(file, "%zu\n", part->length);
    text_append(file, text_get(part), part->length);
}

static bool take_part(const char **at, size_t *left, const char **bytes, size_t *length)
{
    const char *end = memchr(*at, '\n', *left < 24 ? *left : 24);
    if (!end || end == *at)
        return false;
    char *stop;
    unsigned long long wanted = strtoull(*at, &stop, 10);
    size_t head = (size_t)(end - *at) + 1;
    if (stop != end || wanted > *left - head)
        return false;
    *bytes = *at + head;
    *length = (size_t)wanted;
    *at += head + *length;
    *left -= head + *length;
    return true;
}

static bool parse_entry(const char *file, size_t length, const struct text *key, struct cache_entry *entry)
{
    size_t head = sizeof magic - 1 + 17;
    const char *parts[PART_COUNT];
    size_t lengths[PART_COUNT];
    if (length < head || memcmp(file, magic, sizeof magic - 1) != 0)
        return false;
    const char *at = file + head;
    size_t left = length - head;
    if (strtoull(file + sizeof magic - 1, NULL, 16) != map_hash(MAP_HASH_START, at, left))
        return false;
    for (int i = 0; i < PART_COUNT; i++)
        if (!take_part(&at, &left, &parts[i], &lengths[i]))
            return false;
    if (left != 0 || lengths[0] != key->length || memcmp(parts[0], text_get(key), key->length) != 0)
        return false;
    text_append(&entry->ptx, parts[1], lengths[1]);
    text_append(&entry->messages, parts[2], lengths[2]);
    text_append(&entry->dependencies, parts[3], lengths[3]);
    return true;
}

static bool dependencies_hold(const char *line)
{
    while (*line) {
        char path[4096];
        uint64_t expected, found;
        size_t length = strcspn(line, "\n");
        if (length < 18 || length - 17 >= sizeof path || sscanf(line, "%16" SCNx64, &expected) != 1)
            return false;
        memcpy(path, line + 17, length - 17);
        path[length - 17] = '\0';
        if (!cache_hash_file(path, &found) || found != expected)
            return false;
        line += length + (line[length] == '\n');
    }
    return true;
}

bool cache_load(const struct text *key, struct cache_entry *entry)
{
    char path[PATH_MAX], *file = NULL;
    size_t length;
    *entry = (struct cache_entry){0};
    bool good = entry_path(key, path) && file_read(path, ENTRY_MAX, &file, &length, NULL) == STATUS_OK &&
                parse_entry(file, length, key, entry) && dependencies_hold(text_get(&entry->dependencies));
    free(file);
    if (!good)
        cache_entry_free(entry);
    else
        utimensat(AT_FDCWD, path, NULL, 0); // so that the oldest is the one longest unused
    return good;
}

struct old_file {
    char name[32];
    struct timespec time;
    uint64_t size;
};

static int by_age(const void *left, const void *right)
{
    const struct old_file *a = left, *b = right;
    if (a->time.tv_sec != b->time.tv_sec)
        return a->time.tv_sec < b->time.tv_sec ? -1 : 1;
    return a->time.tv_nsec < b->time.tv_nsec ? -1 : a->time.tv_nsec > b->time.tv_nsec;
}

static void remove_oldest(void)
{
    char base[PATH_MAX];
    struct old_file *files = NULL;
    size_t count = 0, capacity = 0;
    uint64_t total = 0;
    DIR *dir = opendir(cache_folder(base));
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct stat info;
        if (strlen(entry->d_name) >= sizeof files->name ||
            fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
            continue;
        mem_reserve(&files, &capacity, count);
        files[count] = (struct old_file){.time = info.st_mtim, .size = (uint64_t)info.st_size};
        strcpy(files[count++].name, entry->d_name);
        total += (uint64_t)info.st_size;
    }
    if (total > CACHE_BYTES)
        qsort(files, count, sizeof *files, by_age);
    for (size_t i = 0; i < count && total > CACHE_BYTES; i++) {
        unlinkat(dirfd(dir), files[i].name, 0);
        total -= files[i].size;
    }
    closedir(dir);
    free(files);
}

void cache_store(const struct text *key, const struct cache_entry *entry)
{
    char path[PATH_MAX];
    struct text body = {0}, file = {0};
    if (!entry_path(key, path))
        return;
    append_part(&body, key);
    append_part(&body, &entry->ptx);
    append_part(&body, &entry->messages);
    append_part(&body, &entry->dependencies);
    text_printf(&file, "%s%016" PRIx64 "\n", magic, map_hash(MAP_HASH_START, text_get(&body), body.length));
    text_append(&file, text_get(&body), body.length);
    struct stat info;
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) // a pipe, at which to write would wait for a reader
        unlink(path);
    bool looks = file.length >= LARGE_ENTRY || map_hash(MAP_HASH_START, path, strlen(path)) % LOOKS_OF == 0;
    if (file.length <= ENTRY_MAX && file_write_quick(path, text_get(&file), file.length, NULL) == STATUS_OK && looks)
        remove_oldest();
    text_free(&body);
    text_free(&file);
}

void cache_entry_free(struct cache_entry *entry)
{
    text_free(&entry->ptx);
    text_free(&entry->messages);
    text_free(&entry->dependencies);
}
