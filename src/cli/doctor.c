// `doctor`: what the lab found on this machine, and what to do about what is missing.
#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fields.h"
#include "base/memory.h"
#include "cli/lessons.h"
#include "device/cuda.h"
#include "toolchain/ptxas.h"
#include "toolchain/sandbox.h"
#include "toolchain/toolchain.h"

enum finding_state { FINDING_OK, FINDING_NOTE, FINDING_PROBLEM };
enum { MAX_FINDINGS = 24 };

struct doctor_finding {
    const char *subject;
    enum finding_state state;
    char text[400], remedy[400];
};

struct doctor_findings {
    struct doctor_finding items[MAX_FINDINGS];
    size_t count;
};

struct doctor_request {
    bool json;
};
static const struct cli_option doctor_options[] = {CLI_OPTION_JSON(struct doctor_request, json), {0}};

static struct doctor_finding *report_finding(struct doctor_findings *findings, const char *subject,
                                             enum finding_state state, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static struct doctor_finding *report_finding(struct doctor_findings *findings, const char *subject,
                                             enum finding_state state, const char *format, ...)
{
    struct doctor_finding *finding =
        &findings->items[findings->count < MAX_FINDINGS - 1 ? findings->count++ : MAX_FINDINGS - 1];
    *finding = (struct doctor_finding){.subject = subject, .state = state};
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
    return finding;
}

static void set_remedy(struct doctor_finding *finding, const char *text)
{
    snprintf(finding->remedy, sizeof finding->remedy, "%s", text);
}

// ---- what is looked at

static void find_compilers(struct doctor_findings *findings)
{
    static const struct {
        enum toolchain_kind kind;
        const char *name;
    } rows[] = {{TOOLCHAIN_NVCC, "nvcc"}, {TOOLCHAIN_CLANG, "clang"}};
    struct toolchain found[2];
    bool is_there[2];
    for (int i = 0; i < 2; i++)
        is_there[i] = toolchain_find(rows[i].kind, NULL, &found[i], NULL) == STATUS_OK;
    bool any = is_there[0] || is_there[1];
    for (int i = 0; i < 2; i++)
        if (is_there[i])
            report_finding(findings, rows[i].name, FINDING_OK, "%s, %.300s", found[i].label, found[i].path);
        else
            set_remedy(report_finding(findings, rows[i].name, any ? FINDING_NOTE : FINDING_PROBLEM, "not found"),
                       any ? "" : "nvcc, or clang 14 or later, is needed: 'make deps' or 'apt install clang'.");
}

static void find_ptxas(struct doctor_findings *findings)
{
    char path[1024];
    if (ptxas_find(path, sizeof path))
        report_finding(findings, "ptxas", FINDING_OK, "%.300s: registers are counted", path);
    else
        report_finding(findings, "ptxas", FINDING_NOTE, "not found: registers are estimated where times are modelled");
}

static void find_protection(struct doctor_findings *findings)
{
    char text[256];
    toolchain_protection(text, sizeof text);
    bool files = sandbox_landlock_abi() > 0, calls = sandbox_has_seccomp();
    struct doctor_finding *finding =
        report_finding(findings, "protection", files && calls ? FINDING_OK : FINDING_NOTE, "%s", text);
    if (!files && !calls)
        set_remedy(finding,
                   "Only limits and checks confine compilers and runs; 'bankshot class' refuses to grade here.");
    else if (!files)
        set_remedy(finding,
                   "A kernel with Landlock (Linux 5.13) also confines what compilers and runs read and write.");
    else if (!calls)
        set_remedy(finding, "Compilers and runs can open the network and reach other processes of this user here.");
}

static void find_memory(struct doctor_findings *findings)
{
    double machine = (double)mem_machine() * 1e-9, bound = (double)grade_memory_bound() * 1e-9;
    bool fits = bound * (double)GRADE_AT_ONCE <= machine;
    struct doctor_finding *finding = report_finding(findings, "memory", fits ? FINDING_OK : FINDING_NOTE,
                                                    "%.1f GB; a run may have %.1f GB, and commands start %d at a time",
                                                    machine, bound, GRADE_AT_ONCE);
    if (!fits)
        set_remedy(finding, "The lessons' own kernels need less; a kernel that takes all it may can be killed here.");
}

static void find_gpu(struct doctor_findings *findings)
{
    struct diagnostic diagnostic = {0};
    struct cuda_info info;
    int count = 0;
    if (cuda_describe(0, &info, &count, &diagnostic) != STATUS_OK) {
        set_remedy(report_finding(findings, "GPU", FINDING_NOTE, "none in use: %.300s", diagnostic.message),
                   "None is needed: the simulator runs everything.");
        return;
    }
    for (int i = 0; i < count && i < 8; i++)
        if (cuda_describe(i, &info, &count, &diagnostic) == STATUS_OK)
            report_finding(findings, "GPU", FINDING_OK, "%d: %s, sm_%d, %d SMs, driver for CUDA %d.%d", i, info.name,
                           info.sm, info.multiprocessors, info.driver / 1000, info.driver % 1000 / 10);
}

static void find_terminal(struct doctor_findings *findings)
{
    const char *term = getenv("TERM");
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
        report_finding(findings, "terminal", FINDING_NOTE,
                       "standard output is not a terminal; 'bankshot' prints a plain tour");
    } else if (!term || !*term) {
        set_remedy(report_finding(findings, "terminal", FINDING_PROBLEM, "TERM is not set"),
                   "Try: export TERM=xterm-256color");
    } else if (size.ws_col < 80 || size.ws_row < 24) {
        set_remedy(report_finding(findings, "terminal", FINDING_PROBLEM, "%s, %d x %d", term, size.ws_col, size.ws_row),
                   "The lab needs at least 80 x 24: make the window larger.");
    } else {
        report_finding(findings, "terminal", FINDING_OK, "%s, %d x %d", term, size.ws_col, size.ws_row);
    }
}

static void find_locale(struct doctor_findings *findings)
{
    const char *codeset = nl_langinfo(CODESET);
    if (strcmp(codeset, "UTF-8") == 0)
        report_finding(findings, "locale", FINDING_OK, "UTF-8");
    else
        set_remedy(report_finding(findings, "locale", FINDING_NOTE, "%.60s: pictures are drawn in ASCII", codeset),
                   "For block characters: export LC_ALL=C.UTF-8");
}

static void find_folders(struct doctor_findings *findings)
{
    struct lessons lessons = {0};
    struct diagnostic diagnostic = {0};
    if (lesson_set_open(&lessons.set, &diagnostic) != STATUS_OK) {
        set_remedy(report_finding(findings, "lessons", FINDING_PROBLEM, "%.300s", diagnostic.message),
                   "Reinstall, or set BANKSHOT_LESSONS to the folder that holds lessons/.");
    } else {
        report_finding(findings, "lessons", FINDING_OK, "%zu in %.300s/lessons", lessons.set.count, lessons.set.root);
        for (size_t i = 0; i < lessons.set.broken.count; i++) {
            char line[400];
            set_remedy(report_finding(findings, "lessons", FINDING_PROBLEM, "%s",
                                      diagnostic_format(&lessons.set.broken.items[i], line, sizeof line)),
                       "That lesson is left out until it is mended.");
        }
        const char *workspace = lessons.set.workspace;
        if (!workspace)
            set_remedy(report_finding(findings, "workspace", FINDING_NOTE, "none here"),
                       "'bankshot init DIR' makes one.");
        else if (access(workspace, W_OK) == 0)
            report_finding(findings, "workspace", FINDING_OK, "%.300s", workspace);
        else
            set_remedy(report_finding(findings, "workspace", FINDING_PROBLEM, "%.300s cannot be written", workspace),
                       "'bankshot init DIR' makes one of your own.");
        lesson_set_close(&lessons.set);
    }
    if (progress_open(&lessons.progress, &diagnostic) == STATUS_OK)
        report_finding(findings, "progress", FINDING_OK, "%.300s", progress_path(lessons.progress));
    else
        set_remedy(report_finding(findings, "progress", FINDING_PROBLEM, "%.300s", diagnostic.message),
                   "Set XDG_STATE_HOME to a folder that you can write.");
    progress_close(lessons.progress);
}

// ---- the answer

static const char *const state_words[] = {"ok", "note", "problem"};

static void print_findings_json(const struct doctor_findings *findings)
{
    json_t *array = json_array();
    for (size_t i = 0; i < findings->count; i++) {
        const struct doctor_finding *finding = &findings->items[i];
        json_array_append_new(array, json_pack("{s:s, s:s, s:o, s:s}", "subject", finding->subject, "state",
                                               state_words[finding->state], "text", fields_string(finding->text),
                                               "remedy", finding->remedy));
    }
    cli_print_json(array);
}

static void print_findings(const struct doctor_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct doctor_finding *finding = &findings->items[i];
        cli_print("%-8s %-11s ", state_words[finding->state], finding->subject);
        cli_print_escaped(stdout, finding->text);
        cli_print("\n");
        if (finding->remedy[0])
            cli_print("%21s%s\n", "", finding->remedy);
    }
}

static int run_doctor(struct cli_call *call)
{
    struct doctor_findings findings = {0};
    find_compilers(&findings);
    find_ptxas(&findings);
    find_protection(&findings);
    find_memory(&findings);
    find_gpu(&findings);
    find_terminal(&findings);
    find_locale(&findings);
    find_folders(&findings);
    if (((const struct doctor_request *)call->request)->json)
        print_findings_json(&findings);
    else
        print_findings(&findings);
    for (size_t i = 0; i < findings.count; i++)
        if (findings.items[i].state == FINDING_PROBLEM)
            return CLI_USAGE;
    return CLI_PASSED;
}

const struct cli_command cli_command_doctor = {
    .name = "doctor",
    .arguments = "",
    .summary = "Say what this machine has, what it lacks, and what to do about it",
    .options = doctor_options,
    .request_size = sizeof(struct doctor_request),
    .run = run_doctor,
};
