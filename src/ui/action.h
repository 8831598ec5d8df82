// Actions and keys: actions.def is the one table behind the key map, the help view, the palette and the manual page.
//
// A key is a code point, a control character (^D is 4), or one of the named keys below. In tables and scripts a key
// is written as itself, as ^X, or by name: Up Down Left Right Home End PageUp PageDown Enter Tab BackTab Esc Space
// Backspace Delete.
#ifndef BANKSHOT_UI_ACTION_H
#define BANKSHOT_UI_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum view { VIEW_HOME, VIEW_LESSON, VIEW_BANKS, VIEW_GLOBAL, VIEW_STEP, VIEW_REPORT, VIEW_PLAY, VIEW_TIMELINE, VIEW_OCCUPANCY, VIEW_HELP, VIEW_COUNT };
const char *view_name(enum view view);

// Bits for the views in which an action has its keys.
enum {
    IN_HOME = 1 << VIEW_HOME,
    IN_LESSON = 1 << VIEW_LESSON,
    IN_BANKS = 1 << VIEW_BANKS,
    IN_GLOBAL = 1 << VIEW_GLOBAL,
    IN_STEP = 1 << VIEW_STEP,
    IN_REPORT = 1 << VIEW_REPORT,
    IN_PLAY = 1 << VIEW_PLAY,
    IN_HELP = 1 << VIEW_HELP,
    IN_TIMELINE = 1 << VIEW_TIMELINE,
    IN_OCCUPANCY = 1 << VIEW_OCCUPANCY,
    IN_ALL = (1 << VIEW_COUNT) - 1,
    IN_RUN = IN_LESSON | IN_BANKS | IN_GLOBAL | IN_STEP | IN_REPORT | IN_TIMELINE | IN_OCCUPANCY, // views of a lesson
    IN_PICTURE = IN_BANKS | IN_GLOBAL | IN_STEP
};

enum action {
    ACTION_NONE,
#define A(name, ...) ACTION_##name,
#include "ui/actions.def"
#undef A
    ACTION_COUNT
};

enum key {
    KEY_NAMED = 0x110000,
    KEY_NAME_UP = KEY_NAMED,
    KEY_NAME_DOWN,
    KEY_NAME_LEFT,
    KEY_NAME_RIGHT,
    KEY_NAME_HOME,
    KEY_NAME_END,
    KEY_NAME_PAGE_UP,
    KEY_NAME_PAGE_DOWN,
    KEY_NAME_BACKTAB,
    KEY_NAME_DELETE,
    KEY_NAME_ENTER = '\r',
    KEY_NAME_TAB = '\t',
    KEY_NAME_ESC = 0x1b,
    KEY_NAME_SPACE = ' ',
    KEY_NAME_BACKSPACE = 0x7f
};

// What a mouse did, at a column and a row.
enum pointer_kind { POINTER_NONE, POINTER_PRESS, POINTER_WHEEL_UP, POINTER_WHEEL_DOWN };
struct pointer_event {
    enum pointer_kind kind;
    int x, y;
};

struct action_info {
    const char *name; // for the palette: "reset"
    const char *keys; // "j Down"; "" = palette only
    unsigned views;
    const char *brief; // one or two words for the status line; "" = not shown there
    const char *help;
};

const struct action_info *action_info(enum action action);
enum action action_for_key(enum view view, uint32_t key);
// By its whole name; ACTION_NONE: there is none.
bool action_is_of_lessons(enum action action); // a kernel of the user's own has no such thing
enum action action_find(const char *name);

// Reads one key as written above from *text and moves past it; 0 at the end. In scripts names are written in <>.
uint32_t key_parse(const char **text, bool script);
void key_format(struct text *text, uint32_t key);

#endif
