#include "ui/watch.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

void watch_open(struct watch *watch)
{
    *watch = (struct watch){.descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .folder = -1};
}

void watch_close(struct watch *watch)
{
    if (watch->descriptor >= 0)
        close(watch->descriptor);
    *watch = (struct watch){.descriptor = -1, .folder = -1};
}

void watch_file(struct watch *watch, const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (watch->descriptor < 0 || length >= sizeof folder)
        return;
    if (watch->folder >= 0)
        inotify_rm_watch(watch->descriptor, watch->folder);
    memcpy(folder, path, length);
    folder[length] = '\0';
    const char *place = slash == path ? "/" : slash ? folder : ".";
    snprintf(watch->name, sizeof watch->name, "%s", slash ? slash + 1 : path);
    watch->folder = inotify_add_watch(watch->descriptor, place, IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR);
}

static bool is_mine(const struct watch *watch, const struct inotify_event *event)
{
    // a lost event may have been ours
    return (event->mask & IN_Q_OVERFLOW) ||
           (event->wd == watch->folder && event->len > 0 && strcmp(event->name, watch->name) == 0);
}

bool watch_changed(struct watch *watch)
{
    _Alignas(struct inotify_event) char events[4096];
    bool changed = false;
    ssize_t length;
    while (watch->descriptor >= 0 && (length = read(watch->descriptor, events, sizeof events)) > 0) {
        for (char *at = events; at < events + length;) {
            const struct inotify_event *event = (const struct inotify_event *)(void *)at;
            changed |= is_mine(watch, event);
            at += sizeof *event + event->len;
        }
    }
    return changed;
}
