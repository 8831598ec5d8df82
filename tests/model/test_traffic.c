// What L2 takes for global atomics, against an H200.
#include <check.h>

#include "base/map.h"
#include "model/replay.h"
#include "model/traffic.h"

Suite *suite_traffic(void);

// Nanoseconds for each warp: 32 lanes over the atomics a second that tests/golden/h200_micro.csv has. From 32 words on
// the lanes have a word each.
static const struct {
    uint32_t words;
    bool floating;
    double ns;
} measured[] = {
    {1, false, 23.5}, {1, true, 56.2},    {2, true, 28.1},   {8, true, 7.07},
    {32, true, 2.58}, {256, false, 7.25}, {256, true, 7.25},
};

START_TEST(atomics_keep_l2_as_long_as_measured)
{
    enum { LANES = 32 };
    const uint32_t warps = 2000;
    struct map lines = {0}, slices = {0};
    uint32_t words = measured[_i].words;
    for (uint32_t warp = 0; warp < warps; warp++) {
        uint64_t addresses[LANES];
        for (uint32_t lane = 0; lane < LANES; lane++)
            addresses[lane] = 4096 + 4 * ((warp * LANES + lane) * 2654435761u % words);
        atomics_serve(&lines, &slices, UINT32_MAX, addresses, measured[_i].floating, &replay_defaults);
    }
    double most = 0;
    for (size_t i = 0; i < lines.count; i++)
        most = *(double *)map_value(&lines, i) > most ? *(double *)map_value(&lines, i) : most;
    for (size_t i = 0; i < slices.count; i++)
        most = *(double *)map_value(&slices, i) > most ? *(double *)map_value(&slices, i) : most;
    double ratio = most / warps / measured[_i].ns;
    ck_assert_msg(ratio > 0.85 && ratio < 1.2, "%u words: %.2f ns, measured %.2f", words, most / warps,
                  measured[_i].ns);
    map_free(&lines);
    map_free(&slices);
}
END_TEST

Suite *suite_traffic(void)
{
    Suite *suite = suite_create("traffic");
    TCase *tests = tcase_create("traffic");
    tcase_add_loop_test(tests, atomics_keep_l2_as_long_as_measured, 0, sizeof measured / sizeof *measured);
    suite_add_tcase(suite, tests);
    return suite;
}
