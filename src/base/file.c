// Reading whole files, writing them so that none is ever half there, and the folders around them.
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

enum { RANDOM = 6 }; // characters at the end of a temporary name, as with mkstemp

static enum status file_failed(struct diagnostic *diagnostic, const char *verb, const char *path)
{
    int error = errno;
    return diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "cannot %s: %s.", verb, strerror(error));
}

static enum status read_regular(const char *path, int file, size_t limit, char **data, size_t *length,
                                struct diagnostic *diagnostic)
{
    struct stat info;
    if (file < 0 || fstat(file, &info) < 0)
        return file_failed(diagnostic, "read it", path);
    if (!S_ISREG(info.st_mode))
        return diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "this is not a regular file.");
    if ((unsigned long long)info.st_size > limit)
        return diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "the file has %lld bytes; at most %zu are read.",
                             (long long)info.st_size, limit);
    size_t capacity = (size_t)info.st_size;
    *data = mem_alloc(capacity + 1);
    while (*length < capacity) { // what is appended meanwhile is not taken
        ssize_t got = read(file, *data + *length, capacity - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return file_failed(diagnostic, "read it", path);
        if (got == 0)
            break;
        *length += (size_t)got;
    }
    (*data)[*length] = '\0';
    return STATUS_OK;
}

static enum status read_with(const char *path, int flags, size_t limit, char **data, size_t *length,
                             struct diagnostic *diagnostic)
{
    *data = NULL;
    *length = 0;
    // O_NONBLOCK: opening a pipe that nobody writes must not hang.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    enum status status = read_regular(path, file, limit, data, length, diagnostic);
    if (status != STATUS_OK) {
        free(*data);
        *data = NULL;
        *length = 0;
    }
    if (file >= 0)
        close(file);
    return status;
}

enum status file_read(const char *path, size_t limit, char **data, size_t *length, struct diagnostic *diagnostic)
{
    return read_with(path, 0, limit, data, length, diagnostic);
}

enum status file_read_no_link(const char *path, size_t limit, char **data, size_t *length,
                              struct diagnostic *diagnostic)
{
    return read_with(path, O_NOFOLLOW, limit, data, length, diagnostic);
}

bool file_write_all(int file, const void *data, size_t length)
{
    for (const char *at = data; length > 0;) {
        ssize_t written = write(file, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        length -= (size_t)written;
    }
    return true;
}

enum status file_put(const char *path, const void *data, size_t length, struct diagnostic *diagnostic)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    bool ok = file >= 0 && file_write_all(file, data, length);
    if (file >= 0 && close(file) < 0)
        ok = false;
    return ok ? STATUS_OK : file_failed(diagnostic, "write it", path);
}

// The folder's own entry must reach the disk too, or a power cut may bring the old name back.
static void flush_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    int file = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

// A device or a pipe is written to. Renaming over one would put a file in its place: over /dev/null, for root.
static enum status write_through(const char *path, const void *data, size_t length, struct diagnostic *diagnostic)
{
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    bool ok = file >= 0 && file_write_all(file, data, length);
    if (file >= 0 && close(file) < 0)
        ok = false;
    return ok ? STATUS_OK : file_failed(diagnostic, "write it", path);
}

// As mkstemp, but with a mode: a confined process may not change it afterwards.
static int make_beside(const char *path, mode_t mode, char temporary[PATH_MAX])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (int tries = 0; tries < 100; tries++) {
        unsigned char random[RANDOM];
        if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
            if (errno == EINTR)
                continue;
            return -1;
        }
        int length = snprintf(temporary, PATH_MAX, "%s.", path);
        for (int i = 0; i < RANDOM; i++)
            temporary[length++] = letters[random[i] % (sizeof letters - 1)];
        temporary[length] = '\0';
        int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file >= 0 || (errno != EEXIST && errno != EINTR))
            return file;
    }
    return -1;
}

static enum status file_replace(const char *path, const void *data, size_t length, bool flush,
                                struct diagnostic *diagnostic)
{
    char temporary[PATH_MAX], target[PATH_MAX];
    struct stat info, made;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return write_through(path, data, length, diagnostic);
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && realpath(path, target))
        path = target; // the link stays, and leads to the new content
    if (strlen(path) + RANDOM + 2 > sizeof temporary)
        return diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "the name is too long.");
    bool keeps_mode = flush && stat(path, &info) == 0;
    mode_t mode = keeps_mode ? info.st_mode & 0777 : 0666;
    int file = make_beside(path, mode, temporary);
    if (file < 0)
        return file_failed(diagnostic, "write it", path);
    bool ok = !keeps_mode || (fstat(file, &made) == 0 && (made.st_mode & 0777) == mode) || fchmod(file, mode) == 0;
    ok = ok && file_write_all(file, data, length) && (!flush || fsync(file) == 0);
    int error = errno;
    if (close(file) < 0 && ok) {
        error = errno;
        ok = false;
    }
    if (ok && rename(temporary, path) < 0) {
        error = errno;
        ok = false;
    }
    if (!ok) {
        unlink(temporary);
        errno = error;
        return file_failed(diagnostic, "write it", path);
    }
    if (flush)
        flush_folder(path);
    return STATUS_OK;
}

enum status file_write(const char *path, const void *data, size_t length, struct diagnostic *diagnostic)
{
    return file_replace(path, data, length, true, diagnostic);
}

enum status file_write_quick(const char *path, const void *data, size_t length, struct diagnostic *diagnostic)
{
    return file_replace(path, data, length, false, diagnostic);
}

char *file_user_folder(const char *variable, const char *fallback, const char *name)
{
    char path[PATH_MAX];
    const char *base = getenv(variable), *home = getenv("HOME");
    int length = -1;
    if (base && *base == '/') // the specification: relative paths are to be ignored
        length = snprintf(path, sizeof path, "%s/%s", base, name);
    else if (home && *home == '/' && file_is_folder(home)) // nobody's, /nonexistent, must stay so: root could make it
        length = snprintf(path, sizeof path, "%s/%s/%s", home, fallback, name);
    return length > 0 && (size_t)length < sizeof path ? mem_strdup(path) : NULL;
}

enum status file_make_folders(const char *path, bool private, struct diagnostic *diagnostic)
{
    char part[PATH_MAX];
    if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
        return diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "the name is too long.");
    for (char *at = part + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char saved = *at;
        *at = '\0';
        if (mkdir(part, private ? 0700 : 0777) < 0 && !(errno == EEXIST && file_is_folder(part)) &&
            !file_is_folder(part))
            return file_failed(diagnostic, "make this folder", part);
        *at = saved;
        if (saved == '\0')
            return STATUS_OK;
    }
}

bool file_exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG);
}

bool file_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

struct dirent *file_next_entry(DIR *stream)
{
    errno = 0; // readdir(3): the only way to tell an error from the end
    return readdir(stream);
}

enum { MAX_BACKUPS = 9999, MAX_BACKUP_BYTES = 64 << 20 };

bool file_set_aside(const char *path, char *name, size_t size)
{
    char date[32];
    time_t seconds = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y%m%d-%H%M%S", gmtime_r(&seconds, &parts));
    for (int i = 0; i < MAX_BACKUPS; i++) {
        int length = i ? snprintf(name, size, "%s.corrupt-%s-%d", path, date, i)
                       : snprintf(name, size, "%s.corrupt-%s", path, date);
        if (length < 0 || (size_t)length >= size || file_exists(name))
            continue;
        return rename(path, name) == 0;
    }
    return false;
}

enum status file_backup(const char *path, char **backup, struct diagnostic *diagnostic)
{
    char *data, name[PATH_MAX];
    size_t length;
    *backup = NULL;
    enum status status = file_read(path, MAX_BACKUP_BYTES, &data, &length, diagnostic);
    if (status)
        return status;
    for (int number = 1; number <= MAX_BACKUPS; number++) {
        if ((size_t)snprintf(name, sizeof name, "%s.%d", path, number) >= sizeof name)
            break;
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno == EEXIST)
            continue;
        if (file < 0) {
            status = file_failed(diagnostic, "write the backup", name);
            goto out;
        }
        bool ok = file_write_all(file, data, length) && fsync(file) == 0;
        if (close(file) < 0 || !ok) {
            status = file_failed(diagnostic, "write the backup", name);
            unlink(name);
            goto out;
        }
        flush_folder(name);
        *backup = mem_strdup(name);
        goto out;
    }
    status = diagnostic_at(diagnostic, STATUS_IO, path, 0, 0, "there are too many backups of it already.");
out:
    free(data);
    return status;
}

enum status file_lock(const char *path, double seconds, struct file_lock *lock, struct diagnostic *diagnostic)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    lock->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock->descriptor < 0)
        return file_failed(diagnostic, "lock it", path);
    for (int left = (int)(seconds / 0.005);; left--) {
        if (flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0)
            return STATUS_OK;
        if ((errno != EWOULDBLOCK && errno != EINTR) || left <= 0)
            break;
        nanosleep(&pause, NULL);
    }
    enum status status = file_failed(diagnostic, "lock it", path);
    file_unlock(lock);
    return status;
}

void file_unlock(struct file_lock *lock)
{
    if (lock->descriptor >= 0)
        close(lock->descriptor);
    lock->descriptor = -1;
}

// ---- removal, which must work where nothing else does: without memory, with two descriptors however deep a tree is,
// and with calls that are allowed between fork and exec

struct removal {
    int top;
    atomic_int *spare; // a descriptor that makes room where there is no other (-1: it is gone); or NULL
};

static int open_folder(const struct removal *removal, int at, const char *name)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = openat(at, name, flags);
    int spare =
        folder < 0 && (errno == EMFILE || errno == ENFILE) && removal->spare ? atomic_exchange(removal->spare, -1) : -1;
    if (spare < 0)
        return folder;
    close(spare);
    return openat(at, name, flags);
}

// Into the top folder, under a name that is free there.
static bool move_up(const struct removal *removal, int folder, const char *name)
{
    static atomic_uint number;
    char other[] = "moved-00000000";
    for (int tries = 0; tries < 1000; tries++) {
        unsigned left = atomic_fetch_add(&number, 1);
        for (size_t digit = sizeof other - 2; other[digit] != '-'; digit--, left /= 10)
            other[digit] = (char)('0' + left % 10);
        if (renameat(folder, name, removal->top, other) == 0)
            return true;
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR && errno != EISDIR)
            break;
    }
    return false;
}

static size_t empty_folder(const struct removal *removal, int folder);

// How much closer that brings us to an empty folder. What is deeper than one folder moves up, to be met again.
static size_t remove_entry(const struct removal *removal, int folder, const char *name)
{
    if (unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0)
        return 1;
    if (folder != removal->top)
        return move_up(removal, folder, name);
    int below = open_folder(removal, folder, name);
    if (below < 0)
        return 0;
    size_t gone = empty_folder(removal, below);
    close(below);
    return gone + (unlinkat(folder, name, AT_REMOVEDIR) == 0);
}

// opendir would allocate.
static size_t empty_folder(const struct removal *removal, int folder)
{
    char buffer[4096] __attribute__((aligned(8)));
    size_t gone = 0;
    lseek(folder, 0, SEEK_SET);
    for (ssize_t length; (length = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;)
        for (ssize_t at = 0; at < length;) {
            const struct dirent64 *entry = (const struct dirent64 *)(buffer + at);
            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                gone += remove_entry(removal, folder, entry->d_name);
        }
    return gone;
}

// Others may still write there: until it is gone, or nothing more will go.
static void remove_folder(const struct removal *removal, const char *path)
{
    enum { ROUNDS = 20000 };
    for (int i = 0; i < ROUNDS && rmdir(path) != 0; i++)
        if (!empty_folder(removal, removal->top))
            return;
}

void file_remove_tree(const char *path)
{
    struct removal removal = {.top = -1};
    removal.top = open_folder(&removal, AT_FDCWD, path);
    if (removal.top < 0) {
        if (unlink(path) != 0)
            rmdir(path);
        return;
    }
    remove_folder(&removal, path);
    close(removal.top);
}

// ---- folders of this process

enum { OWN_MAX = 256 };

// Who makes or removes one holds the mutex, so that none is made after those that are here were removed at the end; no
// memory is asked for under it, since that may end the process.
static struct {
    pthread_mutex_t mutex;
    bool is_registered;
    atomic_int spare; // as long as there are any
    size_t count;
    char paths[OWN_MAX][PATH_MAX]; // "": a free place
    int locks[OWN_MAX];            // descriptors of the folders
} own = {.mutex = PTHREAD_MUTEX_INITIALIZER, .spare = -1};

static size_t find_own(const char *path)
{
    size_t i = 0;
    while (i < OWN_MAX && strcmp(own.paths[i], path) != 0)
        i++;
    return i;
}

static void drop_spare(void)
{
    int spare = own.count ? -1 : atomic_exchange(&own.spare, -1);
    if (spare >= 0)
        close(spare);
}

static void remove_own(size_t i)
{
    remove_folder(&(struct removal){.top = own.locks[i], .spare = &own.spare}, own.paths[i]);
    close(own.locks[i]);
    own.paths[i][0] = '\0';
    own.count--;
    drop_spare();
}

static void remove_all_own(void)
{
    pthread_mutex_lock(&own.mutex); // for ever
    for (size_t i = 0; i < OWN_MAX; i++)
        if (own.paths[i][0])
            remove_own(i);
}

static bool can_remove_own(void)
{
    own.is_registered = own.is_registered || atexit(remove_all_own) == 0;
    if (atomic_load(&own.spare) < 0)
        atomic_store(&own.spare, open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return own.is_registered && atomic_load(&own.spare) >= 0;
}

bool file_make_own(char path[PATH_MAX])
{
    char real[PATH_MAX] = "";
    pthread_mutex_lock(&own.mutex);
    size_t i = find_own("");
    errno = EMFILE;
    bool is_made = i < OWN_MAX && can_remove_own() && mkdtemp(path);
    int lock = is_made ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool is_good = lock >= 0 && realpath(path, real);
    int error = errno;
    if (is_good) {
        flock(lock, LOCK_EX | LOCK_NB); // where locks do not work, nobody else gets one either
        own.locks[i] = lock;
        strcpy(own.paths[i], real);
        own.count++;
    } else {
        if (lock >= 0)
            close(lock);
        if (is_made)
            rmdir(path);
        drop_spare();
    }
    pthread_mutex_unlock(&own.mutex);
    strcpy(path, is_good ? real : "");
    errno = error;
    return is_good;
}

void file_remove_own(const char *path)
{
    pthread_mutex_lock(&own.mutex);
    size_t i = path[0] ? find_own(path) : OWN_MAX;
    if (i < OWN_MAX)
        remove_own(i);
    pthread_mutex_unlock(&own.mutex);
}

// ---- what others left

static bool is_old(const char *path, const struct stat *info)
{
    enum { ABANDONED_SECONDS = 600 };
    (void)path;
    return time(NULL) - info->st_mtime >= ABANDONED_SECONDS;
}

// Whose owner's lock is gone. Who makes one takes a moment to lock it.
static bool is_unlocked(const char *path, const struct stat *info)
{
    enum { LOCKING_SECONDS = 3 };
    int file = time(NULL) - info->st_mtime < LOCKING_SECONDS ? -1 : open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool is_free = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0)
        close(file);
    return is_free;
}

static void remove_those(const char *start, bool (*is_abandoned)(const char *, const struct stat *))
{
    char folder[PATH_MAX];
    const char *slash = strrchr(start, '/'), *prefix = slash ? slash + 1 : start;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - start) + 1 : 1, slash ? start : ".");
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char path[PATH_MAX];
        struct stat info;
        if (!text_starts(entry->d_name, prefix) || strlen(entry->d_name) != strlen(prefix) + RANDOM ||
            fstatat(dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || info.st_uid != geteuid() ||
            !(S_ISDIR(info.st_mode) || S_ISREG(info.st_mode)))
            continue;
        if (snprintf(path, sizeof path, "%s%s", slash ? folder : "", entry->d_name) < PATH_MAX &&
            is_abandoned(path, &info))
            file_remove_tree(path);
    }
    if (stream)
        closedir(stream);
}

void file_remove_abandoned(const char *start)
{
    remove_those(start, is_old);
}

void file_remove_unlocked(const char *start)
{
    remove_those(start, is_unlocked);
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool file_find_program(const char *name, char *path, size_t size)
{
    char candidate[PATH_MAX], variable[64];
    if (name[0] == '$') {
        int length = (int)strcspn(name + 1, "/");
        snprintf(variable, sizeof variable, "%.*s", length, name + 1);
        const char *value = getenv(variable);
        return value && *value && snprintf(candidate, sizeof candidate, "%s%s", value, name + 1 + length) < PATH_MAX &&
               file_find_program(candidate, path, size);
    }
    if (strchr(name, '/')) {
        if (!is_program(name) || !realpath(name, candidate))
            return false;
        // The name counts: nvcc's wrapper scripts find their toolkit by it. Only make it absolute.
        int length = name[0] == '/' ? snprintf(path, size, "%s", name) : snprintf(path, size, "%s", candidate);
        return length > 0 && (size_t)length < size;
    }
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        int length = (int)strcspn(folder, ":");
        if (length > 0 && snprintf(candidate, sizeof candidate, "%.*s/%s", length, folder, name) < PATH_MAX &&
            file_find_program(candidate, path, size))
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

const char *file_shown(const char *path)
{
    char folder[PATH_MAX];
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    return length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

char *file_identify(const char *path, char *text, size_t size)
{
    struct stat info;
    text[0] = '\0';
    if (stat(path, &info) == 0)
        snprintf(text, size, "%s %lld %lld.%09ld", path, (long long)info.st_size, (long long)info.st_mtim.tv_sec,
                 info.st_mtim.tv_nsec);
    return text;
}
