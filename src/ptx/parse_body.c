// Function bodies: statements, scopes, labels, and the finished function.
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

// ---- .loc

// The index of the latest location at a file, line and column; 0 if there was none.
static uint32_t *latest_location(struct ptx_parser *p, const struct ptx_location *place)
{
    p->places.value_size = sizeof(uint32_t);
    return map_add_bytes(&p->places, place, offsetof(struct ptx_location, inlined_at), NULL);
}

static bool parse_source_place(struct ptx_parser *p, struct ptx_location *location)
{
    uint64_t file, line, column;
    if (!ptx_parse_bounded(p, 0, PTX_MAX_FILES - 1, &file, "the file's number") ||
        !ptx_parse_bounded(p, 0, UINT32_MAX, &line, "the line") ||
        !ptx_parse_bounded(p, 0, UINT32_MAX, &column, "the column"))
        return false;
    *location = (struct ptx_location){(uint32_t)file, (uint32_t)line, (uint32_t)column, -1};
    return true;
}

// The location's index; it is added unless the latest one at its place has the same call site.
static uint32_t add_location(struct ptx_parser *p, const struct ptx_location *location)
{
    uint32_t *latest = latest_location(p, location);
    if (*latest == 0 || p->locations.items[*latest].inlined_at != location->inlined_at) {
        PTX_PUSH(p->locations, *location);
        *latest = (uint32_t)p->locations.count - 1;
    }
    return *latest;
}

// The call site is the latest location at its place, so that chains of inlining join up.
static int32_t find_call_site(struct ptx_parser *p, const struct ptx_location *site)
{
    uint32_t index = *latest_location(p, site);
    if (index)
        return (int32_t)index;
    return (int32_t)add_location(p, site);
}

// What stands in inline assembly says what its author likes: it is read, and of no consequence.
// location = ".loc" file line column [ "," "function_name" NAME [ "+" INTEGER ] "," "inlined_at" file line column ]
bool ptx_parse_location(struct ptx_parser *p)
{
    struct ptx_location location, site;
    struct ptx_token name;
    uint64_t offset;
    bool counts = !p->token.in_assembly;
    if (!parse_source_place(p, &location))
        return false;
    while (ptx_accept(p, ',')) {
        if (!ptx_parse_name(p, &name, "'function_name' or 'inlined_at'"))
            return false;
        if (ptx_token_is(&name, "function_name")) {
            if (!ptx_parse_name(p, &name, "a label") ||
                (ptx_accept(p, '+') && !ptx_parse_bounded(p, 0, UINT64_MAX, &offset, "the offset of the name")))
                return false;
        } else if (ptx_token_is(&name, "inlined_at")) {
            if (!parse_source_place(p, &site))
                return false;
            location.inlined_at = counts ? find_call_site(p, &site) : -1;
        } else {
            return ptx_fail_at(p, &name, STATUS_PARSE, "expected 'function_name' or 'inlined_at'");
        }
    }
    // Line 0 is code that the compiler merged or moved: the line before it is the nearest that there is.
    if (!counts)
        return true;
    if (location.line > 0 || location.inlined_at >= 0 || !p->location)
        p->location = add_location(p, &location);
    return true;
}

// ---- labels and tables

static void resolve(struct ptx_parser *p, const struct ptx_fixup *fixup, const struct ptx_symbol *symbol)
{
    struct ptx_operand *operand = &p->body.operands.items[fixup->operand];
    if (fixup->target)
        *fixup->target = symbol->number;
    else if (fixup->wants_table)
        operand->value.table = symbol->value.table;
    else
        operand->value.target = symbol->number;
}

// Resolves the fixups from first on against the names of the scope that ends; the others wait for the outer one.
static void resolve_scope(struct ptx_parser *p, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < p->body.fixups.count; i++) {
        const struct ptx_fixup *fixup = &p->body.fixups.items[i];
        const struct ptx_symbol *symbol = ptx_symbols_find(&p->symbols, fixup->token.text, fixup->token.length);
        enum ptx_symbol_kind kind = fixup->wants_table ? PTX_SYMBOL_TABLE : PTX_SYMBOL_LABEL;
        if (symbol && symbol->kind == kind && symbol->depth == p->symbols.depth)
            resolve(p, fixup, symbol);
        else
            p->body.fixups.items[kept++] = *fixup;
    }
    p->body.fixups.count = kept;
}

// targets = ".branchtargets" NAME { "," NAME } ";"
static bool parse_branch_targets(struct ptx_parser *p, struct ptx_table *table)
{
    size_t first = p->body.fixups.count;
    do {
        struct ptx_token name;
        if (!ptx_parse_name(p, &name, "a label"))
            return false;
        PTX_PUSH(p->body.fixups, (struct ptx_fixup){.token = name});
    } while (ptx_accept(p, ','));
    table->count = (uint32_t)(p->body.fixups.count - first);
    table->targets = arena_alloc(p->arena, table->count * sizeof *table->targets);
    for (uint32_t i = 0; i < table->count; i++)
        p->body.fixups.items[first + i].target = &table->targets[i];
    return ptx_expect(p, ';', "',' or ';' after the label");
}

// targets = ".calltargets" NAME { "," NAME } ";"
static bool parse_call_target_list(struct ptx_parser *p, struct ptx_table *table)
{
    PTX_VECTOR(const struct ptx_function *) list = {0};
    bool ok = true;
    do {
        struct ptx_token name;
        ok = ptx_parse_name(p, &name, "a function's name");
        const struct ptx_symbol *symbol = ok ? ptx_symbols_find(&p->symbols, name.text, name.length) : NULL;
        if (ok && (!symbol || symbol->kind != PTX_SYMBOL_FUNCTION))
            ok = ptx_fail_at(p, &name, STATUS_PARSE, "%s is not a function declared above", ptx_quote(p, &name));
        if (ok)
            PTX_PUSH(list, symbol->value.function);
    } while (ok && ptx_accept(p, ','));
    if (ok) {
        table->count = (uint32_t)list.count;
        table->functions = arena_alloc(p->arena, list.count * sizeof *list.items);
        memcpy((void *)table->functions, list.items, list.count * sizeof *list.items);
    }
    free(list.items);
    return ok && ptx_expect(p, ';', "',' or ';' after the function");
}

// prototype = ".callprototype" [ "(" params ")" ] "_" [ "(" params ")" ] attributes ";"
static bool parse_prototype(struct ptx_parser *p, struct ptx_table *table)
{
    struct ptx_function *prototype = arena_alloc(p->arena, sizeof *prototype);
    struct ptx_token name;
    prototype->module = p->module;
    if (p->token.kind == '(' &&
        !ptx_parse_params(p, true, false, &prototype->results, &prototype->result_count, &prototype->result_size))
        return false;
    if (!ptx_parse_name(p, &name, "'_' in place of the function's name"))
        return false;
    prototype->name = ptx_name(p, name.text, name.length);
    if (p->token.kind == '(' &&
        !ptx_parse_params(p, true, false, &prototype->params, &prototype->param_count, &prototype->param_size))
        return false;
    table->prototype = prototype;
    return ptx_parse_attributes(p, prototype) && ptx_expect(p, ';', "';' after the prototype");
}

// label = NAME ":" [ ".branchtargets" … | ".calltargets" … | ".callprototype" … ] ; the token is the NAME
static bool parse_label(struct ptx_parser *p)
{
    struct ptx_token name;
    struct ptx_symbol symbol = {.kind = PTX_SYMBOL_LABEL, .number = (uint32_t)p->body.insts.count};
    bool (*parse)(struct ptx_parser *, struct ptx_table *) = NULL;
    if (!ptx_parse_name(p, &name, "a label") || !ptx_expect(p, ':', "':' after the label"))
        return false;
    if (ptx_accept_word(p, ".branchtargets"))
        parse = parse_branch_targets;
    else if (ptx_accept_word(p, ".calltargets"))
        parse = parse_call_target_list;
    else if (ptx_accept_word(p, ".callprototype"))
        parse = parse_prototype;
    if (parse) {
        symbol.kind = PTX_SYMBOL_TABLE;
        symbol.value.table = arena_alloc(p->arena, sizeof *symbol.value.table);
        symbol.value.table->name = ptx_name(p, name.text, name.length);
    }
    return ptx_declare(p, &name, symbol) && (!parse || parse(p, symbol.value.table));
}

// ---- statements

static bool parse_pragma(struct ptx_parser *p)
{
    bool nounroll = false;
    if (!ptx_skip_pragma(p, &nounroll))
        return false;
    if (nounroll)
        PTX_PUSH(p->body.nounrolls, (uint32_t)p->body.insts.count);
    return true;
}

static bool parse_directive(struct ptx_parser *p)
{
    if (ptx_accept_word(p, ".loc"))
        return ptx_parse_location(p);
    if (ptx_accept_word(p, ".reg"))
        return ptx_parse_registers(p);
    if (ptx_accept_word(p, ".param"))
        return ptx_parse_variable_list(p, PTX_PARAM, false);
    if (ptx_accept_word(p, ".local"))
        return ptx_parse_variable_list(p, PTX_LOCAL, false);
    if (ptx_accept_word(p, ".pragma"))
        return parse_pragma(p);
    bool is_extern = ptx_accept_word(p, ".extern");
    if (ptx_accept_word(p, ".shared"))
        return ptx_parse_variable_list(p, PTX_SHARED, is_extern);
    if (ptx_accept_word(p, ".global"))
        return ptx_parse_variable_list(p, PTX_GLOBAL, is_extern);
    if (ptx_accept_word(p, ".const"))
        return ptx_parse_variable_list(p, PTX_CONST, is_extern);
    return ptx_fail_at(p, &p->token, STATUS_UNSUPPORTED, "the directive %s on line %u is not supported here",
                       ptx_quote(p, &p->token), p->token.line);
}

// Scopes open inside a body, each with what it restores.
struct scopes {
    size_t fixups[PTX_MAX_DEPTH];
    uint32_t call_params[PTX_MAX_DEPTH];
    unsigned count;
};

static bool enter_scope(struct ptx_parser *p, struct scopes *scopes)
{
    if (scopes->count == PTX_MAX_DEPTH)
        return ptx_fail_at(p, &p->token, STATUS_PARSE, "scopes nest deeper than %d levels", PTX_MAX_DEPTH);
    scopes->fixups[scopes->count] = p->body.fixups.count;
    scopes->call_params[scopes->count++] = p->body.call_param_used;
    ptx_symbols_enter(&p->symbols);
    ptx_next(p);
    return true;
}

static void leave_scope(struct ptx_parser *p, struct scopes *scopes)
{
    scopes->count--;
    resolve_scope(p, scopes->fixups[scopes->count]);
    ptx_symbols_leave(&p->symbols);
    p->body.call_param_used = scopes->call_params[scopes->count];
}

// statement = ";" | directive | label | instruction
static bool parse_statement(struct ptx_parser *p)
{
    if (p->token.kind == PTX_TOKEN_WORD)
        return parse_directive(p);
    if (p->token.kind == PTX_TOKEN_NAME && ptx_lex_at_colon(&p->lexer))
        return parse_label(p);
    if (p->token.kind == PTX_TOKEN_NAME || p->token.kind == '@')
        return ptx_parse_instruction(p);
    return ptx_accept(p, ';') || ptx_fail_expected(p, "an instruction, a label, a directive or '}'");
}

// ---- the finished function

// After the last instruction comes a ret, if control or a label can get there.
static void end_with_return(struct ptx_parser *p, bool is_label_at_end)
{
    size_t count = p->body.insts.count;
    const struct ptx_inst *last = count ? &p->body.insts.items[count - 1] : NULL;
    bool is_end = last && last->guard < 0 &&
                  (last->op == PTX_OP_RET || last->op == PTX_OP_EXIT || last->op == PTX_OP_TRAP ||
                   last->op == PTX_OP_BRA || last->op == PTX_OP_BRX_IDX);
    if (is_end && !is_label_at_end)
        return;
    PTX_PUSH(p->body.insts, (struct ptx_inst){.op = PTX_OP_RET,
                                              .vector = 1,
                                              .guard = -1,
                                              .operands = (uint32_t)p->body.operands.count,
                                              .location = p->location,
                                              .text_line = p->token.line});
}

// The table that an instruction names must be of the right kind, and all tables together of a bounded size: each entry
// of each use is an edge of the control flow graph.
static bool check_table(struct ptx_parser *p, const struct ptx_inst *inst, const struct ptx_table *table, size_t *edges)
{
    struct ptx_token at = {.line = inst->text_line, .column = 0};
    if (inst->op == PTX_OP_CALL)
        return table->functions || table->prototype ||
               ptx_fail_at(p, &at, STATUS_PARSE, "call needs '.calltargets' or '.callprototype', '%.60s' is neither",
                           table->name);
    if (!table->targets)
        return ptx_fail_at(p, &at, STATUS_PARSE, "brx.idx needs '.branchtargets', '%.60s' is none", table->name);
    *edges += table->count;
    return *edges <= PTX_MAX_EDGES ||
           ptx_fail_at(p, &at, STATUS_PARSE, "the branch tables of the function have more than %d entries",
                       PTX_MAX_EDGES);
}

// Checks tables, and says whether a branch leads past the last instruction.
static bool check_branches(struct ptx_parser *p, bool *is_label_at_end)
{
    const struct ptx_body *body = &p->body;
    size_t edges = 0;
    *is_label_at_end = false;
    for (size_t i = 0; i < body->insts.count; i++) {
        const struct ptx_inst *inst = &body->insts.items[i];
        if (inst->op == PTX_OP_BRA)
            *is_label_at_end |= body->operands.items[inst->operands].value.target == body->insts.count;
        if (inst->op != PTX_OP_BRX_IDX && inst->op != PTX_OP_CALL)
            continue;
        const struct ptx_operand *last = &body->operands.items[inst->operands + inst->operand_count - 1];
        if (last->kind != PTX_OPERAND_TABLE)
            continue;
        if (!check_table(p, inst, last->value.table, &edges))
            return false;
        for (uint32_t k = 0; inst->op == PTX_OP_BRX_IDX && k < last->value.table->count; k++)
            *is_label_at_end |= last->value.table->targets[k] == body->insts.count;
    }
    return true;
}

static void clear_body(struct ptx_body *body)
{
    body->insts.count = body->operands.count = body->registers.count = 0;
    body->variables.count = body->fixups.count = body->nounrolls.count = 0;
    body->ranges = 0;
    body->call_param_used = 0;
    if (body->range_registers.slot_count > 1024) // one huge function must not make the clearing of many small ones slow
        map_free(&body->range_registers);
    map_clear(&body->range_registers);
}

static bool finish_function(struct ptx_parser *p)
{
    struct ptx_function *function = p->function;
    struct ptx_body *body = &p->body;
    if (body->fixups.count) {
        const struct ptx_fixup *fixup = &body->fixups.items[0];
        return ptx_fail_at(p, &fixup->token, STATUS_PARSE, "the %s %s is not in this function",
                           fixup->wants_table ? "table" : "label", ptx_quote(p, &fixup->token));
    }
    bool is_label_at_end;
    ptx_give_registers(p); // for a return that is not written
    if (!check_branches(p, &is_label_at_end))
        return false;
    end_with_return(p, is_label_at_end);
    for (size_t i = 0; i < body->nounrolls.count; i++)
        if (body->nounrolls.items[i] < body->insts.count)
            body->insts.items[body->nounrolls.items[i]].nounroll = true;
    function->operand_count = (uint32_t)body->operands.count;
    function->inst_count = (uint32_t)body->insts.count;
    function->insts = PTX_SETTLE(p, body->insts);
    function->operands = PTX_SETTLE(p, body->operands);
    function->register_count = (uint32_t)body->registers.count;
    function->registers = PTX_SETTLE(p, body->registers);
    function->variable_count = (uint32_t)body->variables.count;
    function->variables = PTX_SETTLE(p, body->variables);
    ptx_cfg_build(function, p->arena);
    ptx_place_registers(function);
    return true;
}

// body = "{" { statement | "{" … "}" } "}"
bool ptx_parse_body(struct ptx_parser *p)
{
    struct scopes scopes = {.count = 0};
    clear_body(&p->body);
    p->location = 0;
    if (p->token.kind != '{')
        return ptx_fail_expected(p, "'{' of the function's body, or ';'");
    if (!enter_scope(p, &scopes) || !ptx_take_registers(p))
        return false;
    for (;;) {
        if (p->token.kind == '{') {
            if (!enter_scope(p, &scopes))
                return false;
        } else if (p->token.kind == '}') {
            leave_scope(p, &scopes);
            if (scopes.count == 0)
                break;
            ptx_next(p);
        } else if (!parse_statement(p)) {
            return false;
        }
    }
    if (!finish_function(p))
        return false;
    ptx_next(p);
    return true;
}
