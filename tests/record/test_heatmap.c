#include <check.h>
#include <string.h>

#include "record/heatmap.h"

Suite *suite_heatmap(void);

#define HEADING "  lane  bank 0       4       8      12      16      20      24      28    31\n"

static const struct {
    const char *name;
    enum bank_kind kind;
    uint32_t bytes, mask;
    uint64_t stride; // bytes
    unsigned lanes_per_row;
    const char *picture;
} banks[] = {
    {"a column of 32 words", BANK_LOAD, 4, UINT32_MAX, 128, 16,
     HEADING "  0-15      16 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             " 16-31      16 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             " words      32 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             "32 wavefronts, 31 conflicts: bank 0 is asked for 32 different words, one a turn.\n"},
    {"padded", BANK_LOAD, 4, UINT32_MAX, 132, 32,
     HEADING "  0-31       1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
             " words       1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
             "1 wavefront, 0 conflicts: no bank is asked for two words at a time.\n"},
    {"broadcast", BANK_LOAD, 4, UINT32_MAX, 0, 32,
     HEADING "  0-31       1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             " words       1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             "1 wavefront, 0 conflicts: no bank is asked for two words at a time.\n"},
    {"16 bytes a lane", BANK_LOAD, 16, UINT32_MAX, 16, 32,
     HEADING "  0-31       4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4\n"
             " words       4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4\n"
             "4 wavefronts, 0 conflicts: no bank is asked for two words at a time.\n"},
    {"atomics on one word", BANK_ATOMIC, 4, 0xf, 0, 32,
     HEADING "  0-31       1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             " words       1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             "4 wavefronts, 3 conflicts: bank 0 is asked for 4 words, one a turn.\n"},
    {"no lane", BANK_LOAD, 4, 0, 4, 32,
     HEADING "  0-31       . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             " words       . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
             "0 wavefronts, 0 conflicts: no lane is active.\n"},
};

START_TEST(draws_banks)
{
    uint64_t addresses[WARP_LANES];
    struct text out = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = lane * banks[_i].stride;
    struct bank_access access = {
        .kind = banks[_i].kind, .bytes = banks[_i].bytes, .mask = banks[_i].mask, .addresses = addresses};
    heatmap_banks(&access, banks[_i].lanes_per_row, &out);
    ck_assert_msg(strcmp(text_get(&out), banks[_i].picture) == 0, "%s:\n%s", banks[_i].name, text_get(&out));
    text_free(&out);
}
END_TEST

static const struct {
    uint32_t bytes;
    uint64_t stride;
    unsigned rows;
    const char *picture;
} sectors[] = {
    {4, 4, 4,
     "        +0 bytes |########|########|########|########|\n"
     "4 sectors of 32 bytes: 128 bytes wanted of 128 moved.\n"},
    {4, 64, 2,
     "        +0 bytes |#-------|        |#-------|        |\n"
     "      +128 bytes |#-------|        |#-------|        |\n"
     " … and 14 more rows of 128 bytes\n"
     "32 sectors of 32 bytes: 128 bytes wanted of 1024 moved.\n"},
    {1, 1, 4,
     "        +0 bytes |########|        |        |        |\n"
     "1 sector of 32 bytes: 32 bytes wanted of 32 moved.\n"},
    {1, 0, 4,
     "        +0 bytes |#-------|        |        |        |\n"
     "1 sector of 32 bytes: 1 byte wanted of 32 moved.\n"},
};

START_TEST(draws_sectors)
{
    uint64_t addresses[WARP_LANES];
    struct text out = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = 4096 + lane * sectors[_i].stride;
    heatmap_sectors(sectors[_i].bytes, UINT32_MAX, addresses, sectors[_i].rows, &out);
    ck_assert_str_eq(text_get(&out), sectors[_i].picture);
    text_free(&out);
}
END_TEST

Suite *suite_heatmap(void)
{
    Suite *suite = suite_create("heatmap");
    TCase *tests = tcase_create("heatmap");
    tcase_add_loop_test(tests, draws_banks, 0, sizeof banks / sizeof *banks);
    tcase_add_loop_test(tests, draws_sectors, 0, sizeof sectors / sizeof *sectors);
    suite_add_tcase(suite, tests);
    return suite;
}
