// Instructions: opcode, modifiers, operands (PTX ISA 4.3.2, 6.4 and 9).
#include "ptx/forms.h"
#include "base/text.h"
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

// The operands of the instruction being read, except the elements of vectors, which are in the body already.
struct operands {
    struct ptx_operand items[PTX_MAX_OPERANDS];
    unsigned count;
};

// ---- registers

static uint32_t range_register(struct ptx_parser *p, const struct ptx_token *name, const struct ptx_symbol *range,
                               uint32_t number)
{
    struct ptx_body *body = &p->body;
    bool fresh;
    body->range_registers.value_size = sizeof(uint32_t);
    uint32_t *reg = map_add(&body->range_registers, (uint64_t)range->number << 32 | number, &fresh);
    if (fresh) {
        *reg = (uint32_t)body->registers.count;
        PTX_PUSH(body->registers, (struct ptx_register){.name = ptx_name(p, name->text, name->length),
                                                        .type = range->type,
                                                        .vector = range->vector});
    }
    return *reg;
}

// %r12 is number 12 of the range %r<n>; a prefix may itself end in digits.
static bool find_range_register(struct ptx_parser *p, const struct ptx_token *name, uint32_t *reg)
{
    uint32_t number = 0, scale = 1;
    for (uint32_t prefix = name->length; prefix > 1 && name->length - prefix < 7;) {
        char digit = name->text[--prefix];
        if (digit < '0' || digit > '9')
            return false;
        number += (uint32_t)(digit - '0') * scale;
        scale *= 10;
        if (digit == '0' && prefix + 1 < name->length)
            continue; // %r07 is not a member of %r<n>
        const struct ptx_symbol *range = ptx_symbols_find_range(&p->symbols, name->text, prefix);
        if (range && number < range->count) {
            *reg = range_register(p, name, range, number);
            return true;
        }
    }
    return false;
}

static bool register_of(struct ptx_parser *p, const struct ptx_token *name, const struct ptx_symbol *symbol,
                        uint32_t *reg)
{
    if (!symbol)
        return find_range_register(p, name, reg);
    *reg = symbol->number;
    return symbol->kind == PTX_SYMBOL_REGISTER;
}

// The register that name means here, materialised if it belongs to a range. False without a message if none does.
static bool find_register(struct ptx_parser *p, const struct ptx_token *name, uint32_t *reg)
{
    return register_of(p, name, ptx_symbols_find(&p->symbols, name->text, name->length), reg);
}

static bool unknown_name(struct ptx_parser *p, const struct ptx_token *name)
{
    return ptx_fail_at(p, name, STATUS_PARSE, "%s is not declared", ptx_quote(p, name));
}

static bool parse_register(struct ptx_parser *p, uint32_t *reg, const char *expected)
{
    struct ptx_token name;
    return ptx_parse_name(p, &name, expected) && (find_register(p, &name, reg) || unknown_name(p, &name));
}

static bool parse_predicate(struct ptx_parser *p, uint32_t *reg, const char *expected)
{
    struct ptx_token name = p->token;
    if (!parse_register(p, reg, expected))
        return false;
    if (p->body.registers.items[*reg].type == PTX_PRED)
        return true;
    return ptx_fail_at(p, &name, STATUS_PARSE, "%s is not a predicate", ptx_quote(p, &name));
}

// ---- operands

static struct ptx_operand *push_operand(struct ptx_parser *p, struct operands *operands)
{
    if (operands->count == PTX_MAX_OPERANDS) {
        ptx_fail_at(p, &p->token, STATUS_PARSE, "more than %d operands", PTX_MAX_OPERANDS);
        return NULL;
    }
    struct ptx_operand *operand = &operands->items[operands->count++];
    *operand = (struct ptx_operand){.pair_reg = -1};
    return operand;
}

// selector = ( ".b" | ".h" ) DIGIT { DIGIT } : up to four digits below 8
static bool parse_selector(struct ptx_parser *p, struct ptx_operand *operand)
{
    const struct ptx_token *word = &p->token;
    uint32_t selector = word->text[1] == 'h' ? PTX_SELECTOR_HALVES : 0, count = word->length - 2;
    if (word->length < 3 || count > 4 || (word->text[1] != 'h' && word->text[1] != 'b'))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t digit = (uint32_t)(word->text[2 + i] - '0');
        if (digit > (selector & PTX_SELECTOR_HALVES ? 3u : 7u))
            return false;
        selector |= digit << 4 * (count - 1 - i);
    }
    operand->selector |= selector | count << PTX_SELECTOR_COUNT;
    ptx_next(p);
    return true;
}

// element = ".x" | ".y" | ".z" | ".w" | ".r" | ".g" | ".b" | ".a" | selector
static bool parse_element(struct ptx_parser *p, struct ptx_operand *operand)
{
    static const struct {
        const char *word;
        uint8_t element;
    } elements[] = {{".x", 1}, {".y", 2}, {".z", 3}, {".w", 4}, {".r", 1}, {".g", 2}, {".b", 3}, {".a", 4}};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (ptx_accept_word(p, elements[i].word)) {
            operand->element = elements[i].element;
            return true;
        }
    return parse_selector(p, operand) || ptx_fail_unsupported(p, &p->token, "the element");
}

// %envreg0 … %envreg31, %pm0 … %pm7: the number goes into the element.
static bool is_numbered_special(const struct ptx_token *name, struct ptx_operand *operand)
{
    uint32_t length = name->length, number = 0, scale = 1;
    while (length > 3 && name->length - length < 2 && name->text[length - 1] >= '0' && name->text[length - 1] <= '9') {
        number += (uint32_t)(name->text[--length] - '0') * scale;
        scale *= 10;
    }
    enum ptx_special special = ptx_words_special(name->text, length);
    if (length == name->length || (special != PTX_SPECIAL_ENVREG && special != PTX_SPECIAL_PM))
        return false;
    operand->value.special = special;
    operand->element = (uint8_t)number;
    return number < 32;
}

// named = NAME [ element ] [ ("+" | "-") product ] ; a register, special register, variable or function
static bool parse_named(struct ptx_parser *p, struct ptx_operand *operand)
{
    struct ptx_token name;
    if (!ptx_parse_name(p, &name, "an operand"))
        return false;
    const struct ptx_symbol *symbol = ptx_symbols_find(&p->symbols, name.text, name.length);
    if (register_of(p, &name, symbol, &operand->value.reg)) {
        operand->kind = PTX_OPERAND_REGISTER;
        return p->token.kind != PTX_TOKEN_WORD || parse_element(p, operand);
    }
    if (symbol && symbol->kind == PTX_SYMBOL_FUNCTION) {
        operand->kind = PTX_OPERAND_FUNCTION;
        operand->value.function = symbol->value.function;
        return true;
    }
    if (symbol && symbol->kind == PTX_SYMBOL_VARIABLE) {
        operand->kind = PTX_OPERAND_VARIABLE;
        operand->value.variable = symbol->value.variable;
        return true;
    }
    operand->kind = PTX_OPERAND_SPECIAL;
    operand->value.special = ptx_words_special(name.text, name.length);
    if (operand->value.special == PTX_SPECIAL_NONE)
        return is_numbered_special(&name, operand) || unknown_name(p, &name);
    return p->token.kind != PTX_TOKEN_WORD || parse_element(p, operand);
}

// offsets = { ("+" | "-") product }
static bool parse_offsets(struct ptx_parser *p, int64_t *offset)
{
    uint64_t sum = (uint64_t)*offset;
    while (p->token.kind == '+' || p->token.kind == '-') {
        struct ptx_token sign = p->token;
        struct ptx_constant constant;
        ptx_next(p);
        if (!ptx_parse_product(p, &constant))
            return false;
        if (constant.kind != PTX_TOKEN_INTEGER)
            return ptx_fail_at(p, &sign, STATUS_PARSE, "an offset must be an integer");
        sum += sign.kind == '-' ? 0 - constant.bits : constant.bits;
    }
    *offset = (int64_t)sum;
    return true;
}

static bool parse_inst_operand(struct ptx_parser *p, struct operands *operands);

// address = "[" ( named | constant ) offsets { "," operand } "]"
static bool parse_address(struct ptx_parser *p, struct operands *operands)
{
    struct ptx_operand *operand = push_operand(p, operands);
    struct ptx_token base;
    if (!operand)
        return false;
    ptx_next(p);
    base = p->token;
    if (ptx_at_constant(p)) {
        struct ptx_constant constant;
        if (!ptx_parse_constant(p, &constant))
            return false;
        operand->base_kind = PTX_OPERAND_NONE;
        operand->offset = (int64_t)constant.bits;
        if (constant.kind != PTX_TOKEN_INTEGER)
            return ptx_fail_at(p, &base, STATUS_PARSE, "an address must be an integer");
    } else {
        if (!parse_named(p, operand))
            return false;
        operand->base_kind = operand->kind;
        if (operand->kind != PTX_OPERAND_REGISTER && operand->kind != PTX_OPERAND_VARIABLE)
            return ptx_fail_at(p, &base, STATUS_PARSE, "an address needs a register, a variable or a number");
        if (!parse_offsets(p, &operand->offset))
            return false;
    }
    operand->kind = PTX_OPERAND_ADDRESS;
    while (ptx_accept(p, ','))
        if (p->token.kind == '[' || !parse_inst_operand(p, operands))
            return ptx_fail_expected(p, "a register or coordinates in braces");
    return ptx_expect(p, ']', "']' after the address");
}

static bool parse_scalar(struct ptx_parser *p, struct ptx_operand *operand);

// vector = "{" [ scalar { "," scalar } ] "}"
static bool parse_vector(struct ptx_parser *p, struct ptx_operand *vector, unsigned close)
{
    struct ptx_operand elements[PTX_MAX_VECTOR];
    uint32_t count = 0;
    ptx_next(p);
    if (p->token.kind != close) {
        do {
            if (count == PTX_MAX_VECTOR)
                return ptx_fail_at(p, &p->token, STATUS_PARSE, "more than %d elements", PTX_MAX_VECTOR);
            elements[count] = (struct ptx_operand){.pair_reg = -1};
            if (!parse_scalar(p, &elements[count++]))
                return false;
        } while (ptx_accept(p, ','));
    }
    vector->kind = PTX_OPERAND_VECTOR;
    vector->value.vector.first = (uint32_t)p->body.operands.count;
    vector->value.vector.count = count;
    for (uint32_t i = 0; i < count; i++)
        PTX_PUSH(p->body.operands, elements[i]);
    return ptx_expect(p, close, close == '}' ? "',' or '}' after the element" : "',' or ')' after the argument");
}

static bool parse_literal(struct ptx_parser *p, struct ptx_operand *operand)
{
    struct ptx_constant constant;
    if (!ptx_parse_constant(p, &constant))
        return false;
    operand->kind = constant.kind == PTX_TOKEN_INTEGER ? PTX_OPERAND_INTEGER : PTX_OPERAND_FLOAT;
    operand->is_single = constant.kind == PTX_TOKEN_SINGLE;
    operand->value.bits = constant.bits;
    return true;
}

// The instruction's operand is a register and a constant, which ptxas takes for an addition before it: so it becomes
// one.
static bool add_to_register(struct ptx_parser *p, struct ptx_operand *operand)
{
    static const enum ptx_type types[] = {[2] = PTX_U16, [4] = PTX_U32, [8] = PTX_U64};
    static const struct ptx_words_written none = {.count = 0};
    const struct ptx_token plus = p->token;
    const struct ptx_register reg = p->body.registers.items[operand->value.reg];
    enum ptx_type type = reg.type;
    unsigned size = ptx_type_size(type);
    struct ptx_operand sum = *operand, addend = {.kind = PTX_OPERAND_INTEGER, .pair_reg = -1};
    int64_t offset = 0;
    if (reg.vector > 1 || operand->element || operand->selector || size < 2 || size > 8 || type == PTX_F16 ||
        type == PTX_F32 || type == PTX_F64)
        return ptx_fail_at(p, &plus, STATUS_PARSE,
                           "only to an integer register of 16 to 64 bits a number can be added");
    if (!parse_offsets(p, &offset))
        return false;
    sum.value.reg = (uint32_t)p->body.registers.count;
    addend.value.bits = (uint64_t)offset;
    PTX_PUSH(p->body.registers, (struct ptx_register){.name = reg.name, .type = type, .vector = 1});
    struct ptx_inst inst = {.op = PTX_OP_ADD,
                            .types = {types[size]},
                            .type_count = 1,
                            .vector = 1,
                            .guard = -1,
                            .operand_count = 3,
                            .operands = (uint32_t)p->body.operands.count,
                            .location = p->location,
                            .text_line = plus.line};
    ptx_form_find(&inst, &none, 3);
    PTX_PUSH(p->body.operands, sum);
    PTX_PUSH(p->body.operands, *operand);
    PTX_PUSH(p->body.operands, addend);
    PTX_PUSH(p->body.insts, inst);
    *operand = sum;
    return true;
}

// element = "[" constant "]" : of a variable; counted in its type, also where it is a vector's or has more dimensions
static bool parse_index(struct ptx_parser *p, struct ptx_operand *operand)
{
    struct ptx_token at = p->token;
    struct ptx_constant constant;
    if (!ptx_accept(p, '['))
        return true;
    if (!ptx_at_constant(p))
        return ptx_fail_expected(p, "a number");
    if (!ptx_parse_constant(p, &constant) || !ptx_expect(p, ']', "']' after the element's number"))
        return false;
    operand->offset = (int64_t)(constant.bits * ptx_type_size(operand->value.variable->type));
    operand->base_kind = PTX_OPERAND_VARIABLE; // where the instruction wants an address, this is one
    return constant.kind == PTX_TOKEN_INTEGER || ptx_fail_at(p, &at, STATUS_PARSE, "an element's number is an integer");
}

// scalar = "_" | "!" NAME | [ "-" ] named [ element ] offsets | constant
static bool parse_scalar(struct ptx_parser *p, struct ptx_operand *operand)
{
    struct ptx_token first = p->token;
    if (first.kind == PTX_TOKEN_NAME && ptx_token_is(&first, "_")) {
        ptx_next(p);
        return true;
    }
    if (first.kind == '!') {
        struct ptx_lexer ahead = p->lexer;
        struct ptx_token second;
        ptx_lex(&ahead, &second);
        if (second.kind == PTX_TOKEN_NAME) {
            ptx_next(p);
            operand->kind = PTX_OPERAND_REGISTER;
            operand->negated = true;
            return parse_predicate(p, &operand->value.reg, "a predicate after '!'");
        }
    }
    if (first.kind == '-') { // vmad's
        struct ptx_lexer ahead = p->lexer;
        struct ptx_token second;
        ptx_lex(&ahead, &second);
        if (second.kind == PTX_TOKEN_NAME && !ptx_token_is(&second, PTX_WARP_SIZE)) {
            ptx_next(p);
            operand->selector = PTX_SELECTOR_MINUS;
            return parse_named(p, operand);
        }
    }
    if (ptx_at_constant(p))
        return parse_literal(p, operand);
    if (first.kind != PTX_TOKEN_NAME)
        return ptx_fail_expected(p, "an operand");
    if (!parse_named(p, operand))
        return false;
    if (operand->kind == PTX_OPERAND_VARIABLE)
        return parse_index(p, operand) && parse_offsets(p, &operand->offset);
    return operand->kind != PTX_OPERAND_REGISTER || p->token.kind != '+' || add_to_register(p, operand);
}

// operand = address | ( vector | scalar ) [ "|" ( "_" | NAME ) ]
static bool parse_inst_operand(struct ptx_parser *p, struct operands *operands)
{
    if (p->token.kind == '[')
        return parse_address(p, operands);
    struct ptx_operand *operand = push_operand(p, operands);
    if (!operand)
        return false;
    if (p->token.kind == '{' ? !parse_vector(p, operand, '}') : !parse_scalar(p, operand))
        return false;
    if (!ptx_accept(p, '|'))
        return true;
    if (p->token.kind == PTX_TOKEN_NAME && ptx_token_is(&p->token, "_")) {
        ptx_next(p);
        return true;
    }
    uint32_t reg = 0;
    bool ok = parse_register(p, &reg, "a register after '|'");
    operand->pair_reg = (int32_t)reg;
    return ok;
}

// ---- branches and calls

static bool parse_label_operand(struct ptx_parser *p, struct operands *operands, bool wants_table)
{
    struct ptx_operand *operand = push_operand(p, operands);
    struct ptx_token name;
    if (!operand || !ptx_parse_name(p, &name, wants_table ? "the name of a table" : "a label"))
        return false;
    operand->kind = wants_table ? PTX_OPERAND_TABLE : PTX_OPERAND_LABEL;
    PTX_PUSH(p->body.fixups,
             (struct ptx_fixup){.wants_table = wants_table, .operand = operands->count - 1, .token = name});
    return true;
}

// The last part of an indirect call: a table or prototype, or a variable that lists functions
static bool parse_call_targets(struct ptx_parser *p, struct operands *operands)
{
    const struct ptx_symbol *symbol =
        p->token.kind == PTX_TOKEN_NAME ? ptx_symbols_find(&p->symbols, p->token.text, p->token.length) : NULL;
    if (!symbol || symbol->kind != PTX_SYMBOL_VARIABLE)
        return parse_label_operand(p, operands, true);
    struct ptx_operand *operand = push_operand(p, operands);
    return operand && parse_named(p, operand);
}

// call = [ "(" scalars ")" "," ] NAME [ "," "(" scalars ")" ] [ "," NAME ]
static bool parse_call(struct ptx_parser *p, struct operands *operands)
{
    struct ptx_operand *results = push_operand(p, operands), *callee = push_operand(p, operands);
    struct ptx_operand *arguments = push_operand(p, operands);
    if (p->token.kind == '(' &&
        (!parse_vector(p, results, ')') || !ptx_expect(p, ',', "',' between the results and the function")))
        return false;
    struct ptx_token name = p->token;
    if (!parse_named(p, callee))
        return false;
    if (callee->kind != PTX_OPERAND_FUNCTION && callee->kind != PTX_OPERAND_REGISTER)
        return ptx_fail_at(p, &name, STATUS_PARSE, "call needs a function or a register");
    bool has_more = ptx_accept(p, ',');
    if (has_more && p->token.kind == '(') {
        if (!parse_vector(p, arguments, ')'))
            return false;
        has_more = ptx_accept(p, ',');
    }
    if (has_more)
        return parse_call_targets(p, operands);
    return push_operand(p, operands) != NULL;
}

// ---- modifiers

static bool add_type(struct ptx_inst *inst, enum ptx_type type)
{
    if (inst->type_count == sizeof inst->types / sizeof *inst->types)
        return false;
    inst->types[inst->type_count++] = type;
    return true;
}

static bool add_modifier(struct ptx_inst *inst, enum ptx_modifier modifier)
{
    if (modifier == PTX_MOD_NONE)
        return true;
    if (inst->modifier_count == sizeof inst->modifiers / sizeof *inst->modifiers)
        return false;
    inst->modifiers[inst->modifier_count++] = (uint16_t)modifier;
    return true;
}

static bool add_space(struct ptx_inst *inst, struct ptx_word word)
{
    if (inst->has_space)
        inst->space2 = (enum ptx_space)word.value;
    else
        inst->space = (enum ptx_space)word.value;
    inst->has_space = true;
    return add_modifier(inst, word.modifier);
}

static bool add_word(struct ptx_inst *inst, struct ptx_word word)
{
    switch (word.kind) {
    case PTX_WORD_TYPE:
        return add_type(inst, (enum ptx_type)word.value);
    case PTX_WORD_SPACE:
        return add_space(inst, word);
    case PTX_WORD_VECTOR:
        inst->vector = (uint8_t)word.value;
        return true;
    case PTX_WORD_MODIFIER:
        return add_modifier(inst, (enum ptx_modifier)word.value);
    case PTX_WORD_NONE:
        break;
    }
    return true;
}

// An instruction, or a word of one, that is not known. If it is kept, it is read over and refused when it is executed:
// the module's other kernels do not need it.
static bool skip_unknown(struct ptx_parser *p, const struct ptx_token *opcode, struct ptx_inst *inst)
{
    struct ptx_operand text = {.kind = PTX_OPERAND_TEXT, .pair_reg = -1};
    text.value.text = ptx_name(p, opcode->text, opcode->length);
    inst->op = PTX_OP_UNKNOWN;
    inst->form = inst->choice = inst->type_count = inst->modifier_count = 0;
    while (p->token.kind != ';') {
        if (p->token.kind == PTX_TOKEN_END || p->token.kind == '}' || p->status != STATUS_OK)
            return ptx_fail_expected(p, "';' after the instruction");
        if (p->token.kind != '{')
            ptx_next(p);
        else if (!ptx_skip_brackets(p, '{', "'{'", '}', "'}'"))
            return false;
    }
    ptx_next(p);
    inst->operands = (uint32_t)p->body.operands.count;
    inst->operand_count = 1;
    PTX_PUSH(p->body.operands, text);
    PTX_PUSH(p->body.insts, *inst);
    return true;
}

// What is wrong with the words of an opcode, under the word that is wrong. A word that no instruction has makes the
// instruction an unknown one.
static bool misfit(struct ptx_parser *p, const struct ptx_token *opcode, struct ptx_inst *inst,
                   const struct ptx_words_written *words)
{
    struct text why = {0};
    struct ptx_token word = *opcode;
    unsigned wrong = ptx_form_misfit(inst, words, &why);
    bool is_unknown = false;
    if (wrong < words->count) {
        const struct ptx_text *found = &words->items[wrong];
        is_unknown = ptx_words_find(found->text, found->length).kind == PTX_WORD_NONE;
        word.text = found->text - 1;
        word.length = (uint32_t)found->length + 1;
        word.column += (uint32_t)(word.text - opcode->text);
    }
    if (is_unknown && !p->keeps_unknown)
        ptx_fail_at(p, &word, STATUS_UNSUPPORTED, "%s of '%s' on line %u is not supported", ptx_quote(p, &word),
                    ptx_opcode_name(inst->op), word.line);
    else if (is_unknown)
        inst->op = PTX_OP_UNKNOWN;
    else
        ptx_fail_at(p, &word, STATUS_PARSE, "%s", text_get(&why));
    text_free(&why);
    return is_unknown && p->keeps_unknown;
}

static bool parse_suffix(struct ptx_parser *p, const struct ptx_token *word, struct ptx_inst *inst,
                         struct ptx_words_written *words)
{
    struct ptx_word found = ptx_words_find(word->text + 1, word->length - 1);
    bool is_type = found.kind == PTX_WORD_TYPE;
    if (is_type && !ptx_form_takes_type(inst->op, (enum ptx_type)found.value, inst->type_count))
        return ptx_fail_at(p, word, STATUS_PARSE, "'%s' does not take %s%s", ptx_opcode_name(inst->op),
                           ptx_quote(p, word), inst->type_count ? " after another type" : "");
    if (!add_word(inst, found) || (!is_type && words->count == PTX_MOST_WORDS))
        return ptx_fail_at(p, word, STATUS_PARSE, "'%s' has too many words", ptx_opcode_name(inst->op));
    if (!is_type)
        words->items[words->count++] = (struct ptx_text){word->text + 1, word->length - 1};
    return true;
}

// opcode = NAME { "." word } : the longest prefix in the table, then types and words; PTX_OP_UNKNOWN if there is none
static bool parse_opcode(struct ptx_parser *p, const struct ptx_token *opcode, struct ptx_inst *inst,
                         struct ptx_words_written *words)
{
    size_t used;
    inst->op = ptx_words_opcode(opcode->text, opcode->length, &used);
    if (inst->op == PTX_OP_INVALID && !p->keeps_unknown)
        return ptx_fail_unsupported(p, opcode, "the instruction");
    if (inst->op == PTX_OP_INVALID) {
        inst->op = PTX_OP_UNKNOWN;
        return true;
    }
    const char *at = opcode->text + used, *end = opcode->text + opcode->length;
    while (at < end) {
        const char *dot = memchr(at + 1, '.', (size_t)(end - at - 1));
        const char *next = dot ? dot : end;
        struct ptx_token word = *opcode;
        word.text = at;
        word.length = (uint32_t)(next - at);
        word.column += (uint32_t)(at - opcode->text);
        if (!parse_suffix(p, &word, inst, words))
            return false;
        at = next;
    }
    enum ptx_fit fit = ptx_form_find(inst, words, PTX_ANY_OPERANDS);
    if (fit == PTX_FIT_TYPES)
        return ptx_fail_at(p, opcode, STATUS_PARSE,
                           inst->type_count ? "'%s' does not take these types together" : "'%s' needs a type",
                           ptx_opcode_name(inst->op));
    return fit == PTX_FIT || misfit(p, opcode, inst, words);
}

// ---- the instruction

static bool parse_operands(struct ptx_parser *p, const struct ptx_inst *inst, struct operands *operands)
{
    if (inst->op == PTX_OP_CALL)
        return parse_call(p, operands);
    if (inst->op == PTX_OP_BRA)
        return parse_label_operand(p, operands, false);
    if (p->token.kind == ';')
        return true;
    do {
        bool is_table = inst->op == PTX_OP_BRX_IDX && operands->count == 1;
        if (is_table ? !parse_label_operand(p, operands, true) : !parse_inst_operand(p, operands))
            return false;
    } while (ptx_accept(p, ','));
    return true;
}

static bool check_count(struct ptx_parser *p, const struct ptx_token *opcode, struct ptx_inst *inst,
                        const struct ptx_words_written *words, unsigned count)
{
    unsigned least, most;
    const char *name = ptx_opcode_name(inst->op);
    if (ptx_form_counts(inst, count) || ptx_form_find(inst, words, count) == PTX_FIT)
        return true;
    ptx_opcode_operands(inst->op, &least, &most);
    if (count >= least && count <= most)
        return ptx_fail_at(p, opcode, STATUS_PARSE, "'%s' does not take %u operand%s with these words", name, count,
                           count == 1 ? "" : "s");
    if (least == most)
        return ptx_fail_at(p, opcode, STATUS_PARSE, "'%s' takes %u operand%s, found %u", name, least,
                           least == 1 ? "" : "s", count);
    return ptx_fail_at(p, opcode, STATUS_PARSE, "'%s' takes %u to %u operands, found %u", name, least, most, count);
}

// ---- .reg parameters

static void move_register(struct ptx_parser *p, struct ptx_variable *variable, uint32_t reg, enum ptx_opcode op)
{
    static const struct ptx_words_written param = {.count = 1, .items = {{"param", 5}}};
    struct ptx_operand place = {.kind = PTX_OPERAND_ADDRESS, .base_kind = PTX_OPERAND_VARIABLE, .pair_reg = -1};
    struct ptx_operand value = {.kind = PTX_OPERAND_REGISTER, .pair_reg = -1};
    struct ptx_inst inst = {.op = op,
                            .types = {variable->type},
                            .type_count = 1,
                            .space = PTX_PARAM,
                            .has_space = true,
                            .vector = 1,
                            .guard = -1,
                            .operand_count = 2,
                            .operands = (uint32_t)p->body.operands.count,
                            .location = p->location,
                            .text_line = p->token.line};
    place.value.variable = variable;
    value.value.reg = reg;
    ptx_form_find(&inst, &param, 2);
    PTX_PUSH(p->body.operands, op == PTX_OP_LD ? value : place);
    PTX_PUSH(p->body.operands, op == PTX_OP_LD ? place : value);
    PTX_PUSH(p->body.insts, inst);
}

static bool declare_register(struct ptx_parser *p, const struct ptx_variable *variable)
{
    struct ptx_token name = {.text = variable->name,
                             .length = (uint32_t)strlen(variable->name),
                             .kind = PTX_TOKEN_NAME,
                             .line = p->token.line,
                             .column = p->token.column};
    PTX_PUSH(p->body.registers, (struct ptx_register){.name = variable->name, .type = variable->type, .vector = 1});
    return ptx_declare(
        p, &name, (struct ptx_symbol){.kind = PTX_SYMBOL_REGISTER, .number = (uint32_t)p->body.registers.count - 1});
}

// The registers come first in the body: those of the parameters, then those of the results.
bool ptx_take_registers(struct ptx_parser *p)
{
    const struct ptx_function *function = p->function;
    for (uint32_t i = 0; i < function->param_count; i++)
        if (function->params[i].is_register) {
            if (!declare_register(p, &function->params[i]))
                return false;
            move_register(p, &function->params[i], (uint32_t)p->body.registers.count - 1, PTX_OP_LD);
        }
    for (uint32_t i = 0; i < function->result_count; i++)
        if (function->results[i].is_register && !declare_register(p, &function->results[i]))
            return false;
    return true;
}

void ptx_give_registers(struct ptx_parser *p)
{
    const struct ptx_function *function = p->function;
    uint32_t reg = 0;
    for (uint32_t i = 0; i < function->param_count; i++)
        reg += function->params[i].is_register;
    for (uint32_t i = 0; i < function->result_count; i++)
        if (function->results[i].is_register)
            move_register(p, &function->results[i], reg++, PTX_OP_ST);
}

// instruction = [ "@" [ "!" ] NAME ] opcode [ operand { "," operand } ] ";"
bool ptx_parse_instruction(struct ptx_parser *p)
{
    struct ptx_inst inst = {.guard = -1, .vector = 1, .location = p->location, .text_line = p->token.line};
    struct ptx_words_written words = {.count = 0};
    struct operands operands;
    operands.count = 0;
    size_t first_fixup = p->body.fixups.count;
    if (ptx_accept(p, '@')) {
        uint32_t guard = 0;
        inst.guard_negated = ptx_accept(p, '!');
        if (!parse_predicate(p, &guard, "a predicate after '@'"))
            return false;
        inst.guard = (int32_t)guard;
    }
    if (p->token.kind != PTX_TOKEN_NAME)
        return ptx_fail_expected(p, "an instruction");
    ptx_lex_opcode(&p->lexer, &p->token);
    struct ptx_token opcode = p->token;
    if (!parse_opcode(p, &opcode, &inst, &words))
        return false;
    ptx_next(p);
    if (inst.op == PTX_OP_UNKNOWN)
        return skip_unknown(p, &opcode, &inst);
    if (!parse_operands(p, &inst, &operands))
        return false;
    if (p->token.kind != ';')
        return ptx_fail_expected(p, operands.count ? "',' or ';' after the operand" : "';' after the instruction");
    ptx_next(p);
    if (!check_count(p, &opcode, &inst, &words, operands.count))
        return false;
    if (inst.op == PTX_OP_RET)
        ptx_give_registers(p);
    inst.operands = (uint32_t)p->body.operands.count;
    inst.operand_count = (uint8_t)operands.count;
    for (size_t i = first_fixup; i < p->body.fixups.count; i++)
        p->body.fixups.items[i].operand += inst.operands;
    for (unsigned i = 0; i < operands.count; i++) {
        if ((inst.op == PTX_OP_LD || inst.op == PTX_OP_ST) && operands.items[i].base_kind == PTX_OPERAND_VARIABLE)
            operands.items[i].kind = PTX_OPERAND_ADDRESS; // table[2], without brackets around it
        if (operands.items[i].selector && ptx_opcode_group(inst.op) != PTX_GROUP_VIDEO)
            return ptx_fail_at(p, &opcode, STATUS_PARSE, "'%s' takes neither parts of a register nor its negative",
                               ptx_opcode_name(inst.op));
        PTX_PUSH(p->body.operands, operands.items[i]);
    }
    PTX_PUSH(p->body.insts, inst);
    return true;
}
