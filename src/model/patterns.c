// Reads access patterns from text and counts them.
#include "model/patterns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

const struct pattern_op pattern_ops[] = {
#define P(name, global, kind, bytes, rows, summary) {name, global, kind, bytes, rows, summary},
#include "model/patterns.def"
#undef P
};
const size_t pattern_op_count = sizeof pattern_ops / sizeof *pattern_ops;

// What a column of the file means: one of these, then a lane each. Those of the plain order, then what was measured.
static const char *const column_names[] = {"label",     "op",       "active_mask", "wavefronts",
                                           "conflicts", "requests", "sectors"};
enum column {
    COLUMN_LABEL,
    COLUMN_OP,
    COLUMN_MASK,
    COLUMN_MEASURED,
    COLUMN_LANE0 = sizeof column_names / sizeof *column_names,
    COLUMN_IGNORED = COLUMN_LANE0 + WARP_LANES
};

enum { COLUMNS_MAX = 64, PLAIN_COLUMNS = 3 + WARP_LANES, OFFSET_LIMIT_BITS = 48 };

struct csv_field {
    const char *start;
    size_t length;
    int column; // in characters, from 1
};

struct pattern_reader {
    const char *name;
    int line;
    size_t columns;
    bool has_header; // else the plain order
    uint8_t meaning[COLUMNS_MAX];
    struct csv_field fields[COLUMNS_MAX];
    size_t field_count;
    struct diagnostic *diagnostic;
};

// PARSE at the reader's line.
#define REFUSE(reader, column, ...)                                                                                    \
    diagnostic_at((reader)->diagnostic, STATUS_PARSE, (reader)->name, (reader)->line, column, __VA_ARGS__)

const struct pattern_op *pattern_op_find(const char *name)
{
    for (size_t i = 0; i < pattern_op_count; i++) {
        if (!strcmp(pattern_ops[i].name, name))
            return &pattern_ops[i];
    }
    return NULL;
}

// The field's text escaped and cut to something that fits a message.
static const char *shown_field(const struct csv_field *field, char text[64])
{
    struct text escaped = {0};
    text_escape(&escaped, field->start, field->length < 40 ? field->length : 40, false);
    snprintf(text, 64, "%s%s", text_get(&escaped), field->length > 40 ? "..." : "");
    text_free(&escaped);
    return text;
}

static bool field_is(const struct csv_field *field, const char *word)
{
    return field->length == strlen(word) && !memcmp(field->start, word, field->length);
}

// line = field { "," field };  field = '"' anything '"' | anything but ','
static enum status split(struct pattern_reader *reader, const char *line, size_t length)
{
    reader->field_count = 0;
    for (size_t at = 0;;) {
        if (reader->field_count == COLUMNS_MAX)
            return REFUSE(reader, (int)at + 1,
                          "more than %d columns: a pattern has a label, an op, a mask and 32 offsets", COLUMNS_MAX);
        struct csv_field *field = &reader->fields[reader->field_count++];
        const char *end;
        field->column = (int)at + 1;
        if (at < length && line[at] == '"') {
            end = memchr(line + at + 1, '"', length - at - 1);
            if (!end)
                return REFUSE(reader, field->column, "this quote is never closed");
            field->start = line + at + 1;
            field->length = (size_t)(end - field->start);
            at = (size_t)(end - line) + 1;
            if (at < length && line[at] != ',')
                return REFUSE(reader, (int)at + 1, "a comma is missing after the quoted text");
        } else {
            end = memchr(line + at, ',', length - at);
            field->start = line + at;
            field->length = end ? (size_t)(end - field->start) : length - at;
            at += field->length;
        }
        if (at >= length)
            return STATUS_OK;
        at++;
    }
}

static const char *column_name(int column, char text[16])
{
    if (column < COLUMN_LANE0)
        return column_names[column];
    snprintf(text, 16, "lane%d", column - COLUMN_LANE0);
    return text;
}

static bool field_names(const struct csv_field *field, int column)
{
    char name[16];
    if (field_is(field, column_name(column, name)))
        return true;
    snprintf(name, sizeof name, "offset%d", column - COLUMN_LANE0); // as the manual's line calls them
    return column >= COLUMN_LANE0 && field_is(field, name);
}

static enum status read_header(struct pattern_reader *reader)
{
    bool seen[COLUMN_IGNORED + 1] = {false};
    char name[16];
    for (size_t i = 0; i < reader->field_count; i++) {
        int column = 0;
        while (column < COLUMN_IGNORED && !field_names(&reader->fields[i], column))
            column++;
        if (column != COLUMN_IGNORED && seen[column])
            return REFUSE(reader, reader->fields[i].column, "this column appears twice");
        seen[column] = true;
        reader->meaning[i] = (uint8_t)column;
    }
    for (int column = COLUMN_OP; column < COLUMN_IGNORED; column++)
        if (!seen[column] && (column < COLUMN_MEASURED || column >= COLUMN_LANE0))
            return REFUSE(reader, 0, "the header has no column %s", column_name(column, name));
    reader->columns = reader->field_count;
    reader->has_header = true;
    return STATUS_OK;
}

static bool is_header(const struct pattern_reader *reader)
{
    bool op = false, lane = false;
    for (size_t i = 0; i < reader->field_count; i++) {
        op |= field_is(&reader->fields[i], "op");
        lane |= field_names(&reader->fields[i], COLUMN_LANE0);
    }
    return op && lane;
}

// digits of the base only, no sign or space; false: empty, foreign characters, or 2^bits and more
static bool read_digits(const struct csv_field *field, unsigned base, unsigned bits, uint64_t *value)
{
    const char *digits = field->start;
    size_t length = field->length;
    if (base == 16 && length > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        digits += 2;
        length -= 2;
    }
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)digits[i];
        unsigned digit = 99;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if ((c | 32) >= 'a' && (c | 32) <= 'f')
            digit = (c | 32u) - 'a' + 10;
        if (digit >= base || *value >= UINT64_C(1) << bits)
            return false;
        *value = *value * base + digit;
    }
    return length > 0 && *value < UINT64_C(1) << bits;
}

static enum status read_op(struct pattern_reader *reader, const struct csv_field *field, struct pattern *pattern)
{
    char name[16], text[64];
    if (field->length < sizeof name) {
        memcpy(name, field->start, field->length);
        name[field->length] = 0;
        pattern->op = pattern_op_find(name);
    }
    if (pattern->op)
        return STATUS_OK;
    return REFUSE(reader, field->column,
                  "no operation is called '%s': try ld32, st128, atom32, cpasync16, ldmatrix4, gld32 …",
                  shown_field(field, text));
}

static enum status read_column(struct pattern_reader *reader, size_t i, struct pattern *pattern)
{
    const struct csv_field *field = &reader->fields[i];
    int meaning = reader->meaning[i];
    char text[64];
    uint64_t value = 0;
    switch (meaning) {
    case COLUMN_IGNORED:
        return STATUS_OK;
    case COLUMN_LABEL:
        free(pattern->label);
        pattern->label = mem_strndup(field->start, field->length);
        return STATUS_OK;
    case COLUMN_OP:
        return read_op(reader, field, pattern);
    case COLUMN_MASK:
        if (!read_digits(field, 16, 32, &value))
            return diagnostic_at(
                reader->diagnostic, STATUS_PARSE, reader->name, reader->line, field->column,
                "'%s' is not an active mask: write 1 to 8 hex digits, bit 0 for lane 0, such as ffffffff",
                shown_field(field, text));
        pattern->mask = (uint32_t)value;
        return STATUS_OK;
    default:
        if (meaning < COLUMN_LANE0) {
            uint32_t *measured[] = {&pattern->measured.wavefronts, &pattern->measured.conflicts,
                                    &pattern->measured.requests, &pattern->measured.sectors};
            if (field->length && !read_digits(field, 10, 31, &value))
                return REFUSE(reader, field->column,
                              "'%s' is not a number of %s: leave it empty where none was measured",
                              shown_field(field, text), column_names[meaning]);
            if (field->length)
                *measured[meaning - COLUMN_MEASURED] = (uint32_t)value;
            return STATUS_OK;
        }
        if (!read_digits(field, 10, OFFSET_LIMIT_BITS, &value))
            return REFUSE(reader, field->column,
                          "'%s' is not a byte offset for lane %d: write a plain decimal number below 2^%d",
                          shown_field(field, text), meaning - COLUMN_LANE0, OFFSET_LIMIT_BITS);
        pattern->offsets[meaning - COLUMN_LANE0] = value;
        return STATUS_OK;
    }
}

// Hardware stops a misaligned access, so no rule gives it a cost.
static enum status check_alignment(struct pattern_reader *reader, const struct pattern *pattern)
{
    uint32_t mask = pattern_banks(pattern).mask;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if ((mask >> lane & 1) && pattern->offsets[lane] % pattern->op->bytes)
            return REFUSE(reader, 0,
                          "lane %d's offset %" PRIu64 " is not a multiple of %s's %" PRIu32
                          " bytes: hardware would stop the kernel",
                          lane, pattern->offsets[lane], pattern->op->name, pattern->op->bytes);
    return STATUS_OK;
}

static enum status read_row(struct pattern_reader *reader, struct pattern_list *list)
{
    if (reader->field_count != reader->columns)
        return REFUSE(reader, 0, "this line has %zu fields, not %zu: label, op, active_mask, 32 byte offsets%s",
                      reader->field_count, reader->columns, reader->has_header ? " (see the header line)" : "");
    if (list->count == PATTERN_ROWS_MAX)
        return REFUSE(reader, 0, "more than %d patterns: split the file", PATTERN_ROWS_MAX);
    struct pattern *pattern = mem_append(list->items, list->capacity, list->count);
    *pattern =
        (struct pattern){.line = reader->line, .measured = {PATTERN_NONE, PATTERN_NONE, PATTERN_NONE, PATTERN_NONE}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < reader->field_count && !status; i++)
        status = read_column(reader, i, pattern);
    if (!pattern->label)
        pattern->label = mem_strdup("");
    return status ? status : check_alignment(reader, pattern);
}

enum status patterns_parse(const char *name, const char *text, size_t length, struct pattern_list *list,
                           struct diagnostic *diagnostic)
{
    struct pattern_reader reader = {.name = name, .columns = PLAIN_COLUMNS, .diagnostic = diagnostic};
    bool first = true;
    for (size_t i = 0; i < PLAIN_COLUMNS; i++)
        reader.meaning[i] = (uint8_t)(i < COLUMN_MEASURED ? i : i - COLUMN_MEASURED + COLUMN_LANE0);
    for (size_t at = 0; at < length;) {
        const char *line = text + at, *newline = memchr(line, '\n', length - at);
        size_t size = newline ? (size_t)(newline - line) : length - at;
        at += size + 1;
        reader.line++;
        if (size && line[size - 1] == '\r')
            size--;
        if (!size || line[0] == '#')
            continue;
        enum status status = split(&reader, line, size);
        if (!status)
            status = first && is_header(&reader) ? read_header(&reader) : read_row(&reader, list);
        if (status) {
            pattern_list_free(list);
            return status;
        }
        first = false;
    }
    return STATUS_OK;
}

enum { PATTERNS_BYTES = 64 << 20 };

enum status patterns_read(const char *path, struct pattern_list *list, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    struct text text = {0};
    char buffer[16384];
    size_t got;
    FILE *file = fopen(path, "rb");
    if (!file)
        return diagnostic_set(diagnostic, STATUS_IO, "%s cannot be opened: %s", path, strerror(errno));
    while (text.length <= PATTERNS_BYTES && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_append(&text, buffer, got);
    if (text.length > PATTERNS_BYTES)
        status = diagnostic_set(diagnostic, STATUS_IO, "%s has more than %d MB: give the patterns in several files",
                                path, PATTERNS_BYTES >> 20);
    else if (ferror(file))
        status = diagnostic_set(diagnostic, STATUS_IO, "%s cannot be read: %s", path, strerror(errno));
    fclose(file);
    if (!status)
        status = patterns_parse(path, text_get(&text), text.length, list, diagnostic);
    text_free(&text);
    return status;
}

struct bank_access pattern_banks(const struct pattern *pattern)
{
    const struct pattern_op *op = pattern->op;
    return (struct bank_access){.kind = op->kind,
                                .bytes = op->bytes,
                                .mask = op->rows ? UINT32_MAX >> (WARP_LANES - op->rows) : pattern->mask,
                                .addresses = pattern->offsets};
}

struct pattern_cost patterns_evaluate(const struct pattern *pattern)
{
    const struct pattern_op *op = pattern->op;
    struct pattern_cost cost = {PATTERN_NONE, PATTERN_NONE, PATTERN_NONE, PATTERN_NONE};
    if (op->global) {
        cost.requests = pattern->mask != 0;
        cost.sectors = sectors_count(op->bytes, pattern->mask, pattern->offsets);
    } else {
        struct bank_access access = pattern_banks(pattern);
        struct bank_cost banks = banks_count(&access);
        cost.wavefronts = banks.wavefronts;
        cost.conflicts = banks.conflicts;
    }
    return cost;
}

void pattern_list_free(struct pattern_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].label);
    free(list->items);
    *list = (struct pattern_list){0};
}
