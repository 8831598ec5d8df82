// Prompts: the palette, the search, and questions, on the status line. While one is open it gets every key.
#ifndef BANKSHOT_UI_PROMPT_H
#define BANKSHOT_UI_PROMPT_H

#include "ui/canvas.h"

struct app;

enum prompt_kind {
    PROMPT_NONE,
    PROMPT_PALETTE,
    PROMPT_SEARCH,
    PROMPT_ANSWER,
    PROMPT_RESET,
    PROMPT_SOLUTION,
    PROMPT_BLOCK
};

struct prompt {
    enum prompt_kind kind;
    char text[256];
    int chosen; // PALETTE: line of the list
};

// Lines of the palette and the prompts, drawn over the bottom of the body.
void prompt_open(struct app *app, enum prompt_kind kind);
void prompt_key(struct app *app, uint32_t key);
void prompt_draw(struct app *app, struct canvas *canvas, struct rect body, struct rect status);

bool prompt_edit(char *text, size_t size, uint32_t key); // a key for a line of text; false: not one that edits

#endif
