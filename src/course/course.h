// What a course counts: course.cfg says which lessons, how much each weighs, when they are due, and what late hand-ins
// and several attempts are worth. docs/using-in-a-course.md is the manual of the format.
#ifndef BANKSHOT_COURSE_COURSE_H
#define BANKSHOT_COURSE_COURSE_H

#include "course/gradebook.h"

struct course_lesson {
    const char *name; // as written: "padding", "04-padding" or "4"
    double weight;    // from 0
    const char *due;  // as written; NULL = never
    int64_t time;     // of due: nanoseconds since 1970
};

enum course_attempt { COURSE_LAST, COURSE_BEST };

struct course {
    const char *time_zone; // of due dates that name none: "Europe/Berlin", "+01:00"; NULL = UTC
    int late_days;         // days begun after the due date in which a hand-in still counts
    double late_penalty;   // percent of its score that each of them costs
    enum course_attempt attempt;
    struct course_lesson *lessons; // none: all, alike
    size_t lesson_count;
};

// Reads the text of course.cfg; path is for messages. NULL text: what holds without one. Strings live in arena. PARSE
// with file and line.
enum status course_read(const char *path, const char *text, struct arena *arena, struct course *course,
                        struct diagnostic *diagnostic);
// The same of a file; its text goes to *text, which lives in arena as well.
enum status course_load(const char *path, struct arena *arena, const char **text, struct course *course,
                        struct diagnostic *diagnostic);
// The gradebook's own.
enum status course_of(struct gradebook *book, struct arena *arena, struct course *course,
                      struct diagnostic *diagnostic);
// What the course says of the lesson with this id; NULL: it does not count.
const struct course_lesson *course_lesson(const struct course *course, const char *id);
// A second entry for it, under another of its names; NULL: there is none.
const struct course_lesson *course_again(const struct course *course, const char *id);

bool course_names(const char *name, const char *id); // "4", "padding" or "04-padding" for "04-padding"

// Lateness. Days that were begun in so many seconds after the due date; NaN: there is none, and nothing is late.
int course_days_late(double seconds);
// What is left of a score, 0 … 1: days of at most late_days that count (below 0: all do), each costs so many percent.
double course_late_share(int days, int late_days, double late_penalty);

// What one submission is worth.
struct course_mark {
    const char *student, *lesson;
    double weight;
    const struct gradebook_attempt *attempt; // the one that counts; its number is 0 when nothing was handed in
    bool is_known; // false: an attempt that may count is not graded yet, or the machine was at fault
    int late_days;
    double mark; // 0 … 100, after what lateness costs
};

// One for each submission of a lesson that counts, by student and lesson, from gradebook_attempts. In arena.
struct course_mark *course_marks(const struct course *course, const struct gradebook_attempt *attempts, size_t count,
                                 struct arena *arena, size_t *mark_count);
// The mean by weight, 0 … 100, of those that begin at marks and are the same student's; *count is how many. *is_known
// false: one of them is not.
double course_total(const struct course_mark *marks, size_t left, size_t *count, bool *is_known);

#endif
