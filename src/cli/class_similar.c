// `class similar`: pairs of hand-ins that share more than the lab gave. It names places to look at and judges nobody.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/class.h"
#include "cli/lessons.h"
#include "course/similar.h"
#include "toolchain/toolchain.h"

enum { LINES_SHOWN = 8 }; // of a passage, on either side

struct similar_request {
    struct cli_list only; // lessons; none = all
    bool json;
    int most;
};

static const struct cli_option similar_options[] = {
    {0, "lesson", "LESSON", "only this lesson; may be repeated", CLI_TO_LIST(struct similar_request, only)},
    {0, "most", "N", "pairs to show of each lesson (default: 50)",
     CLI_TO_NUMBER(struct similar_request, most, 1, 100000, "a number from 1")},
    CLI_OPTION_JSON(struct similar_request, json),
    {0},
};

struct compared {
    const char *student, *path;
};

struct comparison { // of one lesson
    const struct lesson *lesson;
    struct similarity *similarity;
    struct compared *hand_ins; // as the similarity numbers them
    size_t count, capacity;
    struct similar_result result;
};

struct comparisons {
    struct arena *arena;
    struct comparison *items; // by lesson
    size_t count;
    bool is_whole;
};

// ---- what is compared

// What anyone may have from the lab: that of other lessons too, since one builds on the other.
static bool give_file(struct comparisons *all, const char *path)
{
    char *bytes;
    size_t length;
    struct diagnostic diagnostic = {0};
    if (!path)
        return true;
    if (file_read(path, TOOLCHAIN_SOURCE_MAX, &bytes, &length, &diagnostic) != STATUS_OK) {
        cli_diagnostic(&diagnostic);
        return false;
    }
    for (size_t i = 0; i < all->count; i++)
        similar_give(all->items[i].similarity, bytes, length);
    free(bytes);
    return true;
}

static bool give_lessons(struct comparisons *all, const struct lesson_set *set)
{
    bool good = true;
    for (size_t i = 0; i < set->count; i++) {
        const struct lesson *lesson = set->items[i];
        const char *const files[] = {lesson->starter, lesson->solution, lesson->naive, lesson->page, lesson->why};
        for (size_t j = 0; j < sizeof files / sizeof *files; j++)
            good = give_file(all, files[j]) && good;
        for (size_t j = 0; j < lesson->variant_count; j++)
            good = give_file(all, lesson->variants[j]) && good;
        for (size_t j = 0; j < lesson->mutant_count; j++)
            good = give_file(all, lesson->mutants[j].file) && good;
        for (size_t j = 0; j < lesson->hint_count; j++)
            for (size_t k = 0; k < all->count; k++)
                similar_give(all->items[k].similarity, lesson->hints[j], strlen(lesson->hints[j]));
    }
    return good;
}

static void take_hand_in(void *context, const char *student, const struct lesson *lesson, const char *path)
{
    struct comparisons *all = context;
    char *bytes;
    size_t length, place = 0;
    struct diagnostic diagnostic = {0};
    while (all->items[place].lesson != lesson)
        place++;
    struct comparison *comparison = &all->items[place];
    if (file_read_no_link(path, TOOLCHAIN_SOURCE_MAX, &bytes, &length, &diagnostic) != STATUS_OK) {
        cli_error("%s is not compared: %s", path, diagnostic.message);
        all->is_whole = false;
        return;
    }
    if (!similar_add(comparison->similarity, bytes, length))
        cli_error("%s: not all of it is compared: it is longer than %d bytes, or a raw string in it does not end", path,
                  SIMILAR_MOST_BYTES);
    *mem_append(comparison->hand_ins, comparison->capacity, comparison->count) =
        (struct compared){arena_strdup(all->arena, student), arena_strdup(all->arena, path)};
    free(bytes);
}

// ---- the answer

static double share_of(const struct similar_pair *pair, int side)
{
    return pair->own[side] ? 100.0 * (double)pair->shared / (double)pair->own[side] : 0;
}

// All on one side: those whose own runs are the same. Of a pair of a hand-in and itself, the first is the left side.
static bool is_on_side(const struct comparison *comparison, const struct similar_pair *pair, int side, size_t hand_in)
{
    if (similar_like(comparison->similarity, hand_in) != pair->hand_ins[side])
        return false;
    return pair->hand_ins[0] != pair->hand_ins[1] || (hand_in == pair->hand_ins[0]) == (side == 0);
}

static size_t first_on_side(const struct comparison *comparison, const struct similar_pair *pair, int side)
{
    size_t hand_in = pair->hand_ins[side];
    while (!is_on_side(comparison, pair, side, hand_in))
        hand_in++;
    return hand_in;
}

static json_t *side_json(const struct comparison *comparison, const struct similar_pair *pair, int side)
{
    json_t *files = json_array();
    for (size_t i = 0; i < comparison->count; i++)
        if (is_on_side(comparison, pair, side, i))
            json_array_append_new(files,
                                  json_pack("{s:o, s:o}", "student", fields_name(comparison->hand_ins[i].student),
                                            "file", fields_name(comparison->hand_ins[i].path)));
    return json_pack("{s:o, s:I, s:f}", "hand_ins", files, "own", (json_int_t)pair->own[side], "percent",
                     share_of(pair, side));
}

static json_t *pair_json(const struct comparison *comparison, const struct similar_pair *pair)
{
    json_t *passages = json_array();
    for (size_t i = 0; i < pair->passage_count; i++) {
        const uint32_t(*lines)[2] = pair->passages[i].lines;
        json_array_append_new(passages, json_pack("{s:[i, i], s:[i, i]}", "left", (int)lines[0][0], (int)lines[0][1],
                                                  "right", (int)lines[1][0], (int)lines[1][1]));
    }
    return json_pack("{s:I, s:o, s:o, s:o}", "shared", (json_int_t)pair->shared, "left", side_json(comparison, pair, 0),
                     "right", side_json(comparison, pair, 1), "passages", passages);
}

static void print_similar_json(const struct comparisons *all)
{
    json_t *lessons = json_array();
    for (size_t i = 0; i < all->count; i++) {
        const struct comparison *comparison = &all->items[i];
        json_t *pairs = json_array();
        for (size_t j = 0; j < comparison->result.pair_count; j++)
            json_array_append_new(pairs, pair_json(comparison, &comparison->result.pairs[j]));
        json_array_append_new(
            lessons, json_pack("{s:o, s:I, s:I, s:I, s:o}", "lesson", fields_name(comparison->lesson->id), "hand_ins",
                               (json_int_t)comparison->count, "found", (json_int_t)comparison->result.found, "common",
                               (json_int_t)comparison->result.common, "pairs", pairs));
    }
    cli_print_json(lessons);
}

static void print_lines(const char *path, const uint32_t lines[2])
{
    char *bytes, *at;
    size_t length;
    struct diagnostic diagnostic = {0};
    uint32_t number = 1, last = lines[1] - lines[0] < LINES_SHOWN ? lines[1] : lines[0] + LINES_SHOWN - 1;
    if (file_read_no_link(path, TOOLCHAIN_SOURCE_MAX, &bytes, &length, &diagnostic) != STATUS_OK)
        return; // it was there a moment ago; its lines are told
    for (at = bytes; at < bytes + length && number <= last; number++) {
        size_t width = strcspn(at, "\r\n"), left = (size_t)(bytes + length - at);
        if (number >= lines[0])
            cli_print("    %4u | %.*s\n", number, width < 100 ? (int)width : 100, at);
        width += width < left && at[width] == '\r' && at[width + 1] == '\n';
        at += width + 1;
    }
    if (last < lines[1])
        cli_print("         | … %u more lines\n", lines[1] - last);
    free(bytes);
}

static void print_side(const struct comparison *comparison, const struct similar_pair *pair, int side)
{
    struct text names = {0};
    for (size_t i = 0, count = 0; i < comparison->count; i++)
        if (is_on_side(comparison, pair, side, i)) {
            text_puts(&names, count++ ? ", " : "");
            text_escape_name(&names, comparison->hand_ins[i].student);
        }
    cli_print("%s%s (%.0f %% of its own)%s", side ? "and " : "", text_get(&names), share_of(pair, side),
              side ? "\n" : " ");
    text_free(&names);
}

static void print_pair(const struct comparison *comparison, const struct similar_pair *pair)
{
    const char *paths[2];
    for (int side = 0; side < 2; side++) {
        print_side(comparison, pair, side);
        paths[side] = comparison->hand_ins[first_on_side(comparison, pair, side)].path;
    }
    for (size_t i = 0; i < pair->passage_count; i++)
        for (int side = 0; side < 2; side++) {
            const uint32_t *lines = pair->passages[i].lines[side];
            struct text path = {0};
            text_escape_name(&path, paths[side]);
            cli_print("  %s:%u-%u\n", text_get(&path), lines[0], lines[1]);
            text_free(&path);
            print_lines(paths[side], lines);
        }
    cli_print("\n");
}

static void print_comparison(const struct comparison *comparison)
{
    const struct similar_result *result = &comparison->result;
    if (!comparison->count)
        return;
    cli_print("%s: %zu hand-ins, %zu pairs that share more than was given\n", comparison->lesson->name,
              comparison->count, result->found);
    if (result->common)
        cli_print("What more than a quarter of the class has does not count: %zu places.\n", result->common);
    cli_print("\n");
    for (size_t i = 0; i < result->pair_count; i++)
        print_pair(comparison, &result->pairs[i]);
    if (result->found > result->pair_count)
        cli_print("… and %zu more pairs: --most shows them\n\n", result->found - result->pair_count);
}

// ---- the command

static int compare(struct comparisons *all, struct cli_call *call, const struct lesson **lessons)
{
    const struct similar_request *request = call->request;
    if (!give_lessons(all, &call->lessons->set))
        return CLI_USAGE;
    if (!class_visit(call->words[0], lessons, all->count, take_hand_in, all))
        return cli_usage(call->command, "'%s' is not a folder that can be read", call->words[0]);
    for (size_t i = 0; i < all->count; i++)
        similar_find(all->items[i].similarity, (size_t)request->most, &all->items[i].result);
    if (request->json)
        print_similar_json(all);
    for (size_t i = 0; i < all->count && !request->json; i++)
        print_comparison(&all->items[i]);
    if (!request->json)
        cli_print("A hint to a teacher, not a verdict: look at the lines.\n");
    return all->is_whole ? CLI_PASSED : CLI_USAGE;
}

static int run_similar(struct cli_call *call)
{
    const struct similar_request *request = call->request;
    struct comparisons all = {.is_whole = true};
    const struct lesson **lessons = lessons_named(call->lessons, &request->only, &all.count);
    if (!lessons)
        return CLI_USAGE;
    all.arena = arena_new();
    all.items = mem_alloc((all.count + 1) * sizeof *all.items);
    for (size_t i = 0; i < all.count; i++)
        all.items[i] = (struct comparison){.lesson = lessons[i], .similarity = similar_new()};
    int status = compare(&all, call, lessons);
    for (size_t i = 0; i < all.count; i++) {
        similar_result_free(&all.items[i].result);
        similar_free(all.items[i].similarity);
        free(all.items[i].hand_ins);
    }
    free(all.items);
    free(lessons);
    arena_free(all.arena);
    return status;
}

const struct cli_command cli_command_class_similar = {
    .name = "class similar",
    .arguments = "FOLDER",
    .summary = "Name pairs of hand-ins that share more than the lab gave",
    .description = "Compares the hand-ins of each lesson as tokens, whatever their names, comments,\n"
                   "layout and order, without what the lab shows to all. A hint to a teacher: two\n"
                   "may have had the same idea. (A folder of that name is ./similar.)",
    .options = similar_options,
    .request_size = sizeof(struct similar_request),
    .defaults = &(const struct similar_request){.most = 50},
    .least_words = 1,
    .most_words = 1,
    .word_rule = "give the folder that holds one folder for each student",
    .scope = CLI_SET,
    .run = run_similar,
};
