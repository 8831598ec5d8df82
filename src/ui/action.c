// The tables of actions, views and named keys, and how keys are read and written.
#include "ui/action.h"

#include <string.h>

#include "ui/canvas.h"

static const struct action_info actions[ACTION_COUNT] = {
    {"", "", 0, "", ""},
#define A(id, name, keys, views, brief, help) {name, keys, views, brief, help},
#include "ui/actions.def"
#undef A
};

static const char *const view_names[VIEW_COUNT] = {"lessons", "lesson",     "banks",    "global",    "step",
                                                   "report",  "playground", "timeline", "occupancy", "keys"};

static const struct {
    const char *name;
    uint32_t key;
} named[] = {
    {"Up", KEY_NAME_UP},           {"Down", KEY_NAME_DOWN},
    {"Left", KEY_NAME_LEFT},       {"Right", KEY_NAME_RIGHT},
    {"Home", KEY_NAME_HOME},       {"End", KEY_NAME_END},
    {"PageUp", KEY_NAME_PAGE_UP},  {"PageDown", KEY_NAME_PAGE_DOWN},
    {"Enter", KEY_NAME_ENTER},     {"Tab", KEY_NAME_TAB},
    {"BackTab", KEY_NAME_BACKTAB}, {"Esc", KEY_NAME_ESC},
    {"Space", KEY_NAME_SPACE},     {"Backspace", KEY_NAME_BACKSPACE},
    {"Delete", KEY_NAME_DELETE},   {"lt", '<'},
};

const char *view_name(enum view view)
{
    return view_names[view];
}

const struct action_info *action_info(enum action action)
{
    return &actions[action];
}

enum action action_for_key(enum view view, uint32_t key)
{
    for (int i = 1; i < ACTION_COUNT; i++) {
        if (!(actions[i].views & (1u << view)))
            continue;
        const char *keys = actions[i].keys;
        for (uint32_t one; (one = key_parse(&keys, false)) != 0;)
            if (one == key)
                return (enum action)i;
    }
    return ACTION_NONE;
}

bool action_is_of_lessons(enum action action)
{
    return action == ACTION_ANSWER || action == ACTION_HINT || action == ACTION_TASK || action == ACTION_SOLUTION ||
           action == ACTION_RESET || action == ACTION_NEXT_LESSON;
}

enum action action_find(const char *name)
{
    for (int i = 1; i < ACTION_COUNT; i++)
        if (strcmp(actions[i].name, name) == 0)
            return (enum action)i;
    return ACTION_NONE;
}

static uint32_t find_name(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strlen(named[i].name) == length && strncmp(named[i].name, text, length) == 0)
            return named[i].key;
    return 0;
}

// One word, without its brackets in a script.
static uint32_t parse_key_name(const char *word, size_t length)
{
    uint32_t key = find_name(word, length);
    if (key)
        return key;
    if (length == 2 && word[0] == '^')
        return (uint32_t)word[1] & 0x1f;
    cell_decode(word, &key);
    return key;
}

uint32_t key_parse(const char **text, bool script)
{
    const char *at = *text;
    if (script) {
        const char *end = *at == '<' ? strchr(at, '>') : NULL;
        uint32_t key = 0;
        if (end && end - at > 1) {
            *text = end + 1;
            return parse_key_name(at + 1, (size_t)(end - at - 1));
        }
        *text += cell_decode(at, &key);
        return key;
    }
    at += strspn(at, " ");
    size_t length = strcspn(at, " ");
    *text = at + length;
    return length ? parse_key_name(at, length) : 0;
}

void key_format(struct text *text, uint32_t key)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (named[i].key == key && key != '<') {
            text_puts(text, named[i].name);
            return;
        }
    }
    if (key < 0x20)
        text_printf(text, "^%c", (char)(key | 0x40));
    else
        cell_encode(text, key);
}
