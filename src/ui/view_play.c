// Playground: an index expression becomes a small kernel, a lesson of its own in a temporary folder, and takes the same
// road as every exercise: compiled, run in a worker, recorded. What is shown is what was executed.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/layout.h"
#include "ui/view.h"

enum { EXPRESSION_LINE = 9, MOST_THREADS = 1024 };

static const char *const labels[PLAY_FIELDS] = {"element", "type", "shape", "block", "access"};
static const char *const notes[PLAY_FIELDS] = {
    "what a thread touches; threadIdx, lane, warp and `tile` are known",
    "float, int, double, float2, float4, char …",
    "of the array: [32][33] or [1024]",
    "threads in x, y, z",
    "load, store or atomic",
};

struct shape {
    unsigned x, y, z;
};

static bool read_block(const char *text, struct shape *block)
{
    *block = (struct shape){1, 1, 1};
    int used = sscanf(text, "%u ,%u ,%u", &block->x, &block->y, &block->z);
    if (used < 1)
        return false;
    return block->x >= 1 && block->y >= 1 && block->z >= 1 && block->x <= MOST_THREADS && block->y <= MOST_THREADS &&
           block->z <= 64 && block->x * block->y * block->z <= MOST_THREADS;
}

// One line of the learner's goes into the source as it is; what would end it or start a second statement does not.
static bool is_plain(const char *text)
{
    return *text && strpbrk(text, ";{}#\"\\`\n\r") == NULL;
}

static const char *check_fields(const struct play_state *play, struct shape *block)
{
    for (int i = 0; i < PLAY_FIELDS; i++)
        if (!is_plain(play->fields[i]))
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

static void write_config(const struct shape *block, struct text *out)
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

static bool put_file(const char *folder, const char *name, const struct text *content)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    bool good = file && fwrite(text_get(content), 1, content->length, file) == content->length;
    return file && fclose(file) == 0 && good;
}

static bool make_folders(struct play_state *play)
{
    char path[512];
    const char *parent = getenv("TMPDIR");
    if (play->directory[0])
        return true;
    snprintf(play->directory, sizeof play->directory, "%.200s/bankshot-play.XXXXXX",
             parent && *parent ? parent : "/tmp");
    if (!mkdtemp(play->directory)) {
        play->directory[0] = '\0';
        return false;
    }
    static const char *const folders[] = {"lessons", "lessons/90-play", "solutions"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", play->directory, folders[i]);
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

void play_free(struct app *app)
{
    static const char *const files[] = {"lessons/90-play/lesson.cfg", "lessons/90-play/lesson.md",
                                        "lessons/90-play/starter.cu", "solutions/90-play.cu"};
    static const char *const folders[] = {"lessons/90-play", "lessons", "solutions", ""};
    struct play_state *play = &app->play;
    char path[512];
    for (size_t i = 0; play->directory[0] && i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", play->directory, files[i]);
        unlink(path);
    }
    for (size_t i = 0; play->directory[0] && i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", play->directory, folders[i]);
        rmdir(path);
    }
    grade_report_free(play->report);
    lesson_free(play->lesson);
    play->report = NULL;
    play->lesson = NULL;
    play->directory[0] = '\0';
}

static bool write_lesson(struct play_state *play, const struct shape *block)
{
    struct text source = {0}, config = {0}, page = {0};
    char folder[512], solutions[512];
    write_source(play, &source);
    write_config(block, &config);
    text_puts(&page, "# Playground\n");
    snprintf(folder, sizeof folder, "%s/lessons/90-play", play->directory);
    snprintf(solutions, sizeof solutions, "%s/solutions", play->directory);
    bool good = put_file(folder, "lesson.cfg", &config) && put_file(folder, "lesson.md", &page) &&
                put_file(folder, "starter.cu", &source) && put_file(solutions, "90-play.cu", &source);
    text_free(&source);
    text_free(&config);
    text_free(&page);
    return good;
}

static void run_play(struct app *app)
{
    struct play_state *play = &app->play;
    struct shape block;
    struct diagnostic diagnostic = {0};
    char folder[512];
    const char *problem = check_fields(play, &block);
    if (problem) {
        app_say(app, ROLE_BAD, "%s", problem);
        return;
    }
    if (!make_folders(play) || !write_lesson(play, &block)) {
        app_say(app, ROLE_BAD, "cannot write a temporary file: %s", strerror(errno));
        return;
    }
    app_cancel(app);
    lesson_free(play->lesson);
    play->lesson = NULL;
    snprintf(folder, sizeof folder, "%s/lessons/90-play", play->directory);
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
    int x = rect.x + 1;
    for (int i = 0; i < PLAY_FIELDS; i++) {
        bool here = (int)play->field == i;
        int y = rect.y + (i > PLAY_INDEX ? 1 : 0);
        x = i == PLAY_INDEX + 1 ? rect.x + 1 : x;
        int start = x;
        x += canvas_text(canvas, x, y, 2, ROLE_KEY, here ? "▸ " : "  ");
        x += canvas_text(canvas, x, y, 20, here ? ROLE_KEY : ROLE_DIM, labels[i]) + 1;
        x += canvas_text(canvas, x, y, rect.x + rect.width - x, here ? ROLE_EMPHASIS : ROLE_TEXT, play->fields[i]);
        if (here) {
            canvas->cursor_x = x < canvas->width ? x : canvas->width - 1;
            canvas->cursor_y = y;
        }
        canvas_target(canvas, (struct rect){start, y, x - start, 1}, TARGET_FIELD, i, -1);
        x++;
    }
}

static void draw_note(struct app *app, struct canvas *canvas, struct rect row)
{
    const struct run *run = &app->run;
    if (run->kind == RUN_PLAY)
        canvas_put(canvas, row, ROLE_KEY, "compiling and running … %.1f s   Esc cancels", app->now - run->started);
    else
        canvas_put(canvas, row, ROLE_DIM, "%s: %s", labels[app->play.field], notes[app->play.field]);
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
    const struct recording *recording = &report->record.recording;
    uint32_t warps = access_warps(recording), warp = app->play.warp < warps ? app->play.warp : 0;
    const struct recorded_access *access = access_get(recording, line, warp, 0);
    struct bank_pattern pattern;
    struct shared_arrays arrays = {0};
    char text[300];
    if (access)
        bank_pattern_of(&pattern, access, true);
    if (report->source)
        shared_arrays_read(&arrays, report->source, NULL);
    canvas_put(canvas, rect, ROLE_EMPHASIS, "warp %u of %u  wavefronts %u  conflicts %u  (all: %llu and %llu)  %s",
               warp, warps, access ? pattern.schedule.cost.wavefronts : 0, access ? pattern.schedule.cost.conflicts : 0,
               (unsigned long long)line->wavefronts, (unsigned long long)line->conflicts, report->device);
    struct heat heat = {access ? &pattern : NULL, false, app->play.lane, UINT32_MAX, 0};
    heat_draw(canvas, (struct rect){rect.x, rect.y + 1, rect.width, rect.height - 2}, &heat);
    heat_describe(access ? &pattern : NULL, &arrays, app->play.lane, text, sizeof text);
    canvas_put(canvas, rect_row(rect, rect.height - 1), ROLE_TEXT, "%s", text);
}

static void draw_play(struct app *app, struct canvas *canvas, struct rect body)
{
    enum { FIELD_ROWS = 2 };
    draw_fields(app, canvas, (struct rect){body.x, body.y, body.width, FIELD_ROWS});
    struct rect rest = {body.x, body.y + FIELD_ROWS, body.width, body.height - FIELD_ROWS};
    if (rest.height < 3)
        return;
    // a heatmap with two lanes a row and what surrounds it is 20 rows; where there are more, notes get one
    bool noted = !app->play.report || app->run.kind == RUN_PLAY || rest.height > 21;
    if (noted) {
        draw_note(app, canvas, rect_row(rest, 0));
        rest.y++;
        rest.height--;
    }
    struct rect before = canvas_clip(canvas, rest);
    if (app->play.report)
        draw_result(app, canvas, rest, app->play.report);
    else
        canvas_text(canvas, rest.x + 1, rest.y + 1, rest.width - 1, ROLE_DIM,
                    "Type an element of the array `tile`; Enter compiles, runs and shows its banks.");
    canvas_unclip(canvas, before);
}

static bool act_play(struct app *app, enum action action)
{
    (void)app, (void)action;
    return false;
}

// Every character is text here; only named keys and control characters act.
static bool key_play(struct app *app, uint32_t code)
{
    struct play_state *play = &app->play;
    char *field = play->fields[play->field];
    switch (code) {
    case KEY_NAME_TAB:
    case KEY_NAME_DOWN:
        play->field = (play->field + 1) % PLAY_FIELDS;
        return true;
    case KEY_NAME_BACKTAB:
    case KEY_NAME_UP:
        play->field = (play->field + PLAY_FIELDS - 1) % PLAY_FIELDS;
        return true;
    case KEY_NAME_LEFT:
    case KEY_NAME_RIGHT:
        play->lane = (play->lane + (code == KEY_NAME_RIGHT ? 1 : WARP_LANES - 1)) % WARP_LANES;
        return true;
    case KEY_NAME_PAGE_DOWN:
        play->warp++;
        return true;
    case KEY_NAME_PAGE_UP:
        play->warp -= play->warp > 0;
        return true;
    case KEY_NAME_ENTER:
        run_play(app);
        return true;
    default:
        return prompt_edit(field, sizeof play->fields[0], code);
    }
}

const struct view_ops view_play = {draw_play, NULL, act_play, NULL, key_play};
