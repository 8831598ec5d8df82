// The event loop of the screen, with a terminal or with a script of keys, and what the application asks of it.
#include "ui/ui.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "ui/app.h"
#include "ui/exercise.h"
#include "ui/export.h"
#include "ui/term.h"

enum { SCRIPT_WAIT_SECONDS = 120 };

struct ui_session {
    struct app app;
    struct terminal term;
    struct file_watch watch;
    bool has_terminal;
    int device_pipe; // gives the device's name once; -1 = given
    pid_t device_process;
};

// ---- what the application asks of this side

static void host_watch(void *context, const char *path)
{
    struct ui_session *session = context;
    watch_file(&session->watch, path);
}

static void host_mouse(void *context, bool on)
{
    struct ui_session *session = context;
    if (session->has_terminal)
        term_mouse(on);
}

// "theme" among the learner's files: one word. NULL: there is no home.
static char *theme_path(bool makes_folder)
{
    char path[PATH_MAX];
    char *folder = file_user_folder("XDG_STATE_HOME", ".local/state", "bankshot");
    snprintf(path, sizeof path, "%s/theme", folder ? folder : "");
    if (folder && makes_folder)
        file_make_folders(folder, true, NULL);
    free(folder);
    return folder ? mem_strdup(path) : NULL;
}

// A choice that cannot be kept holds until the end.
static void host_keep_theme(void *context, enum theme theme)
{
    (void)context;
    char *path = theme_path(true);
    if (path)
        file_write(path, theme_name(theme), strlen(theme_name(theme)), NULL);
    free(path);
}

static enum theme kept_theme(void)
{
    char *path = theme_path(false), *text = NULL;
    size_t length;
    enum theme theme = THEME_COUNT;
    if (path && file_read(path, 64, &text, &length, NULL) == STATUS_OK)
        theme = theme_find(text);
    free(text);
    free(path);
    return theme;
}

// A stopped editor (^Z) must not leave the lab running without a terminal: it stops too, so that the shell sees its job
// stop, and both go on with `fg`. True: the editor has ended, and *status says how.
static bool follow_editor(pid_t process, int *status)
{
    pid_t changed = waitpid(process, status, WNOHANG | WUNTRACED);
    if (changed != process)
        return changed < 0 && errno != EINTR;
    if (!WIFSTOPPED(*status))
        return true;
    raise(SIGSTOP);
    kill(process, SIGCONT);
    return false;
}

// Runs go on while the editor has the terminal: a save in it is graded at once.
static void wait_for_editor(struct ui_session *session, pid_t process)
{
    enum { LOOKS_EVERY_MS = 500 }; // a script has no signals that would wake it
    struct app *app = &session->app;
    int status = 0;
    while (!follow_editor(process, &status)) {
        struct pollfd wanted[3] = {{session->has_terminal ? term_signal_descriptor() : -1, POLLIN, 0},
                                   {session->watch.descriptor, POLLIN, 0},
                                   {app_descriptor(app), POLLIN, 0}};
        poll(wanted, 3, session->has_terminal && !app->run.handle ? -1 : LOOKS_EVERY_MS);
        if (session->has_terminal && term_wait_lent()) {
            kill(process, SIGHUP);
            app->quit = true;
        }
        app->now = clock_seconds();
        if (watch_changed(&session->watch))
            app_file_changed(app);
        app_poll(app);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        app_say(app, ROLE_BAD, "'%s' could not be started: install it, or set $EDITOR to one that is there",
                editor_name());
}

static enum status host_edit(void *context, const char *path, int line, struct diagnostic *diagnostic)
{
    struct ui_session *session = context;
    pid_t process;
    if (session->has_terminal)
        term_leave();
    enum status status = editor_start(path, line, &process, diagnostic);
    if (status == STATUS_OK)
        wait_for_editor(session, process);
    if (session->has_terminal) {
        term_return(&session->term);
        app_resize(&session->app, session->term.width, session->term.height);
    }
    return status;
}

// ---- the device's name: asked in a child, since opening a GPU takes its time and may go wrong

static void tell_device(const struct ui_options *options, int out)
{
    struct device device = {0};
    struct diagnostic diagnostic;
    const char *line = diagnostic.message;
    if (device_open(&device, options->device ? options->device : "auto", options->gpu_model, options->gpu,
                    &diagnostic) == STATUS_OK)
        line = device.label;
    ssize_t written = write(out, line, strlen(line));
    (void)written; // a reader that is gone needs no answer
}

static void ask_device(struct ui_session *session)
{
    int ends[2];
    session->device_pipe = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    session->device_process = fork();
    if (session->device_process == 0) {
        close(ends[0]);
        tell_device(&session->app.options, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    session->device_pipe = ends[0];
}

static void take_device(struct ui_session *session)
{
    ssize_t length = read(session->device_pipe, session->app.device_line, sizeof session->app.device_line - 1);
    session->app.device_line[length > 0 ? length : 0] = '\0';
    close(session->device_pipe);
    session->device_pipe = -1;
    waitpid(session->device_process, NULL, 0);
}

static void forget_device(struct ui_session *session)
{
    if (session->device_pipe < 0)
        return;
    kill(session->device_process, SIGKILL);
    take_device(session);
}

// ---- with a terminal

static void take_signals(struct ui_session *session)
{
    unsigned events = term_signals(&session->term);
    if (events & TERM_QUIT)
        session->app.quit = true;
    if (events & TERM_INTERRUPTED)
        app_interrupt(&session->app);
    if (events & (TERM_RESIZED | TERM_RESUMED))
        app_resize(&session->app, session->term.width, session->term.height);
    // the file may have been saved while the program slept
    if (events & TERM_RESUMED)
        app_file_changed(&session->app);
}

static void run_terminal(struct ui_session *session)
{
    struct app *app = &session->app;
    uint32_t key;
    struct pointer_event pointer;
    while (!app->quit) {
        app_draw(app);
        term_draw(&session->term, &app->canvas, app->theme, app->redraw_all);
        app->redraw_all = false;
        struct pollfd wanted[5] = {{STDIN_FILENO, POLLIN, 0},
                                   {term_signal_descriptor(), POLLIN, 0},
                                   {session->watch.descriptor, POLLIN, 0},
                                   {app_descriptor(app), POLLIN, 0},
                                   {session->device_pipe, POLLIN, 0}};
        double wait = app_wait(app);
        poll(wanted, 5, wait < 0 ? -1 : (int)(wait * 1000) + 1);
        app->now = clock_seconds();
        take_signals(session);
        while (!app->quit && term_key(&key, &pointer)) {
            if (pointer.kind != POINTER_NONE)
                app_pointer(app, &pointer);
            else if (key)
                app_key(app, key);
        }
        if (term_is_light() && !app->theme_chosen)
            app->theme = THEME_LIGHT;
        // after the keys: what was typed before the terminal went away still counts
        if (wanted[0].revents & (POLLHUP | POLLERR | POLLNVAL))
            app->quit = true;
        if (wanted[4].revents)
            take_device(session);
        if (watch_changed(&session->watch))
            app_file_changed(app);
        app_poll(app);
    }
}

// ---- with a script

static void wait_for_run(struct app *app)
{
    double limit = clock_seconds() + (double)SCRIPT_WAIT_SECONDS;
    while (app->run.kind != RUN_NONE && app->now < limit) {
        struct pollfd wanted = {app_descriptor(app), POLLIN, 0};
        poll(&wanted, 1, 100);
        app->now = clock_seconds();
        app_poll(app);
    }
}

// <wait>, <size WxH>, <screen FILE>; false: it is a key.
static bool run_directive(struct ui_session *session, const char **at)
{
    int width, height, used = 0;
    if (text_starts(*at, "<wait>")) {
        wait_for_run(&session->app);
        *at += strlen("<wait>");
        return true;
    }
    if (sscanf(*at, "<size %dx%d>%n", &width, &height, &used) == 2 && used > 0 && width > 0 && height > 0 &&
        width <= 1000 && height <= 1000) {
        app_resize(&session->app, width, height);
        *at += used;
        return true;
    }
    char path[256];
    used = 0;
    if (sscanf(*at, "<screen %255[^>]>%n", path, &used) == 1 && used > 0) {
        export_command(&session->app, ACTION_SAVE_SCREEN, path);
        *at += used;
        return true;
    }
    return false;
}

static void run_script(struct ui_session *session, const char *script)
{
    struct app *app = &session->app;
    if (session->device_pipe >= 0)
        take_device(session);
    while (*script && !app->quit) {
        app->now = clock_seconds();
        app_poll(app);
        app_draw(app);
        if (run_directive(session, &script))
            continue;
        uint32_t key = key_parse(&script, true);
        if (key)
            app_key(app, key);
    }
}

// ---- both

static const char *open_sets(struct lesson_set *set, struct progress **progress, struct app *app,
                             const struct ui_options *options, struct diagnostic *diagnostic)
{
    enum status kept = STATUS_OK;
    if (options->own) { // it needs neither lessons nor progress
        *set = (struct lesson_set){.items = mem_alloc(sizeof *set->items), .count = 1, .workspace = mem_strdup(".")};
        set->items[0] = options->own_lesson;
    } else if (lesson_set_open(set, diagnostic) != STATUS_OK) {
        return diagnostic->message;
    } else {
        kept = progress_open(progress, diagnostic);
    }
    app_init(app, set, *progress, options);
    app->now = clock_seconds();
    if (kept != STATUS_OK)
        app_say(app, ROLE_BAD, "%s", diagnostic->message);
    return NULL;
}

static void open_first(struct app *app)
{
    char line[1200];
    if (app->options.own) {
        app->lessons[0].page = markdown_parse(app->options.own_page, strlen(app->options.own_page));
        app_open(app, 0);
        return;
    }
    const struct lesson *wanted = app->options.lesson ? lesson_set_find(app->set, app->options.lesson) : NULL;
    for (size_t i = 0; i < app->lesson_count; i++)
        if (app->lessons[i].lesson == wanted)
            app_open(app, i);
    if (app->set->broken.count)
        app_say(app, ROLE_BAD, "%s", diagnostic_format(&app->set->broken.items[0], line, sizeof line));
    if (app->options.lesson && !wanted)
        app_say(app, ROLE_BAD, "there is no lesson '%s'", app->options.lesson);
}

// What was chosen with `:theme` holds until something else is said, for this start by an option or a variable.
static void take_kept_theme(struct app *app)
{
    enum theme kept = kept_theme();
    if (app->options.theme || getenv("BANKSHOT_THEME") || kept == THEME_COUNT)
        return;
    app->theme = kept;
    app->theme_chosen = true;
}

static enum status open_screen(struct ui_session *session, const struct ui_options *options,
                               struct diagnostic *diagnostic)
{
    struct app *app = &session->app;
    take_kept_theme(app);
    if (options->script) {
        setlocale(LC_CTYPE, "C.UTF-8");
        app_resize(app, options->columns > 0 ? options->columns : LAYOUT_FULL_WIDTH,
                   options->rows > 0 ? options->rows : LAYOUT_FULL_HEIGHT);
        return STATUS_OK;
    }
    const char *none = getenv("NO_COLOR");
    bool asks = !app->theme_chosen && !options->mono && !(none && *none);
    enum status status = term_open(&session->term, options->mono, asks, diagnostic);
    if (status != STATUS_OK)
        return status;
    session->has_terminal = true;
    if (app->mouse)
        term_mouse(true);
    app->canvas.ascii = options->ascii || session->term.ascii;
    app->canvas.mono = session->term.colours == 0;
    app_resize(app, session->term.width, session->term.height);
    return STATUS_OK;
}

bool ui_usable(void)
{
    return term_usable();
}

int ui_main(const struct ui_options *options)
{
    struct ui_session *session = mem_alloc(sizeof *session);
    struct lesson_set set = {0};
    struct progress *progress = NULL;
    struct diagnostic diagnostic = {0};
    int result = 2;
    const char *problem = open_sets(&set, &progress, &session->app, options, &diagnostic);
    if (problem || open_screen(session, options, &diagnostic) != STATUS_OK) {
        struct text said = {0};
        text_escape(&said, diagnostic.message, strlen(diagnostic.message), false);
        fprintf(stderr, "bankshot: %s\n", text_get(&said));
        text_free(&said);
        goto out;
    }
    const struct host host = {session, host_watch, host_edit, host_mouse, host_keep_theme};
    watch_open(&session->watch);
    session->app.host = &host;
    ask_device(session);
    open_first(&session->app);
    if (options->script)
        run_script(session, options->script);
    else
        run_terminal(session);
    forget_device(session);
    watch_close(&session->watch);
    if (session->has_terminal)
        term_close();
    result = 0;
out:
    if (session->app.lessons)
        app_free(&session->app);
    if (progress)
        progress_close(progress);
    lesson_set_close(&set);
    free(session);
    return result;
}
