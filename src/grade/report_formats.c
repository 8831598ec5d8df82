// Reports for course software: JUnit XML, Gradescope JSON, one HTML page.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grade/report.h"
#include "record/access.h"

// ---- JUnit

static void put_failure(const struct grade_report *report, const struct grade_gate *gate, struct text *out)
{
    text_puts(out, "    <failure message=\"");
    text_escape_markup(out, gate->message ? gate->message : gate->got);
    text_puts(out, "\">asked: ");
    text_escape_markup(out, gate->asked);
    text_puts(out, "\ngot: ");
    text_escape_markup(out, gate->got);
    if (report->diagnosis[0]) {
        text_puts(out, "\nwhy: ");
        text_escape_markup(out, report->diagnosis);
    }
    text_puts(out, "</failure>\n");
}

static void put_case(const struct grade_report *report, const struct grade_gate *gate, struct text *out)
{
    text_printf(out, "   <testcase classname=\"");
    text_escape_markup(out, report->lesson_id);
    text_puts(out, "\" name=\"");
    text_escape_markup(out, gate->id);
    text_puts(out, "\">\n");
    if (gate->skipped)
        text_puts(out, "    <skipped/>\n");
    else if (!gate->passed)
        put_failure(report, gate, out);
    text_puts(out, "   </testcase>\n");
}

static bool is_ours(const struct grade_report *report)
{
    return report->verdict == VERDICT_INFRASTRUCTURE || report->verdict == VERDICT_TOO_NOISY;
}

static void put_suite(const struct grade_report *report, struct text *out)
{
    size_t failures = 0, skipped = 0;
    for (size_t i = 0; i < report->gate_count; i++) {
        failures += !report->gates[i].skipped && !report->gates[i].passed;
        skipped += report->gates[i].skipped;
    }
    text_puts(out, "  <testsuite name=\"");
    text_escape_markup(out, report->lesson_id);
    text_printf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\" time=\"%.3f\">\n",
                report->gate_count + 1, failures + (report->verdict != VERDICT_PASS && !is_ours(report)),
                is_ours(report), skipped, report->total_seconds);
    text_puts(out, "   <testcase classname=\"");
    text_escape_markup(out, report->lesson_id);
    text_puts(out, "\" name=\"verdict\">\n");
    if (report->verdict != VERDICT_PASS) {
        const char *kind = is_ours(report) ? "error" : "failure";
        text_printf(out, "    <%s message=\"%s\">", kind, verdict_name(report->verdict));
        text_escape_markup(out, report->next);
        text_printf(out, "</%s>\n", kind);
    }
    text_puts(out, "   </testcase>\n");
    for (size_t i = 0; i < report->gate_count; i++)
        put_case(report, &report->gates[i], out);
    text_puts(out, "  </testsuite>\n");
}

void report_junit(struct grade_report *const *reports, size_t count, struct text *out)
{
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"bankshot\">\n");
    for (size_t i = 0; i < count; i++)
        put_suite(reports[i], out);
    text_puts(out, "</testsuites>\n");
}

// ---- Gradescope (results.json: score, max_score, name, output, status by test)

json_t *report_gradescope(struct grade_report *const *reports, size_t count)
{
    json_t *tests = json_array();
    double seconds = 0;
    for (size_t i = 0; i < count; i++) {
        const struct grade_report *report = reports[i];
        struct text said = {0}, name = {0};
        seconds += report->total_seconds;
        if (report->gate_count == 0 || is_ours(report)) {
            text_printf(&said, "%s: %s", verdict_name(report->verdict), report->next);
            json_array_append_new(tests, json_pack("{s:s, s:f, s:f, s:s, s:s}", "name", report->lesson_id, "score", 0.0,
                                                   "max_score", 100.0, "status", "failed", "output", text_get(&said)));
        }
        double judged = 0; // skipped gates leave the others their share of 100, as in the score
        for (size_t j = 0; j < report->gate_count; j++)
            judged += report->gates[j].skipped ? 0 : report->gates[j].points;
        double share = judged > 0 ? 100 / judged : 1;
        for (size_t j = 0; j < report->gate_count && !is_ours(report); j++) {
            const struct grade_gate *gate = &report->gates[j];
            if (gate->skipped)
                continue;
            text_clear(&said);
            text_clear(&name);
            text_printf(&name, "%s: %s", report->lesson_id, gate->id);
            text_printf(&said, "asked: %s\ngot: %s", gate->asked, gate->got);
            if (!gate->passed && gate->message)
                text_printf(&said, "\n%s", gate->message);
            json_array_append_new(tests, json_pack("{s:s, s:f, s:f, s:s, s:s}", "name", text_get(&name), "score",
                                                   share * gate->earned, "max_score", share * gate->points, "status",
                                                   gate->passed ? "passed" : "failed", "output", text_get(&said)));
        }
        text_free(&said);
        text_free(&name);
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

static void put_gate_rows(const struct grade_report *report, struct text *out)
{
    text_puts(out, "<table><tr><th></th><th>gate</th><th>points</th><th>asked</th><th>got</th></tr>\n");
    for (size_t i = 0; i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        const char *mark = gate->skipped ? "not judged" : gate->passed ? "passed" : "failed";
        text_printf(out, "<tr><td class=\"%s\">%s</td><td>", gate->passed ? "ok" : gate->skipped ? "" : "no", mark);
        text_escape_markup(out, gate->id);
        text_printf(out, "</td><td class=\"n\">%g of %g</td><td><code>", gate->earned, gate->points);
        text_escape_markup(out, gate->asked);
        text_puts(out, "</code></td><td>");
        text_escape_markup(out, gate->got);
        text_puts(out, "</td></tr>\n");
    }
    text_puts(out, "</table>\n");
}

static void put_heat(const struct grade_report *report, struct text *out)
{
    const struct counter_line *line;
    const struct recording *recording = &report->record.recording;
    const struct recorded_access *access = access_worst(recording, &report->record.counters, &line);
    if (!access || access->space != PTX_SHARED)
        return;
    struct bank_pattern pattern;
    bank_pattern_of(&pattern, access, true);
    text_printf(out,
                "<h2>Banks</h2><p>Line %u, %s of %u bytes a lane, warp %u of block (%u, %u, %u), %s. A row is a lane, "
                "a column a bank.</p><table class=\"heat\">\n",
                line->line, line->op, pattern.access.bytes, access->warp, recording->block[0], recording->block[1],
                recording->block[2], report->record.device);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        text_puts(out, "<tr>");
        for (unsigned bank = 0; bank < BANKS; bank++)
            text_puts(out, bank_pattern_touches(&pattern, lane, bank) ? "<td style=\"background:#c2410c\">&nbsp;</td>"
                                                                      : "<td></td>");
        text_puts(out, "</tr>\n");
    }
    text_puts(out, "</table>\n");
}

static void put_line_rows(const struct grade_report *report, struct text *out)
{
    text_printf(out,
                "<h2>Counts</h2><p>%s</p><table><tr><th>line</th><th>access</th><th>instructions</th>"
                "<th>wavefronts</th><th>conflicts</th><th>requests</th><th>sectors</th></tr>\n",
                report->record.device);
    for (size_t i = 0; i < report->record.counters.count; i++) {
        const struct counter_line *line = &report->record.counters.lines[i];
        if (line->fused_away)
            continue;
        text_printf(out, "<tr><td class=\"n\">%u</td><td>%s %s, %u bytes</td>", line->line,
                    line->space == PTX_SHARED ? "shared" : "global", line->op, line->bytes);
        const uint64_t values[] = {line->instructions, line->wavefronts, line->conflicts, line->requests,
                                   line->sectors};
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            text_printf(out, "<td class=\"n\">%llu</td>", (unsigned long long)values[j]);
        text_puts(out, "</tr>\n");
    }
    text_puts(out, "</table>\n");
}

static void put_size_rows(const struct grade_report *report, struct text *out)
{
    text_puts(out, "<h2>Sizes</h2><table>\n");
    for (size_t i = 0; i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        bool is_right = size->ran && !size->status && size->correct;
        text_printf(out, "<tr><td class=\"%s\">%s</td><td>", is_right ? "ok" : "no", is_right ? "right" : "wrong");
        text_escape_markup(out, size->name);
        text_puts(out, "</td><td>");
        text_escape_markup(out, size->shape);
        text_puts(out, "</td><td>");
        if (size->status)
            text_escape_markup(out, size->diagnostic.message);
        else if (!is_right)
            text_printf(out, "%llu of %llu wrong", (unsigned long long)size->mismatch.wrong,
                        (unsigned long long)size->mismatch.total);
        text_puts(out, "</td></tr>\n");
    }
    text_puts(out, "</table>\n");
}

static void put_time_rows(const struct kernel_times *times, const char *how, const char *gpu, struct text *out)
{
    const struct {
        const char *name;
        double us;
    } rows[] = {{"naive", times->naive},
                {"yours", times->kernel},
                {"solution", times->solution},
                {"device copy", times->copy},
                {"cuBLAS", times->cublas}};
    if (!(times->kernel > 0))
        return;
    text_printf(out, "<h2>Time, %s (", how);
    text_escape_markup(out, gpu);
    text_puts(out, ")</h2><table>\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].us > 0)
            text_printf(out, "<tr><td>%s</td><td class=\"n\">%.2f us</td></tr>\n", rows[i].name, rows[i].us);
    text_puts(out, "</table>\n");
}

// Modelled times with why, measured times.
static void put_times(const struct grade_report *report, struct text *out)
{
    struct text facts = {0};
    put_time_rows(&report->modelled, "modelled", report->record.model_gpu, out);
    if (report->modelled.kernel > 0)
        report_model_facts(&report->record, &facts);
    if (facts.length) {
        text_puts(out, "<pre>");
        text_escape_markup(out, text_get(&facts));
        text_puts(out, "</pre>\n");
    }
    put_time_rows(&report->measured, "measured", report->gpu, out);
    text_free(&facts);
}

void report_html(const struct grade_report *report, const char *title, struct text *out)
{
    struct text name = {0};
    text_escape_markup(&name, title ? title : report->lesson_id);
    text_printf(out, page_head, text_get(&name));
    text_printf(out, "<h1>%s</h1>\n<p class=\"%s\">%s, %.0f of 100</p>\n", text_get(&name),
                report->verdict == VERDICT_PASS ? "ok" : "no", verdict_name(report->verdict), report->score);
    if (report->next[0]) {
        text_puts(out, "<p>");
        text_escape_markup(out, report->next);
        text_puts(out, "</p>\n");
    }
    put_gate_rows(report, out);
    put_times(report, out);
    put_heat(report, out);
    put_line_rows(report, out);
    put_size_rows(report, out);
    if (report->source) {
        text_puts(out, "<h2>Source</h2><pre>");
        struct text source = {0};
        text_escape(&source, report->source, strlen(report->source), true);
        text_escape_markup(out, text_get(&source));
        text_free(&source);
        text_puts(out, "</pre>\n");
    }
    text_puts(out, "</body></html>\n");
    text_free(&name);
}
