// opcodes.def against ptxas: data/modifiers.txt has, for an instruction, the words that ptxas takes besides ("!": not
// even the instruction; "?v2": it depends on the operands or on the target). tests/ptx/modifiers.sh asks ptxas again.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/forms.h"
#include "ptx/words.h"
#include "../support/ptx_text.h"

Suite *suite_ptx_forms(void);

enum { MOST_WORDS = 400 };
static const char *asked[MOST_WORDS]; // the file's second line

static unsigned operands_of(const char *text)
{
    unsigned count = *text != ';', depth = 0;
    for (; *text && *text != ';'; text++) {
        depth += *text == '{' || *text == '[';
        depth -= *text == '}' || *text == ']';
        count += *text == ',' && !depth;
    }
    return count;
}

// Whether the reader's table takes "opcode.words operands;", with one word more if there is one.
static bool table_takes(const char *inst_text, size_t opcode_length, const char *more)
{
    struct ptx_inst inst = {.vector = 1};
    struct ptx_words_written written = {.count = 0};
    size_t used;
    inst.op = ptx_words_opcode(inst_text, opcode_length, &used);
    for (const char *at = inst_text + used, *end = inst_text + opcode_length, *next; at < end; at = next) {
        const char *dot = memchr(at + 1, '.', (size_t)(end - at - 1));
        next = dot ? dot : end;
        struct ptx_text word = {at + 1, (size_t)(next - at - 1)};
        struct ptx_word found = ptx_words_find(word.text, word.length);
        if (found.kind != PTX_WORD_TYPE)
            written.items[written.count++] = word;
        else if (inst.type_count == 4)
            return false;
        else
            inst.types[inst.type_count++] = (enum ptx_type)found.value;
    }
    if (more)
        written.items[written.count++] = (struct ptx_text){more, strlen(more)};
    const char *operands = inst_text + opcode_length;
    return inst.op && ptx_form_find(&inst, &written, operands_of(operands + (*operands == ' '))) == PTX_FIT;
}

// Where ptxas takes more than PTX has: without an effect, and no compiler writes it.
static const struct {
    const char *start, *word; // of instructions, NULL: the instruction itself
} lenient[] = {
    {"testp.f", NULL},   {"bar.", "all"},      {"bar.", "any"},     {"fence.", "*"},      {"ldmatrix", "row"},
    {"ldmatrix", "col"}, {"stmatrix", "row"},  {"stmatrix", "col"}, {"movmatrix", "row"}, {"movmatrix", "col"},
    {"movmatrix", "b1"}, {"setmaxnreg", NULL}, {"st.", "async"},    {"st.async", NULL},   {"st.async", "*"},
};

static bool is_lenient(const char *inst, const char *word)
{
    for (size_t i = 0; i < sizeof lenient / sizeof *lenient; i++)
        if (!strncmp(inst, lenient[i].start, strlen(lenient[i].start)) &&
            (!word == !lenient[i].word && (!word || *lenient[i].word == '*' || !strcmp(word, lenient[i].word))))
            return true;
    return false;
}

static bool listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at[-1] == ' ' || at[-1] == '?') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static void check_word(struct text *wrong, const char *inst, size_t opcode, const char *list, const char *word)
{
    char open[64];
    snprintf(open, sizeof open, "?%s", word);
    bool want = listed(list, word), have = table_takes(inst, opcode, word);
    if (want != have && !strstr(list, open) && !(want && is_lenient(inst, word)))
        text_printf(wrong, "\n%.*s: ptxas %s .%s", (int)(list - inst), inst, want ? "takes" : "does not take", word);
}

// One line: "add.s32 %r1, %r2, %r3; sat cc"
static void check_line(struct text *wrong, char *line)
{
    char *end = strchr(line, ';');
    ck_assert_ptr_nonnull(end);
    size_t opcode = strcspn(line, " ;");
    char *list = end + 1;
    bool refused = !strcmp(list, " !");
    if (table_takes(line, opcode, NULL) == refused && !is_lenient(line, NULL))
        text_printf(wrong, "\n%.*s ptxas %s it", (int)(list - line), line, refused ? "refuses" : "takes");
    if (refused)
        return;
    for (size_t i = 0; asked[i]; i++)
        check_word(wrong, line, opcode, list, asked[i]);
}

START_TEST(the_table_takes_what_ptxas_takes)
{
    struct text wrong = {0};
    char *data = ptx_read_file("tests/ptx/data/modifiers.txt");
    char *lines, *rest;
    strtok_r(data, "\n", &lines); // where it is from
    char *list = strtok_r(NULL, "\n", &lines);
    ck_assert(text_starts(list, "# words "));
    size_t count = 0;
    for (char *word = strtok_r(list + 8, " ", &rest); word && count + 1 < MOST_WORDS; word = strtok_r(NULL, " ", &rest))
        asked[count++] = word;
    ck_assert_uint_gt(count, 200);
    for (char *line = strtok_r(NULL, "\n", &lines); line; line = strtok_r(NULL, "\n", &lines))
        check_line(&wrong, line);
    ck_assert_msg(!wrong.length, "%.3000s", text_get(&wrong));
    text_free(&wrong);
    free(data);
}
END_TEST

Suite *suite_ptx_forms(void)
{
    Suite *suite = suite_create("ptx_forms");
    TCase *table = tcase_create("table");
    tcase_add_test(table, the_table_takes_what_ptxas_takes);
    suite_add_tcase(suite, table);
    return suite;
}
