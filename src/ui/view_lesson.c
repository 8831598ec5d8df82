// Lesson: the text with its quiz and hints beside the exercise's source; narrow terminals show one of them at a time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/exercise.h"
#include "ui/layout.h"
#include "ui/source.h"
#include "ui/view.h"

enum {
    ABOUT_ROWS = 2,
    PAGE_TAG = 1,
    QUESTION_TAG = 10000,
    HINT_TAG = 20000,
    WHY_TAG = 30000,
    SIDEWAYS = 8,
    TEXT_MARGINS = 3
};

static bool is_passed(const struct app *app)
{
    const struct ui_lesson *lesson = app_lesson(app);
    return app_progress(app, app_lesson(app)->lesson)->state >= PROGRESS_PASSED ||
           (lesson->report && lesson->report->verdict == VERDICT_PASS);
}

// ---- the text pane

static void add_question(struct page *page, const struct lesson_question *question, size_t index,
                         const struct progress_answer *answer)
{
    char counted[64];
    page_start(page, 0);
    page_start(page, QUESTION_TAG + (int)index);
    page_add(page, ROLE_KEY, " ? ");
    page_words(page, 3, ROLE_TEXT, question->question);
    page_start(page, QUESTION_TAG + (int)index);
    if (!answer || !answer->text[0]) {
        page_add(page, ROLE_DIM, "   [      ] %s   a answers", question->unit ? question->unit : "");
        return;
    }
    page_add(page, answer->right ? ROLE_GOOD : ROLE_WARN, "   %s %s", answer->right ? "✓" : "✗", answer->text);
    if (!question_settled(answer)) {
        page_add(page, ROLE_DIM, "   not yet; a asks once more, then shows the answer");
        return;
    }
    if (!answer->right)
        page_add(page, ROLE_TEXT, "   the run counted %s",
                 question_count(question, answer->counted, counted, sizeof counted));
    if (question->why) {
        page_add(page, ROLE_TEXT, "  ");
        page_words(page, 5, ROLE_DIM, question->why);
    }
}

static void add_questions(const struct app *app, struct page *page)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    const struct progress_lesson *progress = app_progress(app, app_lesson(app)->lesson);
    if (lesson->question_count > 0) {
        page_heading(page, "Before you change anything");
    }
    for (size_t i = 0; i < lesson->question_count; i++)
        add_question(page, &lesson->questions[i], i, i < progress->answer_count ? &progress->answers[i] : NULL);
}

static void add_hints(const struct app *app, struct page *page)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    int shown = app_progress(app, app_lesson(app)->lesson)->hints;
    for (int i = 0; i < shown && (size_t)i < lesson->hint_count; i++) {
        page_start(page, 0);
        page_start(page, HINT_TAG + i);
        page_add(page, ROLE_KEY, " Hint %d of %zu  ", i + 1, lesson->hint_count);
        page_words(page, 3, ROLE_TEXT, lesson->hints[i]);
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

static void make_text(const struct app *app, struct page *page)
{
    page->by_block = true;
    const struct ui_lesson *lesson = app_lesson(app);
    size_t task = lesson->page ? task_block(lesson->page) : 0;
    if (lesson->page)
        markdown_put(lesson->page, 0, task, PAGE_TAG, 1, page);
    else
        page_words(page, 1, ROLE_BAD, " The lesson's page cannot be read.");
    add_questions(app, page);
    if (lesson->page)
        markdown_put(lesson->page, task, lesson->page->count, PAGE_TAG, 1, page);
    add_hints(app, page);
    if (lesson->why && is_passed(app)) {
        page_start(page, 0);
        page_start(page, 0);
        if (lesson->why->count == 0 || lesson->why->blocks[0].kind != MARKDOWN_HEADING)
            page_add(page, ROLE_HEADING, " Why it works");
        markdown_put(lesson->why, 0, lesson->why->count, WHY_TAG, 1, page);
    }
    page_start(page, 0);
}

// ---- the source pane

static void __attribute__((format(printf, 5, 6)))
add_note(struct source_notes *notes, uint32_t line, enum mark mark, enum role role, const char *format, ...)
{
    struct source_note *note = mem_append(notes->items, notes->capacity, notes->count);
    *note = (struct source_note){.line = (int)line, .mark = mark, .role = role};
    TEXT_FORMAT(note->text, format);
}

static void note_cost(struct source_notes *notes, const struct counter_line *line)
{
    char operation[32], cost[32];
    enum role role = line->conflicts ? ROLE_HEAT5 : ROLE_TEXT;
    enum mark mark = line->instructions == 0 ? MARK_NONE : line->conflicts ? MARK_CONFLICT : MARK_FREE;
    site_operation(line, false, operation, sizeof operation);
    if (line->space == PTX_SHARED)
        add_note(notes, line->line, mark, role, "%s shared: wavefronts each %s, conflicts in all %llu", operation,
                 line->fused_away ? "0 (fused)"
                                  : per_instruction(line->wavefronts, line->instructions, cost, sizeof cost),
                 (unsigned long long)line->conflicts);
    else
        add_note(notes, line->line, MARK_NONE, role, "%s global: %s sectors a request", operation,
                 per_instruction(line->sectors, line->requests, cost, sizeof cost));
}

static bool has_access(const struct counter_table *table, int first, int last)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->lines[i].space == PTX_SHARED && (int)table->lines[i].line >= first &&
            (int)table->lines[i].line <= last)
            return true;
    return false;
}

// Whether the line names an element of a shared array, outside a declaration or comment.
static bool names_element(const char *text, const struct shared_arrays *arrays)
{
    char code[512];
    snprintf(code, sizeof code, "%.*s", (int)(strstr(text, "//") ? strstr(text, "//") - text : (long)strlen(text)),
             text);
    for (size_t i = 0; i < arrays->count && !strstr(code, "__shared__"); i++) {
        size_t length = strlen(arrays->items[i].name);
        const char *at = list_find_word(code, arrays->items[i].name);
        if (at && at[length] == '[' && (at == code || at[-1] != '&'))
            return true;
    }
    return false;
}

// Lines that name a shared element and have no access: the compiler did without it. The statement that a line is part
// of may have its access on another of its lines.
static void note_removed(struct source_notes *notes, const struct grade_report *report)
{
    struct shared_arrays arrays = {0};
    char text[512];
    if (!report->source || report->record.counters.count == 0)
        return;
    shared_arrays_read(&arrays, report->source, report->kernel);
    int line = 1;
    for (const char *at = report->source; at && *at; at = strchr(at, '\n'), at += at != NULL, line++) {
        source_line(at, 1, text, sizeof text);
        if (!names_element(text, &arrays) || has_access(&report->record.counters, line - 2, line + 2))
            continue;
        add_note(notes, (uint32_t)line, MARK_NONE, ROLE_DIM,
                 "the compiler left no access to shared memory here: nothing needs it, or another line has the value");
    }
}

// What the last report says of lines, while the text on the screen is the one that it judged: the gravest first.
static struct source_notes make_notes(const struct ui_lesson *lesson)
{
    struct source_notes notes = {0};
    const struct grade_report *report = lesson->report;
    if (!report || lesson->solution_shown || lesson->source_hash != lesson->graded_hash)
        return notes;
    for (size_t i = 0; i < report->messages.count; i++) {
        const struct diagnostic *one = &report->messages.items[i];
        add_note(&notes, (uint32_t)one->line, one->severity == SEVERITY_ERROR ? MARK_ERROR : MARK_NONE, ROLE_BAD,
                 "✗ %s", one->message);
    }
    for (size_t i = 0; i < report->record.hazards.count; i++) {
        const struct hazard *hazard = &report->record.hazards.items[i];
        enum mark mark = hazard->benign ? MARK_NONE : MARK_HAZARD;
        add_note(&notes, hazard->line, mark, ROLE_WARN, "▲ %s", hazard->message);
        if (hazard->other_line && hazard->other_line != hazard->line)
            add_note(&notes, hazard->other_line, mark, ROLE_WARN, "▲ %s", hazard->message);
    }
    for (size_t i = 0; i < report->record.counters.count; i++)
        note_cost(&notes, &report->record.counters.lines[i]);
    note_removed(&notes, report);
    return notes;
}

static void make_source(const struct ui_lesson *lesson, struct page *page)
{
    char *solution = lesson->solution_shown ? exercise_read(lesson->lesson->solution, NULL) : NULL;
    const char *text = lesson->solution_shown ? solution : lesson->source;
    struct source_notes notes = make_notes(lesson);
    source_page(page, text ? text : "", &notes);
    free(notes.items);
    free(solution);
}

// What is known about the cursor's line, as far as there is room.
static void draw_about(struct app *app, struct canvas *canvas, struct rect rect, int line)
{
    struct source_notes notes = make_notes(app_lesson(app));
    int count = 0;
    canvas_rule(canvas, rect_row(rect, 0));
    canvas_printf(canvas, rect.x + 1, rect.y, rect.width - 2, ROLE_DIM, " line %d ", line);
    for (size_t i = 0; i < notes.count && count < ABOUT_ROWS; i++)
        if (notes.items[i].line == line)
            canvas_cut(canvas, rect.x + 1, rect.y + ++count, rect.width - 1, notes.items[i].role, notes.items[i].text);
    free(notes.items);
    if (count > 0)
        return;
    canvas_put(canvas, rect_row(rect, 1), ROLE_DIM, "● conflict-free  ◆ conflicts");
    canvas_put(canvas, rect_row(rect, 2), ROLE_DIM, "▲ hazard  ✗ error");
}

// ---- both panes

// One pane at a time on narrow screens, and on others when asked for.
static struct lesson_layout layout_of(const struct app *app)
{
    struct rect body = view_frame(app).body;
    const struct markdown *page = app_lesson(app)->page;
    struct lesson_layout layout = layout_lesson(body, page ? markdown_needs(page) + TEXT_MARGINS : 0);
    if (app->one_pane)
        layout = (struct lesson_layout){.tabs = true, .text = body, .source = body};
    if (layout.tabs)
        layout.text = layout.source = rect_below(body, 1);
    return layout;
}

static struct pane open_pane(struct app *app, bool source)
{
    struct lesson_layout layout = layout_of(app);
    struct pane pane = {.rect = layout.text, .scroll = &app->text};
    if (source) {
        pane = (struct pane){.rect = rect_below(layout.source, 1), .scroll = &app->source, .has_cursor = true};
        pane.rect.height -= 1 + ABOUT_ROWS;
        page_init(&pane.page, pane.rect.width, app->canvas.ascii);
        make_source(app_lesson(app), &pane.page);
    } else {
        page_init(&pane.page, pane.rect.width - 1, app->canvas.ascii);
        make_text(app, &pane.page);
    }
    return pane;
}

static void draw_text(struct app *app, struct canvas *canvas, struct rect rect)
{
    struct pane pane = open_pane(app, false);
    pane_draw(&pane, canvas, app->match);
    canvas_target(canvas, rect, TARGET_PANE, 0, -1);
    page_free(&pane.page);
}

static void draw_source(struct app *app, struct canvas *canvas, struct rect rect)
{
    const struct ui_lesson *lesson = app_lesson(app);
    struct pane pane = open_pane(app, true);
    canvas_put(canvas, rect, app->source_pane ? ROLE_HEADING : ROLE_DIM, "%s%s",
               text_file_name(lesson->solution_shown ? lesson->lesson->solution : lesson->lesson->exercise),
               lesson->solution_shown ? "  (the solution; S goes back to yours)" : "");
    pane_draw(&pane, canvas, app->match);
    canvas_target(canvas, rect, TARGET_PANE, 1, -1);
    struct rect place = {0};
    for (int i = app->source.top; (place = page_place(&pane.page, pane.rect, &app->source, i)).height > 0; i++)
        canvas_target(canvas, place, TARGET_SOURCE, i, -1);
    struct rect number = page_place(&pane.page, pane.rect, &app->source, app->source.cursor);
    number.width = NUMBER_COLUMNS;
    if (app->source_pane)
        canvas_flag(canvas, number, CELL_REVERSE);
    draw_about(app, canvas, rect_below(rect, 1 + pane.rect.height), app->source.cursor + 1);
    page_free(&pane.page);
}

static void draw_pane_tabs(struct app *app, struct canvas *canvas, struct rect row)
{
    static const char *const names[2][2] = {{"[text]", " source "}, {" text ", "[source]"}};
    struct pen pen = canvas_pen(canvas, row);
    for (int i = 0; i < 2; i++) {
        int x = pen.x, used = pen_put(&pen, i == (int)app->source_pane ? ROLE_HEADING : ROLE_DIM, "%s",
                                      names[app->source_pane][i]);
        canvas_target(canvas, (struct rect){x, row.y, used, 1}, TARGET_PANE, i, -1);
        pen.x++;
    }
    pen.x++;
    pen_put(&pen, ROLE_DIM, "Tab switches");
}

static void draw_lesson(struct app *app, struct canvas *canvas, struct rect body)
{
    if (!app_lesson(app))
        return;
    struct lesson_layout layout = layout_of(app);
    if (layout.tabs)
        draw_pane_tabs(app, canvas, body);
    if (!layout.tabs || !app->source_pane)
        draw_text(app, canvas, layout.text);
    canvas_rule(canvas, layout.rule);
    if (!layout.tabs || app->source_pane)
        draw_source(app, canvas, layout.source);
}

// ---- actions

// What is at the top of the text: the block, and how many of its lines are above. tag 0: the beginning.
struct reading_place {
    int tag, after;
};

static struct reading_place reading_place(struct app *app)
{
    struct reading_place place = {0, 0};
    struct pane pane = open_pane(app, false);
    int top = app->text.top;
    if (top > 0 && top < (int)pane.page.count) {
        place.tag = pane.page.lines[top].tag;
        place.after = top - page_find_tag(&pane.page, place.tag);
    }
    page_free(&pane.page);
    return place;
}

static void return_to(struct app *app, struct reading_place place)
{
    struct pane pane = open_pane(app, false);
    const struct page *page = &pane.page;
    int line = place.tag ? page_find_tag(page, place.tag) : -1;
    while (line >= 0 && place.after-- > 0 && line + 1 < (int)page->count && page->lines[line + 1].tag == place.tag)
        line++;
    if (line >= 0)
        app->text.top = line;
    page_free(&pane.page);
}

void lesson_resize(struct app *app, int width, int height)
{
    struct reading_place place = reading_place(app);
    canvas_resize(&app->canvas, width, height);
    return_to(app, place);
}

static void toggle_full(struct app *app)
{
    struct reading_place place = reading_place(app);
    app->one_pane = !app->one_pane;
    return_to(app, place);
    app->text.left = app->source.left = 0;
    if (app->canvas.width < LAYOUT_BESIDE_WIDTH)
        app_say(app, ROLE_DIM, "text and source are side by side at %d columns and more", LAYOUT_BESIDE_WIDTH);
}

// Turns to the text, scrolled so that the lines with the tag are on the screen.
static void show_tag(struct app *app, int tag)
{
    struct pane pane = open_pane(app, false);
    int line = page_find_tag(&pane.page, tag);
    if (line < app->text.top || line + 4 >= app->text.top + pane.rect.height)
        app->text.top = line > 3 ? line - 3 : 0;
    page_free(&pane.page);
    app->source_pane = false;
}

static void show_hint(struct app *app)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    struct diagnostic diagnostic;
    int shown = app_progress(app, app_lesson(app)->lesson)->hints;
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

// The one whose picture waits for an answer, else the first that is not settled.
static int open_question(struct app *app)
{
    if (question_hides(app))
        return (int)app->asked.question;
    const struct lesson *lesson = app_lesson(app)->lesson;
    const struct progress_lesson *progress = app_progress(app, app_lesson(app)->lesson);
    for (size_t i = 0; i < lesson->question_count; i++)
        if (i >= progress->answer_count || !question_settled(&progress->answers[i]))
            return (int)i;
    return -1;
}

void lesson_ask(struct app *app)
{
    int question = open_question(app);
    if (question < 0) {
        app_say(app, ROLE_DIM, "all questions are answered");
        return;
    }
    if (!question_hides(app)) {
        app_go(app, VIEW_LESSON);
        show_tag(app, QUESTION_TAG + question);
    }
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
    snprintf(text, size, "%d of %zu%s%s: ", question + 1, lesson->question_count, unit && *unit ? ", in " : "",
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

// The pane with the keys, as far as its longest line goes.
static void scroll_sideways(struct app *app, int by)
{
    struct pane pane = open_pane(app, app->source_pane);
    int most = page_overhang(&pane.page, pane.page.width), left = pane.scroll->left + by;
    if (most == 0)
        app_say(app, ROLE_DIM, "nothing is wider than this pane");
    pane.scroll->left = left > most ? most : left < 0 ? 0 : left;
    page_free(&pane.page);
}

// Puts the first line of a block at the top of the text; false: it was there already, or there is none.
static bool go_to_block_of_text(struct app *app, size_t block)
{
    struct pane pane = open_pane(app, false);
    int line = page_find_tag(&pane.page, PAGE_TAG + (int)block), top = app->text.top;
    scroll_fit(&app->text, (int)pane.page.count, pane.rect.height, false);
    if (line >= 0)
        app->text.top = line;
    scroll_fit(&app->text, (int)pane.page.count, pane.rect.height, false);
    page_free(&pane.page);
    app->source_pane = false;
    return app->text.top != top;
}

static void go_to_task(struct app *app)
{
    const struct markdown *page = app_lesson(app)->page;
    if (page && task_block(page) < page->count && !go_to_block_of_text(app, task_block(page)))
        app->text.top = 0;
}

static void go_to_section(struct app *app, int direction)
{
    const struct markdown *page = app_lesson(app)->page;
    struct pane pane = open_pane(app, false);
    int64_t count = page ? (int64_t)page->count : 0, found = -1;
    for (int64_t i = 0; i < count; i++) {
        int line = page_find_tag(&pane.page, PAGE_TAG + (int)i);
        bool is_heading = page->blocks[i].kind == MARKDOWN_HEADING && line >= 0;
        if (is_heading && direction > 0 && line > app->text.top && found < 0)
            found = i;
        if (is_heading && direction < 0 && line < app->text.top)
            found = i;
    }
    page_free(&pane.page);
    if (found >= 0)
        go_to_block_of_text(app, (size_t)found);
    else
        app->text.top = direction < 0 ? 0 : app->text.top;
}

static bool act_lesson(struct app *app, enum action action)
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
    case ACTION_TASK:
        go_to_task(app);
        return true;
    case ACTION_SECTION_NEXT:
    case ACTION_SECTION_PREVIOUS:
        go_to_section(app, action == ACTION_SECTION_NEXT ? 1 : -1);
        return true;
    case ACTION_HINT:
        show_hint(app);
        return true;
    case ACTION_SOLUTION:
    case ACTION_RESET:
        if (action == ACTION_RESET)
            prompt_open(app, PROMPT_RESET);
        else
            toggle_solution(app);
        return true;
    case ACTION_LEFT:
    case ACTION_RIGHT:
        scroll_sideways(app, action == ACTION_RIGHT ? SIDEWAYS : -SIDEWAYS);
        return true;
    default:
        return false;
    }
}

static struct pane focused_pane(struct app *app)
{
    return open_pane(app, app->source_pane);
}

const struct view_ops view_lesson = {.draw = draw_lesson, .act = act_lesson, .pane = focused_pane};
