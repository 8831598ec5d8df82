// `banks`: the bank calculator.
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "model/heatmap.h"
#include "model/patterns.h"

enum { OPTION_OP = CLI_LONG + 100, OPTION_STRIDE, OPTION_BYTES, OPTION_MASK, OPTION_LANES };

static const struct cli_option options[] = {
    {'f', "file", "CSV", "patterns from a file ('-': standard input)"},
    CLI_OPTION_JSON,
    {OPTION_STRIDE, "stride", "N", "lane l accesses element l * N"},
    {OPTION_BYTES, "bytes", "N", "bytes per lane: 1, 2, 4 (default), 8 or 16"},
    {OPTION_OP, "op", "NAME", "ld32 (default), st128, atom32, cpasync16, gld32 …"},
    {OPTION_MASK, "mask", "HEX", "active lanes (default: all that have an offset)"},
    {OPTION_LANES, "lanes", NULL, "draw a row for each lane"},
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
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "label", pattern->label, "op", pattern->op->name,
                     "active_mask", mask, "wavefronts", cost_number(cost->wavefronts), "conflicts",
                     cost_number(cost->conflicts), "requests", cost_number(cost->requests), "sectors",
                     cost_number(cost->sectors));
}

static int print_json(json_t *json)
{
    json_dumpf(json, stdout, JSON_PRESERVE_ORDER | JSON_INDENT(2));
    putchar('\n');
    json_decref(json);
    return CLI_PASSED;
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
        printf("%11s", "-");
    else
        printf("%11" PRIu32, value);
}

static void print_row(const char *label, const char *op, const struct pattern_cost *cost)
{
    printf("%-24s %-12s", label, op);
    print_number(cost->wavefronts);
    print_number(cost->conflicts);
    print_number(cost->requests);
    print_number(cost->sectors);
    putchar('\n');
}

static int print_table(const struct pattern_list *list)
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
            printf("%-24s %-12s%11s%11s%11s%11s\n", "label", "op", "wavefronts", "conflicts", "requests", "sectors");
        heading = true;
        print_row(pattern->label, pattern->op->name, &cost);
        if (!agree)
            print_row("", "  measured", &pattern->measured);
    }
    if (measured)
        printf("%zu of %zu rows agree with the measured columns.\n", agreeing, measured);
    return agreeing == measured ? CLI_PASSED : CLI_FAILED;
}

static int count_file(const char *path, bool json)
{
    struct pattern_list list = {0};
    struct diagnostic diagnostic = {0};
    int status;
    if (patterns_read(strcmp(path, "-") == 0 ? "/dev/stdin" : path, &list, &diagnostic) != STATUS_OK) {
        status = cli_diagnostic(&diagnostic);
    } else if (json) {
        json_t *rows = json_array();
        for (size_t i = 0; i < list.count; i++) {
            struct pattern_cost cost = patterns_evaluate(&list.items[i]);
            json_array_append_new(rows, pattern_json(&list.items[i], &cost));
        }
        status = print_json(rows);
    } else {
        status = print_table(&list);
    }
    pattern_list_free(&list);
    return status;
}

// ---- one pattern by hand

struct request {
    const char *op;
    long long bytes, stride;
    bool has_stride, has_mask, each_lane;
    uint32_t mask;
};

static int print_picture(const struct pattern *pattern, bool each_lane)
{
    struct text out = {0};
    struct heatmap_access access = {.kind = pattern->op->kind,
                                    .bytes = pattern->op->bytes,
                                    .mask = pattern->mask,
                                    .rows = pattern->op->rows,
                                    .addresses = pattern->offsets};
    text_printf(&out, "%s, lanes %08" PRIx32 "\n\n", pattern->op->summary, pattern->mask);
    if (pattern->op->global)
        heatmap_sectors(&access, 16, &out);
    else
        heatmap_banks(&access, each_lane ? 1 : 4, &out);
    fputs(text_get(&out), stdout);
    text_free(&out);
    return CLI_PASSED;
}

static int fill_offsets(const struct request *request, int count, char **words, struct pattern *pattern)
{
    uint32_t bytes = pattern->op->bytes;
    long long offset;
    if (request->has_stride && count > 0)
        return cli_usage(&cli_command_banks, "give --stride or offsets, not both");
    if (count > WARP_LANES)
        return cli_usage(&cli_command_banks, "a warp has 32 lanes, and so at most 32 offsets");
    for (int lane = 0; lane < WARP_LANES && request->has_stride; lane++)
        pattern->offsets[lane] = (uint64_t)(lane * request->stride * bytes);
    for (int lane = 0; lane < count; lane++) {
        if (!cli_number(words[lane], 0, INT64_C(1) << 47, &offset))
            return cli_usage(&cli_command_banks, "'%s' is no byte offset", words[lane]);
        if (offset % bytes)
            return cli_usage(&cli_command_banks, "offset %lld is no multiple of %" PRIu32 " bytes", offset, bytes);
        pattern->offsets[lane] = (uint64_t)offset;
    }
    uint32_t given = request->has_stride || count == WARP_LANES ? UINT32_MAX : (1u << count) - 1;
    pattern->mask = request->has_mask ? request->mask & given : given;
    return CLI_PASSED;
}

static int count_one(const struct request *request, int count, char **words, bool json)
{
    char op[32];
    snprintf(op, sizeof op, "ld%lld", request->bytes * 8);
    struct pattern pattern = {.label = (char *)"", .op = pattern_op_find(request->op ? request->op : op)};
    if (!pattern.op)
        return cli_usage(&cli_command_banks, "there is no operation '%s'", request->op ? request->op : op);
    if (!request->has_stride && count == 0)
        return cli_usage(&cli_command_banks, "give a file, a stride or byte offsets");
    int status = fill_offsets(request, count, words, &pattern);
    if (status != CLI_PASSED)
        return status;
    if (!json)
        return print_picture(&pattern, request->each_lane);
    struct pattern_cost cost = patterns_evaluate(&pattern);
    return print_json(pattern_json(&pattern, &cost));
}

static int run(int argc, char **argv)
{
    struct request request = {.bytes = 4};
    struct cli_line line = cli_begin(&cli_command_banks, argc, argv);
    const char *file = NULL;
    char *end;
    for (int id; (id = cli_next(&line)) != CLI_END;) {
        switch (id) {
        case CLI_STOP:
            return line.exit;
        case 'f':
            file = line.value;
            break;
        case OPTION_OP:
            request.op = line.value;
            break;
        case OPTION_STRIDE:
            request.has_stride = true;
            if (!cli_number(line.value, 0, 1 << 24, &request.stride))
                return cli_usage(&cli_command_banks, "--stride wants a number from 0, not '%s'", line.value);
            break;
        case OPTION_BYTES:
            if (!cli_number(line.value, 1, 16, &request.bytes) || (request.bytes & (request.bytes - 1)))
                return cli_usage(&cli_command_banks, "--bytes is 1, 2, 4, 8 or 16, not '%s'", line.value);
            break;
        case OPTION_MASK:
            request.has_mask = true;
            request.mask = (uint32_t)strtoul(line.value, &end, 16);
            if (end == line.value || *end || strlen(line.value) > 10)
                return cli_usage(&cli_command_banks, "--mask wants 32 bits as hex digits, not '%s'", line.value);
            break;
        case OPTION_LANES:
            request.each_lane = true;
            break;
        default:
            break;
        }
    }
    int count;
    char **words = cli_rest(&line, &count);
    if (file)
        return count ? cli_usage(&cli_command_banks, "--file and offsets do not go together")
                     : count_file(file, line.settings.json);
    return count_one(&request, count, words, line.settings.json);
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
    .options = options,
    .run = run,
};
