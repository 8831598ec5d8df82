// Functions that the machine provides: vprintf, __assertfail, malloc, free.
#include <stdio.h>

#include "base/text.h"
#include "sim/machine.h"

enum { PRINT_LIMIT = 4096, HEAP_LIMIT = 8 << 20 }; // cudaLimitMallocHeapSize, unless the host asks for more

enum builtin sim_builtin(const char *name)
{
    static const struct {
        const char *name;
        enum builtin builtin;
    } known[] = {{"vprintf", BUILTIN_VPRINTF},
                 {"__assertfail", BUILTIN_ASSERTFAIL},
                 {"__assert_fail", BUILTIN_ASSERTFAIL},
                 {"malloc", BUILTIN_MALLOC},
                 {"free", BUILTIN_FREE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name))
            return known[i].builtin;
    return BUILTIN_NONE;
}

static uint64_t builtin_argument(struct exec *x, const struct call_site *site, uint32_t number, uint32_t lane)
{
    if (number >= site->argument_count)
        return 0;
    const struct call_value *value = &site->arguments[number];
    uint64_t bits = 0;
    if (value->in_memory)
        memcpy(&bits, x->warp->local + lane * x->warp->local_stride + x->fragment->frame->local + value->at,
               value->size < 8 ? value->size : 8);
    else
        memcpy(&bits, (const unsigned char *)slot_at(x, value->slot) + (value->wide ? 8 : 4) * lane,
               value->wide ? 8 : 4);
    return bits;
}

static void builtin_answer(struct exec *x, const struct call_site *site, uint32_t lane, uint64_t bits)
{
    if (!site->result_count)
        return;
    const struct call_value *value = &site->results[0];
    if (value->in_memory)
        memcpy(x->warp->local + lane * x->warp->local_stride + x->fragment->frame->local + value->at, &bits,
               value->size < 8 ? value->size : 8);
    else
        memcpy((unsigned char *)slot_at(x, value->slot) + (value->wide ? 8 : 4) * lane, &bits, value->wide ? 8 : 4);
}

// size bytes at a generic address of one lane; false: they are not all there
static bool builtin_peek(struct exec *x, uint64_t address, uint32_t lane, void *bytes, uint32_t size)
{
    struct place place;
    if (!sim_place_find(x, PTX_GENERIC, address, &place))
        return false;
    uint64_t offset = address - place.start;
    if (place.size < size || offset > place.size - size)
        return false;
    place_note(x, &place, offset, size, false);
    memcpy(bytes, place.data + offset + lane * place.lane_stride, size);
    return true;
}

static void peek_string(struct exec *x, uint64_t address, uint32_t lane, char *text, size_t size)
{
    size_t length = 0;
    while (length + 1 < size && builtin_peek(x, address + length, lane, &text[length], 1) && text[length])
        length++;
    text[length] = 0;
}

// What one lane prints: the arguments are packed as a C struct, ints on 4 bytes, long ones, doubles and pointers on 8.
struct printing {
    struct exec *x;
    uint32_t lane;
    uint64_t arguments; // where the next one is
};

static bool next_printed(struct printing *printing, uint32_t size, uint64_t *bits)
{
    uint64_t at = (printing->arguments + size - 1) / size * size;
    printing->arguments = at + size;
    *bits = 0;
    return builtin_peek(printing->x, at, printing->lane, bits, size);
}

// "%…" of a format: flags, width and precision as text for the host's printf; bytes: of an integer, as its length words
// say.
struct conversion {
    char spec[32];
    unsigned bytes;
    bool known;
};

static void print_one(const struct printing *printing, struct text *out, const struct conversion *conversion,
                      char letter, uint64_t bits)
{
    char format[48], text[PRINT_LIMIT], string[PRINT_LIMIT];
    const char *spec = conversion->spec;
    unsigned unused = 64 - 8 * conversion->bytes;
    double number;
    switch (letter) {
    case 'd':
    case 'i':
        snprintf(format, sizeof format, "%sll%c", spec, letter);
        snprintf(text, sizeof text, format, (long long)((int64_t)(bits << unused) >> unused));
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        snprintf(format, sizeof format, "%sll%c", spec, letter);
        snprintf(text, sizeof text, format, (unsigned long long)(bits << unused >> unused));
        break;
    case 'c':
        snprintf(format, sizeof format, "%sc", spec);
        snprintf(text, sizeof text, format, (int)(unsigned char)bits);
        break;
    case 'p':
    case 's':
        if (letter == 'p' && bits)
            snprintf(string, sizeof string, "0x%llx", (unsigned long long)bits);
        else if (bits)
            peek_string(printing->x, bits, printing->lane, string, sizeof string);
        else
            strcpy(string, letter == 'p' ? "(nil)" : "(null)");
        snprintf(format, sizeof format, "%ss", spec);
        snprintf(text, sizeof text, format, string);
        break;
    default:
        memcpy(&number, &bits, 8);
        snprintf(format, sizeof format, "%s%c", spec, letter);
        snprintf(text, sizeof text, format, number);
    }
    text_puts(out, text);
}

// Flags, width and precision as written ('*' takes an argument), bounded so that no format asks for megabytes.
static const char *scan_spec(struct printing *printing, const char *at, struct conversion *conversion)
{
    size_t used = 0;
    unsigned number = 0;
    uint64_t star;
    *conversion = (struct conversion){.bytes = 4, .known = true};
    conversion->spec[used++] = *at++;
    for (; *at && strchr("-+ #0123456789.*", *at); at++) {
        char piece[16] = {*at};
        number = *at >= '0' && *at <= '9' ? number * 10 + (unsigned)(*at - '0') : 0;
        if (*at == '*') {
            conversion->known &= next_printed(printing, 4, &star) && (int32_t)star >= -512 && (int32_t)star <= 512;
            snprintf(piece, sizeof piece, "%d", conversion->known ? (int32_t)star : 0);
        }
        if (number > 512 || used + strlen(piece) >= sizeof conversion->spec)
            conversion->known = false;
        else
            used += (size_t)sprintf(conversion->spec + used, "%s", piece);
    }
    for (; *at && strchr("lhzjt", *at); at++)
        conversion->bytes = *at == 'h' ? conversion->bytes / 2 : 8;
    return at;
}

// The number of its arguments, as printf answers on a GPU.
static int print_lane(struct exec *x, struct text *out, uint64_t format_at, uint64_t arguments, uint32_t lane)
{
    char format[PRINT_LIMIT];
    struct printing printing = {x, lane, arguments};
    int count = 0;
    peek_string(x, format_at, lane, format, sizeof format);
    for (const char *at = format; *at; at++) {
        if (*at != '%' || at[1] == '%') {
            at += *at == '%';
            text_append(out, at, 1);
            continue;
        }
        struct conversion conversion;
        uint64_t bits;
        at = scan_spec(&printing, at, &conversion);
        if (!*at)
            break;
        bool is_wide = conversion.bytes == 8 || strchr("psfFeEgGaA", *at);
        bool known = conversion.known && conversion.bytes && strchr("diuxXocpsfFeEgGaA", *at);
        count++;
        if (next_printed(&printing, is_wide ? 8 : 4, &bits) && known)
            print_one(&printing, out, &conversion, *at, bits);
    }
    return count;
}

static void call_print(struct exec *x, const struct call_site *site, uint32_t mask)
{
    struct text out = {0};
    FOR_LANES (lane, mask) {
        text_clear(&out);
        int count = print_lane(x, &out, builtin_argument(x, site, 0, lane), builtin_argument(x, site, 1, lane), lane);
        if (x->launch->print)
            x->launch->print(x->launch->print_context, text_get(&out), out.length);
        builtin_answer(x, site, lane, (uint32_t)count);
    }
    text_free(&out);
}

static const struct op *call_assert(struct exec *x, const struct op *op, const struct call_site *site, uint32_t mask)
{
    uint32_t lane = lane_first(mask);
    char raw[160];
    struct text message = {0}, file = {0};
    peek_string(x, builtin_argument(x, site, 0, lane), lane, raw, sizeof raw);
    text_escape(&message, raw, strlen(raw), false);
    peek_string(x, builtin_argument(x, site, 1, lane), lane, raw, sizeof raw);
    const char *name = text_file_name(raw), *place_file;
    uint32_t line = (uint32_t)builtin_argument(x, site, 2, lane), place_line;
    ptx_source(x->program->module, sim_program_inst(x->program, op_pc(x, op), NULL), x->launch->main_file, &place_file,
               &place_line);
    text_escape(&file, name, strlen(name), false);
    if (line == place_line) // the fault names the place; compilers may have read the file under another name
        sim_fault_as(x, SIM_FAULT_TRAP, op, lane, "fails the assertion `%s`", text_get(&message));
    else
        sim_fault_as(x, SIM_FAULT_TRAP, op, lane, "fails the assertion `%s` (%s:%u)", text_get(&message),
                     text_get(&file), line);
    text_free(&message);
    text_free(&file);
    return NULL;
}

// A block has its share of the heap, for on a GPU others run beside it, even where they run one after another here.
static void call_malloc(struct exec *x, const struct call_site *site, uint32_t mask)
{
    uint64_t blocks = launch_blocks(&x->launch->shape), at_once = x->launch->at_once;
    uint64_t sharing = at_once < blocks ? at_once : blocks, share = HEAP_LIMIT / (sharing ? sharing : 1);
    FOR_LANES (lane, mask) {
        uint64_t size = builtin_argument(x, site, 0, lane);
        bool fits = size && size <= share && x->block->heap + size <= share && x->heap + size <= HEAP_LIMIT;
        x->heap += fits ? size : 0;
        x->block->heap += fits ? size : 0;
        x->heap_ran_out |= size && !fits;
        builtin_answer(x, site, lane, fits ? sim_memory_add(x->memory, "device heap", (size_t)size, true)->address : 0);
    }
}

static const struct op *call_free(struct exec *x, const struct op *op, const struct call_site *site, uint32_t mask)
{
    FOR_LANES (lane, mask) {
        uint64_t address = builtin_argument(x, site, 0, lane);
        struct sim_allocation *allocation = sim_memory_find(x->memory, address);
        if (!address)
            continue;
        if (!allocation || allocation->address != address || strcmp(allocation->name, "device heap"))
            return sim_fault(x, op, lane, "frees 0x%llx, which malloc did not give", (unsigned long long)address);
        x->heap -= allocation->size < x->heap ? allocation->size : x->heap;
        x->block->heap -= allocation->size < x->block->heap ? allocation->size : x->block->heap;
        sim_memory_drop(x->memory, allocation, x->bulk_count > 0);
    }
    return op + 1;
}

const struct op *sim_call_builtin(struct exec *x, const struct op *op, const struct call_site *site, uint32_t mask)
{
    switch (site->builtin) {
    case BUILTIN_VPRINTF:
        call_print(x, site, mask);
        return op + 1;
    case BUILTIN_ASSERTFAIL:
        return call_assert(x, op, site, mask);
    case BUILTIN_MALLOC:
        call_malloc(x, site, mask);
        return op + 1;
    case BUILTIN_FREE:
        return call_free(x, op, site, mask);
    case BUILTIN_NONE:
        break;
    }
    return op + 1;
}
