// Help: the keys of the view that asked, from actions.def.
#include <string.h>

#include "ui/view.h"

static void add_actions(struct page *page, enum view view, bool everywhere)
{
    for (int i = 1; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        if (!(info->views & (1u << view)) || (info->views == IN_ALL) != everywhere)
            continue;
        page_start(page, 0);
        page_at(page, 2, ROLE_KEY, "%s", *info->keys ? info->keys : ":");
        page_at(page, 16, ROLE_TEXT, "%s", info->name);
        page_pad(page, 33);
        page_words(page, 33, ROLE_DIM, info->help);
    }
}

static struct scroll *make_help(struct app *app, struct page *page)
{
    static const char *const signs[] = {
        "● conflict-free   ◆ conflicts   ▲ hazard   ✗ error        beside source lines",
        "1 … 32            distinct words of one bank that a group of lanes wants: turns it waits",
        "=                 broadcast: the lane gets a word that another lane wants too",
        "·                 inactive lane, or a word not touched now     ░ a word nobody touches: padding",
        ": name            actions without a key are run by name from the palette",
    };
    enum view view = app->depth > 0 ? app->came_from[app->depth - 1] : VIEW_HOME;
    page_line(page, ROLE_HEADING, " Keys of %s", view_name(view));
    add_actions(page, view, false);
    page_heading(page, "Everywhere");
    add_actions(page, view, true);
    page_heading(page, "Signs");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        page_line(page, ROLE_TEXT, "  %s", signs[i]);
    return &app->help;
}

const struct view_ops view_help = {.page = make_help};
