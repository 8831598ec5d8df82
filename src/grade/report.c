// A report as plain text, and what of it goes into the learner's progress.
#include "grade/report.h"

#include <math.h>
#include <string.h>

#include "lesson/markdown.h"

enum { WIDTH = 80, MAX_SHOWN_LINES = 6, MAX_SHOWN_MESSAGES = 10 };

// ---- plain text

// Words of text after `first`, in lines of WIDTH columns; further lines start with `indent` blanks.
static void put_wrapped(struct text *out, const char *first, int indent, const char *text)
{
    int used = markdown_columns(first);
    bool is_start = true;
    text_puts(out, first);
    while (*text) {
        size_t length = strcspn(text, " \n");
        char word[512];
        snprintf(word, sizeof word, "%.*s", (int)(length < 511 ? length : 511), text);
        int columns = markdown_columns(word);
        if (!is_start && used + 1 + columns > WIDTH) {
            text_printf(out, "\n%*s", indent, "");
            used = indent;
            is_start = true;
        }
        text_printf(out, "%s%s", is_start ? "" : " ", word);
        used += columns + !is_start;
        is_start = false;
        text += length;
        text += strspn(text, " \n");
    }
    text_puts(out, "\n");
}

static const char *verdict_words(const struct grade_report *report)
{
    if (report->verdict != VERDICT_PASS)
        return verdict_name(report->verdict);
    return report->full ? "pass, full marks" : "passes, but";
}

static void put_head(const struct grade_report *report, const char *title, struct text *out)
{
    char right[64];
    int score = snprintf(right, sizeof right, "%s   %.0f of 100", verdict_words(report), report->score);
    int left = markdown_columns(title);
    text_printf(out, "%s%*s%s\n", title, left + score + 2 < WIDTH ? WIDTH - left - score : 2, "", right);
    text_printf(out, "%s, %s, ", report->device, report->compiler);
    if (report->from_cache)
        text_puts(out, "compiled before");
    else
        text_printf(out, "compiled in %.2f s", report->compile_seconds);
    text_printf(out, ", ran in %.2f s, seed %llu\n", report->run_seconds, (unsigned long long)report->seed);
}

static void put_map(const struct grade_mismatch *mismatch, struct text *out)
{
    // An output with fewer rows or columns than the map has cells leaves the cells between them empty.
    size_t high = mismatch->rows < 16 ? mismatch->rows : 16, wide = mismatch->columns < 32 ? mismatch->columns : 32;
    if (high < 2 && wide < 2)
        return;
    text_printf(out, "      where (%llu x %llu; . right, + some wrong, # all wrong):\n",
                (unsigned long long)mismatch->rows, (unsigned long long)mismatch->columns);
    for (size_t row = 0; row < high; row++) {
        text_puts(out, "      ");
        for (size_t column = 0; column < wide; column++) {
            unsigned char cell = mismatch->map[row * 16 / high][column * 32 / wide];
            text_puts(out, cell == 0 ? "." : cell < 250 ? "+" : "#");
        }
        text_puts(out, "\n");
    }
}

static void put_size(const struct grade_size *size, bool verbose, bool with_map, struct text *out)
{
    const struct grade_mismatch *mismatch = &size->mismatch;
    char first[96];
    bool is_right = size->ran && size->status == STATUS_OK && size->correct;
    if (is_right && !verbose)
        return;
    snprintf(first, sizeof first, "  %s  %.24s (%.40s): ", is_right ? "ok" : "NO", size->name, size->shape);
    if (is_right) {
        put_wrapped(out, first, 6, "right");
    } else if (!size->ran) {
        put_wrapped(out, first, 6, "not run");
    } else if (size->status != STATUS_OK) {
        put_wrapped(out, first, 6, size->diagnostic.message);
    } else {
        struct text what = {0};
        text_printf(&what, "%llu of %llu elements of %s wrong%s. First: [%llu]", (unsigned long long)mismatch->wrong,
                    (unsigned long long)mismatch->total, mismatch->argument,
                    mismatch->partial_only ? ", all in tiles that the edge cuts" : "",
                    (unsigned long long)(mismatch->rows > 1 ? mismatch->row : mismatch->index));
        if (mismatch->rows > 1)
            text_printf(&what, "[%llu]", (unsigned long long)mismatch->column);
        if (mismatch->first_unwritten)
            text_printf(&what, " was never written, should be %.9g.", mismatch->expected);
        else if (isnan(mismatch->got))
            text_printf(&what, " is NaN, should be %.9g.", mismatch->expected);
        else
            text_printf(&what, " is %.9g, should be %.9g.", mismatch->got, mismatch->expected);
        put_wrapped(out, first, 6, text_get(&what));
        text_free(&what);
        if (with_map)
            put_map(mismatch, out);
    }
}

static void put_sizes(const struct grade_report *report, bool verbose, struct text *out)
{
    bool has_map = false;
    for (size_t i = 0; i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        bool with_map = !has_map && size->ran && !size->status && size->mismatch.wrong > 0 &&
                        size->mismatch.wrong < size->mismatch.total && size->mismatch.rows > 1;
        put_size(size, verbose, with_map, out);
        has_map = has_map || with_map;
    }
}

static void put_gates(const struct grade_report *report, struct text *out)
{
    for (size_t i = 0; i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        const char *mark = gate->skipped ? "-- " : !gate->passed ? "NO " : gate->full ? "ok " : "but";
        char first[96], points[32] = "";
        if (gate->points > 0)
            snprintf(points, sizeof points, "%g of %g", gate->earned, gate->points);
        snprintf(first, sizeof first, "  %s %-16.40s %10s   ", mark, gate->id, points);
        if (gate->skipped) {
            put_wrapped(out, first, 36, gate->got[0] ? gate->got : "could not be judged here");
            continue;
        }
        if (!gate->passed || !gate->full) {
            struct text asked = {0};
            text_printf(&asked, "asked: %s", gate->asked);
            put_wrapped(out, first, 36, text_get(&asked));
            text_clear(&asked);
            text_printf(&asked, "got: %s", gate->got);
            put_wrapped(out, "                                    ", 36, text_get(&asked));
            text_free(&asked);
        } else {
            put_wrapped(out, first, 36, gate->got);
        }
    }
}

static void put_messages(const struct grade_report *report, struct text *out)
{
    char line[1200];
    for (size_t i = 0; i < report->messages.count && i < MAX_SHOWN_MESSAGES; i++) {
        const struct diagnostic *message = &report->messages.items[i];
        bool is_told = message->code == STATUS_FAULT || message->code == STATUS_TIMEOUT;
        if (is_told && report->size_count > 0)
            continue; // with its size above
        put_wrapped(out, "", 4, diagnostic_format(message, line, sizeof line));
    }
    if (report->messages.count > MAX_SHOWN_MESSAGES)
        text_printf(out, "… and %zu more\n", report->messages.count - MAX_SHOWN_MESSAGES);
}

static void put_hazards(const struct grade_report *report, bool verbose, struct text *out)
{
    const struct hazard_list *hazards = &report->record.hazards;
    for (size_t i = 0; i < hazards->count; i++) {
        const struct hazard *hazard = &hazards->items[i];
        char first[96];
        if (hazard->benign && !verbose)
            continue;
        int used = snprintf(first, sizeof first, "  %s%s, line %u", hazard_name(hazard->kind),
                            hazard->benign ? " (benign)" : "", hazard->line);
        if (hazard->other_line && hazard->other_line != hazard->line)
            used += snprintf(first + used, sizeof first - (size_t)used, " and %u", hazard->other_line);
        snprintf(first + used, sizeof first - (size_t)used, ": ");
        put_wrapped(out, first, 4, hazard->message);
    }
}

// The shared accesses that cost most, by line.
static void put_lines(const struct grade_report *report, struct text *out)
{
    const struct counter_table *table = &report->record.counters;
    size_t shown = 0;
    for (size_t i = 0; i < table->count && shown < MAX_SHOWN_LINES; i++) {
        const struct counter_line *line = &table->lines[i];
        if (line->space != PTX_SHARED || line->fused_away || line->instructions == 0)
            continue;
        if (shown++ == 0)
            text_printf(out, "\n  %s\n  line  shared access  instructions   wavefronts    conflicts\n",
                        report->record.device);
        text_printf(out, "  %4u  %-6s %2u bytes %13llu %12llu %12llu%s\n", line->line, line->op, line->bytes,
                    (unsigned long long)line->instructions, (unsigned long long)line->wavefronts,
                    (unsigned long long)line->conflicts, line->estimate ? "   estimate" : "");
    }
}

size_t report_time_rows(const struct kernel_times *times, struct time_row rows[TIME_ROWS])
{
    const struct time_row all[TIME_ROWS] = {{"naive", times->naive},
                                            {"yours", times->kernel},
                                            {"solution", times->solution},
                                            {"device copy", times->copy},
                                            {"cuBLAS", times->cublas}};
    size_t count = 0;
    for (size_t i = 0; i < TIME_ROWS && times->kernel > 0; i++)
        if (all[i].us > 0)
            rows[count++] = all[i];
    return count;
}

// Times as bars: the longest is the slowest.
static void put_time_bars(const struct kernel_times *times, const char *how, const char *where, struct text *out)
{
    enum { BAR = 40 };
    struct time_row rows[TIME_ROWS];
    size_t count = report_time_rows(times, rows);
    double longest = 0;
    for (size_t i = 0; i < count; i++)
        longest = fmax(longest, rows[i].us);
    if (count)
        text_printf(out, "\n  %s (%s)\n", how, where);
    for (size_t i = 0; i < count; i++) {
        text_printf(out, "  %-12s %12.2f us  ", rows[i].name, rows[i].us);
        for (int j = 0; j < (int)ceil((double)BAR * rows[i].us / longest); j++)
            text_puts(out, "=");
        text_puts(out, "\n");
    }
}

// Rates and ratios of what was measured.
static void put_ratios(const struct grade_report *report, struct text *out)
{
    const struct kernel_times *ratios = &report->ratios;
    struct text line = {0};
    if (report->gbps > 0)
        text_printf(&line, "%.0f GB/s", report->gbps);
    if (report->gflops > 0)
        text_printf(&line, "%s%.0f GFLOP/s", line.length ? ", " : "", report->gflops);
    if (report->copy_percent > 0)
        text_printf(&line, ", %.1f %% of a device copy", report->copy_percent);
    if (ratios->cublas > 0)
        text_printf(&line, ", %.1f %% of cuBLAS", 100 * ratios->cublas);
    if (ratios->naive > 0)
        text_printf(&line, ", %.2f times as fast as naive", ratios->naive);
    if (ratios->solution > 0)
        text_printf(&line, ", %.2f times as fast as the solution", ratios->solution);
    if (line.length)
        put_wrapped(out, "  ", 2, text_get(&line) + (text_starts(text_get(&line), ", ") ? 2 : 0));
    text_free(&line);
}

// Where the warps' time goes: the reasons that matter, largest first.
static void put_waits(const struct prediction *model, struct text *out)
{
    bool told[REPLAY_REASONS] = {false};
    text_printf(out, "warps' time: issuing %.0f %%", 100 * model->issued);
    for (int shown = 0; shown < 3; shown++) {
        int most = -1;
        for (int i = 0; i < REPLAY_REASONS; i++)
            if (!told[i] && (most < 0 || model->waits[i] > model->waits[most]))
                most = i;
        told[most] = true;
        if (model->waits[most] >= 0.05)
            text_printf(out, "%s %s %.0f %%", shown ? "," : "; waiting for",
                        predict_reason_name((enum replay_reason)most), 100 * model->waits[most]);
    }
    if (model->tail >= 0.1)
        text_printf(out, "; SMs idle at the end %.0f %%", 100 * model->tail);
}

void report_model_facts(const struct record *record, struct text *out)
{
    const struct prediction *model = &record->model;
    const struct device_resources *resources = &record->resources;
    if (!(record->modelled_us > 0))
        return;
    text_printf(out, "modelled (%s): %.2f us, bound by %s\n", record->model_gpu, record->modelled_us,
                model->bound_by ? model->bound_by : "");
    text_printf(out, "occupancy %.0f %% (limit: %s), %u registers a thread (%s)", 100 * model->occupancy.fraction,
                model->occupancy.limit ? model->occupancy.limit : "", model->registers,
                model->registers_estimated ? "estimate" : "ptxas");
    if (resources->spill_stores + resources->spill_loads > 0)
        text_printf(out, ", spilled: %u bytes stored, %u loaded", resources->spill_stores, resources->spill_loads);
    text_puts(out, "\n");
    put_waits(model, out);
    text_puts(out, "\n");
    if (model->advice[0])
        text_printf(out, "would help: %s\n", model->advice);
}

void report_model_text(const struct record *record, struct text *out)
{
    struct text facts = {0};
    report_model_facts(record, &facts);
    for (const char *line = text_get(&facts); *line;) {
        char words[512];
        size_t length = strcspn(line, "\n");
        snprintf(words, sizeof words, "%.*s", (int)(length < sizeof words - 1 ? length : sizeof words - 1), line);
        put_wrapped(out, "  ", 4, words);
        line += length + (line[length] == '\n');
    }
    text_free(&facts);
}

static void put_speed(const struct grade_report *report, struct text *out)
{
    put_time_bars(&report->modelled, "modelled", report->record.model_gpu, out);
    if (report->modelled.kernel > 0)
        report_model_text(&report->record, out);
    put_time_bars(&report->measured, "measured", report->gpu, out);
    put_ratios(report, out);
    if (report->evidence[0])
        put_wrapped(out, "  too noisy to grade: ", 4, report->evidence);
}

void report_text(const struct grade_report *report, const char *title, bool verbose, struct text *out)
{
    put_head(report, title ? title : report->lesson_id, out);
    text_puts(out, "\n");
    if (report->record.device[0]) // something ran
        put_gates(report, out);
    put_messages(report, out);
    put_sizes(report, verbose, out);
    put_hazards(report, verbose, out);
    put_lines(report, out);
    put_speed(report, out);
    if (report->output) {
        text_puts(out, "\nThe kernel printed:\n");
        text_puts(out, report->output);
        if (!text_ends(report->output, "\n"))
            text_puts(out, "\n");
    }
    if (report->diagnosis[0])
        text_printf(out, "\nwhy: %s\n", report->diagnosis);
    else
        text_puts(out, "\n");
    if (report->next[0])
        put_wrapped(out, "next: ", 6, report->next);
}

void report_line(const struct grade_report *report, const char *name, struct text *out)
{
    char first[128];
    snprintf(first, sizeof first, "%-22.40s %-18s %3.0f  ", name, verdict_words(report), report->score);
    text_puts(out, first);
    if (report->diagnosis[0])
        text_printf(out, "%.32s", report->diagnosis);
    else if (report->next[0])
        text_printf(out, "%.32s", report->next);
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_puts(out, "\n");
}

// ---- progress

// How much faster than the naive kernel, as the speed gates see it; 0 = neither measured nor modelled.
static double kept_ratio(const struct grade_report *report)
{
    const struct kernel_times *modelled = &report->modelled;
    if (report->measured.kernel > 0)
        return fmax(report->ratios.naive, 0);
    return modelled->kernel > 0 && modelled->naive > 0 ? modelled->naive / modelled->kernel : 0;
}

enum status report_keep(const struct grade_report *report, struct progress *progress, struct diagnostic *diagnostic)
{
    struct progress_run run = {
        .score = report->score,
        .ratio = kept_ratio(report),
        .wavefronts = (double)counters_shared(&report->record.counters.compiled).wavefronts,
        .seconds = report->total_seconds,
        .passed = report->verdict == VERDICT_PASS,
        .full = report->full,
    };
    if (verdict_exit(report->verdict) == 2)
        return STATUS_OK;
    snprintf(run.verdict, sizeof run.verdict, "%s", verdict_name(report->verdict));
    snprintf(run.diagnosis, sizeof run.diagnosis, "%s", report->diagnosis);
    return progress_add_run(progress, report->lesson_id, &run, diagnostic);
}
