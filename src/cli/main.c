// The program begins here, and its first words choose the command.
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fields.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/lessons.h"
#include "grade/worker.h"

// Terminal descriptions that travel with a bundle (../share/terminfo beside the program) are looked at last: an empty
// entry in TERMINFO_DIRS stands for the system's own places, terminfo(5).
static void add_terminfo(void)
{
    char path[4096];
    char *own = process_own_path(), *slash = own ? strrchr(own, '/') : NULL;
    const char *before = getenv("TERMINFO_DIRS");
    if (slash) {
        *slash = '\0';
        snprintf(path, sizeof path, "%s/../share/terminfo", own);
        if (file_is_folder(path)) {
            snprintf(path, sizeof path, "%s:%s/../share/terminfo", before ? before : "", own);
            setenv("TERMINFO_DIRS", path, 1);
        }
    }
    free(own);
}

static int check_words(const struct cli_call *call)
{
    const struct cli_command *command = call->command;
    size_t most = command->scope == CLI_ONE_LESSON ? 1 : command->most_words;
    if (call->word_count >= command->least_words && (call->word_count <= most || command->scope == CLI_EACH_LESSON))
        return CLI_GO_ON;
    if (!command->word_rule && !most)
        return cli_usage(command, "'%s' takes no words", command->name);
    return cli_usage(command, "%s", command->word_rule ? command->word_rule : "one lesson at a time");
}

static int run_command(const struct cli_command *command, int argc, char **argv)
{
    int status = command->run_line ? command->run_line(argc, argv) : CLI_GO_ON;
    if (status != CLI_GO_ON)
        return status;
    struct cli_call call = {.command = command, .request = mem_alloc(command->request_size)};
    if (command->defaults)
        memcpy(call.request, command->defaults, command->request_size);
    status = cli_read_line(&call, argc, argv);
    if (status == CLI_GO_ON)
        status = check_words(&call);
    if (status == CLI_GO_ON)
        status = lessons_call(&call, command->scope, command->run);
    free(call.request);
    return status;
}

static int choose_command(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "";
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return run_command(&cli_command_help, 1, argv);
    if (strcmp(first, "--version") == 0) {
        cli_print("bankshot %s\n", BANKSHOT_VERSION);
        return CLI_PASSED;
    }
    if (argc < 2 || first[0] == '-') // `bankshot` and `bankshot --option …` are the lab's
        return run_command(&cli_command_lab, argc, argv);
    bool is_number = first[0] && first[strspn(first, "0123456789")] == '\0'; // `bankshot 4` is `bankshot lab 4`
    if (is_number)
        return run_command(&cli_command_lab, argc, argv);
    const struct cli_command *part = argc > 2 ? cli_find_part(first, argv[2]) : NULL;
    if (part)
        return run_command(part, argc - 2, argv + 2);
    const struct cli_command *command = cli_find(first);
    return command ? run_command(command, argc - 1, argv + 1) : CLI_USAGE;
}

// A descriptor that is closed would be given to the next file opened, and that would be read as the input or written
// over by results. Standing for input, it is at its end; for output, every write fails and is told.
static void open_standard(void)
{
    for (int file = open("/dev/null", O_RDONLY); file >= 0; file = open("/dev/null", O_RDONLY))
        if (file > STDERR_FILENO) {
            close(file);
            return;
        }
}

int main(int argc, char **argv)
{
    char *own = process_own_path();
    grade_worker_set_program(own);
    free(own);
    open_standard();
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of that write, not the end of the program
    fields_check_memory();
    setlocale(LC_CTYPE, ""); // only this: numbers in files and the system's messages stay as they are
    add_terminfo();
    int status = choose_command(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_error("writing the result failed: %s", strerror(errno));
    return status;
}
