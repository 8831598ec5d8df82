// What faults.c and the library that it loads into the lab's processes (hooks.c) share: one mapped file for each run.
#ifndef BANKSHOT_TESTS_FAULTS_PLAN_H
#define BANKSHOT_TESTS_FAULTS_PLAN_H

#include <stdatomic.h>
#include <stdint.h>

#define FAULT_VARIABLE "BANKSHOT_FAULTS" // the file's path

// Who calls. A process that was forked and has not started its program yet is the parent's supervisor, or its child.
enum fault_role { ROLE_CLIENT, ROLE_SUPERVISOR, ROLE_CHILD, ROLE_WORKER, ROLE_WORKER_SUPERVISOR, ROLE_WORKER_CHILD };
enum { FAULT_ROLES = ROLE_WORKER_CHILD + 1 };

enum fault_class { CLASS_MEMORY, CLASS_SYSTEM, FAULT_CLASSES };

// ONCE: call number `at` fails. FOREVER: it fails, and so does each later one of the same name. KILL: the process is
// killed before it.
enum fault_mode { MODE_COUNT, MODE_ONCE, MODE_FOREVER, MODE_KILL, FAULT_MODES };

enum fault_clock { CLOCK_TRUE, CLOCK_BACKWARDS, CLOCK_STOPPED };

enum { FAULT_PLACES = 1 << 15 };

// Where a call came from, by its stack: the numbers of the first and the last one.
struct fault_place {
    atomic_ullong stack; // with role and class in it; 0 = free
    uint32_t first;
    atomic_uint last;
};

struct fault_run {
    // the plan
    enum fault_mode mode;
    enum fault_role role;
    enum fault_class kind;
    uint32_t at;     // from 1; counted for role and class, over all processes of the role
    uint32_t choice; // which of the call's errors
    enum fault_clock clock;
    int trace; // print the stack of the call that fails
    int leak;  // lose blocks on purpose, in each process
    // what happened
    atomic_uint counts[FAULT_ROLES][FAULT_CLASSES];
    atomic_int fired;   // index of the call + 1; 0 = the call was never reached
    atomic_int crashed; // a signal that ended one of the processes
    atomic_int crashed_role;
    atomic_llong ticks; // readings of the wall clock
    // Of the processes of a role that came back from main: their number, and the most that one still had then
    atomic_uint ended[FAULT_ROLES];
    atomic_int blocks[FAULT_ROLES], descriptors[FAULT_ROLES];
    char name[32]; // of the call that failed
    int error;
    uint64_t hit; // the place of that call
    // MODE_COUNT only
    struct fault_place places[FAULT_PLACES];
};

#endif
