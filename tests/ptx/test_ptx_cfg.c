// Blocks, successors and immediate post-dominators of small graphs, outlines of functions, and which registers share a
// place.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "../support/ptx_text.h"

Suite *suite_ptx_cfg(void);

enum { X = -1, MAX = 12 }; // X: the exit

static const struct shape {
    const char *name, *body;
    int blocks, post_dominators[MAX];
} shapes[] = {
    {"a straight line", "A: mov.u32 %r1, 1;\nB: mov.u32 %r1, 2;\nret;", 1, {X}},
    {"if", "@%p1 bra END;\nmov.u32 %r1, 1;\nEND: ret;", 3, {2, 2, X}},
    {"if and else", "@%p1 bra ELSE;\nmov.u32 %r1, 1; bra END;\nELSE: mov.u32 %r1, 2;\nEND: ret;", 4, {3, 3, 3, X}},
    {"a loop", "mov.u32 %r1, 1;\nL: mov.u32 %r1, 2;\n@%p1 bra L;\nret;", 3, {1, 2, X}},
    {"a loop with a break",
     "L: @%p1 bra OUT;\nmov.u32 %r1, 1;\n@%p2 bra OUT;\nmov.u32 %r1, 2;\nbra L;\nOUT: ret;",
     4,
     {3, 3, 0, X}},
    {"a loop in a loop", "A: mov.u32 %r1, 1;\nB: mov.u32 %r1, 2;\n@%p1 bra B;\n@%p2 bra A;\nret;", 4, {1, 2, 3, X}},
    {"two ways out", "@%p1 bra B;\nret;\nB: exit;", 3, {X, X, X}},
    {"a guarded ret", "mov.u32 %r1, 1;\n@%p1 ret;\nmov.u32 %r1, 2;\nret;", 2, {X, X}},
    {"a guarded exit in one arm", "@%p1 bra B;\n@%p2 exit;\nmov.u32 %r1, 1;\nB: ret;", 4, {X, X, 3, X}},
    {"a trap in one arm", "@%p1 bra B;\ntrap;\nB: ret;", 3, {X, X, X}},
    {"no way out", "L: mov.u32 %r1, 1;\nbra L;", 1, {X}},
    {"no way out of one arm", "@%p1 bra END;\nL: bra L;\nEND: ret;", 3, {2, X, X}},
    {"irreducible", "@%p1 bra B;\nA: mov.u32 %r1, 1;\nB: mov.u32 %r1, 2;\n@%p2 bra A;\nret;", 4, {2, 2, 3, X}},
    {"irreducible, two exits", "@%p1 bra B;\nA: @%p3 bra END;\nB: @%p2 bra A;\nret;\nEND: ret;", 5, {X, X, X, X, X}},
    {"a table",
     "T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: bra END;\nB: mov.u32 %r1, 1;\nEND: ret;",
     4,
     {3, 3, 3, X}},
    {"a guarded table", "T: .branchtargets B;\n@%p1 brx.idx %r1, T;\nmov.u32 %r1, 1;\nret;\nB: ret;", 3, {X, X, X}},
    {"code that nothing reaches", "bra END;\nmov.u32 %r1, 1;\nEND: ret;", 3, {2, 2, X}},
    {"a branch to the end of the text", "@%p1 bra END;\nmov.u32 %r1, 1;\nEND:", 3, {2, 2, X}},
    {"nothing", "", 1, {X}},
    {"a branch to the next line", "bra A;\nA: ret;", 2, {1, X}},
    {"a diamond in a loop",
     "L: @%p1 bra R;\nmov.u32 %r1, 1;\nbra J;\nR: mov.u32 %r1, 2;\nJ: @%p2 bra L;\nret;",
     5,
     {3, 3, 3, 4, X}},
    {"a call that does not return", "@%p1 bra B;\ncall stop;\nB: ret;", 3, {X, X, X}},
};

static struct ptx_module *parse_shape(const char *body)
{
    struct text text = {0};
    text_puts(&text, ".version 8.0\n.target sm_90\n.func stop() .noreturn;\n.entry k()\n{\n"
                     ".reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n");
    text_puts(&text, body);
    text_puts(&text, "\n}\n");
    struct ptx_module *module = ptx_parse_good("test.ptx", text_get(&text));
    text_free(&text);
    return module;
}

START_TEST(post_dominators_of_a_shape)
{
    const struct shape *shape = &shapes[_i];
    struct ptx_module *module = parse_shape(shape->body);
    const struct ptx_function *function = module->functions[1];
    ck_assert_msg(function->block_count == (uint32_t)shape->blocks, "%s: %u blocks", shape->name,
                  function->block_count);
    for (int i = 0; i < shape->blocks; i++)
        ck_assert_msg(function->blocks[i].post_dominator == (uint32_t)shape->post_dominators[i],
                      "%s: block %d has post-dominator %d, not %d", shape->name, i,
                      (int)function->blocks[i].post_dominator, shape->post_dominators[i]);
    ptx_module_free(module);
}
END_TEST

START_TEST(successors_are_the_target_then_the_next_block)
{
    struct ptx_module *module = parse_shape("@%p1 bra B;\n@%p2 ret;\nbra C;\nB: mov.u32 %r1, 1;\nC: ret;");
    const struct ptx_function *f = module->functions[1];
    static const struct {
        uint32_t first, last, count, successors[2];
    } blocks[] = {{0, 0, 2, {3, 1}}, {1, 1, 1, {2, 0}}, {2, 2, 1, {4, 0}}, {3, 3, 1, {4, 0}}, {4, 4, 0, {0, 0}}};
    ck_assert_uint_eq(f->block_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(f->blocks[i].first, blocks[i].first);
        ck_assert_uint_eq(f->blocks[i].last, blocks[i].last);
        ck_assert_uint_eq(f->blocks[i].successor_count, blocks[i].count);
        for (uint32_t k = 0; k < blocks[i].count; k++)
            ck_assert_uint_eq(f->blocks[i].successors[k], blocks[i].successors[k]);
        ck_assert_uint_eq(f->block_of[blocks[i].first], i);
    }
    ptx_module_free(module);
}
END_TEST

// ---- against the definition: a post-dominates b if no way from b to an exit avoids a

struct random_graph {
    const struct ptx_function *function;
    bool seen[64];
};

static bool reaches_exit(struct random_graph *graph, uint32_t block, uint32_t avoided)
{
    if (block == avoided || graph->seen[block])
        return false;
    graph->seen[block] = true;
    const struct ptx_block *b = &graph->function->blocks[block];
    const struct ptx_inst *last = &graph->function->insts[b->last];
    if (last->op == PTX_OP_RET)
        return true;
    for (uint32_t i = 0; i < b->successor_count; i++)
        if (reaches_exit(graph, b->successors[i], avoided))
            return true;
    return false;
}

static bool post_dominates(const struct ptx_function *function, uint32_t above, uint32_t block)
{
    struct random_graph graph = {.function = function};
    return !reaches_exit(&graph, block, above);
}

static bool can_exit(const struct ptx_function *function, uint32_t block)
{
    struct random_graph graph = {.function = function};
    return reaches_exit(&graph, block, UINT32_MAX);
}

// The immediate one is the proper post-dominator that all the others post-dominate.
static uint32_t expected_post_dominator(const struct ptx_function *function, uint32_t block)
{
    for (uint32_t a = 0; a < function->block_count; a++) {
        bool is_immediate = a != block && post_dominates(function, a, block) && can_exit(function, a);
        for (uint32_t other = 0; is_immediate && other < function->block_count; other++)
            if (other != block && other != a && can_exit(function, other) && post_dominates(function, other, block))
                is_immediate = post_dominates(function, other, a);
        if (is_immediate)
            return a;
    }
    return UINT32_MAX;
}

START_TEST(post_dominators_of_random_graphs_fit_the_definition)
{
    unsigned seed = (unsigned)_i + 1;
    struct text body = {0};
    int blocks = 2 + (int)(seed % 14);
    for (int i = 0; i < blocks; i++) {
        text_printf(&body, "B%d: mov.u32 %%r1, %d;\n", i, i);
        unsigned kind = (seed = seed * 1103515245u + 12345u) >> 16 & 7;
        int target = (int)((seed = seed * 1103515245u + 12345u) >> 16) % blocks;
        if (kind < 4)
            text_printf(&body, "@%%p1 bra B%d;\n", target);
        else if (kind < 6)
            text_printf(&body, "bra B%d;\n", target);
        else if (kind == 6)
            text_puts(&body, "@%p1 ret;\n");
    }
    struct ptx_module *module = parse_shape(text_get(&body));
    const struct ptx_function *function = module->functions[1];
    for (uint32_t i = 0; i < function->block_count; i++) {
        uint32_t expected = can_exit(function, i) ? expected_post_dominator(function, i) : UINT32_MAX;
        ck_assert_msg(function->blocks[i].post_dominator == expected, "block %u: %d, not %d of\n%s", i,
                      (int)function->blocks[i].post_dominator, (int)expected, text_get(&body));
    }
    ptx_module_free(module);
    text_free(&body);
}
END_TEST

START_TEST(a_large_graph_takes_no_time)
{
    enum { BLOCKS = 100000 };
    struct text body = {0};
    for (int i = 0; i < BLOCKS; i++)
        text_printf(&body, "B%d: @%%p1 bra B%d;\n", i, (i * 7919 + 13) % BLOCKS);
    struct ptx_module *module = parse_shape(text_get(&body));
    ck_assert_uint_eq(module->functions[1]->block_count, BLOCKS + 1);
    ptx_module_free(module);
    text_free(&body);
}
END_TEST

// ---- outlines

static const struct {
    const char *name, *body, *left; // left: opcodes
} outlines[] = {
    {"sums that are stored go", "add.u32 %r2, %r1, 1;\nadd.u64 %rd2, %rd1, 4;\nst.global.u32 [%rd2], %r2;\nret;",
     "add st ret"},
    {"what a branch follows stays",
     "mov.u32 %r1, 9;\nL: mul.lo.u32 %r3, %r3, %r3;\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\n"
     "st.global.u32 [%rd1], %r3;\nret;",
     "mov sub setp bra st ret"},
    {"loads of global memory stay, those of shared memory go",
     "ld.global.u32 %r1, [%rd1];\nst.shared.u32 [%r4], %r1;\nbar.sync 0;\nld.shared.u32 %r2, [%r4];\n"
     "st.global.u32 [%rd1], %r2;\nret;",
     "ld bar.sync st ret"},
    {"unless a branch follows what is loaded",
     "ld.global.u32 %r1, [%rd1];\nst.shared.u32 [%r4], %r1;\nbar.sync 0;\nld.shared.u32 %r2, [%r4];\n"
     "setp.ne.u32 %p1, %r2, 0;\n@%p1 ret;\nst.global.u32 [%rd1], %r2;\nret;",
     "ld st bar.sync ld setp ret st ret"},
    {"copies stay, with their addresses",
     "shl.b32 %r2, %r1, 2;\nadd.u32 %r3, %r2, %r4;\ncp.async.ca.shared.global [%r3], [%rd1], 4;\n"
     "cp.async.commit_group;\ncp.async.wait_group 0;\nret;",
     "shl add cp.async cp.async.commit_group cp.async.wait_group ret"},
    {"a stored matrix keeps its stride, not its values",
     "shl.b32 %r1, %r2, 1;\nmul.f32 %f1, %f1, %f1;\n"
     "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, %r1;\nret;",
     "shl wmma.store ret"},
    {"carries stay", "add.cc.u32 %r1, %r1, %r2;\naddc.u32 %r3, %r4, 0;\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 ret;\nret;",
     "add addc setp ret ret"},
    {"a table of branches moves with its targets",
     "mul.lo.u32 %r2, %r2, %r2;\nT: .branchtargets A, B;\nbrx.idx %r1, T;\nA: mov.u32 %r3, 1;\nret;\nB: trap;",
     "brx.idx ret trap"},
};

START_TEST(an_outline_keeps_what_decides)
{
    struct text left = {0};
    struct arena *arena = arena_new();
    struct ptx_module *module = parse_shape(outlines[_i].body);
    const struct ptx_function *outline = ptx_outline(module->functions[1], arena);
    for (uint32_t i = 0; i < outline->inst_count; i++)
        text_printf(&left, "%s%s", i ? " " : "", ptx_opcode_name(outline->insts[i].op));
    ck_assert_msg(strcmp(text_get(&left), outlines[_i].left) == 0, "%s: %s", outlines[_i].name, text_get(&left));
    for (uint32_t i = 0; i < outline->operand_count; i++)
        if (outline->operands[i].kind == PTX_OPERAND_LABEL)
            ck_assert_uint_lt(outline->operands[i].value.target, outline->inst_count);
    ptx_module_free(module);
    arena_free(arena);
    text_free(&left);
}
END_TEST

static const struct {
    const char *name, *body;
    const char *deciding; // the opcodes whose results decide
    bool heeds;           // what comes from memory may be among them
} decisions[] = {
    {"a value that is stored decides nothing", "add.f32 %f1, %f1, %f2;\nst.global.f32 [%rd1], %f1;\nret;", "", false},
    {"nor does one that is loaded before",
     "mov.u32 %r1, 4;\nld.global.f32 %f1, [%rd1];\nst.shared.f32 [%r1], %f1;\nbar.sync 0;\n"
     "ld.shared.f32 %f2, [%r1];\nst.global.f32 [%rd1], %f2;\nret;",
     "mov", false},
    {"a loaded index does", "ld.global.u32 %r1, [%rd1];\nst.shared.f32 [%r1], %f1;\nret;", "ld", true},
    {"and one that an atomic gives", "atom.global.add.u32 %r1, [%rd1], 1;\nst.shared.f32 [%r1], %f1;\nret;", "atom",
     true},
    {"not one that nobody takes", "atom.global.add.u32 %r1, [%rd1], 1;\nret;", "", false},
    {"an address in shared memory does",
     "mul.lo.u32 %r1, %r1, 4;\nadd.f32 %f1, %f1, %f2;\nst.shared.f32 [%r1], %f1;\nret;", "mul", false},
    {"so does the value where an address is loaded",
     "add.u32 %r2, %r2, 1;\nst.shared.u32 [%r1], %r2;\nbar.sync 0;\nld.shared.u32 %r3, [%r1];\n"
     "ld.shared.u32 %r4, [%r3];\nret;",
     "add ld", true},
    {"and a sum that a branch follows",
     "add.f32 %f1, %f1, %f2;\nsetp.gt.f32 %p1, %f1, 0f00000000;\n@%p1 ret;\nmul.f32 %f3, %f2, %f2;\n"
     "st.global.f32 [%rd1], %f3;\nret;",
     "add setp", false},
    {"the sums of products do not, but where their operands lie",
     "add.u64 %rd1, %rd1, 2;\n"
     "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, 0;\n"
     "st.global.f32 [%rd3], %f1;\nret;",
     "add", false},
};

START_TEST(what_decides_is_told)
{
    struct text told = {0};
    struct ptx_module *module = parse_shape(decisions[_i].body);
    const struct ptx_function *function = module->functions[1];
    bool *decides = ptx_decides(function);
    for (uint32_t i = 0; i < function->inst_count; i++)
        if (decides[i])
            text_printf(&told, "%s%s", told.length ? " " : "", ptx_opcode_name(function->insts[i].op));
    ck_assert_msg(strcmp(text_get(&told), decisions[_i].deciding) == 0, "%s: %s", decisions[_i].name, text_get(&told));
    ck_assert_msg(ptx_heeds_memory(function) == decisions[_i].heeds, "%s", decisions[_i].name);
    free(decides);
    ptx_module_free(module);
    text_free(&told);
}
END_TEST

// ---- places of registers

static const struct sharing {
    const char *name, *body;
    const char *places; // of %r1, %r2 …: '0': its own; two with the same letter share
} sharings[] = {
    {"one after another", "mov.u32 %r1, 1; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; st.global.u32 [%rd1], %r3; ret;",
     "aba"},
    {"never its operand's", "mov.u32 %r1, 1; add.u32 %r2, %r1, 1; st.global.u32 [%rd1], %r2; ret;", "ab"},
    {"needed together",
     "mov.u32 %r1, 1; mov.u32 %r2, 2; add.u32 %r3, %r1, %r2; mov.u32 %r4, 3; add.u32 %r5, %r4, %r3; ret;", "abcba"},
    {"several at once", "ld.global.v2.u32 {%r1, %r2}, [%rd1]; mov.u32 %r3, 1; add.u32 %r4, %r1, %r3; ret;", "abbc"},
    {"guarded at first", "@%p1 mov.u32 %r1, 1; st.global.u32 [%rd1], %r1; ret;", "0"},
    {"guarded later", "mov.u32 %r1, 1; @%p1 mov.u32 %r1, 2; st.global.u32 [%rd1], %r1; ret;", "a"},
    {"read before it is written", "st.global.u32 [%rd1], %r1; mov.u32 %r1, 1; ret;", "0"},
    {"read by what writes it", "add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; ret;", "0"},
    {"needed in another block", "mov.u32 %r1, 1; @%p1 bra L; mov.u32 %r1, 2; L: st.global.u32 [%rd1], %r1; ret;", "0"},
    {"in a loop", "mov.u32 %r1, 0; L: mul.lo.u32 %r2, %r1, 3; add.u32 %r1, %r1, %r2; @%p1 bra L; ret;", "0a"},
    {"in two blocks, each its own", "mov.u32 %r1, 1; add.u32 %r2, %r1, 1; @%p1 bra L; mov.u32 %r3, 1; L: ret;", "aba"},
    {"read by other lanes",
     "mov.u32 %r1, 1; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; st.global.u32 [%rd1], %r2; mov.u32 %r3, 2; ret;", "00a"},
};

START_TEST(registers_share_a_place_when_no_lane_needs_both)
{
    const struct sharing *sharing = &sharings[_i];
    struct ptx_module *module = parse_shape(sharing->body);
    const struct ptx_function *function = module->functions[module->function_count - 1];
    uint32_t places[9] = {0}, seen[26] = {0};
    for (uint32_t i = 0; i < function->register_count; i++)
        if (strncmp(function->registers[i].name, "%r", 2) == 0 && function->registers[i].name[2] != 'd')
            places[atoi(function->registers[i].name + 2)] = function->registers[i].place;
    for (size_t i = 0; sharing->places[i]; i++) {
        char letter = sharing->places[i];
        uint32_t place = places[i + 1];
        ck_assert_msg((letter == '0') == (place == 0), "%s: %%r%zu", sharing->name, i + 1);
        ck_assert_uint_le(place, function->places32);
        for (int other = 0; other < 26 && place; other++)
            ck_assert_msg(!seen[other] || (seen[other] == place) == (other == letter - 'a'), "%s: %%r%zu",
                          sharing->name, i + 1);
        if (place)
            seen[letter - 'a'] = place;
    }
    ptx_module_free(module);
}
END_TEST

// Where lanes meet that part behind a block, as ptxas 13.0 has it (SASS).
static const struct {
    const char *name, *body;
    int block, meet;
} meetings[] = {
    {"a break in one arm",
     "L: @%p1 bra A;\n@%p2 bra OUT;\nmov.u32 %r1, 1; bra T;\nA: mov.u32 %r1, 2;\nT: mov.u32 %r1, 3;\n@%p3 bra L;\n"
     "OUT: ret;",
     0, 4},
    {"a return in one arm",
     "@%p1 bra A;\n@%p2 bra OUT;\nmov.u32 %r1, 1; bra T;\nA: mov.u32 %r1, 2;\nT: mov.u32 %r1, 3;\nOUT: ret;", 0, 4},
    {"those that return there",
     "@%p1 bra A;\n@%p2 bra OUT;\nmov.u32 %r1, 1; bra T;\nA: mov.u32 %r1, 2;\nT: mov.u32 %r1, 3;\nOUT: ret;", 1, X},
    {"a guarded return in one arm", "@%p1 bra A;\n@%p2 ret;\nmov.u32 %r1, 1;\nA: mov.u32 %r1, 2;\nret;", 0, 3},
    {"the end of a loop that others leave",
     "L: @%p1 bra OUT;\nmov.u32 %r1, 1;\n@%p2 bra L;\nmov.u32 %r1, 5;\nOUT: mov.u32 %r1, 6; ret;", 1, 2},
    {"ways out of one loop and of two",
     "O: mov.u32 %r1, 0;\nI: @%p1 bra A;\n@%p2 bra N;\n@%p3 bra OUT;\nbra T;\nA: mov.u32 %r1, 1;\nT: @%p4 bra I;\n"
     "N: @%p5 bra O;\nOUT: mov.u32 %r1, 2; ret;",
     1, 7},
    {"a way out of one loop, and a return",
     "O: mov.u32 %r1, 0;\nI: @%p1 bra A;\n@%p2 bra N;\n@%p3 bra OUT;\nbra T;\nA: mov.u32 %r1, 1;\nT: @%p4 bra I;\n"
     "N: @%p5 bra O;\nOUT: ret;",
     1, 6},
    {"ways out of a loop for two places that lead out of the next",
     "O: mov.u32 %r1, 0;\nI: @%p1 bra A;\n@%p2 bra N;\n@%p3 bra M;\nbra T;\nA: mov.u32 %r1, 1;\nT: @%p4 bra I;\n"
     "N: mov.u32 %r1, 2; bra U;\nM: @%p6 bra OUT;\nU: @%p5 bra O;\nOUT: mov.u32 %r1, 3; ret;",
     1, 9},
    {"a way back before the only way out",
     "L: @%p1 bra A;\n@%p2 bra OUT;\nbra L;\nA: mov.u32 %r1, 1;\nbra L;\nOUT: mov.u32 %r1, 2; ret;", 0, 1},
    {"ways back behind two ways out",
     "L: @%p1 bra A;\n@%p2 bra OUT;\nbra L;\nA: @%p3 bra OUT;\nbra L;\nOUT: mov.u32 %r1, 2; ret;", 0, 0},
    {"a && b || c, then",
     "@%p1 bra E;\n@%p2 bra T;\nE: mov.u32 %r1, 1;\n@%p3 bra T;\nmov.u32 %r1, 2;\n"
     "bra OUT;\nT: mov.u32 %r1, 3;\nOUT: mov.u32 %r1, 4; ret;",
     0, 4},
    {"(a || b) && c, else",
     "@%p1 bra E;\n@%p2 bra F;\nE: mov.u32 %r1, 1;\n@%p3 bra F;\nmov.u32 %r1, 2;\nbra OUT;\n"
     "F: mov.u32 %r1, 3;\nOUT: mov.u32 %r1, 4; ret;",
     0, 4},
    {"a place that others come to by another way",
     "@%p1 bra A;\n@%p2 bra X;\nmov.u32 %r1, 1; bra Y;\nA: @%p3 bra Y;\nX: mov.u32 %r1, 2;\nY: mov.u32 %r1, 3; ret;", 3,
     5},
    {"two ways out of one loop",
     "L: @%p1 bra A;\n@%p2 bra N;\n@%p3 bra OUT;\nbra T;\nA: mov.u32 %r1, 1;\nT: @%p4 bra L;\n"
     "N: mov.u32 %r1, 2;\nOUT: ret;",
     0, 5},
    {"nothing in common but the end", "@%p1 bra A;\nmov.u32 %r1, 1; ret;\nA: mov.u32 %r1, 2; ret;", 0, X},
};

START_TEST(lanes_meet_as_ptxas_lets_them)
{
    struct ptx_module *module = parse_shape(meetings[_i].body);
    const struct ptx_function *function;
    struct diagnostic diagnostic;
    ck_assert_int_eq(ptx_find_entry(module, NULL, &function, &diagnostic), STATUS_OK);
    ck_assert_msg((int)function->blocks[meetings[_i].block].meet == meetings[_i].meet, "%s: %d", meetings[_i].name,
                  (int)function->blocks[meetings[_i].block].meet);
    ptx_module_free(module);
}
END_TEST

Suite *suite_ptx_cfg(void)
{
    Suite *suite = suite_create("ptx_cfg");
    TCase *cases = tcase_create("graphs");
    tcase_add_loop_test(cases, post_dominators_of_a_shape, 0, sizeof shapes / sizeof *shapes);
    tcase_add_test(cases, successors_are_the_target_then_the_next_block);
    tcase_add_loop_test(cases, post_dominators_of_random_graphs_fit_the_definition, 0, 100);
    tcase_add_loop_test(cases, lanes_meet_as_ptxas_lets_them, 0, sizeof meetings / sizeof *meetings);
    tcase_add_test(cases, a_large_graph_takes_no_time);
    tcase_add_loop_test(cases, an_outline_keeps_what_decides, 0, sizeof outlines / sizeof *outlines);
    tcase_add_loop_test(cases, what_decides_is_told, 0, sizeof decisions / sizeof *decisions);
    tcase_add_loop_test(cases, registers_share_a_place_when_no_lane_needs_both, 0, sizeof sharings / sizeof *sharings);
    suite_add_tcase(suite, cases);
    return suite;
}
