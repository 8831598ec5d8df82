// Small kernels with planted hazards, grids of blocks that race, and correct kernels that look like them:
// tests/kernels/hazards, racy and correct.
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "hazard/hazard.h"

Suite *suite_corpus(void);

enum { KERNELS_MAX = 512, EXPECTED_MAX = 8, NAME_MAX_LENGTH = 40, PTX_LIMIT = 16 << 20, BUFFER_INTS = 4096 };

struct expected {
    char name[40], tags[2];
    bool is_benign; // its name stands in brackets
    uint32_t lines[2];
};

// One kernel of a corpus file, from its header line on.
struct kernel {
    char source[64], ptx[64], name[64];
    uint32_t grid[3], block[3], shared;
    bool is_cooperative; // a "c" stands behind its grid
    bool is_random;      // an "r": what is wrong shows when blocks take turns at random
    struct expected expected[EXPECTED_MAX];
    int expected_count;
};

static struct kernel kernels[KERNELS_MAX];
static int kernel_count, first_correct;
static char unreadable[600]; // what could not be read; "" = all was well

// "2" or "2,4" or "1,2,3"
static bool read_shape(const char *text, uint32_t shape[3])
{
    shape[0] = shape[1] = shape[2] = 1;
    return sscanf(text, "%u,%u,%u", &shape[0], &shape[1], &shape[2]) >= 1;
}

// header = "//: " name grid block [shared] ":" [ finding { "," finding } ];  finding = kind tag [ tag ];  a benign one
// has its kind in brackets
static void read_header(char *line, struct kernel *kernel)
{
    char grid[32], block[32], *colon = strchr(line + 4, ':');
    if (!colon) {
        snprintf(unreadable, sizeof unreadable, "%s: %s", kernel->source, line);
        return;
    }
    *colon = 0;
    int words = sscanf(line + 4, "%63s %31s %31s %u", kernel->name, grid, block, &kernel->shared);
    if (words < 3 || !read_shape(grid, kernel->grid) || !read_shape(block, kernel->block))
        snprintf(unreadable, sizeof unreadable, "%s: %s", kernel->source, line);
    kernel->is_cooperative = strchr(grid, 'c') != NULL;
    kernel->is_random = strchr(grid, 'r') != NULL;
    char *at = colon + 1, *word;
    while (kernel->expected_count < EXPECTED_MAX && (word = strsep(&at, ",\n"))) {
        struct expected *expected = &kernel->expected[kernel->expected_count];
        int got = sscanf(word, "%39s %c %c", expected->name, &expected->tags[0], &expected->tags[1]);
        expected->is_benign = expected->name[0] == '(';
        if (expected->is_benign)
            snprintf(expected->name, sizeof expected->name, "%.*s", (int)strcspn(word + strspn(word, " ("), ")"),
                     word + strspn(word, " ("));
        kernel->expected_count += got >= 2;
    }
}

static void read_tag(const char *line, uint32_t number, struct kernel *kernel)
{
    const char *tag = strstr(line, "// @");
    for (int i = 0; tag && i < kernel->expected_count; i++) {
        for (int j = 0; j < 2; j++) {
            if (kernel->expected[i].tags[j] == tag[4] && !kernel->expected[i].lines[j])
                kernel->expected[i].lines[j] = number;
        }
    }
}

static void read_source(const char *folder, const char *file_name)
{
    char path[128], line[512], name[NAME_MAX_LENGTH];
    struct kernel *kernel = NULL;
    snprintf(name, sizeof name, "%.39s", file_name);
    snprintf(path, sizeof path, "tests/kernels/%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(unreadable, sizeof unreadable, "%s", path);
        return;
    }
    for (uint32_t number = 1; fgets(line, sizeof line, file); number++) {
        if (!strncmp(line, "//: ", 4) && kernel_count == KERNELS_MAX) {
            snprintf(unreadable, sizeof unreadable, "%s: more than %d kernels", name, KERNELS_MAX);
        } else if (!strncmp(line, "//: ", 4)) {
            kernel = &kernels[kernel_count++];
            snprintf(kernel->source, sizeof kernel->source, "%s", name);
            snprintf(kernel->ptx, sizeof kernel->ptx, "tests/kernels/%.16s/%.*s.ptx", folder, (int)strlen(name) - 3,
                     name);
            read_header(line, kernel);
        } else if (kernel) {
            read_tag(line, number, kernel);
        }
    }
    fclose(file);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_folder(const char *folder)
{
    char path[64];
    struct dirent **entries;
    snprintf(path, sizeof path, "tests/kernels/%s", folder);
    int count = scandir(path, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        if (text_ends(entries[i]->d_name, ".cu"))
            read_source(folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

static void read_corpus(void)
{
    read_folder("hazards");
    read_folder("racy");
    first_correct = kernel_count;
    read_folder("correct");
}

static uint64_t sample; // seed of the phases that are looked at; 0: all are

struct outcome {
    double watched;
    enum status status;
    struct diagnostic diagnostic;
    struct hazard_list hazards;
};

static void launch(const struct kernel *kernel, const struct sim_program *program, struct sim_memory *memory,
                   const struct ptx_function *entry, enum sim_schedule schedule, unsigned threads,
                   struct outcome *outcome)
{
    struct hazard_checker *checker = hazard_checker_new(program, memory, kernel->source);
    struct sim_observer observer = hazard_checker_observer(checker);
    if (sample)
        hazard_checker_sample(checker, 65536 / 3, sample, 0);
    const struct sim_allocation *in = sim_memory_add(memory, "in", BUFFER_INTS * sizeof(int), false);
    const struct sim_allocation *out = sim_memory_add(memory, "out", BUFFER_INTS * sizeof(int), true);
    for (int i = 0; i < BUFFER_INTS; i++)
        memcpy(in->data + (size_t)i * sizeof i, &i, sizeof i);
    unsigned char params[64] = {0};
    memcpy(params + entry->params[0].offset, &in->address, 8);
    memcpy(params + entry->params[1].offset, &out->address, 8);
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.dynamic_shared = kernel->shared,
                                .params = params,
                                .budget = 1 << 22,
                                .schedule = schedule,
                                .seed = 7,
                                .host_threads = threads,
                                .observers = &observer,
                                .observer_count = 1,
                                .main_file = kernel->source};
    struct sim_result result;
    memcpy(launch.shape.grid, kernel->grid, sizeof launch.shape.grid);
    memcpy(launch.shape.block, kernel->block, sizeof launch.shape.block);
    launch.shape.cooperative = kernel->is_cooperative;
    outcome->status = sim_run(&launch, &result, &outcome->diagnostic);
    outcome->watched = hazard_checker_watched(checker);
    hazard_checker_take(checker, &outcome->hazards);
    hazard_checker_free(checker);
}

static struct outcome run(const struct kernel *kernel, enum sim_schedule schedule, unsigned threads)
{
    struct outcome outcome = {0};
    struct diagnostic diagnostic;
    struct ptx_module *module;
    const struct ptx_function *entry;
    struct sim_program *program;
    char *text;
    size_t length;
    ck_assert_msg(!file_read(kernel->ptx, PTX_LIMIT, &text, &length, &diagnostic), "%s", kernel->ptx);
    ck_assert_msg(!ptx_parse(kernel->ptx, text, length, &module, &diagnostic), "%s", diagnostic.message);
    ck_assert_msg(!ptx_find_entry(module, kernel->name, &entry, &diagnostic), "%s", diagnostic.message);
    struct sim_memory *memory = sim_memory_new();
    ck_assert_msg(!sim_program_new(module, entry, memory, &program, &diagnostic), "%s", diagnostic.message);
    launch(kernel, program, memory, entry, schedule, threads, &outcome);
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    free(text);
    return outcome;
}

static void print_hazards(const struct kernel *kernel, const struct outcome *outcome, struct text *text)
{
    text_printf(text, "\n%s %s: %s %s, %.6f\n", kernel->source, kernel->name, status_name(outcome->status),
                outcome->status ? outcome->diagnostic.message : "", outcome->watched);
    for (size_t i = 0; i < outcome->hazards.count; i++) {
        const struct hazard *hazard = &outcome->hazards.items[i];
        text_printf(text, "  %s %u %u%s: %s\n", hazard_name(hazard->kind), hazard->other_line, hazard->line,
                    hazard->benign ? " (benign)" : "", hazard->message);
    }
}

static bool is_expected(const struct expected *expected, const struct hazard *hazard)
{
    uint32_t a = expected->lines[0], b = expected->lines[1];
    return hazard->benign == expected->is_benign && !strcmp(expected->name, hazard_name(hazard->kind)) &&
           ((hazard->line == a && (!b || hazard->other_line == b)) || (hazard->line == b && hazard->other_line == a));
}

static void check_findings(const struct kernel *kernel, const struct outcome *outcome)
{
    struct text text = {0};
    print_hazards(kernel, outcome, &text);
    if (getenv("CORPUS_VERBOSE"))
        fputs(text_get(&text), stderr);
    for (int i = 0; i < kernel->expected_count; i++) {
        bool found = false;
        for (size_t j = 0; j < outcome->hazards.count; j++)
            found |= is_expected(&kernel->expected[i], &outcome->hazards.items[j]);
        ck_assert_msg(found, "%s %c %c is missing:%s", kernel->expected[i].name, kernel->expected[i].tags[0],
                      kernel->expected[i].tags[1], text_get(&text));
    }
    for (size_t j = 0; j < outcome->hazards.count; j++) {
        bool wanted = outcome->hazards.items[j].benign;
        for (int i = 0; i < kernel->expected_count; i++)
            wanted |= is_expected(&kernel->expected[i], &outcome->hazards.items[j]);
        ck_assert_msg(wanted, "finding %zu is not expected:%s", j, text_get(&text));
    }
    text_free(&text);
}

START_TEST(planted_hazard_is_found_on_its_lines)
{
    struct outcome outcome = run(&kernels[_i], kernels[_i].is_random ? SIM_RANDOM : SIM_ROUND_ROBIN, 1);
    check_findings(&kernels[_i], &outcome);
    hazard_list_free(&outcome.hazards);
}
END_TEST

START_TEST(correct_kernel_raises_no_alarm_in_any_schedule)
{
    static const enum sim_schedule schedules[] = {SIM_ROUND_ROBIN, SIM_RANDOM, SIM_ONE_AHEAD};
    const struct kernel *kernel = &kernels[first_correct + _i];
    for (int i = 0; i < 3; i++) {
        struct outcome outcome = run(kernel, schedules[i], 2);
        ck_assert_msg(!outcome.status, "%s %s: %s", kernel->source, kernel->name, outcome.diagnostic.message);
        check_findings(kernel, &outcome);
        hazard_list_free(&outcome.hazards);
    }
}
END_TEST

// All that a finding says, not only what a person reads.
static void print_all(const struct kernel *kernel, enum sim_schedule schedule, unsigned threads, struct text *text)
{
    struct outcome outcome = run(kernel, schedule, threads);
    print_hazards(kernel, &outcome, text);
    for (size_t i = 0; i < outcome.hazards.count; i++) {
        const struct hazard *hazard = &outcome.hazards.items[i];
        text_printf(text, "  pc %u %u, space %d, address %llx, %llu times, blocks", hazard->pc, hazard->other_pc,
                    (int)hazard->space, (unsigned long long)hazard->address, (unsigned long long)hazard->count);
        for (int k = 0; k < 3; k++)
            text_printf(text, " %u/%u", hazard->block[k], hazard->other_block[k]);
        for (int k = 0; k < 3; k++)
            text_printf(text, " %u/%u", hazard->thread[k], hazard->other_thread[k]);
        text_puts(text, "\n");
    }
    hazard_list_free(&outcome.hazards);
}

START_TEST(findings_do_not_depend_on_host_threads)
{
    for (int schedule = SIM_ROUND_ROBIN; schedule <= SIM_ONE_AHEAD; schedule++) {
        struct text one = {0};
        print_all(&kernels[_i], (enum sim_schedule)schedule, 1, &one);
        for (unsigned threads = 2; threads <= 8; threads += 6) {
            struct text several = {0};
            print_all(&kernels[_i], (enum sim_schedule)schedule, threads, &several);
            ck_assert_str_eq(text_get(&one), text_get(&several));
            text_free(&several);
        }
        text_free(&one);
    }
}
END_TEST

// Order is followed where nobody looks, too.
START_TEST(looking_at_a_sample_raises_no_alarm)
{
    const struct kernel *kernel = &kernels[first_correct + _i];
    for (sample = 1; sample <= 3; sample++) {
        struct outcome outcome = run(kernel, SIM_ROUND_ROBIN, 1);
        for (size_t i = 0; i < outcome.hazards.count; i++)
            ck_assert_msg(outcome.hazards.items[i].benign, "%s: %s", kernel->name, outcome.hazards.items[i].message);
        hazard_list_free(&outcome.hazards);
    }
    sample = 0;
}
END_TEST

START_TEST(a_sample_finds_part_and_says_how_much_on_any_number_of_threads)
{
    double watched = 0;
    size_t found = 0;
    for (int i = 0; i < first_correct; i++) {
        for (sample = 1; sample <= 2; sample++) {
            struct text one = {0}, eight = {0};
            print_all(&kernels[i], SIM_ROUND_ROBIN, 1, &one);
            print_all(&kernels[i], SIM_ROUND_ROBIN, 8, &eight);
            ck_assert_str_eq(text_get(&one), text_get(&eight));
            text_free(&one);
            text_free(&eight);
            struct outcome outcome = run(&kernels[i], SIM_ROUND_ROBIN, 1);
            ck_assert(outcome.watched >= 0 && outcome.watched <= 1);
            watched += outcome.watched;
            found += outcome.hazards.count > 0;
            hazard_list_free(&outcome.hazards);
        }
    }
    sample = 0;
    ck_assert_msg(watched > 0.2 * 2 * first_correct && watched < 0.5 * 2 * first_correct, "%f", watched);
    ck_assert_msg(found > 0 && found < 2u * (unsigned)first_correct, "%zu", found);
}
END_TEST

// A barrier or a wait that a long block leaves out once shows: what comes after it never came after what is before it.
START_TEST(what_is_left_out_late_is_looked_at_whatever_the_sample)
{
    size_t late = 0;
    for (int i = 0; i < first_correct; i++) {
        for (sample = 1; sample <= 4 && strcmp(kernels[i].source, "late.cu") == 0; sample++) {
            struct outcome outcome = run(&kernels[i], SIM_ROUND_ROBIN, 1);
            ck_assert_msg(outcome.hazards.count > 0, "%s, sample %d", kernels[i].name, (int)sample);
            ck_assert(outcome.watched < 0.8);
            hazard_list_free(&outcome.hazards);
            late++;
        }
    }
    sample = 0;
    ck_assert_uint_eq(late, 8);
}
END_TEST

START_TEST(corpus_is_as_large_as_it_should_be)
{
    int per_kind[HAZARD_KIND_COUNT] = {0};
    ck_assert_str_eq(unreadable, "");
    ck_assert_int_ge(first_correct, 60);
    ck_assert_int_ge(kernel_count - first_correct, 60);
    for (int i = 0; i < first_correct; i++) {
        for (int kind = 0; kind < HAZARD_KIND_COUNT; kind++)
            per_kind[kind] += !strcmp(kernels[i].expected[0].name, hazard_name((enum hazard_kind)kind));
    }
    for (int kind = 0; kind < HAZARD_KIND_COUNT; kind++)
        ck_assert_msg(per_kind[kind] >= 3, "%s: %d kernels", hazard_name((enum hazard_kind)kind), per_kind[kind]);
}
END_TEST

Suite *suite_corpus(void)
{
    Suite *suite = suite_create("corpus");
    TCase *tests = tcase_create("corpus");
    read_corpus();
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, corpus_is_as_large_as_it_should_be);
    tcase_add_loop_test(tests, planted_hazard_is_found_on_its_lines, 0, first_correct);
    tcase_add_loop_test(tests, findings_do_not_depend_on_host_threads, 0, first_correct);
    tcase_add_loop_test(tests, correct_kernel_raises_no_alarm_in_any_schedule, 0, kernel_count - first_correct);
    tcase_add_loop_test(tests, looking_at_a_sample_raises_no_alarm, 0, kernel_count - first_correct);
    tcase_add_test(tests, what_is_left_out_late_is_looked_at_whatever_the_sample);
    tcase_add_test(tests, a_sample_finds_part_and_says_how_much_on_any_number_of_threads);
    suite_add_tcase(suite, tests);
    return suite;
}
