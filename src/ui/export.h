// The screen as plain text, SVG and HTML.
#ifndef BANKSHOT_UI_EXPORT_H
#define BANKSHOT_UI_EXPORT_H

#include "ui/app.h"

void export_text(const struct canvas *canvas, struct text *out); // lines without trailing blanks
bool export_file(const char *path, const struct text *content);  // false: errno
// Draws the view and writes it to path, and says so on the status line. False: not an action that exports.
bool export_command(struct app *app, enum action action, const char *path);

#endif
