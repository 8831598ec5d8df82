// A reader of `template <…> __global__ void name(…)` that knows namespaces and brackets, and no more of C++.
#include "toolchain/kernels.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "toolchain/plain.h"

enum { DEEPEST = 64 };

struct piece {
    const char *at;
    size_t length;
};

struct reader {
    const char *at; // the rest of the source, without comments
    struct source_kernels *kernels;
    struct piece spaces[DEEPEST]; // the namespace that each open brace began; length 0: another brace
    size_t depth;
};

static bool begins_word(const char *at)
{
    return isalnum((unsigned char)*at) || *at == '_';
}

// A word, or one character. Directives and quoted text are passed over. Length 0: the end.
static struct piece next_piece(struct reader *reader)
{
    for (;;) {
        reader->at += strspn(reader->at, " \t\r\n\f\v");
        struct piece piece = {reader->at, *reader->at != '\0'};
        if (*reader->at == '#') {
            reader->at += strcspn(reader->at, "\n");
            continue;
        }
        if (*reader->at == '"' || *reader->at == '\'') {
            const char *end = reader->at + 1;
            while (*end && *end != *reader->at)
                end += *end == '\\' && end[1] ? 2 : 1;
            reader->at = *end ? end + 1 : end;
            continue;
        }
        while (begins_word(piece.at) && begins_word(piece.at + piece.length))
            piece.length++;
        reader->at += piece.length;
        return piece;
    }
}

static bool piece_is(struct piece piece, const char *text)
{
    return strlen(text) == piece.length && memcmp(piece.at, text, piece.length) == 0;
}

// What stands between the bracket that was just read and its partner.
static struct piece take_brackets(struct reader *reader, char open, char close)
{
    struct piece inside = {reader->at, 0}, piece;
    for (int depth = 1; (piece = next_piece(reader)).length;) {
        depth += *piece.at == open;
        depth -= *piece.at == close;
        if (depth == 0) {
            inside.length = (size_t)(piece.at - inside.at);
            break;
        }
    }
    return inside;
}

// The next of a list that commas separate, trimmed; false: there is none.
static bool next_item(struct piece *list, struct piece *item)
{
    size_t length = 0;
    int depth = 0;
    while (list->length && isspace((unsigned char)*list->at))
        *list = (struct piece){list->at + 1, list->length - 1};
    if (!list->length)
        return false;
    for (; length < list->length && (depth > 0 || list->at[length] != ','); length++) {
        depth += strchr("<([{", list->at[length]) != NULL;
        depth -= strchr(">)]}", list->at[length]) != NULL;
    }
    *item = (struct piece){list->at, length};
    while (item->length && isspace((unsigned char)item->at[item->length - 1]))
        item->length--;
    length += length < list->length;
    *list = (struct piece){list->at + length, list->length - length};
    return true;
}

static bool holds_word(struct piece piece, const char *words)
{
    for (size_t at = 0; at < piece.length;) {
        size_t length = 0;
        while (at + length < piece.length && begins_word(piece.at + at + length))
            length++;
        if (length && text_lists(words, piece.at + at, length))
            return true;
        at += length ? length : 1;
    }
    return false;
}

// "typename T, int N, bool B = false" -> "float, 32"; up to the first that has a default or takes any number.
static char *make_example(struct piece parameters)
{
    struct text example = {0};
    struct piece item;
    while (next_item(&parameters, &item) && !memchr(item.at, '=', item.length) &&
           !memmem(item.at, item.length, "...", 3)) {
        text_puts(&example, example.length ? ", " : "");
        if (holds_word(item, "typename class"))
            text_puts(&example, "float");
        else if (holds_word(item, "bool"))
            text_puts(&example, "true");
        else if (holds_word(item, "int unsigned size_t long short char uint32_t int32_t uint64_t int64_t uint auto"))
            text_puts(&example, "32");
        else
            text_append(&example, item.at, item.length);
    }
    return example.data ? example.data : mem_strdup("");
}

static void add_source_kernel(struct reader *reader, struct piece name, struct piece parameters,
                              const struct piece *template)
{
    struct text full = {0};
    struct piece item;
    for (size_t i = 0; i < reader->depth; i++)
        if (reader->spaces[i].length)
            text_printf(&full, "%.*s::", (int)reader->spaces[i].length, reader->spaces[i].at);
    text_append(&full, name.at, name.length);
    struct source_kernels *kernels = reader->kernels;
    for (size_t i = 0; i < kernels->count; i++)
        if (strcmp(kernels->items[i].name, full.data) == 0) {
            text_free(&full);
            return;
        }
    struct source_kernel *kernel = mem_append(kernels->items, kernels->capacity, kernels->count);
    *kernel = (struct source_kernel){.name = full.data, .example = template ? make_example(*template) : NULL};
    for (size_t capacity = 0; next_item(&parameters, &item);)
        if (!piece_is(item, "void"))
            *mem_append(kernel->written, capacity, kernel->parameters) = mem_strndup(item.at, item.length);
}

// After "__global__": the name is the word before the parentheses that no attribute takes. A macro that stands for an
// attribute, `__global__ BOUNDS(128) void copy(…)`, comes before the name.
static void read_kernel(struct reader *reader, const struct piece *template)
{
    static const char attributes[] =
        "__launch_bounds__ __cluster_dims__ __block_size__ __maxnreg__ __attribute__ __align__";
    struct piece word = {0}, name = {0}, parameters = {0}, piece;
    const char *rest = reader->at;
    while ((piece = next_piece(reader)).length && !strchr(";{}", *piece.at) && !piece_is(piece, "requires")) {
        if (*piece.at == '(') {
            struct piece inside = take_brackets(reader, '(', ')');
            bool is_attribute = word.length && text_lists(attributes, word.at, word.length);
            // "name<float>(": an instantiation or a specialisation
            if (word.length && !is_attribute && begins_word(word.at)) {
                name = word;
                parameters = inside;
            } else if (!is_attribute) {
                name = (struct piece){0};
            }
            piece = (struct piece){0};
        }
        word = piece;
        rest = reader->at;
    }
    reader->at = rest;
    if (name.length)
        add_source_kernel(reader, name, parameters, template);
}

static void open_brace(struct reader *reader, struct piece space)
{
    if (reader->depth < DEEPEST)
        reader->spaces[reader->depth++] = space;
}

void source_kernels_read(const char *source, size_t length, struct source_kernels *kernels)
{
    struct text plain = {0};
    source_make_plain(&plain, source, length);
    struct reader reader = {.at = text_get(&plain), .kernels = kernels};
    struct piece piece, space = {0}, template = {0};
    bool is_template = false, names_space = false;
    while ((piece = next_piece(&reader)).length) {
        if (piece_is(piece, "template")) {
            struct piece open = next_piece(&reader);
            is_template = piece_is(open, "<");
            if (is_template)
                template = take_brackets(&reader, '<', '>');
        } else if (piece_is(piece, "namespace")) {
            names_space = true;
            space = (struct piece){0};
        } else if (piece_is(piece, "__global__")) {
            read_kernel(&reader, is_template ? &template : NULL);
            is_template = false;
        } else if (piece_is(piece, "{")) {
            open_brace(&reader, names_space ? space : (struct piece){0});
            names_space = is_template = false;
        } else if (piece_is(piece, "}")) {
            reader.depth -= reader.depth > 0;
        } else if (piece_is(piece, ";")) {
            names_space = is_template = false;
        } else if (names_space && (begins_word(piece.at) || *piece.at == ':')) { // "a::b"
            space = (struct piece){space.length ? space.at : piece.at,
                                   (size_t)(piece.at + piece.length - (space.length ? space.at : piece.at))};
        }
    }
    text_free(&plain);
}

void source_kernels_free(struct source_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++) {
        for (size_t j = 0; j < kernels->items[i].parameters; j++)
            free(kernels->items[i].written[j]);
        free(kernels->items[i].written);
        free(kernels->items[i].name);
        free(kernels->items[i].example);
    }
    free(kernels->items);
    *kernels = (struct source_kernels){0};
}

const struct source_kernel *source_kernels_find(const struct source_kernels *kernels, const char *name, size_t length)
{
    for (size_t i = 0; i < kernels->count; i++) {
        const char *full = kernels->items[i].name;
        size_t more = strlen(full);
        if (more >= length && memcmp(full + more - length, name, length) == 0 &&
            (more == length || full[more - length - 1] == ':'))
            return &kernels->items[i];
    }
    return NULL;
}
