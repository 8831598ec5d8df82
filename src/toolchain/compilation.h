// What the parts of a compilation share: command.c writes the command line, jail.c the private folder and what may be
// read, verdict.c what a failed compiler meant, compile.c takes the steps in order; ptxas.c works in the same jail.
#ifndef BANKSHOT_TOOLCHAIN_COMPILATION_H
#define BANKSHOT_TOOLCHAIN_COMPILATION_H

#include <limits.h>

#include "base/process.h"
#include "toolchain/cache.h"
#include "toolchain/toolchain.h"

// The source's name in the private folder. Nothing beside the source is called so, or `#include "kernel.cu"` would find
// it.
#define COMPILATION_MAIN "bankshot-source.cu"
#define COMPILATION_LAB "lab" // our headers' folder there

enum { COMPILATION_ARGV_MAX = 128, COMPILATION_READ_MAX = 96, COMPILATION_PTX_MAX = 32 << 20 };

extern const struct process_limits compilation_limits; // of every tool, unless it says otherwise

struct compilation {
    const struct toolchain *toolchain;
    const struct compile_request *request;
    struct compile_result *result;
    struct diagnostic *diagnostic;
    struct arena *arena;
    char display[256]; // escaped
    char display_folder[256];
    const char *own_folder; // real path, NULL = not to be read
    char folder[PATH_MAX];  // private; "" = none yet
    const char *argv[COMPILATION_ARGV_MAX];
    size_t argc;
    const char *read[COMPILATION_READ_MAX];      // what the jail may read
    const char *read_real[COMPILATION_READ_MAX]; // the same without symbolic links
    size_t read_count;
    const char *host_path; // "PATH=…" for the compiler
    char *source;          // as the compiler gets it; NULL: result->source
    struct process_limits limits;
    struct text key;
    struct cache_entry entry;
};

// source.c. COMPILE: the source asks whether files are there that are none of its own.
enum status source_check_paths(const char *bytes, size_t length, const char *display, struct diagnostic *diagnostic);

// The source, allocated, without its #line directives: by the name of a line's file others tell whose code it is, and
// by its number where. What is left are the same tokens on the same lines. NULL: it has none. For a source that
// source_check_paths has passed.
char *source_without_lines(const char *bytes, size_t length);

// The source, allocated, with what nvcc takes and clang does not: launches whose signs stand apart, `<< <1, 32> >>`.
char *source_join_launches(const char *bytes);

// The folder, as one may give it to -I, that a header which the source did not get is in; NULL: it is nowhere near, or
// the source may not have it.
char *source_find_header(const struct compilation *c, const char *name, char *found, size_t size);

// command.c. compilation_check refuses flags and architectures with USAGE, and settles result->arch.
enum status compilation_check(struct compilation *c);
void compilation_command(struct compilation *c);                  // fills argv, the key, and include folders into read
const char *compilation_ptx_feature(const struct compilation *c); // clang's word for the version of PTX that it writes

// wide.c. Compiles once more what copies aligned structs as words of 8 bytes, and what takes vectors apart because a
// branch uses a part of them; *ptx stays where that gains nothing.
void compilation_widen_copies(struct compilation *c, struct text *ptx);
void compilation_join_loads(struct compilation *c, struct text *ptx);

// mend.c. Puts right what some clangs write wrong. source: what the PTX was made of, all of it; NULL: that is not
// known.
enum { COMPILATION_MENDS = 5 }; // counts up when that changes: what is kept from before is not taken any more
void compilation_mend_ptx(struct text *ptx, const char *source);

// arch.c. A compiler passes inline assembly on that it does not know, but says that the PTX is for what it knows
// itself; ptxas and the driver then refuse it. Where there is any, the PTX is for the architecture that was asked for.
void compilation_state_target(const struct compilation *c, struct text *ptx);

// jail.c
void compilation_may_read(struct compilation *c, const char *path);
void compilation_may_run(struct compilation *c, const char *program); // with what was installed around it
void compilation_list_system(struct compilation *c);                  // the system's folders
void compilation_list_readable(struct compilation *c);                // all that a compilation may read
enum status compilation_make_folder(struct compilation *c);           // empty
enum status compilation_fill_folder(struct compilation *c);           // with the source and our headers
enum status compilation_write(struct compilation *c, const char *name, const char *bytes, size_t length);
// Starts argv in the private folder, with the environment that every tool gets and c->limits, and locked in.
enum status compilation_start(struct compilation *c, const char *const *argv, struct process **process);
void compilation_remove_folder(struct compilation *c);
enum status compilation_read_output(struct compilation *c, const char *name, size_t most, struct text *text);
// Refuses what Landlock, if there is one, has refused already, and notes the user's headers for the cache.
enum status compilation_check_dependencies(struct compilation *c);

// False: path is a file outside of all that may be read (a relative one is of the private folder).
bool compilation_is_readable(const struct compilation *c, const char *path);

// verdict.c
void compilation_parse_messages(struct compilation *c);
// Somebody ended it, or a program that it had started, by a signal.
bool compilation_was_killed(const struct compilation *c, const struct process_result *result);
bool compilation_crashed(const struct process_result *result); // of itself
// What this machine did to the compiler, to be read after its name; NULL: nothing.
const char *compilation_blame_machine(const struct compilation *c, const struct process_result *result);
// What may be wrong with the compiler itself is asked of one more compilation, of nothing much.
typedef bool compilation_trial(const struct compilation *c);
enum status compilation_fail(struct compilation *c, const struct process_result *result,
                             compilation_trial *fails_on_anything);
// Of a vector that the source stores at once and the PTX in parts: a note, with the line.
void compilation_note_parts(struct compile_result *result);
enum status compilation_check_sizes(struct compilation *c); // COMPILE: a variable too large for the compiler itself
void compilation_file_name(char *name); // as a .file of PTX can hold it: quotes and backslashes become '_'

#endif
