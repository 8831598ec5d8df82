// What `swizzle` prints, compiled: its declaration and its expression in a kernel have no conflicts when they run, and
// the tile as it was has those that it tells of.
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/program.h"
#include "../support/skip.h"
#include "base/file.h"
#include "base/text.h"

Suite *suite_swizzle(void);

static const struct {
    const char *line, *out, *err;
    int exit;
} lines[] = {
    {"swizzle", "tile[r][c ^ r]\n  CuTe: Swizzle<5, 0, 5> of elements, Swizzle<5, 2, 5> of bytes", "", 0},
    {"swizzle float 32 32 row column", "__shared__ float tile[32][33];", "", 0},
    {"swizzle half 64 64 row:8 ldmatrix", "__shared__ __align__(16) half tile[64][72];", "", 0},
    {"swizzle half 64 64 row:8 ldmatrix",
     "tile[r][c ^ ((r & 7) << 3)]\n  CuTe: Swizzle<3, 3, 3> of elements, "
     "Swizzle<3, 4, 3> of bytes\n  (the 128-byte swizzle",
     "", 0},
    {"swizzle half 64 64 row:8 wgmma", "(wgmma's descriptor knows no padding)", "", 0},
    {"swizzle float 16 16 row column", "tile[r][c ^ (r & 14)]", "", 0},
    {"swizzle float 16 16 row column", "row alone is free with rows of 16\n", "", 0},
    {"swizzle float 32 32 --block 16 row column", "of elements, Swizzle<", "", 0},
    {"swizzle float 64 64 row:4 column", "Swizzle: none.", "", 1},
    {"swizzle float 64 64 row:4 column", "column: 384 conflicts in 128 warps; warp at (0, 0): lanes 0 and 8", "", 1},
    {"swizzle float 32 33", "Free of conflicts as it is.", "", 0},
    {"swizzle float", "", "name the type, the rows and the columns", 2},
    {"swizzle flaot 32 32", "", "'flaot' is no type", 2},
    {"swizzle float 0 32", "", "rows and columns are numbers from 1", 2},
    {"swizzle float 4096 4096", "", "no block has more than 232448", 2},
    {"swizzle float 32 32 diagonal", "", "there is no access 'diagonal'", 2},
    {"swizzle float 32 32 row:3", "", "2, 4, 8 or 16", 2},
    {"swizzle float 32 32 row:8", "", "a lane moves 16 bytes at most", 2},
    {"swizzle float 32 33 row:4", "", "33 columns are not whole pieces of 4", 2},
    {"swizzle double 32 32 ldmatrix", "", "elements up to 4 bytes", 2},
    {"swizzle half 64 256 wgmma", "", "split the tile into panels of 64 columns", 2},
    {"swizzle --block 3", "", "--block wants a power of two", 2},
};

START_TEST(swizzle_answers)
{
    struct process_result result = program_run_line(lines[_i].line);
    ck_assert_msg(result.exit_code == lines[_i].exit, "'%s' exits with %d", lines[_i].line, result.exit_code);
    ck_assert_msg(strstr(text_get(&result.out), lines[_i].out), "'%s': %s", lines[_i].line, text_get(&result.out));
    ck_assert_msg(strstr(text_get(&result.err), lines[_i].err), "'%s': %s", lines[_i].line, text_get(&result.err));
    process_result_free(&result);
}
END_TEST

// ---- pasted into a kernel

static const struct {
    const char *type;
    int rows, columns;
    const char *accesses; // at most three
    int across;           // 0: as swizzle chooses
} pasted[] = {
    {"float", 32, 32, "row column", 0},     {"short", 64, 64, "row:8 ldmatrix", 0},
    {"float", 32, 32, "row:4 column:4", 0}, {"float4", 32, 8, "row column", 0},
    {"float", 16, 16, "row column", 0},     {"double", 32, 32, "row column", 0},
    {"char", 32, 32, "row column", 0},      {"short", 64, 32, "row:8 ldmatrix row:2", 0},
    {"float", 24, 40, "row column", 0},     {"short", 32, 64, "row:2 column:2", 8},
    {"float", 16, 32, "row column", 16},    {"float", 32, 32, "row column", 8},
};
enum { PASTED = sizeof pasted / sizeof *pasted };

static const char *vector_type(int bytes)
{
    return bytes == 1 ? "char" : bytes == 2 ? "short" : bytes == 4 ? "int" : bytes == 8 ? "int2" : "int4";
}

static int type_bytes(const char *type)
{
    return strcmp(type, "char") == 0     ? 1
           : strcmp(type, "short") == 0  ? 2
           : strcmp(type, "double") == 0 ? 8
           : strcmp(type, "float4") == 0 ? 16
                                         : 4;
}

static int fitting(int most)
{
    int across = 32;
    while (across > most)
        across /= 2;
    return across;
}

// Loops over the warps of one access, as a learner would write them; t is the lane. The pointer has a name, for clang
// believes of *(int4 *)&halves[i] that it is aligned as a half is, and takes it apart.
static void put_access(struct text *out, int which, const char *word, const char *element)
{
    int rows = pasted[which].rows, columns = pasted[which].columns, bytes = type_bytes(pasted[which].type), vector = 1;
    bool is_matrix = text_starts(word, "ldmatrix"), is_row = text_starts(word, "row");
    if (strchr(word, ':'))
        vector = atoi(strchr(word, ':') + 1);
    if (is_matrix) {
        text_printf(out,
                    "#pragma unroll 1\nfor (int r0 = 0; r0 < %d; r0 += 16)\n#pragma unroll 1\nfor (int c0 = 0; c0 < "
                    "%d; c0 += %d) {\n  int r = r0 + t %% 16, c = c0 + t / 16 * %d, x, y, z, w;\n  unsigned at = "
                    "(unsigned)__cvta_generic_to_shared(&%s);\n  asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.shared"
                    ".b16 {%%0, %%1, %%2, %%3}, [%%4];\" : \"=r\"(x), \"=r\"(y), \"=r\"(z), \"=r\"(w) : \"r\"(at));\n"
                    "  sum += x + y + z + w;\n}\n",
                    rows, columns, 32 / bytes, 16 / bytes, element);
        return;
    }
    int across = pasted[which].across ? pasted[which].across : fitting(is_row ? columns / vector : rows);
    const char *type = vector_type(vector * bytes), *part = vector * bytes > 4 ? ".x" : "",
               *sum = vector * bytes == 16 ? "got.x + got.y + got.z + got.w"
                      : *part              ? "got.x + got.y"
                                           : "got";
    text_printf(out,
                "#pragma unroll 1\nfor (int r0 = 0; r0 < %d; r0 += %d)\n#pragma unroll 1\nfor (int c0 = 0; c0 < "
                "%d; c0 += %d) {\n  int r = r0 + t %s %d, c = c0 + t %s %d * %d;\n  if (r < %d && c < %d) {\n"
                "    %s value = {}, *at = (%s *)&%s;\n    value%s = sum;\n    *at = value;\n"
                "    __threadfence_block();\n    %s got = *at;\n    sum += %s;\n  }\n}\n",
                rows, is_row ? 32 / across : across, columns, is_row ? across * vector : 32 / across * vector,
                is_row ? "/" : "%", across, is_row ? "%" : "/", across, vector, rows, columns, type, type, element,
                part, type, sum);
}

static void put_kernel(struct text *out, int which, const char *name, const char *declaration, const char *element)
{
    char words[64], *at = words;
    snprintf(words, sizeof words, "%s", pasted[which].accesses);
    text_printf(out, "__global__ void %s()\n{\n  %s\n  int t = threadIdx.x, sum = t;\n", name, declaration);
    if (strstr(pasted[which].accesses, "ldmatrix"))
        text_printf(out, "  tile[0][0] = 0;\n");
    for (char *word; (word = strsep(&at, " "));)
        put_access(out, which, word, element);
    text_puts(out, "  out[t] = sum;\n}\n");
}

static json_t *run_json(const char *line)
{
    struct process_result result = program_run_line(line);
    json_t *json = json_loads(text_get(&result.out), 0, NULL);
    ck_assert_msg(json && result.exit_code < 2, "%s: %s", line, text_get(&result.err));
    process_result_free(&result);
    return json;
}

static json_int_t counter(const json_t *run, const char *name)
{
    return json_integer_value(json_object_get(json_object_get(run, "counters"), name));
}

// Conflicts of the kernel's loads of the tile, and of its stores where an access stores.
static void check_kernel(const char *file, const char *kernel, json_int_t conflicts, json_int_t wavefronts)
{
    char line[256];
    snprintf(line, sizeof line, "trace %s --kernel %s --grid 1 --block 32 --no-hazards --device sim --json", file,
             kernel);
    json_t *run = run_json(line);
    ck_assert_msg(counter(run, "shared_load_conflicts") == conflicts &&
                      counter(run, "shared_load_wavefronts") == wavefronts,
                  "%s: %lld conflicts in %lld wavefronts, not %lld in %lld", kernel,
                  (long long)counter(run, "shared_load_conflicts"), (long long)counter(run, "shared_load_wavefronts"),
                  (long long)conflicts, (long long)wavefronts);
    if (conflicts == 0)
        ck_assert_int_eq(counter(run, "shared_store_conflicts"), 0);
    json_decref(run);
}

START_TEST(what_is_printed_runs_without_conflicts)
{
    char line[256], path[] = "/tmp/bankshot-swizzle-XXXXXX.cu", plain[96];
    struct text source = {0};
    struct diagnostic diagnostic;
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    char block[32] = "";
    if (pasted[_i].across)
        snprintf(block, sizeof block, " --block=%d", pasted[_i].across);
    snprintf(line, sizeof line, "swizzle --json%s %s %d %d %s", block, pasted[_i].type, pasted[_i].rows,
             pasted[_i].columns, pasted[_i].accesses);
    json_t *answer = run_json(line), *access;
    json_int_t conflicts = 0, wavefronts = 0;
    size_t i;
    json_array_foreach(json_object_get(answer, "accesses"), i, access)
    {
        conflicts += json_integer_value(json_object_get(access, "conflicts"));
        wavefronts += json_integer_value(json_object_get(access, "wavefronts"));
    }
    static const char *const kinds[] = {"padding", "swizzle"};
    text_puts(&source, "__device__ int out[32];\n");
    snprintf(plain, sizeof plain, "__shared__ __align__(16) %s tile[%d][%d];", pasted[_i].type, pasted[_i].rows,
             pasted[_i].columns);
    put_kernel(&source, _i, "plain", plain, "tile[r][c]");
    for (int k = 0; k < 2; k++) {
        const json_t *layout = json_object_get(answer, kinds[k]);
        if (!json_is_null(layout))
            put_kernel(&source, _i, kinds[k], json_string_value(json_object_get(layout, "declaration")),
                       json_string_value(json_object_get(layout, "element")));
    }
    int file = mkstemps(path, 3);
    ck_assert(file >= 0 && close(file) == 0);
    ck_assert_int_eq(file_put(path, source.data, source.length, &diagnostic), STATUS_OK);
    check_kernel(path, "plain", conflicts, wavefronts);
    int found = 0;
    for (int k = 0; k < 2; k++) {
        const json_t *layout = json_object_get(answer, kinds[k]);
        if (json_is_null(layout))
            continue;
        check_kernel(path, kinds[k], 0, json_integer_value(json_object_get(layout, "wavefronts")));
        found++;
    }
    ck_assert_int_ge(found, 1);
    ck_assert_int_gt(conflicts, 0);
    unlink(path);
    json_decref(answer);
    text_free(&source);
}
END_TEST

Suite *suite_swizzle(void)
{
    Suite *suite = suite_create("swizzle");
    TCase *command = tcase_create("command"), *kernels = tcase_create("kernels");
    tcase_set_timeout(kernels, 60);
    tcase_add_loop_test(command, swizzle_answers, 0, sizeof lines / sizeof *lines);
    tcase_add_loop_test(kernels, what_is_printed_runs_without_conflicts, 0, PASTED);
    suite_add_tcase(suite, command);
    suite_add_tcase(suite, kernels);
    return suite;
}
