// Global: which 32-byte sectors of global memory a warp's access moves, and how much of them it wanted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/layout.h"
#include "ui/view.h"

enum { LINE_WORDS = SECTOR_LINE_BYTES / BANK_BYTES, SECTOR_WORDS = SECTOR_BYTES / BANK_BYTES };

// The lane that wants any of the word; the cursor's lane wins. -1: none.
static int lane_of_word(const struct recorded_access *access, uint64_t word, int cursor)
{
    uint64_t first, end = recorded_range(access, cursor, &first);
    return first < end && first < word + BANK_BYTES && word < end ? cursor : recorded_lane_at(access, word, BANK_BYTES);
}

static long long offset_of(uint64_t address)
{
    uint64_t place;
    int64_t offset;
    return sim_address_place(address, &place, &offset) ? (long long)offset : (long long)address;
}

static void draw_sector_word(struct canvas *canvas, int x, int y, int columns, const struct recorded_access *access,
                             uint64_t word, int cursor, bool moved)
{
    int lane = lane_of_word(access, word, cursor);
    if (lane < 0 && !moved) {
        canvas_right(canvas, x + columns, y, ROLE_INACTIVE, "·");
        return;
    }
    if (lane < 0) {
        canvas_right(canvas, x + columns, y, ROLE_DRAGGED, "%s", columns == 1 ? "▒" : "▒▒");
        return;
    }
    canvas_target(canvas, (struct rect){x, y, columns, 1}, TARGET_LANE, lane, -1);
    char text[16];
    snprintf(text, sizeof text, "%d", lane);
    if (lane == cursor)
        canvas_field(canvas, x, y, columns, (struct cell){' ', ROLE_CURSOR, ROLE_TEXT, 0}, columns > 1 ? text : "@");
    else
        canvas_field(canvas, x, y, columns, canvas_look(canvas, ROLE_ON_HOT, lane % 2 ? ROLE_TOUCHED2 : ROLE_TOUCHED),
                     columns > 1 ? text : "#");
}

static void draw_sector_line(struct app *app, struct canvas *canvas, struct rect row,
                             const struct recorded_access *access, const struct sector_line *line)
{
    const int label = 12, room = row.width - label - LINE_WORDS / SECTOR_WORDS;
    const int columns = room > 3 * LINE_WORDS ? 3 : room >= 2 * LINE_WORDS ? 2 : 1;
    canvas_printf(canvas, row.x + 1, row.y, label - 1, ROLE_DIM, "%+lld", offset_of(line->address));
    int x = row.x + label;
    for (int word = 0; word < LINE_WORDS; word++) {
        if (word % SECTOR_WORDS == 0)
            canvas_text(canvas, x++, row.y, 1, ROLE_BORDER, "│");
        uint64_t at = line->address + (uint64_t)word * BANK_BYTES;
        bool moved = sector_line_wants(line, at / SECTOR_BYTES * SECTOR_BYTES, SECTOR_BYTES);
        draw_sector_word(canvas, x, row.y, columns, access, at, (int)app->global.lane, moved);
        x += columns;
    }
    canvas_text(canvas, x, row.y, 1, ROLE_BORDER, "│");
}

// Sectors of the access that loads of the same block have moved before: what L1 still has unless too much came since.
static uint32_t sectors_again(const struct recording *recording, const struct recorded_access *access,
                              const struct sector_pattern *traffic)
{
    uint32_t again = 0;
    unsigned char seen[SECTOR_LINES_MAX] = {0}; // a bit for each sector of a line
    for (const struct recorded_access *other = recording->items; other < access; other++) {
        bool loads = other->space == PTX_GLOBAL && (other->kind == SIM_LOAD || other->kind == SIM_ASYNC_COPY);
        for (int lane = 0; loads && lane < SIM_LANES; lane++) {
            if (!(other->mask >> lane & 1))
                continue;
            size_t low = 0, high = traffic->line_count;
            uint64_t start = other->addresses[lane] / SECTOR_LINE_BYTES * SECTOR_LINE_BYTES;
            while (low < high) {
                size_t middle = (low + high) / 2;
                if (traffic->lines[middle].address < start)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low < traffic->line_count && traffic->lines[low].address == start)
                seen[low] |= (unsigned char)(1 << (other->addresses[lane] - start) / SECTOR_BYTES);
        }
    }
    for (size_t i = 0; i < traffic->line_count; i++)
        for (uint64_t sector = 0; sector < SECTOR_LINE_BYTES / SECTOR_BYTES; sector++)
            again +=
                (seen[i] >> sector & 1) &&
                sector_line_wants(&traffic->lines[i], traffic->lines[i].address + sector * SECTOR_BYTES, SECTOR_BYTES);
    return again;
}

static int cursor_line(const struct sector_pattern *traffic, const struct recorded_access *access, uint32_t lane)
{
    for (size_t i = 0; i < traffic->line_count; i++)
        if (access->addresses[lane] - traffic->lines[i].address < SECTOR_LINE_BYTES)
            return (int)i;
    return 0;
}

static void draw_picture(struct app *app, struct canvas *canvas, struct rect rect, const char *array,
                         const struct recording *recording, const struct recorded_access *access)
{
    struct sector_pattern traffic;
    sector_pattern_make(&traffic, access->bytes, access->mask, access->addresses);
    uint64_t moved = (uint64_t)traffic.sectors * SECTOR_BYTES;
    uint32_t again = access->kind == SIM_LOAD ? sectors_again(recording, access, &traffic) : 0;
    struct pen pen = canvas_pen(canvas, rect);
    if (!question_hides(app))
        pen_put(&pen, ROLE_EMPHASIS, "%s: %u sector%s %llu bytes, %llu wanted: %.3g %% used", array, traffic.sectors,
                traffic.sectors == 1 ? " moves" : "s move", (unsigned long long)moved,
                (unsigned long long)traffic.wanted, moved ? 100.0 * (double)traffic.wanted / (double)moved : 0);
    if (!question_hides(app) && again > 0)
        pen_put(&pen, ROLE_GOOD, "; %u read before: in L1", again);
    canvas_put(canvas, rect_row(rect, 1), ROLE_DIM,
               "byte       rows of 4 sectors, 128 bytes; numbers are lanes, ▒ moved, not wanted");
    struct scroll scroll = {.top = app->global.picture.top, .cursor = cursor_line(&traffic, access, app->global.lane)};
    scroll_fit(&scroll, (int)traffic.line_count, rect.height - 3, true);
    app->global.picture.top = scroll.top;
    for (int y = 0; y < rect.height - 3 && scroll.top + y < (int)traffic.line_count; y++)
        draw_sector_line(app, canvas, rect_row(rect, 2 + y), access, &traffic.lines[scroll.top + y]);
    uint32_t lane = app->global.lane;
    if (access->mask >> lane & 1)
        canvas_put(canvas, rect_row(rect, -1), ROLE_EMPHASIS, "lane %u → %s, byte %lld  %u byte%s  sector %lld", lane,
                   array, offset_of(access->addresses[lane]), access->bytes, access->bytes == 1 ? "" : "s",
                   offset_of(access->addresses[lane]) / SECTOR_BYTES);
    else
        canvas_put(canvas, rect_row(rect, -1), ROLE_EMPHASIS, "lane %u is inactive", lane);
}

static void draw_sites(struct app *app, struct canvas *canvas, struct rect body, const struct grade_report *report,
                       const struct sites *sites)
{
    struct sites old = list_sites(app, app_before(app), PTX_GLOBAL);
    struct rect tall = {body.x, body.y, body.width, body.height < 24 ? 24 : body.height};
    struct banks_layout layout = layout_banks(tall, app->asked.report ? 0 : (int)sites->count, false, false);
    struct site_list list = {sites, &old, true, false, NULL, app_before_name(app)};
    if (layout.list.height > 0)
        site_list_draw(canvas, layout.list_head, layout.list, &list, &app->global.rows);
    struct choice choice = list_choose(&app->global, report, list_site(&app->global, sites));
    char caption[256];
    canvas_rule(canvas, rect_row(layout.caption, 0));
    canvas_printf(canvas, layout.caption.x + 1, layout.caption.y, layout.caption.width - 2, ROLE_TEXT, " sectors  %s ",
                  choice_caption(&choice, false, caption, sizeof caption));
    struct rect picture = {body.x, layout.map.y, body.width, 0}; // nothing stands beside it
    picture.height = body.y + body.height - picture.y;
    struct rect clip = canvas_clip(canvas, picture);
    if (choice.access)
        draw_picture(app, canvas, picture, choice.site->array, &report->record.recording, choice.access);
    else
        blocks_draw_absent(app, canvas, picture, report, choice.warp);
    canvas_unclip(canvas, clip);
    sites_free(&old);
}

static void draw_global(struct app *app, struct canvas *canvas, struct rect body)
{
    const struct grade_report *report = app_pictured(app);
    struct sites sites = list_sites(app, report, PTX_GLOBAL);
    if (list_site(&app->global, &sites))
        draw_sites(app, canvas, body, report, &sites);
    else
        canvas_notice(canvas, body, ROLE_DIM, "%s",
                      report ? "The last save made no access to global memory." : "No run yet.");
    sites_free(&sites);
}

static bool act_global(struct app *app, enum action action)
{
    return (app->asked.report && question_act(app, action)) || list_act(app, &app->global, PTX_GLOBAL, action);
}

static bool find_global(struct app *app, int direction)
{
    return list_find(app, &app->global, PTX_GLOBAL, direction);
}

const struct view_ops view_global = {.draw = draw_global, .act = act_global, .find = find_global};
