#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process.h"

Suite *suite_process(void);

static struct process_result run_shell(const char *script, struct process_options options)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct process_result result;
    struct diagnostic diagnostic = {0};
    options.argv = argv;
    ck_assert_msg(process_run(&options, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    return result;
}

// Gone means gone: the process does not exist, nor as a zombie.
static void check_gone(const char *digits)
{
    pid_t pid = (pid_t)strtol(digits, NULL, 10);
    ck_assert_msg(pid > 1, "no process id in '%s'", digits);
    ck_assert_msg(kill(pid, 0) != 0, "process %d is still there", (int)pid);
}

START_TEST(collects_both_streams_and_the_exit_status)
{
    struct process_result result = run_shell("echo out; echo err >&2; exit 3", (struct process_options){0});
    ck_assert_int_eq(result.end, PROCESS_EXITED);
    ck_assert_int_eq(result.exit_code, 3);
    ck_assert_str_eq(text_get(&result.out), "out\n");
    ck_assert_str_eq(text_get(&result.err), "err\n");
    process_result_free(&result);
}
END_TEST

START_TEST(gives_input_from_memory_or_none)
{
    size_t length = 300000; // more than a pipe holds
    char *input = malloc(length);
    memset(input, 'x', length);
    struct process_result result = run_shell("wc -c", (struct process_options){.input = input, .input_length = length});
    ck_assert_int_eq(atoi(text_get(&result.out)), 300000);
    process_result_free(&result);
    free(input);
    result = run_shell("wc -c", (struct process_options){0});
    ck_assert_int_eq(atoi(text_get(&result.out)), 0);
    process_result_free(&result);
}
END_TEST

START_TEST(starts_with_a_clean_environment_and_no_open_files)
{
    setenv("BANKSHOT_SECRET", "1", 1);
    struct process_result result = run_shell("env; ls /proc/self/fd | wc -l", (struct process_options){0});
    ck_assert_ptr_null(strstr(text_get(&result.out), "BANKSHOT_SECRET"));
    ck_assert_ptr_nonnull(strstr(text_get(&result.out), "HOME=/nonexistent\n"));
    ck_assert_msg(strstr(text_get(&result.out), "\n4\n"), "%s", text_get(&result.out)); // 0, 1, 2 and ls's own
    process_result_free(&result);
    unsetenv("BANKSHOT_SECRET");
}
END_TEST

START_TEST(says_which_program_is_missing)
{
    const char *argv[] = {"/nonexistent/nvcc", NULL};
    struct process_options options = {.argv = argv};
    struct process_result result;
    struct diagnostic diagnostic;
    ck_assert_int_eq(process_run(&options, &result, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "/nonexistent/nvcc"));
}
END_TEST

static const struct {
    const char *script;
    struct process_limits limits;
    enum process_end end;
} limit_cases[] = {
    {"sleep 20", {.wall_seconds = 0.1}, PROCESS_TIMED_OUT},
    {"while :; do :; done", {.cpu_seconds = 1, .wall_seconds = 20}, PROCESS_TIMED_OUT},
    {"yes", {.output_bytes = 1000, .wall_seconds = 20}, PROCESS_OUTPUT_LIMIT},
    {"yes >&2", {.output_bytes = 1000, .wall_seconds = 20}, PROCESS_OUTPUT_LIMIT},
    {"exec dd if=/dev/zero of=/tmp/bankshot-process-test bs=4096 count=10 2>&-",
     {.file_bytes = 8192},
     PROCESS_SIGNALLED},
    {"kill -SEGV $$", {.wall_seconds = 20}, PROCESS_SIGNALLED},
};

START_TEST(tells_which_end_it_came_to)
{
    struct process_options options = {.limits = limit_cases[_i].limits};
    struct process_result result = run_shell(limit_cases[_i].script, options);
    ck_assert_int_eq(result.end, limit_cases[_i].end);
    ck_assert_uint_le(result.out.length, 16 << 20);
    if (options.limits.output_bytes)
        ck_assert_uint_le(result.out.length + result.err.length, 1000);
    process_result_free(&result);
    unlink("/tmp/bankshot-process-test");
}
END_TEST

START_TEST(limits_memory_and_open_files)
{
    struct process_limits limits = {.memory_bytes = 256 << 20, .open_files = 17, .wall_seconds = 20};
    struct process_result result =
        run_shell("ulimit -v; ulimit -n; ulimit -c", (struct process_options){.limits = limits});
    ck_assert_str_eq(text_get(&result.out), "262144\n17\n0\n");
    process_result_free(&result);
}
END_TEST

// A daemon in its own session, its output closed, outlives its parent everywhere else.
START_TEST(leaves_no_process_behind)
{
    const char *script =
        "setsid sh -c 'setsid sleep 60 >/dev/null 2>&1 & echo $!; exec >&- 2>&-; sleep 60' & sleep 0.2";
    struct process_result result = run_shell(script, (struct process_options){.limits = {.wall_seconds = 20}});
    ck_assert_int_eq(result.end, PROCESS_EXITED);
    check_gone(text_get(&result.out));
    process_result_free(&result);
}
END_TEST

START_TEST(leaves_no_process_behind_after_a_timeout)
{
    const char *script = "setsid sleep 60 & echo $!; sleep 60";
    struct process_result result = run_shell(script, (struct process_options){.limits = {.wall_seconds = 1.5}});
    ck_assert_int_eq(result.end, PROCESS_TIMED_OUT);
    check_gone(text_get(&result.out));
    process_result_free(&result);
}
END_TEST

// The caller is killed in mid-run: its supervisor notices and takes the child along, and the folder that was its own.
START_TEST(goes_when_the_caller_is_killed)
{
    char scratch[] = "/tmp/bankshot-scratch-XXXXXX";
    int fds[2];
    ck_assert_int_eq(pipe(fds), 0);
    ck_assert_ptr_nonnull(mkdtemp(scratch));
    pid_t caller = fork();
    if (caller == 0) {
        const char *argv[] = {"/bin/sh", "-c", "mkdir -p a/b; touch a/b/c; echo $$; exec sleep 60", NULL};
        struct process_options options = {.argv = argv, .directory = scratch, .scratch = scratch};
        struct process *process = NULL;
        struct text line = {0};
        process_start(&options, &process, NULL);
        while (process_read_line(process, &line) == PROCESS_LINE_NONE)
            process_poll(process, -1);
        if (write(fds[1], line.data, line.length) < 0)
            _exit(1);
        raise(SIGKILL);
    }
    char digits[32] = "";
    ck_assert_int_gt(read(fds[0], digits, sizeof digits - 1), 0);
    pid_t pid = (pid_t)strtol(digits, NULL, 10);
    for (int i = 0; i < 500 && kill(pid, 0) == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    check_gone(digits);
    for (int i = 0; i < 500 && access(scratch, F_OK) == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    ck_assert_int_ne(access(scratch, F_OK), 0);
    close(fds[0]);
    close(fds[1]);
}
END_TEST

START_TEST(stops_when_the_cancel_flag_is_set)
{
    atomic_bool cancel = true;
    struct process_result result = run_shell("sleep 60", (struct process_options){.cancel = &cancel});
    ck_assert_int_eq(result.end, PROCESS_KILLED);
    process_result_free(&result);
}
END_TEST

START_TEST(gives_lines_as_they_come)
{
    const char *argv[] = {"/bin/sh", "-c", "echo one; printf two; sleep 0.1; echo; echo; printf last", NULL};
    static const char *const expected[] = {"one", "two", "", "last"};
    struct process_options options = {.argv = argv, .limits = {.wall_seconds = 20}};
    struct process *process;
    struct process_result result;
    struct text line = {0};
    size_t count = 0;
    ck_assert_int_eq(process_start(&options, &process, NULL), STATUS_OK);
    for (enum process_line got; (got = process_read_line(process, &line)) != PROCESS_LINE_END;) {
        if (got == PROCESS_LINE_NONE)
            process_poll(process, -1);
        else
            ck_assert_str_eq(text_get(&line), expected[count++]);
    }
    ck_assert_uint_eq(count, 4);
    ck_assert_int_eq(process_wait(process, &result, NULL), STATUS_OK);
    ck_assert(process_succeeded(&result));
    process_result_free(&result);
    process_free(process);
    text_free(&line);
}
END_TEST

START_TEST(poll_gives_up_when_nothing_comes)
{
    const char *argv[] = {"/bin/sleep", "60", NULL};
    struct process_options options = {.argv = argv};
    struct process *process;
    ck_assert_int_eq(process_start(&options, &process, NULL), STATUS_OK);
    ck_assert(!process_poll(process, 20));
    ck_assert(!process_ended(process));
    process_free(process);
}
END_TEST

static int refuse(void *context)
{
    return *(int *)context;
}

START_TEST(a_refusing_hook_stops_the_start)
{
    const char *argv[] = {"/bin/true", NULL};
    int error = 1; // EPERM
    struct process_options options = {.argv = argv, .before_exec = refuse, .context = &error};
    struct process_result result;
    struct diagnostic diagnostic;
    ck_assert_int_eq(process_run(&options, &result, &diagnostic), STATUS_ENVIRONMENT);
    error = 0;
    ck_assert_int_eq(process_run(&options, &result, &diagnostic), STATUS_OK);
    process_result_free(&result);
}
END_TEST

// Asleep, it gets no processor, as on a machine where others have them all.
START_TEST(a_limit_waits_for_its_processor)
{
    struct clock_limit by_the_wall = clock_limit_of(0.1, 1), patient = clock_limit_of(0.1, 0.01),
                       none = clock_limit_of(0, 1), gone = clock_limit_of(-1, 0.01);
    ck_assert(!clock_limit_passed(&by_the_wall) && !clock_limit_passed(&none) && clock_limit_passed(&gone));
    usleep(150000);
    ck_assert(clock_limit_passed(&by_the_wall) && !clock_limit_passed(&patient) && !clock_limit_passed(&none));
    double left = clock_limit_left(&patient);
    ck_assert_msg(left > 0 && left < 0.1, "%g s left", left);
    while (!clock_limit_passed(&patient))
        ;
    ck_assert_double_ge(clock_processor() - patient.processor, 0.05); // it worked from then on, with or without company
}
END_TEST

START_TEST(a_limit_passes_though_there_is_no_processor)
{
    struct clock_limit patient = clock_limit_of(0.25, 0.25);
    usleep(300000);
    ck_assert(!clock_limit_passed(&patient));
    usleep(750000);
    ck_assert(clock_limit_passed(&patient));
}
END_TEST

Suite *suite_process(void)
{
    Suite *suite = suite_create("process");
    TCase *tests = tcase_create("process");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, collects_both_streams_and_the_exit_status);
    tcase_add_test(tests, gives_input_from_memory_or_none);
    tcase_add_test(tests, starts_with_a_clean_environment_and_no_open_files);
    tcase_add_test(tests, says_which_program_is_missing);
    tcase_add_loop_test(tests, tells_which_end_it_came_to, 0, sizeof limit_cases / sizeof *limit_cases);
    tcase_add_test(tests, limits_memory_and_open_files);
    tcase_add_test(tests, leaves_no_process_behind);
    tcase_add_test(tests, leaves_no_process_behind_after_a_timeout);
    tcase_add_test(tests, goes_when_the_caller_is_killed);
    tcase_add_test(tests, stops_when_the_cancel_flag_is_set);
    tcase_add_test(tests, gives_lines_as_they_come);
    tcase_add_test(tests, poll_gives_up_when_nothing_comes);
    tcase_add_test(tests, a_refusing_hook_stops_the_start);
    tcase_add_test(tests, a_limit_waits_for_its_processor);
    tcase_add_test(tests, a_limit_passes_though_there_is_no_processor);
    suite_add_tcase(suite, tests);
    return suite;
}
