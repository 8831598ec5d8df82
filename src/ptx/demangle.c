// Names of the Itanium C++ ABI (section 5.1 "External Names"), as far as kernels, device functions and variables
// use them. Return types are not printed. What is not understood is left as it stands.
#include "ptx/ptx.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    MAX_DEPTH = 48,
    MAX_PIECES = 256,  // substitutions, template arguments
    MAX_STRING = 4096, // of a part; names that refer to themselves can grow exponentially
    MAX_STRINGS = 4000 // made while reading one name
};

// A type is written around what it declares: left "float (*", right ")(int)".
struct piece {
    const char *left, *right;
};

struct pieces {
    struct piece items[MAX_PIECES];
    unsigned count;
};

struct demangler {
    const char *at;
    struct arena *arena;
    struct pieces seen;      // substitutions S_, S0_, …
    struct pieces arguments; // template arguments T_, T0_, …
    unsigned depth, strings;
    bool has_failed;
};

static const struct piece nothing = {"", ""};

static struct piece fail(struct demangler *d)
{
    d->has_failed = true;
    d->at = "";
    return nothing;
}

static const char *print(struct demangler *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *print(struct demangler *d, const char *format, ...)
{
    char buffer[MAX_STRING];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof buffer || ++d->strings > MAX_STRINGS) {
        fail(d);
        return "";
    }
    return arena_strndup(d->arena, buffer, (size_t)length);
}

static const char *whole(struct demangler *d, struct piece piece)
{
    return piece.right[0] ? print(d, "%s%s", piece.left, piece.right) : piece.left;
}

static struct piece plain(const char *text)
{
    return (struct piece){text, ""};
}

static bool accept(struct demangler *d, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(d->at, text, length) != 0)
        return false;
    d->at += length;
    return true;
}

static struct piece push(struct demangler *d, struct pieces *pieces, struct piece piece)
{
    if (pieces->count == MAX_PIECES)
        return fail(d);
    return pieces->items[pieces->count++] = piece;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// number, bounded. -1 if there is none.
static int parse_number(struct demangler *d)
{
    int number = 0;
    if (!is_digit(*d->at))
        return -1;
    for (; is_digit(*d->at); d->at++) {
        if (number > 100000) {
            fail(d);
            return -1;
        }
        number = 10 * number + (*d->at - '0');
    }
    return number;
}

// seq-id = { digit in base 36 } "_" : 0 for "_", 1 for "0_", …
static int parse_sequence(struct demangler *d)
{
    int number = 0;
    if (accept(d, "_"))
        return 0;
    for (; is_digit(*d->at) || (*d->at >= 'A' && *d->at <= 'Z'); d->at++) {
        if (number > 10000)
            return -1;
        number = 36 * number + (is_digit(*d->at) ? *d->at - '0' : *d->at - 'A' + 10);
    }
    return accept(d, "_") ? number + 1 : -1;
}

static struct piece parse_type(struct demangler *d);
static const char *parse_encoding(struct demangler *d);
static const char *parse_name(struct demangler *d, bool is_outer, bool *is_template);

static bool enter(struct demangler *d)
{
    if (d->has_failed || d->depth == MAX_DEPTH) {
        fail(d);
        return false;
    }
    d->depth++;
    return true;
}

// ---- template arguments

// literal = "L" type number "E" | "L_Z" encoding "E" ; the 'L' is taken
static const char *parse_literal(struct demangler *d)
{
    if (accept(d, "_Z")) {
        const char *name = parse_encoding(d);
        return accept(d, "E") ? name : fail(d).left;
    }
    char kind = *d->at;
    const char *type = whole(d, parse_type(d));
    const char *start = d->at;
    while (*d->at && *d->at != 'E')
        d->at++;
    int length = (int)(d->at - start);
    if (!accept(d, "E"))
        return fail(d).left;
    const char *sign = *start == 'n' ? "-" : "";
    start += *start == 'n';
    length -= *sign == '-';
    if (kind == 'b' && length == 1 && (*start == '0' || *start == '1'))
        return *start == '1' ? "true" : "false";
    for (int i = 0; i < length; i++)
        if (!is_digit(start[i]))
            return print(d, "(%s)[%.*s]", type, length, start); // a float's bits
    if (kind == 'i')
        return print(d, "%s%.*s", sign, length, start);
    if (kind == 'D')
        return "nullptr";
    static const char suffixes[][3] = {['j' - 'j'] = "u", ['l' - 'j'] = "l", ['m' - 'j'] = "ul"};
    if (kind >= 'j' && kind <= 'm' && kind != 'k')
        return print(d, "%s%.*s%s", sign, length, start, suffixes[kind - 'j']);
    return print(d, "(%s)%s%.*s", type, sign, length, start);
}

static const char *parse_argument_list(struct demangler *d, struct pieces *arguments);
static struct piece parse_template_param(struct demangler *d);

// What stands in an expression: a literal, a function's address, a template parameter; "E" follows
static struct piece parse_expression(struct demangler *d)
{
    struct piece piece = nothing;
    if (accept(d, "L"))
        piece = plain(parse_literal(d));
    else if (accept(d, "adL_Z"))
        piece = plain(print(d, "&%s", parse_encoding(d))), accept(d, "E") || fail(d).left;
    else if (accept(d, "T"))
        piece = parse_template_param(d);
    else
        fail(d);
    return accept(d, "E") ? piece : fail(d);
}

// argument = type | literal | "X" expression "E" | "J" { argument } "E"
static struct piece parse_argument(struct demangler *d, struct pieces *arguments)
{
    struct piece piece;
    if (accept(d, "L"))
        piece = plain(parse_literal(d));
    else if (accept(d, "X"))
        piece = parse_expression(d);
    else if (accept(d, "J"))
        piece = plain(parse_argument_list(d, NULL));
    else
        piece = parse_type(d);
    if (arguments)
        push(d, arguments, piece);
    return piece;
}

// { argument } "E" , joined with commas
static const char *parse_argument_list(struct demangler *d, struct pieces *arguments)
{
    const char *list = "";
    if (!enter(d))
        return "";
    while (!accept(d, "E")) {
        const char *argument = whole(d, parse_argument(d, arguments));
        if (d->has_failed || !*d->at) {
            fail(d);
            break;
        }
        list = !argument[0] ? list : list[0] ? print(d, "%s, %s", list, argument) : argument;
    }
    d->depth--;
    return list;
}

// template-args = "I" arguments ; those of the outermost name are what T_ means
static const char *parse_template(struct demangler *d, const char *name, bool is_outer)
{
    struct pieces *collected = is_outer ? mem_alloc(sizeof *collected) : NULL;
    const char *list = parse_argument_list(d, collected);
    if (collected)
        d->arguments = *collected;
    free(collected);
    return print(d, "%s<%s>", name, list);
}

// ---- names

// source-name = length characters
static const char *parse_source_name(struct demangler *d)
{
    int length = parse_number(d);
    if (length <= 0 || strnlen(d->at, (size_t)length) < (size_t)length)
        return fail(d).left;
    const char *name = d->at;
    d->at += length;
    if (!strncmp(name, "_GLOBAL__N", 10))
        return "(anonymous namespace)";
    if (!strncmp(name, "_INTERNAL_", 10)) // nvcc's namespace for a file's static functions
        return "";
    return print(d, "%.*s", length, name);
}

static const struct {
    char code[3];
    const char *name;
} operators[] = {
    {"nw", "new"}, {"dl", "delete"}, {"pl", "+"},   {"mi", "-"},  {"ml", "*"},  {"dv", "/"},  {"rm", "%"},
    {"an", "&"},   {"or", "|"},      {"eo", "^"},   {"co", "~"},  {"aS", "="},  {"pL", "+="}, {"mI", "-="},
    {"mL", "*="},  {"dV", "/="},     {"rM", "%="},  {"aN", "&="}, {"oR", "|="}, {"eO", "^="}, {"ls", "<<"},
    {"rs", ">>"},  {"lS", "<<="},    {"rS", ">>="}, {"eq", "=="}, {"ne", "!="}, {"lt", "<"},  {"gt", ">"},
    {"le", "<="},  {"ge", ">="},     {"nt", "!"},   {"aa", "&&"}, {"oo", "||"}, {"pp", "++"}, {"mm", "--"},
    {"cm", ","},   {"pm", "->*"},    {"pt", "->"},  {"cl", "()"}, {"ix", "[]"}, {"ng", "-"},  {"ps", "+"},
    {"de", "*"},   {"ad", "&"},
};

// lambda = "Ul" { type } "E" [ number ] "_" ; unnamed = "Ut" [ number ] "_"
static const char *parse_unnamed(struct demangler *d)
{
    const char *types = "";
    bool is_lambda = accept(d, "Ul");
    if (!is_lambda && !accept(d, "Ut"))
        return fail(d).left;
    while (is_lambda && !accept(d, "E")) {
        const char *type = whole(d, parse_type(d));
        if (d->has_failed || !*d->at)
            return fail(d).left;
        types = !strcmp(type, "void") ? types : types[0] ? print(d, "%s, %s", types, type) : type;
    }
    int number = *d->at == '_' ? 1 : parse_number(d) + 2;
    if (!accept(d, "_"))
        return fail(d).left;
    return is_lambda ? print(d, "{lambda(%s)#%d}", types, number) : print(d, "{unnamed type#%d}", number);
}

// The last part of a qualified name, for constructors
static const char *last_name(struct demangler *d, const char *scope)
{
    const char *last = scope;
    int depth = 0;
    for (const char *at = scope; *at; at++) {
        depth += *at == '<';
        depth -= *at == '>';
        if (depth == 0 && at[0] == ':' && at[1] == ':')
            last = at + 2;
    }
    return print(d, "%.*s", (int)strcspn(last, "<"), last);
}

// unqualified = [ "L" ] source-name | operator | constructor | destructor | lambda | unnamed , then { "B" source-name }
static const char *parse_unqualified(struct demangler *d, const char *scope)
{
    const char *name = NULL;
    accept(d, "L");
    if (is_digit(*d->at)) {
        name = parse_source_name(d);
    } else if (*d->at == 'U') {
        name = parse_unnamed(d);
    } else if (*d->at == 'C' && d->at[1] >= '1' && d->at[1] <= '5') {
        d->at += 2;
        name = last_name(d, scope);
    } else if (*d->at == 'D' && d->at[1] >= '0' && d->at[1] <= '5') {
        d->at += 2;
        name = print(d, "~%s", last_name(d, scope));
    } else if (accept(d, "cv")) {
        name = print(d, "operator %s", whole(d, parse_type(d)));
    } else {
        for (size_t i = 0; !name && i < sizeof operators / sizeof *operators; i++)
            if (accept(d, operators[i].code))
                name = print(d, "operator%s%s", operators[i].code[0] == 'n' && operators[i].code[1] == 'w' ? " " : "",
                             operators[i].name);
    }
    if (!name)
        return fail(d).left;
    while (accept(d, "B"))
        name = print(d, "%s[abi:%s]", name, parse_source_name(d));
    return name;
}

// substitution = "S" sequence | "St" | "Sa" | "Sb" | "Ss" | "Si" | "So" | "Sd" ; the 'S' is taken
static struct piece parse_substitution(struct demangler *d)
{
    static const struct {
        char code[2];
        const char *name;
    } standard[] = {{"t", "std"},          {"a", "std::allocator"}, {"b", "std::basic_string"}, {"s", "std::string"},
                    {"i", "std::istream"}, {"o", "std::ostream"},   {"d", "std::iostream"}};
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        if (accept(d, standard[i].code))
            return plain(standard[i].name);
    int index = parse_sequence(d);
    if (index < 0 || (unsigned)index >= d->seen.count)
        return fail(d);
    return d->seen.items[index];
}

// template-param = "T" sequence ; the 'T' is taken
static struct piece parse_template_param(struct demangler *d)
{
    int index = parse_sequence(d);
    if (index < 0)
        return fail(d);
    if ((unsigned)index >= d->arguments.count)
        return plain("auto"); // a generic lambda's parameter
    return d->arguments.items[index];
}

static const char *join(struct demangler *d, const char *scope, const char *name)
{
    return scope[0] ? print(d, "%s::%s", scope, name) : name;
}

// nested = "N" [ "r" | "V" | "K" ] [ "R" | "O" ] { part } "E" ; the 'N' is taken
static const char *parse_nested(struct demangler *d, bool is_outer, bool *is_template)
{
    const char *name = "";
    bool is_known = false; // what was read so far stands in the list of substitutions, or must not
    while (accept(d, "r") || accept(d, "V") || accept(d, "K") || accept(d, "R") || accept(d, "O"))
        continue;
    while (!accept(d, "E")) {
        bool was_template = accept(d, "I");
        if (was_template) {
            name = parse_template(d, name, is_outer);
        } else if (*d->at == 'S' && name[0] == '\0') {
            d->at++;
            name = parse_substitution(d).left;
            is_known = true;
        } else if (*d->at == 'T') {
            d->at++;
            name = whole(d, parse_template_param(d));
        } else {
            name = join(d, name, parse_unqualified(d, name));
        }
        *is_template = was_template;
        if (d->has_failed || !*d->at)
            return fail(d).left;
        if (!is_known && *d->at != 'E')
            push(d, &d->seen, plain(name));
        is_known = false;
    }
    return name;
}

// discriminator = "_" digit | "__" number "_"
static void skip_discriminator(struct demangler *d)
{
    if (accept(d, "__")) {
        parse_number(d);
        accept(d, "_");
    } else if (*d->at == '_' && is_digit(d->at[1])) {
        d->at += 2;
    }
}

// local = "Z" encoding "E" ( name | "s" ) [ discriminator ] ; the 'Z' is taken
static const char *parse_local(struct demangler *d, bool *is_template)
{
    const char *function = parse_encoding(d), *entity = "string literal";
    if (!accept(d, "E"))
        return fail(d).left;
    if (!accept(d, "s")) {
        if (accept(d, "d")) { // in a default argument
            parse_number(d);
            accept(d, "_");
        }
        entity = parse_name(d, false, is_template);
    }
    skip_discriminator(d);
    return join(d, function, entity);
}

// name = nested | local | [ "St" ] unqualified [ template-args ] | substitution template-args
static const char *parse_name(struct demangler *d, bool is_outer, bool *is_template)
{
    const char *name;
    *is_template = false;
    if (!enter(d))
        return "";
    if (accept(d, "N")) {
        name = parse_nested(d, is_outer, is_template);
    } else if (accept(d, "Z")) {
        name = parse_local(d, is_template);
    } else {
        bool is_known = *d->at == 'S' && d->at[1] != 't';
        if (is_known)
            d->at++, name = parse_substitution(d).left;
        else
            name = accept(d, "St") ? join(d, "std", parse_unqualified(d, "")) : parse_unqualified(d, "");
        if (accept(d, "I")) {
            if (!is_known)
                push(d, &d->seen, plain(name));
            name = parse_template(d, name, is_outer);
            *is_template = true;
        }
    }
    d->depth--;
    return name;
}

// ---- types

static const char *builtin(char code)
{
    static const char *const names['z' - 'a' + 1] = {
        ['v' - 'a'] = "void",        ['w' - 'a'] = "wchar_t",
        ['b' - 'a'] = "bool",        ['c' - 'a'] = "char",
        ['a' - 'a'] = "signed char", ['h' - 'a'] = "unsigned char",
        ['s' - 'a'] = "short",       ['t' - 'a'] = "unsigned short",
        ['i' - 'a'] = "int",         ['j' - 'a'] = "unsigned int",
        ['l' - 'a'] = "long",        ['m' - 'a'] = "unsigned long",
        ['x' - 'a'] = "long long",   ['y' - 'a'] = "unsigned long long",
        ['n' - 'a'] = "__int128",    ['o' - 'a'] = "unsigned __int128",
        ['f' - 'a'] = "float",       ['d' - 'a'] = "double",
        ['e' - 'a'] = "long double", ['g' - 'a'] = "__float128",
        ['z' - 'a'] = "...",
    };
    return code >= 'a' && code <= 'z' ? names[code - 'a'] : NULL;
}

// What a pointer, reference or pointer to member adds to what it points to
static struct piece point(struct demangler *d, struct piece to, const char *mark)
{
    size_t length = strlen(to.left);
    if (mark[0] == '&' && !to.right[0] && length > 1 && to.left[length - 1] == '&') // references collapse
        return to.left[length - 2] == '&' && !mark[1] ? plain(print(d, "%.*s", (int)length - 1, to.left)) : to;
    if (to.right[0] != '(' && to.right[0] != '[')
        return (struct piece){print(d, "%s%s", to.left, mark), to.right};
    return (struct piece){print(d, "%s (%s", to.left, mark + (mark[0] == ' ')),
                          print(d, to.right[0] == '[' ? ") %s" : ")%s", to.right)};
}

// parameters = { type } , up to "E" or the end of the name
static const char *parse_parameters(struct demangler *d)
{
    const char *list = "";
    for (bool is_first = true; *d->at && *d->at != 'E' && *d->at != '.' && *d->at != '$' && *d->at != '_';
         is_first = false) {
        const char *type = whole(d, parse_type(d));
        if (d->has_failed)
            return "";
        if (is_first && !strcmp(type, "void") && (!*d->at || *d->at == 'E'))
            break;
        list = !type[0] ? list : list[0] ? print(d, "%s, %s", list, type) : type;
    }
    return list;
}

// function = "F" [ "Y" ] return-type parameters "E" ; the 'F' is taken
static struct piece parse_function_type(struct demangler *d)
{
    accept(d, "Y");
    const char *result = whole(d, parse_type(d));
    const char *parameters = parse_parameters(d);
    if (!accept(d, "E"))
        return fail(d);
    return (struct piece){result, print(d, "(%s)", parameters)};
}

// array = "A" [ number ] "_" type ; the 'A' is taken
static struct piece parse_array_type(struct demangler *d)
{
    const char *start = d->at;
    while (is_digit(*d->at))
        d->at++;
    int length = (int)(d->at - start);
    if (!accept(d, "_"))
        return fail(d);
    struct piece element = parse_type(d);
    return (struct piece){element.left, print(d, "[%.*s]%s", length, start, element.right)};
}

// The types that begin with D, but for decltype; the 'D' is taken. *is_builtin: takes no part in substitutions
static struct piece parse_d_type(struct demangler *d, bool *is_builtin)
{
    static const struct {
        const char *code, *name;
    } names[] = {{"F16_", "_Float16"}, {"F16b", "__bf16"}, {"n", "decltype(nullptr)"}, {"h", "half"},
                 {"i", "char32_t"},    {"s", "char16_t"},  {"u", "char8_t"},           {"a", "auto"}};
    *is_builtin = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (accept(d, names[i].code))
            return plain(names[i].name);
    *is_builtin = false;
    if (accept(d, "p"))
        return parse_type(d);
    if (!accept(d, "v"))
        return fail(d);
    int lanes = parse_number(d);
    if (lanes < 0 || !accept(d, "_"))
        return fail(d);
    return plain(print(d, "%s __vector(%d)", whole(d, parse_type(d)), lanes));
}

static struct piece qualify(struct demangler *d, struct piece type, const char *word)
{
    if (type.right[0] == '(' || type.right[0] == '[')
        return (struct piece){print(d, "%s %s", type.left, word), type.right};
    return (struct piece){print(d, "%s %s", whole(d, type), word), ""};
}

// class-or-enum = name ; or a substitution that is a template
static struct piece parse_class(struct demangler *d, bool *is_known)
{
    bool is_template;
    if (*d->at == 'S' && d->at[1] != 't') {
        d->at++;
        struct piece piece = parse_substitution(d);
        *is_known = *d->at != 'I';
        if (!*is_known)
            d->at++, piece = plain(parse_template(d, piece.left, false));
        return piece;
    }
    return plain(parse_name(d, false, &is_template));
}

static struct piece parse_compound(struct demangler *d, bool *is_known)
{
    if (accept(d, "P"))
        return point(d, parse_type(d), "*");
    if (accept(d, "R"))
        return point(d, parse_type(d), "&");
    if (accept(d, "O"))
        return point(d, parse_type(d), "&&");
    if (accept(d, "K"))
        return qualify(d, parse_type(d), "const");
    if (accept(d, "V"))
        return qualify(d, parse_type(d), "volatile");
    if (accept(d, "r"))
        return qualify(d, parse_type(d), "__restrict");
    if (accept(d, "F"))
        return parse_function_type(d);
    if (accept(d, "A"))
        return parse_array_type(d);
    if (accept(d, "D"))
        return parse_d_type(d, is_known);
    if (accept(d, "T")) {
        struct piece piece = parse_template_param(d);
        if (accept(d, "I")) {
            push(d, &d->seen, piece);
            piece = plain(parse_template(d, piece.left, false));
        }
        return piece;
    }
    if (accept(d, "M")) {
        const char *class = whole(d, parse_type(d));
        return point(d, parse_type(d), print(d, " %s::*", class));
    }
    if (accept(d, "U")) { // a vendor's qualifier: clang's address spaces
        const char *word = parse_source_name(d);
        return qualify(d, parse_type(d), word);
    }
    if (accept(d, "u")) {
        *is_known = false;
        return plain(parse_source_name(d));
    }
    return parse_class(d, is_known);
}

// type = builtin | qualified, pointer, reference, function, array, class …
static struct piece parse_type(struct demangler *d)
{
    const char *name = builtin(*d->at);
    if (name) {
        d->at++;
        return plain(name);
    }
    if (!enter(d))
        return nothing;
    bool is_known = false;
    struct piece piece = parse_compound(d, &is_known);
    d->depth--;
    if (!is_known && !d->has_failed)
        push(d, &d->seen, piece);
    return d->has_failed ? nothing : piece;
}

// encoding = name [ parameters ] ; templates have their return type first
static const char *parse_encoding(struct demangler *d)
{
    bool is_template;
    if (!enter(d))
        return "";
    if (accept(d, "TV")) {
        const char *table = print(d, "vtable for %s", whole(d, parse_type(d)));
        d->depth--;
        return table;
    }
    const char *name = parse_name(d, true, &is_template);
    bool is_variable = !*d->at || *d->at == 'E' || *d->at == '.' || *d->at == '$' || *d->at == '_';
    if (!is_variable && !d->has_failed) {
        if (is_template)
            parse_type(d);
        name = print(d, "%s(%s)", name, parse_parameters(d));
    }
    d->depth--;
    return name;
}

char *ptx_demangle(const char *name, char *text, size_t size)
{
    if (strncmp(name, "_Z", 2) != 0 || strnlen(name, MAX_STRING) == MAX_STRING) {
        snprintf(text, size, "%s", name);
        return text;
    }
    struct demangler *d = mem_alloc(sizeof *d);
    d->at = name + 2;
    d->arena = arena_new();
    const char *demangled = parse_encoding(d);
    // Compilers append parts behind a dot or dollar to copies of functions and to static variables.
    bool has_tail = *d->at && *d->at != '.' && *d->at != '$' && strncmp(d->at, "_$", 2) != 0;
    snprintf(text, size, "%s", d->has_failed || has_tail ? name : demangled);
    arena_free(d->arena);
    free(d);
    return text;
}
