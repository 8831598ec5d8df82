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

#include "base/clock.h"
#include "ui/action.h"

// An answer comes in one piece, or over a slow line in several; a terminal that never answers costs Escape no time
// after the first seconds.
enum { ESCAPE_MS = 25, ANSWER_PART_MS = 100, ANSWER_SECONDS = 3 };

static const int crash_signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

static struct {
    int pipe[2];
    SCREEN *screen;
    bool active; // curses has the terminal
    struct termios saved;
    bool mouse;
    char leave[128]; // what puts the terminal back without curses, for crashes
    bool is_light;
    double asked_at;           // when the background was asked for; 0: no answer is awaited
    char held[64];             // what was typed, or the beginning of an answer, in front of what curses has
    size_t held_count, let_go; // the first of them are keys
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
    static const int told[] = {SIGWINCH, SIGTSTP, SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGCHLD};
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

// How much of an answer this is: the background, or what the terminal is (DA1). Answers come among the keys.
enum term_answer term_answer(const char *text)
{
    static const struct {
        const char *start, *middle, *ends[2];
    } answers[] = {{"\033]11;rgb", "a:/0123456789ABCDEFabcdef", {"\a", "\033\\"}},
                   {"\033[?", "0123456789;", {"c", "c"}}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        size_t first = strlen(answers[i].start), length = strlen(text);
        if (strncmp(text, answers[i].start, length < first ? length : first) != 0)
            continue;
        const char *rest = length < first ? "" : text + first + strspn(text + first, answers[i].middle);
        if (strcmp(rest, answers[i].ends[0]) == 0 || strcmp(rest, answers[i].ends[1]) == 0)
            return TERM_ANSWER_WHOLE;
        if (strncmp(rest, answers[i].ends[1], strlen(rest)) == 0)
            return TERM_ANSWER_PART;
    }
    return TERM_ANSWER_NONE;
}

// Nothing waits for the answer: the first picture is drawn without it. Every terminal says what it is, and in order:
// once that has come, nothing more will.
static void ask_background(void)
{
    static const char question[] = "\033]11;?\033\\\033[c";
    bool asked = write(STDOUT_FILENO, question, sizeof question - 1) == (ssize_t)(sizeof question - 1);
    state.asked_at = asked ? clock_seconds() : 0;
}

static bool is_awaited(void)
{
    return state.asked_at > 0 && clock_seconds() < state.asked_at + (int)ANSWER_SECONDS;
}

static void push_back(int kind, wint_t code)
{
    if (kind == KEY_CODE_YES)
        ungetch((int)code);
    else if (kind == OK)
        unget_wch((wchar_t)code);
}

// What is held without being (part of) an answer is let go, key by key: an Escape may stand before an answer.
static void sort_held(void)
{
    enum term_answer found = TERM_ANSWER_NONE;
    while (state.let_go < state.held_count) {
        found = term_answer(state.held + state.let_go);
        if (found != TERM_ANSWER_NONE)
            break;
        state.let_go++;
    }
    if (found != TERM_ANSWER_WHOLE)
        return;
    const char *answer = state.held + state.let_go;
    state.is_light |= term_lightness(answer) > 0.5;
    if (answer[1] == '[') // what it is: the last
        state.asked_at = 0;
    state.held_count = state.let_go;
    state.held[state.held_count] = '\0';
}

// Waits a moment for the rest of an answer that has begun; a signal ends curses' waiting, not this.
static int read_code(wint_t *code)
{
    double now = clock_seconds(), end = state.held_count > 0 && is_awaited() ? now + (int)ANSWER_PART_MS / 1e3 : now;
    int kind = ERR;
    do {
        timeout((int)((end - now) * 1000));
        kind = get_wch(code);
        now = clock_seconds();
    } while (kind == ERR && now < end);
    timeout(0);
    return kind;
}

// The next key or part of one, answers of the terminal taken out; ERR: none waits.
static int next_code(wint_t *code)
{
    wint_t read = 0;
    while (state.let_go == 0) {
        int kind = read_code(&read);
        bool may_be = state.asked_at > 0 && kind == OK && read < 128 && state.held_count + 1 < sizeof state.held;
        if (!may_be && state.held_count == 0) {
            *code = read;
            return kind;
        }
        if (may_be) {
            state.held[state.held_count++] = (char)read;
            state.held[state.held_count] = '\0';
            sort_held();
        } else { // it ends here: all of it was keys
            state.let_go = state.held_count;
            push_back(kind, read);
        }
    }
    *code = (unsigned char)state.held[0];
    state.let_go--;
    state.held_count--;
    memmove(state.held, state.held + 1, state.held_count + 1);
    return OK;
}

// A late answer must not become the next program's input. What was typed meanwhile stays for the lab's return.
static void await_answer(void)
{
    struct {
        int kind;
        wint_t code;
    } typed[32];
    size_t count = 0;
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    double end = clock_seconds() + (int)ANSWER_PART_MS / 1e3;
    while (is_awaited() && clock_seconds() < end && count < sizeof typed / sizeof *typed) {
        poll(&input, 1, ANSWER_PART_MS / 10);
        if (input.revents & (POLLHUP | POLLERR | POLLNVAL))
            break;
        typed[count].kind = next_code(&typed[count].code);
        count += typed[count].kind != ERR;
    }
    while (count-- > 0)
        push_back(typed[count].kind, typed[count].code);
}

bool term_is_light(void)
{
    return state.is_light;
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

enum status term_open(struct terminal *term, bool mono, bool ask, struct diagnostic *diagnostic)
{
    setlocale(LC_CTYPE, ""); // only this: numbers in files stay as they are
    term->ascii = page_locale_is_ascii();
    if (!open_pipe())
        return diagnostic_set(diagnostic, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    tcgetattr(STDIN_FILENO, &state.saved);
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
    if (ask)
        ask_background();
    return STATUS_OK;
}

void term_close(void)
{
    await_answer();
    close_at_exit();
    if (state.screen)
        delscreen(state.screen);
    state.screen = NULL;
}

void term_leave(void)
{
    if (!state.active)
        return;
    await_answer();
    close_at_exit();
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
    int kind = next_code(&code);
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
