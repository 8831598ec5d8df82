// `bankshot` alone: the lab on the terminal. `bankshot lab` is the same with options.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "ui/ui.h"

enum { LAB_SCRIPT = CLI_LONG + 100, LAB_SIZE, LAB_THEME, LAB_ASCII, LAB_MONO };

static const struct cli_option options[] = {
    CLI_OPTIONS_DEVICE,
    CLI_OPTION_COMPILER,
    {LAB_THEME, "theme", "NAME", "dark, light, or safe for colour-blind eyes"},
    {LAB_ASCII, "ascii", NULL, "no characters beyond ASCII"},
    {LAB_MONO, "mono", NULL, "no colours (NO_COLOR=1 does the same)"},
    {LAB_SCRIPT, "script", "KEYS", "play these keys on a screen in memory, without a terminal"},
    {LAB_SIZE, "size", "WxH", "of that screen (default: 80x24)"},
    {0},
};

static int run_lab(int argc, char **argv)
{
    struct cli_line line = cli_begin(&cli_command_lab, argc, argv);
    struct ui_options screen = {0};
    for (int option; (option = cli_next(&line)) != CLI_END;) {
        if (option == CLI_STOP)
            return line.exit;
        if (option == LAB_SCRIPT)
            screen.script = line.value;
        else if (option == LAB_THEME)
            screen.theme = line.value;
        else if (option == LAB_ASCII)
            screen.ascii = true;
        else if (option == LAB_MONO)
            screen.mono = true;
        else if (option == LAB_SIZE && sscanf(line.value, "%dx%d", &screen.columns, &screen.rows) != 2)
            return cli_usage(&cli_command_lab, "a size is written as 100x30, not '%s'", line.value);
    }
    int count;
    char **rest = cli_rest(&line, &count);
    if (count > 1)
        return cli_usage(&cli_command_lab, "at most one lesson can be opened");
    if (!screen.script && !ui_usable())
        return cli_error("the lab needs a terminal; 'bankshot help' lists the commands that do not");
    screen.lesson = count ? rest[0] : NULL;
    screen.device = line.settings.device;
    screen.gpu_model = line.settings.gpu_model;
    screen.compiler = line.settings.compiler;
    screen.gpu = line.settings.gpu;
    return ui_main(&screen);
}

const struct cli_command cli_command_lab = {
    .name = "lab",
    .arguments = "[LESSON]",
    .summary = "Open the lab on the terminal, at a lesson if one is named",
    .description = "A script is a list of keys: characters stand for themselves, others are written <Enter>, <Esc>, "
                   "<Down>, <^D>, and '<' is <lt>. <wait> waits until nothing runs any more, <size 100x30> resizes. "
                   ":save-screen FILE writes the screen as text.",
    .options = options,
    .run = run_lab,
};
