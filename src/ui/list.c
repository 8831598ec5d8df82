// The list, cursor and search that the views of memory accesses share.
#include "ui/list.h"

#include <stdio.h>
#include <string.h>

#include "ui/source.h"
#include "ui/view.h"

enum { LIST_HEIGHT = 4 }; // rows that half a page is counted from

struct choice list_choose(const struct access_list *list, const struct grade_report *report,
                          const struct counter_line *line)
{
    struct choice choice = {.report = report, .line = line};
    if (!report || !line)
        return choice;
    const struct recording *recording = &report->record.recording;
    choice.warps = access_warps(recording);
    choice.warp = list->warp < choice.warps ? list->warp : 0;
    choice.instances = access_count(recording, line, choice.warp);
    choice.instance = list->instance < choice.instances ? list->instance : 0;
    choice.access = access_get(recording, line, choice.warp, choice.instance);
    return choice;
}

const char *choice_caption(const struct choice *choice, bool brief, char *text, size_t size)
{
    char block[48], note[64];
    size_t time = choice->instance + (choice->instances > 0);
    blocks_name(choice->report, block, sizeof block);
    blocks_note(&choice->report->record.recording, note, sizeof note);
    if (brief) // "+": more that are not recorded; taller screens say how many
        snprintf(text, size, "warp %u/%u  block %s  time %zu/%zu%s", choice->warp, choice->warps, block, time,
                 choice->instances, *note ? "+" : "");
    else
        snprintf(text, size, "warp %u of %u  block %s  time %zu of %zu%s%s", choice->warp, choice->warps, block, time,
                 choice->instances, *note ? "  " : "", note);
    return text;
}

void picture_make(struct access_picture *picture, const struct access_list *list, const struct grade_report *report,
                  const struct counter_line *line, bool as_compiled)
{
    *picture = (struct access_picture){.choice = list_choose(list, report, line)};
    if (picture->choice.access) {
        bank_pattern_of(&picture->storage, picture->choice.access, as_compiled);
        picture->pattern = &picture->storage;
    }
    if (line && report->source)
        shared_arrays_read(&picture->arrays, report->source, report->kernel);
}

struct sites list_sites(const struct grade_report *report, enum ptx_space space)
{
    struct sites sites;
    sites_make(&sites, report ? &report->record : NULL, space);
    return sites;
}

const struct counter_line *list_line(struct access_list *list, const struct sites *sites)
{
    scroll_fit(&list->rows, (int)sites->count, 1, true);
    return sites->count ? sites->items[list->rows.cursor] : NULL;
}

static uint64_t cycle(uint64_t number, uint64_t count, int by)
{
    return count ? (number + (by > 0 ? 1 : count - 1)) % count : number;
}

bool list_move(struct access_list *list, const struct choice *choice, enum action action)
{
    int by = action == ACTION_RIGHT || action == ACTION_WARP_NEXT || action == ACTION_TIME_NEXT ? 1 : -1;
    if (action == ACTION_LEFT || action == ACTION_RIGHT)
        list->lane = (uint32_t)cycle(list->lane, WARP_LANES, by);
    else if (action == ACTION_WARP_NEXT || action == ACTION_WARP_PREVIOUS)
        list->warp = (uint32_t)cycle(choice->warp, choice->warps, by);
    else if (action == ACTION_TIME_NEXT || action == ACTION_TIME_PREVIOUS)
        list->instance = cycle(choice->instance, choice->instances, by);
    else
        return false;
    return true;
}

bool list_act(struct app *app, struct access_list *list, enum ptx_space space, enum action action)
{
    const struct grade_report *report = app_report(app);
    struct sites sites = list_sites(report, space);
    struct choice choice = list_choose(list, report, list_line(list, &sites));
    bool known = true;
    if (action == ACTION_EDIT_LINE)
        app_edit(app, choice.line ? (int)choice.line->line : 1);
    else if (scroll_move(&list->rows, action, (int)sites.count, LIST_HEIGHT, true))
        list->instance = 0;
    else
        known = list_move(list, &choice, action);
    sites_free(&sites);
    return known;
}

int64_t list_search(const struct app *app, int64_t count, int64_t from, int direction,
                    uint32_t (*line_of)(const void *things, size_t index), const void *things)
{
    const struct grade_report *report = app_report(app);
    for (int64_t i = 1; report && i <= count; i++) {
        char text[512];
        int64_t at = ((from + direction * i) % count + count) % count;
        source_line(report->source, (int)line_of(things, (size_t)at), text, sizeof text);
        if (strcasestr(text, app->match))
            return at;
    }
    return -1;
}

static uint32_t line_of_site(const void *things, size_t index)
{
    const struct sites *sites = things;
    return sites->items[index]->line;
}

bool list_find(struct app *app, struct access_list *list, enum ptx_space space, int direction)
{
    struct sites sites = list_sites(app_report(app), space);
    int64_t at = list_search(app, (int64_t)sites.count, list->rows.cursor, direction, line_of_site, &sites);
    if (at >= 0)
        list->rows.cursor = (int)at;
    sites_free(&sites);
    return at >= 0;
}
