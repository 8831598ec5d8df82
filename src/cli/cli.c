// A command's line is read here, and explained; and what commands print and say goes out.
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/page.h"

enum { MAX_OPTIONS = 32, OPTION_COLUMN = 26, HELP_WIDTH = 80 };

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

static void print_option(const struct cli_option *option)
{
    struct page page;
    struct text text = {0};
    page_init(&page, HELP_WIDTH, false);
    page_start(&page, 0);
    page_add(&page, ROLE_TEXT, "  %c%c%s--%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
             option->letter ? ", " : "  ", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    if (page_column(&page) >= OPTION_COLUMN)
        page_start(&page, 0);
    page_pad(&page, OPTION_COLUMN);
    page_words(&page, OPTION_COLUMN, ROLE_TEXT, option->help);
    page_print(&page, &text);
    printf("%s", text_get(&text));
    text_free(&text);
    page_free(&page);
}

int cli_explain(const struct cli_command *command)
{
    printf("bankshot %s%s%s%s\n\n%s.\n", command->name, command->options ? " [OPTION…]" : "",
           command->arguments[0] ? " " : "", command->arguments, command->summary);
    if (command->description)
        printf("\n%s\n", command->description);
    if (command->options) {
        printf("\nOptions\n");
        for (const struct cli_option *option = command->options; option->name; option++)
            print_option(option);
    }
    return CLI_PASSED;
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
            return cli_explain(command);
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
