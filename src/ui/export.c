// The canvas written as text, SVG and HTML.
#include "ui/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct cell plain_cell = {' ', ROLE_TEXT, ROLE_TEXT, 0};

// Cells of a row that look alike.
struct stretch {
    int x, y, length;
    const struct cell *cell; // the first
};

static bool look_alike(const struct cell *a, const struct cell *b)
{
    return a->role == b->role && a->under == b->under && a->flags == b->flags;
}

// The stretch after this one, row by row; begin with {0}. False: that was the last.
static bool next_stretch(const struct canvas *canvas, struct stretch *stretch)
{
    stretch->x += stretch->length;
    if (stretch->x >= canvas->width) {
        stretch->x = 0;
        stretch->y++;
    }
    stretch->length = 0;
    stretch->cell = canvas_at(canvas, stretch->x, stretch->y);
    for (const struct cell *cell = stretch->cell; cell && look_alike(cell, stretch->cell);)
        cell = canvas_at(canvas, stretch->x + ++stretch->length, stretch->y);
    return stretch->cell != NULL;
}

// Half blocks are drawn as rectangles: fonts disagree about their height.
static bool is_block(uint32_t glyph)
{
    return glyph == 0x2580 || glyph == 0x2584 || glyph == 0x2588;
}

// False: nothing but blanks (and blocks, if they are left out).
static bool put_stretch(const struct stretch *stretch, bool with_blocks, struct text *out)
{
    struct text text = {0};
    bool any = false;
    for (int i = 0; i < stretch->length; i++) {
        uint32_t glyph = stretch->cell[i].glyph;
        bool is_blank = glyph == ' ' || glyph == 0 || (!with_blocks && is_block(glyph));
        any |= !is_blank;
        if (glyph)
            cell_encode(&text, is_blank ? ' ' : glyph);
    }
    text_escape_markup(out, text_get(&text));
    text_free(&text);
    return any;
}

void export_text(const struct canvas *canvas, struct text *out)
{
    for (int y = 0; y < canvas->height; y++)
        page_print_row(canvas_at(canvas, 0, y), (size_t)canvas->width, out);
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

enum { SVG_CELL_WIDTH = 8, SVG_CELL_HEIGHT = 17, SVG_BASELINE = 13, SVG_FONT = 13 };

static void svg_rectangle(struct text *out, int x, int y, int width, int height, uint32_t colour)
{
    text_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x, y, width, height,
                colour);
}

static void svg_stretch(struct text *out, const struct stretch *stretch, enum theme theme)
{
    struct look look = look_of(stretch->cell, theme);
    int x = stretch->x * SVG_CELL_WIDTH, y = stretch->y * SVG_CELL_HEIGHT;
    if (look.background != look_of(&plain_cell, theme).background)
        svg_rectangle(out, x, y, stretch->length * SVG_CELL_WIDTH, SVG_CELL_HEIGHT, look.background);
    for (int i = 0; i < stretch->length; i++) {
        uint32_t glyph = stretch->cell[i].glyph;
        const int half = (SVG_CELL_HEIGHT + 1) / 2;
        int top = glyph == 0x2584 ? half : 0, bottom = glyph == 0x2580 ? half : SVG_CELL_HEIGHT;
        if (is_block(glyph))
            svg_rectangle(out, x + i * SVG_CELL_WIDTH, y + top, SVG_CELL_WIDTH, bottom - top, look.foreground);
    }
    struct text text = {0};
    if (put_stretch(stretch, false, &text))
        text_printf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s>%s</text>\n", x,
                    y + SVG_BASELINE, stretch->length * SVG_CELL_WIDTH, look.foreground,
                    look.bold ? " font-weight=\"bold\"" : "", look.underline ? " text-decoration=\"underline\"" : "",
                    text_get(&text));
    text_free(&text);
}

static void export_svg(const struct canvas *canvas, enum theme theme, struct text *out)
{
    int width = canvas->width * SVG_CELL_WIDTH, height = canvas->height * SVG_CELL_HEIGHT;
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "font-family=\"monospace\" font-size=\"%d\" xml:space=\"preserve\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
                width, height, width, height, SVG_FONT, look_of(&plain_cell, theme).background);
    for (struct stretch stretch = {0}; next_stretch(canvas, &stretch);)
        svg_stretch(out, &stretch, theme);
    text_puts(out, "</svg>\n");
}

static void export_html(const struct canvas *canvas, enum theme theme, struct text *out)
{
    struct look plain = look_of(&plain_cell, theme);
    text_printf(out,
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Bankshot</title></head>\n"
                "<body style=\"background:#%06x\"><pre style=\"color:#%06x;font-family:monospace;line-height:1.2\">\n",
                plain.background, plain.foreground);
    for (struct stretch stretch = {0}; next_stretch(canvas, &stretch);) {
        struct look look = look_of(stretch.cell, theme);
        bool is_plain = look_alike(stretch.cell, &plain_cell);
        if (!is_plain)
            text_printf(out, "<span style=\"color:#%06x;background:#%06x%s%s\">", look.foreground, look.background,
                        look.bold ? ";font-weight:bold" : "", look.underline ? ";text-decoration:underline" : "");
        put_stretch(&stretch, true, out);
        text_printf(out, "%s%s", is_plain ? "" : "</span>", stretch.x + stretch.length < canvas->width ? "" : "\n");
    }
    text_puts(out, "</pre></body></html>\n");
}

bool export_file(const char *path, const struct text *content)
{
    FILE *file = fopen(path, "w");
    bool written = file && fwrite(text_get(content), 1, content->length, file) == content->length;
    return file && fclose(file) == 0 && written;
}

bool export_command(struct app *app, enum action action, const char *path)
{
    bool is_picture = action == ACTION_EXPORT_TEXT || action == ACTION_EXPORT_SVG || action == ACTION_EXPORT_HTML;
    if (!is_picture && action != ACTION_SAVE_SCREEN)
        return false;
    if (*path == '\0') {
        app_say(app, ROLE_BAD, "%s needs the name of a file", action_info(action)->name);
        return true;
    }
    // a recorded screen is kept as it is; a picture needs no message
    if (is_picture)
        app->message[0] = '\0';
    app_draw(app);
    struct text out = {0};
    if (action == ACTION_EXPORT_SVG)
        export_svg(&app->canvas, app->theme, &out);
    else if (action == ACTION_EXPORT_HTML)
        export_html(&app->canvas, app->theme, &out);
    else
        export_text(&app->canvas, &out);
    if (!export_file(path, &out))
        app_say(app, ROLE_BAD, "cannot write %s: %s", path, strerror(errno));
    else if (is_picture)
        app_say(app, ROLE_GOOD, "written to %s", path);
    text_free(&out);
    return true;
}
