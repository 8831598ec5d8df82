#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/process.h"
#include "base/text.h"
#include "ui/ui.h"

enum { MAX_OPTIONS = 32 };

const struct cli_command *const cli_commands[] = {
#define COMMAND(name) &cli_command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};

const struct cli_command *cli_find(const char *name)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

int cli_no_command(const char *name)
{
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; cli_commands[i] && count < 64; i++)
        if (!cli_commands[i]->hidden)
            names[count++] = cli_commands[i]->name;
    const char *near = nearest_name(name, names, count);
    if (near)
        return cli_error("there is no command '%s'; did you mean '%s'?", name, near);
    return cli_error("there is no command '%s'; 'bankshot help' lists them", name);
}

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

static int run_command(int argc, char **argv)
{
    // `bankshot` and `bankshot --option …` are the lab's
    if (argc < 2 || argv[1][0] == '-')
        return cli_command_lab.run(argc, argv);
    const struct cli_command *command = cli_find(argv[1]);
    return command ? command->run(argc - 1, argv + 1) : cli_no_command(argv[1]);
}

int cli_main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    add_terminfo();
    int status;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        status = cli_command_help.run(1, argv);
    } else if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf("bankshot %s\n", BANKSHOT_VERSION);
        status = CLI_PASSED;
    } else {
        status = run_command(argc, argv);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_error("writing the result failed: %s", strerror(errno));
    return status;
}

// ---- options

struct cli_line cli_begin(const struct cli_command *command, int argc, char **argv)
{
    optind = 0;
    opterr = 0;
    return (struct cli_line){
        .command = command, .argc = argc, .argv = argv, .exit = CLI_PASSED, .settings = CLI_SETTINGS_DEFAULT};
}

// getopt's two lists from ours. Returns the number of options.
static size_t fill_options(const struct cli_option *options, struct option *longs, char *shorts)
{
    size_t count = 0;
    *shorts++ = ':';
    for (; options && options[count].name && count < MAX_OPTIONS; count++) {
        const struct cli_option *option = &options[count];
        longs[count] = (struct option){
            .name = option->name, .has_arg = option->argument ? required_argument : no_argument, .val = option->id};
        if (option->id < CLI_LONG) {
            *shorts++ = (char)option->id;
            if (option->argument)
                *shorts++ = ':';
        }
    }
    longs[count] = (struct option){.name = "help", .val = 'h'};
    longs[count + 1] = (struct option){0};
    strcpy(shorts, "h");
    return count;
}

static int stop(struct cli_line *line, int status)
{
    line->exit = status;
    return CLI_STOP;
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

// Takes an option that every command treats alike. Answers 0 when it was one, the id when it is the command's own.
static int take_common(struct cli_line *line, int id)
{
    static const char *const devices[] = {"auto", "sim", "gpu", NULL};
    static const char *const compilers[] = {"auto", "nvcc", "clang", NULL};
    struct cli_settings *settings = &line->settings;
    long long number;
    switch (id) {
    case CLI_JSON:
        settings->json = true;
        return 0;
    case CLI_DEVICE:
        settings->device = line->value;
        if (!is_one_of(line->value, devices))
            return stop(line, cli_usage(line->command, "--device is auto, sim or gpu, not '%s'", line->value));
        return 0;
    case CLI_COMPILER:
        settings->compiler = line->value;
        if (!is_one_of(line->value, compilers))
            return stop(line, cli_usage(line->command, "--compiler is auto, nvcc or clang, not '%s'", line->value));
        return 0;
    case CLI_GPU_MODEL:
        settings->gpu_model = line->value;
        return 0;
    case CLI_GPU:
        if (!cli_number(line->value, 0, 1023, &number))
            return stop(line, cli_usage(line->command, "--gpu wants a number from 0, not '%s'", line->value));
        settings->gpu = (int)number;
        return 0;
    default:
        return id;
    }
}

int cli_next(struct cli_line *line)
{
    struct option longs[MAX_OPTIONS + 2];
    char shorts[2 * MAX_OPTIONS + 4];
    fill_options(line->command->options, longs, shorts);
    for (;;) {
        int id = getopt_long(line->argc, line->argv, shorts, longs, NULL);
        const char *word = optind > 0 && optind <= line->argc ? line->argv[optind - 1] : "";
        line->value = optarg;
        if (id == 'h') {
            char *help[] = {(char *)"help", (char *)line->command->name, NULL};
            return stop(line, cli_command_help.run(2, help));
        }
        if (id == '?')
            return stop(line, cli_usage(line->command, "there is no option '%s'", word));
        if (id == ':')
            return stop(line, cli_usage(line->command, "the option '%s' wants a value", word));
        if (id == -1)
            return CLI_END;
        int own = take_common(line, id);
        if (own != 0)
            return own;
    }
}

char **cli_rest(const struct cli_line *line, int *count)
{
    *count = line->argc - optind;
    return line->argv + optind;
}

// ---- messages

static void put_message(const char *format, va_list args)
{
    fflush(stdout);
    fputs("bankshot: ", stderr);
    char message[1200];
    vsnprintf(message, sizeof message, format, args);
    cli_print_escaped(stderr, message);
    fputc('\n', stderr);
}

int cli_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_message(format, args);
    va_end(args);
    return CLI_USAGE;
}

int cli_usage(const struct cli_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_message(format, args);
    va_end(args);
    fprintf(stderr, "bankshot: 'bankshot help %s' tells more\n", command->name);
    return CLI_USAGE;
}

int cli_diagnostic(const struct diagnostic *diagnostic)
{
    char line[1200];
    fflush(stdout);
    if (diagnostic->file[0]) {
        cli_print_escaped(stderr, diagnostic_format(diagnostic, line, sizeof line));
        fputc('\n', stderr);
    } else {
        cli_error("%s", diagnostic->message);
    }
    switch (diagnostic->code) {
    case STATUS_COMPILE:
    case STATUS_LAUNCH:
    case STATUS_FAULT:
    case STATUS_TIMEOUT:
        return CLI_FAILED;
    default:
        return CLI_USAGE;
    }
}

void cli_print_escaped(void *stream, const char *text)
{
    struct text safe = {0};
    text_escape(&safe, text, strlen(text), true);
    fputs(text_get(&safe), stream);
    text_free(&safe);
}

bool cli_number(const char *text, long long least, long long most, long long *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 0);
    return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}
