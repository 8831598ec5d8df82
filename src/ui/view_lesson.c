// Lesson: the text with its quiz and hints beside the exercise's source; narrow terminals show one of them at a time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/files.h"
#include "ui/layout.h"
#include "ui/source.h"
#include "ui/view.h"

enum { ABOUT_ROWS = 2, PAGE_TAG = 1, QUESTION_TAG = 10000, HINT_TAG = 20000, WHY_TAG = 30000, SIDEWAYS = 8 };

static const struct progress_lesson *progress_of(struct app *app)
{
    static const struct progress_lesson untouched;
    return app->progress ? progress_get(app->progress, app_lesson(app)->lesson->id) : &untouched;
}

static bool is_passed(struct app *app)
{
    const struct ui_lesson *lesson = app_lesson(app);
    return progress_of(app)->state >= PROGRESS_PASSED || (lesson->report && lesson->report->verdict == VERDICT_PASS);
}

// One pane at a time on narrow screens, and on others when asked for.
static struct lesson_layout layout_of(const struct app *app, struct rect body)
{
    struct lesson_layout layout = layout_lesson(body);
    if (app->one_pane)
        layout = (struct lesson_layout){.tabs = true, .text = body, .source = body};
    return layout;
}

// ---- the text pane

static enum role style_role(unsigned style)
{
    if (style & MARKDOWN_TITLE)
        return ROLE_HEADING;
    if (style & MARKDOWN_MONO)
        return ROLE_CODE;
    if (style & MARKDOWN_LINK)
        return ROLE_LINK;
    if (style & MARKDOWN_MARK)
        return ROLE_DIM;
    return style & (MARKDOWN_STRONG | MARKDOWN_EMPHASIS) ? ROLE_EMPHASIS : ROLE_TEXT;
}

// The blocks from `first` up to, and without, `end`.
static void add_markdown(struct page *page, const struct markdown *text, int first_tag, size_t first, size_t end)
{
    struct markdown_lines *lines = markdown_layout(text, page->width - 2 < 10 ? 10 : page->width - 2, page->ascii);
    for (size_t i = 0; i < lines->count; i++) {
        if (lines->items[i].block < first || lines->items[i].block >= end)
            continue;
        page_start(page, first_tag + (int)lines->items[i].block);
        page_pad(page, 1);
        for (size_t j = 0; j < lines->items[i].count; j++) {
            const struct markdown_segment *segment = &lines->items[i].segments[j];
            page_add(page, style_role(segment->style), "%s", segment->text);
        }
    }
    markdown_lines_free(lines);
}

static void add_question(struct page *page, const struct lesson_question *question, size_t index,
                         const struct progress_answer *answer)
{
    page_start(page, 0);
    page_start(page, QUESTION_TAG + (int)index);
    page_add(page, ROLE_KEY, " ? ");
    page_words(page, 3, ROLE_TEXT, 0, question->question);
    page_start(page, QUESTION_TAG + (int)index);
    if (!answer || !answer->text[0]) {
        page_add(page, ROLE_DIM, "   [      ] %s   a answers", question->unit ? question->unit : "");
        return;
    }
    page_add(page, answer->right ? ROLE_GOOD : ROLE_WARN, "   %s %s", answer->right ? "✓" : "✗", answer->text);
    if (!lesson_settled(answer)) {
        page_add(page, ROLE_DIM, "   not yet; a asks once more, then tells");
        return;
    }
    if (!answer->right)
        page_add(page, ROLE_TEXT, "   the run counted %g %s", answer->counted, question->unit ? question->unit : "");
    if (question->why) {
        page_add(page, ROLE_TEXT, "  ");
        page_words(page, 5, ROLE_DIM, 0, question->why);
    }
}

static void add_questions(struct app *app, struct page *page)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    const struct progress_lesson *progress = progress_of(app);
    if (lesson->question_count > 0) {
        page_start(page, 0);
        page_start(page, 0);
        page_add(page, ROLE_HEADING, " Before you change anything");
    }
    for (size_t i = 0; i < lesson->question_count; i++)
        add_question(page, &lesson->questions[i], i, i < progress->answer_count ? &progress->answers[i] : NULL);
}

static void add_hints(struct app *app, struct page *page)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    int shown = progress_of(app)->hints;
    for (int i = 0; i < shown && (size_t)i < lesson->hint_count; i++) {
        page_start(page, 0);
        page_start(page, HINT_TAG + i);
        page_add(page, ROLE_KEY, " Hint %d of %zu  ", i + 1, lesson->hint_count);
        page_words(page, 3, ROLE_TEXT, 0, lesson->hints[i]);
    }
}

// The heading of the task: predictions are asked for before it. The page's end if there is none.
static size_t task_block(const struct markdown *page)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct markdown_block *block = &page->blocks[i];
        if (block->kind == MARKDOWN_HEADING && block->spans.count == 1 &&
            strcmp(block->spans.items[0].text, "Your task") == 0)
            return i;
    }
    return page->count;
}

static void make_text(struct app *app, struct page *page)
{
    page->by_block = true;
    const struct ui_lesson *lesson = app_lesson(app);
    size_t task = lesson->page ? task_block(lesson->page) : 0;
    if (lesson->page)
        add_markdown(page, lesson->page, PAGE_TAG, 0, task);
    else
        page_words(page, 1, ROLE_BAD, 0, " The lesson's page cannot be read.");
    add_questions(app, page);
    if (lesson->page)
        add_markdown(page, lesson->page, PAGE_TAG, task, lesson->page->count);
    add_hints(app, page);
    if (lesson->why && is_passed(app)) {
        page_start(page, 0);
        page_start(page, 0);
        if (lesson->why->count == 0 || lesson->why->blocks[0].kind != MARKDOWN_HEADING)
            page_add(page, ROLE_HEADING, " Why it works");
        add_markdown(page, lesson->why, WHY_TAG, 0, lesson->why->count);
    }
    page_start(page, 0);
}

// ---- the source pane

static void add_mark(struct source_mark **marks, size_t *count, size_t *capacity, uint32_t line, enum mark mark)
{
    mem_reserve(marks, capacity, *count);
    (*marks)[(*count)++] = (struct source_mark){(int)line, mark};
}

// Marks of the last report, while the text on the screen is the one that it judged.
static struct source_mark *make_marks(const struct ui_lesson *lesson, size_t *count)
{
    struct source_mark *marks = NULL;
    size_t capacity = 0;
    *count = 0;
    const struct grade_report *report = lesson->report;
    if (!report || lesson->source_hash != lesson->graded_hash)
        return NULL;
    for (size_t i = 0; i < report->record.counters.count; i++) {
        const struct counter_line *line = &report->record.counters.lines[i];
        if (line->space == PTX_SHARED && line->instructions > 0)
            add_mark(&marks, count, &capacity, line->line, line->conflicts ? MARK_CONFLICT : MARK_FREE);
    }
    for (size_t i = 0; i < report->record.hazards.count; i++) {
        const struct hazard *hazard = &report->record.hazards.items[i];
        if (hazard->benign)
            continue;
        add_mark(&marks, count, &capacity, hazard->line, MARK_HAZARD);
        if (hazard->other_line)
            add_mark(&marks, count, &capacity, hazard->other_line, MARK_HAZARD);
    }
    for (size_t i = 0; i < report->messages.count; i++)
        if (report->messages.items[i].severity == SEVERITY_ERROR && report->messages.items[i].line > 0)
            add_mark(&marks, count, &capacity, (uint32_t)report->messages.items[i].line, MARK_ERROR);
    return marks;
}

static const char *source_text(const struct ui_lesson *lesson, struct text *solution)
{
    if (!lesson->solution_shown)
        return lesson->source ? lesson->source : "";
    files_read(lesson->lesson->solution, solution, NULL);
    return text_get(solution);
}

static void make_source(const struct ui_lesson *lesson, struct page *page)
{
    struct text solution = {0};
    size_t count = 0;
    struct source_mark *marks = lesson->solution_shown ? NULL : make_marks(lesson, &count);
    source_page(page, source_text(lesson, &solution), marks, count);
    free(marks);
    text_free(&solution);
}

static void about_cost(const struct counter_line *line, char *text, size_t size)
{
    char operation[32], cost[32];
    site_operation(line, false, operation, sizeof operation);
    if (line->space == PTX_SHARED)
        snprintf(text, size, "%s shared: wavefronts each %s, conflicts in all %llu", operation,
                 line->fused_away ? "0 (fused)"
                                  : per_instruction(line->wavefronts, line->instructions, cost, sizeof cost),
                 (unsigned long long)line->conflicts);
    else
        snprintf(text, size, "%s global: %s sectors a request", operation,
                 per_instruction(line->sectors, line->requests, cost, sizeof cost));
}

// What is known about the cursor's line: an error, a hazard, costs. Returns the number of notes (at most ABOUT_ROWS).
static int about_line(const struct ui_lesson *lesson, int line, char notes[ABOUT_ROWS][600],
                      enum role roles[ABOUT_ROWS])
{
    int count = 0;
    const struct grade_report *report = lesson->report;
    if (!report || lesson->solution_shown || lesson->source_hash != lesson->graded_hash)
        return 0;
    for (size_t i = 0; i < report->messages.count && count < ABOUT_ROWS; i++) {
        if (report->messages.items[i].line != line)
            continue;
        roles[count] = ROLE_BAD;
        snprintf(notes[count++], 600, "✗ %.580s", report->messages.items[i].message);
    }
    for (size_t i = 0; i < report->record.hazards.count && count < ABOUT_ROWS; i++) {
        const struct hazard *hazard = &report->record.hazards.items[i];
        if ((int)hazard->line != line && (int)hazard->other_line != line)
            continue;
        roles[count] = ROLE_WARN;
        snprintf(notes[count++], 600, "▲ %.580s", hazard->message);
    }
    for (size_t i = 0; i < report->record.counters.count && count < ABOUT_ROWS; i++) {
        const struct counter_line *cost = &report->record.counters.lines[i];
        if ((int)cost->line != line)
            continue;
        roles[count] = cost->conflicts ? ROLE_HEAT5 : ROLE_TEXT;
        about_cost(cost, notes[count++], 600);
    }
    return count;
}

static void draw_about(struct app *app, struct canvas *canvas, struct rect rect, int line)
{
    char notes[ABOUT_ROWS][600];
    enum role roles[ABOUT_ROWS];
    int count = about_line(app_lesson(app), line, notes, roles);
    canvas_line(canvas, rect.x, rect.y, rect.width, ROLE_BORDER);
    canvas_printf(canvas, rect.x + 1, rect.y, rect.width - 2, ROLE_DIM, " line %d ", line);
    for (int i = 0; i < count; i++)
        canvas_cut(canvas, rect.x + 1, rect.y + 1 + i, rect.width - 1, roles[i], notes[i]);
    if (count > 0)
        return;
    canvas_text(canvas, rect.x + 1, rect.y + 1, rect.width - 1, ROLE_DIM, "● conflict-free  ◆ conflicts");
    canvas_text(canvas, rect.x + 1, rect.y + 2, rect.width - 1, ROLE_DIM, "▲ hazard  ✗ error");
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void draw_source(struct app *app, struct canvas *canvas, struct rect rect, bool focused)
{
    const struct ui_lesson *lesson = app_lesson(app);
    struct page page;
    page_init(&page, rect.width, canvas->ascii);
    make_source(lesson, &page);
    canvas_printf(canvas, rect.x + 1, rect.y, rect.width - 1, focused ? ROLE_HEADING : ROLE_DIM, "%s%s",
                  file_name(lesson->solution_shown ? lesson->lesson->solution : lesson->lesson->exercise),
                  lesson->solution_shown ? "  (the solution; S goes back to yours)" : "");
    struct rect code = {rect.x, rect.y + 1, rect.width, rect.height - 2 - ABOUT_ROWS};
    scroll_fit(&app->source, (int)page.count, code.height, true);
    page_draw(&page, canvas, code, &app->source, app->match);
    canvas_target(canvas, rect, TARGET_PANE, 1, -1);
    for (int y = 0; y < code.height && app->source.top + y < (int)page.count; y++)
        canvas_target(canvas, (struct rect){code.x, code.y + y, code.width, 1}, TARGET_SOURCE, app->source.top + y, -1);
    struct rect cursor = {code.x, code.y + app->source.cursor - app->source.top, code.width, 1};
    if (focused)
        canvas_flag(canvas, (struct rect){cursor.x, cursor.y, 4, 1}, CELL_REVERSE);
    draw_about(app, canvas, (struct rect){rect.x, code.y + code.height, rect.width, 1 + ABOUT_ROWS},
               app->source.cursor + 1);
    page_free(&page);
}

static void draw_text(struct app *app, struct canvas *canvas, struct rect rect)
{
    struct page page;
    page_init(&page, rect.width - 1, canvas->ascii);
    make_text(app, &page);
    scroll_fit(&app->text, (int)page.count, rect.height, false);
    page_draw(&page, canvas, (struct rect){rect.x, rect.y, rect.width - 1, rect.height}, &app->text, app->match);
    canvas_target(canvas, rect, TARGET_PANE, 0, -1);
    page_more(&page, canvas, rect, &app->text);
    page_free(&page);
}

static void draw_tabs(struct app *app, struct canvas *canvas, struct rect row)
{
    canvas_fill(canvas, row, ROLE_TEXT);
    int x = row.x + 1;
    canvas_target(canvas, (struct rect){x, row.y, 6, 1}, TARGET_PANE, 0, -1);
    canvas_target(canvas, (struct rect){x + 7, row.y, 8, 1}, TARGET_PANE, 1, -1);
    x += canvas_text(canvas, x, row.y, 20, app->source_pane ? ROLE_DIM : ROLE_HEADING,
                     app->source_pane ? " text " : "[text]");
    x += canvas_text(canvas, x + 1, row.y, 20, app->source_pane ? ROLE_HEADING : ROLE_DIM,
                     app->source_pane ? "[source]" : " source ") +
         1;
    canvas_text(canvas, x + 2, row.y, 30, ROLE_DIM, "Tab turns over");
}

static void draw(struct app *app, struct canvas *canvas, struct rect body)
{
    struct lesson_layout layout = layout_of(app, body);
    if (!app_lesson(app))
        return;
    if (layout.tabs) {
        draw_tabs(app, canvas, (struct rect){body.x, body.y, body.width, 1});
        struct rect pane = {body.x, body.y + 1, body.width, body.height - 1};
        if (app->source_pane)
            draw_source(app, canvas, pane, true);
        else
            draw_text(app, canvas, pane);
        return;
    }
    draw_text(app, canvas, layout.text);
    canvas_column(canvas, layout.rule.x, layout.rule.y, layout.rule.height, ROLE_BORDER);
    draw_source(app, canvas, layout.source, app->source_pane);
}

// ---- actions

// What stands at the top of the text: the block, and how many of its lines are above. tag 0: the beginning.
struct place {
    int tag, after;
};

static struct place text_place(struct app *app)
{
    struct rect body = {0, 0, app->canvas.width, app->canvas.height};
    struct place place = {0, 0};
    struct page page;
    page_init(&page, layout_of(app, body).text.width - 1, app->canvas.ascii);
    make_text(app, &page);
    int top = app->text.top;
    if (top > 0 && top < (int)page.count) {
        place.tag = page.lines[top].tag;
        place.after = top - page_find_tag(&page, place.tag);
    }
    page_free(&page);
    return place;
}

static void return_to(struct app *app, struct place place)
{
    struct rect body = {0, 0, app->canvas.width, app->canvas.height};
    struct page page;
    if (place.tag == 0)
        return;
    page_init(&page, layout_of(app, body).text.width - 1, app->canvas.ascii);
    make_text(app, &page);
    int line = page_find_tag(&page, place.tag);
    while (line >= 0 && place.after-- > 0 && line + 1 < (int)page.count && page.lines[line + 1].tag == place.tag)
        line++;
    if (line >= 0)
        app->text.top = line;
    page_free(&page);
}

void lesson_resize(struct app *app, int width, int height)
{
    struct place place = text_place(app);
    canvas_resize(&app->canvas, width, height);
    return_to(app, place);
}

static void toggle_full(struct app *app)
{
    struct place place = text_place(app);
    app->one_pane = !app->one_pane;
    return_to(app, place);
    app->text.left = app->source.left = 0;
    if (app->canvas.width < LAYOUT_BESIDE_WIDTH)
        app_say(app, ROLE_DIM, "text and source stand side by side from %d columns on", LAYOUT_BESIDE_WIDTH);
}

// Turns to the text, scrolled so that the lines with the tag are on the screen.
static void show_tag(struct app *app, int tag)
{
    struct page page;
    struct lesson_layout layout = layout_of(app, (struct rect){0, 1, app->canvas.width, app->canvas.height - 3});
    page_init(&page, layout.text.width - 1, app->canvas.ascii);
    make_text(app, &page);
    int line = page_find_tag(&page, tag);
    int height = layout.text.height - 2;
    if (line < app->text.top || line + 4 > app->text.top + height)
        app->text.top = line > 3 ? line - 3 : 0;
    page_free(&page);
    app->source_pane = false;
}

static void show_hint(struct app *app)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    struct diagnostic diagnostic;
    int shown = progress_of(app)->hints;
    if (!app->progress || lesson->hint_count == 0) {
        app_say(app, ROLE_DIM, "this lesson has no hints");
    } else if ((size_t)shown >= lesson->hint_count) {
        app_say(app, ROLE_DIM, "no more hints: all %zu are at the end of the text", lesson->hint_count);
    } else {
        progress_set_hints(app->progress, lesson->id, shown + 1, &diagnostic);
        show_tag(app, HINT_TAG + shown);
        app_say(app, ROLE_KEY, "hint %d of %zu", shown + 1, lesson->hint_count);
    }
}

bool lesson_settled(const struct progress_answer *answer)
{
    return answer->right || answer->tries >= 2;
}

// The first question that is not settled.
static int open_question(struct app *app)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    const struct progress_lesson *progress = progress_of(app);
    for (size_t i = 0; i < lesson->question_count; i++)
        if (i >= progress->answer_count || !lesson_settled(&progress->answers[i]))
            return (int)i;
    return -1;
}

static void ask(struct app *app)
{
    int question = open_question(app);
    if (question < 0) {
        app_say(app, ROLE_DIM, "all questions are answered");
        return;
    }
    show_tag(app, QUESTION_TAG + question);
    prompt_open(app, PROMPT_ANSWER);
}

void lesson_answer(struct app *app, const char *text)
{
    int question = open_question(app);
    if (question >= 0)
        app_run_quiz(app, (size_t)question, text);
}

const char *lesson_asked(struct app *app, char *text, size_t size)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    int question = open_question(app);
    const char *unit = question >= 0 ? lesson->questions[question].unit : NULL;
    snprintf(text, size, "%d of %zu%s%s: ", question + 1, lesson->question_count, unit ? ", in " : "",
             unit ? unit : "");
    return text;
}

void lesson_show_solution(struct app *app)
{
    app_lesson(app)->solution_shown = true;
    app->source_pane = true;
}

static void toggle_solution(struct app *app)
{
    struct ui_lesson *lesson = app_lesson(app);
    if (lesson->solution_shown)
        lesson->solution_shown = false;
    else if (is_passed(app))
        lesson_show_solution(app);
    else
        prompt_open(app, PROMPT_SOLUTION);
}

static bool scroll_pane(struct app *app, enum action action)
{
    struct frame frame = layout_frame(app->canvas.width, app->canvas.height, true);
    struct lesson_layout layout = layout_of(app, frame.body);
    struct rect rect = app->source_pane ? layout.source : layout.text;
    struct page page;
    page_init(&page, rect.width - 1, app->canvas.ascii);
    if (app->source_pane)
        make_source(app_lesson(app), &page);
    else
        make_text(app, &page);
    int height = rect.height - (app->source_pane ? 2 + ABOUT_ROWS : layout.tabs ? 1 : 0);
    struct scroll *scroll = app->source_pane ? &app->source : &app->text;
    bool known = scroll_move(scroll, action, (int)page.count, height, app->source_pane);
    page_free(&page);
    return known;
}

// The pane with the keys, as far as its longest line goes.
static void scroll_sideways(struct app *app, int by)
{
    struct frame frame = layout_frame(app->canvas.width, app->canvas.height, true);
    struct lesson_layout layout = layout_of(app, frame.body);
    struct rect rect = app->source_pane ? layout.source : layout.text;
    struct scroll *scroll = app->source_pane ? &app->source : &app->text;
    struct page page;
    page_init(&page, app->source_pane ? rect.width : rect.width - 1, app->canvas.ascii);
    if (app->source_pane)
        make_source(app_lesson(app), &page);
    else
        make_text(app, &page);
    int most = page_overhang(&page, page.width);
    page_free(&page);
    if (most == 0)
        app_say(app, ROLE_DIM, "nothing is wider than this pane");
    scroll->left += by;
    scroll->left = scroll->left > most ? most : scroll->left;
    scroll->left = scroll->left < 0 ? 0 : scroll->left;
}

static bool act(struct app *app, enum action action)
{
    if (!app_lesson(app))
        return false;
    switch (action) {
    case ACTION_PANE:
        app->source_pane = !app->source_pane;
        return true;
    case ACTION_FULL:
        toggle_full(app);
        return true;
    case ACTION_EDIT:
        app_edit(app, app->source.cursor + 1);
        return true;
    case ACTION_RUN:
        app_run(app, RUN_GRADE);
        return true;
    case ACTION_HINT:
        show_hint(app);
        return true;
    case ACTION_ANSWER:
        ask(app);
        return true;
    case ACTION_SOLUTION:
        toggle_solution(app);
        return true;
    case ACTION_RESET:
        prompt_open(app, PROMPT_RESET);
        return true;
    case ACTION_LEFT:
    case ACTION_RIGHT:
        scroll_sideways(app, action == ACTION_RIGHT ? SIDEWAYS : -SIDEWAYS);
        return true;
    default:
        return scroll_pane(app, action);
    }
}

static bool find(struct app *app, int direction)
{
    struct frame frame = layout_frame(app->canvas.width, app->canvas.height, true);
    struct page page;
    page_init(&page, layout_of(app, frame.body).text.width - 1, app->canvas.ascii);
    if (app->source_pane)
        make_source(app_lesson(app), &page);
    else
        make_text(app, &page);
    int from = app->source_pane ? app->source.cursor : app->text.top;
    int line = page_find(&page, app->match, from + direction, direction);
    page_free(&page);
    if (line >= 0 && app->source_pane)
        app->source.cursor = line;
    else if (line >= 0)
        app->text.top = line;
    return line >= 0;
}

const struct view_ops view_lesson = {draw, act, find, NULL};
