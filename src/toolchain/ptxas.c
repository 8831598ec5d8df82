// Running ptxas in the jail and reading its listing.
#include "toolchain/ptxas.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "toolchain/compilation.h"

#define PTX_FILE "kernel.ptx"

struct ptxas {
    struct compilation c; // the jail; its key and entry are the answer's place in the cache
    struct process *process;
    char entry[1024];
    bool is_known;
    struct diagnostic why; // why the machine keeps the answer from us; code OK: it does not
    struct device_resources resources;
};

// ---- the program

// Beside the nvcc of that name.
static bool find_beside(const char *nvcc, char *path, size_t size)
{
    char program[PATH_MAX], real[PATH_MAX], beside[PATH_MAX + 8];
    if (!file_find_program(nvcc, program, sizeof program) || !realpath(program, real))
        return false;
    snprintf(beside, sizeof beside, "%.*s/ptxas", (int)(strrchr(real, '/') - real), real);
    return file_find_program(beside, path, size);
}

bool ptxas_find(char *path, size_t size)
{
    static const char *const places[] = {"$CUDA_HOME/bin/ptxas", "$CUDA_PATH/bin/ptxas", "/usr/local/cuda/bin/ptxas"};
    if (getenv("BANKSHOT_PTXAS"))
        return file_find_program("$BANKSHOT_PTXAS", path, size);
    bool found = find_beside("$BANKSHOT_NVCC", path, size) || file_find_program("ptxas", path, size) ||
                 find_beside("nvcc", path, size);
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++)
        found = file_find_program(places[i], path, size);
    return found;
}

char *ptxas_identity(char *text, size_t size)
{
    char path[PATH_MAX];
    return file_identify(ptxas_find(path, sizeof path) ? path : "", text, size);
}

// ---- what goes in

// Whether a line is this directive and nothing else: others end in one of `ends`, or go on after it.
static bool is_directive(const char *line, size_t length, const char *name, const char *ends)
{
    size_t used = strlen(name);
    return length > used && memcmp(line, name, used) == 0 && (line[used] == ' ' || line[used] == '\t') &&
           strcspn(line, ends) >= length;
}

static bool is_section_data(const char *line, size_t length)
{
    static const char *const words[] = {".b8", ".b16", ".b32", ".b64"};
    bool is_data = (length == 1 && *line == '{') || (*line == '$' && strcspn(line, ": \t\n;{}*") == length - 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is_data |= is_directive(line, length, words[i], ";{}*\n");
    return is_data;
}

// Without what is for debuggers: lines, paths, names with the source's hash. ptxas answers the same without it, so what
// changes no code, such as a comment or a file's name, needs no new answer. False: something is not as compilers write
// it.
static bool take_code(const char *ptx, size_t length, struct text *out)
{
    bool in_section = false, is_usual = true;
    for (const char *at = ptx, *end = ptx + length, *next; at < end && is_usual; at = next) {
        const char *stop = memchr(at, '\n', (size_t)(end - at)), *line = at + strspn(at, " \t");
        next = stop ? stop + 1 : end;
        size_t left = line < next ? (size_t)((stop ? stop : end) - line) : 0;
        bool begins = is_directive(line, left, ".section", ";{}*\n") && memmem(line, left, ".debug_", 7);
        bool ends = in_section && left == 1 && *line == '}';
        bool is_place = is_directive(line, left, ".loc", ";{}:*\n") || is_directive(line, left, ".file", ";{}*\n");
        is_usual = !in_section || ends || is_section_data(line, left);
        if (!in_section && !begins && !is_place)
            text_append(out, at, (size_t)(next - at));
        in_section = (in_section || begins) && !ends;
    }
    return is_usual && !in_section;
}

// The PTX for sm: its .target line is lowered where it names a newer GPU, as a compiler would have written it. *arch
// is "sm_90", or "sm_90a" where the PTX is for that very GPU's own features.
static void aim_ptx(const char *ptx, size_t length, unsigned sm, struct text *out, char arch[16])
{
    const char *at = memmem(ptx, length, "\n.target sm_", 12);
    unsigned own = 0;
    int used = 0;
    snprintf(arch, 16, "sm_%u", sm);
    if (!at || sscanf(at + 12, "%3u%n", &own, &used) != 1) {
        text_append(out, ptx, length);
        return;
    }
    const char *rest = at + 12 + used;
    if (own == sm && *rest >= 'a' && *rest <= 'z')
        snprintf(arch, 16, "sm_%u%c", sm, *rest);
    text_append(out, ptx, (size_t)(at + 12 - ptx));
    text_printf(out, "%u", own > sm ? sm : own);
    text_append(out, rest, (size_t)(ptx + length - rest));
}

// ---- what comes out

// "ptxas info    : Used 30 registers, used 1 barriers, 4224 bytes smem, …" below "Function properties for ENTRY" with
// "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads".
static bool parse_listing(const char *listing, const char *entry, struct device_resources *resources)
{
    const char *line = listing;
    bool is_ours = false;
    *resources = (struct device_resources){0};
    while (*line) {
        size_t length = strcspn(line, "\n");
        char text[2048];
        snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text - 1 ? length : sizeof text - 1), line);
        const char *name = strstr(text, "Function properties for "), *used = strstr(text, "Used ");
        if (name)
            is_ours = strcmp(name + strlen("Function properties for "), entry) == 0;
        else if (is_ours && !used)
            sscanf(text, "%u bytes stack frame, %u bytes spill stores, %u bytes spill loads", &resources->stack,
                   &resources->spill_stores, &resources->spill_loads);
        if (is_ours && used && sscanf(used, "Used %u registers", &resources->registers) == 1) {
            const char *shared = strstr(used, " bytes smem");
            while (shared && shared > used && shared[-1] >= '0' && shared[-1] <= '9')
                shared--;
            resources->static_shared = shared ? (uint32_t)strtoul(shared, NULL, 10) : 0;
            return resources->registers > 0 && resources->registers <= GPU_THREAD_REGISTERS;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

// "ptxas kernel.ptx, line 43; error   : Modifier '.async' requires .target sm_90 or higher": it will say so again.
static bool is_refusal(int exit_code, const char *listing)
{
    return exit_code != 0 && strstr(listing, PTX_FILE ", line ") && strstr(listing, "; error ");
}

// ---- the run

static void start_ptxas(struct ptxas *ptxas, const char *path, const char *arch, const struct text *ptx)
{
    struct compilation *c = &ptxas->c;
    char arch_flag[32];
    snprintf(arch_flag, sizeof arch_flag, "-arch=%s", arch);
    const char *argv[] = {path, "-v", arch_flag, "--entry", ptxas->entry, PTX_FILE, "-o", "/dev/null", NULL};
    if (compilation_make_folder(c) != STATUS_OK ||
        compilation_write(c, PTX_FILE, text_get(ptx), ptx->length) != STATUS_OK)
        return;
    compilation_list_system(c);
    compilation_may_run(c, path);
    c->limits.cpu_seconds = PTXAS_SECONDS;
    compilation_start(c, argv, &ptxas->process);
}

struct ptxas *ptxas_start(const char *ptx, size_t length, const char *entry, unsigned sm)
{
    char path[PATH_MAX], identity[PATH_MAX + 64], arch[16];
    struct text code = {0}, aimed = {0};
    if (strlen(entry) >= sizeof((struct ptxas *)0)->entry || !ptxas_find(path, sizeof path))
        return NULL;
    struct ptxas *ptxas = mem_alloc(sizeof *ptxas);
    ptxas->c = (struct compilation){.arena = arena_new(), .limits = compilation_limits, .diagnostic = &ptxas->why};
    snprintf(ptxas->entry, sizeof ptxas->entry, "%s", entry);
    if (take_code(ptx, length, &code))
        aim_ptx(text_get(&code), code.length, sm, &aimed, arch);
    else
        aim_ptx(ptx, length, sm, &aimed, arch);
    text_printf(&ptxas->c.key, "ptxas\n%s\n%s %s\n", ptxas_identity(identity, sizeof identity), arch, entry);
    text_append(&ptxas->c.key, text_get(&aimed), aimed.length);
    if (cache_load(&ptxas->c.key, &ptxas->c.entry)) {
        ptxas->is_known = parse_listing(text_get(&ptxas->c.entry.messages), entry, &ptxas->resources);
        ptxas->resources.refused = !ptxas->is_known && is_refusal(EXIT_FAILURE, text_get(&ptxas->c.entry.messages));
    }
    if (!ptxas->is_known && !ptxas->resources.refused)
        start_ptxas(ptxas, path, arch, &aimed);
    text_free(&code);
    text_free(&aimed);
    return ptxas;
}

bool ptxas_runs(const struct ptxas *ptxas)
{
    return ptxas && ptxas->process;
}

bool ptxas_wait(struct ptxas *ptxas, struct device_resources *resources)
{
    struct process_result result = {0};
    if (ptxas && !ptxas->is_known && ptxas->process) {
        struct compilation *c = &ptxas->c;
        bool has_ended = process_wait(ptxas->process, &result, c->diagnostic) == STATUS_OK;
        bool good = has_ended && process_succeeded(&result);
        const char *fault = has_ended && !good ? compilation_blame_machine(c, &result) : NULL;
        if (fault)
            diagnostic_set(c->diagnostic, STATUS_ENVIRONMENT, "ptxas %s.", fault);
        text_clear(&c->entry.messages);
        text_append(&c->entry.messages, text_get(&result.out), result.out.length);
        text_append(&c->entry.messages, text_get(&result.err), result.err.length);
        ptxas->is_known = good && parse_listing(text_get(&c->entry.messages), ptxas->entry, &ptxas->resources);
        ptxas->resources.refused = has_ended && !fault && result.end == PROCESS_EXITED &&
                                   is_refusal(result.exit_code, text_get(&c->entry.messages));
        if (ptxas->is_known || ptxas->resources.refused)
            cache_store(&c->key, &c->entry);
        process_result_free(&result);
        process_free(ptxas->process);
        ptxas->process = NULL;
        compilation_remove_folder(c);
    }
    if (!ptxas || !ptxas->is_known) {
        resources->refused = ptxas && ptxas->resources.refused;
        return false;
    }
    *resources = ptxas->resources;
    return true;
}

bool ptxas_refusal(const struct ptxas *ptxas, char *text, size_t size)
{
    const char *said =
        ptxas && ptxas->resources.refused ? strstr(text_get(&ptxas->c.entry.messages), "; error ") : NULL;
    if (!said)
        return false;
    said += strlen("; error ");
    said += strspn(said, " :");
    snprintf(text, size, "%.*s", (int)strcspn(said, "\n"), said);
    return true;
}

const struct diagnostic *ptxas_fault(const struct ptxas *ptxas)
{
    return ptxas && ptxas->why.code != STATUS_OK ? &ptxas->why : NULL;
}

bool ptxas_answer(void *context, struct device_resources *resources)
{
    return ptxas_wait(context, resources);
}

void ptxas_free(struct ptxas *ptxas)
{
    if (!ptxas)
        return;
    process_free(ptxas->process);
    compilation_remove_folder(&ptxas->c);
    text_free(&ptxas->c.key);
    cache_entry_free(&ptxas->c.entry);
    arena_free(ptxas->c.arena);
    free(ptxas);
}
