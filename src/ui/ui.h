// The lab's screen. `bankshot` without a command on a terminal calls ui_main; with a script, no terminal is needed.
#ifndef BANKSHOT_UI_UI_H
#define BANKSHOT_UI_UI_H

#include <stdbool.h>
#include <stdint.h>

struct ui_options {
    // A kernel of no lesson in place of the lessons: the words of `trace FILE OPTIONS`, ending with NULL; the lesson that
    // stands for it, which becomes the screen's; and its page. NULL: the lessons.
    const char *const *own;
    struct lesson *own_lesson;
    const char *own_page;
    int line, warp, time;                      // whose picture is opened after the first run; line 0 = none
    const char *lesson;                        // to open at once: number, id or name; NULL = the list of lessons
    const char *device, *gpu_model, *compiler; // NULL = auto
    int gpu;                                   // -1 = the idlest
    uint64_t seed;                             // of the inputs of each run of a lesson; 0 = fresh
    const char *theme;                         // "dark", "light", "safe"; NULL = $BANKSHOT_THEME, else the one kept
    // Keys to play instead of reading a terminal: characters as they are, <Enter>, <Esc>, <^D> … by name, <lt> for '<',
    // <wait> until nothing runs any more, <size WxH> for a resize, <screen FILE> to write the screen as text. The
    // screen is a canvas in memory. NULL = interactive.
    const char *script;
    int columns, rows; // script: size of the screen; 0 = 80 x 24
    bool mouse;        // on from the start; else only if $BANKSHOT_MOUSE is set and not 0
    bool ascii, mono;  // script and terminal: no characters beyond ASCII, no colours
};

// Whether stdin and stdout are a terminal that the screen can use; else a command prints plain text instead.
bool ui_usable(void);

// Returns the exit status: 0 left by the user, 2 when the lab cannot open (the message is on stderr).
int ui_main(const struct ui_options *options);

#endif
