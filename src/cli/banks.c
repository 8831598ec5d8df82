// `banks`: the bank calculator.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "cli/cli.h"
#include "record/heatmap.h"
#include "model/patterns.h"

struct banks_request {
    const char *file, *op, *bytes;
    long long stride; // NO_STRIDE: offsets are given
    int64_t mask;     // ALL_LANES: none is given
    bool json, each_lane;
};

enum { NO_STRIDE = -1, ALL_LANES = -1 };

static bool read_mask(void *field, const char *word)
{
    char *end;
    unsigned long mask = strtoul(word, &end, 16);
    *(int64_t *)field = (int64_t)mask;
    return end != word && *end == '\0' && mask <= UINT32_MAX;
}

static const char *const byte_counts[] = {"1", "2", "4", "8", "16", NULL};

static const struct cli_option banks_options[] = {
    {'f', "file", "CSV", "patterns from a file ('-': standard input)", CLI_TO_STRING(struct banks_request, file)},
    CLI_OPTION_JSON(struct banks_request, json),
    {0, "stride", "N", "lane l accesses element l * N",
     CLI_TO_NUMBER(struct banks_request, stride, 0, 1 << 24, "a number from 0")},
    {0, "bytes", "N", "bytes per lane: 1, 2, 4 (default), 8 or 16",
     CLI_TO_CHOICE(struct banks_request, bytes, byte_counts)},
    {0, "op", "NAME", "ld32 (default), st128, atom32, cpasync16, gld32 …", CLI_TO_STRING(struct banks_request, op)},
    {0, "mask", "HEX", "active lanes (default: all that have an offset)",
     CLI_TO_READ(struct banks_request, mask, read_mask, "32 bits as hex digits")},
    {0, "lanes", NULL, "draw a row for each lane", CLI_TO_FLAG(struct banks_request, each_lane)},
    {0},
};

static json_t *cost_number(uint32_t value)
{
    return value == PATTERN_NONE ? json_null() : json_integer(value);
}

static json_t *pattern_json(const struct pattern *pattern, const struct pattern_cost *cost)
{
    char mask[16];
    snprintf(mask, sizeof mask, "%08" PRIx32, pattern->mask);
    return json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o}", "label", fields_string(pattern->label), "op",
                     pattern->op->name, "active_mask", mask, "wavefronts", cost_number(cost->wavefronts), "conflicts",
                     cost_number(cost->conflicts), "requests", cost_number(cost->requests), "sectors",
                     cost_number(cost->sectors));
}

// ---- a file of patterns

static bool agrees(uint32_t counted, uint32_t measured)
{
    return measured == PATTERN_NONE || counted == measured;
}

static bool row_is_measured(const struct pattern *pattern)
{
    const struct pattern_cost *measured = &pattern->measured;
    return measured->wavefronts != PATTERN_NONE || measured->conflicts != PATTERN_NONE ||
           measured->requests != PATTERN_NONE || measured->sectors != PATTERN_NONE;
}

static bool row_agrees(const struct pattern *pattern, const struct pattern_cost *cost)
{
    const struct pattern_cost *measured = &pattern->measured;
    return agrees(cost->wavefronts, measured->wavefronts) && agrees(cost->conflicts, measured->conflicts) &&
           agrees(cost->requests, measured->requests) && agrees(cost->sectors, measured->sectors);
}

static void print_number(uint32_t value)
{
    if (value == PATTERN_NONE)
        cli_print("%11s", "-");
    else
        cli_print("%11" PRIu32, value);
}

static void print_row(const char *label, const char *op, const struct pattern_cost *cost)
{
    cli_print("%-24s %-12s", label, op);
    print_number(cost->wavefronts);
    print_number(cost->conflicts);
    print_number(cost->requests);
    print_number(cost->sectors);
    cli_print("\n");
}

static int print_patterns(const struct pattern_list *list)
{
    size_t measured = 0, agreeing = 0;
    for (size_t i = 0; i < list->count; i++)
        measured += row_is_measured(&list->items[i]);
    bool heading = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct pattern *pattern = &list->items[i];
        struct pattern_cost cost = patterns_evaluate(pattern);
        bool agree = row_agrees(pattern, &cost);
        agreeing += row_is_measured(pattern) && agree;
        if (measured == list->count && agree)
            continue; // of a fully measured file only what differs is news
        if (!heading)
            cli_print("%-24s %-12s%11s%11s%11s%11s\n", "label", "op", "wavefronts", "conflicts", "requests", "sectors");
        heading = true;
        print_row(pattern->label, pattern->op->name, &cost);
        if (!agree)
            print_row("", "  measured", &pattern->measured);
    }
    if (measured)
        cli_print("%zu of %zu rows agree with the measured columns.\n", agreeing, measured);
    return agreeing == measured ? CLI_PASSED : CLI_FAILED;
}

static int count_file(const char *path, bool json)
{
    struct pattern_list list = {0};
    struct diagnostic diagnostic = {0};
    int status = CLI_PASSED;
    if (patterns_read(strcmp(path, "-") == 0 ? "/dev/stdin" : path, &list, &diagnostic) != STATUS_OK) {
        status = cli_diagnostic(&diagnostic);
    } else if (list.count == 0) {
        status = cli_error("%s holds no patterns", path);
    } else if (json) {
        json_t *rows = json_array();
        for (size_t i = 0; i < list.count; i++) {
            struct pattern_cost cost = patterns_evaluate(&list.items[i]);
            json_array_append_new(rows, pattern_json(&list.items[i], &cost));
        }
        cli_print_json(rows);
    } else {
        status = print_patterns(&list);
    }
    pattern_list_free(&list);
    return status;
}

// ---- one pattern by hand

static int print_picture(const struct pattern *pattern, bool each_lane)
{
    struct text out = {0};
    struct bank_access access = pattern_banks(pattern);
    text_printf(&out, "%s, lanes %08" PRIx32 "\n\n", pattern->op->summary, pattern->mask);
    if (pattern->op->global)
        heatmap_sectors(access.bytes, access.mask, access.addresses, 16, &out);
    else
        heatmap_banks(&access, each_lane ? 1 : 4, &out);
    cli_print_text(&out);
    return CLI_PASSED;
}

static int fill_offsets(const struct cli_call *call, struct pattern *pattern)
{
    const struct banks_request *request = call->request;
    uint32_t bytes = pattern->op->bytes;
    size_t count = call->word_count;
    bool has_stride = request->stride != NO_STRIDE;
    long long offset;
    if (has_stride && count > 0)
        return cli_usage(call->command, "give --stride or offsets, not both");
    for (int lane = 0; lane < WARP_LANES && has_stride; lane++)
        pattern->offsets[lane] = (uint64_t)(lane * request->stride * bytes);
    for (size_t lane = 0; lane < count; lane++) {
        if (!cli_number(call->words[lane], 0, INT64_C(1) << 47, &offset))
            return cli_usage(call->command, "'%s' is not a byte offset", call->words[lane]);
        if (offset % bytes)
            return cli_usage(call->command, "offset %lld is not a multiple of %" PRIu32 " bytes", offset, bytes);
        pattern->offsets[lane] = (uint64_t)offset;
    }
    uint32_t given = has_stride || count == WARP_LANES ? UINT32_MAX : (1u << count) - 1;
    pattern->mask = (uint32_t)request->mask & given;
    return CLI_PASSED;
}

static int count_one(const struct cli_call *call)
{
    const struct banks_request *request = call->request;
    char op[32];
    long bytes = strtol(request->bytes ? request->bytes : "4", NULL, 10);
    snprintf(op, sizeof op, "ld%ld", bytes * 8);
    struct pattern pattern = {.label = (char *)"", .op = pattern_op_find(request->op ? request->op : op)};
    if (!pattern.op)
        return cli_usage(call->command, "there is no operation '%s'", request->op ? request->op : op);
    if (request->bytes && bytes != (long)pattern.op->bytes)
        return cli_usage(call->command, "%s takes %" PRIu32 " bytes a lane, not %ld: leave --bytes out",
                         pattern.op->name, pattern.op->bytes, bytes);
    if (request->stride == NO_STRIDE && call->word_count == 0)
        return cli_usage(call->command, "give a file, a stride or byte offsets");
    int status = fill_offsets(call, &pattern);
    if (status != CLI_PASSED)
        return status;
    if (!request->json)
        return print_picture(&pattern, request->each_lane);
    struct pattern_cost cost = patterns_evaluate(&pattern);
    cli_print_json(pattern_json(&pattern, &cost));
    return CLI_PASSED;
}

static int run_banks(struct cli_call *call)
{
    const struct banks_request *request = call->request;
    if (!request->file)
        return count_one(call);
    if (call->word_count)
        return cli_usage(call->command, "--file and offsets do not go together");
    if (request->stride != NO_STRIDE || request->mask != ALL_LANES || request->bytes || request->op)
        return cli_usage(call->command,
                         "--file says all of its patterns: leave --stride, --bytes, --op and --mask out");
    return count_file(request->file, request->json);
}

const struct cli_command cli_command_banks = {
    .name = "banks",
    .arguments = "[OFFSET…]",
    .summary = "Count what one warp's access costs: banks, wavefronts, sectors",
    .description = "By hand: 'bankshot banks --stride 8' draws a warp that reads every eighth\n"
                   "word; up to 32 byte offsets may be given instead, one for each lane. From a\n"
                   "file: lines of label,op,active_mask and 32 byte offsets, as in\n"
                   "tests/golden/h200_patterns.csv; measured columns, where a file has them, are\n"
                   "compared.",
    .options = banks_options,
    .request_size = sizeof(struct banks_request),
    .defaults = &(const struct banks_request){.stride = NO_STRIDE, .mask = ALL_LANES},
    .most_words = WARP_LANES,
    .word_rule = "a warp has 32 lanes, and so at most 32 offsets",
    .run = run_banks,
};
