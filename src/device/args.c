// Reading specs.
#include "device/args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { MAX_NAME = 64, MAX_WORD = 400 };

// ---- pointers

static bool is_name(const char *text, size_t length);

// PLACE, as text[0 … length), at an offset of the argument's bytes
static enum status parse_pointer(const char *spec, const char *text, size_t length, uint64_t offset,
                                 struct device_arg *arg, struct diagnostic *diagnostic)
{
    size_t name = 0;
    uint64_t addend = 0;
    while (name < length && text[name] != '+')
        name++;
    if (length == 4 && !memcmp(text, "null", 4))
        return STATUS_OK;
    if (!is_name(text, name))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s': '%.*s' is not a place to point to: write the name of a buffer, NAME+BYTES or null",
                              spec, (int)(length > 60 ? 60 : length), text);
    if (name < length) {
        enum status status = args_parse_value(spec, PTX_U64, text + name + 1, length - name - 1, &addend, diagnostic);
        if (status != STATUS_OK)
            return status;
    }
    arg->pointers = mem_resize(arg->pointers, (arg->pointer_count + 1) * sizeof *arg->pointers);
    arg->pointers[arg->pointer_count++] =
        (struct device_pointer){.target = mem_strndup(text, name), .offset = offset, .addend = (int64_t)addend};
    return STATUS_OK;
}

static enum status fill_pointers(const char *spec, const char *fill, struct device_arg *arg,
                                 struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    size_t given = 0;
    for (const char *at = fill; status == STATUS_OK; given++) {
        size_t length = strcspn(at, ",");
        if (given < arg->count)
            status = parse_pointer(spec, at, length, 8 * given, arg, diagnostic);
        if (!at[length]) {
            given++;
            break;
        }
        at += length + 1;
    }
    if (status == STATUS_OK && given != arg->count)
        status = diagnostic_set(diagnostic, STATUS_USAGE, "'%s': %zu places for %zu pointers", spec, given, arg->count);
    return status;
}

// ---- structs

// A struct while its fields are read: where the next one goes, and the widest so far.
struct layout {
    size_t used, align;
};

static unsigned char *layout_take(struct device_arg *arg, struct layout *layout, size_t size, size_t align)
{
    size_t at = (layout->used + align - 1) / align * align;
    layout->used = at + size;
    layout->align = align > layout->align ? align : layout->align;
    arg->bytes = mem_resize(arg->bytes, layout->used + 1);
    memset(arg->bytes + arg->count, 0, layout->used - arg->count);
    arg->count = layout->used;
    return arg->bytes + at;
}

static size_t field_length(const char *text) // to the ',' or '}' behind a field
{
    size_t length = 0;
    for (int depth = 0; text[length]; length++) {
        depth += text[length] == '{';
        if (!depth && (text[length] == ',' || text[length] == '}'))
            break;
        depth -= text[length] == '}';
    }
    return length;
}

static enum status parse_fields(const char *spec, const char **at, struct device_arg *arg, struct layout *layout,
                                int depth, struct diagnostic *diagnostic);

static enum status parse_field(const char *spec, const char *text, size_t length, struct device_arg *arg,
                               struct layout *layout, int depth, struct diagnostic *diagnostic)
{
    uint64_t bits;
    if (text[0] == '{') {
        // The alignment of what is inside is known only when it has been read: into a struct of its own first.
        struct device_arg inside = {0};
        struct layout own = {.align = 1};
        const char *at = text + 1;
        enum status status = parse_fields(spec, &at, &inside, &own, depth + 1, diagnostic);
        if (status == STATUS_OK) {
            unsigned char *place = layout_take(arg, layout, inside.count, own.align);
            memcpy(place, inside.bytes, inside.count);
            for (size_t i = 0; i < inside.pointer_count; i++) {
                inside.pointers[i].offset += (uint64_t)(place - arg->bytes);
                arg->pointers = mem_resize(arg->pointers, (arg->pointer_count + 1) * sizeof *arg->pointers);
                arg->pointers[arg->pointer_count++] = inside.pointers[i];
            }
            inside.pointer_count = 0;
        }
        args_free(&inside);
        return status;
    }
    size_t type_length = strcspn(text, "=,}");
    enum ptx_type type = args_type(text, type_length);
    bool points = type_length == 3 && !memcmp(text, "ptr", 3);
    if (type_length >= length || (type == PTX_TYPE_NONE && !points))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s': '%.*s' is not a field: TYPE=VALUE, ptr=BUFFER or {…}, as in v:{f32=1,s32=2,ptr=a}",
                              spec, (int)(length > 40 ? 40 : length), text);
    const char *value = text + type_length + 1;
    size_t value_length = length - type_length - 1, size = points ? 8 : ptx_type_size(type);
    unsigned char *place = layout_take(arg, layout, size, size);
    if (points)
        return parse_pointer(spec, value, value_length, (uint64_t)(place - arg->bytes), arg, diagnostic);
    enum status status = args_parse_value(spec, type, value, value_length, &bits, diagnostic);
    if (status == STATUS_OK)
        memcpy(place, &bits, size);
    return status;
}

// FIELD { "," FIELD } "}" from *at on, which is left behind the '}'
static enum status parse_fields(const char *spec, const char **at, struct device_arg *arg, struct layout *layout,
                                int depth, struct diagnostic *diagnostic)
{
    if (depth > 8)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': structs nest at most 8 deep", spec);
    for (;;) {
        size_t length = field_length(*at);
        enum status status = parse_field(spec, *at, length, arg, layout, depth, diagnostic);
        if (status != STATUS_OK)
            return status;
        *at += length;
        if (**at != ',')
            break;
        ++*at;
    }
    if (**at != '}')
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': '}' is missing", spec);
    ++*at;
    layout_take(arg, layout, 0, layout->align); // a struct ends where the next one of an array could begin
    return STATUS_OK;
}

// ---- the spec

// number { "*" number }, from *at on
static bool parse_element_count(const char **at, uint64_t *count)
{
    *count = 1;
    for (;; ++*at) {
        char *end;
        if (**at < '0' || **at > '9')
            return false;
        errno = 0;
        uint64_t factor = strtoull(*at, &end, 10);
        if (errno || factor == 0 || *count > ARGS_MAX_BYTES / factor)
            return false;
        *count *= factor;
        *at = end;
        if (**at != '*')
            return true;
    }
}

static bool is_name(const char *text, size_t length)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    return length > 0 && length < MAX_NAME && strspn(text, letters) >= length && (text[0] < '0' || text[0] > '9');
}

// spec is escaped and cut already: it is what messages quote.
// later: what can be made from its number is not made yet.
static enum status parse_spec(const char *text, const char *spec, bool later, struct device_arg *arg,
                              struct diagnostic *diagnostic)
{
    size_t name = strcspn(text, ":");
    if (text[name] != ':' || !is_name(text, name))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s' is not an argument: NAME:TYPE=VALUE or NAME:TYPE[COUNT]=FILL, as in n:s32=256",
                              spec);
    const char *at = text + name + 1;
    arg->name = mem_strndup(text, name);
    if (*at == '{') {
        struct layout layout = {.align = 1};
        at++;
        enum status status = parse_fields(spec, &at, arg, &layout, 0, diagnostic);
        if (status == STATUS_OK && *at)
            status = diagnostic_set(diagnostic, STATUS_USAGE, "'%s': '%.20s' behind the '}'", spec, at);
        return status;
    }
    if (args_is_texture(at))
        return args_parse_texture(at, spec, arg, diagnostic);
    if (args_is_tensor(at))
        return args_parse_tensor(at, spec, arg, diagnostic);
    size_t length = strcspn(at, "[=");
    bool points = length == 3 && !memcmp(at, "ptr", 3), is_struct = length == 5 && !memcmp(at, "bytes", 5);
    arg->type = points ? PTX_U64 : is_struct ? PTX_U8 : args_type(at, length);
    if (arg->type == PTX_TYPE_NONE)
        return diagnostic_set(
            diagnostic, STATUS_USAGE,
            "'%s': there is no type '%.*s'; there are u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64, "
            "ptr, bytes, {…}, tex(…), surf(…) and tmap(…)",
            spec, (int)(length > 40 ? 40 : length), at);
    at += length;
    if (*at == '=' && points)
        return parse_pointer(spec, at + 1, strlen(at + 1), 0, arg, diagnostic);
    if (*at == '=' && !is_struct)
        return args_parse_value(spec, arg->type, at + 1, strlen(at + 1), &arg->scalar, diagnostic);
    if (*at != '[')
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': '=' and a value are missing", spec);
    at++;
    uint64_t count;
    if (!parse_element_count(&at, &count))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s': the count is a number from 1, or a product such as 64*64", spec);
    if (at[0] != ']' || at[1] != '=')
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': ']=' and a fill are missing after the count", spec);
    if (count > ARGS_MAX_BYTES / ptx_type_size(arg->type))
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': a buffer is at most 4 GiB", spec);
    arg->is_buffer = true;
    arg->count = count;
    if (!later || points || is_struct || at[2] == '@' || strchr(at, ','))
        arg->data = mem_alloc(count * ptx_type_size(arg->type));
    enum status status =
        points ? fill_pointers(spec, at + 2, arg, diagnostic) : args_fill(spec, at + 2, arg, diagnostic);
    if (is_struct) { // its bytes are the value
        arg->is_buffer = false;
        arg->bytes = arg->data;
        arg->data = NULL;
    }
    return status;
}

static enum status parse_shown(const char *text, bool later, struct device_arg *arg, struct diagnostic *diagnostic)
{
    *arg = (struct device_arg){0};
    struct text shown = {0};
    size_t length = strlen(text);
    text_escape(&shown, text, length > 120 ? 120 : length, false);
    if (shown.length > MAX_WORD)
        shown.data[MAX_WORD] = '\0';
    if (length > 120)
        text_puts(&shown, "…");
    enum status status = parse_spec(text, text_get(&shown), later, arg, diagnostic);
    text_free(&shown);
    if (status != STATUS_OK)
        args_free(arg);
    return status;
}

enum status args_parse(const char *text, struct device_arg *arg, struct diagnostic *diagnostic)
{
    return parse_shown(text, false, arg, diagnostic);
}

enum status args_parse_later(const char *text, struct device_arg *arg, struct diagnostic *diagnostic)
{
    return parse_shown(text, true, arg, diagnostic);
}

void args_free(struct device_arg *arg)
{
    free((char *)arg->name);
    free(arg->data);
    free(arg->bytes);
    for (size_t i = 0; i < arg->pointer_count; i++)
        free(arg->pointers[i].target);
    free(arg->pointers);
    if (arg->texture)
        free(arg->texture->of);
    free(arg->texture);
    *arg = (struct device_arg){0};
}
