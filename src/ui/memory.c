// The array in memory: its own rows, so that a padded row visibly starts one bank later.
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "ui/view.h"

struct grid {
    uint64_t first_word, words;
    int row_words; // of one row of the array
    char name[64];
};

static struct grid grid_of(const struct shared_arrays *arrays, const struct bank_pattern *pattern,
                           const struct recording *recording)
{
    struct grid grid = {0, 0, BANKS, "shared memory"};
    uint64_t address = 0, last = 0;
    for (uint32_t lane = WARP_LANES; pattern && lane-- > 0;)
        if (pattern->access.mask >> lane & 1)
            address = pattern->addresses[lane];
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].space == PTX_SHARED && recorded_end(&recording->items[i]) > last)
            last = recorded_end(&recording->items[i]);
    const struct shared_array *array = shared_arrays_at(arrays, address);
    grid.words = (last + BANK_BYTES - 1) / BANK_BYTES;
    if (!array || array->dynamic)
        return grid;
    snprintf(grid.name, sizeof grid.name, "%s", array->name);
    grid.first_word = array->offset / BANK_BYTES;
    grid.words = (array->size + BANK_BYTES - 1) / BANK_BYTES;
    grid.row_words = (int)shared_row_words(array);
    return grid;
}

// Words of the grid that any access of the recorded block touches.
static unsigned char *used_words(const struct grid *grid, const struct recording *recording)
{
    unsigned char *used = mem_alloc((size_t)grid->words + 1);
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        for (int lane = 0; lane < SIM_LANES && access->space == PTX_SHARED; lane++) {
            uint64_t first, end = recorded_range(access, lane, &first);
            for (uint64_t word = first / BANK_BYTES; word * BANK_BYTES < end && first < end; word++)
                if (word >= grid->first_word && word - grid->first_word < grid->words)
                    used[word - grid->first_word] = 1;
        }
    }
    return used;
}

// The lane that touches the word; the cursor's lane wins. -1 = none.
static int lane_at(const struct bank_pattern *pattern, uint64_t word, uint32_t cursor)
{
    int found = -1;
    for (uint32_t lane = 0; pattern && lane < pattern->lanes; lane++) {
        if (!bank_pattern_touches(pattern, lane, (uint32_t)(word % BANKS)))
            continue;
        uint64_t first = pattern->addresses[lane] / BANK_BYTES;
        if (word < first || word - first >= (pattern->access.bytes > 4 ? pattern->access.bytes / 4 : 1))
            continue;
        if (lane == cursor)
            return (int)lane;
        if (found < 0)
            found = (int)lane;
    }
    return found;
}

static void draw_array_word(struct canvas *canvas, int x, int y, int columns, const struct memory_picture *picture,
                            uint64_t word, bool used)
{
    int lane = lane_at(picture->pattern, word, picture->lane);
    uint32_t bank = (uint32_t)(word % BANKS);
    if (lane < 0) {
        canvas_right(canvas, x + columns, y, used ? ROLE_INACTIVE : ROLE_PADDING, "%s",
                     used           ? "·"
                     : columns == 1 ? "░"
                                    : "░░");
        return;
    }
    canvas_target(canvas, (struct rect){x, y, columns, 1}, TARGET_LANE, lane, -1);
    bool here = (uint32_t)lane == picture->lane;
    enum role heat = theme_heat(bank_pattern_degree(picture->pattern, (uint32_t)lane, bank));
    struct cell look = canvas_look(canvas, theme_on_heat(heat), heat);
    char text[16];
    snprintf(text, sizeof text, "%u", picture->label == MEMORY_LANES ? (uint32_t)lane : bank);
    canvas_field(canvas, x, y, columns, here ? (struct cell){' ', ROLE_CURSOR, ROLE_TEXT, 0} : look,
                 columns > 1 ? text
                 : here      ? "@"
                             : "#");
}

static void draw_array_row(struct canvas *canvas, struct rect row, const struct memory_picture *picture,
                           const struct grid *grid, const unsigned char *used, int index, int columns)
{
    uint64_t first = (uint64_t)index * (uint64_t)grid->row_words;
    for (int i = 0; i < grid->row_words && first + (uint64_t)i < grid->words; i++)
        draw_array_word(canvas, row.x + i * columns, row.y, columns, picture, grid->first_word + first + (uint64_t)i,
                        used[first + (uint64_t)i] != 0);
}

int memory_draw(struct canvas *canvas, struct rect rect, const struct memory_picture *picture)
{
    const int label = 9;
    struct grid grid = grid_of(picture->arrays, picture->pattern, picture->recording);
    int columns = (rect.width - label) / grid.row_words >= 2 ? 2 : 1;
    int rows = (int)((grid.words + (uint64_t)grid.row_words - 1) / (uint64_t)grid.row_words);
    struct rect before = canvas_clip(canvas, rect);
    canvas_put(canvas, rect, ROLE_DIM, "%s, rows of %d words: touched ones show their %s; ░ never touched", grid.name,
               grid.row_words,
               columns == 1                     ? "place (@ the cursor's lane)"
               : picture->label == MEMORY_LANES ? "lane"
                                                : "bank");
    unsigned char *used = used_words(&grid, picture->recording);
    uint64_t word = picture->pattern ? picture->pattern->addresses[picture->lane] / BANK_BYTES : 0;
    int cursor = word >= grid.first_word ? (int)((word - grid.first_word) / (uint64_t)grid.row_words) : 0;
    struct scroll scroll = {.top = picture->top, .cursor = cursor};
    scroll_fit(&scroll, rows, rect.height - 1, true);
    for (int y = 0; y < rect.height - 1 && scroll.top + y < rows; y++) {
        int index = scroll.top + y;
        canvas_printf(canvas, rect.x + 1, rect.y + 1 + y, label - 1, index == cursor ? ROLE_EMPHASIS : ROLE_DIM,
                      "row %3d", index);
        draw_array_row(canvas, (struct rect){rect.x + label, rect.y + 1 + y, 0, 1}, picture, &grid, used, index,
                       columns);
    }
    free(used);
    canvas_unclip(canvas, before);
    return scroll.top;
}
