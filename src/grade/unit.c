// A source compiled and parsed, its kernel's parameters checked, its launch worked out.
#include "grade/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "device/args.h"
#include "device/simulator.h"
#include "model/gpus.h"
#include "toolchain/plain.h"

const char *unit_display(const char *path, char *text, size_t size)
{
    const char *shown = file_shown(path);
    // The end of a long path says more than its start.
    size_t shown_length = strlen(shown);
    snprintf(text, size, "%s", shown_length < size ? shown : shown + shown_length - size + 1);
    return text;
}

// Of the LAUNCH line; 0: there is none.
static int launch_line(const char *source)
{
    struct text plain = {0};
    int line = 0;
    if (source && source_make_plain(&plain, source, strlen(source))) {
        struct source_scanner scanner = source_scan(text_get(&plain));
        struct source_token token;
        while ((token = source_next_token(&scanner)).length && !line)
            if (token.length == strlen("LAUNCH") && !memcmp(token.start, "LAUNCH", token.length))
                for (const char *at = text_get(&plain), *end = (line = 1, token.start); at < end; at++)
                    line += *at == '\n';
    }
    text_free(&plain);
    return line;
}

// What is wrong with a launch that the source asks for is wrong there.
static enum status at_launch_line(const struct unit *unit, enum status status, struct diagnostic *diagnostic)
{
    if (status == STATUS_LAUNCH && diagnostic && !diagnostic->line && unit->launch_line) {
        snprintf(diagnostic->file, sizeof diagnostic->file, "%.255s", unit->display);
        diagnostic->line = unit->launch_line;
    }
    return status;
}

// Without __launch_bounds__, ptxas may give a thread more registers than a large block has for each. For nvcc's code
// that hardly ever happens; clang's takes more, and where there is no ptxas its number is not even known. So clang's
// kernels promise the block that LAUNCH names, unless they say themselves.
static enum status promise_block(struct unit *unit, struct diagnostic *diagnostic)
{
    const uint32_t *block = unit->launch.block;
    struct text better = {0};
    bool is_new = false;
    const char *from = unit->compiled.ptx;
    for (const char *entry, *body; (entry = strstr(from, ".entry ")) && (body = strstr(entry, "\n{")); from = body) {
        const char *said = strstr(entry, "ntid ");
        text_append(&better, from, (size_t)(body - from));
        if (said && said < body)
            continue;
        text_printf(&better, "\n.maxntid %u, %u, %u", block[0], block[1], block[2]);
        is_new = true;
    }
    text_puts(&better, from);
    enum status status = is_new ? unit_replace(unit, text_get(&better), diagnostic) : STATUS_OK;
    text_free(&better);
    return status;
}

static enum status make_requested(struct unit *unit, struct compile_request *request, const struct toolchain *toolchain,
                                  const char **diagnosis, struct diagnostic *diagnostic)
{
    const char *ignored;
    struct diagnostic unread;
    diagnosis = diagnosis ? diagnosis : &ignored;
    diagnostic = diagnostic ? diagnostic : &unread;
    *unit = (struct unit){0};
    *diagnosis = "compile-error";
    request->source_length = request->source ? strlen(request->source) : 0;
    request->display = unit_display(request->path, unit->display, sizeof unit->display);
    enum status status = toolchain_compile(toolchain, request, &unit->compiled, diagnostic);
    if (status && status != STATUS_COMPILE)
        *diagnosis = "";
    if (status)
        return status;
    status = ptx_parse(unit->display, unit->compiled.ptx, unit->compiled.ptx_length, &unit->module, diagnostic);
    if (status)
        return toolchain_blame_source(&unit->compiled, diagnostic);
    *diagnosis = "launch-error";
    unit->has_launch = launch_is_given(unit->module);
    unit->launch_line = launch_line(unit->compiled.source);
    status = unit->has_launch ? launch_from_module(unit->module, &unit->launch, diagnostic) : STATUS_OK;
    if (status == STATUS_OK && toolchain->kind == TOOLCHAIN_CLANG &&
        launch_threads(&unit->launch) > GPU_REGISTERS / GPU_THREAD_REGISTERS)
        return promise_block(unit, diagnostic);
    return at_launch_line(unit, status, diagnostic);
}

enum status unit_make(struct unit *unit, const char *path, const struct toolchain *toolchain, const char **diagnosis,
                      struct diagnostic *diagnostic)
{
    return unit_make_text(unit, path, NULL, toolchain, NULL, diagnosis, diagnostic);
}

enum status unit_make_text(struct unit *unit, const char *path, const char *source, const struct toolchain *toolchain,
                           const atomic_bool *cancel, const char **diagnosis, struct diagnostic *diagnostic)
{
    struct compile_request request = {.path = path, .source = source, .cancel = cancel};
    return make_requested(unit, &request, toolchain, diagnosis, diagnostic);
}

enum status unit_make_as_written(struct unit *unit, const char *path, const char *source,
                                 const struct toolchain *toolchain, struct diagnostic *diagnostic)
{
    struct compile_request request = {.path = path, .source = source, .optimisation = "-O0"};
    enum status status = make_requested(unit, &request, toolchain, NULL, diagnostic);
    if (status == STATUS_OK)
        ptx_write_out(unit->module, unit->display);
    return status;
}

enum status unit_replace(struct unit *unit, const char *ptx, struct diagnostic *diagnostic)
{
    struct ptx_module *module = NULL;
    enum status status = ptx_parse(unit->display, ptx, strlen(ptx), &module, diagnostic);
    if (status) {
        ptx_module_free(module);
        return status;
    }
    ptx_module_free(unit->module);
    free(unit->compiled.ptx);
    unit->module = module;
    unit->compiled.ptx = mem_strdup(ptx);
    unit->compiled.ptx_length = strlen(ptx);
    return STATUS_OK;
}

void unit_free(struct unit *unit)
{
    ptx_module_free(unit->module);
    compile_result_free(&unit->compiled);
    *unit = (struct unit){0};
}

// ---- signature

static void print_expected(const struct lesson_part *part, struct text *text)
{
    text_printf(text, "%s(", part->kernel);
    for (size_t i = 0; i < part->arg_count; i++) {
        const struct lesson_arg *arg = &part->args[i];
        if (arg->role == LESSON_MAP)
            text_printf(text, "%sconst __grid_constant__ CUtensorMap %s", i ? ", " : "", arg->name);
        else
            text_printf(text, "%s%s%s %s%s", i ? ", " : "", arg->role == LESSON_IN ? "const " : "",
                        args_type_in_c(arg->type), arg->role == LESSON_SCALAR ? "" : "*", arg->name);
    }
    text_puts(text, ")");
}

static void print_found(const struct ptx_function *entry, struct text *text)
{
    char name[256];
    ptx_demangle(entry->name, name, sizeof name);
    text_puts(text, name);
    if (strchr(name, '('))
        return;
    text_puts(text, "(");
    for (uint32_t i = 0; i < entry->param_count; i++)
        text_printf(text, "%s%s", i ? ", " : "", ptx_type_name(entry->params[i].type));
    text_puts(text, ")");
}

enum status unit_find_kernel(const struct unit *unit, const struct lesson_part *part, const char *name,
                             const struct ptx_function **entry, const char **diagnosis, struct diagnostic *diagnostic)
{
    const char *ignored;
    diagnosis = diagnosis ? diagnosis : &ignored;
    *diagnosis = "missing-kernel";
    if (ptx_find_entry(unit->module, name, entry, diagnostic)) {
        if (diagnostic)
            diagnostic->code = STATUS_LAUNCH;
        return STATUS_LAUNCH;
    }
    bool suits = (*entry)->param_count == part->arg_count;
    for (size_t i = 0; i < part->arg_count && suits; i++) {
        struct device_arg arg = {.type = part->args[i].type,
                                 .is_buffer = lesson_is_buffer(&part->args[i]),
                                 .is_tensor_map = part->args[i].role == LESSON_MAP};
        suits = !device_mismatch(&(*entry)->params[i], &arg);
    }
    if (suits)
        return STATUS_OK;
    struct text expected = {0}, found = {0};
    print_expected(part, &expected);
    print_found(*entry, &found);
    *diagnosis = "wrong-signature";
    enum status status = diagnostic_set(diagnostic, STATUS_LAUNCH,
                                        "The kernel's parameters are not what the lesson passes. Expected: %.250s. "
                                        "Found: %.250s. Give it the starter's parameters again.",
                                        text_get(&expected), text_get(&found));
    text_free(&expected);
    text_free(&found);
    return status;
}

// The next parameter of a demangled name, from *at on, "float const*"; false: there is none.
static bool next_parameter(const char **at, struct text *parameter)
{
    int depth = 0;
    const char *start = *at + strspn(*at, " ,"), *end = start;
    while (*end && !(depth == 0 && strchr(",)", *end))) {
        depth += (strchr("(<[", *end) != NULL) - (strchr(")>]", *end) != NULL);
        end++;
    }
    text_clear(parameter);
    text_append(parameter, start, (size_t)(end - start));
    *at = end;
    return end > start;
}

// Of a pointer to floating-point numbers: their bytes; 0: it is another parameter.
static size_t float_pointed_to(const char *parameter)
{
    static const struct {
        const char *name;
        size_t bytes;
    } floats[] = {{"float", 4}, {"double", 8}, {"__half", 2}, {"__nv_bfloat16", 2}};
    size_t length = strcspn(parameter, " *");
    bool is_const = strncmp(parameter + length, " const", 6) == 0;
    const char *rest = parameter + length + (is_const ? 6 : 0);
    for (size_t i = 0; i < sizeof floats / sizeof *floats && rest[0] == '*' && rest[1] != '*'; i++)
        if (strlen(floats[i].name) == length && !strncmp(parameter, floats[i].name, length))
            return floats[i].bytes;
    return 0;
}

bool unit_takes_others(const struct lesson_part *part, const struct ptx_function *entry, char *text, size_t size)
{
    char name[512];
    struct text parameter = {0};
    bool takes = false;
    const char *at = strchr(ptx_demangle(entry->name, name, sizeof name), '(');
    at = at ? at + 1 : NULL;
    for (size_t i = 0; at && !takes && i < part->arg_count && next_parameter(&at, &parameter); i++) {
        const struct lesson_arg *arg = &part->args[i];
        size_t bytes = float_pointed_to(text_get(&parameter));
        takes = bytes && lesson_is_buffer(arg) && device_is_float(arg->type) && bytes != ptx_type_size(arg->type);
        if (takes)
            snprintf(text, size,
                     "Parameter %zu, %.60s, is a pointer to %.*s, and the lesson passes %s: each index is %zu "
                     "bytes instead of %zu. Give the kernel the starter's parameters again.",
                     i + 1, arg->name, (int)strcspn(text_get(&parameter), " *"), text_get(&parameter),
                     args_type_in_c(arg->type), bytes, (size_t)ptx_type_size(arg->type));
    }
    text_free(&parameter);
    return takes;
}

// ---- launch shape

static uint32_t tiles(double extent, uint32_t tile)
{
    double count = ceil(extent / tile);
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

uint32_t unit_static_shared(const struct ptx_function *entry)
{
    struct arena *arena = arena_new();
    uint32_t bytes = ptx_shared_layout(entry, arena).static_size;
    arena_free(arena);
    return bytes;
}

static enum status shape_from_source(const struct unit *unit, const struct lesson_launch *launch,
                                     const struct lesson_size *size, bool gpu, struct launch_shape *shape,
                                     const char **diagnosis, struct diagnostic *diagnostic)
{
    if (!unit->has_launch) {
        *diagnosis = "missing-launch";
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "There is no LAUNCH line, so the lab does not know how to start the kernel. Put one "
                              "outside the kernel: LAUNCH(block_x, block_y, tile_x, tile_y);");
    }
    uint32_t static_bytes = shape->static_shared;
    *shape = unit->launch;
    shape->static_shared = static_bytes;
    shape->grid[0] = tiles(lesson_value(size, gpu, launch->cols), shape->tile[0]);
    shape->grid[1] = tiles(lesson_value(size, gpu, launch->rows), shape->tile[1]);
    if (!launch->asks || launch_check_asked(shape, diagnostic) == STATUS_OK)
        return STATUS_OK;
    *diagnosis = "shared-not-asked";
    return STATUS_LAUNCH;
}

// With shape->static_shared as it is.
static enum status shape_at(const struct unit *unit, const struct ptx_function *entry,
                            const struct lesson_launch *launch, const struct lesson_size *size, bool gpu,
                            struct launch_shape *shape, const char **diagnosis, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    *shape = (struct launch_shape){.static_shared = shape->static_shared};
    *diagnosis = "launch-error";
    if (launch->from) {
        status = shape_from_source(unit, launch, size, gpu, shape, diagnosis, diagnostic);
    } else {
        for (int i = 0; i < 3; i++) {
            shape->grid[i] = (uint32_t)lesson_value(size, gpu, launch->grid[i]);
            shape->block[i] = (uint32_t)lesson_value(size, gpu, launch->block[i]);
        }
        shape->dynamic_shared = (uint32_t)lesson_value(size, gpu, launch->shared);
    }
    if (status)
        return status;
    uint64_t threads = launch_threads(shape);
    if (launch->max_threads > 0 && threads > (uint64_t)launch->max_threads)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "A block of this lesson has at most %d threads; yours has %llu.", launch->max_threads,
                              (unsigned long long)threads);
    // a chosen model's limits are checked by the device
    return launch_check(shape, entry, gpu_profile_find(NULL)->shared_block, diagnostic);
}

enum status unit_shape(const struct unit *unit, const struct ptx_function *entry, const struct lesson_launch *launch,
                       const struct lesson_size *size, bool gpu, struct launch_shape *shape, const char **diagnosis,
                       struct diagnostic *diagnostic)
{
    const char *ignored;
    shape->static_shared = unit_static_shared(entry);
    enum status status = shape_at(unit, entry, launch, size, gpu, shape, diagnosis ? diagnosis : &ignored, diagnostic);
    return launch->from ? at_launch_line(unit, status, diagnostic) : status;
}

bool unit_reshape(const struct unit *unit, const struct ptx_function *entry, const struct lesson_launch *launch,
                  const struct lesson_size *size, struct launch_shape *shape)
{
    const char *ignored;
    return shape_at(unit, entry, launch, size, false, shape, &ignored, NULL) == STATUS_OK;
}

enum status unit_ready(const struct unit *unit, const struct lesson_part *part, bool gpu,
                       const struct ptx_function **entry, struct launch_shape *shape, struct diagnostic *diagnostic)
{
    enum status status = unit_find_kernel(unit, part, part->kernel, entry, NULL, diagnostic);
    return status
               ? status
               : unit_shape(unit, *entry, &part->launch, &part->sizes[part->speed_size], gpu, shape, NULL, diagnostic);
}
