// Help: the keys of the view that asked, from actions.def.
#include <string.h>

#include "ui/view.h"

static void add_actions(const struct app *app, struct page *page, enum view view, bool everywhere)
{
    for (int i = 1; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        if (!(info->views & (1u << view)) || (info->views == IN_ALL) != everywhere ||
            (app->options.own && action_is_of_lessons((enum action)i)))
            continue;
        page_start(page, 0);
        page_at(page, 2, ROLE_KEY, "%s", *info->keys ? info->keys : ":");
        page_at(page, 16, ROLE_TEXT, "%s", info->name);
        page_pad(page, 33);
        page_words(page, 33, ROLE_DIM, info->help);
    }
}

// The letters in the rows of warps.
static void add_states(struct page *page)
{
    for (int i = 0; i < REPLAY_STATES; i++) {
        enum replay_state state = (enum replay_state)i;
        char letter = replay_state_letter(state);
        page_start(page, 0);
        if (state == STATE_MATH)
            page_at(page, 2, ROLE_TEXT, "█");
        else
            page_at(page, 2, ROLE_TEXT, "%c", letter);
        page_at(page, 20, ROLE_TEXT, "%s", replay_state_words(state));
    }
}

static struct scroll *make_help(struct app *app, struct page *page)
{
    enum { OTHERS = IN_ALL & ~(IN_TIMELINE | IN_GLOBAL) };
    static const struct {
        unsigned views;
        const char *text;
    } signs[] = {
        {OTHERS, "● conflict-free   ◆ conflicts   ▲ hazard   ✗ error        beside source lines"},
        {OTHERS, "1 … 32            distinct words of one bank that a group of lanes wants: turns it waits"},
        {OTHERS, "=                 broadcast: the lane gets a word that another lane wants too"},
        {OTHERS, "·                 inactive lane, or a word not touched now     ░ a word nobody touches: padding"},
        {IN_TIMELINE, "rows of arrays    ░ a copy is on its way to it   ▄ written   █ read"},
        {IN_TIMELINE, "                  ▓ copies arrive while it is read or written   · nothing"},
        {IN_TIMELINE,
         "rows of warps     what the warp does most in these cycles, as the line below says; · not at work"},
        {IN_TIMELINE, "rows below        how busy that part of the SM is: empty 0 %, full height 100 %"},
        {IN_GLOBAL,
         "0 … 31            the lane that wants these bytes   ▒ moved with them, wanted by nobody   · not moved"},
        {IN_ALL, ": name            actions without a key are run by name from the palette"},
    };
    enum view view = app->depth > 0 ? app->came_from[app->depth - 1] : VIEW_HOME;
    page_line(page, ROLE_HEADING, " Keys of %s", view_name(view));
    add_actions(app, page, view, false);
    page_heading(page, "Everywhere");
    add_actions(app, page, view, true);
    page_heading(page, "Signs");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].views & (1u << view))
            page_line(page, ROLE_TEXT, "  %s", signs[i].text);
    if (view == VIEW_TIMELINE)
        add_states(page);
    return &app->help;
}

const struct view_ops view_help = {.page = make_help};
