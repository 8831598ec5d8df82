// Structs by value as wide as they are aligned. clang's back end copies 16 aligned bytes, such as a struct of four
// floats, as two words of 8: half of each 32-byte sector at a time. nvcc copies them as one of 16, and so does clang
// what it knows as a vector. So such copies become vectors on their way from clang's optimiser to its back end; no flag
// of clang's does that. It takes a second compilation, so only PTX that moves neighbouring words of 8 bytes gets one.
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

// The IR with all such copies as vectors of 16 bytes; returns how many there were.
static unsigned long widen_copies(const char *ir, struct text *out)
{
    unsigned long copies = 0;
    for (const char *at = ir; *at;) {
        size_t length = strcspn(at, "\n");
        if (widen_line(at, at + length, copies, out))
            copies++;
        else
            text_append(out, at, length + (at[length] == '\n'));
        at += length + (at[length] == '\n');
    }
    return copies;
}

// Neighbouring words of 8 bytes, none of them a parameter's.
static bool moves_pairs(const char *ptx)
{
    for (const char *at = ptx; (at = strstr(at, "\tld.")); at++) {
        size_t length = strcspn(at, "\n");
        bool is_eight = memmem(at, length, ".u64 ", 5) || memmem(at, length, ".b64 ", 5);
        if (is_eight && !text_starts(at, "\tld.param") && memmem(at, length, "+8]", 3))
            return true;
    }
    return false;
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

void compilation_widen_copies(struct compilation *c, struct text *ptx)
{
    struct text ir = {0}, wide = {0}, better = {0};
    if (c->toolchain->kind == TOOLCHAIN_CLANG && moves_pairs(text_get(ptx)) && make_ir(c, &ir) &&
        widen_copies(text_get(&ir), &wide) && make_ptx(c, &wide) &&
        compilation_read_output(c, PTX_FILE, COMPILATION_PTX_MAX, &better) == STATUS_OK) {
        text_clear(ptx);
        text_append(ptx, text_get(&better), better.length);
    }
    text_free(&better);
    text_free(&wide);
    text_free(&ir);
}
