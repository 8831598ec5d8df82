// Reports for course software: JUnit XML, Gradescope JSON, one HTML page.
#include <string.h>

#include "base/memory.h"
#include "grade/report.h"

// Markup that is written: every text that a learner or compiler had a hand in goes through `safe`.
struct markup {
    struct text *out;
    struct arena *arena;
};

static const char *safe(struct markup *page, const char *text)
{
    struct text escaped = {0};
    text_escape_markup(&escaped, text);
    const char *copy = arena_strdup(page->arena, text_get(&escaped));
    text_free(&escaped);
    return copy;
}

// The environment's doing, not the learner's.
static bool is_ours(const struct grade_report *report)
{
    return verdict_exit(report->verdict) == 2;
}

// It holds, but is no work of the learner's, or worth nothing while results are wrong: nobody may count it as passed.
static bool is_unpaid(const struct grade_gate *gate)
{
    return gate->passed && !gate->skipped && gate->points > 0 && gate->earned <= 0;
}

// ---- JUnit

static void put_case(struct markup *page, const struct grade_report *report, const struct grade_gate *gate)
{
    const char *why = report->diagnosis[0] ? "\nwhy: " : "";
    text_printf(page->out, "   <testcase classname=\"%s\" name=\"%s\">\n", safe(page, report->lesson_id),
                safe(page, gate->id));
    if (gate->skipped)
        text_puts(page->out, "    <skipped/>\n");
    else if (is_unpaid(gate))
        text_printf(page->out, "    <skipped message=\"%s\"/>\n", safe(page, gate->got));
    else if (!gate->passed)
        text_printf(page->out, "    <failure message=\"%s\">asked: %s\ngot: %s%s%s</failure>\n",
                    safe(page, gate->message ? gate->message : gate->got), safe(page, gate->asked),
                    safe(page, gate->got), why, safe(page, report->diagnosis));
    text_puts(page->out, "   </testcase>\n");
}

static void put_suite(struct markup *page, const struct grade_report *report)
{
    const char *id = safe(page, report->lesson_id), *kind = is_ours(report) ? "error" : "failure";
    size_t failures = report->verdict != VERDICT_PASS && !is_ours(report), skipped = 0;
    for (size_t i = 0; i < report->gate_count; i++) {
        failures += !report->gates[i].skipped && !report->gates[i].passed;
        skipped += report->gates[i].skipped || is_unpaid(&report->gates[i]);
    }
    text_printf(page->out,
                "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\" "
                "time=\"%.3f\">\n   <testcase classname=\"%s\" name=\"verdict\">\n",
                id, report->gate_count + 1, failures, is_ours(report), skipped, report->total_seconds, id);
    if (report->verdict != VERDICT_PASS)
        text_printf(page->out, "    <%s message=\"%s\">%s</%s>\n", kind, verdict_name(report->verdict),
                    safe(page, report->next), kind);
    text_puts(page->out, "   </testcase>\n");
    for (size_t i = 0; i < report->gate_count; i++)
        put_case(page, report, &report->gates[i]);
    text_puts(page->out, "  </testsuite>\n");
}

void report_junit(struct grade_report *const *reports, size_t count, struct text *out)
{
    struct markup page = {out, arena_new()};
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"bankshot\">\n");
    for (size_t i = 0; i < count; i++)
        put_suite(&page, reports[i]);
    text_puts(out, "</testsuites>\n");
    arena_free(page.arena);
}

// ---- Gradescope (results.json: score, max_score, name, output, status by test)

static void add_test(json_t *tests, const char *name, double score, double most, bool passed, struct text *said)
{
    json_array_append_new(tests, json_pack("{s:o, s:f, s:f, s:s, s:o}", "name", fields_string(name), "score", score,
                                           "max_score", most, "status", passed ? "passed" : "failed", "output",
                                           fields_string(text_get(said))));
    text_free(said);
}

static void add_gate_tests(json_t *tests, const struct grade_report *report)
{
    double judged = 0; // skipped gates leave the others their share of 100, as in the score
    for (size_t i = 0; i < report->gate_count; i++)
        judged += report->gates[i].skipped ? 0 : report->gates[i].points;
    double share = judged > 0 ? 100 / judged : 1;
    for (size_t i = 0; i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        struct text said = {0}, name = {0};
        if (gate->skipped)
            continue;
        text_printf(&name, "%s: %s", report->lesson_id, gate->id);
        text_printf(&said, "asked: %s\ngot: %s", gate->asked, gate->got);
        if (!gate->passed && gate->message)
            text_printf(&said, "\n%s", gate->message);
        add_test(tests, text_get(&name), share * gate->earned, share * gate->points, gate->passed && !is_unpaid(gate),
                 &said);
        text_free(&name);
    }
}

json_t *report_gradescope(struct grade_report *const *reports, size_t count)
{
    json_t *tests = json_array();
    double seconds = 0;
    for (size_t i = 0; i < count; i++) {
        const struct grade_report *report = reports[i];
        struct text said = {0};
        seconds += report->total_seconds;
        if (report->gate_count == 0 || is_ours(report)) {
            text_printf(&said, "%s: %s", verdict_name(report->verdict), report->next);
            add_test(tests, report->lesson_id, 0, 100, false, &said);
        }
        if (!is_ours(report))
            add_gate_tests(tests, report);
    }
    return json_pack("{s:o, s:f, s:s}", "tests", tests, "execution_time", seconds, "visibility", "visible");
}

// ---- HTML

enum { PAGE_WIDTH = 96 };

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title><style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}\n"
    ".h{font-weight:600}.dim{color:#666}\n"
    ".ok{color:#116329}.no{color:#a40e26;font-weight:600}\n"
    "code,pre{font-family:ui-monospace,monospace}</style></head><body>\n";

static const char *class_of(unsigned role)
{
    return role == ROLE_GOOD      ? "ok"
           : role == ROLE_BAD     ? "no"
           : role == ROLE_HEADING ? "h"
           : role == ROLE_DIM     ? "dim"
                                  : "";
}

// The report's page, cell by cell.
static void put_report(struct markup *page, const struct grade_report *report, const struct lesson *lesson)
{
    struct page lines;
    page_init(&lines, PAGE_WIDTH, false);
    report_head(report, report->next, &lines);
    report_page(report, lesson, REPORT_EXACT, &lines);
    report_picture(&report->record, NULL, &lines);
    text_puts(page->out, "<pre>");
    for (size_t i = 0; i < lines.count; i++) {
        const struct page_row *row = &lines.lines[i];
        for (size_t from = 0, to; from < row->count; from = to) {
            struct text piece = {0};
            for (to = from; to < row->count && row->cells[to].role == row->cells[from].role;)
                to++;
            cells_print(row->cells + from, to - from, &piece);
            const char *class = class_of(row->cells[from].role), *words = safe(page, text_get(&piece));
            text_printf(page->out, *class ? "<span class=\"%s\">%s</span>" : "%s%s", class, words);
            text_free(&piece);
        }
        text_puts(page->out, "\n");
    }
    text_puts(page->out, "</pre>\n");
    page_free(&lines);
}

void report_html(const struct grade_report *report, const struct lesson *lesson, struct text *out)
{
    struct markup page = {out, arena_new()};
    struct text source = {0};
    const char *name = safe(&page, lesson && lesson->title ? lesson->title : report->lesson_id);
    text_printf(out, page_head, name);
    text_printf(out, "<h1>%s</h1>\n", name);
    put_report(&page, report, lesson);
    if (report->source)
        text_escape(&source, report->source, strlen(report->source), true);
    if (source.length)
        text_printf(out, "<h2>Source</h2><pre>%s</pre>\n", safe(&page, text_get(&source)));
    text_puts(out, "</body></html>\n");
    text_free(&source);
    arena_free(page.arena);
}
