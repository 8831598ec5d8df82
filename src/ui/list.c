// The list of memory accesses at the top of the banks and the global view: which there are, which of another run each
// one was, their rows, the cursor and the search.
#include "ui/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "ui/source.h"
#include "ui/view.h"

// ---- the accesses of a run

// Of the line's text without the blanks in front; 0: there is none.
static uint64_t hash_of_line(const char *source, uint32_t line)
{
    char text[512];
    source_line(source, (int)line, text, sizeof text);
    return *text ? map_hash(MAP_HASH_START, text, strlen(text)) : 0;
}

struct sites list_sites(const struct grade_report *report, enum ptx_space space)
{
    struct sites sites = {.report = report};
    size_t count = report ? report->record.counters.count : 0;
    sites.items = mem_alloc((count + 1) * sizeof *sites.items);
    for (size_t i = 0; i < count; i++) {
        const struct counter_line *line = &report->record.counters.lines[i];
        if (line->space == space)
            sites.items[sites.count++] = (struct site){line, hash_of_line(report->source, line->line)};
    }
    return sites;
}

void sites_free(struct sites *sites)
{
    free(sites->items);
    *sites = (struct sites){0};
}

static bool is_like(const struct site *site, const struct site *other, bool by_text)
{
    return site->line->kind == other->line->kind && (!by_text || (other->text && site->text == other->text));
}

const struct counter_line *sites_match(const struct sites *sites, const struct sites *all, size_t index)
{
    const struct site *site = &all->items[index];
    const struct counter_line *found = NULL;
    // the same text may be on several lines, or one line hold several accesses: the same occurrence counts, or the
    // last one when a loop is unrolled more often here than there
    for (int by_text = 1; by_text >= 0 && !found; by_text--) {
        size_t wanted = 0, seen = 0;
        for (size_t i = 0; i < index; i++)
            wanted += is_like(&all->items[i], site, by_text);
        for (size_t i = 0; i < sites->count && seen <= wanted; i++)
            if (is_like(&sites->items[i], site, by_text) && (seen++ == wanted || by_text))
                found = sites->items[i].line;
    }
    return found;
}

// ---- its rows

const char *site_operation(const struct counter_line *line, bool as_written, char *text, size_t size)
{
    static const char *const words[] = {
        [SIM_LOAD] = "ld",
        [SIM_STORE] = "st",
        [SIM_ATOMIC] = "atom",
        [SIM_REDUCE] = "red",
        [SIM_ASYNC_COPY] = "cp", // cp.async would leave no room for the bytes
        [SIM_MATRIX_LOAD] = "ldmatrix",
        [SIM_MATRIX_STORE] = "stmatrix",
        [SIM_BULK_COPY] = "bulk",
    };
    uint32_t bytes = as_written ? line->bytes_written : line->bytes;
    snprintf(text, size, "%s %u-bit", words[line->kind], (bytes ? bytes : line->bytes_written) * 8);
    return text;
}

const char *per_instruction(uint64_t cost, uint64_t instructions, char *text, size_t size)
{
    if (instructions == 0)
        snprintf(text, size, "-");
    else if (cost % instructions == 0)
        snprintf(text, size, "%llu", (unsigned long long)(cost / instructions));
    else
        snprintf(text, size, "%.1f", (double)cost / (double)instructions);
    return text;
}

// How often it ran. A load that another one took over ran as written: by docs/hardware.md 1 each time with one
// wavefront besides its conflicts, if it has at most 4 bytes a lane.
static uint64_t times_run(const struct site_list *list, const struct counter_line *line)
{
    if (list->as_written && line->fused_away)
        return line->bytes_written <= 4 ? line->written_wavefronts - line->written_conflicts : 0;
    return line->instructions;
}

static const char *cost_of(const struct site_list *list, const struct counter_line *line, char *text, size_t size)
{
    if (list->sectors)
        return per_instruction(line->sectors, line->requests, text, size);
    if (line->fused_away && !list->as_written)
        return "fused";
    return per_instruction(list->as_written ? line->written_wavefronts : line->wavefronts, times_run(list, line), text,
                           size);
}

static void remark(const struct site_list *list, const struct counter_line *line, struct canvas *canvas, int x, int y,
                   int columns)
{
    if (list->sectors) {
        uint64_t ideal = line->requests * (line->bytes ? line->bytes : 4);
        bool wide = line->sectors > ideal;
        if (line->requests == 0)
            canvas_text(canvas, x, y, columns, ROLE_DIM, "never ran");
        else if (wide)
            canvas_printf(canvas, x, y, columns, ROLE_HEAT5, "◆ %.0f %% used",
                          100.0 * (double)ideal / (double)line->sectors);
        else
            canvas_text(canvas, x, y, columns, ROLE_GOOD, "● ok");
        return;
    }
    uint64_t conflicts = list->as_written ? line->written_conflicts : line->conflicts;
    uint64_t times = times_run(list, line);
    if (line->fused_away && (!list->as_written || times == 0))
        canvas_text(canvas, x, y, columns, ROLE_DIM, "in another");
    else if (times == 0)
        canvas_text(canvas, x, y, columns, ROLE_DIM, "never ran");
    else if (conflicts == 0)
        canvas_text(canvas, x, y, columns, ROLE_GOOD, "● ok");
    else {
        char text[32];
        per_instruction(conflicts, times, text, sizeof text);
        canvas_printf(canvas, x, y, columns, ROLE_HEAT5, "◆ %s conflict%s%s", text, strcmp(text, "1") == 0 ? "" : "s",
                      line->estimate ? " est." : "");
    }
}

enum { COSTS_WIDTH = 33, OPERATION_WIDTH = 11, WIDE_OPERATION = 17, WIDE_LIST = 100 };

// Columns for the operation: "cp.async 128-bit" where there is one and room for it, else "cp 128-bit".
static int operation_width(const struct site_list *list, int width)
{
    char text[64];
    int most = OPERATION_WIDTH;
    for (size_t i = 0; width >= WIDE_LIST && i < list->now->count; i++) {
        int columns = (int)strlen(site_operation(list->now->items[i].line, list->as_written, text, sizeof text)) + 1;
        most = columns > most ? columns : most;
    }
    return most < WIDE_OPERATION ? most : WIDE_OPERATION;
}

static const char *fit_operation(char *text, int width)
{
    char *space = strchr(text, ' ');
    if ((int)strlen(text) >= width && space && space > text + 2)
        memmove(text + 2, space, strlen(space) + 1);
    return text;
}

// The part of a long line that shows the access: from the last name of a shared array on for a load, else the first.
static const char *telling_part(const struct site_list *list, const struct counter_line *line, const char *text,
                                int room)
{
    struct shared_arrays arrays = {0};
    const char *best = text;
    if ((int)strlen(text) <= room || list->sectors)
        return text;
    shared_arrays_read(&arrays, list->now->report->source, NULL);
    for (size_t i = 0; i < arrays.count; i++) {
        const char *at = strstr(text, arrays.items[i].name);
        for (const char *next = at; next && line->kind == SIM_LOAD; next = strstr(next + 1, arrays.items[i].name))
            at = next;
        if (at && (best == text || (line->kind == SIM_LOAD ? at > best : at < best)))
            best = at;
    }
    return best;
}

static void draw_source_text(struct canvas *canvas, int x, int y, int room, enum role role,
                             const struct site_list *list, const struct counter_line *line)
{
    char text[512];
    source_line(list->now->report->source, (int)line->line, text, sizeof text);
    char *comment = strstr(text, "//");
    if (comment && comment > text)
        *comment = '\0';
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
    const char *part = telling_part(list, line, text, room);
    if (part > text)
        x += canvas_text(canvas, x, y, room, ROLE_DIM, "…"), room -= canvas_columns(canvas, "…");
    canvas_cut(canvas, x, y, room, role, part);
}

static void draw_site(struct canvas *canvas, struct rect row, const struct site_list *list, size_t index, bool chosen)
{
    char text[64], number[32];
    const struct counter_line *line = list->now->items[index].line;
    const struct counter_line *old = list->before ? sites_match(list->before, list->now, index) : NULL;
    int width = operation_width(list, row.width), costs = row.x + row.width - COSTS_WIDTH, operation = costs - width;
    enum role role = chosen ? ROLE_EMPHASIS : ROLE_TEXT;
    canvas_text(canvas, row.x, row.y, 2, ROLE_KEY, chosen ? " ▸" : " ");
    canvas_printf(canvas, row.x + 3, row.y, 5, ROLE_LINENO, "%4u", line->line);
    draw_source_text(canvas, row.x + 8, row.y, operation - row.x - 9, role, list, line);
    site_operation(line, list->as_written, text, sizeof text);
    canvas_text(canvas, operation, row.y, width - 1, ROLE_DIM, fit_operation(text, width));
    canvas_right(canvas, costs + 6, row.y, ROLE_EMPHASIS, "%s", cost_of(list, line, number, sizeof number));
    canvas_text(canvas, costs + 7, row.y, 1, ROLE_BORDER, "│");
    canvas_right(canvas, costs + 15, row.y, ROLE_DIM, "%s", old ? cost_of(list, old, number, sizeof number) : "-");
    remark(list, line, canvas, costs + 17, row.y, row.x + row.width - costs - 17);
}

void site_list_draw(struct canvas *canvas, struct rect head, struct rect rows, const struct site_list *list,
                    struct scroll *scroll)
{
    int costs = head.x + head.width - COSTS_WIDTH;
    int width = operation_width(list, head.width), room = costs - width - head.x - 2;
    if (list->caption)
        canvas_text(canvas, head.x + 1, head.y, room, ROLE_DIM, list->caption);
    else
        canvas_printf(canvas, head.x + 4, head.y, room - 3, ROLE_DIM, "line   access %d of %zu", scroll->cursor + 1,
                      list->now->count);
    canvas_text(canvas, costs - width, head.y, width + 1, ROLE_DIM,
                list->sectors      ? ""
                : list->as_written ? "as written"
                                   : "compiled");
    canvas_right(canvas, costs + 6, head.y, ROLE_DIM, "now");
    canvas_text(canvas, costs + 7, head.y, 1, ROLE_BORDER, "│");
    canvas_right(canvas, costs + 15, head.y, ROLE_DIM, "before");
    canvas_text(canvas, costs + 17, head.y, 16, ROLE_DIM, list->sectors ? "sectors/request" : "wavefronts each");
    scroll_fit(scroll, (int)list->now->count, rows.height, true);
    for (int y = 0; y < rows.height && scroll->top + y < (int)list->now->count; y++) {
        struct rect row = {rows.x, rows.y + y, rows.width, 1};
        draw_site(canvas, row, list, (size_t)(scroll->top + y), scroll->top + y == scroll->cursor);
        canvas_target(canvas, row, TARGET_SITE, scroll->top + y, -1);
    }
}

// ---- the cursor and the search

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

const struct counter_line *list_line(struct access_list *list, const struct sites *sites)
{
    scroll_fit(&list->rows, (int)sites->count, 1, true);
    return sites->count ? sites->items[list->rows.cursor].line : NULL;
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
    const struct grade_report *report = app_pictured(app);
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
    const struct grade_report *report = app_pictured(app);
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
    return sites->items[index].line->line;
}

bool list_find(struct app *app, struct access_list *list, enum ptx_space space, int direction)
{
    struct sites sites = list_sites(app_pictured(app), space);
    int64_t at = list_search(app, (int64_t)sites.count, list->rows.cursor, direction, line_of_site, &sites);
    if (at >= 0)
        list->rows.cursor = (int)at;
    sites_free(&sites);
    return at >= 0;
}
