// Whole sessions of the real program in tmux: tests/ui/sessions. Skipped where something is missing.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "../support/skip.h"

Suite *suite_sessions(void);

static const char *const sessions[] = {"padding", "saves", "terminal", "mouse", "plain", "own", "walk"};

START_TEST(session_goes_as_written)
{
    char command[256];
    enum { SKIPPED = 77 };
    snprintf(command, sizeof command, "sh tests/ui/sessions/%s.sh > " TEST_BUILD "/session-%s.log 2>&1", sessions[_i],
             sessions[_i]);
    int status = system(command);
    ck_assert(status != -1 && WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED) {
        skip_check("sessions in tmux: see " TEST_BUILD "/session-*.log");
        return;
    }
    if (WEXITSTATUS(status) != 0) {
        snprintf(command, sizeof command, "tail -n 80 " TEST_BUILD "/session-%s.log", sessions[_i]);
        ck_assert(system(command) != -1); // the one who reads may have this output alone
    }
    ck_assert_msg(WEXITSTATUS(status) == 0, "session %s failed: see " TEST_BUILD "/session-%s.log", sessions[_i],
                  sessions[_i]);
}
END_TEST

Suite *suite_sessions(void)
{
    Suite *suite = suite_create("sessions");
    TCase *tests = tcase_create("sessions");
    tcase_set_timeout(tests, 300); // under the sanitizers, a walk takes over a minute
    tcase_add_loop_test(tests, session_goes_as_written, 0, (int)(sizeof sessions / sizeof *sessions));
    suite_add_tcase(suite, tests);
    return suite;
}
