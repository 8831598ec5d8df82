// The line is taken apart here, and `main` begins here.
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fields.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/process.h"
#include "cli/lessons.h"

enum { MAX_OPTIONS = 32 };

const struct cli_command *const cli_commands[] = {
#define COMMAND(name) &cli_command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};

const struct cli_command *cli_find_part(const char *name, const char *part)
{
    char both[64];
    snprintf(both, sizeof both, "%s %s", name, part);
    for (size_t i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, both) == 0)
            return cli_commands[i];
    return NULL;
}

const struct cli_command *cli_find(const char *name)
{
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; cli_commands[i]; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
        if (!cli_commands[i]->hidden && count < 64)
            names[count++] = cli_commands[i]->name;
    }
    cli_unknown("command", name, names, count, "bankshot help");
    return NULL;
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

// ---- a command's line

const char *const cli_devices[] = {"auto", "sim", "gpu", NULL};
const char *const cli_compilers[] = {"auto", "nvcc", "clang", NULL};

// getopt's two lists from ours; a long option answers its place + FIRST_PLACE.
enum { FIRST_PLACE = 256 };
static void fill_options(const struct cli_option *options, struct option *longs, char *shorts)
{
    size_t count = 0;
    *shorts++ = ':';
    *shorts++ = 'h';
    for (; options && options[count].name && count < MAX_OPTIONS; count++) {
        const struct cli_option *option = &options[count];
        longs[count] = (struct option){.name = option->name,
                                       .has_arg = option->argument ? required_argument : no_argument,
                                       .val = FIRST_PLACE + (int)count};
        if (option->letter)
            *shorts++ = option->letter;
        if (option->letter && option->argument)
            *shorts++ = ':';
    }
    longs[count] = (struct option){.name = "help", .val = 'h'};
}

static void store_number(void *field, size_t size, long long value)
{
    memcpy(field, &value, size); // little-endian, as everything here
}

static int refuse_value(const struct cli_command *command, const struct cli_option *option, const char *value)
{
    struct text list = {0};
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        text_printf(&list, "%s%s", i == 0 ? "" : option->choices[i + 1] ? ", " : " or ", option->choices[i]);
    if (!option->choices)
        text_puts(&list, option->wants);
    if (option->kind == CLI_NUMBER && strstr(option->wants, " from ") && !strstr(option->wants, " to "))
        text_printf(&list, " to %lld", option->most);
    cli_usage(command, "--%s %s %s, not '%s'", option->name, option->choices ? "is" : "wants", text_get(&list), value);
    text_free(&list);
    return CLI_USAGE;
}

// Of options that fill one field with a value each: the one that filled it before; NULL: none did.
static const struct cli_option *given_before(const struct cli_command *command, const struct cli_option *option,
                                             const void *field)
{
    long long number = 0;
    memcpy(&number, field, option->size);
    for (const struct cli_option *other = command->options; option->value && other->name; other++)
        if (other != option && other->kind == CLI_FLAG && other->offset == option->offset && other->value == number)
            return other;
    return NULL;
}

static int take_option(const struct cli_command *command, const struct cli_option *option, void *request,
                       const char *value)
{
    unsigned char *field = (unsigned char *)request + option->offset;
    struct cli_list *list = (struct cli_list *)(void *)field;
    long long number;
    bool good = true;
    switch (option->kind) {
    case CLI_FLAG:
        if (given_before(command, option, field))
            return cli_usage(command, "--%s or --%s, one of them", given_before(command, option, field)->name,
                             option->name);
        store_number(field, option->size, option->value ? option->value : 1);
        break;
    case CLI_CHOICE:
        good = false;
        for (size_t i = 0; option->choices[i]; i++)
            good |= strcmp(option->choices[i], value) == 0;
        memcpy(field, &value, sizeof value);
        break;
    case CLI_STRING:
        if (!*value)
            return cli_usage(command, "the option '--%s' needs a value", option->name);
        memcpy(field, &value, sizeof value);
        break;
    case CLI_NUMBER:
        good = cli_number(value, option->least, option->most, &number);
        store_number(field, option->size, number);
        break;
    case CLI_LIST:
        if (list->count == CLI_LIST_MAX)
            return cli_usage(command, "--%s may be given at most %d times", option->name, CLI_LIST_MAX);
        list->items[list->count++] = value;
        break;
    case CLI_READ:
        good = option->read(field, value);
        break;
    }
    return good ? CLI_PASSED : refuse_value(command, option, value);
}

// CLI_GO_ON: the options are in call->request, the other words in call->words. Else what to exit with.
int cli_read_line(struct cli_call *call, int argc, char **argv)
{
    const struct cli_command *command = call->command;
    struct option longs[MAX_OPTIONS + 2] = {0};
    char shorts[2 * MAX_OPTIONS + 4] = {0};
    fill_options(command->options, longs, shorts);
    optind = 0;
    opterr = 0;
    for (int id; (id = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
        if (id == 'h')
            return cli_help(command);
        if (id == '?')
            return cli_usage(command, "there is no option '%s'", word);
        if (id == ':')
            return cli_usage(command, "the option '%s' needs a value", word);
        const struct cli_option *option = command->options;
        while (id < FIRST_PLACE && option->letter != id)
            option++;
        option += id < FIRST_PLACE ? 0 : id - FIRST_PLACE;
        int status = take_option(command, option, call->request, optarg);
        if (status != CLI_PASSED)
            return status;
    }
    // getopt has moved the options to the front
    call->options = argv + 1;
    call->option_count = (size_t)optind - 1;
    call->words = argv + optind;
    call->word_count = (size_t)(argc - optind);
    return CLI_GO_ON;
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
        return cli_help(NULL);
    if (strcmp(first, "--version") == 0)
        return printf("bankshot %s\n", BANKSHOT_VERSION) < 0 ? CLI_USAGE : CLI_PASSED;
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

int cli_main(int argc, char **argv)
{
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

void cli_unknown(const char *what, const char *word, const char *const *names, size_t count, const char *lister)
{
    const char *near = nearest_name(word, names, count);
    if (near)
        cli_error("there is no %s '%s'; did you mean '%s'?", what, word, near);
    else
        cli_error("there is no %s '%s'; '%s' lists them", what, word, lister);
}

int cli_usage(const struct cli_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_message(format, args);
    va_end(args);
    fprintf(stderr, "bankshot: 'bankshot help %s' says more\n", command->name);
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

void cli_print_escaped(FILE *stream, const char *text)
{
    struct text safe = {0};
    text_escape(&safe, text, strlen(text), true);
    fputs(text_get(&safe), stream);
    text_free(&safe);
}

void cli_print(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = mem_alloc((size_t)(length > 0 ? length : 0) + 1);
    if (length > 0)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    cli_print_escaped(stdout, text);
    free(text);
}

void cli_print_text(struct text *text)
{
    cli_print_escaped(stdout, text_get(text));
    text_free(text);
}

void cli_progress(size_t done, size_t count, double seconds)
{
    enum { BAR = 24 };
    static const char full[] = "########################";
    if (!isatty(STDERR_FILENO))
        return;
    size_t filled = count ? done * BAR / count : BAR;
    double left = done ? seconds / (double)done * (double)(count - done) : 0;
    fprintf(stderr, "\r[%-*.*s] %zu of %zu", BAR, (int)filled, full, done, count);
    if (done == count)
        fprintf(stderr, ", %.0f s%20s\n", seconds, "");
    else if (done)
        fprintf(stderr, left < 90 ? ", about %.0f s left   " : ", about %.0f min left   ",
                left < 90 ? left : left / 60);
}

void cli_print_bytes(const char *bytes, size_t length)
{
    struct text text = {0};
    if (!isatty(STDOUT_FILENO)) {
        fwrite(bytes, 1, length, stdout);
        return;
    }
    text_escape(&text, bytes, length, true);
    cli_print_text(&text);
}

void cli_print_json(json_t *json)
{
    size_t ascii = isatty(STDOUT_FILENO) ? JSON_ENSURE_ASCII : 0; // there are control characters beyond ASCII
    char *text = json_dumps(json, JSON_PRESERVE_ORDER | JSON_INDENT(2) | ascii); // json_dumpf writes piece by piece
    if (text)
        puts(text);
    free(text);
    json_decref(json);
}

bool cli_number(const char *text, long long least, long long most, long long *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 0);
    return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}
