// The screen as plain text, SVG and HTML.
#ifndef BANKSHOT_UI_EXPORT_H
#define BANKSHOT_UI_EXPORT_H

#include "ui/app.h"

void export_text(const struct canvas *canvas, struct text *out); // lines without trailing blanks
void export_svg(const struct canvas *canvas, enum theme theme, struct text *out);
void export_html(const struct canvas *canvas, enum theme theme, struct text *out);
// For the palette: draws the view and writes it to path, and says so on the status line.
void export_command(struct app *app, enum action action, const char *path);

#endif
