// Finding a lesson's hand-in in a folder that a student filled.
#ifndef BANKSHOT_COURSE_HAND_IN_H
#define BANKSHOT_COURSE_HAND_IN_H

#include "lesson/lesson.h"

enum hand_in { HAND_IN_FILE, HAND_IN_MISSING, HAND_IN_LINK, HAND_IN_UNREADABLE };

// NN-name.cu or name.cu in the folder, else in exercises/ below it. path[size]: the file, the link that was not
// followed (links may lead to what is not the student's; a hard link cannot be told from a copy), or what cannot be
// looked at, for which errno tells why.
enum hand_in hand_in_look(const char *folder, const struct lesson *lesson, char *path, size_t size);
// PARSE: nothing there can be graded, which is the student's doing; the message says what was looked for and found.
// IO: it cannot be looked at, which is not.
enum status hand_in_find(const char *folder, const struct lesson *lesson, char *path, size_t size,
                         struct diagnostic *diagnostic);
// Whether a .cu lies there, or in exercises/ below it.
bool hand_in_has_sources(const char *folder);

#endif
