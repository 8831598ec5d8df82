// What the names and calls of an expression stand at: the facts of the runs in its scope, a size, a line, a lane, an
// output, a quiz answer.
#include "grade/facts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/access.h"

enum { MAX_MARKED = 32 };

// ---- which runs a name means

struct judge_scope judge_scope_of(const struct judge_facts *facts, const char *part_name)
{
    return (struct judge_scope){facts, part_name ? lesson_part_find(facts->lesson, part_name) : NULL, NULL, NULL};
}

bool judge_in_part(const struct judge_scope *scope, const struct judge_run *run)
{
    return !scope->part || run->part == scope->part;
}

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
    return scope->run ? run == scope->run : judge_in_part(scope, run);
}

static bool finished(const struct judge_run *run)
{
    return run && run->result->ran && run->result->status == STATUS_OK;
}

static const struct lesson_part *judged_part(const struct judge_scope *scope)
{
    return scope->part ? scope->part : scope->facts->lesson->parts;
}

static const struct judge_run *judged_run(const struct judge_scope *scope)
{
    return scope->run ? scope->run : judge_speed_run(scope->facts, scope->part);
}

// The run that counters are taken from; NULL when it did not end well.
static const struct judge_run *counted_run(const struct judge_scope *scope)
{
    const struct judge_run *run = judged_run(scope);
    return finished(run) && run->record ? run : NULL;
}

const struct judge_run *judge_first_run(const struct judge_facts *facts, bool stopped)
{
    for (size_t i = 0; i < facts->run_count; i++) {
        const struct judge_run *run = &facts->runs[i];
        if (run->result->ran && !run->result->not_awaited &&
            (stopped ? run->result->status != STATUS_OK : run->result->status == STATUS_OK && !run->result->correct))
            return run;
    }
    return NULL;
}

static bool is_wider_elsewhere(const struct judge_scope *scope, const struct hazard *hazard)
{
    bool found = false;
    for (size_t i = 0; i < scope->facts->run_count && !found; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        for (size_t j = 0; judge_in_part(scope, run) && j < run->result->hazards.count && !found; j++)
            found = hazard_is_narrower(hazard, &run->result->hazards.items[j]);
    }
    return found;
}

const struct hazard *judge_first_hazard(const struct judge_scope *scope, size_t *count)
{
    const struct judge_facts *facts = scope->facts;
    const struct hazard *first = NULL;
    *count = 0;
    for (size_t i = 0; i < facts->run_count; i++)
        for (size_t j = 0; judge_in_part(scope, &facts->runs[i]) && j < facts->runs[i].result->hazards.count; j++) {
            const struct hazard *hazard = &facts->runs[i].result->hazards.items[j];
            if (hazard->benign || is_wider_elsewhere(scope, hazard))
                continue;
            bool is_new = true; // the same pair of lines at another size is the same mistake
            for (size_t k = 0; k < i && is_new; k++)
                for (size_t l = 0; l < facts->runs[k].result->hazards.count && is_new; l++) {
                    const struct hazard *other = &facts->runs[k].result->hazards.items[l];
                    is_new = other->benign || other->kind != hazard->kind || other->line != hazard->line ||
                             other->other_line != hazard->other_line;
                }
            *count += is_new;
            first = first ? first : hazard;
        }
    return first;
}

// ---- what is observed

static void observe_mismatch(struct observation *observed, const struct grade_mismatch *mismatch)
{
    double total = mismatch->total ? (double)mismatch->total : 1, wrong = mismatch->wrong ? (double)mismatch->wrong : 1;
    observed->wrong = fmax(observed->wrong, (double)mismatch->wrong);
    observed->wrong_fraction = fmax(observed->wrong_fraction, (double)mismatch->wrong / total);
    observed->unwritten_fraction = fmax(observed->unwritten_fraction, (double)mismatch->unwritten / total);
    observed->nan_count = fmax(observed->nan_count, (double)mismatch->nan);
    observed->zero_fraction = fmax(observed->zero_fraction, (double)mismatch->zero / wrong);
    observed->large_fraction = fmax(observed->large_fraction, (double)mismatch->large / wrong);
    observed->beyond_fraction = fmax(observed->beyond_fraction, (double)mismatch->beyond / wrong);
    if (mismatch->wrong)
        observed->near_fraction = fmin(observed->near_fraction, (double)mismatch->near / wrong);
}

static void observe_runs(const struct judge_scope *scope, struct observation *observed)
{
    size_t all = 0, right = 0, ended_well = 0, partial = 0;
    for (int kind = 0; kind < PASSAGE_KINDS; kind++)
        observed->through[kind] = INFINITY;
    for (size_t i = 0; i < scope->facts->run_count; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        const struct grade_size *result = run->result;
        if (!in_scope(scope, run))
            continue;
        enum ending ending = ending_of(result->status, result->fault);
        observed->endings |= ending < ENDINGS ? 1u << ending : 0;
        observed->out_of_shared |= ending == ENDING_BOUNDS && result->at_shared;
        observed->surplus_bytes |= ending == ENDING_TIMEOUT && result->fault == SIM_FAULT_SURPLUS;
        observed->stored_out_of_bounds |= ending == ENDING_BOUNDS && result->at_store && !result->at_shared;
        for (size_t j = 0; j < result->hazards.count; j++) {
            const struct hazard *hazard = &result->hazards.items[j];
            observed->hazards[hazard->kind] += !hazard->benign;
            observed->racing_updates += !hazard->benign && hazard->is_update;
        }
        all++;
        if (!finished(run))
            continue;
        ended_well++;
        right += result->correct;
        for (int kind = 0; kind < PASSAGE_KINDS; kind++)
            if (!(observed->through[kind] <= result->through[kind])) // NaN stays
                observed->through[kind] = isnan(observed->through[kind]) ? NAN : result->through[kind];
        partial += !result->correct && result->mismatch.partial_only;
        observe_mismatch(observed, &result->mismatch);
    }
    for (int kind = 0; kind < PASSAGE_KINDS; kind++)
        observed->through[kind] = all > 0 && ended_well == all ? observed->through[kind] : NAN;
    observed->finished = all > 0 && ended_well == all;
    observed->correct = all > 0 && right == all;
    observed->partial_only = partial > 0 && partial == ended_well - right;
}

static double metric_value(const struct judge_run *run, const char *metric)
{
    bool is_wanted = metric && (run->measured.kernel > 0 || run->copy_bytes > 0);
    return is_wanted ? lesson_value(run->size, true, metric) : NAN; // timed at the GPU's size
}

static double share_at_once(const struct probed *probed)
{
    double read = (double)SECTOR_BYTES * (double)counters_global_read(&probed->compiled).sectors;
    return read > 0 ? (double)probed->waits.at_once / read : 0;
}

static double share_of_blocks(const struct sim_result *run)
{
    return run->blocks && run->longest ? (double)run->work / (double)run->blocks / (double)run->longest : NAN;
}

static struct observation observe(const struct judge_scope *scope)
{
    struct observation observed = {.near_fraction = NAN, .block_balance = NAN, .bytes = NAN, .flop = NAN};
    const struct lesson *lesson = scope->facts->lesson;
    const struct judge_run *run = judged_run(scope);
    observe_runs(scope, &observed);
    if (!run)
        return observed;
    if (finished(run) && run->record) {
        observed.counters = &run->record->counters;
        observed.recording = &run->record->recording;
        observed.block_balance = share_of_blocks(&run->record->run);
    }
    observed.launch = run->result->launch;
    if (scope->at_modelled) {
        observed.counters = scope->at_modelled;
        observed.launch = run->record->probed.shape;
        const struct copy_waits *waits = &run->record->probed.waits;
        const struct glance_tally *through = run->record->probed.through;
        for (int kind = 0; kind < PASSAGE_KINDS; kind++)
            if (through[kind].written)
                observed.through[kind] = (double)through[kind].same / (double)through[kind].written;
        if (through[PASSAGE_SHARED].written)
            observed.through[PASSAGE_TILES] = fmin(observed.through[PASSAGE_TILES], observed.through[PASSAGE_SHARED]);
        observed.copies_at_once = share_at_once(&run->record->probed);
        observed.barriers_per_arrival = waits->arrivals ? (double)waits->barriers / (double)waits->arrivals : 0;
        observed.balance = &run->record->probed.balance;
    }
    observed.modelled = run->modelled;
    observed.measured = run->measured;
    observed.ratios = run->ratios;
    observed.bytes = metric_value(run, lesson->metric_bytes);
    observed.flop = metric_value(run, lesson->metric_flop);
    observed.copy_bytes = run->copy_bytes;
    return observed;
}

// ---- names and calls

static enum status plain_value(const struct judge_scope *scope, const char *name, double *value,
                               struct diagnostic *diagnostic)
{
    const struct judge_run *run = judged_run(scope);
    const struct lesson_part *part = judged_part(scope);
    const struct lesson_size *size = run ? run->size : &part->sizes[part->speed_size];
    struct observation observed = observe(scope);
    bool is_modelled = scope->at_modelled != NULL;
    size = is_modelled ? run->modelled_size : size;
    if (facts_value(&observed, name, value) ||
        lesson_size_variable(size, is_modelled || (run && run->data && run->data->gpu), name, value))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_PARSE, "unknown name \"%.60s\".", name);
}

double judge_fact(const struct judge_scope *scope, const char *name)
{
    double value = NAN;
    struct observation observed = observe(scope);
    facts_value(&observed, name, &value);
    return value;
}

static enum status size_value(const struct judge_scope *scope, const struct expression_reference *reference,
                              double *value, struct diagnostic *diagnostic)
{
    const struct lesson_part *part = judged_part(scope);
    *value = NAN;
    for (size_t i = 0; reference->field && reference->argument_count == 1 && i < scope->facts->run_count; i++) {
        const struct judge_run *run = &scope->facts->runs[i];
        if (run->part != part || !reference->arguments[0].text ||
            strcmp(run->size->name, reference->arguments[0].text) != 0)
            continue;
        bool is_modelled = run == judge_speed_run(scope->facts, part);
        struct judge_scope inner = {scope->facts, part, run, is_modelled ? scope->at_modelled : NULL};
        return plain_value(&inner, reference->field, value, diagnostic);
    }
    return STATUS_OK;
}

// The lines of the source that carry the comment "// @NAME", at most `most`; returns how many.
static size_t marked_lines(const char *source, const char *name, uint32_t *lines, size_t most)
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
        return marked_lines(scope->facts->source, place->text, lines, MAX_MARKED);
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
        double value = 0;
        facts_of_line(line, reference->field, &value);
        sum = strcmp(reference->field, "bytes") == 0 ? fmax(sum, value) : sum + value;
        found++;
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

static double labelled(const struct expression_reference *reference, const char *label, double otherwise)
{
    for (size_t i = 1; i < reference->argument_count; i++)
        if (reference->arguments[i].label && strcmp(reference->arguments[i].label, label) == 0)
            return reference->arguments[i].number;
    return otherwise;
}

static double access_value(const struct judge_scope *scope, const struct expression_reference *reference)
{
    const struct recorded_access *access =
        find_access(scope, reference, labelled(reference, "instance", 0), labelled(reference, "warp", 0));
    double value = NAN;
    if (access)
        facts_of_lane(access, labelled(reference, "lane", NAN), reference->name, &value);
    return value;
}

// What remains after a race is luck, and no output.
static double output_value(const struct judge_scope *scope, const struct expression_reference *reference)
{
    const struct judge_run *run = judged_run(scope);
    if (!finished(run) || !run->data || reference->argument_count != 2 || !reference->arguments[0].text)
        return NAN;
    for (size_t i = 0; i < run->result->hazards.count; i++)
        if (!run->result->hazards.items[i].benign)
            return NAN;
    double index = reference->arguments[1].number;
    for (size_t i = 0; i < run->data->count; i++)
        if (strcmp(run->data->args[i].name, reference->arguments[0].text) == 0 && index >= 0 &&
            index < (double)run->data->args[i].count)
            return dataset_unwritten(&run->data->args[i], (size_t)index)
                       ? NAN
                       : dataset_element(&run->data->args[i], (size_t)index);
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

// ---- which access a name means

static bool is_lane_fact(const char *name)
{
    const struct fact_names lanes = facts_lane_names();
    for (size_t i = 0; i < lanes.count; i++)
        if (strcmp(lanes.items[i].name, name) == 0)
            return true;
    return false;
}

// "shared_load_wavefronts" is of the loads of shared memory, and of wavefronts; "shared_wavefronts" of all that happens
// there; NULL: not of this line's kind.
static const char *fact_of_kind(const struct counter_line *line, const char *name)
{
    static const char *const of_all[] = {"shared_wavefronts", "shared_conflicts"};
    const char *space = line->space == PTX_SHARED ? "shared" : "global";
    char kind[48];
    int length = snprintf(kind, sizeof kind, "%s_%s_", space, line->op);
    if (strncmp(name, kind, (size_t)length) == 0)
        return name + length;
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        if (strcmp(name, of_all[i]) == 0 && line->space == PTX_SHARED)
            return name + strlen("shared_");
    return NULL;
}

// What a name counts on a line; 0 where it counts nothing there.
static double count_there(const struct counter_line *line, const struct expression_reference *reference)
{
    const char *fact = reference->is_call ? reference->field : fact_of_kind(line, reference->name);
    double value = 0;
    return fact && facts_of_line(line, fact, &value) && value > 0 ? value : 0;
}

// The same, of all accesses of the source's line: an unrolled loop has many.
static double count_of_line(const struct counter_table *counters, const struct counter_line *line,
                            const struct expression_reference *reference)
{
    double sum = 0;
    for (size_t i = 0; i < counters->count; i++)
        if (counters->lines[i].line == line->line && counters->lines[i].file == line->file)
            sum += count_there(&counters->lines[i], reference);
    return sum;
}

// Of several lines that a name adds up, the one with most of it.
static void place_at_line(const struct judge_scope *scope, const struct expression_reference *reference,
                          struct judge_place *place)
{
    uint32_t marked[MAX_MARKED];
    const struct judge_run *run = counted_run(scope);
    size_t count = reference->is_call ? place_lines(scope, reference, marked) : 0;
    double most = 0, most_here = 0;
    for (size_t i = 0; run && i < run->record->counters.count; i++) {
        const struct counter_line *line = &run->record->counters.lines[i];
        double here = count_there(line, reference),
               value = here > 0 ? count_of_line(&run->record->counters, line, reference) : 0;
        bool is_asked = !reference->is_call || on_lines(line, scope->facts, marked, count);
        if (!is_asked || !(value > most || (here > most_here && value >= most)))
            continue;
        most = value;
        most_here = here;
        *place = (struct judge_place){.space = line->space, .pc = line->pc};
        snprintf(place->fact, sizeof place->fact, "%s",
                 reference->is_call ? reference->field : fact_of_kind(line, reference->name));
    }
}

// What is of no access by itself, or of one that did not run, has the picture of another of its memory: its array, its
// barriers, or what runs instead.
static void place_beside(const struct judge_scope *scope, const struct expression_reference *reference,
                         struct judge_place *place)
{
    static const struct {
        const char *start;
        enum ptx_space space;
        bool is_name; // all of it, not only its beginning
    } names[] = {{"barriers", PTX_SHARED, true},
                 {"shared_bytes", PTX_SHARED, true},
                 {"shared_", PTX_SHARED, false},
                 {"global_", PTX_GLOBAL, false}};
    const struct judge_run *run = counted_run(scope);
    size_t row = 0, rows = sizeof names / sizeof *names;
    while (row < rows && strncmp(reference->name, names[row].start, strlen(names[row].start)) != 0)
        row++;
    if (!run || row == rows || reference->is_call)
        return;
    const struct counter_table *counters = &run->record->counters;
    const char *fact = strrchr(reference->name, '_');
    for (size_t i = 0; i < counters->count && !*place->fact; i++) {
        if (counters->lines[i].space != names[row].space)
            continue;
        *place = (struct judge_place){.space = names[row].space, .pc = counters->lines[i].pc};
        snprintf(place->fact, sizeof place->fact, "%s", names[row].is_name ? reference->name : fact + 1);
    }
}

void judge_find_place(const struct judge_scope *scope, const struct expression_reference *reference,
                      struct judge_place *place)
{
    if (*place->fact)
        return;
    if (!reference->is_call || strcmp(reference->name, "line") == 0) {
        place_at_line(scope, reference, place);
        if (!*place->fact)
            place_beside(scope, reference, place);
        return;
    }
    double lane = labelled(reference, "lane", 0), warp = labelled(reference, "warp", 0);
    const struct recorded_access *access =
        is_lane_fact(reference->name) ? find_access(scope, reference, 0, warp) : NULL;
    if (!access || !(lane >= 0 && lane < (double)SIM_LANES))
        return;
    *place =
        (struct judge_place){.space = access->space, .pc = access->pc, .warp = access->warp, .lane = (uint32_t)lane};
    snprintf(place->fact, sizeof place->fact, "%s", reference->name);
}

// ---- the lookup

enum status judge_lookup(void *context, const struct expression_reference *reference, double *value,
                         struct diagnostic *diagnostic)
{
    const struct judge_scope *scope = context;
    if (!reference->is_call)
        return plain_value(scope, reference->name, value, diagnostic);
    if (strcmp(reference->name, "size") == 0)
        return size_value(scope, reference, value, diagnostic);
    if (strcmp(reference->name, "line") == 0 && reference->field)
        *value = line_value(scope, reference);
    else if (is_lane_fact(reference->name))
        *value = access_value(scope, reference);
    else if (strcmp(reference->name, "output") == 0)
        *value = output_value(scope, reference);
    else if (strcmp(reference->name, "quiz") == 0)
        *value = quiz_value(scope, reference);
    else
        return diagnostic_set(diagnostic, STATUS_PARSE, "unknown function \"%.60s\".", reference->name);
    return STATUS_OK;
}
