// Themes: what each role of the screen looks like at 256, 16 or 8 colours and without any. Roles say what a cell
// means; only term.c and export.c ask for its colour.
#ifndef BANKSHOT_UI_THEME_H
#define BANKSHOT_UI_THEME_H

#include "base/page.h"

enum theme { THEME_DARK, THEME_LIGHT, THEME_SAFE, THEME_COUNT };

struct style {
    int foreground; // colour index, -1 = the terminal's own
    unsigned flags; // enum cell_flag
};

const char *theme_name(enum theme theme);
// THEME_COUNT: no such theme.
enum theme theme_find(const char *name);
// colours: 256, 16, 8 or 0.
struct style theme_style(enum theme theme, int colours, enum role role);
// 0xRRGGBB of a 256-colour index, for exports.
uint32_t theme_rgb(int index);

// The role for a cost of 1 … 32 wavefronts: six steps, cool to hot.
enum role theme_heat(unsigned degree);
// The role of characters written on that role as background.
enum role theme_on_heat(enum role heat);

#endif
