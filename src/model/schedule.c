// Puts the steps of a warp into the order that ptxas would choose: loads early, their uses late.
#include "model/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

enum { SEGMENT = 1024, NOBODY = SEGMENT, EDGES = 48, LEAST_ROOM = 4 };

// Latencies that ptxas may assume, in cycles: what matters is their order.
static const uint16_t latency[REPLAY_KINDS] = {
    [REPLAY_FREE] = 1,           [REPLAY_INT] = 5,          [REPLAY_FP32] = 5,          [REPLAY_FP64] = 8,
    [REPLAY_SPECIAL] = 20,       [REPLAY_TENSOR] = 20,      [REPLAY_CONTROL] = 1,       [REPLAY_SHUFFLE] = 20,
    [REPLAY_CONSTANT] = 30,      [REPLAY_SHARED_LOAD] = 30, [REPLAY_SHARED_STORE] = 1,  [REPLAY_SHARED_ATOMIC] = 30,
    [REPLAY_GLOBAL_LOAD] = 300,  [REPLAY_GLOBAL_STORE] = 1, [REPLAY_GLOBAL_ATOMIC] = 1, [REPLAY_COPY] = 1,
    [REPLAY_COMMIT] = 1,         [REPLAY_WAIT] = 1,         [REPLAY_BARRIER] = 1,       [REPLAY_PRODUCT] = 1,
    [REPLAY_PRODUCT_COMMIT] = 1, [REPLAY_PRODUCT_WAIT] = 1, [REPLAY_BULK] = 1,          [REPLAY_BULK_COMMIT] = 1,
    [REPLAY_BULK_WAIT] = 1,      [REPLAY_ARRIVE] = 1,       [REPLAY_AWAIT] = 1,
};

struct schedule_node {
    uint16_t after[EDGES]; // must come first
    uint8_t after_count;
    bool after_all;                       // more than fit in: everything in front of it must come first
    uint16_t next_reader[REPLAY_SOURCES]; // by source: who read its register before, since that was written
    uint16_t next_load;                   // who loaded before, since the last store
    uint32_t priority;
    uint32_t readers; // of its results, that have not been placed
    uint16_t words;   // of its results, for which a register is taken until they are read
    bool loads;       // them from memory
    bool done;
};

struct scheduler {
    const struct replay_inst *insts;
    size_t window;
    struct schedule_registers registers;
    uint32_t room,
        load_room;         // words that this segment may have in registers beside what it finds there: all, and loaded
    int64_t held, loading; // that it has, of what is placed
    struct schedule_node nodes[SEGMENT];
    struct replay_step out[SEGMENT];
    struct map known; // by the instructions of a segment: where in `orders` theirs begins
    uint32_t key[SEGMENT];
    uint16_t source_of[SEGMENT][REPLAY_SOURCES];  // who wrote it in this segment, or NOBODY
    uint32_t found_readers[REPLAY_MAX_REGISTERS]; // of what the segment finds there, that have not been placed
    bool replaced[REPLAY_MAX_REGISTERS];          // and later is overwritten
    uint16_t *orders;
    size_t order_count, order_capacity;
    uint16_t writer[REPLAY_MAX_REGISTERS], reader[REPLAY_MAX_REGISTERS]; // the last one of this segment
    uint32_t written[REPLAY_MAX_REGISTERS], read[REPLAY_MAX_REGISTERS];  // the segment in which that is true
    uint32_t segment;                                                    // numbered from 1
};

static bool is_fence(enum replay_kind kind)
{
    return kind >= REPLAY_COPY; // copies, products, their groups and barriers
}

static bool is_barrier(const struct replay_inst *inst, const struct replay_step *step)
{
    return inst->kind == REPLAY_BARRIER && !step->first;
}

static void add_edge(struct schedule_node *node, uint16_t first)
{
    if (node->after_count && node->after[node->after_count - 1] == first)
        return;
    if (node->after_count < EDGES)
        node->after[node->after_count++] = first;
    else
        node->after_all = true;
}

static bool is_space(enum replay_kind kind, bool shared, bool store)
{
    if (kind == (shared ? REPLAY_SHARED_ATOMIC : REPLAY_GLOBAL_ATOMIC))
        return store;
    return shared ? kind == (store ? REPLAY_SHARED_STORE : REPLAY_SHARED_LOAD)
                  : kind == (store ? REPLAY_GLOBAL_STORE : REPLAY_GLOBAL_LOAD);
}

// Edges through registers: from who wrote what is read or written here, and from all who read what is overwritten.
static void link_registers(struct scheduler *s, const struct replay_step *steps, struct schedule_node *node,
                           const struct replay_inst *inst)
{
    for (uint32_t k = 0; k < inst->source_count; k++)
        if (s->written[inst->sources[k]] == s->segment)
            add_edge(node, s->writer[inst->sources[k]]);
    for (uint32_t k = 0; k < inst->result_count; k++) {
        uint16_t reg = inst->results[k];
        if (s->written[reg] == s->segment)
            add_edge(node, s->writer[reg]);
        uint16_t reader = s->read[reg] == s->segment ? s->reader[reg] : NOBODY;
        while (reader != NOBODY) {
            const struct replay_inst *other = &s->insts[steps[reader].inst];
            uint32_t source = 0;
            while (other->sources[source] != reg)
                source++;
            add_edge(node, reader);
            reader = s->nodes[reader].next_reader[source];
        }
    }
}

static void note_registers(struct scheduler *s, const struct replay_inst *inst, uint16_t index)
{
    for (uint32_t k = 0; k < inst->source_count; k++) {
        uint16_t reg = inst->sources[k];
        uint16_t before = s->read[reg] == s->segment ? s->reader[reg] : NOBODY;
        if (before == index)
            continue; // the same register twice
        s->nodes[index].next_reader[k] = before;
        s->reader[reg] = index;
        s->read[reg] = s->segment;
    }
    for (uint32_t k = 0; k < inst->result_count; k++) {
        s->writer[inst->results[k]] = index;
        s->written[inst->results[k]] = s->segment;
        s->read[inst->results[k]] = 0;
    }
}

static bool reads_load(const struct scheduler *s, const struct replay_step *steps, const struct replay_inst *inst)
{
    for (uint32_t k = 0; k < inst->source_count; k++)
        if (s->written[inst->sources[k]] == s->segment &&
            s->insts[steps[s->writer[inst->sources[k]]].inst].kind == REPLAY_GLOBAL_LOAD)
            return true;
    return false;
}

// Edges to what must stay in front: through registers, through memory, stores after branches. What nobody writes while
// the kernel runs may be loaded before any store and before a barrier, and so may be computed what that needs.
static void link_segment(struct scheduler *s, const struct replay_step *steps, size_t count)
{
    uint16_t last_store[2] = {NOBODY, NOBODY}, last_load[2] = {NOBODY, NOBODY}, last_control = NOBODY,
             last_barrier = NOBODY;
    s->segment++;
    for (size_t i = 0; i < count; i++) {
        const struct replay_inst *inst = &s->insts[steps[i].inst];
        struct schedule_node *node = &s->nodes[i];
        *node = (struct schedule_node){0};
        link_registers(s, steps, node, inst);
        for (int shared = 0; shared < 2; shared++) {
            bool fence = inst->kind == REPLAY_BARRIER;
            bool load = is_space(inst->kind, shared, false) && !inst->readonly;
            bool store = is_space(inst->kind, shared, true) || fence;
            if ((load || store) && last_store[shared] != NOBODY)
                add_edge(node, last_store[shared]);
            for (uint16_t reader = last_load[shared]; store && reader != NOBODY; reader = s->nodes[reader].next_load)
                add_edge(node, reader);
            if (load) {
                node->next_load = last_load[shared];
                last_load[shared] = (uint16_t)i;
            }
            if (store) {
                last_store[shared] = (uint16_t)i;
                last_load[shared] = NOBODY;
            }
        }
        if (last_barrier != NOBODY && reads_load(s, steps, inst))
            add_edge(node, last_barrier);
        if (inst->kind == REPLAY_BARRIER) {
            node->after_all = true;
            last_barrier = (uint16_t)i;
        }
        bool pinned = inst->kind == REPLAY_CONTROL || inst->kind == REPLAY_SHUFFLE ||
                      is_space(inst->kind, true, true) || is_space(inst->kind, false, true);
        if (pinned && last_control != NOBODY)
            add_edge(node, last_control);
        if (inst->kind == REPLAY_CONTROL || inst->kind == REPLAY_SHUFFLE || inst->kind == REPLAY_BARRIER)
            last_control = (uint16_t)i;
        note_registers(s, inst, (uint16_t)i);
    }
}

// Whoever is guarded by a comparison waits for it longer than for an operand.
static uint32_t latency_of(const struct replay_inst *inst)
{
    enum { GUARD = 9 };
    return latency[inst->kind] + (inst->compares ? (uint32_t)GUARD : 0);
}

static void rank(struct scheduler *s, const struct replay_step *steps, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        struct schedule_node *node = &s->nodes[i];
        node->priority += latency_of(&s->insts[steps[i].inst]);
        for (uint32_t k = 0; k < node->after_count; k++)
            if (s->nodes[node->after[k]].priority < node->priority)
                s->nodes[node->after[k]].priority = node->priority;
        for (size_t k = 0; k < i && s->insts[steps[i].inst].kind == REPLAY_BARRIER; k++)
            if (s->nodes[k].priority < node->priority)
                s->nodes[k].priority = node->priority;
    }
}

static uint32_t held_words(const struct scheduler *s, const uint16_t *registers, uint32_t count)
{
    uint32_t words = 0;
    for (uint32_t k = 0; k < count; k++)
        words += s->registers.words[registers[k]];
    return words;
}

// Whether the step names the source's value for the first time.
static bool is_new_source(const struct scheduler *s, const struct replay_inst *inst, size_t at, uint32_t source)
{
    for (uint32_t k = 0; k < source; k++)
        if (s->source_of[at][k] == s->source_of[at][source] &&
            (s->source_of[at][k] != NOBODY || inst->sources[k] == inst->sources[source]))
            return false;
    return true;
}

// A part of a thread's registers at least, however much is taken.
static uint32_t room_beside(const struct scheduler *s, uint32_t taken)
{
    uint32_t most = s->registers.most, least = most / LEAST_ROOM;
    return !most ? UINT32_MAX : most > taken + least ? most - taken : least;
}

// What the segment finds in registers stays there until it has been read for the last time before it is overwritten.
// The others may hold what is loaded and computed; a few of what is computed come to be in place of others.
static void find_room(struct scheduler *s, const struct replay_step *steps, size_t count)
{
    enum { KEPT = 6, IN_PLACE = 6 };
    uint32_t taken = 0;
    s->segment++; // of `read`: seen; of `written`: written
    for (size_t i = 0; i < count; i++) {
        const struct replay_inst *inst = &s->insts[steps[i].inst];
        struct schedule_node *node = &s->nodes[i];
        for (uint32_t k = 0; k < inst->source_count; k++) {
            uint16_t reg = inst->sources[k];
            bool is_known = s->written[reg] == s->segment;
            s->source_of[i][k] = is_known ? s->writer[reg] : NOBODY;
            if (!is_known && s->read[reg] != s->segment) {
                taken += s->registers.words[reg];
                s->found_readers[reg] = 0;
                s->replaced[reg] = false;
            }
            s->read[reg] = s->segment;
            if (is_known && is_new_source(s, inst, i, k))
                s->nodes[s->writer[reg]].readers++;
            else if (is_new_source(s, inst, i, k))
                s->found_readers[reg]++;
        }
        for (uint32_t k = 0; k < inst->result_count; k++) {
            uint16_t reg = inst->results[k];
            s->replaced[reg] = true;
            s->written[reg] = s->segment;
            s->writer[reg] = (uint16_t)i;
        }
        node->loads = !inst->rides && (inst->kind == REPLAY_GLOBAL_LOAD || inst->kind == REPLAY_SHARED_LOAD);
        node->words = (uint16_t)(!inst->rides ? held_words(s, inst->results, inst->result_count) : 0);
    }
    s->load_room = room_beside(s, taken + KEPT);
    s->room = room_beside(s, taken > IN_PLACE ? taken - IN_PLACE : 0);
    s->held = s->loading = 0;
}

// Words of the step's sources that nobody else will read.
static uint32_t freed_words(const struct scheduler *s, const struct replay_step *steps, size_t at)
{
    const struct replay_inst *inst = &s->insts[steps[at].inst];
    uint32_t words = 0;
    for (uint32_t k = 0; k < inst->source_count; k++) {
        uint16_t writer = s->source_of[at][k], reg = inst->sources[k];
        if (!is_new_source(s, inst, at, k))
            continue;
        if (writer != NOBODY)
            words += s->nodes[writer].readers == 1 ? s->nodes[writer].words : 0;
        else if (s->replaced[reg] && s->found_readers[reg] == 1)
            words += s->registers.words[reg];
    }
    return words;
}

static void place(struct scheduler *s, const struct replay_step *steps, size_t at)
{
    const struct replay_inst *inst = &s->insts[steps[at].inst];
    struct schedule_node *node = &s->nodes[at];
    node->done = true;
    s->held += (int64_t)node->words - freed_words(s, steps, at);
    s->loading += node->loads ? node->words : 0;
    for (uint32_t k = 0; k < inst->source_count; k++) {
        uint16_t writer = s->source_of[at][k];
        if (!is_new_source(s, inst, at, k))
            continue;
        if (writer == NOBODY)
            s->found_readers[inst->sources[k]]--;
        else if (--s->nodes[writer].readers == 0 && s->nodes[writer].loads)
            s->loading -= s->nodes[writer].words;
    }
}

// Whether registers hold what is under way and this as well.
static bool fits(const struct scheduler *s, const struct replay_step *steps, size_t at)
{
    const struct schedule_node *node = &s->nodes[at];
    if (!node->words)
        return true;
    if (node->loads && s->loading + node->words > (int64_t)s->load_room)
        return false;
    uint32_t freed = freed_words(s, steps, at);
    return node->words <= freed || s->held + node->words - freed <= (int64_t)s->room;
}

static bool is_ready(const struct scheduler *s, const struct schedule_node *node)
{
    for (uint32_t k = 0; k < node->after_count; k++)
        if (!s->nodes[node->after[k]].done)
            return false;
    return !node->after_all; // then it goes when it is the first that is left
}

static void find_order(struct scheduler *s, const struct replay_step *steps, size_t count)
{
    size_t first = 0;
    link_segment(s, steps, count);
    rank(s, steps, count);
    find_room(s, steps, count);
    for (size_t placed = 0; placed < count; placed++) {
        while (s->nodes[first].done)
            first++;
        size_t best = first;
        for (size_t i = first + 1; i < count && i < first + s->window; i++)
            if (!s->nodes[i].done && s->nodes[i].priority > s->nodes[best].priority && is_ready(s, &s->nodes[i]) &&
                fits(s, steps, i))
                best = i;
        place(s, steps, best);
        *mem_append(s->orders, s->order_capacity, s->order_count) = (uint16_t)best;
    }
}

static void schedule_segment(struct scheduler *s, struct replay_step *steps, size_t count)
{
    bool fresh;
    for (size_t i = 0; i < count; i++)
        s->key[i] = steps[i].inst;
    size_t *order = map_add_bytes(&s->known, s->key, count * sizeof *s->key, &fresh);
    if (fresh) {
        *order = s->order_count;
        find_order(s, steps, count);
    }
    for (size_t i = 0; i < count; i++)
        s->out[i] = steps[s->orders[*order + i]];
    memcpy(steps, s->out, count * sizeof *steps);
}

struct scheduler *scheduler_new(const struct replay_inst *insts, size_t window,
                                const struct schedule_registers *registers)
{
    struct scheduler *s = mem_alloc(sizeof *s);
    s->insts = insts;
    s->window = window;
    s->registers = *registers;
    s->known = map_of(size_t);
    return s;
}

void scheduler_free(struct scheduler *s)
{
    if (!s)
        return;
    map_free(&s->known);
    free(s->orders);
    free(s);
}

// From `end` on nothing moves up: a fence; or a barrier behind which there is nothing that could pass it, or that
// stands behind a branch, since ptxas moves loads within basic blocks.
static size_t end_of_segment(const struct scheduler *s, const struct replay_step *steps, size_t start, size_t count)
{
    size_t end = start, barrier = NOBODY;
    bool branches = false;
    if (count - start > SEGMENT)
        count = start + SEGMENT;
    for (; end < count; end++) {
        const struct replay_inst *inst = &s->insts[steps[end].inst];
        bool passes = is_barrier(inst, &steps[end]) && !branches;
        branches |= inst->kind == REPLAY_CONTROL;
        if (inst->wall || (is_fence(inst->kind) && !passes))
            break;
        if (passes && barrier == NOBODY)
            barrier = end - start;
        if (inst->readonly)
            barrier = NOBODY;
    }
    return barrier == NOBODY ? end : start + barrier;
}

void schedule_steps(struct scheduler *s, struct replay_step *steps, size_t count)
{
    for (size_t start = 0; start < count && s->window > 1;) {
        size_t end = end_of_segment(s, steps, start, count);
        if (end - start > 1)
            schedule_segment(s, steps + start, end - start);
        start = end + (end - start < SEGMENT ? 1 : 0);
    }
}
