// `bankshot export`: what a course system needs to grade with the lab.
//
// Every export holds setup.sh and bankshot.tar.gz: a bundle (`make bundle`) with the lessons that this bankshot knows,
// so that a teacher's own travel along. The files themselves are in src/course/templates; templates.def says which
// system gets which.
#ifndef BANKSHOT_COURSE_EXPORT_H
#define BANKSHOT_COURSE_EXPORT_H

#include "lesson/lesson.h"

enum export_system {
#define SYSTEM(name, folder, what) EXPORT_##name,
#include "course/templates.def"
#undef SYSTEM
    EXPORT_COUNT
};
extern const char *const export_names[]; // ends with NULL
extern const char *const export_what[];

struct export_request {
    enum export_system system;
    const char *arguments; // of `bankshot autograde`: options and lessons, words of letters, digits and -._=
    const char *bundle;    // a folder that `make bundle` wrote; NULL: the one that this program runs from, else dist/
    const char *out;       // gradescope: the zip; else the folder, whose other files stay as they are
    const struct lesson_set *lessons;
};

// ENVIRONMENT: a command (tar, zip, sha256sum) or the bundle is missing, and the message says how to get it.
enum status export_write(const struct export_request *request, struct diagnostic *diagnostic);

#endif
