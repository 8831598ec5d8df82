// A report for people and for course software. For people it is a page, written once: the screen draws it with colours,
// the command line prints it as plain text of 80 columns. Every figure says where it comes from. All of it is escaped
// by the producer already.
#ifndef BANKSHOT_GRADE_REPORT_H
#define BANKSHOT_GRADE_REPORT_H

#include "base/fields.h"
#include "grade/grading.h"
#include "grade/report_speed.h"
#include "lesson/progress.h"

// BRIEF: what failed, and the accesses to shared memory. ALL: every size, message, hazard, access and counter. EXACT:
// gates as the lesson's expressions, too, where they are asked in words.
enum report_detail { REPORT_BRIEF, REPORT_ALL, REPORT_EXACT };
// lesson may be NULL: then nothing is said of rates and published times.
void report_page(const struct grade_report *report, const struct lesson *lesson, enum report_detail detail,
                 struct page *page);
// What stands above it on the screen: the verdict, and what to do next ("": nothing).
void report_head(const struct grade_report *report, const char *next, struct page *page);
// Title, verdict, page, and what to do next.
void report_text(const struct grade_report *report, const struct lesson *lesson, enum report_detail detail,
                 struct text *out);
// One line: "padding   fail   40  conflicts: …", for tables.
void report_line(const struct grade_report *report, const char *name, struct text *out);

// The pieces; those of times are in report_speed.h.
const char *report_verdict(const struct grade_report *report, char *text, size_t size); // "fail: race"
struct verdict_look {
    enum role role;
    const char *sign; // ✓ or ✗
};
struct verdict_look report_look(const struct grade_report *report);
const char *report_next_label(const struct grade_report *report); // "next" or "for full marks"
// main_file, here and below: lines of other files are told with their name; NULL = never.
// report: its sizes are named where a hazard was not in all of them; NULL = nothing is said of sizes.
void report_hazards(const struct hazard_list *hazards, const struct grade_report *report, const char *main_file,
                    bool all, struct page *page);
void report_counters(const struct counters *counters, struct page *page);
// Those that differ, two runs side by side; name: of the other, "before".
void report_changes(const struct counters *now, const struct counters *before, const char *name, struct page *page);
void report_lines(const struct record *record, const char *main_file, bool all, struct page *page);
// What the instructions of one source line do alike, added up: of each kind the first instruction, with the sums of
// all. Those that another one does are counted with it. The caller frees.
struct counter_line *report_merge_lines(const struct counter_table *table, size_t *count);
// The costliest access of the recorded block, drawn as compiled; nothing when nothing was recorded.
void report_picture(const struct record *record, const char *main_file, struct page *page);
// JUnit XML: one suite for each report, one case for each gate.
void report_junit(struct grade_report *const *reports, size_t count, struct text *out);
// Gradescope's results.json: one test for each gate, scores as points.
json_t *report_gradescope(struct grade_report *const *reports, size_t count);
// Puts the run into the learner's progress, as an attempt at the report's lesson. A verdict that is not the learner's
// doing (exit status 2: the lab, the machine) is not an attempt and leaves progress as it is. As progress_add_run.
enum status report_keep(const struct grade_report *report, struct progress *progress, struct diagnostic *diagnostic);
// One self-contained page of HTML with all of the report, the bank heatmap of the costliest shared access and the
// source.
void report_html(const struct grade_report *report, const struct lesson *lesson, struct text *out);

// What JSON says of a struct counter_line, hazard and diagnostic.
extern const struct fields report_line_fields, report_hazard_fields, report_message_fields;

#endif
