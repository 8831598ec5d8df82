// Finding a lesson's hand-in in a folder that a student filled.
#ifndef BANKSHOT_COURSE_HAND_IN_H
#define BANKSHOT_COURSE_HAND_IN_H

#include "lesson/lesson.h"

// NN-name.cu or name.cu in the folder, else in exercises/ below it, into path[size]. Links are not followed: they may
// lead to what is not the student's.
// PARSE: nothing there can be graded, which is the student's doing; the message says what was looked for and found.
// IO: it cannot be looked at, which is not.
enum status hand_in_find(const char *folder, const struct lesson *lesson, char *path, size_t size,
                         struct diagnostic *diagnostic);

#endif
