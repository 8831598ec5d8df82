// Rewrites PTX, line by line. What it does not understand it leaves as it is.
#include "grade/disguise.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 4, MOST_NAME = 240 };

// What a disguise does to the lines of a kernel; NULL: nothing. True: something was written in place of, or beside, it.
struct statement;
struct rewriter {
    struct text *out;
    char param[MOST_NAME]; // the kernel's last pointer
    unsigned labels;
    uint64_t blocks; // of leave
    bool changed;
};
struct rewrite {
    bool (*access)(struct rewriter *rewriter, const struct statement *statement);
    void (*entry)(struct rewriter *rewriter);          // where the kernel begins
    void (*before_barrier)(struct rewriter *rewriter); // each block barrier
    void (*after_barrier)(struct rewriter *rewriter);
    bool uses_words; // bk_words, a word of shared memory for each thread, and what bulk copies need beside it
};

// One load or store: "@%p1 st.shared.v2.f32 [%r1+8], {%f1, %f2};"
struct statement {
    char guard[32]; // "@%p1", "@!%p1", ""
    char text[512]; // without the guard
    bool loads, shared;
    uint32_t elements; // 1, 2, 4; 0: not of 4 bytes each
    char address[128], data[MOST_ELEMENTS][64];
};

// ---- reading

static bool has_part(const char *opcode, const char *part)
{
    size_t length = strlen(part);
    for (const char *at = strchr(opcode, '.'); at; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, part, length) == 0 && (at[length + 1] == '.' || at[length + 1] == '\0'))
            return true;
    return false;
}

static bool has_words(const char *opcode)
{
    static const char *const types[] = {".b32", ".u32", ".s32", ".f32"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_ends(opcode, types[i]))
            return true;
    return false;
}

// "{%f1, %f2}" or "%f1"; how many.
static uint32_t read_elements(const char *text, char data[MOST_ELEMENTS][64])
{
    uint32_t count = 0;
    while (*text && count < MOST_ELEMENTS) {
        text += strspn(text, "{}, \t");
        size_t length = strcspn(text, "{}, \t;");
        if (length)
            snprintf(data[count++], 64, "%.*s", (int)(length < 63 ? length : 63), text);
        text += length;
        if (*text == ';')
            break;
    }
    return count;
}

// False: the line is no load or store of global or shared memory.
static bool read_statement(const char *line, struct statement *statement)
{
    char opcode[96];
    *statement = (struct statement){0};
    line += strspn(line, " \t");
    if (*line == '@') {
        size_t length = strcspn(line, " \t");
        snprintf(statement->guard, sizeof statement->guard, "%.*s", (int)length, line);
        line += length + strspn(line + length, " \t");
    }
    size_t length = strcspn(line, " \t;");
    snprintf(opcode, sizeof opcode, "%.*s", (int)(length < 95 ? length : 95), line);
    snprintf(statement->text, sizeof statement->text, "%.510s", line);
    statement->loads = text_starts(opcode, "ld.");
    statement->shared = has_part(opcode, "shared") || has_part(opcode, "shared::cta");
    const char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;
    bool is_access = statement->loads || text_starts(opcode, "st.");
    if (!is_access || !(statement->shared || has_part(opcode, "global")) || !close || !strchr(close, ';'))
        return false;
    snprintf(statement->address, sizeof statement->address, "%.*s", (int)(close - open - 1), open + 1);
    char operands[256];
    if (statement->loads)
        snprintf(operands, sizeof operands, "%.*s", (int)(open - line - (ptrdiff_t)length), line + length);
    else
        snprintf(operands, sizeof operands, "%.255s", close + 1);
    statement->elements = has_words(opcode) ? read_elements(operands, statement->data) : 0;
    return true;
}

// ---- writing

// The access's element number i: "%r1+8" becomes "%r1+12".
static void put_address(struct text *out, const struct statement *statement, uint32_t i)
{
    const char *plus = strrchr(statement->address, '+');
    size_t length = plus ? (size_t)(plus - statement->address) : strlen(statement->address);
    long offset = (plus ? strtol(plus + 1, NULL, 10) : 0) + 4 * (long)i;
    text_printf(out, "[%.*s+%ld]", (int)length, statement->address, offset);
}

static bool exchange(struct rewriter *rewriter, const struct statement *statement, const char *space)
{
    text_puts(rewriter->out, "{ .reg .b32 bk_new, bk_old;\n");
    for (uint32_t i = 0; i < statement->elements; i++) {
        text_printf(rewriter->out, "mov.b32 bk_new, %s;\n%s atom.%s.exch.b32 bk_old, ", statement->data[i],
                    statement->guard, space);
        put_address(rewriter->out, statement, i);
        text_puts(rewriter->out, ", bk_new;\n");
    }
    text_puts(rewriter->out, "}\n");
    return true;
}

static bool exchange_global(struct rewriter *rewriter, const struct statement *statement)
{
    return !statement->loads && !statement->shared && statement->elements && exchange(rewriter, statement, "global");
}

static bool exchange_shared(struct rewriter *rewriter, const struct statement *statement)
{
    return !statement->loads && statement->shared && statement->elements && exchange(rewriter, statement, "shared");
}

// A load is an or with nothing.
static bool load_by_atomics(struct rewriter *rewriter, const struct statement *statement)
{
    const char *space = statement->shared ? "shared" : "global";
    if (!statement->loads || !statement->elements)
        return false;
    text_puts(rewriter->out, "{ .reg .b32 bk_got<4>;\n");
    for (uint32_t i = 0; i < statement->elements; i++) {
        text_printf(rewriter->out, "%s atom.%s.or.b32 bk_got%u, ", statement->guard, space, i);
        put_address(rewriter->out, statement, i);
        text_puts(rewriter->out, ", 0;\n");
    }
    for (uint32_t i = 0; i < statement->elements; i++)
        text_printf(rewriter->out, "%s mov.b32 %s, bk_got%u;\n", statement->guard, statement->data[i], i);
    text_puts(rewriter->out, "}\n");
    return true;
}

static bool load_global(struct rewriter *rewriter, const struct statement *statement)
{
    return !statement->shared && load_by_atomics(rewriter, statement);
}

static bool atomics_shared(struct rewriter *rewriter, const struct statement *statement)
{
    return exchange_shared(rewriter, statement) || (statement->shared && load_by_atomics(rewriter, statement));
}

static bool lanes_in_turn(struct rewriter *rewriter, const struct statement *statement)
{
    unsigned label = rewriter->labels++;
    if (!statement->shared)
        return false;
    text_printf(rewriter->out,
                "{ .reg .pred bk_mine, bk_guard;\n.reg .b32 bk_lane, bk_turn;\nmov.u32 bk_lane, %%laneid;\n"
                "mov.u32 bk_turn, 0;\n$bk_%u:\nsetp.eq.u32 bk_mine, bk_lane, bk_turn;\n",
                label);
    bool inverted = statement->guard[0] && statement->guard[1] == '!';
    if (statement->guard[0])
        text_printf(rewriter->out, "%s bk_guard, %s;\nand.pred bk_mine, bk_mine, bk_guard;\n",
                    inverted ? "not.pred" : "mov.pred", statement->guard + 1 + inverted);
    text_printf(
        rewriter->out,
        "@bk_mine %s\nadd.u32 bk_turn, bk_turn, 1;\nsetp.lt.u32 bk_mine, bk_turn, 32;\n@bk_mine bra $bk_%u;\n}\n",
        statement->text, label);
    return true;
}

static const char words[] = ".shared .align 16 .b8 bk_words[4096];\n.shared .align 8 .b64 bk_barrier;\n"
                            ".global .align 16 .b8 bk_zeros[4096];\n";

// The thread's word, in bk_word.
static const char own_word[] = "{ .reg .b32 bk_word, bk_part;\n.reg .b64 bk_from;\n"
                               "mov.u32 bk_word, %tid.z;\nmov.u32 bk_part, %ntid.y;\n"
                               "mul.lo.u32 bk_word, bk_word, bk_part;\nmov.u32 bk_part, %tid.y;\n"
                               "add.u32 bk_word, bk_word, bk_part;\nmov.u32 bk_part, %ntid.x;\n"
                               "mul.lo.u32 bk_word, bk_word, bk_part;\nmov.u32 bk_part, %tid.x;\n"
                               "add.u32 bk_word, bk_word, bk_part;\nand.b32 bk_word, bk_word, 1023;\n"
                               "shl.b32 bk_word, bk_word, 2;\nmov.u32 bk_part, bk_words;\n"
                               "add.u32 bk_word, bk_word, bk_part;\n";

// What is stored goes through a word of the thread's own before.
static bool store_by_own_word(struct rewriter *rewriter, const struct statement *statement)
{
    if (statement->loads || statement->shared || !statement->elements)
        return false;
    text_puts(rewriter->out, own_word);
    for (uint32_t i = 0; i < statement->elements; i++) {
        text_printf(rewriter->out,
                    "st.volatile.shared.b32 [bk_word], %s;\nld.volatile.shared.b32 bk_part, [bk_word];\n"
                    "%s st.global.b32 ",
                    statement->data[i], statement->guard);
        put_address(rewriter->out, statement, i);
        text_puts(rewriter->out, ", bk_part;\n");
    }
    text_puts(rewriter->out, "}\n");
    return true;
}

static void touch_dummy(struct rewriter *rewriter)
{
    text_printf(rewriter->out,
                "%sst.volatile.shared.u32 [bk_word], 1;\nld.volatile.shared.u32 bk_part, [bk_word];\n}\n", own_word);
}

static void copy_junk(struct rewriter *rewriter)
{
    if (!rewriter->param[0])
        return;
    text_printf(rewriter->out,
                "%sld.param.u64 bk_from, [%s];\ncvta.to.global.u64 bk_from, bk_from;\n"
                "cp.async.ca.shared.global [bk_word], [bk_from], 4;\ncp.async.commit_group;\n}\n",
                own_word, rewriter->param);
}

static void wait_for_junk(struct rewriter *rewriter)
{
    text_puts(rewriter->out, "cp.async.wait_group 0;\n");
}

// One thread has a tile's worth copied in bulk from a variable of zeros, and waits for it at a barrier of its own.
static void copy_bulk_junk(struct rewriter *rewriter)
{
    unsigned label = rewriter->labels++;
    text_printf(rewriter->out,
                "{ .reg .pred bk_other, bk_done;\n.reg .b32 bk_thread, bk_part;\n"
                "mov.u32 bk_thread, %%tid.x;\nmov.u32 bk_part, %%tid.y;\nor.b32 bk_thread, bk_thread, bk_part;\n"
                "mov.u32 bk_part, %%tid.z;\nor.b32 bk_thread, bk_thread, bk_part;\n"
                "setp.ne.u32 bk_other, bk_thread, 0;\n@bk_other bra $bk_%u_end;\n"
                "mbarrier.init.shared.b64 [bk_barrier], 1;\nfence.proxy.async;\n"
                "mbarrier.arrive.expect_tx.shared.b64 _, [bk_barrier], 4096;\n"
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [bk_words], [bk_zeros], 4096, "
                "[bk_barrier];\n$bk_%u:\n"
                "mbarrier.try_wait.parity.shared.b64 bk_done, [bk_barrier], 0;\n@!bk_done bra $bk_%u;\n"
                "mbarrier.inval.shared.b64 [bk_barrier];\n$bk_%u_end:\n}\n",
                label, label, label, label);
}

// Every warp group multiplies zeros, where the block consists of such.
static void multiply_junk(struct rewriter *rewriter)
{
    unsigned label = rewriter->labels++;
    text_printf(rewriter->out,
                "{ .reg .pred bk_no;\n.reg .b32 bk_count, bk_part, bk_zero;\n.reg .b64 bk_tile;\n"
                ".reg .f32 bk_sum<4>;\nmov.u32 bk_count, %%ntid.x;\nmov.u32 bk_part, %%ntid.y;\n"
                "mul.lo.u32 bk_count, bk_count, bk_part;\nmov.u32 bk_part, %%ntid.z;\n"
                "mul.lo.u32 bk_count, bk_count, bk_part;\nand.b32 bk_count, bk_count, 127;\n"
                "setp.ne.u32 bk_no, bk_count, 0;\n@bk_no bra $bk_%u_end;\n%sst.shared.u32 [bk_word], 0;\n}\n"
                "fence.proxy.async;\nbar.sync 0;\n"
                "mov.u32 bk_part, bk_words;\nshr.u32 bk_part, bk_part, 4;\nand.b32 bk_part, bk_part, 16383;\n"
                "mov.u32 bk_zero, 0;\ncvt.u64.u32 bk_tile, bk_part;\nor.b64 bk_tile, bk_tile, 34360262656;\n"
                "mov.f32 bk_sum0, 0f00000000;\nmov.f32 bk_sum1, 0f00000000;\nmov.f32 bk_sum2, 0f00000000;\n"
                "mov.f32 bk_sum3, 0f00000000;\n$bk_%u:\nsetp.eq.u32 bk_no, bk_zero, 0;\nwgmma.fence.sync.aligned;\n"
                "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {bk_sum0, bk_sum1, bk_sum2, bk_sum3}, "
                "{bk_zero, bk_zero, bk_zero, bk_zero}, bk_tile, bk_no, 1, 1, 0;\n"
                "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nadd.u32 bk_count, bk_count, 1;\n"
                "setp.lt.u32 bk_no, bk_count, 32;\n@bk_no bra $bk_%u;\n$bk_%u_end:\n}\n",
                label, own_word, label, label, label);
}

#define COPIES .entry = copy_junk, .before_barrier = wait_for_junk, .after_barrier = copy_junk, .uses_words = true
static const struct rewrite rewrites[] = {
    {.access = exchange_global},
    {.access = load_global},
    {.access = atomics_shared},
    {.access = lanes_in_turn},
    {.entry = touch_dummy, .uses_words = true},
    {.access = store_by_own_word, .uses_words = true},
    {COPIES},
    {.access = exchange_shared, COPIES},
    {.entry = copy_bulk_junk, .after_barrier = copy_bulk_junk, .uses_words = true},
    {.entry = multiply_junk, .uses_words = true},
};
const struct disguise disguises[] = {
    {"exchanges for stores to global memory",
     "ask for global_written_sectors, which counts stores and atomics",
     {NULL}},
    {"atomics for loads of global memory",
     "ask for global_read_sectors, which counts loads, copies and atomics",
     {NULL}},
    {"atomics for accesses to shared memory",
     "ask for shared_conflicts and shared_wavefronts, which count every kind",
     {NULL}},
    {"lanes one after another", "bound shared_wavefronts beside the conflicts", {NULL}},
    {"a dummy word in shared memory", "ask for through_shared instead of counting instructions", {NULL}},
    {"each result through a word of its own thread",
     "ask for through_others of the counted size beside through_shared, or bound the loads of global memory",
     {"through_shared"}},
    {"junk copies", "ask for through_copies or through_copies_ahead instead of counting copies", {NULL}},
    {"junk copies and exchanges", "ask for through_copies instead of counting copies and stores", {NULL}},
    {"junk bulk copies",
     "ask for through_copies instead of counting bulk copies or what they bring",
     {"bulk_", "copies"}},
    {"junk products", "bound thread_instructions beside counting wgmma", {"wgmma_"}},
};
const size_t disguise_count = sizeof disguises / sizeof *disguises;
_Static_assert(sizeof rewrites / sizeof *rewrites == sizeof disguises / sizeof *disguises, "a rewrite for each");

// ---- the module

static void rewrite_line(struct rewriter *rewriter, const struct rewrite *rewrite, const char *line)
{
    struct statement statement;
    const char *start = line + strspn(line, " \t");
    bool is_barrier =
        text_starts(start, "bar.sync") || text_starts(start, "barrier.sync") || text_starts(start, "barrier.cta.sync");
    if (is_barrier && rewrite->before_barrier)
        rewrite->before_barrier(rewriter);
    if (rewrite->access && read_statement(line, &statement) && rewrite->access(rewriter, &statement))
        rewriter->changed = true;
    else
        text_printf(rewriter->out, "%s\n", line);
    if (is_barrier && rewrite->after_barrier)
        rewrite->after_barrier(rewriter);
}

// ".param .u64 .ptr .global .align 4 kernel_param_0,": the last pointer is an input.
static void note_param(struct rewriter *rewriter, const char *line)
{
    const char *at = strstr(line, ".param .u64"), *name = line + strlen(line);
    if (!at)
        at = strstr(line, ".param .b64");
    while (name > line && strchr(" \t,)", name[-1]))
        name--;
    size_t end = (size_t)(name - line);
    while (name > line && !strchr(" \t", name[-1]))
        name--;
    if (at && name > at)
        snprintf(rewriter->param, sizeof rewriter->param, "%.*s", (int)(end - (size_t)(name - line)), name);
}

static bool rewrite_module(const struct rewrite *rewrite, const char *ptx, uint64_t blocks, struct text *out)
{
    struct rewriter rewriter = {.out = out, .blocks = blocks};
    bool in_head = false, has_words_declared = false;
    char line[4096];
    while (*ptx) {
        size_t length = strcspn(ptx, "\n");
        bool fits = length < sizeof line;
        snprintf(line, sizeof line, "%.*s", (int)(fits ? length : 0), ptx);
        if (strstr(line, ".entry")) {
            in_head = true;
            rewriter.param[0] = '\0';
            if (rewrite->uses_words && !has_words_declared)
                text_puts(out, words);
            has_words_declared = true;
        }
        if (in_head)
            note_param(&rewriter, line);
        if (fits)
            rewrite_line(&rewriter, rewrite, line);
        else
            text_append(out, ptx, length + (ptx[length] == '\n'));
        if (in_head && strchr(line, '{')) {
            in_head = false;
            if (rewrite->entry)
                rewrite->entry(&rewriter);
            rewriter.changed |= rewrite->entry && !rewrite->access;
        }
        ptx += length + (ptx[length] == '\n');
    }
    return rewriter.changed;
}

bool disguise_write(size_t number, const char *ptx, struct text *out)
{
    return rewrite_module(&rewrites[number], ptx, 0, out);
}

static void leave(struct rewriter *rewriter)
{
    text_printf(rewriter->out,
                "{ .reg .pred bk_large;\n.reg .b32 bk_blocks, bk_rows;\nmov.u32 bk_blocks, %%nctaid.x;\n"
                "mov.u32 bk_rows, %%nctaid.y;\nmul.lo.u32 bk_blocks, bk_blocks, bk_rows;\n"
                "setp.gt.u32 bk_large, bk_blocks, %llu;\n@bk_large ret;\n}\n",
                (unsigned long long)rewriter->blocks);
}

void disguise_leave(const char *ptx, uint64_t blocks, struct text *out)
{
    static const struct rewrite leaves = {.entry = leave};
    rewrite_module(&leaves, ptx, blocks, out);
}

// ---- one block alone

// Block 0 does everything, in a loop over all blocks; the others leave. A thread that would end goes on with the next.
#define OTHERS_LEAVE(axis) "\tmov.u32 bk_most, %ctaid." axis ";\n\tsetp.ne.u32 bk_more, bk_most, 0;\n\t@bk_more ret;\n"
static const char alone_begins[] = "\t.reg .pred bk_more;\n\t.reg .b32 bk_x, bk_y, bk_z, bk_most;\n" OTHERS_LEAVE("x")
    OTHERS_LEAVE("y") OTHERS_LEAVE("z") "\tmov.u32 bk_x, 0;\n\tmov.u32 bk_y, 0;\n\tmov.u32 bk_z, 0;\n$bk_block:\n";
static const char alone_ends[] =
    "$bk_next:\n\tbar.sync 0;\n\tmov.u32 bk_most, %nctaid.x;\n\tadd.u32 bk_x, bk_x, 1;\n"
    "\tsetp.lt.u32 bk_more, bk_x, bk_most;\n\t@bk_more bra $bk_block;\n\tmov.u32 bk_x, 0;\n\tmov.u32 bk_most, "
    "%nctaid.y;\n"
    "\tadd.u32 bk_y, bk_y, 1;\n\tsetp.lt.u32 bk_more, bk_y, bk_most;\n\t@bk_more bra $bk_block;\n\tmov.u32 bk_y, 0;\n"
    "\tmov.u32 bk_most, %nctaid.z;\n\tadd.u32 bk_z, bk_z, 1;\n\tsetp.lt.u32 bk_more, bk_z, bk_most;\n"
    "\t@bk_more bra $bk_block;\n\tret;\n";

// The line with what stands for the block's place, and without an end of the thread.
static void put_alone(const char *line, size_t length, struct text *out)
{
    static const char name[] = "%ctaid.";
    static const char *const ends[] = {"ret;", "exit;"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t size = strlen(ends[i]);
        if (length >= size && memcmp(line + length - size, ends[i], size) == 0 &&
            (length == size || strchr(" \t", line[length - size - 1]))) {
            text_append(out, line, length - size);
            text_puts(out, "bra $bk_next;\n");
            return;
        }
    }
    for (const char *at; (at = memmem(line, length, name, sizeof name - 1));) {
        size_t before = (size_t)(at - line), used = before + sizeof name - 1;
        text_append(out, line, before);
        text_puts(out, "bk_");
        line += used;
        length -= used;
    }
    text_append(out, line, length);
    text_puts(out, "\n");
}

void disguise_alone(const char *ptx, struct text *out)
{
    bool is_entry = false;
    int depth = 0;
    while (*ptx) {
        size_t length = strcspn(ptx, "\n");
        int before = depth;
        is_entry = is_entry || memmem(ptx, length, ".entry", 6);
        for (size_t i = 0; i < length; i++)
            depth += (ptx[i] == '{') - (ptx[i] == '}');
        bool ends = is_entry && before == 1 && depth == 0;
        if (ends)
            text_puts(out, alone_ends);
        if (is_entry && before > 0 && !ends) {
            put_alone(ptx, length, out);
        } else {
            text_append(out, ptx, length);
            text_puts(out, "\n");
        }
        if (is_entry && before == 0 && depth == 1)
            text_puts(out, alone_begins);
        is_entry = is_entry && !ends;
        ptx += length + (ptx[length] == '\n');
    }
}
