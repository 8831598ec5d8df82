// One CUDA source as the lab uses it: compiled, parsed, its LAUNCH line read, its kernels checked against a lesson.
#ifndef BANKSHOT_GRADE_UNIT_H
#define BANKSHOT_GRADE_UNIT_H

#include "grade/references.h"
#include "toolchain/launch.h"
#include "toolchain/toolchain.h"

struct unit {
    struct compile_result compiled; // PTX, source text, messages
    struct ptx_module *module;
    struct launch_shape launch;
    bool has_launch;
    int launch_line; // where the source says LAUNCH; 0: nowhere
    char display[256]; // the file as messages name it
};

// COMPILE, UNSUPPORTED, PARSE …; unit_free in any case. *diagnosis (may be NULL) is the built-in diagnosis.
enum status unit_make(struct unit *unit, const char *path, const struct toolchain *toolchain, const char **diagnosis,
                      struct diagnostic *diagnostic);
// The same for a text that was at this path; NULL = what is there now. CANCELLED when the flag rises; it may be
// NULL.
enum status unit_make_text(struct unit *unit, const char *path, const char *source, const struct toolchain *toolchain,
                           const atomic_bool *cancel, const char **diagnosis, struct diagnostic *diagnostic);
// The same source without optimisation: what the compiler removes is still there. No messages.
enum status unit_make_as_written(struct unit *unit, const char *path, const char *source,
                                 const struct toolchain *toolchain, struct diagnostic *diagnostic);
// Another PTX in place of what the compiler made. PARSE.
enum status unit_replace(struct unit *unit, const char *ptx, struct diagnostic *diagnostic);
void unit_free(struct unit *unit);

// The kernel `name` with parameters as the lesson's part says. LAUNCH: there is none ("missing-kernel", the message
// lists those there are) or it takes something else ("wrong-signature", the message has expected and found). diagnosis
// may be NULL here and below.
enum status unit_find_kernel(const struct unit *unit, const struct lesson_part *part, const char *name,
                             const struct ptx_function **entry, const char **diagnosis, struct diagnostic *diagnostic);

uint32_t unit_static_shared(const struct ptx_function *entry); // bytes of a block
// Whether a pointer of the kernel is to other numbers than the lesson passes, double * for float *: text says which. PTX
// does not know; the kernel's mangled name does, unless it is extern "C". Only floats are told from floats: who takes
// what is to be moved as integers, or several at once, may mean to.
bool unit_takes_others(const struct lesson_part *part, const struct ptx_function *entry, char *text, size_t size);

// How a launch looks at a size. LAUNCH: no LAUNCH line, or a shape that the lesson or CUDA does not allow.
enum status unit_shape(const struct unit *unit, const struct ptx_function *entry, const struct lesson_launch *launch,
                       const struct lesson_size *size, bool gpu, struct launch_shape *shape, const char **diagnosis,
                       struct diagnostic *diagnostic);
// Whether there may be such a launch at another size. *shape: this entry's at any size, or its static_shared alone.
bool unit_reshape(const struct unit *unit, const struct ptx_function *entry, const struct lesson_launch *launch,
                  const struct lesson_size *size, struct launch_shape *shape);
// Both for the part's own kernel at its speed size.
enum status unit_ready(const struct unit *unit, const struct lesson_part *part, bool gpu,
                       const struct ptx_function **entry, struct launch_shape *shape, struct diagnostic *diagnostic);

// A path for people: below the current folder without it.
const char *unit_display(const char *path, char *text, size_t size);

#endif
