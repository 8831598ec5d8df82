// Speed in the report: the kernels timed in one run side by side, and what others published with their GPU. Measured
// and modelled figures never share a scale.
#include <stdio.h>

#include "ui/view.h"

enum { LABEL_COLUMNS = 40, FIGURE_COLUMNS = 26 };

static void add_bar(struct page *page, const char *label, double share, enum role role, const char *figure)
{
    int room = page->width - LABEL_COLUMNS - FIGURE_COLUMNS;
    room = room < 8 ? 8 : room > 60 ? 60 : room;
    int length = (int)(share * room + 0.5);
    page_start(page, 0);
    page_add(page, ROLE_TEXT, "  %.*s", LABEL_COLUMNS - 3, label);
    page_pad(page, LABEL_COLUMNS);
    for (int i = 0; i < (length < 1 ? 1 : length > room ? room : length); i++)
        page_add(page, role, "█");
    page_add(page, ROLE_DIM, "  %s", figure);
}

// GB/s or GFLOP/s of a time, by the lesson's metric; 0 = the lesson has none.
static double rate(const struct lesson *lesson, bool gpu, double us)
{
    const char *metric = lesson->metric_bytes ? lesson->metric_bytes : lesson->metric_flop;
    if (!metric || us <= 0 || lesson->part_count == 0 || lesson->parts[0].size_count == 0)
        return 0;
    const struct lesson_part *part = &lesson->parts[0];
    return lesson_value(&part->sizes[part->speed_size], gpu, metric) / us / 1000;
}

static const char *unit_of(const struct lesson *lesson)
{
    return lesson->metric_bytes ? "GB/s" : "GFLOP/s";
}

static void add_times(struct page *page, const struct lesson *lesson, const struct grade_times *times, bool gpu)
{
    const struct {
        const char *label;
        double us;
        enum role role;
    } rows[] = {{"naive", times->naive, ROLE_HEAT3},
                {"yours", times->kernel, ROLE_GOOD},
                {"solution", times->solution, ROLE_HEAT2},
                {"device copy", times->copy, ROLE_DIM},
                {"cuBLAS", times->cublas, ROLE_DIM}};
    enum { ROWS = sizeof rows / sizeof *rows };
    double fastest = 0;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].us > 0 && (fastest <= 0 || rows[i].us < fastest))
            fastest = rows[i].us;
    for (int i = 0; i < ROWS; i++) {
        char figure[96];
        if (rows[i].us <= 0)
            continue;
        double value = rate(lesson, gpu, rows[i].us);
        if (value > 0)
            snprintf(figure, sizeof figure, "%.1f us, %.0f %s", rows[i].us, value, unit_of(lesson));
        else
            snprintf(figure, sizeof figure, "%.1f us", rows[i].us);
        add_bar(page, rows[i].label, fastest / rows[i].us, rows[i].role, figure);
    }
}

static double published_value(const struct lesson *lesson, size_t index)
{
    return lesson->metric_bytes ? lesson->published[index].gbps : lesson->published[index].gflops;
}

static void add_ladder(struct page *page, const struct lesson *lesson, const struct grade_report *report)
{
    double yours = rate(lesson, true, report->measured.kernel), most = yours;
    for (size_t i = 0; i < lesson->published_count; i++)
        most = published_value(lesson, i) > most ? published_value(lesson, i) : most;
    if (most <= 0 || lesson->published_count == 0)
        return;
    page_heading(page, "Published, each with its GPU");
    char figure[160];
    for (size_t i = 0; i < lesson->published_count; i++) {
        double value = published_value(lesson, i);
        snprintf(figure, sizeof figure, "%.0f %s, %s", value, unit_of(lesson), lesson->published[i].gpu);
        if (value > 0)
            add_bar(page, lesson->published[i].label, value / most, ROLE_DIM, figure);
    }
    if (yours > 0) {
        snprintf(figure, sizeof figure, "%.0f %s, %s", yours, unit_of(lesson), report->gpu);
        add_bar(page, "yours, measured here", yours / most, ROLE_GOOD, figure);
    }
}

void speed_add(struct page *page, const struct lesson *lesson, const struct grade_report *report)
{
    if (report->measured.kernel > 0) {
        page_heading(page, "Speed, measured on %s", report->gpu);
        add_times(page, lesson, &report->measured, true);
    }
    if (report->modelled.kernel > 0) {
        page_heading(page, "Speed, modelled for the counted size, from %s counts", report->device);
        add_times(page, lesson, &report->modelled, false);
    }
    if (report->evidence[0]) {
        page_start(page, 0);
        page_words(page, 2, ROLE_WARN, 0, report->evidence);
    }
    add_ladder(page, lesson, report);
}
