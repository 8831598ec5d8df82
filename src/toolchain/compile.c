// The road of one compilation: source, cache, jail, messages, PTX.
#include "toolchain/toolchain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/memory.h"
#include "toolchain/compilation.h"
#include "toolchain/headers.h"
#include "toolchain/messages.h"
#include "toolchain/sandbox.h"

// Appends text with every mention of the private folder taken out, so that results do not depend on its name.
static void append_without_folder(const struct compilation *c, const struct text *text, struct text *out)
{
    size_t length = strlen(c->folder);
    const char *at = text_get(text), *end = at + text->length, *found;
    while ((found = memmem(at, (size_t)(end - at), c->folder, length))) {
        text_append(out, at, (size_t)(found - at));
        at = found + length;
        if (at < end && *at == '/')
            at++;
    }
    text_append(out, at, (size_t)(end - at));
}

// .file names as the user knows them
static void present_ptx(struct compilation *c)
{
    struct messages_names names = {.main_name = COMPILATION_MAIN,
                                   .display = c->display,
                                   .own_folder = c->own_folder,
                                   .display_folder = c->display_folder};
    struct text out = {0};
    const char *at = text_get(&c->entry.ptx), *end = at + c->entry.ptx.length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = stop ? (size_t)(stop - at) + 1 : (size_t)(end - at);
        size_t blank = strspn(at, " \t");
        const char *open = NULL, *close = NULL;
        if (blank < length && text_starts(at + blank, ".file") && (open = memchr(at, '"', length)))
            close = memchr(open + 1, '"', length - (size_t)(open + 1 - at));
        if (close) {
            char name[1100];
            messages_map_name(&names, open + 1, (size_t)(close - open) - 1, name, sizeof name);
            compilation_file_name(name);
            text_append(&out, at, (size_t)(open + 1 - at));
            text_puts(&out, name);
            text_append(&out, close, length - (size_t)(close - at));
        } else {
            text_append(&out, at, length);
        }
        at += length;
    }
    c->result->ptx = out.data ? out.data : mem_strdup("");
    c->result->ptx_length = out.length;
}

static void list_headers(struct compilation *c)
{
    struct text paths = {0};
    for (const char *at = text_get(&c->entry.dependencies); *at;) { // "HASH PATH\n"
        at += strcspn(at, " ");
        at += *at == ' ';
        size_t length = strcspn(at, "\n");
        text_append(&paths, at, length + (at[length] == '\n'));
        at += length + (at[length] == '\n');
    }
    c->result->headers = paths.data ? paths.data : mem_strdup("");
}

static enum status run_compiler(struct compilation *c, struct process_result *result)
{
    struct process *process;
    c->argv[c->argc] = NULL;
    enum status status = compilation_start(c, c->argv, &process);
    if (status == STATUS_OK)
        status = process_wait(process, result, c->diagnostic);
    process_free(process);
    return status;
}

// What may be wrong with a compiler itself, by its words; a source can have it say them, too. Then it can compile
// something else.
static bool fails_on_anything(const struct compilation *c)
{
    static const char nothing[] = "__global__ void nothing() {}\n";
    const struct compile_request request = {.path = "nothing.cu",
                                            .source = nothing,
                                            .source_length = sizeof nothing - 1,
                                            .arch = c->request->arch,
                                            .no_cache = true,
                                            .cancel = c->request->cancel};
    struct compile_result result;
    struct diagnostic why;
    if (c->request->source && strcmp(c->request->source, nothing) == 0)
        return true;
    bool failed = toolchain_compile(c->toolchain, &request, &result, &why) != STATUS_OK;
    compile_result_free(&result);
    return failed;
}

static enum status compile_now(struct compilation *c)
{
    struct process_result result = {0};
    struct text ptx = {0};
    enum status status = compilation_make_folder(c);
    if (status == STATUS_OK)
        status = compilation_fill_folder(c);
    if (status == STATUS_OK)
        status = run_compiler(c, &result);
    bool may_end = status == STATUS_OK && (compilation_was_killed(c, &result) || compilation_crashed(&result));
    if (may_end) { // by whom? Once more, and it may come to its end
        process_result_free(&result);
        status = run_compiler(c, &result);
    }
    if (status != STATUS_OK)
        goto out;
    append_without_folder(c, &result.out, &c->entry.messages); // nvcc's front end writes to stdout
    append_without_folder(c, &result.err, &c->entry.messages);
    if (result.end == PROCESS_KILLED) {
        status = diagnostic_set(c->diagnostic, STATUS_CANCELLED, "the compilation was cancelled");
        goto out;
    }
    if (!process_succeeded(&result)) {
        status = compilation_fail(c, &result, fails_on_anything);
        goto out;
    }
    status = compilation_check_dependencies(c);
    if (status == STATUS_OK)
        status = compilation_read_output(c, "kernel.ptx", COMPILATION_PTX_MAX, &ptx);
    if (status == STATUS_COMPILE && c->diagnostic)
        diagnostic_add(&c->result->diagnostics, c->diagnostic);
    if (status != STATUS_OK)
        goto out;
    compilation_join_loads(c, &ptx);
    compilation_widen_copies(c, &ptx);
    if (c->toolchain->kind == TOOLCHAIN_CLANG) {
        compilation_mend_ptx(&ptx, c->own_folder ? NULL : c->result->source);
        compilation_state_target(c, &ptx);
    }
    append_without_folder(c, &ptx, &c->entry.ptx);
    compilation_parse_messages(c);
    status = compilation_check_sizes(c);
    if (status == STATUS_OK && !c->request->no_cache)
        cache_store(&c->key, &c->entry);
out:
    text_free(&ptx);
    process_result_free(&result);
    compilation_remove_folder(c);
    return status;
}

static enum status get_source(struct compilation *c)
{
    const struct compile_request *request = c->request;
    struct compile_result *result = c->result;
    if (!request->source)
        return toolchain_read_source(request->path, request->root, c->display, &result->source, &result->source_length,
                                     c->diagnostic);
    enum status status = toolchain_check_source(request->source, request->source_length, c->display, c->diagnostic);
    if (status == STATUS_OK) {
        result->source = mem_strndup(request->source, request->source_length);
        result->source_length = request->source_length;
    }
    return status;
}

static void name_things(struct compilation *c)
{
    const char *display = c->request->display ? c->request->display : c->request->path, *slash;
    struct text escaped = {0};
    text_escape(&escaped, display, strlen(display), false);
    snprintf(c->display, sizeof c->display, "%s", text_get(&escaped));
    strcpy(c->result->display, c->display);
    text_free(&escaped);
    if ((slash = strrchr(c->display, '/')))
        snprintf(c->display_folder, sizeof c->display_folder, "%.*s", (int)(slash - c->display), c->display);
    if (c->request->own_folder) {
        char folder[PATH_MAX], real[PATH_MAX];
        slash = strrchr(c->request->path, '/');
        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - c->request->path) + 1 : 1,
                 slash ? c->request->path : ".");
        if (realpath(folder, real))
            c->own_folder = arena_strdup(c->arena, real);
    }
}

static enum status compile_source(struct compilation *c)
{
    name_things(c);
    enum status status = get_source(c);
    if (status == STATUS_OK && !c->own_folder)
        status = source_check_paths(c->result->source, c->result->source_length, c->display, c->diagnostic);
    if (status == STATUS_COMPILE && c->diagnostic)
        diagnostic_add(&c->result->diagnostics, c->diagnostic);
    if (status == STATUS_OK && !c->own_folder)
        c->source = source_without_lines(c->result->source, c->result->source_length);
    if (status == STATUS_OK)
        status = compilation_check(c);
    if (status != STATUS_OK)
        return status;
    text_printf(&c->key, "%s\n%" PRIx64 " %d\n", c->toolchain->identity, headers_hash(), COMPILATION_MENDS);
    compilation_command(c);
    compilation_list_readable(c);
    text_printf(&c->key, "%s\n", c->host_path);
    text_puts(&c->key, c->source ? c->source : c->result->source);
    if (!c->request->no_cache && cache_load(&c->key, &c->entry)) {
        c->result->from_cache = true;
        compilation_parse_messages(c);
    } else {
        status = compile_now(c);
    }
    if (status == STATUS_OK) {
        present_ptx(c);
        compilation_note_parts(c->result);
        list_headers(c);
    }
    return status;
}

enum status toolchain_compile(const struct toolchain *toolchain, const struct compile_request *request,
                              struct compile_result *result, struct diagnostic *diagnostic)
{
    double start = clock_seconds();
    struct diagnostic own;
    *result = (struct compile_result){0};
    struct compilation *c = mem_alloc(sizeof *c);
    *c = (struct compilation){.toolchain = toolchain,
                              .request = request,
                              .result = result,
                              .diagnostic = diagnostic ? diagnostic : &own,
                              .arena = arena_new(),
                              .limits = compilation_limits};
    if (request->wall_limit > 0) {
        c->limits.wall_seconds = request->wall_limit;
        c->limits.cpu_seconds = (unsigned)request->wall_limit + 1;
    }
    if (request->memory_limit)
        c->limits.memory_bytes = request->memory_limit;
    snprintf(result->compiler, sizeof result->compiler, "%s", toolchain->label);
    enum status status = compile_source(c);
    result->seconds = clock_seconds() - start;
    text_free(&c->key);
    free(c->source);
    cache_entry_free(&c->entry);
    arena_free(c->arena);
    free(c);
    return status;
}

void compile_result_free(struct compile_result *result)
{
    free(result->ptx);
    free(result->headers);
    free(result->source);
    diagnostic_list_free(&result->diagnostics);
    *result = (struct compile_result){0};
}

char *toolchain_protection(char *text, size_t size)
{
    int abi = sandbox_landlock_abi();
    bool seccomp = sandbox_has_seccomp();
    char landlock[40];
    snprintf(landlock, sizeof landlock, "Landlock (ABI %d), ", abi);
    snprintf(text, size, "%s%sresource limits%s%s", abi ? landlock : "", seccomp ? "seccomp, " : "",
             abi ? "" : "; no Landlock in this kernel, so the headers read are checked afterwards",
             seccomp ? "" : "; no seccomp in this kernel");
    return text;
}

enum status toolchain_write_headers(const char *folder, struct diagnostic *diagnostic)
{
    return headers_write(folder, true, diagnostic);
}
