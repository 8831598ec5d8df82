// Queries on a parsed module.
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (!strcmp(module->variables[i]->name, name))
            return module->variables[i];
    return NULL;
}

// ---- places in the source

static const char *location_file(const struct ptx_module *module, const struct ptx_location *location)
{
    const char *file = location->file < module->file_count ? module->files[location->file] : NULL;
    return file ? file : "";
}

bool ptx_is_file(const char *name, const char *main_file)
{
    return strcmp(text_file_name(name), text_file_name(main_file)) == 0;
}

void ptx_source(const struct ptx_module *module, const struct ptx_inst *inst, const char *main_file, const char **file,
                uint32_t *line)
{
    enum { MAX_CHAIN = 1000 }; // text can make a chain as long as itself
    *file = main_file ? "" : module->name;
    *line = main_file ? 0 : inst->text_line;
    int32_t index = inst->location ? (int32_t)inst->location : -1;
    for (int i = 0; i < MAX_CHAIN && index > 0; i++) {
        const struct ptx_location *location = &module->locations[index];
        const char *name = location_file(module, location);
        if (location->line > 0 && name[0]) {
            *file = name;
            *line = location->line;
            if (main_file && ptx_is_file(name, main_file))
                return;
        }
        index = location->inlined_at;
    }
}

// ---- entries

// The name without its parameters: cuts at the '(' that no template argument and no "(anonymous namespace)" holds.
static void cut_parameters(char *name)
{
    int depth = 0;
    for (char *at = name; *at; at++) {
        if (text_starts(at, "(anonymous namespace)") || text_starts(at, "(anonymousnamespace)")) {
            at += strcspn(at, ")") - 1; // the loop steps onto the ')'
            continue;
        }
        depth += *at == '<';
        depth -= *at == '>';
        if (*at == '(' && depth == 0) {
            *at = '\0';
            return;
        }
    }
}

// Whether another kernel of the module has the name, with other parameters.
static bool is_overloaded(const struct ptx_module *module, const struct ptx_function *entry, const char *name)
{
    char other[4096];
    bool is = false;
    for (uint32_t i = 0; i < module->function_count && !is; i++) {
        const struct ptx_function *function = module->functions[i];
        if (function == entry || !function->is_entry || !function->is_defined)
            continue;
        ptx_demangle(function->name, other, sizeof other);
        cut_parameters(other);
        is = !strcmp(other, name);
    }
    return is;
}

char *ptx_entry_name(const struct ptx_module *module, const struct ptx_function *entry, char *name, size_t size)
{
    ptx_demangle(entry->name, name, size);
    cut_parameters(name);
    if (module && is_overloaded(module, entry, name) && strlen(ptx_demangle(entry->name, name, size)) + 1 == size)
        snprintf(name, size, "%s", entry->name); // too long to be whole
    return name;
}

bool ptx_is_library(const struct ptx_function *entry)
{
    char name[256];
    ptx_demangle(entry->name, name, sizeof name);
    return text_starts(name, "cub::") || text_starts(name, "thrust::");
}

static void list_entries(const struct ptx_module *module, bool is_own_only, struct text *list)
{
    enum { MAX_LIST = 500 };
    char name[256];
    for (uint32_t i = 0; i < module->function_count && list->length < MAX_LIST; i++) {
        const struct ptx_function *function = module->functions[i];
        if (!function->is_entry || !function->is_defined || (is_own_only && ptx_is_library(function)))
            continue;
        ptx_entry_name(module, function, name, sizeof name);
        text_puts(list, list->length ? ", " : "");
        text_escape(list, name, strlen(name), false);
    }
}

// Whether name, as a person writes it, means the entry: see entry_rank.
enum { NO_MATCH, MATCH_LIBRARY, MATCH_TEMPLATE, MATCH_UNQUALIFIED, MATCH_FULL, MATCH_MANGLED };

// The place behind a pair of parentheses, from the first one on.
static const char *behind_parentheses(const char *at)
{
    int depth = 0;
    do {
        depth += (*at == '(') - (*at == ')');
        at += *at != '\0';
    } while (depth > 0 && *at);
    return at;
}

// Copies a name without white space, and without what the mangled form adds to literals ("32u" -> "32") and to
// functions
// ("&f", "&(f(int))" -> "f").
static void simplify(const char *name, char *text, size_t size)
{
    size_t length = 0;
    const char *end = NULL; // of a function in parentheses
    for (const char *at = name; *at && length + 1 < size; at++) {
        bool is_after_digit = length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9';
        bool is_suffix = is_after_digit && strchr("uUlL", *at) && strchr(",>uUlL ", at[1]) && at[1];
        if (*at == '&' && length > 0 && strchr("<,", text[length - 1])) {
            end = at[1] == '(' ? behind_parentheses(at + 1) : NULL;
            at += at[1] == '(';
            continue;
        }
        if (end && (*at == '(' || at + 1 >= end)) {
            at = end - 1;
            end = NULL;
            continue;
        }
        if (*at != ' ' && *at != '\t' && !is_suffix)
            text[length++] = *at;
    }
    text[length] = '\0';
}

// After the last "::" outside template arguments
static const char *unqualified(const char *name)
{
    const char *last = name;
    int depth = 0;
    for (const char *at = name; *at; at++) {
        depth += *at == '<';
        depth -= *at == '>';
        if (depth == 0 && at[0] == ':' && at[1] == ':')
            last = at + 2;
    }
    return last;
}

static int entry_rank(const struct ptx_function *entry, const char *wanted)
{
    char demangled[4096], name[4096];
    if (!strcmp(entry->name, wanted))
        return MATCH_MANGLED;
    simplify(wanted, demangled, sizeof demangled);
    char *simple = mem_strdup(demangled);
    ptx_demangle(entry->name, demangled, sizeof demangled);
    simplify(demangled, name, sizeof name);
    bool whole = !strcmp(name, simple); // its parameters too, if the name has any
    cut_parameters(simple);
    cut_parameters(name);
    const char *last = unqualified(name);
    size_t length = strlen(simple), stem = strcspn(last, "<"), qualified_stem = (size_t)(last - name) + stem;
    int rank = NO_MATCH;
    if (whole)
        rank = MATCH_MANGLED;
    else if (!strcmp(name, simple))
        rank = MATCH_FULL;
    else if (!strcmp(last, simple))
        rank = MATCH_UNQUALIFIED;
    else if ((length == stem && !strncmp(last, simple, stem)) ||
             (length == qualified_stem && !strncmp(name, simple, length)))
        rank = MATCH_TEMPLATE;
    free(simple);
    return rank;
}

enum status ptx_find_entry(const struct ptx_module *module, const char *name, const struct ptx_function **entry,
                           struct diagnostic *diagnostic)
{
    int best = NO_MATCH;
    unsigned found = 0, entries = 0, own = 0;
    *entry = NULL;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        if (!function->is_entry || !function->is_defined)
            continue;
        bool is_library = ptx_is_library(function);
        entries++;
        own += !is_library;
        int rank = name ? entry_rank(function, name) : is_library ? MATCH_LIBRARY : MATCH_FULL;
        if (rank > best)
            found = 0;
        if (rank == NO_MATCH || rank < best)
            continue;
        best = rank;
        found++;
        *entry = function;
    }
    if (found == 1)
        return STATUS_OK;
    *entry = NULL;
    struct text list = {0}, wanted = {0};
    list_entries(module, own > 0, &list);
    if (name)
        text_escape(&wanted, name, strnlen(name, 100), false);
    enum status status;
    if (entries == 0)
        status = diagnostic_set(diagnostic, STATUS_USAGE, "there is no kernel (.entry) in %s", module->name);
    else if (!name)
        status = diagnostic_set(diagnostic, STATUS_USAGE, "say which kernel: %s", text_get(&list));
    else
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                found ? "'%s' means more than one kernel: rename the others, or say all of its name; "
                                        "there are: %s"
                                      : "there is no kernel '%s'; there are: %s",
                                text_get(&wanted), text_get(&list));
    text_free(&list);
    text_free(&wanted);
    return status;
}

// ---- registers of an instruction

// A register in the first place is a result, but here.
static bool reads_first_operand(enum ptx_opcode op)
{
    switch (op) {
    case PTX_OP_BRX_IDX:
    case PTX_OP_BAR_SYNC:
    case PTX_OP_BAR_ARRIVE:
    case PTX_OP_BAR_CTA_SYNC:
    case PTX_OP_BAR_CTA_ARRIVE:
    case PTX_OP_BARRIER_SYNC:
    case PTX_OP_BARRIER_ARRIVE:
    case PTX_OP_BARRIER_CTA_SYNC:
    case PTX_OP_BARRIER_CTA_ARRIVE:
    case PTX_OP_BAR_WARP_SYNC:
    case PTX_OP_NANOSLEEP:
    case PTX_OP_STACKRESTORE:
        return true;
    default:
        return false;
    }
}

static void visit_operand(const struct ptx_function *function, const struct ptx_operand *operand, bool written,
                          ptx_register_visit *visit, void *context)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        visit(context, operand->value.reg, written);
    else if (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER && !written)
        visit(context, operand->value.reg, false);
    else if (operand->kind == PTX_OPERAND_VECTOR)
        for (uint32_t i = 0; i < operand->value.vector.count; i++)
            visit_operand(function, &function->operands[operand->value.vector.first + i], written, visit, context);
    if (operand->kind != PTX_OPERAND_ADDRESS && written && operand->pair_reg >= 0)
        visit(context, (uint32_t)operand->pair_reg, true);
}

void ptx_visit_registers(const struct ptx_function *function, const struct ptx_inst *inst, ptx_register_visit *visit,
                         void *context)
{
    const struct ptx_operand *operands = &function->operands[inst->operands];
    bool has_result = inst->operand_count && operands->kind != PTX_OPERAND_ADDRESS && !reads_first_operand(inst->op);
    if (has_result)
        visit_operand(function, operands, true, visit, context);
    if (inst->op == PTX_OP_WGMMA_MMA) // adds to what it gives
        visit_operand(function, operands, false, visit, context);
    if (inst->guard >= 0)
        visit(context, (uint32_t)inst->guard, false);
    for (uint32_t i = has_result; i < inst->operand_count; i++)
        visit_operand(function, &operands[i], false, visit, context);
}
