#include <check.h>
#include <stdlib.h>

#include "../support/ptx_text.h"
#include "../support/random_run.h"

Suite *suite_random(void);

enum { SEEDS = 40 };

// Luck must not show: the kernels have no races, so that every order of warps gives the same words.
static const struct {
    const char *name;
    enum sim_schedule schedule;
    unsigned host_threads;
} orders[] = {
    {"in turn, two host threads", SIM_ROUND_ROBIN, 2},      {"at random", SIM_RANDOM, 1},
    {"at random, two host threads", SIM_RANDOM, 2},         {"one warp ahead", SIM_ONE_AHEAD, 1},
    {"one warp ahead, two host threads", SIM_ONE_AHEAD, 2},
};

static void run(const struct ptx_module *module, const struct generated *kernel, uint64_t seed,
                enum sim_schedule schedule, unsigned host_threads, struct random_run *result)
{
    enum status status = random_run_sim(module, kernel, seed, schedule, host_threads, NULL, result);
    ck_assert_msg(status == STATUS_OK, "seed %d: %s", (int)seed, result->diagnostic.message);
}

START_TEST(gives_the_same_words_in_any_order_of_warps)
{
    uint64_t seed = (uint64_t)_i + 1;
    struct generated kernel;
    struct random_run base = {0};
    generate_kernel(_i % 4 ? GENERATE_ANY : GENERATE_EXCHANGE, seed, 0, &kernel);
    struct ptx_module *module = ptx_parse_good("random.ptx", text_get(&kernel.ptx));
    run(module, &kernel, seed, SIM_ROUND_ROBIN, 1, &base);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct random_run other = {0};
        char difference[200];
        run(module, &kernel, seed, orders[i].schedule, orders[i].host_threads, &other);
        uint64_t wrong = random_run_compare(&kernel, &base, &other, difference, sizeof difference);
        ck_assert_msg(wrong == 0, "seed %d, %s: %d words differ, %s", (int)seed, orders[i].name, (int)wrong,
                      difference);
        free(other.out);
    }
    free(base.out);
    ptx_module_free(module);
    text_free(&kernel.ptx);
}
END_TEST

// Else the test above would hold for a machine that does nothing.
START_TEST(more_statements_leave_other_words)
{
    struct random_run runs[2] = {{0}};
    struct generated kernels[2];
    uint64_t nonzero = 0;
    for (int i = 0; i < 2; i++) {
        generate_kernel(GENERATE_ANY, 1, i ? 0 : 1, &kernels[i]);
        struct ptx_module *module = ptx_parse_good("random.ptx", text_get(&kernels[i].ptx));
        run(module, &kernels[i], 1, SIM_ROUND_ROBIN, 1, &runs[i]);
        ptx_module_free(module);
    }
    char difference[200];
    ck_assert_uint_gt(random_run_compare(&kernels[0], &runs[0], &runs[1], difference, sizeof difference), 0);
    ck_assert_str_ne(difference, "");
    for (uint32_t i = 0; i < GENERATE_WORDS * kernels[1].threads; i++)
        nonzero += runs[1].out[i] != 0;
    ck_assert_uint_gt(nonzero, GENERATE_WORDS * (uint64_t)kernels[1].threads / 4);
    for (int i = 0; i < 2; i++) {
        free(runs[i].out);
        text_free(&kernels[i].ptx);
    }
}
END_TEST

START_TEST(counts_do_not_depend_on_host_threads)
{
    struct counter_table tables[2];
    struct generated kernel;
    generate_kernel(GENERATE_ANY, 2, 0, &kernel);
    struct ptx_module *module = ptx_parse_good("random.ptx", text_get(&kernel.ptx));
    for (unsigned i = 0; i < 2; i++) {
        struct random_run result = {0};
        tables[i] = (struct counter_table){0};
        ck_assert_int_eq(random_run_sim(module, &kernel, 2, SIM_ROUND_ROBIN, i + 1, &tables[i], &result), STATUS_OK);
        free(result.out);
    }
    ck_assert_uint_gt(tables[0].compiled.warp_instructions, 0);
    ck_assert_mem_eq(&tables[0].compiled, &tables[1].compiled, sizeof tables[0].compiled);
    ck_assert_mem_eq(&tables[0].written, &tables[1].written, sizeof tables[0].written);
    for (int i = 0; i < 2; i++)
        counter_table_free(&tables[i]);
    ptx_module_free(module);
    text_free(&kernel.ptx);
}
END_TEST

Suite *suite_random(void)
{
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");
    tcase_add_loop_test(tests, gives_the_same_words_in_any_order_of_warps, 0, SEEDS);
    tcase_add_test(tests, more_statements_leave_other_words);
    tcase_add_test(tests, counts_do_not_depend_on_host_threads);
    suite_add_tcase(suite, tests);
    return suite;
}
