// The command line: one table of commands (commands.def), one file for each, and what they share.
//
// A command describes its options as data; the same list parses the line, prints `--help` and writes the manual page.
// Exit status of every command: 0 passed, 1 something failed, 2 usage or environment. Results go to stdout, messages
// to stderr as "bankshot: …".
#ifndef BANKSHOT_CLI_CLI_H
#define BANKSHOT_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostic.h"

enum cli_exit { CLI_PASSED = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

struct cli_option {
    int id;               // a letter is the short option too; others start at CLI_LONG
    const char *name;     // long name; NULL ends the list
    const char *argument; // NULL: takes none
    const char *help;
};

struct cli_command {
    const char *name;
    const char *arguments;   // "[LESSON…]", shown after the options
    const char *summary;     // one line of the list
    const char *description; // paragraphs, for --help and the manual
    const struct cli_option *options;
    bool hidden;                       // for the program's own use
    int (*run)(int argc, char **argv); // argv[0] is the command's name
};

#define COMMAND(name) extern const struct cli_command cli_command_##name;
#include "cli/commands.def"
#undef COMMAND
extern const struct cli_command *const cli_commands[]; // ends with NULL

int cli_main(int argc, char **argv);
const struct cli_command *cli_find(const char *name); // NULL: none

// ---- options

enum {
    CLI_END = -1,
    CLI_STOP = -2, // --help was printed, or the line was wrong and a message printed
    CLI_LONG = 256,
    CLI_JSON,
    CLI_DEVICE,
    CLI_GPU,
    CLI_GPU_MODEL,
    CLI_COMPILER
};

// Entries for a command's option list.
#define CLI_OPTION_JSON                                                                                                \
    {                                                                                                                  \
        CLI_JSON, "json", NULL, "print JSON instead of text"                                                           \
    }
#define CLI_OPTION_COMPILER                                                                                            \
    {                                                                                                                  \
        CLI_COMPILER, "compiler", "NAME", "auto (default), nvcc or clang"                                              \
    }
#define CLI_OPTIONS_DEVICE                                                                                             \
    {CLI_DEVICE, "device", "KIND", "auto (default), sim or gpu"},                                                      \
        {CLI_GPU, "gpu", "N", "which GPU (default: the idlest)"},                                                      \
    {                                                                                                                  \
        CLI_GPU_MODEL, "gpu-model", "NAME", "the GPU that the simulator models"                                        \
    }

struct cli_settings { // what the common options set
    const char *device, *gpu_model, *compiler;
    int gpu;
    bool json;
};
#define CLI_SETTINGS_DEFAULT                                                                                           \
    {                                                                                                                  \
        .device = "auto", .compiler = "auto", .gpu = -1                                                                \
    }

struct cli_line { // one command's line, being read
    const struct cli_command *command;
    int argc;
    char **argv;
    const char *value; // of the option just read
    int exit;          // what to answer when CLI_STOP
    struct cli_settings settings;
};

// Starts reading; call cli_next until it gives CLI_END, then cli_rest has the other words. Common options are put
// into settings and not returned.
struct cli_line cli_begin(const struct cli_command *command, int argc, char **argv);
int cli_next(struct cli_line *line);
char **cli_rest(const struct cli_line *line, int *count);

// ---- messages

// "bankshot: …" on stderr; returns CLI_USAGE, so that a command can `return cli_error(…)`.
int cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
// A usage mistake: the message, and where help is.
int cli_usage(const struct cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The message for a command that is not there, with the nearest that is.
int cli_no_command(const char *name);
// Prints the diagnostic; FAILED when it is the learner's (compile error, fault …), else USAGE.
int cli_diagnostic(const struct diagnostic *diagnostic);
// Text from learners and compilers, escaped, to a stream.
void cli_print_escaped(void *stream, const char *text);

// A number in [least, most] from text, all of it; false otherwise.
bool cli_number(const char *text, long long least, long long most, long long *value);

#endif
