// `swizzle`: the least padding and the simplest XOR swizzle of a tile that keep a list of accesses free of conflicts.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "cli/cli.h"
#include "model/layouts.h"

enum { MAX_ACCESSES = 8, MAX_SIDE = 4096, MAX_TILE_BYTES = 227 * 1024, LEAST_WORDS = 3 };

struct swizzle_request {
    uint32_t across; // 0: as many threads as fit
    bool json;
};

static const struct cli_option swizzle_options[] = {
    CLI_OPTION_JSON(struct swizzle_request, json),
    {0, "block", "X", "blockDim.x up to 32, a power of two (default: what fits)",
     CLI_TO_NUMBER(struct swizzle_request, across, 1, WARP_LANES, "a power of two up to 32")},
    {0},
};

static const struct tile_type {
    const char *name;
    uint32_t bytes;
} tile_types[] = {
    {"float", 4},    {"half", 2},          {"double", 8}, {"int", 4},      {"char", 1},  {"short", 2},
    {"__half", 2},   {"__nv_bfloat16", 2}, {"float2", 8}, {"float4", 16},  {"half2", 4}, {"__half2", 4},
    {"double2", 16}, {"int2", 8},          {"int4", 16},  {"unsigned", 4}, {"long", 8},  {"uint4", 16},
};

static const struct walk_name {
    const char *name;
    enum layout_walk walk;
} walk_names[] = {{"row", LAYOUT_ROW},
                  {"column", LAYOUT_COLUMN},
                  {"ldmatrix", LAYOUT_MATRIX},
                  {"stmatrix", LAYOUT_MATRIX},
                  {"wgmma", LAYOUT_WGMMA}};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

// What is asked, and what was found.
struct swizzling {
    const char *type;
    struct layout plain, padded, swizzled;
    const char *names[MAX_ACCESSES];
    struct layout_access accesses[MAX_ACCESSES];
    size_t count;
    bool has_padding, has_swizzle;
};

// ---- the line

static int take_access(const struct cli_call *call, const char *word, struct swizzling *task)
{
    const struct swizzle_request *request = call->request;
    struct layout_access *access = &task->accesses[task->count];
    const struct layout *plain = &task->plain;
    size_t length = strcspn(word, ":");
    long long vector = 1;
    const struct walk_name *found = NULL;
    for (size_t i = 0; i < LENGTH(walk_names); i++)
        if (strlen(walk_names[i].name) == length && memcmp(walk_names[i].name, word, length) == 0)
            found = &walk_names[i];
    if (!found)
        return cli_usage(call->command, "there is no access '%s'", word);
    bool is_matrix = found->walk == LAYOUT_MATRIX || found->walk == LAYOUT_WGMMA;
    if (is_matrix && (word[length] || plain->bytes > 4))
        return cli_usage(call->command, "%s reads 16 bytes of a row, of elements up to 4 bytes", found->name);
    if (word[length] && (!cli_number(word + length + 1, 1, 16, &vector) || vector & (vector - 1)))
        return cli_usage(call->command, "'%s': behind the colon stands how many elements a lane takes: 2, 4, 8 or 16",
                         word);
    access->walk = found->walk;
    access->vector = is_matrix ? 16 / plain->bytes : (uint32_t)vector;
    if (access->vector * plain->bytes > 16)
        return cli_usage(call->command, "'%s': a lane moves 16 bytes at most", word);
    if (plain->columns % access->vector)
        return cli_usage(call->command, "'%s': %u columns are not whole pieces of %u elements", word, plain->columns,
                         access->vector);
    uint32_t row_bytes = plain->columns * plain->bytes;
    if (access->walk == LAYOUT_WGMMA && (plain->rows % 8 || (row_bytes != 32 && row_bytes != 64 && row_bytes != 128)))
        return cli_usage(call->command,
                         "wgmma takes rows of 32, 64 or 128 bytes, eight at a time: split the tile into panels of %u "
                         "columns",
                         128 / plain->bytes);
    uint32_t most = access->walk == LAYOUT_COLUMN ? plain->rows : plain->columns / access->vector;
    access->across = request->across ? request->across : most >= WARP_LANES ? WARP_LANES : 1u << layout_bits(most);
    task->names[task->count++] = word;
    return CLI_GO_ON;
}

static int read_tile(const struct cli_call *call, struct swizzling *task)
{
    char **words = call->words;
    long long rows, columns;
    size_t i = 0;
    while (i < LENGTH(tile_types) && strcmp(tile_types[i].name, words[0]) != 0)
        i++;
    if (i == LENGTH(tile_types))
        return cli_usage(call->command, "'%s' is no type of 1, 2, 4, 8 or 16 bytes that this knows", words[0]);
    if (!cli_number(words[1], 1, MAX_SIDE, &rows) || !cli_number(words[2], 1, MAX_SIDE, &columns))
        return cli_usage(call->command, "rows and columns are numbers from 1 to %d", MAX_SIDE);
    if (rows * columns * tile_types[i].bytes > MAX_TILE_BYTES)
        return cli_usage(call->command, "this tile has %lld bytes, no block has more than %d",
                         rows * columns * tile_types[i].bytes, MAX_TILE_BYTES);
    task->type = words[0];
    task->plain = (struct layout){.rows = (uint32_t)rows, .columns = (uint32_t)columns, .bytes = tile_types[i].bytes};
    return CLI_GO_ON;
}

static int read_task(const struct cli_call *call, struct swizzling *task)
{
    static char *const defaults[] = {"float", "32", "32", "row", "column"};
    const struct swizzle_request *request = call->request;
    struct cli_call whole = *call;
    char *words[LEAST_WORDS + MAX_ACCESSES];
    if (request->across & (request->across - 1))
        return cli_usage(call->command, "--block wants a power of two up to 32");
    if (call->word_count && call->word_count < LEAST_WORDS)
        return cli_usage(call->command, "name the type, the rows and the columns of the tile");
    memcpy(words, defaults, sizeof defaults);
    for (size_t i = 0; i < call->word_count; i++)
        words[i] = call->words[i];
    whole.words = words;
    whole.word_count = call->word_count > LEAST_WORDS ? call->word_count : LENGTH(defaults);
    int status = read_tile(&whole, task);
    for (size_t i = LEAST_WORDS; i < whole.word_count && status == CLI_GO_ON; i++)
        status = take_access(call, words[i], task);
    return status;
}

// ---- C

// Can the key be told by the row alone, and does it change the column alone?
static bool key_is_of_row(const struct layout *layout, const struct layout_key *key)
{
    uint32_t width = layout_bits(layout->columns);
    return layout->columns == 1u << width && key->m + key->b <= width && key->m + key->s >= width;
}

static void put_row_key(const struct layout *layout, const struct layout_key *key, struct text *out)
{
    uint32_t shift = key->m + key->s - layout_bits(layout->columns), most = (1u << key->b) - 1;
    bool is_masked = (layout->rows - 1) >> shift > most;
    if (shift == key->m && (is_masked || shift))
        text_printf(out, " ^ (r & %u)", most << shift);
    else if (shift == key->m)
        text_puts(out, " ^ r");
    else if (key->m && !shift && !is_masked)
        text_printf(out, " ^ (r << %u)", key->m);
    else if (key->m) {
        text_puts(out, " ^ ((r");
        if (shift)
            text_printf(out, " >> %u", shift);
        if (is_masked)
            text_printf(out, " & %u", most);
        text_printf(out, ") << %u)", key->m);
    } else {
        text_printf(out, " ^ (r >> %u", shift);
        if (is_masked)
            text_printf(out, " & %u", most);
        text_puts(out, ")");
    }
}

// The place of element (r, c) as an expression.
static void put_c_place(const struct layout *layout, struct text *out)
{
    bool is_of_row = true;
    for (int i = 0; i < LAYOUT_KEYS; i++)
        is_of_row &= layout->keys[i].b == 0 || key_is_of_row(layout, &layout->keys[i]);
    text_puts(out, is_of_row ? "tile[r][c" : "tile[");
    if (!is_of_row)
        text_printf(out, "(r * %u + c)", layout->columns);
    for (int i = 0; i < LAYOUT_KEYS; i++) {
        const struct layout_key *key = &layout->keys[i];
        if (key->b && is_of_row)
            put_row_key(layout, key, out);
        else if (key->b)
            text_printf(out, " ^ ((r * %u + c) >> %u & %" PRIu64 ")", layout->columns, key->s, layout_targets(key));
    }
    text_puts(out, "]");
}

static bool is_flat(const struct layout *layout)
{
    struct text element = {0};
    put_c_place(layout, &element);
    bool is = !text_starts(text_get(&element), "tile[r]");
    text_free(&element);
    return is;
}

static void put_declaration(const struct swizzling *task, const struct layout *layout, struct text *out)
{
    uint32_t widest = 1, pitch = layout->columns + layout->padding;
    for (size_t i = 0; i < task->count; i++)
        widest = task->accesses[i].vector > widest ? task->accesses[i].vector : widest;
    text_puts(out, "__shared__ ");
    if (widest > 1)
        text_printf(out, "__align__(%u) ", widest * layout->bytes);
    if (is_flat(layout))
        text_printf(out, "%s tile[%u];", task->type, layout->rows * pitch);
    else
        text_printf(out, "%s tile[%u][%u];", task->type, layout->rows, pitch);
}

// ---- JSON

static uint64_t all_wavefronts(const struct swizzling *task, const struct layout *layout)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < task->count; i++) {
        struct layout_cost cost;
        layout_count(layout, &task->accesses[i], false, &cost);
        sum += cost.wavefronts;
    }
    return sum;
}

static json_t *layout_json(const struct swizzling *task, bool is_there, const struct layout *layout)
{
    struct text declaration = {0}, element = {0};
    if (!is_there)
        return json_null();
    put_declaration(task, layout, &declaration);
    put_c_place(layout, &element);
    json_t *keys = json_array();
    for (int i = 0; i < LAYOUT_KEYS && layout->keys[i].b; i++)
        json_array_append_new(keys, json_pack("[i, i, i]", layout->keys[i].b, layout->keys[i].m, layout->keys[i].s));
    json_t *json = json_pack("{s:i, s:o, s:I, s:I, s:s, s:s}", "padding", layout->padding, "keys", keys, "bytes",
                             (json_int_t)layout_size(layout), "wavefronts", (json_int_t)all_wavefronts(task, layout),
                             "declaration", text_get(&declaration), "element", text_get(&element));
    text_free(&declaration);
    text_free(&element);
    return json;
}

static void print_json(const struct swizzling *task)
{
    json_t *accesses = json_array();
    for (size_t i = 0; i < task->count; i++) {
        struct layout_cost cost;
        layout_count(&task->plain, &task->accesses[i], false, &cost);
        json_array_append_new(accesses,
                              json_pack("{s:o, s:I, s:I, s:I}", "access", fields_string(task->names[i]), "warps",
                                        (json_int_t)cost.warps, "wavefronts", (json_int_t)cost.wavefronts, "conflicts",
                                        (json_int_t)cost.conflicts));
    }
    cli_print_json(json_pack("{s:s, s:i, s:i, s:o, s:o, s:o}", "type", task->type, "rows", task->plain.rows, "columns",
                             task->plain.columns, "accesses", accesses, "padding",
                             layout_json(task, task->has_padding, &task->padded), "swizzle",
                             layout_json(task, task->has_swizzle, &task->swizzled)));
}

// ---- text

static void put_pair(const struct layout_cost *cost, struct text *out)
{
    text_printf(out, "warp at (%u, %u): lanes %u and %u want different words of bank %u", cost->row, cost->column,
                cost->lane, cost->other, cost->bank);
}

static void put_accesses(const struct swizzling *task, struct text *out)
{
    text_printf(out, "%s tile[%u][%u], %" PRIu64 " bytes\n\n  access        warps wavefronts conflicts\n", task->type,
                task->plain.rows, task->plain.columns, layout_size(&task->plain));
    for (size_t i = 0; i < task->count; i++) {
        struct layout_cost cost;
        layout_count(&task->plain, &task->accesses[i], false, &cost);
        text_printf(out, "  %-12s %6" PRIu64 " %10" PRIu64 " %9" PRIu64 "\n", task->names[i], cost.warps,
                    cost.wavefronts, cost.conflicts);
        if (cost.conflicts) {
            text_puts(out, "    ");
            put_pair(&cost, out);
            text_puts(out, "\n");
        }
    }
}

static void put_cute(const struct layout *layout, uint32_t shift, struct text *out)
{
    for (int i = 0; i < LAYOUT_KEYS && layout->keys[i].b; i++)
        text_printf(out, "%sSwizzle<%u, %u, %u>", i ? " after " : "", layout->keys[i].b, layout->keys[i].m + shift,
                    layout->keys[i].s);
}

static void put_answer(const struct swizzling *task, const struct layout *layout, struct text *out)
{
    uint64_t warps = 0;
    text_puts(out, "  ");
    put_declaration(task, layout, out);
    text_puts(out, "\n  ");
    put_c_place(layout, out);
    text_puts(out, "\n");
    if (layout->keys[0].b) {
        const struct layout_key *key = layout->keys;
        uint32_t shift = layout_bits(layout->bytes);
        text_puts(out, "  CuTe: ");
        put_cute(layout, 0, out);
        text_puts(out, " of elements, ");
        put_cute(layout, shift, out);
        text_puts(out, " of bytes\n");
        if (key->s == 3 && key->m + shift == 4 && layout->columns * layout->bytes == 16u << key->b && !key[1].b)
            text_printf(out, "  (the %u-byte swizzle of tensor copies and of wgmma)\n", 16u << key->b);
    }
    for (size_t i = 0; i < task->count; i++) {
        struct layout_cost cost;
        layout_count(layout, &task->accesses[i], false, &cost);
        warps += cost.warps;
    }
    text_printf(out, "  counted: %" PRIu64 " warps, %" PRIu64 " wavefronts, 0 conflicts\n", warps,
                all_wavefronts(task, layout));
}

// The layout with the fewest conflicts so far.
struct best_layout {
    struct layout layout;
    uint64_t conflicts;
    bool is_there;
};

static void try_layout(const struct swizzling *task, const struct layout *layout, struct best_layout *best)
{
    uint64_t conflicts = 0;
    for (size_t i = 0; i < task->count; i++) {
        struct layout_cost cost;
        layout_count(layout, &task->accesses[i], false, &cost);
        if (!cost.is_possible)
            return;
        conflicts += cost.conflicts;
    }
    if (!best->is_there || conflicts < best->conflicts)
        *best = (struct best_layout){*layout, conflicts, true};
}

// Which accesses still collide in it, and where.
static void put_collisions(const struct swizzling *task, const struct layout *layout, struct text *out)
{
    for (size_t i = 0; i < task->count; i++) {
        struct layout_cost cost;
        layout_count(layout, &task->accesses[i], false, &cost);
        if (!cost.conflicts)
            continue;
        text_printf(out, "    %s: %" PRIu64 " conflicts in %" PRIu64 " warps; ", task->names[i], cost.conflicts,
                    cost.warps);
        put_pair(&cost, out);
        text_puts(out, "\n");
    }
}

// Which row lengths each access alone would take.
static void put_no_padding(const struct swizzling *task, struct text *out)
{
    uint32_t paddings = layout_paddings(&task->plain), columns = task->plain.columns;
    text_printf(out, "\nPadding: none. All row lengths from %u to %u elements were counted; banks repeat after that.\n",
                columns, columns + paddings - 1);
    for (size_t i = 0; i < task->count; i++) {
        struct layout layout = task->plain;
        uint32_t found = 0;
        text_printf(out, "  %s alone is free ", task->names[i]);
        for (layout.padding = 0; layout.padding < paddings && found < 5; layout.padding++)
            if (layout_is_free(&layout, &task->accesses[i], 1))
                text_printf(out, found++ ? ", %u" : "with rows of %u", columns + layout.padding);
        text_puts(out, found == 5 ? " …\n" : found ? "\n" : "with none of them\n");
    }
    struct best_layout best = {0};
    struct layout layout = task->plain;
    for (; layout.padding < paddings; layout.padding++)
        try_layout(task, &layout, &best);
    if (best.is_there) {
        text_printf(out, "  the best, rows of %u:\n", columns + best.layout.padding);
        put_collisions(task, &best.layout, out);
    } else {
        for (size_t i = 0; i < task->count; i++)
            if (task->accesses[i].walk == LAYOUT_WGMMA)
                text_puts(out, "  (wgmma's descriptor knows no padding)\n");
    }
}

static void put_no_swizzle(const struct swizzling *task, struct text *out)
{
    text_puts(out, "\nSwizzle: none. Every Swizzle<B, M, S> that changes a bank was counted, and every pair.\n");
    for (size_t i = 0; i < task->count; i++) {
        struct layout layout;
        text_printf(out, "  %s alone is free ", task->names[i]);
        if (!layout_swizzle(&task->plain, &task->accesses[i], 1, &layout))
            text_puts(out, "with none of them\n");
        else if (layout.keys[0].b) {
            text_puts(out, "with ");
            put_cute(&layout, 0, out);
            text_puts(out, " of elements\n");
        } else
            text_puts(out, "without one\n");
    }
}

// ---- the drawing: banks of the first elements

static void put_banks_row(const struct layout *layout, uint32_t row, uint32_t unit, struct text *out)
{
    for (uint32_t i = 0; i < 8; i++) {
        if (i * unit < layout->columns)
            text_printf(out, " %2u", (uint32_t)(layout_offset(layout, row, i * unit) / BANK_BYTES % BANKS));
        else
            text_puts(out, "   ");
    }
}

static void end_drawn_line(struct text *out)
{
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_puts(out, "\n");
}

static void put_drawing(const struct swizzling *task, struct text *out)
{
    uint32_t unit = 1;
    for (size_t i = 0; i < task->count; i++)
        unit = task->accesses[i].vector > unit ? task->accesses[i].vector : unit;
    if (unit * task->plain.bytes < BANK_BYTES)
        unit = BANK_BYTES / task->plain.bytes;
    bool is_padded = task->has_padding && task->padded.padding,
         is_swizzled = task->has_swizzle && task->swizzled.keys[0].b;
    const struct layout *drawn[] = {is_padded && is_swizzled ? &task->padded : &task->plain,
                                    is_swizzled ? &task->swizzled : &task->padded};
    const char *titles[] = {is_padded && is_swizzled ? "padded" : "as it is", is_swizzled ? "swizzled" : "padded"};
    size_t count = is_padded || is_swizzled ? 2 : 1;
    text_puts(out, "\nThe bank where an element begins\n            ");
    for (size_t k = 0; k < count; k++)
        text_printf(out, k ? "   %-24s" : "%-24s", titles[k]);
    end_drawn_line(out);
    text_puts(out, "  column   ");
    for (size_t k = 0; k < count; k++) {
        text_puts(out, k ? "   " : "");
        for (uint32_t i = 0; i < 8; i++)
            text_printf(out, i * unit < task->plain.columns ? " %2u" : "   ", i * unit);
    }
    end_drawn_line(out);
    for (uint32_t row = 0; row < 8 && row < task->plain.rows; row++) {
        text_printf(out, "  row %2u   ", row);
        for (size_t k = 0; k < count; k++) {
            text_puts(out, k ? "   " : "");
            put_banks_row(drawn[k], row, unit, out);
        }
        end_drawn_line(out);
    }
}

static void print_text(const struct swizzling *task)
{
    struct text out = {0};
    put_accesses(task, &out);
    if (task->has_padding && task->padded.padding == 0) {
        text_puts(&out, "\nFree of conflicts as it is.\n");
    } else if (task->has_padding) {
        uint64_t more = layout_size(&task->padded) - layout_size(&task->plain);
        text_printf(&out, "\nPadding: %u element%s a row, %" PRIu64 " bytes more (%.1f %%)\n", task->padded.padding,
                    task->padded.padding == 1 ? "" : "s", more, 100 * (double)more / (double)layout_size(&task->plain));
        put_answer(task, &task->padded, &out);
    } else {
        put_no_padding(task, &out);
    }
    if (task->has_swizzle && task->swizzled.keys[0].b) {
        text_puts(&out, "\nSwizzle: no memory\n");
        put_answer(task, &task->swizzled, &out);
    } else if (!task->has_swizzle) {
        put_no_swizzle(task, &out);
    }
    put_drawing(task, &out);
    cli_print_text(&out);
}

static int run_swizzle(struct cli_call *call)
{
    const struct swizzle_request *request = call->request;
    struct swizzling task = {0};
    int status = read_task(call, &task);
    if (status != CLI_GO_ON)
        return status;
    task.has_padding = layout_pad(&task.plain, task.accesses, task.count, &task.padded);
    task.has_swizzle = layout_swizzle(&task.plain, task.accesses, task.count, &task.swizzled);
    if (request->json)
        print_json(&task);
    else
        print_text(&task);
    return task.has_padding || task.has_swizzle ? CLI_PASSED : CLI_FAILED;
}

const struct cli_command cli_command_swizzle = {
    .name = "swizzle",
    .arguments = "[TYPE ROWS COLUMNS [ACCESS…]]",
    .summary = "Find the padding and the swizzle of a tile that has no conflicts",
    .description = "For a tile in shared memory and all the accesses to it, the least padding and\n"
                   "the simplest XOR swizzle, proven by counting every warp. ACCESS is one of\n\n"
                   "  row          neighbouring threads touch neighbours in a row\n"
                   "  column       neighbouring threads touch neighbours in a column\n"
                   "  row:4        the same with 4 elements (2, 8, 16) a lane, up to 16 bytes\n"
                   "  ldmatrix     8 rows of 16 bytes for each matrix; stmatrix likewise\n"
                   "  wgmma        an operand, K along the row; counted as ldmatrix, laid out as a\n"
                   "               descriptor can name it\n\n"
                   "Without words: float 32 32 row column. Exit status 1: there is neither.",
    .options = swizzle_options,
    .request_size = sizeof(struct swizzle_request),
    .most_words = LEAST_WORDS + MAX_ACCESSES,
    .word_rule = "a type, rows, columns and at most 8 accesses",
    .run = run_swizzle,
};
