// Structs by value as wide as they are aligned. clang's back end copies 16 aligned bytes, such as a struct of four
// floats, as two words of 8: half of each 32-byte sector at a time. nvcc copies them as one of 16, and so does clang
// what it knows as a vector. So such copies become vectors on their way from clang's optimiser to its back end; no flag
// of clang's does that. The same where a struct of 16 bytes, or of 8 halves, was taken to pieces: the back end joins
// but four neighbours again. And where a branch uses one word of a vector, clang loads that one behind it, and the
// others before. Each takes a second compilation, so only PTX that looks like it gets one.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolchain/compilation.h"

#define IR_FILE "kernel.ll"
#define WIDE_FILE "wide.ll"
#define PTX_FILE "kernel.ptx"

enum { WIDE = 16, MOST_WIDE = 8 }; // bytes of a vector; vectors of a copy

// One side of a copy, in the text of the IR.
struct side {
    const char *type, *value; // "ptr addrspace(3)" or "i8 addrspace(3)*", "%12" or a constant expression
    int type_length, value_length;
    bool is_typed; // clang 14's pointers say what they point to
    unsigned long alignment;
};

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

// The end of an argument: a comma or a parenthesis that nothing encloses.
static const char *argument_end(const char *at, const char *end)
{
    bool quoted = false;
    for (int depth = 0; at < end; at++) {
        quoted ^= *at == '"';
        if (quoted)
            continue;
        if (depth == 0 && (*at == ',' || *at == ')'))
            return at;
        depth += strchr("([{<", *at) ? 1 : strchr(")]}>", *at) ? -1 : 0;
    }
    return end;
}

// "ptr addrspace(3) noundef nonnull align 16 dereferenceable(16) %12"
static bool read_side(const char *at, const char *end, struct side *side)
{
    static const char *const attributes[] = {"noundef",  "nonnull",   "dereferenceable", "noalias",
                                             "readonly", "writeonly", "nocapture",       "captures"};
    *side = (struct side){.type = at};
    if (!text_starts(at, "ptr") && !text_starts(at, "i8"))
        return false;
    side->is_typed = *at == 'i';
    at = skip_blanks(at + strcspn(at, " *"));
    if (text_starts(at, "addrspace("))
        at += strcspn(at, ")") + 1;
    else if (!side->is_typed)
        at -= at[-1] == ' ';
    at += side->is_typed && *at == '*';
    side->type_length = (int)(at - side->type);
    for (at = skip_blanks(at); at < end; at = skip_blanks(at + strcspn(at, " "))) {
        size_t i = 0, length = strcspn(at, " (");
        if (text_starts(at, "align ")) {
            side->alignment = strtoul(at + strlen("align "), NULL, 10);
            at += strlen("align");
            at = skip_blanks(at);
            continue;
        }
        while (i < sizeof attributes / sizeof *attributes &&
               (strlen(attributes[i]) != length || strncmp(at, attributes[i], length) != 0))
            i++;
        if (i == sizeof attributes / sizeof *attributes)
            break;
    }
    side->value = at;
    side->value_length = (int)(end - at);
    return at < end;
}

// `name`: of the value that points `offset` bytes into the side, as the type that a vector is loaded and stored by.
static void write_place(struct text *out, const struct side *side, unsigned long copy, char which, unsigned long offset,
                        const char *debug)
{
    text_printf(out, "  %%\"copy %lu %c %lu\" = getelementptr inbounds i8, %.*s %.*s, i64 %lu%s\n", copy, which, offset,
                side->type_length, side->type, side->value_length, side->value, offset, debug);
    if (side->is_typed)
        text_printf(out, "  %%\"copy %lu %c %lu v\" = bitcast %.*s %%\"copy %lu %c %lu\" to <4 x i32>%.*s%s\n", copy,
                    which, offset, side->type_length, side->type, copy, which, offset, side->type_length - 2,
                    side->type + 2, debug);
}

static void write_pointer(struct text *out, const struct side *side, unsigned long copy, char which,
                          unsigned long offset)
{
    if (side->is_typed)
        text_printf(out, "<4 x i32>%.*s %%\"copy %lu %c %lu v\"", side->type_length - 2, side->type + 2, copy, which,
                    offset);
    else
        text_printf(out, "%.*s %%\"copy %lu %c %lu\"", side->type_length, side->type, copy, which, offset);
}

// "  tail call void @llvm.memcpy.p0.p0.i64(TO, FROM, i64 16, i1 false), !dbg !31, !tbaa.struct !32"
static bool widen_line(const char *line, const char *end, unsigned long copy, struct text *out)
{
    struct side to, from;
    char debug[40] = "";
    const char *at = skip_blanks(line);
    at = text_starts(at, "tail ") ? skip_blanks(at + strlen("tail ")) : at;
    if (!text_starts(at, "call void @llvm.memcpy.p"))
        return false;
    at += strcspn(at, "(") + 1;
    const char *first = argument_end(at, end);
    if (first >= end || *first != ',' || !read_side(at, first, &to))
        return false;
    at = skip_blanks(first + 1);
    const char *second = argument_end(at, end);
    if (second >= end || *second != ',' || !read_side(at, second, &from))
        return false;
    at = skip_blanks(second + 1);
    unsigned long size = text_starts(at, "i64 ") ? strtoul(at + 4, NULL, 10) : 0;
    const char *third = argument_end(at, end);
    if (!size || size % WIDE || size > WIDE * MOST_WIDE || to.alignment % WIDE || from.alignment % WIDE ||
        !to.alignment || !from.alignment || !text_starts(third, ", i1 false)"))
        return false;
    const char *about = memmem(third, (size_t)(end - third), "!dbg !", strlen("!dbg !"));
    if (about)
        snprintf(debug, sizeof debug, ", !dbg !%.*s", (int)strspn(about + 6, "0123456789"), about + 6);
    for (unsigned long offset = 0; offset < size; offset += WIDE) {
        write_place(out, &from, copy, 'f', offset, debug);
        text_printf(out, "  %%\"copy %lu value %lu\" = load <4 x i32>, ", copy, offset);
        write_pointer(out, &from, copy, 'f', offset);
        text_printf(out, ", align %d%s\n", WIDE, debug);
    }
    for (unsigned long offset = 0; offset < size; offset += WIDE) {
        write_place(out, &to, copy, 't', offset, debug);
        text_printf(out, "  store <4 x i32> %%\"copy %lu value %lu\", ", copy, offset);
        write_pointer(out, &to, copy, 't', offset);
        text_printf(out, ", align %d%s\n", WIDE, debug);
    }
    return true;
}

// ---- loads of neighbouring elements: a struct by value that the optimiser took to pieces

// "  %30 = load i8, i8* %29, align 1, !dbg !31", behind "  %29 = getelementptr inbounds %struct.s, %struct.s* %23, i64
// %26, i32 0, i64 1, !dbg !31": all but the last index is the same for neighbours.
struct element {
    const char *place, *name, *type, *value, *debug; // place: behind its own name
    int place_length, name_length, type_length, value_length, debug_length;
    unsigned long index, alignment;
};

static int operand_length(const char *at)
{
    return (int)strcspn(at, " ,\n");
}

static const char *line_end(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

// Where the line's own part ends, and what is attached to it begins.
static const char *attached(const char *line)
{
    const char *end = line + strcspn(line, "\n"), *found = memmem(line, (size_t)(end - line), ", !", 3);
    return found ? found : end;
}

static bool read_place(const char *line, struct element *element)
{
    const char *name = skip_blanks(line), *end = attached(line), *last = end;
    const char *place = name + operand_length(name);
    if (*name != '%' || !text_starts(place, " = getelementptr "))
        return false;
    while (last > place && isdigit((unsigned char)last[-1]))
        last--;
    if (last == end || (!text_starts(last - 6, ", i64 ") && !text_starts(last - 6, ", i32 ")))
        return false;
    *element = (struct element){.place = place, .place_length = (int)(last - place), .value = name};
    element->value_length = operand_length(name);
    element->index = strtoul(last, NULL, 10);
    return true;
}

// "  %31 = addrspacecast i16 addrspace(3)* %29 to i16*": then that is what is loaded from. Returns the line behind it.
static const char *pass_cast(const char *line, struct element *element)
{
    const char *name = skip_blanks(line), *end = attached(line), *from = name + operand_length(name);
    if (*name != '%' || !text_starts(from, " = addrspacecast "))
        return line;
    from = memmem(from, (size_t)(end - from), " %", 2);
    if (!from || operand_length(from + 1) != element->value_length ||
        strncmp(from + 1, element->value, (size_t)element->value_length) != 0)
        return line;
    element->value = name;
    element->value_length = operand_length(name);
    return line_end(line);
}

// From the place that was just read.
static bool read_load(const char *line, unsigned bits, struct element *element)
{
    char wanted[24];
    const char *end = line + strcspn(line, "\n"), *at = skip_blanks(line), *debug;
    element->name = at;
    element->name_length = operand_length(at);
    at += element->name_length;
    snprintf(wanted, sizeof wanted, " = load i%u, ", bits);
    if (*element->name != '%' || !text_starts(at, wanted))
        return false;
    element->type = at += strlen(wanted);
    at = memmem(at, (size_t)(end - at), " %", 2);
    if (!at || operand_length(at + 1) != element->value_length ||
        strncmp(at + 1, element->value, (size_t)element->value_length) != 0)
        return false;
    element->type_length = (int)(at - element->type);
    at += 1 + element->value_length;
    if (!text_starts(at, ", align "))
        return false;
    element->alignment = strtoul(at + strlen(", align "), NULL, 10);
    debug = memmem(at, (size_t)(end - at), ", !dbg !", strlen(", !dbg !"));
    element->debug = debug ? debug : end;
    element->debug_length = debug ? (int)(8 + strspn(debug + 8, "0123456789")) : 0;
    return true;
}

static bool are_neighbours(const struct element *first, const struct element *element, unsigned long distance)
{
    return element->index == first->index + distance && element->place_length == first->place_length &&
           strncmp(element->place, first->place, (size_t)first->place_length) == 0 &&
           element->type_length == first->type_length &&
           strncmp(element->type, first->type, (size_t)first->type_length) == 0;
}

static void write_vector(struct text *out, const struct element *first, unsigned long copy)
{
    int skipped = (int)strcspn(first->type, " *");
    bool is_typed = *first->type == 'i'; // as in struct side
    const char *space = first->type + skipped;
    int left = first->type_length - skipped;
    if (is_typed)
        text_printf(out, "  %%\"run %lu at\" = bitcast %.*s %.*s to <4 x i32>%.*s%.*s\n", copy, first->type_length,
                    first->type, first->value_length, first->value, left, space, first->debug_length, first->debug);
    text_printf(out, "  %%\"run %lu\" = load <4 x i32>, ", copy);
    if (is_typed)
        text_printf(out, "<4 x i32>%.*s %%\"run %lu at\"", left, space, copy);
    else
        text_printf(out, "%.*s %.*s", first->type_length, first->type, first->value_length, first->value);
    text_printf(out, ", align %d%.*s\n", WIDE, first->debug_length, first->debug);
}

static void write_element(struct text *out, const struct element *element, unsigned long copy, unsigned j,
                          unsigned bits)
{
    unsigned word = j * bits / 32;
    text_printf(out, "  %%\"run %lu word %u\" = extractelement <4 x i32> %%\"run %lu\", i32 %u\n", copy, j, copy, word);
    text_printf(out, "  %%\"run %lu bits %u\" = lshr i32 %%\"run %lu word %u\", %u\n", copy, j, copy, j, j * bits % 32);
    text_printf(out, "  %.*s = trunc i32 %%\"run %lu bits %u\" to i%u\n", element->name_length, element->name, copy, j,
                bits);
}

// The loads that begin at this line, in order and with nothing between them, as one of 16 bytes. Returns what follows
// them; NULL: there are none.
static const char *widen_run(const char *line, unsigned bits, unsigned long copy, struct text *out)
{
    struct element elements[WIDE];
    const char *places[WIDE], *loads[WIDE], *at = line;
    unsigned count = WIDE * 8 / bits;
    for (unsigned j = 0; j < count; j++) {
        places[j] = at;
        if (!read_place(at, &elements[j]))
            return NULL;
        loads[j] = pass_cast(line_end(at), &elements[j]);
        if (!read_load(loads[j], bits, &elements[j]) || !are_neighbours(&elements[0], &elements[j], j) ||
            elements[0].alignment % WIDE || !elements[0].alignment)
            return NULL;
        at = line_end(loads[j]);
    }
    for (unsigned j = 0; j < count; j++) {
        text_append(out, places[j], (size_t)(loads[j] - places[j]));
        if (j == 0)
            write_vector(out, &elements[0], copy);
        write_element(out, &elements[j], copy, j, bits);
    }
    return at;
}

// From clang 15 on the first element is loaded from the struct's own place, "  %15 = load i8, ptr %14, align 16", and
// each of the others from "  %16 = getelementptr inbounds i8, ptr %14, i64 1": so many bytes behind it, or elements.
static bool read_struct_start(const char *line, unsigned bits, struct element *first)
{
    const char *end = line + strcspn(line, "\n"), *at = memmem(line, (size_t)(end - line), ", ptr", 5);
    at = at ? memmem(at, (size_t)(end - at), " %", 2) : NULL;
    if (!at)
        return false;
    *first = (struct element){.value = at + 1, .value_length = operand_length(at + 1)};
    return read_load(line, bits, first) && first->alignment && first->alignment % WIDE == 0;
}

static bool read_struct_part(const char *line, const struct element *first, unsigned bits, unsigned j,
                             struct element *element)
{
    static const char *const flags[] = {"", "inbounds ", "inbounds nuw "};
    char wanted[512];
    const char *name = skip_blanks(line), *rest = name + operand_length(name);
    *element = (struct element){.value = name, .value_length = operand_length(name)};
    for (unsigned i = 0; i < 2 * sizeof flags / sizeof *flags; i++) {
        unsigned unit = i % 2 ? bits : 8;
        snprintf(wanted, sizeof wanted, " = getelementptr %si%u, %.*s %.*s, i64 %u", flags[i / 2], unit,
                 first->type_length, first->type, first->value_length, first->value, j * bits / unit);
        size_t length = strlen(wanted);
        if (*name == '%' && strncmp(rest, wanted, length) == 0 && strchr(",\n", rest[length]))
            return true;
    }
    return false;
}

// As widen_run, of such elements.
static const char *widen_struct(const char *line, unsigned bits, unsigned long copy, struct text *out)
{
    struct element elements[WIDE];
    const char *places[WIDE], *loads[WIDE], *at = line_end(line);
    unsigned count = WIDE * 8 / bits;
    if (!read_struct_start(line, bits, &elements[0]))
        return NULL;
    for (unsigned j = 1; j < count; j++) {
        places[j] = at;
        loads[j] = line_end(at);
        if (!read_struct_part(at, &elements[0], bits, j, &elements[j]) || !read_load(loads[j], bits, &elements[j]))
            return NULL;
        at = line_end(loads[j]);
    }
    write_vector(out, &elements[0], copy);
    for (unsigned j = 0; j < count; j++) {
        if (j > 0)
            text_append(out, places[j], (size_t)(loads[j] - places[j]));
        write_element(out, &elements[j], copy, j, bits);
    }
    return at;
}

// The IR with all of these as vectors of 16 bytes; returns how many there were.
static unsigned long widen_copies(const char *ir, struct text *out)
{
    unsigned long copies = 0;
    for (const char *at = ir; *at;) {
        const char *end = line_end(at), *behind = widen_run(at, 8, copies, out);
        behind = behind ? behind : widen_run(at, 16, copies, out);
        behind = behind ? behind : widen_struct(at, 8, copies, out);
        behind = behind ? behind : widen_struct(at, 16, copies, out);
        bool is_wider = behind || widen_line(at, at + strcspn(at, "\n"), copies, out);
        copies += is_wider;
        if (!is_wider)
            text_append(out, at, (size_t)(end - at));
        at = behind ? behind : end;
    }
    return copies;
}

// Neighbouring words of 8 bytes, or of four elements, none of them a parameter's.
static bool moves_parts(const char *ptx)
{
    static const char *const parts[] = {".u64 ", ".b64 ", ".v4.u8 ", ".v4.b8 ", ".v4.u16 ", ".v4.b16 "};
    for (const char *at = ptx; (at = strstr(at, "\tld.")); at++) {
        size_t length = strcspn(at, "\n");
        bool is_part = false;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            is_part |= memmem(at, length, parts[i], strlen(parts[i])) && (i >= 2 || memmem(at, length, "+8]", 3));
        if (is_part && !text_starts(at, "\tld.param"))
            return true;
    }
    return false;
}

// "[%rd5+16]", or "[tile+16]": a register or variable, and what is added.
struct load_place {
    const char *base;
    int length;
    long added;
};

static bool read_load_place(const char *line, size_t length, struct load_place *place)
{
    const char *at = memchr(line, '[', length), *end = line + length;
    if (!at)
        return false;
    *place = (struct load_place){.base = at + 1};
    for (at++; at < end && *at != '+' && *at != ']'; at++)
        place->length++;
    place->added = at < end && *at == '+' ? strtol(at + 1, NULL, 10) : 0;
    return place->length > 0 && labs(place->added) < INT32_MAX;
}

// Whether one word of four bytes is loaded `bytes` behind the place, by itself, in this part of the text.
static bool loads_word(const char *part, const char *end, const struct load_place *from, long bytes)
{
    enum { LINE = 200 }; // of longer ones nothing is asked
    struct load_place place;
    for (const char *at = part; (at = memmem(at, (size_t)(end - at), from->base, (size_t)from->length)); at++) {
        const char *line = at;
        while (line > part && at - line < LINE && line[-1] != '\n')
            line--;
        size_t before = (size_t)(at - line), left = (size_t)(end - at);
        if (before > 0 && at[-1] == '[' && text_starts(line, "\tld.") && memmem(line, before, "32 \t", 4) &&
            !memmem(line, before, ".v", 2) && read_load_place(at - 1, (left < LINE ? left : LINE) + 1, &place) &&
            place.length == from->length && place.added == from->added + bytes)
            return true;
    }
    return false;
}

// What surrounds a line: of its basic block, and of the text nearby.
struct surroundings {
    const char *first, *begin, *end, *last;
};

static bool parts_block(const char *at)
{
    return text_starts(at, "\n$L") || text_starts(at, "\tbra") || text_starts(at, " bra");
}

static struct surroundings look_around(const char *text, const char *end, const char *line)
{
    enum { NEAR = 16 << 10 };
    struct surroundings around = {.first = line - text < NEAR ? text : line - NEAR,
                                  .begin = line,
                                  .end = line,
                                  .last = end - line < NEAR ? end : line + NEAR};
    while (around.begin > around.first && !parts_block(around.begin))
        around.begin--;
    while (around.end < around.last && !parts_block(around.end))
        around.end++;
    return around;
}

static bool loads_elsewhere(const struct surroundings *around, const struct load_place *place, long bytes)
{
    return loads_word(around->first, around->begin, place, bytes) ||
           loads_word(around->end, around->last, place, bytes);
}

// Half of a vector of four words, and the others one by one, not far from there. Or a word alone, and its neighbours
// behind a branch or before it: of shared memory any, else three of four, as many load single words where it matters
// whether they exist.
static bool is_split(const char *text, const char *end, const char *line)
{
    static const char *const halves[] = {".v2.f32 ", ".v2.u32 ", ".v2.b32 "};
    struct load_place place;
    size_t length = strcspn(line, "\n");
    bool is_half = false, is_shared = memmem(line, length, ".shared", 7);
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        is_half |= memmem(line, length, halves[i], strlen(halves[i])) != NULL;
    bool is_word = !memmem(line, length, ".v", 2) && memmem(line, length, "32 \t", 4);
    if ((!is_half && !is_word) || text_starts(line, "\tld.param") || !read_load_place(line, length, &place))
        return false;
    struct surroundings around = look_around(text, end, line);
    if (is_half)
        return loads_word(around.first, around.last, &place, 8) || loads_word(around.first, around.last, &place, -8);
    if (is_shared)
        return loads_elsewhere(&around, &place, 4) || loads_elsewhere(&around, &place, -4);
    return loads_word(around.begin, around.end, &place, 4) && loads_word(around.begin, around.end, &place, 8) &&
           (loads_elsewhere(&around, &place, -4) || loads_elsewhere(&around, &place, 12));
}

static bool splits_vectors(const struct text *ptx)
{
    enum { MOST = 256 };
    const char *text = text_get(ptx), *end = text + ptx->length;
    size_t seen = 0;
    for (const char *at = text; seen < MOST && (at = strstr(at, "\tld.")); at++) {
        if (is_split(text, end, at))
            return true;
        seen += !text_starts(at, "\tld.param");
    }
    return false;
}

static size_t count_loads(const char *ptx)
{
    size_t count = 0;
    for (const char *at = ptx; (at = strstr(at, "\tld.")); at++)
        count += !text_starts(at, "\tld.param");
    return count;
}

static bool run_quietly(struct compilation *c, const char *const *argv)
{
    struct process *process;
    struct process_result result = {0};
    bool good = compilation_start(c, argv, &process) == STATUS_OK;
    good = good && process_wait(process, &result, NULL) == STATUS_OK && process_succeeded(&result);
    process_free(process);
    process_result_free(&result);
    return good;
}

// The compiler's command again, as far as its optimiser.
static bool make_ir(struct compilation *c, struct text *ir)
{
    const char *argv[COMPILATION_ARGV_MAX + 3];
    size_t count = 0;
    for (size_t i = 0; i < c->argc; i++)
        argv[count++] = strcmp(c->argv[i], PTX_FILE) == 0 ? IR_FILE : c->argv[i];
    argv[count++] = "-emit-llvm";
    argv[count++] = "-w";
    argv[count] = NULL;
    return run_quietly(c, argv) && compilation_read_output(c, IR_FILE, COMPILATION_PTX_MAX, ir) == STATUS_OK;
}

static bool make_ptx(struct compilation *c, const struct text *ir)
{
    const char *level = c->request->optimisation ? c->request->optimisation : "-O3";
    bool fuses = true;
    for (const char *const *flag = c->request->flags; flag && *flag; flag++)
        fuses = fuses && !strstr(*flag, "fmad=false");
    const char *argv[] = {c->toolchain->path,
                          "-cc1",
                          "-triple",
                          "nvptx64-nvidia-cuda",
                          "-target-cpu",
                          c->result->arch,
                          "-target-feature",
                          compilation_ptx_feature(c),
                          level,
                          "-disable-llvm-passes", // they ran
                          "-fno-dwarf-directory-asm",
                          "-mllvm",
                          fuses ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0",
                          "-w",
                          "-S",
                          "-o",
                          PTX_FILE,
                          "-x",
                          "ir",
                          WIDE_FILE,
                          NULL};
    return compilation_write(c, WIDE_FILE, text_get(ir), ir->length) == STATUS_OK && run_quietly(c, argv);
}

static void replace(struct text *ptx, const struct text *better)
{
    text_clear(ptx);
    text_append(ptx, text_get(better), better->length);
}

void compilation_join_loads(struct compilation *c, struct text *ptx)
{
    const char *argv[COMPILATION_ARGV_MAX + 4];
    struct text better = {0};
    if (c->toolchain->kind != TOOLCHAIN_CLANG || !splits_vectors(ptx))
        return;
    memcpy(argv, c->argv, c->argc * sizeof *argv);
    argv[c->argc] = "-mllvm";
    argv[c->argc + 1] = "-instcombine-code-sinking=0";
    argv[c->argc + 2] = "-w";
    argv[c->argc + 3] = NULL;
    if (run_quietly(c, argv) && compilation_read_output(c, PTX_FILE, COMPILATION_PTX_MAX, &better) == STATUS_OK &&
        count_loads(text_get(&better)) < count_loads(text_get(ptx))) {
        replace(ptx, &better);
        for (int i = 0; i < 2 && c->argc < COMPILATION_ARGV_MAX; i++) // for what else is compiled once more
            c->argv[c->argc] = argv[c->argc], c->argc++;
    }
    text_free(&better);
}

void compilation_widen_copies(struct compilation *c, struct text *ptx)
{
    struct text ir = {0}, wide = {0}, better = {0};
    if (c->toolchain->kind == TOOLCHAIN_CLANG && moves_parts(text_get(ptx)) && make_ir(c, &ir) &&
        widen_copies(text_get(&ir), &wide) && make_ptx(c, &wide) &&
        compilation_read_output(c, PTX_FILE, COMPILATION_PTX_MAX, &better) == STATUS_OK)
        replace(ptx, &better);
    text_free(&better);
    text_free(&wide);
    text_free(&ir);
}
