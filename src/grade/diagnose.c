// Why a run failed: the lesson's own reasons, what stopped it, what is unordered, what is wrong.
#include "grade/diagnose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "grade/alike.h"

// Of wrong elements that are nearly right.
#define ROUNDED_ON_THEIR_WAY                                                                                           \
    " They are off by less than a 64th: the steps are right, and numbers were rounded on their way. Half, "            \
    "bfloat16, tf32 and quick exponents keep 8 to 11 bits where a float keeps 24."

static void explain_mismatch(const struct grade_report *report, const struct judge_run *run, char *text, size_t size)
{
    const char *right_where = report->right_where;
    const struct grade_mismatch *mismatch = &run->result->mismatch;
    char got[32], expected[32], place[64];
    grade_number(mismatch->got, got);
    grade_number(mismatch->expected, expected);
    if (mismatch->rows > 1)
        snprintf(place, sizeof place, "[%llu][%llu]", (unsigned long long)mismatch->row,
                 (unsigned long long)mismatch->column);
    else
        snprintf(place, sizeof place, "[%llu]", (unsigned long long)mismatch->index);
    if (mismatch->unwritten == mismatch->total) {
        snprintf(text, size, "At size %s (%s) nothing was written to %s.", run->result->name, run->result->shape,
                 mismatch->argument);
        return;
    }
    snprintf(text, size,
             "At size %s (%s), %llu of %llu elements of %s are %s%s%s%s. The first: %s%s is %s, should be %s.%s%s%s%s",
             run->result->name, run->result->shape, (unsigned long long)mismatch->wrong,
             (unsigned long long)mismatch->total, mismatch->argument,
             mismatch->unwritten == mismatch->wrong ? "never written"
             : mismatch->unwritten                  ? "wrong, some never written"
                                                    : "wrong",
             grade_edge_only(report) ? ", all in tiles that the edge cuts" : "", mismatch->where[0] ? "; " : "",
             mismatch->where, mismatch->argument, place, mismatch->first_unwritten ? "unwritten" : got, expected,
             right_where[0] ? " It is right exactly where " : "", right_where, right_where[0] ? "." : "",
             (double)mismatch->near >= 0.99 * (double)mismatch->wrong ? ROUNDED_ON_THEIR_WAY : "");
}

static void diagnose(struct grade_report *report, const char *id, const char *message)
{
    snprintf(report->diagnosis, sizeof report->diagnosis, "%s", id);
    snprintf(report->next, sizeof report->next, "%.*s", (int)sizeof report->next - 1, message ? message : "");
}

static const struct judge_run *beside_run(const struct judge_facts *facts)
{
    for (size_t i = 0; i < facts->run_count; i++)
        if (facts->runs[i].result->is_beside)
            return &facts->runs[i];
    return NULL;
}

// ---- what the evidence asks of a diagnosis

// What facts a diagnosis goes by, or has to. Hazards and endings count that there were: `hazards == 0` and `!fault` say
// nothing of what happened.
struct grounds {
    uint64_t kinds; // of hazards, a bit for each
    bool endings, nearness, barriers;
};
_Static_assert(HAZARD_KIND_COUNT <= 64, "kinds");
enum { ALL_KINDS = -1 };

struct look {
    const struct judge_scope *scope;
    struct grounds noted;
};

// "hazard_missing_wait"
static uint64_t kinds_named(const char *fact)
{
    static const char prefix[] = "hazard_";
    if (strcmp(fact, "hazards") == 0 || strcmp(fact, "racing_updates") == 0)
        return (uint64_t)ALL_KINDS;
    for (int kind = 0; kind < HAZARD_KIND_COUNT && strncmp(fact, prefix, strlen(prefix)) == 0; kind++) {
        const char *name = hazard_name((enum hazard_kind)kind), *at = fact + strlen(prefix);
        while (*name && (*name == *at || (*name == '-' && *at == '_')))
            name++, at++;
        if (!*name && !*at)
            return UINT64_C(1) << kind;
    }
    return 0;
}

static enum status look_and_note(void *context, const struct expression_reference *reference, double *value,
                                 struct diagnostic *diagnostic)
{
    struct look *look = context;
    const char *fact = reference->field ? reference->field : reference->name;
    enum status status = judge_lookup((void *)look->scope, reference, value, diagnostic);
    bool is_seen = status == STATUS_OK && *value > 0;
    look->noted.kinds |= is_seen ? kinds_named(fact) : 0;
    look->noted.endings |= is_seen && facts_ended(fact);
    look->noted.barriers |= strstr(fact, "barrier") || strcmp(fact, "deadlock") == 0;
    look->noted.nearness |= strcmp(fact, "near_fraction") == 0;
    return status;
}

// Whether a run was stopped by something that says nothing of what it would have computed. (What leaves its array in
// global memory does: a missing guard is seen at the sizes that end well.)
static bool is_cut_short(const struct judge_facts *facts)
{
    const struct judge_run *run = judge_first_run(facts, true);
    enum ending ending = run ? ending_of(run->result->status, run->result->fault) : ENDINGS;
    return run && (ending != ENDING_BOUNDS || run->result->at_shared);
}

// Whether several threads store to one place of global memory, by one line: what is wrong says nothing then but that.
static bool is_stored_twice(const struct judge_facts *facts)
{
    for (size_t i = 0; i < facts->run_count; i++)
        for (size_t j = 0; j < facts->runs[i].result->hazards.count; j++) {
            const struct hazard *hazard = &facts->runs[i].result->hazards.items[j];
            bool is_of_global = hazard->kind == HAZARD_GLOBAL_RACE || hazard->kind == HAZARD_BLOCK_RACE;
            if (is_of_global && !hazard->benign && !hazard->is_update && hazard->pc == hazard->other_pc)
                return true;
        }
    return false;
}

// A barrier that some threads never come to, which leaves all that follows unordered; NULL: there is none.
static const struct hazard *torn_barrier(const struct judge_facts *facts)
{
    for (size_t i = 0; i < facts->run_count; i++)
        for (size_t j = 0; j < facts->runs[i].result->hazards.count; j++) {
            const struct hazard *hazard = &facts->runs[i].result->hazards.items[j];
            if (!hazard->benign && (hazard->kind == HAZARD_BARRIER_UNEVEN || hazard->kind == HAZARD_BARRIER_DIVERGED))
                return hazard;
        }
    return NULL;
}

// Of the hazards there are, those that say what is wrong all by themselves: which line, which mask, which bytes.
static uint64_t precise_kinds(const struct judge_facts *facts)
{
    static const uint64_t precise = UINT64_C(1) << HAZARD_BYTES_LATE | UINT64_C(1) << HAZARD_NO_MBARRIER |
                                    UINT64_C(1) << HAZARD_MADE_TWICE | UINT64_C(1) << HAZARD_ARRIVES_TWICE |
                                    UINT64_C(1) << HAZARD_OTHER_ARRAY | UINT64_C(1) << HAZARD_SHARED_GAP |
                                    UINT64_C(1) << HAZARD_MEMBERMASK | UINT64_C(1) << HAZARD_SHUFFLE_INACTIVE |
                                    UINT64_C(1) << HAZARD_GROUP_LAYOUT | UINT64_C(1) << HAZARD_READ_ONLY;
    uint64_t kinds = 0;
    for (size_t i = 0; i < facts->run_count; i++)
        for (size_t j = 0; j < facts->runs[i].result->hazards.count; j++)
            if (!facts->runs[i].result->hazards.items[j].benign)
                kinds |= UINT64_C(1) << facts->runs[i].result->hazards.items[j].kind;
    return kinds & precise;
}

// Where all that is wrong is NaN, and there is no other hazard: that shared memory was read which nobody had filled, or
// no copy yet. 0: it is otherwise.
static uint64_t unfilled_kinds(const struct judge_facts *facts)
{
    static const uint64_t late = UINT64_C(1) << HAZARD_UNINITIALISED_SHARED | UINT64_C(1) << HAZARD_ASYNC_NOT_WAITED |
                                 UINT64_C(1) << HAZARD_ASYNC_NO_BARRIER;
    uint64_t kinds = 0;
    bool is_nan = true;
    for (size_t i = 0; i < facts->run_count; i++) {
        const struct grade_size *result = facts->runs[i].result;
        for (size_t j = 0; j < result->hazards.count; j++)
            if (!result->hazards.items[j].benign)
                kinds |= UINT64_C(1) << result->hazards.items[j].kind;
        is_nan &= result->mismatch.nan == result->mismatch.wrong;
    }
    return is_nan && !(kinds & ~late) && judge_first_run(facts, false) ? kinds : 0;
}

// Of a kernel that is right by luck, or whose threads store one over the other, a hazard is the news: "correct, but
// slow" is for those without one. So is a hazard that names what is wrong. Of one that was cut short, how it ended: no
// result is no wrong result. Of numbers that were rounded, that they were:
// whatever else their pattern fits, the steps are right.
static struct grounds grounds_wanted(const struct judge_facts *facts, bool is_rounded)
{
    const struct judge_scope all = {.facts = facts};
    size_t count;
    bool is_lucky = judge_first_hazard(&all, &count) && !judge_first_run(facts, false);
    bool is_hazard = !judge_first_run(facts, true) && (is_lucky || is_stored_twice(facts));
    uint64_t precise = precise_kinds(facts) | unfilled_kinds(facts);
    return (struct grounds){.kinds = precise     ? precise
                                     : is_hazard ? (uint64_t)ALL_KINDS
                                                 : 0,
                            .endings = is_cut_short(facts),
                            .nearness = is_rounded,
                            .barriers = torn_barrier(facts) != NULL};
}

static bool suffices(const struct grounds *noted, const struct grounds *wanted, bool is_stopped)
{
    return (!wanted->kinds || noted->kinds & wanted->kinds || (noted->endings && is_stopped)) &&
           (!wanted->barriers || noted->barriers) && (!wanted->endings || noted->kinds || noted->endings) &&
           (!wanted->nearness || noted->nearness);
}

// What stopped a run is said first, with its line, where the diagnosis goes by that.
static void diagnose_as(const struct judge_facts *facts, const struct lesson_diagnosis *diagnosis,
                        const struct grounds *noted, struct grade_report *report)
{
    const struct judge_run *stopped = noted->endings ? judge_first_run(facts, true) : NULL;
    struct text text = {0};
    if (stopped && stopped->result->diagnostic.message[0]) {
        text_puts(&text, stopped->result->diagnostic.message);
        text_puts(&text, text_ends(text_get(&text), ".") ? " " : ". ");
    }
    text_puts(&text, diagnosis->message ? diagnosis->message : "");
    diagnose(report, diagnosis->id, text_get(&text));
    text_free(&text);
}

static bool diagnose_by_lesson(const struct judge_facts *facts, bool is_rounded, struct grade_report *report)
{
    const struct grounds wanted = grounds_wanted(facts, is_rounded);
    bool is_stopped = judge_first_run(facts, true) != NULL;
    for (size_t i = 0; facts->run_count && i < facts->lesson->diagnosis_count; i++) {
        const struct lesson_diagnosis *diagnosis = &facts->lesson->diagnoses[i];
        const struct judge_scope scope = judge_scope_of(facts, diagnosis->part);
        struct look look = {.scope = &scope};
        double value;
        if (expression_value(diagnosis->when, look_and_note, &look, &value, NULL) == STATUS_OK &&
            (value < 0 || value > 0) && suffices(&look.noted, &wanted, is_stopped)) {
            diagnose_as(facts, diagnosis, &look.noted, report);
            return true;
        }
    }
    return false;
}

// ---- without a lesson's reason

// Whether the lesson would be content but for the time that cannot be modelled.
static bool fails_unmodelled(const struct judge_facts *facts, const struct grade_report *report)
{
    const struct judge_run *run = judge_speed_run(facts, NULL);
    bool fails = run && run->unmodelled[0] && !facts->has_gpu;
    for (size_t i = 0; i < report->gate_count; i++)
        fails &=
            report->gates[i].passed || report->gates[i].skipped || facts->lesson->gates[i].kind == LESSON_GATE_SPEED;
    return fails;
}

// Numbers that are all nearly right, and more of them than are so by chance.
static const struct judge_run *rounded_run(const struct judge_facts *facts)
{
    enum { LEAST = 8 };
    const struct judge_scope all = {.facts = facts};
    size_t hazards;
    uint64_t wrong = 0;
    if (judge_first_run(facts, true) || judge_first_hazard(&all, &hazards))
        return NULL;
    for (size_t i = 0; i < facts->run_count; i++) {
        const struct grade_mismatch *mismatch = &facts->runs[i].result->mismatch;
        if (mismatch->unwritten || (double)mismatch->near < 0.99 * (double)mismatch->wrong)
            return NULL;
        wrong += mismatch->wrong;
    }
    return wrong >= LEAST ? judge_first_run(facts, false) : NULL;
}

// NULL as well where a hazard is the reason: what comes too late is read as it was, and then as zeros.
static const struct judge_run *unset_run(const struct judge_facts *facts)
{
    const struct judge_run *run = NULL;
    for (size_t i = facts->run_count; i-- > 0;) {
        const struct hazard_list *hazards = &facts->runs[i].result->hazards;
        for (size_t j = 0; j < hazards->count; j++)
            if (!hazards->items[j].benign)
                return NULL;
        if (facts->runs[i].result->is_unset)
            run = &facts->runs[i];
    }
    return run;
}

static void explain_unset(const struct judge_run *run, char *message, size_t size)
{
    snprintf(
        message, size,
        "Line %u reads a variable that nothing was put into: a register holds what was there before. At size %.40s "
        "(%.40s) the result is right if all of these begin as 0. Begin sums with = 0, and arrays with = {}.",
        run->result->unset_line, run->result->name, run->result->shape);
}

// Names why a run failed: the lesson's own reasons first, then numbers rounded on their way, what stopped it, what is
// unordered, what is wrong, which gate is not met.
// At which sizes of its part the first wrong run's kernel is right.
static void note_right_where(const struct judge_facts *facts, struct grade_report *report)
{
    const struct judge_run *wrong = judge_first_run(facts, false);
    struct alike_size *tried = mem_alloc((facts->run_count + 1) * sizeof *tried);
    size_t count = 0;
    for (size_t i = 0; wrong && i < facts->run_count; i++) {
        const struct judge_run *run = &facts->runs[i];
        if (run->part == wrong->part && run->size && run->result->ran && !run->result->not_awaited)
            tried[count++] = (struct alike_size){run->size, run->result->status == STATUS_OK && run->result->correct};
    }
    report->right_where[0] = '\0';
    if (count)
        alike_sizes(tried, count, report->right_where, sizeof report->right_where);
    free(tried);
}

void diagnose_failure(const struct judge_facts *facts, struct grade_report *report)
{
    const struct judge_scope scope = {.facts = facts};
    char message[1024];
    size_t count;
    note_right_where(facts, report);
    if (facts->stopped) {
        diagnose(report, facts->stopped_diagnosis, facts->why.message);
        return;
    }
    if (facts->takes_others[0] && (judge_first_run(facts, true) || judge_first_run(facts, false))) {
        diagnose(report, "wrong-signature", facts->takes_others);
        return;
    }
    const struct judge_run *timed = judge_speed_run(facts, NULL), *run = beside_run(facts);
    if (timed && timed->large[0]) {
        diagnose(report, timed->large_diagnosis, timed->large);
        return;
    }
    if (run && !judge_first_hazard(&scope, &count)) { // else what came out is luck
        const struct grade_size *result = run->result;
        diagnose(report,
                 result->status == STATUS_FAULT ? "wrong-results"
                                                : ending_diagnosis(ending_of(result->status, SIM_FAULT_NONE)),
                 result->diagnostic.message);
        return;
    }
    if (fails_unmodelled(facts, report)) {
        diagnose(report, "speed", timed->unmodelled);
        return;
    }
    run = unset_run(facts);
    if (run) {
        explain_unset(run, message, sizeof message);
        diagnose(report, "unset", message);
        return;
    }
    run = rounded_run(facts);
    if (diagnose_by_lesson(facts, run != NULL, report))
        return;
    if (run) {
        explain_mismatch(report, run, message, sizeof message);
        diagnose(report, "rounded", message);
        return;
    }
    run = judge_first_run(facts, true);
    if (run) {
        diagnose(report, ending_diagnosis(ending_of(run->result->status, run->result->fault)),
                 run->result->diagnostic.message);
        return;
    }
    const struct hazard *torn = torn_barrier(facts), *hazard = torn ? torn : judge_first_hazard(&scope, &count);
    if (hazard) {
        diagnose(report, hazard_name(hazard->kind), hazard->message);
        return;
    }
    run = judge_first_run(facts, false);
    if (run) {
        const struct grade_mismatch *mismatch = &run->result->mismatch;
        explain_mismatch(report, run, message, sizeof message);
        diagnose(report, mismatch->unwritten == mismatch->total ? "unwritten" : "wrong-results", message);
        return;
    }
    for (size_t i = 0; i < report->gate_count; i++)
        if (!report->gates[i].passed && !report->gates[i].skipped) {
            diagnose(report, report->gates[i].id, report->gates[i].message);
            return;
        }
}
