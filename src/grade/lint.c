// Lint: each subject of a lesson begins, is looked at and ends as one result.
#include "grade/lint.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "grade/disguise.h"
#include "grade/elsewhere.h"
#include "grade/grade.h"
#include "grade/run.h"
#include "grade/speed.h"
#include "lesson/markdown.h"

enum { MAX_PAGE_BYTES = 1 << 20, LEAST_MUTANTS = 3, OTHER_SIZES = 10, OTHER_SEEDS = 3 };

struct linter {
    const struct lesson *lesson;
    const struct grade_options *options;
    lint_progress *progress;
    void *context;
    struct lint_list *list;
    double start;      // of the subject at hand
    bool *missed_gate; // for each gate of the lesson: a kernel missed it whose results are right
};

void lint_list_free(struct lint_list *list)
{
    free(list->items);
    *list = (struct lint_list){0};
}

static struct lint_result *begin_subject(struct linter *linter, const char *subject, const char *wanted, ...)
    __attribute__((format(printf, 3, 4)));
static struct lint_result *begin_subject(struct linter *linter, const char *subject, const char *wanted, ...)
{
    struct lint_list *list = linter->list;
    va_list args;
    struct lint_result *result = mem_append(list->items, list->capacity, list->count);
    *result = (struct lint_result){0};
    snprintf(result->subject, sizeof result->subject, "%.120s", subject);
    va_start(args, wanted);
    vsnprintf(result->wanted, sizeof result->wanted, wanted, args);
    va_end(args);
    linter->start = clock_seconds();
    return result;
}

static void note_got(struct lint_result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note_got(struct lint_result *result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(result->got, sizeof result->got, format, args);
    va_end(args);
}

// The message is for one that did not pass.
static void end_subject(struct linter *linter, struct lint_result *result, bool passed, const char *message, ...)
    __attribute__((format(printf, 4, 5)));
static void end_subject(struct linter *linter, struct lint_result *result, bool passed, const char *message, ...)
{
    va_list args;
    va_start(args, message);
    if (!passed)
        vsnprintf(result->message, sizeof result->message, message, args);
    va_end(args);
    result->passed = passed;
    result->seconds = clock_seconds() - linter->start;
    linter->list->failed += !passed;
    if (linter->progress)
        linter->progress(linter->context, result);
}

// ---- the page and what goes with it

static void lint_page(struct linter *linter)
{
    const struct lesson *lesson = linter->lesson;
    struct lint_result *result =
        begin_subject(linter, "page", "%d to %d words, a title", lesson->least_words, lesson->most_words);
    struct diagnostic why = {0};
    char *text = NULL;
    size_t length = 0;
    if (file_read(lesson->page, MAX_PAGE_BYTES, &text, &length, &why)) {
        end_subject(linter, result, false, "%.500s", why.message);
        return;
    }
    struct markdown *page = markdown_parse(text, length);
    size_t words = markdown_words(page);
    bool has_title = page->count > 0 && page->blocks[0].kind == MARKDOWN_HEADING && page->blocks[0].level == 1;
    bool fits = words >= (size_t)lesson->least_words && words <= (size_t)lesson->most_words;
    note_got(result, "%zu words%s", words, has_title ? "" : ", no title");
    markdown_free(page);
    free(text);
    end_subject(linter, result, fits && has_title, "lesson.md starts with \"# Title\" and has %s.", result->wanted);
}

static void lint_count(struct linter *linter, const char *what, size_t count, size_t least)
{
    struct lint_result *result = begin_subject(linter, what, "at least %zu", least);
    note_got(result, "%zu", count);
    end_subject(linter, result, count >= least, "A lesson has at least %zu %s.", least, what);
}

// Only full marks are 100 of 100: what a gate asks for and does not get has to cost points.
static void lint_points(struct linter *linter)
{
    struct lint_result *result = begin_subject(linter, "points", "some for each gate");
    const struct lesson *lesson = linter->lesson;
    size_t i = 0;
    while (i < lesson->gate_count && lesson->gates[i].points > 0)
        i++;
    bool passed = i == lesson->gate_count;
    const char *gate = passed ? "" : lesson->gates[i].id;
    note_got(result, "%s%.60s", passed ? "some for each" : "none for ", gate);
    end_subject(linter, result, passed,
                "Give gate %.60s points: without them, 100 of 100 appears beside a gate that is not met.", gate);
}

// Extents of what a tensor map shows are no smaller than the 16 bytes that its rows begin at a multiple of.
static double least_extent(const struct lesson_part *part, const struct lesson_arg *arg)
{
    for (size_t i = 0; i < part->arg_count; i++)
        if (part->args[i].role == LESSON_MAP && strcmp(part->args[i].of, arg->name) == 0)
            return 16.0 / ptx_type_size(arg->type);
    return 1;
}

// Whether each array that the kernel reads is one element: a radius or a shift may be what it likes, and a dimension
// that is a plain number is no size.
static bool is_of_one(const struct lesson_part *part, const struct lesson_size *size)
{
    bool reads = false;
    for (size_t i = 0; i < part->arg_count; i++) {
        const struct lesson_arg *arg = &part->args[i];
        if (arg->role != LESSON_IN && arg->role != LESSON_INOUT)
            continue;
        reads = true;
        for (size_t k = 0; k < arg->shape_count; k++)
            if (lesson_value(size, false, arg->shape[k]) > least_extent(part, arg) &&
                arg->shape[k][strspn(arg->shape[k], "0123456789")])
                return false;
    }
    return reads;
}

static bool is_compared(const struct lesson_part *part)
{
    return part->reference_file || strcmp(part->reference, "none") != 0;
}

// A size of one element, one that is not a multiple of the largest, one that is not square: where mistakes show.
static void lint_sizes(struct linter *linter)
{
    for (size_t i = 0; i < linter->lesson->part_count; i++) {
        const struct lesson_part *part = &linter->lesson->parts[i];
        bool has_one = false, has_odd = false;
        if (!is_compared(part))
            continue;
        struct lint_result *result = begin_subject(linter, "sizes", "one of 1, one that is not a multiple of 8");
        for (size_t j = 0; j < part->size_count; j++) {
            for (size_t k = 0; k < part->sizes[j].variable_count; k++) {
                int64_t value = part->sizes[j].variables[k].value;
                has_odd = has_odd || (value > 1 && value % 8 != 0);
            }
            has_one = has_one || is_of_one(part, &part->sizes[j]);
        }
        note_got(result, "%s, %s", has_one ? "1 is there" : "no size of 1", has_odd ? "an odd one too" : "no odd one");
        end_subject(linter, result, has_one && has_odd,
                    "The sizes must include 1 and one that is not a multiple of a tile.");
    }
}

// Who is right at the sizes in the list alone passes, where no others are promised.
static void lint_promise(struct linter *linter)
{
    for (size_t i = 0; i < linter->lesson->part_count; i++) {
        const struct lesson_part *part = &linter->lesson->parts[i];
        if (!is_compared(part))
            continue;
        struct lint_result *result = begin_subject(linter, "other_sizes", "named, or none on purpose");
        note_got(result, part->range_count ? "named" : part->ranges ? "none on purpose" : "not there");
        end_subject(
            linter, result, part->ranges != NULL,
            "A hand-in that is right at the lesson's own sizes alone would pass. Say what the contract promises: "
            "other_sizes = ( { name = \"n\"; least = 1; most = 4000; } ); or other_sizes = ( ); if these sizes "
            "are all there are.");
    }
}

// A race comes out right most of the time.
static void lint_hazards_gate(struct linter *linter)
{
    const struct lesson *lesson = linter->lesson;
    for (size_t i = 0; i < lesson->part_count; i++) {
        const struct lesson_part *part = &lesson->parts[i];
        bool is_asked = false;
        for (size_t j = 0; j < lesson->gate_count; j++)
            is_asked |= lesson->gates[j].kind == LESSON_GATE_HAZARDS &&
                        (!lesson->gates[j].part || (part->name && strcmp(lesson->gates[j].part, part->name) == 0));
        if (!is_compared(part))
            continue;
        struct lint_result *result = begin_subject(linter, "hazards", "a gate for them");
        note_got(result, is_asked ? "there is one" : "none for %.60s", part->name ? part->name : part->kernel);
        end_subject(linter, result, is_asked,
                    "A race that comes out right, as most do, would get full marks. Add { id = \"hazards\"; kind = "
                    "\"hazards\"; points = 10; } to the gates.");
    }
}

// ---- kernels

static bool is_right_everywhere(const struct grade_report *report)
{
    bool is_right = report->size_count > 0;
    for (size_t i = 0; i < report->size_count; i++)
        is_right &= report->sizes[i].ran && !report->sizes[i].status && report->sizes[i].correct;
    return is_right;
}

// What is wrong misses every gate.
static void note_missed_gates(struct linter *linter, const struct grade_report *report)
{
    bool is_right = is_right_everywhere(report);
    for (size_t i = 0; i < report->gate_count && i < linter->lesson->gate_count; i++)
        linter->missed_gate[i] |= is_right && !report->gates[i].passed && !report->gates[i].skipped;
}

static struct grade_report *grade_file(struct linter *linter, const char *file, struct lint_result *result)
{
    struct grade_options options = *linter->options;
    struct grade_report *report;
    struct diagnostic why = {0};
    options.source = file;
    if (grade_run(linter->lesson, &options, NULL, NULL, &report, &why) == STATUS_OK) {
        note_missed_gates(linter, report);
        return report;
    }
    note_got(result, "infrastructure error");
    end_subject(linter, result, false, "%.500s", why.message);
    return NULL;
}

// Whoever is wrong only at the size that the time is modelled at passes, where nothing is compared there.
static void lint_large(struct linter *linter, uint64_t compared)
{
    if (!speed_is_modelled(linter->lesson))
        return;
    struct lint_result *result = begin_subject(linter, "large blocks", "compared");
    note_got(result, "%llu elements compared", (unsigned long long)compared);
    end_subject(linter, result, compared > 0,
                "At the size whose time is modelled nothing is compared, so that a kernel may be wrong there. Take a "
                "built-in reference, or have reference.cu spread the work over blocks, one thread for each element of "
                "the output, with reference_launch = { grid = [ … ]; block = [ … ]; }.");
}

// The first gate that the kernel does not pass with full marks, with what was counted; or "".
static void say_gate(const struct grade_report *report, char text[320])
{
    text[0] = '\0';
    for (size_t i = 0; i < report->gate_count && !text[0]; i++)
        if (!report->gates[i].full && !report->gates[i].skipped)
            snprintf(text, 320, " (Gate %.60s got %.220s.)", report->gates[i].id, report->gates[i].got);
}

// A seed draws data, sizes and blocks: a bound too close to what the solution needs is missed with another one.
static void lint_other_seeds(struct linter *linter)
{
    struct grade_options options = *linter->options;
    struct lint_result *result = begin_subject(linter, "other seeds", "full marks with %d", OTHER_SEEDS);
    char gate[320] = "", got[160] = "full marks with each";
    struct diagnostic why = {0};
    bool passed = true;
    options.source = linter->lesson->solution;
    for (uint64_t i = 1; passed && i <= OTHER_SEEDS; i++) {
        struct grade_report *report;
        options.seed = linter->options->seed + i;
        if (grade_run(linter->lesson, &options, NULL, NULL, &report, &why)) {
            snprintf(gate, sizeof gate, "%.300s", why.message);
            snprintf(got, sizeof got, "infrastructure error");
            passed = false;
            continue;
        }
        passed = report->verdict == VERDICT_PASS && report->full && report->score >= 100 - 1e-9;
        if (!passed)
            snprintf(got, sizeof got, "%.20s, %.0f of 100 with seed %llu", verdict_name(report->verdict), report->score,
                     (unsigned long long)options.seed);
        if (!passed)
            say_gate(report, gate);
        grade_report_free(report);
    }
    note_got(result, "%s", got);
    end_subject(linter, result, passed,
                "The solution has full marks with one seed and not with another: a bound is too close to what it "
                "needs.%s",
                gate);
}

static void lint_solution(struct linter *linter)
{
    char gate[320];
    struct lint_result *result = begin_subject(linter, "solution", "full marks");
    struct grade_report *report = grade_file(linter, linter->lesson->solution, result);
    if (!report)
        return;
    bool passed = report->verdict == VERDICT_PASS && report->full && report->score >= 100 - 1e-9;
    if (passed)
        note_got(result, "full marks");
    else
        note_got(result, "%s, %.0f of 100 %.64s", verdict_name(report->verdict), report->score, report->diagnosis);
    say_gate(report, gate);
    end_subject(linter, result, passed, "%.260s%s", report->next, gate);
    if (passed)
        lint_large(linter, report->compared);
    if (passed)
        lint_other_seeds(linter);
    grade_report_free(report);
}

static void lint_failure(struct linter *linter, const char *subject, const char *file, const char *diagnosis)
{
    struct lint_result *result = begin_subject(linter, subject, "%.120s", diagnosis);
    struct grade_report *report = grade_file(linter, file, result);
    if (!report)
        return;
    bool is_named = strcmp(report->diagnosis, diagnosis) == 0;
    bool passed = report->verdict != VERDICT_PASS && report->verdict != VERDICT_INFRASTRUCTURE && is_named;
    note_got(result, "%.120s",
             report->verdict == VERDICT_PASS ? "pass"
             : report->diagnosis[0]          ? report->diagnosis
                                             : verdict_name(report->verdict));
    if (report->verdict == VERDICT_PASS)
        end_subject(linter, result, false, "It passes, but must fail for \"%.100s\".", diagnosis);
    else
        end_subject(linter, result, passed, "It fails for another reason: %.400s", report->next);
    grade_report_free(report);
}

// naive.cu and the variants may miss gates, but they must be right and free of hazards.
static void lint_right(struct linter *linter, const char *subject, const char *file)
{
    struct lint_result *result = begin_subject(linter, subject, "right, no hazards");
    struct grade_report *report = grade_file(linter, file, result);
    if (!report)
        return;
    bool is_right = is_right_everywhere(report);
    size_t hazards = 0;
    for (size_t i = 0; i < report->size_count; i++)
        hazards += report->sizes[i].hazards.count;
    note_got(result, "%s%s", is_right ? "right" : "wrong", hazards ? ", with hazards" : "");
    end_subject(linter, result, is_right && !hazards, "%.511s", report->next);
    grade_report_free(report);
}

// Right, without hazards, at one of the part's other sizes.
static bool is_right_at(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                        const struct lesson_part *part, const struct lesson_other_size *other, size_t number,
                        char shape[64])
{
    struct grade_size result = {.name = other->size.name};
    struct judge_run ignored;
    struct record record = {0};
    struct other_inputs inputs;
    if (run_prepare_other(runner, part, &other->size, number, &inputs, NULL) == STATUS_OK)
        run_size(runner, unit, entry, &inputs.data, RUN_HAZARDS, &result, &record, &ignored);
    bool is_right = result.ran && !result.status && result.correct && !result.hazards.count;
    snprintf(shape, 64, "%s", result.shape);
    hazard_list_free(&result.hazards);
    record_free(&record);
    run_free_other(&inputs);
    return is_right;
}

// What the lesson asks of others holds for its solution: the smallest, the largest and some drawn ones.
static void lint_other_sizes(struct linter *linter, struct runner *runner)
{
    for (size_t i = 0; i < linter->lesson->part_count; i++) {
        const struct lesson_part *part = &linter->lesson->parts[i];
        const struct ptx_function *entry;
        const struct unit *unit;
        uint64_t random = linter->options->seed;
        char shape[64] = "";
        size_t right = 0;
        if (!part->range_count || runner_unit(runner, linter->lesson->solution, &unit, NULL) ||
            unit_find_kernel(unit, part, part->kernel, &entry, NULL, NULL))
            continue;
        struct lint_result *result = begin_subject(linter, "other sizes", "right at %d", OTHER_SIZES);
        while (right < OTHER_SIZES) {
            struct lesson_other_size other;
            elsewhere_draw(part, &random, &other);
            for (size_t j = 0; j < part->range_count && right < 2; j++)
                lesson_other_set(&other, part->ranges[j].name, right ? part->ranges[j].most : part->ranges[j].least);
            if (!is_right_at(runner, unit, entry, part, &other, right, shape))
                break;
            right++;
        }
        note_got(result, "%s %.40s", right == OTHER_SIZES ? "right, the last one" : "wrong at", shape);
        end_subject(linter, result, right == OTHER_SIZES,
                    "The solution must be right, and free of hazards, at every size that other_sizes names.");
    }
}

// A variant that has the lesson's kernel must be right; another one need only compile.
static void lint_variant(struct linter *linter, struct runner *runner, const char *file)
{
    const struct lesson_part *part = linter->lesson->parts;
    const struct ptx_function *entry;
    char subject[128];
    struct diagnostic why = {0};
    struct unit unit;
    snprintf(subject, sizeof subject, "variants/%.100s", strrchr(file, '/') + 1);
    enum status status = unit_make(&unit, file, &runner->toolchain, NULL, &why);
    bool has_kernel = !status && unit_find_kernel(&unit, part, part->kernel, &entry, NULL, NULL) == STATUS_OK;
    unit_free(&unit);
    if (has_kernel) {
        lint_right(linter, subject, file);
        return;
    }
    struct lint_result *result = begin_subject(linter, subject, "compiles");
    note_got(result, "%s", status ? status_name(status) : "compiles");
    end_subject(linter, result, status == STATUS_OK, "%.511s", why.message);
}

// ---- disguises

static bool misses_a_gate_only(const struct grade_report *report, const struct lesson *lesson)
{
    bool misses = false;
    for (size_t i = 0; i < report->size_count; i++)
        if (report->sizes[i].status || !report->sizes[i].correct || report->sizes[i].hazards.count)
            return false;
    for (size_t i = 0; i < report->gate_count; i++)
        misses |= !report->gates[i].passed && !report->gates[i].skipped && lesson->gates[i].kind == LESSON_GATE_REQUIRE;
    return misses && report->verdict == VERDICT_FAIL;
}

static struct grade_report *grade_quickly(struct linter *linter, const char *file, const char *ptx)
{
    struct grade_options options = *linter->options;
    struct grade_report *report = NULL;
    options.source = file;
    options.ptx = ptx;
    options.device = "sim";
    options.quick = true;
    options.seed = 1;
    return grade_run(linter->lesson, &options, NULL, NULL, &report, NULL) == STATUS_OK ? report : NULL;
}

// The first gate that only the disguise passes, or is not judged by.
static const char *gate_gained(const struct grade_report *plain, const struct grade_report *disguised)
{
    for (size_t i = 0; i < plain->gate_count && i < disguised->gate_count; i++)
        if (!plain->gates[i].passed && !plain->gates[i].skipped &&
            (disguised->gates[i].passed || disguised->gates[i].skipped))
            return plain->gates[i].id;
    return "";
}

// What became of the disguises of a lesson.
struct attempts {
    size_t kernels, graded, bare; // bare: a kernel that has nothing which the disguise could go by
};

// Whether a gate asks for something that the disguise moves.
static bool is_of_use(const struct lesson *lesson, const struct disguise *disguise)
{
    bool is_asked = !disguise->moves[0];
    for (size_t i = 0; i < lesson->gate_count; i++)
        for (size_t j = 0; j < 2 && disguise->moves[j]; j++)
            is_asked |= lesson->gates[i].when && strstr(lesson->gates[i].when, disguise->moves[j]);
    return is_asked;
}

// Why nothing can be said of the gates: the kernel is not what it was. False: it is, and its points count.
static bool is_spoilt(const struct grade_report *report, char why[128])
{
    for (size_t i = 0; report && i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        if (size->status || !size->correct || size->hazards.count) {
            snprintf(why, 128, "%.60s at %.40s",
                     size->status                       ? status_name(size->status)
                     : size->ran && !size->correct      ? "wrong"
                     : size->ran && size->hazards.count ? "hazards"
                                                        : verdict_name(report->verdict),
                     size->name);
            return true;
        }
    }
    snprintf(why, 128, "%s", report ? verdict_name(report->verdict) : "no grade");
    return !report || report->size_count == 0;
}

// What gains by a disguise is one result that names the gates. So is one that cannot be graded, which shows nothing of
// them: it passes, but is counted.
static void try_disguise(struct linter *linter, const char *subject, const char *file, const char *ptx, size_t number,
                         const struct grade_report *plain, struct attempts *attempts)
{
    const struct disguise *disguise = &disguises[number];
    struct text text = {0};
    char name[200], why[128];
    if (!disguise_write(number, ptx, &text)) {
        attempts->bare++;
        text_free(&text);
        return;
    }
    struct grade_report *report = grade_quickly(linter, file, text_get(&text));
    bool spoilt = is_spoilt(report, why), gained = report && report->score > plain->score + 1e-9;
    attempts->graded += !spoilt || gained;
    snprintf(name, sizeof name, "%.60s, with %.60s", subject, disguise->name);
    if (spoilt || gained) {
        struct lint_result *result = begin_subject(linter, name, "no more than %.0f of 100", plain->score);
        if (gained)
            note_got(result, "%.0f of 100", report->score);
        else
            note_got(result, "not tried: %s", why);
        linter->list->untried += !gained;
        end_subject(linter, result, !gained, "Gate %.60s does not see through %s: %s.",
                    gained ? gate_gained(plain, report) : "", disguise->name, disguise->advice);
    }
    grade_report_free(report);
    text_free(&text);
}

// A kernel that misses a gate, tried in every disguise. It is graded as PTX, as its disguises are: of a source that
// does what the starter does no points would be left.
static void lint_disguises_of(struct linter *linter, struct runner *runner, const char *subject, const char *file,
                              struct attempts *attempts)
{
    struct unit unit;
    if (unit_make(&unit, file, &runner->toolchain, NULL, NULL) != STATUS_OK)
        return;
    struct grade_report *plain = grade_quickly(linter, file, unit.compiled.ptx);
    if (plain && misses_a_gate_only(plain, linter->lesson)) {
        for (size_t i = 0; i < disguise_count; i++)
            if (is_of_use(linter->lesson, &disguises[i]))
                try_disguise(linter, subject, file, unit.compiled.ptx, i, plain, attempts);
        attempts->kernels++;
    }
    grade_report_free(plain);
    unit_free(&unit);
}

// Of the largest launch that was graded; 0: nothing was.
static uint64_t most_blocks(const struct grade_report *report)
{
    uint64_t most = 0;
    for (size_t i = 0; report && i < report->size_count; i++)
        most = launch_blocks(&report->sizes[i].launch) > most ? launch_blocks(&report->sizes[i].launch) : most;
    return most;
}

// The solution, leaving at once where the grid is larger than at any size that it is compared at: the time model must
// not take it for a fast one.
static void lint_early_exit(struct linter *linter, struct runner *runner)
{
    const struct lesson *lesson = linter->lesson;
    struct grade_options options = *linter->options;
    struct grade_report *plain, *report = NULL;
    struct text text = {0};
    struct unit unit;
    plain = speed_is_modelled(lesson) ? grade_quickly(linter, lesson->solution, NULL) : NULL;
    uint64_t most = most_blocks(plain);
    grade_report_free(plain);
    if (!most || unit_make(&unit, lesson->solution, &runner->toolchain, NULL, NULL))
        return;
    struct lint_result *result = begin_subject(linter, "early exit", "not passed");
    struct diagnostic why = {0};
    disguise_leave(unit.compiled.ptx, most, &text);
    options.source = lesson->solution;
    options.ptx = text_get(&text);
    enum status status = grade_run(lesson, &options, NULL, NULL, &report, &why);
    bool passed = !status && report->verdict != VERDICT_PASS;
    note_got(result, "%s", status ? status_name(status) : verdict_name(report->verdict));
    end_subject(linter, result, passed, "%.500s",
                status ? why.message
                       : "The solution passes even where its kernel does nothing at the size that only the time model "
                         "sees. Give the size with role \"speed\" a larger `gpu` size, at which blocks are compared.");
    grade_report_free(report);
    text_free(&text);
    unit_free(&unit);
}

// The solution, all of it done by one block: on a GPU it would leave all processors but one idle. Where a speed is
// asked for, that tells. Else a gate has to: blocks at the size of a GPU may see it or not, as they are drawn.
static void lint_one_block(struct linter *linter, struct runner *runner)
{
    const struct lesson *lesson = linter->lesson;
    struct grade_report *report;
    struct text text = {0};
    struct unit unit;
    bool misses = false;
    if (speed_is_graded(lesson, false))
        return;
    report = grade_quickly(linter, lesson->solution, NULL);
    uint64_t blocks = most_blocks(report);
    grade_report_free(report);
    if (blocks < 2 || unit_make(&unit, lesson->solution, &runner->toolchain, NULL, NULL))
        return;
    struct lint_result *result = begin_subject(linter, "one block", "a gate that it misses");
    disguise_alone(unit.compiled.ptx, &text);
    report = grade_quickly(linter, lesson->solution, text_get(&text));
    for (size_t i = 0; report && i < report->gate_count; i++) {
        misses |= !report->gates[i].passed && !report->gates[i].skipped;
        if (!report->gates[i].passed && !report->gates[i].skipped && !result->got[0])
            note_got(result, "%s", report->gates[i].id);
    }
    if (!misses)
        note_got(result, "%s", report ? "none" : "not tried: it cannot be graded");
    linter->list->untried += !report;
    end_subject(linter, result, misses || !report,
                "The solution passes every gate even where block 0 does everything and the others leave. Ask for "
                "block_balance >= 0.5 in a \"require\" gate, or for a speed.");
    grade_report_free(report);
    text_free(&text);
    unit_free(&unit);
}

static void lint_disguises(struct linter *linter, struct runner *runner)
{
    const struct lesson *lesson = linter->lesson;
    struct attempts attempts = {0};
    size_t failed = linter->list->failed, untried = linter->list->untried;
    double start = clock_seconds();
    lint_disguises_of(linter, runner, "starter", lesson->starter, &attempts);
    if (lesson->naive)
        lint_disguises_of(linter, runner, "naive.cu", lesson->naive, &attempts);
    for (size_t i = 0; i < lesson->mutant_count; i++)
        lint_disguises_of(linter, runner, strrchr(lesson->mutants[i].file, '/') + 1, lesson->mutants[i].file,
                          &attempts);
    if (linter->list->failed > failed)
        return;
    struct lint_result *result = begin_subject(linter, "disguises", "no gain");
    linter->start = start;
    note_got(result, "no gain by %zu in %zu kernels, %zu had nothing to go by, %zu not tried", attempts.graded,
             attempts.kernels, attempts.bare, linter->list->untried - untried);
    bool is_asked = false;
    for (size_t i = 0; i < lesson->gate_count; i++)
        is_asked |= lesson->gates[i].kind == LESSON_GATE_REQUIRE;
    end_subject(linter, result, attempts.kernels > 0 || !is_asked,
                "No kernel of the lesson is right and misses a \"require\" gate, so nobody knows what these gates see "
                "through: add a mutant or a naive.cu that does.");
}

// A condition that no right kernel misses may be one that cannot be missed.
static void lint_gates(struct linter *linter)
{
    const struct lesson *lesson = linter->lesson;
    struct lint_result *result = begin_subject(linter, "gates", "each is missed by a kernel that is right");
    struct text never = {0};
    for (size_t i = 0; i < lesson->gate_count; i++)
        if (!linter->missed_gate[i] && lesson->gates[i].kind != LESSON_GATE_CORRECT &&
            lesson->gates[i].kind != LESSON_GATE_HAZARDS)
            text_printf(&never, "%s%.60s", text_get(&never)[0] ? ", " : "", lesson->gates[i].id);
    bool passed = !text_get(&never)[0];
    note_got(result, "%s%.100s", passed ? "each is" : "none misses ", text_get(&never));
    end_subject(linter, result, passed,
                "Nothing shows that these can be missed: %.200s. Add a mutant for each, right but for that gate, or "
                "leave the gate out.",
                text_get(&never));
    text_free(&never);
}

static void lint_questions(struct linter *linter, struct runner *runner)
{
    for (size_t i = 0; i < linter->lesson->question_count; i++) {
        char subject[32];
        struct quiz_result counted;
        struct diagnostic why = {0};
        snprintf(subject, sizeof subject, "quiz %zu", i + 1);
        struct lint_result *result = begin_subject(linter, subject, "an answer");
        enum status status = run_question(runner, i, false, &counted, &why);
        const char *unit = linter->lesson->questions[i].unit;
        if (status)
            note_got(result, "%s", status_name(status));
        else
            note_got(result, "%g %.40s", counted.answer, unit ? unit : "");
        if (!status && !*counted.place.fact)
            status = diagnostic_set(&why, STATUS_PARSE,
                                    "a wrong guess gets no picture: the answer names no line, access, barrier or "
                                    "counter of memory.");
        end_subject(linter, result, status == STATUS_OK, "%.511s", why.message);
    }
}

enum status lint_run(const struct lesson *lesson, const struct grade_options *options, lint_progress *progress,
                     void *context, struct lint_list *list, struct diagnostic *diagnostic)
{
    struct grade_options drawn = *options;
    struct linter linter = {
        .lesson = lesson, .options = &drawn, .progress = progress, .context = context, .list = list};
    struct runner runner;
    drawn.seed = drawn.seed ? drawn.seed : grade_fresh_seed();
    *list = (struct lint_list){.seed = drawn.seed};
    enum status status = runner_open(&runner, lesson, options, diagnostic);
    if (status)
        goto out;
    runner.seed = 1;
    linter.missed_gate = mem_alloc((lesson->gate_count + 1) * sizeof *linter.missed_gate);
    lint_page(&linter);
    lint_count(&linter, "hints", lesson->hint_count, 1);
    lint_count(&linter, "mutants", lesson->mutant_count, LEAST_MUTANTS);
    lint_points(&linter);
    lint_sizes(&linter);
    lint_promise(&linter);
    lint_hazards_gate(&linter);
    lint_failure(&linter, "starter", lesson->starter, lesson->starter_diagnosis);
    lint_solution(&linter);
    lint_other_sizes(&linter, &runner);
    if (lesson->naive)
        lint_right(&linter, "naive.cu", lesson->naive);
    for (size_t i = 0; i < lesson->mutant_count; i++) {
        char subject[128];
        snprintf(subject, sizeof subject, "mutants/%.100s", strrchr(lesson->mutants[i].file, '/') + 1);
        lint_failure(&linter, subject, lesson->mutants[i].file, lesson->mutants[i].diagnosis);
    }
    for (size_t i = 0; i < lesson->variant_count; i++)
        lint_variant(&linter, &runner, lesson->variants[i]);
    lint_disguises(&linter, &runner);
    lint_gates(&linter);
    lint_early_exit(&linter, &runner);
    lint_one_block(&linter, &runner);
    lint_questions(&linter, &runner);
out:
    free(linter.missed_gate);
    runner_close(&runner);
    return status;
}
