// The learner's source as a page: tokens in their colours, marks beside the numbers.
#include "ui/source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TAB_COLUMNS = 4, LONGEST_LINE = 2000 };

static const char keywords[] =
    "alignas auto bool break case char const constexpr continue do double else enum extern false float float2 "
    "float4 for if inline int int2 int4 long return short signed sizeof static struct switch template true "
    "typename unsigned using void while size_t uint32_t __device__ __global__ __restrict__ __shared__ "
    "__syncthreads __forceinline__ uint8_t uint64_t int32_t uint4 half __half __launch_bounds__";

static const struct {
    const char *glyph;
    enum role role;
} mark_looks[] = {{" ", ROLE_TEXT}, {"●", ROLE_GOOD}, {"◆", ROLE_HEAT5}, {"▲", ROLE_WARN}, {"✗", ROLE_BAD}};

// Letters, digits and one sign more: '_' in words, '.' in numbers.
static size_t span_of(const char *at, char sign)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == sign)
        length++;
    return length;
}

// Most words are told by their first letter and their length.
static bool is_keyword(const char *word, size_t length)
{
    enum { LONGEST = 31, LETTERS = 128 };
    static uint32_t lengths[LETTERS]; // of the keywords that begin with it: a bit for each
    static bool is_filled;
    for (const char *at = keywords; !is_filled && *at; at += strspn(at, " ")) {
        size_t here = strcspn(at, " ");
        lengths[*at % LETTERS] |= UINT32_C(1) << here;
        at += here;
    }
    is_filled = true;
    return length <= LONGEST && lengths[*word % LETTERS] >> length & 1 && text_lists(keywords, word, length);
}

static size_t string_length(const char *at)
{
    size_t length = 1;
    while (at[length] && at[length] != *at)
        length += at[length] == '\\' && at[length + 1] ? 2 : 1;
    return length + (at[length] != '\0');
}

// The token at `at`: its length, and its role. *comment: inside a block comment before, and after.
static size_t next_token(const char *at, bool line_start, bool *comment, enum role *role)
{
    if (*comment || text_starts(at, "/*")) {
        const char *end = strstr(*comment ? at : at + 2, "*/");
        *comment = end == NULL;
        *role = ROLE_COMMENT;
        return end ? (size_t)(end + 2 - at) : strlen(at);
    }
    *role = ROLE_TEXT;
    if (text_starts(at, "//")) {
        *role = ROLE_COMMENT;
        return strlen(at);
    }
    if (line_start && *at == '#') {
        *role = ROLE_PREPROC;
        return 1 + span_of(at + 1, '_');
    }
    if (isdigit((unsigned char)*at)) {
        *role = ROLE_NUMBER;
        return span_of(at, '.');
    }
    if (*at == '"' || *at == '\'') {
        *role = ROLE_STRING;
        return string_length(at);
    }
    size_t length = span_of(at, '_');
    if (length > 0) {
        *role = is_keyword(at, length) ? ROLE_KEYWORD : ROLE_TEXT;
        return length;
    }
    return 1;
}

// Tokens of one role that follow one another are put on the page together: most are a character or two.
struct run {
    const char *from;
    size_t length;
    enum role role;
};
enum { RUN_MOST = 200 };

static void end_run(struct page *page, struct run *run)
{
    if (run->length > 0)
        page_add(page, run->role, "%.*s", (int)run->length, run->from);
    run->length = 0;
}

static void add_source_code(struct page *page, const char *line, bool *comment)
{
    struct run run = {.length = 0};
    bool start = true;
    int base = page_column(page);
    while (*line) {
        if (*line == '\t') {
            end_run(page, &run);
            int column = page_column(page) - base;
            page_pad(page, base + (column / TAB_COLUMNS + 1) * TAB_COLUMNS);
            line++;
            continue;
        }
        enum role role;
        size_t length = next_token(line, start, comment, &role);
        const char *tab = memchr(line, '\t', length);
        if (tab && tab > line)
            length = (size_t)(tab - line);
        // a character of several bytes stays whole
        while ((line[length] & 0xc0) == 0x80)
            length++;
        start = start && *line == ' ';
        if (run.length > 0 && (role != run.role || run.length + length > RUN_MOST))
            end_run(page, &run);
        if (run.length == 0)
            run = (struct run){.from = line, .role = role};
        run.length += length;
        line += length;
    }
    end_run(page, &run);
}

static enum mark worst_mark(const struct source_notes *notes, int line)
{
    enum mark worst = MARK_NONE;
    for (size_t i = 0; i < notes->count; i++)
        if (notes->items[i].line == line && notes->items[i].mark > worst)
            worst = notes->items[i].mark;
    return worst;
}

void source_page(struct page *page, const char *text, const struct source_notes *notes)
{
    bool comment = false;
    struct text line = {0};
    page->wrap = (struct page_wrap){.sign = NUMBER_COLUMNS - 1, .text = NUMBER_COLUMNS + 3};
    for (int number = 1; *text; number++) {
        size_t length = strcspn(text, "\n");
        text_clear(&line);
        text_escape(&line, text, length < LONGEST_LINE ? length : LONGEST_LINE, true);
        enum mark mark = worst_mark(notes, number);
        page_start(page, number);
        page_add(page, ROLE_LINENO, "%4d ", number);
        page_add(page, mark_looks[mark].role, "%s ", mark_looks[mark].glyph);
        add_source_code(page, text_get(&line), &comment);
        if (length > LONGEST_LINE)
            page_add(page, ROLE_DIM, "…");
        text += length + (text[length] == '\n');
    }
    text_free(&line);
}

const char *source_line(const char *text, int line, char *out, size_t size)
{
    for (int number = 1; text && *text && number < line; number++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    snprintf(out, size, "%s", "");
    if (!text || line < 1)
        return out;
    text += strspn(text, " \t");
    struct text escaped = {0};
    size_t length = strcspn(text, "\n");
    text_escape(&escaped, text, length < 1000 ? length : 1000, false);
    snprintf(out, size, "%s", text_get(&escaped));
    text_free(&escaped);
    return out;
}
