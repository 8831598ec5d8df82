// The program begins here.
#include <stdlib.h>

#include "base/process.h"
#include "cli/cli.h"
#include "grade/worker.h"

int main(int argc, char **argv)
{
    char *own = process_own_path();
    grade_worker_set_program(own);
    free(own);
    return cli_main(argc, argv);
}
