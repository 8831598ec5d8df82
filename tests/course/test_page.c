// docs/using-in-a-course.md: every command on it works. A block that opens with ```sh is run; a section's blocks run
// one after the other in a workspace of their own, with a bundle's `bankshot` in PATH. Sections that need more have a
// row.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/program.h"
#include "../support/skip.h"
#include "base/file.h"
#include "base/text.h"

Suite *suite_page(void);

static const char page_name[] = "docs/using-in-a-course.md";

static const struct section {
    const char *title;
    const char *needs;   // commands, parted by blanks; without them it is skipped
    const char *prepare; // shell, in the workspace; $TREE is the source tree
    const char *expect;  // shell, afterwards
} sections[] = {
    {"Gradescope", "zip unzip", "cp $TREE/solutions/04-padding.cu exercises", "grep -q '\"score\": 100' $SAID"},
    {"Classroom 50", "", "", "ls classroom50/CLASSROOM/autograders/ASSIGNMENT/autograder.py"},
    {"GitHub Actions", "", "", "ls template/.github/workflows/bankshot.yml template/.bankshot-ci/setup.sh"},
    {"GitLab", "", "", "ls template/.gitlab-ci.yml"},
    {"Jenkins", "", "", "ls template/Jenkinsfile"},
};

enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static char folder[64];

// Before all: $TREE, and $ROOM with a bundle.
static void open_folder(void)
{
    char tree[4096], program[4096];
    ck_assert_ptr_nonnull(realpath(program_path(), program));
    ck_assert_ptr_nonnull(getcwd(tree, sizeof tree));
    snprintf(folder, sizeof folder, "/tmp/bankshot-page-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("TREE", tree, 1);
    setenv("PROGRAM", program, 1);
    setenv("ROOM", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    char cache[64]; // by user, as ../support/program.h has it
    snprintf(cache, sizeof cache, "/tmp/bankshot-tests-%u/cache", (unsigned)getuid());
    setenv("XDG_CACHE_HOME", cache, 1);
    unsetenv("LSAN_OPTIONS"); // names a file from the source tree's root
    ck_assert_int_eq(system("cd $TREE && .ci/install $PROGRAM '' $ROOM/bundle >$ROOM/log && mkdir $ROOM/bundle/lib && "
                            "strip $ROOM/bundle/bin/bankshot"),
                     0);
}

static void close_folder(void)
{
    ck_assert_int_eq(system("rm -rf $ROOM"), 0);
}

// The commands of all blocks below "## title".
static void read_commands(const char *page, const char *title, struct text *out)
{
    char heading[128];
    snprintf(heading, sizeof heading, "\n## %s\n", title);
    const char *at = strstr(page, heading);
    ck_assert_msg(at, "%s has no section '%s'", page_name, title);
    const char *end = strstr(at + 1, "\n## ");
    end = end ? end : at + strlen(at);
    for (; (at = strstr(at, "\n```sh\n")) && at < end; at++) {
        const char *start = at + strlen("\n```sh\n"), *close = strstr(start, "\n```\n");
        ck_assert_msg(close, "%s: a block of '%s' does not end", page_name, title);
        text_append(out, start, (size_t)(close - start) + 1);
    }
}

static char *read_page(void)
{
    char *page;
    size_t length;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(file_read(page_name, 1 << 20, &page, &length, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    return page;
}

static bool can_run(const struct section *section)
{
    char words[64], path[4096];
    snprintf(words, sizeof words, "%s", section->needs);
    for (char *at = words, *word; (word = strsep(&at, " "));)
        if (*word && !file_find_program(word, path, sizeof path)) {
            skip_check("no %s", word);
            return false;
        }
    if (!program_has_compiler())
        skip_check("no compiler");
    return program_has_compiler();
}

START_TEST(every_command_of_a_section_works)
{
    const struct section *section = &sections[_i];
    struct text commands = {0}, script = {0};
    struct diagnostic diagnostic = {0};
    char path[128];
    if (!can_run(section))
        return;
    char *page = read_page();
    read_commands(page, section->title, &commands);
    free(page);
    ck_assert_msg(commands.length > 0, "%s: nothing is run of '%s'", page_name, section->title);
    text_printf(
        &script,
        "PATH=$ROOM/bundle/bin:$PATH; SAID=$ROOM/said\nrm -rf $ROOM/work\nbankshot init $ROOM/work\ncd $ROOM/work\n"
        "%s\n{ set -x\n%s\n} >$SAID\n{ set +x; } 2>/dev/null\n%s\n",
        section->prepare, text_get(&commands), section->expect);
    snprintf(path, sizeof path, "%s/script", folder);
    ck_assert_int_eq(file_put(path, text_get(&script), script.length, &diagnostic), STATUS_OK);
    int status = system("sh -e $ROOM/script >$ROOM/log 2>&1 </dev/null");
    if (status != 0)
        ck_assert_int_eq(system("cat $ROOM/log $ROOM/said >&2"), 0);
    ck_assert_msg(status == 0, "'%s' of %s", section->title, page_name);
    text_free(&commands);
    text_free(&script);
}
END_TEST

START_TEST(no_section_has_commands_that_nothing_runs)
{
    char *page = read_page();
    for (char *at = page; (at = strstr(at, "\n## "));) {
        char title[128];
        struct text commands = {0};
        size_t i = 0;
        at += strlen("\n## ");
        snprintf(title, sizeof title, "%.*s", (int)strcspn(at, "\n"), at);
        read_commands(page, title, &commands);
        while (i < SECTION_COUNT && strcmp(sections[i].title, title) != 0)
            i++;
        ck_assert_msg(!commands.length || i < SECTION_COUNT, "'%s' has a block of commands and no row here", title);
        text_free(&commands);
    }
    free(page);
}
END_TEST

Suite *suite_page(void)
{
    Suite *suite = suite_create("page");
    TCase *commands = tcase_create("commands");
    tcase_add_unchecked_fixture(commands, open_folder, close_folder);
    tcase_set_timeout(commands, 600);
    tcase_add_loop_test(commands, every_command_of_a_section_works, 0, SECTION_COUNT);
    tcase_add_test(commands, no_section_has_commands_that_nothing_runs);
    suite_add_tcase(suite, commands);
    return suite;
}
