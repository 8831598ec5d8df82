// Textures and surfaces against what an H100 gave, and what cannot be read.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random_texture.h"
#include "base/map.h"

Suite *suite_textures(void);

START_TEST(reads_and_writes_textures_as_the_hardware_does)
{
    static struct texture_sample sample;
    static uint32_t out[TEXTURE_OUT];
    struct device simulator;
    char line[200];
    unsigned cases = 0;
    FILE *file = fopen("tests/golden/h100_textures.csv", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(device_open(&simulator, "sim", NULL, -1, NULL), STATUS_OK);
    while (fgets(line, sizeof line, file)) {
        unsigned long long seed, sum;
        struct diagnostic diagnostic = {0};
        if (sscanf(line, "%llu,%llx", &seed, &sum) != 2)
            continue;
        texture_sample_make(&sample, seed);
        enum status status = texture_sample_run(&sample, &simulator, out, &diagnostic);
        ck_assert_msg(status == STATUS_OK, "%s: %s", sample.name, diagnostic.message);
        ck_assert_msg(map_hash(MAP_HASH_START, out, sizeof out) == sum, "seed %llu: %s", seed, sample.name);
        texture_sample_free(&sample);
        cases++;
    }
    fclose(file);
    device_close(&simulator);
    ck_assert_uint_gt(cases, 3400);
}
END_TEST

Suite *suite_textures(void)
{
    Suite *suite = suite_create("textures");
    TCase *tests = tcase_create("textures");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, reads_and_writes_textures_as_the_hardware_does);
    suite_add_tcase(suite, tests);
    return suite;
}
