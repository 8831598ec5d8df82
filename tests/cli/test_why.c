// Questions that people ask: every command is run, and every number compared with what the answer says.
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/documents.h"
#include "../support/program.h"
#include "../support/skip.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/topics.h"
#include "model/gpus.h"

Suite *suite_why(void);

enum { TOPICS = 15 }; // a test for each, so that none takes long
static struct topics topics;

static void open_topics(void)
{
    struct diagnostic diagnostic = {0};
    ck_assert_msg(topics_open(&topics, &diagnostic) == STATUS_OK, "%s:%d: %s", diagnostic.file, diagnostic.line,
                  diagnostic.message);
}

static void close_topics(void)
{
    topics_close(&topics);
}

// ---- what a key of an answer stands for in a command's JSON (lesson/topics.h)

static double line_sum(const json_t *json, int line, const char *name)
{
    double sum = 0;
    size_t i;
    json_t *row;
    bool is_there = false;
    json_array_foreach(json_object_get(json, "lines"), i, row)
    {
        if (json_integer_value(json_object_get(row, "line")) != line ||
            strcmp(json_string_value(json_object_get(row, "space")), "shared") != 0)
            continue;
        ck_assert_ptr_nonnull(json_object_get(row, name));
        sum += json_number_value(json_object_get(row, name));
        is_there = true;
    }
    ck_assert_msg(is_there, "line %d does not access shared memory", line);
    return sum;
}

static double hazard_count(const json_t *json, const char *name)
{
    double count = 0;
    size_t i;
    json_t *hazard;
    json_array_foreach(json_object_get(json, "hazards"), i, hazard) count +=
        strcmp(json_string_value(json_object_get(hazard, "kind")), name) == 0;
    return count;
}

static double value_of_key(const json_t *json, const char *key)
{
    static const char *const places[] = {"counters", "modelled"};
    const char *hazards = "hazards ";
    char *name;
    if (text_starts(key, "line ")) {
        int line = (int)strtol(key + 5, &name, 10);
        return line_sum(json, line, name + 1);
    }
    if (text_starts(key, hazards))
        return hazard_count(json, key + strlen(hazards));
    const json_t *value = json_object_get(json, key);
    for (size_t i = 0; i < 2 && !value; i++)
        value = json_object_get(json_object_get(json, places[i]), key);
    ck_assert_msg(json_is_number(value), "the command tells no number '%s'", key);
    return json_number_value(value);
}

// Of a processor, without a GPU. An instrumented build is slower.
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static const double most_seconds = 20;
#else
static const double most_seconds = 2;
#endif

static void check_try(const struct topic *topic, const struct topic_try *try)
{
    char *line = mem_strdup(try->command + strlen("bankshot "));
    struct text whole = {0};
    text_printf(&whole, "%s --json", line);
    struct process_result result = program_run_line(text_get(&whole));
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    ck_assert_msg(json, "%s: '%s' tells no JSON: %s", topic->name, try->command, text_get(&result.err));
    for (size_t i = 0; i < try->count; i++) {
        double got = value_of_key(json, try->counts[i].key);
        ck_assert_msg(fabs(got - try->counts[i].value) < 1e-9, "%s: '%s' counts %s = %g, the answer says %g",
                      topic->name, try->command, try->counts[i].key, got, try->counts[i].value);
    }
    // Its own time and its children's, the compiler's among them: wall time is the machine's, which others keep busy.
    ck_assert_msg(result.cpu_seconds < most_seconds, "%s: '%s' takes %.1f s of a processor", topic->name, try->command,
                  result.cpu_seconds);
    json_decref(json);
    process_result_free(&result);
    text_free(&whole);
    free(line);
}

START_TEST(an_answer_counts_what_it_says)
{
    open_topics();
    ck_assert_msg(topics.count == TOPICS, "there are %zu topics", topics.count);
    for (size_t k = 0; k < topics.items[_i].try_count && program_has_compiler(); k++)
        check_try(&topics.items[_i], &topics.items[_i].tries[k]);
    if (!program_has_compiler())
        skip_check("no compiler");
    close_topics();
}
END_TEST

// "**4**" in a sentence is one of the counts below it.
START_TEST(bold_numbers_are_counted_ones)
{
    open_topics();
    for (size_t i = 0; i < topics.count; i++) {
        const struct topic *topic = &topics.items[i];
        for (const char *at = topic->text; (at = strstr(at, "**")); at += 2) {
            char *end;
            double number = strtod(at + 2, &end);
            bool is_counted = false;
            if (end == at + 2 || strncmp(end, "**", 2) != 0)
                continue;
            for (size_t k = 0; k < topic->try_count; k++)
                for (size_t n = 0; n < topic->tries[k].count; n++)
                    is_counted |= fabs(topic->tries[k].counts[n].value - number) < 1e-9;
            ck_assert_msg(is_counted, "%s: no command counts %g", topic->name, number);
            at = end;
        }
    }
    close_topics();
}
END_TEST

START_TEST(the_page_of_questions_is_current)
{
    char *kept;
    size_t length;
    struct text page = {0};
    documents_questions(&page);
    ck_assert_int_eq(file_read("docs/questions.md", 1 << 20, &kept, &length, NULL), STATUS_OK);
    ck_assert_msg(strcmp(text_get(&page), kept) == 0, "docs/questions.md is stale: run make docs");
    free(kept);
    text_free(&page);
}
END_TEST

// The table of capacities is that of gpus.def.
START_TEST(capacities_are_those_of_the_model)
{
    open_topics();
    const struct topic *topic = topics_find(&topics, "48-kb");
    const struct gpu_profile *gpu;
    for (unsigned i = 0; (gpu = gpu_profile_at(i)); i++) {
        char row[128];
        snprintf(row, sizeof row, "\n| %s | %u.%u | %u | %u | %u |\n", gpu->name, gpu->sm / 10, gpu->sm % 10,
                 gpu->l1_bytes / 1024, gpu->shared_sm / 1024, gpu->shared_block / 1024);
        ck_assert_msg(strstr(topic->text, row), "the table lacks%s", row);
    }
    close_topics();
}
END_TEST

static const struct {
    const char *line;
    int exit;
    const char *out, *err; // must be in what was printed
} lines[] = {
    {"why", 0, "  padding-loses      When does padding lose?", ""},
    {"why --json", 0, "\"name\": \"ncu\"", ""},
    {"why padding-loses", 0, "  bankshot trace docs/questions/padding.cu --grid 1", ""},
    {"why loses", 0, "When does padding lose?", ""}, // the one topic that has the word
    {"why pads-loses", 2, "", "no topic 'pads-loses'; did you mean 'padding-loses'?"},
    {"why a", 2, "", "'a' is in several topics: wide-loads, doubles"},
    {"why nothing-like-it", 2, "", "'bankshot why' lists them"},
    {"why ncu volatile", 2, "", "one topic at a time"},
};

START_TEST(why_lists_and_answers)
{
    struct process_result result = program_run_line(lines[_i].line);
    ck_assert_int_eq(result.exit_code, lines[_i].exit);
    ck_assert_msg(strstr(text_get(&result.out), lines[_i].out), "'%s': %s", lines[_i].line, text_get(&result.out));
    ck_assert_msg(strstr(text_get(&result.err), lines[_i].err), "'%s': %s", lines[_i].line, text_get(&result.err));
    process_result_free(&result);
}
END_TEST

START_TEST(a_topic_runs_its_commands)
{
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    struct process_result result = program_run_line("why wide-loads --run");
    ck_assert_int_eq(result.exit_code, 0);
    ck_assert_ptr_nonnull(strstr(text_get(&result.out), "$ bankshot trace docs/questions/wide.cu"));
    ck_assert_ptr_nonnull(strstr(text_get(&result.out), "13 shared load 128-bit            1          4         0"));
    process_result_free(&result);
}
END_TEST

// An installed copy, from any folder: the command that it prints has the path of the installed source.
START_TEST(an_installed_program_answers_from_its_share_folder)
{
    char root[] = "/tmp/bankshot-why-XXXXXX", line[512];
    const char *program = program_path();
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(
        line, sizeof line,
        ".ci/install %s '' %s >/dev/null && cd / && %s/bin/bankshot why 48-kb | "
        "grep -q ' bankshot trace %s/share/bankshot/docs/questions/big.cu ' && %s/bin/bankshot why warp-race --json "
        "| grep -q %s/share/bankshot/docs/questions/warp_race.cu",
        program, root, root, root, root, root);
    int status = system(line);
    file_remove_tree(root);
    ck_assert_int_eq(status, 0);
}
END_TEST

// ---- the file

static const struct {
    const char *text, *message;
    int line;
} broken[] = {
    {"no topic", "no topic in it", 1},
    {"## \n", "a topic begins with", 1},
    {"## name\n", "a topic begins with", 1},
    {"## Name: What?\n", "small letters", 1},
    {"## a: What?\ntext\n", "has no command", 2},
    {"```try\nbankshot banks\n```\n", "before the first topic", 1},
    {"## a: What?\n```try\n```\n", "says nothing that it counts", 3},
    {"## a: What?\n```try\nls\n```\n", "begins with a line 'bankshot", 3},
    {"## a: What?\n```try\nbankshot banks\nx = y : z\n```\n", "a count is", 4},
    {"## a: What?\n```try\nbankshot banks\nx = 1\n```\n", "a count is", 4},
    {"## a: What?\n```try\nbankshot banks\nx = 1 : y\n", "not closed", 4},
    {"## a: What?\n```try\nbankshot banks\nx = 1 : y\n```\n## a: Again?\n", "this name is taken", 6},
};

START_TEST(mistakes_in_the_file_are_told_with_their_line)
{
    struct topics read;
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(topics_read(&read, "q.md", broken[_i].text, &diagnostic), STATUS_PARSE);
    ck_assert_msg(strstr(diagnostic.message, broken[_i].message), "%s", diagnostic.message);
    ck_assert_int_eq(diagnostic.line, broken[_i].line);
}
END_TEST

Suite *suite_why(void)
{
    Suite *suite = suite_create("why");
    TCase *answers = tcase_create("answers"), *file = tcase_create("file");
    tcase_set_timeout(answers, 120);
    tcase_add_loop_test(answers, an_answer_counts_what_it_says, 0, TOPICS);
    tcase_add_test(answers, bold_numbers_are_counted_ones);
    tcase_add_test(answers, the_page_of_questions_is_current);
    tcase_add_test(answers, capacities_are_those_of_the_model);
    tcase_add_loop_test(answers, why_lists_and_answers, 0, sizeof lines / sizeof *lines);
    tcase_add_test(answers, a_topic_runs_its_commands);
    tcase_add_test(answers, an_installed_program_answers_from_its_share_folder);
    tcase_add_loop_test(file, mistakes_in_the_file_are_told_with_their_line, 0, sizeof broken / sizeof *broken);
    suite_add_tcase(suite, answers);
    suite_add_tcase(suite, file);
    return suite;
}
