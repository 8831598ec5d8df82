// The application: opening lessons, moving between views, and what every view does with keys.
#include "ui/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/exercise.h"
#include "ui/view.h"

// Terminals that give their colours do so as COLORFGBG="15;0": the last number is the background; 7 and 15 are light.
static enum theme theme_of_terminal(void)
{
    const char *colours = getenv("COLORFGBG");
    const char *background = colours ? strrchr(colours, ';') : NULL;
    bool light = background && (strcmp(background, ";7") == 0 || strcmp(background, ";15") == 0);
    return light ? THEME_LIGHT : THEME_DARK;
}

static enum theme first_theme(const struct ui_options *options, bool *chosen)
{
    const char *name = options->theme ? options->theme : getenv("BANKSHOT_THEME");
    enum theme theme = name ? theme_find(name) : THEME_COUNT;
    *chosen = theme != THEME_COUNT || getenv("COLORFGBG");
    return theme == THEME_COUNT ? theme_of_terminal() : theme;
}

void app_init(struct app *app, struct lesson_set *set, struct progress *progress, const struct ui_options *options)
{
    *app = (struct app){.set = set, .progress = progress, .options = *options, .watched = -1, .pressed_at = -1};
    app->lesson_count = set->count;
    app->lessons = mem_alloc((set->count + 1) * sizeof *app->lessons);
    for (size_t i = 0; i < set->count; i++)
        app->lessons[i].lesson = set->items[i];
    app->theme = first_theme(options, &app->theme_chosen);
    app->view = VIEW_HOME;
    canvas_init(&app->canvas, LAYOUT_FULL_WIDTH, LAYOUT_FULL_HEIGHT);
    app->canvas.ascii = options->ascii;
    app->canvas.mono = options->mono;
    const char *mouse = getenv("BANKSHOT_MOUSE");
    app->mouse = options->mouse || (mouse && *mouse && strcmp(mouse, "0") != 0);
    static const char *const fields[PLAY_FIELDS] = {"tile[threadIdx.x][threadIdx.y]", "float", "[32][32]", "32,8",
                                                    "load"};
    for (int i = 0; i < PLAY_FIELDS; i++)
        snprintf(app->play.fields[i], sizeof app->play.fields[i], "%s", fields[i]);
    const char *current = progress ? progress_current(progress) : "";
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->items[i]->id, current) == 0)
            app->home.cursor = (int)i;
}

// The reading position goes to the file when the lesson is left, not with every key.
static void keep_position(struct app *app)
{
    if (app->progress && app->watched >= 0)
        progress_set_position(app->progress, app_lesson(app)->lesson->id, app->text.top, NULL);
}

void app_free(struct app *app)
{
    app_cancel(app);
    keep_position(app);
    question_close(app);
    for (size_t i = 0; i < app->lesson_count; i++) {
        struct ui_lesson *lesson = &app->lessons[i];
        markdown_free(lesson->page);
        markdown_free(lesson->why);
        free(lesson->source);
        app_free_runs(lesson);
        grade_report_free(lesson->starter_run);
        grade_report_free(lesson->solution);
    }
    free(app->lessons);
    play_free(app);
    canvas_free(&app->canvas);
}

void app_choose_theme(struct app *app, const char *name)
{
    enum theme theme = *name ? theme_find(name) : (app->theme + 1) % THEME_COUNT;
    if (theme == THEME_COUNT) {
        app_say(app, ROLE_BAD, "there is no theme '%.20s': dark, light, safe", name);
        return;
    }
    app->theme = theme;
    app->theme_chosen = true;
    if (app->host)
        app->host->keep_theme(app->host->context, theme);
    app_say(app, ROLE_DIM, "theme: %s", theme_name(theme));
}

void app_resize(struct app *app, int width, int height)
{
    if (app->watched >= 0)
        lesson_resize(app, width, height);
    else
        canvas_resize(&app->canvas, width, height);
    app->redraw_all = true;
}

static void draw_too_small(struct app *app, struct rect body)
{
    char text[96];
    snprintf(text, sizeof text, "%d x %d is too small: Bankshot needs %d x %d", body.width, body.height,
             LAYOUT_FULL_WIDTH, LAYOUT_FULL_HEIGHT);
    const char *at = text;
    for (int y = 0; y < body.height && *at && body.width > 0; y++) {
        canvas_text(&app->canvas, 0, y, body.width, ROLE_TEXT, at);
        size_t length = strlen(at);
        at += length < (size_t)body.width ? length : (size_t)body.width;
    }
}

void app_draw(struct app *app)
{
    struct canvas *canvas = &app->canvas;
    canvas_clear(canvas);
    struct screen_frame frame = view_frame(app);
    if (frame.too_small) {
        draw_too_small(app, frame.body);
        return;
    }
    title_draw(app, canvas, frame.title);
    struct rect before = canvas_clip(canvas, frame.body);
    view_draw(app, frame.body);
    canvas_unclip(canvas, before);
    if (frame.strip.height > 0)
        strip_draw(app, canvas, frame.strip);
    if (app->prompt.kind != PROMPT_NONE)
        prompt_draw(app, canvas, frame.body, frame.status);
    else
        status_draw(app, canvas, frame.status);
}

// ---- moving between views

void app_go(struct app *app, enum view view)
{
    if (view == app->view)
        return;
    const int deepest = (int)(sizeof app->came_from / sizeof *app->came_from);
    if (view == VIEW_HOME) {
        app->depth = 0;
    } else if (view == VIEW_HELP || view == VIEW_PLAY || app->view == VIEW_HOME) {
        if (app->depth < deepest)
            app->came_from[app->depth++] = app->view;
    }
    if (view == VIEW_PLAY && app->view == VIEW_BANKS)
        play_fill(app);
    app->view = view;
    app->match[0] = '\0';
    if (view == VIEW_BANKS)
        banks_tell_fused(app);
}

// Whoever comes home with a passed lesson is placed at the next one.
static void leave_for_next(struct app *app)
{
    const struct ui_lesson *lesson = app_lesson(app);
    int following = app_following_lesson(app);
    if (lesson->report && lesson->report->verdict == VERDICT_PASS && following >= 0)
        app->home.cursor = following;
}

static void go_back(struct app *app)
{
    if (app->view == VIEW_HOME) {
        app->quit = true;
        return;
    }
    app->match[0] = '\0';
    if (app->view == VIEW_HELP || app->view == VIEW_PLAY) {
        app->view = app->depth > 0 ? app->came_from[--app->depth] : VIEW_HOME;
    } else if (app->view != VIEW_LESSON) {
        app->view = VIEW_LESSON;
    } else {
        app->depth = 0;
        app->view = VIEW_HOME;
        // another lab may have written since; what cannot be read now stays as it was
        if (app->progress)
            progress_refresh(app->progress, NULL);
        leave_for_next(app);
    }
}

static struct markdown *read_page(const char *path)
{
    struct diagnostic why = {0};
    char *content = path ? exercise_read(path, &why) : NULL;
    struct text said = {0};
    if (path && !content)
        text_printf(&said, "    %s: %s\n", why.file, why.message); // as it is
    const char *text = content ? content : text_get(&said);
    struct markdown *page = path ? markdown_parse(text, strlen(text)) : NULL;
    text_free(&said);
    free(content);
    return page;
}

// Reads the exercise again. False: it cannot be read now (a rename under way, or it is gone).
static bool read_source(struct ui_lesson *lesson)
{
    struct diagnostic diagnostic = {0};
    char *source = exercise_read(lesson->lesson->exercise, &diagnostic);
    const char *name = text_file_name(diagnostic.file);
    snprintf(lesson->source_message, sizeof lesson->source_message, "%.200s%s%.300s", name, *name ? ": " : "",
             diagnostic.message);
    if (!source)
        return false;
    free(lesson->source);
    lesson->source = source;
    lesson->source_hash = exercise_hash(source);
    return true;
}

void app_open(struct app *app, size_t index)
{
    if (index >= app->lesson_count)
        return;
    question_close(app);
    keep_position(app);
    if (index != app->current || app->watched < 0) {
        app->text = app->source = app->report = (struct scroll){0};
        app->global = (struct access_list){0};
        app->banks = (struct banks_state){0};
        app->step = (struct step_state){0};
        app->block = 0;
        app->source_pane = false;
    }
    app->current = index;
    app->home.cursor = (int)index;
    struct ui_lesson *lesson = &app->lessons[index];
    struct diagnostic diagnostic;
    if (!lesson->page)
        lesson->page = read_page(lesson->lesson->page);
    if (!lesson->why)
        lesson->why = read_page(lesson->lesson->why);
    if (app->progress) {
        progress_set_current(app->progress, lesson->lesson->id, &diagnostic);
        app->text.top = progress_get(app->progress, lesson->lesson->id)->position;
    }
    app->watched = (int)index;
    if (app->host)
        app->host->watch(app->host->context, lesson->lesson->exercise);
    bool readable = read_source(lesson);
    app_go(app, VIEW_LESSON);
    if (readable && lesson->source_hash != lesson->graded_hash)
        app_run(app, RUN_GRADE);
}

void app_file_changed(struct app *app)
{
    if (app->watched < 0)
        return;
    struct ui_lesson *lesson = &app->lessons[app->watched];
    // what is already graded, or being graded, is not graded twice however many events its saving made
    if (read_source(lesson) && lesson->source_hash != lesson->graded_hash)
        app_run(app, RUN_GRADE);
}

// Without a workspace the exercises are the installed starters, which are nobody's to change.
static bool has_workspace(struct app *app)
{
    if (app->set->workspace)
        return true;
    app_say(app, ROLE_BAD, "no workspace here: leave, run 'bankshot init DIR', and start bankshot in DIR");
    return false;
}

void app_edit(struct app *app, int line)
{
    struct ui_lesson *lesson = app_lesson(app);
    struct diagnostic diagnostic;
    if (!lesson || !app->host || !has_workspace(app))
        return;
    enum status status =
        app->host->edit(app->host->context, lesson->lesson->exercise, line < 1 ? 1 : line, &diagnostic);
    if (status != STATUS_OK)
        app_say(app, ROLE_BAD, "%s", diagnostic.message);
    app->redraw_all = true;
    app_file_changed(app);
}

void app_reset_exercise(struct app *app)
{
    struct ui_lesson *lesson = app_lesson(app);
    struct diagnostic diagnostic;
    char *backup = NULL;
    if (!has_workspace(app))
        return;
    if (lesson_reset(lesson->lesson, &backup, &diagnostic) != STATUS_OK)
        app_say(app, ROLE_BAD, "%s", diagnostic.message);
    else if (backup)
        app_say(app, ROLE_GOOD, "the starter is back; yours is kept as %s", backup);
    else
        app_say(app, ROLE_GOOD, "the starter is back");
    free(backup);
    app_file_changed(app);
}

// ---- keys

static void find_next(struct app *app, int direction)
{
    if (app->match[0] == '\0')
        app_say(app, ROLE_DIM, "/ searches");
    else if (!view_find(app, direction))
        app_say(app, ROLE_BAD, "no match for '%s'", app->match);
}

static void act_cancel(struct app *app)
{
    // the playground is left with Esc, so there it only cancels what was started there
    bool cancels = app->view == VIEW_PLAY ? app->run.kind == RUN_PLAY : app->run.kind != RUN_NONE;
    if (app->banks.playing || app->step.playing) {
        app->banks.playing = app->step.playing = false;
    } else if (cancels) {
        if (app->run.kind == RUN_RECORD)
            blocks_refused(app, app->run.target);
        if (app->run.kind == RUN_TIMELINE)
            timeline_refused(app, app->run.target, "no timeline: cancelled. The next run makes one.");
        app_cancel(app);
        app_say(app, ROLE_DIM, "cancelled");
    } else if (app->match[0]) {
        app->match[0] = '\0';
    } else if (app->view != VIEW_HOME) {
        go_back(app);
    }
}

static void go_lesson(struct app *app)
{
    if (app->view == VIEW_HOME || app->watched < 0)
        app_open(app, (size_t)(app->view == VIEW_HOME ? app->home.cursor : (int)app->current));
    else
        app_go(app, VIEW_LESSON);
}

static void toggle_mouse(struct app *app)
{
    app->mouse = !app->mouse;
    if (app->host)
        app->host->mouse(app->host->context, app->mouse);
    app_say(app, ROLE_DIM,
            app->mouse ? "mouse on: click, click twice to open, wheel; M: off, so that text can be selected"
                       : "mouse off: the terminal selects text");
}

// Which run is "before"; one of the starter is made when it is first wanted.
static void next_versus(struct app *app)
{
    static const char *const words[] = {"the run before", "the starter", "your best run"};
    struct ui_lesson *lesson = app_lesson(app);
    do
        app->versus = (app->versus + 1) % VERSUS_COUNT;
    while (app->versus == VERSUS_STARTER && app->options.own);
    bool is_missing = app->versus == VERSUS_STARTER && !lesson->starter_run;
    if (is_missing)
        app_run(app, RUN_STARTER);
    app_say(app, ROLE_DIM, "compared with %s%s", words[app->versus],
            is_missing || app_before(app)                                  ? ""
            : app->versus == VERSUS_BEST && lesson->best == lesson->report ? ": this is it"
                                                                           : ": there is none yet");
}

static void act_anywhere(struct app *app, enum action action)
{
    switch (action) {
    case ACTION_BACK:
        go_back(app);
        break;
    case ACTION_QUIT:
        app->quit = true;
        break;
    case ACTION_CANCEL:
        act_cancel(app);
        break;
    case ACTION_PALETTE:
        prompt_open(app, PROMPT_PALETTE);
        break;
    case ACTION_SEARCH:
        prompt_open(app, PROMPT_SEARCH);
        break;
    case ACTION_NEXT:
    case ACTION_PREVIOUS:
        find_next(app, action == ACTION_NEXT ? 1 : -1);
        break;
    case ACTION_RUN:
        app_run(app, RUN_GRADE);
        break;
    case ACTION_NEXT_LESSON:
        if (app_following_lesson(app) >= 0)
            app_open(app, (size_t)app_following_lesson(app));
        else
            app_say(app, ROLE_DIM, "no lesson that is not passed comes after this one");
        break;
    case ACTION_VERSUS:
        next_versus(app);
        break;
    case ACTION_ANSWER:
        lesson_ask(app);
        break;
    case ACTION_GO_LESSON:
        go_lesson(app);
        break;
    case ACTION_THEME:
        app_choose_theme(app, "");
        break;
    case ACTION_MOUSE:
        toggle_mouse(app);
        break;
    case ACTION_REDRAW:
        app->redraw_all = true;
        break;
    case ACTION_HELP:
        app->help = (struct scroll){0};
        if (app->view == VIEW_HELP)
            go_back(app);
        else
            app_go(app, VIEW_HELP);
        break;
    default:
        for (int view = VIEW_LESSON; view < VIEW_COUNT; view++)
            if (app_action_to((enum view)view) == action)
                app_go(app, (enum view)view);
    }
}

void app_act(struct app *app, enum action action)
{
    if (app->options.own && action_is_of_lessons(action))
        app_say(app, ROLE_DIM, "this kernel is your own: it has no task, questions, hints, starter or solution");
    else if (!view_act(app, action) && !blocks_act(app, action))
        act_anywhere(app, action);
    if (!((IN_PICTURE | IN_HELP) & (1u << app->view)))
        question_close(app);
}

void app_interrupt(struct app *app)
{
    if (app->run.kind == RUN_NONE) {
        app->quit = true;
        return;
    }
    act_cancel(app);
    app_say(app, ROLE_DIM, "cancelled; ^C once more leaves");
}

void app_key(struct app *app, uint32_t key)
{
    app->message[0] = '\0';
    if (app->prompt.kind != PROMPT_NONE) {
        prompt_key(app, key);
        return;
    }
    if (key == '\n')
        key = KEY_NAME_ENTER;
    if (view_key(app, key))
        return;
    app_act(app, action_for_key(app->view, key));
}
