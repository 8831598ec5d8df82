// The lane loops give the same bits with and without AVX2, in full and in part.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/skip.h"
#include "sim/machine.h"

Suite *suite_lanes(void);

enum { SLOTS = 6, ROUNDS = 24 };

static const char *const names[] = {
#define K(name) #name,
#include "sim/lanes.def"
#undef K
};

// Numbers that floats find hard are as likely as others.
static uint32_t sample(uint64_t *state)
{
    static const uint32_t hard[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000,
                                    0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
                                    0x4f000000, 0xcf000000, 0x4effffff, 0xffffffff, 0x7fffffff, 31,         32,
                                    33,         63,         64,         0x33800000};
    uint64_t r = random_next(state);
    return r & 1 ? hard[(r >> 1) % (sizeof hard / sizeof *hard)] : (uint32_t)(r >> 32);
}

static void run(op_run *const *lanes, int lane, unsigned char *slots, uint32_t mask, uint32_t idle, uint64_t seed)
{
    struct exec x = {.idle = idle};
    struct op op = {.imm = seed & 0xff,
                    .action = seed >> 8 & 3,
                    .flags = seed >> 10 & 1 ? OP_FTZ : 0,
                    .extra = seed >> 11 & 1 ? UINT32_MAX : 0};
    for (uint32_t k = 0; k < SLOTS; k++)
        op.slot[k] = (uint32_t)BASE_R64 << SLOT_SHIFT | k * R64_BYTES;
    x.base[BASE_R64] = slots;
    const struct op *next = lanes[lane](&x, &op, mask);
    ck_assert_ptr_eq(next, &op + 1);
}

START_TEST(both_instruction_sets_give_the_same_bits)
{
    static _Alignas(128) unsigned char first[SLOTS * R64_BYTES], plain[SLOTS * R64_BYTES], fast[SLOTS * R64_BYTES];
    if (sim_lanes() != sim_lanes_avx2) {
        skip_check("this processor, or this build, has no AVX2");
        return;
    }
    uint64_t state = (uint64_t)_i;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < sizeof first / 4; i++) {
            uint32_t v = sample(&state);
            memcpy(first + 4 * i, &v, 4);
        }
        uint64_t seed = random_next(&state);
        uint32_t mask = round % 3 ? (uint32_t)random_next(&state) | 1 : UINT32_MAX, idle = round % 3 == 2 ? ~mask : 0;
        memcpy(plain, first, sizeof first);
        memcpy(fast, first, sizeof first);
        run(sim_lanes_plain, _i, plain, mask, idle, seed);
        run(sim_lanes_avx2, _i, fast, mask, idle, seed);
        ck_assert_msg(!memcmp(plain, fast, sizeof plain), "%s differs", names[_i]);
    }
}
END_TEST

Suite *suite_lanes(void)
{
    Suite *suite = suite_create("lanes");
    TCase *tests = tcase_create("lanes");
    tcase_add_loop_test(tests, both_instruction_sets_give_the_same_bits, 0, LANE_ld_32);
    suite_add_tcase(suite, tests);
    return suite;
}
