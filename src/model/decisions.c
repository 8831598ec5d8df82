// Takes the blocks in which what follows from a block's place comes out as in few others, and the sizes at which what
// follows from the sizes comes out as at no other: as few of them as show all that is rare.
#include "model/decisions.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

enum {
    BLOCK_OUTCOMES = 4,   // different values of a choice, by block; what takes more is a place, not a choice
    SIZE_OUTCOMES = 16,   // … by size
    RARE = 4,             // one block in so many, or fewer
    MOST_SHOWN = 64,      // pairs of a choice and a rare outcome: the bits of a mask
    PREDICATE_WEIGHT = 8, // of a predicate's outcome, where a number's has 1
    EXTENTS = 4,          // choices by size that are none of the kernel's own: what the grid leaves when divided,
    ALIGNED = 4,          // by which power of two each of the first numbers is divided, up to
    ALIGNED_MOST = 4,     // this one: rows of so many bytes allow the widest vectors,
    FOURS = 2,            // and which of two of them are divided by four, as rows of words have to be for these
    PAIRS = ALIGNED * (ALIGNED - 1) / 2,
    MODES = 16, // predicates that come out alike in all blocks of a launch, each together with
    WHOLE = 32, // whether this divides one of the first numbers, as tiles do
    TIE = 2,    // of an outcome: the numbers that were compared were equal
    BESIDE = EXTENTS + ALIGNED + PAIRS + MODES * ALIGNED,
    NAMED = 5,             // numbers of the text that something is compared with
    PLACES = 2 * NAMED + 1 // in a row or a column of the grid, that these name, and any one
};

static bool is_at_end(const uint32_t grid[3], uint64_t block)
{
    uint64_t x = block % grid[0], y = block / grid[0] % grid[1], z = block / grid[0] / grid[1];
    return (grid[0] > 1 && x == grid[0] - 1) || (grid[1] > 1 && y == grid[1] - 1) || (grid[2] > 1 && z == grid[2] - 1);
}

struct outcomes {
    uint64_t values[SIZE_OUTCOMES];
    size_t counts[SIZE_OUTCOMES], count; // count: looked.most + 1 where there are more than that
};

// Blocks, or sizes, with what comes out in each.
struct looked {
    struct deduction *deduction;
    struct deduction_choice choices[DEDUCTION_CHOICES + BESIDE]; // the deduction's, then these
    size_t count, choice_count, deduced, most;                   // most: outcomes of a choice
    size_t stride;                                               // choices that there is room for
    bool by_size;
    struct outcomes seen[DEDUCTION_CHOICES + BESIDE];
    size_t numbers[ALIGNED], number_count; // parameters
    size_t modes;                          // the first choice that is a mode with a number
    unsigned char *taken;                  // [item][stride]: which outcome of each choice
    bool *left_out;                        // they show nothing
    uint64_t *masks;                       // what each shows of what is wanted
    uint64_t wanted, predicates;           // bits of what is not shown yet, of what predicates decide,
    uint64_t ties, powers;                 // of ties, and of what divides the numbers of the launch: they come last
    uint64_t alike[MOST_SHOWN];            // of each bit, a number for the set of items that show it
    size_t shown;
};

static size_t note_outcome(struct outcomes *seen, uint64_t value, size_t most)
{
    size_t i = 0;
    while (i < seen->count && i < most && seen->values[i] != value)
        i++;
    if (i == most)
        return seen->count = most + 1, i;
    if (i == seen->count)
        seen->values[seen->count++] = value;
    seen->counts[i]++;
    return i;
}

// Who takes blocks in groups, of two, three or four rows or columns, has a last group that may be short.
static uint64_t left_of(const struct deduction_at *at, size_t extent)
{
    return at->grid[extent % 2] % (extent < 2 ? 4 : 3);
}

static uint64_t aligned_to(uint64_t number)
{
    uint64_t power = number ? (uint64_t)__builtin_ctzll(number) : 0;
    return power < ALIGNED_MOST ? power : ALIGNED_MOST;
}

// The choices that are none of the kernel's.
static uint64_t value_beside(const struct looked *looked, const struct deduction_at *at, size_t choice)
{
    uint64_t aligned[ALIGNED];
    if (choice < EXTENTS)
        return left_of(at, choice);
    for (size_t i = 0; i < looked->number_count; i++)
        aligned[i] = aligned_to(at->params[looked->numbers[i]]);
    choice -= EXTENTS;
    if (choice < looked->number_count)
        return aligned[choice];
    choice -= looked->number_count;
    size_t one = 0, other = 1;
    for (; choice > 0; choice--)
        if (++other == looked->number_count)
            other = ++one + 1;
    return (aligned[one] >= FOURS ? 2u : 0u) + (aligned[other] >= FOURS);
}

static void look_where(struct looked *looked, size_t item, const struct deduction_at *at)
{
    deduction_work_out(looked->deduction, at);
    for (size_t j = 0; j < looked->choice_count; j++) {
        uint64_t value =
            j < looked->deduced ? deduction_value(looked->deduction, j) : value_beside(looked, at, j - looked->deduced);
        if (j < looked->deduced && looked->by_size && deduction_is_tie(looked->deduction, j))
            value |= TIE;
        looked->taken[item * looked->stride + j] = (unsigned char)note_outcome(&looked->seen[j], value, looked->most);
    }
}

static void looked_open(struct looked *looked, struct deduction *deduction, size_t count, size_t most, size_t beside)
{
    *looked = (struct looked){.deduction = deduction, .count = count, .most = most};
    const struct deduction_choice *choices = deduction_choices(deduction, &looked->deduced);
    memcpy(looked->choices, choices, looked->deduced * sizeof *choices);
    looked->choice_count = looked->modes = looked->deduced + beside;
    looked->stride = looked->choice_count + MODES * ALIGNED;
    looked->taken = mem_alloc(count * looked->stride + 1);
    looked->left_out = mem_alloc(count * sizeof *looked->left_out);
    looked->masks = mem_alloc(count * sizeof *looked->masks);
}

static void looked_close(struct looked *looked)
{
    free(looked->taken);
    free(looked->left_out);
    free(looked->masks);
    deduction_free(looked->deduction);
}

static bool comes_out(const struct looked *looked, size_t item, size_t choice, size_t outcome)
{
    return looked->taken[item * looked->stride + choice] == outcome && !looked->left_out[item];
}

static bool comes_out_somewhere(const struct looked *looked, size_t choice, size_t outcome)
{
    bool comes = false;
    for (size_t i = 0; i < looked->count && !comes; i++)
        comes = comes_out(looked, i, choice, outcome);
    return comes;
}

// Many that come out alike, such as those of a loop that is unrolled, are one.
static void want(struct looked *looked, size_t choice, size_t outcome)
{
    uint64_t members = 0;
    for (size_t i = 0; i < looked->count; i++)
        members ^= comes_out(looked, i, choice, outcome) ? random_of(i) : 0;
    for (size_t n = 0; n < looked->shown; n++)
        members = looked->alike[n] == members ? 0 : members;
    if (!members || looked->shown == MOST_SHOWN)
        return;
    uint64_t bit = UINT64_C(1) << looked->shown;
    for (size_t i = 0; i < looked->count; i++)
        looked->masks[i] |= comes_out(looked, i, choice, outcome) ? bit : 0;
    looked->wanted |= bit;
    bool decides = choice >= looked->modes || (choice < looked->deduced && looked->choices[choice].is_predicate &&
                                               !(looked->seen[choice].values[outcome] & TIE));
    looked->predicates |= decides ? bit : 0;
    bool is_tie = choice < looked->deduced && looked->choices[choice].is_predicate && !decides;
    looked->ties |= is_tie ? bit : 0;
    looked->powers |= choice >= looked->deduced + EXTENTS && choice < looked->modes ? bit : 0;
    looked->alike[looked->shown++] = members;
}

// The item with the most of what is wanted; looked for from a place that the seed draws.
static size_t find_most(const struct looked *looked, uint64_t from)
{
    size_t best = looked->count;
    int most = 0;
    for (size_t n = 0; n < looked->count; n++) {
        size_t i = (size_t)((n + from) % looked->count);
        uint64_t shown = looked->masks[i] & looked->wanted;
        int shows =
            __builtin_popcountll(shown) + (PREDICATE_WEIGHT - 1) * __builtin_popcountll(shown & looked->predicates);
        if (shows > most) {
            most = shows;
            best = i;
        }
    }
    return best;
}

static size_t pick_wanted(struct looked *looked, uint64_t *random, size_t *picked, size_t count, size_t most)
{
    size_t i;
    while (count < most && (i = find_most(looked, random_next(random))) < looked->count) {
        picked[count++] = i;
        looked->wanted &= ~looked->masks[i];
        looked->ties &= ~looked->masks[i];
        looked->powers &= ~looked->masks[i];
    }
    return count;
}

// Items that together show as much as `most` can; the last two of them ties, and how the numbers are divided.
static size_t pick(struct looked *looked, uint64_t random, size_t *picked, size_t most)
{
    size_t last = (looked->ties ? 1u : 0u) + (looked->powers ? 1u : 0u);
    looked->wanted &= ~(looked->ties | looked->powers);
    size_t count = pick_wanted(looked, &random, picked, 0, most > last ? most - last : 0);
    looked->wanted |= looked->ties;
    count = pick_wanted(looked, &random, picked, count, looked->powers && most > 0 ? most - 1 : most);
    looked->wanted |= looked->powers;
    return pick_wanted(looked, &random, picked, count, most);
}

// ---- blocks

static void want_rare(struct looked *looked)
{
    for (size_t j = 0; j < looked->choice_count; j++)
        for (size_t k = 0; k < looked->seen[j].count && looked->seen[j].count <= looked->most; k++)
            if (looked->seen[j].counts[k] * RARE < looked->count)
                want(looked, j, k);
}

static void open_blocks(struct looked *looked, const struct ptx_function *entry, const struct launch_shape *shape,
                        const struct deduction_at *at, const struct deduction_data *data, uint64_t *random)
{
    uint64_t thread = random_next(random) % launch_threads(shape), all = launch_blocks(shape);
    size_t count = (size_t)(all < DECISIONS_BLOCKS ? all : DECISIONS_BLOCKS);
    looked_open(looked, deduction_new(entry, shape->block, thread, at, DEDUCTION_BY_BLOCK, data), count, BLOCK_OUTCOMES,
                0);
}

static size_t with_place(uint64_t place, uint64_t extent, uint64_t *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (places[i] == place)
            return count;
    places[count] = place;
    return place < extent ? count + 1 : count;
}

// One block of many is not met by chance. But a kernel that does otherwise there has to name it.
static size_t named_blocks(const struct ptx_function *entry, const struct launch_shape *shape, uint64_t *random,
                           uint64_t blocks[PLACES * PLACES])
{
    uint64_t numbers[NAMED], places[2][PLACES];
    size_t count = 0, named[2] = {0}, found = 0;
    for (uint32_t i = 0; i < entry->inst_count && count < NAMED; i++) {
        const struct ptx_inst *inst = &entry->insts[i];
        for (uint32_t k = 1; inst->op == PTX_OP_SETP && k < inst->operand_count && count < NAMED; k++) {
            const struct ptx_operand *operand = &entry->operands[inst->operands + k];
            if (operand->kind == PTX_OPERAND_INTEGER)
                count = with_place(operand->value.bits, UINT64_MAX, numbers, count);
        }
    }
    for (int d = 0; d < 2 && count; d++) {
        for (size_t i = 0; i < count; i++) {
            named[d] = with_place(numbers[i], shape->grid[d], places[d], named[d]);
            if (shape->tile[d] > 1)
                named[d] = with_place(numbers[i] / shape->tile[d], shape->grid[d], places[d], named[d]);
        }
        named[d] = with_place(random_next(random) % shape->grid[d], shape->grid[d], places[d], named[d]);
    }
    for (size_t x = 0; x < named[0]; x++)
        for (size_t y = 0; y < named[1]; y++)
            blocks[found++] = places[1][y] * shape->grid[0] + places[0][x];
    return found;
}

// Which blocks: into `blocks`.
static void look_in_blocks(struct looked *looked, const struct ptx_function *entry, const struct launch_shape *shape,
                           struct deduction_at at, uint64_t *random, uint64_t blocks[DECISIONS_BLOCKS])
{
    uint64_t all = launch_blocks(shape);
    size_t named = looked->count == all ? 0 : named_blocks(entry, shape, random, blocks);
    for (size_t i = 0; i < looked->count; i++) {
        if (i >= named)
            blocks[i] = looked->count == all ? i : random_next(random) % all;
        at.block = blocks[i];
        look_where(looked, i, &at);
        looked->left_out[i] = is_at_end(shape->grid, blocks[i]);
    }
}

static struct deduction_at launch_at(const struct launch_shape *shape, const uint64_t *values)
{
    return (struct deduction_at){.grid = {shape->grid[0], shape->grid[1], shape->grid[2]}, .params = values};
}

size_t decisions_rare(const struct ptx_function *entry, const struct launch_shape *shape, const uint64_t *values,
                      const struct deduction_data *data, uint64_t seed, uint64_t *blocks, size_t most)
{
    const struct deduction_at at = launch_at(shape, values);
    struct looked looked;
    uint64_t random = seed, from[DECISIONS_BLOCKS];
    size_t picked[DECISIONS_BLOCKS], found = 0;
    open_blocks(&looked, entry, shape, &at, data, &random);
    if (looked.choice_count) {
        look_in_blocks(&looked, entry, shape, at, &random, from);
        want_rare(&looked);
        found = pick(&looked, random, picked, most < looked.count ? most : looked.count);
    }
    for (size_t i = 0; i < found; i++)
        blocks[i] = from[picked[i]];
    looked_close(&looked);
    return found;
}

size_t decisions_of_data(const struct ptx_function *entry, const struct launch_shape *shape, const uint64_t *values,
                         const struct deduction_data *data, uint64_t seed, size_t *shown)
{
    const struct deduction_at at = launch_at(shape, values);
    struct looked looked;
    uint64_t random = seed, from[DECISIONS_BLOCKS];
    size_t predicates = 0;
    open_blocks(&looked, entry, shape, &at, data, &random);
    for (size_t j = 0; j < looked.choice_count; j++)
        predicates += looked.choices[j].is_of_data;
    if (predicates)
        look_in_blocks(&looked, entry, shape, at, &random, from);
    *shown = 0;
    for (size_t j = 0; j < looked.choice_count; j++)
        for (size_t k = 0; looked.choices[j].is_of_data && k < looked.seen[j].count; k++)
            *shown += comes_out_somewhere(&looked, j, k);
    looked_close(&looked);
    return predicates;
}

// ---- sizes

static uint64_t outcome_at(const struct looked *looked, size_t item, size_t choice)
{
    size_t outcome = looked->taken[item * looked->stride + choice];
    return outcome < looked->most ? looked->seen[choice].values[outcome] : UINT64_MAX;
}

// What a predicate decides is the same with a tie and without one.
static bool is_known_outcome(const struct looked *looked, size_t count, size_t choice, size_t outcome)
{
    uint64_t wanted = looked->seen[choice].values[outcome];
    bool decides = choice < looked->deduced && looked->choices[choice].is_predicate && !(wanted & TIE);
    for (size_t i = 0; i < count; i++)
        if ((outcome_at(looked, i, choice) & (decides ? TIE - 1 : UINT64_MAX)) == wanted)
            return true;
    return false;
}

// Outcomes that none of the first `count` items shows: of predicates, of the grid, of other numbers.
static void want_new(struct looked *looked, size_t count)
{
    enum { PREDICATE, MODE, EXTENT, NUMBER, POWER, RANKS };
    for (int rank = 0; rank < RANKS; rank++)
        for (size_t j = 0; j < looked->choice_count; j++)
            for (size_t k = 0; k < looked->seen[j].count && looked->seen[j].count <= looked->most; k++) {
                int own = NUMBER;
                if (j >= looked->modes)
                    own = MODE;
                else if (j >= looked->deduced)
                    own = j < looked->deduced + EXTENTS ? EXTENT : POWER;
                else if (looked->choices[j].is_predicate && !(looked->seen[j].values[k] & TIE))
                    own = PREDICATE;
                if (own == rank && !is_known_outcome(looked, count, j, k))
                    want(looked, j, k);
            }
}

// Whether all blocks of a launch that were looked at decide alike, and others otherwise: so a kernel chooses a way for
// the whole launch. Blocks of one size follow one another.
static bool is_mode(const struct looked *looked, const struct deduction_at *sizes, size_t choice)
{
    bool differs = false;
    for (size_t i = 0; i < looked->count; i++) {
        uint64_t own = outcome_at(looked, i, choice) % TIE, before = i ? outcome_at(looked, i - 1, choice) % TIE : own;
        if (i && own != before && sizes[i].params == sizes[i - 1].params)
            return false;
        differs |= own != before;
    }
    return differs;
}

// Each mode with each number: `width * height % 1024 == 0` means whole tiles only where 32 divides both.
static void look_at_modes(struct looked *looked, const struct deduction_at *sizes)
{
    for (size_t j = 0, modes = 0; j < looked->deduced && modes < MODES; j++) {
        if (!looked->choices[j].is_predicate || !is_mode(looked, sizes, j))
            continue;
        modes++;
        for (size_t n = 0; n < looked->number_count; n++) {
            size_t choice = looked->choice_count++;
            for (size_t i = 0; i < looked->count; i++) {
                uint64_t value =
                    (outcome_at(looked, i, j) % TIE) << 1 | (sizes[i].params[looked->numbers[n]] % WHOLE == 0);
                looked->taken[i * looked->stride + choice] =
                    (unsigned char)note_outcome(&looked->seen[choice], value, looked->most);
            }
        }
    }
}

// Parameters that are numbers, and no addresses.
static size_t find_numbers(const struct ptx_function *entry, const uint64_t *values, size_t numbers[ALIGNED])
{
    size_t count = 0;
    for (size_t i = 0; i < entry->param_count && count < ALIGNED; i++)
        if (values[i] >> 32 == 0)
            numbers[count++] = i;
    return count;
}

size_t decisions_new(const struct ptx_function *entry, const struct launch_shape *shape,
                     const struct deduction_at *sizes, size_t shown, size_t count, uint64_t seed, size_t *picked,
                     bool *by_predicate, size_t most)
{
    struct looked looked;
    uint64_t random = seed, thread = random_next(&random) % launch_threads(shape);
    size_t numbers[ALIGNED], number_count = find_numbers(entry, sizes[0].params, numbers);
    size_t pairs = number_count * (number_count - (number_count > 0)) / 2;
    looked_open(&looked, deduction_new(entry, shape->block, thread, sizes, DEDUCTION_BY_SIZE, NULL), count,
                SIZE_OUTCOMES, EXTENTS + number_count + pairs);
    memcpy(looked.numbers, numbers, sizeof numbers);
    looked.by_size = true;
    looked.number_count = number_count;
    for (size_t i = 0; i < count && looked.choice_count; i++) {
        look_where(&looked, i, &sizes[i]);
        looked.left_out[i] = i < shown;
    }
    look_at_modes(&looked, sizes);
    if (looked.choice_count)
        want_new(&looked, shown);
    size_t found = looked.choice_count ? pick(&looked, random, picked, most) : 0;
    for (size_t i = 0; i < found; i++)
        by_predicate[i] = (looked.masks[picked[i]] & looked.predicates) != 0;
    looked_close(&looked);
    return found;
}
