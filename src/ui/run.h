// Runs: what the application asks of workers, what it does with their answers (run.c), and what it keeps of them for
// later starts (kept.c). One run at a time; a new one cancels the old.
#ifndef BANKSHOT_UI_RUN_H
#define BANKSHOT_UI_RUN_H

#include "grade/worker.h"

struct app;
struct ui_lesson;

enum run_kind { RUN_NONE, RUN_GRADE, RUN_SOLUTION, RUN_STARTER, RUN_QUIZ, RUN_PLAY, RUN_RECORD, RUN_TIMELINE };

struct current_run {
    enum run_kind kind;
    struct grade_handle *handle;
    size_t lesson; // index
    size_t question;
    char answer[64];             // QUIZ: what the learner typed; "" = nothing, only the picture is wanted
    bool resumes;                // QUIZ: it interrupted a grade run, which is begun again afterwards
    size_t size;                 // RECORD: of the report's, counted from 1; 0: the counted one
    bool numbered;               // RECORD: inputs are 100 * row + column
    struct grade_report *target; // RECORD, TIMELINE: whose
    enum grade_phase phase;
    double started, phase_start;    // app.now
    double seconds[GRADE_DONE + 1]; // of the phases that are over; < 0 = not begun
    char detail[128];
};

// Each begins a run of the open lesson, or of the kernel of one's own (app.options.own), and returns at once; its
// answers are taken as they come. What cannot begin says why in the status line; a record and a timeline also where
// they would be shown. `report` must stay until the run ends or is cancelled.
void app_run(struct app *app, enum run_kind kind); // GRADE: the exercise as it is saved; else the lesson's own kernels
void app_run_quiz(struct app *app, size_t question, const char *answer); // answer: see current_run
// source: a file; NULL: the exercise.
void app_start(struct app *app, enum run_kind kind, const struct lesson *lesson, const char *source);
void app_start_record(struct app *app, struct grade_report *report, uint64_t block); // block: linear index
void app_start_timeline(struct app *app, struct grade_report *report);
void app_cancel(struct app *app); // none: nothing happens
// Takes the report over: it is the lesson's last run now, and the one before it may become what it is compared with.
void app_take_report(struct app *app, struct ui_lesson *lesson, struct grade_report *report);
void app_free_runs(struct ui_lesson *lesson); // the last, the one before, the best and the kept one

// ---- kept runs, in runs/LESSON.json beside the progress file

void kept_load(struct app *app, struct ui_lesson *lesson); // once; a file that cannot be read is set aside and reported
void kept_store(struct app *app, const struct ui_lesson *lesson);
bool kept_is_news(const struct grade_report *old, const struct grade_report *report);   // worth writing down
bool kept_is_before(const struct grade_report *old, const struct grade_report *report); // old is what to compare with

#endif
