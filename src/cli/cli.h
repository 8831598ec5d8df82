// The command line: one table of commands (commands.def), one file for each, and what they share.
//
// A command describes its options as data, each with the field of the command's request that it fills; the same list
// parses the line, prints `--help` and writes the manual page. A command only sees the filled request.
// Exit status of every command: 0 passed, 1 something failed, 2 usage or environment. Results go to stdout, messages
// to stderr as "bankshot: …".
#ifndef BANKSHOT_CLI_CLI_H
#define BANKSHOT_CLI_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/diagnostic.h"
#include "base/text.h"

enum cli_exit { CLI_PASSED = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

// ---- options: where the value goes, and what it may be

enum cli_kind {
    CLI_FLAG,   // takes no value: stores `value`, or true where that is 0
    CLI_STRING, // const char *
    CLI_NUMBER, // an integer of 4 or 8 bytes, from least to most
    CLI_CHOICE, // const char *: one of `choices`
    CLI_LIST,   // struct cli_list: may be repeated
    CLI_READ    // whatever `read` understands; false: it is not what the option wants
};

enum { CLI_LIST_MAX = 256 };
struct cli_list {
    const char *items[CLI_LIST_MAX + 1]; // ends with NULL
    size_t count;
};

struct cli_option {
    char letter;          // of the short option; 0: none
    const char *name;     // long name; NULL ends the list
    const char *argument; // NULL: takes none
    const char *help;
    enum cli_kind kind;
    size_t offset, size; // of the field in the command's request
    const char *wants;   // NUMBER, READ: "a number from 1", for the message when it is something else
    int value;
    long long least, most;
    const char *const *choices; // ends with NULL
    bool (*read)(void *field, const char *word);
};

// The rest of an entry: its kind and where the value goes.
#define CLI_FIELD(type, field) .offset = offsetof(type, field), .size = sizeof(((type *)0)->field)
#define CLI_TO_FLAG(type, field) .kind = CLI_FLAG, CLI_FIELD(type, field)
#define CLI_TO_STRING(type, field) .kind = CLI_STRING, CLI_FIELD(type, field)
#define CLI_TO_LIST(type, field) .kind = CLI_LIST, CLI_FIELD(type, field)
#define CLI_TO_CHOICE(type, field, list) .kind = CLI_CHOICE, .choices = list, CLI_FIELD(type, field)
#define CLI_TO_NUMBER(type, field, from, to, text)                                                                     \
    .kind = CLI_NUMBER, .least = from, .most = to, .wants = text, CLI_FIELD(type, field)
#define CLI_TO_READ(type, field, reader, text) .kind = CLI_READ, .read = reader, .wants = text, CLI_FIELD(type, field)

// Entries that several commands have. `at` names the part of the request that holds compiler, device, gpu_model and
// gpu; a request starts with CLI_RUN_DEFAULTS there.
extern const char *const cli_compilers[], *const cli_devices[];
// clang-format off
#define CLI_OPTION_JSON(type, field) {0, "json", NULL, "print JSON instead of text", CLI_TO_FLAG(type, field)}
#define CLI_OPTION_COMPILER(type, at)                                                                                  \
    {0, "compiler", "NAME", "auto (default), nvcc or clang", CLI_TO_CHOICE(type, at.compiler, cli_compilers)}
#define CLI_OPTION_GPU(type, at)                                                                                       \
    {0, "gpu", "N", "which GPU (default: the idlest)", CLI_TO_NUMBER(type, at.gpu, 0, 1023, "a number from 0")}
#define CLI_OPTIONS_DEVICE(type, at)                                                                                   \
    {0, "device", "KIND", "auto (default), sim or gpu", CLI_TO_CHOICE(type, at.device, cli_devices)},                  \
    CLI_OPTION_GPU(type, at),                                                                                          \
    {0, "gpu-model", "NAME", "the GPU that the simulator models", CLI_TO_STRING(type, at.gpu_model)}
#define CLI_RUN_DEFAULTS {.device = "auto", .compiler = "auto", .gpu = -1}
// clang-format on

// ---- commands

enum cli_scope { // which lessons a command works on: they are open in the call, with the learner's progress
    CLI_NO_LESSONS,
    CLI_SET,         // none in particular
    CLI_ONE_LESSON,  // the one that a word names, else the current one
    CLI_EACH_LESSON, // those that the words name, each once, else all
};

struct cli_call {
    const struct cli_command *command;
    void *request; // the command's own struct, filled from its options
    char **words;  // after the options; ends with NULL
    size_t word_count;
    char **options; // as they were given
    size_t option_count;
    struct lessons *lessons; // with a scope
    struct lesson **chosen;
    size_t chosen_count;
};

struct cli_command {
    const char *name;
    const char *arguments;   // "[LESSON…]", shown after the options
    const char *summary;     // one line of the list
    const char *description; // paragraphs, for --help and the manual
    const struct cli_option *options;
    size_t request_size;
    const void *defaults;           // of the request; NULL: zeros
    size_t least_words, most_words; // and what to say when it is another number of them; CLI_ONE_LESSON and
    const char *word_rule;          // CLI_EACH_LESSON have a rule of their own
    enum cli_scope scope;
    bool hidden; // for the program's own use
    int (*run)(struct cli_call *call);
    // Asked first, where it is set: takes the whole line, argv[0] being the command's name, or answers CLI_GO_ON.
    int (*run_line)(int argc, char **argv);
};

enum { CLI_GO_ON = -1 };

#define COMMAND(name) extern const struct cli_command cli_command_##name;
#include "cli/commands.def"
#undef COMMAND

// help.c
extern const struct cli_command *const cli_commands[]; // ends with NULL
const struct cli_command *cli_find(const char *name);  // NULL after a message that names the nearest
const struct cli_command *cli_find_part(const char *name, const char *part); // "class", "similar"; NULL: there is none

int cli_explain(const struct cli_command *command); // prints what `help` says of it
// Reads a line of the call's command: options into call->request, the rest into call->words. argv[0] is skipped.
// CLI_GO_ON, or what to exit with.
int cli_read_line(struct cli_call *call, int argc, char **argv);

// ---- messages

// "bankshot: …" on stderr; returns CLI_USAGE, so that a command can `return cli_error(…)`.
int cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
// "there is no lesson 'x'; did you mean 'y'?", or what lists them: "bankshot lessons".
void cli_unknown(const char *what, const char *word, const char *const *names, size_t count, const char *lister);
// A usage mistake: the message, and where help is.
int cli_usage(const struct cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Prints the diagnostic; FAILED when it is the learner's (compile error, fault …), else USAGE.
int cli_diagnostic(const struct diagnostic *diagnostic);
// Everything that a command prints goes through these: whatever names, titles and messages hold, nothing reaches a
// terminal but printable text, tabs and ends of lines (.ci/house sees to it).
void cli_print(const char *format, ...) __attribute__((format(printf, 1, 2))); // to standard output
void cli_print_escaped(FILE *stream, const char *text);
// On standard output; these let go of what they print.
void cli_print_text(struct text *text);
void cli_print_json(json_t *json);
// How far a long command is after so many seconds, and how long it will take: on a line of its own at a terminal.
void cli_progress(size_t done, size_t count, double seconds);
// A file's bytes, as they are unless standard output is a terminal.
void cli_print_bytes(const char *bytes, size_t length);

// A number in [least, most] from text, all of it; false otherwise.
bool cli_number(const char *text, long long least, long long most, long long *value);

#endif
