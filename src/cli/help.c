// The table of commands, and `help` and `manual`, which are written from it.
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "cli/cli.h"
#include "ui/action.h"

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

static int print_list(void)
{
    printf("Bankshot %s: see what your warp does to the banks.\n\n"
           "bankshot                open the lab (without a terminal: a plain tour of the current lesson)\n"
           "bankshot COMMAND …      one of:\n\n",
           BANKSHOT_VERSION);
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden)
            printf("  %-13s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    printf("\n'bankshot help COMMAND' says more. Exit status: 0 passed, 1 something failed, 2 usage or environment.\n");
    return CLI_PASSED;
}

static int run_help(struct cli_call *call)
{
    const struct cli_command *command = call->word_count == 2   ? cli_find_part(call->words[0], call->words[1])
                                        : call->word_count == 1 ? cli_find(call->words[0])
                                                                : NULL;
    if (call->word_count == 2 && !command)
        return cli_usage(call->command, "there is no command '%s %s'", call->words[0], call->words[1]);
    return command ? cli_explain(command) : call->word_count ? CLI_USAGE : print_list();
}

const struct cli_command cli_command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "List the commands, or explain one",
    .most_words = 2,
    .word_rule = "one command at a time",
    .run = run_help,
};

// ---- the manual page

// roff: a line must not start with a dot or quote, and backslashes and hyphens are meant as written.
static void put_manual_text(const char *text)
{
    bool at_start = true;
    for (utf8proc_int32_t code; *text;) {
        text += utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code); // our own strings: well-formed
        if (at_start && (code == '.' || code == '\''))
            fputs("\\&", stdout);
        at_start = code == '\n';
        if (code == '\\')
            fputs("\\e", stdout);
        else if (code == '-')
            fputs("\\-", stdout);
        else if (code >= 0x80)
            printf("\\[u%04X]", (unsigned)code);
        else
            putchar(code);
    }
}

static void put_command_roff(const struct cli_command *command)
{
    printf(".SS bankshot %s ", command->name);
    put_manual_text(command->arguments);
    puts("");
    put_manual_text(command->summary);
    puts(".");
    if (command->description) {
        puts(".PP\n.nf");
        put_manual_text(command->description);
        puts("\n.fi");
    }
    for (const struct cli_option *option = command->options; option && option->name; option++) {
        puts(".TP");
        printf(".B ");
        if (option->letter)
            printf("\\-%c, ", option->letter);
        printf("\\-\\-");
        put_manual_text(option->name);
        putchar(' ');
        put_manual_text(option->argument ? option->argument : "");
        puts("");
        put_manual_text(option->help);
        puts("");
    }
}

// The keys of every view, from the same table as the lab's own help.
static void put_keys(void)
{
    puts(".SH KEYS");
    for (int i = 1; i < ACTION_COUNT; i++) {
        const struct action_info *info = action_info((enum action)i);
        const char *before = " (";
        printf(".TP\n.B ");
        put_manual_text(info->keys);
        printf("%s:", *info->keys ? "   " : "");
        put_manual_text(info->name);
        puts("");
        put_manual_text(info->help);
        for (int view = 0; view < VIEW_COUNT && info->views != IN_ALL; view++) {
            if (!(info->views & (1u << view)))
                continue;
            printf("%s%s", before, view_name((enum view)view));
            before = ", ";
        }
        puts(info->views != IN_ALL ? ")" : "");
    }
}

static void put_environment(void)
{
    static const char *const variables[][2] = {
        {"BANKSHOT_LESSONS", "the folder that holds lessons/ (default: what came with the program)"},
        {"BANKSHOT_NVCC, BANKSHOT_CLANG, BANKSHOT_PTXAS", "these programs, instead of those that are found"},
        {"NVCC_CCBIN", "the gcc that nvcc runs"},
        {"BANKSHOT_THEME, BANKSHOT_MOUSE, NO_COLOR", "the screen: --theme, --mouse, --mono"},
        {"VISUAL, EDITOR", "the editor that the lab opens"},
        {"XDG_STATE_HOME, XDG_DATA_HOME, XDG_CACHE_HOME",
         "where bankshot/ keeps your progress, profiles of GPUs, compiled kernels (default: ~/.local/state, "
         "~/.local/share, ~/.cache)"},
    };
    puts(".SH ENVIRONMENT");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        printf(".TP\n.B ");
        put_manual_text(variables[i][0]);
        puts("");
        put_manual_text(variables[i][1]);
        puts("");
    }
}

static int run_manual(struct cli_call *call)
{
    (void)call;
    printf(".TH BANKSHOT 1 \"\" \"Bankshot %s\" \"User Commands\"\n", BANKSHOT_VERSION);
    puts(".SH NAME\nbankshot \\- a terminal lab for CUDA shared memory\n"
         ".SH SYNOPSIS\n.B bankshot\n.br\n.B bankshot\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
         ".SH DESCRIPTION\nA learner reads a lesson, edits one .cu file and saves it. Bankshot compiles it, runs it on "
         "the\n"
         "built-in simulator or a GPU, shows which banks each warp hits on which source line, and grades the result.\n"
         ".PP\nWithout a command it opens the lab. Without a terminal it prints a plain tour of the current lesson.\n"
         ".SH COMMANDS");
    for (size_t i = 0; cli_commands[i]; i++)
        if (!cli_commands[i]->hidden)
            put_command_roff(cli_commands[i]);
    put_keys();
    put_environment();
    puts(".SH EXIT STATUS\n0: passed. 1: something failed. 2: usage or environment.");
    return CLI_PASSED;
}

const struct cli_command cli_command_manual = {
    .name = "manual",
    .arguments = "",
    .summary = "Print the manual page's source (for man)",
    .hidden = true,
    .run = run_manual,
};
