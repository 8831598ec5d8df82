// Landlock rules and the seccomp filter: built in the caller, entered in the child.
#include "toolchain/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"

// Rights that the system's header may be too old to name (landlock(7): ABI 2, 3 and 5).
#define RIGHT_REFER (1ull << 13)
#define RIGHT_TRUNCATE (1ull << 14)
#define RIGHT_IOCTL_DEV (1ull << 15)

// landlock(7): with ABI 4 the second, with ABI 6 the third. Signals reach only what is in the same jail then.
struct ruleset_attributes {
    uint64_t files, network, scope;
};
#define NETWORK_TCP 3u
#define SCOPE_SIGNALS_AND_SOCKETS 3u

#define RIGHTS_READ (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define RIGHTS_FILE                                                                                                    \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE)

int sandbox_landlock_abi(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

// Without a filter to read, a kernel that knows filters says EFAULT, any other EINVAL.
bool sandbox_has_seccomp(void)
{
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

bool sandbox_is_there(void)
{
    return sandbox_landlock_abi() > 0 || sandbox_has_seccomp();
}

static uint64_t handled_rights(int abi)
{
    uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; // ABI 1: every right up to this one
    if (abi >= 2)
        rights |= RIGHT_REFER;
    if (abi >= 3)
        rights |= RIGHT_TRUNCATE;
    if (abi >= 5)
        rights |= RIGHT_IOCTL_DEV;
    return rights;
}

static int make_ruleset(int abi, uint64_t files)
{
    const struct ruleset_attributes attributes = {files, NETWORK_TCP, SCOPE_SIGNALS_AND_SOCKETS};
    return (int)syscall(SYS_landlock_create_ruleset, &attributes,
                        sizeof(uint64_t) * (abi < 4   ? 1
                                            : abi < 6 ? 2
                                                      : 3),
                        0);
}

static enum status allow_path(struct sandbox *sandbox, const char *path, uint64_t rights, struct diagnostic *diagnostic)
{
    struct stat info;
    int fd;
    while ((fd = open(path, O_PATH | O_CLOEXEC)) < 0 && errno == EINTR)
        ;
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return STATUS_OK;
    if (fd < 0) // a compiler that may not read it would blame the source
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "cannot open %s for the jail: %s", path, strerror(errno));
    if (fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode))
        rights &= RIGHTS_FILE; // others are of folders
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};
    long failed = syscall(SYS_landlock_add_rule, sandbox->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = errno;
    close(fd);
    return failed ? diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "Landlock refuses a rule for %s: %s", path,
                                   strerror(error))
                  : STATUS_OK;
}

static enum status prepare_files(struct sandbox *sandbox, const char *const *read, const char *write,
                                 struct diagnostic *diagnostic)
{
    int abi = sandbox_landlock_abi();
    if (abi == 0)
        return STATUS_OK;
    uint64_t rights = handled_rights(abi);
    sandbox->ruleset = make_ruleset(abi, rights);
    if (sandbox->ruleset < 0)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "Landlock refuses a rule set: %s", strerror(errno));
    enum status status = allow_path(sandbox, write, rights, diagnostic);
    if (status == STATUS_OK)
        status = allow_path(sandbox, "/dev/null", rights, diagnostic);
    for (size_t i = 0; read[i] && status == STATUS_OK; i++)
        status = allow_path(sandbox, read[i], RIGHTS_READ, diagnostic);
    return status;
}

// What no compiler needs: the network (a pair of sockets reaches nobody, and carries what children print), other
// processes, what stays when all processes are gone, whom files belong to and who may read them, the kernel's own
// switches.
static const char refused_calls[] =
    "socket connect bind listen accept accept4 sendto sendmsg sendmmsg ptrace process_vm_readv "
    "process_vm_writev pidfd_getfd kcmp mount umount2 pivot_root move_mount fsopen open_tree chroot setns "
    "unshare bpf perf_event_open userfaultfd io_uring_setup keyctl add_key request_key init_module finit_module "
    "delete_module kexec_load reboot swapon swapoff settimeofday clock_settime sethostname acct quotactl setsid "
    "ioprio_set sched_setaffinity sched_setscheduler sched_setparam sched_setattr shmget shmat msgget "
    "semget "
    "mq_open mq_unlink chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat setxattr lsetxattr fsetxattr "
    "setxattrat removexattr lremovexattr fremovexattr removexattrat utime utimes futimesat";

// Calls that are needed, but not like this. clone3's flags are in memory, where no filter sees them: who finds it
// missing takes clone.
static const struct {
    const char *name;
    int error;
    unsigned count; // of comparisons
    struct scmp_arg_cmp when;
} refused_uses[] = {
    {"clone", EPERM, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWNS, CLONE_NEWNS)},
    {"clone", EPERM, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWCGROUP, CLONE_NEWCGROUP)},
    {"clone", EPERM, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUTS, CLONE_NEWUTS)},
    {"clone", EPERM, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWIPC, CLONE_NEWIPC)},
    {"clone", EPERM, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)},
    {"clone", EPERM, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWPID, CLONE_NEWPID)},
    {"clone", EPERM, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWNET, CLONE_NEWNET)},
    {"clone3", ENOSYS, 0, {0}},
    {"prlimit64", EPERM, 1, SCMP_A0(SCMP_CMP_NE, 0, 0)}, // another process
    {"utimensat", EPERM, 1, SCMP_A2(SCMP_CMP_NE, 0, 0)}, // another time than now
    // but one's own, to between 0 and 19: the kernel lets nobody but a superuser go back up
    {"setpriority", EPERM, 1, SCMP_A0(SCMP_CMP_NE, PRIO_PROCESS, 0)},
    {"setpriority", EPERM, 1, SCMP_A1(SCMP_CMP_NE, 0, 0)},
    {"setpriority", EPERM, 1, SCMP_A2(SCMP_CMP_GT, 19, 0)}, // and negative ones
};

static bool refuse(scmp_filter_ctx context, const char *name, int error, unsigned count,
                   const struct scmp_arg_cmp *when)
{
    int number = seccomp_syscall_resolve_name(name); // below zero: not on this processor, or too new for the library
    return number < 0 || seccomp_rule_add_array(context, SCMP_ACT_ERRNO((unsigned)error), number, count, when) == 0;
}

static bool refuse_all(scmp_filter_ctx context)
{
    bool good = true;
    for (size_t i = 0, length; i < sizeof refused_calls; i += length + 1) {
        char name[32];
        length = strcspn(refused_calls + i, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, refused_calls + i);
        good = good && refuse(context, name, EPERM, 0, NULL);
    }
    for (size_t i = 0; i < sizeof refused_uses / sizeof *refused_uses; i++)
        good = good && refuse(context, refused_uses[i].name, refused_uses[i].error, refused_uses[i].count,
                              &refused_uses[i].when);
    return good;
}

static enum status prepare_calls(struct sandbox *sandbox, struct diagnostic *diagnostic)
{
    enum status status = STATUS_ENVIRONMENT;
    int file = -1;
    scmp_filter_ctx context = sandbox_has_seccomp() ? seccomp_init(SCMP_ACT_ALLOW) : NULL;
    if (!context)
        return STATUS_OK;
    if (!refuse_all(context))
        goto out;
    mem_expect(1 << 20); // libseccomp does not look whether it got some
    file = memfd_create("filter", MFD_CLOEXEC);
    if (file < 0 || seccomp_export_bpf(context, file) != 0)
        goto out;
    off_t length = lseek(file, 0, SEEK_END);
    if (length <= 0 || length % (off_t)sizeof(struct sock_filter) != 0)
        goto out;
    sandbox->filter.filter = mem_alloc((size_t)length);
    sandbox->filter.len = (unsigned short)((size_t)length / sizeof(struct sock_filter));
    if (pread(file, sandbox->filter.filter, (size_t)length, 0) == length)
        status = STATUS_OK;
out:
    if (status != STATUS_OK)
        diagnostic_set(diagnostic, status, "cannot build the seccomp filter for compilers");
    if (file >= 0)
        close(file);
    seccomp_release(context);
    return status;
}

enum status sandbox_prepare(struct sandbox *sandbox, const char *const *read, const char *write,
                            struct diagnostic *diagnostic)
{
    *sandbox = (struct sandbox){.ruleset = -1};
    enum status status = prepare_files(sandbox, read, write, diagnostic);
    if (status == STATUS_OK)
        status = prepare_calls(sandbox, diagnostic);
    if (status != STATUS_OK)
        sandbox_release(sandbox);
    return status;
}

// What is not handled, reading and executing, stays as it is.
static enum status prepare_writes(struct sandbox *sandbox, const char *const *write, struct diagnostic *diagnostic)
{
    int abi = sandbox_landlock_abi();
    if (abi == 0)
        return STATUS_OK;
    uint64_t rights = handled_rights(abi) & ~RIGHTS_READ & ~RIGHT_IOCTL_DEV;
    sandbox->ruleset = make_ruleset(abi, rights);
    if (sandbox->ruleset < 0)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "Landlock refuses a rule set: %s", strerror(errno));
    enum status status = allow_path(sandbox, "/dev/null", rights, diagnostic);
    for (size_t i = 0; write[i] && status == STATUS_OK; i++)
        status = allow_path(sandbox, write[i], rights, diagnostic);
    return status;
}

enum status sandbox_confine(const char *const *write, struct diagnostic *diagnostic)
{
    struct sandbox sandbox = {.ruleset = -1};
    enum status status = prepare_writes(&sandbox, write, diagnostic);
    if (status == STATUS_OK)
        status = prepare_calls(&sandbox, diagnostic);
    int error = status == STATUS_OK && sandbox_is_there() ? sandbox_enter(&sandbox) : 0;
    if (error)
        status = diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "cannot confine the run: %s", strerror(error));
    sandbox_release(&sandbox);
    return status;
}

int sandbox_enter(void *context)
{
    const struct sandbox *sandbox = context;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    if (sandbox->ruleset >= 0 && syscall(SYS_landlock_restrict_self, sandbox->ruleset, 0) != 0)
        return errno;
    if (sandbox->filter.len && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &sandbox->filter) != 0)
        return errno;
    return 0;
}

void sandbox_release(struct sandbox *sandbox)
{
    if (sandbox->ruleset >= 0)
        close(sandbox->ruleset);
    free(sandbox->filter.filter);
    *sandbox = (struct sandbox){.ruleset = -1};
}
