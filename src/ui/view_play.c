// Playground: an index expression becomes a small kernel, a lesson of its own in a temporary folder, and takes the same
// road as every exercise: compiled, run in a worker, recorded. What is shown is what was executed.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "ui/export.h"
#include "ui/view.h"

#define PLAY_LESSON "lessons/90-play"

enum { EXPRESSION_LINE = 9, MOST_THREADS = 1024 };

static const struct {
    const char *label, *note;
} play_fields[PLAY_FIELDS] = {
    {"element", "what a thread touches; threadIdx, lane, warp and `tile` are known"},
    {"type", "float, int, double, float2, float4, char …"},
    {"shape", "of the array: [32][33] or [1024]"},
    {"block", "threads in x, y, z"},
    {"access", "load, store or atomic"},
};

struct play_block {
    unsigned x, y, z;
};

static bool read_block(const char *text, struct play_block *block)
{
    *block = (struct play_block){1, 1, 1};
    int used = sscanf(text, "%u ,%u ,%u", &block->x, &block->y, &block->z);
    if (used < 1)
        return false;
    return block->x >= 1 && block->y >= 1 && block->z >= 1 && block->x <= MOST_THREADS && block->y <= MOST_THREADS &&
           block->z <= 64 && block->x * block->y * block->z <= MOST_THREADS;
}

// One line of the learner's goes into the source as it is; what would end it or start a second statement does not.
static bool is_one_line(const char *text)
{
    return *text && strpbrk(text, ";{}#\"\\`\n\r") == NULL;
}

static const char *check_fields(const struct play_state *play, struct play_block *block)
{
    for (int i = 0; i < PLAY_FIELDS; i++)
        if (!is_one_line(play->fields[i]))
            return "one expression on one line, please: no ; { } # or quotes";
    if (play->fields[PLAY_SHAPE][0] != '[')
        return "the shape is written as in C: [32][33]";
    if (!read_block(play->fields[PLAY_BLOCK], block))
        return "the block is up to three numbers: 32,8,1; at most 1024 threads";
    const char *operation = play->fields[PLAY_OPERATION];
    if (strcmp(operation, "load") != 0 && strcmp(operation, "store") != 0 && strcmp(operation, "atomic") != 0)
        return "the access is load, store or atomic";
    return NULL;
}

static void write_source(const struct play_state *play, struct text *out)
{
    const char *type = play->fields[PLAY_TYPE], *element = play->fields[PLAY_INDEX];
    const char *operation = play->fields[PLAY_OPERATION];
    text_printf(
        out,
        "__global__ void play(unsigned char *raw)\n{\n"
        "    typedef %s element;\n"
        "    __shared__ %s tile%s;\n"
        "    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
        "    unsigned lane = thread %% 32, warp = thread / 32, threads = blockDim.x * blockDim.y * blockDim.z;\n"
        "    for (unsigned i = thread; i < sizeof tile; i += threads) ((unsigned char *)&tile)[i] = raw[i %% 16]; "
        "__syncthreads();\n"
        "    element *out = (element *)raw; (void)lane; (void)warp;\n",
        type, type, play->fields[PLAY_SHAPE]);
    if (strcmp(operation, "store") == 0)
        text_printf(out, "    %s = out[thread];\n    out[thread] = ((element *)&tile)[0];\n}\n", element);
    else if (strcmp(operation, "atomic") == 0)
        text_printf(out, "    out[thread] = atomicAdd(&%s, out[thread]);\n}\n", element);
    else
        text_printf(out, "    out[thread] = %s;\n}\n", element);
}

static void write_config(const struct play_block *block, struct text *out)
{
    text_printf(
        out,
        "title = \"Playground\"; track = \"extra\"; summary = \"An index expression.\"; kernel = \"play\";\n"
        "args = ( { name = \"raw\"; type = \"u8\"; shape = [\"bytes\"]; role = \"inout\"; fill = \"bytes\"; } );\n"
        "reference = \"none\";\n"
        "sizes = ( { name = \"play\"; bytes = %u; role = \"speed\"; } );\n"
        "launch = { grid = [\"1\", \"1\", \"1\"]; block = [\"%u\", \"%u\", \"%u\"]; shared = \"0\"; };\n"
        "tolerance = { absolute = 0.0; relative = 0.0; };\n"
        "gates = ( { id = \"ran\"; kind = \"require\"; when = \"finished\"; points = 100; message = \"It ran.\"; } );\n"
        "starter = \"ran\";\n"
        "hints = ( \"Try it.\" );\n",
        block->x * block->y * block->z * 16 + 16, block->x, block->y, block->z);
}

// A folder as lesson_load wants it: made once, with new files for every run.
static bool write_lesson(struct play_state *play, const struct play_block *block)
{
    char path[512], folder[PATH_MAX];
    const char *parent = getenv("TMPDIR");
    if (!play->directory[0]) {
        parent = parent && *parent ? parent : "/tmp";
        snprintf(folder, sizeof folder, "%.200s/bankshot-play.", parent);
        file_remove_unlocked(folder);
        strcat(folder, "XXXXXX");
        if (!file_make_own(folder))
            return false;
        if ((size_t)snprintf(play->directory, sizeof play->directory, "%s", folder) >= sizeof play->directory) {
            file_remove_own(folder);
            play->directory[0] = '\0';
            return false;
        }
    }
    struct text source = {0}, config = {0}, page = {0};
    write_source(play, &source);
    write_config(block, &config);
    text_puts(&page, "# Playground\n");
    const struct {
        const char *folder, *name;
        const struct text *content;
    } files[] = {{PLAY_LESSON, "lesson.cfg", &config},
                 {PLAY_LESSON, "lesson.md", &page},
                 {PLAY_LESSON, "starter.cu", &source},
                 {"solutions", "90-play.cu", &source}};
    bool good = true;
    for (size_t i = 0; i < sizeof files / sizeof *files && good; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", play->directory, files[i].folder);
        good = file_make_folders(path, true, NULL) == STATUS_OK;
        snprintf(path + length, sizeof path - (size_t)length, "/%s", files[i].name);
        good = good && export_file(path, files[i].content);
    }
    text_free(&source);
    text_free(&config);
    text_free(&page);
    return good;
}

void play_free(struct app *app)
{
    file_remove_own(app->play.directory);
    grade_report_free(app->play.report);
    lesson_free(app->play.lesson);
    app->play = (struct play_state){0};
}

static void run_play(struct app *app)
{
    struct play_state *play = &app->play;
    struct play_block block;
    struct diagnostic diagnostic = {0};
    char folder[512];
    const char *problem = check_fields(play, &block);
    if (problem) {
        app_say(app, ROLE_BAD, "%s", problem);
        return;
    }
    if (!write_lesson(play, &block)) {
        app_say(app, ROLE_BAD, "cannot write a temporary file: %s", strerror(errno));
        return;
    }
    app_cancel(app);
    lesson_free(play->lesson);
    play->lesson = NULL;
    snprintf(folder, sizeof folder, "%s/" PLAY_LESSON, play->directory);
    if (lesson_load(folder, NULL, &play->lesson, &diagnostic) != STATUS_OK) {
        app_say(app, ROLE_BAD, "%s", diagnostic.message);
        return;
    }
    app_start(app, RUN_PLAY, play->lesson, play->lesson->solution);
}

static const struct counter_line *played_line(const struct grade_report *report)
{
    for (size_t i = 0; i < report->record.counters.count; i++) {
        const struct counter_line *line = &report->record.counters.lines[i];
        if (line->space == PTX_SHARED && line->line == EXPRESSION_LINE)
            return line;
    }
    return NULL;
}

// The element on a line of its own, the other fields on the next.
static void draw_fields(struct app *app, struct canvas *canvas, struct rect rect)
{
    const struct play_state *play = &app->play;
    struct pen pen;
    for (int i = 0; i < PLAY_FIELDS; i++) {
        bool here = (int)play->field == i;
        if (i <= PLAY_INDEX + 1)
            pen = canvas_pen(canvas, rect_row(rect, i));
        int start = pen.x;
        pen_put(&pen, ROLE_KEY, here ? "▸ " : "  ");
        pen_put(&pen, here ? ROLE_KEY : ROLE_DIM, "%s", play_fields[i].label);
        pen.x++;
        pen_put(&pen, here ? ROLE_EMPHASIS : ROLE_TEXT, "%s", play->fields[i]);
        if (here) {
            canvas->cursor_x = pen.x < canvas->width ? pen.x : canvas->width - 1;
            canvas->cursor_y = pen.y;
        }
        canvas_target(canvas, (struct rect){start, pen.y, pen.x - start, 1}, TARGET_FIELD, i, -1);
        pen.x++;
    }
}

static void draw_note(struct app *app, struct canvas *canvas, struct rect row)
{
    if (app->run.kind == RUN_PLAY)
        canvas_put(canvas, row, ROLE_KEY, "compiling and running … %.1f s   Esc cancels", app->now - app->run.started);
    else
        canvas_put(canvas, row, ROLE_DIM, "%s: %s", play_fields[app->play.field].label,
                   play_fields[app->play.field].note);
}

static void draw_result(struct app *app, struct canvas *canvas, struct rect rect, const struct grade_report *report)
{
    const struct counter_line *line = played_line(report);
    if (!line) {
        int y = rect.y;
        for (size_t i = 0; i < report->messages.count && y < rect.y + rect.height; i++)
            if (report->messages.items[i].severity == SEVERITY_ERROR)
                canvas_cut(canvas, rect.x + 1, y++, rect.width - 1, ROLE_BAD, report->messages.items[i].message);
        if (report->messages.count == 0)
            canvas_put(canvas, rect, ROLE_DIM, "the compiler left no shared access on this line");
        return;
    }
    struct access_picture picture;
    const struct site site = site_of_line(line);
    picture_make(&picture, &app->play.list, report, &site, true);
    const struct choice *choice = &picture.choice;
    const struct bank_pattern *pattern = picture.pattern;
    char text[300];
    canvas_put(canvas, rect, ROLE_EMPHASIS, "warp %u of %u  wavefronts %u  conflicts %u  (all: %llu and %llu)  %s",
               choice->warp, choice->warps, pattern ? pattern->schedule.cost.wavefronts : 0,
               pattern ? pattern->schedule.cost.conflicts : 0, (unsigned long long)line->wavefronts,
               (unsigned long long)line->conflicts, report->device);
    struct heat heat = {pattern, false, app->play.list.lane, UINT32_MAX, 0, false};
    heat_draw(canvas, (struct rect){rect.x, rect.y + 1, rect.width, rect.height - 2}, &heat);
    heat_describe(pattern, &picture.arrays, app->play.list.lane, text, sizeof text);
    canvas_put(canvas, rect_row(rect, -1), ROLE_TEXT, "%s", text);
}

static void draw_play(struct app *app, struct canvas *canvas, struct rect body)
{
    enum { FIELD_ROWS = 2 };
    draw_fields(app, canvas, body);
    struct rect rest = rect_below(body, FIELD_ROWS);
    if (rest.height < 3)
        return;
    // a heatmap with two lanes a row and what surrounds it is 20 rows; where there are more, notes get one
    bool noted = !app->play.report || app->run.kind == RUN_PLAY || rest.height > 21;
    if (noted) {
        draw_note(app, canvas, rest);
        rest = rect_below(rest, 1);
    }
    struct rect before = canvas_clip(canvas, rest);
    if (app->play.report)
        draw_result(app, canvas, rest, app->play.report);
    else
        canvas_put(canvas, rect_row(rest, 1), ROLE_DIM,
                   "Type an element of the array `tile`; Enter compiles, runs and shows its banks.");
    canvas_unclip(canvas, before);
}

// Every character is text here; only named keys and control characters act.
static bool key_play(struct app *app, uint32_t key)
{
    static const struct {
        uint32_t key;
        enum action action;
    } moves[] = {{KEY_NAME_LEFT, ACTION_LEFT},
                 {KEY_NAME_RIGHT, ACTION_RIGHT},
                 {KEY_NAME_PAGE_DOWN, ACTION_WARP_NEXT},
                 {KEY_NAME_PAGE_UP, ACTION_WARP_PREVIOUS}};
    struct play_state *play = &app->play;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        const struct counter_line *line = play->report ? played_line(play->report) : NULL;
        const struct site site = line ? site_of_line(line) : (struct site){0};
        struct choice choice = list_choose(&play->list, play->report, line ? &site : NULL);
        if (moves[i].key == key)
            return list_move(&play->list, &choice, moves[i].action);
    }
    if (key == KEY_NAME_ENTER)
        run_play(app);
    else if (key == KEY_NAME_TAB || key == KEY_NAME_DOWN)
        play->field = (play->field + 1) % PLAY_FIELDS;
    else if (key == KEY_NAME_BACKTAB || key == KEY_NAME_UP)
        play->field = (play->field + PLAY_FIELDS - 1) % PLAY_FIELDS;
    else
        return prompt_edit(play->fields[play->field], sizeof play->fields[0], key);
    return true;
}

const struct view_ops view_play = {.draw = draw_play, .key = key_play};
