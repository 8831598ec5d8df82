// From what the runs gave to gates, diagnosis, score and verdict. The values of names are in facts.c.
#include "grade/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "grade/diagnose.h"

// ---- conditions

// NaN and errors are false.
static bool condition_holds(const struct judge_scope *scope, const char *condition, expression_lookup *lookup)
{
    double value;
    return expression_value(condition, lookup, (void *)scope, &value, NULL) == STATUS_OK && (value < 0 || value > 0);
}

static bool is_variable(const struct judge_scope *scope, const struct expression_reference *reference)
{
    const struct lesson_part *part = scope->part ? scope->part : scope->facts->lesson->parts;
    double ignored;
    return !reference->is_call && lesson_size_variable(part->sizes, false, reference->name, &ignored);
}

// The values that a condition's names had: "shared_load_conflicts 992, shared_bytes 4096".
struct got {
    const struct judge_scope *scope;
    bool is_guess; // of an output that is compared with a quiz answer
    char *text;
    size_t size, used;
};

// Speeds, as people say them; %s: what naive.cu is.
static const struct {
    const char *name, *asked, *got;
    double scale;
} speeds[] = {
    {"modelled_vs_naive", "modelled at least %g times as fast as %s", "%.3g times as fast as %s", 1},
    {"modelled_vs_solution", "at least %g %% of the solution's modelled speed", "%.3g %% of the solution's speed", 100},
    {"measured_vs_naive", "at least %g times as fast as %s", "%.3g times as fast as %s", 1},
    {"measured_vs_solution", "at least %g %% of the solution's speed", "%.3g %% of the solution's speed", 100},
    {"copy_percent", "at least %g %% of a device copy's bandwidth", "%.3g %% of a device copy's bandwidth", 1},
};

// False: it is none of them.
static bool print_speed(const struct judge_scope *scope, const char *name, double value, bool is_asked,
                        struct text *out)
{
    const char *naive = scope->facts->lesson->naive_is;
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (strcmp(speeds[i].name, name) == 0 && !isnan(value)) {
            text_printf(out, is_asked ? speeds[i].asked : speeds[i].got, value * speeds[i].scale,
                        naive ? naive : "the naive kernel");
            return true;
        }
    return false;
}

// "shared_bytes" as "shared bytes"
static void print_name(const char *name, struct text *out)
{
    for (; *name; name++)
        text_printf(out, "%c", *name == '_' ? ' ' : *name);
}

// "size(odd).wrong 3", "bank(read) not known"
static void print_value(const struct judge_scope *scope, const struct expression_reference *reference, bool is_guess,
                        double value, struct text *out)
{
    const struct expression_argument *first = reference->arguments;
    if (!reference->is_call && print_speed(scope, reference->name, value, false, out))
        return;
    if (is_guess && reference->is_call && isnan(value)) {
        text_puts(out, "no answer");
        return;
    }
    print_name(is_guess ? "you said" : reference->name, out);
    if (reference->is_call && !is_guess) {
        text_puts(out, "(");
        if (reference->argument_count && first->text)
            text_printf(out, "%.60s", first->text);
        else if (reference->argument_count)
            text_printf(out, "%g", first->number);
        text_puts(out, reference->field ? ")." : ")");
        print_name(reference->field ? reference->field : "", out);
    }
    if (isnan(value))
        text_puts(out, " not known");
    else
        text_printf(out, value == floor(value) && fabs(value) < 1e15 ? " %.0f" : " %.4g", value);
}

static enum status note_value(void *context, const struct expression_reference *reference, double *value,
                              struct diagnostic *diagnostic)
{
    struct got *got = context;
    struct text piece = {0};
    enum status status = judge_lookup((void *)got->scope, reference, value, diagnostic);
    bool is_answer = reference->is_call && strcmp(reference->name, "quiz") == 0; // not ours to give away
    if (status || is_answer || is_variable(got->scope, reference))
        return status;
    print_value(got->scope, reference, got->is_guess && reference->is_call, *value, &piece);
    if (!strstr(got->text, text_get(&piece)) && got->used + piece.length + 3 <= got->size)
        got->used += (size_t)snprintf(got->text + got->used, got->size - got->used, "%s%s", got->used ? ", " : "",
                                      text_get(&piece));
    text_free(&piece);
    return STATUS_OK;
}

// Where a condition's next && stands that is in no parentheses; its end if there is none, or a || that binds less.
static const char *end_of_demand(const char *condition)
{
    int depth = 0;
    const char *end = NULL;
    for (const char *at = condition; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && strncmp(at, "||", 2) == 0)
            return at + strlen(at);
        if (depth == 0 && !end && strncmp(at, "&&", 2) == 0)
            end = at;
    }
    return end ? end : condition + strlen(condition);
}

static void note_values(struct got *got, const char *condition)
{
    expression_check(condition, note_value, got, NULL);
}

// Of what is demanded, joined by &&, that which does not hold; of all of it, where all holds.
static void describe_values(const struct judge_scope *scope, const char *condition, char *text, size_t size)
{
    struct got got = {scope, strstr(condition, "quiz(") != NULL, text, size, 0};
    bool holds = condition_holds(scope, condition, judge_lookup);
    text[0] = '\0';
    if (holds)
        note_values(&got, condition);
    for (const char *at = condition, *end; *at && !holds; at = *end ? end + 2 : end) {
        struct text demand = {0};
        end = end_of_demand(at);
        text_append(&demand, at, (size_t)(end - at));
        if (!condition_holds(scope, text_get(&demand), judge_lookup))
            note_values(&got, text_get(&demand));
        text_free(&demand);
    }
}

// Sizes' variables only: what such an expression comes to is known before any run.
static enum status look_size(void *context, const struct expression_reference *reference, double *value,
                             struct diagnostic *diagnostic)
{
    return is_variable(context, reference) ? judge_lookup(context, reference, value, diagnostic) : STATUS_UNSUPPORTED;
}

// Columns of text up to the end of the sum that starts there: a logical operator or a bracket that closes another one.
static size_t sum_length(const char *text)
{
    int depth = 0;
    size_t length = 0;
    for (; text[length]; length++) {
        depth += (text[length] == '(') - (text[length] == ')');
        if (depth < 0 || (depth == 0 && strchr("&|", text[length])))
            break;
    }
    while (length && text[length - 1] == ' ')
        length--;
    return length;
}

// The condition, with the value of each bound that depends on the size: "sectors <= 34406 (1.05 * n / 8)".
static void describe_asked(const struct judge_scope *scope, const char *condition, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    while (*condition && used + 1 < size) {
        size_t head = strcspn(condition, "<>=!"), length;
        char bound[160];
        double value;
        head += strspn(condition + head, "<>= !");
        used += (size_t)snprintf(text + used, size - used, "%.*s", (int)head, condition);
        condition += head;
        length = sum_length(condition);
        snprintf(bound, sizeof bound, "%.*s", (int)length, condition);
        bool is_number = length == strspn(bound, "0123456789.");
        if (is_number || length >= sizeof bound || used >= size ||
            expression_value(bound, look_size, (void *)scope, &value, NULL) || isnan(value))
            continue;
        used += (size_t)snprintf(text + used, size - used, "%.9g (%s)", value, bound);
        condition += length;
    }
}

// ---- a condition in words: bounds, joined by && and ||

struct wording {
    const struct judge_scope *scope;
    struct text text;
};

// Where the operator (two characters) stands outside brackets; NULL: nowhere.
static const char *find_operator(const char *text, const char *end, const char *operator)
{
    int depth = 0;
    for (; text + 1 < end; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && text[0] == operator[0] && text[1] == operator[1])
            return text;
    }
    return NULL;
}

static void trim(const char **text, const char **end)
{
    while (*text < *end && **text == ' ')
        ++*text;
    while (*end > *text && (*end)[-1] == ' ')
        --*end;
}

static bool is_bracketed(const char *text, const char *end)
{
    int depth = 0;
    for (const char *at = text; at < end; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at > text && at + 1 == end;
    }
    return false;
}

// "shared_wavefronts * 32 <= 0.55 * m * n * k" as "at most 36045 shared wavefronts"; false: not of that shape.
static bool say_bound(struct wording *words, const char *text, const char *end)
{
    char name[64], left[64], bound[160];
    double value, factor = 1;
    const char *most = find_operator(text, end, "<="), *least = find_operator(text, end, ">="),
               *at = most ? most : least;
    if (!at || (most && least))
        return false;
    snprintf(left, sizeof left, "%.*s", (int)(at - text), text);
    snprintf(bound, sizeof bound, "%.*s", (int)(end - at - 2), at + 2);
    int found = sscanf(left, " %63[a-z0-9_] * %lf", name, &factor);
    size_t plain = strspn(left, " ") + strlen(name) + strspn(left + strspn(left, " ") + strlen(name), " ");
    if (found < 1 || (found == 1 && left[plain]) || !(factor > 0) ||
        expression_value(bound, look_size, (void *)words->scope, &value, NULL) || isnan(value))
        return false;
    if (least && print_speed(words->scope, name, value / factor, true, &words->text))
        return true;
    double number = value / factor, whole = most ? floor(number) : ceil(number);
    bool is_share = number > 0 && number < 1;
    text_printf(&words->text, is_share ? "%s %.3g " : "%s %.0f ", most ? "at most" : "at least",
                is_share ? number : whole);
    print_name(name, &words->text);
    return true;
}

static bool say_condition(struct wording *words, const char *text, const char *end, bool is_part)
{
    static const char *const operators[] = {"||", "&&"};
    trim(&text, &end);
    while (is_bracketed(text, end))
        text++, end--, trim(&text, &end);
    for (int i = 0; i < 2; i++) {
        const char *at = find_operator(text, end, operators[i]);
        if (!at)
            continue;
        if (i == 0 && is_part)
            text_puts(&words->text, "either ");
        if (!say_condition(words, text, at, true))
            return false;
        bool is_last = !find_operator(at + 2, end, operators[i]);
        text_puts(&words->text, i == 0 ? is_part ? " or " : ", or " : is_last ? ", and " : ", ");
        return say_condition(words, at + 2, end, i == 1);
    }
    return say_bound(words, text, end);
}

static void describe_in_words(const struct judge_scope *scope, const char *condition, char *text, size_t size)
{
    struct wording words = {.scope = scope};
    bool is_said = say_condition(&words, condition, condition + strlen(condition), false);
    snprintf(text, size, "%s", is_said && words.text.length < size ? text_get(&words.text) : "");
    text_free(&words.text);
}

// ---- gates

static void judge_correct(const struct judge_scope *scope, const struct lesson_gate *gate, struct grade_gate *result)
{
    const struct judge_facts *facts = scope->facts;
    (void)gate;
    size_t right = 0, all = 0;
    const struct judge_run *first = NULL;
    for (size_t i = 0; i < facts->run_count; i++) {
        const struct judge_run *run = &facts->runs[i];
        if (!judge_in_part(scope, run))
            continue;
        bool is_right = run->result->ran && run->result->status == STATUS_OK && run->result->correct;
        all++;
        right += is_right;
        if (!is_right && !first)
            first = run;
    }
    result->passed = all > 0 && right == all;
    snprintf(result->asked, sizeof result->asked, "the right result in %zu of %zu sizes", all, all);
    if (first)
        snprintf(result->got, sizeof result->got, "%zu of %zu, first %s at %.40s (%.40s)", right, all,
                 first->result->status && !first->result->mismatch.wrong ? "stopped" : "wrong", first->result->name,
                 first->result->shape);
    else
        snprintf(result->got, sizeof result->got, "%zu of %zu", right, all);
}

static void judge_hazards(const struct judge_scope *scope, const struct lesson_gate *gate, struct grade_gate *result)
{
    (void)gate;
    size_t count;
    const struct hazard *hazard = judge_first_hazard(scope, &count);
    snprintf(result->asked, sizeof result->asked, "no hazard");
    result->passed = scope->facts->run_count > 0 && !hazard;
    if (!hazard)
        snprintf(result->got, sizeof result->got, scope->facts->run_count ? "none" : "nothing ran");
    else if (hazard->other_line && hazard->other_line != hazard->line)
        snprintf(result->got, sizeof result->got, "%zu, first: %s, lines %u and %u", count, hazard_name(hazard->kind),
                 hazard->line, hazard->other_line);
    else
        snprintf(result->got, sizeof result->got, "%zu, first: %s, line %u", count, hazard_name(hazard->kind),
                 hazard->line);
    if (hazard)
        result->message = hazard->message;
}

static void judge_require(const struct judge_scope *scope, const struct lesson_gate *gate, struct grade_gate *result)
{
    describe_asked(scope, gate->when, result->asked, sizeof result->asked);
    describe_values(scope, gate->when, result->got, sizeof result->got);
    result->passed = condition_holds(scope, gate->when, judge_lookup);
    if (result->passed && gate->full)
        result->full = condition_holds(scope, gate->full, judge_lookup);
    result->message = !result->passed ? gate->message : result->full ? NULL : gate->next ? gate->next : gate->message;
    if (!result->passed && strstr(result->got, "not known") && !(judge_fact(scope, "correct") > 0))
        result->message = "This is looked at as soon as the results are right.";
}

// As if the speeds that are not known were the best there can be: what was not predicted or measured fails nobody, and
// excuses nothing else.
static enum status look_kindly(void *context, const struct expression_reference *reference, double *value,
                               struct diagnostic *diagnostic)
{
    enum status status = judge_lookup(context, reference, value, diagnostic);
    if (status == STATUS_OK && isnan(*value) && facts_timed(reference->name))
        *value = text_ends(reference->name, "_us") ? 0 : (double)INFINITY;
    return status;
}

// What a speed condition asks for, its values, and where they come from.
static void describe_speed(const struct judge_scope *scope, const char *condition, struct grade_gate *result)
{
    const struct judge_run *run = judge_speed_run(scope->facts, scope->part);
    describe_asked(scope, condition, result->asked, sizeof result->asked);
    describe_in_words(scope, condition, result->words, sizeof result->words);
    describe_values(scope, condition, result->got, sizeof result->got);
    size_t used = strlen(result->got);
    if (strstr(condition, "modelled_") && run && run->modelled.kernel > 0 && run->record)
        snprintf(result->got + used, sizeof result->got - used, "; modelled (%s)", run->record->model_gpu);
}

static void judge_speed(const struct judge_scope *scope, const struct lesson_gate *gate, struct grade_gate *result)
{
    bool has_gpu = scope->facts->has_gpu;
    const char *condition = has_gpu ? gate->gpu : gate->sim, *full = has_gpu ? gate->full : gate->sim_full;
    if (!condition) {
        result->skipped = true;
        snprintf(result->got, sizeof result->got, "judged on %s only", has_gpu ? "the simulator" : "a GPU");
        return;
    }
    describe_speed(scope, condition, result);
    result->passed = condition_holds(scope, condition, judge_lookup);
    const struct judge_run *run = judge_speed_run(scope->facts, scope->part);
    bool is_theirs = !has_gpu && run && run->unmodelled[0]; // nobody is excused from what they brought about
    result->skipped = !result->passed && !is_theirs && condition_holds(scope, condition, look_kindly);
    if (is_theirs) {
        result->message = run->unmodelled;
        return;
    }
    if (result->skipped)
        return;
    if (result->passed && full) {
        result->full = condition_holds(scope, full, judge_lookup) || condition_holds(scope, full, look_kindly);
        if (!result->full)
            describe_speed(scope, full, result);
    }
    const char *tip = gate->next && (result->passed || !gate->message) ? gate->next : gate->message;
    result->message = result->passed && result->full ? NULL : tip;
}

static void judge_gate(const struct judge_facts *facts, const struct lesson_gate *gate, struct grade_gate *result)
{
    static void (*const judges[])(const struct judge_scope *, const struct lesson_gate *,
                                  struct grade_gate *) = {judge_correct, judge_hazards, judge_require, judge_speed};
    const struct judge_scope scope = judge_scope_of(facts, gate->part);
    *result = (struct grade_gate){.id = gate->id, .points = gate->points, .full = true, .message = gate->message};
    snprintf(result->words, sizeof result->words, "%s", gate->asks ? gate->asks : "");
    if (facts->run_count == 0) {
        snprintf(result->asked, sizeof result->asked, "%s", gate->when ? gate->when : gate->id);
        snprintf(result->got, sizeof result->got, "nothing ran");
        result->full = false;
        result->message = NULL; // of what a kernel did
        return;
    }
    judges[gate->kind](&scope, gate, result);
    result->full = result->full && result->passed;
}

// ---- the same, where the time is modelled

static enum status note_call(void *context, const struct expression_reference *reference, double *value,
                             struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(bool *)context |= reference->is_call && strcmp(reference->name, "size") != 0; // its own runs are exact
    *value = 1;
    return STATUS_OK;
}

// Whether the condition can be asked of numbers that are estimated from some blocks: it bounds them, or asks for none
// at all; and it names no line, lane or output, which were recorded at another size.
static bool bears_estimates(const char *condition)
{
    bool calls = false, exact = false;
    expression_check(condition, note_call, &calls, NULL);
    for (const char *at = strpbrk(condition, "=!"); at; at = strpbrk(at + 1, "=!")) {
        bool is_bound = at > condition && strchr("<>", at[-1]);
        if (at[1] != '=' || is_bound)
            continue;
        at += 2 + strspn(at + 2, " ");
        exact |= *at != '0' || (at[1] && strchr("0123456789.*", at[1]));
    }
    return !calls && !exact;
}

// What all blocks do, from those that were counted: by their number, and by what they wrote. Blocks at an edge may cost
// less than others, or as much for fewer elements, so that neither is exact: what a condition demands is held against
// both, with a hundredth left to chance. scope->at_modelled is the guess that comes
// nearer to the first demand that is not met.
static bool holds_by_guess(struct judge_scope *scope, const struct probed *probed, const char *condition,
                           struct counter_table guesses[2], struct arena *arena)
{
    double by_blocks = (double)launch_blocks(&probed->shape) / (double)probed->blocks;
    double by_share = probed->share > 0 ? 1 / probed->share : by_blocks;
    double times[2] = {0.99 * fmin(by_blocks, by_share), 1.01 * fmax(by_blocks, by_share)};
    for (int i = 0; i < 2; i++) {
        counters_add(&guesses[i].compiled, &probed->compiled, times[i]);
        counters_add(&guesses[i].written, &probed->written, times[i]);
    }
    for (const char *at = condition, *end; *at; at = *end ? end + 2 : end) {
        end = end_of_demand(at);
        const char *demand = arena_printf(arena, "%.*s", (int)(end - at), at);
        bool holds = false;
        for (int i = 0; i < 2 && !holds; i++) {
            scope->at_modelled = &guesses[i];
            holds = condition_holds(scope, demand, judge_lookup);
        }
        scope->at_modelled = &guesses[strchr(demand, '>') && !strchr(demand, '<')];
        if (!holds)
            return false;
    }
    return true;
}

// What a gate asks for at the counted size, it asks for at the size that is modelled as well.
static void ask_again(const struct judge_facts *facts, const struct lesson_gate *gate, struct grade_gate *result,
                      struct arena *arena)
{
    struct judge_scope scope = judge_scope_of(facts, gate->part);
    const struct judge_run *run = judge_speed_run(facts, scope.part);
    const char *condition = gate->kind == LESSON_GATE_REQUIRE                    ? gate->when
                            : gate->kind == LESSON_GATE_SPEED && !facts->has_gpu ? gate->sim
                                                                                 : NULL;
    bool was_probed = run && run->record && run->modelled_size && run->record->probed.blocks > 0;
    if (!condition || !was_probed || !result->passed || result->skipped || !bears_estimates(condition))
        return;
    const struct probed *probed = &run->record->probed;
    struct counter_table guesses[2] = {0};
    if (holds_by_guess(&scope, probed, condition, guesses, arena))
        return;
    char got[sizeof result->got];
    result->passed = result->full = false;
    describe_values(&scope, condition, got, sizeof got);
    describe_asked(&scope, condition, result->asked, sizeof result->asked);
    snprintf(result->got, sizeof result->got, "about %.100s at %.40s", got, run->modelled_shape);
    result->message =
        arena_printf(arena, "%s%sIt holds at size %s (%s), but not at %s, the size whose time is modelled.",
                     gate->message ? gate->message : "", gate->message ? " " : "", run->result->name,
                     run->result->shape, run->modelled_shape);
}

static void say_unpaid(struct grade_gate *gate, const char *why)
{
    char got[sizeof gate->got - 48]; // behind it: why
    snprintf(got, sizeof got, "%.*s", (int)sizeof got - 1, gate->got);
    snprintf(gate->got, sizeof gate->got, "%s%s%s", got, got[0] ? "; " : "", why);
}

static void judge_gates(const struct judge_facts *facts, struct grade_report *report)
{
    const struct lesson *lesson = facts->lesson;
    double earned = 0, judged = 0;
    report->gates = arena_alloc(report->arena, (lesson->gate_count + 1) * sizeof *report->gates);
    report->gate_count = lesson->gate_count;
    report->full = true;
    for (size_t i = 0; i < lesson->gate_count; i++) {
        struct grade_gate *gate = &report->gates[i];
        judge_gate(facts, &lesson->gates[i], gate);
        ask_again(facts, &lesson->gates[i], gate, report->arena);
        if (gate->skipped)
            continue;
        judged += gate->points;
        // A kernel that does nothing has no conflict and no hazard either: points for how it works are given only when
        // every size of the gate's part is right.
        const struct judge_scope scope = judge_scope_of(facts, lesson->gates[i].part);
        if (gate->passed && condition_holds(&scope, "correct", judge_lookup))
            gate->earned = gate->full ? gate->points : gate->points / 2;
        else if (gate->passed)
            say_unpaid(gate, "holds, no points while results are wrong");
        earned += gate->earned;
        report->full = report->full && gate->full;
    }
    report->score = judged > 0 ? 100 * earned / judged : report->full ? 100 : 0;
}

// ---- verdict

static enum verdict judge_verdict(const struct judge_facts *facts, const struct grade_report *report)
{
    if (facts->stopped)
        return verdict_for(facts->stopped);
    const struct judge_run *run = judge_first_run(facts, true);
    if (run)
        return verdict_for(run->result->status);
    bool is_slow = false;
    for (size_t i = 0; i < report->gate_count; i++) {
        if (report->gates[i].passed || report->gates[i].skipped)
            continue;
        if (facts->lesson->gates[i].kind != LESSON_GATE_SPEED)
            return VERDICT_FAIL;
        is_slow = true;
    }
    if (is_slow)
        return facts->noisy ? VERDICT_TOO_NOISY : VERDICT_FAIL;
    return facts->run_count ? VERDICT_PASS : VERDICT_INFRASTRUCTURE;
}

// What is wrong with it is what the learner is to change, and stays the diagnosis. Who has changed the text has
// started.
static void note_starter(const struct judge_facts *facts, struct grade_report *report)
{
    char next[sizeof report->next];
    const char *which = facts->is_starter ? "This is still the starter."
                        : facts->is_alike
                            ? "This does what the starter does, so there are no points yet."
                            : "This compiles to what the starter compiles to, so there are no points yet.";
    if (facts->is_starter)
        report->verdict = VERDICT_NOT_STARTED;
    report->score = 0;
    for (size_t i = 0; i < report->gate_count; i++) {
        struct grade_gate *gate = &report->gates[i];
        if (gate->earned > 0)
            say_unpaid(gate, "holds in the starter already");
        gate->earned = 0;
    }
    memcpy(next, report->next, sizeof next);
    snprintf(report->next, sizeof report->next, "%.640s%s%s", next, *next ? " " : "", which);
}

void judge(const struct judge_facts *facts, struct grade_report *report)
{
    judge_gates(facts, report);
    report->verdict = judge_verdict(facts, report);
    report->diagnosis[0] = '\0';
    report->next[0] = '\0';
    if (report->verdict != VERDICT_PASS) {
        report->full = false;
        diagnose_failure(facts, report);
        bool is_start = facts->is_starter || facts->compiles_alike || facts->is_alike;
        if (is_start && report->verdict != VERDICT_INFRASTRUCTURE)
            note_starter(facts, report);
        return;
    }
    for (size_t i = 0; i < report->gate_count && !report->full; i++)
        if (!report->gates[i].skipped && !report->gates[i].full && report->gates[i].message) {
            snprintf(report->next, sizeof report->next, "%s", report->gates[i].message);
            break;
        }
}
