#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/pages.h"
#include "sim/machine.h"

Suite *suite_pages(void);

enum { BLOCKS = 6, BASE = 1 << 16, SPAN = 2 * 4096, TOUCHES = 100, ROUNDS = 30 };

// The slow way: what each block did first at each place.
struct model {
    struct cross_mark first[CROSS_CLASSES][SPAN][BLOCKS];
    bool visited[SPAN];
    uint32_t shift;
};

static void model_touch(struct model *model, enum cross_class class, uint64_t address, const struct cross_mark *mark)
{
    struct cross_mark *first = &model->first[class][(address - BASE) >> model->shift][mark->block - 1];
    if (!first->block)
        *first = *mark;
}

static const struct cross_mark *model_lowest(const struct model *model, int class, uint64_t place, int number)
{
    for (int block = 0; block < BLOCKS; block++)
        if (model->first[class][place][block].block && number-- == 0)
            return &model->first[class][place][block];
    return NULL;
}

static bool same_mark(const struct cross_mark *a, const struct cross_mark *b)
{
    if (!a || !b)
        return a == b;
    return a->block == b->block && a->pc == b->pc && a->value == b->value && a->thread == b->thread &&
           a->strong == b->strong;
}

static void visit(void *context, const struct cross_cell *cell)
{
    struct model *model = context;
    uint64_t place = (cell->address - BASE) >> model->shift;
    if (cell->address < BASE || cell->address >= BASE + SPAN)
        return;
    model->visited[place] = true;
    for (int class = 0; class < CROSS_CLASSES; class ++)
        for (int k = 0; k < 2; k++)
            ck_assert_msg(same_mark(cell->marks[class][k], model_lowest(model, class, place, k)),
                          "place %d, class %d, block %d", (int)place, class, k);
}

// Rows, columns, one place for all, and anything.
static void place_lanes(uint64_t *random, uint32_t bytes, uint64_t addresses[SIM_LANES])
{
    static const uint32_t strides[] = {1, 1, 1, 2, 16, 32, 0};
    uint64_t stride = strides[random_next(random) % 7] * (uint64_t)bytes, form = random_next(random) % 4;
    uint64_t start = random_next(random) % 64 * bytes, room = (SPAN - 16) / bytes;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint64_t at = form == 0   ? random_next(random) % room * bytes
                      : form == 1 ? start + lane % 16 * stride + lane / 16 * 1024
                                  : start + lane * stride;
        addresses[lane] = BASE + at % (room * bytes);
    }
}

static void touch(struct shape_table *table, struct cross_pages *pages, struct model *model, uint64_t *random,
                  struct cross_mark mark)
{
    uint64_t addresses[SIM_LANES];
    uint32_t values[SIM_LANES][4], bytes = (1u << model->shift) << random_next(random) % 3;
    uint32_t size = 1u << model->shift, mask = random_next(random) % 3 ? UINT32_MAX : (uint32_t)random_next(random) | 1;
    const struct lane_shape *hint = &shape_none;
    enum cross_class class = (enum cross_class)(random_next(random) % CROSS_CLASSES);
    bool full;
    place_lanes(random, bytes, addresses);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        for (int i = 0; i < 4; i++)
            values[lane][i] = (uint32_t)random_next(random);
    const struct sim_block block = {.linear = mark.block - 1};
    struct sim_access told = {.block = &block,
                              .warp = mark.thread / SIM_LANES,
                              .pc = mark.pc,
                              .mask = mask,
                              .kind = SIM_STORE,
                              .order = mark.strong ? SIM_RELAXED : SIM_WEAK,
                              .bytes = bytes,
                              .addresses = addresses,
                              .shape = shape_find(table, &hint, mask, bytes, addresses, &full),
                              .first = addresses[__builtin_ctz(mask)],
                              .values = (const unsigned char *)values,
                              .value_stride = bytes > 4 ? 16 : 4};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        struct cross_mark one = mark;
        one.thread = (uint16_t)(mark.thread + lane);
        for (uint32_t offset = 0; offset < bytes; offset += size) {
            one.value = 0;
            if (class == CROSS_WRITE)
                memcpy(&one.value, told.values + lane * told.value_stride + offset, size);
            model_touch(model, class, addresses[lane] + offset, &one);
        }
    }
    if (mark.pc == 3)
        told.shape = NULL; // as what has no cover is told
    cross_pages_touch(pages, class, &told, mark.strong);
}

// Blocks run on two host threads in any order, and between one another.
START_TEST(keeps_what_the_two_lowest_blocks_did_first)
{
    struct model *model = mem_alloc(sizeof *model);
    struct shape_table *table = shape_table_new();
    uint64_t random = (uint64_t)_i + 1;
    model->shift = (uint32_t)_i % 3;
    struct cross_pages *pages[2] = {cross_pages_new(model->shift), cross_pages_new(model->shift)};
    for (int i = 0; i < TOUCHES; i++) {
        uint32_t block = 1 + (uint32_t)(random_next(&random) % BLOCKS);
        struct cross_mark mark = {.block = block,
                                  .pc = random_next(&random) % 4 ? 1 : 1 + (uint32_t)(random_next(&random) % 3),
                                  .thread = (uint16_t)(32 * (random_next(&random) % 8)),
                                  .strong = random_next(&random) % 8 == 0};
        touch(table, pages[block % 2], model, &random, mark);
    }
    cross_pages_merge(pages[0], pages[1]);
    cross_pages_visit(pages[0], visit, model);
    for (uint64_t place = 0; place < (uint64_t)SPAN >> model->shift; place++) {
        const struct cross_mark *write = model_lowest(model, CROSS_WRITE, place, 0);
        if (write && model_lowest(model, CROSS_WRITE, place, 1))
            ck_assert(model->visited[place]);
        if (write && model_lowest(model, CROSS_READ, place, 0))
            ck_assert(model->visited[place]);
    }
    for (int i = 0; i < 2; i++)
        cross_pages_free(pages[i]);
    shape_table_free(table);
    free(model);
}
END_TEST

// ---- more pages than are watched

enum { PAGE = 4096, PAGES_WATCHED = (1 << 22) / PAGE, PAGES_TOUCHED = PAGES_WATCHED * 3 / 2 };

static void count_visit(void *context, const struct cross_cell *cell)
{
    bool *seen = context;
    if (cell->marks[CROSS_WRITE][1])
        seen[cell->address / PAGE - 1] = true;
}

START_TEST(watches_the_lowest_pages_whatever_came_first)
{
    static const uint64_t values[SIM_LANES];
    bool seen[PAGES_TOUCHED] = {false};
    struct cross_pages *pages[2] = {cross_pages_new(0), cross_pages_new(0)};
    for (uint64_t i = 0; i < 2 * PAGES_TOUCHED; i++) {
        uint64_t number = _i == 0 ? i : _i == 1 ? 2 * PAGES_TOUCHED - 1 - i : i * 1001;
        uint64_t addresses[SIM_LANES] = {(1 + number % PAGES_TOUCHED) * PAGE};
        const struct sim_block block = {.linear = number % (2 * PAGES_TOUCHED) / PAGES_TOUCHED};
        struct sim_access access = {.block = &block,
                                    .mask = 1,
                                    .kind = SIM_STORE,
                                    .bytes = 1,
                                    .addresses = addresses,
                                    .values = (const unsigned char *)values};
        cross_pages_touch(pages[i / 7 % 2], CROSS_WRITE, &access, false);
    }
    cross_pages_merge(pages[0], pages[1]);
    cross_pages_visit(pages[0], count_visit, seen);
    for (int i = 0; i < PAGES_TOUCHED; i++)
        ck_assert_msg(seen[i] == (i < PAGES_WATCHED), "page %d", i);
    for (int i = 0; i < 2; i++)
        cross_pages_free(pages[i]);
}
END_TEST

Suite *suite_pages(void)
{
    Suite *suite = suite_create("pages");
    TCase *blocks = tcase_create("blocks");
    tcase_add_loop_test(blocks, keeps_what_the_two_lowest_blocks_did_first, 0, ROUNDS);
    tcase_add_loop_test(blocks, watches_the_lowest_pages_whatever_came_first, 0, 3);
    suite_add_tcase(suite, blocks);
    return suite;
}
