// Keeps what reads of shared memory got, and gives it to those of a second run.
#include "record/passage.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "record/waits.h"

static const uint32_t GIVEN = 1u << 31;

enum {
    MAX_KEPT = 64 << 20 // bytes of one block
};

// A read that was kept; its bytes follow those of the read before.
struct passage_read {
    uint32_t pc, warp, bytes;
};

struct passage_block {
    struct passage_read *reads;
    unsigned char *bytes;
    size_t read_count, read_capacity, byte_count, byte_capacity;
    bool full, stores;
    unsigned char *sums; // by read: a sum of many inputs; NULL: none is known
    // of the second run
    size_t next_read, next_byte, next_copy;
    bool astray;            // it reads otherwise
    unsigned char *writers; // of each byte of shared memory: the most demanding kind that it is given back for
    uint32_t *owners;       // for PASSAGE_OTHERS the thread that wrote it, from 1; GIVEN: writers has its own value
};

struct passage {
    uint64_t first, count;
    struct passage_block *blocks;
    enum passage_kind kind;
    unsigned char *ahead; // of each copy to shared memory, in order
    size_t ahead_count;
};

struct passage *passage_new(uint64_t first, uint64_t count)
{
    struct passage *passage = mem_alloc(sizeof *passage);
    *passage = (struct passage){.first = first, .count = count, .blocks = mem_alloc(count * sizeof *passage->blocks)};
    return passage;
}

void passage_free(struct passage *passage)
{
    if (!passage)
        return;
    for (uint64_t i = 0; i < passage->count; i++) {
        free(passage->blocks[i].reads);
        free(passage->blocks[i].bytes);
        free(passage->blocks[i].writers);
        free(passage->blocks[i].owners);
        free(passage->blocks[i].sums);
    }
    free(passage->blocks);
    free(passage->ahead);
    free(passage);
}

bool passage_complete(const struct passage *passage)
{
    for (uint64_t i = 0; i < passage->count; i++)
        if (passage->blocks[i].full)
            return false;
    return true;
}

// Blocks are told apart by their entry, so the threads need no state of their own.
static void *passage_fork(void *context)
{
    return context;
}

static void passage_join(void *context, void *state, bool keep)
{
    (void)context, (void)state, (void)keep;
}

static struct passage_block *block_of(const struct passage *passage, const struct sim_block *block)
{
    uint64_t at = block->linear - passage->first;
    return block->linear >= passage->first && at < passage->count ? &passage->blocks[at] : NULL;
}

// The lanes and addresses at which the access reads shared memory. 0: it does not.
static uint32_t shared_reads(const struct sim_access *access, const uint64_t **addresses)
{
    bool copies = sim_is_copy(access->kind);
    *addresses = copies ? access->sources : access->addresses;
    if (copies)
        return access->source_space == PTX_SHARED ? access->source_mask : 0;
    bool only_writes = access->kind == SIM_STORE || access->kind == SIM_MATRIX_STORE;
    return access->space == PTX_SHARED && !only_writes ? access->mask : 0;
}

static bool reads_inside(const struct sim_access *access, uint32_t mask, const uint64_t *addresses)
{
    uint32_t size = access->block->shared_size;
    FOR_LANES (lane, mask)
        if (access->bytes > size || addresses[lane] > size - access->bytes)
            return false;
    return mask != 0;
}

// What a product of a warp group reads there, told as ldmatrix's reads are: rows of 16 bytes that belong to no lane.
static void tell_operands(const struct sim_group *group, void (*tell)(void *data, const struct sim_access *access),
                          void *data)
{
    enum { CHUNK = 16 };
    uint64_t addresses[SIM_LANES];
    for (int side = 0; side < 2 && group->kind == SIM_GROUP_PRODUCT; side++)
        for (uint32_t first = 0; first < group->counts[side]; first += SIM_LANES) {
            uint32_t left = group->counts[side] - first, count = left < SIM_LANES ? left : SIM_LANES;
            for (uint32_t i = 0; i < count; i++)
                addresses[i] = group->chunks[side][first + i];
            tell(data, &(struct sim_access){.block = group->block,
                                            .warp = group->warp,
                                            .pc = group->pc,
                                            .step = group->step,
                                            .mask = UINT32_MAX >> (SIM_LANES - count),
                                            .kind = SIM_MATRIX_LOAD,
                                            .space = PTX_SHARED,
                                            .bytes = CHUNK,
                                            .addresses = addresses,
                                            .times = 1});
        }
}

// A copy from shared memory to shared memory brings nothing: what it wrote was written by who wrote its source.
static bool moves_inside(const struct sim_access *access)
{
    return sim_is_copy(access->kind) && access->space == PTX_SHARED && access->source_space == PTX_SHARED &&
           access->source_mask;
}

// Most lanes have 4, 8 or 16 bytes: no call for those.
static inline void copy_lane(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    if (bytes == 4)
        memcpy(to, from, 4);
    else if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes == 16)
        memcpy(to, from, 16);
    else
        memcpy(to, from, bytes);
}

// ---- the first run

static void keeper_begin(void *data, const struct sim_block *block)
{
    struct passage_block *kept = block_of(data, block);
    if (kept) // it may be run again, in order
        kept->read_count = kept->byte_count = 0;
}

static void keeper_access(void *data, const struct sim_access *access)
{
    struct sim_spread spread;
    const uint64_t *addresses;
    struct passage_block *kept = block_of(data, access->block);
    access = sim_access_spread(access, &spread);
    uint32_t mask = shared_reads(access, &addresses);
    bool loads = access->kind == SIM_LOAD || access->kind == SIM_MATRIX_LOAD;
    if (kept && access->space == PTX_SHARED && access->mask && !sim_is_copy(access->kind) && !loads)
        kept->stores = true;
    if (!kept || kept->full || !reads_inside(access, mask, addresses))
        return;
    size_t size = (size_t)__builtin_popcount(mask) * access->bytes;
    kept->full = kept->byte_count + size > MAX_KEPT;
    if (kept->full)
        return;
    mem_reserve(&kept->bytes, &kept->byte_capacity, kept->byte_count + size);
    *mem_append(kept->reads, kept->read_capacity, kept->read_count) =
        (struct passage_read){access->pc, access->warp, (uint32_t)size};
    FOR_LANES (lane, mask) {
        copy_lane(kept->bytes + kept->byte_count, access->block->shared + addresses[lane], access->bytes);
        kept->byte_count += access->bytes;
    }
}

static void keeper_group(void *data, const struct sim_group *group)
{
    tell_operands(group, keeper_access, data);
}

struct sim_observer passage_keeper(struct passage *passage)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_GROUP,
                                 .context = passage,
                                 .fork = passage_fork,
                                 .join = passage_join,
                                 .block_begin = keeper_begin,
                                 .access = keeper_access,
                                 .group = keeper_group};
}

bool passage_has_stores(const struct passage *passage)
{
    bool has = false;
    for (uint64_t i = 0; i < passage->count; i++)
        has |= passage->blocks[i].stores;
    return has;
}

// Units of what was read, and those of them that came out the same.
struct likeness {
    uint64_t units, same;
};

// Words are the usual units, and there are millions.
static bool same_unit(const unsigned char *one, const unsigned char *other, uint32_t unit)
{
    uint32_t a, b;
    if (unit != sizeof a)
        return memcmp(one, other, unit) == 0;
    memcpy(&a, one, sizeof a);
    memcpy(&b, other, sizeof b);
    return a == b;
}

static struct likeness compare_units(const unsigned char *one, const unsigned char *other, uint32_t bytes,
                                     uint32_t unit)
{
    struct likeness likeness = {.units = bytes / unit};
    for (uint32_t at = 0; at + unit <= bytes; at += unit)
        likeness.same += same_unit(one + at, other + at, unit);
    return likeness;
}

// One input of sixteen was another: of a single one 15 units in 16 are the same, of a sum of six fewer than seven in
// ten.
static bool is_sum(const struct likeness *likeness)
{
    enum { SAME = 7, OF = 10 };
    return OF * likeness->same < SAME * likeness->units;
}

static bool reads_alike(const struct passage_block *one, const struct passage_block *other)
{
    bool alike = one->read_count == other->read_count && one->byte_count == other->byte_count;
    for (size_t i = 0; i < one->read_count && alike; i++)
        alike = one->reads[i].pc == other->reads[i].pc && one->reads[i].warp == other->reads[i].warp &&
                one->reads[i].bytes == other->reads[i].bytes;
    return alike;
}

// by_pc: of struct likeness, over all blocks. A read of one word by all lanes is the same or is not: what its
// instruction got everywhere else has its say.
static void find_sums_of(struct passage_block *kept, const struct passage_block *mixed, uint32_t unit,
                         struct map *by_pc, bool marks)
{
    size_t at = 0;
    if (!reads_alike(kept, mixed))
        return;
    for (size_t i = 0; i < kept->read_count; at += kept->reads[i++].bytes) {
        struct likeness here = compare_units(kept->bytes + at, mixed->bytes + at, kept->reads[i].bytes, unit);
        struct likeness *all = map_add(by_pc, kept->reads[i].pc + UINT64_C(1), NULL);
        if (marks) {
            kept->sums[i] = is_sum(all) && is_sum(&here);
        } else {
            all->units += here.units;
            all->same += here.same;
        }
    }
}

void passage_find_sums(struct passage *passage, const struct passage *mixed, uint32_t unit)
{
    struct map by_pc = map_of(struct likeness);
    for (uint64_t i = 0; i < passage->count; i++)
        find_sums_of(&passage->blocks[i], &mixed->blocks[i], unit, &by_pc, false);
    for (uint64_t i = 0; i < passage->count; i++) {
        struct passage_block *kept = &passage->blocks[i];
        free(kept->sums);
        kept->sums = mem_alloc(kept->read_count + 1);
        find_sums_of(kept, &mixed->blocks[i], unit, &by_pc, true);
    }
    map_free(&by_pc);
}

// ---- the second

static void giver_begin(void *data, const struct sim_block *block)
{
    struct passage *passage = data;
    struct passage_block *kept = block_of(passage, block);
    if (!kept)
        return;
    kept->next_read = kept->next_byte = kept->next_copy = 0;
    kept->astray = false;
    free(kept->writers);
    free(kept->owners);
    bool by_owner = passage->kind == PASSAGE_OTHERS;
    bool gives_all = passage->kind == PASSAGE_SHARED || passage->kind == PASSAGE_TILES;
    kept->writers = gives_all ? NULL : mem_alloc(block->shared_size + 1);
    kept->owners = by_owner ? mem_alloc((block->shared_size + 1) * sizeof *kept->owners) : NULL;
}

static uint32_t owner_of(const struct sim_access *access, uint32_t lane)
{
    return access->warp * WARP_LANES + lane + 1;
}

// To anyone but the owner. The word's own value is kept aside, for when the owner reads it, or a copy that hands it on.
static void give_to_others(struct passage_block *kept, const struct sim_access *access, uint32_t lane, uint64_t at,
                           unsigned char from)
{
    unsigned char *to = &access->block->shared[at];
    bool given = kept->owners[at] & GIVEN;
    bool is_own = access->kind != SIM_MATRIX_LOAD && (kept->owners[at] & ~GIVEN) == owner_of(access, lane);
    if (is_own || moves_inside(access)) {
        *to = given ? kept->writers[at] : *to;
        kept->owners[at] &= ~GIVEN;
        return;
    }
    kept->writers[at] = given ? kept->writers[at] : *to;
    kept->owners[at] |= GIVEN;
    *to = from;
}

// The bytes that a writer of `kind` wrote, or a more demanding one: eight at a time, as most are alike.
static void give_written(unsigned char *to, const unsigned char *writers, const unsigned char *from, uint32_t bytes,
                         enum passage_kind kind)
{
    const uint64_t tops = UINT64_C(0x8080808080808080), to_top = tops - (uint64_t)kind * (tops / 0x80);
    uint32_t i = 0;
    for (uint64_t eight; i + sizeof eight <= bytes; i += sizeof eight) {
        memcpy(&eight, writers + i, sizeof eight);
        if (((eight + to_top) & tops) == tops)
            memcpy(to + i, from + i, sizeof eight);
        else if (((eight + to_top) & tops) != 0)
            break;
    }
    for (; i < bytes; i++)
        to[i] = writers[i] >= kind ? from[i] : to[i];
}

static void give_back(const struct passage *passage, struct passage_block *kept, const struct sim_access *access,
                      uint32_t mask, const uint64_t *addresses)
{
    const unsigned char *from = kept->bytes + kept->next_byte;
    FOR_LANES (lane, mask) {
        unsigned char *to = access->block->shared + addresses[lane];
        if (!kept->writers)
            copy_lane(to, from, access->bytes);
        else if (!kept->owners)
            give_written(to, kept->writers + addresses[lane], from, access->bytes, passage->kind);
        for (uint32_t i = 0; kept->owners && i < access->bytes; i++)
            give_to_others(kept, access, lane, addresses[lane] + i, from[i]);
        from += access->bytes;
    }
}

static void move_owners(struct passage_block *kept, const struct sim_access *access, uint32_t lane)
{
    uint32_t *to = kept->owners + access->addresses[lane], *from = kept->owners + access->sources[lane];
    memmove(to, from, access->bytes * sizeof *to);
    for (uint32_t i = 0; i < access->bytes; i++)
        to[i] &= ~GIVEN;
}

static void note_owners(struct passage_block *kept, const struct sim_access *access)
{
    FOR_LANES (lane, access->mask)
        for (uint32_t i = 0; i < access->bytes && access->addresses[lane] + i < access->block->shared_size; i++)
            kept->owners[access->addresses[lane] + i] =
                access->kind == SIM_BULK_COPY || access->kind == SIM_MATRIX_STORE ? 0 : owner_of(access, lane);
}

// Of what is combined with another word, the less demanding of both is true.
static void move_writers(struct passage_block *kept, const struct sim_access *access, uint32_t lane)
{
    unsigned char *to = kept->writers + access->addresses[lane], *from = kept->writers + access->sources[lane];
    for (uint32_t i = 0; access->combines && i < access->bytes; i++)
        to[i] = to[i] < from[i] ? to[i] : from[i];
    if (!access->combines)
        memmove(to, from, access->bytes);
}

static void note_writer(const struct passage *passage, struct passage_block *kept, const struct sim_access *access)
{
    bool copies = sim_is_copy(access->kind) && access->mask;
    uint64_t size = access->block->shared_size;
    if (access->space != PTX_SHARED || access->kind == SIM_LOAD || access->kind == SIM_MATRIX_LOAD)
        return;
    bool is_ahead = copies && kept->next_copy < passage->ahead_count && passage->ahead[kept->next_copy];
    unsigned char kind = is_ahead ? PASSAGE_AHEAD : copies ? PASSAGE_COPIES : PASSAGE_SHARED;
    kept->next_copy += copies;
    if (moves_inside(access)) {
        FOR_LANES (lane, access->mask)
            if (access->addresses[lane] + access->bytes <= size && access->sources[lane] + access->bytes <= size)
                (kept->owners ? move_owners : move_writers)(kept, access, lane);
    } else if (kept->owners) {
        note_owners(kept, access);
    } else {
        FOR_LANES (lane, access->mask)
            if (access->addresses[lane] + access->bytes <= size)
                memset(kept->writers + access->addresses[lane], kind, access->bytes);
    }
}

static void giver_access(void *data, const struct sim_access *access)
{
    struct passage *passage = data;
    struct sim_spread spread;
    const uint64_t *addresses;
    struct passage_block *kept = block_of(passage, access->block);
    access = sim_access_spread(access, &spread);
    uint32_t mask = shared_reads(access, &addresses);
    if (kept && !kept->astray && reads_inside(access, mask, addresses)) {
        const struct passage_read *read = &kept->reads[kept->next_read];
        uint32_t size = (uint32_t)__builtin_popcount(mask) * access->bytes;
        kept->astray = kept->next_read == kept->read_count || read->pc != access->pc || read->warp != access->warp ||
                       read->bytes != size;
        bool is_sum = passage->kind == PASSAGE_TILES && kept->sums && !kept->astray && kept->sums[kept->next_read];
        if (is_sum) {
            kept->next_read++;
            kept->next_byte += size;
        } else if (!kept->astray) {
            give_back(passage, kept, access, mask, addresses);
            kept->next_read++;
            kept->next_byte += size;
        }
    }
    if (kept && kept->writers)
        note_writer(passage, kept, access);
}

static void giver_group(void *data, const struct sim_group *group)
{
    tell_operands(group, giver_access, data);
}

// ---- copies under way

// The recorded block: reads of shared memory before each access and at the end, by each warp and by all of them.
enum { ALL_WARPS = SIM_MAX_WARPS, READERS };
struct progress {
    uint32_t (*reads)[READERS];
    size_t count;
    struct map uses; // copies of each warp to each place
};

static bool is_shared_copy(const struct recorded_access *access)
{
    return access->space == PTX_SHARED && sim_is_copy(access->kind) && access->mask;
}

static uint32_t *uses_of(struct progress *progress, const struct recorded_access *copy)
{
    return map_add(&progress->uses, (uint64_t)copy->warp << 32 | (uint32_t)copy->addresses[lane_first(copy->mask)],
                   NULL);
}

static void note_work(uint32_t reads[READERS], uint32_t warp)
{
    reads[warp]++;
    reads[ALL_WARPS]++;
}

static struct progress follow(const struct recording *recording)
{
    struct progress progress = {.reads = mem_alloc((recording->count + 1) * sizeof *progress.reads),
                                .count = recording->count,
                                .uses = map_of(uint32_t)};
    size_t product = 0;
    for (size_t i = 0; i <= recording->count; i++) {
        for (; product < recording->product_count && recording->products[product].before <= i; product++)
            note_work(progress.reads[i], recording->products[product].warp);
        if (i == recording->count)
            break;
        const struct recorded_access *access = &recording->items[i];
        bool only_writes = access->kind == SIM_STORE || access->kind == SIM_MATRIX_STORE || sim_is_copy(access->kind);
        memcpy(progress.reads[i + 1], progress.reads[i], sizeof *progress.reads);
        if (access->space == PTX_SHARED && !only_writes)
            note_work(progress.reads[i + 1], access->warp);
        if (is_shared_copy(access))
            ++*uses_of(&progress, access);
    }
    return progress;
}

// What is done while the copy is under way, of the work between two copies to its place. 1: none was done before.
static double share_under_way(struct progress *progress, const struct recorded_access *copy, size_t issued)
{
    size_t end = progress->count;
    const uint32_t *all = progress->reads[end];
    bool is_bulk = copy->kind == SIM_BULK_COPY, works = all[copy->warp] > 0;
    uint32_t reader = works && !is_bulk ? copy->warp : ALL_WARPS, landed = works || is_bulk ? copy->lands : copy->told;
    size_t lands = landed < end ? landed : end;
    if (!works && !is_bulk)
        issued = copy->since;
    const uint32_t *before = progress->reads[issued];
    uint64_t during = progress->reads[lands > issued ? lands : issued][reader] - before[reader];
    return before[reader] == 0 ? 1 : (double)during * *uses_of(progress, copy) / (double)all[reader];
}

// Copies of a warp that are waited for at once.
struct awaited_together {
    double shares;
    size_t count;
};

static struct awaited_together *together(struct map *awaited, const struct recorded_access *copy)
{
    return map_add(awaited, (uint64_t)copy->warp << 48 | copy->lands, NULL);
}

static void mark_ahead(struct passage *passage, const struct recording *recording)
{
    struct progress progress = follow(recording);
    struct map awaited = map_of(struct awaited_together);
    double *shares = mem_alloc((recording->count + 1) * sizeof *shares);
    size_t capacity = 0;
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *copy = &recording->items[i];
        if (!is_shared_copy(copy))
            continue;
        shares[i] = share_under_way(&progress, copy, i);
        together(&awaited, copy)->shares += shares[i];
        together(&awaited, copy)->count++;
    }
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *copy = &recording->items[i];
        if (!is_shared_copy(copy))
            continue;
        const struct awaited_together *all = together(&awaited, copy);
        *mem_append(passage->ahead, capacity, passage->ahead_count) =
            waits_goes_ahead(shares[i], all->shares / (double)all->count);
    }
    free(shares);
    map_free(&awaited);
    map_free(&progress.uses);
    free(progress.reads);
}

struct sim_observer passage_giver(struct passage *passage, enum passage_kind kind, const struct recording *recording)
{
    passage->kind = kind;
    if (recording && !passage->ahead)
        mark_ahead(passage, recording);
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_GROUP,
                                 .context = passage,
                                 .fork = passage_fork,
                                 .join = passage_join,
                                 .block_begin = giver_begin,
                                 .access = giver_access,
                                 .group = giver_group};
}

// ---- two warps of one block

enum {
    GLANCE_KEPT = 32 << 20, // bytes of the first warp, and of the second: that serves where blocks are short
    GLANCE_SECOND = 4 << 20,
    UNIT = 4,           // bytes of shared memory that are told apart
    MOST_BYTES = 32,    // of one lane
    BY_COPY = 1u << 31, // beside the thread that wrote a unit, from 1; 0: nobody, or several at once
    CLASS_COPIES = 1,
    CLASS_OTHERS = 2,
    CLASS_BITS = 2,
    GLANCE_WANTS = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_GROUP | SIM_TAKES_SHAPES
};

struct kept_store {
    uint32_t pc, mask, bytes;
    size_t from; // in stored: of each lane its address and its value
};

// Lanes of one row or column read the same: whose address is that of the lane before, or half a warp before, is not
// kept.
struct kept_read {
    uint32_t pc, mask, bytes, before, half; // bytes: of a lane
};
enum { HALF = SIM_LANES / 2 };

struct kept_warp {
    struct kept_read *reads;
    struct kept_store *stores;
    unsigned char *bytes, *stored; // of reads: each lane's that is kept, in order
    uint16_t *classes;             // of each lane: what may be said of each of its units
    size_t read_count, read_capacity, byte_count, byte_capacity, class_count, class_capacity;
    size_t store_count, store_capacity, stored_count, stored_capacity;
    bool full;
};

struct overlay { // what a lane's place in shared memory held before it was given
    uint32_t at, bytes;
    unsigned char value[MOST_BYTES];
};

struct glance {
    uint32_t warps[GLANCE_WARPS];
    struct kept_warp kept[GLANCE_WARPS];
    uint32_t *writers; // of each unit of shared memory
    // of the second run
    int which;
    enum passage_kind kind;
    size_t next_read, next_byte, next_class, next_store;
    uint64_t same;
    bool astray;
    struct overlay *overlays;
    size_t overlay_count, overlay_capacity;
    uint32_t given_warp;
    uint64_t given_step; // of the instruction that overlays are for
};

struct glance *glance_new(void)
{
    return mem_alloc(sizeof(struct glance));
}

void glance_free(struct glance *glance)
{
    for (int i = 0; glance && i < GLANCE_WARPS; i++) {
        free(glance->kept[i].reads);
        free(glance->kept[i].stores);
        free(glance->kept[i].bytes);
        free(glance->kept[i].classes);
        free(glance->kept[i].stored);
    }
    free(glance ? glance->writers : NULL);
    free(glance ? glance->overlays : NULL);
    free(glance);
}

static void glance_begin(void *data, const struct sim_block *block)
{
    struct glance *glance = data;
    for (int i = 0; i < GLANCE_WARPS; i++) {
        struct kept_warp *kept = &glance->kept[i];
        kept->read_count = kept->byte_count = kept->class_count = kept->store_count = kept->stored_count = 0;
        kept->full = false;
    }
    free(glance->writers);
    glance->writers = mem_alloc((block->shared_size / UNIT + 1) * sizeof *glance->writers);
}

static uint16_t classify(const struct glance *glance, uint64_t address, uint32_t bytes, uint32_t reader)
{
    uint32_t classes = 0, shift = 0;
    for (uint64_t unit = address / UNIT; unit <= (address + bytes - 1) / UNIT; unit++, shift += CLASS_BITS) {
        uint32_t writer = glance->writers[unit];
        classes |= (uint32_t)((writer & BY_COPY ? CLASS_COPIES : 0) |
                              (!reader || (writer & ~BY_COPY) != reader ? CLASS_OTHERS : 0))
                   << shift;
    }
    return (uint16_t)classes;
}

static struct kept_read read_of(const struct sim_access *access, uint32_t mask, const uint64_t *addresses)
{
    struct kept_read read = {.pc = access->pc, .mask = mask, .bytes = access->bytes};
    for (uint32_t lane = 1; lane < SIM_LANES; lane++)
        read.before |= (uint32_t)(addresses[lane] == addresses[lane - 1]) << lane;
    for (uint32_t lane = HALF; lane < SIM_LANES; lane++)
        read.half |= (uint32_t)(addresses[lane] == addresses[lane - HALF]) << lane;
    read.before &= mask & mask << 1;
    read.half &= mask & mask << HALF & ~read.before;
    return read;
}

static void keep_read(const struct glance *glance, struct kept_warp *kept, const struct sim_access *access,
                      uint32_t mask, const uint64_t *addresses)
{
    struct kept_read read = read_of(access, mask, addresses);
    uint32_t again = read.before | read.half;
    size_t size = (size_t)__builtin_popcount(mask & ~again) * access->bytes;
    size_t room = kept == glance->kept ? GLANCE_KEPT : GLANCE_SECOND;
    kept->full |= kept->byte_count + size > room || access->bytes > MOST_BYTES;
    if (kept->full)
        return;
    mem_reserve(&kept->bytes, &kept->byte_capacity, kept->byte_count + size);
    mem_reserve(&kept->classes, &kept->class_capacity, kept->class_count + SIM_LANES);
    *mem_append(kept->reads, kept->read_capacity, kept->read_count) = read;
    FOR_LANES (lane, mask) {
        uint32_t reader = access->kind == SIM_MATRIX_LOAD ? 0 : owner_of(access, lane);
        kept->classes[kept->class_count++] = classify(glance, addresses[lane], access->bytes, reader);
        if (again >> lane & 1)
            continue;
        copy_lane(kept->bytes + kept->byte_count, access->block->shared + addresses[lane], access->bytes);
        kept->byte_count += access->bytes;
    }
}

static void keep_store(struct kept_warp *kept, const struct sim_access *access)
{
    size_t each = sizeof *access->addresses + access->bytes;
    kept->full |= kept->stored_count + SIM_LANES * each > GLANCE_KEPT;
    if (kept->full)
        return;
    *mem_append(kept->stores, kept->store_capacity, kept->store_count) =
        (struct kept_store){access->pc, access->mask, access->bytes, kept->stored_count};
    mem_reserve(&kept->stored, &kept->stored_capacity, kept->stored_count + SIM_LANES * each);
    FOR_LANES (lane, access->mask) {
        unsigned char *to = kept->stored + kept->stored_count;
        memcpy(to, &access->addresses[lane], sizeof *access->addresses);
        memcpy(to + sizeof *access->addresses, access->values + lane * access->value_stride, access->bytes);
        kept->stored_count += each;
    }
}

// What it takes with it is given to those who read it there.
static void move_units(struct glance *glance, const struct sim_access *access)
{
    uint32_t lane = lane_first(access->mask), units = (access->bytes + UNIT - 1) / UNIT;
    uint64_t to = access->addresses[lane] / UNIT, from = access->sources[lane] / UNIT;
    uint64_t most = access->block->shared_size / UNIT + 1;
    if (to + units > most || from + units > most)
        return;
    for (uint32_t i = 0; access->combines && i < units; i++)
        glance->writers[to + i] &= glance->writers[from + i] | ~BY_COPY;
    if (!access->combines)
        memmove(glance->writers + to, glance->writers + from, units * sizeof *glance->writers);
}

static void note_shared_write(struct glance *glance, const struct sim_access *access)
{
    bool has_owner = access->kind != SIM_BULK_COPY && access->kind != SIM_MATRIX_STORE;
    uint32_t by_copy = sim_is_copy(access->kind) ? BY_COPY : 0, size = access->block->shared_size;
    FOR_LANES (lane, access->mask)
        if (access->bytes <= size && access->addresses[lane] <= size - access->bytes)
            for (uint64_t unit = access->addresses[lane] / UNIT,
                          last = (access->addresses[lane] + access->bytes - 1) / UNIT;
                 unit <= last; unit++)
                glance->writers[unit] = (has_owner ? owner_of(access, lane) : 0) | by_copy;
}

static bool stores_globally(const struct sim_access *access)
{
    return access->space == PTX_GLOBAL && access->kind == SIM_STORE && access->mask && access->values;
}

static void glance_keep(void *data, const struct sim_access *access)
{
    struct glance *glance = data;
    struct sim_spread spread;
    const uint64_t *addresses;
    int which = 0;
    while (which < GLANCE_WARPS && glance->warps[which] != access->warp)
        which++;
    bool loads = access->kind == SIM_LOAD || access->kind == SIM_MATRIX_LOAD;
    bool writes = access->space == PTX_SHARED && !loads && access->bytes;
    if ((which == GLANCE_WARPS || glance->kept[which].full) && !writes)
        return;
    access = sim_access_spread(access, &spread);
    uint32_t mask = moves_inside(access) ? 0 : shared_reads(access, &addresses);
    if (which < GLANCE_WARPS && reads_inside(access, mask, addresses))
        keep_read(glance, &glance->kept[which], access, mask, addresses);
    if (writes && moves_inside(access))
        move_units(glance, access);
    else if (writes)
        note_shared_write(glance, access);
    else if (which < GLANCE_WARPS && stores_globally(access))
        keep_store(&glance->kept[which], access);
}

static void glance_keep_operands(void *data, const struct sim_group *group)
{
    tell_operands(group, glance_keep, data);
}

struct sim_observer glance_keeper(struct glance *glance, const uint32_t warps[GLANCE_WARPS])
{
    memcpy(glance->warps, warps, sizeof glance->warps);
    return (struct sim_observer){.wants = GLANCE_WANTS,
                                 .context = glance,
                                 .block_begin = glance_begin,
                                 .access = glance_keep,
                                 .group = glance_keep_operands};
}

// Shared memory holds what the second run put there, but for the one read that is given something else.
static void take_back(struct glance *glance, unsigned char *shared)
{
    while (glance->overlay_count > 0) {
        const struct overlay *overlay = &glance->overlays[--glance->overlay_count];
        copy_lane(shared + overlay->at, overlay->value, overlay->bytes);
    }
}

// The units of a lane's read that are of the wanted class.
static void give_lane(struct glance *glance, unsigned char *shared, uint32_t at, uint32_t bytes, uint32_t classes,
                      const unsigned char *from)
{
    static const uint32_t wanted[PASSAGE_KINDS] = {[PASSAGE_COPIES] = CLASS_COPIES, [PASSAGE_OTHERS] = CLASS_OTHERS};
    struct overlay *overlay = mem_append(glance->overlays, glance->overlay_capacity, glance->overlay_count);
    overlay->at = at;
    overlay->bytes = bytes;
    copy_lane(overlay->value, shared + at, bytes);
    if (wanted[glance->kind] == 0) {
        copy_lane(shared + at, from, bytes);
        return;
    }
    for (uint32_t i = 0; i < bytes;) {
        uint32_t part = UNIT - (at + i) % UNIT, unit = (at + i) / UNIT - at / UNIT;
        part = part < bytes - i ? part : bytes - i;
        if ((classes >> CLASS_BITS * unit & wanted[glance->kind]) == wanted[glance->kind])
            memcpy(shared + at + i, from + i, part);
        i += part;
    }
}

static uint32_t lane_like(const struct kept_read *read, uint32_t lane)
{
    return read->before >> lane & 1 ? lane - 1 : read->half >> lane & 1 ? lane - HALF : lane;
}

// To the lanes that read now, in order, what those that read then got; not twice to the same place.
static void give_read(struct glance *glance, const struct sim_access *access, uint32_t mask, const uint64_t *addresses)
{
    const struct kept_warp *kept = &glance->kept[glance->which];
    const struct kept_read *read = &kept->reads[glance->next_read];
    const unsigned char *from[SIM_LANES];
    glance->astray |= glance->next_read == kept->read_count || read->pc != access->pc || read->bytes != access->bytes ||
                      __builtin_popcount(read->mask) != __builtin_popcount(mask);
    if (glance->astray)
        return;
    const uint16_t *classes = kept->classes + glance->next_class, *given[SIM_LANES];
    uint32_t then = read->mask;
    glance->next_read++;
    glance->next_class += (size_t)__builtin_popcount(mask);
    FOR_LANES (lane, mask) {
        uint32_t source = lane_first(then), like = lane_like(read, source);
        then &= then - 1;
        given[source] = classes++;
        from[source] = like < source ? from[like] : kept->bytes + glance->next_byte;
        glance->next_byte += like < source ? 0 : access->bytes;
        bool is_again = like < source && mask == read->mask && addresses[like] == addresses[lane];
        if (!is_again || *given[like] != *given[source])
            give_lane(glance, access->block->shared, (uint32_t)addresses[lane], access->bytes, *given[source],
                      from[source]);
    }
}

static void compare_store(struct glance *glance, const struct sim_access *access)
{
    const struct kept_warp *kept = &glance->kept[glance->which];
    if (glance->next_store == kept->store_count)
        return;
    const struct kept_store *store = &kept->stores[glance->next_store++];
    if (store->pc != access->pc || store->mask != access->mask || store->bytes != access->bytes)
        return;
    const unsigned char *from = kept->stored + store->from;
    FOR_LANES (lane, access->mask) {
        bool same_place = memcmp(from, &access->addresses[lane], sizeof *access->addresses) == 0;
        from += sizeof *access->addresses;
        glance->same += same_place && memcmp(from, access->values + lane * access->value_stride, access->bytes) == 0;
        from += access->bytes;
    }
}

static void give_if_read(void *data, const struct sim_access *access)
{
    struct glance *glance = data;
    const uint64_t *addresses;
    uint32_t mask = moves_inside(access) ? 0 : shared_reads(access, &addresses);
    if (!glance->astray && reads_inside(access, mask, addresses))
        give_read(glance, access, mask, addresses);
}

static void glance_give(void *data, const struct sim_access *access)
{
    struct glance *glance = data;
    struct sim_spread spread;
    // wmma.load is told in several accesses, and then reads what all of them say.
    if (access->warp != glance->given_warp || access->step != glance->given_step)
        take_back(glance, access->block->shared);
    if (access->warp != glance->warps[glance->which])
        return;
    glance->given_warp = access->warp;
    glance->given_step = access->step;
    access = sim_access_spread(access, &spread);
    give_if_read(glance, access);
    if (stores_globally(access))
        compare_store(glance, access);
}

// All that the product reads, and only then the next.
static void glance_give_operands(void *data, const struct sim_group *group)
{
    struct glance *glance = data;
    take_back(glance, group->block->shared);
    if (group->warp == glance->warps[glance->which])
        tell_operands(group, give_if_read, glance);
}

struct sim_observer glance_giver(struct glance *glance, int which, enum passage_kind kind)
{
    glance->which = which;
    glance->kind = kind;
    glance->next_read = glance->next_byte = glance->next_class = glance->next_store = glance->overlay_count = 0;
    glance->same = 0;
    glance->astray = false;
    return (struct sim_observer){
        .wants = GLANCE_WANTS, .context = glance, .access = glance_give, .group = glance_give_operands};
}

bool glance_take(const struct glance *glance, int which, struct glance_tally *tally)
{
    const struct kept_warp *kept = &glance->kept[which];
    *tally = (struct glance_tally){.same = glance->same};
    for (size_t i = 0; i < kept->store_count; i++)
        tally->written += (uint64_t)__builtin_popcount(kept->stores[i].mask);
    return !kept->full;
}
