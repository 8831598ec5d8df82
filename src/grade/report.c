// A report as a page: what was asked, what was got, where it went wrong, and the one thing to try next. The screen
// draws the page; the command line prints it.
#include "grade/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/heatmap.h"

enum { TEXT_WIDTH = 80, MAX_BRIEF_MESSAGES = 10 };

// ---- verdict

const char *report_verdict(const struct grade_report *report, char *text, size_t size)
{
    if (report->verdict == VERDICT_PASS && strcmp(report->lesson_id, GRADE_OWN) == 0)
        snprintf(text, size, "ran"); // a kernel of no lesson
    else if (report->verdict == VERDICT_PASS)
        snprintf(text, size, "passed%s", report->full ? " with full marks" : "");
    else if ((report->verdict == VERDICT_FAIL || report->verdict == VERDICT_NOT_STARTED) && report->diagnosis[0])
        snprintf(text, size, "%s: %s", verdict_name(report->verdict), report->diagnosis);
    else
        snprintf(text, size, "%s", verdict_name(report->verdict));
    return text;
}

struct verdict_look report_look(const struct grade_report *report)
{
    switch (report->verdict) {
    case VERDICT_PASS:
        return (struct verdict_look){ROLE_GOOD, "✓"};
    case VERDICT_NOT_STARTED:
        return (struct verdict_look){ROLE_WARN, "○"};
    default:
        return (struct verdict_look){ROLE_BAD, "✗"};
    }
}

static void add_verdict(struct page *page, const struct grade_report *report)
{
    char verdict[160], how[256], compiled[32] = "compiled before";
    page_line(page, report_look(report).role, " %s %s", report_look(report).sign,
              report_verdict(report, verdict, sizeof verdict));
    if (strcmp(report->lesson_id, GRADE_OWN) != 0)
        page_add(page, ROLE_EMPHASIS, "   %.0f of 100", report->score);
    if (!report->compiler[0])
        return; // it did not come so far
    if (!report->from_cache)
        snprintf(compiled, sizeof compiled, "compiled in %.2f s", report->compile_seconds);
    int length = snprintf(how, sizeof how, "%s, %s, %s", report->device, report->compiler, compiled);
    if (strcmp(report->lesson_id, GRADE_OWN) != 0)
        snprintf(how + length, sizeof how - (size_t)length, ", ran in %.2f s, seed %llu", report->run_seconds,
                 (unsigned long long)report->seed);
    page_paragraph(page, 3, ROLE_DIM, how);
}

static void report_next(const struct grade_report *report, const char *next, struct page *page)
{
    const char *label = report_next_label(report);
    if (!*next)
        return;
    page_line(page, ROLE_KEY, " %s: ", label);
    page_words(page, (int)strlen(label) + 3, ROLE_TEXT, next);
}

const char *report_next_label(const struct grade_report *report)
{
    return report->verdict == VERDICT_PASS && !report->full ? "for full marks" : "next";
}

// ---- findings at lines of the source

// "  error  pad.cu:12:5  no such name"
// Who left a printf in has thousands of lines.
static void add_output(struct page *page, const char *output, bool all)
{
    enum { MOST_LINES = 30 };
    size_t lines = 0;
    const char *cut = NULL;
    for (const char *at = output; *at; at++)
        if (*at == '\n' && at[1] && ++lines == MOST_LINES)
            cut = at + 1;
    if (all || !cut) {
        page_lines(page, ROLE_TEXT, output);
        return;
    }
    struct text head = {0};
    text_append(&head, output, (size_t)(cut - output));
    page_lines(page, ROLE_TEXT, text_get(&head));
    page_line(page, ROLE_DIM, "  … and %zu more lines", lines + 1 - MOST_LINES);
    text_free(&head);
}

static void add_finding(struct page *page, enum role role, const char *what, const char *place, int line,
                        const char *message)
{
    page_start(page, line);
    page_add(page, role, "  %s", what);
    page_add(page, ROLE_LINENO, "%s", *place ? "  " : "");
    page_words(page, 4, ROLE_LINENO, place);
    page_add(page, ROLE_LINENO, "  ");
    page_words(page, 4, ROLE_TEXT, message);
}

static void add_messages(struct page *page, const struct grade_report *report, bool all)
{
    const struct diagnostic_list *messages = &report->messages;
    if (messages->count > 0)
        page_heading(page, "Messages");
    for (size_t i = 0; i < messages->count; i++) {
        const struct diagnostic *one = &messages->items[i];
        char place[320], line[32], message[sizeof one->message];
        snprintf(message, sizeof message, "%s", one->message);
        snprintf(line, sizeof line, ", line %d", one->line); // the place before it says so
        if (text_ends(message, line))
            message[strlen(message) - strlen(line)] = '\0';
        if (i == MAX_BRIEF_MESSAGES && !all) {
            page_line(page, ROLE_DIM, "  … and %zu more", messages->count - i);
            return;
        }
        add_finding(page, one->severity == SEVERITY_ERROR ? ROLE_BAD : ROLE_WARN, severity_name(one->severity),
                    diagnostic_place(one, place, sizeof place), one->line, message);
    }
}

// NULL: the line is in main_file, or nobody asks.
static const char *other_file(const char *file, const char *main_file)
{
    return main_file && *file && !ptx_is_file(file, main_file) ? file : NULL;
}

// ", size odd", ", sizes one, odd …": where a hazard was found, unless it was everywhere.
static void name_sizes(const struct grade_report *report, const struct hazard *hazard, char *text, size_t size)
{
    enum { MOST_NAMED = 3 };
    struct text names = {0};
    size_t found = 0;
    for (size_t i = 0; i < report->size_count; i++)
        for (size_t j = 0; j < report->sizes[i].hazards.count; j++) {
            const struct hazard *other = &report->sizes[i].hazards.items[j];
            if (other->kind != hazard->kind || other->line != hazard->line || other->other_line != hazard->other_line)
                continue;
            if (found++ < MOST_NAMED)
                text_printf(&names, "%s%.40s", found > 1 ? ", " : "", report->sizes[i].name);
            break;
        }
    *text = '\0';
    if (found > 0 && found < report->size_count)
        snprintf(text, size, ", size%s %s%s", found > 1 ? "s" : "", text_get(&names), found > MOST_NAMED ? " …" : "");
    text_free(&names);
}

void report_hazards(const struct hazard_list *hazards, const struct grade_report *report, const char *main_file,
                    bool all, struct page *page)
{
    size_t shown = 0;
    for (size_t i = 0; i < hazards->count; i++) {
        const struct hazard *hazard = &hazards->items[i];
        char what[64], place[300], in[256] = "";
        const char *file = other_file(hazard->file, main_file);
        if (hazard->benign && !hazard->as_written && !all)
            continue;
        if (shown++ == 0)
            page_heading(page, "Hazards");
        if (file)
            snprintf(in, sizeof in, "%.240s, ", text_file_name(file));
        snprintf(what, sizeof what, "▲ %s%s", hazard_name(hazard->kind),
                 hazard->as_written ? " (as written)"
                 : hazard->benign   ? " (benign)"
                                    : "");
        if (hazard->other_line && hazard->other_line != hazard->line)
            snprintf(place, sizeof place, "%slines %u and %u", in, hazard->line, hazard->other_line);
        else
            snprintf(place, sizeof place, "%sline %u", in, hazard->line);
        if (report)
            name_sizes(report, hazard, place + strlen(place), sizeof place - strlen(place));
        if (hazard->count > 1)
            snprintf(place + strlen(place), sizeof place - strlen(place), ", %llu times",
                     (unsigned long long)hazard->count);
        add_finding(page, hazard->benign ? ROLE_DIM : ROLE_WARN, what, place, (int)hazard->line, hazard->message);
    }
}

// What was not looked at is said, never passed over.
static void add_unwatched(struct page *page, const struct grade_report *report, bool all)
{
    for (size_t i = 0; i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        if (!size->ran || size->status != STATUS_OK || !(size->hazards_unwatched > 0))
            continue;
        if (size->hazards_unwatched < 1)
            page_line(page, ROLE_DIM,
                      "  Size %s makes many accesses: of %.2g %%, drawn at random, it is known whether they race.",
                      size->name, 100 * (1 - size->hazards_unwatched));
        else
            page_line(page, ROLE_DIM, "  Size %s runs too long to look for races in it, too.", size->name);
    }
    if (all && report->gate_count > 0 && report->record.modelled_us > 0)
        page_line(page, ROLE_DIM,
                  "  At the size whose time is modelled, races are looked for in some blocks only, drawn at random.");
    if (report->as_written)
        page_line(page, ROLE_DIM,
                  "  Looked for in the source as written, too: what is only there is told, not graded.");
}

// ---- gates

// ○: passed, but full marks ask for more.
static void add_gate_sign(struct page *page, const struct grade_gate *gate)
{
    if (gate->skipped)
        page_add(page, ROLE_DIM, "  · ");
    else if (!gate->passed)
        page_add(page, ROLE_BAD, "  ✗ ");
    else if (!gate->full)
        page_add(page, ROLE_WARN, "  ○ ");
    else
        page_add(page, ROLE_GOOD, "  ✓ ");
}

static void add_gate(struct page *page, const struct grade_gate *gate, bool exact, int column)
{
    const char *got = gate->skipped && !gate->got[0] ? "could not be judged here" : gate->got;
    page_start(page, 0);
    add_gate_sign(page, gate);
    page_add(page, ROLE_TEXT, "%s", gate->id);
    page_at(page, column, ROLE_TEXT, "%3g of %3g  ", gate->earned, gate->points);
    page_add(page, ROLE_DIM, "asked ");
    page_words(page, column + 17, ROLE_TEXT, gate->words[0] ? gate->words : gate->asked);
    if (gate->words[0] && exact) {
        page_paragraph(page, column + 11, ROLE_DIM, "that is ");
        page_words(page, column + 19, ROLE_TEXT, gate->asked);
    }
    if (*got) {
        if (page_column(page) + 6 + (int)strlen(got) > page->width)
            page_paragraph(page, column + 11, ROLE_DIM, "");
        page_add(page, ROLE_DIM, "  got ");
        page_words(page, column + 17, gate->passed ? ROLE_TEXT : ROLE_EMPHASIS, got);
    }
    if ((!gate->passed || !gate->full) && gate->message) {
        page_paragraph(page, column, ROLE_WARN, gate->passed ? "for full marks: " : "");
        page_words(page, column, ROLE_DIM, gate->message);
    }
}

static void add_gates(struct page *page, const struct grade_report *report, bool exact)
{
    int column = 17;
    page_heading(page, "Gates");
    for (size_t i = 0; i < report->gate_count; i++)
        if ((int)strlen(report->gates[i].id) + 6 > column)
            column = (int)strlen(report->gates[i].id) + 6;
    for (size_t i = 0; i < report->gate_count; i++)
        add_gate(page, &report->gates[i], exact, column > 30 ? 30 : column);
}

// ---- sizes

static void add_map(struct page *page, const struct grade_mismatch *mismatch)
{
    static const char *const shades[] = {"·", "░", "▒", "▓", "█"};
    // An output with fewer rows or columns than the map has cells leaves the cells between them empty.
    size_t high = mismatch->rows < 16 ? mismatch->rows : 16, wide = mismatch->columns < 32 ? mismatch->columns : 32;
    if (high < 2 && wide < 2)
        return;
    page_start(page, 0);
    page_line(page, ROLE_DIM, "    where %s is wrong, over its whole area:", mismatch->argument);
    for (size_t row = 0; row < high; row++) {
        page_line(page, ROLE_DIM, "    ");
        for (size_t column = 0; column < wide; column++) {
            int value = mismatch->map[row * 16 / high][column * 32 / wide];
            page_add(page, value ? ROLE_BAD : ROLE_INACTIVE, "%s", shades[value ? 1 + (value - 1) * 4 / 255 : 0]);
        }
    }
}

static void describe_mismatch(const struct grade_mismatch *mismatch, bool edge_only, struct text *out)
{
    char number[32];
    text_printf(out, "%s[%llu]", mismatch->argument,
                (unsigned long long)(mismatch->rows > 1 ? mismatch->row : mismatch->index));
    if (mismatch->rows > 1)
        text_printf(out, "[%llu]", (unsigned long long)mismatch->column);
    text_printf(out, " should be %s, ", grade_number(mismatch->expected, number));
    if (mismatch->first_unwritten)
        text_puts(out, "was never written");
    else
        text_printf(out, "is %s", grade_number(mismatch->got, number));
    text_printf(out, "; %llu of %llu wrong%s", (unsigned long long)mismatch->wrong, (unsigned long long)mismatch->total,
                edge_only ? ", all in tiles that the edge cuts" : "");
    if (mismatch->where[0])
        text_printf(out, "; %s", mismatch->where);
}

static bool is_wrong(const struct grade_size *size)
{
    return size->ran && size->status == STATUS_OK && !size->correct;
}

static void add_size(struct page *page, const struct grade_size *size, bool edge_only)
{
    bool is_right = size->ran && size->status == STATUS_OK && size->correct;
    page_start(page, size->diagnostic.line);
    page_add(page, is_right ? ROLE_GOOD : ROLE_BAD, "  %s ", is_right ? "✓" : "✗");
    page_add(page, ROLE_TEXT, "%-8.24s ", size->name);
    page_add(page, ROLE_DIM, is_right ? "%.40s" : "%-15.40s  ", size->shape);
    struct text what = {0};
    if (size->status != STATUS_OK)
        text_puts(&what, size->diagnostic.message);
    else if (is_wrong(size))
        describe_mismatch(&size->mismatch, edge_only, &what);
    else if (!size->ran)
        text_puts(&what, "not run");
    page_words(page, 30, ROLE_TEXT, text_get(&what));
    text_free(&what);
}

// All, or those that are not right; then a map of the first wrong one that a map says something about.
static void add_sizes(struct page *page, const struct grade_report *report, bool all)
{
    const struct grade_mismatch *mapped = NULL;
    size_t shown = 0;
    bool edge_only = grade_edge_only(report);
    for (size_t i = 0; i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        const struct grade_mismatch *mismatch = &size->mismatch;
        if (size->correct && !all)
            continue;
        if (shown++ == 0)
            page_heading(page, "Correctness");
        add_size(page, size, edge_only);
        if (!mapped && is_wrong(size) && mismatch->argument && mismatch->wrong < mismatch->total && mismatch->rows > 1)
            mapped = mismatch;
    }
    if (shown && report->right_where[0])
        page_line(page, ROLE_DIM, "    It is right exactly where %s.", report->right_where);
    if (mapped)
        add_map(page, mapped);
}

// ---- counts

static bool is_same_line(const struct counter_line *a, const struct counter_line *b)
{
    return strcmp(a->file, b->file) == 0 && a->line == b->line && a->space == b->space && strcmp(a->op, b->op) == 0 &&
           (a->bytes == b->bytes || b->fused_away);
}

static void add_to_line(struct counter_line *sum, const struct counter_line *line)
{
    sum->instructions += line->instructions;
    sum->wavefronts += line->wavefronts;
    sum->conflicts += line->conflicts;
    sum->requests += line->requests;
    sum->sectors += line->sectors;
    sum->written_wavefronts += line->written_wavefronts;
    sum->written_conflicts += line->written_conflicts;
    sum->estimate |= line->estimate;
}

struct counter_line *report_merge_lines(const struct counter_table *table, size_t *count)
{
    struct counter_line *lines = mem_alloc((table->count + 1) * sizeof *lines);
    *count = 0;
    for (size_t i = 0; i < 2 * table->count; i++) {
        const struct counter_line *line = &table->lines[i % table->count];
        size_t at = 0;
        if (line->fused_away != (i >= table->count))
            continue;
        while (at < *count && !is_same_line(&lines[at], line))
            at++;
        if (at == *count)
            lines[(*count)++] = *line;
        else
            add_to_line(&lines[at], line);
    }
    return lines;
}

void report_lines(const struct record *record, const char *main_file, bool all, struct page *page)
{
    size_t count, shown = 0;
    const char *file = NULL, *previous = NULL;
    struct counter_line *lines = report_merge_lines(&record->counters, &count);
    for (size_t i = 0; i < count; i++) {
        const struct counter_line *line = &lines[i];
        bool is_shared = line->space == PTX_SHARED;
        if (!all && !is_shared)
            continue;
        if (shown++ == 0) {
            page_heading(page, "Counts, %s", record->device);
            page_line(page, ROLE_DIM, "%6s %-20s%12s%11s%10s%11s", "line", "access", "instructions", "wavefronts",
                      "conflicts", "sectors");
        }
        if ((file = other_file(line->file, main_file)) && (!previous || strcmp(file, previous) != 0))
            page_line(page, ROLE_DIM, "%s", file);
        previous = file;
        page_start(page, file ? 0 : (int)line->line);
        page_add(page, ROLE_LINENO, "%6u ", line->line);
        page_add(page, ROLE_TEXT, "%s %s %u-bit", is_shared ? "shared" : "global", line->op, line->bytes * 8);
        page_pad(page, 27);
        if (is_shared)
            page_add(page, ROLE_TEXT, "%12llu%11llu%10llu%11s", (unsigned long long)line->instructions,
                     (unsigned long long)line->wavefronts, (unsigned long long)line->conflicts, "-");
        else
            page_add(page, ROLE_TEXT, "%12llu%11s%10s%11llu", (unsigned long long)line->requests, "-", "-",
                     (unsigned long long)line->sectors);
        page_add(page, ROLE_WARN, "%s", line->estimate ? " estimate" : "");
    }
    free(lines);
}

// "shared_load_wavefronts" in words.
static const char *counter_label(const char *key, char text[64])
{
    snprintf(text, 64, "%s", key);
    for (char *under = text; (under = strchr(under, '_')) != NULL;)
        *under = ' ';
    return text;
}

void report_changes(const struct counters *now, const struct counters *before, const char *name, struct page *page)
{
    bool any = false;
    for (size_t i = 0; i < counter_fields.count; i++) {
        uint64_t value, old;
        char label[64];
        if (!counters_get(now, counter_fields.items[i].key, &value) ||
            !counters_get(before, counter_fields.items[i].key, &old) || value == old)
            continue;
        if (!any)
            page_heading(page, "Counters that changed            now │ %12s", name);
        any = true;
        page_start(page, 0);
        page_add(page, ROLE_DIM, "  %-25s", counter_label(counter_fields.items[i].key, label));
        page_add(page, ROLE_TEXT, "%10llu", (unsigned long long)value);
        page_add(page, ROLE_DIM, " │ ");
        page_add(page, ROLE_TEXT, "%12llu", (unsigned long long)old);
    }
}

void report_counters(const struct counters *counters, struct page *page)
{
    bool left = true;
    page_heading(page, "Counters, as compiled");
    for (size_t i = 0; i < counter_fields.count; i++) {
        uint64_t value;
        char label[64];
        if (!counters_get(counters, counter_fields.items[i].key, &value) || value == 0)
            continue;
        if (left)
            page_start(page, 0);
        page_at(page, left ? 2 : 42, ROLE_DIM, "%-25s", counter_label(counter_fields.items[i].key, label));
        page_add(page, ROLE_TEXT, "%12llu", (unsigned long long)value);
        left = !left || page->width < 79;
    }
}

void report_picture(const struct record *record, const char *main_file, struct page *page)
{
    enum { GLOBAL_ROWS = 8, LANES_PER_ROW = 4 };
    const struct counter_line *line;
    const struct recorded_access *worst = access_worst(&record->recording, &record->counters, &line);
    struct text picture = {0};
    if (!worst)
        return;
    bool global = worst->space == PTX_GLOBAL;
    struct bank_access compiled = access_banks(worst, true);
    uint32_t bytes = global ? worst->bytes : compiled.bytes;
    const char *file = other_file(line->file, main_file);
    page_heading(page, "%s%sine %u: %s %s, %u bytes a lane, warp %u, block (%u,%u,%u), %s",
                 file ? text_file_name(file) : "", file ? ", l" : "L", line->line, global ? "global" : "shared",
                 line->op, bytes, worst->warp, record->recording.block[0], record->recording.block[1],
                 record->recording.block[2], record->device);
    if (global)
        heatmap_sectors(bytes, worst->mask, worst->addresses, GLOBAL_ROWS, &picture);
    else
        heatmap_banks(&compiled, LANES_PER_ROW, &picture);
    page_lines(page, ROLE_TEXT, text_get(&picture));
    text_free(&picture);
}

// ---- the whole

void report_page(const struct grade_report *report, const struct lesson *lesson, enum report_detail detail,
                 struct page *page)
{
    bool all = detail != REPORT_BRIEF;
    add_messages(page, report, all);
    if (report->gate_count > 0 && (all || report->record.device[0])) // brief: only when something ran
        add_gates(page, report, detail == REPORT_EXACT);
    add_sizes(page, report, all);
    report_hazards(&report->record.hazards, report, NULL, all, page);
    add_unwatched(page, report, all);
    report_speed(report, lesson, all, page);
    report_lines(&report->record, NULL, all, page);
    if (all && report->record.counters.count > 0)
        report_counters(&report->record.counters.compiled, page);
    if (report->output) {
        page_heading(page, "The kernel printed");
        add_output(page, report->output, all);
    }
}

void report_head(const struct grade_report *report, const char *next, struct page *page)
{
    page_start(page, 0);
    add_verdict(page, report);
    report_next(report, next, page);
}

void report_text(const struct grade_report *report, const struct lesson *lesson, enum report_detail detail,
                 struct text *out)
{
    struct page page;
    page_init(&page, TEXT_WIDTH, page_locale_is_ascii());
    page_line(&page, ROLE_TITLE, "%s", lesson && lesson->title ? lesson->title : report->lesson_id);
    add_verdict(&page, report);
    report_page(report, lesson, detail, &page);
    page_start(&page, 0);
    if (report->diagnosis[0])
        page_line(&page, ROLE_TEXT, " why: %s", report->diagnosis);
    report_next(report, report->next, &page);
    page_print(&page, out);
    page_free(&page);
}

void report_line(const struct grade_report *report, const char *name, struct text *out)
{
    char verdict[160];
    if (report->verdict != VERDICT_PASS)
        snprintf(verdict, sizeof verdict, "%s", verdict_name(report->verdict));
    else
        report_verdict(report, verdict, sizeof verdict);
    text_printf(out, "%-22.40s %-22s %3.0f  %.28s", name, verdict, report->score,
                report->diagnosis[0] ? report->diagnosis : report->next);
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
        .is_starter = report->verdict == VERDICT_NOT_STARTED,
    };
    if (verdict_exit(report->verdict) == 2)
        return STATUS_OK;
    snprintf(run.verdict, sizeof run.verdict, "%s", verdict_name(report->verdict));
    snprintf(run.diagnosis, sizeof run.diagnosis, "%s", report->diagnosis);
    return progress_add_run(progress, report->lesson_id, &run, diagnostic);
}
