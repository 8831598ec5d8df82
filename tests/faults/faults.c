// Faults on purpose. Whole commands run with hooks.c loaded into every process of the lab, and each allocation and each
// system call of each process fails: once, and from there on for ever. Whatever happens, a command gives the answer
// that it gives without the fault, or says that the machine is to blame and ends with status 2. No process may die of a
// signal or hang, and no progress may be lost.
//
//   faults [--all] [--seconds N] [--jobs N] [--seed N] [--only TEXT] [--log FILE] [--kills N] [--leaks LIBRARY]
//          [--first NAMES] [--compiler NAME] [--verbose]
//
// Of the calls of one place, told by its stack, the first and the last are tried; --all: every one, which takes many
// hours.
// --seconds: a random sample of the points, and none is begun later than that; else all of them. --only: points whose
// name contains TEXT.
// --first: those of the scenarios in NAMES come first, in that order and not at random.
// What a process that came back from main has left then, memory blocks and descriptors, is held against the same
// without a fault. More descriptors are a leak; where there are more blocks, the point is tried again with
// LeakSanitizer, which tells what nothing leads to any more. --leaks: that library; without it more blocks are only
// counted.
// --log: the plan and what became of each point; a run that is started again with the same file goes on where it was.
// --kills: instead, N processes killed while they write progress and kept runs, two that write at once, clocks that go
// back or stand still.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../support/program.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/progress.h"
#include "plan.h"

enum { JOBS_MAX = 16, POINTS_MAX = 400000, HANG_SECONDS = 40, OUTPUT_MAX = 8 << 20, OLD_RUNS = 3 };

static const char *const role_names[FAULT_ROLES] = {"client", "supervisor",        "child",
                                                    "worker", "worker-supervisor", "worker-child"};
static const char *const class_names[FAULT_CLASSES] = {"memory", "system"};
static const char *const mode_names[FAULT_MODES] = {"count", "once", "forever", "kill"};

// What a command must say without a fault: its status, and the same answer. REPORTS: JSON of check or class, where a
// run may also be the machine's fault. KEEPS: the run must be in the progress afterwards. COLD: nothing is in the
// caches, so that the compiler is started; tried at the places that a run with caches does not come to.
enum { REPORTS = 1, KEEPS = 2, MAKES_FOLDER = 4, COLD = 8 };
enum { ALL = -1, WORK = 7 << ROLE_WORKER, OWN = 1 << ROLE_CLIENT | 1 << ROLE_SUPERVISOR | 1 << ROLE_CHILD };

static const struct scenario {
    const char *name, *argv[12];
    int flags, roles; // roles: a bit for each whose calls fail
} scenarios[] = {
    {"check-right",
     {"check", "padding", "--json", "--seed", "1", "--compiler", "COMPILER", "--device", "sim"},
     REPORTS | KEEPS,
     ALL},
    {"check-wrong",
     {"check", "tiled-transpose", "--json", "--seed", "1", "--compiler", "COMPILER", "--device", "sim"},
     REPORTS | KEEPS,
     ALL},
    {"compile",
     {"check", "padding", "--json", "--seed", "1", "--compiler", "COMPILER", "--device", "sim"},
     REPORTS | KEEPS | COLD,
     WORK},
    {"class",
     {"class", "../class", "--json", "--lesson", "padding", "--compiler", "COMPILER", "--device", "sim"},
     REPORTS,
     OWN},
    {"lessons", {"lessons"}, 0, OWN},
    {"lab", {"lab", "padding", "--compiler", "COMPILER", "--device", "sim"}, 0, OWN},
    {"screen", {"lab", "padding", "--script", "<wait>r<wait>q", "--compiler", "COMPILER", "--device", "sim"}, 0, OWN},
    {"init", {"init", "../made"}, MAKES_FOLDER, OWN},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

struct point {
    uint8_t scenario, role, kind, mode;
    uint32_t at;
    uint64_t place; // 0: whatever is called then
};

// What became of a point; the later ones are faults of ours.
enum outcome { UNTRIED, RIGHT, BLAMED, MISSED, CRASHED, HUNG, WRONG, SILENT, LOST, ORPHAN, LEFT, LEAKED, OUTCOMES };

static const char *const outcome_names[OUTCOMES] = {"untried", "right",  "blamed", "missed", "CRASHED", "HUNG",
                                                    "WRONG",   "SILENT", "LOST",   "ORPHAN", "LEFT",    "LEAKED"};

struct answer {
    int status; // as waitpid gives it
    bool hung;
    char *out, *err;
    size_t out_length, err_length;
};

// One job's own workspace, state and caches.
struct slot {
    char root[200];
    struct fault_run *run;
    char *baseline[SCENARIOS];
    int status[SCENARIOS];
    uint32_t counts[SCENARIOS][FAULT_ROLES][FAULT_CLASSES];
    struct ends {
        int blocks[FAULT_ROLES], descriptors[FAULT_ROLES];
    } ends[SCENARIOS];
    bool cold;      // what is in the caches does not count
    bool sanitized; // LeakSanitizer is loaded
    char *progress; // as every command finds it
    size_t progress_length, entries;
};

// All jobs': the plan, and what became of it.
struct plan {
    atomic_size_t next;
    atomic_uint ended, kept; // processes seen to their end; points that left more memory blocks than without a fault
    size_t count;
    struct point points[POINTS_MAX];
    struct result {
        atomic_uint outcome;
        uint64_t hit; // the place where the fault struck
    } results[POINTS_MAX];
};

// Of --kills.
static struct {
    unsigned tried, reached, lost, stranded; // temporary files that the next start leaves
} kills;

static struct {
    double seconds;
    int jobs, kills;
    unsigned seed;
    const char *only, *log, *compiler, *first;
    bool verbose, all;
} options = {.jobs = 2, .compiler = "clang"};

static char program[PATH_MAX], library[PATH_MAX], leaks[PATH_MAX], own[PATH_MAX], tree[PATH_MAX];
static struct plan *plan;
static int journal = -1;
static double began;

static _Noreturn void give_up(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("faults: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

// ---- running a command

static char *take_output(int fd, size_t *length)
{
    off_t size = lseek(fd, 0, SEEK_END);
    *length = size < 0 ? 0 : size > OUTPUT_MAX ? OUTPUT_MAX : (size_t)size;
    char *text = mem_alloc(*length + 1);
    if (*length && pread(fd, text, *length, 0) != (ssize_t)*length)
        text[0] = '\0';
    close(fd);
    return text;
}

static void answer_free(struct answer *answer)
{
    free(answer->out);
    free(answer->err);
}

static const char *in_slot(const struct slot *slot, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", slot->root, name);
    return path;
}

static _Noreturn void be_command(const struct slot *slot, const char *const *words, int out, int err)
{
    char variables[9][3 * PATH_MAX], path[PATH_MAX];
    const char *argv[16] = {program}, *environment[12];
    const char *const folders[][2] = {{"HOME", ""},
                                      {"XDG_STATE_HOME", "state"},
                                      {"XDG_CACHE_HOME", slot->cold ? "cold" : "cache"},
                                      {"TMPDIR", "tmp"}};
    size_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        snprintf(variables[count], sizeof variables[0], "%s=%s/%s", folders[i][0], slot->root, folders[i][1]);
        count++;
    }
    snprintf(variables[count++], sizeof variables[0], FAULT_VARIABLE "=%s/plan", slot->root);
    snprintf(variables[count++], sizeof variables[0], "LD_PRELOAD=%s%s%s", library, slot->sanitized ? ":" : "",
             slot->sanitized ? leaks : "");
    snprintf(variables[count++], sizeof variables[0],
             "LSAN_OPTIONS=exitcode=0:print_suppressions=0:log_path=%s/tmp/leaks:suppressions=%s/%s", slot->root, tree,
             "tests/faults/leaks.supp");
    snprintf(variables[count++], sizeof variables[0], "PATH=%s", getenv("PATH"));
    snprintf(variables[count++], sizeof variables[0], "LC_ALL=C"); // a locale that cannot be had is ASCII
    for (size_t i = 0; i < count; i++)
        environment[i] = variables[i];
    environment[count] = NULL;
    for (size_t i = 0; words[i]; i++)
        argv[i + 1] = strcmp(words[i], "COMPILER") ? words[i] : options.compiler;
    int nothing = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    if (chdir(in_slot(slot, "work", path)) != 0 || dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(97);
    syscall(SYS_close_range, 3, ~0u, 0);
    personality(ADDR_NO_RANDOMIZE); // the same stacks in each process
    execve(strcmp(words[0], "--write") == 0 ? own : program, (char *const *)argv, (char *const *)environment);
    _exit(96);
}

static void run_command(const struct slot *slot, const char *const *words, struct answer *answer)
{
    *answer = (struct answer){0};
    int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0)
        be_command(slot, words, out, err);
    int watch = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd wait = {.fd = watch, .events = POLLIN};
    if (pid < 0 || watch < 0)
        give_up("cannot start a process: %s", strerror(errno));
    if (poll(&wait, 1, HANG_SECONDS * 1000) == 0) {
        answer->hung = true;
        kill(-pid, SIGKILL);
    }
    while (waitpid(pid, &answer->status, 0) < 0 && errno == EINTR)
        ;
    close(watch);
    answer->out = take_output(out, &answer->out_length);
    answer->err = take_output(err, &answer->err_length);
}

static void clear_run(const struct slot *slot, enum fault_mode mode)
{
    memset((void *)slot->run, 0, mode == MODE_COUNT ? sizeof *slot->run : offsetof(struct fault_run, places));
    slot->run->mode = mode;
}

// ---- what an answer says

static void add_report(struct text *essence, const char *who, const json_t *report)
{
    text_printf(essence, "%s: %s %.1f\n", who, json_string_value(json_object_get(report, "verdict")),
                json_number_value(json_object_get(report, "score")));
}

// Without numbers, which depend on the seed, the ends of lines that go on indented, which depend on how long these are,
// and the line of a report that says how long the run took.
static char *without_times(const char *out)
{
    struct text text = {0};
    text_append(&text, "", 0);
    for (size_t length; *out; out += length) {
        length = strcspn(out, "\n");
        length += out[length] == '\n';
        const char *seconds = strstr(out, " s, seed");
        for (size_t i = 0; (!seconds || seconds > out + length) && i < length; i++)
            if (!strchr("0123456789. ", out[i]) && !text_starts(out + i, "\n      "))
                text_append(&text, out + i, 1);
    }
    return text.data;
}

// The part of the answer that a fault must not change.
static char *essence_of(const struct scenario *scenario, const struct answer *answer)
{
    struct text essence = {0};
    if (!(scenario->flags & REPORTS))
        return without_times(answer->out);
    json_t *json = json_loads(answer->out, 0, NULL);
    const json_t *list = json_is_array(json) ? json : json_object_get(json, "reports");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *report = json_array_get(list, i);
        const char *who = json_string_value(json_object_get(report, json_is_array(json) ? "student" : "lesson"));
        add_report(&essence, who ? who : "?", report);
    }
    json_decref(json);
    text_append(&essence, "", 0);
    return essence.data;
}

static bool blames_machine(const char *line)
{
    return strstr(line, ": infrastructure error") || strstr(line, ": too noisy");
}

// Every line is one of the baseline's, or blames the machine.
static bool is_honest(const char *essence, const char *baseline)
{
    for (const char *line = essence; *line; line += strcspn(line, "\n") + 1) {
        char copy[300];
        snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n") + 1, line);
        if (!blames_machine(copy) && !strstr(baseline, copy))
            return false;
    }
    return true;
}

// ---- one job's folders

static void put_file(const struct slot *slot, const char *name, const char *from)
{
    char path[PATH_MAX], *text;
    size_t length;
    struct diagnostic diagnostic = {0};
    if (file_read(from, 1 << 20, &text, &length, &diagnostic) != STATUS_OK)
        give_up("%s: %s", from, diagnostic.message);
    in_slot(slot, name, path);
    *strrchr(path, '/') = '\0';
    if (file_make_folders(path, false, &diagnostic) != STATUS_OK ||
        file_put(in_slot(slot, name, path), text, length, &diagnostic) != STATUS_OK)
        give_up("%s: %s", path, diagnostic.message);
    free(text);
}

static struct progress *open_progress(const struct slot *slot, enum status *status, struct diagnostic *diagnostic)
{
    char state[PATH_MAX];
    struct progress *progress;
    setenv("XDG_STATE_HOME", in_slot(slot, "state", state), 1);
    *status = progress_open(&progress, diagnostic);
    return progress;
}

// Progress with some old runs.
static void make_progress(struct slot *slot)
{
    char path[PATH_MAX];
    enum status status;
    struct diagnostic diagnostic = {0};
    struct progress *progress = open_progress(slot, &status, &diagnostic);
    for (int i = 0; i < OLD_RUNS && status == STATUS_OK; i++)
        status = progress_add_run(
            progress, "01-coalescing",
            &(struct progress_run){.time = 1000 + i, .verdict = "pass", .score = 100, .full = true}, &diagnostic);
    progress_close(progress);
    if (status != STATUS_OK || file_read(in_slot(slot, "state/bankshot/progress.json", path), 1 << 20, &slot->progress,
                                         &slot->progress_length, &diagnostic) != STATUS_OK)
        give_up("progress: %s", diagnostic.message);
}

static void put_progress(const struct slot *slot)
{
    char path[PATH_MAX];
    struct diagnostic diagnostic = {0};
    file_remove_tree(in_slot(slot, "state", path));
    if (file_make_folders(in_slot(slot, "state/bankshot", path), false, &diagnostic) != STATUS_OK ||
        file_put(in_slot(slot, "state/bankshot/progress.json", path), slot->progress, slot->progress_length,
                 &diagnostic) != STATUS_OK)
        give_up("%s: %s", path, diagnostic.message);
}

static void prepare(struct slot *slot, const struct scenario *scenario)
{
    char path[PATH_MAX];
    put_progress(slot);
    if (scenario->flags & MAKES_FOLDER)
        file_remove_tree(in_slot(slot, "made", path));
    slot->cold = scenario->flags & COLD;
    if (slot->cold)
        file_remove_tree(in_slot(slot, "cold", path));
}

static void name_point(const struct point *point, char name[120])
{
    snprintf(name, 120, "%s %s %s %u %s", scenarios[point->scenario].name, role_names[point->role],
             class_names[point->kind], point->at, mode_names[point->mode]);
}

// Has a fault struck there in an earlier round?
static bool is_covered(const struct point *point, size_t before)
{
    for (size_t i = 0; i < plan->count && scenarios[point->scenario].flags & COLD; i++)
        if (plan->points[i].mode == point->mode && plan->points[i].place == point->place &&
            plan->points[i].scenario != point->scenario)
            return true;
    for (size_t i = 0; i < before; i++)
        if (plan->points[i].scenario == point->scenario && plan->points[i].mode == point->mode &&
            plan->results[i].hit == point->place)
            return true;
    return false;
}

static void add_point(const struct point *point, size_t before)
{
    char name[120];
    name_point(point, name);
    if (plan->count < POINTS_MAX && scenarios[point->scenario].roles >> point->role & 1 &&
        (!options.only || strstr(name, options.only)) && !is_covered(point, before))
        plan->points[plan->count++] = *point;
}

// The first and the last call of each place, or all calls.
static void list_points(const struct slot *slot, uint8_t scenario, size_t before)
{
    const struct fault_run *run = slot->run;
    for (uint8_t mode = MODE_ONCE; mode <= MODE_FOREVER; mode++) {
        for (size_t i = 0; i < FAULT_PLACES && !options.all; i++) {
            const struct fault_place *place = &run->places[i];
            struct point point = {scenario,    (uint8_t)(place->stack >> 1 & 7), place->stack & 1, mode, place->first,
                                  place->stack};
            if (!place->stack)
                continue;
            add_point(&point, before);
            point.at = place->last;
            if (point.at != place->first && mode == MODE_ONCE)
                add_point(&point, before);
        }
        for (uint8_t role = 0; role < FAULT_ROLES && options.all; role++)
            for (uint8_t kind = 0; kind < FAULT_CLASSES; kind++)
                for (uint32_t at = 1; at <= run->counts[role][kind]; at++)
                    add_point(&(struct point){scenario, role, kind, mode, at, 0}, 0);
    }
}

static void note_ends(struct ends *ends, const struct fault_run *run)
{
    for (int i = 0; i < FAULT_ROLES; i++) {
        ends->blocks[i] = ends->blocks[i] > run->blocks[i] ? ends->blocks[i] : run->blocks[i];
        ends->descriptors[i] = ends->descriptors[i] > run->descriptors[i] ? ends->descriptors[i] : run->descriptors[i];
    }
}

// What a command says without a fault.
static void run_baseline(struct slot *slot, size_t index, enum fault_mode mode)
{
    struct answer answer;
    for (int round = 0; round < 2; round++) { // the first one fills the caches
        prepare(slot, &scenarios[index]);
        clear_run(slot, mode);
        run_command(slot, scenarios[index].argv, &answer);
        if (round > 0)
            note_ends(&slot->ends[index], slot->run);
        if (round == 0)
            answer_free(&answer);
    }
    if (!WIFEXITED(answer.status) || WEXITSTATUS(answer.status) == 2 || answer.hung)
        give_up("%s fails without a fault: %s%s", scenarios[index].name, answer.err, answer.out);
    free(slot->baseline[index]);
    slot->baseline[index] = essence_of(&scenarios[index], &answer);
    slot->status[index] = WEXITSTATUS(answer.status);
    for (int i = 0; i < FAULT_ROLES; i++)
        for (int j = 0; j < FAULT_CLASSES; j++)
            slot->counts[index][i][j] = slot->run->counts[i][j];
    answer_free(&answer);
}

// --only may begin with the name of a scenario.
static bool is_asked_for(const char *name)
{
    for (size_t i = 0; i < SCENARIOS && options.only; i++)
        if (text_starts(options.only, scenarios[i].name) && options.only[strlen(scenarios[i].name)] <= ' ')
            return strcmp(scenarios[i].name, name) == 0;
    return true;
}

static size_t entries;

static int count_entry(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about, (void)type;
    entries += !text_starts(path + where->base, "leaks.");
    return 0;
}

// Files and folders that only we put there.
static size_t count_entries(const struct slot *slot)
{
    static const char *const folders[] = {"work", "class", "tmp"};
    char path[PATH_MAX];
    entries = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        nftw(in_slot(slot, folders[i], path), count_entry, 16, FTW_PHYS);
    return entries;
}

static size_t count_files(const char *folder, const char *prefix)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += text_starts(entry->d_name, prefix);
    if (dir)
        closedir(dir);
    return count;
}

// A worker may write there.
static void remove_leaks(const struct slot *slot)
{
    char path[PATH_MAX];
    DIR *dir = opendir(in_slot(slot, "tmp", path));
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (text_starts(entry->d_name, "leaks."))
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
}

// Of a role that did not come to its end without a fault nothing is known.
static bool keeps_more_blocks(const struct slot *slot, size_t scenario)
{
    const struct ends *ends = &slot->ends[scenario];
    bool more = false;
    for (int i = 0; i < FAULT_ROLES; i++)
        more = more || (ends->descriptors[i] && slot->run->blocks[i] > ends->blocks[i]);
    return more;
}

static bool keeps_more_descriptors(const struct slot *slot, size_t scenario)
{
    const struct ends *ends = &slot->ends[scenario];
    bool more = false;
    for (int i = 0; i < FAULT_ROLES; i++)
        more = more || (ends->descriptors[i] && slot->run->descriptors[i] > ends->descriptors[i]);
    return more;
}

// A leak in the client and one in its worker must be found: by the number of blocks, and by LeakSanitizer.
static void try_leaks(struct slot *slot)
{
    char path[PATH_MAX];
    struct answer answer;
    for (int i = 0; i < 1 + (leaks[0] != 0); i++) {
        prepare(slot, &scenarios[0]);
        clear_run(slot, MODE_COUNT);
        slot->run->leak = 1;
        slot->sanitized = i == 1;
        run_command(slot, scenarios[0].argv, &answer);
        size_t found = count_files(in_slot(slot, "tmp", path), "leaks.");
        for (int role = 0; role < FAULT_ROLES && i == 0; role++)
            found += slot->run->blocks[role] > slot->ends[0].blocks[role];
        if (found < 2)
            give_up("of a leak in each of two processes, %s finds %zu: %s", i ? "LeakSanitizer" : "counting", found,
                    answer.err);
        answer_free(&answer);
    }
    slot->sanitized = false;
    remove_leaks(slot);
}

// judges: what commands say without a fault is needed.
static void open_slot(struct slot *slot, bool judges)
{
    static const char *const hand_ins[][2] = {
        {"work/exercises/04-padding.cu", "solutions/04-padding.cu"},
        {"work/exercises/03-tiled-transpose.cu", "lessons/03-tiled-transpose/naive.cu"},
        {"class/anna/04-padding.cu", "solutions/04-padding.cu"},
        {"class/bert/04-padding.cu", "lessons/04-padding/naive.cu"},
        {"class/carl/exercises/padding.cu", "solutions/03-tiled-transpose.cu"},
    };
    static const char *const folders[] = {"work", "tmp", "cache"};
    const char *const init[] = {"init", ".", NULL};
    char path[PATH_MAX];
    const char *base = getenv("TMPDIR");
    snprintf(slot->root, sizeof slot->root, "%.150s/bankshot-faults-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(slot->root))
        give_up("cannot make %s: %s", slot->root, strerror(errno));
    for (size_t i = 0; i < 3; i++)
        mkdir(in_slot(slot, folders[i], path), 0700);
    int fd = open(in_slot(slot, "plan", path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *slot->run) != 0)
        give_up("%s: %s", path, strerror(errno));
    slot->run = mmap(NULL, sizeof *slot->run, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (slot->run == MAP_FAILED)
        give_up("%s: %s", path, strerror(errno));
    struct answer answer;
    run_command(slot, init, &answer);
    if (answer.status != 0)
        give_up("init: %s", answer.err);
    answer_free(&answer);
    for (size_t i = 0; i < sizeof hand_ins / sizeof *hand_ins; i++)
        put_file(slot, hand_ins[i][0], hand_ins[i][1]);
    make_progress(slot);
    for (size_t i = 0; i < SCENARIOS; i++)
        if (judges && is_asked_for(scenarios[i].name))
            run_baseline(slot, i, MODE_ONCE); // no call has the number 0
    slot->entries = count_entries(slot);
    if (judges && is_asked_for(scenarios[0].name))
        try_leaks(slot);
}

static void close_slot(struct slot *slot)
{
    for (size_t i = 0; i < SCENARIOS; i++)
        free(slot->baseline[i]);
    free(slot->progress);
    munmap((void *)slot->run, sizeof *slot->run);
    file_remove_tree(slot->root);
}

// ---- the judgement

static void complain(const struct slot *slot, const struct point *point, const struct answer *answer,
                     enum outcome outcome)
{
    char name[120];
    struct text said = {0};
    const char *text = answer->err_length ? answer->err : answer->out;
    size_t length = strcspn(text, "\n");
    text_escape(&said, text, length < 160 ? length : 160, false);
    name_point(point, name);
    printf("%-10s %s: %s, %s; status %s%d; %s\n", outcome_names[outcome], name, slot->run->name,
           strerror(slot->run->error), WIFSIGNALED(answer->status) ? "signal " : "",
           WIFSIGNALED(answer->status) ? WTERMSIG(answer->status) : WEXITSTATUS(answer->status), text_get(&said));
    fflush(stdout);
    text_free(&said);
}

static void tell_difference(const char *essence, const char *baseline)
{
    while (*essence && *essence == *baseline)
        essence++, baseline++;
    printf("           has \"%.60s\" in place of \"%.60s\"\n", essence, baseline);
    fflush(stdout);
}

static bool old_runs_are_there(struct progress *progress)
{
    const struct progress_lesson *lesson = progress_get(progress, "01-coalescing");
    bool all = lesson->state == PROGRESS_FULL && lesson->run_count >= OLD_RUNS;
    for (size_t i = 0; all && i < OLD_RUNS; i++)
        all = lesson->runs[i].time == 1000 + (int64_t)i;
    return all;
}

// Old runs are there whatever happened; the new one unless something was said about it.
static bool progress_holds(const struct slot *slot, const struct point *point, const struct answer *answer)
{
    enum status status;
    struct diagnostic diagnostic = {0};
    struct progress *progress = open_progress(slot, &status, &diagnostic);
    bool holds = status == STATUS_OK && old_runs_are_there(progress);
    bool must_be_there = scenarios[point->scenario].flags & KEEPS && WIFEXITED(answer->status) &&
                         WEXITSTATUS(answer->status) == slot->status[point->scenario] && answer->err_length == 0;
    const char *id = point->scenario == 1 ? "03-tiled-transpose" : "04-padding";
    if (must_be_there && progress_get(progress, id)->run_count != 1)
        holds = false;
    progress_close(progress);
    return holds;
}

static void print_leaks(const struct slot *slot)
{
    char path[PATH_MAX], name[300], *text;
    size_t length;
    DIR *dir = opendir(in_slot(slot, "tmp", path));
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (text_starts(entry->d_name, "leaks.") && snprintf(name, sizeof name, "tmp/%s", entry->d_name) > 0 &&
            file_read(in_slot(slot, name, path), OUTPUT_MAX, &text, &length, NULL) == STATUS_OK) {
            fwrite(text, 1, length, stdout);
            free(text);
        }
    if (dir)
        closedir(dir);
}

static enum outcome judge_answer(const struct slot *slot, const struct point *point, const struct answer *answer,
                                 const char *essence)
{
    const struct scenario *scenario = &scenarios[point->scenario];
    const char *baseline = slot->baseline[point->scenario];
    int status = WIFEXITED(answer->status) ? WEXITSTATUS(answer->status) : -1;
    if (answer->hung)
        return HUNG;
    if (slot->run->crashed || status < 0)
        return CRASHED;
    if (status == slot->status[point->scenario] && strcmp(essence, baseline) == 0)
        return RIGHT;
    if (!(scenario->flags & REPORTS) && status == slot->status[point->scenario] && answer->err_length)
        return BLAMED; // a list without the progress that cannot be read, which is told
    if (status != 2 || (scenario->flags & REPORTS && !is_honest(essence, baseline)))
        return WRONG;
    if (answer->err_length + answer->out_length == 0 && strncmp(slot->run->name, "f", 1) != 0)
        return SILENT;
    return BLAMED;
}

// Processes that outlived the command are ours now.
static bool has_orphan(void)
{
    for (int i = 0; i < 200; i++) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if (pid < 0)
            return false;
        if (pid == 0)
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return true;
}

// What it left behind; a removal that fails leaves something.
static enum outcome judge_remains(const struct slot *slot, const struct point *point, const struct answer *answer)
{
    static const char *const removals[] = {"unlink", "unlinkat", "rmdir", "openat", "renameat", "getdents64"};
    if (has_orphan())
        return ORPHAN;
    if (!progress_holds(slot, point, answer))
        return LOST;
    if (keeps_more_descriptors(slot, point->scenario))
        return LEAKED;
    for (size_t i = 0; i < sizeof removals / sizeof *removals; i++)
        if (strcmp(slot->run->name, removals[i]) == 0)
            return UNTRIED;
    return count_entries(slot) > slot->entries ? LEFT : UNTRIED;
}

static enum outcome judge(const struct slot *slot, const struct point *point, const struct answer *answer)
{
    char *essence = essence_of(&scenarios[point->scenario], answer);
    enum outcome outcome = judge_answer(slot, point, answer, essence);
    enum outcome remains = judge_remains(slot, point, answer);
    if (remains > MISSED && outcome <= MISSED)
        outcome = remains;
    if (outcome > MISSED)
        complain(slot, point, answer, outcome);
    else if (!slot->run->fired)
        outcome = MISSED;
    if (outcome == WRONG)
        tell_difference(essence, slot->baseline[point->scenario]);
    if (options.verbose)
        print_leaks(slot);
    free(essence);
    return outcome;
}

// As open_slot made them.
static void clean_up(struct slot *slot)
{
    char path[PATH_MAX];
    remove_leaks(slot);
    if (count_entries(slot) == slot->entries)
        return;
    file_remove_tree(in_slot(slot, "tmp", path));
    mkdir(path, 0700);
    slot->entries = count_entries(slot);
}

static void strike(struct slot *slot, const struct point *point, struct answer *answer)
{
    prepare(slot, &scenarios[point->scenario]);
    clear_run(slot, point->mode);
    slot->run->role = point->role;
    slot->run->kind = point->kind;
    slot->run->at = point->at;
    slot->run->trace = options.verbose;
    slot->run->choice = point->at * 7 + options.seed;
    run_command(slot, scenarios[point->scenario].argv, answer);
}

// Once more, with LeakSanitizer: is what was kept lost?
static bool loses_memory(struct slot *slot, const struct point *point)
{
    char path[PATH_MAX];
    struct answer answer;
    slot->sanitized = true;
    strike(slot, point, &answer);
    slot->sanitized = false;
    has_orphan();
    bool lost = count_files(in_slot(slot, "tmp", path), "leaks.") > 0;
    if (lost) {
        complain(slot, point, &answer, LEAKED);
        print_leaks(slot);
    }
    answer_free(&answer);
    return lost;
}

static void try_point(struct slot *slot, const struct point *point, struct result *result)
{
    struct answer answer;
    strike(slot, point, &answer);
    enum outcome outcome = judge(slot, point, &answer);
    result->hit = slot->run->hit;
    for (int i = 0; i < FAULT_ROLES; i++)
        atomic_fetch_add(&plan->ended, slot->run->ended[i]);
    if (outcome <= MISSED && keeps_more_blocks(slot, point->scenario)) {
        atomic_fetch_add(&plan->kept, 1);
        outcome = leaks[0] && loses_memory(slot, point) ? LEAKED : outcome;
    }
    atomic_store(&result->outcome, outcome);
    if (journal >= 0)
        dprintf(journal, "done %zu %u %" PRIx64 "\n", (size_t)(result - plan->results), (unsigned)outcome, result->hit);
    clean_up(slot);
    if (options.verbose) {
        char name[120];
        name_point(point, name);
        printf("%s: %s, %s; status %x\n--- out\n%s--- err\n%s", name, slot->run->name, strerror(slot->run->error),
               (unsigned)answer.status, answer.out, answer.err);
    }
    answer_free(&answer);
}

// ---- killed while writing, and writing with another

enum { WRITES = 12, LONG_WRITES = 20, ROUNDS = 3 };

// `bankshot --write COUNT LESSON FIRST`: runs kept in progress, numbered by their score, and a file beside it; each is
// said once it is safe. FIRST is its time; 0: the clock's.
static int write_runs(const char *count, const char *lesson, const char *first)
{
    struct progress *progress;
    struct diagnostic diagnostic = {0};
    char path[PATH_MAX], said[32];
    if (progress_open(&progress, &diagnostic) != STATUS_OK)
        return 2;
    snprintf(path, sizeof path, "%.4000s.kept", progress_path(progress));
    for (int i = 1; i <= atoi(count); i++) {
        const struct progress_run run = {.time = atoi(first) ? atoi(first) + i : 0, .verdict = "fail", .score = i};
        if (progress_add_run(progress, lesson, &run, &diagnostic) != STATUS_OK ||
            file_write(path, said, (size_t)snprintf(said, sizeof said, "%d\n", i), &diagnostic) != STATUS_OK)
            return 2;
        dprintf(1, "%d\n", i);
    }
    progress_close(progress);
    return 0;
}

static int last_said(const struct answer *answer)
{
    int last = 0;
    for (const char *line = answer->out; *line; line += strcspn(line, "\n") + 1)
        last = atoi(line);
    return last;
}

// Runs 1 to `said` are there, each once, and at most one more.
static bool has_runs(struct progress *progress, const char *id, int said)
{
    const struct progress_lesson *lesson = progress_get(progress, id);
    size_t most = (size_t)said + 1;
    bool all = lesson->run_count >= (size_t)said && lesson->run_count <= most;
    for (size_t i = 0; all && i < lesson->run_count; i++)
        all = lesson->runs[i].score == (double)(i + 1);
    return all;
}

// Files of progress that are neither it nor its lock nor the kept one's; they are made to look old.
static bool has_temporary(const struct slot *slot)
{
    const struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    char path[PATH_MAX];
    bool found = false;
    DIR *dir = opendir(in_slot(slot, "state/bankshot", path));
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (text_starts(entry->d_name, "progress.json.") && !strstr(entry->d_name, ".kept"))
            found = utimensat(dirfd(dir), entry->d_name, times, 0) == 0;
    if (dir)
        closedir(dir);
    return found;
}

static void fail_kill(unsigned *counter, const char *what, const struct slot *slot, int said)
{
    ++*counter;
    printf("%-10s after call %u (%s), %d runs said to be safe\n", what, slot->run->at, slot->run->name, said);
    fflush(stdout);
}

static void kill_at(struct slot *slot, enum fault_class kind, uint32_t at)
{
    static const char *const words[] = {"--write", "12", "04-padding", "5000", NULL};
    enum status status;
    struct answer answer;
    struct diagnostic diagnostic = {0};
    put_progress(slot);
    clear_run(slot, MODE_KILL);
    slot->run->kind = kind;
    slot->run->at = at;
    run_command(slot, words, &answer);
    int said = last_said(&answer);
    has_temporary(slot);
    struct progress *progress = open_progress(slot, &status, &diagnostic); // as the next start does
    kills.tried++;
    kills.reached += slot->run->fired && WIFSIGNALED(answer.status);
    if (status != STATUS_OK || !old_runs_are_there(progress) || !has_runs(progress, "04-padding", said))
        fail_kill(&kills.lost, "LOST", slot, said);
    if (has_temporary(slot))
        fail_kill(&kills.stranded, "STRANDED", slot, said);
    progress_close(progress);
    answer_free(&answer);
}

// Two write at once, and all that both said is there; with a clock that goes back or stands still, too.
static void write_together(struct slot *slot, enum fault_clock clock)
{
    static const char *const words[2][5] = {{"--write", "20", "04-padding", "0", NULL},
                                            {"--write", "20", "05-swizzling", "0", NULL}};
    struct answer answers[2] = {0};
    enum status status;
    struct diagnostic diagnostic = {0};
    int lines[2];
    put_progress(slot);
    clear_run(slot, MODE_COUNT);
    slot->run->clock = clock;
    pid_t other = fork();
    if (other == 0) {
        run_command(slot, words[1], &answers[1]);
        _exit(last_said(&answers[1]));
    }
    run_command(slot, words[0], &answers[0]);
    if (waitpid(other, &lines[1], 0) != other)
        give_up("waitpid: %s", strerror(errno));
    struct progress *progress = open_progress(slot, &status, &diagnostic);
    bool all = status == STATUS_OK && old_runs_are_there(progress) && last_said(&answers[0]) == LONG_WRITES &&
               WEXITSTATUS(lines[1]) == LONG_WRITES && has_runs(progress, "04-padding", LONG_WRITES) &&
               has_runs(progress, "05-swizzling", LONG_WRITES);
    kills.tried++;
    if (!all)
        fail_kill(&kills.lost, clock == CLOCK_TRUE ? "LOST" : "LOST/CLOCK", slot, last_said(&answers[0]));
    progress_close(progress);
    answer_free(&answers[0]);
}

static void kill_all(struct slot *slot)
{
    static const char *const words[] = {"--write", "12", "04-padding", "5000", NULL};
    struct answer answer;
    put_progress(slot);
    clear_run(slot, MODE_COUNT);
    run_command(slot, words, &answer);
    if (answer.status != 0 || last_said(&answer) != WRITES)
        give_up("writing progress fails without a fault: %s", answer.err);
    answer_free(&answer);
    uint32_t calls[FAULT_CLASSES] = {slot->run->counts[0][CLASS_MEMORY], slot->run->counts[0][CLASS_SYSTEM]};
    for (int i = 0; i < options.kills; i++) { // one after the other, allocations between
        enum fault_class kind = i % 4 == 3 ? CLASS_MEMORY : CLASS_SYSTEM;
        uint32_t step = (uint32_t)((uint64_t)i * calls[kind] / (uint64_t)options.kills);
        kill_at(slot, kind, 1 + step % calls[kind]);
    }
    for (int i = 0; i < ROUNDS; i++)
        for (enum fault_clock clock = CLOCK_TRUE; clock <= CLOCK_STOPPED; clock++)
            write_together(slot, clock);
    printf(
        "%u writers, %u killed at one of %u system calls or %u allocations: %u with progress lost, %u with temporary "
        "files that the next start leaves\n",
        kills.tried, kills.reached, calls[CLASS_SYSTEM], calls[CLASS_MEMORY], kills.lost, kills.stranded);
}

// ---- all of them

static void shuffle(struct point *points, size_t count)
{
    srandom(options.seed);
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)random() % i;
        struct point point = points[i - 1];
        points[i - 1] = points[other];
        points[other] = point;
    }
}

// Where a scenario stands in --first; those that are not there come last.
static size_t rank(const struct point *point)
{
    const char *name = scenarios[point->scenario].name, *at = options.first;
    for (size_t length = strlen(name); (at = strstr(at, name)); at += length)
        if ((at == options.first || at[-1] == ',') && (!at[length] || at[length] == ','))
            return (size_t)(at - options.first);
    return SIZE_MAX;
}

static int by_rank(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    size_t first = rank(x), second = rank(y);
    return first != second ? (first > second) - (first < second)
                           : (x->scenario > y->scenario) - (x->scenario < y->scenario);
}

static void print_counts(const struct slot *slot)
{
    for (size_t s = 0; s < SCENARIOS; s++) {
        printf("%-12s", scenarios[s].name);
        for (int role = 0; role < FAULT_ROLES; role++)
            if (slot->counts[s][role][CLASS_SYSTEM])
                printf("  %s %u+%u", role_names[role], slot->counts[s][role][CLASS_MEMORY],
                       slot->counts[s][role][CLASS_SYSTEM]);
        putchar('\n');
    }
}

// The journal's lines; `more`: points from `from` on.
static void note_points(size_t from)
{
    for (size_t i = from; i < plan->count && journal >= 0; i++) {
        const struct point *point = &plan->points[i];
        dprintf(journal, "plan %u %u %u %u %u %" PRIx64 "\n", point->scenario, point->role, point->kind, point->mode,
                point->at, point->place);
    }
}

static void read_line(const char *line)
{
    unsigned numbers[5];
    uint64_t place;
    size_t index;
    if (sscanf(line, "done %zu %u %" SCNx64, &index, &numbers[0], &place) == 3 && index < plan->count &&
        numbers[0] < OUTCOMES) {
        plan->results[index].hit = place;
        atomic_store(&plan->results[index].outcome, numbers[0]);
    } else if (sscanf(line, "plan %u %u %u %u %u %" SCNx64, &numbers[0], &numbers[1], &numbers[2], &numbers[3],
                      &numbers[4], &place) == 6 &&
               plan->count < POINTS_MAX && numbers[0] < SCENARIOS && numbers[1] < FAULT_ROLES &&
               numbers[2] < FAULT_CLASSES && numbers[3] < FAULT_MODES)
        plan->points[plan->count++] = (struct point){(uint8_t)numbers[0], (uint8_t)numbers[1], (uint8_t)numbers[2],
                                                     (uint8_t)numbers[3], numbers[4],          place};
}

// Goes on with an earlier run of the same program.
static void open_journal(void)
{
    struct stat about;
    char mark[80], *text;
    size_t length;
    struct diagnostic diagnostic = {0};
    if (!options.log)
        return;
    if (stat(program, &about) != 0 ||
        (journal = open(options.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0 ||
        file_read(options.log, SIZE_MAX / 2, &text, &length, &diagnostic) != STATUS_OK)
        give_up("%s: %s", options.log, strerror(errno));
    snprintf(mark, sizeof mark, "program %lld %lld\n", (long long)about.st_size, (long long)about.st_mtime);
    if (length && !text_starts(text, mark))
        give_up("%s is of another program: remove it", options.log);
    if (!length)
        dprintf(journal, "%s", mark);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        read_line(line);
    free(text);
}

// A run of each command without a fault tells which places there are. Threads take turns as they like, so that a call's
// number does not always lead to its place: later rounds have those that no fault has struck.
static void make_plan(void)
{
    struct slot slot = {0};
    size_t before = plan->count;
    open_slot(&slot, false);
    for (size_t i = 0; i < SCENARIOS; i++)
        if (is_asked_for(scenarios[i].name)) {
            run_baseline(&slot, i, MODE_COUNT);
            list_points(&slot, (uint8_t)i, before);
        }
    if (!before)
        print_counts(&slot);
    close_slot(&slot);
    if (options.seconds > 0)
        shuffle(plan->points + before, plan->count - before);
    if (options.first)
        qsort(plan->points + before, plan->count - before, sizeof *plan->points, by_rank);
    note_points(before);
    printf("%zu points%s (allocations + system calls, once and for ever)\n", plan->count - before,
           before ? " more" : "");
    fflush(stdout);
}

static void work(void)
{
    struct slot slot = {0};
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    open_slot(&slot, true);
    double until = options.seconds > 0 ? began + options.seconds : 0;
    for (size_t i; (i = atomic_fetch_add(&plan->next, 1)) < plan->count && (until <= 0 || clock_seconds() < until);)
        if (!atomic_load(&plan->results[i].outcome))
            try_point(&slot, &plan->points[i], &plan->results[i]);
    close_slot(&slot);
}

static bool run_round(void)
{
    int status;
    bool good = true;
    atomic_store(&plan->next, 0);
    fflush(stdout);
    for (int job = 0; job < options.jobs; job++)
        if (fork() == 0) {
            work();
            exit(0);
        }
    while (wait(&status) > 0)
        good = good && status == 0;
    return good;
}

static int print_outcomes(double seconds)
{
    unsigned counts[OUTCOMES] = {0}, bad = 0;
    for (size_t i = 0; i < plan->count; i++)
        counts[atomic_load(&plan->results[i].outcome)]++;
    printf("%zu points tried in %.0f s, %u of them reached: %u right answers, %u blamed on the machine",
           plan->count - counts[UNTRIED], seconds, (unsigned)plan->count - counts[UNTRIED] - counts[MISSED],
           counts[RIGHT], counts[BLAMED]);
    for (enum outcome i = MISSED + 1; i < OUTCOMES; i++) {
        printf(", %s %u", outcome_names[i], counts[i]);
        bad += counts[i];
    }
    printf("; %u of the plan not tried\n", counts[UNTRIED]);
    printf("%u processes seen to their end; %u points kept more memory blocks than without the fault, %s\n",
           plan->ended, plan->kept,
           leaks[0] ? "LEAKED says how many of them lost some" : "and whether they lost some was not asked");
    return bad > 0;
}

// Of all users: shared memory, and System V's segments, queues and semaphores.
static size_t count_shared(void)
{
    static const char *const lists[] = {"/proc/sysvipc/shm", "/proc/sysvipc/msg", "/proc/sysvipc/sem"};
    size_t count = count_files("/dev/shm", "");
    for (size_t i = 0; i < 3; i++) {
        FILE *list = fopen(lists[i], "re");
        for (int c; list && (c = getc(list)) != EOF;)
            count += c == '\n';
        if (list)
            fclose(list);
    }
    return count;
}

enum { ROUNDS_MAX = 4 };

static int run_jobs(void)
{
    size_t shared = count_shared();
    bool good = true;
    open_journal();
    if (!plan->count)
        make_plan();
    for (int round = 1; good && round <= ROUNDS_MAX; round++) {
        size_t before = plan->count;
        good = run_round();
        if (options.all || options.seconds > 0 || round == ROUNDS_MAX)
            break;
        make_plan();
        if (plan->count == before)
            break;
    }
    int bad = print_outcomes(clock_seconds() - began);
    size_t more = count_shared();
    more = more > shared ? more - shared : 0;
    printf("%zu pieces of shared memory, queues or semaphores more than before\n", more);
    return good ? bad || more : 2;
}

static int run_kills(void)
{
    struct slot slot = {0};
    open_slot(&slot, false);
    srandom(options.seed);
    kill_all(&slot);
    close_slot(&slot);
    return kills.lost + kills.stranded > 0;
}

static void read_options(int argc, char **argv)
{
    static const struct option longs[] = {
        {"seconds", required_argument, NULL, 's'}, {"jobs", required_argument, NULL, 'j'},
        {"seed", required_argument, NULL, 'r'},    {"only", required_argument, NULL, 'o'},
        {"log", required_argument, NULL, 'f'},     {"compiler", required_argument, NULL, 'c'},
        {"kills", required_argument, NULL, 'k'},   {"verbose", no_argument, NULL, 'v'},
        {"leaks", required_argument, NULL, 'l'},   {"first", required_argument, NULL, 'i'},
        {"all", no_argument, NULL, 'a'},           {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        if (c == 's')
            options.seconds = atof(optarg);
        else if (c == 'j')
            options.jobs = atoi(optarg);
        else if (c == 'r')
            options.seed = (unsigned)atoi(optarg);
        else if (c == 'o')
            options.only = optarg;
        else if (c == 'f')
            options.log = optarg;
        else if (c == 'c')
            options.compiler = optarg;
        else if (c == 'k')
            options.kills = atoi(optarg);
        else if (c == 'i')
            options.first = optarg;
        else if (c == 'a')
            options.all = true;
        else if (c == 'v')
            options.verbose = true;
        else if (c == 'l')
            snprintf(leaks, sizeof leaks, "%s", optarg);
        else
            give_up("see the comment in tests/faults/faults.c");
    }
    if (options.jobs < 1 || options.jobs > JOBS_MAX)
        give_up("--jobs is 1 to %d", JOBS_MAX);
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--write") == 0)
        return write_runs(argv[2], argv[3], argv[4]);
    const char *hooks = getenv("BANKSHOT_FAULT_HOOKS");
    read_options(argc, argv);
    if (!realpath(program_path(), program) || !realpath(argv[0], own) ||
        !realpath(hooks ? hooks : "build/libfaults.so", library) || !getcwd(tree, sizeof tree))
        give_up("build/bankshot and build/libfaults.so are needed");
    plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (plan == MAP_FAILED)
        give_up("no memory");
    began = clock_seconds();
    return options.kills ? run_kills() : run_jobs();
}
