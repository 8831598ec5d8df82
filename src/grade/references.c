// Inputs, expected outputs and their comparison for one run.
#include "grade/references.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "device/args.h"
#include "grade/fills.h"
#include "grade/inner.h"
#include "grade/alike.h"

// ---- elements

static const unsigned char *element_address(const struct device_arg *arg, size_t index)
{
    return (const unsigned char *)arg->data + index * ptx_type_size(arg->type);
}

double dataset_element(const struct device_arg *arg, size_t index)
{
    return args_element(arg->type, element_address(arg, index));
}

static double *doubles_of(const struct device_arg *arg)
{
    double *values = mem_alloc(arg->count * sizeof *values);
    for (size_t i = 0; i < arg->count; i++)
        values[i] = dataset_element(arg, i);
    return values;
}

// Elements of an array that a run on zeros alone (grade/run.c) sees for sure.
enum { ALL_SEEN = 1 << 15 };

static uint64_t poison_of(enum ptx_type type)
{
    switch (type) {
    case PTX_F64:
        return UINT64_C(0x7ff4badbadbadbad);
    case PTX_F32:
        return 0x7fbadbad;
    case PTX_F16:
        return 0x7dba;
    case PTX_BF16:
        return 0x7fba;
    default:
        return UINT64_C(0xbadbadbadbadbadb) >> (64 - 8 * ptx_type_size(type));
    }
}

bool dataset_unwritten(const struct device_arg *arg, size_t index)
{
    uint64_t poison = poison_of(arg->type);
    return memcmp(element_address(arg, index), &poison, ptx_type_size(arg->type)) == 0;
}

// ---- filling

static bool is_unsigned(enum ptx_type type)
{
    return type == PTX_U8 || type == PTX_U16 || type == PTX_U32 || type == PTX_U64;
}

#define FILL(low, range) ((struct fill){low, 1, range, NULL, 0})

// Of eight rows of queries one is drawn whose scores are all lifted beyond what exp takes, and one whose are all
// lowered: for keys that end with KEY_FIRST, and divided by the root of 64, by 130 to 142, and by 130 to 226, or half
// of them to 349. From a drawn place in their second half on keys end with KEY_LATER, which lifts by 227 to 249. So the
// largest score of a lifted row is none of the first, and exp of what it is more than those overflows. One in four of
// these is lifted by 109 to 117 and later by 191 to 204, by a factor of 2^118 to 2^126: that is still a float, and what
// is added up with such weights is none. Such rows are as flat as others. These numbers stand at the end, where they
// are added last: a kernel that multiplies the queries by what turns exp into exp2 rounds then, but once. One in four
// of those that are lowered is so by 1024 to 65536, and has nothing else, so that its scores are exact.
#define KEY_FIRST 2.0
#define KEY_LATER 3.5
static double last_of_query(uint64_t state, size_t row, size_t rows)
{
    (void)rows;
    state += row / 8 * RANDOM_STEP;
    uint64_t drawn = random_next(&state), up = drawn % 8, down = (up + 1 + drawn / 8 % 7) % 8;
    double lifted = 520 + (double)(drawn >> 16 & 0x3f) * 0.75,
           lowered = 520 + (double)(drawn >> 16 & 0xff) * (drawn >> 24 & 1 ? 3.5 : 1.5);
    if ((drawn >> 40 & 3) == 0)
        lifted = 436 + (double)(drawn >> 16 & 0x3f) * 0.46875;
    if ((drawn >> 32 & 3) == 0)
        lowered = FILL_BARE * (double)(1 + (drawn >> 34 & 0x3f));
    return row % 8 == up ? lifted : row % 8 == down ? -lowered : 0;
}

static double last_of_key(uint64_t state, size_t row, size_t rows)
{
    size_t half = rows / 2, place = rows - half + (half > 0 ? random_of(state ^ RANDOM_STEP) % half : 0);
    return row >= place ? KEY_LATER : KEY_FIRST;
}

static const struct device_arg *first_output(const struct dataset *data)
{
    size_t output = 0;
    while (data->part->args[output].role != LESSON_OUT && data->part->args[output].role != LESSON_INOUT)
        output++;
    return &data->args[output];
}

static bool forgives_rounding(const struct dataset *data);

// Random in [-limit, limit), for sums of products. Halves up to 1.5 need a bit more then than bfloat16 has, halves up
// to 1 one more than a byte, and bfloat16 all of its bits.
static struct fill products_fill(const struct dataset *data, const struct device_arg *arg, double limit,
                                 double (*last)(uint64_t state, size_t row, size_t rows))
{
    double step = ptx_type_size(arg->type) == 2 && forgives_rounding(data) ? 0x1p-8 : 0x1p-6;
    return (struct fill){-limit, step, (uint64_t)(2 * limit / step), last, 0};
}

static struct fill fine_fill(const struct dataset *data, const struct device_arg *arg);

static struct fill uniform_fill(const struct dataset *data, const struct device_arg *arg)
{
    if (!device_is_float(arg->type))
        return FILL(is_unsigned(arg->type) ? 0 : -100, ptx_type_size(arg->type) == 1 ? 100 : 201);
    bool is_fine = dataset_moves(data->part) && ptx_type_size(arg->type) >= 4;
    return is_fine ? fine_fill(data, arg) : products_fill(data, arg, 1, NULL);
}

// With all bits of a float.
static struct fill fine_fill(const struct dataset *data, const struct device_arg *arg)
{
    bool has_bits = device_is_float(arg->type) && ptx_type_size(arg->type) >= 4;
    return has_bits ? (struct fill){-1, 0x1p-24, UINT64_C(1) << 25, NULL, 0} : uniform_fill(data, arg);
}

// Of 64 bits, as many as are drawn.
static struct fill any_fill(const struct dataset *data, const struct device_arg *arg)
{
    size_t bits = 8 * ptx_type_size(arg->type);
    uint64_t range = UINT64_C(1) << (bits < 48 ? bits : 48);
    return device_is_float(arg->type) ? fine_fill(data, arg)
                                      : FILL(is_unsigned(arg->type) ? 0 : -(double)(range / 2), range);
}

static struct fill fill_of(const struct dataset *data, const struct device_arg *arg, const char *name)
{
#define F(name_, fill, meaning)                                                                                        \
    if (name && strcmp(name, #name_) == 0)                                                                             \
        return fill;
#include "lesson/names.def"
#undef F
    return uniform_fill(data, arg);
}

// Rows of arrays that have none are as long as a block's threads, where they are few, or as a large block's. Small ones
// are left as they are: a diagnosis looks at single elements there. So are floats that stand for whole numbers.
static struct leaning leaning_of(const struct dataset *data, size_t index, size_t columns, uint64_t seed)
{
    enum { LEAST = 8000, SHORT_ROW = 256, LONG_ROW = 1024 };
    const struct device_arg *arg = &data->args[index];
    bool is_flat = data->part->args[index].shape_count < 2;
    if (arg->count < LEAST)
        return (struct leaning){0};
    if (is_flat)
        columns = arg->count > ALL_SEEN ? LONG_ROW : SHORT_ROW;
    return (struct leaning){seed, columns, is_flat, dataset_moves(data->part)};
}

// Bytes of any value may be those of a picture. In large arrays, whose conflicts are counted and timed, they repeat
// seldom.
static struct repeating repeating_of(const struct fill *fill, const struct device_arg *arg, uint64_t seed)
{
    bool is_large = arg->count > ALL_SEEN, is_byte = ptx_type_size(arg->type) == 1 && fill->range == 256;
    return is_byte ? (struct repeating){seed, is_large ? 64 : 4, !is_large} : (struct repeating){0};
}

static struct maker maker_of(const struct dataset *data, size_t index)
{
    const struct device_arg *arg = &data->args[index];
    const struct lesson_arg *declared = &data->part->args[index];
    size_t dims = declared->shape_count, columns = dims > 1 ? data->shape[index][dims - 1] : arg->count;
    bool is_uniform = device_is_float(arg->type) && (!declared->fill || strcmp(declared->fill, "uniform") == 0 ||
                                                     strcmp(declared->fill, "fine") == 0);
    struct fill fill = fill_of(data, arg, declared->fill);
    bool is_rough = (is_uniform || fill.rough > 0) && ptx_type_size(arg->type) >= 4 && forgives_rounding(data);
    uint64_t state = data->seed * 64 + index, drawn = state, holes = random_next(&drawn);
    return (struct maker){.fill = fill,
                          .type = arg->type,
                          .state = state,
                          .columns = columns ? columns : 1,
                          .rows = columns ? arg->count / columns : 1,
                          .rough = !is_rough        ? 0
                                   : fill.rough > 0 ? fill.rough
                                                    : 1,
                          .has_holes = is_uniform && arg->count > ALL_SEEN,
                          .holes = holes,
                          .repeating = repeating_of(&fill, arg, random_of(holes)),
                          .leaning = is_uniform || fill.last ? leaning_of(data, index, columns, random_next(&drawn))
                                                             : (struct leaning){0}};
}

void dataset_fill(const struct dataset *data, size_t arg, size_t first, size_t count, void *to)
{
    struct maker maker = data->makers[arg];
    size_t size = ptx_type_size(maker.type);
    maker.numbered = data->numbered;
    uint64_t bits = poison_of(maker.type);
    if (data->part->args[arg].role != LESSON_OUT) {
        maker_fill(&maker, first, count, to);
        return;
    }
    for (size_t i = 0; i < count; i++)
        memcpy((unsigned char *)to + i * size, &bits, size);
}

// ---- references

// The operands: the first output, and the inputs in order, in memory or made anew.
enum { MOST_INPUTS = 3 };
struct operands {
    const struct dataset *data;
    size_t out, in[MOST_INPUTS], in_count;
    struct maker makers[MOST_INPUTS];
    const size_t *elements; // of the output, that are asked for
    size_t count;
    double *result; // of each, as it was before
};

// False: the shapes do not suit it.
typedef bool reference_function(const struct operands *operands);

static size_t extent(const struct operands *operands, size_t arg, size_t dimension)
{
    return operands->data->shape[arg][dimension];
}

static size_t count_of(const struct operands *operands, size_t arg)
{
    return operands->data->args[arg].count;
}

static double input(const struct operands *operands, size_t number, size_t index)
{
    const struct device_arg *arg = &operands->data->args[operands->in[number]];
    if (arg->data)
        return dataset_element(arg, index);
    double value;
    maker_values(&operands->makers[number], index, 1, 1, &value);
    return value;
}

// `count` elements of an input, from `first` on in steps.
static void inputs(const struct operands *operands, size_t number, size_t first, size_t step, size_t count,
                   double *values)
{
    if (!operands->data->args[operands->in[number]].data)
        maker_values(&operands->makers[number], first, step, count, values);
    else
        for (size_t i = 0; i < count; i++)
            values[i] = input(operands, number, first + i * step);
}

// Those of the first input at these places, one for each element that is asked for: as many as follow one another in
// equal steps at once.
static void inputs_at(const struct operands *operands, const size_t *places, double *values)
{
    for (size_t i = 0, some; i < operands->count; i += some) {
        size_t step = 1;
        some = 1;
        if (i + 1 < operands->count && places[i + 1] > places[i])
            step = places[i + 1] - places[i];
        while (i + some < operands->count && places[i + some] == places[i] + some * step)
            some++;
        inputs(operands, 0, places[i], step, some, values + i);
    }
}

static bool refer_copy(const struct operands *operands)
{
    if (count_of(operands, operands->out) != count_of(operands, operands->in[0]))
        return false;
    inputs_at(operands, operands->elements, operands->result);
    return true;
}

static double variable_or(const struct operands *operands, const char *name, double otherwise)
{
    double value = otherwise;
    lesson_size_variable(operands->data->size, operands->data->gpu, name, &value);
    return value;
}

static bool refer_copy_strided(const struct operands *operands)
{
    size_t stride = (size_t)variable_or(operands, "stride", 0), count = count_of(operands, operands->out);
    if (stride == 0 || (count - 1) * stride >= count_of(operands, operands->in[0]))
        return false;
    size_t *places = mem_alloc((operands->count + 1) * sizeof *places);
    for (size_t i = 0; i < operands->count; i++)
        places[i] = operands->elements[i] * stride;
    inputs_at(operands, places, operands->result);
    free(places);
    return true;
}

static bool refer_transpose(const struct operands *operands)
{
    size_t rows = extent(operands, operands->in[0], 0), columns = extent(operands, operands->in[0], 1);
    if (extent(operands, operands->out, 0) != columns || extent(operands, operands->out, 1) != rows)
        return false;
    size_t *places = mem_alloc((operands->count + 1) * sizeof *places);
    for (size_t i = 0; i < operands->count; i++)
        places[i] = operands->elements[i] % rows * columns + operands->elements[i] / rows;
    inputs_at(operands, places, operands->result);
    free(places);
    return true;
}

// Lines of an operand that the elements need, one after another, each `depth` numbers long: rows of a, columns of b (or
// rows, where it is transposed).
struct lines {
    size_t *place, *which; // by number of the line, from 1; 0: not needed. And the other way round, from 0
    double *values;
    size_t count;
};

static struct lines lines_of(size_t all)
{
    return (struct lines){.place = mem_alloc((all + 1) * sizeof(size_t)),
                          .which = mem_alloc((all + 1) * sizeof(size_t))};
}

static void lines_need(struct lines *lines, size_t line)
{
    if (!lines->place[line]) {
        lines->which[lines->count] = line;
        lines->place[line] = ++lines->count;
    }
}

enum { PATCH_ROWS = 8, PATCH_COLUMNS = 64 };

// Columns [left, left + PATCH_COLUMNS), as far as they are needed: row by row, since neighbours are made at once.
static void fill_columns(struct lines *lines, const struct operands *operands, size_t number, size_t depth, size_t left)
{
    size_t width = extent(operands, operands->in[number], 1);
    size_t some = width - left < PATCH_COLUMNS ? width - left : PATCH_COLUMNS;
    double patch[PATCH_ROWS][PATCH_COLUMNS];
    for (size_t row = 0, high; row < depth; row += high) {
        high = depth - row < PATCH_ROWS ? depth - row : PATCH_ROWS;
        for (size_t y = 0; y < high; y++)
            inputs(operands, number, (row + y) * width + left, 1, some, patch[y]);
        for (size_t x = 0; x < some; x++)
            for (size_t y = 0; y < high && lines->place[left + x]; y++)
                lines->values[(lines->place[left + x] - 1) * depth + row + y] = patch[y][x];
    }
}

static void lines_fill(struct lines *lines, const struct operands *operands, size_t number, bool are_rows, size_t depth)
{
    lines->values = mem_alloc((lines->count * depth + 1) * sizeof *lines->values);
    size_t width = are_rows ? 0 : extent(operands, operands->in[number], 1);
    for (size_t i = 0; i < lines->count && are_rows; i++)
        inputs(operands, number, lines->which[i] * depth, 1, depth, lines->values + i * depth);
    for (size_t left = 0; left < width; left += PATCH_COLUMNS) {
        size_t x = left;
        while (x < width && x < left + PATCH_COLUMNS && !lines->place[x])
            x++;
        if (x < width && x < left + PATCH_COLUMNS)
            fill_columns(lines, operands, number, depth, left);
    }
}

static void lines_free(struct lines *lines)
{
    free(lines->place);
    free(lines->which);
    free(lines->values);
}

// Elements of a product that need the same lines, as lists.
struct tiles {
    size_t across, *first, *next; // by tile, by element: its number and one; 0: none
};

static void multiply_tile(const struct operands *operands, const struct tiles *tiles, const struct lines lines[2],
                          size_t tile)
{
    size_t depth = extent(operands, operands->in[0], 1), n = extent(operands, operands->out, 1), wanted = 0;
    const double *ends[2][INNER_SIDE];
    double result[INNER_SIDE][INNER_SIDE];
    for (size_t i = tiles->first[tile]; i; i = tiles->next[i - 1])
        wanted++;
    for (size_t i = 0; i < INNER_SIDE; i++)
        for (size_t side = 0; side < 2; side++) {
            size_t line = (side ? tile % tiles->across : tile / tiles->across) * INNER_SIDE + i;
            ends[side][i] = lines[side].values + (line < lines[side].count ? line : 0) * depth;
        }
    bool is_full = wanted >= INNER_WORTH;
    if (is_full)
        inner_products(ends[0], ends[1], depth, result);
    for (size_t i = tiles->first[tile]; i; i = tiles->next[i - 1]) {
        size_t row = (lines[0].place[operands->elements[i - 1] / n] - 1) % INNER_SIDE;
        size_t column = (lines[1].place[operands->elements[i - 1] % n] - 1) % INNER_SIDE;
        operands->result[i - 1] = is_full ? result[row][column] : inner_product(ends[0][row], ends[1][column], depth);
    }
}

static bool refer_product(const struct operands *operands, bool is_transposed)
{
    size_t m = extent(operands, operands->out, 0), n = extent(operands, operands->out, 1);
    size_t depth = extent(operands, operands->in[0], 1);
    if (operands->in_count < 2 || extent(operands, operands->in[0], 0) != m ||
        extent(operands, operands->in[1], is_transposed) != depth ||
        extent(operands, operands->in[1], !is_transposed) != n)
        return false;
    struct lines lines[2] = {lines_of(m), lines_of(n)};
    for (size_t i = 0; i < operands->count; i++) {
        lines_need(&lines[0], operands->elements[i] / n);
        lines_need(&lines[1], operands->elements[i] % n);
    }
    lines_fill(&lines[0], operands, 0, true, depth);
    lines_fill(&lines[1], operands, 1, is_transposed, depth);
    size_t down = (lines[0].count + INNER_SIDE - 1) / INNER_SIDE;
    struct tiles tiles = {.across = (lines[1].count + INNER_SIDE - 1) / INNER_SIDE};
    tiles.first = mem_alloc((down * tiles.across + 1) * sizeof *tiles.first);
    tiles.next = mem_alloc((operands->count + 1) * sizeof *tiles.next);
    for (size_t i = 0; i < operands->count; i++) {
        size_t row = lines[0].place[operands->elements[i] / n] - 1,
               column = lines[1].place[operands->elements[i] % n] - 1;
        size_t tile = row / INNER_SIDE * tiles.across + column / INNER_SIDE;
        tiles.next[i] = tiles.first[tile];
        tiles.first[tile] = i + 1;
    }
    for (size_t tile = 0; tile < down * tiles.across; tile++)
        multiply_tile(operands, &tiles, lines, tile);
    lines_free(&lines[0]);
    lines_free(&lines[1]);
    free(tiles.first);
    free(tiles.next);
    return true;
}

static bool refer_matmul(const struct operands *operands)
{
    return refer_product(operands, false);
}

static bool refer_matmul_transposed(const struct operands *operands)
{
    return refer_product(operands, true);
}

static bool has_rows(const struct operands *operands)
{
    return operands->data->part->args[operands->out].shape_count > 1;
}

static bool refer_reduce_sum(const struct operands *operands)
{
    size_t outputs = count_of(operands, operands->out), all = count_of(operands, operands->in[0]);
    if (all % outputs != 0)
        return false;
    enum { AT_ONCE = 512 };
    double values[AT_ONCE];
    for (size_t i = 0; i < operands->count; i++)
        for (size_t k = 0, run = all / outputs, some; k < run; k += some) {
            some = run - k < AT_ONCE ? run - k : AT_ONCE;
            inputs(operands, 0, operands->elements[i] * run + k, 1, some, values);
            for (size_t j = 0; j < some; j++)
                operands->result[i] += values[j];
        }
    return true;
}

struct place {
    size_t row, index; // in operands->elements
};

static int by_row(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    return (one->row > other->row) - (one->row < other->row);
}

// A row of out is the histogram of a row of in; a flat out that of all of in. Elements may be asked for in any order,
// and each row is counted once.
static bool refer_histogram(const struct operands *operands)
{
    size_t all = count_of(operands, operands->out), inputs = count_of(operands, operands->in[0]);
    size_t rows = has_rows(operands) ? extent(operands, operands->out, 0) : 1, bins = all / rows, row = rows;
    double divisor = ldexp(1, (int)variable_or(operands, "shift", 0));
    if (inputs % rows != 0)
        return false;
    double *counts = mem_alloc((bins + 1) * sizeof *counts);
    struct place *places = mem_alloc((operands->count + 1) * sizeof *places);
    for (size_t k = 0; k < operands->count; k++)
        places[k] = (struct place){operands->elements[k] / bins, k};
    qsort(places, operands->count, sizeof *places, by_row);
    for (size_t j = 0; j < operands->count; j++) {
        size_t k = places[j].index;
        if (places[j].row != row) {
            row = places[j].row;
            memset(counts, 0, bins * sizeof *counts);
            for (size_t i = 0; i < inputs / rows; i++) {
                double value = floor(input(operands, 0, row * (inputs / rows) + i) / divisor);
                if (value >= 0 && value < (double)bins)
                    counts[(size_t)value] += 1;
            }
        }
        operands->result[k] += counts[operands->elements[k] % bins];
    }
    free(places);
    free(counts);
    return true;
}

static double inside(const struct operands *operands, long rows, long columns, long y, long x)
{
    return y >= 0 && y < rows && x >= 0 && x < columns ? input(operands, 0, (size_t)(y * columns + x)) : 0;
}

static bool refer_stencil(const struct operands *operands)
{
    bool is_flat = !has_rows(operands);
    long rows = is_flat ? 1 : (long)extent(operands, operands->out, 0);
    long columns = is_flat ? (long)count_of(operands, operands->out) : (long)extent(operands, operands->out, 1);
    long radius = (long)variable_or(operands, "radius", 1);
    if (count_of(operands, operands->in[0]) != count_of(operands, operands->out))
        return false;
    for (size_t k = 0; k < operands->count; k++) {
        long y = (long)operands->elements[k] / columns, x = (long)operands->elements[k] % columns;
        double sum =
            is_flat ? 0 : inside(operands, rows, columns, y - 1, x) + inside(operands, rows, columns, y + 1, x);
        for (long i = is_flat ? -radius : -1; i <= (is_flat ? radius : 1); i++)
            sum += inside(operands, rows, columns, y, x + i);
        operands->result[k] = sum;
    }
    return true;
}

// What rows of the output are made of: all keys and values, and so many rows of queries, with a weight for each key.
struct attended {
    size_t depth, keys, columns;
    double *query, *key, *value, *weights;
};

static void weigh_keys(const struct attended *from)
{
    const double *queries[INNER_SIDE], *keys[INNER_SIDE];
    double result[INNER_SIDE][INNER_SIDE];
    for (size_t r = 0; r < INNER_SIDE; r++)
        queries[r] = from->query + r * from->depth;
    for (size_t i = 0; i < from->keys; i += INNER_SIDE) {
        size_t some = from->keys - i < INNER_SIDE ? from->keys - i : INNER_SIDE;
        for (size_t q = 0; q < INNER_SIDE; q++)
            keys[q] = from->key + (i + (q < some ? q : 0)) * from->depth;
        inner_products(queries, keys, from->depth, result);
        for (size_t r = 0; r < INNER_SIDE; r++)
            memcpy(from->weights + r * from->keys + i, result[r], some * sizeof **result);
    }
}

static void attend_row(const struct attended *from, double *weights, double *row)
{
    double most = -INFINITY, sum = 0, root = sqrt((double)from->depth);
    for (size_t i = 0; i < from->keys; i++)
        most = fmax(most, weights[i]);
    for (size_t i = 0; i < from->keys; i++)
        sum += weights[i] = exp((weights[i] - most) / root);
    for (size_t i = 0; i < from->keys; i++)
        weights[i] /= sum;
    inner_combine(weights, from->value, from->keys, from->columns, row);
}

// Each row that an element asks for is computed once, and as a whole.
static bool refer_attention(const struct operands *operands)
{
    size_t rows = extent(operands, operands->out, 0), columns = extent(operands, operands->out, 1), count = 0;
    if (operands->in_count < 3)
        return false;
    size_t depth = extent(operands, operands->in[0], 1), keys = extent(operands, operands->in[1], 0);
    if (extent(operands, operands->in[0], 0) != rows || extent(operands, operands->in[1], 1) != depth ||
        extent(operands, operands->in[2], 0) != keys || extent(operands, operands->in[2], 1) != columns)
        return false;
    struct attended from = {.depth = depth, .keys = keys, .columns = columns};
    from.query = mem_alloc((INNER_SIDE * (depth + keys) + keys * (depth + columns) + 1) * sizeof *from.query);
    from.key = from.query + INNER_SIDE * depth;
    from.value = from.key + keys * depth;
    from.weights = from.value + keys * columns;
    inputs(operands, 1, 0, 1, keys * depth, from.key);
    inputs(operands, 2, 0, 1, keys * columns, from.value);
    double **done = mem_alloc((rows + 1) * sizeof *done);
    size_t *asked = mem_alloc((rows + 1) * sizeof *asked);
    for (size_t i = 0; i < operands->count; i++) {
        size_t row = operands->elements[i] / columns;
        if (done[row])
            continue;
        done[row] = mem_alloc((columns + 1) * sizeof **done);
        asked[count++] = row;
    }
    for (size_t i = 0; i < count; i++) {
        size_t some = count - i < INNER_SIDE ? count - i : INNER_SIDE;
        for (size_t r = 0; r < some && i % INNER_SIDE == 0; r++)
            inputs(operands, 0, asked[i + r] * depth, 1, depth, from.query + r * depth);
        if (i % INNER_SIDE == 0)
            weigh_keys(&from);
        attend_row(&from, from.weights + i % INNER_SIDE * keys, done[asked[i]]);
    }
    for (size_t i = 0; i < operands->count; i++)
        operands->result[i] = done[operands->elements[i] / columns][operands->elements[i] % columns];
    for (size_t row = 0; row < rows; row++)
        free(done[row]);
    free(done);
    free(asked);
    free(from.query);
    return true;
}

enum { WINDOW = 64 };

// `steps` times the mean of the four neighbours: a window of the output, from what is up to `steps` around it. What
// lies outside of the matrix is 0, and stays so.
static void relax_window(const struct operands *operands, long rows, long columns, long top, long left, long steps,
                         double *window)
{
    long side = WINDOW + 2 * steps;
    double *now = mem_alloc((size_t)(side * side) * sizeof *now),
           *next = mem_alloc((size_t)(side * side) * sizeof *now);
    long from = left - steps > 0 ? left - steps : 0, to = left - steps + side < columns ? left - steps + side : columns;
    for (long row = top - steps > 0 ? top - steps : 0; row < rows && row < top - steps + side; row++)
        inputs(operands, 0, (size_t)(row * columns + from), 1, (size_t)(to - from),
               now + (row - top + steps) * side + from - left + steps);
    for (long step = 1; step <= steps; step++) {
        for (long y = step; y < side - step; y++)
            for (long x = step; x < side - step; x++) {
                long row = top - steps + y, column = left - steps + x, i = y * side + x;
                bool exists = row >= 0 && row < rows && column >= 0 && column < columns;
                next[i] = exists ? (now[i - side] + now[i + side] + now[i - 1] + now[i + 1]) / 4 : 0;
            }
        double *was = now;
        now = next;
        next = was;
    }
    for (long y = 0; y < WINDOW; y++)
        memcpy(window + y * WINDOW, now + (y + steps) * side + steps, WINDOW * sizeof *window);
    free(now);
    free(next);
}

static bool refer_relax(const struct operands *operands)
{
    long rows = (long)extent(operands, operands->out, 0), columns = (long)extent(operands, operands->out, 1);
    long steps = (long)variable_or(operands, "steps", 1), across = (columns + WINDOW - 1) / WINDOW;
    if (!has_rows(operands) || steps < 0 || count_of(operands, operands->in[0]) != count_of(operands, operands->out))
        return false;
    size_t count = (size_t)((rows + WINDOW - 1) / WINDOW * across);
    double **windows = mem_alloc((count + 1) * sizeof *windows); // NULL: no element of it was asked for yet
    for (size_t k = 0; k < operands->count; k++) {
        long y = (long)operands->elements[k] / columns, x = (long)operands->elements[k] % columns;
        double **window = &windows[y / WINDOW * across + x / WINDOW];
        if (!*window) {
            *window = mem_alloc(WINDOW * WINDOW * sizeof **window);
            relax_window(operands, rows, columns, y / WINDOW * WINDOW, x / WINDOW * WINDOW, steps, *window);
        }
        operands->result[k] = (*window)[y % WINDOW * WINDOW + x % WINDOW];
    }
    for (size_t i = 0; i < count; i++)
        free(windows[i]);
    free(windows);
    return true;
}

#define refer_none NULL
static const struct reference {
    const char *name;
    bool moves, adds;
    reference_function *function;
} references[] = {
#define R(name, moves, adds, meaning) {#name, moves, adds, refer_##name},
#include "lesson/names.def"
#undef R
};

static const struct reference *reference_of(const struct lesson_part *part)
{
    for (size_t i = 0; part->reference && i < sizeof references / sizeof *references; i++)
        if (strcmp(references[i].name, part->reference) == 0)
            return &references[i];
    return NULL;
}

bool dataset_moves(const struct lesson_part *part)
{
    const struct reference *reference = reference_of(part);
    return reference && reference->moves;
}

// Of a type with so many bits, so many of which are the mantissa.
static uint64_t rare_number(unsigned bits, unsigned mantissa, uint64_t *random)
{
    uint64_t drawn = random_next(random), fraction = (UINT64_C(1) << mantissa) - 1;
    uint64_t sign = (drawn >> 63) << (bits - 1), infinity = ((UINT64_C(1) << (bits - 1)) - 1) & ~fraction;
    switch (drawn % 8) {
    case 0:
        return sign | infinity;
    case 1:
        return sign | (infinity - 1); // the largest
    case 2:
    case 3:
        return sign; // 0
    case 4:
        return sign | infinity | (fraction + 1) / 2 | (drawn >> 8 & fraction); // NaN
    default:
        return sign | (drawn >> 8 & fraction);
    }
}

void dataset_fill_rare(struct dataset *data)
{
    static const unsigned mantissas[] = {[PTX_F16] = 10, [PTX_BF16] = 7, [PTX_F32] = 23, [PTX_F64] = 52};
    uint64_t random = data->seed;
    for (size_t i = 0; i < data->count; i++) {
        struct device_arg *arg = &data->args[i];
        unsigned bytes = ptx_type_size(arg->type);
        for (size_t j = 0; data->part->args[i].role == LESSON_IN && j < arg->count; j++) {
            uint64_t bits = rare_number(8 * bytes, mantissas[arg->type], &random);
            memcpy((char *)arg->data + j * bytes, &bits, bytes);
        }
    }
}

bool dataset_adds_rows(const struct lesson_part *part)
{
    const struct reference *reference = reference_of(part);
    return reference && reference->function == refer_reduce_sum;
}

bool dataset_put_infinities(struct dataset *data)
{
    bool puts = false;
    for (size_t i = 0; i < data->count && dataset_adds_rows(data->part); i++) {
        struct device_arg *arg = &data->args[i];
        if (data->part->args[i].role != LESSON_IN || arg->type != PTX_F32 || data->part->args[i].shape_count != 2)
            continue;
        size_t columns = data->shape[i][1];
        for (size_t row = 1; columns && row < arg->count / columns; row += 2) {
            args_put(arg, row * columns + (row % 4 == 1 ? 0 : columns - 1), args_bits(arg->type, INFINITY));
            puts = true;
        }
    }
    return puts;
}

// A side of a patch: that of a tile.
static size_t draw_side(uint64_t *random)
{
    return (size_t)32 << random_next(random) % 2;
}

// What is no larger than a patch stays: results that are 0 tell little. So do the last patches each way, where elements
// are that a kernel may leave out. True: some are 0 now.
static bool clear_patches(struct dataset *data, size_t index, uint64_t *random)
{
    struct device_arg *arg = &data->args[index];
    size_t dimensions = data->part->args[index].shape_count, bytes = ptx_type_size(arg->type);
    size_t columns = dimensions ? data->shape[index][dimensions - 1] : arg->count;
    size_t height = draw_side(random), width = draw_side(random);
    uint64_t of_array = random_next(random);
    bool cleared = false;
    if (columns <= width && arg->count <= height * columns)
        return false;
    size_t rows = columns ? arg->count / columns : 0;
    for (size_t i = 0, count; i < arg->count; i += count) {
        size_t column = i % columns, left = width - column % width;
        bool is_last = (columns > width && column / width == (columns - 1) / width) ||
                       (rows > height && i / columns / height == (rows - 1) / height);
        uint64_t patch = of_array + i / columns / height * (columns / width + 1) + column / width;
        bool clears = random_next(&patch) % 2 && !is_last;
        count = left < columns - column ? left : columns - column;
        if (clears)
            memset((char *)arg->data + i * bytes, 0, count * bytes);
        cleared |= clears;
    }
    return cleared;
}

// Of a tile that begins at `first`: near its end, its beginning, or anywhere.
static size_t draw_spot(size_t first, size_t side, bool is_near, uint64_t *random)
{
    enum { NEAR = 4 };
    uint64_t drawn = random_next(random);
    size_t near = side < NEAR ? side : NEAR, offset = (size_t)(drawn >> 8) % (is_near ? near : side);
    return first + (is_near && drawn % 2 ? side - 1 - offset : offset);
}

// The elements that stay, in order of their tiles; returns how many.
static size_t draw_spikes(const struct dataset *data, size_t index, const uint32_t tile[2], uint64_t *random,
                          size_t places[], size_t most)
{
    const struct device_arg *arg = &data->args[index];
    size_t dimensions = data->part->args[index].shape_count, count = 0;
    size_t columns = dimensions ? data->shape[index][dimensions - 1] : arg->count;
    size_t width = tile[0] ? tile[0] : 1, height = tile[1] ? tile[1] : 1;
    for (size_t y = 0; columns && y * columns < arg->count; y += height)
        for (size_t x = 0; x < columns && count < most; x += width) {
            uint64_t drawn = random_next(random);
            size_t column = draw_spot(x, width, drawn & 1, random), row = draw_spot(y, height, !(drawn & 1), random);
            if (drawn >> 8 & 1 || column >= columns || row * columns + column >= arg->count)
                continue;
            places[count++] = row * columns + column;
        }
    return count;
}

bool dataset_fill_spikes(struct dataset *data, const uint32_t tile[2])
{
    enum { MOST = 4096 };
    uint64_t random = data->seed;
    size_t *places = mem_alloc(MOST * sizeof *places), all = 0;
    unsigned char *kept = mem_alloc(MOST * sizeof(uint64_t));
    for (size_t i = 0; i < data->count; i++) {
        struct device_arg *arg = &data->args[i];
        size_t bytes = ptx_type_size(arg->type), count;
        if (data->part->args[i].role != LESSON_IN)
            continue;
        count = tile ? draw_spikes(data, i, tile, &random, places, MOST) : 0;
        for (size_t j = 0; j < count; j++)
            memcpy(kept + j * bytes, (unsigned char *)arg->data + places[j] * bytes, bytes);
        memset(arg->data, 0, arg->count * bytes);
        for (size_t j = 0; j < count; j++)
            memcpy((unsigned char *)arg->data + places[j] * bytes, kept + j * bytes, bytes);
        all += count;
    }
    free(places);
    free(kept);
    return all > 0;
}

bool dataset_clear_patches(struct dataset *data)
{
    uint64_t random = data->seed;
    bool cleared = false;
    for (size_t i = 0; i < data->count; i++)
        if (data->part->args[i].role == LESSON_IN)
            cleared |= clear_patches(data, i, &random);
    return cleared;
}

static bool has_narrow_outputs(const struct dataset *data)
{
    bool has = false;
    for (size_t i = 0; i < data->count; i++)
        has |= data->part->args[i].role == LESSON_OUT && ptx_type_size(data->args[i].type) < sizeof(float);
    return has;
}

// Whether the outputs are as many times as large as this input is.
static bool is_linear_in(const struct dataset *data, size_t index)
{
    const struct reference *reference = reference_of(data->part);
    bool is_last = true;
    for (size_t i = index + 1; i < data->count; i++)
        is_last &= data->part->args[i].role != LESSON_IN;
    return data->part->args[index].role == LESSON_IN && device_is_float(data->args[index].type) && reference &&
           reference->function && !reference->moves && (is_last || reference->function != refer_attention);
}

double dataset_scale(struct dataset *data, bool last_alone, bool last_larger, struct text *how)
{
    double all = 1;
    bool is_larger = last_larger, is_done = has_narrow_outputs(data);
    for (size_t i = data->count; i-- > 0 && !is_done;) {
        struct device_arg *arg = &data->args[i];
        int power = arg->type == PTX_F16 ? 6 : 24;
        if (!is_linear_in(data, i))
            continue;
        double factor = ldexp(1, is_larger ? power : -power);
        for (size_t j = 0; j < arg->count; j++)
            args_put(arg, j, args_bits(arg->type, dataset_element(arg, j) * factor));
        text_printf(how, "%s`%.40s` is 2^%d times as %s", how->length ? " and " : "", arg->name, power,
                    is_larger ? "large" : "small");
        all *= factor;
        is_larger = !is_larger;
        is_done = last_alone;
    }
    return all;
}

// Whether the tolerance is more than what floats lose in a sum, in whatever order: so many terms of at most 1, added up
// at random, go astray by an eighth of their number * 2^-23 (one standard deviation of sums of products). Means lose
// less: of a relaxation's steps each loses no more than four terms do, and a mean by weights what those lose, which
// are made of scores up to 64. A kernel of the lesson is taken to add up a row.
static bool forgives_rounding(const struct dataset *data)
{
    const struct reference *reference = reference_of(data->part);
    reference_function *function = reference ? reference->function : NULL;
    bool is_none = data->part->reference == NULL || (reference && !function);
    size_t first = 0;
    while (first < data->count && data->part->args[first].role != LESSON_IN)
        first++;
    if (first == data->count || !data->part->args[first].shape_count || is_none || dataset_moves(data->part))
        return false;
    double terms = (double)data->shape[first][data->part->args[first].shape_count - 1], radius = 1, steps = 1;
    if (function == refer_stencil) {
        lesson_size_variable(data->size, data->gpu, "radius", &radius);
        terms = 2 * radius + 3;
    }
    if (function == refer_relax) {
        lesson_size_variable(data->size, data->gpu, "steps", &steps);
        terms = 4 * steps;
    }
    if (function == refer_attention)
        terms = 256;
    return terms * 0x1p-23 <= data->part->absolute;
}

static bool find_operands(const struct dataset *data, struct operands *operands)
{
    bool has_out = false;
    *operands = (struct operands){.data = data};
    for (size_t i = 0; i < data->count; i++) {
        enum lesson_role role = data->part->args[i].role;
        if ((role == LESSON_OUT || role == LESSON_INOUT) && !has_out) {
            operands->out = i;
            has_out = true;
        } else if (role == LESSON_IN && operands->in_count < MOST_INPUTS) {
            operands->makers[operands->in_count] = data->makers[i];
            operands->makers[operands->in_count].numbered = data->numbered;
            operands->in[operands->in_count++] = i;
        }
    }
    return has_out && operands->in_count > 0;
}

// A flat histogram needs all of the input for each bin.
static bool needs_all(const struct reference *reference, const struct operands *operands)
{
    return reference->function == refer_histogram && !has_rows(operands);
}

// An output that counts on from what it held.
static bool counts_on(const struct reference *reference, const struct operands *operands)
{
    return reference->adds && operands->data->part->args[operands->out].role == LESSON_INOUT;
}

enum status dataset_expect(struct dataset *data, struct diagnostic *diagnostic)
{
    const struct reference *reference = reference_of(data->part);
    struct operands operands;
    if (!data->part->reference || (reference && !reference->function))
        return STATUS_OK;
    if (!reference || !find_operands(data, &operands))
        return diagnostic_set(diagnostic, STATUS_USAGE, "the reference \"%s\" needs an output and an input.",
                              data->part->reference);
    const struct device_arg *out = &data->args[operands.out];
    size_t *elements = mem_alloc((out->count + 1) * sizeof *elements);
    for (size_t i = 0; i < out->count; i++)
        elements[i] = i;
    operands.elements = elements;
    operands.count = out->count;
    operands.result =
        counts_on(reference, &operands) ? doubles_of(out) : mem_alloc((out->count + 1) * sizeof *operands.result);
    bool suits = reference->function(&operands);
    free(elements);
    if (suits) {
        data->expected[operands.out] = operands.result;
        return STATUS_OK;
    }
    free(operands.result);
    return diagnostic_set(diagnostic, STATUS_USAGE, "the arguments' shapes do not suit the reference \"%s\".",
                          reference->name);
}

bool dataset_judges(const struct dataset *data, size_t *output)
{
    const struct reference *reference = reference_of(data->part);
    struct operands operands;
    *output = data->own.output;
    if (data->own.expect)
        return true;
    bool judges = reference && reference->function && find_operands(data, &operands) &&
                  !needs_all(reference, &operands) && !counts_on(reference, &operands);
    *output = judges ? operands.out : 0;
    return judges;
}

bool dataset_expect_some(const struct dataset *data, const size_t *elements, size_t count, double *expected)
{
    struct operands operands;
    if (data->own.expect)
        return data->own.expect(data->own.context, elements, count, expected);
    if (!find_operands(data, &operands))
        return false;
    operands.elements = elements;
    operands.count = count;
    operands.result = expected;
    memset(expected, 0, count * sizeof *expected);
    return reference_of(data->part)->function(&operands);
}

// ---- making

static void make_arg(struct dataset *data, size_t index)
{
    const struct lesson_arg *from = &data->part->args[index];
    struct device_arg *arg = &data->args[index];
    *arg = (struct device_arg){.name = from->name, .type = from->type, .count = 1};
    if (from->role == LESSON_SCALAR) {
        arg->scalar = args_bits(from->type, lesson_value(data->size, data->gpu, from->value));
        return;
    }
    if (from->role == LESSON_MAP) {
        lesson_tensor_map(data->part, from, data->size, data->gpu, arg, NULL);
        return;
    }
    for (size_t i = 0; i < 3; i++) {
        data->shape[index][i] = i < from->shape_count ? (size_t)lesson_value(data->size, data->gpu, from->shape[i]) : 1;
        arg->count *= data->shape[index][i];
    }
    arg->is_buffer = true;
    arg->read_only = from->role == LESSON_IN;
}

void dataset_make_bare(struct dataset *data, const struct lesson_part *part, const struct lesson_size *size, bool gpu,
                       uint64_t seed)
{
    *data = (struct dataset){.part = part, .size = size, .gpu = gpu, .seed = seed, .count = part->arg_count};
    data->makers = mem_alloc((data->count + 1) * sizeof *data->makers);
    for (size_t i = 0; i < data->count; i++)
        make_arg(data, i);
    dataset_draw(data, seed);
}

void dataset_draw(struct dataset *data, uint64_t seed)
{
    data->seed = seed;
    for (size_t i = 0; i < data->count; i++)
        if (data->args[i].is_buffer)
            data->makers[i] = maker_of(data, i);
}

void dataset_make(struct dataset *data, const struct lesson_part *part, const struct lesson_size *size, bool gpu,
                  uint64_t seed)
{
    dataset_make_bare(data, part, size, gpu, seed);
    for (size_t i = 0; i < data->count; i++) {
        struct device_arg *arg = &data->args[i];
        size_t bytes = arg->count * ptx_type_size(arg->type);
        if (!arg->is_buffer)
            continue;
        arg->data = mem_alloc(bytes + 1);
        arg->uninitialised = part->args[i].role == LESSON_OUT;
        dataset_fill(data, i, 0, arg->count, arg->data);
        if (arg->read_only)
            continue;
        data->before[i] = mem_alloc(bytes + 1);
        memcpy(data->before[i], arg->data, bytes);
    }
}

void dataset_free(struct dataset *data)
{
    for (size_t i = 0; i < data->count; i++) {
        if (data->args[i].is_tensor_map)
            args_free(&data->args[i]);
        free(data->args[i].data);
        free(data->before[i]);
        free(data->expected[i]);
    }
    free(data->makers);
    *data = (struct dataset){0};
}

void dataset_restore(struct dataset *data)
{
    for (size_t i = 0; i < data->count; i++)
        if (data->before[i])
            memcpy(data->args[i].data, data->before[i], data->args[i].count * ptx_type_size(data->args[i].type));
}

void dataset_keep(const struct dataset *data, void *kept[DEVICE_MAX_ARGS])
{
    for (size_t i = 0; i < data->count; i++) {
        size_t size = data->before[i] ? data->args[i].count * ptx_type_size(data->args[i].type) : 0;
        kept[i] = size ? mem_alloc(size) : NULL;
        if (size)
            memcpy(kept[i], data->args[i].data, size);
    }
}

bool dataset_put_back(struct dataset *data, void *kept[DEVICE_MAX_ARGS])
{
    bool same = true;
    for (size_t i = 0; i < data->count; i++) {
        size_t size = data->args[i].count * ptx_type_size(data->args[i].type);
        if (!kept[i])
            continue;
        same &= data->expected[i] || memcmp(kept[i], data->args[i].data, size) == 0;
        memcpy(data->args[i].data, kept[i], size);
        free(kept[i]);
    }
    return same;
}

void dataset_expect_outputs(struct dataset *data)
{
    for (size_t i = 0; i < data->count; i++)
        if (data->before[i])
            data->expected[i] = doubles_of(&data->args[i]);
    dataset_restore(data);
}

void dataset_describe(const struct dataset *data, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < data->size->variable_count && used < size; i++) {
        double value = 0;
        lesson_size_variable(data->size, data->gpu, data->size->variables[i].name, &value);
        int length = snprintf(text + used, size - used, "%s%.0f", i ? " x " : "", value);
        used += length > 0 ? (size_t)length : 0;
    }
}

// ---- comparing

enum { MAP_ROWS = 16, MAP_COLUMNS = 32 };

// A dimension of the output that is cut into tiles is recognised by its extent: that of the grid's columns or rows.
static bool in_partial_tile(size_t at, size_t extent, uint32_t tile)
{
    return tile > 0 && extent % tile != 0 && at >= extent - extent % tile;
}

bool dataset_is_right(double got, double want, const struct lesson_part *part)
{
    if (want == 0 && got == 0 && dataset_moves(part))
        return signbit(got) == signbit(want);
    if (isinf(want) && dataset_adds_rows(part))
        return !isfinite(got);
    if (isnan(want)) // only where inputs are; what is only moved keeps its bits, arithmetic makes others
        return isnan(got) && (!dataset_moves(part) || memcmp(&got, &want, sizeof got) == 0);
    return got == want || fabs(got - want) <= part->absolute + part->relative * fabs(want);
}

// Of one that is wrong: off by no more than a 64th of itself or, where it was computed, of what the output's elements
// are on average (mean, of their magnitudes). Never of whole numbers, which nothing rounds.
static bool is_near(double got, double want, double mean, enum ptx_type type, const struct lesson_part *part)
{
    return device_is_float(type) && fabs(got - want) <= fmax(fabs(want), part->relative > 0 ? mean : 0) / 64;
}

struct magnitude {
    double mean, largest;
};

static struct magnitude magnitude_of(const double *values, size_t count)
{
    struct magnitude magnitude = {0};
    for (size_t i = 0; i < count; i++) {
        magnitude.mean += fabs(values[i]) / (double)count;
        magnitude.largest = fmax(magnitude.largest, fabs(values[i]));
    }
    return magnitude;
}

static void note_wrong(const struct dataset *data, size_t arg, size_t index, double got, struct magnitude right,
                       size_t cells[], struct grade_mismatch *mismatch)
{
    size_t row = index / mismatch->columns, column = index % mismatch->columns;
    if (mismatch->wrong++ == 0) {
        mismatch->index = index;
        mismatch->row = row;
        mismatch->column = column;
        mismatch->expected = data->expected[arg][index];
        mismatch->got = got;
        mismatch->first_unwritten = dataset_unwritten(&data->args[arg], index);
    }
    if (dataset_unwritten(&data->args[arg], index))
        mismatch->unwritten++;
    else if (isnan(got))
        mismatch->nan++;
    else if (got == 0)
        mismatch->zero++;
    else
        mismatch->large += fabs(got) > fabs(data->expected[arg][index]);
    if (!dataset_unwritten(&data->args[arg], index)) {
        mismatch->near += is_near(got, data->expected[arg][index], right.mean, data->args[arg].type, data->part);
        mismatch->beyond += fabs(got) > 1.25 * right.largest;
    }
    cells[row * MAP_ROWS / mismatch->rows * MAP_COLUMNS + column * MAP_COLUMNS / mismatch->columns]++;
}

// Cells as 0 … 255, where any wrong element shows.
static void fill_map(const size_t cells[], struct grade_mismatch *mismatch)
{
    size_t rows = mismatch->rows, columns = mismatch->columns;
    for (size_t y = 0; y < MAP_ROWS; y++)
        for (size_t x = 0; x < MAP_COLUMNS; x++) {
            size_t wrong = cells[y * MAP_COLUMNS + x];
            size_t high = ((y + 1) * rows + MAP_ROWS - 1) / MAP_ROWS - (y * rows + MAP_ROWS - 1) / MAP_ROWS;
            size_t wide =
                ((x + 1) * columns + MAP_COLUMNS - 1) / MAP_COLUMNS - (x * columns + MAP_COLUMNS - 1) / MAP_COLUMNS;
            size_t all = high > 0 && wide > 0 ? high * wide : 1;
            mismatch->map[y][x] = (unsigned char)(wrong ? 1 + 254 * wrong / all : 0);
        }
}

enum { MOST_PLACES = 1 << 22 };

static void note_places(const struct device_arg *out, const double *expected, const struct lesson_part *part,
                        size_t rows, size_t columns, struct grade_mismatch *mismatch)
{
    bool *wrong = mem_alloc(out->count + 1);
    for (size_t i = 0; i < out->count; i++)
        wrong[i] = !dataset_is_right(dataset_element(out, i), expected[i], part) ||
                   (isnan(expected[i]) && dataset_unwritten(out, i));
    alike_places(wrong, rows, columns, mismatch->where, sizeof mismatch->where);
    free(wrong);
}

bool dataset_compare(const struct dataset *data, size_t arg, uint32_t tile_x, uint32_t tile_y,
                     struct grade_mismatch *mismatch)
{
    const struct device_arg *out = &data->args[arg];
    const double *expected = data->expected[arg];
    size_t cells[MAP_ROWS * MAP_COLUMNS] = {0}, dimensions = data->part->args[arg].shape_count;
    size_t columns = dimensions ? data->shape[arg][dimensions - 1] : 1, rows = out->count / columns;
    const struct lesson_launch *launch = &data->part->launch;
    struct magnitude right = {0};
    *mismatch = (struct grade_mismatch){
        .argument = out->name, .total = out->count, .rows = rows, .columns = columns, .partial_only = true};
    if (!expected)
        return true;
    // The grid's columns may be the output's rows (a transpose).
    bool is_turned = launch->from && (size_t)lesson_value(data->size, data->gpu, launch->cols) != columns;
    uint32_t across = is_turned ? tile_y : tile_x, down = is_turned ? tile_x : tile_y;
    for (size_t i = 0; i < out->count; i++) {
        double got = dataset_element(out, i);
        bool is_unwritten = isnan(expected[i]) && dataset_unwritten(out, i);
        if (dataset_is_right(got, expected[i], data->part) && !is_unwritten)
            continue;
        right = mismatch->wrong ? right : magnitude_of(expected, out->count);
        note_wrong(data, arg, i, got, right, cells, mismatch);
        if (!in_partial_tile(i % columns, columns, across) && !in_partial_tile(i / columns, rows, down))
            mismatch->partial_only = false;
    }
    mismatch->partial_only = mismatch->partial_only && mismatch->wrong;
    fill_map(cells, mismatch);
    if (mismatch->wrong && mismatch->wrong < mismatch->total && out->count <= MOST_PLACES)
        note_places(out, expected, data->part, rows, columns, mismatch);
    return mismatch->wrong == 0;
}
