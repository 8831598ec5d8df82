// The exercise's file as the screen handles it: read, watched, opened in an editor.
#ifndef BANKSHOT_UI_EXERCISE_H
#define BANKSHOT_UI_EXERCISE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diagnostic.h"

// The whole text of a regular file of at most a MiB; free() it. NUL bytes become \x01, which is shown as such. NULL:
// the diagnostic says why.
char *exercise_read(const char *path, struct diagnostic *diagnostic);

uint64_t exercise_hash(const char *text); // never 0

// Watches one file by watching its folder, so that editors that write beside it and rename are seen as well. It says
// that something happened, never what: the reader compares contents. A folder that goes away and is made again, as by
// a version control that changes branches, is watched again.
struct file_watch {
    int descriptor;  // for poll(); -1 = inotify is not there
    int folder;      // watch of the folder, or of one above it; -1 = none
    bool waits;      // of one above it: it is not there now
    char path[4096]; // the file
    char name[256];  // its last component
};
void watch_open(struct file_watch *watch);
void watch_close(struct file_watch *watch);
void watch_file(struct file_watch *watch, const char *path); // instead of the one before
bool watch_changed(struct file_watch *watch);                // takes all events; true when one was the file's

// $VISUAL, else $EDITOR, else the first usual one that is installed; NULL = none.
const char *editor_name(void);
// Starts it at a line of the file and with the terminal as its own; *process is to be waited for. ENVIRONMENT when
// there is no editor.
enum status editor_start(const char *path, int line, pid_t *process, struct diagnostic *diagnostic);
// The words that open `path` at `line` in that editor, after its own: at most 2, NULL-terminated.
void editor_arguments(const char *editor, const char *path, int line, char place[], size_t size, const char *words[3]);

#endif
