// What clang's back ends write wrong, put right in the PTX.
//
// Rotations of 64 bits by a count that varies: `(x << k) | (x >> (64 - k))`, and `~(1ull << k)`. Before clang 19 they
// are two shifts by the whole count, which PTX clamps and a rotation means modulo 64. So counts of 64 and more, which
// `k & 63` has in its upper bits, gave zeros: the count is cut here as clang 19 cuts it.
//
// Stack memory of a size that varies (alloca, `int x[n]`), to be aligned as the stack is: clang writes an alignment of
// 0, which ptxas refuses.
//
// Tensor maps among the arguments: clang before 20 knows no __grid_constant__, and copies a parameter whose address is
// taken to local memory, where a GPU's bulk copies find no tensor map. Their address is that of the parameter here, and
// nothing is copied.
//
// Tables of pointers to shared arrays, `float *tile[2] = {a, b};`: clang makes constants in global memory of them,
// whose values are shared addresses. ptxas takes none there. Each function that reads one has it in local memory here,
// as nvcc does, and fills it first.
#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"
#include "toolchain/compilation.h"
#include "toolchain/plain.h"

#define LEFT_OVER "\tsub.u32 \t%amt2, 64, "
#define STACK_ALIGNMENT ", 16;"

static const char *line_before(const char *start, const char *at)
{
    for (at--; at > start && at[-1] != '\n';)
        at--;
    return at;
}

static void mend_rotations(struct text *ptx)
{
    struct text mended = {0};
    const char *start = text_get(ptx), *from = start;
    for (const char *at = start; (at = strstr(at, LEFT_OVER)); at += strlen(LEFT_OVER)) {
        const char *count = at + strlen(LEFT_OVER);
        int length = (int)strcspn(count, ";");
        const char *shift = line_before(start, at), *shifted = at - length - 2; // "…, %r2;\n"
        if (at == start || shifted < shift || strncmp(shifted, count, (size_t)length + 1) != 0 ||
            text_starts(count, "%amt2;"))
            continue;
        text_append(&mended, from, (size_t)(shift - from));
        text_printf(&mended,
                    "\tand.b32 \t%%amt2, %.*s, 63;\n%.*s%%amt2;\n"
                    "\tsub.u32 \t%%amt2, 64, %%amt2",
                    length, count, (int)(shifted - shift), shift);
        from = count + length;
    }
    if (from != start) {
        text_puts(&mended, from);
        text_free(ptx);
        *ptx = mended;
    }
}

static void mend_alignments(struct text *ptx)
{
    struct text mended = {0};
    const char *from = text_get(ptx);
    for (const char *at = from; (at = strstr(at, "\talloca.u64 \t"));) {
        const char *end = at += strcspn(at, ";");
        if (*end != ';' || strncmp(end - 3, ", 0", 3) != 0)
            continue;
        text_append(&mended, from, (size_t)(end - 3 - from));
        text_puts(&mended, STACK_ALIGNMENT);
        from = end + 1;
    }
    if (from != text_get(ptx)) {
        text_puts(&mended, from);
        text_free(ptx);
        *ptx = mended;
    }
}

// ---- tensor maps

#define MAP_PARAM ".param .align 64 .b8 "
#define MAP_SIZE "[128]"

// A function's text, and what is known of the copy of one parameter in it. Names are places in the text.
struct map_copy {
    const char *start, *end, *param;
    int param_length;
    char local[24], generic[24]; // registers: where it is copied to
    const char *made;            // the line that gives the generic address
};

static bool is_name_character(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static const char *line_end(const char *at)
{
    return at + strcspn(at, "\n");
}

// From `at` on, the next place in the function with this register or name; NULL: none.
static const char *next_use(const struct map_copy *copy, const char *at, const char *name, size_t length)
{
    while ((at = memmem(at, (size_t)(copy->end - at), name, length)) && is_name_character(at[length]))
        at += length;
    return at;
}

// "\tst.local.u64 \t[%rd22+8], %rd37;": whether it stores to copy->local; its value's register.
static bool stores_map(const struct map_copy *copy, const char *line, char value[24])
{
    size_t length = strlen(copy->local);
    const char *at = line + strlen("\tst.local.u64 \t[");
    if ((!text_starts(line, "\tst.local.u64 \t[") && !text_starts(line, "\tst.local.b64 \t[")) ||
        strncmp(at, copy->local, length) != 0 || is_name_character(at[length]))
        return false;
    at += strcspn(at, "\n]");
    return sscanf(at, "], %23[%a-z0-9];", value) == 1;
}

// "\tld.param.u64 \t%rd37, [NAME+8];": whether it loads the register from the parameter.
static bool loads_map(const struct map_copy *copy, const char *line, const char *value)
{
    const char *at = line + strlen("\tld.param.u64 \t");
    size_t length = strlen(value);
    if ((!text_starts(line, "\tld.param.u64 \t") && !text_starts(line, "\tld.param.b64 \t")) ||
        strncmp(at, value, length) != 0 || !text_starts(at + length, ", ["))
        return false;
    at += length + strlen(", [");
    return strncmp(at, copy->param, (size_t)copy->param_length) == 0 && !is_name_character(at[copy->param_length]);
}

// The load that a store's value comes from, if nothing else uses it. NULL: it is otherwise.
static const char *only_load(const struct map_copy *copy, const char *store, const char *value)
{
    size_t length = strlen(value);
    const char *first = next_use(copy, copy->start, value, length);
    const char *second = first ? next_use(copy, first + length, value, length) : NULL;
    const char *line = first ? line_before(copy->start, first + 1) : NULL;
    bool is_only =
        second && second > store && second < line_end(store) && !next_use(copy, second + length, value, length);
    return is_only && loads_map(copy, line, value) ? line : NULL;
}

// "\tadd.u64 \t%rd22, %SPL, 128;" and, on another line, "\tadd.u64 \t%rd21, %SP, 128;".
static bool find_addresses(struct map_copy *copy)
{
    char wanted[48];
    unsigned offset = 0, other = 0;
    snprintf(wanted, sizeof wanted, "\tadd.u64 \t%s, %%SPL, ", copy->local);
    const char *at = memmem(copy->start, (size_t)(copy->end - copy->start), wanted, strlen(wanted));
    if (!at || sscanf(at + strlen(wanted), "%9u;", &offset) != 1)
        return false;
    for (at = copy->start; (at = memmem(at, (size_t)(copy->end - at), "\tadd.u64 \t", 10)); at++)
        if (sscanf(at, "\tadd.u64 \t%23[%a-z0-9], %%SP, %9u;", copy->generic, &other) == 2 && other == offset) {
            copy->made = at;
            return true;
        }
    return false;
}

// The parameter's first 8 bytes are loaded, and stored to copy->local.
static bool find_copy(struct map_copy *copy)
{
    char value[24] = "", wanted[48];
    const char *at = copy->start;
    while ((at = next_use(copy, at, copy->param, (size_t)copy->param_length))) {
        const char *line = line_before(copy->start, at);
        at += copy->param_length;
        if (*at == ']' && sscanf(line, "\tld.param.%*1[ub]64 \t%23[%a-z0-9], [", value) == 1)
            break;
    }
    if (!at)
        return false;
    snprintf(wanted, sizeof wanted, "], %s;", value);
    at = memmem(at, (size_t)(copy->end - at), wanted, strlen(wanted));
    return at && sscanf(line_before(copy->start, at), "\tst.local.%*1[ub]64 \t[%23[%a-z0-9]]", copy->local) == 1 &&
           find_addresses(copy);
}

// Without the copy; false: something else is done with its address, or with what was loaded.
static bool leave_copy_out(const struct map_copy *copy, struct text *out)
{
    enum { MOST = 64 };
    const char *gone[MOST];
    size_t count = 0, length = strlen(copy->local);
    char value[24];
    for (const char *at = copy->start; (at = next_use(copy, at, copy->local, length)); at += length) {
        const char *line = line_before(copy->start, at), *load;
        if (text_starts(line, "\tadd.u64 \t"))
            continue;
        if (count + 2 > MOST || !stores_map(copy, line, value) || !(load = only_load(copy, line, value)))
            return false;
        gone[count++] = line;
        gone[count++] = load;
    }
    for (const char *line = copy->start; line < copy->end;) {
        size_t i = 0, size = (size_t)(line_end(line) - line) + (*line_end(line) == '\n');
        while (i < count && gone[i] != line)
            i++;
        if (line == copy->made)
            text_printf(out, "\tmov.b64 \t%s, %.*s;\n\tcvta.param.u64 \t%s, %s;\n", copy->generic, copy->param_length,
                        copy->param, copy->generic, copy->generic);
        else if (i == count)
            text_append(out, line, size);
        line += size;
    }
    return true;
}

static void mend_tensor_maps(struct text *ptx)
{
    for (size_t from = 0;;) {
        const char *start = text_get(ptx), *param = strstr(start + from, MAP_PARAM);
        if (!param)
            return;
        struct map_copy copy = {.param = param + strlen(MAP_PARAM)};
        copy.param_length = (int)strcspn(copy.param, "[\n");
        from = (size_t)(copy.param - start);
        copy.start = strstr(param, "\n{\n"); // behind the parameters
        copy.end = copy.start ? strstr(copy.start, "\n}\n") : NULL;
        if (!copy.end || !text_starts(copy.param + copy.param_length, MAP_SIZE))
            continue;
        copy.start += strlen("\n{\n");
        copy.end++;
        struct text mended = {0};
        text_append(&mended, start, (size_t)(copy.start - start));
        if (find_copy(&copy) && leave_copy_out(&copy, &mended)) {
            text_puts(&mended, copy.end);
            text_free(ptx);
            *ptx = mended;
        } else {
            text_free(&mended);
        }
    }
}

// ---- tables of shared addresses

enum { DERIVED = 128 };

// A variable whose values are addresses of shared arrays. Names are places in the text.
struct address_table {
    const char *line, *name, *values;
    int name_length;
    unsigned number; // among those that were mended
};

// Registers of a function that hold addresses in a table.
struct derived {
    char registers[DERIVED][24];
    size_t count;
};

// ".weak .shared .align 4 .b8 NAME[128];"
static bool declares_in(const char *line, const char *name, const char *space)
{
    line += *line == '\t';
    return *line == '.' && memmem(line, (size_t)(name - line), space, strlen(space));
}

static bool is_shared(const char *ptx, const char *name, size_t length)
{
    bool found = false;
    for (const char *at = ptx; !found && (at = memmem(at, strlen(at), name, length)); at += length) {
        const char *line = line_before(ptx, at + 1);
        bool is_name = at > ptx && !is_name_character(at[-1]) && !is_name_character(at[length]);
        found = is_name && declares_in(line, at, ".shared ");
    }
    return found;
}

// ".global .align 8 .u64 NAME[2] = {generic(A), generic(B)+16};" from `at` on. False: there is none.
static bool find_table(const char *ptx, const char *at, struct address_table *table)
{
    static const char of_shared[] = "generic(";
    for (; (at = strstr(at, of_shared)); at += strlen(of_shared)) {
        const char *line = line_before(ptx, at + 1), *first = at + strlen(of_shared), *equals = strstr(line, " = ");
        size_t length = strcspn(first, ")\n");
        if ((!declares_in(line, at, ".global ") && !declares_in(line, at, ".const ")) || !equals || equals > at ||
            !is_shared(ptx, first, length))
            continue;
        const char *name = equals;
        while (name > line && name[-1] != ' ')
            name--;
        *table = (struct address_table){
            .line = line, .name = name, .values = equals + 3, .name_length = (int)strcspn(name, "[ ")};
        if (name - line > 5 && (text_starts(name - 5, ".u64 ") || text_starts(name - 5, ".b64 ")))
            return true;
    }
    return false;
}

// What the function does first.
static void fill_table(const struct address_table *table, const char *ptx, struct text *out)
{
    unsigned offset = 0, count = 1;
    for (const char *at = table->values; *at && *at != '\n'; at++)
        count += *at == ',';
    text_printf(out, "\t.local .align 8 .b8 mended_%u[%u];\n\t.reg .b64 %%mend%u_<2>;\n", table->number, 8 * count,
                table->number);
    for (const char *at = table->values + (*table->values == '{'); *at && *at != '}' && *at != ';' && *at != '\n';) {
        at += strspn(at, " ,");
        size_t length = strcspn(at, ",};\n");
        if (text_starts(at, "generic(")) {
            size_t name = strcspn(at + 8, ")\n"), more = 8 + name + 1;
            text_printf(out, "\tmov.u64 \t%%mend%u_0, %.*s;\n\tcvta.%s.u64 \t%%mend%u_0, %%mend%u_0;\n", table->number,
                        (int)name, at + 8, is_shared(ptx, at + 8, name) ? "shared" : "global", table->number,
                        table->number);
            if (more < length)
                text_printf(out, "\tadd.s64 \t%%mend%u_0, %%mend%u_0, %.*s;\n", table->number, table->number,
                            (int)(length - more - (at[more] == '+')), at + more + (at[more] == '+'));
            text_printf(out, "\tst.local.u64 \t[mended_%u+%u], %%mend%u_0;\n", table->number, offset, table->number);
        } else {
            text_printf(out, "\tst.local.u64 \t[mended_%u+%u], %.*s;\n", table->number, offset, (int)length, at);
        }
        offset += 8;
        at += length;
    }
}

static bool holds_address(const struct derived *derived, const char *name, size_t length)
{
    bool found = false;
    for (size_t i = 0; i < derived->count && !found; i++)
        found = strlen(derived->registers[i]) == length && memcmp(derived->registers[i], name, length) == 0;
    return found;
}

// "\tadd.s64 \t%rd8, %rd7, %rd6;", "\tmov.u64 \t%rd8, %rd7;" and the like. True: it was not known before.
static bool derive(struct derived *derived, const struct address_table *table, const char *line)
{
    char to[24] = "", one[24] = "", other[24] = "";
    int got = sscanf(line, "\t%*[a-z0-9.] \t%23[%a-z0-9], %23[%a-z0-9], %23[%a-z0-9];", to, one, other);
    bool is_move = text_starts(line, "\tmov.u64 ") || text_starts(line, "\tmov.b64 ");
    bool is_sum = text_starts(line, "\tadd.") || text_starts(line, "\tsub.") || text_starts(line, "\tmad.") ||
                  text_starts(line, "\tselp.");
    if (got < 1 || (!is_move && !is_sum) || holds_address(derived, to, strlen(to)) || derived->count == DERIVED)
        return false;
    const char *from = line + strcspn(line, ",\n"); // names are of any length
    bool is_own = is_move && text_starts(from, ", ") &&
                  strncmp(from + 2, table->name, (size_t)table->name_length) == 0 &&
                  from[2 + table->name_length] == ';';
    if (!is_own && !holds_address(derived, one, strlen(one)) &&
        !(got > 2 && holds_address(derived, other, strlen(other))))
        return false;
    snprintf(derived->registers[derived->count++], sizeof derived->registers[0], "%s", to);
    return true;
}

static const char *line_behind(const char *line)
{
    const char *end = line_end(line);
    return end + (*end == '\n');
}

// "\tld.global.nc.u64 \t%rd9, [%rd8+8];" of the table: without a space of memory.
static void read_from_table(const struct derived *derived, const struct address_table *table, const char *line,
                            struct text *out)
{
    size_t length = (size_t)(line_behind(line) - line);
    const char *bracket = memchr(line, '[', length), *address = bracket ? bracket + 1 : line;
    size_t size = strcspn(address, "+]\n"), cut = 0;
    bool is_load = text_starts(line, "\tld.global.") || text_starts(line, "\tld.const."),
         is_direct = size == (size_t)table->name_length && memcmp(address, table->name, size) == 0;
    if (is_load && bracket && (is_direct || holds_address(derived, address, size)))
        cut = text_starts(line, "\tld.const.") ? strlen(".const") : strlen(".global");
    if (!cut) {
        text_append(out, line, length);
        return;
    }
    const char *rest = line + strlen("\tld") + cut;
    rest += text_starts(rest, ".nc") ? strlen(".nc") : 0;
    text_printf(out, "\tld%s%.*s", is_direct ? ".local" : "", (int)(address - rest), rest);
    if (is_direct)
        text_printf(out, "mended_%u", table->number);
    text_append(out, is_direct ? address + size : address,
                length - (size_t)((is_direct ? address + size : address) - line));
}

static bool is_instruction(const char *line)
{
    return line[0] == '\t' && (line[1] == '@' || line[1] == '{' || (line[1] >= 'a' && line[1] <= 'z'));
}

// What stands behind the declarations at the function's beginning.
static const char *declarations_end(const char *start, const char *end)
{
    const char *behind = start;
    for (const char *line = start; line < end && !is_instruction(line); line = line_behind(line))
        if (text_starts(line, "\t.reg ") || text_starts(line, "\t.local ") || text_starts(line, "\t.shared "))
            behind = line_behind(line);
    return behind;
}

// A function's text, in which the table is its own.
static void own_table(const struct address_table *table, const char *ptx, const char *start, const char *end,
                      struct text *out)
{
    struct derived derived = {.count = 0};
    const char *first = declarations_end(start, end);
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (const char *line = start; line < end; line = line_behind(line))
            goes_on |= derive(&derived, table, line);
    }
    for (const char *line = start; line < end; line = line_behind(line)) {
        char to[24];
        const char *name = memmem(line, (size_t)(line_behind(line) - line), table->name, (size_t)table->name_length);
        bool is_move = text_starts(line, "\tmov.u64 ") || text_starts(line, "\tmov.b64 ");
        if (line == first)
            fill_table(table, ptx, out);
        if (is_move && name && !is_name_character(name[table->name_length]) && !is_name_character(name[-1]) &&
            sscanf(line, "\tmov.%*1[ub]64 \t%23[%a-z0-9], ", to) == 1)
            text_printf(out, "\tmov.u64 \t%%mend%u_1, mended_%u;\n\tcvta.local.u64 \t%s, %%mend%u_1;\n", table->number,
                        table->number, to, table->number);
        else
            read_from_table(&derived, table, line, out);
    }
}

static bool mentions_table(const struct address_table *table, const char *start, const char *end)
{
    size_t length = (size_t)table->name_length;
    while ((start = memmem(start, (size_t)(end - start), table->name, length)) &&
           (is_name_character(start[length]) || is_name_character(start[-1])))
        start += length;
    return start != NULL;
}

static void mend_address_tables(struct text *ptx)
{
    struct address_table table;
    for (unsigned number = 0; find_table(text_get(ptx), text_get(ptx), &table); number++) {
        struct text mended = {0};
        const char *from = text_get(ptx), *start;
        table.number = number;
        text_append(&mended, from, (size_t)(table.line - from));
        from = line_behind(table.line);
        while ((start = strstr(from, "\n{\n"))) {
            start += strlen("\n{\n");
            const char *end = strstr(start, "\n}\n");
            end = end ? end + 1 : start + strlen(start);
            text_append(&mended, from, (size_t)(start - from));
            if (mentions_table(&table, start, end))
                own_table(&table, text_get(ptx), start, end, &mended);
            else
                text_append(&mended, start, (size_t)(end - start));
            from = end;
        }
        text_puts(&mended, from);
        text_free(ptx);
        *ptx = mended;
    }
}

static bool says_grid_constant(const char *source)
{
    struct text plain = {0};
    bool says = !source_make_plain(&plain, source, strlen(source)) || strstr(text_get(&plain), "__grid_constant__");
    text_free(&plain);
    return says;
}

// A map that the source takes by value alone is copied with nvcc, too.
static void mark_copied_maps(struct text *ptx)
{
    struct text marked = {0};
    text_puts(&marked, PTX_COPIED_MAPS "\n");
    text_append(&marked, text_get(ptx), ptx->length);
    text_free(ptx);
    *ptx = marked;
}

void compilation_mend_ptx(struct text *ptx, const char *source)
{
    mend_rotations(ptx);
    mend_alignments(ptx);
    if (source && strstr(text_get(ptx), MAP_PARAM) && !says_grid_constant(source))
        mark_copied_maps(ptx);
    else
        mend_tensor_maps(ptx);
    mend_address_tables(ptx);
}
