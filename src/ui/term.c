// The terminal, through curses; signals come through a pipe, and crashes put the terminal back at once.
#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "ui/action.h"

enum { ESCAPE_MS = 25 };

static const int crash_signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

static struct {
    int pipe[2];
    SCREEN *screen;
    bool active; // curses has the terminal
    struct termios saved;
    bool mouse;
    char leave[128]; // what puts the terminal back without curses, for crashes
} state = {.pipe = {-1, -1}};

bool term_usable(void)
{
    const char *name = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && name && *name && strcmp(name, "dumb") != 0;
}

// ---- signals: passed on through a pipe; crashes put the terminal back at once

static void on_signal(int number)
{
    int saved = errno;
    char byte = number == SIGWINCH  ? 'w'
                : number == SIGTSTP ? 'z'
                : number == SIGINT  ? 'i'
                : number == SIGCHLD ? 'c'
                                    : 'q';
    ssize_t written = write(state.pipe[1], &byte, 1);
    (void)written; // a full pipe already holds a message that wakes the loop
    errno = saved;
}

static void on_crash(int number)
{
    if (state.active) {
        static const char mouse_off[] = "\033[?1000l\033[?1006l";
        ssize_t written = write(STDOUT_FILENO, state.leave, strlen(state.leave));
        if (state.mouse)
            written = write(STDOUT_FILENO, mouse_off, sizeof mouse_off - 1);
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &state.saved);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void set_handlers(void)
{
    static const int told[] = {SIGWINCH, SIGTSTP, SIGTERM, SIGHUP, SIGINT, SIGCHLD};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        set_handler(told[i], on_signal);
    for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++)
        set_handler(crash_signals[i], on_crash);
    signal(SIGPIPE, SIG_IGN);
}

static void add_capability(const char *name)
{
    const char *value = tigetstr(name);
    if (!value || value == (const char *)-1 || strlen(state.leave) + strlen(value) + 3 > sizeof state.leave)
        return;
    strcat(state.leave, value);
}

static bool open_pipe(void)
{
    if (state.pipe[0] >= 0)
        return true;
    return pipe2(state.pipe, O_CLOEXEC | O_NONBLOCK) == 0;
}

int term_signal_descriptor(void)
{
    return state.pipe[0];
}

// ---- the background's colour

// "\033]11;rgb:ffff/ffff/dddd": how light that is, from 0 to 1; -1: it says nothing of the kind.
double term_lightness(const char *answer)
{
    static const double weights[] = {0.30, 0.59, 0.11};
    const char *at = strstr(answer, "]11;rgb:");
    double light = 0;
    for (int i = 0; i < 3; i++) {
        char *end;
        at = at ? at + (i ? 1 : strlen("]11;rgb:")) : "";
        unsigned long value = strtoul(at, &end, 16);
        if (end == at || end - at > 4 || (i < 2 && *end != '/'))
            return -1;
        light += weights[i] * (double)value / (double)((1ul << 4 * (end - at)) - 1);
        at = end;
    }
    return light;
}

// Every terminal answers what it is (DA1), and in order: once that has come, nothing more will, and no late answer can
// be taken for keys.
static double ask_lightness(void)
{
    enum { WAIT_MS = 1000 };
    static const char question[] = "\033]11;?\033\\\033[c";
    char answer[256] = "";
    size_t length = 0;
    struct termios raw = state.saved;
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 0, raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    bool asked = write(STDOUT_FILENO, question, sizeof question - 1) == (ssize_t)(sizeof question - 1);
    while (asked && length + 1 < sizeof answer && poll(&input, 1, WAIT_MS) > 0) {
        ssize_t got = read(STDIN_FILENO, answer + length, sizeof answer - 1 - length);
        if (got <= 0)
            break;
        length += (size_t)got;
        answer[length] = '\0';
        const char *kind = strstr(answer, "\033[?");
        if (kind && strchr(kind, 'c'))
            break;
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &state.saved);
    return term_lightness(answer);
}

// ---- opening and leaving

static int colours_of(bool mono)
{
    const char *none = getenv("NO_COLOR");
    if (mono || (none && *none) || !has_colors() || start_color() == ERR)
        return 0;
    use_default_colors();
    return COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
}

static void read_window_size(struct terminal *term)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
        resizeterm(size.ws_row, size.ws_col);
    getmaxyx(stdscr, term->height, term->width);
}

static void close_at_exit(void)
{
    if (state.active)
        endwin();
    state.active = false;
}

enum status term_open(struct terminal *term, bool mono, bool ask, struct diagnostic *diagnostic)
{
    setlocale(LC_CTYPE, ""); // only this: numbers in files stay as they are
    term->ascii = page_locale_is_ascii();
    if (!open_pipe())
        return diagnostic_set(diagnostic, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    tcgetattr(STDIN_FILENO, &state.saved);
    term->is_light = ask && ask_lightness() > 0.5;
    set_escdelay(ESCAPE_MS);
    state.screen = newterm(NULL, stdout, stdin);
    // a terminal that this machine has no description of (a new emulator, over ssh) most likely understands xterm's
    if (!state.screen)
        state.screen = newterm("xterm", stdout, stdin);
    if (!state.screen)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "cannot use the terminal '%s'; try TERM=xterm, or run bankshot without a terminal",
                              getenv("TERM") ? getenv("TERM") : "");
    state.active = true;
    atexit(close_at_exit);
    set_handlers();
    add_capability("sgr0");
    add_capability("cnorm");
    add_capability("rmcup");
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    term->colours = colours_of(mono);
    read_window_size(term);
    return STATUS_OK;
}

void term_close(void)
{
    close_at_exit();
    if (state.screen)
        delscreen(state.screen);
    state.screen = NULL;
}

void term_leave(void)
{
    if (!state.active)
        return;
    curs_set(1);
    // where the terminal has no second screen, the shell goes on in this one
    move(LINES - 1, 0);
    clrtoeol();
    refresh();
    endwin();
    state.active = false;
}

void term_return(struct terminal *term)
{
    state.active = true;
    set_handlers();
    clearok(stdscr, TRUE);
    refresh();
    curs_set(0);
    read_window_size(term);
}

static void suspend(struct terminal *term)
{
    term_leave();
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    term_return(term);
}

unsigned term_signals(struct terminal *term)
{
    unsigned events = TERM_NOTHING;
    char byte;
    while (read(state.pipe[0], &byte, 1) == 1) {
        if (byte == 'q')
            events |= TERM_QUIT;
        if (byte == 'i')
            events |= TERM_INTERRUPTED;
        if (byte == 'w')
            events |= TERM_RESIZED;
        if (byte == 'z') {
            suspend(term);
            events |= TERM_RESUMED;
        }
    }
    if (events & (TERM_RESIZED | TERM_RESUMED))
        read_window_size(term);
    return events;
}

bool term_wait_lent(void)
{
    bool ends = false;
    char byte;
    while (read(state.pipe[0], &byte, 1) == 1)
        ends |= byte == 'q'; // ^C and ^Z are for the program that has the terminal, a new size is read on return
    return ends;
}

// ---- drawing

static void make_character(cchar_t *out, const struct terminal *term, const struct cell *cell, enum theme theme)
{
    struct style style = theme_style(theme, term->colours, (enum role)cell->role);
    int background = -1;
    if (cell->under != ROLE_TEXT)
        background = theme_style(theme, term->colours, (enum role)cell->under).foreground;
    unsigned flags = style.flags | cell->flags;
    attr_t attributes = (flags & CELL_BOLD ? A_BOLD : 0) | (flags & CELL_REVERSE ? A_REVERSE : 0) |
                        (flags & CELL_UNDERLINE ? A_UNDERLINE : 0);
    wchar_t text[2] = {(wchar_t)cell->glyph, 0};
    int pair = term->colours ? alloc_pair(style.foreground, background) : 0;
    setcchar(out, text, attributes, (short)pair, &pair);
}

void term_draw(struct terminal *term, const struct canvas *canvas, enum theme theme, bool all)
{
    static cchar_t row[1024];
    const int widest = (int)(sizeof row / sizeof *row);
    if (all)
        clearok(stdscr, TRUE);
    erase();
    for (int y = 0; y < canvas->height && y < term->height; y++) {
        int count = 0;
        for (int x = 0; x < canvas->width && x < term->width && x < widest; x++) {
            const struct cell *cell = canvas_at(canvas, x, y);
            if (cell->glyph)
                make_character(&row[count++], term, cell, theme);
        }
        mvadd_wchnstr(y, 0, row, count);
    }
    if (canvas->cursor_x >= 0) {
        move(canvas->cursor_y, canvas->cursor_x);
        curs_set(1);
    } else {
        curs_set(0);
    }
    refresh();
}

// ---- keys

// A click counts when the button is let go: a press whose release comes in the same moment is told as the release
// alone.
static struct pointer_event read_mouse(void)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return (struct pointer_event){POINTER_NONE, 0, 0};
    enum pointer_kind kind = event.bstate & BUTTON4_PRESSED    ? POINTER_WHEEL_UP
                             : event.bstate & BUTTON5_PRESSED  ? POINTER_WHEEL_DOWN
                             : event.bstate & BUTTON1_RELEASED ? POINTER_PRESS
                                                               : POINTER_NONE;
    return (struct pointer_event){kind, event.x, event.y};
}

static uint32_t special_key(wint_t code)
{
    static const struct {
        wint_t code;
        uint32_t key;
    } keys[] = {{KEY_UP, KEY_NAME_UP},         {KEY_DOWN, KEY_NAME_DOWN},       {KEY_LEFT, KEY_NAME_LEFT},
                {KEY_RIGHT, KEY_NAME_RIGHT},   {KEY_HOME, KEY_NAME_HOME},       {KEY_END, KEY_NAME_END},
                {KEY_PPAGE, KEY_NAME_PAGE_UP}, {KEY_NPAGE, KEY_NAME_PAGE_DOWN}, {KEY_BTAB, KEY_NAME_BACKTAB},
                {KEY_DC, KEY_NAME_DELETE},     {KEY_ENTER, KEY_NAME_ENTER},     {KEY_BACKSPACE, KEY_NAME_BACKSPACE}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].code == code)
            return keys[i].key;
    return 0;
}

bool term_key(uint32_t *key, struct pointer_event *pointer)
{
    wint_t code;
    int kind = get_wch(&code);
    *pointer = (struct pointer_event){POINTER_NONE, 0, 0};
    *key = 0;
    if (kind == ERR)
        return false;
    if (kind == KEY_CODE_YES && code == KEY_MOUSE)
        *pointer = read_mouse();
    else
        *key = kind == KEY_CODE_YES ? special_key(code) : (uint32_t)code;
    return true;
}

void term_mouse(bool on)
{
    mouseinterval(0); // else curses waits whether a press becomes a click
    // Releases and other buttons mean nothing here, but curses waits for the next key inside an event that it was not
    // asked for, and hears no signal meanwhile.
    static const mmask_t all = BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON2_PRESSED | BUTTON2_RELEASED |
                               BUTTON3_PRESSED | BUTTON3_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED;
    mousemask(on ? all : 0, NULL);
    state.mouse = on;
}
