// Every opcode that nvcc 13 and clang were seen to write, with all its words, is in the tables.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/words.h"
#include "../support/ptx_text.h"

Suite *suite_ptx_words(void);

static void check_words(const char *line, size_t length)
{
    size_t used;
    enum ptx_opcode op = ptx_words_opcode(line, length, &used);
    ck_assert_msg(op != PTX_OP_INVALID, "%.*s", (int)length, line);
    for (const char *at = line + used; at < line + length && ptx_opcode_group(op) != PTX_GROUP_GPU_ONLY;) {
        ck_assert_msg(*at == '.', "%.*s", (int)length, line);
        const char *dot = memchr(at + 1, '.', (size_t)(line + length - at - 1)), *end = dot ? dot : line + length;
        ck_assert_msg(ptx_words_find(at + 1, (size_t)(end - at - 1)).kind != PTX_WORD_NONE, "'%.*s' of %.*s",
                      (int)(end - at), at, (int)length, line);
        at = end;
    }
}

START_TEST(every_opcode_seen_is_known)
{
    char *text = ptx_read_file("tests/ptx/data/opcodes.txt");
    unsigned lines = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1, lines++)
        check_words(line, strcspn(line, "\n"));
    ck_assert_uint_gt(lines, 500);
    free(text);
}
END_TEST

static const struct {
    const char *text;
    enum ptx_opcode op;
    size_t used;
} prefixes[] = {
    {"ld.global.f32", PTX_OP_LD, 2},
    {"bar.sync", PTX_OP_BAR_SYNC, 8},
    {"bar.warp.sync", PTX_OP_BAR_WARP_SYNC, 13},
    {"barrier.cluster.arrive.aligned", PTX_OP_BARRIER_CLUSTER_ARRIVE, 22},
    {"cp.async.ca.shared.global", PTX_OP_CP_ASYNC, 8},
    {"cp.async.bulk.commit_group", PTX_OP_CP_ASYNC_BULK_COMMIT_GROUP, 26},
    {"cp.async.bulk.shared::cluster.global", PTX_OP_CP_ASYNC_BULK, 13},
    {"cp.async.bulk.prefetch.tensor.2d", PTX_OP_CP_ASYNC_BULK_PREFETCH_TENSOR, 29},
    {"match.any.sync.b32", PTX_OP_MATCH_SYNC, 5},
    {"mma.sync.aligned", PTX_OP_MMA, 8},
    {"mma.sp::ordered_metadata.sync", PTX_OP_MMA_SP_ORDERED, 24},
    {"cvt.pack.sat", PTX_OP_CVT_PACK, 8},
    {"cvt.rn", PTX_OP_CVT, 3},
    {"red.async.relaxed", PTX_OP_RED_ASYNC, 9},
    {"bar", PTX_OP_INVALID, 0},
    {"bar.x", PTX_OP_INVALID, 0},
    {"addx", PTX_OP_INVALID, 0},
    {"", PTX_OP_INVALID, 0},
};

START_TEST(an_opcode_is_the_longest_prefix)
{
    size_t used;
    ck_assert_int_eq(ptx_words_opcode(prefixes[_i].text, strlen(prefixes[_i].text), &used), prefixes[_i].op);
    ck_assert_uint_eq(used, prefixes[_i].used);
}
END_TEST

Suite *suite_ptx_words(void)
{
    Suite *suite = suite_create("ptx_words");
    TCase *words = tcase_create("words");
    tcase_add_test(words, every_opcode_seen_is_known);
    tcase_add_loop_test(words, an_opcode_is_the_longest_prefix, 0, sizeof prefixes / sizeof *prefixes);
    suite_add_tcase(suite, words);
    return suite;
}
