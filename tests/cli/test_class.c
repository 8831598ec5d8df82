// `class` with its gradebook: what a kill leaves, what --resume does, and that no hand-in decides another one's marks.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "../support/program.h"
#include "../support/skip.h"
#include "grade/worker.h"
#include "toolchain/sandbox.h"
#include "toolchain/toolchain.h"

Suite *suite_class(void);

static char root[64], tree[4096];

static void set_up(void)
{
    char program[4096];
    snprintf(root, sizeof root, "/tmp/bankshot-class-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_ptr_nonnull(realpath(program_path(), program));
    ck_assert_ptr_nonnull(getcwd(tree, sizeof tree));
    setenv("B", program, 1);
    setenv("T", tree, 1);
    ck_assert_int_eq(chdir(root), 0);
    ck_assert_int_eq(system("mkdir tmp cache state class"), 0);
    const char *const folders[] = {"TMPDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME"};
    const char *const names[] = {"tmp", "cache", "state"};
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        setenv(folders[i], path, 1);
    }
}

static void tear_down(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    file_remove_tree(root);
}

static bool lacks_compiler(void)
{
    struct toolchain toolchain;
    bool lacks = toolchain_find(TOOLCHAIN_AUTO, NULL, &toolchain, NULL) != STATUS_OK;
    if (lacks)
        skip_check("no compiler for kernels");
    return lacks;
}

// A shell line's exit status.
static int shell(const char *line)
{
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Equal hand-ins, own ones, a wrong and a broken one: four sources.
static void make_class(void)
{
    ck_assert_int_eq(shell("cd class && mkdir ada bob cai dan eve $(printf 'f\\377y') && for s in ada bob; do cp "
                           "$T/solutions/01-coalescing.cu $s; done && for s in cai f*; do { cat "
                           "$T/solutions/01-coalescing.cu; echo // $s; } >$s/coalescing.cu; done && echo 'int x' "
                           ">dan/coalescing.cu && cp $T/exercises/01-coalescing.cu eve"),
                     0);
}

#define CLASS "\"$B\" class class --lesson coalescing --device sim --csv "
// Fails when no process has the test's folder in its words.
#define PROCESSES                                                                                                      \
    "for process in /proc/[0-9]*; do case $(tr '\\0' ' ' 2>/dev/null <$process/cmdline) in *$PWD/*) echo left: "       \
    "$process; esac; done | grep left:"
// A machine that is too busy to grade leaves infrastructure errors, and they are there to be tried again.
#define TO_THE_END "for i in 1 2 3 4 5 6 7 8; do " CLASS "--resume --seed 3 >marks 2>said && break; done; "
#define DUMP(file)                                                                                                     \
    "\"$B\" class class --lesson coalescing --device sim --json --resume >" file ".json && python3 -c '"               \
    "import sqlite3, sys\n"                                                                                            \
    "for row in sqlite3.connect(\"class.gradebook\").execute(\"SELECT hex(name), s.lesson, s.state, a.number, "        \
    "hex(a.path), handed_in, hex(bytes), verdict, score, full, diagnosis, next, seed, compiler, (SELECT "              \
    "group_concat(id || passed || earned || got) FROM gate WHERE grading = g.id) FROM submission s JOIN student ON "   \
    "student = student.id LEFT JOIN attempt a ON submission = s.id LEFT JOIN grading g ON a.grading = g.id LEFT JOIN " \
    "source ON g.source = source.id LEFT JOIN run ON g.run = run.id ORDER BY 1, 2, 4\"): print(row)' >" file

START_TEST(killed_at_any_moment_it_goes_on_to_the_same_gradebook)
{
    static const char *const moments[] = {"0.02", "0.15", "0.4", "0.9", "1.6"};
    if (lacks_compiler())
        return;
    if (shell("python3 -c 'import sqlite3' 2>/dev/null")) {
        skip_check("no python3 to read the gradebook with");
        return;
    }
    make_class();
    shell(CLASS "--seed 3 >marks 2>said");
    ck_assert_int_eq(shell(TO_THE_END DUMP("whole")), 0);
    ck_assert_int_eq(shell("test $(grep -c \"'pass', 100.0\" whole) = 4 && rm class.gradebook"), 0);
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 CLASS "%s >marks 2>said & class=$!; sleep %s; kill -9 $class 2>/dev/null; wait $class 2>/dev/null",
                 file_exists("class.gradebook") ? "--resume --seed 3" : "--seed 3", moments[i]);
        shell(line);
    }
    ck_assert_int_eq(shell("test -e class.gradebook || " CLASS "--seed 3 >marks 2>said; " TO_THE_END DUMP("pieces")),
                     0);
    ck_assert_msg(shell("diff whole pieces >&2") == 0, "the gradebooks differ");
    ck_assert_int_eq(shell("diff whole.json pieces.json"), 0);
    // folders of killed runs are removed by the next class, once they are seconds old
    shell("sleep 4; " CLASS "--resume >marks 2>said");
    ck_assert_msg(shell("ls | grep gradebook- || ls tmp | grep . || " PROCESSES) != 0, "something was left behind");
}
END_TEST

START_TEST(what_was_handed_in_since_is_graded_and_nothing_else)
{
    if (lacks_compiler())
        return;
    make_class();
    shell(CLASS "--seed 3 >marks 2>said");
    ck_assert_int_eq(shell(TO_THE_END "cp $T/solutions/01-coalescing.cu class/dan/coalescing.cu; cp class.gradebook "
                                      "before; " CLASS "--resume >after"),
                     0);
    ck_assert_int_eq(shell("test \"$(diff marks after | grep -c '^[<>]')\" = 2 && grep -q '^\"dan\".*,pass,100' after"),
                     0);
    // graded with the others' bytes: no other run was needed
    ck_assert_int_eq(shell("PATH=/bin:/usr/bin; " CLASS "--resume --seed 4 2>said"), 2);
    ck_assert_int_eq(shell("grep -q 'the run to go on with was made with .* --seed 3; here' said"), 0);
    ck_assert_int_eq(shell(CLASS "--resume --gradebook none 2>said"), 2);
    ck_assert_int_eq(shell("grep -q 'none: unable to open database file' said && test ! -e none"), 0);
}
END_TEST

// A kernel of the learner's own is kept in the caches; of a hand-in nothing is, nor is anything left where it ran.
START_TEST(no_hand_in_keeps_anything_in_the_caches)
{
    if (lacks_compiler())
        return;
    if (!sandbox_landlock_abi() || grade_memory_bound() == 0) {
        skip_check("no Landlock, or a sanitizer's build, which does without it");
        return;
    }
    ck_assert_int_eq(shell("mkdir class/ada && cp $T/solutions/01-coalescing.cu class/ada"), 0);
    shell(CLASS "--seed 3 >marks 2>said; " TO_THE_END);
    // the compiler's version is asked for by the class itself
    ck_assert_int_eq(shell("grep -lr 'coalesc\\|__global__' cache; test $? = 1 && test -z \"$(ls tmp)\""), 0);
    shell("\"$B\" check coalescing --device sim --file class/ada/01-coalescing.cu >marks 2>&1");
    ck_assert_int_eq(shell("grep -qlr '__global__' cache"), 0);
}
END_TEST

START_TEST(lessons_that_are_named_count_once_and_all_of_them)
{
    ck_assert_int_eq(
        shell("mkdir class/ada; \"$B\" class class --lesson swizzling --lesson padding --lesson 4 --csv "
              ">marks && test $(wc -l <marks) = 3 && grep -q ,04-padding, marks && grep -q swizzling marks"),
        0);
    ck_assert_int_eq(shell("\"$B\" class class --lesson padding --lesson nothing 2>said"), 2);
    ck_assert_int_eq(shell("grep -q \"no lesson 'nothing'\" said"), 0);
    ck_assert_int_eq(
        shell("\"$B\" class similar class --lesson padding --lesson swizzling --json | grep -c '\"lesson\"' "
              ">count; grep -qx 2 count"),
        0);
    shell("\"$B\" autograde 4 padding --hand-in class/ada --as classroom50 >marks");
    ck_assert_int_eq(shell("grep -q '\"max-score\": 100,' marks && ! grep -q '\"max-score\": 200' marks"), 0);
}
END_TEST

START_TEST(what_cannot_be_compared_is_told_in_one_sentence)
{
    ck_assert_int_eq(
        shell("mkdir -p class/ada/padding.cu; \"$B\" class similar class --lesson padding >/dev/null 2>said"), 2);
    ck_assert_int_eq(shell("grep -q 'ada/padding.cu is not compared: .*[^.:;]\\.$' said && ! grep '\\.[:;]' said"), 0);
}
END_TEST

// Of several files of one lesson the first that is no starter counts; what is called otherwise is named.
START_TEST(what_else_lies_in_a_students_folder_is_told)
{
    static const char *const says[] = {
        "ada/padding.cu is graded; also there for 04-padding, and not graded: 04-padding.cu, exercises/padding.cu$",
        "class/bob/04-padding.cu is graded; also there for 04-padding, and not graded: padding.cu$",
        "class/cai: nothing was handed in as 04-padding.cu or padding.cu; there is 04-PADDING.cu$",
        "class/dan: nothing was handed in as 04-padding.cu or padding.cu; there is hw/Padding.CU$",
    };
    ck_assert_int_eq(
        shell("cd class && mkdir -p ada/exercises bob cai dan/hw eve fay && cp $T/exercises/04-padding.cu ada && cp "
              "$T/solutions/04-padding.cu ada/padding.cu && cp ada/padding.cu ada/exercises && cp ada/*.cu bob && cp "
              "$T/exercises/04-padding.cu bob/padding.cu && cp ada/padding.cu cai/04-PADDING.cu && cp ada/padding.cu "
              "dan/hw/Padding.CU && cp ada/padding.cu eve/paddings.cu && cp ada/padding.cu fay"),
        0);
    shell("PATH=$PWD \"$B\" class class --lesson padding --device sim --csv >marks 2>said");
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        char line[256];
        snprintf(line, sizeof line, "grep -q '%s' said", says[i]);
        ck_assert_msg(shell(line) == 0, "%s", says[i]);
    }
    ck_assert_int_eq(
        shell("! grep 'class/eve\\|class/fay.*also there' said && grep -q ',\"class/ada/padding.cu\"$' marks"), 0);
    shell("PATH=$PWD \"$B\" autograde padding --hand-in class/bob >marks 2>said");
    ck_assert_int_eq(shell("grep -q 'bob/04-padding.cu is graded; also there' said"), 0);
    ck_assert_int_eq(shell("\"$B\" autograde padding --hand-in class/dan >marks 2>&1; grep -q 'hw/Padding.CU' marks"),
                     0);
}
END_TEST

static void stop_slurm(void)
{
    shell("$T/tests/course/slurm stop $PWD/slurm");
}

// Through Slurm the marks are the same, also when whoever collects them is killed and goes on; nothing is left.
START_TEST(slurm_gives_the_same_gradebook)
{
    if (lacks_compiler())
        return;
    if (shell("python3 -c 'import sqlite3' 2>/dev/null")) {
        skip_check("no python3 to read the gradebook with");
        return;
    }
    int status = shell("$T/tests/course/slurm start $PWD/slurm 2>said");
    if (status == 77) {
        skip_check("no Slurm of Debian's, or no root to start it");
        return;
    }
    atexit(stop_slurm); // also where a check below fails
    ck_assert_int_eq(status, 0);
    make_class();
    ck_assert_int_eq(shell("mkdir class/gus class/gus/coalescing.cu"), 0); // no bytes to send
    shell(CLASS "--seed 3 >marks 2>said");
    ck_assert_int_eq(shell(TO_THE_END DUMP("whole")), 0);
    ck_assert_int_eq(
        shell(
            "rm class.gradebook; export SLURM_CONF=$PWD/slurm/slurm.conf; " CLASS
            "--slurm --seed 3 >marks 2>said & class=$!; for i in $(seq 100); do ls "
            "class.gradebook.spool/[0-9]*.json >/dev/null 2>&1 && break; sleep 0.1; done; kill -9 $class; wait $class "
            "2>/dev/null; for i in 1 2 3 4 5 6 7 8; do " CLASS
            "--slurm --partition lab --resume --seed 3 >marks 2>said && break; done; cat said; squeue -h "
            ">queue; " DUMP("pieces")),
        0);
    ck_assert_msg(shell("diff whole pieces >&2") == 0, "the gradebooks differ");
    ck_assert_msg(shell("test -s queue || test -e class.gradebook.spool") != 0, "a job or its folder is left");
    stop_slurm();
    ck_assert_msg(shell(PROCESSES " || test -n \"$(ls tmp)\"") != 0, "something was left behind");
}
END_TEST

// Slurm's commands as $MODE wants them; slurm.log has their words.
static void fake_slurm(void)
{
    static const char script[] = "#!/bin/sh\necho \"${0##*/} $*\" >>slurm.log\ncase ${0##*/}.$MODE in\n"
                                 "sbatch.hang) sleep 60;;\nsbatch.*) echo nope >&2; exit 1;;\nesac\n";
    char path[8192];
    ck_assert_int_eq(shell("mkdir fake"), 0);
    ck_assert_int_eq(file_write("fake/sbatch", script, sizeof script - 1, NULL), STATUS_OK);
    ck_assert_int_eq(shell("chmod +x fake/sbatch && ln -s sbatch fake/squeue && ln -s sbatch fake/scancel"), 0);
    snprintf(path, sizeof path, "%s/fake:%s", root, getenv("PATH"));
    setenv("PATH", path, 1);
}

START_TEST(a_run_that_slurm_refuses_takes_no_mark_away)
{
    if (lacks_compiler())
        return;
    fake_slurm();
    ck_assert_int_eq(shell("mkdir class/ada && cp $T/solutions/01-coalescing.cu class/ada"), 0);
    shell(CLASS "--seed 3 >marks 2>said; " TO_THE_END "\"$B\" class report class.gradebook --csv >before");
    ck_assert_int_eq(shell("grep -q '^\"ada\",01-coalescing,pass,100.0,0,100.0,1,1,' before"), 0);
    ck_assert_int_eq(shell(CLASS "--slurm >marks 2>said"), 2);
    ck_assert_int_eq(shell("grep -q 'sbatch refused: nope' said && test ! -e class.gradebook.spool"), 0);
    ck_assert_int_eq(shell("\"$B\" class report class.gradebook --csv >after 2>said && diff before after"), 0);
    ck_assert_int_eq(shell("grep -q '1 mark is of another run' said"), 0);
}
END_TEST

START_TEST(who_stops_it_does_not_wait_for_sbatch)
{
    if (lacks_compiler())
        return;
    fake_slurm();
    ck_assert_int_eq(shell("mkdir class/ada && cp $T/solutions/01-coalescing.cu class/ada"), 0);
    ck_assert_int_eq(shell("start=$(date +%s); MODE=hang " CLASS
                           "--slurm >marks 2>said & class=$!; for i in $(seq 300); do grep -q sbatch slurm.log "
                           "2>/dev/null && break; sleep 0.1; done; kill -TERM $class; wait $class; status=$?; test "
                           "$(($(date +%s) - start)) -lt 40 || status=late; test $status = 2"),
                     0);
    ck_assert_int_eq(
        shell("grep -q ',not graded,' marks && ! grep refused said && ! grep scancel slurm.log && test ! -e "
              "class.gradebook.spool"),
        0);
}
END_TEST

// Of students who handed in nothing, so that no compiler is needed.
START_TEST(a_report_has_the_courses_lessons_and_no_formulas)
{
    static const char *const says[][2] = {
        {"--csv", "\"'=1+1\",04-padding,missing,0.0,0,0.0,0,0,,\"\",\"\"\n\"M\\xfcller\",04-padding,missing,"},
        {"--canvas", "Student,ID,SIS User ID,SIS Login ID,Section,04-padding\n    Points Possible,,,,,100\n"
                     "\"'=1+1\",,,\"'=1+1\",,0.0\n"},
        {"--moodle", "username,04-padding\n\"'=1+1\",0.0\n\"M\\xfcller\",0.0\n"},
        {"--json", "\"student\": \"M\\\\xfcller\",\n    \"total\": 0.0,"},
        {"", "\nM\\xfcller                      -    0.0\n"},
    };
    ck_assert_int_eq(
        shell("mkdir class/=1+1 $(printf 'class/M\\374ller'); echo 'late_days = 1; lessons = ( { name = "
              "\"padding\"; } );' >course.cfg; \"$B\" class class --course course.cfg --csv >marks && test "
              "$(wc -l <marks) = 3"),
        0);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        char line[128], *out;
        size_t length;
        snprintf(line, sizeof line, "\"$B\" class report class.gradebook %s >out", says[i][0]);
        ck_assert_int_eq(shell(line), 0);
        ck_assert_int_eq(file_read("out", 1 << 20, &out, &length, NULL), STATUS_OK);
        ck_assert_msg(strstr(out, says[i][1]) != NULL, "%s: %s", says[i][0], out);
        free(out);
    }
    ck_assert_int_eq(shell("echo 'lessons = ( { name = \"paddin\"; } );' >course.cfg; \"$B\" class class --course "
                           "course.cfg 2>said"),
                     2);
    ck_assert_int_eq(shell("grep -q \"course.cfg: there is no lesson 'paddin'\" said"), 0);
    ck_assert_int_eq(
        shell("echo 'lessons = ( { name = \"padding\"; }, { name = \"4\"; } );' >course.cfg; \"$B\" class "
              "class --course course.cfg 2>said || grep -q \"'padding' and '4' are the same lesson\" said"),
        0);
    ck_assert_int_eq(shell("! \"$B\" class report class.gradebook --course course.cfg 2>said && grep -q '04-padding is "
                           "there twice' said"),
                     0);
    ck_assert_int_eq(shell("echo 'lessons = ( { name = \"swizzling\"; } );' >other.cfg; \"$B\" class report "
                           "class.gradebook --course other.cfg >marks 2>said && grep -q 'class.gradebook: nothing is "
                           "known of swizzling yet' said && ! \"$B\" class report class.gradebook 2>&1 | grep known"),
                     0);
    ck_assert_int_eq(shell("printf 'late_days = 1;\\0;' >zero.cfg; ! \"$B\" class class --course zero.cfg 2>said && "
                           "grep -q 'holds a zero byte' said"),
                     0);
    ck_assert_int_eq(shell("\"$B\" class class --csv --json 2>said"), 2);
    ck_assert_int_eq(shell("\"$B\" check --json --junit 2>said; grep -q 'json or --junit, one of them' said"), 0);
    ck_assert_int_eq(shell("\"$B\" class report class.gradebook --title x --csv 2>said"), 2);
    ck_assert_int_eq(shell("grep -q 'title is for pages: say --site FOLDER, too' said"), 0);
    ck_assert_int_eq(shell("\"$B\" class report class.gradebook --timelines 2>said"), 2);
    ck_assert_int_eq(shell("\"$B\" class report course.cfg 2>said"), 2);
    ck_assert_int_eq(shell("grep -q 'course.cfg is not a gradebook' said"), 0);
}
END_TEST

Suite *suite_class(void)
{
    Suite *suite = suite_create("class");
    TCase *tests = tcase_create("class");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, killed_at_any_moment_it_goes_on_to_the_same_gradebook);
    tcase_add_test(tests, what_was_handed_in_since_is_graded_and_nothing_else);
    tcase_add_test(tests, no_hand_in_keeps_anything_in_the_caches);
    tcase_add_test(tests, lessons_that_are_named_count_once_and_all_of_them);
    tcase_add_test(tests, what_cannot_be_compared_is_told_in_one_sentence);
    tcase_add_test(tests, what_else_lies_in_a_students_folder_is_told);
    tcase_add_test(tests, slurm_gives_the_same_gradebook);
    tcase_add_test(tests, a_run_that_slurm_refuses_takes_no_mark_away);
    tcase_add_test(tests, who_stops_it_does_not_wait_for_sbatch);
    tcase_add_test(tests, a_report_has_the_courses_lessons_and_no_formulas);
    suite_add_tcase(suite, tests);
    return suite;
}
