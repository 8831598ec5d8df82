// The exercise's file as the screen handles it: read, watched, opened in an editor.
#include "ui/exercise.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/text.h"

enum { LARGEST_SHOWN = 1 << 20 };

char *exercise_read(const char *path, struct diagnostic *diagnostic)
{
    char *text;
    size_t length;
    if (file_read(path, LARGEST_SHOWN, &text, &length, diagnostic) != STATUS_OK)
        return NULL;
    for (char *nul = text; (nul = memchr(nul, '\0', (size_t)(text + length - nul))) != NULL;)
        *nul = '\1';
    return text;
}

uint64_t exercise_hash(const char *text)
{
    return map_hash(MAP_HASH_START, text, strlen(text)) | 1;
}

// ---- watching

void watch_open(struct file_watch *watch)
{
    *watch = (struct file_watch){.descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .folder = -1};
}

void watch_close(struct file_watch *watch)
{
    if (watch->descriptor >= 0)
        close(watch->descriptor);
    *watch = (struct file_watch){.descriptor = -1, .folder = -1};
}

// Cuts the path to the folder that it is in; false: it was the uppermost.
static bool cut_to_folder(char *path)
{
    char *slash = strrchr(path, '/');
    bool has_name = strcmp(path, "/") != 0 && strcmp(path, ".") != 0;
    if (!slash)
        strcpy(path, ".");
    else
        slash[slash == path] = '\0';
    return has_name;
}

// The file's folder or, while that is not there, the nearest one above it that is: there it will be made again.
static void watch_place(struct file_watch *watch)
{
    char folder[PATH_MAX], missing[PATH_MAX] = "";
    const uint32_t wanted = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
    int tries = 3;
    do { // once more when what was missing has come while its parent was being looked for
        if (watch->folder >= 0)
            inotify_rm_watch(watch->descriptor, watch->folder);
        *missing = '\0';
        snprintf(folder, sizeof folder, "%s", watch->path);
        bool above = cut_to_folder(folder);
        while ((watch->folder = inotify_add_watch(watch->descriptor, folder, wanted)) < 0 && above) {
            snprintf(missing, sizeof missing, "%s", folder);
            above = cut_to_folder(folder);
        }
        watch->waits = *missing != '\0';
    } while (watch->waits && watch->folder >= 0 && access(missing, X_OK) == 0 && --tries > 0);
}

void watch_file(struct file_watch *watch, const char *path)
{
    if (watch->descriptor < 0 || strlen(path) >= sizeof watch->path)
        return;
    snprintf(watch->path, sizeof watch->path, "%s", path);
    snprintf(watch->name, sizeof watch->name, "%s", text_file_name(path));
    watch_place(watch);
}

// Whether the folder is another one now, or may be.
static bool moves_place(const struct file_watch *watch, const struct inotify_event *event)
{
    const uint32_t gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED;
    return event->wd == watch->folder && (event->mask & (watch->waits ? gone | IN_CREATE | IN_MOVED_TO : gone));
}

static bool is_mine(const struct file_watch *watch, const struct inotify_event *event)
{
    // a lost event may have been ours
    return (event->mask & IN_Q_OVERFLOW) ||
           (event->wd == watch->folder && event->len > 0 && strcmp(event->name, watch->name) == 0);
}

bool watch_changed(struct file_watch *watch)
{
    _Alignas(struct inotify_event) char events[4096];
    bool changed = false, moved = false;
    ssize_t length;
    while (watch->descriptor >= 0 && (length = read(watch->descriptor, events, sizeof events)) > 0) {
        for (char *at = events; at < events + length;) {
            const struct inotify_event *event = (const struct inotify_event *)(void *)at;
            changed |= is_mine(watch, event);
            moved |= moves_place(watch, event);
            at += sizeof *event + event->len;
        }
    }
    if (moved)
        watch_place(watch);
    return changed || moved;
}

// ---- editing

const char *editor_name(void)
{
    static const char *const wanted[] = {"VISUAL", "EDITOR"};
    static const char *const usual[] = {"editor", "nano", "vim", "vi", "emacs", "micro"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const char *name = getenv(wanted[i]);
        if (name && *name)
            return name;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (file_find_program(usual[i], path, sizeof path))
            return usual[i];
    return NULL;
}

// Whether the first word of the command ends in one of the names.
static bool is_one_of(const char *editor, const char *names)
{
    size_t end = strcspn(editor, " "), start = end;
    while (start > 0 && editor[start - 1] != '/')
        start--;
    return text_lists(names, editor + start, end - start);
}

void editor_arguments(const char *editor, const char *path, int line, char place[], size_t size, const char *words[3])
{
    static const char go_to[] = "code codium code-insiders", colon[] = "hx helix subl zed";
    static const char plus[] =
        "vi vim nvim view editor nano emacs emacsclient micro kak joe jed mg ne pico jove mcedit vis";
    words[1] = words[2] = NULL;
    if (is_one_of(editor, go_to) || is_one_of(editor, colon)) {
        snprintf(place, size, "%s:%d", path, line);
        bool option = is_one_of(editor, go_to);
        words[0] = option ? "--goto" : place;
        words[1] = option ? place : NULL;
    } else if (is_one_of(editor, plus)) {
        snprintf(place, size, "+%d", line);
        words[0] = place;
        words[1] = path;
    } else {
        words[0] = path;
    }
}

static void run_editor(const char *editor, const char *const words[3])
{
    static const int reset[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGPIPE, SIGWINCH, SIGCHLD};
    sigset_t none;
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        signal(reset[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // through the shell, so that "code --wait" works and the path needs no quoting
    char command[4096];
    snprintf(command, sizeof command, "exec %s \"$@\"", editor);
    execl("/bin/sh", "sh", "-c", command, "sh", words[0], words[1], words[2], (char *)NULL);
    _exit(127);
}

enum status editor_start(const char *path, int line, pid_t *process, struct diagnostic *diagnostic)
{
    const char *editor = editor_name();
    char place[4096];
    const char *words[3];
    if (!editor)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "no editor found: set $EDITOR, or edit %.200s elsewhere",
                              path);
    editor_arguments(editor, path, line, place, sizeof place, words);
    *process = fork();
    if (*process < 0)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "cannot start %.100s: %s", editor, strerror(errno));
    if (*process == 0)
        run_editor(editor, words);
    return STATUS_OK;
}
