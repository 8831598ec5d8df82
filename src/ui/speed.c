// Speed in the report: the kernels timed in one run side by side, and what others published with their GPU. Measured
// and modelled figures never share a scale.
#include <stdio.h>
#include <string.h>

#include "ui/view.h"

enum { LONGEST_LABEL = 38, LONGEST_GPU = 24, LONGEST_BAR = 60, SHORTEST_BAR = 8 };

// A row: label, figures of one width in all rows, then the bar.
static void add_bar(struct page *page, const char *label, int column, const char *figures, double share, enum role role)
{
    page_line(page, ROLE_TEXT, "  %.*s", column - 3, label);
    page_at(page, column, ROLE_TEXT, "%s  ", figures);
    int room = page->width - page_column(page);
    room = room < SHORTEST_BAR ? SHORTEST_BAR : room > LONGEST_BAR ? LONGEST_BAR : room;
    int length = (int)(share * room + 0.5);
    for (int i = 0; i < (length < 1 ? 1 : length > room ? room : length); i++)
        page_add(page, role, "█");
}

// GB/s or GFLOP/s of a time, by the lesson's metric; 0 = the lesson has none.
static double rate_of(const struct lesson *lesson, bool gpu, double us)
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

// "    150.3 us    3572 GB/s   87 %"
static void put_figures(const struct lesson *lesson, const struct kernel_times *times, double us, struct text *out)
{
    double reference = times->cublas > 0 ? times->cublas : times->copy;
    text_printf(out, "%9.1f us", us);
    if (rate_of(lesson, true, us) > 0)
        text_printf(out, "  %6.0f %s", rate_of(lesson, true, us), unit_of(lesson));
    if (reference > 0)
        text_printf(out, "  %3.0f %%", 100 * reference / us);
}

// The rates of the kernels of one run: the longest bar is the fastest.
static void add_times(struct page *page, const struct lesson *lesson, const struct kernel_times *times)
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
    enum { ROWS = sizeof rows / sizeof *rows, LABEL = 14 };
    double fastest = 0;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].us > 0 && (fastest <= 0 || rows[i].us < fastest))
            fastest = rows[i].us;
    for (int i = 0; i < ROWS; i++) {
        struct text figures = {0};
        if (rows[i].us <= 0)
            continue;
        put_figures(lesson, times, rows[i].us, &figures);
        add_bar(page, rows[i].label, LABEL, text_get(&figures), fastest / rows[i].us, rows[i].role);
        text_free(&figures);
    }
}

// What the percentages are of, and under which conditions all of it was measured.
static void add_conditions(struct page *page, const struct grade_report *report)
{
    const struct timing_conditions *conditions = &report->conditions;
    struct text out = {0};
    if (report->measured.cublas > 0 || report->measured.copy > 0)
        text_printf(&out, "%% of %s", report->measured.cublas > 0 ? "cuBLAS" : "the device copy");
    if (report->ratios.naive > 0)
        text_printf(&out, "%s%.1f times as fast as naive", out.length ? "; " : "", report->ratios.naive);
    if (conditions->driver[0])
        text_printf(&out, "%sdriver %s", out.length ? "; " : "", conditions->driver);
    if (conditions->sm_mhz_max > 0)
        text_printf(&out, ", SM clock %d MHz", conditions->sm_mhz_max);
    if (conditions->memory_mhz > 0)
        text_printf(&out, ", memory %d MHz", conditions->memory_mhz);
    if (conditions->celsius_max > 0)
        text_printf(&out, ", at most %d C", conditions->celsius_max);
    if (conditions->date[0])
        text_printf(&out, ", %.10s", conditions->date);
    if (out.length) {
        page_line(page, ROLE_DIM, "  ");
        page_words(page, 2, ROLE_DIM, text_get(&out));
    }
    text_free(&out);
}

// Where the modelled time goes.
static void add_model(struct page *page, const struct record *record)
{
    const struct prediction *model = &record->model;
    struct text out = {0};
    text_printf(&out, "bound by %s; occupancy %.0f %%, %u registers a thread (%s); issuing %.0f %% of the warps' time",
                model->bound_by && *model->bound_by ? model->bound_by : "nothing in particular",
                100 * model->occupancy.fraction, model->registers, model->registers_estimated ? "estimate" : "ptxas",
                100 * model->issued);
    for (int i = 0; i < REPLAY_REASONS; i++)
        if (model->waits[i] >= 0.05)
            text_printf(&out, ", waiting for %s %.0f %%", predict_reason_name((enum replay_reason)i),
                        100 * model->waits[i]);
    page_line(page, ROLE_DIM, "  ");
    page_words(page, 2, ROLE_DIM, text_get(&out));
    if (model->advice[0]) {
        page_line(page, ROLE_KEY, "  would help: ");
        page_words(page, 4, ROLE_TEXT, model->advice);
    }
    text_free(&out);
}

static double published_value(const struct lesson *lesson, size_t index)
{
    return lesson->metric_bytes ? lesson->published[index].gbps : lesson->published[index].gflops;
}

static void add_rung(struct page *page, const struct lesson *lesson, int columns[2], const char *label, const char *gpu,
                     double value, double most, enum role role)
{
    char figures[160];
    snprintf(figures, sizeof figures, "%6.0f %s  %-*.*s", value, unit_of(lesson), columns[1], LONGEST_GPU, gpu);
    if (value > 0)
        add_bar(page, label, columns[0], figures, value / most, role);
}

static void widen(int *columns, const char *text, int most)
{
    int length = (int)strlen(text) < most ? (int)strlen(text) : most;
    *columns = length > *columns ? length : *columns;
}

static void add_ladder(struct page *page, const struct lesson *lesson, const struct grade_report *report)
{
    static const char yours_label[] = "yours, measured here";
    double yours = rate_of(lesson, true, report->measured.kernel), most = yours;
    int columns[2] = {(int)sizeof yours_label, 0}; // of the label and of the GPU's name
    widen(&columns[1], report->gpu, LONGEST_GPU);
    for (size_t i = 0; i < lesson->published_count; i++) {
        most = published_value(lesson, i) > most ? published_value(lesson, i) : most;
        widen(&columns[0], lesson->published[i].label, LONGEST_LABEL);
        widen(&columns[1], lesson->published[i].gpu, LONGEST_GPU);
    }
    if (most <= 0 || lesson->published_count == 0)
        return;
    columns[0] += 4;
    page_heading(page, "Published, each with its GPU");
    for (size_t i = 0; i < lesson->published_count; i++)
        add_rung(page, lesson, columns, lesson->published[i].label, lesson->published[i].gpu,
                 published_value(lesson, i), most, ROLE_DIM);
    add_rung(page, lesson, columns, yours_label, report->gpu, yours, most, ROLE_GOOD);
}

void speed_add(struct page *page, const struct lesson *lesson, const struct grade_report *report)
{
    if (report->measured.kernel > 0) {
        page_heading(page, "Speed, measured on %s; longer is faster", report->gpu);
        add_times(page, lesson, &report->measured);
        add_conditions(page, report);
    }
    if (report->modelled.kernel > 0) {
        const char *gpu = report->record.model_gpu;
        page_heading(page, "Speed, modelled%s%s; longer is faster", *gpu ? " for " : "", gpu);
        add_times(page, lesson, &report->modelled);
        if (report->record.modelled_us > 0)
            add_model(page, &report->record);
    }
    if (report->evidence[0]) {
        page_start(page, 0);
        page_words(page, 2, ROLE_WARN, report->evidence);
    }
    add_ladder(page, lesson, report);
}
