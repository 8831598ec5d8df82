// Pairs of hand-ins: what is found whatever was done to hide it, what is not told of, and what others may hand in.
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/program.h"
#include "base/file.h"
#include "base/memory.h"
#include "course/similar.h"

Suite *suite_similar(void);

static const char given[] =
    "__global__ void copy(float *out, const float *in, int n)\n{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        out[i] = in[i];\n}\n";

static const char one[] =
    "__device__ float fold(const float *row, int count)\n{\n    float sum = 0;\n"
    "    for (int k = 0; k < count; k += 2)\n        sum = sum * 0.5f + row[k] - row[k + 1] / 3;\n"
    "    return sum > 1 ? 1 : sum;\n}\n"
    "__device__ int place(int line, int column)\n{\n    while (line > 31)\n"
    "        line = line - 32 + (column ^ line) % 7;\n    return line * 33 + column;\n}\n";

// The same idea under other names, in another order, in another layout, with other types and comments.
static const char disguised[] =
    "// my own work\n__device__ unsigned where( long zeile , long spalte ) { while ( zeile > 0x1f ) { /* ! */ "
    "zeile=zeile"
    "\n-32+( spalte ^zeile )%7; } return zeile*33+spalte; }\n\n\n"
    "__device__ double mix(double const *__restrict__ v, unsigned long m) {\n  double acc = 0.0;\n"
    "  for (unsigned j = 0; j < m; j += 2) { acc = acc * .5 + v[j] - v[j + 1] / 3.0; }\n  return acc > 1 ? 1 : "
    "acc;\n}\n";

static struct similarity *begin(void)
{
    struct similarity *similarity = similar_new();
    similar_give(similarity, given, strlen(given));
    return similarity;
}

static void add(struct similarity *similarity, const char *first, const char *second)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", first, second);
    ck_assert(similar_add(similarity, text, strlen(text)));
}

static struct similar_result end(struct similarity *similarity)
{
    struct similar_result result;
    similar_find(similarity, 50, &result);
    return result;
}

START_TEST(new_names_another_order_and_layout_hide_nothing)
{
    struct similarity *similarity = begin();
    add(similarity, given, one);
    add(similarity, disguised, given);
    struct similar_result result = end(similarity);
    ck_assert_uint_eq(result.pair_count, 1);
    const struct similar_pair *pair = &result.pairs[0];
    ck_assert_uint_ge(pair->shared * 10, pair->own[0] * 7);
    // the function that stands first on one side stands last on the other, at the lines where it is
    ck_assert_uint_eq(pair->passage_count, 2);
    const uint32_t fold[2][2] = {{7, 12}, {7, 8}},
                   place[2][2] = {{14, 18}, {2, 3}}; // a run may begin before, or end behind
    for (int side = 0; side < 2; side++) {
        const uint32_t *first = pair->passages[0].lines[side], *second = pair->passages[1].lines[side];
        ck_assert(first[0] <= fold[side][0] && first[1] >= fold[side][1] && first[1] - first[0] <= 9);
        ck_assert(second[0] <= place[side][0] && second[1] >= place[side][1] && second[1] - second[0] <= 9);
    }
    similar_result_free(&result);
    similar_free(similarity);
}
END_TEST

START_TEST(what_was_given_to_all_makes_no_pair)
{
    struct similarity *similarity = begin();
    similar_give(similarity, one, strlen(one));
    add(similarity, given, one);
    add(similarity, disguised, given);
    add(similarity, given, "");
    add(similarity, given, "// mine\n");
    struct similar_result result = end(similarity);
    ck_assert_uint_eq(result.found, 0);
    similar_result_free(&result);
    similar_free(similarity);
}
END_TEST

START_TEST(many_copies_are_one_finding_and_never_common)
{
    struct similarity *similarity = begin();
    for (int i = 0; i < 40; i++)
        add(similarity, i == 7 ? "int other;" : one, i % 2 ? "// late\n" : "");
    struct similar_result result = end(similarity);
    ck_assert_uint_eq(result.pair_count, 1);
    ck_assert_uint_eq(result.common, 0);
    for (size_t i = 0; i < 40; i++)
        ck_assert_uint_eq(similar_like(similarity, i), i == 7 ? 7 : 0);
    similar_result_free(&result);
    similar_free(similarity);
}
END_TEST

START_TEST(what_most_of_a_class_has_does_not_count)
{
    struct similarity *similarity = begin();
    for (int i = 0; i < 40; i++) { // all have `one`, and each something of its own
        char own[512];
        int length = snprintf(own, sizeof own, "__device__ int own%d(int a)\n{\n", i);
        for (int bit = 0; bit < 8; bit++)
            length +=
                snprintf(own + length, sizeof own - (size_t)length, i >> bit & 1 ? "a = a * (a + 1);\n" : "a ^= a;\n");
        add(similarity, one, own);
    }
    struct similar_result result = end(similarity);
    ck_assert_uint_gt(result.common, 20);
    ck_assert_uint_eq(result.found, 0);
    similar_result_free(&result);
    similar_free(similarity);
}
END_TEST

START_TEST(any_bytes_may_be_handed_in)
{
    static const struct {
        const char *piece;
        size_t length, times;
        bool is_whole;
    } rows[] = {
        {"", 0, 0, true},
        {"\0\xff\xfe{\"", 5, 1, true},
        {"a+", 2, 50, true},
        {"x[i] = ", 7, SIMILAR_MOST_BYTES, false},
        {"R\"never closed", 14, 1, false},
        {"a\"", 2, 30000, true},
        {"/*", 2, 10, true},
        {"#", 1, 5000, true},
        {"#define", 7, 1, true},
        {".", 1, 100, true},
        {"\\\n", 2, 5000, true},
    };
    struct similarity *similarity = begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int twice = 0; twice < 2; twice++) {
            struct text text = {0};
            for (size_t j = 0; j < rows[i].times; j++)
                text_append(&text, rows[i].piece, rows[i].length);
            ck_assert_msg(similar_add(similarity, text_get(&text), text.length) == rows[i].is_whole, "row %zu", i);
            text_free(&text);
        }
    struct similar_result result = end(similarity); // all of one kind of token is one place, and that is too little
    ck_assert_uint_eq(result.found, 0);
    similar_result_free(&result);
    similar_free(similarity);
}
END_TEST

START_TEST(a_zero_byte_in_front_hides_nothing)
{
    struct similarity *similarity = begin();
    char text[4096] = "";
    memcpy(text + 1, one, sizeof one);
    ck_assert(similar_add(similarity, text, sizeof one));
    add(similarity, one, "");
    struct similar_result result = end(similarity);
    ck_assert_uint_eq(result.pair_count, 1);
    similar_result_free(&result);
    similar_free(similarity);
}
END_TEST

// ---- the command

static char folder[64];

static void put(const char *student, const char *lesson, const char *text)
{
    char path[256];
    struct diagnostic diagnostic = {0};
    snprintf(path, sizeof path, "%s/%s", folder, student);
    ck_assert_int_eq(mkdir(path, 0755), 0);
    snprintf(path, sizeof path, "%s/%s/%s.cu", folder, student, lesson);
    ck_assert_int_eq(file_write(path, text, strlen(text), &diagnostic), STATUS_OK);
}

static void open_empty_class(void)
{
    snprintf(folder, sizeof folder, "/tmp/bankshot-similar-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void open_class(void)
{
    char path[256], target[256];
    open_empty_class();
    put("ada", "04-padding", one);
    put("bob\033[2J", "04-padding", disguised);
    snprintf(path, sizeof path, "%s/eve", folder);
    ck_assert_int_eq(mkdir(path, 0755), 0);
    snprintf(path, sizeof path, "%s/eve/04-padding.cu", folder);
    snprintf(target, sizeof target, "%s/ada/04-padding.cu", folder);
    ck_assert_int_eq(symlink(target, path), 0);
}

static void close_class(void)
{
    file_remove_tree(folder);
}

START_TEST(the_command_shows_both_sides_and_follows_no_link)
{
    const char *const words[] = {"class", "similar", folder, "--lesson", "padding", NULL};
    struct process_result result = program_run(words, NULL);
    const char *out = text_get(&result.out);
    ck_assert_int_eq(result.exit_code, 0);
    ck_assert_msg(strstr(out, "padding: 2 hand-ins, 1 pairs"), "%s", out);
    ck_assert_ptr_nonnull(strstr(out, "ada/04-padding.cu:"));
    ck_assert_ptr_nonnull(strstr(out, "sum = sum * 0.5f + row[k]"));
    ck_assert_ptr_nonnull(strstr(out, "acc = acc * .5 + v[j]"));
    ck_assert_ptr_nonnull(strstr(out, "not a verdict"));
    ck_assert_ptr_null(strchr(out, '\033'));
    ck_assert_ptr_nonnull(strstr(text_get(&result.err), "eve/04-padding.cu: this is a link"));
    process_result_free(&result);
}
END_TEST

START_TEST(as_json_it_names_files_shares_and_lines)
{
    const char *const words[] = {"class", "similar", folder, "--json", NULL};
    struct process_result result = program_run(words, NULL);
    const char *student, *other;
    double percent;
    int first;
    json_t *json = json_loads(text_get(&result.out), 0, NULL), *lesson, *padding = NULL;
    size_t i;
    ck_assert_ptr_nonnull(json);
    json_array_foreach(json, i, lesson) if (strcmp(json_string_value(json_object_get(lesson, "lesson")),
                                                   "04-padding") == 0) padding = lesson;
    ck_assert_int_eq(json_unpack(padding, "{s:[{s:{s:[{s:s}], s:F}, s:{s:[{s:s}]}, s:[{s:[i]}]}]}", "pairs", "left",
                                 "hand_ins", "student", &student, "percent", &percent, "right", "hand_ins", "student",
                                 &other, "passages", "left", &first),
                     0);
    ck_assert_str_eq(student, "ada");
    ck_assert_str_eq(other, "bob\\x1b[2J");
    ck_assert(percent >= 80);
    ck_assert_int_eq(first, 1);
    json_decref(json);
    process_result_free(&result);
}
END_TEST

// Written apart from one another, to the same task.
static const struct {
    const char *lesson, *hand_ins[6];
} apart[] = {
    {"03-tiled-transpose",
     {"shapes/l3-one-dimension", "types/l3-float4", "primitives/l3-flag-and-fence", "swizzles/l3-xor",
      "language/l3-struct-of-tiles", "loops/l3-column-wise"}},
    {"04-padding",
     {"swizzles/l4-xor", "swizzles/l4-rotated", "shapes/l4-one-dimension", "language/l4-recursive-template",
      "loops/l4-registers-first", "language/l4-row-struct"}},
    {"06-tiled-gemm",
     {"shapes/l6-two-by-two", "types/l6-float4-rows", "primitives/l6-shuffled-a", "primitives/l6-async-tiles",
      "loops/l6-pointer-swap", "shapes/l6-register-tiles"}},
};

START_TEST(those_who_solved_it_by_themselves_are_no_pair)
{
    const char *const words[] = {"class", "similar", folder, "--lesson", apart[_i].lesson, NULL};
    for (size_t i = 0; i < 6; i++) {
        char path[256], *bytes;
        size_t length;
        struct diagnostic diagnostic = {0};
        snprintf(path, sizeof path, "tests/honest/%s.cu", apart[_i].hand_ins[i]);
        ck_assert_msg(file_read(path, 1 << 20, &bytes, &length, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
        snprintf(path, sizeof path, "student-%zu", i);
        put(path, apart[_i].lesson, bytes);
        free(bytes);
    }
    char starter[128], *bytes;
    size_t length;
    struct diagnostic diagnostic = {0};
    snprintf(starter, sizeof starter, "lessons/%s/starter.cu", apart[_i].lesson);
    ck_assert_int_eq(file_read(starter, 1 << 20, &bytes, &length, &diagnostic), STATUS_OK);
    put("fay", apart[_i].lesson, bytes);
    put("gil", apart[_i].lesson, bytes);
    free(bytes);
    struct process_result result = program_run(words, NULL);
    ck_assert_msg(strstr(text_get(&result.out), "8 hand-ins, 0 pairs"), "%s", text_get(&result.out));
    process_result_free(&result);
}
END_TEST

Suite *suite_similar(void)
{
    Suite *suite = suite_create("similar");
    TCase *alone = tcase_create("alone"), *command = tcase_create("command"), *apart_case = tcase_create("apart");
    tcase_add_test(alone, new_names_another_order_and_layout_hide_nothing);
    tcase_add_test(alone, what_was_given_to_all_makes_no_pair);
    tcase_add_test(alone, many_copies_are_one_finding_and_never_common);
    tcase_add_test(alone, what_most_of_a_class_has_does_not_count);
    tcase_add_test(alone, any_bytes_may_be_handed_in);
    tcase_add_test(alone, a_zero_byte_in_front_hides_nothing);
    suite_add_tcase(suite, alone);
    tcase_add_checked_fixture(command, open_class, close_class);
    tcase_add_test(command, the_command_shows_both_sides_and_follows_no_link);
    tcase_add_loop_test(apart_case, those_who_solved_it_by_themselves_are_no_pair, 0, sizeof apart / sizeof *apart);
    tcase_add_test(command, as_json_it_names_files_shares_and_lines);
    suite_add_tcase(suite, command);
    tcase_add_checked_fixture(apart_case, open_empty_class, close_class);
    suite_add_tcase(suite, apart_case);
    return suite;
}
