// Every fuzz target takes its seeds, as `make fuzz` begins: a target that no longer fits what it calls fails here, not
// in the next long run.
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/file.h"

Suite *suite_seeds(void);

#define TARGET(name) int fuzz_##name(const uint8_t *data, size_t size);
#include "targets.def"
#undef TARGET

static const struct {
    const char *name;
    int (*take)(const uint8_t *data, size_t size);
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "targets.def"
#undef TARGET
};

START_TEST(a_fuzz_target_takes_its_seeds)
{
    char folder[300], path[600], *data;
    size_t length, count = 0;
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", targets[_i].name);
    DIR *stream = opendir(folder);
    ck_assert_msg(stream != NULL, "%s is not there", folder);
    for (struct dirent *entry; (entry = file_next_entry(stream));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (file_read(path, 1 << 20, &data, &length, NULL) != STATUS_OK)
            continue; // a folder
        ck_assert_int_eq(targets[_i].take((const uint8_t *)data, length), 0);
        free(data);
        count++;
    }
    closedir(stream);
    ck_assert_uint_gt(count, 0);
}
END_TEST

Suite *suite_seeds(void)
{
    Suite *suite = suite_create("seeds");
    TCase *tests = tcase_create("seeds");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_fuzz_target_takes_its_seeds, 0, sizeof targets / sizeof *targets);
    suite_add_tcase(suite, tests);
    return suite;
}
