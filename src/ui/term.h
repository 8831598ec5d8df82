// The terminal: the only place that knows curses. Opens, draws canvases, reads keys, and gives the terminal back as it
// was, whatever ends the program: the end, a signal, a crash, or the terminal going away.
#ifndef BANKSHOT_UI_TERM_H
#define BANKSHOT_UI_TERM_H

#include "base/diagnostic.h"
#include "ui/action.h"
#include "ui/canvas.h"

struct terminal {
    int colours; // 256, 16, 8 or 0
    bool ascii;  // the locale's characters are not UTF-8
    int width, height;
};

enum term_event { TERM_NOTHING = 0, TERM_RESIZED = 1, TERM_QUIT = 2, TERM_RESUMED = 4, TERM_INTERRUPTED = 8 };

// Whether stdin and stdout are a terminal that can place characters.
bool term_usable(void);
// mono: no colours even if there are some; they are also left out for NO_COLOR.
// ask: the terminal for its background. The answer comes among the keys, and never becomes one.
enum status term_open(struct terminal *term, bool mono, bool ask, struct diagnostic *diagnostic);
bool term_is_light(void); // it has answered that its background is light
// Of a string that begins a line of input: whether it is an answer, or may become one with what follows.
enum term_answer { TERM_ANSWER_NONE, TERM_ANSWER_PART, TERM_ANSWER_WHOLE };
enum term_answer term_answer(const char *text);
double term_lightness(const char *answer); // of what it answered, from 0 to 1; -1: it did not say
void term_close(void);

void term_draw(struct terminal *term, const struct canvas *canvas, enum theme theme, bool all);
// false: none waits. *pointer: what the mouse did, if it was that; *key is then 0.
bool term_key(uint32_t *key, struct pointer_event *pointer);
void term_mouse(bool on);

// Readable when a signal came; term_signals then says what happened, as a set of term_event. A suspension (^Z) is
// carried out inside and returns TERM_RESUMED.
int term_signal_descriptor(void);
unsigned term_signals(struct terminal *term);

// Gives the terminal to another program and takes it back.
void term_leave(void);
void term_return(struct terminal *term);
// Takes the signals that came meanwhile (an ended or stopped child makes the descriptor readable too). True: one of them
// asks the program to end.
bool term_wait_lent(void);

#endif
