#include <check.h>
#include <string.h>

#include "ui/view.h"

Suite *suite_sites(void);

// The row of one access in the list, as written or as compiled: whether `wanted` stands in it.
static bool row_says(const struct counter_line *line, bool as_written, const char *wanted)
{
    struct grade_report report = {.source = (char *)"float x = tile[0];\n"};
    struct site item = site_of_line(line);
    struct sites now = {.report = &report, .items = &item, .count = 1};
    struct site_list list = {.now = &now, .as_written = as_written, .other = "before"};
    struct scroll scroll = {0};
    struct canvas canvas;
    char row[81] = "";
    canvas_init(&canvas, 80, 2);
    site_list_draw(&canvas, (struct rect){0, 0, 80, 1}, (struct rect){0, 1, 80, 1}, &list, &scroll);
    for (int x = 0; x < 80; x++) {
        uint32_t glyph = (uint32_t)canvas_at(&canvas, x, 1)->glyph;
        row[x] = glyph < 128 && glyph ? (char)glyph : ' ';
    }
    canvas_free(&canvas);
    return strstr(row, wanted) != NULL;
}

START_TEST(fused_accesses_ran_as_written)
{
    struct counter_line line = {.line = 1,
                                .space = PTX_SHARED,
                                .kind = SIM_LOAD,
                                .bytes = 4,
                                .bytes_written = 4,
                                .fused_away = true,
                                .written_wavefronts = 64,
                                .written_conflicts = 48};
    ck_assert(row_says(&line, false, "in another"));
    ck_assert(row_says(&line, true, "ld 32-bit        4"));
    ck_assert(row_says(&line, true, "3 conflicts"));
    line.fused_away = false;
    ck_assert(row_says(&line, true, "never ran"));
}
END_TEST

START_TEST(copies_show_their_width)
{
    struct counter_line line = {.line = 1, .space = PTX_SHARED, .kind = SIM_ASYNC_COPY, .bytes = 16, .instructions = 1};
    ck_assert(row_says(&line, false, "cp 128-bit"));
}
END_TEST

static void check_name(const char *source, uint64_t address, const char *wanted)
{
    struct shared_arrays arrays;
    char name[128];
    shared_arrays_read(&arrays, source, NULL);
    ck_assert_str_eq(shared_name(&arrays, address, name, sizeof name), wanted);
}

START_TEST(places_are_named_as_the_source_declares_them)
{
    check_name("__shared__ float tile[32][33];", 4 * (33 * 5 + 3), "tile[5][3]");
    check_name("#define T 32\n__shared__ float a[T][T + 1], b[T];", 4 * 33 * 32 + 8, "b[2]");
    check_name("constexpr int N = 4 * (2 + 2); __shared__ double s[N][N];", 8 * 17, "s[1][1]");
    check_name("#define N 7 // columns, as many as there are\n__shared__ float a[N / 2 * 2u][4], b[2];", 100, "b[1]");
    check_name("enum { ROWS = 8 }; __shared__ int q[2][ROWS][4];", 4 * (32 + 9), "q[1][2][1]");
    check_name("extern __shared__ float buffer[];", 400, "buffer[100]");
    check_name("__shared__ float4 v[8];", 32, "v[2]");
    check_name("__shared__ int flag;\n__shared__ int n[4];", 16, "n[0]");
    // the second array stands at the next multiple of 16
    check_name("__shared__ char c[3]; __shared__ char d[3];", 17, "d[1]");
}
END_TEST

START_TEST(declarations_that_cannot_be_read_leave_words)
{
    check_name("template <int N> __global__ void k() { __shared__ float tile[N][M]; }", 8, "word 2");
    check_name("// __shared__ float tile[32];", 8, "word 2");
    check_name("__shared__ struct thing t[4];", 8, "word 2");
    check_name("#define A A\n__shared__ float t[A];", 8, "word 2");
    check_name("#define A B\n#define B A\n__shared__ float t[A];", 8, "word 2");
    check_name("__shared__ float t[((((((((((((((((((((((((1", 8, "word 2");
    check_name("__shared__ float t[1/0]; __shared__ float u[", 8, "word 2");
    check_name("__shared__", 8, "word 2");
    check_name("", 8, "word 2");
}
END_TEST

// What hazards call a place: by the name and the size that the compiled code gives.
START_TEST(elements_are_found_by_name_and_size)
{
    static const char source[] = "template <typename T, int ROWS = 4, int PAD = 0> __global__ void tile(T *o)\n"
                                 "{ __shared__ thing other[2]; __shared__ T rows[2 * ROWS][ROWS + PAD]; }\n"
                                 "__global__ void plain(float *o)\n"
                                 "{ __shared__ float rows[8], sum; extern __shared__ double more[]; }\n";
    static const struct {
        const char *array;
        uint64_t bytes, offset;
        const char *name; // NULL: none
    } cases[] = {{"void tile<float, 16, 1>(float*)::rows", 4 * 32 * 17, 4 * (17 * 3 + 5), "rows[3][5]"},
                 {"void ns::tile<double, 16, 1>(double*)::rows", 8 * 32 * 17, 8 * (17 * 3 + 5), "rows[3][5]"},
                 {"void tile<float, 16, 0>(float*)::rows", 4 * 32 * 17, 0, NULL}, // not that one
                 {"void tile<thing, 16, 0>(thing*)::rows", 4 * 32 * 16, 0, NULL},
                 {"void tile<float, 16>(float*)::rows", 4 * 32 * 16, 0, NULL}, // PAD's default is not read
                 {"plain(float*)::rows", 32, 12, "rows[3]"},
                 {"(anonymous namespace)::plain(float*)::sum", 4, 0, "sum"},
                 {"more", 0, 24, "more[3]"},
                 {"nothing", 4, 0, NULL},
                 {"", 0, 0, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64] = "";
        bool found = shared_element(source, cases[i].array, cases[i].bytes, cases[i].offset, text, sizeof text);
        ck_assert_msg(found == (cases[i].name != NULL), "%s: %s", cases[i].array, text);
        ck_assert_str_eq(text, cases[i].name ? cases[i].name : "");
    }
    struct shared_arrays arrays;
    char name[64];
    shared_arrays_read(&arrays, strchr(source, '\n') + 1, "_Z5plainPf");
    ck_assert_str_eq(shared_name(&arrays, 12, name, sizeof name), "rows[3]");
}
END_TEST

START_TEST(each_kernel_has_arrays_of_its_own)
{
    static const char source[] =
        "__global__ void one(int n);\n__global__ void one(int n)\n{ if (n) { __shared__ float a[8]; }\n"
        "  __shared__ int b[4]; }\n"
        "__global__ void another(int n) { one(n); __shared__ float c[2][2]; }\n"
        "__global__ void bare() { }\n";
    static const struct {
        const char *kernel;
        uint64_t address;
        const char *name;
    } cases[] = {{"one", 36, "b[1]"},  {"one", 4, "a[1]"}, {"another", 12, "c[1][1]"}, {"another", 36, "word 9"},
                 {"bare", 36, "b[1]"}, {"", 36, "b[1]"},   {"nowhere", 52, "c[0][1]"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shared_arrays arrays;
        char name[128];
        shared_arrays_read(&arrays, source, cases[i].kernel);
        ck_assert_str_eq(shared_name(&arrays, cases[i].address, name, sizeof name), cases[i].name);
    }
}
END_TEST

START_TEST(values_are_written_as_the_type_says)
{
    static const struct {
        const char *source;
        uint64_t bits;
        int columns;
        const char *text;
    } cases[] = {{"__shared__ float a[4];", 0x3f3b3333, 0, "0.73125"},
                 {"__shared__ float a[4];", 0xbdfcd6ea, 7, "-0.1235"},
                 {"__shared__ float4 a[4];", 0xc0400000, 7, "-3"},
                 {"__shared__ float a[4];", 0x7fc00000, 7, "nan"},
                 {"__shared__ float a[4];", 0x0da24260, 6, "1e-30"},
                 {"__shared__ double a[4];", 0x3ff8000000000000, 7, "1.5"},
                 {"__shared__ __half a[4];", 0xffffc500, 7, "-5"},
                 {"__shared__ half a[4];", 0x0001, 7, "6e-08"},
                 {"__shared__ int a[4];", 0xfffffff6, 7, "-10"},
                 {"__shared__ unsigned int a[4];", 0xfffffff6, 0, "4294967286"},
                 {"__shared__ unsigned a[4];", 0xfffffff6, 7, "4.3e+09"},
                 {"__shared__ unsigned char a[4];", 0x12ff, 7, "255"},
                 {"__shared__ signed char a[4];", 0x12ff, 7, "-1"},
                 {"__shared__ unsigned long long a[4];", 1ull << 40, 0, "1099511627776"},
                 {"__shared__ short int a[4];", 0xffff8000, 7, "-32768"},
                 {"", 0xbeef, 7, "0000beef"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shared_arrays arrays;
        unsigned char bytes[8];
        char text[64];
        memcpy(bytes, &cases[i].bits, sizeof bytes);
        shared_arrays_read(&arrays, cases[i].source, NULL);
        const struct shared_array *array = shared_arrays_at(&arrays, 0);
        ck_assert_str_eq(shared_value(array, bytes, cases[i].columns, text, sizeof text), cases[i].text);
    }
}
END_TEST

static struct counter_line load_at(uint32_t line, uint32_t pc)
{
    return (struct counter_line){
        .line = line, .pc = pc, .kind = SIM_LOAD, .space = PTX_SHARED, .instructions = 8, .wavefronts = 8};
}

static const struct counter_line *match(const struct sites *sites, const struct sites *all, size_t index)
{
    const struct site *site = sites_match(sites, all, index);
    return site ? site->line : NULL;
}

// Neither line numbers nor text: what it does to which array, and in which order.
START_TEST(an_access_is_found_again_by_array_operation_and_order)
{
    struct counter_line old_lines[] = {load_at(2, 1), load_at(3, 2)};
    struct counter_line new_lines[] = {load_at(3, 5), load_at(5, 6), load_at(6, 7), load_at(7, 8)};
    struct grade_report before = {.source = (char *)"__shared__ float t[9], u[9];\na = t[0];\nb = u[1];\n"},
                        after = {.source = (char *)"__shared__ float t[9], u[9];\n// new\nx = u[9];\n\n"
                                                   "y = t[4];\nb = u[1 ^ i];\nz = 1;\n"};
    before.record.counters.lines = old_lines;
    before.record.counters.count = 2;
    after.record.counters.lines = new_lines;
    after.record.counters.count = 4;
    struct sites old_sites = list_sites(NULL, &before, PTX_SHARED), new_sites = list_sites(NULL, &after, PTX_SHARED);
    ck_assert_uint_eq(new_sites.count, 4);
    ck_assert_str_eq(new_sites.items[1].array, "t");
    ck_assert_ptr_eq(match(&old_sites, &new_sites, 0), &old_lines[1]); // u
    ck_assert_ptr_eq(match(&old_sites, &new_sites, 1), &old_lines[0]); // t, on another line with other text
    ck_assert_ptr_eq(match(&old_sites, &new_sites, 2), &old_lines[1]); // u again: there was one
    ck_assert_ptr_null(match(&old_sites, &new_sites, 3));              // the fourth load of anything
    sites_free(&old_sites);
    sites_free(&new_sites);
}
END_TEST

START_TEST(equal_accesses_of_an_unrolled_line_are_one_row)
{
    struct counter_line lines[] = {load_at(2, 1), load_at(2, 2), load_at(2, 3), load_at(2, 4), load_at(3, 5)};
    struct recorded_access accesses[5] = {{0}};
    struct grade_report report = {.source = (char *)"__shared__ float t[9];\nfor (;;) s += t[i];\nt[0] = t[i];\n"};
    lines[1].wavefronts = 16;                            // this one conflicts
    lines[3].fused_away = true, lines[3].wavefronts = 0; // another does its work
    report.record.counters.lines = lines;
    report.record.counters.count = 5;
    report.record.recording = (struct recording){.items = accesses, .count = 5};
    for (uint32_t i = 0; i < 5; i++)
        accesses[i] = (struct recorded_access){.pc = i + 1, .space = PTX_SHARED, .mask = 1, .step = i};
    struct sites sites = list_sites(NULL, &report, PTX_SHARED);
    ck_assert_uint_eq(sites.count, 3);
    ck_assert_uint_eq(sites.fused, 1);
    ck_assert_uint_eq(sites.items[0].set.count, 2);
    ck_assert_int_eq(sites_find(&sites, 3), 0);
    ck_assert_int_eq(sites_find(&sites, 4), -1);
    // all of its executions are the row's
    struct access_list list = {.instance = 1};
    struct choice choice = list_choose(&list, &report, &sites.items[0]);
    ck_assert_uint_eq(choice.instances, 2);
    ck_assert_ptr_eq(choice.access, &accesses[2]);
    sites_free(&sites);
}
END_TEST

Suite *suite_sites(void)
{
    Suite *suite = suite_create("sites");
    TCase *tests = tcase_create("sites");
    tcase_add_test(tests, fused_accesses_ran_as_written);
    tcase_add_test(tests, copies_show_their_width);
    tcase_add_test(tests, places_are_named_as_the_source_declares_them);
    tcase_add_test(tests, declarations_that_cannot_be_read_leave_words);
    tcase_add_test(tests, each_kernel_has_arrays_of_its_own);
    tcase_add_test(tests, elements_are_found_by_name_and_size);
    tcase_add_test(tests, values_are_written_as_the_type_says);
    tcase_add_test(tests, an_access_is_found_again_by_array_operation_and_order);
    tcase_add_test(tests, equal_accesses_of_an_unrolled_line_are_one_row);
    suite_add_tcase(suite, tests);
    return suite;
}
