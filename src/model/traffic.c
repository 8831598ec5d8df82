// What global accesses cost beyond L1: which sectors blocks share, and which of them DRAM has to move.
#include "model/traffic.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/banks.h"
#include "sim/sim_observer.h"

struct sector_use *sector_find(struct map *sectors, uint64_t sector)
{
    sectors->value_size = sizeof(struct sector_use);
    return map_add(sectors, sector, NULL);
}

void sector_touch(struct map *sectors, uint64_t address, uint32_t bytes)
{
    while (bytes) {
        uint32_t offset = (uint32_t)(address % SECTOR_BYTES);
        uint32_t part = bytes < SECTOR_BYTES - offset ? bytes : SECTOR_BYTES - offset;
        struct sector_use *use = sector_find(sectors, address / SECTOR_BYTES);
        use->bytes |= (part == SECTOR_BYTES ? UINT32_MAX : (1u << part) - 1) << offset;
        address += part;
        bytes -= part;
    }
}

static double *line_at(struct map *lines, uint64_t number)
{
    lines->value_size = sizeof(double);
    return map_add(lines, number, NULL);
}

enum { LINE_BYTES = 128, SLICE_LINES = 8 };

void atomics_touch(struct map *lines, uint64_t address)
{
    line_at(lines, address / LINE_BYTES);
}

// Of what the first of two sets holds, the part that is in the second as well.
static double part_in(const struct map *all, const struct map *other)
{
    size_t again = 0;
    for (size_t i = 0; i < all->count; i++)
        again += map_find(other, map_key(all, i)) != NULL;
    return all->count ? (double)again / (double)all->count : 0;
}

double atomics_part(const struct map *lines, const struct map *others)
{
    return others->count ? part_in(lines, others) : 1;
}

// Lines by chance: no two blocks have more in common than any others.
static bool is_random(const double part[2])
{
    return part[0] > 0 && part[0] < 1 && part[1] > 0 && part[1] < 1;
}

double atomics_meet(const double part[2], const uint32_t alike[2], const uint32_t grid[3])
{
    if (is_random(part))
        return (1 + ((double)grid[0] * grid[1] - 1) * fmax(part[0], part[1])) * grid[2];
    return (1 + (alike[0] - 1) * part[0]) * (1 + (alike[1] - 1) * part[1]) * grid[2];
}

double atomics_turns(const double part[2], const uint32_t alike[2], const uint32_t grid[3], double wave)
{
    double all = 1, at_once = 1, row = grid[0];
    if (is_random(part))
        return 1;
    for (int axis = 0; axis < 2; axis++) {
        double run = 1 + (alike[axis] - 1) * part[axis], length = grid[axis];
        double seen = axis ? fmax(1, wave / row) : fmin(wave, row);
        all *= fmax(1, length / run);
        at_once *= fmin(fmax(1, length / run), (seen - 1) / run + 1);
    }
    return fmax(1, all / at_once);
}

void atomics_serve(struct map *lines, struct map *slices, uint32_t mask, const uint64_t *addresses, bool floating,
                   const struct replay_constants *c)
{
    while (mask) {
        uint64_t line = addresses[__builtin_ctz(mask)] / LINE_BYTES;
        uint8_t words[LINE_BYTES / 4] = {0}, sectors = 0;
        double most = 0; // lanes on one word
        uint32_t lanes = 0;
        FOR_LANES (lane, mask) {
            if (addresses[lane] / LINE_BYTES != line)
                continue;
            lanes++;
            most = fmax(most, ++words[addresses[lane] % LINE_BYTES / 4]);
            sectors |= (uint8_t)(1u << addresses[lane] % LINE_BYTES / SECTOR_BYTES);
            mask &= ~(1u << lane);
        }
        // Lanes on one word take turns. Floats wait for the sum before theirs, but meanwhile the slice serves others.
        double turns_ns = most * c->same_word_ns, words_ns = floating ? most * c->same_float_ns : turns_ns;
        double count = __builtin_popcount(sectors);
        *line_at(lines, line) += fmax(c->sector_ns * count, words_ns);
        *line_at(slices, line / SLICE_LINES) += lanes == 1 ? c->slice_one_ns : fmax(c->slice_ns, turns_ns);
    }
}

// ---- who shares what, and what reaches DRAM

struct sharing {
    bool in_x, in_y;
};

static double shared_by(const struct sharing *sharing, const uint32_t grid[3], double wave)
{
    double x = (double)grid[0] < wave ? (double)grid[0] : wave, y = wave / (double)grid[0];
    y = y < 1 ? 1 : y > (double)grid[1] ? (double)grid[1] : y;
    return (sharing->in_x ? x : 1) * (sharing->in_y ? y : 1);
}

// Sectors that block 0 touched by this instruction, the part of them that DRAM moves for nothing because it reads and
// writes 64 bytes at a time, and the part that is written in part.
//
// scattered: those in isolated lines of 128 bytes.
struct footprint {
    double sectors, times, waste, partial, scattered;
};

static bool line_has(const struct map *sectors, uint64_t line)
{
    bool has = false;
    for (uint64_t i = 0; i < 4; i++)
        has = has || map_find(sectors, 4 * line + i);
    return has;
}

// together: what all instructions of the kind touched. Of a sector that several share each has its part, and what one
// leaves out another may bring.
static struct footprint footprint_of(const struct map *sectors, const struct map *together)
{
    struct footprint f = {0};
    for (size_t i = 0; i < sectors->count; i++) {
        const struct sector_use *use = map_value(sectors, i);
        uint64_t sector = map_key(sectors, i);
        const struct sector_use *all = map_find(together, sector);
        double part = (double)use->times / (double)all->times;
        f.sectors += part;
        f.times += use->times;
        f.partial += all->bytes != UINT32_MAX ? part : 0;
        f.waste += map_find(together, sector ^ 1) ? 0 : part;
        f.scattered += line_has(together, (sector / 4) ^ 1) ? 0 : part;
    }
    return f;
}

static void add_together(struct map *together, const struct map *sectors)
{
    for (size_t i = 0; i < sectors->count; i++) {
        const struct sector_use *use = map_value(sectors, i);
        struct sector_use *all = sector_find(together, map_key(sectors, i));
        all->bytes |= use->bytes;
        all->times += use->times;
    }
}

// What an instruction wants from L2 over the whole grid, in sectors.
struct reuse {
    struct footprint f;
    double all;     // wanted, each block's own repetitions aside
    double whole;   // distinct ones
    double in_wave; // SMs that want the same at about the same time
    double in_grid; // blocks that do at any time
    bool at_random; // one block goes here and there in all that blocks go to
    double near;    // part of what is wanted again that the neighbours in x want
    double next;    // the same in y
    double crowd;   // blocks that want the same, of those at work at a time
};

// A line comes back after having survived the misses m of all others, so m = 1 - exp(-m ratio), which has no other
// solution than 0 up to ratio 1.
double traffic_missed(double ratio)
{
    double m = 1;
    for (int i = 0; i < 60; i++)
        m = 1 - exp(-m * ratio);
    return ratio > 1 ? m : 0;
}

// Sectors that all blocks together touch at random, judged as fish in a pond are counted: the more of a second catch
// was in the first, the fewer there are. INFINITY: the two have nothing in common, or all.
static double caught_again(const struct traffic_site *site)
{
    size_t again = 0, first = site->touched.count, second = site->others.count;
    for (size_t i = 0; i < second; i++)
        again += map_find(&site->touched, map_key(&site->others, i)) != NULL;
    bool says = again > 0 && 10 * again < 9 * (first < second ? first : second);
    return says ? (double)first * (double)second / (double)again : INFINITY;
}

static double own_share(const struct traffic_site *site, const struct reuse *reuse)
{
    return reuse->f.sectors / (double)site->touched.count;
}

// Whether one block goes here and there in all that blocks go to, and elsewhere than by its other instructions.
static bool is_at_random(const struct traffic_site *site, const struct reuse *reuse)
{
    const double own = 0.9;
    uint64_t low = UINT64_MAX, high = 0;
    if (reuse->in_grid > 1 || own_share(site, reuse) < own)
        return false;
    for (size_t i = 0; i < site->touched.count; i++) {
        uint64_t sector = map_key(&site->touched, i);
        low = sector < low ? sector : low;
        high = sector > high ? sector : high;
    }
    return 2 * (high - low) > site->high - site->low && 4 * site->touched.count < high - low;
}

// How much is wanted, and by how many at about the same time.
static struct reuse demand_of(const struct traffic_launch *launch, const struct traffic_site *site, bool is_store,
                              const struct map *together)
{
    struct reuse reuse = {.f = footprint_of(&site->touched, together), .in_wave = 1, .in_grid = 1};
    double blocks = (double)launch->grid_blocks;
    reuse.all = reuse.f.sectors * launch->whole * blocks;
    if (!is_store) {
        bool says = site->first[0] > 0;
        struct sharing sharing = {.in_x = says && launch->grid[0] > 1 && site->first[1] == site->first[0],
                                  .in_y = says && launch->grid[1] > 1 && site->first[2] == site->first[0]};
        reuse.in_wave = shared_by(&sharing, launch->grid, (double)launch->active_sms * (double)launch->resident);
        reuse.in_grid = shared_by(&sharing, launch->grid, blocks);
    }
    reuse.at_random = !is_store && is_at_random(site, &reuse);
    return reuse;
}

// The sectors that blocks all over the grid were seen to go to by an instruction. What several go to at random counts
// once: each has its part.
static double extent_of(const struct traffic_site *sites, const struct replay_inst *insts, const struct reuse *reuses,
                        uint32_t count, uint32_t pc)
{
    const struct traffic_site *site = &sites[pc];
    uint64_t low = site->low, high = site->high;
    double all = 0;
    if (!reuses[pc].at_random)
        return own_share(site, &reuses[pc]) * (double)(high - low);
    for (uint32_t i = 0; i < count; i++) {
        bool meets = sites[i].low < site->high && sites[i].high > site->low;
        if (!meets || !reuses[i].at_random || traffic_stores(&insts[i]) != traffic_stores(&insts[pc]))
            continue;
        low = sites[i].low < low ? sites[i].low : low;
        high = sites[i].high > high ? sites[i].high : high;
        all += reuses[i].all;
    }
    return (double)(high - low) * reuses[pc].all / all;
}

// How many of them are distinct. extent: INFINITY if it is not known.
static void find_whole(const struct traffic_launch *launch, const struct traffic_site *site, double extent,
                       struct reuse *reuse)
{
    double share = own_share(site, reuse), blocks = (double)launch->grid_blocks;
    const double more = 1.5, often = 2; // what comes again less often are halos, which blocks wait for together
    double array = share * (double)site->array_bytes / (double)SECTOR_BYTES;
    if (reuse->all > often * extent)
        array = fmin(array, extent);
    reuse->crowd =
        reuse->all / fmax(array, 1) * fmin(1, (double)launch->active_sms * (double)launch->resident / blocks);
    reuse->whole = fmin(reuse->all / reuse->in_grid, array);
    // Who draws at random does not come by everything; who takes turns with others, in a loop over the grid, does.
    if (reuse->at_random && reuse->all > more * array)
        reuse->whole = array * (1 - exp(-reuse->all / array));
    if (reuse->in_grid > 1)
        return;
    reuse->near = launch->grid[0] > 1 ? part_in(&site->near[0], &site->touched) : 0;
    reuse->next = launch->grid[1] > 1 ? part_in(&site->near[1], &site->touched) : 0;
    reuse->whole = fmin(reuse->whole, share * caught_again(site));
}

// Neighbours want again what lies at the edge of a block soon after it: those in x at once, those in y after a row of
// blocks. row: what such a row brings to L2, as a part of it.
static double still_there(const struct reuse *reuse, double row)
{
    double again = reuse->near + reuse->next - reuse->near * reuse->next;
    double soon = row < 1 ? again : reuse->near;
    return again > 0 ? soon / again : 0;
}

// missed: the part of what is wanted again that L2 no longer has.
static void set_traffic(struct replay_inst *inst, const struct reuse *reuse, double missed)
{
    const struct footprint *f = &reuse->f;
    double first = fmin(1, reuse->whole * reuse->in_wave / reuse->all);
    inst->scattered = f->scattered / f->sectors;
    inst->sharing = reuse->in_wave;
    inst->crowd = reuse->crowd;
    if (!traffic_stores(inst)) {
        inst->dram = (first + (1 - first) * missed) * (1 + missed * f->waste / f->sectors);
        return;
    }
    // A sector written in part has to be read before it can be written back, unless the rest comes while it is in L2.
    double stays = f->sectors * first, goes = f->sectors + f->partial + (f->partial > 0 ? 2 * f->waste : 0);
    inst->dram = ((1 - missed) * stays + missed * goes) / f->times;
}

// What was there before is written back as a kernel's own data take its place, as far as the kernel does not leave as
// much behind itself; and DRAM turns between reads and writes.
static void set_burden(const struct traffic_launch *launch, const struct reuse *reuses, struct replay_inst *insts,
                       uint32_t count)
{
    double l2 = (double)launch->gpu->l2_bytes / (double)SECTOR_BYTES, moved[2] = {0}; // sectors, by loads and stores
    for (uint32_t pc = 0; pc < count; pc++) {
        const struct reuse *reuse = &reuses[pc];
        bool is_store = traffic_stores(&insts[pc]);
        if (reuse->all > 0 && insts[pc].kind != REPLAY_GLOBAL_ATOMIC)
            moved[is_store] += is_store ? reuse->all / reuse->f.sectors * reuse->f.times * insts[pc].dram
                                        : reuse->all / reuse->in_wave * insts[pc].dram;
    }
    double all = moved[0] + moved[1], held = fmin(all, l2), turns = launch->dram_turn * fmin(moved[0], moved[1]);
    double left = all > 0 ? fmin(held * moved[1] / all, launch->l2_dirty * l2) : 0;
    double back =
        moved[0] > 0 ? fmax(launch->l2_dirty * held - left, 0) / moved[0] : 0; // the first block may load nothing
    for (uint32_t pc = 0; pc < count && all > 0; pc++)
        insts[pc].burden = 1 + turns / all + (!traffic_stores(&insts[pc]) ? back : 0);
}

void traffic_share(const struct traffic_launch *launch, const struct traffic_site *sites, struct replay_inst *insts,
                   uint32_t count)
{
    struct reuse *reuses = mem_alloc(count * sizeof *reuses);
    struct map together[2] = {{0}}; // loads, stores
    double traffic = 0, l2 = launch->l2_part * (double)launch->gpu->l2_bytes / (double)SECTOR_BYTES;
    for (uint32_t pc = 0; pc < count; pc++)
        if (insts[pc].kind != REPLAY_GLOBAL_ATOMIC)
            add_together(&together[traffic_stores(&insts[pc])], &sites[pc].touched);
    // What a block writes in parts is put together in L2, if it stays there until the last part comes.
    bool stays = launch->filling * (double)launch->active_sms * (double)launch->resident < l2;
    for (uint32_t pc = 0; pc < count; pc++) {
        if (!sites[pc].touched.count || insts[pc].kind == REPLAY_GLOBAL_ATOMIC)
            continue;
        bool is_store = traffic_stores(&insts[pc]);
        const struct map *others = is_store && !stays ? &sites[pc].touched : &together[is_store];
        reuses[pc] = demand_of(launch, &sites[pc], is_store, others);
    }
    for (uint32_t pc = 0; pc < count; pc++) {
        if (reuses[pc].all <= 0)
            continue;
        double extent = launch->is_surveyed ? extent_of(sites, insts, reuses, count, pc) : INFINITY;
        find_whole(launch, &sites[pc], extent, &reuses[pc]);
        traffic += reuses[pc].all / reuses[pc].in_wave;
    }
    for (uint32_t pc = 0; pc < count; pc++) {
        const struct reuse *reuse = &reuses[pc];
        if (insts[pc].kind == REPLAY_GLOBAL_ATOMIC)
            insts[pc].dram = 0;
        if (reuse->all <= 0)
            continue;
        // What others bring in between takes its room too.
        double ratio = reuse->whole * traffic / (reuse->all / reuse->in_wave) / l2;
        double row = traffic / (double)launch->grid_blocks * (double)launch->grid[0] / l2;
        set_traffic(&insts[pc], reuse, traffic_missed(ratio) * (1 - still_there(reuse, row)));
    }
    set_burden(launch, reuses, insts, count);
    map_free(&together[0]);
    map_free(&together[1]);
    free(reuses);
}
