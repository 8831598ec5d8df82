// Files that survive kill -9: whoever reads sees the old content or the new one, never a mixture and never nothing.
#ifndef BANKSHOT_BASE_FILE_H
#define BANKSHOT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostic.h"

// The whole of a regular file, terminated by a zero that *length does not count; free(*data). IO when it is missing,
// no regular file, larger than limit, or unreadable; the message names it and says which.
enum status file_read(const char *path, size_t limit, char **data, size_t *length, struct diagnostic *diagnostic);

// Writes beside path, flushes to disk, renames over path, flushes the folder. The permissions of a file that is there
// are kept. On failure path is untouched and the temporary file is gone.
enum status file_write(const char *path, const void *data, size_t length, struct diagnostic *diagnostic);

// mkdir -p with mode 0777 less the umask (private: 0700).
enum status file_make_folders(const char *path, bool private, struct diagnostic *diagnostic);

bool file_exists(const char *path); // of any kind
bool file_is_folder(const char *path);
// The program in the folders of $PATH, or name itself if it has a slash; absolute, in path[size].
bool file_find_program(const char *name, char *path, size_t size);

// Moves nothing: copies path to the first free of path.1, path.2 … and tells its name (free(*backup)).
enum status file_backup(const char *path, char **backup, struct diagnostic *diagnostic);

// Renames what cannot be read to PATH.corrupt-DATE, so that it is not lost; name gets the new name. False: errno.
bool file_set_aside(const char *path, char *name, size_t size);

// An exclusive advisory lock on path, which is created when missing and stays. Waits at most `seconds`. The lock goes
// with file_unlock or with the process, however that ends.
struct file_lock {
    int descriptor;
};
enum status file_lock(const char *path, double seconds, struct file_lock *lock, struct diagnostic *diagnostic);
void file_unlock(struct file_lock *lock);

#endif
