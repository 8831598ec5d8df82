// Prompts on the status line: palette, search, quiz answer, and the questions before something is lost.
#include <stdio.h>
#include <string.h>

#include "ui/app.h"
#include "ui/export.h"
#include "ui/view.h"

enum { PALETTE_ROWS = 12 };

// The action on the chosen line of the palette for the word typed; count gets the number of lines.
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

static void run_palette(struct app *app, const char *text)
{
    int count, length = (int)strcspn(text, " ");
    const char *rest = text + length + strspn(text + length, " ");
    char name[64];
    snprintf(name, sizeof name, "%.*s", length, text);
    enum action action = action_find(name); // what is named in full, even when it is not the chosen line
    if (action == ACTION_NONE)
        action = palette_line(app, app->prompt.chosen, &count);
    if (action == ACTION_NONE || !(action_info(action)->views & (1u << app->view)))
        app_say(app, ROLE_BAD, "no action '%s' here; ? shows the keys", name);
    else if (action == ACTION_THEME)
        app_choose_theme(app, rest);
    else if (!export_command(app, action, rest))
        app_act(app, action);
}

static void start_search(struct app *app, const char *text)
{
    snprintf(app->match, sizeof app->match, "%s", text);
    app_act(app, ACTION_NEXT);
}

// What stands before the text, and what takes it.
static const struct {
    const char *label;
    void (*take)(struct app *app, const char *text);
    void (*confirmed)(struct app *app); // in place of take: a single key answers, y, or anything else for no
    bool may_be_empty;
} prompts[] = {
    [PROMPT_PALETTE] = {.label = ":", .take = run_palette, .may_be_empty = true},
    [PROMPT_SEARCH] = {.label = "/", .take = start_search},
    [PROMPT_ANSWER] = {.label = "answer ", .take = lesson_answer},
    [PROMPT_BLOCK] = {.label = "block (number, or x,y,z): ", .take = blocks_enter},
    [PROMPT_RESET] = {.label = "put the starter back? your file is kept as a backup (y/n) ",
                      .confirmed = app_reset_exercise},
    [PROMPT_SOLUTION] = {.label = "show the solution before you have passed? (y/n) ",
                         .confirmed = lesson_show_solution},
};

void prompt_open(struct app *app, enum prompt_kind kind)
{
    app->prompt = (struct prompt){.kind = kind};
}

bool prompt_edit(char *text, size_t size, uint32_t key)
{
    size_t length = strlen(text);
    if (key == KEY_NAME_BACKSPACE || key == ('H' & 0x1f)) {
        while (length > 0 && (text[length - 1] & 0xc0) == 0x80)
            length--;
        text[length > 0 ? length - 1 : 0] = '\0';
    } else if (key == ('U' & 0x1f)) {
        text[0] = '\0';
    } else if (key >= ' ' && key < KEY_NAMED && key != KEY_NAME_BACKSPACE) {
        struct text encoded = {0};
        cell_encode(&encoded, key);
        if (length + encoded.length < size)
            memcpy(text + length, encoded.data, encoded.length + 1);
        text_free(&encoded);
    } else {
        return false;
    }
    return true;
}

// Closes the prompt first: what takes the text may open another one.
static void accept_prompt(struct app *app)
{
    struct prompt prompt = app->prompt;
    app->prompt.kind = PROMPT_NONE;
    if (prompts[prompt.kind].confirmed)
        prompts[prompt.kind].confirmed(app);
    else if (prompt.text[0] || prompts[prompt.kind].may_be_empty)
        prompts[prompt.kind].take(app, prompt.text);
}

void prompt_key(struct app *app, uint32_t key)
{
    struct prompt *prompt = &app->prompt;
    bool confirms = prompts[prompt->kind].confirmed != NULL, palette = prompt->kind == PROMPT_PALETTE;
    if (key == KEY_NAME_ENTER ? !confirms : confirms && (key == 'y' || key == 'Y')) {
        accept_prompt(app);
    } else if (confirms || key == KEY_NAME_ESC || (key == KEY_NAME_BACKSPACE && prompt->text[0] == '\0')) {
        prompt->kind = PROMPT_NONE;
    } else if (palette && (key == KEY_NAME_UP || key == KEY_NAME_DOWN || key == KEY_NAME_TAB)) {
        int count;
        palette_line(app, -1, &count);
        prompt->chosen += key == KEY_NAME_UP ? -1 : 1;
        prompt->chosen = count ? (prompt->chosen + count) % count : 0;
    } else if (prompt_edit(prompt->text, sizeof prompt->text, key)) {
        prompt->chosen = 0;
    }
}

static void draw_palette(struct app *app, struct canvas *canvas, struct rect body)
{
    int count;
    palette_line(app, -1, &count);
    int rows = count < PALETTE_ROWS ? count : PALETTE_ROWS;
    rows = rows < body.height ? rows : body.height;
    int first = app->prompt.chosen >= rows ? app->prompt.chosen - rows + 1 : 0;
    struct rect list = rect_below(body, body.height - rows);
    canvas_fill(canvas, list, ROLE_TEXT);
    for (int i = 0; i < rows; i++) {
        const struct action_info *info = action_info(palette_line(app, first + i, &count));
        bool chosen = first + i == app->prompt.chosen;
        int y = list.y + i;
        canvas_target(canvas, rect_row(list, i), TARGET_PALETTE, first + i, -1);
        canvas_text(canvas, list.x, y, 2, ROLE_KEY, chosen ? "▸" : " ");
        canvas_text(canvas, list.x + 2, y, 16, chosen ? ROLE_EMPHASIS : ROLE_TEXT, info->name);
        canvas_text(canvas, list.x + 18, y, 12, ROLE_KEY, info->keys);
        canvas_cut(canvas, list.x + 30, y, list.width - 30, ROLE_DIM, info->help);
    }
}

void prompt_draw(struct app *app, struct canvas *canvas, struct rect body, struct rect status)
{
    char about[64];
    if (app->prompt.kind == PROMPT_PALETTE)
        draw_palette(app, canvas, body);
    canvas_fill(canvas, status, ROLE_TEXT);
    struct pen pen = canvas_pen(canvas, status);
    if (app->message[0])
        pen_put(&pen, app->message_role, "%s  ", app->message);
    pen_put(&pen, ROLE_KEY, "%s", prompts[app->prompt.kind].label);
    if (app->prompt.kind == PROMPT_ANSWER)
        pen_put(&pen, ROLE_DIM, "%s", lesson_asked(app, about, sizeof about));
    const char *text = app->prompt.text;
    while (canvas_columns(canvas, text) > pen.end - pen.x - 1 && *text)
        text++;
    pen_put(&pen, ROLE_TEXT, "%s", text);
    canvas->cursor_x = pen.x < canvas->width ? pen.x : canvas->width - 1;
    canvas->cursor_y = status.y;
}
