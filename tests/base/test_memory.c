#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/memory.h"

Suite *suite_memory(void);

// Each ends its process, which Check started for it.
START_TEST(what_is_beyond_the_bound_is_told_by_the_exit_status)
{
    mem_bound(UINT64_C(256) << 20);
    free(mem_alloc(1 << 20));
    mem_alloc((size_t)1 << 30);
}
END_TEST

// One that whoever started us had set says nothing about who wants the memory.
START_TEST(a_bound_that_was_there_before_is_the_machines)
{
    const struct rlimit low = {UINT64_C(64) << 20, UINT64_C(64) << 20};
    ck_assert_int_eq(setrlimit(RLIMIT_DATA, &low), 0);
    mem_bound(UINT64_C(256) << 20);
    mem_alloc((size_t)128 << 20);
}
END_TEST

START_TEST(what_no_machine_has_is_another_status)
{
    mem_alloc((size_t)1 << 62);
}
END_TEST

START_TEST(a_bound_that_is_lifted_holds_nobody)
{
    mem_bound(UINT64_C(256) << 20);
    mem_bound(0);
    free(mem_alloc((size_t)1 << 30));
    exit(0);
}
END_TEST

// On a machine with little memory the bound is lower than the arrays of the modelled size, of which few elements are
// made.
START_TEST(what_is_sparse_does_not_count_towards_the_bound)
{
    mem_bound(UINT64_C(256) << 20);
    void *sparse = mem_sparse((size_t)1 << 30), *more = mem_sparse((size_t)1 << 30);
    free(mem_alloc(1 << 20));
    mem_sparse_free(sparse, (size_t)1 << 30);
    mem_sparse_free(more, (size_t)1 << 30);
    mem_sparse_free(NULL, (size_t)1 << 30);
    mem_alloc((size_t)512 << 20); // and the bound is what it was
}
END_TEST

// Beyond the machine's limit it is the machine's fault, and giving it back leaves the bound as it was.
START_TEST(what_is_sparse_goes_no_further_than_the_machines_limit)
{
    const struct rlimit low = {UINT64_C(512) << 20, UINT64_C(512) << 20};
    struct rlimit now;
    ck_assert_int_eq(setrlimit(RLIMIT_DATA, &low), 0);
    mem_bound(UINT64_C(256) << 20);
    void *most = mem_sparse((size_t)384 << 20);
    mem_sparse_free(most, (size_t)384 << 20);
    ck_assert_int_eq(getrlimit(RLIMIT_DATA, &now), 0);
    ck_assert_uint_eq(now.rlim_cur, UINT64_C(256) << 20);
    mem_sparse((size_t)1 << 30);
}
END_TEST

Suite *suite_memory(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
#if defined(__SANITIZE_ADDRESS__)
    bool is_own = false; // the sanitizer has allocations and limits of its own
#else
    bool is_own = true;
#endif
    if (is_own) {
        tcase_add_exit_test(tests, what_is_beyond_the_bound_is_told_by_the_exit_status, MEMORY_EXIT_BOUND);
        tcase_add_exit_test(tests, what_is_sparse_does_not_count_towards_the_bound, MEMORY_EXIT_BOUND);
        tcase_add_exit_test(tests, what_is_sparse_goes_no_further_than_the_machines_limit, MEMORY_EXIT);
        tcase_add_exit_test(tests, a_bound_that_was_there_before_is_the_machines, MEMORY_EXIT);
        tcase_add_exit_test(tests, what_no_machine_has_is_another_status, MEMORY_EXIT);
        tcase_add_exit_test(tests, a_bound_that_is_lifted_holds_nobody, 0);
    }
    suite_add_tcase(suite, tests);
    return suite;
}
