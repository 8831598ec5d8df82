#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/lesson.h"
#include "lesson/names.h"
#include "hazard/hazard.h"

Suite *suite_load(void);

// One setting a line, so that the line of an error is the line of what was changed.
static const char config[] =
    "title = \"Padding\";\n"
    "track = \"core\";\n"
    "summary = \"One column.\";\n"
    "starter = \"conflicts\";\n"
    "kernel = \"transpose\";\n"
    "args = (\n"
    "  { name = \"out\"; type = \"f32\"; shape = [\"width\", \"height\"]; role = \"out\"; },\n"
    "  { name = \"in\"; type = \"f32\"; shape = [\"height\", \"width\"]; role = \"in\"; },\n"
    "  { name = \"width\"; type = \"s32\"; role = \"scalar\"; value = \"width\"; });\n"
    "reference = \"transpose\";\n"
    "sizes = ({ name = \"one\"; width = 1; height = 1; },\n"
    "  { name = \"odd\"; width = 70; height = 33; role = \"speed\"; gpu = { width = 700; }; },\n"
    "  { name = \"last\"; width = 7; height = 3; }); other_sizes = (\n"
    "  { name = \"width\"; least = 1; most = 80; });\n"
    "launch = { from = \"LAUNCH\"; cols = \"width\"; rows = \"height\"; };\n"
    "tolerance = { absolute = 0.5; relative = 0; };\n"
    "gates = ({ id = \"correct\"; kind = \"correct\"; points = 60; },\n"
    "  { id = \"conflicts\"; kind = \"require\"; points = 40; message = \"m\";\n"
    "    when = \"shared_load_conflicts == 0\"; });\n"
    "diagnoses = ({ id = \"pad\"; message = \"m\";\n"
    "    when = \"correct && size(\\\"odd\\\").shared_bytes > 0\"; });\n"
    "hints = (\"one\", \"two\");\n"
    "quiz = ({ question = \"q\"; kernel = \"starter\"; size = \"one\"; why = \"w\";\n"
    "    answer = \"bank(marker:read, lane 7)\"; });\n"
    "mutants = ({ file = \"bad.cu\"; diagnosis = \"race\"; });\n"
    "metric = { bytes = \"8 * width * height\"; };\n";

static char root[64];

// Not file_write: hundreds of flushes to disk would take their time.
static void write_plainly(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    ck_assert_int_eq(file_make_folders(path, true, NULL), STATUS_OK);
    *slash = '/';
    write_plainly(path, text);
}

static void make_tree(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-load-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    put("lessons/04-padding/lesson.md", "# Padding\n");
    put("lessons/04-padding/starter.cu", "// starter\n");
    put("lessons/04-padding/mutants/bad.cu", "//\n");
    put("lessons/04-padding/lesson.cfg", config);
    put("solutions/04-padding.cu", "// solution\n");
}

static void remove_tree(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

static enum status load(const char *workspace, struct lesson **lesson, struct diagnostic *diagnostic)
{
    char path[128];
    snprintf(path, sizeof path, "%s/lessons/04-padding", root);
    return lesson_load(path, workspace, lesson, diagnostic);
}

START_TEST(loads_all_of_a_lesson)
{
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(load(NULL, &lesson, &diagnostic) == STATUS_OK, "%d: %s", diagnostic.line, diagnostic.message);
    ck_assert_str_eq(lesson->id, "04-padding");
    ck_assert_str_eq(lesson->name, "padding");
    ck_assert_int_eq(lesson->number, 4);
    ck_assert_str_eq(lesson->exercise, lesson->starter);
    ck_assert_uint_eq(lesson->part_count, 1);
    const struct lesson_part *part = lesson->parts;
    ck_assert_uint_eq(part->arg_count, 3);
    ck_assert_int_eq(part->args[0].role, LESSON_OUT);
    ck_assert_int_eq(part->args[2].type, PTX_S32);
    ck_assert_uint_eq(part->speed_size, 1);
    ck_assert_uint_eq(part->range_count, 1);
    ck_assert_int_eq(part->ranges[0].step, 1);
    ck_assert_double_eq(part->absolute, 0.5);
    ck_assert_str_eq(part->launch.from, "LAUNCH");
    ck_assert_double_eq(lesson_value(&part->sizes[1], false, "ceil(width / 32) * height"), 99);
    ck_assert_double_eq(lesson_value(&part->sizes[1], true, "width"), 700);
    ck_assert_uint_eq(lesson->gate_count, 2);
    ck_assert_uint_eq(lesson->hint_count, 2);
    ck_assert_str_eq(lesson->questions[0].file, lesson->starter);
    ck_assert_int_eq(lesson->least_words, 600);
    lesson_free(lesson);
}
END_TEST

// Replaces `from` by `to`: the error must be on that line and say these words.
static const struct {
    const char *from, *to;
    int line;
    const char *says;
} mistakes[] = {
    {"title =", "titel =", 1, "unknown key of the lesson: \"titel\"; did you mean \"title\"? Allowed: title, track"},
    {"title = \"Padding\"", "title = 5", 1, "title of the lesson must be a string, not a whole number"},
    {"title = \"Padding\";", "", 0, "the lesson lacks \"title\""},
    {"\"Padding\"", "\"Padding", 3, "syntax error"},
    {"\"core\"", "\"cure\"", 2, "did you mean \"core\""},
    {"starter = \"conflicts\"", "starter = \"conflict\"", 4,
     "unknown diagnosis \"conflict\"; did you mean \"conflicts\""},
    {"\"f32\"; shape = [\"width\"", "\"float\"; shape = [\"width\"", 7, "unknown type \"float\""},
    {"role = \"in\"", "role = \"input\"", 8, "unknown role \"input\""},
    {"[\"height\", \"width\"]", "[\"height\", \"wdth\"]", 8, "\"wdth\" is not a variable of size \"one\""},
    {"[\"height\", \"width\"]", "[\"height / 2\", \"width\"]", 8, "is 0.5 at size \"one\""},
    {"role = \"in\";", "role = \"in\"; fill = \"unifrom\";", 8, "did you mean \"uniform\""},
    {"role = \"out\";", "role = \"out\"; fill = \"zero\";", 7, "poisoned"},
    {"name = \"in\"", "name = \"out\"", 8, "two arguments are called \"out\""},
    {"value = \"width\"", "value = \"width +\"", 9, "missing at the end"},
    {"\"scalar\"; value = \"width\";", "\"scalar\";", 9, "a scalar has a value"},
    {"\"s32\"; role = \"scalar\"; value = \"width\";", "\"f32\"; role = \"map\"; of = \"in\"; box = [8, 8];", 9,
     "at size \"one\": 'width:tmap(f32[1*1],of=in,box=8*8)': "},
    {"\"s32\"; role = \"scalar\"; value = \"width\";", "\"f32\"; role = \"map\"; of = \"inn\"; box = [8, 8];", 9,
     "must be a buffer with a shape"},
    {"\"s32\"; role = \"scalar\"; value = \"width\";", "\"f32\"; role = \"map\"; of = \"in\"; box = [0, 8];", 9,
     "the box = \"0\" is 0 at size \"one\""},
    {"\"s32\"; role = \"scalar\"; value = \"width\";", "\"f32\"; role = \"map\"; of = \"in\";", 9,
     "a map, and nothing else"},
    {"role = \"in\";", "role = \"in\"; swizzle = 128;", 8, "a map, and nothing else"},
    {"kernel = \"transpose\";", "arch = \"hopper\"; kernel = \"transpose\";", 5, "\"hopper\" is no architecture"},
    {"reference = \"transpose\"", "reference = \"transposed\"", 10, "unknown reference \"transposed\"; did you mean"},
    {"reference = \"transpose\"", "reference = \"reference.cu:t\"", 10, "there is no "},
    {"{ name = \"last\"; width = 7; height = 3; }", "{ name = \"\"; width = 7; height = 3; }", 13, "lacks its name"},
    {"absolute = 0.5", "absolute = -0.5", 16, "a number from 0"},
    {"rows = \"height\";", "rows = \"height\"; limits = { threads = -1; };", 15, "1 or more"},
    {"{ name = \"last\"; width = 7; height = 3; }", "{ name = \"last\"; width = 7; }", 13,
     "lacks the variable \"height\""},
    {"{ name = \"last\"; width = 7; height = 3; }", "{ name = \"odd\"; width = 7; height = 3; }", 13, "two sizes"},
    {"role = \"speed\"", "role = \"fast\"", 12, "\"speed\""},
    {"name = \"width\"; least", "name = \"depth\"; least", 13, "\"depth\" is not a variable of the sizes"},
    {"least = 1; most = 80", "least = 2; most = 80; step = 2", 13, "size \"one\" has width = 1, which is not 2 and so"},
    {"least = 1; most = 80", "least = 1; most = 0", 14, "from least to most"},
    {"least = 1; most = 80", "least = 0; most = 80", 13, "is 0 at size \"other\""},
    {"width = 7;", "width = -7;", 13, "whole number from 0"},
    {"width = 7;", "width = 7; warp_instructions = 1;", 13, "lacks"},
    {"\"LAUNCH\"; cols", "\"launch\"; cols", 15, "can only be \"LAUNCH\""},
    {"launch = { from = \"LAUNCH\"; cols = \"width\"; rows = \"height\"; }",
     "launch = { grid = [\"1\"]; block = [64, 32]; }", 15, "2048 threads"},
    {"points = 60", "points = 50", 17, "sum to 90; they must sum to 100"},
    {"kind = \"require\"", "kind = \"demand\"", 18, "unknown kind of gate"},
    {"message = \"m\";\n    when = \"shared", "\n    when = \"shared", 18, "needs `when` and a `message`"},
    {"id = \"conflicts\"; kind", "id = \"correct\"; kind", 18, "two gates have the id"},
    {"shared_load_conflicts ==", "shared_load_conflict ==", 18, "did you mean \"shared_load_conflicts\""},
    {"== 0\"", "== \"", 18, "when, character 26: Something is missing"},
    {"size(\\\"odd\\\")", "size(\\\"ood\\\")", 20, "unknown size \"ood\"; did you mean \"odd\""},
    {"kernel = \"starter\"", "kernel = \"nobody\"", 23, "neither starter, solution"},
    {"size = \"one\"", "size = \"none\"", 23, "not one of the lesson's"},
    {"lane 7)", "lain 7)", 23, "unknown argument \"lain\"; did you mean \"lane\""},
    {"bank(", "bnak(", 23, "unknown function \"bnak\"; did you mean \"bank\""},
    {"\"bad.cu\"", "\"good.cu\"", 25, "there is no mutants/good.cu"},
    {"diagnosis = \"race\"", "diagnosis = \"rase\"", 25, "did you mean \"race\""},
    {"8 * width", "8 * with", 26, "\"with\" is not a variable"},
};

START_TEST(tells_file_line_and_what_is_allowed)
{
    struct text text = {0};
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    const char *at = strstr(config, mistakes[_i].from);
    ck_assert_msg(at != NULL, "%s", mistakes[_i].from);
    text_append(&text, config, (size_t)(at - config));
    text_puts(&text, mistakes[_i].to);
    text_puts(&text, at + strlen(mistakes[_i].from));
    put("lessons/04-padding/lesson.cfg", text_get(&text));
    ck_assert_int_eq(load(NULL, &lesson, &diagnostic), STATUS_PARSE);
    ck_assert_ptr_null(lesson);
    ck_assert_msg(strstr(diagnostic.message, mistakes[_i].says) != NULL, "%s: %s", mistakes[_i].to, diagnostic.message);
    ck_assert_msg(diagnostic.line == mistakes[_i].line, "%s: line %d", diagnostic.message, diagnostic.line);
    ck_assert(text_ends(diagnostic.file, "lesson.cfg"));
    text_free(&text);
}
END_TEST

START_TEST(names_the_file_that_is_missing)
{
    static const char *const files[] = {"lessons/04-padding/lesson.md", "lessons/04-padding/starter.cu",
                                        "solutions/04-padding.cu", "lessons/04-padding/lesson.cfg"};
    char path[128];
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    snprintf(path, sizeof path, "%s/%s", root, files[_i]);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_ne(load(NULL, &lesson, &diagnostic), STATUS_OK);
    ck_assert_msg(strstr(diagnostic.file, strrchr(files[_i], '/')) != NULL, "%s", diagnostic.file);
}
END_TEST

START_TEST(refuses_bytes_that_are_no_configuration)
{
    static const char *const texts[] = {"", "\177ELF", "@include \"/etc/passwd\"\n", "a = ((((((((((", "\xff\xfe"};
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    put("lessons/04-padding/lesson.cfg", texts[_i]);
    ck_assert_int_ne(load(NULL, &lesson, &diagnostic), STATUS_OK);
    ck_assert_str_ne(diagnostic.message, "");
}
END_TEST

START_TEST(loads_several_parts)
{
    struct text text = {0};
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    const char *kernel = strstr(config, "kernel ="), *gates = strstr(config, "gates =");
    text_append(&text, config, (size_t)(kernel - config));
    text_puts(&text, "kernels = (");
    for (int i = 0; i < 2; i++) {
        text_printf(&text, "%s{ name = \"part%d\";\n", i ? "," : "", i);
        text_append(&text, kernel, (size_t)(gates - kernel));
        text_puts(&text, "}");
    }
    text_puts(&text, ");\n");
    text_puts(&text, gates);
    put("lessons/04-padding/lesson.cfg", text_get(&text));
    ck_assert_msg(load(NULL, &lesson, &diagnostic) == STATUS_OK, "%d: %s", diagnostic.line, diagnostic.message);
    ck_assert_uint_eq(lesson->part_count, 2);
    ck_assert_ptr_eq(lesson_part_find(lesson, "part1"), &lesson->parts[1]);
    ck_assert_ptr_null(lesson_part_find(lesson, "part2"));
    lesson_free(lesson);
    text_free(&text);
}
END_TEST

START_TEST(reset_keeps_what_was_there)
{
    struct lesson *lesson;
    char workspace[96], *backup, *data;
    size_t length;
    snprintf(workspace, sizeof workspace, "%s/mine", root);
    put("mine/exercises/04-padding.cu", "my work\n");
    ck_assert_int_eq(load(workspace, &lesson, NULL), STATUS_OK);
    ck_assert_int_eq(lesson_reset(lesson, &backup, NULL), STATUS_OK);
    ck_assert(text_ends(backup, "04-padding.cu.1"));
    ck_assert_int_eq(file_read(backup, 100, &data, &length, NULL), STATUS_OK);
    ck_assert_str_eq(data, "my work\n");
    free(data);
    free(backup);
    ck_assert_int_eq(file_read(lesson->exercise, 100, &data, &length, NULL), STATUS_OK);
    ck_assert_str_eq(data, "// starter\n");
    free(data);
    ck_assert_int_eq(lesson_reset(lesson, &backup, NULL), STATUS_OK);
    ck_assert(text_ends(backup, "04-padding.cu.2"));
    free(backup);
    lesson_free(lesson);
}
END_TEST

START_TEST(reset_without_a_workspace_says_init)
{
    struct lesson *lesson;
    char *backup;
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(load(NULL, &lesson, NULL), STATUS_OK);
    ck_assert_int_eq(lesson_reset(lesson, &backup, &diagnostic), STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "bankshot init"));
    lesson_free(lesson);
}
END_TEST

START_TEST(finds_lessons_and_workspace)
{
    struct lesson_set set;
    struct diagnostic diagnostic = {0};
    char folder[128];
    put("ws/" LESSON_MARKER, "");
    put("ws/exercises/deep/x", "");
    setenv("BANKSHOT_LESSONS", root, 1);
    snprintf(folder, sizeof folder, "%s/ws/exercises/deep", root);
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_msg(lesson_set_open(&set, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_uint_eq(set.count, 1);
    ck_assert(text_ends(set.workspace, "/ws"));
    ck_assert(text_ends(set.items[0]->exercise, "/ws/exercises/04-padding.cu"));
    ck_assert_ptr_eq(lesson_set_find(&set, "4"), set.items[0]);
    ck_assert_ptr_eq(lesson_set_find(&set, "04"), set.items[0]);
    ck_assert_ptr_eq(lesson_set_find(&set, "padding"), set.items[0]);
    ck_assert_ptr_eq(lesson_set_find(&set, "04-padding"), set.items[0]);
    ck_assert_ptr_null(lesson_set_find(&set, "5"));
    ck_assert_ptr_null(lesson_set_find(&set, ""));
    lesson_set_close(&set);
    setenv("BANKSHOT_LESSONS", "/nonexistent", 1);
    ck_assert_int_eq(lesson_set_open(&set, &diagnostic), STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(every_lesson_of_the_tree_loads)
{
    struct lesson_set set;
    struct diagnostic diagnostic = {0};
    setenv("BANKSHOT_LESSONS", ".", 1);
    ck_assert_msg(lesson_set_open(&set, &diagnostic) == STATUS_OK, "%s:%d: %s", diagnostic.file, diagnostic.line,
                  diagnostic.message);
    ck_assert_uint_ge(set.count, 11);
    for (size_t i = 0; i < set.count; i++) {
        char exercise[128];
        snprintf(exercise, sizeof exercise, "exercises/%.80s.cu", set.items[i]->id);
        ck_assert_msg(file_exists(exercise), "%s is missing", exercise);
    }
    lesson_set_close(&set);
}
END_TEST

START_TEST(knows_every_hazard_as_a_name)
{
    static const char *const hazards[] = {
#define H(id, name, meaning, family, message) name,
#include "hazard/hazards.def"
#undef H
    };
    size_t known = 0;
    struct names plain = {0};
    names_collect(&plain, NAMES_PLAIN);
    for (size_t i = 0; i < sizeof hazards / sizeof *hazards; i++) {
        char name[64];
        snprintf(name, sizeof name, "hazard_%s", hazards[i]);
        for (char *at = name; *at; at++)
            if (*at == '-')
                *at = '_';
        ck_assert_msg(names_have(&plain, name), "%s", name);
    }
    for (size_t i = 0; i < plain.count; i++)
        known += text_starts(plain.items[i], "hazard_");
    ck_assert_uint_eq(known, sizeof hazards / sizeof *hazards);
}
END_TEST

Suite *suite_load(void)
{
    Suite *suite = suite_create("load");
    TCase *tests = tcase_create("load");
    tcase_add_checked_fixture(tests, make_tree, remove_tree);
    tcase_add_test(tests, loads_all_of_a_lesson);
    tcase_add_loop_test(tests, tells_file_line_and_what_is_allowed, 0, sizeof mistakes / sizeof *mistakes);
    tcase_add_loop_test(tests, names_the_file_that_is_missing, 0, 4);
    tcase_add_loop_test(tests, refuses_bytes_that_are_no_configuration, 0, 5);
    tcase_add_test(tests, loads_several_parts);
    tcase_add_test(tests, reset_keeps_what_was_there);
    tcase_add_test(tests, reset_without_a_workspace_says_init);
    tcase_add_test(tests, finds_lessons_and_workspace);
    tcase_add_test(tests, every_lesson_of_the_tree_loads);
    tcase_add_test(tests, knows_every_hazard_as_a_name);
    suite_add_tcase(suite, tests);
    return suite;
}
