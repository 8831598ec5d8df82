// `worker`: one run in a process of its own; the program starts itself with it.
#include "grade/worker.h"

#include "cli/cli.h"

static int run(int argc, char **argv)
{
    (void)argc, (void)argv;
    return grade_worker_main();
}

const struct cli_command cli_command_worker = {
    .name = "worker",
    .arguments = "",
    .summary = "Run one job from standard input (for the program's own use)",
    .hidden = true,
    .run = run,
};
