// Accesses of different blocks to one place in global memory, where blocks hand over nothing while they run: any two of
// them, one of which writes, race. Where they do, handover.c compares them.
//
// Blocks run on several host threads in an order that nobody may depend on, so nothing is decided while they run:
// each place keeps the two lowest blocks of each class (readers, writers, strong writers), which is the same
// whatever the order, and pairs are looked for when all blocks have ended.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "hazard/pages.h"

struct cross_table {
    struct cross_pages *pages;
};

struct cross_table *cross_new(uint32_t shift)
{
    struct cross_table *table = mem_alloc(sizeof *table);
    table->pages = cross_pages_new(shift);
    return table;
}

void cross_free(struct cross_table *table)
{
    if (!table)
        return;
    cross_pages_free(table->pages);
    free(table);
}

// ---- while blocks run

// What the block itself wrote is read as if nobody had written it.
static void check_path(struct hazard_state *state, const struct sim_access *access)
{
    struct cross_mark write;
    uint32_t lane;
    if (!cross_pages_wrote(state->cross->pages, access, &lane, &write))
        return;
    struct sim_spread spread;
    struct finding finding = {.kind = HAZARD_READ_ONLY,
                              .pc = access->pc,
                              .other_pc = write.pc,
                              .space = PTX_GLOBAL,
                              .block = state->block->linear,
                              .other_block = state->block->linear,
                              .thread = access->warp * SIM_LANES + lane,
                              .other_thread = write.thread,
                              .address = sim_access_spread(access, &spread)->addresses[lane],
                              .count = 1};
    finding_add(state->findings, &finding);
}

// For whom the access is strong: an atomic whose scope is a block is none for other blocks, nor one of the cluster's
// for other clusters. SIM_SCOPE_CTA: for no other block.
static enum sim_scope strong_scope(const struct sim_access *access)
{
    bool is_atomic = access->kind == SIM_ATOMIC || access->kind == SIM_REDUCE;
    if (!is_atomic && access->order == SIM_WEAK)
        return SIM_SCOPE_CTA;
    return access->scope > SIM_SCOPE_GPU ? SIM_SCOPE_GPU : scope_of_blocks(access->block, access->scope);
}

void cross_access(struct hazard_state *state, const struct sim_access *access)
{
    if (access->space != PTX_GLOBAL)
        return;
    enum cross_class class = CROSS_WRITE;
    enum sim_scope scope = strong_scope(access);
    if (access->kind == SIM_LOAD)
        class = CROSS_READ;
    else if (scope > SIM_SCOPE_CTA)
        class = CROSS_STRONG;
    if (state->handover) {
        handover_access(state, access, class, scope);
        return;
    }
    if (access->kind == SIM_LOAD && hazard_reads_only(state->checker, access->pc))
        check_path(state, access);
    cross_pages_touch(state->cross->pages, class, access, scope > SIM_SCOPE_CTA);
}

// ---- when all have ended

void cross_merge(struct cross_table *into, struct cross_table *from)
{
    cross_pages_merge(into->pages, from->pages);
}

struct cross_reporter {
    const struct hazard_checker *checker;
    struct finding_set *findings;
};

static void report_meeting(struct cross_reporter *reporter, uint64_t address, const struct cross_mark *a,
                           const struct cross_mark *b, bool both_write)
{
    struct finding finding = {.kind = HAZARD_BLOCK_RACE,
                              .pc = a->pc,
                              .other_pc = b->pc,
                              .several_blocks = true,
                              .space = PTX_GLOBAL,
                              .block = a->block - 1,
                              .other_block = b->block - 1,
                              .thread = a->thread,
                              .other_thread = b->thread,
                              .address = address,
                              .count = 1};
    if (both_write && a->value == b->value)
        finding_same_value(reporter->checker, &finding);
    finding_add(reporter->findings, &finding);
}

static void report_pair(struct cross_reporter *reporter, uint64_t address, const struct cross_mark *a,
                        const struct cross_mark *b, bool both_write)
{
    if (!a || !b || a->block == b->block || (a->strong && b->strong))
        return;
    report_meeting(reporter, address, a, b, both_write);
}

static const struct cross_mark *other_block(const struct cross_cell *cell, enum cross_class class,
                                            const struct cross_mark *than)
{
    const struct cross_mark *first = cell->marks[class][0];
    return first && than && first->block == than->block ? cell->marks[class][1] : first;
}

// The reader's thread has written the same value before: it reads that, whoever comes first.
static bool reader_wrote_it(const struct cross_cell *cell, const struct cross_mark *write,
                            const struct cross_mark *read)
{
    bool own = false;
    for (int i = 0; i < 2 && write && read; i++) {
        const struct cross_mark *other = cell->marks[CROSS_WRITE][i];
        own |= other && other->block == read->block && other->thread == read->thread && other->value == write->value;
    }
    return own;
}

// Strong is not ordered: volatile data that one block stores, and of which another one makes what it stores, arrive by
// luck, as nothing here has a fence. What a loop waits for is a flag, what is compared may hold one, and what several
// blocks write is handed to nobody.
static bool is_unfenced_data(const struct hazard_checker *checker, const struct cross_cell *cell,
                             const struct cross_mark *read)
{
    const struct cross_mark *write = cell->marks[CROSS_STRONG][0];
    unsigned traits = read ? checker->values.traits[read->pc] & (VALUE_KEPT | VALUE_TESTED) : 0;
    return traits == VALUE_KEPT && !cell->marks[CROSS_STRONG][1] &&
           sim_program_inst(checker->program, write->pc, NULL)->op == PTX_OP_ST;
}

static void report_cell(void *context, const struct cross_cell *cell)
{
    struct cross_reporter *reporter = context;
    const struct cross_mark *write = cell->marks[CROSS_WRITE][0], *strong = cell->marks[CROSS_STRONG][0];
    if (write) {
        report_pair(reporter, cell->address, write, cell->marks[CROSS_WRITE][1], true);
        const struct cross_mark *read = other_block(cell, CROSS_READ, write);
        if (!reader_wrote_it(cell, write, read))
            report_pair(reporter, cell->address, write, read, false);
        report_pair(reporter, cell->address, write, other_block(cell, CROSS_STRONG, write), false);
    }
    const struct cross_mark *strong_read = strong ? other_block(cell, CROSS_READ, strong) : NULL;
    if (strong && is_unfenced_data(reporter->checker, cell, strong_read))
        report_meeting(reporter, cell->address, strong, strong_read, false);
    else if (strong)
        report_pair(reporter, cell->address, strong, strong_read, false);
}

void cross_report(const struct hazard_checker *checker, const struct cross_table *table, struct finding_set *findings)
{
    struct cross_reporter reporter = {checker, findings};
    cross_pages_visit(table->pages, report_cell, &reporter);
}

void cross_forget(struct cross_table *table, uint32_t shift)
{
    cross_pages_free(table->pages);
    table->pages = cross_pages_new(shift);
}
