// A report for people and for course software. Plain text is 80 columns wide, without colour codes; every figure says
// where it comes from. All of it is escaped by the producer already.
#ifndef BANKSHOT_GRADE_REPORT_H
#define BANKSHOT_GRADE_REPORT_H

#include "base/fields.h"
#include "base/text.h"
#include "grade/grade.h"
#include "lesson/progress.h"

// title may be NULL. verbose: every size and every hazard; else what failed.
void report_text(const struct grade_report *report, const char *title, bool verbose, struct text *out);
// One line: "padding   fail   40  conflicts: …", for tables.
void report_line(const struct grade_report *report, const char *name, struct text *out);
// The prediction of a record: time, occupancy, where the time goes, what would help. Nothing when there is none.
void report_model_text(const struct record *record, struct text *out);
void report_model_facts(const struct record *record, struct text *out); // the same, a line for each, not wrapped
json_t *report_model_json(const struct record *record);                 // the same; null when there is none
// The times that are known, in the order in which they are shown; none without the kernel's own.
enum { TIME_ROWS = 5 };
struct time_row {
    const char *name;
    double us;
};
size_t report_time_rows(const struct kernel_times *times, struct time_row rows[TIME_ROWS]);
// JUnit XML: one suite for each report, one case for each gate.
void report_junit(struct grade_report *const *reports, size_t count, struct text *out);
// Gradescope's results.json: one test for each gate, scores as points.
json_t *report_gradescope(struct grade_report *const *reports, size_t count);
// Puts the run into the learner's progress, as an attempt at the report's lesson. A verdict that is not the learner's
// doing (exit status 2: the lab, the machine) is not an attempt and leaves progress as it is. As progress_add_run.
enum status report_keep(const struct grade_report *report, struct progress *progress, struct diagnostic *diagnostic);
// One self-contained page with the tables and the bank heatmap of the costliest shared access.
void report_html(const struct grade_report *report, const char *title, struct text *out);

// The words of statuses and hazards in JSON.
extern const struct field_words report_status_words, report_hazard_words;

#endif
