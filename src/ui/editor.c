#include "ui/editor.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool on_path(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static const char *find_editor(void)
{
    static const char *const usual[] = {"editor", "nano", "vim", "vi", "emacs", "micro"};
    const char *name = getenv("VISUAL");
    if (name && *name)
        return name;
    name = getenv("EDITOR");
    if (name && *name)
        return name;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (on_path(usual[i]))
            return usual[i];
    return NULL;
}

// Whether the first word of the command ends in one of the names.
static bool is_one_of(const char *editor, const char *const *names)
{
    size_t length = strcspn(editor, " ");
    size_t start = length;
    while (start > 0 && editor[start - 1] != '/')
        start--;
    for (; *names; names++)
        if (strlen(*names) == length - start && memcmp(*names, editor + start, length - start) == 0)
            return true;
    return false;
}

void editor_arguments(const char *editor, const char *path, int line, char place[], size_t size, const char *words[3])
{
    static const char *const go_to[] = {"code", "codium", "code-insiders", NULL};
    static const char *const colon[] = {"hx", "helix", "subl", "zed", NULL};
    static const char *const plus[] = {"vi",          "vim",   "nvim",   "view", "editor", "nano", "emacs",
                                       "emacsclient", "micro", "kak",    "joe",  "jed",    "mg",   "ne",
                                       "pico",        "jove",  "mcedit", "vis",  NULL};
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
    const char *editor = find_editor();
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
