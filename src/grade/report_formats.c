// Reports for course software: JUnit XML, Gradescope JSON, one HTML page.
#include <string.h>

#include "base/memory.h"
#include "grade/report.h"
#include "record/access.h"

// A page that is written: every text that a learner or compiler had a hand in goes through `safe`.
struct page {
    struct text *out;
    struct arena *arena;
};

static const char *safe(struct page *page, const char *text)
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

// ---- JUnit

static void put_case(struct page *page, const struct grade_report *report, const struct grade_gate *gate)
{
    const char *why = report->diagnosis[0] ? "\nwhy: " : "";
    text_printf(page->out, "   <testcase classname=\"%s\" name=\"%s\">\n", safe(page, report->lesson_id),
                safe(page, gate->id));
    if (gate->skipped)
        text_puts(page->out, "    <skipped/>\n");
    else if (!gate->passed)
        text_printf(page->out, "    <failure message=\"%s\">asked: %s\ngot: %s%s%s</failure>\n",
                    safe(page, gate->message ? gate->message : gate->got), safe(page, gate->asked),
                    safe(page, gate->got), why, safe(page, report->diagnosis));
    text_puts(page->out, "   </testcase>\n");
}

static void put_suite(struct page *page, const struct grade_report *report)
{
    const char *id = safe(page, report->lesson_id), *kind = is_ours(report) ? "error" : "failure";
    size_t failures = report->verdict != VERDICT_PASS && !is_ours(report), skipped = 0;
    for (size_t i = 0; i < report->gate_count; i++) {
        failures += !report->gates[i].skipped && !report->gates[i].passed;
        skipped += report->gates[i].skipped;
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
    struct page page = {out, arena_new()};
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"bankshot\">\n");
    for (size_t i = 0; i < count; i++)
        put_suite(&page, reports[i]);
    text_puts(out, "</testsuites>\n");
    arena_free(page.arena);
}

// ---- Gradescope (results.json: score, max_score, name, output, status by test)

static void add_test(json_t *tests, const char *name, double score, double most, bool passed, struct text *said)
{
    json_array_append_new(tests, json_pack("{s:s, s:f, s:f, s:s, s:s}", "name", name, "score", score, "max_score", most,
                                           "status", passed ? "passed" : "failed", "output", text_get(said)));
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
        add_test(tests, text_get(&name), share * gate->earned, share * gate->points, gate->passed, &said);
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

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title><style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}\n"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid "
    "#ddd}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}.ok{color:#116329}.no{color:#a40e26;font-weight:600}\n"
    ".heat td{padding:0;width:1.1em;height:1.1em;border:1px solid #eee;font-size:10px;text-align:center}\n"
    "code,pre{font-family:ui-monospace,monospace}</style></head><body>\n";

static void put_gate_rows(struct page *page, const struct grade_report *report)
{
    text_puts(page->out, "<table><tr><th></th><th>gate</th><th>points</th><th>asked</th><th>got</th></tr>\n");
    for (size_t i = 0; i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        const char *mark = gate->skipped ? "not judged" : gate->passed ? "passed" : "failed";
        text_printf(page->out,
                    "<tr><td class=\"%s\">%s</td><td>%s</td><td class=\"n\">%g of %g</td><td><code>%s</code></td>"
                    "<td>%s</td></tr>\n",
                    gate->passed    ? "ok"
                    : gate->skipped ? ""
                                    : "no",
                    mark, safe(page, gate->id), gate->earned, gate->points, safe(page, gate->asked),
                    safe(page, gate->got));
    }
    text_puts(page->out, "</table>\n");
}

static void put_heat(struct page *page, const struct grade_report *report)
{
    const struct counter_line *line;
    const struct recording *recording = &report->record.recording;
    const struct recorded_access *access = access_worst(recording, &report->record.counters, &line);
    if (!access || access->space != PTX_SHARED)
        return;
    struct bank_pattern pattern;
    bank_pattern_of(&pattern, access, true);
    text_printf(page->out,
                "<h2>Banks</h2><p>Line %u, %s of %u bytes a lane, warp %u of block (%u, %u, %u), %s. A row is a lane, "
                "a column a bank.</p><table class=\"heat\">\n",
                line->line, line->op, pattern.access.bytes, access->warp, recording->block[0], recording->block[1],
                recording->block[2], safe(page, report->record.device));
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        text_puts(page->out, "<tr>");
        for (unsigned bank = 0; bank < BANKS; bank++)
            text_puts(page->out, bank_pattern_touches(&pattern, lane, bank)
                                     ? "<td style=\"background:#c2410c\">&nbsp;</td>"
                                     : "<td></td>");
        text_puts(page->out, "</tr>\n");
    }
    text_puts(page->out, "</table>\n");
}

static void put_line_rows(struct page *page, const struct grade_report *report)
{
    text_printf(page->out,
                "<h2>Counts</h2><p>%s</p><table><tr><th>line</th><th>access</th><th>instructions</th>"
                "<th>wavefronts</th><th>conflicts</th><th>requests</th><th>sectors</th></tr>\n",
                safe(page, report->record.device));
    for (size_t i = 0; i < report->record.counters.count; i++) {
        const struct counter_line *line = &report->record.counters.lines[i];
        if (line->fused_away)
            continue;
        text_printf(page->out, "<tr><td class=\"n\">%u</td><td>%s %s, %u bytes</td>", line->line,
                    line->space == PTX_SHARED ? "shared" : "global", line->op, line->bytes);
        const uint64_t values[] = {line->instructions, line->wavefronts, line->conflicts, line->requests,
                                   line->sectors};
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            text_printf(page->out, "<td class=\"n\">%llu</td>", (unsigned long long)values[j]);
        text_puts(page->out, "</tr>\n");
    }
    text_puts(page->out, "</table>\n");
}

static void put_size_rows(struct page *page, const struct grade_report *report)
{
    text_puts(page->out, "<h2>Sizes</h2><table>\n");
    for (size_t i = 0; i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        bool is_right = size->ran && !size->status && size->correct;
        text_printf(page->out, "<tr><td class=\"%s\">%s</td><td>%s</td><td>%s</td><td>", is_right ? "ok" : "no",
                    is_right ? "right" : "wrong", safe(page, size->name), safe(page, size->shape));
        if (size->status)
            text_puts(page->out, safe(page, size->diagnostic.message));
        else if (!is_right)
            text_printf(page->out, "%llu of %llu wrong", (unsigned long long)size->mismatch.wrong,
                        (unsigned long long)size->mismatch.total);
        text_puts(page->out, "</td></tr>\n");
    }
    text_puts(page->out, "</table>\n");
}

static void put_time_table(struct page *page, const struct kernel_times *times, const char *how, const char *gpu)
{
    struct time_row rows[TIME_ROWS];
    size_t count = report_time_rows(times, rows);
    if (count)
        text_printf(page->out, "<h2>Time, %s (%s)</h2><table>\n", how, safe(page, gpu));
    for (size_t i = 0; i < count; i++)
        text_printf(page->out, "<tr><td>%s</td><td class=\"n\">%.2f us</td></tr>\n", rows[i].name, rows[i].us);
    text_puts(page->out, count ? "</table>\n" : "");
}

// A part of the page as it is.
static void put_pre(struct page *page, const char *title, const char *text)
{
    if (*text)
        text_printf(page->out, "%s<pre>%s</pre>\n", title, safe(page, text));
}

void report_html(const struct grade_report *report, const char *title, struct text *out)
{
    struct page page = {out, arena_new()};
    struct text facts = {0}, source = {0};
    const char *name = safe(&page, title ? title : report->lesson_id);
    text_printf(out, page_head, name);
    text_printf(out, "<h1>%s</h1>\n<p class=\"%s\">%s, %.0f of 100</p>\n", name,
                report->verdict == VERDICT_PASS ? "ok" : "no", verdict_name(report->verdict), report->score);
    if (report->next[0])
        text_printf(out, "<p>%s</p>\n", safe(&page, report->next));
    put_gate_rows(&page, report);
    put_time_table(&page, &report->modelled, "modelled", report->record.model_gpu);
    if (report->modelled.kernel > 0)
        report_model_facts(&report->record, &facts);
    put_pre(&page, "", text_get(&facts));
    put_time_table(&page, &report->measured, "measured", report->gpu);
    put_heat(&page, report);
    put_line_rows(&page, report);
    put_size_rows(&page, report);
    if (report->source)
        text_escape(&source, report->source, strlen(report->source), true);
    put_pre(&page, "<h2>Source</h2>", text_get(&source));
    text_puts(out, "</body></html>\n");
    text_free(&facts);
    text_free(&source);
    arena_free(page.arena);
}
