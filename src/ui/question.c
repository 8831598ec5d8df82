// The picture that a quiz question opens: the access that was asked about, in the run that its answer was counted in,
// the guess beside the count. A guess that may be tried again gets a picture without figures, and a word on what to
// look at.
#include <stdio.h>
#include <string.h>

#include "grade/inquiry.h"
#include "ui/source.h"
#include "ui/view.h"

// What of an access a question may ask for, where it is seen, and how to find it. Facts of other names have no picture.
enum question_picture { OF_TURNS, OF_SECTORS, OF_LANES, OF_ARRAY, OF_MOMENTS };

static const struct {
    const char *fact;
    enum question_picture picture;
    const char *shared, *global; // what to look at; NULL: the pattern says it
} facts[] = {
    {"wavefronts", OF_TURNS, NULL, NULL},
    {"conflicts", OF_TURNS, NULL, NULL},
    {"wavefront", OF_TURNS, NULL, NULL},
    {"lanes", OF_TURNS, "which lanes have a cell in their row? Those without one sleep", NULL},
    {"sectors", OF_SECTORS, NULL,
     "count the boxes between the bars that hold a lane's number: each is a sector of 32 bytes"},
    {"requests", OF_SECTORS, "this is one warp's access, one request: how many warps make it, and how often?",
     "this is one warp's access, one request: how many warps make it, and how often?"},
    {"bank", OF_LANES,
     "find the lane (its number, or @) in the array; the words of a row lie in bank 0, 1, 2 … 31, 0, 1 …", NULL},
    {"address", OF_LANES, "find lanes 0 and 1 in the array: how many words of 4 bytes are between them?",
     "find lanes 0 and 1: the number at the left is the byte that a row begins with"},
    {"shared_bytes", OF_ARRAY, "a word is 4 bytes; those that nobody touches take their room, too", NULL},
    {"barriers", OF_MOMENTS, "each │ in the bar is a barrier; Esc, then . goes from one to the next", NULL},
};

static int fact_row(const struct judge_place *place)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (strcmp(facts[i].fact, place->fact) == 0)
            return (int)i;
    return -1;
}

bool question_hides(const struct app *app)
{
    return app->asked.report && !app->asked.guess.settled;
}

bool question_hides_banks(const struct app *app)
{
    int row = question_hides(app) ? fact_row(&app->asked.place) : -1;
    return row >= 0 && facts[row].picture != OF_TURNS;
}

static enum memory_label first_memory(int row, bool settled)
{
    enum question_picture picture = facts[row].picture;
    return picture == OF_ARRAY ? MEMORY_BANKS : picture != OF_TURNS && !settled ? MEMORY_LANES : MEMORY_OFF;
}

// The site that the place names; -1: the report has none.
static int site_of(const struct app *app, const struct grade_report *report, const struct judge_place *place,
                   uint32_t *line)
{
    struct sites sites = list_sites(app, report, place->space);
    int found = sites_find(&sites, place->pc);
    *line = found >= 0 ? sites.items[found].line->line : 0;
    sites_free(&sites);
    return found;
}

void question_close(struct app *app)
{
    struct asked *asked = &app->asked;
    if (!asked->report)
        return;
    grade_report_free(asked->report);
    app->banks = asked->banks;
    app->global = asked->global;
    app->step = asked->step;
    app->block = asked->block;
    *asked = (struct asked){0};
}

bool question_open(struct app *app, struct grade_event *event, size_t question, const struct guess *guess)
{
    struct asked *asked = &app->asked;
    uint32_t line;
    int row = fact_row(&event->place);
    int site = event->report ? site_of(NULL, event->report, &event->place, &line) : -1;
    if (row < 0 || site < 0 || !((IN_LESSON | IN_PICTURE) & (1u << app->view)))
        return false;
    question_close(app);
    *asked = (struct asked){.report = event->report,
                            .place = event->place,
                            .question = question,
                            .guess = *guess,
                            .counted = event->value,
                            .banks = app->banks,
                            .global = app->global,
                            .step = app->step,
                            .block = app->block};
    event->report = NULL;
    const struct access_list list = {.rows.cursor = site, .warp = event->place.warp, .lane = event->place.lane};
    bool is_shared = event->place.space == PTX_SHARED, plays = facts[row].picture == OF_TURNS && guess->settled;
    app->banks = (struct banks_state){.list = list,
                                      .playing = plays,
                                      .by_wavefront = plays,
                                      .next_turn = app->now + 0.4,
                                      .memory = first_memory(row, guess->settled)};
    app->global = list;
    app->step = (struct step_state){0};
    app->block = 0;
    app->view = facts[row].picture == OF_MOMENTS ? VIEW_STEP : is_shared ? VIEW_BANKS : VIEW_GLOBAL;
    return true;
}

// What the learner's file says where a gate compares it with this question.
static void guess_of_file(const struct ui_lesson *lesson, size_t question, struct guess *guess)
{
    char name[32];
    snprintf(name, sizeof name, "quiz(%zu)", question + 1);
    for (size_t i = 0; lesson->report && i < lesson->report->gate_count && i < lesson->lesson->gate_count; i++) {
        const char *when = lesson->lesson->gates[i].when, *said = "you said ";
        const struct grade_gate *gate = &lesson->report->gates[i];
        if (!when || !strstr(when, name) || !text_starts(gate->got, said) || guess->settled)
            continue;
        snprintf(guess->text, sizeof guess->text, "%.*s", (int)strcspn(gate->got + strlen(said), ";,"),
                 gate->got + strlen(said));
        guess->right = guess->settled = gate->passed;
    }
}

struct guess question_guess(const struct app *app, size_t question)
{
    const struct progress_lesson *progress = app_progress(app, app_lesson(app)->lesson);
    struct guess guess = {0};
    if (question < progress->answer_count && progress->answers[question].text[0]) {
        const struct progress_answer *answer = &progress->answers[question];
        guess.right = answer->right;
        guess.settled = question_settled(answer);
        snprintf(guess.text, sizeof guess.text, "%s", answer->text);
    }
    guess_of_file(app_lesson(app), question, &guess);
    return guess;
}

bool question_act(struct app *app, enum action action)
{
    size_t count = app_lesson(app) ? app_lesson(app)->lesson->question_count : 0;
    size_t by = action == ACTION_DOWN ? 1 : count - 1;
    if ((action != ACTION_DOWN && action != ACTION_UP) || count == 0)
        return false;
    size_t from = app->asked.report ? app->asked.question : action == ACTION_DOWN ? count - 1 : 0;
    app_run_quiz(app, app->run.kind == RUN_QUIZ ? app->run.question : (from + by) % count, "");
    return true;
}

// What to count in a pattern of banks, without counting it.
static void say_where_to_look(const struct bank_pattern *pattern, char *text, size_t size)
{
    bool shares = false, sleeps = false;
    for (uint32_t lane = 0; lane < pattern->lanes; lane++) {
        shares = shares || pattern->partner[lane] >= 0;
        sleeps = sleeps || !bank_pattern_active(pattern, lane);
    }
    snprintf(text, size, "%s%s%swhich bank is asked for most different words?",
             pattern->schedule.group < WARP_LANES ? "a, b … are groups, one after another: add them up; " : "",
             sleeps ? "lanes that sleep want nothing; " : "", shares ? "lanes that want the same word share it; " : "");
}

// "what to look at" of a guess that may be tried again.
static void say_look(const struct app *app, char *text, size_t size)
{
    const struct asked *asked = &app->asked;
    int row = fact_row(&asked->place);
    bool is_shared = asked->place.space == PTX_SHARED;
    const char *own = app_lesson(app)->lesson->questions[asked->question].look;
    const char *look = own ? own : is_shared ? facts[row].shared : facts[row].global;
    struct sites sites = list_sites(app, asked->report, asked->place.space);
    struct access_list list = is_shared ? app->banks.list : app->global;
    struct access_picture picture;
    picture_make(&picture, &list, asked->report, list_site(&list, &sites), true);
    if (!look && picture.pattern && is_shared)
        say_where_to_look(picture.pattern, text, size);
    else
        snprintf(text, size, "%s", look ? look : "look again");
    sites_free(&sites);
}

static void add_source(const struct app *app, const struct lesson_question *question, struct page *page)
{
    char text[512];
    uint32_t line;
    site_of(app, app->asked.report, &app->asked.place, &line);
    do // assembly that begins on a line before
        source_line(app->asked.report->source, (int)line, text, sizeof text);
    while (text[0] == ':' && --line > 0);
    page_start(page, 0);
    page_add(page, ROLE_DIM, "   %s, line %u: ", text_file_name(question->file), line);
    page_add(page, ROLE_CODE, "%s", text);
}

const char *question_count(const struct lesson_question *question, double value, char *text, size_t size)
{
    const char *unit = question->unit ? question->unit : "";
    bool is_one = value == 1 && strlen(unit) > 1; // "1 wavefront"
    snprintf(text, size, "%g%s%.*s", value, *unit ? " " : "", (int)strlen(unit) - is_one, unit);
    return text;
}

struct rect question_draw(struct app *app, struct canvas *canvas, struct rect body)
{
    const struct asked *asked = &app->asked;
    const struct lesson_question *question = &app_lesson(app)->lesson->questions[asked->question];
    char counted[64];
    char look[256] = "";
    struct page page;
    page_init(&page, body.width, canvas->ascii);
    page_start(&page, 0);
    page_add(&page, ROLE_KEY, " ? ");
    page_words(&page, 3, ROLE_TEXT, question->question);
    if (app->view != VIEW_STEP)
        add_source(app, question, &page);
    page_start(&page, 0);
    if (asked->guess.text[0])
        page_add(&page, asked->guess.right ? ROLE_GOOD : ROLE_WARN, " %s you said %s", asked->guess.right ? "✓" : "✗",
                 asked->guess.text);
    else
        page_add(&page, ROLE_KEY, " · a answers");
    if (asked->guess.settled) {
        page_add(&page, ROLE_EMPHASIS, ", the run counted %s  ",
                 question_count(question, asked->counted, counted, sizeof counted));
        page_words(&page, 3, ROLE_TEXT, question->why ? question->why : "");
    } else {
        say_look(app, look, sizeof look);
        page_add(&page, ROLE_TEXT, ": ");
        page_words(&page, 3, ROLE_TEXT, look);
    }
    const struct scroll top = {0};
    int rows = (int)page.count < body.height / 2 ? (int)page.count : body.height / 2;
    page_draw(&page, canvas, (struct rect){body.x, body.y, body.width, rows}, &top, NULL);
    page_free(&page);
    return rect_below(body, rows);
}

bool question_settled(const struct progress_answer *answer)
{
    return answer->right || answer->tries >= 2;
}
