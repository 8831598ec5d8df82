// The compiler's command line.
#include "toolchain/compilation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void add_argument(struct compilation *c, const char *argument)
{
    if (c->argc + 1 < COMPILATION_ARGV_MAX)
        c->argv[c->argc++] = argument;
    text_puts(&c->key, argument);
    text_append(&c->key, "\n", 1);
}

static enum status settle_arch(struct compilation *c)
{
    const char *asked = c->request->arch ? c->request->arch : c->toolchain->arch[0] != '\0' ? c->toolchain->arch : NULL;
    const char *wanted = asked ? asked : "sm_90";
    char *arch = c->result->arch;
    enum status status = toolchain_choose_arch(c->toolchain, wanted, arch, c->diagnostic);
    // What the source leaves out for older GPUs would be missed without a word.
    const char *source = c->result->source;
    bool matters =
        asked || (source && memmem(source, c->result->source_length, "__CUDA_ARCH__", strlen("__CUDA_ARCH__")));
    if (status == STATUS_OK && matters && strcmp(arch, wanted) != 0) {
        struct diagnostic note = {.code = STATUS_OK, .severity = SEVERITY_NOTE};
        snprintf(note.message, sizeof note.message, "%s does not know %s: compiled for %s instead", c->toolchain->label,
                 wanted, arch);
        diagnostic_add(&c->result->diagnostics, &note);
    }
    return status;
}

// What the compilers know by several names, and what each of them is told; "": nothing, as it does so anyway, or as it
// means something to ptxas or to the host's code only.
static const struct flag {
    const char *names, *nvcc, *clang, *clang_too;
} flags[] = {
    {"-use_fast_math --use_fast_math", "-use_fast_math", "-ffast-math", "-fcuda-flush-denormals-to-zero"},
    {"-std=c++11 --std=c++11", "-std=c++11", "-std=c++11", ""},
    {"-std=c++14 --std=c++14", "-std=c++14", "-std=c++14", ""},
    {"-std=c++17 --std=c++17", "-std=c++17", "-std=c++17", ""},
    {"-std=c++20 --std=c++20", "-std=c++20", "-std=c++20", ""},
    {"-extended-lambda --extended-lambda --expt-extended-lambda -expt-extended-lambda", "--extended-lambda", "", ""},
    {"-expt-relaxed-constexpr --expt-relaxed-constexpr -lineinfo --generate-line-info", "", "", ""},
    {"-fmad=false --fmad=false", "-fmad=false", "-ffp-contract=off", ""},
    {"-ftz=true --ftz=true", "-ftz=true", "-fcuda-flush-denormals-to-zero", ""},
    {"-ftz=false --ftz=false -fmad=true --fmad=true -prec-div=true -prec-sqrt=true", "", "", ""},
    {"-rdc=true --relocatable-device-code=true -dc", "-rdc=true", "", ""},
    {"-rdc=false --relocatable-device-code=false -w -Wall -Wextra -O --restrict -restrict", "", "", ""},
};

static const struct flag *find_flag(const char *flag)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (text_lists(flags[i].names, flag, strlen(flag)))
            return &flags[i];
    return NULL;
}

// -maxrregcount=64: of ptxas alone
static bool is_register_limit(const char *flag)
{
    return text_starts(flag, "-maxrregcount") || text_starts(flag, "--maxrregcount");
}

static bool is_flag(const char *flag)
{
    if (find_flag(flag) || is_register_limit(flag))
        return true;
    return (text_starts(flag, "-D") || text_starts(flag, "-U")) && flag[2] && !strpbrk(flag, "\n\r") &&
           strlen(flag) < 1000;
}

static enum status check_flags(struct compilation *c)
{
    const char *level = c->request->optimisation;
    if (level && (!text_starts(level, "-O") || level[2] < '0' || level[2] > '3' || level[3]))
        return diagnostic_set(c->diagnostic, STATUS_USAGE, "no optimisation '%.20s': say -O0 to -O3", level);
    for (const char *const *flag = c->request->flags; flag && *flag; flag++)
        if (!is_flag(*flag))
            return diagnostic_set(c->diagnostic, STATUS_USAGE,
                                  "the flag '%.100s' is not accepted: -D, -U, -std=c++NN, -use_fast_math, "
                                  "--extended-lambda, -fmad=, -ftz=, -rdc=, -maxrregcount= and -O0 to -O3 are",
                                  *flag);
    return STATUS_OK;
}

static bool has_standard(const struct compile_request *request)
{
    for (const char *const *flag = request->flags; flag && *flag; flag++)
        if (text_starts(*flag, "-std=") || text_starts(*flag, "--std="))
            return true;
    return false;
}

static void argue_common(struct compilation *c)
{
    bool is_clang = c->toolchain->kind == TOOLCHAIN_CLANG;
    add_argument(c, c->request->optimisation ? c->request->optimisation : "-O3");
    if (!has_standard(c->request))
        add_argument(c, "-std=c++17");
    for (const char *const *flag = c->request->flags; flag && *flag; flag++) {
        const struct flag *known = find_flag(*flag);
        if (!known && !is_register_limit(*flag))
            add_argument(c, *flag);
        else if (known && *(is_clang ? known->clang : known->nvcc))
            add_argument(c, is_clang ? known->clang : known->nvcc);
        if (known && is_clang && *known->clang_too)
            add_argument(c, known->clang_too);
    }
    if (c->own_folder)
        add_argument(c, arena_printf(c->arena, "%s%s", is_clang ? "-iquote" : "-I", c->own_folder));
    for (const char *const *dir = c->request->include_dirs; dir && *dir; dir++) {
        char real[PATH_MAX];
        if (!realpath(*dir, real))
            continue;
        add_argument(c, arena_printf(c->arena, "-I%s", real));
        compilation_may_read(c, arena_strdup(c->arena, real));
    }
    add_argument(c, "-include");
    add_argument(c, COMPILATION_LAB "/bankshot.h");
    // Which headers the device code reads. nvcc's own -MD would read the source as host code, too, with all that it
    // needs.
    add_argument(c, is_clang ? "-MD" : "-Xcompiler");
    add_argument(c, is_clang ? "-MF" : "-MD,-MF,kernel.d");
    if (is_clang)
        add_argument(c, "kernel.d");
    add_argument(c, "-o");
    add_argument(c, "kernel.ptx");
    add_argument(c, COMPILATION_MAIN);
}

// nvcc preprocesses with a host compiler: the one that $NVCC_CCBIN names.
static void argue_nvcc(struct compilation *c)
{
    const char *host = getenv("NVCC_CCBIN");
    add_argument(c, c->toolchain->path);
    if (host && host[0] == '/')
        add_argument(c, arena_printf(c->arena, "-ccbin=%s", host));
    add_argument(c, "-ptx");
    add_argument(c, "-lineinfo");
    add_argument(c, "--expt-relaxed-constexpr"); // as clang does
    if (c->request->optimisation) {              // nvcc's own -O is for host code
        add_argument(c, "-Xcicc");
        add_argument(c, c->request->optimisation);
    }
    add_argument(c, arena_printf(c->arena, "-arch=%s", c->result->arch));
    argue_common(c);
}

// PTX 7.8 is the first to know sm_89 and sm_90, 8.0 has sm_90a and bulk copies (clang 17); older PTX pleases older
// drivers.
const char *compilation_ptx_feature(const struct compilation *c)
{
    int sm = 0;
    char suffix = 0;
    arch_parse(c->result->arch, &sm, &suffix);
    return sm > 90 ? "+ptx86" : sm < 89 ? "+ptx75" : c->toolchain->major >= 17 ? "+ptx80" : "+ptx78";
}

// A header of its own may, which nobody has read yet.
static bool may_name_std(const struct compilation *c)
{
    const char *source = c->result->source ? c->result->source : "";
    return c->own_folder || (c->request->include_dirs && *c->request->include_dirs) || strstr(source, "std::") ||
           strstr(source, "namespace std");
}

static void argue_clang(struct compilation *c)
{
    static const char *const fixed[] = {
        "-x",
        "cuda",
        "--cuda-device-only",
        "-nocudainc",
        "-nocudalib",
        "-S",
        "-gline-tables-only",
        "-Wno-unknown-cuda-version",
        "-Wno-unused-command-line-argument",
        "-Wno-register", // which nvcc takes, too
        "-fno-color-diagnostics",
        "-fno-caret-diagnostics",
        "-fno-crash-diagnostics",
        "-ferror-limit=60",
        "-ftemplate-depth=512",
        // nvcc inlines nearly every function; a call would keep the arrays handed to it in local memory.
        "-mllvm",
        "-inline-threshold=20000",
        // nvcc unrolls loops whose length it knows, a few thousand instructions in all; else arrays stay in local
        // memory.
        "-mllvm",
        "-unroll-threshold=2000",
        // Where both sides of a branch store or load a word at the same place, clang does so once behind them, and
        // takes the vector of one side apart.
        "-mllvm",
        "-simplifycfg-sink-common=0",
        // A vector that is loaded stays one load, at the line that loads it, however few of its words are used.
        "-mllvm",
        "-disable-vector-combine",
        // A CUDA Toolkit that happens to be there must make no difference.
        "--cuda-path=" COMPILATION_LAB,
        "-isystem",
        COMPILATION_LAB "/cuda",
        "-include",
        COMPILATION_LAB "/cuda/bankshot_device.h",
    };
    add_argument(c, c->toolchain->path);
    add_argument(c, arena_printf(c->arena, "--cuda-gpu-arch=%s", c->result->arch));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add_argument(c, fixed[i]);
    if (may_name_std(c)) {
        add_argument(c, "-include");
        add_argument(c, COMPILATION_LAB "/cuda/bankshot_std.h");
    }
    add_argument(c, "-Xclang");
    add_argument(c, "-target-feature");
    add_argument(c, "-Xclang");
    add_argument(c, compilation_ptx_feature(c));
    // An argument without a value may be passed on: `int first; if (leader) first = …; first = shfl(first, 0);`. Else
    // clang takes it that there are only leaders.
    add_argument(c, "-Xclang");
    add_argument(c, c->toolchain->major > 14 ? "-no-enable-noundef-analysis" : "-disable-noundef-analysis");
    argue_common(c);
    text_puts(&c->key, "wide 3\n"); // wide.c
}

enum status compilation_check(struct compilation *c)
{
    enum status status = check_flags(c);
    return status == STATUS_OK ? settle_arch(c) : status;
}

void compilation_command(struct compilation *c)
{
    if (c->toolchain->kind == TOOLCHAIN_CLANG)
        argue_clang(c);
    else
        argue_nvcc(c);
}

void toolchain_clangd_flags(struct text *text, const char *folder)
{
    text_printf(
        text,
        "-xcuda\n--cuda-device-only\n--cuda-gpu-arch=sm_80\n-nocudainc\n-nocudalib\n--cuda-path=%s\n"
        "-std=c++17\n-Wno-unknown-cuda-version\n-Wno-register\n-isystem\n%s/cuda\n-include\n%s/cuda/bankshot_device.h\n"
        "-include\n%s/bankshot.h\n",
        folder, folder, folder, folder);
}