// `trace --list`: the kernels of a file, each with a line that runs it, and the templates that nothing instantiates.
//
// The line's arguments are made up so that most kernels run with them: buffers of 65536 elements, sizes of 32. Types
// come from the kernel's mangled name, names from the source.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/page.h"
#include "cli/trace.h"
#include "sim/tensor.h"

enum { ELEMENTS = 65536, SIZE = 32, SHARED_BYTES = 16384 };

// ---- what the sources say

static void read_kernels(const struct trace *trace, struct source_kernels *kernels)
{
    const struct compile_result *compiled = &trace->compiled;
    if (compiled->source)
        source_kernels_read(compiled->source, compiled->source_length, kernels);
    for (const char *at = compiled->headers; at && *at;) {
        char *path = mem_strndup(at, strcspn(at, "\n")), *text = NULL;
        size_t length = 0;
        at += strlen(path) + (at[strlen(path)] == '\n');
        if (file_read(path, TOOLCHAIN_SOURCE_MAX, &text, &length, NULL) == STATUS_OK)
            source_kernels_read(text, length, kernels);
        free(text);
        free(path);
    }
}

// "deep::tk" of "deep::tk<float, 3>(float*)": as the source has it.
static size_t stem_of(const char *name)
{
    static const char anonymous[] = "(anonymous namespace)::";
    return text_starts(name, anonymous) ? sizeof anonymous - 1 + stem_of(name + sizeof anonymous - 1)
                                        : strcspn(name, "<(");
}

static const struct source_kernel *written_kernel(const struct source_kernels *kernels, const char *name)
{
    const char *last = strrchr(name, ')') && text_starts(name, "(anonymous") ? strstr(name, ")::") + 3 : name;
    return source_kernels_find(kernels, last, strcspn(last, "<("));
}

static bool is_instantiated(const struct ptx_module *module, const struct source_kernel *kernel)
{
    char name[512];
    size_t length = strlen(kernel->name);
    for (uint32_t i = 0; module && i < module->function_count; i++) {
        ptx_demangle(module->functions[i]->name, name, sizeof name);
        size_t stem = stem_of(name);
        if (module->functions[i]->is_entry && stem >= length && memcmp(name + stem - length, kernel->name, length) == 0)
            return true;
    }
    return false;
}

void trace_offer_templates(const struct trace *trace, struct text *out)
{
    struct source_kernels kernels = {0};
    read_kernels(trace, &kernels);
    for (size_t i = 0; i < kernels.count; i++) {
        const struct source_kernel *kernel = &kernels.items[i];
        if (kernel->example && !is_instantiated(trace->module, kernel))
            text_printf(out, "%s--instantiate '%s<%s>'", out->length ? ", " : "", kernel->name, kernel->example);
    }
    source_kernels_free(&kernels);
}

bool trace_needs_no_arguments(const struct trace *trace, const char *kernel)
{
    struct source_kernels kernels = {0};
    read_kernels(trace, &kernels);
    const struct source_kernel *written = source_kernels_find(&kernels, kernel, strlen(kernel));
    bool needs_none = written && written->example && !*written->example;
    source_kernels_free(&kernels);
    return needs_none;
}

// ---- made-up arguments

static const struct {
    const char *word, *type; // of an element that a pointer leads to; the first that a type begins with counts
} elements[] = {
    {"double", "f64"},         {"float", "f32"},        {"__half", "f16"},        {"half", "f16"},
    {"__nv_bfloat16", "bf16"}, {"nv_bfloat16", "bf16"}, {"unsigned long", "u64"}, {"unsigned short", "u16"},
    {"unsigned char", "u8"},   {"unsigned", "u32"},     {"signed char", "s8"},    {"uchar", "u8"},
    {"ushort", "u16"},         {"ulong", "u64"},        {"uint8_t", "u8"},        {"uint16_t", "u16"},
    {"uint64_t", "u64"},       {"size_t", "u64"},       {"uint", "u32"},          {"int8_t", "s8"},
    {"int16_t", "s16"},        {"int64_t", "s64"},      {"int", "s32"},           {"long", "s64"},
    {"short", "s16"},          {"char", "s8"},          {"bool", "u8"},           {"void", "f32"},
};

static void put_pointer(const char *type, struct text *out)
{
    for (const char *prefix = "const "; text_starts(type, prefix);)
        type += strlen(prefix);
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        bool is_whole = elements[i].type[0] == 'f' || elements[i].type[0] == 'b';
        if (text_starts(*type ? type : "float", elements[i].word)) {
            text_printf(out, "%s[%d]=%s", elements[i].type, ELEMENTS, is_whole ? "random" : "iota");
            return;
        }
    }
    text_printf(out, "u8[%d]=zero", 16 * ELEMENTS);
}

static void put_scalar(const struct ptx_variable *param, struct text *out)
{
    const char *type = ptx_type_name(param->type);
    unsigned size = ptx_type_size(param->type);
    if (param->size != size)
        text_printf(out, "bytes[%llu]=0", (unsigned long long)param->size);
    else if (*type == 'f')
        text_printf(out, "%s=1.5", type);
    else
        text_printf(out, "u%u=%d", 8 * size, size == 1 ? 1 : SIZE);
}

// The types of a kernel's parameters, as its mangled name has them: "float*", "int"; NULL at the end, or without any.
static char *next_type(const char **at)
{
    size_t length = 0;
    int depth = 0;
    *at += strspn(*at, " ,");
    while ((*at)[length] && (depth > 0 || !strchr(",)", (*at)[length]))) {
        depth += strchr("<([", (*at)[length]) != NULL;
        depth -= strchr(">)]", (*at)[length]) != NULL;
        length++;
    }
    char *type = length ? mem_strndup(*at, length) : NULL;
    *at += length;
    return type;
}

// Where "(float*, int)" begins: the parentheses that end the name.
static const char *signature_of(const char *name)
{
    size_t at = strlen(name);
    int depth = 0;
    while (at > 0 && name[strlen(name) - 1] == ')') {
        at--;
        depth += name[at] == ')';
        depth -= name[at] == '(';
        if (depth == 0)
            return name + at + 1;
    }
    return "";
}

static bool in_name(char byte)
{
    return byte == '_' || (byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z');
}

// The name of a parameter as written, "const float *in" or "float (&in)[4]", if it can name an argument.
static bool written_name(const char *written, char *name, size_t size)
{
    size_t end = strcspn(written, "=");
    const char *bracket = memchr(written, '[', end);
    end = bracket ? (size_t)(bracket - written) : end;
    while (end && strchr(" )\t\n", written[end - 1]))
        end--;
    size_t start = end;
    while (start && in_name(written[start - 1]))
        start--;
    if (start == end || start == 0 || end - start >= size || (written[start] >= '0' && written[start] <= '9'))
        return false; // "int" alone is a type
    memcpy(name, written + start, end - start);
    name[end - start] = '\0';
    return true;
}

// How many dimensions the kernel's tensor copies name. 0: there are none.
static uint32_t copied_rank(const struct ptx_function *entry)
{
    for (uint32_t i = 0; i < entry->inst_count; i++) {
        const struct ptx_inst *inst = &entry->insts[i];
        for (unsigned j = 0; j < inst->modifier_count; j++) {
            const char *word = ptx_modifier_name((enum ptx_modifier)inst->modifiers[j]);
            bool is_tensor = strstr(ptx_opcode_name(inst->op), "tensor") != NULL;
            if (is_tensor && word[0] >= '1' && word[0] <= '5' && word[1] == 'd' && !word[2])
                return (uint32_t)(word[0] - '0');
        }
    }
    return 0;
}

// Over a buffer of its own: what it shows only the host knows.
static void put_map(const char *name, uint32_t rank, struct text *spec, struct text *buffer)
{
    static const char *const shapes[] = {
        "f32[65536],of=%s_data,box=256", "f32[256*256],of=%s_data,box=32*32", "f32[64*32*32],of=%s_data,box=32*8*4",
        "f32[32*16*16*8],of=%s_data,box=32*4*4*2", "f32[32*16*16*4*2],of=%s_data,box=32*4*2*2*2"};
    text_puts(spec, "tmap(");
    text_printf(spec, shapes[rank - 1], name);
    text_puts(spec, ")");
    text_printf(buffer, "%s_data:f32[%d]=random", name, ELEMENTS);
}

struct listed {
    const struct trace *trace;
    const struct ptx_function *entry;
    const struct source_kernel *written; // NULL: not found
    char name[512];                      // without its parameters
    const char *file;
    uint32_t line;
};

// buffer: stays empty, unless the argument needs one.
static void put_argument(const struct listed *listed, uint32_t index, const char *type, struct text *out,
                         struct text *buffer)
{
    const struct ptx_variable *param = &listed->entry->params[index];
    const struct source_kernel *written = listed->written;
    bool is_known = written && written->parameters == listed->entry->param_count;
    const char *source = is_known ? written->written[index] : "";
    char name[64], before[64];
    bool is_named = written_name(source, name, sizeof name);
    for (uint32_t i = 0; is_named && i < index; i++)
        is_named = !written_name(written->written[i], before, sizeof before) || strcmp(before, name) != 0;
    if (!is_named && !strstr(param->name, "_param_")) // PTX written by hand
        snprintf(name, sizeof name, "%.60s", param->name);
    else if (!is_named)
        snprintf(name, sizeof name, "a%u", index);
    text_printf(out, "%s:", name);
    if (!type)
        type = source;
    uint32_t rank = copied_rank(listed->entry);
    bool may_be_map = param->size == TENSOR_MAP_BYTES && param->align >= TENSOR_MAP_ALIGNMENT;
    if (may_be_map && (rank || strstr(type, "CUtensorMap")))
        put_map(name, rank ? rank : 2, out, buffer);
    else if (param->size == 8 && !strchr("f", ptx_type_name(param->type)[0]) && (!*type || strpbrk(type, "*&")))
        put_pointer(type, out);
    else
        put_scalar(param, out);
}

static bool reads_y(const struct ptx_function *entry)
{
    for (uint32_t i = 0; i < entry->operand_count; i++) {
        const struct ptx_operand *operand = &entry->operands[i];
        if (operand->kind == PTX_OPERAND_SPECIAL && operand->value.special == PTX_SPECIAL_TID &&
            operand->element == 2) // .y
            return true;
    }
    return false;
}

static void make_shape(const struct listed *listed, struct launch_shape *shape)
{
    const struct ptx_function *entry = listed->entry;
    const uint32_t flat[] = {4, 1, 1}, deep[] = {2, 2, 1}, row[] = {64, 1, 1}, square[] = {16, 16, 1};
    bool is_flat = !reads_y(entry);
    memcpy(shape->grid, is_flat ? flat : deep, sizeof flat);
    memcpy(shape->block, is_flat ? row : square, sizeof row);
    if (entry->reqntid[0])
        memcpy(shape->block, entry->reqntid, sizeof row);
    else if (entry->maxntid[0] && (is_flat || entry->maxntid[0] < shape->block[0] * shape->block[1]))
        memcpy(shape->block, entry->maxntid, sizeof row);
    struct arena *arena = arena_new();
    struct ptx_shared_layout layout = ptx_shared_layout(entry, arena);
    shape->dynamic_shared = layout.count && layout.slots[layout.count - 1].variable->size == 0 ? SHARED_BYTES : 0;
    arena_free(arena);
}

// ---- the list

static void put_numbers(const uint32_t shape[3], struct text *out)
{
    text_printf(out, "%u", shape[0]);
    for (int axis = 1; axis < 3 && (shape[axis] > 1 || shape[2] > 1); axis++)
        text_printf(out, ",%u", shape[axis]);
}

// One of the shell's words.
static void put_word(const char *word, struct text *out)
{
    bool is_plain =
        word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./")] == '\0';
    text_puts(out, is_plain ? " " : " '");
    for (; *word; word++)
        text_puts(out, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    text_puts(out, is_plain ? "" : "'");
}

static json_t *listed_json(const struct listed *listed)
{
    struct launch_shape shape;
    struct text grid = {0}, block = {0}, line = {0}, spec = {0}, buffer = {0};
    const struct ptx_function *entry = listed->entry;
    char demangled[4096];
    const char *types = signature_of(ptx_demangle(entry->name, demangled, sizeof demangled));
    json_t *specs = json_array(), *buffers = json_array(), *json = json_object();
    make_shape(listed, &shape);
    put_numbers(shape.grid, &grid);
    put_numbers(shape.block, &block);
    text_puts(&line, "bankshot trace");
    put_word(listed->trace->path, &line);
    text_puts(&line, " --kernel");
    put_word(listed->name, &line);
    text_printf(&line, " --grid %s --block %s", text_get(&grid), text_get(&block));
    if (shape.dynamic_shared)
        text_printf(&line, " --shared %u", shape.dynamic_shared);
    for (uint32_t i = 0; i < entry->param_count; i++) {
        char *type = next_type(&types);
        text_clear(&spec);
        text_clear(&buffer);
        put_argument(listed, i, type, &spec, &buffer);
        text_puts(&line, " -a");
        put_word(text_get(&spec), &line);
        json_array_append_new(specs, fields_string(text_get(&spec)));
        if (buffer.length) {
            text_puts(&line, " --buffer");
            put_word(text_get(&buffer), &line);
            json_array_append_new(buffers, fields_string(text_get(&buffer)));
        }
        free(type);
    }
    fields_put(json, "kernel", fields_string(listed->name));
    fields_put(json, "mangled", fields_string(entry->name));
    fields_put(json, "file", fields_string(listed->file));
    fields_put(json, "line", json_integer(listed->line));
    fields_put(json, "grid", fields_string(text_get(&grid)));
    fields_put(json, "block", fields_string(text_get(&block)));
    fields_put(json, "shared", json_integer(shape.dynamic_shared));
    fields_put(json, "arguments", specs);
    fields_put(json, "buffers", buffers);
    fields_put(json, "command", fields_string(text_get(&line)));
    text_free(&grid);
    text_free(&block);
    text_free(&line);
    text_free(&spec);
    text_free(&buffer);
    return json;
}

static json_t *list_kernels(const struct trace *trace, const struct source_kernels *kernels)
{
    json_t *list = json_array();
    const char *main_file = trace->compiled.ptx ? trace->path : NULL;
    for (uint32_t i = 0; i < trace->module->function_count; i++) {
        struct listed listed = {.trace = trace, .entry = trace->module->functions[i], .file = ""};
        if (!listed.entry->is_entry || !listed.entry->is_defined || ptx_is_library(listed.entry))
            continue;
        ptx_entry_name(NULL, listed.entry, listed.name, sizeof listed.name);
        listed.written = written_kernel(kernels, listed.name);
        ptx_entry_name(trace->module, listed.entry, listed.name, sizeof listed.name);
        for (uint32_t at = 0; at < listed.entry->inst_count && !listed.line; at++)
            ptx_source(trace->module, &listed.entry->insts[at], main_file, &listed.file, &listed.line);
        json_array_append_new(list, listed_json(&listed));
    }
    return list;
}

void trace_list(const struct trace *trace, struct text *out)
{
    struct source_kernels kernels = {0};
    struct text templates = {0};
    read_kernels(trace, &kernels);
    json_t *list = list_kernels(trace, &kernels), *item;
    trace_offer_templates(trace, &templates);
    size_t index;
    if (trace->json) {
        json_t *json = json_object();
        fields_put(json, "kernels", json_incref(list));
        fields_put(json, "templates", fields_string(text_get(&templates)));
        char *text = json_dumps(json, JSON_PRESERVE_ORDER | JSON_INDENT(2));
        text_printf(out, "%s\n", text);
        free(text);
        json_decref(json);
    } else {
        json_array_foreach(list, index, item)
        {
            text_printf(out, "%s%s  (%s:%lld)\n  %s\n", index ? "\n" : "",
                        json_string_value(json_object_get(item, "kernel")),
                        json_string_value(json_object_get(item, "file")),
                        (long long)json_integer_value(json_object_get(item, "line")),
                        json_string_value(json_object_get(item, "command")));
        }
        if (templates.length)
            text_printf(out, "\nTemplates that nothing instantiates: %s\n", text_get(&templates));
        if (!out->length)
            text_printf(out, "There is no kernel in %s.\n", trace->path);
    }
    json_decref(list);
    text_free(&templates);
    source_kernels_free(&kernels);
}
