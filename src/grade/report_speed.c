// Speed in the report: the kernels timed in one run side by side, where the modelled time goes, and what others
// published with their GPU. Measured and modelled figures never share a scale.
#include "grade/report_speed.h"

#include <stdio.h>
#include <string.h>

#include "model/gpus.h"

enum { LONGEST_LABEL = 38, LONGEST_GPU = 24, LONGEST_BAR = 60, SHORTEST_BAR = 8 };

// A row: label, figures of one width in all rows, then the bar.
static void add_bar(struct page *page, const char *label, int column, const char *figures, double share, enum role role)
{
    page_line(page, ROLE_TEXT, "  %s", label);
    if (page_column(page) >= column) // a long name has a line of its own
        page_start(page, 0);
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
    const char *metric = !lesson ? NULL : lesson->metric_bytes ? lesson->metric_bytes : lesson->metric_flop;
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

static const char *naive_name(const struct lesson *lesson)
{
    return lesson && lesson->naive_is ? lesson->naive_is : "naive";
}

// The rates of the kernels of one run: the longest bar is the fastest.
static void add_times(struct page *page, const struct lesson *lesson, const struct kernel_times *times)
{
    const struct {
        const char *label;
        double us;
        enum role role;
    } rows[] = {{naive_name(lesson), times->naive, ROLE_HEAT3},
                {"yours", times->kernel, ROLE_GOOD},
                {"solution", times->solution, ROLE_HEAT2},
                {"device copy", times->copy, ROLE_DIM},
                {"cuBLAS", times->cublas, ROLE_DIM}};
    enum { ROWS = sizeof rows / sizeof *rows, LABEL = 20 };
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

static void put_fact(struct text *out, bool is_known, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put_fact(struct text *out, bool is_known, const char *format, ...)
{
    char fact[128];
    TEXT_FORMAT(fact, format);
    if (is_known)
        text_printf(out, "%s%s", out->length ? ", " : "", fact);
}

static void put_facts(struct page *page, struct text *facts)
{
    if (facts->length)
        page_paragraph(page, 2, ROLE_DIM, text_get(facts));
    text_clear(facts);
}

// Rates and ratios; then what the percentages are of, and under which conditions all of it was measured.
static void add_measured(struct page *page, const struct grade_report *report, const char *naive)
{
    const struct timing_conditions *conditions = &report->conditions;
    const struct kernel_times *ratios = &report->ratios, *times = &report->measured;
    struct text out = {0};
    put_fact(&out, report->gbps > 0, "%.0f GB/s", report->gbps);
    put_fact(&out, report->gflops > 0, "%.0f GFLOP/s", report->gflops);
    put_fact(&out, ratios->naive > 0, "%.2f times as fast as %s", ratios->naive, naive);
    put_fact(&out, ratios->solution > 0, "%.2f times as fast as the solution", ratios->solution);
    put_fact(&out, report->copy_percent > 0, "%.1f %% of a device copy", report->copy_percent);
    put_fact(&out, ratios->cublas > 0, "%.1f %% of cuBLAS", 100 * ratios->cublas);
    put_facts(page, &out);
    put_fact(&out, times->cublas > 0 || times->copy > 0, "%% of %s", times->cublas > 0 ? "cuBLAS" : "the device copy");
    put_fact(&out, conditions->driver[0], "driver %s", conditions->driver);
    put_fact(&out, conditions->sm_mhz_max > 0, "SM clock %d MHz", conditions->sm_mhz_max);
    put_fact(&out, conditions->memory_mhz > 0, "memory %d MHz", conditions->memory_mhz);
    put_fact(&out, conditions->celsius_max > 0, "at most %d C", conditions->celsius_max);
    put_fact(&out, conditions->date[0], "%.10s", conditions->date);
    put_facts(page, &out);
    text_free(&out);
}

// Where the warps' time goes: the reasons that matter.
static void put_waits(const struct prediction *model, struct text *out)
{
    const char *before = "; waiting for ";
    text_printf(out, "warps' time: issuing %.0f %%", 100 * model->issued);
    for (int i = 0; i < REPLAY_REASONS; i++) {
        if (model->waits[i] < 0.05)
            continue;
        text_printf(out, "%s%s %.0f %%", before, predict_reason_name((enum replay_reason)i), 100 * model->waits[i]);
        before = ", ";
    }
    if (model->tail >= 0.1)
        text_printf(out, "; SMs short of blocks %.0f %%", 100 * model->tail);
}

void report_model(const struct record *record, struct page *page)
{
    const struct prediction *model = &record->model;
    const struct device_resources *resources = &record->resources;
    struct text out = {0};
    if (!(record->modelled_us > 0))
        return;
    text_printf(&out, "modelled (%s): %.2f us, bound by %s; occupancy %.0f %% (limit: %s), ", record->model_gpu,
                record->modelled_us, model->bound_by && *model->bound_by ? model->bound_by : "nothing in particular",
                100 * model->occupancy.fraction, model->occupancy.limit ? model->occupancy.limit : "");
    if (model->registers_most > model->registers)
        text_printf(&out, "registers a thread estimated: %u to %u, the time is that with %u", model->registers,
                    model->registers_most, model->registers);
    else
        text_printf(&out, "%u registers a thread (%s)", model->registers,
                    model->registers_estimated ? "estimate" : "ptxas");
    if (resources->spill_stores + resources->spill_loads > 0)
        text_printf(&out, ", spilled: %u bytes stored, %u loaded", resources->spill_stores, resources->spill_loads);
    page_paragraph(page, 2, ROLE_DIM, text_get(&out));
    text_clear(&out);
    put_waits(model, &out);
    page_paragraph(page, 2, ROLE_DIM, text_get(&out));
    text_free(&out);
    if (model->advice[0]) {
        page_line(page, ROLE_KEY, "  would help: ");
        page_words(page, 4, ROLE_TEXT, model->advice);
    }
}

double report_percent_off(const struct record *record, double measured_us)
{
    return record->modelled_us > 0 && measured_us > 0 ? 100 * (record->modelled_us / measured_us - 1) : 0;
}

void report_distance(const struct record *record, double measured_us, const char *device, struct page *page)
{
    const struct gpu_profile *own = gpu_profile_of_device(device);
    double off = report_percent_off(record, measured_us);
    struct text out = {0};
    if (!(record->modelled_us > 0) || !(measured_us > 0))
        return;
    text_printf(&out, "the modelled time is %.0f %% %s than the measured one", off < 0 ? -off : off,
                off < 0 ? "shorter" : "longer");
    if (strcmp(record->model_gpu, device) != 0 && (!own || strcmp(record->model_gpu, own->name) != 0))
        text_printf(&out, "; it is for %s, not %s: 'bankshot calibrate' measures what a model of this GPU needs",
                    record->model_gpu, device);
    page_paragraph(page, 2, ROLE_TEXT, text_get(&out));
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

void report_speed(const struct grade_report *report, const struct lesson *lesson, bool all, struct page *page)
{
    if (report->measured.kernel > 0) {
        page_heading(page, "Speed, measured on %s; longer is faster", report->gpu);
        add_times(page, lesson, &report->measured);
        add_measured(page, report, naive_name(lesson));
    }
    if (report->modelled.kernel > 0) {
        const char *gpu = report->record.model_gpu;
        page_heading(page, "Speed, modelled%s%s; longer is faster", *gpu ? " for " : "", gpu);
        add_times(page, lesson, &report->modelled);
        if (lesson && lesson->model_note)
            page_paragraph(page, 2, ROLE_TEXT, lesson->model_note);
        report_model(&report->record, page);
        report_distance(&report->record, report->measured.kernel, report->gpu, page);
    } else if (report->record.modelled_us > 0 && strcmp(report->lesson_id, GRADE_OWN) == 0) {
        page_heading(page, "Time");
        report_model(&report->record, page);
    }
    if (report->evidence[0]) {
        page_line(page, ROLE_WARN, "  too noisy to grade: ");
        page_words(page, 4, ROLE_WARN, report->evidence);
    }
    if (lesson && (all || report->measured.kernel > 0))
        add_ladder(page, lesson, report);
}
