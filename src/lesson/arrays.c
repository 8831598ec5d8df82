// Shared arrays as the source declares them: names and shapes for the pictures (arrays.h).
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/half.h"
#include "base/text.h"
#include "lesson/arrays.h"
#include "lesson/expression.h"
#include "ptx/ptx.h"
#include "record/access.h"

enum { DEEPEST = 16, LARGEST_SIZE = 256 * 1024 };

struct scan {
    const char *source;
    const char *at;
    int depth;                          // of names in the values of names
    const char *parameters, *arguments; // of a template: "int N, typename T>" and "32, float>"; NULL: of none
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (is_word(at[length]))
        length++;
    return length;
}

static void skip_indent(struct scan *scan)
{
    while (*scan->at == ' ' || *scan->at == '\t')
        scan->at++;
}

// Where the value of `name` starts: "#define NAME value", "const int NAME = value", "enum { NAME = value".
static const char *find_value(const char *source, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = source; (at = strstr(at, name)) != NULL; at += length) {
        if (is_word(at[length]) || at == source || is_word(at[-1]))
            continue;
        const char *before = at;
        while (before > source && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before - source >= 7 && strncmp(before - 7, "#define", 7) == 0)
            return at + length;
        const char *after = at + length + strspn(at + length, " \t");
        if (*after == '=' && after[1] != '=')
            return after + 1;
    }
    return NULL;
}

// Where a list of a template goes on after what begins here: at a comma, or at its end.
static const char *list_next(const char *at)
{
    for (int depth = 0; *at && (depth || (*at != ',' && *at != '>')); at++)
        depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
    return at;
}

// What the template's parameter stands for, up to list_next; NULL: there is no such parameter.
static const char *bound_argument(const struct scan *scan, const char *name, size_t length)
{
    const char *parameter = scan->parameters, *argument = scan->arguments;
    while (parameter && argument && *parameter && *argument) {
        const char *end = list_next(parameter), *last = end, *next = list_next(argument);
        const char *value = memchr(parameter, '=', (size_t)(end - parameter));
        last = value ? value : last;
        while (last > parameter && !is_word(last[-1]))
            last--;
        if ((size_t)(last - parameter) > length && !memcmp(last - length, name, length) &&
            !is_word(last[-1 - (int)length]))
            return argument + strspn(argument, " ");
        parameter = *end == ',' ? end + 1 : NULL;
        argument = *next == ',' ? next + 1 : NULL;
    }
    return NULL;
}

static bool constant_value(const struct scan *scan, const char *text, double *value);

static enum status look_up_constant(void *context, const struct expression_reference *reference, double *value,
                                    struct diagnostic *diagnostic)
{
    struct scan scan = *(const struct scan *)context;
    const char *argument = reference->is_call ? NULL : bound_argument(&scan, reference->name, strlen(reference->name));
    char bound[32];
    (void)diagnostic;
    if (argument) {
        snprintf(bound, sizeof bound, "%.*s", (int)(list_next(argument) - argument), argument);
        scan.parameters = NULL; // what it says stands outside the template
        return constant_value(&scan, bound, value) ? STATUS_OK : STATUS_PARSE;
    }
    const char *text = reference->is_call || ++scan.depth > DEEPEST ? NULL : find_value(scan.source, reference->name);
    return text && constant_value(&scan, text, value) ? STATUS_OK : STATUS_PARSE;
}

// Of the expression that stands here: it ends with its declarator, its declaration or its line.
static bool constant_value(const struct scan *scan, const char *text, double *value)
{
    char copy[256];
    struct scan here = *scan;
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(text, "],;}\n"), text);
    for (char *slash = copy; (slash = strchr(slash, '/')) != NULL; slash++)
        if (slash[1] == '/' || slash[1] == '*')
            *slash = '\0';
    return expression_whole(copy, look_up_constant, &here, value) == STATUS_OK;
}

struct type {
    const char *name;
    uint32_t size, scalar;
    enum shared_kind kind;
};

static const struct type *find_type(const char *at, size_t length)
{
    static const struct type types[] = {
        {"float", 4, 4, SHARED_FLOAT},      {"double", 8, 8, SHARED_FLOAT},    {"half", 2, 2, SHARED_FLOAT},
        {"__half", 2, 2, SHARED_FLOAT},     {"float2", 8, 4, SHARED_FLOAT},    {"float3", 12, 4, SHARED_FLOAT},
        {"float4", 16, 4, SHARED_FLOAT},    {"double2", 16, 8, SHARED_FLOAT},  {"__half2", 4, 2, SHARED_FLOAT},
        {"half2", 4, 2, SHARED_FLOAT},      {"int", 4, 4, SHARED_SIGNED},      {"int2", 8, 4, SHARED_SIGNED},
        {"int4", 16, 4, SHARED_SIGNED},     {"int32_t", 4, 4, SHARED_SIGNED},  {"char", 1, 1, SHARED_SIGNED},
        {"int8_t", 1, 1, SHARED_SIGNED},    {"short", 2, 2, SHARED_SIGNED},    {"int16_t", 2, 2, SHARED_SIGNED},
        {"long", 8, 8, SHARED_SIGNED},      {"int64_t", 8, 8, SHARED_SIGNED},  {"unsigned", 4, 4, SHARED_UNSIGNED},
        {"uint2", 8, 4, SHARED_UNSIGNED},   {"uint4", 16, 4, SHARED_UNSIGNED}, {"uint32_t", 4, 4, SHARED_UNSIGNED},
        {"uint8_t", 1, 1, SHARED_UNSIGNED}, {"bool", 1, 1, SHARED_UNSIGNED},   {"uint16_t", 2, 2, SHARED_UNSIGNED},
        {"uint64_t", 8, 8, SHARED_UNSIGNED}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, at, length) == 0)
            return &types[i];
    return NULL;
}

// Type words in front of the name; leaves scan->at at the name. False: a type that is not known here.
static bool read_type(struct scan *scan, struct type *type)
{
    bool is_unsigned = false;
    *type = (struct type){0};
    for (;;) {
        skip_indent(scan);
        size_t length = word_length(scan->at);
        const char *after = scan->at + length + strspn(scan->at + length, " \t");
        bool is_last = *after == '[' || *after == ';' || *after == ',' || *after == '=';
        if (length == 0 || is_last) {
            if (is_unsigned && type->kind == SHARED_SIGNED)
                type->kind = SHARED_UNSIGNED;
            return length > 0 && type->size > 0;
        }
        const char *bound = bound_argument(scan, scan->at, length);
        const struct type *one =
            bound ? find_type(bound, (size_t)(list_next(bound) - bound)) : find_type(scan->at, length);
        is_unsigned |= length == 8 && memcmp(scan->at, "unsigned", 8) == 0;
        // "long int" is a long, "short int" a short
        if (one && !(type->size && type->kind == SHARED_SIGNED && strcmp(one->name, "int") == 0))
            *type = *one;
        scan->at += length;
        if (text_starts(scan->at, "(")) // __align__(16), alignas(16)
            scan->at += strcspn(scan->at, ")\n") + 1;
    }
}

static bool read_array(struct scan *scan, struct shared_array *array, const struct type *type)
{
    skip_indent(scan);
    size_t length = word_length(scan->at);
    if (length == 0 || length >= sizeof array->name)
        return false;
    *array =
        (struct shared_array){.element = type->size, .size = type->size, .kind = type->kind, .scalar = type->scalar};
    memcpy(array->name, scan->at, length);
    scan->at += length;
    for (skip_indent(scan); *scan->at == '[' && array->dim_count < 3; skip_indent(scan)) {
        scan->at++;
        skip_indent(scan);
        if (*scan->at == ']') {
            scan->at++;
            array->dynamic = true;
            array->size = 0;
            return true;
        }
        double value;
        if (!constant_value(scan, scan->at, &value) || !(value >= 1 && value <= (double)LARGEST_SIZE))
            return false;
        scan->at += strcspn(scan->at, "]\n");
        if (*scan->at++ != ']')
            return false;
        array->dims[array->dim_count++] = (uint32_t)value;
        if ((uint64_t)array->size * (uint64_t)value > LARGEST_SIZE)
            return false;
        array->size *= (uint32_t)value;
    }
    return true;
}

// One declaration after "__shared__": one or more arrays. False: its size is not known, so all later offsets are not.
static bool read_declaration(struct scan *scan, struct shared_arrays *arrays, uint32_t *offset)
{
    struct type type;
    if (!read_type(scan, &type))
        return false;
    do {
        struct shared_array array;
        if (!read_array(scan, &array, &type))
            return false;
        *offset = (*offset + 15) / 16 * 16;
        array.offset = *offset;
        *offset += array.size;
        if (arrays->count < sizeof arrays->items / sizeof *arrays->items)
            arrays->items[arrays->count++] = array;
        skip_indent(scan);
    } while (*scan->at == ',' && scan->at++);
    return true;
}

// Of "void tile<float, 32>(float*, int)::rows": the function's name and what comes after it.
struct owner {
    char name[128], arguments[128]; // "tile"; "float, 32>", or empty
};

static struct owner read_owner(const char *text)
{
    static const char unnamed[] = "(anonymous namespace)::";
    struct owner owner = {.name = ""};
    text += text_starts(text, unnamed) ? sizeof unnamed - 1 : 0;
    size_t length = strcspn(text, "<(");
    const char *start = text + length;
    while (start > text && is_word(start[-1]))
        start--;
    snprintf(owner.name, sizeof owner.name, "%.*s", (int)(text + length - start), start);
    if (text[length] == '<')
        snprintf(owner.arguments, sizeof owner.arguments, "%s", text + length + 1);
    return owner;
}

// The parameters of the template that the name at `at` is declared by, behind the "<"; NULL: of none.
static const char *template_before(const char *source, const char *at)
{
    static const char word[] = "template";
    const char *start = at;
    while (start > source && !strchr(";{}", start[-1]))
        start--;
    start = strstr(start, word);
    if (!start || start >= at)
        return NULL;
    start += sizeof word - 1;
    start += strspn(start, " \t\n");
    return *start == '<' ? start + 1 : NULL;
}

// The body of the kernel: from its "{", where scan is then at, to *end, the "}" that closes it. False: it is not there.
static bool find_body(struct scan *scan, const struct owner *owner, const char **end)
{
    size_t length = strlen(owner->name);
    const char *source = scan->source;
    for (const char *at = source; length > 0 && (at = strstr(at, owner->name)) != NULL; at += length) {
        const char *after = at + length + strspn(at + length, " \t\n");
        const char *brace = strpbrk(after, "{;");
        if (*after != '(' || at == source || is_word(at[-1]) || !brace || *brace != '{')
            continue;
        scan->parameters = *owner->arguments ? template_before(source, at) : NULL;
        scan->arguments = owner->arguments;
        scan->at = brace;
        int depth = 0;
        for (*end = brace; **end; ++*end) {
            depth += (**end == '{') - (**end == '}');
            if (depth == 0)
                return true;
        }
        return true;
    }
    return false;
}

// The declarations from where scan is up to `end`. Behind one that cannot be read no offset is known: all: the others
// are read nevertheless.
static void read_between(struct scan scan, const char *end, bool all, struct shared_arrays *arrays)
{
    uint32_t offset = 0;
    static const char word[] = "__shared__";
    for (const char *at = scan.at; at && (at = strstr(at, word)) != NULL && at < end;) {
        const char *line = at;
        while (line > scan.source && line[-1] != '\n')
            line--;
        const char *comment = strstr(line, "//");
        at += sizeof word - 1;
        if ((comment && comment < at) || is_word(*at))
            continue;
        scan.at = at;
        if (!read_declaration(&scan, arrays, &offset) && !all)
            return;
    }
}

static void read_arrays(struct shared_arrays *arrays, const char *source, const struct owner *owner, bool all)
{
    const char *end;
    struct scan scan = {.source = source, .at = source};
    *arrays = (struct shared_arrays){0};
    if (find_body(&scan, owner, &end))
        read_between(scan, end, all, arrays);
    // arrays of the file, or of a function that the kernel calls
    scan = (struct scan){.source = source, .at = source};
    if (arrays->count == 0)
        read_between(scan, source + strlen(source), all, arrays);
}

void shared_arrays_read(struct shared_arrays *arrays, const char *source, const char *kernel)
{
    char name[512];
    struct owner owner = read_owner(kernel ? ptx_demangle(kernel, name, sizeof name) : "");
    read_arrays(arrays, source, &owner, false);
}

const struct shared_array *shared_arrays_at(const struct shared_arrays *arrays, uint64_t address)
{
    for (size_t i = 0; i < arrays->count; i++) {
        const struct shared_array *array = &arrays->items[i];
        if (address >= array->offset && (array->dynamic || address < (uint64_t)array->offset + array->size))
            return array;
    }
    return NULL;
}

static void put_element(const struct shared_array *array, uint64_t offset, char *text, size_t size)
{
    uint64_t index = offset / array->element, rest = array->size / array->element;
    int used = snprintf(text, size, "%s", array->name);
    if ((array->dynamic || array->dim_count == 1) && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "[%llu]", (unsigned long long)index);
    for (uint32_t i = 0; array->dim_count > 1 && i < array->dim_count && (size_t)used < size; i++) {
        rest /= array->dims[i];
        used += snprintf(text + used, size - (size_t)used, "[%llu]", (unsigned long long)(index / rest));
        index %= rest;
    }
}

const char *shared_name(const struct shared_arrays *arrays, uint64_t address, char *text, size_t size)
{
    const struct shared_array *array = shared_arrays_at(arrays, address);
    if (array)
        put_element(array, address - array->offset, text, size);
    else
        snprintf(text, size, "word %llu", (unsigned long long)(address / BANK_BYTES));
    return text;
}

bool shared_element(const char *source, const char *array, uint64_t bytes, uint64_t offset, char *text, size_t size)
{
    struct shared_arrays arrays;
    char name[256];
    struct owner owner = read_owner(strstr(array, "::") ? array : "");
    ptx_short_name(array, name, sizeof name);
    read_arrays(&arrays, source, &owner, true);
    for (size_t i = 0; i < arrays.count; i++) {
        const struct shared_array *one = &arrays.items[i];
        if (strcmp(one->name, name) != 0 || one->size != bytes)
            continue;
        put_element(one, offset, text, size);
        return true;
    }
    return false;
}

// ---- values

static double shared_float(const unsigned char *bytes, uint32_t scalar)
{
    uint16_t half;
    float single;
    double result;
    if (scalar == 2) {
        memcpy(&half, bytes, 2);
        return (double)f16_to_f32(half);
    }
    if (scalar == 4) {
        memcpy(&single, bytes, 4);
        return (double)single;
    }
    memcpy(&result, bytes, 8);
    return result;
}

static void fit_number(double value, int columns, int precision, char *text, size_t size)
{
    for (; precision > 0; precision--) {
        int used = snprintf(text, size, "%.*g", precision, value);
        if (columns == 0 || used <= columns)
            return;
    }
}

const char *shared_value(const struct shared_array *array, const unsigned char *bytes, int columns, char *text,
                         size_t size)
{
    uint32_t scalar = array ? array->scalar : 4;
    enum shared_kind kind = array ? array->kind : SHARED_BITS;
    if (kind == SHARED_FLOAT) {
        fit_number(shared_float(bytes, scalar), columns, scalar == 8 ? 10 : 7, text, size);
        return text;
    }
    uint64_t bits = 0;
    memcpy(&bits, bytes, scalar > 8 ? 8 : scalar); // the lab runs on little-endian machines, as GPUs are
    unsigned unused = 64 - 8 * (scalar > 8 ? 8 : scalar);
    int64_t with_sign = (int64_t)(bits << unused) >> unused;
    int used = kind == SHARED_SIGNED     ? snprintf(text, size, "%lld", (long long)with_sign)
               : kind == SHARED_UNSIGNED ? snprintf(text, size, "%llu", (unsigned long long)bits)
                                         : snprintf(text, size, "%0*llx", (int)(2 * scalar), (unsigned long long)bits);
    if (columns > 0 && used > columns && kind != SHARED_BITS)
        fit_number(kind == SHARED_SIGNED ? (double)with_sign : (double)bits, columns, 6, text, size);
    return text;
}
