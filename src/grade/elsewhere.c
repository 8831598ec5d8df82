// Draws sizes, works out what a kernel decides there, and takes those at which it decides otherwise.
#include "grade/elsewhere.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "device/args.h"
#include "model/decisions.h"

enum {
    EACH = 1024, // values of one variable
    DRAWN = 128, // sizes of which all are drawn
    RELATED = 16 // in which one variable is as large as another, or twice as large
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

// False: it cannot be launched there.
static bool add_point(struct tried *tried, const struct lesson_size *size)
{
    const struct lesson_part *part = tried->part;
    struct deduction_at *at = &tried->points[tried->count];
    uint64_t *params = tried->params + tried->count * (tried->entry->param_count + 1);
    if (!unit_reshape(tried->unit, tried->entry, &part->launch, size, &tried->shape))
        return false;
    for (size_t i = 0; i < part->arg_count && i < tried->entry->param_count; i++)
        params[i] = part->args[i].role == LESSON_SCALAR
                        ? args_bits(part->args[i].type, lesson_value(size, false, part->args[i].value))
                        : (i + 1) << 36;
    at->params = params;
    memcpy(at->grid, tried->shape.grid, sizeof at->grid);
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

static size_t most_others(const struct lesson_part *part)
{
    size_t most = DRAWN;
    for (size_t i = 0; i < part->range_count; i++)
        most += value_count(&part->ranges[i]) < EACH ? value_count(&part->ranges[i]) : EACH;
    return most + 2 * RELATED * part->range_count * part->range_count;
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
    for (size_t i = 0; i < tried->part->range_count; i++) {
        const struct lesson_range *range = &tried->part->ranges[i];
        uint64_t count = value_count(range);
        for (uint64_t n = 0; n < count && n < EACH; n++)
            add_drawn(tried, random, range, count <= EACH ? n : random_next(random) % count);
    }
}

static size_t find_new(struct tried *tried, uint64_t *random, struct lesson_other_size *sizes)
{
    size_t own = 0, picked[ELSEWHERE_MOST], found;
    for (size_t i = 0; i < tried->part->size_count; i++)
        add_point(tried, &tried->part->sizes[i]);
    own = tried->count;
    try_all(tried, random);
    if (own == 0 || tried->count == own)
        return 0;
    found = decisions_new(tried->entry, &tried->shape, tried->points, own, tried->count, random_next(random), picked,
                          ELSEWHERE_MOST);
    for (size_t i = 0; i < found; i++) {
        const struct lesson_other_size *from = &tried->others[picked[i] - own];
        lesson_other_size(tried->part, &sizes[i]);
        for (size_t j = 0; j < from->size.variable_count; j++)
            sizes[i].variables[j] = from->variables[j];
    }
    return found;
}

size_t elsewhere_find(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                      const struct lesson_part *part, struct lesson_other_size sizes[ELSEWHERE_MOST])
{
    struct tried tried = {.part = part, .unit = unit, .entry = entry};
    size_t most = part->size_count + most_others(part);
    uint64_t random = ~runner->seed;
    if (part->range_count == 0)
        return 0;
    tried.shape.static_shared = unit_static_shared(entry);
    tried.points = mem_alloc(most * sizeof *tried.points);
    tried.others = mem_alloc(most * sizeof *tried.others);
    tried.params = mem_alloc(most * (entry->param_count + 1) * sizeof *tried.params);
    size_t found = find_new(&tried, &random, sizes);
    free(tried.points);
    free(tried.others);
    free(tried.params);
    if (found == 0)
        elsewhere_draw(part, &random, &sizes[found++]);
    return found;
}
