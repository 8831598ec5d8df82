// Draws sizes, works out what a kernel decides there, and takes those at which it decides otherwise.
#include "grade/elsewhere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "device/args.h"
#include "model/decisions.h"

enum {
    NEW = 5,     // sizes at which something comes out otherwise, at most
    SMALL = 5,   // and small ones (as many as there are kinds): sizes[ELSEWHERE_MOST] has room for both, and three more
    ENDS = 2,    // blocks of a launch that are asked: the first and the last
    EACH = 1024, // values of one variable; three times as many of an only one
    DRAWN = 128, // sizes of which all are drawn
    RELATED = 16,  // in which one variable is as large as another, or twice as large
    DIVIDED = 96,  // in which each is divided by some power of two: a product may be divided where no factor is
    LARGE = 192,   // of either kind, for blocks alone
    LONG = 48,     // with long blocks
    FAR_LEAST = 2, // times as large as anything else
    FAR_MOST = 8,
    WORD = 1 << 16,     // indices of 16 bits end there: what is far lies beyond, if anything may
    WIDE = 1 << 24,     // products of 24 bits, and floats that count by one
    WIDE_TRIED = 16,    // sizes
    WIDE_WORK = 6000,   // of a block, at most
    FAR_ELEMENTS = 4,   // times as many as at the size that is modelled
    ROUND_SMALL = 64,   // of what is below two of these:
    ROUND = 256,        // one in four, or two of those far away, has sizes that tiles divide, another one powers of two
    LONG_WORK = 700000, // of a block at the size that is modelled
    LONG_MOST = 3,      // times as large as at the size that is modelled, of what makes blocks longer
    TOO_LONG = 400000   // work of a block
};

// Sizes, the part's own first, and what a kernel is launched with at each.
struct tried {
    const struct lesson_part *part;
    const struct unit *unit;
    const struct ptx_function *entry;
    struct launch_shape shape; // of the last
    struct deduction_at *points;
    struct lesson_other_size *others;
    uint64_t *params;
    size_t count, other_count;
};

static int64_t value_number(const struct lesson_range *range, uint64_t number)
{
    return range->least + (int64_t)number * range->step;
}

static uint64_t value_count(const struct lesson_range *range)
{
    return (uint64_t)(range->most - range->least) / (uint64_t)range->step + 1;
}

void elsewhere_draw(const struct lesson_part *part, uint64_t *random, struct lesson_other_size *other)
{
    lesson_other_size(part, other);
    for (size_t i = 0; i < part->range_count; i++)
        lesson_other_set(other, part->ranges[i].name,
                         value_number(&part->ranges[i], random_next(random) % value_count(&part->ranges[i])));
}

static void open_tried(struct tried *tried, const struct lesson_part *part, const struct unit *unit,
                       const struct ptx_function *entry, size_t most)
{
    *tried = (struct tried){.part = part, .unit = unit, .entry = entry};
    tried->shape.static_shared = unit_static_shared(entry);
    tried->points = mem_alloc(ENDS * most * sizeof *tried->points);
    tried->others = mem_alloc(most * sizeof *tried->others);
    tried->params = mem_alloc(most * (entry->param_count + 1) * sizeof *tried->params);
}

static void close_tried(struct tried *tried)
{
    free(tried->points);
    free(tried->others);
    free(tried->params);
}

// False: it cannot be launched there.
static bool add_point(struct tried *tried, const struct lesson_size *size)
{
    const struct lesson_part *part = tried->part;
    struct deduction_at *at = &tried->points[ENDS * tried->count];
    uint64_t *params = tried->params + tried->count * (tried->entry->param_count + 1);
    if (!unit_reshape(tried->unit, tried->entry, &part->launch, size, &tried->shape))
        return false;
    for (size_t i = 0; i < part->arg_count && i < tried->entry->param_count; i++)
        params[i] = part->args[i].role == LESSON_SCALAR
                        ? args_bits(part->args[i].type, lesson_value(size, false, part->args[i].value))
                        : (i + 1) << 36;
    for (int end = 0; end < ENDS; end++) {
        at[end] = (struct deduction_at){.params = params, .block = end ? launch_blocks(&tried->shape) - 1 : 0};
        memcpy(at[end].grid, tried->shape.grid, sizeof at[end].grid);
    }
    tried->count++;
    return true;
}

static void add_drawn(struct tried *tried, uint64_t *random, const struct lesson_range *range, uint64_t number)
{
    struct lesson_other_size *other = &tried->others[tried->other_count];
    elsewhere_draw(tried->part, random, other);
    if (range)
        lesson_other_set(other, range->name, value_number(range, number));
    tried->other_count += add_point(tried, &other->size);
}

static void add_related(struct tried *tried, uint64_t *random, const struct lesson_range *one,
                        const struct lesson_range *other, int64_t times)
{
    struct lesson_other_size *size = &tried->others[tried->other_count];
    int64_t value = value_number(one, random_next(random) % value_count(one)), related = times * value;
    if (related < other->least || related > other->most || (related - other->least) % other->step)
        return;
    elsewhere_draw(tried->part, random, size);
    lesson_other_set(size, one->name, value);
    lesson_other_set(size, other->name, related);
    tried->other_count += add_point(tried, &size->size);
}

static uint64_t each_of(const struct lesson_part *part)
{
    return part->range_count == 1 ? 3 * EACH : EACH;
}

static size_t most_others(const struct lesson_part *part)
{
    size_t most = DRAWN + DIVIDED;
    for (size_t i = 0; i < part->range_count; i++)
        most += value_count(&part->ranges[i]) < each_of(part) ? value_count(&part->ranges[i]) : each_of(part);
    return most + 2 * RELATED * part->range_count * part->range_count;
}

// A number next to a multiple of a power of two, or such a multiple: bounds of blocks lie there.
static uint64_t draw_bound(const struct lesson_range *range, uint64_t *random, int64_t off)
{
    uint64_t drawn = random_next(random), bits = 0;
    while (bits < 62 && INT64_C(2) << bits <= range->most)
        bits++;
    int64_t power = INT64_C(1) << (drawn >> 8) % (bits + 1);
    int64_t times = range->most >= power ? range->most / power : 1;
    int64_t value = power * (1 + (int64_t)(drawn >> 16 & UINT16_MAX) % times) + off;
    value = value < range->least ? range->least : value > range->most ? range->most : value;
    return (uint64_t)(value - range->least) / (uint64_t)range->step;
}

static void add_divided(struct tried *tried, uint64_t *random)
{
    struct lesson_other_size *other = &tried->others[tried->other_count];
    lesson_other_size(tried->part, other);
    for (size_t i = 0; i < tried->part->range_count; i++)
        lesson_other_set(other, tried->part->ranges[i].name,
                         value_number(&tried->part->ranges[i], draw_bound(&tried->part->ranges[i], random, 0)));
    tried->other_count += add_point(tried, &other->size);
}

static void try_all(struct tried *tried, uint64_t *random)
{
    const struct lesson_range *ranges = tried->part->ranges;
    size_t range_count = tried->part->range_count;
    for (size_t i = 0; i < 2 * RELATED * range_count * range_count; i++)
        if (i % range_count != i / range_count % range_count)
            add_related(tried, random, &ranges[i % range_count], &ranges[i / range_count % range_count],
                        1 + (int64_t)(i / range_count / range_count % 2));
    for (size_t i = 0; i < DRAWN; i++)
        add_drawn(tried, random, NULL, 0);
    for (size_t i = 0; i < DIVIDED && range_count > 1; i++)
        add_divided(tried, random);
    for (size_t i = 0; i < tried->part->range_count; i++) {
        const struct lesson_range *range = &tried->part->ranges[i];
        uint64_t count = value_count(range);
        for (uint64_t n = 0; n < count && n < each_of(tried->part); n++)
            add_drawn(tried, random, range,
                      count <= each_of(tried->part) ? n
                      : n % 2                       ? draw_bound(range, random, (int64_t)(n / 2 % 3) - 1)
                                                    : random_next(random) % count);
    }
}

static void copy_size(const struct lesson_part *part, const struct lesson_other_size *from,
                      struct lesson_other_size *to)
{
    lesson_other_size(part, to);
    memcpy(to->variables, from->variables, from->size.variable_count * sizeof *from->variables);
}

// As decisions_new, of sizes: in their first blocks, or their last.
static size_t find_otherwise(const struct tried *tried, size_t shown, uint64_t seed, size_t *picked, bool *by_predicate,
                             size_t most)
{
    size_t found = decisions_new(tried->entry, &tried->shape, tried->points, ENDS * shown, ENDS * tried->count, seed,
                                 picked, by_predicate, most);
    for (size_t i = 0; i < found; i++)
        picked[i] /= ENDS;
    return found;
}

static size_t find_new(struct tried *tried, uint64_t *random, struct lesson_other_size *sizes)
{
    bool by_predicate[NEW];
    size_t own = 0, picked[NEW], found;
    for (size_t i = 0; i < tried->part->size_count; i++)
        add_point(tried, &tried->part->sizes[i]);
    own = tried->count;
    try_all(tried, random);
    if (own == 0 || tried->count == own)
        return 0;
    found = find_otherwise(tried, own, random_next(random), picked, by_predicate, NEW);
    for (size_t i = 0; i < found; i++)
        copy_size(tried->part, &tried->others[picked[i] - own], &sizes[i]);
    return found;
}

static int64_t draw_log(uint64_t *random, int64_t least, int64_t most)
{
    double part = (double)(random_next(random) >> 11) * 0x1p-53;
    double value = floor((double)least * pow((double)(most + 1) / (double)least, part));
    return value > (double)most ? most : (int64_t)value;
}

// The launch's own, three times in four.
static int64_t draw_tile(const uint32_t tiles[2], uint64_t drawn)
{
    int64_t tile = tiles[drawn & 1] > 1 ? tiles[drawn & 1] : tiles[~drawn & 1];
    return tile <= 1 || (drawn >> 1) % 4 == 0 ? INT64_C(16) << (drawn >> 3) % 4 : tile;
}

// Of a few, of some, one off a power of two or one itself, and a little more or less than a tile or several divide.
enum { A_FEW, SOME, BY_A_POWER, BEYOND_A_TILE, SHORT_OF_A_TILE, SMALL_KINDS };

// tiles: the launch's own.
static int64_t draw_small_value(const struct lesson_range *range, const uint32_t tiles[2], uint64_t *random,
                                uint64_t kind)
{
    static const int64_t few = 8, some = 64;
    uint64_t drawn = random_next(random), bits = 0;
    int64_t from = range->least > 0 ? range->least : 1, value = from, tile, off;
    while (bits < 62 && INT64_C(2) << bits <= range->most)
        bits++;
    switch (kind % SMALL_KINDS) {
    case A_FEW:
        value = range->least + (int64_t)(drawn >> 8) % few * range->step;
        break;
    case SOME:
        value = draw_log(random, from, range->most < some ? range->most : some);
        break;
    case BEYOND_A_TILE:
    case SHORT_OF_A_TILE:
        tile = draw_tile(tiles, drawn >> 8);
        off = drawn >> 48 & 1 ? 1 : 1 + (int64_t)(drawn >> 32 & UINT16_MAX) % (few - 1);
        if (tile <= range->most)
            value = tile * (1 + (int64_t)(drawn >> 16 & UINT16_MAX) % (range->most / tile)) +
                    (kind % SMALL_KINDS == BEYOND_A_TILE ? off : -off);
        break;
    default:
        value = (INT64_C(1) << (drawn >> 8) % (bits + 1)) + (int64_t)(drawn >> 32) % 3 - 1;
        break;
    }
    value = value < range->least ? range->least : value > range->most ? range->most : value;
    return value - (value - range->least) % range->step;
}

// Each variable is drawn in each of these ways, from its kind on.
static void draw_small(const struct lesson_part *part, const uint32_t tiles[2], uint64_t *random, uint64_t kinds[],
                       size_t number, struct lesson_other_size *size)
{
    lesson_other_size(part, size);
    for (size_t i = 0; i < part->range_count && i < LESSON_VARIABLES; i++)
        lesson_other_set(size, part->ranges[i].name,
                         draw_small_value(&part->ranges[i], tiles, random, kinds[i] + number));
}

// How tiles and vectors divide a number: it is 1, few, less than a tile, or many tiles divide it, or vectors of four
// do, or of eight as well, or neither.
enum { CLASSES = 7, FEW = 16, TILE = 32, VECTOR = 4 };

static unsigned size_class(int64_t number)
{
    if (number < TILE)
        return number < 2 ? 0 : number < FEW ? 1 : 2;
    return number % TILE == 0 ? 3 : number % VECTOR ? 6 : number % (2 * VECTOR) ? 4 : 5;
}

// Pairs of classes, of each two variables: a bit for each.
static unsigned note_classes(const struct lesson_part *part, const struct lesson_size *size,
                             uint64_t covered[LESSON_VARIABLES * LESSON_VARIABLES], bool keeps)
{
    unsigned fresh = 0;
    for (size_t i = 0; i < part->range_count && i < LESSON_VARIABLES; i++)
        for (size_t j = 0; j < i; j++) {
            double one = 0, other = 0;
            lesson_size_variable(size, false, part->ranges[i].name, &one);
            lesson_size_variable(size, false, part->ranges[j].name, &other);
            uint64_t bit = UINT64_C(1) << (CLASSES * size_class((int64_t)one) + size_class((int64_t)other));
            uint64_t *pairs = &covered[i * LESSON_VARIABLES + j];
            fresh += !(*pairs & bit);
            *pairs |= keeps ? bit : 0;
        }
    return fresh;
}

// Each variable is one more than a few tiles divide, or one less: where whoever is off by one shows.
static void draw_corner(const struct lesson_part *part, const uint32_t tiles[2], uint64_t *random, int64_t off,
                        struct lesson_other_size *size)
{
    enum { TILES = 2 };
    lesson_other_size(part, size);
    for (size_t i = 0; i < part->range_count; i++) {
        const struct lesson_range *range = &part->ranges[i];
        uint64_t drawn = random_next(random);
        int64_t tile = draw_tile(tiles, drawn >> 8), most = range->most / tile < TILES ? range->most / tile : TILES;
        int64_t value = tile * (1 + (int64_t)(drawn >> 16 & UINT16_MAX) % (most > 0 ? most : 1)) + off * range->step;
        value = value < range->least ? range->least : value > range->most ? range->most : value;
        lesson_other_set(size, range->name, value - (value - range->least) % range->step);
    }
}

// Of some that are drawn, the one with most pairs of classes that no other size has.
static void choose_small(const struct lesson_part *part, const uint32_t tiles[2], uint64_t *random, uint64_t kinds[],
                         size_t number, uint64_t covered[LESSON_VARIABLES * LESSON_VARIABLES],
                         struct lesson_other_size *size)
{
    enum { CANDIDATES = 24 };
    unsigned most = 0;
    draw_small(part, tiles, random, kinds, number, size);
    most = note_classes(part, &size->size, covered, false);
    for (int i = 1; i < CANDIDATES; i++) {
        struct lesson_other_size other;
        draw_small(part, tiles, random, kinds, number, &other);
        unsigned fresh = note_classes(part, &other.size, covered, false);
        if (fresh <= most)
            continue;
        most = fresh;
        copy_size(part, &other, size);
    }
    note_classes(part, &size->size, covered, true);
}

// Who keeps an index in 16 bits is right below, and may decide nothing by it.
static bool add_beyond_word(const struct lesson_part *part, uint64_t *random, const struct lesson_other_size *sizes,
                            size_t count, struct lesson_other_size *beyond)
{
    for (size_t i = 0; i < part->range_count; i++) {
        const struct lesson_range *range = &part->ranges[i];
        size_t k = 0;
        while (k < count && lesson_other_get(&sizes[k], range->name) <= WORD)
            k++;
        if (k < count || range->most < WORD + WORD / 4)
            continue;
        uint64_t first = (uint64_t)(WORD - range->least) / (uint64_t)range->step + 1;
        elsewhere_draw(part, random, beyond);
        lesson_other_set(beyond, range->name,
                         value_number(range, first + random_next(random) % (value_count(range) - first)));
        return true;
    }
    return false;
}

size_t elsewhere_find(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                      const struct lesson_part *part, struct lesson_other_size sizes[ELSEWHERE_MOST])
{
    struct tried tried;
    uint64_t random = ~runner->seed;
    if (part->range_count == 0)
        return 0;
    open_tried(&tried, part, unit, entry, part->size_count + most_others(part));
    size_t found = find_new(&tried, &random, sizes);
    const uint32_t *own = tried.shape.tile, *block = tried.shape.block, threads = block[0] * block[1] * block[2];
    const uint32_t tiles[2] = {own[0] > 1 || own[1] > 1 ? own[0] : threads, own[1]};
    close_tried(&tried);
    if (found == 0)
        elsewhere_draw(part, &random, &sizes[found++]);
    uint64_t kinds[LESSON_VARIABLES];
    uint64_t covered[LESSON_VARIABLES * LESSON_VARIABLES] = {0};
    for (size_t i = 0; i < part->size_count; i++)
        note_classes(part, &part->sizes[i], covered, true);
    for (size_t i = 0; i < found; i++)
        note_classes(part, &sizes[i].size, covered, true);
    for (size_t i = 0; i < part->range_count && i < LESSON_VARIABLES; i++)
        kinds[i] = random_next(&random);
    for (size_t i = 0; i < SMALL; i++)
        choose_small(part, tiles, &random, kinds, i, covered, &sizes[found++]);
    draw_corner(part, tiles, &random, 1, &sizes[found++]);
    draw_corner(part, tiles, &random, -1, &sizes[found++]);
    found += add_beyond_word(part, &random, sizes, found, &sizes[found]);
    return found;
}

// ---- large ones

// A variable between the sizes that are run and the one that is modelled, and beyond.
struct extent {
    const struct lesson_range *range;
    bool is_large;      // at the modelled size
    bool lengthens;     // makes blocks longer, and not more of them
    int64_t low, high;  // the largest of other_sizes, and the modelled value
    int64_t seen, most; // the value at which blocks are known to be so long; what keeps them short
};

struct drawing {
    struct tried *tried;
    struct extent extents[LESSON_VARIABLES];
    size_t count;
    double elements, budget; // work of a block
    uint64_t longest;        // of one that was seen
};

static double count_elements(const struct lesson_part *part, const struct lesson_size *size)
{
    double sum = 0;
    for (size_t i = 0; i < part->arg_count; i++) {
        double count = lesson_is_buffer(&part->args[i]);
        for (size_t j = 0; j < part->args[i].shape_count; j++)
            count *= lesson_value(size, false, part->args[i].shape[j]);
        sum += count;
    }
    return sum;
}

static double gpu_value(const struct lesson_part *part, const char *name)
{
    double value = 0;
    lesson_size_variable(&part->sizes[part->speed_size], true, name, &value);
    return value;
}

static bool makes_longer(const struct drawing *drawing, const struct lesson_other_size *seen, const char *name)
{
    const struct tried *tried = drawing->tried;
    struct launch_shape shape = {.static_shared = tried->shape.static_shared}, more = shape;
    struct lesson_other_size doubled;
    copy_size(tried->part, seen, &doubled);
    lesson_other_set(&doubled, name, 2 * lesson_other_get(seen, name));
    return unit_reshape(tried->unit, tried->entry, &tried->part->launch, &seen->size, &shape) &&
           unit_reshape(tried->unit, tried->entry, &tried->part->launch, &doubled.size, &more) &&
           launch_blocks(&shape) == launch_blocks(&more);
}

static void find_extents(struct drawing *drawing, const struct lesson_other_size *seen)
{
    const struct lesson_part *part = drawing->tried->part;
    for (drawing->count = 0; drawing->count < part->range_count && drawing->count < LESSON_VARIABLES;
         drawing->count++) {
        const struct lesson_range *range = &part->ranges[drawing->count];
        struct extent *extent = &drawing->extents[drawing->count];
        int64_t modelled = (int64_t)gpu_value(part, range->name);
        *extent = (struct extent){.range = range,
                                  .is_large = modelled >= RUN_LEAST_VARIED,
                                  .low = modelled < range->most ? modelled : range->most,
                                  .high = modelled > range->most ? modelled : range->most,
                                  .seen = lesson_other_get(seen, range->name),
                                  .most = INT64_MAX};
        extent->lengthens = extent->is_large && makes_longer(drawing, seen, range->name);
        double most = (double)extent->seen * drawing->budget / (double)drawing->longest;
        if (extent->lengthens)
            extent->most = most < range->least ? range->least : (int64_t)most;
    }
}

enum roundness { ANY_NUMBER, WHOLE_TILES, POWER_OF_TWO };

static int64_t round_variable(int64_t value, enum roundness roundness)
{
    int64_t power = ROUND;
    if (roundness == ANY_NUMBER || value < ROUND_SMALL)
        return value;
    if (value < 2 * ROUND)
        return value / ROUND_SMALL * ROUND_SMALL;
    while (2 * power <= value)
        power *= 2;
    return roundness == POWER_OF_TWO ? power : value / ROUND * ROUND;
}

static int64_t draw_value(const struct extent *extent, uint64_t *random, enum elsewhere_look look, bool is_far,
                          bool beyond_word, enum roundness roundness)
{
    const struct lesson_range *range = extent->range;
    int64_t first = range->least > 0 ? range->least : 1, least = look == ELSEWHERE_BETWEEN ? extent->low : first;
    if (look != ELSEWHERE_BETWEEN && !extent->lengthens && extent->low / 8 > first)
        least = extent->low / 8; // of a block with next to nothing to do, what it leaves out is not missed
    int64_t most = extent->high;
    if (look == ELSEWHERE_WIDE && extent->is_large) {
        double room = is_far ? WIDE + WIDE / 8 : 2 * LEAN_BAND;
        most = room < (double)extent->most ? (int64_t)room : extent->most;
        least = is_far ? WIDE + 1 : first;
        int64_t value = draw_log(random, least, most > least ? most : least);
        return value - (value - range->least) % range->step;
    }
    if (!extent->is_large)
        return value_number(range, random_next(random) % value_count(range));
    if (look == ELSEWHERE_LONG && !extent->lengthens)
        return value_number(range, random_next(random) % value_count(range));
    if (is_far || look == ELSEWHERE_LONG) {
        least = is_far ? FAR_LEAST * extent->high : extent->high + extent->high / 2;
        most = (is_far ? FAR_MOST : LONG_MOST) * extent->high;
        if (is_far && beyond_word && extent->most > WORD + WORD / 4) {
            least = least > WORD ? least : WORD + ROUND;
            most = most > WORD + WORD / 4 ? most : WORD + WORD / 4;
        }
        roundness = roundness == POWER_OF_TWO ? WHOLE_TILES : roundness; // which bounds are not passed by
    }
    most = most < extent->most ? most : extent->most;
    if (least > most)
        least = most / 4 > first ? most / 4 : first;
    int64_t value = draw_log(random, least, most > least ? most : least);
    if ((round_variable(value, roundness) - range->least) % range->step == 0)
        return round_variable(value, roundness);
    return value < range->least ? range->least : value - (value - range->least) % range->step;
}

// How many times as long a block is as one that was seen.
static double block_length(const struct drawing *drawing, const struct lesson_other_size *size)
{
    double length = 1;
    for (size_t i = 0; i < drawing->count; i++) {
        const struct extent *extent = &drawing->extents[i];
        if (extent->lengthens)
            length *= (double)lesson_other_get(size, extent->range->name) / (double)extent->seen;
    }
    return length;
}

static bool is_far_look(enum elsewhere_look look)
{
    return look == ELSEWHERE_FAR || look == ELSEWHERE_FAR_TOO || look == ELSEWHERE_WIDE;
}

// Whether there is what makes blocks longer, and those of the modelled size leave time for longer ones.
static bool may_be_long(const struct drawing *drawing)
{
    bool may_be = false;
    for (size_t i = 0; i < drawing->count; i++) {
        const struct extent *extent = &drawing->extents[i];
        double work = (double)drawing->longest * (double)extent->high / (double)extent->seen;
        may_be |= extent->lengthens && work <= (int)LONG_WORK && extent->most >= extent->high + extent->high / 2;
    }
    return may_be;
}

// Which one is far, behind so many others that may be; the count of all where there are not so many.
static size_t find_far(const struct drawing *drawing, enum elsewhere_look look, size_t before)
{
    size_t i = 0;
    for (; is_far_look(look) && i < drawing->count; i++) {
        const struct extent *extent = &drawing->extents[i];
        bool may_be = extent->is_large && FAR_LEAST * extent->high <= extent->most;
        if (look == ELSEWHERE_WIDE)
            may_be = extent->is_large && !extent->lengthens && extent->high < WIDE;
        if (may_be && before-- == 0)
            return i;
    }
    return drawing->count;
}

static void add_large(struct drawing *drawing, uint64_t *random, enum elsewhere_look look, bool beyond_word,
                      enum roundness roundness)
{
    struct tried *tried = drawing->tried;
    struct lesson_other_size *other = &tried->others[tried->other_count];
    bool is_second = look == ELSEWHERE_WIDE ? random_next(random) % 2 : look == ELSEWHERE_FAR_TOO;
    size_t far = find_far(drawing, look, is_second);
    if (is_far_look(look) && far == drawing->count)
        return;
    for (size_t i = 0; i < drawing->count; i++)
        lesson_other_set(other, drawing->extents[i].range->name,
                         draw_value(&drawing->extents[i], random, look, i == far, beyond_word, roundness));
    bool is_short = block_length(drawing, other) * (double)drawing->longest <= drawing->budget;
    if (is_short && count_elements(tried->part, &other->size) <= (int)FAR_ELEMENTS * drawing->elements)
        tried->other_count += add_point(tried, &other->size);
}

// Of one kind; the last of seen is the size at which a block is known to take `longest`.
static void draw_large(struct drawing *drawing, const struct lesson_other_size *seen, uint64_t *random,
                       enum elsewhere_look look)
{
    static const double budgets[ELSEWHERE_LOOKS] = {[ELSEWHERE_BETWEEN] = 100000,
                                                    [ELSEWHERE_FAR] = 25000,
                                                    [ELSEWHERE_FAR_TOO] = 25000,
                                                    [ELSEWHERE_LONG] = 1200000,
                                                    [ELSEWHERE_WIDE] = WIDE_WORK};
    bool is_fixed = true;
    drawing->budget = budgets[look];
    find_extents(drawing, seen);
    for (size_t i = 0; i < drawing->count; i++)
        is_fixed &= !drawing->extents[i].lengthens;
    if (is_fixed && drawing->longest <= TOO_LONG) // nothing makes them shorter
        drawing->budget = fmax(drawing->budget, (double)drawing->longest);
    if (look == ELSEWHERE_LONG && !may_be_long(drawing))
        return;
    if (look == ELSEWHERE_WIDE && drawing->longest > WIDE_WORK)
        return;
    size_t before = drawing->tried->other_count, all = look == ELSEWHERE_LONG   ? LONG
                                                       : look == ELSEWHERE_WIDE ? WIDE_TRIED
                                                                                : LARGE;
    for (size_t i = 0; i < all && (i < all / 2 || !is_far_look(look) || drawing->tried->other_count == before); i++) {
        copy_size(drawing->tried->part, seen, &drawing->tried->others[drawing->tried->other_count]);
        add_large(drawing, random, look, i < all / 2,
                  i % 4 == 1 || (i % 4 == 3 && look == ELSEWHERE_BETWEEN) ? ANY_NUMBER
                  : i % 4                                                 ? WHOLE_TILES
                                                                          : POWER_OF_TWO);
    }
}

// Of the sizes [first, end) the one that was picked first, else any.
static size_t choose_large(const size_t *picked, const bool *by_predicate, size_t picked_count, size_t first,
                           size_t end, uint64_t *random, bool *decides)
{
    *decides = false;
    for (size_t i = 0; i < picked_count; i++)
        if (picked[i] >= first && picked[i] < end) {
            *decides = by_predicate[i];
            return picked[i];
        }
    return first + random_next(random) % (end - first);
}

static size_t find_large(struct drawing *drawing, const struct lesson_other_size *seen, size_t seen_count,
                         uint64_t *random, struct elsewhere_large sizes[ELSEWHERE_LOOKS])
{
    enum { PICKED = 8 };
    struct tried *tried = drawing->tried;
    size_t own = 0, ends[ELSEWHERE_LOOKS], picked[PICKED], found = 0;
    bool by_predicate[PICKED];
    for (size_t i = 0; i < tried->part->size_count; i++)
        add_point(tried, &tried->part->sizes[i]);
    for (size_t i = 0; i < seen_count; i++)
        add_point(tried, &seen[i].size);
    own = tried->count;
    for (int look = 0; look < ELSEWHERE_LOOKS; look++) {
        draw_large(drawing, &seen[seen_count - 1], random, (enum elsewhere_look)look);
        ends[look] = tried->count;
    }
    if (tried->count == own)
        return 0;
    size_t picked_count = find_otherwise(tried, own, random_next(random), picked, by_predicate, PICKED);
    for (int look = 0; look < ELSEWHERE_LOOKS; look++) {
        size_t first = look ? ends[look - 1] : own;
        if (first == ends[look])
            continue;
        size_t chosen =
            choose_large(picked, by_predicate, picked_count, first, ends[look], random, &sizes[found].decides);
        copy_size(tried->part, &tried->others[chosen - own], &sizes[found].size);
        sizes[found].look = (enum elsewhere_look)look;
        sizes[found].length = block_length(drawing, &sizes[found].size);
        found++;
    }
    return found;
}

size_t elsewhere_find_large(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                            const struct lesson_part *part, const struct lesson_other_size *seen, size_t seen_count,
                            uint64_t longest, struct elsewhere_large sizes[ELSEWHERE_LOOKS])
{
    struct tried tried;
    struct drawing drawing = {
        .tried = &tried, .elements = count_elements(part, &seen[seen_count - 1].size), .longest = longest};
    uint64_t random = runner->seed ^ UINT64_C(0x6c61726765);
    if (part->range_count == 0 || longest == 0)
        return 0;
    open_tried(&tried, part, unit, entry, part->size_count + seen_count + ELSEWHERE_LOOKS * LARGE + 1);
    size_t found = find_large(&drawing, seen, seen_count, &random, sizes);
    close_tried(&tried);
    return found;
}
