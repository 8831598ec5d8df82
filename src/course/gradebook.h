// A class's gradebook: who handed in what, when, and what became of it, in one SQLite file that survives kill -9.
//
// A *submission* is one student and one lesson, whether or not anything was handed in. An *attempt* is one content of
// its file: another one handed in later is another attempt. A *grading* is what the lab says of one source for one
// lesson in one run; equal sources share it. A *run* fixes what marks depend on: seed, compiler, device. The tables are
// described in docs/gradebook.md.
//
// Names of students and files are bytes, kept as they are. Each function that changes something has done all of it or
// nothing; gradebook_begin and gradebook_commit make one change of several. IO when the file cannot be read or written,
// PARSE when it is no gradebook, USAGE when a newer Bankshot made it; the message names the file.
#ifndef BANKSHOT_COURSE_GRADEBOOK_H
#define BANKSHOT_COURSE_GRADEBOOK_H

#include "grade/grade.h"

enum { GRADEBOOK_VERSION = 2 }; // of the tables

struct gradebook;

// READ: must be there already. KEEP: made when it is missing, readable by its owner only. Either brings an older one up
// to date. path NULL with KEEP: a gradebook that nobody keeps.
enum gradebook_use { GRADEBOOK_READ, GRADEBOOK_KEEP };
enum status gradebook_open(const char *path, enum gradebook_use use, struct gradebook **book,
                           struct diagnostic *diagnostic);
void gradebook_close(struct gradebook *book); // NULL is allowed

enum status gradebook_begin(struct gradebook *book, struct diagnostic *diagnostic);
enum status gradebook_commit(struct gradebook *book, struct diagnostic *diagnostic);

// ---- runs

struct gradebook_run {
    int64_t id; // 0: none
    uint64_t seed;
    char compiler[64], device[16], gpu_model[64]; // "nvcc 13.0"; "auto", "sim", "gpu"; "" = the default
};

// A new one: sets its id.
enum status gradebook_add_run(struct gradebook *book, struct gradebook_run *run, struct diagnostic *diagnostic);
// The last one; id 0 when there is none yet.
enum status gradebook_last_run(struct gradebook *book, struct gradebook_run *run, struct diagnostic *diagnostic);

// ---- what was handed in

// What was seen of a submission when the folder was read last. The words are in gradebook_state_name.
enum gradebook_state { GRADEBOOK_MISSING, GRADEBOOK_FILE, GRADEBOOK_LINK, GRADEBOOK_UNREADABLE, GRADEBOOK_STATES };
const char *gradebook_state_name(enum gradebook_state state); // "missing" …

struct gradebook_hand_in {
    const char *student, *lesson; // a folder's name; "04-padding"
    enum gradebook_state state;
    const char *path;  // FILE
    const char *bytes; // FILE: its content; NULL = nothing that could be a source (a device, too large …)
    size_t length;
    int64_t time;          // FILE: when it was handed in, nanoseconds since 1970
    uint64_t lesson_print; // FILE: stands for the lesson's text; after a change of it nothing is taken as graded
};

// Enters a submission. Another content than that of its last attempt is a new attempt; the same one keeps the earlier
// of the two times. *grading: of this content in this run, made if there was none; 0 without a FILE.
enum status gradebook_enter(struct gradebook *book, const struct gradebook_run *run,
                            const struct gradebook_hand_in *hand_in, int64_t *grading, struct diagnostic *diagnostic);

// ---- what became of it

// Keeps the report as the answer of a grading, and counts the try. A verdict that is the machine's fault is no mark; it
// is kept, too, and tried again by the next that resumes.
enum status gradebook_grade(struct gradebook *book, int64_t grading, const struct grade_report *report,
                            struct diagnostic *diagnostic);

// The last answer; is_graded false: none yet.
struct gradebook_result {
    bool is_graded, full;
    enum verdict verdict;
    double score;
    char diagnosis[64], next[768];
};
enum status gradebook_result(struct gradebook *book, int64_t grading, struct gradebook_result *result,
                             struct diagnostic *diagnostic);
// All of the report but the source, which is gradebook_source's; grade_report_free. *report is NULL where none is kept.
enum status gradebook_report(struct gradebook *book, int64_t grading, struct grade_report **report,
                             struct diagnostic *diagnostic);
// The bytes that were graded, terminated; free(). NULL when they could not be read.
enum status gradebook_source(struct gradebook *book, int64_t grading, char **bytes, size_t *length,
                             struct diagnostic *diagnostic);

// ---- reading all of it

struct gradebook_attempt {
    const char *student, *lesson, *path; // path "": nothing was handed in, and number is 0
    enum gradebook_state state;
    int number, count; // from 1, of so many of this submission
    int64_t time;      // nanoseconds since 1970
    int64_t grading;   // that of result; 0: none
    bool is_other_run; // result is not of the run that entered this last: that one has no mark of it
    struct gradebook_result result;
};

// Every attempt, and one entry for each submission without any, by student (as bytes), lesson and number. In arena.
// A run that was stopped or met a fault of the machine takes no mark away: where it has none, the result is that of the
// newest run that has a mark of the same source, for the same text of the lesson.
enum status gradebook_attempts(struct gradebook *book, struct arena *arena, struct gradebook_attempt **attempts,
                               size_t *count, struct diagnostic *diagnostic);

// ---- the course: course.cfg as it was when the class was graded

enum status gradebook_set_course(struct gradebook *book, const char *path, const char *text,
                                 struct diagnostic *diagnostic);
// NULL, NULL when there is none. In arena.
enum status gradebook_course(struct gradebook *book, struct arena *arena, const char **path, const char **text,
                             struct diagnostic *diagnostic);

#endif
