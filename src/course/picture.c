// Heatmap, timeline and distribution as SVG.
#include "course/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/access.h"

// Opens a picture with its name and what is to be heard of it.
static void begin_picture(struct text *out, const char *id, int width, int height, const char *title, const char *words)
{
    text_printf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-t %s-d\">\n<title id=\"%s-t\">",
                width, height, id, id, id);
    text_escape_markup(out, title);
    text_printf(out, "</title><desc id=\"%s-d\">", id);
    text_escape_markup(out, words);
    text_puts(out, "</desc>\n");
}

static void put_label(struct text *out, int x, int y, const char *anchor, const char *words)
{
    text_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
    text_escape_markup(out, words);
    text_puts(out, "</text>\n");
}

static void put_figure(struct text *out, int x, int y, const char *anchor, unsigned long long number)
{
    text_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%llu</text>\n", x, y, anchor, number);
}

// ---- an access

enum { CELL = 14, LEFT = 34, TOP = 18, MOST_LINES = 16 };

// 1 word: 0, 2: 1, 3 to 4: 2 … as the screen's heat.
static int heat_of(uint32_t words)
{
    int heat = 0;
    while (heat < 5 && (1u << heat) < words)
        heat++;
    return heat;
}

static void put_square(struct text *out, int column, int row, const char *class, const char *sign)
{
    int x = LEFT + column * CELL, y = TOP + row * CELL;
    text_printf(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", class, x, y, CELL - 1,
                CELL - 1);
    if (*sign)
        text_printf(out, "<text class=\"on\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", x + CELL / 2, y + 10,
                    sign);
    text_puts(out, "\n");
}

// What the cells lie on.
static void put_ground(struct text *out, int rows)
{
    text_printf(out, "<rect class=\"ground\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, TOP,
                BANKS * CELL - 1, rows * CELL - 1);
}

static void put_banks(const struct bank_pattern *pattern, struct text *out)
{
    for (int bank = 0; bank < BANKS; bank += 4)
        put_figure(out, LEFT + bank * CELL + CELL / 2, TOP - 5, "middle", (unsigned)bank);
    for (uint32_t lane = 0; lane < pattern->lanes; lane++) {
        if (lane % 4 == 0)
            put_figure(out, LEFT - 5, TOP + (int)lane * CELL + 10, "end", lane);
        for (uint32_t bank = 0; bank < BANKS && bank_pattern_active(pattern, lane); bank++) {
            uint32_t words = bank_pattern_degree(pattern, lane, bank);
            char class[8], sign[16] = "";
            if (!words)
                continue;
            bool shares = pattern->partner[lane] >= 0;
            snprintf(class, sizeof class, "w%d", heat_of(words));
            if (words > 1 || shares)
                snprintf(sign, sizeof sign, shares ? "=" : "%u", words);
            put_square(out, (int)bank, (int)lane, class, sign);
        }
    }
}

static void draw_access_banks(const struct recorded_access *access, const char *title, const char *id, struct text *out)
{
    struct bank_pattern pattern;
    char why[80];
    struct text words = {0};
    bank_pattern_of(&pattern, access, true);
    bank_pattern_explain(&pattern, why, sizeof why);
    text_printf(&words, "Rows are lanes, columns the 32 banks. %u wavefronts, %u conflicts: %s.",
                pattern.schedule.cost.wavefronts, pattern.schedule.cost.conflicts, why);
    begin_picture(out, id, LEFT + BANKS * CELL, TOP + (int)pattern.lanes * CELL, title, text_get(&words));
    put_ground(out, (int)pattern.lanes);
    put_label(out, LEFT - 5, TOP - 5, "end", "bank");
    put_banks(&pattern, out);
    text_puts(out, "</svg>\n<figcaption>");
    text_escape_markup(out, title);
    text_puts(out, ". ");
    text_escape_markup(out, text_get(&words));
    text_puts(out, " A number is how many words wait at the bank; = shares another lane's word.</figcaption>\n");
    text_free(&words);
}

static void put_sector_line(const struct sector_line *line, uint64_t first, int row, struct text *out)
{
    put_figure(out, LEFT - 5, TOP + row * CELL + 10, "end", line->address - first);
    for (int i = 0; i < SECTOR_LINE_BYTES / BANK_BYTES; i++) {
        uint64_t at = line->address + (uint64_t)i * BANK_BYTES;
        bool wanted = sector_line_wants(line, at, BANK_BYTES);
        if (wanted || sector_line_wants(line, at / SECTOR_BYTES * SECTOR_BYTES, SECTOR_BYTES))
            put_square(out, i, row, wanted ? "w0" : "moved", wanted ? "" : "-");
    }
}

static void draw_access_sectors(const struct recorded_access *access, const char *title, const char *id,
                                struct text *out)
{
    struct sector_pattern *pattern = mem_alloc(sizeof *pattern);
    struct text words = {0};
    sector_pattern_make(pattern, access->bytes, access->mask, access->addresses);
    size_t rows = pattern->line_count < MOST_LINES ? pattern->line_count : MOST_LINES;
    text_printf(&words,
                "Rows are 128 bytes of global memory in four sectors. The warp moves %u sectors, %u bytes, and "
                "wants %llu bytes of them.",
                pattern->sectors, pattern->sectors * SECTOR_BYTES, (unsigned long long)pattern->wanted);
    if (rows < pattern->line_count)
        text_printf(&words, " %zu more rows are not shown.", pattern->line_count - rows);
    begin_picture(out, id, LEFT + BANKS * CELL, TOP + (int)rows * CELL, title, text_get(&words));
    put_ground(out, (int)rows);
    put_label(out, LEFT - 5, TOP - 5, "end", "byte");
    for (size_t i = 0; i < rows; i++)
        put_sector_line(&pattern->lines[i], pattern->lines[0].address, (int)i, out);
    text_puts(out, "</svg>\n<figcaption>");
    text_escape_markup(out, title);
    text_puts(out, ". ");
    text_escape_markup(out, text_get(&words));
    text_puts(out, " A dash is moved and not wanted.</figcaption>\n");
    text_free(&words);
    free(pattern);
}

bool picture_access(const struct record *record, const char *id, struct text *out)
{
    const struct counter_line *line;
    const struct recorded_access *worst = access_worst(&record->recording, &record->counters, &line);
    if (!worst)
        return false;
    bool global = worst->space == PTX_GLOBAL;
    struct text title = {0};
    text_printf(&title, "Line %u: %s %s of warp %u, block (%u,%u,%u), %s", line->line, global ? "global" : "shared",
                line->op, worst->warp, record->recording.block[0], record->recording.block[1],
                record->recording.block[2], record->device);
    text_puts(out, "<figure>\n");
    (global ? draw_access_sectors : draw_access_banks)(worst, text_get(&title), id, out);
    text_puts(out, "</figure>\n");
    text_free(&title);
    return true;
}

// ---- the timeline

enum { COLUMNS = 160, COLUMN = 3, ROW = 11, NAMES = 64, MOST_WARPS = 16, AXIS = 14 };

// One path for each state, so that a picture is some kilobytes.
static void put_states(const unsigned char *found, int y, struct text *out)
{
    for (int state = 0; state < REPLAY_STATES; state++) {
        bool any = false;
        for (int x = 0, end; x < COLUMNS; x = end) {
            for (end = x + 1; end < COLUMNS && found[end] == found[x];)
                end++;
            if (found[x] != state)
                continue;
            if (!any)
                text_printf(out, "<path class=\"s%d\" d=\"", state);
            any = true;
            text_printf(out, "M%d %dh%dv%dh%dz", NAMES + x * COLUMN, y, (end - x) * COLUMN, ROW - 2,
                        (x - end) * COLUMN);
        }
        if (any) { // a mouse that rests there is told
            text_puts(out, "\"><title>");
            text_escape_markup(out, replay_state_words((enum replay_state)state));
            text_puts(out, "</title></path>");
        }
    }
}

static void put_pipe(const struct replay_window *window, enum replay_pipe pipe, int y, struct text *out)
{
    put_label(out, NAMES - 5, y + ROW - 2, "end", replay_load_name(pipe));
    text_puts(out, "<path class=\"pipe\" d=\"");
    for (int x = 0; x < COLUMNS; x++) {
        int height = (int)(replay_window_busy(window, x, pipe) * (ROW - 2) + 0.5);
        if (height)
            text_printf(out, "M%d %dh%dv%dh%dz", NAMES + x * COLUMN, y + ROW - 2 - height, COLUMN, height, -COLUMN);
    }
    text_puts(out, "\"/>\n");
}

static void put_legend(const uint32_t columns[REPLAY_STATES], struct text *out)
{
    uint32_t all = 0;
    for (int state = 0; state < REPLAY_STATES; state++)
        all += columns[state];
    text_puts(out, "<ul class=\"legend\">\n");
    for (int state = 0; state < REPLAY_STATES; state++)
        if (columns[state]) {
            text_printf(out, "<li><span class=\"sample b%d\" aria-hidden=\"true\"></span>%.0f %%: ", state,
                        100.0 * columns[state] / all);
            text_escape_markup(out, replay_state_words((enum replay_state)state));
            text_puts(out, "</li>\n");
        }
    text_puts(out, "</ul>\n");
}

// The cycle in which the first block's last warp ends.
static uint32_t first_block_end(const struct replay_log *log, uint32_t first, uint32_t count)
{
    uint32_t end = 1;
    for (size_t i = 0; i < log->span_count; i++)
        if (log->spans[i].row >= first && log->spans[i].row < first + count && log->spans[i].end > end)
            end = log->spans[i].end;
    return end;
}

bool picture_timeline(const struct replay_log *log, const char *id, struct text *out)
{
    uint32_t first = 0, all = replay_log_rows(log, 0, &first), warps = all < MOST_WARPS ? all : MOST_WARPS;
    uint32_t columns[REPLAY_STATES] = {0};
    if (all == 0 || log->bin_cycles == 0)
        return false;
    uint32_t end = first_block_end(log, first, all), zoom = (end + COLUMNS - 1) / COLUMNS;
    struct replay_window window = {log, 0, zoom, COLUMNS};
    unsigned char found[COLUMNS + 1];
    struct text title = {0}, rows = {0};
    for (uint32_t i = 0; i < warps; i++) {
        int y = AXIS + (int)i * ROW;
        char name[24];
        replay_window_states(&window, first + i, found);
        for (int x = 0; x < COLUMNS; x++)
            if (found[x] < REPLAY_STATES)
                columns[found[x]]++;
        snprintf(name, sizeof name, "warp %u", log->rows[first + i].warp);
        put_label(&rows, NAMES - 5, y + ROW - 2, "end", name);
        put_states(found, y, &rows);
        text_puts(&rows, "\n");
    }
    for (int pipe = 0; pipe < REPLAY_LOADS; pipe++)
        put_pipe(&window, (enum replay_pipe)pipe, AXIS + ((int)warps + pipe) * ROW + 4, &rows);
    text_printf(&title, "The first block of an SM, modelled (%s): %u cycles, %u of its %u warps", log->gpu, end, warps,
                all);
    text_puts(out, "<figure>\n");
    begin_picture(out, id, NAMES + COLUMNS * COLUMN, AXIS + ((int)warps + REPLAY_LOADS) * ROW + 6, text_get(&title),
                  "A row for each warp, then one for each pipe; time runs to the right. The list below says what the "
                  "colours are, and how much of the time each has.");
    for (int x = 0; x < COLUMNS; x += COLUMNS / 4)
        put_figure(out, NAMES + x * COLUMN, AXIS - 4, "start", (unsigned long long)x * zoom);
    text_append(out, text_get(&rows), rows.length);
    text_puts(out, "</svg>\n<figcaption>");
    text_escape_markup(out, text_get(&title));
    text_puts(out, ". What its warps do:</figcaption>\n</figure>\n");
    put_legend(columns, out);
    text_free(&title);
    text_free(&rows);
    return true;
}

// ---- the distribution

void picture_scores(const unsigned scores[PICTURE_SCORES], const char *id, struct text *out)
{
    enum { BAR = 30, GAP = 4, HEIGHT = 70 };
    unsigned most = 1;
    struct text words = {0};
    for (int i = 0; i < PICTURE_SCORES; i++) {
        most = scores[i] > most ? scores[i] : most;
        if (scores[i])
            text_printf(&words, i == 10 ? "%s%u with 100" : "%s%u with %d to %d", words.length ? ", " : "", scores[i],
                        10 * i, 10 * i + 9);
    }
    begin_picture(out, id, PICTURE_SCORES * (BAR + GAP), HEIGHT + 28, "How many hand-ins have how many points",
                  words.length ? text_get(&words) : "none");
    for (int i = 0; i < PICTURE_SCORES; i++) {
        int x = i * (BAR + GAP), height = (int)(scores[i] * HEIGHT / most);
        text_printf(out, "<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", x,
                    14 + HEIGHT - height, BAR, height ? height : 1);
        if (scores[i])
            put_figure(out, x + BAR / 2, 10 + HEIGHT - height, "middle", scores[i]);
        put_figure(out, x + BAR / 2, HEIGHT + 25, "middle", (unsigned)(10 * i));
    }
    text_puts(out, "</svg>\n");
    text_free(&words);
}
