// `ptx-coverage`: prints docs/ptx-coverage.md, for `make docs`.
#include <stdio.h>

#include "base/text.h"
#include "cli/cli.h"
#include "ptx/coverage.h"

static int run(int argc, char **argv)
{
    struct text page = {0};
    (void)argc;
    (void)argv;
    ptx_coverage_write(&page);
    fputs(text_get(&page), stdout);
    text_free(&page);
    return CLI_PASSED;
}

const struct cli_command cli_command_ptx_coverage = {
    .name = "ptx-coverage",
    .arguments = "",
    .summary = "Print the table of PTX that is understood",
    .hidden = true,
    .run = run,
};
