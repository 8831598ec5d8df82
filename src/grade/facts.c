#include <ctype.h>
#include <math.h>
#include <string.h>

#include "grade/judge.h"
#include "lesson/names.h"
#include "record/access.h"

enum { MAX_MARKED = 32 };

// ---- which runs a name means

const struct judge_run *judge_speed_run(const struct judge_facts *facts, const struct lesson_part *part)
{
    if (!part)
        part = facts->lesson->parts;
    for (size_t i = 0; i < facts->run_count; i++)
        if (facts->runs[i].part == part && facts->runs[i].size == &part->sizes[part->speed_size])
            return &facts->runs[i];
    return NULL;
}

static bool in_scope(const struct judge_scope *scope, const struct judge_run *run)
{
    return scope->run ? run == scope->run : !scope->part || run->part == scope->part;
}

static bool finished(const struct judge_run *run)
{
    return run && run->result->ran && run->result->status == STATUS_OK;
}

// The run that counters are taken from; NULL when it did not end well.
static const struct judge_run *counted_run(const struct judge_scope *scope)
{
    const struct judge_run *run = scope->run ? scope->run : judge_speed_run(scope->facts, scope->part);
    return finished(run) && run->record ? run : NULL;
}

// ---- status and correctness

const char *judge_status_diagnosis(enum status status, enum sim_fault_kind fault)
{
    static const char *const faults[] = {[SIM_FAULT_NONE] = "fault",
                                         [SIM_FAULT_BOUNDS] = "out-of-bounds",
                                         [SIM_FAULT_MISALIGNED] = "misaligned",
                                         [SIM_FAULT_DEADLOCK] = "deadlock",
                                         [SIM_FAULT_TRAP] = "trap",
                                         [SIM_FAULT_OTHER] = "fault"};
    switch (status) {
    case STATUS_OK:
        return NULL;
    case STATUS_COMPILE:
        return "compile-error";
    case STATUS_UNSUPPORTED:
        return "unsupported";
    case STATUS_LAUNCH:
        return "launch-error";
    case STATUS_TIMEOUT:
        return "timeout";
    case STATUS_CRASH:
        return "crash";
    case STATUS_FAULT:
        return faults[fault];
    default:
        return "";
    }
}

static bool ended_as(const struct judge_run *run, const char *id)
{
    const char *diagnosis = judge_status_diagnosis(run->result->status, run->result->fault);
    if (strcmp(id, "fault") == 0)
        return run->result->status == STATUS_FAULT;
    return diagnosis && strcmp(diagnosis, id) == 0;
}

static bool is_correct(const struct judge_run *run)
{
    return finished(run) && run->result->correct;
}

static double all_correct(const struct judge_scope *scope)
{
    bool any = false;
    for (size_t i = 0; i < scope->facts->run_count; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        if (in_scope(scope, run) && !is_correct(run))
            return 0;
        any = any || in_scope(scope, run);
    }
    return any;
}

static double all_finished(const struct judge_scope *scope)
{
    bool any = false;
    for (size_t i = 0; i < scope->facts->run_count; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        if (in_scope(scope, run) && !finished(run))
            return 0;
        any = any || in_scope(scope, run);
    }
    return any;
}

static double any_ended_as(const struct judge_scope *scope, const char *id)
{
    for (size_t i = 0; i < scope->facts->run_count; i++)
        if (in_scope(scope, &scope->facts->runs[i]) && ended_as(&scope->facts->runs[i], id))
            return 1;
    return 0;
}

static double fraction(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static double mismatch_value(const struct grade_mismatch *mismatch, const char *name)
{
    if (strcmp(name, "wrong") == 0)
        return (double)mismatch->wrong;
    if (strcmp(name, "wrong_fraction") == 0)
        return fraction(mismatch->wrong, mismatch->total);
    if (strcmp(name, "unwritten_fraction") == 0)
        return fraction(mismatch->unwritten, mismatch->total);
    if (strcmp(name, "nan_count") == 0)
        return (double)mismatch->nan;
    return fraction(mismatch->zero, mismatch->wrong);
}

// The largest over the sizes.
static double mismatch_most(const struct judge_scope *scope, const char *name)
{
    double most = 0;
    for (size_t i = 0; i < scope->facts->run_count; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        if (in_scope(scope, run) && finished(run))
            most = fmax(most, mismatch_value(&run->result->mismatch, name));
    }
    return most;
}

// 1 when something is wrong, and wherever something is, only in tiles that the edge cuts.
static double only_partial_tiles(const struct judge_scope *scope)
{
    bool any = false;
    for (size_t i = 0; i < scope->facts->run_count; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        if (!in_scope(scope, run) || !finished(run) || run->result->correct)
            continue;
        if (!run->result->mismatch.partial_only)
            return 0;
        any = true;
    }
    return any;
}

// ---- hazards

// name: as in JSON with '_' for '-'; NULL = any.
static double count_hazards(const struct judge_scope *scope, const char *name)
{
    double sum = 0;
    for (size_t i = 0; i < scope->facts->run_count; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        for (size_t j = 0; in_scope(scope, run) && j < run->result->hazards.count; j++) {
            const struct hazard *hazard = &run->result->hazards.items[j];
            const char *other = hazard_name(hazard->kind);
            size_t at = 0;
            while (name && name[at] && (name[at] == other[at] || (name[at] == '_' && other[at] == '-')))
                at++;
            sum += !hazard->benign && (!name || (!name[at] && !other[at]));
        }
    }
    return sum;
}

// ---- counters

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static bool ratio_value(const struct counters *c, const char *name, double *value)
{
    const struct {
        const char *name;
        double value;
    } ratios[] = {
        {"global_load_sectors_per_request", ratio(c->global[COUNT_LOAD].sectors, c->global[COUNT_LOAD].requests)},
        {"global_store_sectors_per_request", ratio(c->global[COUNT_STORE].sectors, c->global[COUNT_STORE].requests)},
        {"global_atomic_sectors_per_request", ratio(c->global[COUNT_ATOMIC].sectors, c->global[COUNT_ATOMIC].requests)},
        {"shared_load_wavefronts_per_instruction",
         ratio(c->shared[COUNT_LOAD].wavefronts, c->shared[COUNT_LOAD].instructions)},
        {"shared_store_wavefronts_per_instruction",
         ratio(c->shared[COUNT_STORE].wavefronts, c->shared[COUNT_STORE].instructions)},
        {"shared_atomic_wavefronts_per_instruction",
         ratio(c->shared[COUNT_ATOMIC].wavefronts, c->shared[COUNT_ATOMIC].instructions)},
        {"shared_copy_wavefronts_per_instruction",
         ratio(c->shared[COUNT_COPY].wavefronts, c->shared[COUNT_COPY].instructions)},
        {"shared_conflicts", (double)counters_shared(c).conflicts},
        {"shared_wavefronts", (double)counters_shared(c).wavefronts},
    };
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        if (strcmp(ratios[i].name, name) == 0) {
            *value = ratios[i].value;
            return true;
        }
    return false;
}

static bool counter_value(const struct judge_scope *scope, const char *name, double *value)
{
    static const struct counters none;
    const struct judge_run *run = counted_run(scope);
    const struct counter_table *table = run ? &run->record->counters : NULL;
    uint64_t count;
    bool is_written = strncmp(name, "written_", 8) == 0;
    if (counters_get(!table       ? &none
                     : is_written ? &table->written
                                  : &table->compiled,
                     name + (is_written ? 8 : 0), &count))
        *value = table ? (double)count : NAN;
    else if (ratio_value(table ? &table->compiled : &none, name, value))
        *value = table ? *value : NAN;
    else
        return false;
    return true;
}

// Share of the copies to shared memory that were under way while somebody read from it: of a thread's copy, another
// lane of its warp may; of a bulk copy, anybody. Of the recorded block; NAN when it makes none.
static double copies_overlapped(const struct recording *recording)
{
    size_t copies = 0, overlapped = 0, next_of_warp[SIM_MAX_WARPS], next = SIZE_MAX;
    for (size_t i = 0; i < SIM_MAX_WARPS; i++)
        next_of_warp[i] = SIZE_MAX;
    for (size_t i = recording->count; i-- > 0;) {
        const struct recorded_access *access = &recording->items[i];
        if (access->space != PTX_SHARED || access->warp >= SIM_MAX_WARPS)
            continue;
        if (access->kind == SIM_LOAD || access->kind == SIM_MATRIX_LOAD) {
            next = next_of_warp[access->warp] = i;
        } else if (access->kind == SIM_ASYNC_COPY || access->kind == SIM_BULK_COPY) {
            copies++;
            overlapped += (access->kind == SIM_BULK_COPY ? next : next_of_warp[access->warp]) < access->lands;
        }
    }
    return copies ? (double)overlapped / (double)copies : (double)NAN;
}

// Barriers that the block passed, up to its last access to shared memory, for each time that a warp waited and copies
// had arrived: the barriers of a step, however long a step is. NAN when no copy arrives.
static double barriers_per_arrival(const struct recording *recording)
{
    size_t arrivals = 0, warps = 0;
    uint32_t phase = 0, landed[SIM_MAX_WARPS];
    bool seen[SIM_MAX_WARPS] = {false};
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        if (access->space != PTX_SHARED || access->warp >= SIM_MAX_WARPS)
            continue;
        phase = access->phase > phase ? access->phase : phase;
        if ((access->kind != SIM_ASYNC_COPY && access->kind != SIM_BULK_COPY) || access->lands == UINT32_MAX)
            continue;
        warps += !seen[access->warp];
        arrivals += !seen[access->warp] || landed[access->warp] != access->lands;
        seen[access->warp] = true;
        landed[access->warp] = access->lands;
    }
    return arrivals ? (double)phase * (double)warps / (double)arrivals : (double)NAN;
}

// ---- launch shape and times

static bool shape_value(const struct judge_scope *scope, const char *name, double *value)
{
    const struct judge_run *run = scope->run ? scope->run : judge_speed_run(scope->facts, scope->part);
    static const struct launch_shape empty;
    const struct launch_shape *launch = run ? &run->result->launch : &empty;
    const struct {
        const char *name;
        double value;
    } shapes[] = {
        {"shared_bytes", (double)launch->static_shared + (double)launch->dynamic_shared},
        {"static_shared_bytes", launch->static_shared},
        {"dynamic_shared_bytes", launch->dynamic_shared},
        {"block_threads", (double)launch_threads(launch)},
        {"block_x", launch->block[0]},
        {"block_y", launch->block[1]},
        {"blocks", (double)launch_blocks(launch)},
        {"tile_x", launch->tile[0] ? (double)launch->tile[0] : (double)NAN},
        {"tile_y", launch->tile[1] ? (double)launch->tile[1] : (double)NAN},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].name, name) == 0) {
            *value = launch->block[0] ? shapes[i].value : NAN;
            return true;
        }
    return false;
}

static double time_ratio(double other, double own)
{
    return other > 0 && own > 0 ? other / own : NAN;
}

static double known(double value)
{
    return value > 0 ? value : NAN;
}

// `metric` per microsecond, in units of 1000 a microsecond = 1e9 a second.
static double rate(const struct judge_run *run, const char *metric)
{
    if (!run || !metric || run->measured.kernel <= 0)
        return NAN;
    return lesson_value(run->size, true, metric) / run->measured.kernel / 1e3; // timed at the GPU's size
}

static bool time_value(const struct judge_scope *scope, const char *name, double *value)
{
    static const struct grade_times none;
    const struct judge_run *run = scope->run ? scope->run : judge_speed_run(scope->facts, scope->part);
    const struct grade_times *model = run ? &run->modelled : &none, *real = run ? &run->measured : &none;
    const struct grade_times *ratios = run ? &run->ratios : &none;
    const struct lesson *lesson = scope->facts->lesson;
    // bytes in a kernel's time to bytes in a copy's
    double copied = run && lesson->metric_bytes && run->copy_bytes > 0
                        ? lesson_value(run->size, true, lesson->metric_bytes) / run->copy_bytes
                        : NAN;
    const struct {
        const char *name;
        double value;
    } times[] = {
        {"modelled_us", model->kernel > 0 ? model->kernel : NAN},
        {"measured_us", real->kernel > 0 ? real->kernel : NAN},
        {"modelled_vs_naive", time_ratio(model->naive, model->kernel)},
        {"modelled_vs_solution", time_ratio(model->solution, model->kernel)},
        {"measured_vs_naive", known(ratios->naive)},
        {"vs_naive", known(ratios->naive)},
        {"measured_vs_solution", known(ratios->solution)},
        {"vs_solution", known(ratios->solution)},
        {"copy_percent", 100 * known(ratios->copy) * copied},
        {"cublas_percent", 100 * known(ratios->cublas)},
        {"gbps", rate(run, lesson->metric_bytes)},
        {"gflops", rate(run, lesson->metric_flop)},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strcmp(times[i].name, name) == 0) {
            *value = times[i].value;
            return true;
        }
    return false;
}

// ---- names and calls

static bool outcome_value(const struct judge_scope *scope, const char *name, double *value)
{
    static const struct {
        const char *name, *id;
    } endings[] = {
        {"fault", "fault"},
        {"out_of_bounds", "out-of-bounds"},
        {"misaligned", "misaligned"},
        {"deadlock", "deadlock"},
        {"trap", "trap"},
        {"timeout", "timeout"},
        {"launch_error", "launch-error"},
    };
    static const char *const mismatches[] = {"wrong", "wrong_fraction", "unwritten_fraction", "nan_count",
                                             "zero_fraction"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(endings[i].name, name) == 0) {
            *value = any_ended_as(scope, endings[i].id);
            return true;
        }
    if (strcmp(name, "correct") == 0)
        *value = all_correct(scope);
    else if (strcmp(name, "finished") == 0)
        *value = all_finished(scope);
    else if (strcmp(name, "wrong_only_partial_tiles") == 0)
        *value = only_partial_tiles(scope);
    else if (strcmp(name, "hazards") == 0)
        *value = count_hazards(scope, NULL);
    else if (strncmp(name, "hazard_", 7) == 0)
        *value = count_hazards(scope, name + 7);
    else if (names_has(mismatches, sizeof mismatches / sizeof *mismatches, name))
        *value = mismatch_most(scope, name);
    else
        return false;
    return true;
}

static bool recording_value(const struct judge_scope *scope, const char *name, double *value)
{
    double (*of)(const struct recording *) = strcmp(name, "copies_overlapped") == 0      ? copies_overlapped
                                             : strcmp(name, "barriers_per_arrival") == 0 ? barriers_per_arrival
                                                                                         : NULL;
    const struct judge_run *run = of ? counted_run(scope) : NULL;
    if (of)
        *value = run ? of(&run->record->recording) : NAN;
    return of != NULL;
}

static enum status plain_value(const struct judge_scope *scope, const char *name, double *value,
                               struct diagnostic *diagnostic)
{
    const struct judge_run *run = scope->run ? scope->run : judge_speed_run(scope->facts, scope->part);
    const struct lesson_part *part = scope->part ? scope->part : scope->facts->lesson->parts;
    const struct lesson_size *size = run ? run->size : &part->sizes[part->speed_size];
    bool is_gpu = run && run->data && run->data->gpu;
    if (recording_value(scope, name, value) || outcome_value(scope, name, value) || counter_value(scope, name, value) ||
        shape_value(scope, name, value) || time_value(scope, name, value) ||
        lesson_size_variable(size, is_gpu, name, value))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_PARSE, "unknown name \"%.60s\".", name);
}

static enum status size_value(const struct judge_scope *scope, const struct expression_reference *reference,
                              double *value, struct diagnostic *diagnostic)
{
    const struct lesson_part *part = scope->part ? scope->part : scope->facts->lesson->parts;
    *value = NAN;
    for (size_t i = 0; reference->field && reference->argument_count == 1 && i < scope->facts->run_count; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        if (run->part != part || !reference->arguments[0].text ||
            strcmp(run->size->name, reference->arguments[0].text) != 0)
            continue;
        struct judge_scope inner = {scope->facts, part, run};
        return plain_value(&inner, reference->field, value, diagnostic);
    }
    return STATUS_OK;
}

size_t judge_marker_lines(const char *source, const char *name, uint32_t *lines, size_t most)
{
    size_t count = 0, length = strlen(name);
    uint32_t line = 1;
    bool in_comment = false;
    for (const char *at = source; *at && count < most; at++) {
        if (*at == '\n') {
            line++;
            in_comment = false;
        } else if (at[0] == '/' && at[1] == '/') {
            in_comment = true;
        } else if (in_comment && *at == '@' && strncmp(at + 1, name, length) == 0 &&
                   !isalnum((unsigned char)at[1 + length]) && at[1 + length] != '_' && at[1 + length] != '-' &&
                   (count == 0 || lines[count - 1] != line)) {
            lines[count++] = line;
        }
    }
    return count;
}

// The lines that "marker:NAME" or a number stands for.
static size_t place_lines(const struct judge_scope *scope, const struct expression_reference *reference,
                          uint32_t lines[MAX_MARKED])
{
    const struct expression_argument *place = reference->arguments;
    if (reference->argument_count == 0)
        return 0;
    if (place->label && scope->facts->source)
        return judge_marker_lines(scope->facts->source, place->text, lines, MAX_MARKED);
    if (place->label || place->text || !(place->number >= 1 && place->number < 1e6))
        return 0;
    lines[0] = (uint32_t)place->number;
    return 1;
}

static bool on_lines(const struct counter_line *line, const struct judge_facts *facts, const uint32_t *lines,
                     size_t count)
{
    if (facts->main_file && line->file && *line->file) {
        const char *slash = strrchr(line->file, '/'), *other = strrchr(facts->main_file, '/');
        if (strcmp(slash ? slash + 1 : line->file, other ? other + 1 : facts->main_file) != 0)
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (line->line == lines[i])
            return true;
    return false;
}

static double line_value(const struct judge_scope *scope, const struct expression_reference *reference)
{
    uint32_t lines[MAX_MARKED];
    const struct judge_run *run = counted_run(scope);
    size_t count = place_lines(scope, reference, lines), found = 0;
    double sum = 0;
    for (size_t i = 0; run && i < run->record->counters.count; i++) {
        const struct counter_line *line = &run->record->counters.lines[i];
        if (!on_lines(line, scope->facts, lines, count))
            continue;
        const struct {
            const char *name;
            uint64_t value;
        } fields[] = {
            {"instructions", line->instructions},
            {"wavefronts", line->wavefronts},
            {"conflicts", line->conflicts},
            {"requests", line->requests},
            {"sectors", line->sectors},
            {"written_wavefronts", line->written_wavefronts},
            {"written_conflicts", line->written_conflicts},
        };
        found++;
        if (strcmp(reference->field, "bytes") == 0)
            sum = fmax(sum, line->bytes);
        for (size_t j = 0; j < sizeof fields / sizeof *fields; j++)
            if (strcmp(fields[j].name, reference->field) == 0)
                sum += (double)fields[j].value;
    }
    return found ? sum : NAN;
}

// The access of the recorded block that marker, warp and instance name; NULL: there is none.
static const struct recorded_access *
find_access(const struct judge_scope *scope, const struct expression_reference *reference, double instance, double warp)
{
    uint32_t lines[MAX_MARKED];
    const struct judge_run *run = counted_run(scope);
    size_t count = place_lines(scope, reference, lines);
    for (size_t i = 0; run && i < run->record->recording.count; i++) {
        const struct recorded_access *access = &run->record->recording.items[i];
        bool matches = false, is_source = access->kind == SIM_ASYNC_COPY && access->space == PTX_GLOBAL;
        for (size_t j = 0; j < run->record->counters.count && !matches && !is_source; j++)
            matches = run->record->counters.lines[j].pc == access->pc &&
                      on_lines(&run->record->counters.lines[j], scope->facts, lines, count);
        if (matches && (double)access->warp == warp && instance-- == 0)
            return access;
    }
    return NULL;
}

static double wavefront_of(const struct recorded_access *access, uint32_t lane)
{
    struct bank_schedule schedule;
    struct bank_access compiled = access_banks(access, true);
    banks_schedule(&compiled, &schedule);
    return schedule.wavefront[lane] == UINT32_MAX ? (double)NAN : (double)schedule.wavefront[lane];
}

static double access_value(const struct judge_scope *scope, const struct expression_reference *reference)
{
    double lane = NAN, instance = 0, warp = 0;
    for (size_t i = 1; i < reference->argument_count; i++) {
        const struct expression_argument *argument = &reference->arguments[i];
        if (argument->label && strcmp(argument->label, "lane") == 0)
            lane = argument->number;
        else if (argument->label && strcmp(argument->label, "instance") == 0)
            instance = argument->number;
        else if (argument->label && strcmp(argument->label, "warp") == 0)
            warp = argument->number;
    }
    const struct recorded_access *access = find_access(scope, reference, instance, warp);
    if (!access)
        return NAN;
    if (strcmp(reference->name, "lanes") == 0)
        return __builtin_popcount(access->mask);
    if (!(lane >= 0 && lane < (double)WARP_LANES))
        return NAN;
    uint32_t index = (uint32_t)lane;
    bool is_active = access->mask >> index & 1;
    if (strcmp(reference->name, "active") == 0)
        return is_active;
    if (!is_active)
        return NAN;
    if (strcmp(reference->name, "address") == 0)
        return (double)access->addresses[index];
    if (strcmp(reference->name, "word") == 0)
        return (double)(access->addresses[index] / BANK_BYTES);
    if (strcmp(reference->name, "bank") == 0)
        return (double)(access->addresses[index] / BANK_BYTES % BANKS);
    return access->space == PTX_SHARED ? wavefront_of(access, index) : NAN;
}

static double output_value(const struct judge_scope *scope, const struct expression_reference *reference)
{
    const struct judge_run *run = scope->run ? scope->run : judge_speed_run(scope->facts, scope->part);
    if (!finished(run) || !run->data || reference->argument_count != 2 || !reference->arguments[0].text)
        return NAN;
    double index = reference->arguments[1].number;
    for (size_t i = 0; i < run->data->count; i++)
        if (strcmp(run->data->args[i].name, reference->arguments[0].text) == 0 && index >= 0 &&
            index < (double)run->data->args[i].count)
            return dataset_element(&run->data->args[i], (size_t)index);
    return NAN;
}

static double quiz_value(const struct judge_scope *scope, const struct expression_reference *reference)
{
    double answer = NAN, number = reference->argument_count ? reference->arguments[0].number : 0;
    const struct judge_facts *facts = scope->facts;
    if (!facts->quiz || !(number >= 1 && number <= (double)facts->lesson->question_count) ||
        !facts->quiz(facts->quiz_context, (size_t)number - 1, &answer))
        return NAN;
    return answer;
}

enum status judge_lookup(void *context, const struct expression_reference *reference, double *value,
                         struct diagnostic *diagnostic)
{
    const struct judge_scope *scope = context;
    size_t count;
    const char *const *accesses = names_access(&count);
    if (!reference->is_call)
        return plain_value(scope, reference->name, value, diagnostic);
    if (strcmp(reference->name, "size") == 0)
        return size_value(scope, reference, value, diagnostic);
    if (strcmp(reference->name, "line") == 0 && reference->field)
        *value = line_value(scope, reference);
    else if (names_has(accesses, count, reference->name))
        *value = access_value(scope, reference);
    else if (strcmp(reference->name, "output") == 0)
        *value = output_value(scope, reference);
    else if (strcmp(reference->name, "quiz") == 0)
        *value = quiz_value(scope, reference);
    else
        return diagnostic_set(diagnostic, STATUS_PARSE, "unknown function \"%.60s\".", reference->name);
    return STATUS_OK;
}
