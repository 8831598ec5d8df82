// Tensor copies: random boxes against a second reading of the rules, element by element; what is refused; clusters.
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/kernel.h"
#include "base/random.h"
#include "sim/tensor.h"

Suite *suite_tensor(void);

enum { BUFFER = 1 << 16, TILE = 16384, FRESH = 0xee };

// Memory `in` is the map, and 256 bytes on what the kernel reads; `out` is what it writes. The kernel adds a buffer's
// address to the map's base.
static const char shared[] = ".shared .align 1024 .b8 tile[16384]; .shared .align 8 .b8 bar[8];";

#define BEGIN(buffer)                                                                                                  \
    "setp.eq.u32 %p1, %r1, 0; mov.u32 %r9, tile; mov.u32 %r6, bar; add.u64 %rd10, " buffer ";\n"                       \
    "@%p1 ld.global.u64 %rd11, [%rd0+8]; add.u64 %rd11, %rd10, %rd11; @%p1 st.global.u64 [%rd0+8], %rd11;\n"           \
    "@%p1 mbarrier.init.shared::cta.b64 [%r6], 1; mov.u32 %r20, %r1;\n"
// Every thread moves words of the tile, from `buffer` or to it.
#define WORDS(label, buffer, move)                                                                                     \
    label ": mul.wide.u32 %rd20, %r20, 4; add.u64 %rd20, " buffer ", %rd20; shl.b32 %r21, %r20, 2;\n"                  \
          "add.u32 %r21, %r21, %r9; " move " add.u32 %r20, %r20, %r4; setp.lt.u32 %p3, %r20, 4096; @%p3 bra " label    \
          ";\nmov.u32 %r20, %r1; fence.proxy.async; bar.sync 0;\n"
#define TILE_IN(buffer) WORDS("I", buffer, "ld.global.u32 %r22, [%rd20]; st.shared.u32 [%r21], %r22;")
#define TILE_OUT WORDS("O", "%rd1", "ld.shared.u32 %r22, [%r21]; st.global.u32 [%rd20], %r22;")
#define WAIT "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 0; @!%p2 bra W;\n"

struct drawn {
    struct tensor_map map;
    int32_t at[TENSOR_RANK];
    uint32_t tile;
    bool stores; // whole chunks of 16 bytes, also behind the last element of a row
};

static uint32_t below(uint64_t *seed, uint32_t most)
{
    return (uint32_t)(random_next(seed) % most);
}

static struct drawn draw(uint64_t *seed, bool stores)
{
    for (;;) {
        struct drawn d = {.stores = stores,
                          .map = {.magic = TENSOR_MAGIC, .steps = {1, 1, 1, 1, 1}, .box = {1, 1, 1, 1, 1}}};
        struct tensor_map *map = &d.map;
        map->rank = (uint8_t)(1 + below(seed, 5));
        map->type = (uint8_t)below(seed, TENSOR_TYPES);
        map->fills_nan = map->type >= TENSOR_F16 && below(seed, 2);
        map->swizzle = (uint8_t)(below(seed, 4) ? 16u << (1 + below(seed, 3)) : 0);
        uint32_t element = tensor_type_bytes(map->type), chunks = 1 + below(seed, 12);
        uint64_t extent = 0;
        if (map->swizzle && (chunks * 16 > map->swizzle || below(seed, 2)))
            chunks = map->swizzle / 16u;
        map->box[0] = (uint16_t)(chunks * 16 / element);
        map->base = 16 * below(seed, 8);
        for (unsigned i = 0; i < map->rank; i++) {
            map->dims[i] = 1 + below(seed, i ? 9 : 70);
            if (i) {
                map->steps[i] = (uint8_t)(below(seed, 3) ? 1 : 1 + below(seed, 8));
                map->box[i] = (uint16_t)(1 + below(seed, 12));
                extent = i > 1 ? map->strides[i - 2] * map->dims[i - 1] : map->dims[0] * element;
                map->strides[i - 1] = (extent + 15) / 16 * 16 + 16 * below(seed, 3);
            }
            d.at[i] = (int32_t)below(seed, (uint32_t)map->dims[i] + 2 * map->box[i]) - map->box[i];
            d.at[i] = stores && d.at[i] < 0 ? 0 : d.at[i];
            d.at[0] -= d.at[0] % (int32_t)(16 / element);
        }
        extent = map->rank > 1 ? map->strides[map->rank - 2] * map->dims[map->rank - 1] : map->dims[0] * element;
        uint32_t bytes = tensor_box_of(map).span;
        if (bytes > TILE || map->base + extent > BUFFER - 256)
            continue;
        d.tile = 128 * below(seed, (TILE - bytes) / 128 + 1);
        return d;
    }
}

// Where byte `byte` of element `at` of the box lies in shared memory (the tile begins at a multiple of 1024): for each
// 128-byte line, the chunks of 16 bytes are permuted as the table of the PTX ISA shows.
static uint32_t place_in_tile(const struct drawn *d, uint32_t linear, uint32_t byte)
{
    uint32_t element = tensor_type_bytes(d->map.type), count = d->map.box[0];
    uint32_t row = d->map.swizzle ? d->map.swizzle : count * element;
    uint32_t address = d->tile + linear / count * row + linear % count * element + byte;
    uint32_t line = address / 128, chunk = address / 16 % 8, span = d->map.swizzle / 16u;
    if (span > 1)
        chunk = chunk / span * span + (chunk % span ^ line % span);
    return line * 128 + chunk * 16 + address % 16;
}

// Calls visit for every element of the box: its number, and where it is in the tensor, in bytes, or -1.
static void each_element(const struct drawn *d, void (*visit)(void *context, uint32_t linear, int64_t offset),
                         void *context)
{
    struct tensor_box box = tensor_box_of(&d->map);
    uint32_t linear = 0, n[TENSOR_RANK];
    for (n[4] = 0; n[4] < box.counts[4]; n[4]++)
        for (n[3] = 0; n[3] < box.counts[3]; n[3]++)
            for (n[2] = 0; n[2] < box.counts[2]; n[2]++)
                for (n[1] = 0; n[1] < box.counts[1]; n[1]++)
                    for (n[0] = 0; n[0] < box.counts[0]; n[0]++) {
                        int64_t offset = (int64_t)d->map.base;
                        bool is_inside = true;
                        for (unsigned i = 0; i < d->map.rank; i++) {
                            int64_t at = d->at[i] + (int64_t)n[i] * (i ? d->map.steps[i] : 1);
                            int64_t chunk = d->stores && !i ? 16 / tensor_type_bytes(d->map.type) : 1;
                            is_inside &= at >= 0 && at < ((int64_t)d->map.dims[i] + chunk - 1) / chunk * chunk;
                            offset += at * (int64_t)(i ? d->map.strides[i - 1] : tensor_type_bytes(d->map.type));
                        }
                        visit(context, linear++, is_inside ? offset : -1);
                    }
}

struct buffers {
    const struct drawn *d;
    unsigned char in[BUFFER], out[BUFFER], want[BUFFER];
};

static void expect_loaded(void *context, uint32_t linear, int64_t offset)
{
    struct buffers *b = context;
    uint32_t bytes = tensor_type_bytes(b->d->map.type);
    for (uint32_t i = 0; i < bytes; i++) {
        unsigned char fill = !b->d->map.fills_nan ? 0 : i % 2 ? 0x7f : 0xf7;
        b->want[place_in_tile(b->d, linear, i)] = offset < 0 ? fill : b->in[256 + offset + i];
    }
}

static void expect_stored(void *context, uint32_t linear, int64_t offset)
{
    struct buffers *b = context;
    for (uint32_t i = 0; i < tensor_type_bytes(b->d->map.type) && offset >= 0; i++)
        b->want[offset + i] = b->in[256 + place_in_tile(b->d, linear, i)];
}

static const char *coordinates(const struct drawn *d, char *text, size_t size)
{
    size_t used = 0;
    for (unsigned i = 0; i < d->map.rank; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%" PRId32, i ? ", " : "", d->at[i]);
    return text;
}

static struct buffers *buffers_new(const struct drawn *d)
{
    struct buffers *b = malloc(sizeof *b);
    b->d = d;
    for (uint32_t i = 0; i < BUFFER; i++)
        b->in[i] = (unsigned char)(i * 167 + i / 256 * 13);
    memcpy(b->in, &d->map, sizeof d->map);
    memset(b->out, FRESH, BUFFER);
    memset(b->want, FRESH, BUFFER);
    return b;
}

static void run_body(struct kernel *kernel, struct buffers *b, const char *body, enum status status)
{
    kernel->before = shared;
    kernel->body = body;
    kernel->in = b->in;
    kernel->in_size = sizeof b->in;
    kernel->out = b->out;
    kernel->out_size = sizeof b->out;
    enum status got = kernel_run(kernel);
    ck_assert_msg(got == status, "%s: %s\n%s", status_name(got), kernel->diagnostic.message, body);
}

START_TEST(a_box_comes_element_by_element)
{
    uint64_t seed = (uint64_t)_i + 1;
    char at[100];
    struct text body = {0};
    struct drawn d = draw(&seed, false);
    struct buffers *b = buffers_new(&d);
    struct kernel kernel = {.block = 32};
    text_puts(&body, BEGIN("%rd0, 256") TILE_IN("%rd1") "@!%p1 bra GO;\n");
    text_printf(&body,
                "mbarrier.arrive.expect_tx.shared::cta.b64 %%rd12, [%%r6], %u;\n"
                "cp.async.bulk.tensor.%ud.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%%r9+%u], "
                "[%%rd0, {%s}], [%%r6];\nGO:",
                tensor_box_of(&d.map).bytes, d.map.rank, d.tile, coordinates(&d, at, sizeof at));
    text_puts(&body, WAIT "bar.sync 0;\n" TILE_OUT);
    each_element(&d, expect_loaded, b);
    run_body(&kernel, b, text_get(&body), STATUS_OK);
    ck_assert_mem_eq(b->out, b->want, BUFFER);
    text_free(&body);
    free(b);
}
END_TEST

START_TEST(a_box_goes_element_by_element)
{
    uint64_t seed = (uint64_t)_i + 1000;
    char at[100];
    struct text body = {0};
    struct drawn d = draw(&seed, true);
    struct buffers *b = buffers_new(&d);
    struct kernel kernel = {.block = 32};
    text_puts(&body, "add.u64 %rd30, %rd0, 256;\n" BEGIN("%rd1, 0") TILE_IN("%rd30"));
    text_printf(&body,
                "@%%p1 cp.async.bulk.tensor.%ud.global.shared::cta.bulk_group [%%rd0, {%s}], [%%r9+%u];\n"
                "@%%p1 cp.async.bulk.commit_group; @%%p1 cp.async.bulk.wait_group 0;",
                d.map.rank, coordinates(&d, at, sizeof at), d.tile);
    each_element(&d, expect_stored, b);
    run_body(&kernel, b, text_get(&body), STATUS_OK);
    ck_assert_mem_eq(b->out, b->want, BUFFER);
    text_free(&body);
    free(b);
}
END_TEST

// A map of 32 x 16 words: two boxes side by side, one above the other.
static struct drawn plain_map(enum tensor_type type)
{
    return (struct drawn){.map = {.magic = TENSOR_MAGIC,
                                  .rank = 2,
                                  .type = (uint8_t)type,
                                  .dims = {32, 16},
                                  .strides = {128},
                                  .box = {16, 8},
                                  .steps = {1, 1, 1, 1, 1}}};
}

#define LOAD "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
#define STORED "; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
#define REDUCE(op) "cp.reduce.async.bulk.tensor.2d.global.shared::cta." op ".tile.bulk_group "

static const struct {
    const char *body, *message;
    enum tensor_type type;
    uint32_t dims; // of y
} refused[] = {
    {LOAD "[%r9+64], [%rd0, {0, 0}], [%r6];",
     "copies a box and a tile at shared address 64, which must be a multiple of 128", TENSOR_U32, 16},
    {LOAD "[%r9], [%rd0+8, {0, 0}], [%r6];", "uses a tensor map at an address that is no multiple of 64", TENSOR_U32,
     16},
    {"cvt.u64.u32 %rd30, %r9; cvta.shared.u64 %rd30, %rd30; " LOAD "[%r9], [%rd30, {0, 0}], [%r6];",
     "uses a tensor map in shared memory", TENSOR_U32, 16},
    {".local .align 64 .b8 map[128]; mov.u64 %rd30, map; cvta.local.u64 %rd30, %rd30; " LOAD
     "[%r9], [%rd30, {0, 0}], [%r6];",
     "uses a tensor map in local memory", TENSOR_U32, 16},
    {LOAD "[%r9], [%rd0+128, {0, 0}], [%r6];", "uses a tensor map that is wrong: these 128 bytes are no tensor map",
     TENSOR_U32, 16},
    {"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r9], [%rd0, {0}], [%r6];",
     "names an element by 1 coordinates, and the tensor map has 2 dimensions", TENSOR_U32, 16},
    {LOAD "[%r9], [%rd0, {0, 600}], [%r6];", "past the end of `in`", TENSOR_U32, 60000},
    {LOAD "[%r9+16256], [%rd0, {0, 0}], [%r6];", "past the end of shared memory", TENSOR_U32, 16},
    {REDUCE("add") "[%rd0, {0, 0}], [%r9];", "reduces elements of type u8, which tensor copies cannot combine so",
     TENSOR_U8, 16},
    {REDUCE("xor") "[%rd0, {0, 0}], [%r9];", "reduces elements of type f32", TENSOR_F32, 16},
    {LOAD "[%r9], [%rd0, {-3, 0}], [%r6];", "begins a box at element -3 of a row, -12 bytes from its start", TENSOR_U32,
     16},
    {"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd0, {0, -1}], [%r9];",
     "stores a box at coordinate -1: only loads may begin outside", TENSOR_U32, 16},
    {REDUCE("and") "[%rd0, {0, 0}], [%r9];", "reduces elements of type s64", TENSOR_S64, 16},
    {"cp.async.bulk.prefetch.tensor.2d.L2.global [%rd0+128, {0, 0}];", "uses a tensor map that is wrong", TENSOR_U32,
     16},
};

START_TEST(what_hardware_would_stop_at_is_a_fault)
{
    struct text body = {0};
    struct drawn d = plain_map(refused[_i].type);
    d.map.dims[1] = refused[_i].dims;
    struct buffers *b = buffers_new(&d);
    struct kernel kernel = {.block = 1};
    memset(b->in + 128, 0, 128);
    text_printf(&body, "%s%s" STORED, BEGIN("%rd0, 256"), refused[_i].body);
    run_body(&kernel, b, text_get(&body), STATUS_FAULT);
    ck_assert_msg(strstr(kernel.diagnostic.message, refused[_i].message) != NULL, "%s", kernel.diagnostic.message);
    text_free(&body);
    free(b);
}
END_TEST

// A box of 512 bytes at an mbarrier that was told of more, or of less.
static const struct {
    uint32_t told;
    enum sim_fault_kind fault;
    const char *message;
} counts[] = {{1024, SIM_FAULT_NONE, "waits at an mbarrier for 512 bytes more than copies have brought (expect_tx)"},
              {256, SIM_FAULT_SURPLUS, "copies have brought 256 bytes more than it was told (expect_tx)"}};

START_TEST(a_wrong_transaction_count_is_told_where_it_waits)
{
    struct text body = {0};
    struct drawn d = plain_map(TENSOR_U32);
    struct buffers *b = buffers_new(&d);
    struct kernel kernel = {.block = 1, .budget = 5000};
    text_puts(&body, BEGIN("%rd0, 256"));
    text_printf(&body,
                "mbarrier.arrive.expect_tx.shared::cta.b64 %%rd12, [%%r6], %u;\n" LOAD
                "[%%r9], [%%rd0, {0, 0}], [%%r6];\n",
                counts[_i].told);
    text_puts(&body, WAIT);
    run_body(&kernel, b, text_get(&body), STATUS_TIMEOUT);
    ck_assert_msg(strstr(kernel.diagnostic.message, counts[_i].message) != NULL, "%s", kernel.diagnostic.message);
    ck_assert_int_eq(kernel.result.fault, counts[_i].fault);
    text_free(&body);
    free(b);
}
END_TEST

// Whatever 128 bytes a kernel takes for a map: it runs, or a sentence says what is wrong with them.
START_TEST(a_broken_map_is_a_fault_with_a_sentence)
{
    uint64_t seed = (uint64_t)_i;
    struct text body = {0};
    struct drawn d = plain_map(TENSOR_U32);
    struct buffers *b = buffers_new(&d);
    struct kernel kernel = {.block = 1, .before = shared, .in = b->in, .in_size = BUFFER};
    for (uint32_t i = 1 + below(&seed, 3); i > 0; i--)
        b->in[16 + below(&seed, _i % 2 ? 112 : 72)] = (unsigned char)random_next(&seed);
    text_printf(&body, "%s%s" STORED, BEGIN("%rd0, 256"), LOAD "[%r9], [%rd0, {-4, 1}], [%r6];");
    kernel.body = text_get(&body);
    enum status status = kernel_run(&kernel);
    ck_assert_msg(status == STATUS_OK ||
                      (status == STATUS_FAULT && strstr(kernel.diagnostic.message, "thread (0,0,0) ")),
                  "%s: %s", status_name(status), kernel.diagnostic.message);
    text_free(&body);
    free(b);
}
END_TEST

// 16 words of 3 meet what is there: the box's first row is the tensor's last.
static const struct {
    const char *op;
    uint32_t there, want;
} reductions[] = {{"add", 4, 7}, {"min", 4, 3}, {"max", 4, 4}, {"inc", 2, 3}, {"inc", 3, 0},
                  {"dec", 0, 3}, {"and", 6, 2}, {"or", 4, 7},  {"xor", 1, 2}};

START_TEST(a_reduction_combines_what_lies_inside)
{
    struct text body = {0};
    struct drawn d = plain_map(TENSOR_U32);
    struct buffers *b = buffers_new(&d);
    struct kernel kernel = {.block = 1};
    for (uint32_t i = 0; i < BUFFER; i += 4)
        memcpy(b->out + i, &reductions[_i].there, 4);
    memcpy(b->want, b->out, BUFFER);
    for (uint32_t i = 0; i < 16; i++)
        memcpy(b->want + 15 * 128 + 4 * i, &reductions[_i].want, 4);
    text_puts(&body, BEGIN("%rd1, 0") "mov.u32 %r22, 3; mov.u32 %r21, %r9;\n"
                                      "F: st.shared.u32 [%r21], %r22; add.u32 %r21, %r21, 4; add.u32 %r20, %r20, 1;\n"
                                      "setp.lt.u32 %p3, %r20, 128; @%p3 bra F; fence.proxy.async;\n");
    text_printf(&body,
                "cp.reduce.async.bulk.tensor.2d.global.shared::cta.%s.tile.bulk_group [%%rd0, {0, 15}], [%%r9]" STORED,
                reductions[_i].op);
    run_body(&kernel, b, text_get(&body), STATUS_OK);
    ck_assert_mem_eq(b->out, b->want, BUFFER);
    text_free(&body);
    free(b);
}
END_TEST

#define ALL_ARRIVE "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
// Block `rank` of the cluster writes the first words of its tile to out + 512 rank.
#define BLOCKS_OUT                                                                                                     \
    "mov.u32 %r10, %cluster_ctarank; mul.wide.u32 %rd21, %r10, 512; add.u64 %rd21, %rd1, %rd21; mul.wide.u32 %rd20, "  \
    "%r1, 4;\nadd.u64 %rd20, %rd21, %rd20; shl.b32 %r21, %r1, 2; add.u32 %r21, %r21, %r9; ld.shared.u32 %r22, "        \
    "[%r21]; "                                                                                                         \
    "st.global.u32 [%rd20], %r22;\n" ALL_ARRIVE
#define CLUSTER_BEGIN                                                                                                  \
    "setp.eq.u32 %p1, %r1, 0; mov.u32 %r9, tile; mov.u32 %r6, bar; mov.u32 %r10, %cluster_ctarank; mov.u32 %r22, 7;\n" \
    "shl.b32 %r21, %r1, 2; add.u32 %r21, %r21, %r9; st.shared.u32 [%r21], %r22;\n"                                     \
    "@%p1 mbarrier.init.shared::cta.b64 [%r6], 1; setp.eq.u32 %p4, %r10, 1; and.pred %p5, %p1, %p4;\n"

START_TEST(a_multicast_reaches_the_blocks_that_its_mask_names)
{
    struct drawn d = plain_map(TENSOR_U32);
    struct buffers *b = buffers_new(&d);
    struct kernel kernel = {.grid = 4, .block = 32, .cluster = 4};
    bool is_plain = _i == 1;
    struct text body = {0};
    text_puts(&body, CLUSTER_BEGIN
              "@%p5 add.u64 %rd11, %rd0, 256; @%p5 st.global.u64 [%rd0+8], %rd11;\n"
              "setp.eq.u32 %p6, %r10, 0; setp.eq.u32 %p7, %r10, 3; or.pred %p6, %p6, %p7; and.pred %p7, %p6, "
              "%p1;\n@%p7 mbarrier.arrive.expect_tx.shared::cta.b64 %rd12, [%r6], 512;\n" ALL_ARRIVE);
    text_puts(&body, is_plain
                         ? "@%p5 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                           "[%r9], [%rd0+256], 512, [%r6], 9;\n"
                         : "@%p5 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
                           "multicast::cluster [%r9], [%rd0, {0, 0}], [%r6], 9;\n");
    text_puts(&body, "@!%p6 bra GO;\n" WAIT "GO: " ALL_ARRIVE BLOCKS_OUT);
    run_body(&kernel, b, text_get(&body), STATUS_OK);
    for (uint32_t rank = 0; rank < 4; rank++)
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t got, from, row = is_plain ? 0 : i / 16;
            memcpy(&got, b->out + 512 * rank + 4 * i, 4);
            memcpy(&from, b->in + 256 + 128 * row + (is_plain ? i : i % 16) * 4, 4);
            ck_assert_uint_eq(got, rank == 0 || rank == 3 ? from : 7);
        }
    text_free(&body);
    free(b);
}
END_TEST

START_TEST(a_bulk_copy_goes_from_block_to_block)
{
    struct drawn d = plain_map(TENSOR_U32);
    struct buffers *b = buffers_new(&d);
    struct kernel kernel = {.grid = 2, .block = 32, .cluster = 2};
    run_body(&kernel, b,
             CLUSTER_BEGIN "add.u32 %r22, %r10, 40; st.shared.u32 [%r21+128], %r22; setp.eq.u32 %p6, %r10, 0;\n"
                           "and.pred %p7, %p6, %p1; @%p7 mbarrier.arrive.expect_tx.shared::cta.b64 %rd12, [%r6], 128;\n"
                           "fence.proxy.async;\n" ALL_ARRIVE
                           "mapa.shared::cluster.u32 %r30, %r9, 0; mapa.shared::cluster.u32 %r31, %r6, 0;\n"
                           "@%p5 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r30], "
                           "[%r9+128], 128, [%r31];\n@!%p6 bra GO;\n" WAIT "GO: " ALL_ARRIVE BLOCKS_OUT,
             STATUS_OK);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t got[2];
        memcpy(&got[0], b->out + 4 * i, 4);
        memcpy(&got[1], b->out + 512 + 4 * i, 4);
        ck_assert_uint_eq(got[0], 41);
        ck_assert_uint_eq(got[1], 7);
    }
    free(b);
}
END_TEST

Suite *suite_tensor(void)
{
    Suite *suite = suite_create("tensor");
    TCase *tests = tcase_create("copies");
    tcase_add_loop_test(tests, a_box_comes_element_by_element, 0, 150);
    tcase_add_loop_test(tests, a_box_goes_element_by_element, 0, 100);
    tcase_add_loop_test(tests, what_hardware_would_stop_at_is_a_fault, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_loop_test(tests, a_wrong_transaction_count_is_told_where_it_waits, 0, 2);
    tcase_add_loop_test(tests, a_broken_map_is_a_fault_with_a_sentence, 0, 100);
    tcase_add_loop_test(tests, a_reduction_combines_what_lies_inside, 0, (int)(sizeof reductions / sizeof *reductions));
    tcase_add_loop_test(tests, a_multicast_reaches_the_blocks_that_its_mask_names, 0, 2);
    tcase_add_test(tests, a_bulk_copy_goes_from_block_to_block);
    suite_add_tcase(suite, tests);
    return suite;
}
