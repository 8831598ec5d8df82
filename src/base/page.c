// Cells out of UTF-8, and pages put together from them; utf8proc knows the characters.
#include "base/page.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/memory.h"

enum { LONGEST_PIECE = 2048 };

// What the screen's own characters, and the common typographic ones of lessons, become in ASCII.
static const struct {
    uint32_t code;
    const char *ascii;
} substitutes[] = {
    {0x2500, "-"},  {0x2502, "|"},   {0x250a, "|"},  {0x250c, "+"},   {0x2510, "+"},  {0x2514, "+"},  {0x2518, "+"},
    {0x251c, "+"},  {0x2524, "+"},   {0x252c, "+"},  {0x2534, "+"},   {0x253c, "+"},  {0x2588, "#"},  {0x2580, "'"},
    {0x2584, ","},  {0x2591, ":"},   {0x2592, "%"},  {0x2593, "%"},   {0x2581, "_"},  {0x2582, "_"},  {0x2583, "."},
    {0x2585, "-"},  {0x2586, "="},   {0x2587, "^"},  {0x258f, "|"},   {0x258c, "|"},  {0x25b8, ">"},  {0x25b6, ">"},
    {0x25cf, "o"},  {0x25cb, "."},   {0x25b2, "^"},  {0x25c6, "*"},   {0x2713, "+"},  {0x2717, "x"},  {0x2022, "*"},
    {0x00b7, "."},  {0x2026, "..."}, {0x2192, "->"}, {0x2190, "<-"},  {0x2191, "^"},  {0x2193, "v"},  {0x00d7, "x"},
    {0x2212, "-"},  {0x2013, "-"},   {0x2014, "-"},  {0x2018, "'"},   {0x2019, "'"},  {0x201c, "\""}, {0x201d, "\""},
    {0x2264, "<="}, {0x2265, ">="},  {0x2260, "!="}, {0x2248, "~"},   {0x00b2, "^2"}, {0x00b3, "^3"}, {0x00b5, "u"},
    {0x03bc, "u"},  {0x00a0, " "},   {0x2295, "^"},  {0x00bd, "1/2"},
};

size_t cell_decode(const char *text, uint32_t *code)
{
    if (*text == '\0')
        return 0;
    utf8proc_int32_t value;
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &value);
    if (used <= 0 || value < 0x20 || (value >= 0x7f && value < 0xa0)) {
        *code = used == 1 && value < 0x80 && value >= 0 ? '?' : 0xfffd;
        return used <= 0 ? 1 : (size_t)used;
    }
    *code = (uint32_t)value;
    return (size_t)used;
}

void cell_encode(struct text *text, uint32_t code)
{
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t used = utf8proc_encode_char((utf8proc_int32_t)code, bytes);
    text_append(text, (const char *)bytes, (size_t)used);
}

static const char *substitute(uint32_t code)
{
    for (size_t i = 0; i < sizeof substitutes / sizeof *substitutes; i++)
        if (substitutes[i].code == code)
            return substitutes[i].ascii;
    return "?";
}

static size_t put_ascii(struct cell *cells, size_t capacity, struct cell model, const char *text)
{
    size_t count = 0;
    for (; *text && count < capacity; text++) {
        cells[count] = model;
        cells[count++].glyph = (unsigned char)*text;
    }
    return count;
}

size_t cells_from_text(struct cell *cells, size_t capacity, bool ascii, enum role role, const char *text)
{
    size_t count = 0;
    struct cell model = {' ', (uint8_t)role, ROLE_TEXT, 0};
    uint32_t code;
    for (size_t used; (used = cell_decode(text, &code)) > 0 && count < capacity; text += used) {
        if (ascii && code >= 0x80) {
            if (utf8proc_charwidth((utf8proc_int32_t)code) > 0)
                count += put_ascii(cells + count, capacity - count, model, substitute(code));
            continue;
        }
        int width = code < 0x80 ? 1 : utf8proc_charwidth((utf8proc_int32_t)code);
        if (width <= 0)
            continue;
        if (width == 2 && count + 2 > capacity)
            break;
        model.glyph = code;
        cells[count++] = model;
        if (width == 2) {
            model.glyph = 0;
            cells[count++] = model;
        }
    }
    return count;
}

void page_init(struct page *page, int width, bool ascii)
{
    *page = (struct page){.width = width < 1 ? 1 : width, .ascii = ascii};
}

void page_free(struct page *page)
{
    for (size_t i = 0; i < page->count; i++)
        free(page->lines[i].cells);
    free(page->lines);
    *page = (struct page){0};
}

void page_start(struct page *page, int tag)
{
    *mem_append(page->lines, page->capacity, page->count) = (struct page_row){.tag = tag};
}

static struct page_row *current_row(struct page *page)
{
    if (page->count == 0)
        page_start(page, 0);
    return &page->lines[page->count - 1];
}

int page_column(const struct page *page)
{
    return page->count ? (int)page->lines[page->count - 1].count : 0;
}

static void add_cells(struct page_row *line, const struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *mem_append(line->cells, line->capacity, line->count) = cells[i];
    }
}

void page_cells(struct page *page, const struct cell *cells, size_t count)
{
    add_cells(current_row(page), cells, count);
}

void page_text(struct page *page, enum role role, const char *text)
{
    struct page_row *row = current_row(page);
    size_t most = 2 * strlen(text); // two bytes are at most three cells
    mem_reserve(&row->cells, &row->capacity, row->count + most);
    row->count += cells_from_text(row->cells + row->count, most, page->ascii, role, text);
}

void page_add(struct page *page, enum role role, const char *format, ...)
{
    char text[LONGEST_PIECE];
    TEXT_FORMAT(text, format);
    page_text(page, role, text);
}

void page_at(struct page *page, int column, enum role role, const char *format, ...)
{
    char text[LONGEST_PIECE];
    TEXT_FORMAT(text, format);
    page_pad(page, column);
    page_text(page, role, text);
}

void page_line(struct page *page, enum role role, const char *format, ...)
{
    char text[LONGEST_PIECE];
    TEXT_FORMAT(text, format);
    page_start(page, 0);
    page_text(page, role, text);
}

void page_heading(struct page *page, const char *format, ...)
{
    char text[LONGEST_PIECE];
    TEXT_FORMAT(text, format);
    page_start(page, 0);
    page_line(page, ROLE_HEADING, " %s", text);
}

void page_pad(struct page *page, int column)
{
    for (int now = (int)current_row(page)->count; now < column; now++)
        page_text(page, ROLE_TEXT, " ");
}

static void wrap_line(struct page *page, int indent)
{
    page_start(page, current_row(page)->tag);
    page_pad(page, indent);
}

static bool ends_with_space(const struct page_row *line)
{
    return line->count == 0 || line->cells[line->count - 1].glyph == ' ';
}

void page_words(struct page *page, int indent, enum role role, const char *text)
{
    char word[LONGEST_PIECE];
    struct cell cells[LONGEST_PIECE];
    while (*text) {
        size_t spaces = strspn(text, " \t\n");
        text += spaces;
        size_t length = strcspn(text, " \t\n");
        struct page_row *line = current_row(page);
        bool space = spaces > 0 && !ends_with_space(line);
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
        text += length;
        size_t count = cells_from_text(cells, LONGEST_PIECE, page->ascii, role, word);
        size_t room = (size_t)page->width;
        if (line->count + (space ? 1 : 0) + count > room && line->count > (size_t)indent) {
            if (count > 0)
                wrap_line(page, indent);
            space = false;
        }
        if (space)
            page_text(page, role, " ");
        for (size_t done = 0; done < count;) {
            line = current_row(page);
            size_t left = line->count < room ? room - line->count : 1;
            size_t some = count - done < left ? count - done : left;
            add_cells(line, cells + done, some);
            done += some;
            if (done < count)
                wrap_line(page, indent < page->width ? indent : 0);
        }
    }
}

void page_paragraph(struct page *page, int indent, enum role role, const char *text)
{
    page_start(page, 0);
    page_pad(page, indent);
    page_words(page, indent, role, text);
}

void page_lines(struct page *page, enum role role, const char *text)
{
    struct text line = {0};
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        text_clear(&line);
        text_append(&line, text, length);
        page_start(page, 0);
        page_text(page, role, text_get(&line));
    }
    text_free(&line);
}

bool page_locale_is_ascii(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

void cells_print(const struct cell *cells, size_t count, struct text *out)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i].glyph)
            cell_encode(out, cells[i].glyph);
}

void page_print_row(const struct cell *cells, size_t count, struct text *out)
{
    while (count > 0 && cells[count - 1].glyph == ' ')
        count--;
    cells_print(cells, count, out);
    text_puts(out, "\n");
}

void page_print(const struct page *page, struct text *out)
{
    for (size_t i = 0; i < page->count; i++)
        page_print_row(page->lines[i].cells, page->lines[i].count, out);
}
