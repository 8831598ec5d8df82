// What an autograder hands back to a course system, made from reports of which none blames the machine.
//
// Gradescope: results.json and submission_metadata.json as its autograder specification describes them
// (tests/course/schemas/gradescope-results.json). Classroom 50: the score and tests of its result.json
// (tests/course/schemas/classroom50-result.json).
#ifndef BANKSHOT_COURSE_RESULTS_H
#define BANKSHOT_COURSE_RESULTS_H

#include <jansson.h>

#include "grade/grade.h"

enum { RESULTS_ANY_DAYS = -1 };

struct results_policy {
    int points;                    // of all lessons together; 0: 100 for each
    int late_days;                 // handed in later than this, it gets 0; RESULTS_ANY_DAYS: no such day
    int late_penalty;              // percent of the score for each day that was begun
    int attempts;                  // that are graded; 0: all
    bool leaderboard;              // counters and time of what passed
    const char *visibility;        // of tests; NULL: "visible"
    const char *stdout_visibility; // NULL: "hidden"
};

// What Gradescope tells of a submission. Times are seconds since 1970.
struct results_submission {
    double handed_in, due; // due: NaN when there is none
    int attempts;          // graded before, with points that are known
    const json_t *last;    // results.json of the last of them, or NULL; part of metadata
    double last_score;     // what Gradescope counts for it; NaN: it does not say
    json_t *metadata;
};

// submission_metadata.json. A student's own due date counts before the assignment's, of a group's the latest. PARSE
// names what is not as Gradescope documents it.
enum status results_read_submission(const char *path, struct results_submission *submission,
                                    struct diagnostic *diagnostic);
void results_free_submission(struct results_submission *submission);
int results_days_late(const struct results_submission *submission); // begun days; 0: in time
bool results_attempts_used(const struct results_submission *submission, const struct results_policy *policy);

// submission may be NULL: then nothing is late.
json_t *results_gradescope(struct grade_report *const *reports, size_t count, const struct results_policy *policy,
                           const struct results_submission *submission);
// After the last attempt: the last results again, and what is to be said of it.
json_t *results_gradescope_again(const struct results_policy *policy, const struct results_submission *submission);

// Points are whole numbers there: each test's share of 100 for each lesson is rounded so that all of them add up.
json_t *results_classroom50(struct grade_report *const *reports, size_t count);

#endif
