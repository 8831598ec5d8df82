// Files that survive kill -9: whoever reads sees the old content or the new one, never a mixture and never nothing.
#ifndef BANKSHOT_BASE_FILE_H
#define BANKSHOT_BASE_FILE_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostic.h"

// The whole of a regular file, terminated by a zero that *length does not count; free(*data). IO when it is missing,
// not a regular file, larger than limit, or unreadable; the message names it and says which.
enum status file_read(const char *path, size_t limit, char **data, size_t *length, struct diagnostic *diagnostic);

// The same, but path itself must not be a symbolic link: for folders that others write to.
enum status file_read_no_link(const char *path, size_t limit, char **data, size_t *length,
                              struct diagnostic *diagnostic);

// Writes beside path, flushes to disk, renames over path, flushes the folder. The permissions of a file that is there
// are kept; a link is followed, a device or pipe written to. On failure path is untouched and the temporary file is
// gone.
enum status file_write(const char *path, const void *data, size_t length, struct diagnostic *diagnostic);

// The same without waiting for the disk: for caches, which may be lost with the power.
enum status file_write_quick(const char *path, const void *data, size_t length, struct diagnostic *diagnostic);

// Writes path in place, without a flush: for what nobody reads meanwhile and what can be made again.
enum status file_put(const char *path, const void *data, size_t length, struct diagnostic *diagnostic);
// To an open descriptor, all of it; false: errno.
bool file_write_all(int file, const void *data, size_t length);

// $variable/name, or ~/fallback/name (XDG Base Directory Specification): "XDG_CACHE_HOME", ".cache". NULL when there is
// no home either, or none that exists; else free() it.
char *file_user_folder(const char *variable, const char *fallback, const char *name);

// mkdir -p with mode 0777 minus the umask (private: 0700).
enum status file_make_folders(const char *path, bool private, struct diagnostic *diagnostic);

// Of any kind. What cannot be looked at counts as there, so that whoever then opens it finds out why.
bool file_exists(const char *path);
bool file_is_folder(const char *path);

// The next entry; NULL at the end, with errno 0, or with another when the rest of the folder cannot be read.
struct dirent *file_next_entry(DIR *stream);
// A folder and all in it, or a file; links are removed, not followed. It needs no memory, at most two descriptors, and
// no calls that are not async-signal-safe.
void file_remove_tree(const char *path);
// What was killed while it wrote cannot tidy up, so the next one does: files and folders of this user's whose paths are
// `start` and six characters more (mkstemp), and that are older than any writing or run lasts.
void file_remove_abandoned(const char *start);
// A folder of this process, which goes with it: at the latest when that ends by exit(), for want of memory or
// descriptors too, since what its removal needs is set aside before. path: as for mkdtemp, replaced by the real path.
// False: errno, and there is none. A lock on it goes with this process, so that others can tell which ones were left.
bool file_make_own(char path[PATH_MAX]);
void file_remove_own(const char *path);       // "", or what is no such folder: nothing happens
void file_remove_unlocked(const char *start); // as file_remove_abandoned, those whose lock is gone

// The program in the folders of $PATH, or name itself if it has a slash; absolute, in path[size]. A name may begin with
// a variable of the environment, "$CUDA_HOME/bin/nvcc": where that is not set or empty, there is no such program.
bool file_find_program(const char *name, char *path, size_t size);
// Path, size and time of it, for keys of what depends on it; "" when there is none. Returns text.
char *file_identify(const char *path, char *text, size_t size);

// As a user would name it: without the current folder in front. Part of path.
const char *file_shown(const char *path);

// Moves nothing: copies path to the first free of path.1, path.2 … and gives its name (free(*backup)).
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
