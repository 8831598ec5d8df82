// Finding a lesson's hand-in in a folder that a student filled.
#ifndef BANKSHOT_COURSE_HAND_IN_H
#define BANKSHOT_COURSE_HAND_IN_H

#include "base/text.h"
#include "lesson/lesson.h"

enum hand_in { HAND_IN_FILE, HAND_IN_MISSING, HAND_IN_LINK, HAND_IN_UNREADABLE };

// NN-name.cu or name.cu in the folder, else in exercises/ below it: the first in this order, or, if that is the
// untouched starter, the first that is not. path[size]: the file, the link that was not followed (links may lead to
// what is not the student's; a hard link cannot be told from a copy), or what cannot be looked at, for which errno
// tells why. others: names of files that are not graded are appended, for people: of a FILE the lesson's others, of
// what is MISSING those that are called much like it, also in other folders below; nothing: there are none.
enum hand_in hand_in_look(const char *folder, const struct lesson *lesson, char *path, size_t size,
                          struct text *others);
// PARSE: nothing there can be graded, which is the student's doing; the message says what was looked for and found.
// IO: it cannot be looked at, which is not. others: of a file that was found, as above.
enum status hand_in_find(const char *folder, const struct lesson *lesson, char *path, size_t size, struct text *others,
                         struct diagnostic *diagnostic);
// Whether a .cu lies there, or in exercises/ below it.
bool hand_in_has_sources(const char *folder);

#endif
