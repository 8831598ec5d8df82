// Bulk and tensor copies, mbarriers and rings of stages in the replay, against what an H200 took
// (tests/golden/h200_bulk.csv).
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/replay.h"

Suite *suite_bulk(void);

// The instructions of the kernels below; registers are left out.
enum { LOAD, STORE, CLOSE, WAIT_READ, EXPECT, AWAIT, ARRIVE, ORDER, PRODUCT, PRODUCTS_CLOSE, PRODUCTS_WAIT, INSTS };
enum { MOST_STEPS = 8192, MOST_PHASES = 4096, MOST_WARPS = 12, GROUP_WARPS = 4 };

struct row {
    char group[16], name[64], parameter[48];
    double value;
};

static struct replay_inst insts[INSTS];
static struct replay_step steps[MOST_WARPS][MOST_STEPS];
static struct replay_warp warps[MOST_WARPS];
static uint32_t phases[MOST_PHASES];
static uint32_t warp_count;

static void describe(double product_cycles, double product_latency)
{
    static const enum replay_kind kinds[INSTS] = {
        [LOAD] = REPLAY_BULK,
        [STORE] = REPLAY_BULK,
        [CLOSE] = REPLAY_BULK_COMMIT,
        [WAIT_READ] = REPLAY_BULK_WAIT,
        [EXPECT] = REPLAY_ARRIVE,
        [AWAIT] = REPLAY_AWAIT,
        [ARRIVE] = REPLAY_ARRIVE,
        [ORDER] = REPLAY_CONTROL,
        [PRODUCT] = REPLAY_PRODUCT,
        [PRODUCTS_CLOSE] = REPLAY_PRODUCT_COMMIT,
        [PRODUCTS_WAIT] = REPLAY_PRODUCT_WAIT
    };
    for (int i = 0; i < INSTS; i++)
        insts[i] = (struct replay_inst){.kind = kinds[i], .sharing = 1, .burden = 1, .wall = true, .cost = {1, {0}, 0}};
    insts[STORE].stores = insts[WAIT_READ].reads = true;
    insts[ORDER].cost.instructions = 60; // of a step of the ring: what it does beside products
    insts[PRODUCT].cost =
        (struct sass_cost){1, {[PIPE_TENSOR] = product_cycles / (int)REPLAY_TENSOR_TURN}, product_latency};
    memset(warps, 0, sizeof warps);
    memset(phases, 0, sizeof phases);
    warp_count = 0;
}

static struct replay_step *put(uint32_t warp, uint32_t inst, uint32_t phase)
{
    struct replay_step *step = &steps[warp][warps[warp].count++];
    ck_assert_uint_lt(warps[warp].count, MOST_STEPS);
    *step = (struct replay_step){.inst = inst, .first = phase, .active = 1};
    warps[warp].steps = steps[warp];
    warp_count = warp >= warp_count ? warp + 1 : warp_count;
    phases[phase] += inst == LOAD
    || inst == EXPECT || inst == ARRIVE;
    return step;
}

// A box of `rows` rows of `width` bytes; 1-D: one row.
static void put_copy(uint32_t warp, uint32_t inst, uint32_t phase, uint32_t width, uint32_t rows)
{
    struct replay_step *step = put(warp, inst, inst == LOAD ? phase : 0);
    step->sectors = (uint16_t)(rows * ((width + 31) / 32));
    step->lines = (uint16_t)(rows * ((width + 127) / 128));
    step->wavefronts = (uint16_t)((width * rows + 127) / 128);
    step->partial = width % 32 != 0;
    step->rounds = 1;
}

static double replay(bool all_sms)
{
    struct replay_block block = {
        .warps = warps, .warp_count = warp_count, .phases = phases, .phase_count = MOST_PHASES};
    struct replay_job job = {.gpu = gpu_profile_find("H200"),
                             .insts = insts,
                             .inst_count = INSTS,
                             .register_count = 1,
                             .blocks = &block,
                             .block_count = 1,
                             .resident = 1,
                             .active_sms = all_sms ? 132 : 1};
    struct replay_result result = {0};
    replay_run(&job, &replay_defaults, &result);
    free(result.block_end);
    return result.cycles;
}

static bool read_size(const char *text, uint32_t *width, uint32_t *rows)
{
    *rows = 1;
    return sscanf(text, "%u B by %u rows", width, rows) >= 1;
}

// ---- one copy: from its issue to the end of the wait for it

static double latency_of(bool stores, bool from_dram, uint32_t width, uint32_t rows)
{
    double cycles[2];
    for (int with = 0; with < 2; with++) {
        describe(0, 0);
        insts[LOAD].dram = from_dram;
        if (with && stores) {
            put_copy(0, STORE, 0, width, rows);
            put(0, CLOSE, 0);
            put(0, WAIT_READ, 0);
        } else if (with) {
            put(0, EXPECT, 1);
            put_copy(0, LOAD, 1, width, rows);
            put(0, AWAIT, 1);
        }
        put(0, ORDER, 0);
        cycles[with] = replay(false);
    }
    return cycles[1] - cycles[0];
}

// ---- a stream of them, some under way: cycles each, once it runs

static double rate_of(bool stores, bool all_sms, uint32_t flight, uint32_t width, uint32_t rows)
{
    double cycles[2];
    for (uint32_t half = 0; half < 2; half++) {
        uint32_t count = 64u << half;
        describe(0, 0);
        insts[WAIT_READ].count = (uint16_t)(flight - 1);
        for (uint32_t i = 0; i < count + flight; i++) {
            if (stores)
                put(0, WAIT_READ, 0);
            else if (i >= flight)
                put(0, AWAIT, 1 + i - flight);
            if (i >= count)
                continue;
            if (!stores)
                put(0, EXPECT, 1 + i);
            put_copy(0, stores ? STORE : LOAD, 1 + i, width, rows);
            if (stores)
                put(0, CLOSE, 0);
        }
        cycles[half] = replay(all_sms);
    }
    return (cycles[1] - cycles[0]) / 64;
}

// ---- a ring: one warp copies, warp groups multiply

struct ring {
    uint32_t rows, columns, stages;
    bool under_way, copies, products;
};

static void put_ring(const struct ring *ring, uint32_t count)
{
    uint32_t groups = ring->rows / 64, full = 1, empty = full + count;
    double cycles = fmax(ring->columns / 2, 16 + ring->columns / 4) + 0.5;
    describe(cycles, 52 + ring->columns / 2 - cycles);
    insts[LOAD].crowd = 4;
    insts[PRODUCTS_WAIT].count = ring->under_way;
    for (uint32_t i = 0; i < count; i++) {
        if (i >= ring->stages)
            put(0, AWAIT, empty + i - ring->stages);
        put(0, EXPECT, full + i);
        if (ring->copies)
            put_copy(0, LOAD, full + i, 128, ring->rows);
        if (ring->copies)
            put_copy(0, LOAD, full + i, 128, ring->columns);
    }
    for (uint32_t w = 0; w < groups * GROUP_WARPS; w++)
        for (uint32_t i = 0; i < count; i++) {
            put(1 + w, AWAIT, full + i);
            if (ring->products) {
                put(1 + w, ORDER, 0);
                for (int k = 0; k < 4; k++)
                    put(1 + w, PRODUCT, 0);
                put(1 + w, PRODUCTS_CLOSE, 0);
                put(1 + w, PRODUCTS_WAIT, 0);
            }
            if (w % GROUP_WARPS == 0 && (!ring->under_way || i > 0))
                put(1 + w, ARRIVE, empty + i - ring->under_way);
        }
}

static double ring_step(const struct ring *ring, bool all_sms)
{
    double cycles[2];
    for (uint32_t half = 0; half < 2; half++) {
        put_ring(ring, 64u << half);
        cycles[half] = replay(all_sms);
    }
    return (cycles[1] - cycles[0]) / 64;
}

// ---- the rows

// What the model takes for it. NAN: nothing that it is asked.
static double modelled(const struct row *row)
{
    const char *of = strstr(row->name, " of ");
    uint32_t width, rows, flight;
    bool stores = strstr(row->name, "store") != NULL, all = strncmp(row->parameter, "all SMs", 7) == 0;
    struct ring ring = {.under_way = strstr(row->name, "under way") != NULL};
    if (strstr(row->name, "swizzle") || strstr(row->name, "apart") || strstr(row->name, "sum") ||
        strstr(row->name, "3-D"))
        return NAN;
    if (!strcmp(row->group, "latency") && of && read_size(of + 4, &width, &rows) && strcmp(row->parameter, "issue"))
        return strstr(row->parameter, "written") || (stores && strstr(row->name, "DRAM"))
                   ? (double)NAN
                   : latency_of(stores, strstr(row->name, "DRAM") != NULL, width, rows);
    // Of small ones, and of one at a time, the copying thread is what takes time.
    if (!strcmp(row->group, "rate") && of && read_size(of + 4, &width, &rows) && width * rows >= 32768 &&
        !strstr(row->parameter, "DRAM") && sscanf(strstr(row->parameter, "SM") + 2 + all, "%u", &flight) == 1 &&
        flight > 1)
        return rate_of(stores, all, flight, width, rows);
    if (!strcmp(row->group, "ring") && !strstr(row->parameter, "first") &&
        sscanf(row->name, "%u by %u with %u", &ring.rows, &ring.columns, &ring.stages) == 3) {
        ring.copies = !strstr(row->parameter, "products alone");
        ring.products = !strstr(row->parameter, "copies alone");
        return ring_step(&ring, all);
    }
    return NAN;
}

static const struct {
    const char *group;
    int least, close; // rows, and how many in a hundred are within 10 %
    double worst;     // of the rest
} bounds[] = {{"latency", 100, 50, 0.3}, {"rate", 16, 90, 0.1}, {"ring", 48, 55, 0.35}};

START_TEST(bulk_copies_take_about_as_long_as_on_an_h200)
{
    FILE *file = fopen("tests/golden/h200_bulk.csv", "r");
    char line[256];
    struct row row;
    int rows = 0, close = 0;
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%15[^,],%63[^,],%47[^,],%lf", row.group, row.name, row.parameter, &row.value) != 4 ||
            strcmp(row.group, bounds[_i].group))
            continue;
        double cycles = modelled(&row), off = fabs(cycles / row.value - 1);
        if (isnan(cycles))
            continue;
        if (getenv("SHOW"))
            printf("%s,%s,%s: %.0f, measured %.0f (%+.0f %%)\n", row.group, row.name, row.parameter, cycles, row.value,
                   100 * (cycles / row.value - 1));
        ck_assert_msg(getenv("SHOW") || off < bounds[_i].worst, "%s, %s: %.0f cycles, measured %.0f", row.name,
                      row.parameter, cycles, row.value);
        rows++;
        close += off < 0.1;
    }
    fclose(file);
    ck_assert_int_ge(rows, bounds[_i].least);
    ck_assert_msg(close * 100 >= rows * bounds[_i].close, "%s: %d of %d within 10 %%", bounds[_i].group, close, rows);
}
END_TEST

Suite *suite_bulk(void)
{
    Suite *suite = suite_create("bulk");
    TCase *tests = tcase_create("bulk");
    tcase_add_loop_test(tests, bulk_copies_take_about_as_long_as_on_an_h200, 0, sizeof bounds / sizeof *bounds);
    suite_add_tcase(suite, tests);
    return suite;
}
