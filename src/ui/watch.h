// Watches one file by watching its folder, so that editors that write beside it and rename are seen as well. Tells
// that something happened, never what: the reader compares contents.
#ifndef BANKSHOT_UI_WATCH_H
#define BANKSHOT_UI_WATCH_H

#include <stdbool.h>

struct watch {
    int descriptor; // for poll(); -1 = inotify is not there
    int folder;     // watch of the folder; -1 = none
    char name[256]; // the file's last path component
};

void watch_open(struct watch *watch);
void watch_close(struct watch *watch);
void watch_file(struct watch *watch, const char *path); // instead of the one before
bool watch_changed(struct watch *watch);                // takes all events; true when one was the file's

#endif
