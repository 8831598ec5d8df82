// Runs: what the application asks of workers, and what it does with their answers.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "grade/inquiry.h"
#include "grade/report.h"
#include "ui/app.h"
#include "ui/view.h"

enum { TURN_MS = 180, MOMENT_MS = 120 };

static struct grade_options grade_options_of(const struct app *app, const char *source)
{
    return (struct grade_options){.source = source,
                                  .device = app->options.device ? app->options.device : "auto",
                                  .gpu_model = app->options.gpu_model,
                                  .compiler = app->options.compiler ? app->options.compiler : "auto",
                                  .gpu = app->options.gpu,
                                  .seed = app->options.seed};
}

void app_cancel(struct app *app)
{
    if (app->run.handle)
        grade_cancel(app->run.handle);
    app->run = (struct current_run){0};
}

static struct current_run *begin_run(struct app *app, enum run_kind kind)
{
    struct current_run *run = &app->run;
    bool resumes = kind == RUN_QUIZ && run->lesson == app->current && (run->kind == RUN_GRADE || run->resumes);
    app_cancel(app);
    *run = (struct current_run){
        .kind = kind, .resumes = resumes, .lesson = app->current, .started = app->now, .phase_start = app->now};
    for (int i = 0; i <= GRADE_DONE; i++)
        run->seconds[i] = -1;
    return run;
}

// False: it did not begin, and the status line says why.
static bool has_begun(struct app *app, enum status status, const struct diagnostic *diagnostic)
{
    if (status == STATUS_OK)
        return true;
    app_cancel(app);
    app_say(app, ROLE_BAD, "%s", diagnostic->message);
    return false;
}

// A kernel of no lesson is run as its line says. False: it did not begin.
static bool start_own(struct app *app, struct current_run *run, enum grade_event_kind wish, uint64_t block)
{
    struct diagnostic diagnostic = {0};
    return has_begun(app, grade_start_own(app->options.own, wish, block, &run->handle, &diagnostic), &diagnostic);
}

void app_start(struct app *app, enum run_kind kind, const struct lesson *lesson, const char *source)
{
    struct diagnostic diagnostic = {0};
    struct grade_options options = grade_options_of(app, source);
    options.own_gpu = true;
    struct current_run *run = begin_run(app, kind);
    if (app->options.own && kind != RUN_PLAY) {
        start_own(app, run, GRADE_EVENT_REPORT, 0);
        return;
    }
    has_begun(app, grade_start(lesson, &options, 0, &run->handle, &diagnostic), &diagnostic);
}

void app_run(struct app *app, enum run_kind kind)
{
    struct ui_lesson *lesson = app_lesson(app);
    if (!lesson || (app->options.own && kind != RUN_GRADE))
        return;
    if (kind == RUN_GRADE)
        lesson->graded_hash = lesson->source_hash;
    app_start(app, kind, lesson->lesson,
              kind == RUN_SOLUTION  ? lesson->lesson->solution
              : kind == RUN_STARTER ? lesson->lesson->starter
                                    : NULL);
}

void app_start_record(struct app *app, struct grade_report *report, uint64_t block)
{
    struct diagnostic diagnostic = {0};
    struct grade_options options = grade_options_of(app, NULL);
    bool is_last = report == app_report(app);
    struct record_request request = {.text = report->source,
                                     .part = report->part,
                                     .block = block,
                                     .size = is_last ? app->step.size : 0,
                                     .numbered = is_last && app->step.numbered};
    struct current_run *run = begin_run(app, RUN_RECORD);
    run->size = request.size;
    run->numbered = request.numbered;
    options.device = "sim";
    options.seed = report->seed;
    run->target = report;
    if (app->options.own) {
        if (!start_own(app, run, GRADE_EVENT_RECORDING, block))
            blocks_refused(app, report);
        return;
    }
    if (!has_begun(app, grade_start_record(app_lesson(app)->lesson, &request, &options, 0, &run->handle, &diagnostic),
                   &diagnostic))
        blocks_refused(app, report);
}

void app_start_timeline(struct app *app, struct grade_report *report)
{
    struct diagnostic diagnostic = {0};
    struct grade_options options = grade_options_of(app, NULL);
    struct record_request request = {.text = report->source, .part = report->part};
    struct current_run *run = begin_run(app, RUN_TIMELINE);
    options.device = "sim";
    options.gpu_model = report->record.model_gpu[0] ? report->record.model_gpu : options.gpu_model;
    options.seed = report->seed;
    run->target = report;
    if (app->options.own) {
        if (!start_own(app, run, GRADE_EVENT_TIMELINE, 0))
            timeline_refused(app, report, "no timeline: it could not be started.");
        return;
    }
    if (!has_begun(app, grade_start_timeline(app_lesson(app)->lesson, &request, &options, 0, &run->handle, &diagnostic),
                   &diagnostic))
        timeline_refused(app, report, diagnostic.message);
}

void app_run_quiz(struct app *app, size_t question, const char *answer)
{
    struct diagnostic diagnostic = {0};
    struct grade_options options = grade_options_of(app, NULL);
    struct current_run *run = begin_run(app, RUN_QUIZ);
    run->question = question;
    snprintf(run->answer, sizeof run->answer, "%.63s", answer);
    has_begun(app, grade_start_quiz(app_lesson(app)->lesson, question, &options, 0, &run->handle, &diagnostic),
              &diagnostic);
}

// The source's cursor goes to the first error, so that the editor opens there.
static void go_to_error(struct app *app, const struct diagnostic_list *messages)
{
    for (size_t i = 0; i < messages->count; i++) {
        if (messages->items[i].severity != SEVERITY_ERROR || messages->items[i].line < 1)
            continue;
        app->source.cursor = messages->items[i].line - 1;
        return;
    }
}

// What a new report of the open lesson changes on the screen: it is read from its top, and the pictures show it.
static void take_the_eye(struct app *app)
{
    app->report = (struct scroll){0};
    app->step.size = 0;
    app->step.numbered = false;
    app->recorded = NULL;
    if (app->banks.compare == COMPARE_BEFORE || app->banks.compare == COMPARE_SOLUTION)
        app->banks.compare = COMPARE_NOW;
}

static double seconds_of(const struct grade_report *report)
{
    return report->record.measured_us > 0 ? report->record.measured_us : report->record.modelled_us;
}

// By score, then by time. Of the same two the older.
static void consider_best(struct ui_lesson *lesson, struct grade_report *report)
{
    const struct grade_report *best = lesson->best;
    if (!report || report == best || report->record.counters.count == 0)
        return;
    bool is_faster =
        best && report->score == best->score && seconds_of(report) > 0 && seconds_of(report) < seconds_of(best);
    if (best && !(report->score > best->score) && !is_faster)
        return;
    if (best != lesson->report && best != lesson->before && best != lesson->kept)
        grade_report_free(lesson->best);
    lesson->best = report;
}

static void let_go(const struct ui_lesson *lesson, struct grade_report *report)
{
    if (report != lesson->report && report != lesson->before && report != lesson->best)
        grade_report_free(report);
}

void app_free_runs(struct ui_lesson *lesson)
{
    if (lesson->best != lesson->report && lesson->best != lesson->before)
        grade_report_free(lesson->best);
    grade_report_free(lesson->report);
    grade_report_free(lesson->before);
    grade_report_free(lesson->kept);
    lesson->best = lesson->report = lesson->before = lesson->kept = NULL;
}

void app_take_report(struct app *app, struct ui_lesson *lesson, struct grade_report *report)
{
    app->message[0] = '\0';
    kept_load(app, lesson);
    struct grade_report *old = lesson->report ? lesson->report : lesson->kept, *gone = old;
    consider_best(lesson, lesson->before);
    consider_best(lesson, old);
    bool is_news = kept_is_news(old, report);
    // the first run of a start has no cursor to keep
    const struct grade_report *seen =
        lesson->report && old->record.counters.count == 0 ? lesson->before : lesson->report;
    lesson->kept = NULL;
    app->refused = NULL;
    if (lesson == app_lesson(app) && report->record.counters.count > 0)
        banks_follow(app, seen, report);
    if (lesson == app_lesson(app) && kept_is_before(old, report))
        question_close(app);
    if (kept_is_before(old, report)) {
        gone = lesson->before;
        lesson->before = old;
    }
    lesson->report = report;
    let_go(lesson, gone);
    consider_best(lesson, report);
    if (lesson == app_lesson(app))
        take_the_eye(app);
    if (lesson == app_lesson(app) && app->options.line && report->record.counters.count > 0)
        list_open(app, app->options.line);
    if (lesson == app_lesson(app) && report->verdict == VERDICT_COMPILE_ERROR)
        go_to_error(app, &report->messages);
    if (is_news)
        kept_store(app, lesson);
    struct diagnostic diagnostic = {0};
    // a lesson that is opened again is graded again; that is no new run
    bool is_run = is_news || app_progress(app, lesson->lesson)->run_count == 0;
    if (app->progress && is_run && report_keep(report, app->progress, &diagnostic) != STATUS_OK)
        app_say(app, ROLE_BAD, "%s", diagnostic.message);
}

// The prompt stays open, so that the digits of the next guess are not taken for keys.
static void __attribute__((format(printf, 2, 3))) ask_again(struct app *app, const char *format, ...)
{
    char why[sizeof app->message];
    TEXT_FORMAT(why, format);
    bool is_here = app->view == VIEW_LESSON || app->asked.report;
    if (is_here && app->prompt.kind == PROMPT_NONE && app->run.lesson == app->current)
        prompt_open(app, PROMPT_ANSWER);
    app_say(app, ROLE_WARN, "%s", why);
}

// A guess is settled when it is right, or the second: until then nothing says what was counted.
static bool answer_settles(const struct app *app, const struct ui_lesson *lesson, bool right)
{
    const struct progress_lesson *progress = app_progress(app, lesson->lesson);
    return right ||
           (app->run.question < progress->answer_count && question_settled(&progress->answers[app->run.question]));
}

// A question's picture, on its own: what was said of it before stands beside it.
static void take_look(struct app *app, struct grade_event *event)
{
    struct guess guess = question_guess(app, app->run.question);
    if (app->run.lesson == app->current && !question_open(app, event, app->run.question, &guess))
        app_say(app, ROLE_DIM, "question %zu has no picture: 1 shows it", app->run.question + 1);
}

static void take_answer(struct app *app, struct grade_event *event)
{
    struct ui_lesson *lesson = &app->lessons[app->run.lesson];
    const struct lesson_question *question = &lesson->lesson->questions[app->run.question];
    char counted[64];
    struct diagnostic diagnostic = {0};
    struct guess guess = {0};
    if (quiz_check(app->run.answer, event->value, &guess.right, &diagnostic) != STATUS_OK) {
        ask_again(app, "%s", diagnostic.message);
        return;
    }
    if (app->progress)
        progress_set_answer(app->progress, lesson->lesson->id, app->run.question, app->run.answer, event->value,
                            guess.right, &diagnostic);
    snprintf(guess.text, sizeof guess.text, "%s", app->run.answer);
    guess.settled = answer_settles(app, lesson, guess.right);
    bool shown = app->run.lesson == app->current && question_open(app, event, app->run.question, &guess);
    if (!guess.settled)
        ask_again(app, "not %s; look again", app->run.answer);
    else if (shown)
        app_say(app, guess.right ? ROLE_GOOD : ROLE_WARN, "%s   a: next question%s   q: back to the text%s",
                guess.right ? "right" : "not so", app->view == VIEW_STEP ? "" : "   j: its picture",
                app->banks.playing ? "   Space: turns" : "");
    else if (guess.right)
        app_say(app, ROLE_GOOD, "right: %s", question_count(question, event->value, counted, sizeof counted));
    else
        app_say(app, ROLE_WARN, "not %s: the run counted %s", app->run.answer,
                question_count(question, event->value, counted, sizeof counted));
}

static void take_report(struct app *app, struct grade_report *report)
{
    struct ui_lesson *lesson = &app->lessons[app->run.lesson];
    if (app->run.kind == RUN_SOLUTION) {
        grade_report_free(lesson->solution);
        lesson->solution = report;
    } else if (app->run.kind == RUN_STARTER) {
        grade_report_free(lesson->starter_run);
        lesson->starter_run = report;
    } else if (app->run.kind == RUN_PLAY) {
        grade_report_free(app->play.report);
        app->play.report = report;
    } else {
        app_take_report(app, lesson, report);
    }
}

static void take_phase(struct current_run *run, const struct grade_event *event, double now)
{
    if (event->phase != run->phase) {
        run->seconds[run->phase] = now - run->phase_start;
        run->phase = event->phase;
        run->phase_start = now;
    }
    snprintf(run->detail, sizeof run->detail, "%s", event->detail);
}

static void take_event(struct app *app, struct grade_event *event)
{
    switch (event->kind) {
    case GRADE_EVENT_PHASE:
        take_phase(&app->run, event, app->now);
        break;
    case GRADE_EVENT_DIAGNOSTIC: // the report has it as well
        break;
    case GRADE_EVENT_ANSWER:
        (*app->run.answer ? take_answer : take_look)(app, event);
        grade_report_free(event->report);
        break;
    case GRADE_EVENT_REPORT:
        take_report(app, event->report);
        break;
    case GRADE_EVENT_RECORDING:
        blocks_take(app, app->run.target, &event->recording);
        break;
    case GRADE_EVENT_TIMELINE:
        timeline_take(app, app->run.target, &event->timeline);
        break;
    case GRADE_EVENT_FAILED:
        if (app->run.kind == RUN_RECORD)
            blocks_refused(app, app->run.target);
        if (app->run.kind == RUN_TIMELINE)
            timeline_refused(app, app->run.target, event->diagnostic.message);
        app_say(app, ROLE_BAD, "%s", event->diagnostic.message);
        break;
    }
}

static void play_on(struct app *app)
{
    struct banks_state *banks = &app->banks;
    if (banks->playing && app->now >= banks->next_turn) {
        banks->turn++;
        banks->next_turn = app->now + (double)TURN_MS / 1000.0;
        banks->playing = !app->asked.report || banks->turn < banks->turns; // a question's are played once
    }
    struct step_state *step = &app->step;
    if (step->playing && app->now >= step->next_moment) {
        size_t moment = step->moment;
        app_act(app, ACTION_DOWN);
        step->next_moment = app->now + (double)MOMENT_MS / 1000.0;
        step->playing = step->moment != moment && app->view == VIEW_STEP;
    }
}

void app_poll(struct app *app)
{
    struct grade_event event;
    play_on(app);
    while (app->run.handle && grade_poll(app->run.handle, &event)) {
        take_event(app, &event);
        if (event.kind != GRADE_EVENT_PHASE && event.kind != GRADE_EVENT_DIAGNOSTIC) {
            bool resumes = app->run.resumes && app->run.lesson == app->current;
            app_cancel(app);
            if (resumes)
                app_run(app, RUN_GRADE);
            break;
        }
    }
    blocks_follow(app);
    timeline_follow(app);
}

int app_descriptor(const struct app *app)
{
    return app->run.handle ? grade_descriptor(app->run.handle) : -1;
}

double app_wait(const struct app *app)
{
    double wait = -1;
    if (app->run.handle)
        wait = 0.1; // the strip counts tenths of a second
    double next = app->banks.playing ? app->banks.next_turn : app->step.playing ? app->step.next_moment : 0;
    if (next > 0) {
        double left = next > app->now ? next - app->now : 0;
        if (wait < 0 || left < wait)
            wait = left;
    }
    return wait;
}
