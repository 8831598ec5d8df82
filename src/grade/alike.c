// What wrong results have in common.
#include "grade/alike.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

// ---- places

enum { LONGEST_PERIOD = 64, MOST_NAMED = 4 };

// Which of `count` rows, or columns, hold something wrong.
struct holders {
    bool *has;
    size_t count, having;
};

// Of every `period`, so many; false: it does not repeat so.
static bool repeats(const struct holders *holders, size_t period)
{
    for (size_t i = period; i < holders->count; i++)
        if (holders->has[i] != holders->has[i - period])
            return false;
    return true;
}

static bool is_run(const struct holders *holders, size_t *first, size_t *last)
{
    *first = 0;
    while (!holders->has[*first])
        ++*first;
    *last = *first + holders->having - 1;
    return *last < holders->count && holders->has[*last] &&
           !memchr(&holders->has[*first], 0, holders->having * sizeof *holders->has);
}

// "7", "0 to 31", "from 64 on", "1, 3 of every 4"; false: none of these.
static bool name_holders(const struct holders *holders, struct text *out)
{
    size_t first, last, period = 2;
    if (is_run(holders, &first, &last)) {
        if (holders->having == 1)
            text_printf(out, "%zu", first);
        else if (last + 1 == holders->count)
            text_printf(out, "from %zu on", first);
        else
            text_printf(out, "%zu to %zu", first, last);
        return true;
    }
    while (period <= LONGEST_PERIOD && !repeats(holders, period))
        period++;
    size_t named = 0;
    for (size_t i = 0; i < period && period <= LONGEST_PERIOD; i++)
        named += holders->has[i];
    if (period > LONGEST_PERIOD || holders->count < 2 * period)
        return false;
    size_t left = period - named;
    bool by_right = named > MOST_NAMED && left <= MOST_NAMED;
    if (named > MOST_NAMED && !by_right)
        return false;
    const char *before = by_right ? "all but " : "";
    for (size_t i = 0; i < period; i++)
        if (holders->has[i] != by_right) {
            text_printf(out, "%s%zu", before, i);
            before = ", ";
        }
    text_printf(out, " of every %zu", period);
    return true;
}

static bool is_off_diagonal(const bool *wrong, size_t rows, size_t columns)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            if (wrong[row * columns + column] != (row != column))
                return false;
    return rows > 2 && columns > 2;
}

static void describe_places(const struct holders *rows, const struct holders *columns, struct text *out)
{
    bool all_rows = rows->having == rows->count, all_columns = columns->having == columns->count, named = true;
    if (!all_rows) {
        text_printf(out, "%srows: ", all_columns ? "whole " : "");
        named = name_holders(rows, out);
    }
    if (!all_columns) {
        const char *what = rows->count == 1 ? "places: " : all_rows ? "whole columns: " : "; columns: ";
        text_puts(out, what);
        named = named && name_holders(columns, out);
    }
    if (!named)
        text_clear(out);
}

void alike_places(const bool *wrong, size_t rows, size_t columns, char *text, size_t size)
{
    struct holders by_row = {mem_alloc(rows + 1), rows, 0}, by_column = {mem_alloc(columns + 1), columns, 0};
    struct text out = {0};
    size_t all = 0;
    for (size_t i = 0; i < rows * columns; i++)
        if (wrong[i]) {
            by_row.has[i / columns] = by_column.has[i % columns] = true;
            all++;
        }
    for (size_t i = 0; i < rows; i++)
        by_row.having += by_row.has[i];
    for (size_t i = 0; i < columns; i++)
        by_column.having += by_column.has[i];
    text[0] = '\0';
    double share = all ? (double)all / ((double)by_row.having * (double)by_column.having) : 0;
    bool is_whole = by_row.having == rows && by_column.having == columns;
    if (all < rows * columns && share >= 0.98 && !is_whole) // one in many is right by chance
        describe_places(&by_row, &by_column, &out);
    else if (is_off_diagonal(wrong, rows, columns))
        text_puts(&out, "off the diagonal");
    if (out.length && out.length < size)
        snprintf(text, size, "%s", text_get(&out));
    text_free(&out);
    free(by_row.has);
    free(by_column.has);
}

// ---- sizes

enum { LARGEST_DIVISOR = 4096, LEAST_EACH = 2, LEAST_BOUNDED = 3 };

typedef bool size_rule(const struct lesson_size *size, size_t variable, int64_t number);

static bool is_multiple(const struct lesson_size *size, size_t variable, int64_t number)
{
    return size->variables[variable].value % number == 0;
}

static bool is_at_most(const struct lesson_size *size, size_t variable, int64_t number)
{
    return size->variables[variable].value <= number;
}

static bool is_at_least(const struct lesson_size *size, size_t variable, int64_t number)
{
    return size->variables[variable].value >= number;
}

static bool is_equal(const struct lesson_size *size, size_t variable, int64_t number)
{
    return size->variables[variable].value == size->variables[number].value;
}

// Whether all that are right are smaller than all that are not: where one block is enough, for one.
static bool are_smaller(const struct alike_size *tried, size_t count, size_t variables)
{
    double largest_right = 0, smallest_wrong = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double product = 1;
        for (size_t v = 0; v < variables; v++)
            product *= (double)tried[i].size->variables[v].value;
        if (tried[i].right)
            largest_right = fmax(largest_right, product);
        else
            smallest_wrong = fmin(smallest_wrong, product);
    }
    return largest_right < smallest_wrong;
}

static bool tells(const struct alike_size *tried, size_t count, size_rule *rule, size_t variable, int64_t number)
{
    for (size_t i = 0; i < count; i++)
        if (rule(tried[i].size, variable, number) != tried[i].right)
            return false;
    return true;
}

// The largest value at which it was right.
static int64_t largest_right(const struct alike_size *tried, size_t count, size_t variable)
{
    int64_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (tried[i].right && tried[i].size->variables[variable].value > most)
            most = tried[i].size->variables[variable].value;
    return most;
}

// Of the powers of two that tell, the smallest and the largest: sizes are few. False: none does.
static bool find_divisors(const struct alike_size *tried, size_t count, size_t variable, int64_t found[2])
{
    found[0] = found[1] = 0;
    for (int64_t divisor = 2; divisor <= LARGEST_DIVISOR; divisor *= 2)
        if (tells(tried, count, is_multiple, variable, divisor)) {
            found[0] = found[0] ? found[0] : divisor;
            found[1] = divisor;
        }
    return found[0] > 0;
}

// Whether all that are right are larger than all that are not.
static bool is_least(const struct alike_size *tried, size_t count, size_t variable)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < count; i++)
        if (tried[i].right && tried[i].size->variables[variable].value < least)
            least = tried[i].size->variables[variable].value;
    return tells(tried, count, is_at_least, variable, least);
}

// How many variables tell by a divisor; *found: the first of them. Where all variables of a few sizes are odd, or all
// even, each one seems to be the reason.
static size_t divided_variables(const struct alike_size *tried, size_t count, size_t variables, size_t *found)
{
    size_t tell = 0;
    int64_t divisors[2];
    for (size_t v = variables; v-- > 0;)
        if (find_divisors(tried, count, v, divisors)) {
            *found = v;
            tell++;
        }
    return tell;
}

static bool bound_tells(const struct alike_size *tried, size_t count, size_t variables)
{
    for (size_t v = 0; v < variables; v++)
        if (is_least(tried, count, v) || tells(tried, count, is_at_most, v, largest_right(tried, count, v)))
            return true;
    return false;
}

// The one variable that a bound tells by; as many as there are: none does, or several.
static size_t bounded_variable(const struct alike_size *tried, size_t count, size_t variables)
{
    size_t found = variables, tell = 0;
    for (size_t v = 0; v < variables; v++)
        if (tells(tried, count, is_at_most, v, largest_right(tried, count, v))) {
            found = v;
            tell++;
        }
    return tell == 1 ? found : variables;
}

void alike_sizes(const struct alike_size *tried, size_t count, char *text, size_t size)
{
    size_t right = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        right += tried[i].right;
    if (right < LEAST_EACH || count - right < LEAST_EACH)
        return;
    const struct lesson_variable *names = tried[0].size->variables;
    size_t variables = tried[0].size->variable_count;
    int64_t divisors[2];
    size_t divided = 0, dividing = divided_variables(tried, count, variables, &divided);
    if (dividing > 1 || (dividing == 1 && bound_tells(tried, count, variables)))
        return; // which of these it is, so few sizes do not say
    if (dividing == 1) {
        find_divisors(tried, count, divided, divisors);
        if (divisors[0] == divisors[1])
            snprintf(text, size, "%.40s is a multiple of %lld", names[divided].name, (long long)divisors[0]);
        else
            snprintf(text, size, "%.40s is a multiple of a power of two, from %lld to %lld", names[divided].name,
                     (long long)divisors[0], (long long)divisors[1]);
    }
    // Small sizes are square more often than large ones.
    for (size_t v = 0; v < variables && !text[0] && !are_smaller(tried, count, variables); v++)
        for (size_t other = v + 1; other < variables && !text[0]; other++)
            if (tells(tried, count, is_equal, v, (int64_t)other))
                snprintf(text, size, "%.40s is equal to %.40s", names[v].name, names[other].name);
    size_t bounded = bounded_variable(tried, count, variables);
    if (!text[0] && bounded < variables && right >= LEAST_BOUNDED && count - right >= LEAST_BOUNDED)
        snprintf(text, size, "%.40s is at most %lld", names[bounded].name,
                 (long long)largest_right(tried, count, bounded));
}
