// `lint`: prove lessons. Several lessons are proven by children of this program, two at a time, each with its own.
#include "grade/lint.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process.h"
#include "cli/lessons.h"

enum { WALL_SECONDS = 900 };

struct lint_request {
    struct grade_options grade;
    bool verbose;
};

static const struct cli_option lint_options[] = {
    CLI_OPTION_COMPILER(struct lint_request, grade),
    CLI_OPTIONS_DEVICE(struct lint_request, grade),
    {0, "seed", "N", "the same inputs and sizes each time (default: fresh; told where something fails)",
     CLI_TO_NUMBER(struct lint_request, grade.seed, 1, INT64_MAX, "a number from 1")},
    {'v', "verbose", NULL, "every subject, not only what failed", CLI_TO_FLAG(struct lint_request, verbose)},
    {0},
};

static void print_result(void *context, const struct lint_result *result)
{
    const struct lint_request *request = context;
    if (result->passed && !request->verbose)
        return;
    cli_print("  %-7s %-30s", result->passed ? "ok" : "FAILED", result->subject);
    if (result->wanted[0] || result->got[0])
        cli_print(" wanted %s, got %s", result->wanted, result->got);
    if (result->seconds > 0)
        cli_print(" (%.1f s)", result->seconds);
    cli_print("\n");
    if (!result->passed && result->message[0]) {
        cli_print("          ");
        cli_print_escaped(stdout, result->message);
        cli_print("\n");
    }
}

// compiler: of several; or ""
static int prove_with(const struct lesson *lesson, struct lint_request *request, const char *compiler)
{
    struct lint_list list = {0};
    struct diagnostic diagnostic = {0};
    enum status status = lint_run(lesson, &request->grade, print_result, request, &list, &diagnostic);
    int exit = status != STATUS_OK ? cli_diagnostic(&diagnostic) : list.failed ? CLI_FAILED : CLI_PASSED;
    if (status == STATUS_OK)
        cli_print("%s%s%s: %zu of %zu proven", lesson->id, *compiler ? ", " : "", compiler,
                  list.count - list.failed - list.untried, list.count - list.untried);
    if (status == STATUS_OK && list.untried)
        cli_print(", %zu disguise%s of its kernels could not be graded%s", list.untried, list.untried == 1 ? "" : "s",
                  request->verbose ? "" : " (--verbose names them)");
    if (status == STATUS_OK && list.failed)
        cli_print(" (--seed %llu)", (unsigned long long)list.seed);
    if (status == STATUS_OK)
        cli_print("\n");
    lint_list_free(&list);
    return exit;
}

// With each compiler that is here, unless one was named.
static int prove_here(const struct lesson *lesson, struct lint_request *request)
{
    static const struct {
        enum toolchain_kind kind;
        const char *name;
    } compilers[] = {{TOOLCHAIN_NVCC, "nvcc"}, {TOOLCHAIN_CLANG, "clang"}};
    bool one = request->grade.compiler && strcmp(request->grade.compiler, "auto") != 0, found = false;
    int worst = CLI_PASSED;
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers && !one; i++) {
        struct toolchain toolchain;
        struct diagnostic ignored;
        if (toolchain_find(compilers[i].kind, NULL, &toolchain, &ignored) != STATUS_OK)
            continue;
        request->grade.compiler = compilers[i].name;
        int exit = prove_with(lesson, request, compilers[i].name);
        worst = exit > worst ? exit : worst;
        found = true;
    }
    return found ? worst : prove_with(lesson, request, "");
}

// ---- children

struct lint_child {
    struct process *process;
    int exit;
};

// A child gets the options that were given here.
static void start_child(struct lint_child *child, const char *program, const struct cli_call *call,
                        const struct lesson *lesson)
{
    struct diagnostic diagnostic = {0};
    const char **argv = mem_alloc((call->option_count + 4) * sizeof *argv);
    argv[0] = program;
    argv[1] = call->command->name;
    memcpy(argv + 2, call->options, call->option_count * sizeof *argv);
    argv[2 + call->option_count] = lesson->id;
    struct process_options process = {
        .argv = argv, .environment = (const char *const *)environ, .limits = {.wall_seconds = WALL_SECONDS}};
    child->exit = CLI_PASSED;
    if (process_start(&process, &child->process, &diagnostic) != STATUS_OK)
        child->exit = cli_diagnostic(&diagnostic);
    free(argv);
}

static bool child_ended(const struct lint_child *child)
{
    return !child->process || process_ended(child->process);
}

static int end_child(struct lint_child *child, const struct lesson *lesson)
{
    struct process_result result = {0};
    struct diagnostic diagnostic = {0};
    char words[128];
    if (!child->process)
        return child->exit;
    if (process_wait(child->process, &result, &diagnostic) != STATUS_OK) {
        child->exit = cli_diagnostic(&diagnostic);
    } else {
        cli_print_escaped(stdout, text_get(&result.out));
        cli_print_escaped(stderr, text_get(&result.err));
        fflush(stdout);
        child->exit = result.end == PROCESS_EXITED
                          ? result.exit_code
                          : cli_error("lint of %s %s", lesson->id, process_describe(&result, words, sizeof words));
    }
    process_result_free(&result);
    process_free(child->process);
    child->process = NULL;
    return child->exit;
}

// Waits until one more of children[0 … started) has ended, taking in what they print.
static void wait_for_one(struct lint_child *children, size_t started)
{
    struct pollfd *wait = mem_alloc((started + 1) * sizeof *wait);
    nfds_t waiting = 0;
    for (size_t i = 0; i < started; i++)
        if (!child_ended(&children[i]))
            wait[waiting++] = (struct pollfd){.fd = process_fd(children[i].process), .events = POLLIN};
    poll(wait, waiting, -1);
    free(wait);
    for (size_t i = 0; i < started; i++)
        if (!child_ended(&children[i]))
            process_poll(children[i].process, 0);
}

// The next one begins when any ends; they are told in the order of the lessons.
static int prove_all(const struct cli_call *call)
{
    size_t count = call->chosen_count, started = 0, told = 0;
    int worst = CLI_PASSED;
    char *program = process_own_path();
    struct lint_child *children = mem_alloc((count + 1) * sizeof *children);
    if (!program)
        worst = cli_error("this program cannot find itself (/proc is not mounted)");
    while (program && told < count) {
        size_t ended = 0;
        for (size_t i = 0; i < started; i++)
            ended += child_ended(&children[i]);
        if (started < count && started - ended < POOL_WORKERS) {
            start_child(&children[started], program, call, call->chosen[started]);
            started++;
        } else if (child_ended(&children[told])) {
            int exit = end_child(&children[told], call->chosen[told]);
            worst = exit > worst ? exit : worst;
            told++;
        } else {
            wait_for_one(children, started);
        }
    }
    free(children);
    free(program);
    return worst;
}

// ---- the command

static int run_lint(struct cli_call *call)
{
    int status = call->chosen_count == 1 ? prove_here(call->chosen[0], call->request) : prove_all(call);
    return !call->word_count && call->lessons->set.broken.count && status == CLI_PASSED ? CLI_FAILED : status;
}

const struct cli_command cli_command_lint = {
    .name = "lint",
    .arguments = "[LESSON…]",
    .summary = "Prove lessons: solutions pass, mistakes fail for the right reason",
    .description = "All lessons, or those named: starter, solution, mutants, variants, quiz, page\n"
                   "and hints. A kernel that misses a gate is also tried in disguise, its bad\n"
                   "pattern by another instruction: none may earn more. Exit status: 0 all is as it\n"
                   "should be, 1 something is not, 2 it could not be tried.",
    .options = lint_options,
    .request_size = sizeof(struct lint_request),
    .defaults = &(const struct lint_request){.grade = CLI_RUN_DEFAULTS},
    .scope = CLI_EACH_LESSON,
    .run = run_lint,
};
