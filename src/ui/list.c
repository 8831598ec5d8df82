// The list of memory accesses at the top of the banks and the global view: which there are, which of another run each
// one was, their rows, the cursor and the search.
#include "ui/list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "ui/source.h"
#include "ui/view.h"

// ---- what an access touches

// The simulator's allocations are the kernel's buffers, in the order of its arguments.
static void name_buffer(const struct app *app, const struct grade_report *report, uint64_t address, char *name,
                        size_t size)
{
    uint64_t place = 0, seen = 0;
    int64_t offset;
    const struct lesson *lesson = app && app_lesson(app) ? app_lesson(app)->lesson : NULL;
    const struct lesson_part *part = lesson && report->part < lesson->part_count ? &lesson->parts[report->part] : NULL;
    if (!sim_address_place(address, &place, &offset))
        return;
    for (size_t i = 0; part && i < part->arg_count; i++) {
        if (!lesson_is_buffer(&part->args[i]) || seen++ != place)
            continue;
        snprintf(name, size, "%s", part->args[i].name);
        return;
    }
    snprintf(name, size, "buffer %llu", (unsigned long long)place + 1);
}

// A name as a word of its own.
const char *list_find_word(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return at;
    }
    return NULL;
}

// The array's name with its subscripts, where the line has it: of a load the last one, else the first.
static const char *find_element(const char *text, const char *array, bool is_load, size_t *length)
{
    const char *found = list_find_word(text, array);
    for (const char *next = found; is_load && next && (next = list_find_word(next + 1, array)) != NULL;)
        found = next;
    if (!found)
        return NULL;
    size_t end = strlen(array);
    while (found[end] == '[') {
        int depth = 0;
        do
            depth += (found[end] == '[') - (found[end] == ']');
        while (found[end++] && depth > 0);
    }
    *length = end <= strlen(found) ? end : strlen(found);
    return found;
}

// Where nothing is recorded, the source's line has to say it.
static void name_by_text(const struct grade_report *report, const struct counter_line *line,
                         const struct shared_arrays *arrays, char *name, size_t size)
{
    char text[512];
    const char *best = NULL;
    source_line(report->source, (int)line->line, text, sizeof text);
    for (size_t i = 0; i < arrays->count; i++) {
        size_t length;
        const char *at = find_element(text, arrays->items[i].name, line->kind == SIM_LOAD, &length);
        if (!at || (best && (line->kind == SIM_LOAD ? at < best : at > best)))
            continue;
        best = at;
        snprintf(name, size, "%s", arrays->items[i].name);
    }
}

// The address that each instruction touched first, by pc; free() it.
static uint64_t *first_addresses(const struct grade_report *report, enum ptx_space space, uint32_t *count)
{
    const struct recording *recording = &report->record.recording;
    *count = 0;
    for (size_t i = 0; i < report->record.counters.count; i++)
        if (report->record.counters.lines[i].pc >= *count)
            *count = report->record.counters.lines[i].pc + 1;
    uint64_t *first = mem_alloc((*count + 1) * sizeof *first);
    memset(first, 0xff, (*count + 1) * sizeof *first);
    for (size_t i = recording->count; i-- > 0;) {
        const struct recorded_access *access = &recording->items[i];
        if (access->space == space && access->pc < *count && access->mask)
            first[access->pc] = access->addresses[__builtin_ctz(access->mask)];
    }
    return first;
}

// ---- the accesses of a run

static bool is_as_dear(const struct counter_line *a, const struct counter_line *b, bool as_written)
{
    uint64_t dear = as_written ? a->written_wavefronts : a->wavefronts;
    uint64_t other = as_written ? b->written_wavefronts : b->wavefronts;
    bool ran = a->instructions && b->instructions; // what is done by others did not, as compiled
    return (ran ? dear * b->instructions == other * a->instructions : dear == other) &&
           a->sectors * b->requests == b->sectors * a->requests;
}

static bool is_alike(const struct site *site, const struct counter_line *line, const char *array, bool as_written)
{
    const struct counter_line *first = site->line;
    bool same_width = as_written ? first->bytes_written == line->bytes_written : first->bytes == line->bytes;
    return first->line == line->line && first->kind == line->kind && same_width && first->estimate == line->estimate &&
           strcmp(site->array, array) == 0 && is_as_dear(first, line, as_written);
}

// Puts a line to the site that it is one of, or begins one. Lines come by line and pc; the pcs of a site are gathered
// when all are known.
static void add_line(struct sites *sites, size_t *of_line, const struct counter_line *line, const char *array,
                     bool as_written)
{
    size_t at = sites->count;
    for (size_t i = sites->count; i-- > 0 && sites->items[i].line->line == line->line && at == sites->count;)
        at = is_alike(&sites->items[i], line, array, as_written) ? i : at;
    if (at == sites->count) {
        sites->items[at] = (struct site){.line = line, .set.space = line->space};
        snprintf(sites->items[sites->count++].array, sizeof sites->items->array, "%s", array);
    }
    sites->items[at].set.count++;
    *of_line = at;
}

static void gather_pcs(struct sites *sites, const size_t *of_line)
{
    const struct counter_table *table = &sites->report->record.counters;
    uint32_t *next = sites->pcs;
    for (size_t i = 0; i < sites->count; i++) {
        sites->items[i].set.pcs = next;
        for (size_t j = 0; j < table->count; j++)
            if (of_line[j] == i)
                *next++ = table->lines[j].pc;
    }
}

struct sites list_sites(const struct app *app, const struct grade_report *report, enum ptx_space space)
{
    bool as_written = app && app->banks.as_written && space == PTX_SHARED;
    struct sites sites = {.report = report};
    const struct counter_table *table = report ? &report->record.counters : NULL;
    struct shared_arrays arrays = {0};
    uint32_t pcs;
    if (!table || table->count == 0)
        return sites;
    if (report->source && space == PTX_SHARED)
        shared_arrays_read(&arrays, report->source, report->kernel);
    uint64_t *first = first_addresses(report, space, &pcs);
    size_t *of_line = mem_alloc(table->count * sizeof *of_line);
    sites.items = mem_alloc(table->count * sizeof *sites.items);
    sites.pcs = mem_alloc(table->count * sizeof *sites.pcs);
    for (size_t i = 0; i < table->count; i++) {
        const struct counter_line *line = &table->lines[i];
        const struct shared_array *array = NULL;
        char name[sizeof sites.items->array] = "";
        of_line[i] = SIZE_MAX;
        sites.fused += line->space == space && line->fused_away && !as_written;
        if (line->space != space || (line->fused_away && !as_written))
            continue;
        bool is_known = first[line->pc] != UINT64_MAX;
        if (is_known && space == PTX_GLOBAL)
            name_buffer(app, report, first[line->pc], name, sizeof name);
        else if (is_known && (array = shared_arrays_at(&arrays, first[line->pc])) != NULL)
            snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1, array->name);
        else if (report->source)
            name_by_text(report, line, &arrays, name, sizeof name);
        add_line(&sites, &of_line[i], line, name, as_written);
    }
    gather_pcs(&sites, of_line);
    free(of_line);
    free(first);
    return sites;
}

int sites_find(const struct sites *sites, uint32_t pc)
{
    for (size_t i = 0; i < sites->count; i++)
        for (size_t j = 0; j < sites->items[i].set.count; j++)
            if (sites->items[i].set.pcs[j] == pc)
                return (int)i;
    return -1;
}

void sites_free(struct sites *sites)
{
    free(sites->items);
    free(sites->pcs);
    *sites = (struct sites){0};
}

struct site site_of_line(const struct counter_line *line)
{
    return (struct site){.line = line, .set = {line->space, &line->pc, 1}};
}

static bool is_like(const struct site *site, const struct site *other, bool by_array)
{
    return site->line->kind == other->line->kind &&
           (!by_array || (*site->array && strcmp(site->array, other->array) == 0));
}

const struct site *sites_match(const struct sites *sites, const struct sites *all, size_t index)
{
    const struct site *site = &all->items[index], *found = NULL;
    // where there were fewer to the same array, the last of them was it
    for (int by_array = 1; by_array >= 0 && !found; by_array--) {
        size_t wanted = 0, seen = 0;
        for (size_t i = 0; i < index; i++)
            wanted += is_like(&all->items[i], site, by_array);
        for (size_t i = 0; i < sites->count && seen <= wanted; i++)
            if (is_like(&sites->items[i], site, by_array) && (seen++ == wanted || by_array))
                found = &sites->items[i];
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
            canvas_printf(canvas, x, y, columns, ROLE_HEAT5, "◆ %.3g %% used",
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

// Below NARROW_LIST columns there is no room for the operation, and for the remark's sign alone.
enum {
    COSTS_WIDTH = 33,
    NARROW_COSTS = 19,
    NARROW_LIST = 60,
    OPERATION_WIDTH = 12,
    WIDE_OPERATION = 17,
    WIDE_LIST = 100
};

static int costs_width(int width)
{
    return width < NARROW_LIST ? NARROW_COSTS : COSTS_WIDTH;
}

// Columns for the operation: "cp.async 128-bit" where there is one and room for it, else "cp 128-bit".
static int operation_width(const struct site_list *list, int width)
{
    char text[64];
    int most = width < NARROW_LIST ? 0 : OPERATION_WIDTH;
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

// The element that is touched, and how often the line's loop does it: "tile[threadIdx.x][i] x32". Where the source does
// not name it, the array and the line's text.
static void draw_element(struct canvas *canvas, int x, int y, int room, enum role role, const struct site_list *list,
                         const struct site *site)
{
    char text[512], times[24] = "";
    size_t length = 0;
    source_line(list->now->report->source, (int)site->line->line, text, sizeof text);
    const char *element = *site->array ? find_element(text, site->array, site->line->kind == SIM_LOAD, &length) : NULL;
    if (site->set.count > 1)
        snprintf(times, sizeof times, " x%zu", site->set.count);
    room -= (int)strlen(times);
    if (element) {
        memmove(text, element, length);
        text[length] = '\0';
        x += canvas_cut(canvas, x, y, room, role, text);
    } else {
        char *comment = strstr(text, "//");
        if (comment && comment > text)
            *comment = '\0';
        int named = *site->array ? canvas_printf(canvas, x, y, room, role, "%s ", site->array) : 0;
        x += named + canvas_cut(canvas, x + named, y, room - named, *site->array ? ROLE_DIM : role, text);
    }
    canvas_text(canvas, x, y, (int)strlen(times), ROLE_KEY, times);
}

static void draw_site(struct canvas *canvas, struct rect row, const struct site_list *list, size_t index, bool chosen)
{
    char text[64], number[32];
    const struct site *site = &list->now->items[index];
    const struct counter_line *line = site->line;
    const struct site *old = list->before ? sites_match(list->before, list->now, index) : NULL;
    int width = operation_width(list, row.width), costs = row.x + row.width - costs_width(row.width),
        operation = costs - width;
    enum role role = chosen ? ROLE_EMPHASIS : ROLE_TEXT;
    canvas_text(canvas, row.x, row.y, 2, ROLE_KEY, chosen ? " ▸" : " ");
    canvas_printf(canvas, row.x + 3, row.y, 5, ROLE_LINENO, "%4u", line->line);
    draw_element(canvas, row.x + 8, row.y, operation - row.x - 9, role, list, site);
    site_operation(line, list->as_written, text, sizeof text);
    canvas_text(canvas, operation, row.y, width - 1, ROLE_DIM, fit_operation(text, width));
    canvas_right(canvas, costs + 6, row.y, ROLE_EMPHASIS, "%s", cost_of(list, line, number, sizeof number));
    canvas_text(canvas, costs + 7, row.y, 1, ROLE_BORDER, "│");
    canvas_right(canvas, costs + 15, row.y, ROLE_DIM, "%s",
                 old ? cost_of(list, old->line, number, sizeof number) : "-");
    remark(list, line, canvas, costs + 17, row.y, row.x + row.width - costs - 17);
}

void site_list_draw(struct canvas *canvas, struct rect head, struct rect rows, const struct site_list *list,
                    struct scroll *scroll)
{
    int costs = head.x + head.width - costs_width(head.width);
    bool is_narrow = head.width < NARROW_LIST;
    int width = operation_width(list, head.width), room = costs - width - head.x - 2;
    if (is_narrow)
        canvas_printf(canvas, head.x + 1, head.y, room, ROLE_DIM, "access %d of %zu", scroll->cursor + 1,
                      list->now->count);
    else if (list->caption)
        canvas_text(canvas, head.x + 1, head.y, room, ROLE_DIM, list->caption);
    else
        canvas_printf(canvas, head.x + 4, head.y, room - 3, ROLE_DIM, "line   access %d of %zu", scroll->cursor + 1,
                      list->now->count);
    bool is_cut = rows.height < (int)list->now->count && list->caption; // else the head says which of how many
    if (is_cut && !is_narrow)
        canvas_printf(canvas, costs - width, head.y, width + 1, ROLE_KEY, "%d of %zu", scroll->cursor + 1,
                      list->now->count);
    else if (!is_narrow)
        canvas_text(canvas, costs - width, head.y, width + 1, ROLE_DIM,
                    list->sectors      ? ""
                    : list->as_written ? "as written"
                                       : "compiled");
    canvas_right(canvas, costs + 6, head.y, ROLE_DIM, "now");
    canvas_text(canvas, costs + 7, head.y, 1, ROLE_BORDER, "│");
    canvas_right(canvas, costs + 15, head.y, ROLE_DIM, "%s", list->other);
    canvas_text(canvas, costs + 17, head.y, head.x + head.width - costs - 17, ROLE_DIM,
                is_narrow       ? ""
                : list->sectors ? "sectors/request"
                                : "wavefronts each");
    scroll_fit(scroll, (int)list->now->count, rows.height, true);
    for (int y = 0; y < rows.height && scroll->top + y < (int)list->now->count; y++) {
        struct rect row = {rows.x, rows.y + y, rows.width, 1};
        draw_site(canvas, row, list, (size_t)(scroll->top + y), scroll->top + y == scroll->cursor);
        canvas_target(canvas, row, TARGET_SITE, scroll->top + y, -1);
    }
}

// ---- the cursor and the search

enum { LIST_HEIGHT = 4 }; // rows that half a page is counted from

struct choice list_choose(const struct access_list *list, const struct grade_report *report, const struct site *site)
{
    struct choice choice = {.report = report, .site = site};
    if (!report || !site)
        return choice;
    const struct recording *recording = &report->record.recording;
    choice.warps = access_warps(recording);
    choice.warp = list->warp < choice.warps ? list->warp : 0;
    choice.instances = access_count(recording, &site->set, choice.warp);
    choice.instance = list->instance < choice.instances ? list->instance : 0;
    choice.access = access_get(recording, &site->set, choice.warp, choice.instance);
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
                  const struct site *site, bool as_compiled)
{
    *picture = (struct access_picture){.choice = list_choose(list, report, site)};
    if (picture->choice.access) {
        bank_pattern_of(&picture->storage, picture->choice.access, as_compiled);
        picture->pattern = &picture->storage;
    }
    if (site && report->source)
        shared_arrays_read(&picture->arrays, report->source, report->kernel);
}

const struct site *list_site(struct access_list *list, const struct sites *sites)
{
    scroll_fit(&list->rows, (int)sites->count, 1, true);
    return sites->count ? &sites->items[list->rows.cursor] : NULL;
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

static bool is_wasteful(const struct app *app, const struct counter_line *line)
{
    if (line->space == PTX_GLOBAL)
        return line->sectors * SECTOR_BYTES > line->requests * WARP_LANES * (line->bytes ? line->bytes : 4);
    return (app->banks.as_written ? line->written_conflicts : line->conflicts) > 0;
}

// The next row, round the list, that pays for more than it has to.
static void go_to_conflict(struct app *app, struct access_list *list, const struct sites *sites)
{
    int count = (int)sites->count;
    for (int i = 1; i <= count; i++) {
        int at = (list->rows.cursor + i) % count;
        if (!is_wasteful(app, sites->items[at].line))
            continue;
        list->rows.cursor = at;
        list->instance = 0;
        return;
    }
    app_say(app, ROLE_GOOD, "no access here takes more than it has to");
}

bool list_act(struct app *app, struct access_list *list, enum ptx_space space, enum action action)
{
    const struct grade_report *report = app_pictured(app);
    struct sites sites = list_sites(app, report, space);
    struct choice choice = list_choose(list, report, list_site(list, &sites));
    bool known = true;
    if (action == ACTION_EDIT_LINE)
        app_edit(app, choice.site ? (int)choice.site->line->line : 1);
    else if (space == PTX_SHARED && (action == ACTION_PAGE_DOWN || action == ACTION_PAGE_UP))
        list->lane = (list->lane + WARP_LANES / 2) % WARP_LANES; // pictures of a row a lane show half of them
    else if (action == ACTION_CONFLICT)
        go_to_conflict(app, list, &sites);
    else if (scroll_move(&list->rows, action, (int)sites.count, LIST_HEIGHT, true))
        list->instance = 0;
    else
        known = list_move(list, &choice, action);
    sites_free(&sites);
    return known;
}

void list_open(struct app *app, int line)
{
    const struct {
        enum ptx_space space;
        enum view view;
        struct access_list *list;
    } places[] = {{PTX_SHARED, VIEW_BANKS, &app->banks.list}, {PTX_GLOBAL, VIEW_GLOBAL, &app->global}};
    app->options.line = 0;
    for (size_t place = 0; place < sizeof places / sizeof *places; place++) {
        struct sites sites = list_sites(app, app_report(app), places[place].space);
        for (size_t i = 0; i < sites.count; i++) {
            if ((int)sites.items[i].line->line != line)
                continue;
            *places[place].list =
                (struct access_list){.rows.cursor = (int)i,
                                     .warp = (uint32_t)app->options.warp,
                                     .instance = (size_t)(app->options.time > 0 ? app->options.time - 1 : 0)};
            app_go(app, places[place].view);
            sites_free(&sites);
            return;
        }
        sites_free(&sites);
    }
    app_say(app, ROLE_WARN, "line %d makes no access to shared or global memory", line);
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
    struct sites sites = list_sites(app, app_pictured(app), space);
    int64_t at = list_search(app, (int64_t)sites.count, list->rows.cursor, direction, line_of_site, &sites);
    if (at >= 0)
        list->rows.cursor = (int)at;
    sites_free(&sites);
    return at >= 0;
}
