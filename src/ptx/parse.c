// The module: what may stand outside functions, and the finished whole.
#include "ptx/parser.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what may be at module scope

// "major.minor", which the lexer took for a decimal number
static bool parse_version(struct ptx_parser *p)
{
    unsigned major = 0, minor = 0;
    char text[16] = "";
    struct ptx_token token = p->token;
    if (!ptx_accept_word(p, ".version"))
        return ptx_fail_expected(p, "'.version' at the start of the PTX text");
    token = p->token;
    if (token.kind == PTX_TOKEN_DOUBLE && token.length < sizeof text)
        memcpy(text, token.text, token.length);
    if (sscanf(text, "%3u.%3u", &major, &minor) != 2)
        return ptx_fail_expected(p, "a version such as 8.0");
    if (major < 3 || major > 9)
        return ptx_fail_at(p, &token, STATUS_UNSUPPORTED, "PTX version %u.%u is not read here; versions 3.0 to 9.x are",
                           major, minor);
    p->module->version = 10 * major + minor;
    ptx_next(p);
    return true;
}

// target = ".target" NAME { "," NAME } ; sm_90a, and words such as debug or texmode_independent
static bool parse_target(struct ptx_parser *p)
{
    if (!ptx_accept_word(p, ".target"))
        return ptx_fail_expected(p, "'.target' after '.version'");
    do {
        struct ptx_token name;
        if (!ptx_parse_name(p, &name, "a target such as sm_90"))
            return false;
        if (name.length < 4 || memcmp(name.text, "sm_", 3) != 0)
            continue;
        char text[16] = "";
        unsigned sm = 0;
        char suffix = 0, more = 0;
        if (name.length < sizeof text)
            memcpy(text, name.text, name.length);
        int fields = sscanf(text, "sm_%4u%c%c", &sm, &suffix, &more);
        if (fields < 1 || fields > 2 || (fields == 2 && suffix != 'a' && suffix != 'f'))
            return ptx_fail_at(p, &name, STATUS_PARSE, "expected a target such as sm_90 or sm_90a");
        p->module->sm = sm;
        p->module->sm_suffix = fields == 2 ? suffix : '\0';
    } while (ptx_accept(p, ','));
    return true;
}

static bool parse_address_size(struct ptx_parser *p)
{
    struct ptx_token token = p->token;
    uint64_t bits;
    if (!ptx_parse_bounded(p, 32, 64, &bits, "the address size"))
        return false;
    if (bits == 64)
        return true;
    return ptx_fail_at(p, &token, STATUS_UNSUPPORTED, "only 64-bit addresses are supported; compile without -m32");
}

// file = ".file" INTEGER STRING [ "," INTEGER "," INTEGER ]
static bool parse_file(struct ptx_parser *p)
{
    uint64_t index, ignored;
    if (!ptx_parse_bounded(p, 0, PTX_MAX_FILES - 1, &index, "the file's number"))
        return false;
    struct ptx_token path = p->token;
    if (!ptx_expect(p, PTX_TOKEN_STRING, "the file's path in quotes"))
        return false;
    while (p->files.count <= index)
        PTX_PUSH(p->files, NULL);
    char *name = ptx_name(p, path.text + 1, path.length - 2);
    size_t length = 0;
    for (const char *at = name; *at; at++) {
        at += *at == '\\' && (at[1] == '\\' || at[1] == '"');
        name[length++] = *at;
    }
    name[length] = '\0';
    p->files.items[index] = name;
    if (!ptx_accept(p, ','))
        return true;
    return ptx_parse_bounded(p, 0, UINT64_MAX, &ignored, "the file's time stamp") &&
           ptx_expect(p, ',', "',' and the file's size") &&
           ptx_parse_bounded(p, 0, UINT64_MAX, &ignored, "the file's size");
}

// section = ".section" WORD "{" anything "}" : debug information
static bool skip_section(struct ptx_parser *p)
{
    if (p->token.kind != PTX_TOKEN_WORD && p->token.kind != PTX_TOKEN_NAME)
        return ptx_fail_expected(p, "the section's name");
    ptx_next(p);
    return ptx_skip_brackets(p, '{', "'{' of the section", '}', "'}' of the section");
}

static struct ptx_function *find_function(struct ptx_parser *p, const struct ptx_token *name)
{
    const struct ptx_symbol *symbol = ptx_symbols_find(&p->symbols, name->text, name->length);
    return symbol && symbol->kind == PTX_SYMBOL_FUNCTION ? symbol->value.function : NULL;
}

// alias = ".alias" NAME "," NAME ";" : the first one's body is the second's
static bool parse_alias(struct ptx_parser *p)
{
    struct ptx_token alias, target;
    if (!ptx_parse_name(p, &alias, "the alias") || !ptx_expect(p, ',', "','") ||
        !ptx_parse_name(p, &target, "the function that it stands for") || !ptx_expect(p, ';', "';'"))
        return false;
    struct ptx_function *function = find_function(p, &alias);
    const struct ptx_function *body = find_function(p, &target);
    if (!function || !body || !body->is_defined || function->is_defined)
        return ptx_fail_at(p, &alias, STATUS_PARSE, "the alias %s needs two functions, and only the second has a body",
                           ptx_quote(p, &alias));
    struct ptx_function header = *function;
    *function = *body;
    function->name = header.name;
    function->index = header.index;
    return true;
}

// The declared function of that name, or a new one. NULL after a failure.
static struct ptx_function *declare_function(struct ptx_parser *p, const struct ptx_token *name, bool is_entry)
{
    const struct ptx_symbol *old = ptx_symbols_find(&p->symbols, name->text, name->length);
    if (old && old->depth == 0) {
        if (old->kind == PTX_SYMBOL_FUNCTION && old->value.function->is_entry == is_entry)
            return old->value.function;
        ptx_fail_at(p, name, STATUS_PARSE, "%s is declared twice; the first time, as something else, on line %u",
                    ptx_quote(p, name), old->line);
        return NULL;
    }
    struct ptx_function *function = arena_alloc(p->arena, sizeof *function);
    function->name = ptx_name(p, name->text, name->length);
    function->index = (uint32_t)p->functions.count;
    function->is_entry = is_entry;
    function->module = p->module;
    PTX_PUSH(p->functions, function);
    return function;
}

// Declares the parameters' names in the function's scope.
static bool declare_params(struct ptx_parser *p, struct ptx_variable *params, uint32_t count,
                           const struct ptx_token *at)
{
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_token name = {.text = params[i].name,
                                 .length = (uint32_t)strlen(params[i].name),
                                 .kind = PTX_TOKEN_NAME,
                                 .line = at->line,
                                 .column = at->column};
        if (ptx_token_is(&name, "_"))
            continue;
        if (!ptx_declare(p, &name, (struct ptx_symbol){.kind = PTX_SYMBOL_VARIABLE, .value.variable = &params[i]}))
            return false;
    }
    return true;
}

// function = (".entry" | ".func" [ "(" params ")" ]) NAME [ "(" params ")" ] attributes ( ";" | body )
static bool parse_function(struct ptx_parser *p, bool is_entry)
{
    struct ptx_function header = {.is_entry = is_entry};
    struct ptx_token name;
    if (ptx_accept_word(p, ".attribute") && !ptx_skip_parentheses(p))
        return false;
    if (!is_entry && p->token.kind == '(' &&
        !ptx_parse_params(p, false, false, &header.results, &header.result_count, &header.result_size))
        return false;
    if (!ptx_parse_name(p, &name, "the function's name"))
        return false;
    struct ptx_function *function = declare_function(p, &name, is_entry);
    if (!function)
        return false;
    if (!find_function(p, &name) &&
        !ptx_declare(p, &name, (struct ptx_symbol){.kind = PTX_SYMBOL_FUNCTION, .value.function = function}))
        return false;
    if (p->token.kind == '(' &&
        !ptx_parse_params(p, false, is_entry, &header.params, &header.param_count, &header.param_size))
        return false;
    if (!ptx_parse_attributes(p, &header))
        return false;
    bool is_declaration = ptx_accept(p, ';');
    if (is_declaration && function->is_defined)
        return true;
    if (function->is_defined)
        return ptx_fail_at(p, &name, STATUS_PARSE, "%s has two bodies", ptx_quote(p, &name));
    header.name = function->name;
    header.index = function->index;
    header.module = p->module;
    header.is_noreturn |= function->is_noreturn;
    *function = header;
    if (is_declaration)
        return true;
    p->function = function;
    function->is_defined = true;
    ptx_symbols_enter(&p->symbols);
    bool ok = declare_params(p, function->params, function->param_count, &name) &&
              declare_params(p, function->results, function->result_count, &name) && ptx_parse_body(p);
    if (ok)
        ptx_symbols_leave(&p->symbols);
    p->function = NULL;
    return ok;
}

static const struct {
    const char *word;
    enum ptx_space space;
} variable_spaces[] = {{".global", PTX_GLOBAL}, {".shared", PTX_SHARED}, {".const", PTX_CONST}, {".local", PTX_LOCAL}};

// item = file | section | pragma | alias | { linkage } ( function | variables )
static bool parse_item(struct ptx_parser *p)
{
    if (p->token.kind != PTX_TOKEN_WORD)
        return ptx_fail_expected(p, "a directive such as '.entry' or '.global'");
    if (ptx_accept_word(p, ".file"))
        return parse_file(p);
    if (ptx_accept_word(p, ".section"))
        return skip_section(p);
    if (ptx_accept_word(p, ".pragma"))
        return ptx_skip_pragma(p, NULL);
    if (ptx_accept_word(p, ".alias"))
        return parse_alias(p);
    if (ptx_accept_word(p, ".loc"))
        return ptx_parse_location(p);
    bool is_extern = false;
    while (ptx_token_is(&p->token, ".visible") || ptx_token_is(&p->token, ".extern") ||
           ptx_token_is(&p->token, ".weak") || ptx_token_is(&p->token, ".common")) {
        is_extern |= ptx_token_is(&p->token, ".extern");
        ptx_next(p);
    }
    if (ptx_accept_word(p, ".entry"))
        return parse_function(p, true);
    if (ptx_accept_word(p, ".func"))
        return parse_function(p, false);
    for (size_t i = 0; i < sizeof variable_spaces / sizeof *variable_spaces; i++)
        if (ptx_accept_word(p, variable_spaces[i].word))
            return ptx_parse_variable_list(p, variable_spaces[i].space, is_extern);
    if (p->token.kind != PTX_TOKEN_WORD)
        return ptx_fail_expected(p, "a directive such as '.entry' or '.global'");
    return ptx_fail_unsupported(p, &p->token, "the directive");
}

// module = version target [ ".address_size" INTEGER ] { item }
static bool parse_module(struct ptx_parser *p)
{
    if (!parse_version(p) || !parse_target(p))
        return false;
    if (ptx_accept_word(p, ".address_size") && !parse_address_size(p))
        return false;
    while (p->token.kind != PTX_TOKEN_END)
        if (!parse_item(p))
            return false;
    return true;
}

// ---- the finished module

static void finish_module(struct ptx_parser *p)
{
    struct ptx_module *module = p->module;
    module->variable_count = (uint32_t)p->variables.count;
    module->variables = PTX_SETTLE(p, p->variables);
    module->function_count = (uint32_t)p->functions.count;
    module->functions = PTX_SETTLE(p, p->functions);
    module->file_count = (uint32_t)p->files.count;
    module->files = PTX_SETTLE(p, p->files);
    module->location_count = (uint32_t)p->locations.count;
    module->locations = PTX_SETTLE(p, p->locations);
}

static void parser_free(struct ptx_parser *p)
{
    ptx_symbols_free(&p->symbols);
    free(p->functions.items);
    free(p->variables.items);
    free(p->files.items);
    free(p->locations.items);
    free(p->initializers.items);
    map_free(&p->places);
    free(p->body.insts.items);
    free(p->body.operands.items);
    free(p->body.registers.items);
    free(p->body.variables.items);
    free(p->body.fixups.items);
    free(p->body.nounrolls.items);
    map_free(&p->body.range_registers);
    free(p);
}

// What is plainly not PTX is refused at once.
static enum status check_text(const char *name, const char *text, size_t length, struct diagnostic *diagnostic)
{
    if (length > PTX_MAX_TEXT)
        return diagnostic_at(diagnostic, STATUS_PARSE, name, 0, 0,
                             "the file has %zu MB; PTX of up to %d MB is read. Is this the right file?",
                             length / (1024 * 1024), PTX_MAX_TEXT / (1024 * 1024));
    if (length >= 4 && memcmp(text, "\177ELF", 4) == 0)
        return diagnostic_at(diagnostic, STATUS_PARSE, name, 0, 0,
                             "this is a binary (ELF) file, not PTX text; compile with 'nvcc -ptx'");
    const char *zero = length ? memchr(text, '\0', length) : NULL;
    if (zero && (size_t)(zero - text) + 1 < length)
        return diagnostic_at(diagnostic, STATUS_PARSE, name, 0, 0,
                             "this is not PTX text: byte %zu is zero; compile with 'nvcc -ptx'", (size_t)(zero - text));
    return STATUS_OK;
}

// ---- what is kept beside a module

struct kept_value {
    const struct ptx_function *function;
    ptx_release *release;
    void *value;
};

struct ptx_memo {
    pthread_mutex_t lock;
    struct kept_value *items;
    size_t count, capacity;
};

static struct ptx_memo *memo_new(void)
{
    struct ptx_memo *memo = mem_alloc(sizeof *memo);
    pthread_mutex_init(&memo->lock, NULL);
    return memo;
}

static void memo_free(struct ptx_memo *memo)
{
    if (!memo)
        return;
    for (size_t i = 0; i < memo->count; i++)
        memo->items[i].release(memo->items[i].value);
    pthread_mutex_destroy(&memo->lock);
    free(memo->items);
    free(memo);
}

static bool has_function(const struct ptx_module *module, const struct ptx_function *function)
{
    bool has = false;
    for (uint32_t i = 0; i < module->function_count && !has; i++)
        has = module->functions[i] == function;
    return has;
}

static void *find_kept(const struct ptx_memo *memo, const struct ptx_function *function, ptx_release *release)
{
    for (size_t i = 0; i < memo->count; i++)
        if (memo->items[i].function == function && memo->items[i].release == release)
            return memo->items[i].value;
    return NULL;
}

void *ptx_kept(const struct ptx_module *module, const struct ptx_function *function, ptx_release *release)
{
    pthread_mutex_lock(&module->memo->lock);
    void *value = find_kept(module->memo, function, release);
    pthread_mutex_unlock(&module->memo->lock);
    return value;
}

bool ptx_keep(const struct ptx_module *module, const struct ptx_function *function, ptx_release *release, void *value)
{
    struct ptx_memo *memo = module->memo;
    if (!has_function(module, function))
        return false;
    pthread_mutex_lock(&memo->lock);
    bool is_first = !find_kept(memo, function, release);
    if (is_first)
        *mem_append(memo->items, memo->capacity, memo->count) = (struct kept_value){function, release, value};
    pthread_mutex_unlock(&memo->lock);
    return is_first;
}

// ---- the text

static enum status parse_text(const char *name, const char *text, size_t length, bool keeps_unknown,
                              struct ptx_module **module, struct diagnostic *diagnostic)
{
    struct diagnostic unwanted;
    *module = NULL;
    if (!diagnostic)
        diagnostic = &unwanted;
    enum status status = check_text(name, text, length, diagnostic);
    if (status != STATUS_OK)
        return status;
    if (length && text[length - 1] == '\0') // a terminated string, counted with its end
        length--;
    struct ptx_parser *p = mem_alloc(sizeof *p);
    p->diagnostic = diagnostic;
    p->keeps_unknown = keeps_unknown;
    p->arena = arena_new();
    p->module = arena_alloc(p->arena, sizeof *p->module);
    p->module->arena = p->arena;
    p->module->name = arena_strdup(p->arena, name ? name : "PTX");
    p->module->is_of_llvm = memmem(text, length < 200 ? length : 200, "LLVM NVPTX", strlen("LLVM NVPTX"));
    p->module->copies_maps = !p->module->is_of_llvm || (length >= strlen(PTX_COPIED_MAPS) &&
                                                        !memcmp(text, PTX_COPIED_MAPS, strlen(PTX_COPIED_MAPS)));
    ptx_symbols_start(&p->symbols);
    PTX_PUSH(p->locations, (struct ptx_location){.inlined_at = -1});
    ptx_lex_start(&p->lexer, text, length);
    ptx_next(p);
    if (parse_module(p)) {
        finish_module(p);
        p->module->memo = memo_new();
        *module = p->module;
    } else {
        status = p->status;
        arena_free(p->arena);
    }
    parser_free(p);
    return status;
}

enum status ptx_parse(const char *name, const char *text, size_t length, struct ptx_module **module,
                      struct diagnostic *diagnostic)
{
    return parse_text(name, text, length, false, module, diagnostic);
}

enum status ptx_parse_any(const char *name, const char *text, size_t length, struct ptx_module **module,
                          struct diagnostic *diagnostic)
{
    return parse_text(name, text, length, true, module, diagnostic);
}

void ptx_module_free(struct ptx_module *module)
{
    if (!module)
        return;
    memo_free(module->memo);
    arena_free(module->arena);
}
