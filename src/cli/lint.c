// `lint`: prove lessons. Several lessons are proven by children of this program, two at a time, each with its own.
#include "grade/lint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process.h"
#include "cli/lessons.h"

static const struct cli_option options[] = {
    CLI_OPTION_COMPILER,
    CLI_OPTIONS_DEVICE,
    {'v', "verbose", NULL, "every subject, not only what failed"},
    {0},
};

enum { WALL_SECONDS = 900 };

struct request {
    struct grade_options grade;
    bool verbose;
};

static void print_result(void *context, const struct lint_result *result)
{
    const struct request *request = context;
    if (result->passed && !request->verbose)
        return;
    printf("  %-7s %-30s", result->passed ? "ok" : "FAILED", result->subject);
    if (result->wanted[0] || result->got[0])
        printf(" wanted %s, got %s", result->wanted, result->got);
    if (result->seconds > 0)
        printf(" (%.1f s)", result->seconds);
    putchar('\n');
    if (!result->passed && result->message[0]) {
        fputs("          ", stdout);
        cli_print_escaped(stdout, result->message);
        putchar('\n');
    }
}

static int prove_here(const struct lesson *lesson, struct request *request)
{
    struct lint_list list = {0};
    struct diagnostic diagnostic = {0};
    enum status status = lint_run(lesson, &request->grade, print_result, request, &list, &diagnostic);
    int exit = status != STATUS_OK ? cli_diagnostic(&diagnostic) : list.failed ? CLI_FAILED : CLI_PASSED;
    if (status == STATUS_OK)
        printf("%s: %zu of %zu proven\n", lesson->id, list.count - list.failed, list.count);
    lint_list_free(&list);
    return exit;
}

// ---- children

struct child {
    struct process *process;
    int exit;
};

static void start_child(struct child *child, const char *program, const struct lesson *lesson,
                        const struct request *request)
{
    const char *argv[12] = {program, "lint", "--compiler", request->grade.compiler, "--device", request->grade.device};
    size_t count = 6;
    struct diagnostic diagnostic = {0};
    if (request->verbose)
        argv[count++] = "--verbose";
    argv[count++] = lesson->id;
    struct process_options process = {
        .argv = argv, .environment = (const char *const *)environ, .limits = {.wall_seconds = WALL_SECONDS}};
    child->exit = CLI_PASSED;
    if (process_start(&process, &child->process, &diagnostic) != STATUS_OK)
        child->exit = cli_diagnostic(&diagnostic);
}

static int end_child(struct child *child, const struct lesson *lesson)
{
    struct process_result result = {0};
    struct diagnostic diagnostic = {0};
    char words[128];
    if (!child->process)
        return child->exit;
    if (process_wait(child->process, &result, &diagnostic) != STATUS_OK) {
        child->exit = cli_diagnostic(&diagnostic);
    } else {
        fputs(text_get(&result.out), stdout);
        fputs(text_get(&result.err), stderr);
        fflush(stdout);
        child->exit = result.end == PROCESS_EXITED
                          ? result.exit_code
                          : cli_error("lint of %s %s", lesson->id, process_describe(&result, words, sizeof words));
    }
    process_result_free(&result);
    process_free(child->process);
    return child->exit;
}

static int prove_all(const struct lesson **lessons, size_t count, const struct request *request)
{
    int worst = CLI_PASSED;
    char *program = process_own_path();
    struct child *children = mem_alloc((count + 1) * sizeof *children);
    if (!program)
        worst = cli_error("this program cannot find itself (/proc is not mounted)");
    for (size_t i = 0; program && i < count + POOL_WORKERS - 1; i++) {
        if (i < count)
            start_child(&children[i], program, lessons[i], request);
        if (i + 1 < POOL_WORKERS)
            continue;
        size_t oldest = i + 1 - POOL_WORKERS;
        int exit = end_child(&children[oldest], lessons[oldest]);
        worst = exit > worst ? exit : worst;
    }
    free(children);
    free(program);
    return worst;
}

// ---- the command

static int prove(struct lessons *lessons, char **words, int word_count, struct request *request)
{
    size_t count = word_count ? (size_t)word_count : lessons->set.count;
    const struct lesson **chosen = mem_alloc((count + 1) * sizeof(struct lesson *));
    int status = CLI_PASSED;
    for (size_t i = 0; i < count && status == CLI_PASSED; i++) {
        chosen[i] = word_count ? lessons_pick(lessons, words[i]) : lessons->set.items[i];
        status = chosen[i] ? CLI_PASSED : CLI_USAGE;
    }
    if (status == CLI_PASSED)
        status = count == 1 ? prove_here(chosen[0], request) : prove_all(chosen, count, request);
    free(chosen);
    return status;
}

static int run(int argc, char **argv)
{
    struct request request = {0};
    struct cli_line line = cli_begin(&cli_command_lint, argc, argv);
    for (int id; (id = cli_next(&line)) != CLI_END;) {
        if (id == CLI_STOP)
            return line.exit;
        request.verbose |= id == 'v';
    }
    lessons_apply(&line.settings, &request.grade);
    struct lessons lessons;
    if (!lessons_open(&lessons))
        return CLI_USAGE;
    int count;
    char **words = cli_rest(&line, &count);
    int status = prove(&lessons, words, count, &request);
    lessons_close(&lessons);
    return status;
}

const struct cli_command cli_command_lint = {
    .name = "lint",
    .arguments = "[LESSON…]",
    .summary = "Prove lessons: solutions pass, starters and mutants fail for their reasons",
    .options = options,
    .run = run,
};
