// A folder for what a fuzz target must find in files: in memory where there is such a place. Gone when the target ends.
#ifndef BANKSHOT_TESTS_FUZZ_FOLDER_H
#define BANKSHOT_TESTS_FUZZ_FOLDER_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder_root[64];

static int folder_remove_entry(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about, (void)kind, (void)walk;
    return remove(path);
}

static void folder_remove(void)
{
    nftw(folder_root, folder_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void folder_make(void)
{
    snprintf(folder_root, sizeof folder_root, "%s/bankshot-fuzz-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(folder_root))
        abort();
    atexit(folder_remove);
}

// name is below the root; its folders are made.
static void folder_write(const char *name, const void *data, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder_root, name);
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    close(file);
}

#endif
