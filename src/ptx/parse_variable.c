// Declarations: variables with their initial values, parameters, registers (PTX ISA 5.4).
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = 8 };

// What comes before the names.
struct declaration {
    enum ptx_space space;
    enum ptx_type type;
    uint8_t vector;
    uint32_t align; // 0 = the type's own
    bool is_extern;
};

struct shape {
    uint64_t extents[MAX_DIMENSIONS + 1]; // the vector's width is the last; extents[0] == 0: size not given
    unsigned dimensions;
    uint64_t elements;
};

static bool parse_type(struct ptx_parser *p, enum ptx_type *type)
{
    if (p->token.kind != PTX_TOKEN_WORD)
        return ptx_fail_expected(p, "a type such as '.b32'");
    struct ptx_word word = ptx_words_find(p->token.text + 1, p->token.length - 1);
    if (word.kind != PTX_WORD_TYPE)
        return ptx_fail_unsupported(p, &p->token, "the type");
    *type = (enum ptx_type)word.value;
    ptx_next(p);
    return true;
}

static bool parse_align(struct ptx_parser *p, uint32_t *align)
{
    struct ptx_token token = p->token;
    uint64_t value;
    if (!ptx_parse_bounded(p, 1, PTX_MAX_ALIGN, &value, "the alignment"))
        return false;
    *align = (uint32_t)value;
    if ((value & (value - 1)) == 0)
        return true;
    return ptx_fail_at(p, &token, STATUS_PARSE, "the alignment %llu is not a power of two", (unsigned long long)value);
}

// head = { ".align" INTEGER | ".attribute" … } [ ".v2" | ".v4" | ".v8" ] type
static bool parse_head(struct ptx_parser *p, struct declaration *declaration)
{
    declaration->vector = 1;
    for (;;) {
        if (ptx_accept_word(p, ".align")) {
            if (!parse_align(p, &declaration->align))
                return false;
        } else if (ptx_accept_word(p, ".attribute")) {
            if (!ptx_skip_parentheses(p))
                return false;
        } else {
            break;
        }
    }
    if (p->token.kind == PTX_TOKEN_WORD) {
        struct ptx_word word = ptx_words_find(p->token.text + 1, p->token.length - 1);
        if (word.kind == PTX_WORD_VECTOR) {
            declaration->vector = (uint8_t)word.value;
            ptx_next(p);
        }
    }
    return parse_type(p, &declaration->type);
}

// shape = { "[" [ constant ] "]" }
static bool parse_shape(struct ptx_parser *p, const struct declaration *declaration, struct shape *shape)
{
    *shape = (struct shape){.elements = declaration->vector};
    while (p->token.kind == '[') {
        struct ptx_token bracket = p->token;
        struct ptx_constant extent = {.bits = 0};
        if (shape->dimensions == MAX_DIMENSIONS)
            return ptx_fail_at(p, &bracket, STATUS_PARSE, "more than %d dimensions", MAX_DIMENSIONS);
        ptx_next(p);
        if (p->token.kind != ']' || shape->dimensions > 0) {
            if (!ptx_parse_constant(p, &extent))
                return false;
            if (extent.kind != PTX_TOKEN_INTEGER || extent.bits > PTX_MAX_VARIABLE ||
                (extent.bits == 0 && shape->dimensions > 0))
                return ptx_fail_at(p, &bracket, STATUS_PARSE, "the size of an array must be from 1 to %llu",
                                   (unsigned long long)PTX_MAX_VARIABLE);
        }
        if (!ptx_expect(p, ']', "']' of the array"))
            return false;
        shape->extents[shape->dimensions++] = extent.bits;
        if (__builtin_mul_overflow(shape->elements, extent.bits, &shape->elements) ||
            shape->elements > PTX_MAX_VARIABLE)
            return ptx_fail_at(p, &bracket, STATUS_PARSE, "the array is larger than %llu elements",
                               (unsigned long long)PTX_MAX_VARIABLE);
    }
    shape->extents[shape->dimensions] = declaration->vector;
    return true;
}

// ---- initial values

struct initial {
    struct ptx_variable *variable;
    const struct shape *shape;
    unsigned unit;    // bytes of an element
    uint64_t at, end; // the next element; one past the last. end is UINT64_MAX for [] = …
    unsigned char *bytes;
    size_t count, capacity; // elements in bytes
};

// Elements below one entry of dimension level; the innermost dimension is the vector's width
static uint64_t stride(const struct shape *shape, unsigned level)
{
    uint64_t elements = 1;
    for (unsigned i = level + 1; i <= shape->dimensions; i++)
        elements *= shape->extents[i];
    return elements;
}

static bool claim_initial(struct ptx_parser *p, const struct ptx_token *token, uint64_t bytes)
{
    if (bytes > PTX_MAX_INITIAL || p->initial_bytes + bytes > PTX_MAX_INITIAL)
        return ptx_fail_at(p, token, STATUS_PARSE, "more than %d MB of initial data", PTX_MAX_INITIAL / (1024 * 1024));
    p->initial_bytes += bytes;
    return true;
}

// Room for element at, and all before it, zero until set. Returns its bytes.
static unsigned char *element_at(struct initial *initial, uint64_t at)
{
    size_t unit = initial->unit;
    if (at >= initial->capacity) {
        size_t capacity = initial->capacity ? initial->capacity : 16;
        while (capacity <= at)
            capacity *= 2;
        initial->bytes = mem_resize(initial->bytes, capacity * unit);
        memset(initial->bytes + initial->capacity * unit, 0, (capacity - initial->capacity) * unit);
        initial->capacity = capacity;
    }
    if (at >= initial->count)
        initial->count = (size_t)at + 1;
    return initial->bytes + at * unit;
}

// The constant as the variable's type stores it, in the low bytes.
static uint64_t convert_constant(const struct ptx_constant *constant, enum ptx_type type)
{
    double number = 0;
    float single = 0;
    uint32_t word = (uint32_t)constant->bits;
    uint64_t bits = constant->bits;
    if (constant->kind == PTX_TOKEN_SINGLE) {
        memcpy(&single, &word, sizeof single);
        number = (double)single;
    } else if (constant->kind == PTX_TOKEN_DOUBLE) {
        memcpy(&number, &bits, sizeof number);
    } else if (type == PTX_F32 || type == PTX_F64) {
        number = constant->is_unsigned ? (double)bits : (double)(int64_t)bits;
    } else {
        return bits;
    }
    if (type == PTX_F64 || (type == PTX_B64 && constant->kind == PTX_TOKEN_DOUBLE)) {
        memcpy(&bits, &number, sizeof bits);
        return bits;
    }
    if (constant->kind == PTX_TOKEN_SINGLE)
        return word;
    single = (float)number;
    memcpy(&word, &single, sizeof word);
    return word;
}

static bool has_constant_address(const struct ptx_variable *variable)
{
    return variable->space == PTX_GLOBAL || variable->space == PTX_CONST;
}

// address = NAME | "generic" "(" address ")" , then { ("+" | "-") product }
static bool parse_address_value(struct ptx_parser *p, struct initial *initial, struct ptx_initializer *value)
{
    struct ptx_token name;
    if (!ptx_parse_name(p, &name, "a number or a variable's name"))
        return false;
    if (ptx_token_is(&name, "generic") && p->token.kind == '(') {
        ptx_next(p);
        value->generic = true;
        if (!ptx_parse_name(p, &name, "a variable's name"))
            return false;
    }
    const struct ptx_symbol *symbol = ptx_symbols_find(&p->symbols, name.text, name.length);
    if (ptx_token_is(&name, initial->variable->name))
        value->variable = initial->variable;
    else if (symbol && symbol->kind == PTX_SYMBOL_VARIABLE && has_constant_address(symbol->value.variable))
        value->variable = symbol->value.variable;
    else if (symbol && symbol->kind == PTX_SYMBOL_FUNCTION)
        value->function = symbol->value.function;
    else
        return ptx_fail_at(
            p, &name, STATUS_PARSE,
            "an initial value needs a number, a '.global' or '.const' variable or a function; %s is none of these",
            ptx_quote(p, &name));
    for (bool is_open = value->generic;;) {
        if (is_open && ptx_accept(p, ')')) {
            is_open = false;
        } else if (p->token.kind == '+' || p->token.kind == '-') {
            bool is_minus = p->token.kind == '-';
            struct ptx_constant addend;
            ptx_next(p);
            if (!ptx_parse_product(p, &addend))
                return false;
            uint64_t sum = (uint64_t)value->addend + (is_minus ? 0 - addend.bits : addend.bits);
            value->addend = (int64_t)sum;
        } else {
            return !is_open || ptx_fail_expected(p, "')'");
        }
    }
}

// masked = INTEGER "(" address ")" : the byte of an address that the mask 0xff, 0xff00, … selects
static bool parse_masked(struct ptx_parser *p, struct initial *initial, const struct ptx_token *token, uint64_t mask,
                         struct ptx_initializer *value)
{
    value->size = 1;
    while (mask && !(mask & 0xff) && value->shift < 56) {
        mask >>= 8;
        value->shift = (uint8_t)(value->shift + 8);
    }
    if (mask != 0xff)
        return ptx_fail_at(p, token, STATUS_PARSE, "the mask of an address must select one byte: 0xff, 0xff00, …");
    ptx_next(p);
    return parse_address_value(p, initial, value) && ptx_expect(p, ')', "')' after the masked address");
}

static bool store_address(struct ptx_parser *p, struct initial *initial, const struct ptx_token *token,
                          struct ptx_initializer *value)
{
    if (value->size == 0)
        value->size = (uint8_t)initial->unit;
    bool is_whole = initial->unit == 8 || (initial->unit == 4 && !value->function);
    if (value->size != initial->unit || (value->size != 1 && !is_whole))
        return ptx_fail_at(p, token, STATUS_PARSE, "an address does not fit in an element of %u bytes", initial->unit);
    value->offset = (uint32_t)(initial->at * initial->unit);
    element_at(initial, initial->at);
    PTX_PUSH(p->initializers, *value);
    return true;
}

static bool too_many_values(struct ptx_parser *p, const struct initial *initial)
{
    return ptx_fail_at(p, &p->token, STATUS_PARSE, "more initial values than '%.*s' has room for",
                       PTX_MAX_MESSAGE_TOKEN, initial->variable->name);
}

// value = constant | masked | address
static bool parse_value(struct ptx_parser *p, struct initial *initial)
{
    struct ptx_token token = p->token;
    struct ptx_constant constant;
    struct ptx_initializer value = {0};
    if (initial->at >= initial->end)
        return too_many_values(p, initial);
    if (initial->at * initial->unit >= PTX_MAX_INITIAL)
        return claim_initial(p, &token, PTX_MAX_INITIAL + 1u);
    if (ptx_at_constant(p)) {
        if (!ptx_parse_constant(p, &constant))
            return false;
        if (p->token.kind == '(' && constant.kind == PTX_TOKEN_INTEGER) {
            if (!parse_masked(p, initial, &token, constant.bits, &value) || !store_address(p, initial, &token, &value))
                return false;
        } else {
            uint64_t bits = convert_constant(&constant, initial->variable->type);
            memcpy(element_at(initial, initial->at), &bits, initial->unit < 8 ? initial->unit : 8);
        }
    } else if (!parse_address_value(p, initial, &value) || !store_address(p, initial, &token, &value)) {
        return false;
    }
    initial->at++;
    return true;
}

// values(level) = value | "{" [ values(level + 1) { "," values(level + 1) } ] "}"
static bool parse_values(struct ptx_parser *p, struct initial *initial, unsigned level)
{
    if (p->token.kind != '{')
        return parse_value(p, initial);
    const struct shape *shape = initial->shape;
    if (level > 0 && level >= shape->dimensions + (shape->extents[shape->dimensions] > 1))
        return ptx_fail_at(p, &p->token, STATUS_PARSE, "the braces nest deeper than the array has dimensions");
    uint64_t start = initial->at, outer_end = initial->end;
    uint64_t extent = shape->extents[level];
    uint64_t length = extent * stride(shape, level);
    if (extent != 0) {
        if (length > initial->end - start || start >= initial->end)
            return too_many_values(p, initial);
        initial->end = start + length;
    }
    ptx_next(p);
    while (p->token.kind != '}') {
        if (!parse_values(p, initial, level + 1))
            return false;
        if (!ptx_accept(p, ','))
            break;
    }
    initial->end = outer_end;
    if (extent != 0)
        initial->at = start + length;
    return ptx_expect(p, '}', "',' or '}' in the initial values");
}

static bool parse_initial(struct ptx_parser *p, struct ptx_variable *variable, const struct shape *shape)
{
    struct ptx_token token = p->token;
    struct initial initial = {.variable = variable, .shape = shape, .unit = ptx_type_size(variable->type)};
    bool is_unsized = shape->dimensions > 0 && shape->extents[0] == 0;
    initial.end = is_unsized ? UINT64_MAX : shape->elements;
    p->initializers.count = 0;
    if (variable->space != PTX_GLOBAL && variable->space != PTX_CONST)
        return ptx_fail_at(p, &token, STATUS_PARSE, "only '.global' and '.const' variables take initial values");
    bool ok = parse_values(p, &initial, 0);
    if (ok && is_unsized) {
        uint64_t row = stride(shape, 0);
        variable->size = (initial.count + row - 1) / row * row * initial.unit;
    }
    ok = ok && claim_initial(p, &token, variable->size);
    if (ok) {
        unsigned char *data = arena_alloc(p->arena, variable->size);
        if (initial.count)
            memcpy(data, initial.bytes, initial.count * initial.unit);
        variable->data = data;
        variable->initializer_count = (uint32_t)p->initializers.count;
        size_t bytes = p->initializers.count * sizeof *p->initializers.items;
        if (bytes)
            variable->initializers = memcpy(arena_alloc(p->arena, bytes), p->initializers.items, bytes);
    }
    free(initial.bytes);
    return ok;
}

// ---- variables

static bool fill_variable(struct ptx_parser *p, const struct declaration *declaration, const struct ptx_token *name,
                          const struct shape *shape, struct ptx_variable *variable)
{
    uint32_t unit = ptx_type_size(declaration->type);
    if (unit == 0)
        return ptx_fail_at(p, name, STATUS_PARSE, "a variable cannot have the type '.%s'",
                           ptx_type_name(declaration->type));
    uint32_t natural = unit * declaration->vector;
    *variable = (struct ptx_variable){
        .name = ptx_name(p, name->text, name->length),
        .space = declaration->space,
        .type = declaration->type,
        .align = declaration->align ? declaration->align : natural,
        .size = shape->elements * unit,
        .is_extern = declaration->is_extern,
        .in_function = p->function != NULL,
        .order = p->order++,
    };
    return true;
}

// Puts a variable of the body's .param space after those in force (see ptx_variable.offset).
static bool place_call_param(struct ptx_parser *p, const struct ptx_token *name, struct ptx_variable *variable)
{
    uint64_t offset = ((uint64_t)p->body.call_param_used + variable->align - 1) / variable->align * variable->align;
    if (offset + variable->size > INT32_MAX)
        return ptx_fail_at(p, name, STATUS_PARSE, "the function's '.param' variables exceed 2 GB");
    variable->offset = (uint32_t)offset;
    p->body.call_param_used = (uint32_t)(offset + variable->size);
    if (p->function->call_param_size < p->body.call_param_used)
        p->function->call_param_size = p->body.call_param_used;
    return true;
}

// An external variable that was declared before, which this declaration repeats or defines; else NULL.
static struct ptx_variable *find_repeated(struct ptx_parser *p, const struct ptx_token *name,
                                          const struct ptx_variable *variable)
{
    const struct ptx_symbol *old = ptx_symbols_find(&p->symbols, name->text, name->length);
    if (!old || old->kind != PTX_SYMBOL_VARIABLE || old->depth != p->symbols.depth)
        return NULL;
    struct ptx_variable *found = old->value.variable;
    return found->space == variable->space && (found->is_extern || variable->is_extern) ? found : NULL;
}

// variable = NAME shape [ "=" values ]
static bool parse_one_variable(struct ptx_parser *p, const struct declaration *declaration)
{
    struct ptx_token name;
    struct shape shape;
    struct ptx_variable *variable = arena_alloc(p->arena, sizeof *variable);
    if (!ptx_parse_name(p, &name, "the variable's name") || !parse_shape(p, declaration, &shape) ||
        !fill_variable(p, declaration, &name, &shape, variable))
        return false;
    if (ptx_accept(p, '=') && !parse_initial(p, variable, &shape))
        return false;
    if (variable->size == 0 && !variable->is_extern && variable->space != PTX_PARAM)
        return ptx_fail_at(p, &name, STATUS_PARSE, "an array without a size must be '.extern' or have initial values");
    struct ptx_variable *repeated = find_repeated(p, &name, variable);
    if (repeated) {
        variable->index = repeated->index;
        variable->order = repeated->order;
        if (!variable->is_extern)
            *repeated = *variable;
        return true;
    }
    if (p->function && variable->space == PTX_PARAM && !place_call_param(p, &name, variable))
        return false;
    variable->index = (uint32_t)(p->function ? p->body.variables.count : p->variables.count);
    if (p->function)
        PTX_PUSH(p->body.variables, variable);
    else
        PTX_PUSH(p->variables, variable);
    return ptx_declare(p, &name, (struct ptx_symbol){.kind = PTX_SYMBOL_VARIABLE, .value.variable = variable});
}

// variables = head variable { "," variable } ";"
bool ptx_parse_variable_list(struct ptx_parser *p, enum ptx_space space, bool is_extern)
{
    struct declaration declaration = {.space = space, .is_extern = is_extern};
    if (!parse_head(p, &declaration))
        return false;
    do {
        if (!parse_one_variable(p, &declaration))
            return false;
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ';', "';' after the variable");
}

// ---- parameters

// pointer = ".ptr" [ ".global" | ".shared" | ".const" | ".local" ] [ ".align" INTEGER ] : what it points to
static bool skip_pointer(struct ptx_parser *p)
{
    uint32_t align;
    if (!ptx_accept_word(p, ".ptr"))
        return true;
    if (p->token.kind == PTX_TOKEN_WORD && !ptx_token_is(&p->token, ".align")) {
        struct ptx_word word = ptx_words_find(p->token.text + 1, p->token.length - 1);
        if (word.kind != PTX_WORD_SPACE)
            return ptx_fail_expected(p, "a state space or '.align' after '.ptr'");
        ptx_next(p);
    }
    return !ptx_accept_word(p, ".align") || parse_align(p, &align);
}

// param = ( ".param" | ".reg" ) head [ pointer ] [ NAME shape ] : ".reg" of a .func only
static bool parse_param(struct ptx_parser *p, bool is_prototype, bool is_entry, struct ptx_variable *param,
                        uint64_t *used)
{
    struct declaration declaration = {.space = PTX_PARAM};
    struct shape shape = {.elements = 1};
    bool is_register = !is_entry && ptx_accept_word(p, ".reg");
    if (!is_register && !ptx_accept_word(p, ".param"))
        return ptx_fail_expected(p, "'.param'");
    if (!parse_head(p, &declaration) || !skip_pointer(p))
        return false;
    struct ptx_token name = p->token;
    if (is_prototype && name.kind != PTX_TOKEN_NAME)
        name.text = "_", name.length = 1;
    else if (!ptx_parse_name(p, &name, "the parameter's name") || !parse_shape(p, &declaration, &shape))
        return false;
    if (!fill_variable(p, &declaration, &name, &shape, param))
        return false;
    param->in_function = true;
    param->is_register = is_register;
    if (is_register && declaration.vector * ptx_type_size(param->type) > 8)
        return ptx_fail_at(p, &name, STATUS_PARSE, "a '.reg' parameter has at most 8 bytes");
    uint64_t offset = (*used + param->align - 1) / param->align * param->align;
    if (param->size > INT32_MAX || offset + param->size > INT32_MAX)
        return ptx_fail_at(p, &name, STATUS_PARSE, "the parameters exceed 2 GB");
    param->offset = (uint32_t)offset;
    *used = offset + param->size;
    return true;
}

// params = "(" [ param { "," param } ] ")"
bool ptx_parse_params(struct ptx_parser *p, bool is_prototype, bool is_entry, struct ptx_variable **params,
                      uint32_t *count, uint32_t *size)
{
    PTX_VECTOR(struct ptx_variable) list = {0};
    uint64_t used = 0;
    bool ok = ptx_expect(p, '(', "'(' before the parameters");
    if (ok && p->token.kind != ')') {
        do {
            struct ptx_variable param;
            if (list.count == PTX_MAX_PARAMS)
                ok = ptx_fail_at(p, &p->token, STATUS_PARSE, "more than %d parameters", PTX_MAX_PARAMS);
            ok = ok && parse_param(p, is_prototype, is_entry, &param, &used);
            if (ok) {
                param.index = (uint32_t)list.count;
                PTX_PUSH(list, param);
            }
        } while (ok && ptx_accept(p, ','));
    }
    ok = ok && ptx_expect(p, ')', "',' or ')' after the parameter");
    if (ok) {
        *count = (uint32_t)list.count;
        *size = (uint32_t)used;
        *params = arena_alloc(p->arena, list.count * sizeof *list.items + 1);
        if (list.count)
            memcpy(*params, list.items, list.count * sizeof *list.items);
    }
    free(list.items);
    return ok;
}

// ---- registers

// registers = ".reg" head NAME [ "<" INTEGER ">" ] { "," … } ";" ; '.reg' is taken
bool ptx_parse_registers(struct ptx_parser *p)
{
    struct declaration declaration = {0};
    if (!parse_head(p, &declaration))
        return false;
    do {
        struct ptx_token name;
        uint64_t count;
        if (!ptx_parse_name(p, &name, "the register's name"))
            return false;
        struct ptx_symbol symbol = {.type = declaration.type, .vector = declaration.vector};
        if (ptx_accept(p, '<')) {
            if (!ptx_parse_bounded(p, 0, PTX_MAX_RANGE, &count, "the number of registers") ||
                !ptx_expect(p, '>', "'>' after the number of registers"))
                return false;
            symbol.kind = PTX_SYMBOL_RANGE;
            symbol.number = p->body.ranges++;
            symbol.count = (uint32_t)count;
        } else {
            symbol.kind = PTX_SYMBOL_REGISTER;
            symbol.number = (uint32_t)p->body.registers.count;
            PTX_PUSH(p->body.registers, (struct ptx_register){.name = ptx_name(p, name.text, name.length),
                                                              .type = declaration.type,
                                                              .vector = declaration.vector});
        }
        if (!ptx_declare(p, &name, symbol))
            return false;
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ';', "';' after the registers");
}
