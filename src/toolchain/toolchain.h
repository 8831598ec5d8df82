// The compiler: find nvcc or clang, and turn one CUDA source into PTX, in a jail.
//
// Only device code is compiled, to PTX with line information; no host code of a learner's is ever linked or run. Either
// compiler sees the source under a fixed name in a private folder, with a clean environment, limits on CPU, memory,
// files, output and wall time, no network, and (Landlock) no file to read but the toolchain, the system headers and
// that folder. Every process of it is gone when toolchain_compile returns. clang needs no CUDA Toolkit: our own device
// headers (src/toolchain/include/, carried in the program) stand in for it.
//
// Messages of both compilers become one list of diagnostics, escaped, with the file named as the user did. Results are
// kept in $XDG_CACHE_HOME/bankshot, so an unchanged source is not compiled again.
#ifndef BANKSHOT_TOOLCHAIN_TOOLCHAIN_H
#define BANKSHOT_TOOLCHAIN_TOOLCHAIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "base/text.h"

enum toolchain_kind { TOOLCHAIN_AUTO, TOOLCHAIN_NVCC, TOOLCHAIN_CLANG };

enum {
    TOOLCHAIN_SOURCE_MAX = 1 << 20, // bytes of a source file
    TOOLCHAIN_CLANG_MIN = 14,
    TOOLCHAIN_DIAGNOSTICS_MAX = 50
};

struct toolchain {
    enum toolchain_kind kind; // NVCC or CLANG
    unsigned major, minor;
    char path[1024];     // of the compiler, absolute
    char label[64];      // for people: "nvcc 13.0", "clang 14.0"
    char identity[1280]; // path, version, size and time: part of the cache's key
    char arch[16];       // what to compile for where a request does not say: "sm_80", of the GPU that is to run it;
                         // "" = sm_90
};

// "auto", "nvcc", "clang" (NULL = auto). USAGE for other words.
enum status toolchain_kind_parse(const char *name, enum toolchain_kind *kind, struct diagnostic *diagnostic);

// path: a compiler the user named, or NULL. NVCC: $BANKSHOT_NVCC, PATH, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda.
// CLANG: $BANKSHOT_CLANG, then clang, clang-21 … clang-14 in PATH; 14 or later. AUTO: nvcc, else clang.
// ENVIRONMENT when there is none; the message says what to install.
enum status toolchain_find(enum toolchain_kind kind, const char *path, struct toolchain *toolchain,
                           struct diagnostic *diagnostic);

struct compile_request {
    const char *path;   // the source file; and, if source is given, only its name
    const char *source; // bytes to compile instead of the file's; NULL = read path
    size_t source_length;
    const char *display;             // how messages name it; NULL = path
    const char *root;                // a symlink may lead to a file in here only; NULL = the folder of path
    const char *arch;                // "sm_80"; NULL = the toolchain's
    const char *optimisation;        // "-O0" … "-O3"; NULL = "-O3"
    const char *const *flags;        // -DNAME[=VALUE], -UNAME, -std=c++14|17|20, -use_fast_math; ends with NULL
    const char *const *include_dirs; // ends with NULL; NULL = none
    bool own_folder;                 // #include "…" may read the folder of path
    bool no_cache;
    double wall_limit;     // seconds; 0 = 20
    uint64_t memory_limit; // bytes of address space; 0 = 2 GiB
    const atomic_bool *cancel;
};

struct compile_result {
    char *ptx; // terminated; .file names are those a user knows; NULL unless STATUS_OK
    size_t ptx_length;
    char *source; // what was compiled, terminated; NULL if it could not be read
    size_t source_length;
    char *headers;                      // the user's own that were read, a path a line; NULL unless STATUS_OK
    struct diagnostic_list diagnostics; // errors, warnings and notes in the compiler's order, bounded
    double seconds;
    bool from_cache;
    char display[256]; // how messages name the file
    char compiler[64]; // the toolchain's label
    char arch[16];     // compiled for: what was asked for, or the nearest lower that the compiler knows
                       // (then a note in diagnostics says so)
};

// COMPILE: the source was refused by the compiler or by our rules (empty, binary, more than 1 MiB, #include of a file
// outside) or needed too much time or memory; *diagnostic is the first error, all are in result. IO: cannot be read.
// USAGE: a flag or architecture that is not allowed. CANCELLED, ENVIRONMENT. compile_result_free in any case.
enum status toolchain_compile(const struct toolchain *toolchain, const struct compile_request *request,
                              struct compile_result *result, struct diagnostic *diagnostic);
void compile_result_free(struct compile_result *result);

// PTX that ptx_parse refused, as *diagnostic with a line of the PTX tells, is the source's doing: compilers copy inline
// assembly unread. Makes it a COMPILE error at the source's line, adds it to the result's diagnostics, and returns
// STATUS_COMPILE.
enum status toolchain_blame_source(struct compile_result *result, struct diagnostic *diagnostic);

// "sm_90a" is 90 and 'a' (else 0); false: not an architecture.
bool arch_parse(const char *arch, int *sm, char *suffix);
// The architecture that this compiler compiles for when `wanted` ("sm_75", "sm_90a") is asked: itself, or the nearest
// before it that the compiler knows. ENVIRONMENT: it knows only later ones; the message says from which on. USAGE: that
// is no architecture.
enum status toolchain_choose_arch(const struct toolchain *toolchain, const char *wanted, char arch[16],
                                  struct diagnostic *diagnostic);

// Reads a learner's source under the rules above: a regular file, or a symlink that stays inside root (NULL = its own
// folder), at most 1 MiB, text, not empty. *bytes is terminated; free() it. COMPILE or IO.
enum status toolchain_read_source(const char *path, const char *root, const char *display, char **bytes, size_t *length,
                                  struct diagnostic *diagnostic);
// The same rules for bytes that are in memory.
enum status toolchain_check_source(const char *bytes, size_t length, const char *display,
                                   struct diagnostic *diagnostic);

// Which protection compilers run under here: "Landlock (ABI 7), seccomp, resource limits", or what is missing.
// Returns text.
char *toolchain_protection(char *text, size_t size);
const char *toolchain_temporary(void); // the folder below which compilers work: $TMPDIR, else /tmp

// What clangd needs to accept exercises without a CUDA Toolkit. toolchain_write_headers puts our headers into folder
// (made if missing): bankshot.h, and cuda/ for clang alone. toolchain_clangd_flags appends a compile_flags.txt that
// reads them from there, one flag a line.
enum status toolchain_write_headers(const char *folder, struct diagnostic *diagnostic);
void toolchain_clangd_flags(struct text *text, const char *folder);

#endif
