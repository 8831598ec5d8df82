// Which architecture a compiler is asked for: the one that is wanted, or the nearest before it that the compiler
// knows. PTX for an older architecture runs on every newer GPU (PTX ISA, .target), except for the sm_NNa ones.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "toolchain/compilation.h"

// Versions as 100 * major + minor; 0 = never, or until now.
struct arch_row {
    int sm;
    unsigned since, until, accelerated; // accelerated: also as sm_NNa, since then
};

// Clang's NVPTX targets (LLVM's NVPTX.td and Cuda.h by release).
static const struct arch_row clang_archs[] = {
    {60, 1400, 0, 0},     {61, 1400, 0, 0},     {70, 1400, 0, 0},     {72, 1400, 0, 0}, {75, 1400, 0, 0},
    {80, 1400, 0, 0},     {86, 1400, 0, 0},     {87, 1600, 0, 0},     {89, 1600, 0, 0}, {90, 1600, 0, 1800},
    {100, 2000, 0, 2000}, {101, 2000, 0, 2000}, {120, 2000, 0, 2000},
};

// nvcc --list-gpu-arch and the CUDA Toolkit's release notes.
static const struct arch_row nvcc_archs[] = {
    {50, 600, 1300, 0},   {52, 600, 1300, 0},   {60, 800, 1300, 0},   {61, 800, 1300, 0},   {70, 900, 1300, 0},
    {72, 900, 1300, 0},   {75, 1000, 0, 0},     {80, 1100, 0, 0},     {86, 1101, 0, 0},     {87, 1104, 0, 0},
    {88, 1300, 0, 0},     {89, 1108, 0, 0},     {90, 1108, 0, 1200},  {100, 1208, 0, 1208}, {101, 1208, 1300, 1208},
    {103, 1209, 0, 1209}, {110, 1300, 0, 1300}, {120, 1208, 0, 1208}, {121, 1209, 0, 1209},
};

bool arch_parse(const char *arch, int *sm, char *suffix)
{
    char *end;
    if (!text_starts(arch, "sm_") || arch[3] < '1' || arch[3] > '9')
        return false;
    long number = strtol(arch + 3, &end, 10);
    *suffix = *end;
    *sm = (int)number;
    return number >= 50 && number < 1000 && (*end == 0 || ((*end == 'a' || *end == 'f') && end[1] == 0));
}

enum status toolchain_choose_arch(const struct toolchain *toolchain, const char *wanted, char arch[16],
                                  struct diagnostic *diagnostic)
{
    bool is_clang = toolchain->kind == TOOLCHAIN_CLANG;
    const struct arch_row *rows = is_clang ? clang_archs : nvcc_archs, *best = NULL, *oldest = NULL;
    size_t count = is_clang ? sizeof clang_archs / sizeof *clang_archs : sizeof nvcc_archs / sizeof *nvcc_archs;
    unsigned version = 100 * toolchain->major + toolchain->minor;
    int sm;
    char suffix;
    if (!arch_parse(wanted, &sm, &suffix))
        return diagnostic_set(diagnostic, STATUS_USAGE, "no architecture '%.20s': say sm_75, sm_80, sm_90 …", wanted);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].since > version || (rows[i].until && rows[i].until <= version))
            continue;
        oldest = oldest ? oldest : &rows[i];
        if (rows[i].sm <= sm)
            best = &rows[i];
    }
    if (!best)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "%s compiles for sm_%d and later, not for %.16s: use an older %s, or --compiler %s",
                              toolchain->label, oldest ? oldest->sm : 0, wanted, is_clang ? "clang" : "CUDA Toolkit",
                              is_clang ? "nvcc" : "clang");
    bool keep = suffix && best->sm == sm && best->accelerated && best->accelerated <= version;
    snprintf(arch, 16, "sm_%d%.1s", best->sm, keep ? &suffix : "");
    return STATUS_OK;
}

// ---- what PTX says that it is for

// PTX, 100 * major + minor: the first that knows all that this target has (PTX ISA, release notes).
static unsigned first_ptx(int sm)
{
    static const struct {
        int sm;
        unsigned version;
    } rows[] = {{121, 808}, {120, 807}, {110, 900}, {103, 808}, {100, 806}, {90, 800}, {89, 708}, {87, 704}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sm >= rows[i].sm)
            return rows[i].version;
    return 0;
}

void compilation_state_target(const struct compilation *c, struct text *ptx)
{
    const char *asked = c->request->arch ? c->request->arch : *c->toolchain->arch ? c->toolchain->arch : "sm_90";
    const char *start = text_get(ptx), *version = strstr(start, ".version "), *target = strstr(start, "\n.target sm_");
    int sm, own = 0, used = 0;
    unsigned major = 0, minor = 0;
    char suffix;
    if (!arch_parse(asked, &sm, &suffix) || !version || !target || target < version ||
        !strstr(start, "// begin inline asm") || sscanf(version, ".version %2u.%2u", &major, &minor) != 2 ||
        sscanf(target, "\n.target sm_%3d%n", &own, &used) != 1 || own > sm)
        return;
    const char *line = version + strcspn(version, "\n"), *rest = target + used + strcspn(target + used, "\n,");
    unsigned first = first_ptx(sm), stated = 100 * major + minor;
    if (own == sm && (rest > target + used || !suffix) && stated >= first)
        return;
    stated = stated > first ? stated : first;
    struct text mended = {0};
    text_append(&mended, start, (size_t)(version - start));
    text_printf(&mended, ".version %u.%u", stated / 100, stated % 100);
    text_append(&mended, line, (size_t)(target - line));
    text_printf(&mended, "\n.target %s%s", asked, rest);
    text_free(ptx);
    *ptx = mended;
}
