// The simulator as a device: buffers, observers, wall limit, prediction.
#include "device/args.h"
#include "device/simulator.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "model/profiles.h"

enum {
    RECORDED_ACCESSES = 200000,
    MOST_COUNTED = 256,
    OUTLINE_BUDGET = 100000,
    // What outputs came through is asked of blocks until their second runs took so many warp instructions; of one of
    // them the whole block runs again only if it took no more.
    GLANCE_ALL = 100000,
    GLANCE_WHOLE = 2000000,
    MOST_GLANCES = 6,
    // Hazards are looked for in a probe's blocks until they took so many warp instructions: in so many accesses of each
    // at its start, and in these phases of 65536.
    HAZARDS_ALL = 150000,
    HAZARDS_LEAST = 8000,
    HAZARDS_SHARE = 2048
};

// ---- a run

struct simulation {
    struct device_job *job;
    const struct gpu_profile *gpu;
    struct sim_memory *memory;
    struct sim_allocation *buffers[DEVICE_MAX_ARGS];
    uint64_t addresses[DEVICE_MAX_ARGS]; // of buffers; of textures: their handles
    struct sim_program *program;
    unsigned char *params;
    struct sim_count *counts;
    struct counter_observer *counters;
    struct hazard_checker *hazards;
    struct recorder *recorder;
    struct sim_observer observers[4];
    size_t observer_count;
};

static size_t arg_size(const struct device_arg *arg)
{
    return arg->count * ptx_type_size(arg->type);
}

static void make_buffers(struct simulation *run)
{
    // Which buffer has the lower address is nobody's promise: with every other seed the last argument's has.
    size_t count = run->job->arg_count;
    bool turned = run->job->seed & 1;
    for (size_t k = 0; k < count; k++) {
        size_t i = turned ? count - 1 - k : k;
        const struct device_arg *arg = &run->job->args[i];
        if (!arg->is_buffer)
            continue;
        // Of the data that only a model looks at, few are ever made.
        run->buffers[i] = (run->job->model_only ? sim_memory_add_sparse : sim_memory_add)(
            run->memory, arg->name, arg_size(arg), arg->uninitialised);
        if (arg->data)
            memcpy(run->buffers[i]->data, arg->data, arg_size(arg));
        run->addresses[i] = run->buffers[i]->address;
    }
    for (size_t i = 0; i < count; i++) {
        const struct device_arg *args = run->job->args;
        if (!args[i].texture)
            continue;
        struct texture texture = args[i].texture->shape;
        texture.data = run->buffers[device_texture_source(args, count, i)]->address;
        run->addresses[i] = sim_texture_add(run->memory, &texture);
    }
}

// The parameter block as the entry lays it out; device_run has checked the arguments.
static void make_params(struct simulation *run)
{
    const struct ptx_function *entry = run->job->entry;
    run->params = mem_alloc(entry->param_size + 8);
    const uint64_t *addresses = run->addresses;
    for (size_t i = 0; i < run->job->arg_count; i++) {
        const struct device_arg *arg = &run->job->args[i];
        unsigned char *param = i < entry->param_count ? run->params + entry->params[i].offset : NULL;
        if ((arg->is_buffer || arg->texture) && param)
            memcpy(param, &addresses[i], 8);
        if (arg->texture)
            continue;
        if (arg->is_buffer)
            param = run->buffers[i]->data;
        device_arg_value(run->job->args, run->job->arg_count, i, addresses, param);
    }
}

static enum status set_variables(struct simulation *run, struct diagnostic *diagnostic)
{
    const struct device_job *job = run->job;
    const uint64_t *addresses = run->addresses;
    for (size_t i = 0; i < job->setting_count; i++) {
        struct device_arg *setting = &job->settings[i];
        const struct ptx_variable *variable = device_variable(job->module, setting->name);
        struct sim_allocation *allocation = variable ? sim_program_variable(run->program, variable) : NULL;
        size_t size = setting->is_buffer ? arg_size(setting) : device_arg_size(setting);
        if (!allocation)
            return diagnostic_set(diagnostic, STATUS_USAGE,
                                  "--set %.60s: the module has no __device__ or __constant__ variable of that name",
                                  setting->name);
        if (size > allocation->size)
            return diagnostic_set(diagnostic, STATUS_USAGE, "--set %.60s: %zu bytes, and the variable has %zu",
                                  setting->name, size, allocation->size);
        if (setting->is_buffer)
            memcpy(allocation->data, setting->data, size);
        // It may point to the buffers, so it takes a place behind them.
        struct device_arg all[DEVICE_MAX_ARGS + 1];
        memcpy(all, job->args, job->arg_count * sizeof *all);
        all[job->arg_count] = *setting;
        device_arg_value(all, job->arg_count + 1, job->arg_count, addresses, allocation->data);
    }
    return STATUS_OK;
}

typedef enum status make_program(const struct ptx_module *module, const struct ptx_function *entry,
                                 struct sim_memory *memory, struct sim_program **program,
                                 struct diagnostic *diagnostic);

// The memory, with the arguments in it, and the program over it.
static enum status open_program(struct simulation *run, make_program *make, struct diagnostic *diagnostic)
{
    const struct device_job *job = run->job;
    run->memory = sim_memory_new();
    make_buffers(run);
    enum status status = make(job->module, job->entry, run->memory, &run->program, diagnostic);
    if (status != STATUS_OK)
        return status;
    make_params(run);
    return set_variables(run, diagnostic);
}

static enum status open_run(struct simulation *run, struct diagnostic *diagnostic)
{
    return open_program(run, sim_program_new, diagnostic);
}

static void close_run(struct simulation *run)
{
    counter_observer_free(run->counters);
    hazard_checker_free(run->hazards);
    recorder_free(run->recorder);
    free(run->counts);
    free(run->params);
    sim_program_free(run->program);
    sim_memory_free(run->memory);
}

static void make_observers(struct simulation *run)
{
    const struct device_job *job = run->job;
    if (job->want_counters) {
        run->counters = counter_observer_new(run->program, job->main_file);
        run->observers[run->observer_count++] = counter_observer_get(run->counters);
    }
    if (job->want_hazards) {
        run->hazards = hazard_checker_new(run->program, run->memory, job->main_file);
        hazard_checker_names(run->hazards, &job->names);
        if (job->hazard_share)
            hazard_checker_sample(run->hazards, job->hazard_share, job->seed, 0);
        run->observers[run->observer_count++] = hazard_checker_observer(run->hazards);
    }
    if (job->want_recording) {
        run->recorder = recorder_new(run->program, job->recorded_block, RECORDED_ACCESSES);
        run->observers[run->observer_count++] = recorder_observer(run->recorder);
    }
    if (job->observer)
        run->observers[run->observer_count++] = *job->observer;
}

static struct sim_launch make_launch(const struct simulation *run)
{
    const struct device_job *job = run->job;
    struct sim_launch launch = {
        .program = run->program,
        .memory = run->memory,
        .shape = job->shape,
        .params = run->params,
        .budget = job->budget,
        .schedule = job->schedule,
        .backward = job->backward,
        .seed = job->seed,
        .host_threads = job->host_threads,
        .zeroed = job->zeroed,
        .slow_clock = job->want_model || job->model_only,
        .cancel = job->cancel,
        .limit = clock_limit_of(job->wall_limit, job->least_share > 0 ? job->least_share : 1),
        .at_once = run->gpu->sms,
        .main_file = job->main_file,
    };
    return launch;
}

static enum status simulate(struct simulation *run, struct record *record, struct diagnostic *diagnostic)
{
    const struct device_job *job = run->job;
    struct sim_launch launch = make_launch(run);
    launch.first_block = job->first_block;
    launch.block_count = job->block_count;
    launch.observers = run->observers;
    launch.observer_count = run->observer_count;
    launch.counts = run->counts;
    launch.print = job->print;
    launch.print_context = job->print_context;
    enum status status = sim_run(&launch, &record->run, diagnostic);
    if (status == STATUS_CANCELLED && clock_limit_passed(&launch.limit))
        status = diagnostic_set(diagnostic, STATUS_TIMEOUT,
                                "the kernel was stopped after %.0f s; it does not end, or the size is too large here",
                                job->wall_limit);
    return status;
}

// Nobody watches, except for what is wrong in the end. What the first launch's buffers hold is still there.
static enum status launch_again(const struct simulation *run, struct record *record, struct diagnostic *diagnostic)
{
    struct device_job job = *run->job;
    job.args = job.again;
    job.shape = job.again_shape;
    struct simulation second = {.job = &job, .gpu = run->gpu, .memory = run->memory, .program = run->program};
    make_buffers(&second);
    make_params(&second);
    struct sim_launch launch = make_launch(&second);
    enum status status = sim_run(&launch, &record->run, diagnostic);
    for (size_t i = 0; i < job.arg_count; i++)
        if (second.buffers[i] && !job.args[i].read_only && job.args[i].data)
            memcpy(job.args[i].data, second.buffers[i]->data, second.buffers[i]->size);
    free(second.params);
    return status;
}

static uint32_t registers_of(const struct device_job *job, struct record *record)
{
    bool known = job->resources && job->resources(job->resources_context, &record->resources);
    return known ? record->resources.registers : 0;
}

// Every block of a cooperative launch has to find room at once.
static enum status check_residency(const struct simulation *run, const struct gpu_profile *gpu, struct record *record,
                                   struct diagnostic *diagnostic)
{
    struct sim_launch launch = make_launch(run);
    struct predict_job job = {.gpu = gpu, .launch = &launch, .registers = registers_of(run->job, record)};
    struct prediction fit;
    return predict_fit(&job, &fit, diagnostic);
}

// ---- what the outputs of a probe's blocks came through

// The second runs, in a memory of their own.
struct glances {
    struct glance *glance; // NULL: not wanted
    struct device_job job;
    struct simulation other;
    bool is_open;
    uint32_t warps[GLANCE_WARPS];
    uint64_t state, steps;
    size_t count;
};

static void open_glances(struct glances *glances, const struct simulation *run)
{
    const struct device_probe *other = run->job->other;
    glances->job = *run->job;
    glances->job.print = NULL;
    glances->other = (struct simulation){.job = &glances->job, .gpu = run->gpu};
    if (!run->job->want_through || !other || open_run(&glances->other, NULL) != STATUS_OK)
        return;
    glances->is_open = true;
    glances->state = ~run->job->seed;
    glances->glance = glance_new();
    other->begin(other->context, glances->other.buffers, glances->other.memory);
}

static void close_glances(struct glances *glances)
{
    glance_free(glances->glance);
    close_run(&glances->other);
}

static bool wants_glance(struct glances *glances, const struct simulation *run)
{
    if (!glances->is_open || glances->count >= MOST_GLANCES || glances->steps >= GLANCE_ALL)
        return false;
    uint64_t warps = (launch_threads(&run->job->shape) + SIM_LANES - 1) / SIM_LANES;
    glances->warps[0] = (uint32_t)(random_next(&glances->state) % warps);
    glances->warps[1] = (uint32_t)((glances->warps[0] + warps / 2) % warps);
    return true;
}

// The warp alone; where it needs others, all of them, if that does not take too long.
static bool run_glance(struct glances *glances, int which, enum passage_kind kind, uint64_t block, uint64_t steps,
                       struct glance_tally *tally)
{
    const struct device_probe *other = glances->job.other;
    for (uint32_t lone = glances->warps[which] + 1, again = 2; again-- > 0; lone = 0) {
        struct sim_observer observers[2] = {other->observer, glance_giver(glances->glance, which, kind)};
        struct sim_launch launch = make_launch(&glances->other);
        struct sim_result result = {0};
        launch.first_block = block;
        launch.block_count = 1;
        launch.budget = 2 * steps + 1000;
        launch.lone_warp = lone;
        launch.observers = observers;
        launch.observer_count = 2;
        enum status status = sim_run(&launch, &result, NULL);
        glances->steps += result.work;
        if (status == STATUS_OK)
            return glance_take(glances->glance, which, tally);
        if (steps > GLANCE_WHOLE)
            break;
    }
    return false;
}

// After the block ran with the keeper.
static void add_glance(struct glances *glances, uint64_t block, uint64_t steps, struct probed *probed)
{
    int warps = glances->warps[1] == glances->warps[0] ? 1 : GLANCE_WARPS;
    bool is_long = steps > GLANCE_ALL; // then of one warp that stores something
    glances->count++;
    for (int kind = 0; kind < PASSAGE_KINDS; kind++)
        for (int which = 0; glances->job.want_through >> kind & 1 && which < warps; which++) {
            struct glance_tally tally;
            if (!glance_take(glances->glance, which, &tally) || !tally.written)
                continue;
            if (!run_glance(glances, which, (enum passage_kind)kind, block, steps, &tally))
                continue;
            probed->through[kind].written += tally.written;
            probed->through[kind].same += tally.same;
            if (is_long)
                break;
        }
}

// What counts the blocks of a probe.
struct tellers {
    struct counter_observer *counters;
    struct sim_count *counts;
    struct waits *waits;            // NULL: not wanted
    struct balance *balance;        // NULL: not wanted
    struct hazard_checker *hazards; // NULL: not wanted
    uint64_t hazard_steps;
    struct glances glances;
};

// Runs one block, and counts what it does if it comes to its end.
static enum status run_counted(const struct simulation *run, const struct sim_launch *one, struct tellers *tellers,
                               struct record *record, struct diagnostic *diagnostic)
{
    struct counter_observer *counters = tellers->counters;
    struct sim_count *counts = tellers->counts;
    struct sim_observer observers[6] = {run->job->probe->observer, counter_observer_get(counters)};
    struct sim_launch launch = *one;
    struct counter_table table;
    launch.observers = observers;
    launch.observer_count = 2;
    if (tellers->waits)
        observers[launch.observer_count++] = waits_observer(tellers->waits);
    if (tellers->balance)
        observers[launch.observer_count++] = balance_observer(tellers->balance);
    if (tellers->hazards && tellers->hazard_steps < HAZARDS_ALL)
        observers[launch.observer_count++] = hazard_checker_observer(tellers->hazards);
    bool is_glanced = wants_glance(&tellers->glances, run);
    if (is_glanced)
        observers[launch.observer_count++] = glance_keeper(tellers->glances.glance, tellers->glances.warps);
    launch.counts = memset(counts, 0, sim_program_size(run->program) * sizeof *counts);
    enum status status = sim_run(&launch, &record->run, diagnostic);
    counter_observer_take(counters, counts, &table);
    tellers->hazard_steps += record->run.work;
    struct copy_waits waits = tellers->waits ? waits_take(tellers->waits) : (struct copy_waits){0};
    struct warp_balance balance = tellers->balance ? balance_take(tellers->balance) : (struct warp_balance){0};
    if (status == STATUS_OK) {
        record->probed.waits.at_once += waits.at_once;
        record->probed.waits.arrivals += waits.arrivals;
        record->probed.waits.barriers += waits.barriers;
        balance_add(&record->probed.balance, &balance);
        counters_add(&record->probed.compiled, &table.compiled, 1);
        counters_add(&record->probed.written, &table.written, 1);
        record->probed.share += run->job->probe->share(run->job->probe->context);
        record->probed.blocks++;
        if (is_glanced)
            add_glance(&tellers->glances, launch.first_block, record->run.work, &record->probed);
    }
    counter_table_free(&table);
    return status;
}

// Of inputs that nobody makes.
static void read_zeros(const struct simulation *run)
{
    for (size_t i = 0; i < run->job->arg_count; i++)
        if (run->buffers[i] && run->job->args[i].read_only)
            mem_sparse_zeros(run->buffers[i]->data, run->buffers[i]->size);
}

// ---- prediction

// A prediction that begins before all is known.
struct ahead {
    struct simulation run;
    struct sim_launch launch;
    struct sim_observer observer;
    struct predict_job job;
    struct predict_trace *trace;
    struct prediction prediction;
    enum status status;
    pthread_t thread;
    bool is_running, is_made;
    atomic_bool stop;
};

static void *predict_ahead(void *context)
{
    struct ahead *ahead = context;
    const struct device_probe *probe = ahead->run.job->ahead;
    ahead->status = open_program(&ahead->run, sim_program_skimming, NULL);
    if (ahead->status != STATUS_OK)
        return NULL;
    ahead->launch = make_launch(&ahead->run);
    if (ptx_heeds_memory(ahead->run.job->entry)) {
        ahead->observer = probe->observer;
        ahead->launch.observers = &ahead->observer;
        ahead->launch.observer_count = 1;
        probe->begin(probe->context, ahead->run.buffers, ahead->run.memory);
    } else {
        read_zeros(&ahead->run);
    }
    ahead->status = predict_trace(&ahead->job, &ahead->trace, NULL);
    if (ahead->status == STATUS_OK && !predict_from(&ahead->job, ahead->trace, &ahead->prediction))
        ahead->status = STATUS_UNSUPPORTED;
    close_run(&ahead->run);
    ahead->run = (struct simulation){0};
    return NULL;
}

static void end_ahead(struct ahead *ahead, bool stop)
{
    if (stop)
        atomic_store(&ahead->stop, true);
    if (ahead->is_running)
        pthread_join(ahead->thread, NULL);
    ahead->is_running = false;
}

static void free_ahead(struct ahead *ahead)
{
    end_ahead(ahead, true);
    predict_trace_free(ahead->trace);
    close_run(&ahead->run);
}

// The last of a row or a column may have less to do than the others.
static bool lies_at_edge(const uint32_t grid[3], uint64_t block)
{
    uint64_t column = block % grid[0], row = block / grid[0] % grid[1];
    return (grid[0] > 1 && column == grid[0] - 1) || (grid[1] > 1 && row == grid[1] - 1);
}

// With what is known after one more block. Where that says that another block is to be traced first, what was made
// until now is of no use, and never will be.
static void feed_ahead(struct ahead *ahead, struct device_job *job, const struct gpu_profile *gpu)
{
    struct predict_work work = {0};
    job->probe->work(job->probe->context, &work);
    if (!work.busy_steps || (ahead->is_made && work.first == ahead->job.work.first))
        return;
    free_ahead(ahead);
    *ahead = (struct ahead){.run = {.job = job, .gpu = gpu}, .status = STATUS_UNSUPPORTED};
    ahead->job = (struct predict_job){.gpu = gpu, .launch = &ahead->launch, .work = work, .stop = &ahead->stop};
    ahead->job.registers = job->likely_registers;
    ahead->job.is_lenient = job->is_lenient && !job->resources_context; // else ptxas will tell
    ahead->is_made = ahead->is_running = pthread_create(&ahead->thread, NULL, predict_ahead, ahead) == 0;
}

// Whether what is traced may do for what is known of the work now. Asked while ptxas may still be at work.
static bool check_ahead(struct ahead *ahead, const struct predict_job *job)
{
    const struct predict_work *guess = &ahead->job.work, *work = &job->work;
    bool is_likely = ahead->is_made && guess->first == work->first && work->mean_steps;
    if (!is_likely)
        end_ahead(ahead, true);
    return is_likely;
}

// For `job` with its registers.
static bool use_ahead(struct ahead *ahead, const struct predict_job *job, struct prediction *prediction)
{
    const struct predict_work *guess = &ahead->job.work, *work = &job->work;
    bool is_right = guess->busy_steps == work->busy_steps && guess->mean_steps == work->mean_steps && !job->spilled;
    struct predict_job guessed = *job;
    struct prediction fit;
    guessed.registers = ahead->job.registers;
    guessed.is_lenient = ahead->job.is_lenient;
    bool fits = predict_fit(&guessed, &fit, NULL) == STATUS_OK && predict_holds(job, &fit);
    end_ahead(ahead, !fits);
    if (!fits || ahead->status != STATUS_OK)
        return false;
    if (!is_right)
        return predict_from(job, ahead->trace, prediction);
    *prediction = ahead->prediction;
    return predict_holds(job, prediction);
}

// ---- outlines of blocks

// How one warp goes through global memory: from where each instruction was last to where it is now. Where it begins
// depends on the block.
struct path {
    uint64_t hash;
    uint64_t *last; // by pc: the address, and whether there was one
};

static void mix(uint64_t *hash, uint64_t value)
{
    *hash ^= value;
    *hash = random_next(hash);
}

static void follow_access(void *context, const struct sim_access *access)
{
    struct path *path = context;
    struct sim_access source = *access;
    if (sim_is_copy(access->kind) && !sim_access_source(access, &source))
        source.mask = 0; // zeros, from nowhere
    uint64_t *last = &path->last[access->pc];
    mix(&path->hash, (uint64_t)access->pc << 32 | source.mask);
    if (!source.mask)
        return;
    mix(&path->hash, *last ? source.first - *last : 0);
    *last = source.first;
}

static uint64_t sign_counts(const struct sim_count *counts, uint32_t size)
{
    uint64_t hash = 0;
    for (uint32_t pc = 0; pc < size; pc++) {
        mix(&hash, counts[pc].warps);
        mix(&hash, counts[pc].threads);
    }
    return hash;
}

// In a memory of their own, as what they store means nothing.
static void follow_outlines(const struct simulation *run)
{
    const struct device_probe *probe = run->job->probe;
    struct arena *arena = arena_new();
    struct device_job job = *run->job;
    struct simulation outline = {.job = &job, .gpu = run->gpu};
    struct diagnostic ignored;
    struct path path = {0};
    uint32_t warp;
    job.entry = ptx_outline(run->job->entry, arena);
    if (open_run(&outline, &ignored) != STATUS_OK)
        goto out;
    read_zeros(&outline);
    uint32_t size = sim_program_size(outline.program);
    path.last = mem_alloc((size + 1) * sizeof *path.last);
    outline.counts = mem_alloc((size + 1) * sizeof *outline.counts);
    struct sim_observer follower = {
        .wants = SIM_WANT_ACCESS_GLOBAL | SIM_TAKES_SHAPES, .context = &path, .access = follow_access};
    struct sim_launch launch = make_launch(&outline);
    launch.block_count = 1;
    launch.budget = OUTLINE_BUDGET;
    launch.observers = &follower;
    launch.observer_count = 1;
    launch.counts = outline.counts;
    while (probe->outline(probe->context, &launch.first_block, &warp)) {
        struct sim_result result = {0};
        launch.lone_warp = warp + 1;
        path.hash = 0;
        memset(path.last, 0, size * sizeof *path.last);
        memset(outline.counts, 0, size * sizeof *outline.counts);
        enum status status = sim_run(&launch, &result, &ignored);
        struct device_outline seen = {.block = launch.first_block,
                                      .steps = result.warp_instructions,
                                      .is_whole = status == STATUS_OK,
                                      .executed = sign_counts(outline.counts, size),
                                      .path = path.hash};
        probe->outlined(probe->context, &seen);
    }
    free(path.last);
out:
    close_run(&outline);
    arena_free(arena);
}

// The blocks that somebody wants to see. One that is cut short ends no run, and is not counted: those that will be are
// known by the longest so far.
static enum status run_probes(const struct simulation *run, const struct gpu_profile *gpu, struct sim_launch *launch,
                              struct ahead *ahead, struct record *record, struct diagnostic *diagnostic)
{
    const struct device_probe *probe = run->job->probe;
    struct sim_launch one = *launch;
    struct tellers tellers = {.counters = counter_observer_new(run->program, run->job->main_file),
                              .counts = mem_alloc(sim_program_size(run->program) * sizeof *tellers.counts),
                              .waits = run->job->want_waits ? waits_new() : NULL,
                              .balance = run->job->want_balance ? balance_new() : NULL};
    open_glances(&tellers.glances, run);
    if (run->job->want_hazards) {
        tellers.hazards = hazard_checker_new(run->program, run->memory, run->job->main_file);
        hazard_checker_names(tellers.hazards, &run->job->names);
        uint32_t share = run->job->hazard_share ? run->job->hazard_share : HAZARDS_SHARE;
        hazard_checker_sample(tellers.hazards, share, run->job->seed, HAZARDS_LEAST);
    }
    enum status status = STATUS_OK;
    uint64_t longest = 0;
    probe->begin(probe->context, run->buffers, run->memory);
    record->probed.shape = run->job->shape;
    one.block_count = 1;
    for (size_t i = 0; probe->next && probe->next(probe->context, &one.first_block, &one.budget); i++) {
        bool is_counted = one.budget > longest && record->probed.blocks < MOST_COUNTED;
        status =
            is_counted ? run_counted(run, &one, &tellers, record, diagnostic) : sim_run(&one, &record->run, diagnostic);
        if (status != STATUS_OK && status != STATUS_TIMEOUT)
            break;
        longest = record->run.work > longest ? record->run.work : longest;
        if (!probe->ran(probe->context, one.first_block, status, &record->run))
            break;
        bool is_usual = status == STATUS_OK && !lies_at_edge(run->job->shape.grid, one.first_block);
        if (is_usual && run->job->ahead && !run->job->log)
            feed_ahead(ahead, run->job, gpu);
        if (i == 0 && status == STATUS_OK && probe->outline)
            follow_outlines(run);
        status = STATUS_OK;
    }
    counter_observer_free(tellers.counters);
    free(tellers.counts);
    waits_free(tellers.waits);
    balance_free(tellers.balance);
    close_glances(&tellers.glances);
    if (tellers.hazards) {
        record->hazards_watched = hazard_checker_watched(tellers.hazards);
        hazard_checker_take(tellers.hazards, &record->hazards);
        hazard_checker_free(tellers.hazards);
    }
    return status;
}

// The outputs have been taken: what the traced blocks do to memory matters no more.
static enum status predict_time(const struct simulation *run, const struct gpu_profile *gpu, struct record *record,
                                struct diagnostic *diagnostic)
{
    const struct device_probe *probe = run->job->probe;
    struct sim_launch launch = make_launch(run);
    struct predict_job job = {.gpu = gpu,
                              .launch = &launch,
                              .log = run->job->log,
                              .main_file = run->job->main_file,
                              .is_lenient = run->job->is_lenient};
    struct sim_observer observer;
    struct ahead ahead = {.status = STATUS_UNSUPPORTED};
    enum status status = STATUS_OK;
    if (probe) {
        observer = probe->observer;
        launch.observers = &observer;
        launch.observer_count = 1;
        status = run_probes(run, gpu, &launch, &ahead, record, diagnostic);
        job.work.even = probe->even;
        if (probe->work)
            probe->work(probe->context, &job.work);
    }
    if (status != STATUS_OK || !run->job->want_model)
        goto out;
    bool is_likely = check_ahead(&ahead, &job);
    job.registers = registers_of(run->job, record);
    job.spilled = record->resources.spill_stores + record->resources.spill_loads;
    if (!is_likely || !use_ahead(&ahead, &job, &record->model))
        status = predict_run(&job, &record->model, diagnostic);
    if (status == STATUS_OK) {
        record->modelled_us = record->model.us;
        snprintf(record->model_gpu, sizeof record->model_gpu, "%s", gpu->name);
    }
out:
    free_ahead(&ahead);
    return status;
}

static void count_textures(const struct simulation *run, struct texture_counts *counts)
{
    for (uint32_t pc = 0; pc < sim_program_size(run->program); pc++) {
        enum ptx_opcode op = sim_program_inst(run->program, pc, NULL)->op;
        uint64_t warps = run->counts[pc].warps;
        counts->fetches += op == PTX_OP_TEX || op == PTX_OP_TLD4 ? warps : 0;
        counts->surface_loads += op == PTX_OP_SULD ? warps : 0;
        counts->surface_stores += op == PTX_OP_SUST || op == PTX_OP_SURED ? warps : 0;
    }
}

static void note_changed(const struct device_arg *arg, const unsigned char *now, struct record *record)
{
    size_t size = ptx_type_size(arg->type), at = 0;
    const unsigned char *before = arg->data;
    if (memcmp(before, now, arg_size(arg)) == 0)
        return;
    while (memcmp(before + at, now + at, size) == 0)
        at += size;
    record->changed = arg;
    record->changed_element = at / size;
    record->changed_to = args_element(arg->type, now + at);
}

// Whatever the end was: what has been seen until then is the record.
static void take_results(struct simulation *run, struct record *record)
{
    count_textures(run, &record->textures);
    if (run->counters)
        counter_observer_take(run->counters, run->counts, &record->counters);
    if (run->hazards) {
        record->hands_over = sim_program_hands_over(run->program);
        record->hazards_watched = hazard_checker_watched(run->hazards);
        hazard_checker_take(run->hazards, &record->hazards);
    }
    if (run->recorder)
        recorder_take(run->recorder, &record->recording);
    for (size_t i = 0; i < run->job->arg_count; i++) {
        struct device_arg *arg = &run->job->args[i];
        if (arg->is_buffer && !arg->read_only && arg->data)
            memcpy(arg->data, run->buffers[i]->data, arg_size(arg));
        else if (arg->is_buffer && arg->data && !record->changed)
            note_changed(arg, run->buffers[i]->data, record);
    }
}

const struct gpu_profile *device_modelled_gpu(const struct device *device, unsigned sm)
{
    const struct gpu_profile *gpu = device->profile;
    return device->gpu_model[0] || sm <= gpu->sm ? gpu : gpu_profile_for(sm);
}

static enum status simulator_run(struct device *device, struct device_job *job, struct record *record,
                                 struct diagnostic *diagnostic)
{
    const struct gpu_profile *gpu = device_modelled_gpu(device, job->module->sm);
    struct simulation run = {.job = job, .gpu = gpu};
    struct launch_shape shape = job->shape;
    snprintf(record->device, sizeof record->device, "simulated (sm_%u)", gpu->sm);
    if (job->arg_count > DEVICE_MAX_ARGS)
        return diagnostic_set(diagnostic, STATUS_LAUNCH, "a kernel has at most %d arguments here", DEVICE_MAX_ARGS);
    enum status status = open_run(&run, diagnostic);
    if (status != STATUS_OK)
        goto out;
    shape.static_shared = sim_program_shared(run.program)->static_size;
    status = launch_check(&shape, job->entry, gpu->shared_block, diagnostic);
    if (status != STATUS_OK)
        goto out;
    if (shape.cooperative)
        status = check_residency(&run, gpu, record, diagnostic);
    if (status != STATUS_OK)
        goto out;
    make_observers(&run);
    run.counts = mem_alloc(sim_program_size(run.program) * sizeof *run.counts);
    uint32_t dims[3];
    bool is_clustered = launch_cluster(&shape, job->entry, dims) > 1;
    if (job->model_only && is_clustered) {
        status = diagnostic_set(diagnostic, STATUS_UNSUPPORTED,
                                "blocks of a cluster work on one another's shared memory: their time is not modelled");
    } else if (job->model_only) {
        status = predict_time(&run, gpu, record, diagnostic);
    } else {
        status = simulate(&run, record, diagnostic);
        take_results(&run, record);
        if (status == STATUS_OK && job->again)
            status = launch_again(&run, record, diagnostic);
        // A few blocks of a grid or a cluster that waits for all of them say nothing, and the traffic of textures and
        // between blocks has no model.
        const struct texture_counts *textures = &record->textures;
        bool has_model = !shape.cooperative && !is_clustered && !textures->fetches && !textures->surface_loads &&
                         !textures->surface_stores;
        if (status == STATUS_OK && job->want_model && has_model)
            predict_time(&run, gpu, record, NULL); // a run without a prediction is one
    }
out:
    close_run(&run);
    return status;
}

static enum status simulator_open(struct device *device, struct diagnostic *diagnostic)
{
    enum status status = profile_find(device->gpu_model, &device->profile, diagnostic);
    if (status != STATUS_OK)
        return status;
    snprintf(device->label, sizeof device->label, "simulator, models %s", device->profile->name);
    return STATUS_OK;
}

const struct device_ops device_simulator_ops = {
    .name = "sim",
    .open = simulator_open,
    .run = simulator_run,
};
