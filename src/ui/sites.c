// The list of memory accesses at the top of the banks and the global view.
#include <stdio.h>
#include <string.h>

#include "ui/source.h"
#include "ui/view.h"

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
        int columns = (int)strlen(site_operation(list->now->items[i], list->as_written, text, sizeof text)) + 1;
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
    shared_arrays_read(&arrays, list->now_source, NULL);
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
    source_line(list->now_source, (int)line->line, text, sizeof text);
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

static void draw_site(struct canvas *canvas, struct rect row, const struct site_list *list,
                      const struct counter_line *line, bool chosen)
{
    char text[64], number[32];
    const struct counter_line *old =
        list->before ? sites_match(list->before, list->before_source, line, list->now, list->now_source) : NULL;
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
        draw_site(canvas, row, list, list->now->items[scroll->top + y], scroll->top + y == scroll->cursor);
        canvas_target(canvas, row, TARGET_SITE, scroll->top + y, -1);
    }
}
