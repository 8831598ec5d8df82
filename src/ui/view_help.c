// Help: the keys of the view that asked, from actions.def.
#include <string.h>

#include "ui/view.h"

static void add_action(struct page *page, const struct action_info *info)
{
    page_start(page, 0);
    page_pad(page, 2);
    page_add(page, ROLE_KEY, "%s", *info->keys ? info->keys : ":");
    page_pad(page, 16);
    page_add(page, ROLE_TEXT, "%s", info->name);
    page_pad(page, 33);
    page_words(page, 33, ROLE_DIM, 0, info->help);
}

static void make_page(struct page *page, enum view view)
{
    page_start(page, 0);
    page_add(page, ROLE_HEADING, " Keys of %s", view_name(view));
    for (int i = 1; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        if ((info->views & (1u << view)) && info->views != IN_ALL)
            add_action(page, info);
    }
    page_start(page, 0);
    page_start(page, 0);
    page_add(page, ROLE_HEADING, " Everywhere");
    for (int i = 1; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        if (info->views == IN_ALL)
            add_action(page, info);
    }
    page_start(page, 0);
    page_start(page, 0);
    page_add(page, ROLE_HEADING, " Signs");
    static const char *const signs[] = {
        "● conflict-free   ◆ conflicts   ▲ hazard   ✗ error        beside source lines",
        "1 … 32            distinct words of one bank that a group of lanes wants: turns it waits",
        "=                 broadcast: the lane gets a word that another lane wants too",
        "·                 inactive lane, or a word not touched now     ░ a word nobody touches: padding",
        ": name            actions without a key are run by name from the palette",
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        page_start(page, 0);
        page_add(page, ROLE_TEXT, "  %s", signs[i]);
    }
}

static void draw(struct app *app, struct canvas *canvas, struct rect body)
{
    struct page page;
    page_init(&page, body.width - 1, canvas->ascii);
    enum view view = app->depth > 0 ? app->came_from[app->depth - 1] : VIEW_HOME;
    make_page(&page, view);
    scroll_fit(&app->help, (int)page.count, body.height, false);
    page_draw(&page, canvas, body, &app->help, app->match);
    page_more(&page, canvas, body, &app->help);
    page_free(&page);
}

static bool act(struct app *app, enum action action)
{
    // the page's length depends on the view; draw cuts what is too far
    return scroll_move(&app->help, action, 200, app->canvas.height - 2, false);
}

static bool find(struct app *app, int direction)
{
    struct page page;
    page_init(&page, app->canvas.width - 1, app->canvas.ascii);
    make_page(&page, app->depth > 0 ? app->came_from[app->depth - 1] : VIEW_HOME);
    int line = page_find(&page, app->match, app->help.top + direction, direction);
    page_free(&page);
    if (line >= 0)
        app->help.top = line;
    return line >= 0;
}

const struct view_ops view_help = {draw, act, find, NULL};

// roff text: backslashes and leading dots are meant as written.
static void put_roff(struct text *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        text_puts(out, "\\&");
    for (; *text; text++) {
        if (*text == '\\')
            text_puts(out, "\\e");
        else if (*text == '-')
            text_puts(out, "\\-");
        else
            text_append(out, text, 1);
    }
}

void ui_manual_keys(struct text *out)
{
    text_puts(out, ".SH KEYS\n");
    for (int i = 1; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        text_puts(out, ".TP\n.B ");
        put_roff(out, *info->keys ? info->keys : "");
        text_printf(out, "%s:", *info->keys ? "   " : "");
        put_roff(out, info->name);
        text_puts(out, "\n");
        put_roff(out, info->help);
        if (info->views != IN_ALL) {
            text_puts(out, " (");
            bool any = false;
            for (int view = 0; view < VIEW_COUNT; view++) {
                if (!(info->views & (1u << view)))
                    continue;
                text_printf(out, "%s%s", any ? ", " : "", view_name((enum view)view));
                any = true;
            }
            text_puts(out, ")");
        }
        text_puts(out, "\n");
    }
}
