// What the commands on a folder of hand-ins share.
#ifndef BANKSHOT_CLI_CLASS_H
#define BANKSHOT_CLI_CLASS_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/lesson.h"

// Calls visit for each file that was handed in for one of the lessons: students by name, each one's lessons in order.
// Links are named on stderr and not followed. False: the folder cannot be read to its end.
typedef void class_visitor(void *context, const char *student, const struct lesson *lesson, const char *path);
bool class_visit(const char *folder, const struct lesson **lessons, size_t lesson_count, class_visitor *visit,
                 void *context);

// A field of a CSV file. Nothing in it is what a spreadsheet takes for a formula: those get an apostrophe in front, and
// so does what begins with one, so that one apostrophe taken away gives the text back.
void class_print_field(const char *text);

#endif
