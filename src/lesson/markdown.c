// Markdown into blocks, by the callbacks of md4c.
#include "lesson/markdown.h"

#include <ctype.h>
#include <md4c.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/memory.h"

enum { MAX_STYLES = 64, MAX_LISTS = 32, MAX_COLUMNS = 64, MAX_ROWS = 1024, PADDING = 16 };

struct list {
    bool ordered;
    int next;
};

struct builder {
    struct markdown *page;
    const char *start, *end; // what md4c was given
    struct list lists[MAX_LISTS];
    int depth, quote;
    bool item_open; // the next paragraph is the item's first
    bool is_open;   // text has a block to go to
    struct text code;
    unsigned styles[MAX_STYLES];
    const char *targets[MAX_STYLES];
    int style_depth;
    size_t row, column;
};

static struct markdown_block *last_block(struct builder *builder)
{
    struct markdown *page = builder->page;
    return page->count ? &page->blocks[page->count - 1] : NULL;
}

static struct markdown_block *add_block(struct builder *builder, enum markdown_kind kind)
{
    struct markdown *page = builder->page;
    struct markdown_block *block = mem_append(page->blocks, page->capacity, page->count);
    *block = (struct markdown_block){.kind = kind, .quote = builder->quote, .depth = builder->depth};
    return block;
}

// In a list, the first paragraph is the item itself, later blocks continue it.
static struct markdown_block *add_flow(struct builder *builder, enum markdown_kind kind)
{
    struct markdown_block *block = add_block(builder, kind);
    block->continued = builder->depth > 0;
    builder->is_open = true;
    return block;
}

static struct markdown_block *add_item(struct builder *builder)
{
    struct list *list = &builder->lists[builder->depth - 1];
    struct markdown_block *block = add_block(builder, MARKDOWN_ITEM);
    block->number = list->ordered ? list->next++ : 0;
    builder->item_open = true;
    builder->is_open = true;
    return block;
}

static void add_span(struct arena *arena, struct markdown_spans *spans, const char *text, size_t length, unsigned style,
                     const char *target)
{
    if (spans->count == spans->capacity) {
        size_t capacity = spans->capacity ? spans->capacity * 2 : 4;
        struct markdown_span *items = arena_alloc(arena, capacity * sizeof *items);
        if (spans->count)
            memcpy(items, spans->items, spans->count * sizeof *items);
        spans->items = items;
        spans->capacity = capacity;
    }
    spans->items[spans->count++] =
        (struct markdown_span){.text = arena_strndup(arena, text, length), .style = style, .target = target};
}

static const char *attribute(struct builder *builder, const MD_ATTRIBUTE *value)
{
    struct text text = {0};
    text_escape(&text, value->text, value->text ? value->size : 0, false);
    const char *copy = arena_strdup(builder->page->arena, text_get(&text));
    text_free(&text);
    return copy;
}

static void begin_list(struct builder *builder, bool ordered, unsigned start)
{
    if (builder->depth < MAX_LISTS)
        builder->lists[builder->depth] = (struct list){ordered, start < 100000 ? (int)start : 1};
    builder->depth += builder->depth < MAX_LISTS;
}

static void begin_table(struct builder *builder, const MD_BLOCK_TABLE_DETAIL *detail)
{
    struct markdown_block *block = add_flow(builder, MARKDOWN_TABLE);
    size_t rows = detail->head_row_count + detail->body_row_count;
    block->columns = detail->col_count < MAX_COLUMNS ? detail->col_count : MAX_COLUMNS;
    block->rows = rows < MAX_ROWS ? rows : MAX_ROWS;
    block->cells = arena_alloc(builder->page->arena, block->rows * block->columns * sizeof *block->cells);
    block->align = arena_alloc(builder->page->arena, block->columns + 1);
    memset(block->align, 'l', block->columns);
    builder->row = builder->column = 0;
}

static void set_align(struct builder *builder, const MD_BLOCK_TD_DETAIL *detail)
{
    struct markdown_block *block = last_block(builder);
    if (builder->column < block->columns)
        block->align[builder->column] = detail->align == MD_ALIGN_RIGHT    ? 'r'
                                        : detail->align == MD_ALIGN_CENTER ? 'c'
                                                                           : 'l';
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct builder *builder = context;
    switch (type) {
    case MD_BLOCK_QUOTE:
        builder->quote++;
        break;
    case MD_BLOCK_UL:
        begin_list(builder, false, 0);
        break;
    case MD_BLOCK_OL:
        begin_list(builder, true, ((const MD_BLOCK_OL_DETAIL *)detail)->start);
        break;
    case MD_BLOCK_LI:
        add_item(builder);
        break;
    case MD_BLOCK_HR:
        add_flow(builder, MARKDOWN_RULE);
        break;
    case MD_BLOCK_H:
        add_flow(builder, MARKDOWN_HEADING)->level = (int)((const MD_BLOCK_H_DETAIL *)detail)->level;
        break;
    case MD_BLOCK_CODE:
        add_flow(builder, MARKDOWN_CODE)->language = attribute(builder, &((const MD_BLOCK_CODE_DETAIL *)detail)->lang);
        text_clear(&builder->code);
        break;
    case MD_BLOCK_P:
    case MD_BLOCK_HTML:
        if (!builder->item_open)
            add_flow(builder, MARKDOWN_PARAGRAPH);
        builder->item_open = false;
        break;
    case MD_BLOCK_TABLE:
        begin_table(builder, detail);
        break;
    case MD_BLOCK_TR:
        builder->column = 0;
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        set_align(builder, detail);
        break;
    default:
        break;
    }
    if (type == MD_BLOCK_H || type == MD_BLOCK_CODE || type == MD_BLOCK_TABLE || type == MD_BLOCK_HR)
        builder->item_open = false;
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct builder *builder = context;
    (void)detail;
    if (type == MD_BLOCK_QUOTE)
        builder->quote--;
    else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL)
        builder->depth--;
    else if (type == MD_BLOCK_LI)
        builder->item_open = false;
    else if (type == MD_BLOCK_CODE)
        last_block(builder)->text = arena_strdup(builder->page->arena, text_get(&builder->code));
    else if (type == MD_BLOCK_TR)
        builder->row++;
    else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
        builder->column++;
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct builder *builder = context;
    int depth = builder->style_depth < MAX_STYLES ? builder->style_depth : MAX_STYLES - 1;
    unsigned style = depth ? builder->styles[depth - 1] : 0;
    const char *target = depth ? builder->targets[depth - 1] : NULL;
    if (type == MD_SPAN_EM || type == MD_SPAN_U)
        style |= MARKDOWN_EMPHASIS;
    else if (type == MD_SPAN_STRONG)
        style |= MARKDOWN_STRONG;
    else if (type == MD_SPAN_CODE)
        style |= MARKDOWN_MONO;
    else if (type == MD_SPAN_A || type == MD_SPAN_IMG) {
        style |= MARKDOWN_LINK;
        target = attribute(builder, detail); // both details start with the address
    }
    builder->styles[depth] = style;
    builder->targets[depth] = target;
    builder->style_depth++;
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct builder *builder = context;
    (void)type;
    (void)detail;
    // md4c leaves spans that it never entered in some malformed text
    if (builder->style_depth > 0)
        builder->style_depth--;
    return 0;
}

static void put_code_point(struct text *out, uint32_t code)
{
    utf8proc_uint8_t bytes[4];
    if (code == 0 || !utf8proc_codepoint_valid((utf8proc_int32_t)code))
        code = 0xfffd;
    utf8proc_ssize_t length = utf8proc_encode_char((utf8proc_int32_t)code, bytes);
    text_escape(out, (const char *)bytes, (size_t)length, false);
}

static void put_entity(struct text *out, const char *text, size_t length)
{
    static const struct {
        const char *name, *value;
    } entities[] = {{"&lt;", "<"},
                    {"&gt;", ">"},
                    {"&amp;", "&"},
                    {"&quot;", "\""},
                    {"&apos;", "'"},
                    {"&nbsp;", "\xc2\xa0"},
                    {"&times;", "\xc3\x97"},
                    {"&sup2;", "\xc2\xb2"},
                    {"&sup3;", "\xc2\xb3"},
                    {"&micro;", "\xc2\xb5"},
                    {"&deg;", "\xc2\xb0"},
                    {"&hellip;", "\xe2\x80\xa6"},
                    {"&ndash;", "\xe2\x80\x93"}};
    char name[64];
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strlen(entities[i].name) == length && memcmp(entities[i].name, text, length) == 0) {
            text_puts(out, entities[i].value);
            return;
        }
    if (length > 3 && length < sizeof name && text[1] == '#') {
        memcpy(name, text, length);
        name[length] = '\0';
        bool is_hex = name[2] == 'x' || name[2] == 'X';
        unsigned long code = strtoul(name + (is_hex ? 3 : 2), NULL, is_hex ? 16 : 10);
        put_code_point(out, code <= 0x10ffff ? (uint32_t)code : 0);
        return;
    }
    text_escape(out, text, length, false);
}

// md4c 0.4.8 takes a link that the document's end cuts off for longer than it is; its own constants lie elsewhere.
static MD_SIZE clamp_size(const struct builder *builder, const MD_CHAR *bytes, MD_SIZE size)
{
    uintptr_t at = (uintptr_t)bytes, start = (uintptr_t)builder->start, end = (uintptr_t)builder->end;
    return at >= start && at <= end && size > end - at ? (MD_SIZE)(end - at) : size;
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *bytes, MD_SIZE size, void *context)
{
    struct builder *builder = context;
    struct text text = {0};
    size = clamp_size(builder, bytes, size);
    if (!builder->is_open)
        add_flow(builder, MARKDOWN_PARAGRAPH);
    struct markdown_block *block = last_block(builder);
    if (block->kind == MARKDOWN_CODE) {
        text_escape(&builder->code, bytes, size, true);
        return 0;
    }
    if (type == MD_TEXT_BR)
        text_puts(&text, "\n");
    else if (type == MD_TEXT_SOFTBR)
        text_puts(&text, " ");
    else if (type == MD_TEXT_NULLCHAR)
        put_code_point(&text, 0);
    else if (type == MD_TEXT_ENTITY)
        put_entity(&text, bytes, size);
    else
        for (MD_SIZE i = 0; i < size; i++) // a raw HTML block brings line ends along
            text_append(&text, bytes[i] == '\n' ? " " : bytes + i, 1);
    if (type != MD_TEXT_BR && type != MD_TEXT_ENTITY) {
        struct text raw = text;
        text = (struct text){0};
        text_escape(&text, text_get(&raw), raw.length, false);
        text_free(&raw);
    }
    int depth = builder->style_depth < MAX_STYLES ? builder->style_depth : MAX_STYLES; // deeper ones look the same
    unsigned style = depth ? builder->styles[depth - 1] : 0;
    const char *target = depth ? builder->targets[depth - 1] : NULL;
    struct markdown_spans *spans = &block->spans;
    if (block->kind == MARKDOWN_TABLE)
        spans = builder->row < block->rows && builder->column < block->columns
                    ? &block->cells[builder->row * block->columns + builder->column]
                    : NULL;
    if (spans && text.length)
        add_span(builder->page->arena, spans, text_get(&text), text.length, style, target);
    text_free(&text);
    return 0;
}

struct markdown *markdown_parse(const char *text, size_t length)
{
    const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_PERMISSIVEURLAUTOLINKS,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = add_text,
    };
    struct markdown *page = mem_alloc(sizeof *page);
    page->arena = arena_new();
    length = length < UINT32_MAX / 2 ? length : 0;
    char *copy = arena_alloc(page->arena, length + PADDING); // md4c looks at what follows a last line without an end
    if (length)
        memcpy(copy, text, length);
    struct builder builder = {.page = page, .start = copy, .end = copy + length};
    if (md_parse(copy, (MD_SIZE)length, &parser, &builder) != 0) // our callbacks stop nothing
        mem_out(length);
    for (size_t i = 0; i < page->count; i++)
        if (page->blocks[i].kind == MARKDOWN_CODE && !page->blocks[i].text)
            page->blocks[i].text = "";
    text_free(&builder.code);
    return page;
}

void markdown_free(struct markdown *page)
{
    if (!page)
        return;
    arena_free(page->arena);
    free(page->blocks);
    free(page);
}

static size_t words_of(const struct markdown_spans *spans)
{
    size_t words = 0;
    bool inside = false;
    for (size_t i = 0; i < spans->count; i++)
        for (const char *at = spans->items[i].text; *at; at++) {
            bool is_blank = isspace((unsigned char)*at) != 0;
            words += !is_blank && !inside;
            inside = !is_blank;
        }
    return words;
}

size_t markdown_words(const struct markdown *page)
{
    size_t words = 0;
    for (size_t i = 0; i < page->count; i++) {
        const struct markdown_block *block = &page->blocks[i];
        words += words_of(&block->spans);
        for (size_t j = 0; j < block->rows * block->columns; j++)
            words += words_of(&block->cells[j]);
    }
    return words;
}
