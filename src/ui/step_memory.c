// The picture of shared memory in the step view: every word with the warp that wrote it last, or with what it holds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view.h"

enum { LEAST_LABEL = 11, MOST_LABEL = 20, VALUE_COLUMNS = 8, BITS_COLUMNS = 9, NUMBER_WIDTH = 6 };

struct memory_view {
    const struct timeline *time;
    const struct step_state *state;
    struct word_state *words;
    struct word_row *rows;
    size_t word_count, row_count, cursor_row;
    uint64_t cursor;            // word
    int label;                  // columns of a row's name
    int columns, left, visible; // of a word; first and number of the words of a row that are seen
};

static size_t row_of(const struct word_row *rows, size_t count, uint64_t word)
{
    for (size_t i = 0; i < count; i++)
        if (word >= rows[i].first && word - rows[i].first < rows[i].words)
            return i;
    return 0;
}

static uint64_t lane_word(const struct timeline *time, uint32_t lane)
{
    uint32_t mask = time->now->mask;
    while (mask && !(mask >> lane % SIM_LANES & 1))
        lane++;
    return time->now->addresses[lane % SIM_LANES] / BANK_BYTES;
}

static size_t longest_row(const struct memory_view *view)
{
    size_t most = 1;
    for (size_t i = 0; i < view->row_count; i++)
        most = view->rows[i].words > most ? view->rows[i].words : most;
    return most;
}

// "tile[3]"; of an array of places "a_tile[1][3]": the place and its row.
static const char *row_name(const struct word_row *row, char *text, size_t size)
{
    if (!row->array)
        snprintf(text, size, "word %zu", row->first);
    else if (row->array->dim_count == 3)
        snprintf(text, size, "%s[%u][%u]", row->array->name, row->index / row->array->dims[1],
                 row->index % row->array->dims[1]);
    else if (row->array->dim_count == 2)
        snprintf(text, size, "%s[%u]", row->array->name, row->index);
    else
        snprintf(text, size, "%s %u", row->array->name, row->index);
    return text;
}

static int label_columns(const struct memory_view *view)
{
    char name[96];
    int most = LEAST_LABEL;
    for (size_t i = 0; i < view->row_count; i++) {
        int length = (int)strlen(row_name(&view->rows[i], name, sizeof name)) + 3;
        most = length > most ? length : most;
    }
    return most < MOST_LABEL ? most : MOST_LABEL;
}

static uint32_t place_of_row(const struct word_row *row)
{
    return row->array && row->array->dim_count == 3 ? row->index / row->array->dims[1] : 0;
}

static uint32_t row_in_place(const struct word_row *row)
{
    return row->array && row->array->dim_count == 3 ? row->index % row->array->dims[1] : row->index;
}

// By array, then the same row of all its places: a double buffer's two stand one below the other.
static int compare_rows(const void *a, const void *b)
{
    const struct word_row *one = a, *other = b;
    bool same = one->array && one->array == other->array;
    if (!same || row_in_place(one) == row_in_place(other))
        return same && place_of_row(one) != place_of_row(other)
                   ? (place_of_row(one) < place_of_row(other) ? -1 : 1)
                   : (one->first > other->first) - (one->first < other->first);
    return row_in_place(one) < row_in_place(other) ? -1 : 1;
}

static bool open_memory(struct memory_view *view, const struct timeline *time, const struct step_state *state,
                        int width)
{
    *view = (struct memory_view){.time = time, .state = state};
    view->words = timeline_words(time, &view->word_count);
    view->rows = timeline_rows(time, view->word_count, &view->row_count);
    if (view->word_count == 0)
        return false;
    view->cursor = state->roaming ? state->word : lane_word(time, state->lane);
    view->cursor = view->cursor < view->word_count ? view->cursor : view->word_count - 1;
    if (!state->by_place && view->row_count)
        qsort(view->rows, view->row_count, sizeof *view->rows, compare_rows);
    view->label = label_columns(view);
    view->cursor_row = row_of(view->rows, view->row_count, view->cursor);
    int longest = (int)longest_row(view), room = width - view->label - 2;
    view->columns = room / longest >= 3 ? 3 : room / longest >= 2 ? 2 : 1;
    if (state->values) {
        const struct word_row *row = &view->rows[view->cursor_row];
        bool is_bits = !row->array || row->array->kind == SHARED_BITS || row->array->scalar < BANK_BYTES;
        view->columns = is_bits ? BITS_COLUMNS : state->numbered ? NUMBER_WIDTH : VALUE_COLUMNS;
    }
    view->visible = room / view->columns < 1 ? 1 : room / view->columns;
    int at = (int)(view->cursor - view->rows[view->cursor_row].first);
    view->left = state->memory.left;
    view->left = at < view->left ? at : at >= view->left + view->visible ? at - view->visible + 1 : view->left;
    view->left = view->left > longest - view->visible ? longest - view->visible : view->left;
    view->left = view->left < 0 ? 0 : view->left;
    return true;
}

static void close_memory(struct memory_view *view)
{
    free(view->words);
    free(view->rows);
}

// The bytes of the numbers that the word holds, eight of them: a double's other half is the next word.
static void word_bytes(const struct memory_view *view, size_t word, unsigned char bytes[8])
{
    memset(bytes, 0, 8);
    memcpy(bytes, view->words[word].bytes, BANK_BYTES);
    if (word + 1 < view->word_count)
        memcpy(bytes + BANK_BYTES, view->words[word + 1].bytes, BANK_BYTES);
}

static void value_text(const struct memory_view *view, const struct word_row *row, size_t word, char *text, size_t size)
{
    const struct word_state *state = &view->words[word];
    unsigned char bytes[8];
    const struct shared_array *array = row->array;
    if (!state->writer || !state->known) {
        snprintf(text, size, "%s", state->writer ? "?" : ".");
        return;
    }
    word_bytes(view, word, bytes);
    if (array && array->scalar == 8 && (word * BANK_BYTES - array->offset) % 8 != 0)
        snprintf(text, size, "\"");
    else
        shared_value(array && array->scalar < BANK_BYTES ? NULL : array, bytes, view->columns - 1, text, size);
}

static void writer_text(const struct memory_view *view, size_t word, char *text, size_t size)
{
    const struct word_state *state = &view->words[word];
    unsigned warp = state->writer ? state->writer->warp : 0;
    if (!state->writer)
        snprintf(text, size, ".");
    else if (view->columns > 1)
        snprintf(text, size, "%u", warp);
    else
        snprintf(text, size, "%c", warp < 10 ? '0' + (int)warp : 'a' + (int)warp - 10);
}

static void draw_state_word(const struct memory_view *view, struct canvas *canvas, int x, int y,
                            const struct word_row *row, size_t word)
{
    char text[64], padded[64];
    const struct word_state *state = &view->words[word];
    bool touched = recorded_lane_at(view->time->now, word * BANK_BYTES, BANK_BYTES) >= 0, here = word == view->cursor;
    canvas_target(canvas, (struct rect){x, y, view->columns, 1}, TARGET_WORD, (int)word, -1);
    if (view->state->values)
        value_text(view, row, word, text, sizeof text);
    else
        writer_text(view, word, text, sizeof text);
    if (state->coming && view->columns == 1)
        snprintf(text, sizeof text, "~");
    snprintf(padded, sizeof padded, "%*s", view->columns, text);
    static const enum role of_warp[] = {ROLE_TEXT, ROLE_KEYWORD, ROLE_STRING, ROLE_NUMBER, ROLE_PREPROC, ROLE_GOOD};
    enum role written =
        state->writer ? of_warp[state->writer->warp % (sizeof of_warp / sizeof *of_warp)] : ROLE_INACTIVE;
    enum role role = here ? ROLE_CURSOR : touched ? ROLE_TOUCHED : written;
    canvas_text(canvas, x, y, view->columns, role, padded);
    if (state->coming && view->columns > 1 && padded[0] == ' ')
        canvas_text(canvas, x, y, 1, ROLE_WARN, "~");
    int used = (int)strlen(text) < view->columns ? (int)strlen(text) : view->columns;
    if (touched)
        canvas_flag(canvas, (struct rect){x + view->columns - used, y, used, 1}, here ? CELL_UNDERLINE : CELL_REVERSE);
}

static void draw_memory_head(const struct memory_view *view, struct canvas *canvas, struct rect row)
{
    if (!view->state->values) {
        canvas_text(canvas, row.x + 1, row.y, row.width - 1, ROLE_DIM,
                    "last writer's warp; reversed: touched now; . nobody; ~ copy on its way");
        return;
    }
    canvas_text(canvas, row.x + 1, row.y, view->label - 1, ROLE_DIM, "word");
    for (int i = 0; i < view->visible && (size_t)(view->left + i) < view->rows[view->cursor_row].words; i++)
        canvas_right(canvas, row.x + view->label + (i + 1) * view->columns, row.y, ROLE_DIM, "%d", view->left + i);
}

static void draw_memory_row(const struct memory_view *view, struct canvas *canvas, struct rect rect, size_t index)
{
    const struct word_row *row = &view->rows[index];
    bool here = index == view->cursor_row;
    enum role role = here ? ROLE_EMPHASIS : ROLE_DIM;
    canvas_text(canvas, rect.x, rect.y, 1, ROLE_KEY, here ? "▸" : " ");
    char name[96];
    canvas_cut(canvas, rect.x + 1, rect.y, view->label - 2, role, row_name(row, name, sizeof name));
    int x = rect.x + view->label;
    if (view->left > 0)
        canvas_text(canvas, x - 1, rect.y, 1, ROLE_DIM, "‹");
    for (int i = 0; i < view->visible && (size_t)(view->left + i) < row->words; i++, x += view->columns)
        draw_state_word(view, canvas, x, rect.y, row, row->first + (size_t)(view->left + i));
    if ((size_t)(view->left + view->visible) < row->words)
        canvas_text(canvas, x + 1, rect.y, 1, ROLE_DIM, "›");
}

// "= 0.731 (0x3f3b22d1)"; of small numbers all that share the word.
static void describe_value(const struct memory_view *view, const struct shared_array *array, bool with_bits,
                           struct text *out)
{
    char number[64];
    unsigned char bytes[8];
    size_t word = (size_t)view->cursor;
    if (array && array->scalar == 8 && (word * BANK_BYTES - array->offset) % 8 != 0)
        word--;
    word_bytes(view, word, bytes);
    uint32_t scalar = array ? array->scalar : BANK_BYTES;
    text_puts(out, " =");
    for (uint32_t at = 0; at < (scalar < BANK_BYTES ? BANK_BYTES : scalar); at += scalar)
        text_printf(out, " %s", shared_value(array, bytes + at, 0, number, sizeof number));
    if (with_bits && array && array->kind != SHARED_BITS && scalar >= BANK_BYTES) {
        struct shared_array bits = {.scalar = scalar};
        text_printf(out, " (0x%s)", shared_value(&bits, bytes, 0, number, sizeof number));
    }
}

static void describe_word(const struct memory_view *view, bool with_bits, struct text *out)
{
    char name[128];
    const struct timeline *time = view->time;
    const struct word_state *state = &view->words[view->cursor];
    text_puts(out, shared_name(&time->arrays, view->cursor * BANK_BYTES, name, sizeof name));
    if (!state->writer) {
        text_puts(out, ": nobody has written it yet");
    } else {
        if (state->known)
            describe_value(view, view->rows[view->cursor_row].array, with_bits, out);
        size_t moment = timeline_moment(time, state->writer);
        text_printf(out, "  by warp %u lane %d, line %u, moment %zu%s", state->writer->warp, state->lane,
                    timeline_source_line(time, state->writer), moment + 1, moment == time->moment ? " (now)" : "");
    }
    if (state->coming)
        text_printf(out, "; on its way: a copy of warp %u, moment %zu", state->coming->warp,
                    timeline_moment(time, state->coming) + 1);
}

static void draw_memory_detail(const struct memory_view *view, struct canvas *canvas, struct rect row)
{
    struct text out = {0};
    describe_word(view, true, &out);
    if (canvas_columns(canvas, text_get(&out)) > row.width - 2) {
        text_clear(&out);
        describe_word(view, false, &out);
    }
    canvas_cut(canvas, row.x + 1, row.y, row.width - 1, ROLE_EMPHASIS, text_get(&out));
    text_free(&out);
}

void step_memory_draw(struct app *app, const struct timeline *time, struct canvas *canvas, struct rect rect)
{
    struct memory_view view;
    struct rect before = canvas_clip(canvas, rect);
    if (open_memory(&view, time, &app->step, rect.width)) {
        struct scroll *scroll = &app->step.memory;
        canvas_target(canvas, rect, TARGET_MEMORY, 0, -1);
        int height = rect.height - 2;
        scroll->left = view.left;
        if (!app->step.scrolled)
            scroll->cursor = (int)view.cursor_row;
        scroll_fit(scroll, (int)view.row_count, height, !app->step.scrolled);
        draw_memory_head(&view, canvas, rect_row(rect, 0));
        for (int y = 0; y < height && scroll->top + y < (int)view.row_count; y++)
            draw_memory_row(&view, canvas, rect_row(rect, 1 + y), (size_t)(scroll->top + y));
        if (!app->step.values)
            canvas_right(canvas, rect.x + rect.width, rect.y, ROLE_DIM, " %zu rows", view.row_count);
        draw_memory_detail(&view, canvas, rect_row(rect, rect.height - 1));
    }
    close_memory(&view);
    canvas_unclip(canvas, before);
}

void step_memory_move(struct app *app, const struct timeline *time, enum action action)
{
    struct memory_view view;
    if (open_memory(&view, time, &app->step, app->canvas.width)) {
        const struct word_row *row = &view.rows[view.cursor_row];
        uint64_t column = view.cursor - row->first;
        if (action == ACTION_WORD_LEFT && view.cursor > 0)
            view.cursor--;
        else if (action == ACTION_WORD_RIGHT)
            view.cursor++;
        else if (action == ACTION_WORD_UP && view.cursor_row > 0)
            view.cursor = row[-1].first + (column < row[-1].words ? column : row[-1].words - 1);
        else if (action == ACTION_WORD_DOWN && view.cursor_row + 1 < view.row_count)
            view.cursor = row[1].first + (column < row[1].words ? column : row[1].words - 1);
        app->step.word = view.cursor < view.word_count ? view.cursor : view.word_count - 1;
        app->step.roaming = true;
        app->step.scrolled = false;
    }
    close_memory(&view);
}
