#include "ui/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void export_text(const struct canvas *canvas, struct text *out)
{
    for (int y = 0; y < canvas->height; y++) {
        int end = canvas->width;
        while (end > 0 && canvas_at(canvas, end - 1, y)->glyph == ' ')
            end--;
        for (int x = 0; x < end; x++) {
            uint32_t glyph = canvas_at(canvas, x, y)->glyph;
            if (glyph)
                canvas_encode(out, glyph);
        }
        text_puts(out, "\n");
    }
}

static bool same_look(const struct cell *a, const struct cell *b)
{
    return a->role == b->role && a->under == b->under && a->flags == b->flags;
}

static bool is_plain(const struct cell *cell)
{
    return cell->role == ROLE_TEXT && cell->under == ROLE_TEXT && cell->flags == 0;
}

// Length of the run of cells that look alike, from x on.
static int run_length(const struct canvas *canvas, int x, int y)
{
    const struct cell *first = canvas_at(canvas, x, y);
    int end = x + 1;
    while (end < canvas->width && same_look(canvas_at(canvas, end, y), first))
        end++;
    return end - x;
}

void export_roles(const struct canvas *canvas, struct text *out)
{
    for (int y = 0; y < canvas->height; y++) {
        bool any = false;
        for (int x = 0, length; x < canvas->width; x += length) {
            const struct cell *cell = canvas_at(canvas, x, y);
            length = run_length(canvas, x, y);
            if (is_plain(cell))
                continue;
            if (!any)
                text_printf(out, "%d:", y);
            any = true;
            text_printf(out, " %d+%d %s", x, length, role_name((enum role)cell->role));
            if (cell->under != ROLE_TEXT)
                text_printf(out, "/%s", role_name((enum role)cell->under));
            if (cell->flags)
                text_printf(out, "!%u", cell->flags);
        }
        if (any)
            text_puts(out, "\n");
    }
}

struct look {
    uint32_t foreground, background;
    bool bold, underline;
};

static struct look look_of(const struct cell *cell, enum theme theme)
{
    uint32_t paper = theme == THEME_LIGHT ? 0xffffff : 0x1c1c1c, ink = theme == THEME_LIGHT ? 0x1c1c1c : 0xd0d0d0;
    struct style style = theme_style(theme, 256, (enum role)cell->role);
    struct look look = {ink, paper, false, false};
    if (style.foreground >= 0)
        look.foreground = theme_rgb(style.foreground);
    if (cell->under != ROLE_TEXT)
        look.background = theme_rgb(theme_style(theme, 256, (enum role)cell->under).foreground);
    unsigned flags = style.flags | cell->flags;
    if (flags & CELL_REVERSE) {
        uint32_t swap = look.foreground;
        look.foreground = look.background;
        look.background = swap;
    }
    look.bold = flags & CELL_BOLD;
    look.underline = flags & CELL_UNDERLINE;
    return look;
}

static void put_escaped(struct text *out, uint32_t glyph)
{
    if (glyph == '<')
        text_puts(out, "&lt;");
    else if (glyph == '>')
        text_puts(out, "&gt;");
    else if (glyph == '&')
        text_puts(out, "&amp;");
    else if (glyph == '"')
        text_puts(out, "&quot;");
    else if (glyph)
        canvas_encode(out, glyph);
}

enum { SVG_CELL_WIDTH = 8, SVG_CELL_HEIGHT = 17, SVG_BASELINE = 13, SVG_FONT = 13 };

// Half blocks are drawn as rectangles: fonts disagree about their height.
static void svg_block(struct text *out, const struct cell *cell, const struct look *look, int x, int y)
{
    int top = cell->glyph == 0x2584 ? (SVG_CELL_HEIGHT + 1) / 2 : 0;
    int bottom = cell->glyph == 0x2580 ? (SVG_CELL_HEIGHT + 1) / 2 : SVG_CELL_HEIGHT;
    text_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x * SVG_CELL_WIDTH,
                y * SVG_CELL_HEIGHT + top, SVG_CELL_WIDTH, bottom - top, look->foreground);
}

static bool is_block(uint32_t glyph)
{
    return glyph == 0x2580 || glyph == 0x2584 || glyph == 0x2588;
}

static void svg_run(struct text *out, const struct canvas *canvas, enum theme theme, int x, int y, int length)
{
    const struct cell *cell = canvas_at(canvas, x, y);
    struct look look = look_of(cell, theme);
    struct look plain = look_of(&(struct cell){' ', ROLE_TEXT, ROLE_TEXT, 0}, theme);
    if (look.background != plain.background)
        text_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x * SVG_CELL_WIDTH,
                    y * SVG_CELL_HEIGHT, length * SVG_CELL_WIDTH, SVG_CELL_HEIGHT, look.background);
    bool text = false;
    for (int i = 0; i < length; i++) {
        const struct cell *one = canvas_at(canvas, x + i, y);
        if (is_block(one->glyph))
            svg_block(out, one, &look, x + i, y);
        else
            text |= one->glyph != ' ' && one->glyph != 0;
    }
    if (!text)
        return;
    text_printf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s>", x * SVG_CELL_WIDTH,
                y * SVG_CELL_HEIGHT + SVG_BASELINE, length * SVG_CELL_WIDTH, look.foreground,
                look.bold ? " font-weight=\"bold\"" : "", look.underline ? " text-decoration=\"underline\"" : "");
    for (int i = 0; i < length; i++) {
        uint32_t glyph = canvas_at(canvas, x + i, y)->glyph;
        put_escaped(out, is_block(glyph) ? ' ' : glyph);
    }
    text_puts(out, "</text>\n");
}

void export_svg(const struct canvas *canvas, enum theme theme, struct text *out)
{
    struct look plain = look_of(&(struct cell){' ', ROLE_TEXT, ROLE_TEXT, 0}, theme);
    int width = canvas->width * SVG_CELL_WIDTH, height = canvas->height * SVG_CELL_HEIGHT;
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "font-family=\"monospace\" font-size=\"%d\" xml:space=\"preserve\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
                width, height, width, height, SVG_FONT, plain.background);
    for (int y = 0; y < canvas->height; y++)
        for (int x = 0, length; x < canvas->width; x += length) {
            length = run_length(canvas, x, y);
            svg_run(out, canvas, theme, x, y, length);
        }
    text_puts(out, "</svg>\n");
}

void export_html(const struct canvas *canvas, enum theme theme, struct text *out)
{
    struct look plain = look_of(&(struct cell){' ', ROLE_TEXT, ROLE_TEXT, 0}, theme);
    text_printf(out,
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Bankshot</title></head>\n"
                "<body style=\"background:#%06x\"><pre style=\"color:#%06x;font-family:monospace;line-height:1.2\">\n",
                plain.background, plain.foreground);
    for (int y = 0; y < canvas->height; y++) {
        for (int x = 0, length; x < canvas->width; x += length) {
            const struct cell *cell = canvas_at(canvas, x, y);
            length = run_length(canvas, x, y);
            struct look look = look_of(cell, theme);
            if (!is_plain(cell))
                text_printf(out, "<span style=\"color:#%06x;background:#%06x%s%s\">", look.foreground, look.background,
                            look.bold ? ";font-weight:bold" : "", look.underline ? ";text-decoration:underline" : "");
            for (int i = 0; i < length; i++)
                put_escaped(out, canvas_at(canvas, x + i, y)->glyph);
            if (!is_plain(cell))
                text_puts(out, "</span>");
        }
        text_puts(out, "\n");
    }
    text_puts(out, "</pre></body></html>\n");
}

void export_command(struct app *app, enum action action, const char *path)
{
    if (*path == '\0') {
        app_say(app, ROLE_BAD, "%s needs the name of a file", action_info(action)->name);
        return;
    }
    // a recorded screen is kept as it is; a picture needs no message
    if (action != ACTION_SAVE_SCREEN)
        app->message[0] = '\0';
    app_draw(app);
    struct text out = {0};
    if (action == ACTION_EXPORT_SVG)
        export_svg(&app->canvas, app->theme, &out);
    else if (action == ACTION_EXPORT_HTML)
        export_html(&app->canvas, app->theme, &out);
    else
        export_text(&app->canvas, &out);
    FILE *file = fopen(path, "w");
    bool written = file && fwrite(text_get(&out), 1, out.length, file) == out.length;
    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        app_say(app, ROLE_BAD, "cannot write %s: %s", path, strerror(errno));
    else if (action != ACTION_SAVE_SCREEN)
        app_say(app, ROLE_GOOD, "written to %s", path);
    text_free(&out);
}
