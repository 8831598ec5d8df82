// Occupancy: the calculator of model/gpus.h on the last run's kernel, with numbers that can be moved.
#include "model/gpus.h"
#include "ui/view.h"

static const struct {
    const char *label, *unit;
    uint32_t least, most, step;
} fields[OCCUPANCY_FIELDS] = {
    [OCCUPANCY_THREADS] = {"threads a block", "", 32, GPU_BLOCK_THREADS, 32},
    [OCCUPANCY_THREAD_REGISTERS] = {"registers a thread", "", 1, GPU_THREAD_REGISTERS, 1},
    [OCCUPANCY_BYTES] = {"shared memory", " bytes", 0, 256 * 1024, 1024},
    [OCCUPANCY_GPU] = {"GPU", "", 0, 0, 1},
};

static uint32_t gpu_index(const struct gpu_profile *gpu)
{
    uint32_t index = 0;
    while (gpu_profile_at(index) != gpu)
        index++;
    return index;
}

// The kernel's, or those of a plain one while nothing has run.
static void take_numbers(struct occupancy_state *state, const struct grade_report *report)
{
    const struct gpu_profile *gpu = gpu_profile_find(report ? report->record.model_gpu : NULL);
    uint32_t threads = report ? (uint32_t)launch_threads(&report->launch) : 0;
    uint32_t registers = report ? report->record.model.registers : 0;
    state->of = report;
    state->values[OCCUPANCY_THREADS] = threads ? threads : 256;
    state->values[OCCUPANCY_THREAD_REGISTERS] = registers ? registers : 32;
    state->values[OCCUPANCY_BYTES] = report ? report->launch.static_shared + report->launch.dynamic_shared : 0;
    state->values[OCCUPANCY_GPU] = gpu_index(gpu ? gpu : gpu_profile_find(NULL));
}

static void follow_report(struct app *app)
{
    if (app->occupancy.of != app_pictured(app) || app->occupancy.values[OCCUPANCY_THREADS] == 0)
        take_numbers(&app->occupancy, app_pictured(app));
}

// Where the kernel's registers come from.
static const char *register_source(const struct occupancy_state *state)
{
    const struct prediction *model = state->of ? &state->of->record.model : NULL;
    if (!model || model->registers == 0)
        return state->values[OCCUPANCY_THREAD_REGISTERS] == 32 ? " (assumed: nothing was modelled)" : "";
    if (model->registers != state->values[OCCUPANCY_THREAD_REGISTERS])
        return "";
    return model->registers_estimated ? " (estimate)" : " (ptxas)";
}

static void put_field(const struct occupancy_state *state, int field, struct page *page)
{
    bool here = state->field == field;
    uint32_t value = state->values[field];
    page_start(page, 0);
    page_add(page, ROLE_KEY, here ? "▸ " : "  ");
    page_add(page, here ? ROLE_KEY : ROLE_DIM, "%-19s", fields[field].label);
    if (field == OCCUPANCY_GPU)
        page_add(page, here ? ROLE_EMPHASIS : ROLE_TEXT, "%s", gpu_profile_at(value)->name);
    else
        page_add(page, here ? ROLE_EMPHASIS : ROLE_TEXT, "%u%s", value, fields[field].unit);
    if (field == OCCUPANCY_THREAD_REGISTERS)
        page_add(page, ROLE_DIM, "%s", register_source(state));
}

static struct scroll *make_occupancy_page(struct app *app, struct page *page)
{
    struct occupancy_state *state = &app->occupancy;
    struct text out = {0};
    follow_report(app);
    for (int i = 0; i < OCCUPANCY_FIELDS; i++)
        put_field(state, i, page);
    page_line(page, ROLE_DIM, "  j k choose, h l move%s", state->of ? "; o: the kernel's own numbers" : "");
    page_start(page, 0);
    occupancy_print(gpu_profile_at(state->values[OCCUPANCY_GPU]), state->values[OCCUPANCY_THREADS],
                    state->values[OCCUPANCY_THREAD_REGISTERS], state->values[OCCUPANCY_BYTES], &out);
    page_lines(page, ROLE_TEXT, text_get(&out));
    text_free(&out);
    return &state->scroll;
}

// By a step that ends at a multiple of it, between least and most.
static void move_value(struct occupancy_state *state, bool up)
{
    uint32_t *value = &state->values[state->field], step = fields[state->field].step;
    uint32_t least = fields[state->field].least, most = fields[state->field].most;
    if (state->field == OCCUPANCY_GPU)
        while (gpu_profile_at(most + 1))
            most++;
    uint32_t below = (*value + step - 1) / step * step - step, above = *value / step * step + step;
    if (up)
        *value = above < most ? above : most;
    else
        *value = *value > least + step ? below : least;
}

static bool act_occupancy(struct app *app, enum action action)
{
    struct occupancy_state *state = &app->occupancy;
    follow_report(app);
    if (action == ACTION_DOWN || action == ACTION_UP)
        state->field = (state->field + (action == ACTION_DOWN ? 1 : OCCUPANCY_FIELDS - 1)) % OCCUPANCY_FIELDS;
    else if (action == ACTION_LEFT || action == ACTION_RIGHT)
        move_value(state, action == ACTION_RIGHT);
    else if (action == ACTION_OWN_NUMBERS)
        take_numbers(state, app_report(app));
    else
        return false;
    return true;
}

const struct view_ops view_occupancy = {.page = make_occupancy_page, .act = act_occupancy};
