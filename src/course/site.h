// A class's results as pages that open from a folder: an index of students by lessons, a page for each hand-in, the
// distribution of points, a leaderboard. No scripts, nothing from elsewhere; whatever a student wrote is escaped, and
// the pages forbid scripts besides.
#ifndef BANKSHOT_COURSE_SITE_H
#define BANKSHOT_COURSE_SITE_H

#include "course/course.h"

struct site_options {
    const char *title; // of the pages; NULL = "Class"
    // Keeps names off the leaderboard: the same word gives the same pseudonyms. NULL = names.
    const char *pseudonyms;
    // What the replay of a hand-in's kernel saw, for its timeline. False: there is none, and why. NULL = no timelines.
    bool (*replay)(void *context, const struct lesson *lesson, const struct grade_report *report, const char *source,
                   struct replay_log *log, struct diagnostic *why);
    void (*progress)(void *context, size_t done, size_t count); // pages written; NULL = nobody asks
    void *context;
};

// Writes index.html, leaderboard.html and hand-in-NNNN.html into the folder, which is made when it is missing. Pages of
// hand-ins that an earlier report wrote there and this one has not are removed; other files stay. Of each submission
// the attempt that counts is shown. lessons: for titles and rates. IO: the message names what could not be read or
// written.
enum status site_write(struct gradebook *book, const struct lesson_set *lessons, const struct course_mark *marks,
                       size_t mark_count, const char *folder, const struct site_options *options,
                       struct diagnostic *diagnostic);

#endif
