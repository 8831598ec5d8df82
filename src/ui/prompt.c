// Prompts on the status line: palette, search, quiz answer, and the questions before something is lost.
#include <stdio.h>
#include <string.h>

#include "ui/app.h"
#include "ui/export.h"
#include "ui/view.h"

static const char *label(enum prompt_kind kind)
{
    static const char *const labels[] = {
        [PROMPT_PALETTE] = ":",
        [PROMPT_SEARCH] = "/",
        [PROMPT_ANSWER] = "answer ",
        [PROMPT_RESET] = "put the starter back? your file is kept as a backup (y/n) ",
        [PROMPT_BLOCK] = "block (number, or x,y,z): ",
        [PROMPT_SOLUTION] = "show the solution before you have passed? (y/n) ",
    };
    return labels[kind];
}

void prompt_open(struct app *app, enum prompt_kind kind)
{
    app->prompt = (struct prompt){.kind = kind};
}

// The action that stands on the chosen line of the palette for the word typed; count gets the number of lines.
static enum action palette_line(const struct app *app, int wanted, int *count)
{
    size_t length = strcspn(app->prompt.text, " ");
    enum action found = ACTION_NONE;
    *count = 0;
    for (int i = 1; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        bool here = (info->views & (1u << app->view)) && i != ACTION_PALETTE && i != ACTION_CANCEL;
        if (!here || strncmp(info->name, app->prompt.text, length) != 0)
            continue;
        if ((*count)++ == wanted)
            found = (enum action)i;
    }
    return found;
}

static void run_palette(struct app *app)
{
    int count;
    char name[64];
    size_t length = strcspn(app->prompt.text, " ");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), app->prompt.text);
    const char *argument = app->prompt.text + length + strspn(app->prompt.text + length, " ");
    enum action action = palette_line(app, app->prompt.chosen, &count);
    enum action exact = action_find(name);
    if (exact != ACTION_NONE && strcmp(action_info(exact)->name, name) == 0)
        action = exact;
    char path[256];
    snprintf(path, sizeof path, "%s", argument);
    app->prompt.kind = PROMPT_NONE;
    if (action == ACTION_NONE || !(action_info(action)->views & (1u << app->view)))
        app_say(app, ROLE_BAD, "no action '%s' here; ? shows the keys", name);
    else if (action == ACTION_EXPORT_TEXT || action == ACTION_EXPORT_SVG || action == ACTION_EXPORT_HTML ||
             action == ACTION_SAVE_SCREEN)
        export_command(app, action, path);
    else
        app_act(app, action);
}

static void accept(struct app *app)
{
    enum prompt_kind kind = app->prompt.kind;
    char text[sizeof app->prompt.text];
    snprintf(text, sizeof text, "%s", app->prompt.text);
    if (kind == PROMPT_PALETTE) {
        run_palette(app);
        return;
    }
    app->prompt.kind = PROMPT_NONE;
    if (kind == PROMPT_SEARCH && *text) {
        snprintf(app->match, sizeof app->match, "%.127s", text);
        app_act(app, ACTION_NEXT);
    } else if (kind == PROMPT_ANSWER && *text) {
        lesson_answer(app, text);
    } else if (kind == PROMPT_BLOCK && *text) {
        blocks_enter(app, text);
    }
}

static void confirm(struct app *app, uint32_t key)
{
    enum prompt_kind kind = app->prompt.kind;
    app->prompt.kind = PROMPT_NONE;
    if (key != 'y' && key != 'Y')
        return;
    if (kind == PROMPT_RESET)
        app_reset_exercise(app);
    else
        lesson_show_solution(app);
}

static void erase_last(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] & 0xc0) == 0x80)
        length--;
    text[length > 0 ? length - 1 : 0] = '\0';
}

void prompt_append(char *text, size_t size, uint32_t key)
{
    struct text encoded = {0};
    canvas_encode(&encoded, key);
    size_t length = strlen(text);
    if (length + encoded.length < size)
        memcpy(text + length, encoded.data, encoded.length + 1);
    text_free(&encoded);
}

// A key for a line of text; false: not one that edits.
bool prompt_edit(char *text, size_t size, uint32_t key)
{
    if (key == KEY_NAME_BACKSPACE || key == 8)
        erase_last(text);
    else if (key == ('U' & 0x1f))
        text[0] = '\0';
    else if (key >= ' ' && key < KEY_NAMED && key != 0x7f)
        prompt_append(text, size, key);
    else
        return false;
    return true;
}

void prompt_key(struct app *app, uint32_t key)
{
    struct prompt *prompt = &app->prompt;
    if (key == KEY_NAME_ESC) {
        prompt->kind = PROMPT_NONE;
    } else if (prompt->kind == PROMPT_RESET || prompt->kind == PROMPT_SOLUTION) {
        confirm(app, key);
    } else if (key == KEY_NAME_ENTER) {
        accept(app);
    } else if (prompt->kind == PROMPT_PALETTE && (key == KEY_NAME_UP || key == KEY_NAME_DOWN || key == KEY_NAME_TAB)) {
        int count;
        palette_line(app, -1, &count);
        prompt->chosen += key == KEY_NAME_UP ? -1 : 1;
        prompt->chosen = count ? (prompt->chosen + count) % count : 0;
    } else if (key == KEY_NAME_BACKSPACE && prompt->text[0] == '\0') {
        prompt->kind = PROMPT_NONE;
    } else if (prompt_edit(prompt->text, sizeof prompt->text, key)) {
        prompt->chosen = 0;
    }
}

static void draw_palette(struct app *app, struct canvas *canvas, struct rect body)
{
    int count;
    palette_line(app, -1, &count);
    int rows = count < body.height ? count : body.height;
    if (rows > 12)
        rows = 12;
    int first = app->prompt.chosen >= rows ? app->prompt.chosen - rows + 1 : 0;
    struct rect list = {body.x, body.y + body.height - rows, body.width, rows};
    canvas_fill(canvas, list, ROLE_TEXT);
    for (int i = 0; i < rows; i++) {
        enum action action = palette_line(app, first + i, &count);
        const struct action_info *info = action_info(action);
        bool chosen = first + i == app->prompt.chosen;
        canvas_target(canvas, rect_row(list, i), TARGET_PALETTE, first + i, -1);
        canvas_text(canvas, list.x, list.y + i, 2, ROLE_KEY, chosen ? "▸" : " ");
        canvas_text(canvas, list.x + 2, list.y + i, 16, chosen ? ROLE_EMPHASIS : ROLE_TEXT, info->name);
        canvas_text(canvas, list.x + 18, list.y + i, 12, ROLE_KEY, info->keys);
        canvas_cut(canvas, list.x + 30, list.y + i, list.width - 30, ROLE_DIM, info->help);
    }
}

void prompt_draw(struct app *app, struct canvas *canvas, struct rect body, struct rect status)
{
    char about[64];
    if (app->prompt.kind == PROMPT_PALETTE)
        draw_palette(app, canvas, body);
    canvas_fill(canvas, status, ROLE_TEXT);
    int x = status.x + 1;
    x += canvas_text(canvas, x, status.y, status.width - 1, ROLE_KEY, label(app->prompt.kind));
    if (app->prompt.kind == PROMPT_ANSWER)
        x += canvas_text(canvas, x, status.y, status.width - 1, ROLE_DIM, lesson_asked(app, about, sizeof about));
    int room = status.x + status.width - x - 1;
    const char *text = app->prompt.text;
    while (canvas_columns(canvas, text) > room && *text)
        text++;
    x += canvas_text(canvas, x, status.y, room > 0 ? room : 0, ROLE_TEXT, text);
    canvas->cursor_x = x < canvas->width ? x : canvas->width - 1;
    canvas->cursor_y = status.y;
}
