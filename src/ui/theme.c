// Looks up what a role looks like in roles.def.
#include "ui/theme.h"

#include <string.h>

#include "ui/canvas.h"

struct role_style {
    int index[THEME_COUNT];
    int sixteen;
    unsigned flags, mono;
};

static const struct role_style styles[ROLE_COUNT] = {
#define R(name, dark, light, safe, sixteen, flags, mono) {{dark, light, safe}, sixteen, flags, mono},
#include "base/roles.def"
#undef R
};

static const char *const names[THEME_COUNT] = {"dark", "light", "safe"};

const char *theme_name(enum theme theme)
{
    return names[theme];
}

enum theme theme_find(const char *name)
{
    int theme = 0;
    while (theme < THEME_COUNT && strcmp(names[theme], name) != 0)
        theme++;
    return (enum theme)theme;
}

struct style theme_style(enum theme theme, int colours, enum role role)
{
    const struct role_style *style = &styles[role];
    if (colours < 8)
        return (struct style){-1, style->mono};
    if (colours >= 256)
        return (struct style){style->index[theme], style->flags};
    int index = style->sixteen;
    unsigned flags = style->flags;
    if (index == 15 && theme == THEME_LIGHT)
        index = 0;
    if (colours == 8 && index >= 8) {
        // bright black has no counterpart among 8 colours; the terminal's own stays readable on both backgrounds
        index = index == 8 || index == 15 ? -1 : index - 8;
        flags |= style->sixteen == 8 ? 0 : CELL_BOLD;
    }
    return (struct style){index, flags};
}

uint32_t theme_rgb(int index)
{
    static const uint32_t first[16] = {0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
                                       0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff};
    if (index < 0 || index > 255)
        return 0;
    if (index < 16)
        return first[index];
    if (index >= 232) {
        uint32_t grey = (uint32_t)(8 + 10 * (index - 232));
        return grey << 16 | grey << 8 | grey;
    }
    static const uint32_t level[6] = {0, 95, 135, 175, 215, 255};
    index -= 16;
    return level[index / 36] << 16 | level[index / 6 % 6] << 8 | level[index % 6];
}

enum role theme_heat(unsigned degree)
{
    int role = ROLE_HEAT1;
    for (unsigned most = 1; degree > most && role < ROLE_HEAT6; most *= 2)
        role++;
    return (enum role)role;
}

enum role theme_on_heat(enum role heat)
{
    return heat == ROLE_HEAT1 || heat == ROLE_HEAT2 || heat == ROLE_SHARED ? ROLE_ON_COOL : ROLE_ON_HOT;
}
