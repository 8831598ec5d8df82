// The jail of a compiler, and the lighter one of a worker: Landlock for files, seccomp for the network and for system
// calls that no compiler needs.
//
// A sandbox is prepared in the caller (it allocates) and entered in the child, between fork and exec, through
// process_options.before_exec = sandbox_enter, context = the sandbox. Where the kernel has no Landlock, entering it
// still closes the network; the caller must then check what was read (jail.c does, from the dependency list).
#ifndef BANKSHOT_TOOLCHAIN_SANDBOX_H
#define BANKSHOT_TOOLCHAIN_SANDBOX_H

#include <linux/filter.h>
#include <stdbool.h>

#include "base/diagnostic.h"

struct sandbox {
    int ruleset;              // Landlock's; -1 = none
    struct sock_fprog filter; // seccomp's; len 0 = none
};

// read: files and folders that may be read and executed, ends with NULL; those that do not exist are passed over.
// write: one folder that may be read and written. ENVIRONMENT when a rule that should hold cannot be set.
enum status sandbox_prepare(struct sandbox *sandbox, const char *const *read, const char *write,
                            struct diagnostic *diagnostic);
// Confines this process and all that it starts: it may write below the folders of `write` (which end with NULL) only,
// and none of the calls that compilers may not make works. Where the kernel has neither Landlock nor seccomp, it does
// nothing.
enum status sandbox_confine(const char *const *write, struct diagnostic *diagnostic);
int sandbox_enter(void *sandbox); // 0 or an errno; async-signal-safe
void sandbox_release(struct sandbox *sandbox);

int sandbox_landlock_abi(void); // 0 = this kernel has none
bool sandbox_has_seccomp(void);
bool sandbox_is_there(void); // one of the two

#endif
