// The pages of a class.
#include "course/site.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "course/picture.h"
#include "grade/report.h"
#include "ptx/ptx.h"

enum { PAGE_MAX = 64 << 20, REPORT_WIDTH = 96, MOST_SOURCE_LINES = 5000 };

// A student's hand-in for one lesson, as the pages show it.
struct entry {
    const struct course_mark *mark;          // NULL: there is no submission
    const struct gradebook_attempt *attempt; // that counts; NULL: the same
    size_t page;                             // from 1; 0: it has none
    // for the leaderboard, of those that passed
    double us; // 0: no time is known
    char time_of[128];
    uint64_t wavefronts, conflicts, sectors;
};

struct site {
    struct gradebook *book;
    const struct lesson_set *set;
    const struct site_options *options;
    const char *folder, *title;
    struct arena *arena;
    const struct course_mark *marks;
    size_t mark_count;
    const char **students, **lessons; // in order
    size_t student_count, lesson_count, page_count, written;
    struct entry *entries; // by student, then lesson
    size_t *places;        // of each student among the pseudonyms, from 1
};

static struct entry *entry_at(const struct site *site, size_t student, size_t lesson)
{
    return &site->entries[student * site->lesson_count + lesson];
}

// ---- text

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1b1b;--paper:#fff;--dim:#595959;--line:#c4c4c4;--soft:#f3f3f3;--link:#0b4f9e;"
    "--good:#0b5d1e;--bad:#9b1c1c;--w0:#d7e8f7;--w1:#a9d0f0;--w2:#f6dc8a;--w3:#f3b062;--w4:#ec8250;--w5:#dd5a4b;"
    "--on:#111;--bar:#3b78b5}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--paper:#161616;--dim:#b0b0b0;--line:#4a4a4a;--soft:#222;"
    "--link:#8ec1ff;--good:#7fd492;--bad:#ff9a91;--bar:#79b1e8}}\n"
    "*{box-sizing:border-box}body{font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:70rem;margin:0 auto;padding:0 1rem 3rem;overflow-wrap:anywhere}\n"
    "a{color:var(--link)}a:focus-visible,[tabindex]:focus-visible,summary:focus-visible{outline:3px solid "
    "var(--link)}\n"
    ".skip{position:absolute;left:-999em}.skip:focus{position:static}\n"
    "nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:0 1.5rem}h1{line-height:1.2}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;overflow-wrap:normal}caption{text-align:left;color:var(--dim)"
    ";"
    "padding:.3rem 0}\n"
    "th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}"
    "thead th{background:var(--soft)}td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    "td.w{overflow-wrap:anywhere;min-width:9rem}.good{color:var(--good);font-weight:600}.bad{color:var(--bad);"
    "font-weight:600}.dim{color:var(--dim)}\n"
    "figure{margin:1rem 0;max-width:44rem}svg{width:100%;height:auto;display:block}svg text{font:9px ui-monospace,"
    "monospace;fill:var(--dim)}svg text.on{fill:var(--on);font-weight:600}.bar,.pipe{fill:var(--bar)}\n"
    ".w0{fill:var(--w0)}.w1{fill:var(--w1)}.w2{fill:var(--w2)}.w3{fill:var(--w3)}.w4{fill:var(--w4)}.w5{fill:var(--w5)}"
    ".moved{fill:var(--w3)}.ground{fill:var(--soft)}\n"
    ".s0{fill:#3fa35a}.s1{fill:#8f8f8f}.s2{fill:#4f9fd0}.s3{fill:#7d74d6}.s4{fill:#c79a1c}.s5{fill:#c23b3b}"
    ".s6{fill:#e0763e}.s7{fill:#7fb3cf}.s8{fill:#d64f93}.s9{fill:#6e5a4a}.s10{fill:#b58adf}\n"
    ".b0{background:#3fa35a}.b1{background:#8f8f8f}.b2{background:#4f9fd0}.b3{background:#7d74d6}.b4{background:#"
    "c79a1c}"
    ".b5{background:#c23b3b}.b6{background:#e0763e}.b7{background:#7fb3cf}.b8{background:#d64f93}.b9{background:#"
    "6e5a4a}"
    ".b10{background:#b58adf}\n"
    ".legend{list-style:none;padding:0;columns:16rem}.sample{display:inline-block;width:.9em;height:.9em;"
    "margin-right:.4em}\n"
    "pre,code{font-family:ui-monospace,monospace;font-size:.85rem}pre{overflow-x:auto;background:var(--soft);padding:."
    "6rem}"
    "\n.source{background:var(--soft);padding:.5rem 0;overflow-x:auto}.source ol{margin:0;padding-left:3.5rem}"
    ".source code{white-space:pre}.note{background:var(--paper);border-left:4px solid var(--bad);margin:.2rem 0;"
    "padding:.2rem .6rem;max-width:60rem}.note.count{border-color:var(--bar)}\n";

static void put_safe(struct text *out, const char *text)
{
    text_escape_markup(out, text);
}

// Bytes of a file, of which any may be anything.
static void put_bytes(struct text *out, const char *bytes, size_t length)
{
    struct text safe = {0};
    text_escape(&safe, bytes, length, true);
    put_safe(out, text_get(&safe));
    text_free(&safe);
}

static void put_name(struct text *out, const char *name)
{
    struct text safe = {0};
    text_escape_name(&safe, name);
    put_safe(out, text_get(&safe));
    text_free(&safe);
}

// By these a page is known as one of ours, of other versions too.
static const char site_page_head[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
static const char site_page_foot[] = "</main>\n<footer><p class=\"dim\">Made by Bankshot ";

static void begin_page(const struct site *site, struct text *out, const char *title, bool has_index, bool has_board)
{
    text_puts(out, site_page_head);
    text_puts(out, "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                   "<meta name=\"referrer\" content=\"no-referrer\"/>\n<title>");
    put_safe(out, title);
    text_puts(out, " – ");
    put_safe(out, site->title);
    text_printf(out,
                "</title>\n<style>\n%s</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the content</a>\n",
                style);
    if (has_index) {
        text_puts(out, "<header><nav aria-label=\"Pages\"><ul><li><a href=\"index.html\">");
        put_safe(out, site->title);
        text_puts(out, "</a></li>");
        text_puts(out, has_board ? "<li><a href=\"leaderboard.html\">Leaderboard</a></li>" : "");
        text_puts(out, "</ul></nav></header>\n");
    }
    text_puts(out, "<main id=\"main\">\n<h1>");
    put_safe(out, title);
    text_puts(out, "</h1>\n");
}

static enum status end_page(const struct site *site, struct text *out, const char *name, struct diagnostic *diagnostic)
{
    char path[PATH_MAX];
    text_puts(out, site_page_foot);
    text_puts(out, BANKSHOT_VERSION
              ". Counts are simulated and exact; times say whether they are modelled or measured.</p></footer>\n"
              "</body>\n</html>\n");
    snprintf(path, sizeof path, "%s/%s", site->folder, name);
    enum status status = file_write_quick(path, text_get(out), out->length, diagnostic);
    text_free(out);
    return status;
}

// A table that may be wider than a phone: it moves inside its own place, by keyboard too.
static void open_table(struct text *out, const char *caption)
{
    text_puts(out, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
    put_safe(out, caption);
    text_puts(out, "\"><table>\n<caption>");
    put_safe(out, caption);
    text_puts(out, "</caption>\n");
}

static void put_heads(struct text *out, const char *const *heads, size_t count)
{
    text_puts(out, "<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        text_puts(out, "<th scope=\"col\">");
        put_safe(out, heads[i]);
        text_puts(out, "</th>");
    }
    text_puts(out, "</tr></thead>\n<tbody>\n");
}

static void close_table(struct text *out)
{
    text_puts(out, "</tbody></table></div>\n");
}

// ---- what is shown

static const struct lesson *lesson_of(const struct site *site, const char *id)
{
    return site->set ? lesson_set_find(site->set, id) : NULL;
}

static const char *lesson_title(const struct site *site, const char *id)
{
    const struct lesson *lesson = lesson_of(site, id);
    return lesson && lesson->title ? lesson->title : id;
}

static const char *verdict_words(const struct entry *entry)
{
    const struct gradebook_attempt *attempt = entry->attempt;
    return !attempt                           ? "missing"
           : attempt->result.is_graded        ? verdict_name(attempt->result.verdict)
           : attempt->state != GRADEBOOK_FILE ? gradebook_state_name(attempt->state)
                                              : "not graded";
}

static bool has_mark(const struct entry *entry)
{
    return entry->attempt && entry->attempt->result.is_graded && verdict_exit(entry->attempt->result.verdict) != 2;
}

static bool has_passed(const struct entry *entry)
{
    return has_mark(entry) && entry->attempt->result.verdict == VERDICT_PASS;
}

static int by_lesson(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Numbers of what is named, in the order in which it comes.
static size_t place_of_name(struct map *names, const char *name, bool *fresh)
{
    size_t *place = map_add_bytes(names, name, strlen(name), fresh);
    *place = *fresh ? names->count - 1 : *place;
    return *place;
}

static void list_names(struct site *site, struct map *students, struct map *lessons)
{
    bool fresh;
    site->students = arena_alloc(site->arena, (site->mark_count + 1) * sizeof *site->students);
    site->lessons = arena_alloc(site->arena, (site->mark_count + 1) * sizeof *site->lessons);
    for (size_t i = 0; i < site->mark_count; i++) {
        const struct course_mark *mark = &site->marks[i];
        place_of_name(students, mark->student, &fresh);
        if (fresh)
            site->students[site->student_count++] = mark->student;
        if (mark->attempt->state == GRADEBOOK_MISSING && !mark->attempt->number)
            continue;
        place_of_name(lessons, mark->lesson, &fresh);
        if (fresh)
            site->lessons[site->lesson_count++] = mark->lesson;
    }
    if (site->lesson_count)
        qsort(site->lessons, site->lesson_count, sizeof *site->lessons, by_lesson);
    for (size_t i = 0; i < site->lesson_count; i++)
        *(size_t *)map_find_bytes(lessons, site->lessons[i], strlen(site->lessons[i])) = i;
}

static void lay_out(struct site *site)
{
    struct map students = map_of(size_t), lessons = map_of(size_t);
    list_names(site, &students, &lessons);
    site->entries = arena_alloc(site->arena, (site->student_count * site->lesson_count + 1) * sizeof *site->entries);
    for (size_t i = 0; i < site->mark_count; i++) {
        const struct course_mark *mark = &site->marks[i];
        size_t student = *(size_t *)map_find_bytes(&students, mark->student, strlen(mark->student));
        const size_t *lesson = map_find_bytes(&lessons, mark->lesson, strlen(mark->lesson));
        if (!lesson)
            continue;
        struct entry *entry = entry_at(site, student, *lesson);
        entry->mark = mark;
        entry->attempt = mark->attempt;
    }
    for (size_t i = 0; i < site->student_count * site->lesson_count; i++)
        if (site->entries[i].attempt && site->entries[i].attempt->grading)
            site->entries[i].page = ++site->page_count;
    map_free(&students);
    map_free(&lessons);
}

// ---- pseudonyms

struct pseudonym {
    uint64_t hash;
    size_t student;
};

static int by_pseudonym(const void *a, const void *b)
{
    const struct pseudonym *left = a, *right = b;
    return left->hash < right->hash ? -1 : left->hash > right->hash;
}

// Numbers in an order that only the word gives.
static void draw_pseudonyms(struct site *site)
{
    const char *word = site->options->pseudonyms;
    struct pseudonym *drawn = mem_alloc((site->student_count + 1) * sizeof *drawn);
    site->places = arena_alloc(site->arena, (site->student_count + 1) * sizeof *site->places);
    for (size_t i = 0; word && i < site->student_count; i++) {
        uint64_t hash = map_hash(MAP_HASH_START, word, strlen(word) + 1);
        hash = map_hash(hash, site->students[i], strlen(site->students[i]) + 1);
        hash = map_hash(hash, word, strlen(word));
        drawn[i] = (struct pseudonym){hash ^ hash >> 32, i};
    }
    if (word && site->student_count)
        qsort(drawn, site->student_count, sizeof *drawn, by_pseudonym);
    for (size_t i = 0; word && i < site->student_count; i++)
        site->places[drawn[i].student] = i + 1;
    free(drawn);
}

// ---- a hand-in

struct note { // at a line of the source
    uint32_t line;
    bool is_count;
    char text[900];
};

struct notes {
    struct note *items;
    size_t count, capacity;
};

static void add_note(struct notes *notes, uint32_t line, bool is_count, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add_note(struct notes *notes, uint32_t line, bool is_count, const char *format, ...)
{
    struct note *note = mem_append(notes->items, notes->capacity, notes->count);
    *note = (struct note){.line = line, .is_count = is_count};
    TEXT_FORMAT(note->text, format);
}

// Of the hand-in, not of a header of the lab's; whose hand-in it was when the source was first graded does not matter.
static bool is_of_source(const char *file)
{
    return !file || !*file || text_ends(file, ".cu");
}

static void find_notes(const struct grade_report *report, struct notes *notes)
{
    const struct record *record = &report->record;
    const struct counter_line *worst = NULL;
    size_t count;
    for (size_t i = 0; i < report->messages.count; i++)
        if (report->messages.items[i].line > 0 && is_of_source(report->messages.items[i].file))
            add_note(notes, (uint32_t)report->messages.items[i].line, false, "%s: %s",
                     severity_name(report->messages.items[i].severity), report->messages.items[i].message);
    for (size_t i = 0; i < record->hazards.count; i++) {
        const struct hazard *hazard = &record->hazards.items[i];
        if (!hazard->benign && is_of_source(hazard->file))
            add_note(notes, hazard->line, false, "%s: %s", hazard_name(hazard->kind), hazard->message);
    }
    access_worst(&record->recording, &record->counters, &worst);
    bool is_told = report->verdict == VERDICT_PASS || !report->diagnosis[0];
    struct counter_line *lines = report_merge_lines(&record->counters, &count);
    for (size_t i = 0; i < count; i++) {
        const struct counter_line *line = &lines[i];
        if (!is_of_source(line->file))
            continue;
        bool is_worst = !is_told && worst && worst->line == line->line && worst->space == line->space;
        if (is_worst)
            add_note(notes, line->line, false, "%s: %s", report->diagnosis, report->next);
        is_told = is_told || is_worst;
        if (line->conflicts)
            add_note(notes, line->line, true, "shared %s: %" PRIu64 " wavefronts, %" PRIu64 " of them conflicts",
                     line->op, line->wavefronts, line->conflicts);
    }
    free(lines);
}

static void put_notes(const struct notes *notes, uint32_t line, struct text *out)
{
    for (size_t i = 0; i < notes->count; i++)
        if (notes->items[i].line == line) {
            text_printf(out, "<p class=\"note%s\">", notes->items[i].is_count ? " count" : "");
            put_safe(out, notes->items[i].text);
            text_puts(out, "</p>");
        }
}

static void put_source(const struct grade_report *report, const char *bytes, size_t length, struct text *out)
{
    struct notes notes = {0};
    const char *at = bytes, *end = bytes + length;
    uint32_t line = 1;
    find_notes(report, &notes);
    text_puts(out, "<h2 id=\"source\">Source</h2>\n<div class=\"source\" role=\"region\" tabindex=\"0\" "
                   "aria-labelledby=\"source\"><ol>\n");
    for (; at < end && line <= MOST_SOURCE_LINES; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t width = stop ? (size_t)(stop - at) : (size_t)(end - at);
        text_printf(out, "<li id=\"L%u\"><code>", line);
        put_bytes(out, at, width > 0 && at[width - 1] == '\r' ? width - 1 : width);
        text_puts(out, "</code>");
        put_notes(&notes, line, out);
        text_puts(out, "</li>\n");
        at = stop ? stop + 1 : end;
    }
    text_puts(out, "</ol></div>\n");
    if (at < end)
        text_printf(out, "<p>Only the first %d lines are shown.</p>\n", MOST_SOURCE_LINES);
    free(notes.items);
}

static void put_gates(const struct grade_report *report, struct text *out)
{
    static const char *const heads[] = {"Gate", "Held?", "Asked", "Got", "Points"};
    if (!report->gate_count)
        return;
    text_puts(out, "<h2>Gates</h2>\n");
    open_table(out, "What the lesson asks, and what this hand-in gives");
    put_heads(out, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        text_puts(out, "<tr><th scope=\"row\">");
        put_safe(out, gate->id);
        text_printf(out, "</th><td class=\"%s\">%s</td><td class=\"w\">",
                    gate->skipped  ? "dim"
                    : gate->passed ? "good"
                                   : "bad",
                    gate->skipped  ? "not judged"
                    : gate->passed ? "✓ yes"
                                   : "✗ no");
        put_safe(out, gate->words[0] ? gate->words : gate->asked);
        text_puts(out, "</td><td class=\"w\">");
        put_safe(out, gate->got);
        if (!gate->passed && gate->message && *gate->message) {
            text_puts(out, "<br/>");
            put_safe(out, gate->message);
        }
        text_printf(out, "</td><td class=\"n\">%.0f of %.0f</td></tr>\n", gate->earned, gate->points);
    }
    close_table(out);
}

// Equal sources are graded once: messages name the file of whoever was first, and that is nobody else's business.
static void hide_folders(struct grade_report *report)
{
    for (size_t i = 0; i < report->messages.count; i++) {
        char *file = report->messages.items[i].file;
        const char *name = text_file_name(file);
        memmove(file, name, strlen(name) + 1);
    }
}

static void put_details(const struct grade_report *report, const struct lesson *lesson, struct text *out)
{
    struct page page;
    struct text text = {0};
    page_init(&page, REPORT_WIDTH, false);
    report_page(report, lesson, REPORT_EXACT, &page);
    page_print(&page, &text);
    text_puts(out, "<h2>Report</h2>\n<details><summary>Every size, message, hazard and count</summary>\n"
                   "<pre role=\"region\" tabindex=\"0\" aria-label=\"Report\">");
    put_safe(out, text_get(&text));
    text_puts(out, "</pre></details>\n");
    text_free(&text);
    page_free(&page);
}

static void put_head(const struct site *site, size_t student, const struct entry *entry,
                     const struct grade_report *report, struct text *out)
{
    const struct gradebook_attempt *attempt = entry->attempt;
    char when[64] = "";
    time_t seconds = (time_t)(attempt->time / 1000000000);
    struct tm utc;
    if (gmtime_r(&seconds, &utc))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", &utc);
    text_printf(out, "<p><strong class=\"%s\">%s %s</strong>", has_passed(entry) ? "good" : "bad",
                has_passed(entry) ? "✓" : "✗", verdict_words(entry));
    if (has_mark(entry))
        text_printf(out, ", %.1f of 100 points", attempt->result.score);
    if (has_mark(entry) && entry->mark->late_days)
        text_printf(out, ", a mark of %.1f: %d day%s late", entry->mark->mark, entry->mark->late_days,
                    entry->mark->late_days == 1 ? "" : "s");
    if (attempt->result.diagnosis[0]) {
        text_puts(out, ": <code>");
        put_safe(out, attempt->result.diagnosis);
        text_puts(out, "</code>");
    }
    text_puts(out, "</p>\n");
    if (attempt->result.next[0]) {
        text_puts(out, "<p>Next: ");
        put_safe(out, attempt->result.next);
        text_puts(out, "</p>\n");
    }
    text_printf(out, "<p class=\"dim\">Attempt %d of %d, handed in %s as ", attempt->number, attempt->count, when);
    put_name(out, text_file_name(attempt->path));
    if (report) {
        text_puts(out, ". Graded with ");
        put_safe(out, report->compiler[0] ? report->compiler : "no compiler");
        text_printf(out, ", seed %" PRIu64, report->seed);
    }
    if (site->options->pseudonyms)
        text_printf(out, ". On the leaderboard: Player %zu", site->places[student]);
    text_puts(out, ".</p>\n");
}

static void put_pictures(const struct site *site, const struct lesson *lesson, const struct grade_report *report,
                         const char *source, struct text *out)
{
    struct text picture = {0};
    struct replay_log log = {0};
    struct diagnostic why = {0};
    if (picture_access(&report->record, "access", &picture)) {
        text_puts(out, "<h2>The costliest access</h2>\n");
        text_append(out, text_get(&picture), picture.length);
    }
    text_clear(&picture);
    bool wanted = site->options->replay && lesson && report->record.counters.count && report->modelled.kernel > 0;
    if (wanted) {
        text_puts(out, "<h2>Timeline</h2>\n");
        if (!site->options->replay(site->options->context, lesson, report, source, &log, &why)) {
            text_puts(out, "<p>There is none: ");
            put_safe(out, why.message);
            text_puts(out, "</p>\n");
        } else if (picture_timeline(&log, "timeline", &picture)) {
            text_append(out, text_get(&picture), picture.length);
        }
    }
    replay_log_free(&log);
    text_free(&picture);
}

// What the leaderboard tells of it.
static void take_figures(struct entry *entry, const struct grade_report *report)
{
    struct shared_counts shared = counters_shared(&report->record.counters.compiled);
    bool is_measured = report->measured.kernel > 0;
    entry->wavefronts = shared.wavefronts;
    entry->conflicts = shared.conflicts;
    entry->sectors = counters_global_read(&report->record.counters.compiled).sectors +
                     counters_global_written(&report->record.counters.compiled).sectors;
    entry->us = is_measured ? report->measured.kernel : report->modelled.kernel > 0 ? report->modelled.kernel : 0;
    entry->us = (double)(int64_t)(entry->us * 10 + 0.5) / 10; // who look alike share a place
    if (entry->us > 0)
        snprintf(entry->time_of, sizeof entry->time_of, "%s (%.96s)", is_measured ? "measured" : "modelled",
                 is_measured ? report->gpu : report->record.model_gpu);
}

static enum status write_hand_in(struct site *site, size_t student, size_t lesson, struct diagnostic *diagnostic)
{
    struct entry *entry = entry_at(site, student, lesson);
    struct grade_report *report = NULL;
    char *source = NULL, name[64];
    size_t length = 0;
    struct text out = {0}, title = {0};
    enum status status = gradebook_report(site->book, entry->attempt->grading, &report, diagnostic);
    if (status == STATUS_OK)
        status = gradebook_source(site->book, entry->attempt->grading, &source, &length, diagnostic);
    if (status != STATUS_OK)
        goto out;
    text_escape_name(&title, site->students[student]);
    text_printf(&title, ", %s", lesson_title(site, site->lessons[lesson]));
    begin_page(site, &out, text_get(&title), true, true);
    put_head(site, student, entry, report, &out);
    if (report) {
        const struct lesson *known = lesson_of(site, site->lessons[lesson]);
        take_figures(entry, report);
        hide_folders(report);
        put_gates(report, &out);
        put_pictures(site, known, report, source, &out);
        if (source)
            put_source(report, source, length, &out);
        put_details(report, known, &out);
    }
    snprintf(name, sizeof name, "hand-in-%04zu.html", entry->page);
    status = end_page(site, &out, name, diagnostic);
out:
    text_free(&out);
    text_free(&title);
    free(source);
    grade_report_free(report);
    return status;
}

// ---- the index

static void put_points(const struct entry *entry, struct text *out)
{
    const char *sign = has_passed(entry) ? " ✓" : "", *words = verdict_words(entry);
    if (!entry->page) {
        text_printf(out, "<td class=\"n dim\">%s</td>", words);
        return;
    }
    text_printf(out, "<td class=\"n\"><a href=\"hand-in-%04zu.html\">", entry->page);
    if (has_mark(entry))
        text_printf(out, "%.0f%s <span class=\"dim\">%s%s</span></a></td>", entry->mark->mark, sign, words,
                    entry->mark->late_days ? ", late" : "");
    else
        text_printf(out, "<span class=\"bad\">%s</span></a></td>", words);
}

static void put_students(const struct site *site, struct text *out)
{
    text_puts(out, "<h2>Students</h2>\n");
    open_table(out, "Marks of 100 by student and lesson; each leads to the hand-in");
    text_puts(out, "<thead><tr><th scope=\"col\">Student</th>");
    for (size_t j = 0; j < site->lesson_count; j++) {
        text_puts(out, "<th scope=\"col\">");
        put_safe(out, lesson_title(site, site->lessons[j]));
        text_puts(out, "</th>");
    }
    text_puts(out, "<th scope=\"col\">Of the course</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0, first = 0, count; i < site->student_count; i++, first += count) {
        bool is_known;
        double total = course_total(&site->marks[first], site->mark_count - first, &count, &is_known);
        text_puts(out, "<tr><th scope=\"row\">");
        put_name(out, site->students[i]);
        text_puts(out, "</th>");
        for (size_t j = 0; j < site->lesson_count; j++)
            put_points(entry_at(site, i, j), out);
        text_printf(out, is_known ? "<td class=\"n\">%.1f</td></tr>\n" : "<td class=\"n\">%.1f so far</td></tr>\n",
                    total);
    }
    close_table(out);
}

// Of one lesson: a row for each verdict that there is, and the points as a picture.
static void put_distribution(const struct site *site, size_t lesson, struct text *out)
{
    static const char *const heads[] = {"Verdict", "Hand-ins"};
    unsigned scores[PICTURE_SCORES] = {0};
    struct map verdicts = map_of(unsigned);
    for (size_t i = 0; i < site->student_count; i++) {
        const struct entry *entry = entry_at(site, i, lesson);
        const char *words = verdict_words(entry);
        ++*(unsigned *)map_add_bytes(&verdicts, words, strlen(words), NULL);
        if (has_mark(entry)) {
            double score = entry->mark->mark;
            scores[score >= 100 ? 10 : score > 0 ? (int)(score / 10) : 0]++;
        }
    }
    char id[32];
    snprintf(id, sizeof id, "scores-%zu", lesson);
    text_puts(out, "<h3>");
    put_safe(out, lesson_title(site, site->lessons[lesson]));
    text_puts(out, "</h3>\n<figure>\n");
    picture_scores(scores, id, out);
    text_puts(out, "<figcaption>Hand-ins by mark; each bar is ten points wide, the last one is 100.</figcaption>\n"
                   "</figure>\n");
    struct text caption = {0};
    text_printf(&caption, "Verdicts of %s", lesson_title(site, site->lessons[lesson]));
    open_table(out, text_get(&caption));
    put_heads(out, heads, 2);
    for (size_t i = 0; i < verdicts.count; i++) {
        text_puts(out, "<tr><th scope=\"row\">");
        put_safe(out, map_key_bytes(&verdicts, i, NULL));
        text_printf(out, "</th><td class=\"n\">%u</td></tr>\n", *(unsigned *)map_value(&verdicts, i));
    }
    close_table(out);
    text_free(&caption);
    map_free(&verdicts);
}

static enum status write_index(const struct site *site, struct diagnostic *diagnostic)
{
    struct text out = {0};
    begin_page(site, &out, "Results", true, true);
    text_printf(&out, "<p>%zu students, %zu lessons, %zu hand-ins.</p>\n", site->student_count, site->lesson_count,
                site->page_count);
    put_students(site, &out);
    text_puts(&out, "<h2>Distribution</h2>\n");
    for (size_t i = 0; i < site->lesson_count; i++)
        put_distribution(site, i, &out);
    return end_page(site, &out, "index.html", diagnostic);
}

// ---- the leaderboard

struct place {
    const struct entry *entry;
    size_t student;
};

// Times of one origin together, the fastest first; those without a time last. Then by what the kernel costs.
static int by_speed(const void *a, const void *b)
{
    const struct entry *left = ((const struct place *)a)->entry, *right = ((const struct place *)b)->entry;
    int order = (left->us <= 0) - (right->us <= 0);
    order = order ? order : strcmp(left->time_of, right->time_of);
    order = order ? order : (left->us > right->us) - (left->us < right->us);
    order = order ? order : (left->wavefronts > right->wavefronts) - (left->wavefronts < right->wavefronts);
    order = order ? order : (left->sectors > right->sectors) - (left->sectors < right->sectors);
    return order;
}

static void put_rank(const struct site *site, const struct place *place, size_t rank, struct text *out)
{
    const struct entry *entry = place->entry;
    text_printf(out, "<tr><td class=\"n\">%zu</td><th scope=\"row\">", rank);
    if (site->options->pseudonyms)
        text_printf(out, "Player %zu", site->places[place->student]);
    else {
        text_printf(out, "<a href=\"hand-in-%04zu.html\">", entry->page);
        put_name(out, site->students[place->student]);
        text_puts(out, "</a>");
    }
    text_puts(out, "</th>");
    if (entry->us > 0)
        text_printf(out, "<td class=\"n\">%.1f µs</td><td>", entry->us);
    else
        text_puts(out, "<td class=\"dim\">–</td><td class=\"dim\">");
    put_safe(out, entry->us > 0 ? entry->time_of : "no time");
    text_printf(out,
                "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
                "</td></tr>\n",
                entry->wavefronts, entry->conflicts, entry->sectors);
}

static void put_board(const struct site *site, size_t lesson, struct text *out)
{
    static const char *const heads[] = {"Place",          "Who",           "Time", "Time is", "Shared wavefronts",
                                        "Bank conflicts", "Global sectors"};
    struct place *places = mem_alloc((site->student_count + 1) * sizeof *places);
    size_t count = 0, rank = 0, first = 0;
    for (size_t i = 0; i < site->student_count; i++)
        if (has_passed(entry_at(site, i, lesson)) && entry_at(site, i, lesson)->page)
            places[count++] = (struct place){entry_at(site, i, lesson), i};
    text_puts(out, "<h2>");
    put_safe(out, lesson_title(site, site->lessons[lesson]));
    text_puts(out, "</h2>\n");
    if (!count)
        text_puts(out, "<p>Nobody has passed it yet.</p>\n");
    else {
        struct text caption = {0};
        qsort(places, count, sizeof *places, by_speed);
        text_printf(&caption, "%s: who passed, the fastest first, of each kind of time apart",
                    lesson_title(site, site->lessons[lesson]));
        open_table(out, text_get(&caption));
        put_heads(out, heads, sizeof heads / sizeof *heads);
        for (size_t i = 0; i < count; i++) {
            bool is_new = i == 0 || strcmp(places[i].entry->time_of, places[i - 1].entry->time_of) != 0;
            first = is_new ? i : first;
            rank = !is_new && by_speed(&places[i], &places[i - 1]) == 0 ? rank : i - first + 1;
            put_rank(site, &places[i], rank, out);
        }
        close_table(out);
        text_free(&caption);
    }
    free(places);
}

static enum status write_board(const struct site *site, struct diagnostic *diagnostic)
{
    struct text out = {0};
    bool is_named = !site->options->pseudonyms;
    begin_page(site, &out, "Leaderboard", is_named, is_named);
    text_puts(&out,
              "<p>Counts are of the counted size, as compiled. Modelled times come from a model of the named GPU, "
              "measured times from that GPU itself; the two are never compared.</p>\n");
    for (size_t i = 0; i < site->lesson_count; i++)
        put_board(site, i, &out);
    return end_page(site, &out, "leaderboard.html", diagnostic);
}

// ---- all of it

// Whether it is the page of a hand-in that this site does not have: of another class, or of more hand-ins.
static bool is_left_over(const struct site *site, const char *name, const char *path)
{
    char expected[64], *text;
    size_t number = 0, length;
    bool is_ours = sscanf(name, "hand-in-%zu.html", &number) == 1 && number > site->page_count;
    snprintf(expected, sizeof expected, "hand-in-%04zu.html", number);
    if (!is_ours || strcmp(name, expected) != 0 || file_read_no_link(path, PAGE_MAX, &text, &length, NULL) != STATUS_OK)
        return false;
    is_ours = text_starts(text, site_page_head) && strstr(text, site_page_foot);
    free(text);
    return is_ours;
}

static enum status remove_left_over(const struct site *site, struct diagnostic *diagnostic)
{
    char path[PATH_MAX];
    enum status status = STATUS_OK;
    DIR *stream = opendir(site->folder);
    for (struct dirent *entry; !status && stream && (entry = file_next_entry(stream));) {
        bool fits = (size_t)snprintf(path, sizeof path, "%s/%s", site->folder, entry->d_name) < sizeof path;
        if (fits && is_left_over(site, entry->d_name, path) && unlink(path) != 0)
            status = diagnostic_set(diagnostic, STATUS_IO, "%s: cannot remove this page of an earlier report: %s.",
                                    path, strerror(errno));
    }
    if (stream)
        closedir(stream);
    return status;
}

static enum status write_pages(struct site *site, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < site->student_count; i++)
        for (size_t j = 0; j < site->lesson_count && status == STATUS_OK; j++) {
            if (!entry_at(site, i, j)->page)
                continue;
            status = write_hand_in(site, i, j, diagnostic);
            if (site->options->progress)
                site->options->progress(site->options->context, ++site->written, site->page_count);
        }
    if (status == STATUS_OK) // before there are pages that name nobody
        status = remove_left_over(site, diagnostic);
    if (status == STATUS_OK)
        status = write_index(site, diagnostic);
    if (status == STATUS_OK)
        status = write_board(site, diagnostic);
    return status;
}

enum status site_write(struct gradebook *book, const struct lesson_set *lessons, const struct course_mark *marks,
                       size_t mark_count, const char *folder, const struct site_options *options,
                       struct diagnostic *diagnostic)
{
    struct site site = {.book = book,
                        .set = lessons,
                        .marks = marks,
                        .mark_count = mark_count,
                        .options = options,
                        .folder = folder,
                        .arena = arena_new()};
    site.title = options->title ? options->title : "Class";
    enum status status = file_make_folders(folder, false, diagnostic);
    if (status == STATUS_OK) {
        lay_out(&site);
        draw_pseudonyms(&site);
        status = write_pages(&site, diagnostic);
    }
    arena_free(site.arena);
    return status;
}
