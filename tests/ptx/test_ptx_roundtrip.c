// Whatever compilers wrote must be in the module: each instruction is printed from it and compared with its line.
#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "../support/ptx_text.h"

Suite *suite_ptx_roundtrip(void);

// ---- from the module

static void print_operand(struct text *out, const struct ptx_function *function, const struct ptx_operand *operand);

static void print_list(struct text *out, const struct ptx_function *function, const struct ptx_operand *vector)
{
    for (uint32_t i = 0; i < vector->value.vector.count; i++) {
        text_puts(out, i ? "," : "");
        print_operand(out, function, &function->operands[vector->value.vector.first + i]);
    }
}

static void print_named(struct text *out, const struct ptx_function *function, const struct ptx_operand *operand,
                        enum ptx_operand_kind kind)
{
    static const char *const elements[] = {"", ".x", ".y", ".z", ".w"};
    if (kind == PTX_OPERAND_REGISTER)
        text_printf(out, "%s%s%s", operand->negated ? "!" : "", function->registers[operand->value.reg].name,
                    elements[operand->element]);
    else if (kind == PTX_OPERAND_VARIABLE)
        text_puts(out, operand->value.variable->name);
    else if (kind == PTX_OPERAND_SPECIAL && operand->value.special == PTX_SPECIAL_ENVREG)
        text_printf(out, "%%envreg%u", operand->element);
    else if (kind == PTX_OPERAND_SPECIAL)
        text_printf(out, "%s%s", ptx_special_name(operand->value.special), elements[operand->element]);
    if (operand->offset)
        text_printf(out, "+%lld", (long long)operand->offset);
}

static void print_operand(struct text *out, const struct ptx_function *function, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_NONE:
        text_puts(out, "_");
        break;
    case PTX_OPERAND_INTEGER:
        text_printf(out, "%lld", (long long)operand->value.bits);
        break;
    case PTX_OPERAND_FLOAT:
        text_printf(out, operand->is_single ? "0f%08llx" : "0d%016llx", (unsigned long long)operand->value.bits);
        break;
    case PTX_OPERAND_FUNCTION:
        text_puts(out, operand->value.function->name);
        break;
    case PTX_OPERAND_LABEL:
        text_puts(out, "LABEL");
        break;
    case PTX_OPERAND_TABLE:
        text_puts(out, operand->value.table->name);
        break;
    case PTX_OPERAND_ADDRESS:
        text_puts(out, "[");
        print_named(out, function, operand, operand->base_kind);
        text_puts(out, "]");
        break;
    case PTX_OPERAND_VECTOR:
        text_puts(out, "{");
        print_list(out, function, operand);
        text_puts(out, "}");
        break;
    default:
        print_named(out, function, operand, operand->kind);
    }
    if (operand->pair_reg >= 0)
        text_printf(out, "|%s", function->registers[operand->pair_reg].name);
}

static void print_call(struct text *out, const struct ptx_function *function, const struct ptx_operand *parts)
{
    if (parts[0].kind == PTX_OPERAND_VECTOR) {
        text_puts(out, "(");
        print_list(out, function, &parts[0]);
        text_puts(out, "),");
    }
    print_operand(out, function, &parts[1]);
    if (parts[2].kind == PTX_OPERAND_VECTOR) {
        text_puts(out, ",(");
        print_list(out, function, &parts[2]);
        text_puts(out, ")");
    }
    if (parts[3].kind != PTX_OPERAND_NONE) {
        text_puts(out, ",");
        print_operand(out, function, &parts[3]);
    }
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Opcode and words in alphabetical order: their places among each other are not kept.
static void print_opcode(struct text *out, const struct ptx_inst *inst)
{
    static const char *const spaces[] = {"generic", "global", "shared", "local", "param", "const", "shared::cluster"};
    static const char *const vectors[] = {[2] = "v2", [4] = "v4", [8] = "v8"};
    const char *words[40];
    char opcode[64];
    size_t count = 0;
    snprintf(opcode, sizeof opcode, "%s", ptx_opcode_name(inst->op));
    for (char *word = strtok(opcode, "."); word; word = strtok(NULL, "."))
        words[count++] = word;
    for (unsigned i = 0; i < inst->modifier_count; i++)
        words[count++] = ptx_modifier_name(inst->modifiers[i]);
    for (unsigned i = 0; i < inst->type_count; i++)
        words[count++] = ptx_type_name(inst->types[i]);
    if (inst->has_space)
        words[count++] = spaces[inst->space];
    if (inst->space2)
        words[count++] = spaces[inst->space2];
    if (inst->vector > 1)
        words[count++] = vectors[inst->vector];
    qsort(words, count, sizeof *words, compare_words);
    for (size_t i = 0; i < count; i++)
        text_printf(out, ".%s", words[i]);
}

static void print_inst(struct text *out, const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_operand *operands = &function->operands[inst->operands];
    if (inst->guard >= 0)
        text_printf(out, "@%s%s ", inst->guard_negated ? "!" : "", function->registers[inst->guard].name);
    print_opcode(out, inst);
    text_puts(out, " ");
    if (inst->op == PTX_OP_CALL) {
        print_call(out, function, operands);
        return;
    }
    bool has_box = strstr(ptx_opcode_name(inst->op), "tensor") != NULL; // [map, {x, y}] is read as two operands
    for (unsigned i = 0; i < inst->operand_count; i++) {
        bool in_brackets = has_box && i && operands[i].kind == PTX_OPERAND_VECTOR && out->data[out->length - 1] == ']';
        if (in_brackets)
            out->data[--out->length] = '\0';
        text_puts(out, i ? "," : "");
        print_operand(out, function, &operands[i]);
        text_puts(out, in_brackets ? "]" : "");
    }
}

// ---- from the text

static bool is_name_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

// Operands without white space, numbers in decimal, "+0" left out.
static void normalise_operands(struct text *out, const char *at)
{
    char last = 0;
    while (*at) {
        char *end;
        bool is_number =
            (isdigit((unsigned char)*at) || (*at == '-' && isdigit((unsigned char)at[1]))) && !is_name_part(last);
        if (isspace((unsigned char)*at)) {
            at++;
            continue;
        }
        if (is_number && at[0] == '0' && strchr("fd", at[1]) && at[1]) {
            while (is_name_part(*at))
                text_printf(out, "%c", tolower((unsigned char)*at++));
            continue;
        }
        if (is_number) {
            long long value = *at == '-' ? strtoll(at, &end, 0) : (long long)strtoull(at, &end, 0);
            if (value == 0 && last == '+' && out->length)
                out->data[--out->length] = '\0';
            else
                text_printf(out, "%lld", value);
            at = end + (*end == 'U');
            last = '0';
            continue;
        }
        last = *at;
        text_append(out, at++, 1);
    }
}

static void normalise(struct text *out, char *line)
{
    const char *words[40];
    size_t count = 0;
    bool is_branch;
    if (*line == '@') {
        size_t guard = strcspn(line, " \t");
        text_append(out, line, guard);
        text_puts(out, " ");
        line += guard + strspn(line + guard, " \t");
    }
    char *operands = line + strcspn(line, " \t\n");
    if (*operands)
        *operands++ = '\0';
    for (char *word = strtok(line, "."); word; word = strtok(NULL, "."))
        words[count++] = !strcmp(word, "shared::cta") ? "shared" : word;
    is_branch = count && !strcmp(words[0], "bra");
    qsort(words, count, sizeof *words, compare_words);
    for (size_t i = 0; i < count; i++)
        text_printf(out, ".%s", words[i]);
    text_puts(out, " ");
    if (is_branch)
        text_puts(out, "LABEL");
    else
        normalise_operands(out, operands);
}

// Where a line of the text begins; lines are mostly asked for in order.
struct cursor {
    const char *text, *at;
    uint32_t line;
};

static const char *seek_line(struct cursor *cursor, uint32_t line)
{
    if (line < cursor->line)
        *cursor = (struct cursor){cursor->text, cursor->text, 1};
    for (; cursor->line < line; cursor->line++)
        cursor->at = strchr(cursor->at, '\n') + 1;
    return cursor->at;
}

// The statement that starts on a line, up to ';'; NULL if more than one starts there.
static char *statement(struct cursor *cursor, uint32_t line)
{
    const char *text = seek_line(cursor, line);
    text += strspn(text, " \t");
    size_t length = strcspn(text, ";"), rest = strcspn(text + length + 1, "\n");
    bool is_alone = (isalpha((unsigned char)*text) || *text == '@') && strspn(text + length + 1, " \t\r") == rest;
    const char *colon = memchr(text, ':', length);
    return is_alone && (!colon || colon[1] == ':') ? mem_strndup(text, length) : NULL;
}

START_TEST(every_instruction_is_kept_whole)
{
    const char *path = ptx_data_files[_i];
    char *text = ptx_read_file(path);
    struct ptx_module *module = ptx_parse_good(path, text);
    struct cursor cursor = {text, text, 1};
    unsigned compared = 0, all = 0;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = module->functions[f];
        for (uint32_t i = 0; i < function->inst_count; i++) {
            char *line = statement(&cursor, function->insts[i].text_line);
            all++;
            if (!line || ptx_opcode_group(function->insts[i].op) == PTX_GROUP_GPU_ONLY) { // of these, not all is kept
                free(line);
                continue;
            }
            struct text printed = {0}, wanted = {0};
            print_inst(&printed, function, &function->insts[i]);
            normalise(&wanted, line);
            ck_assert_msg(!strcmp(text_get(&printed), text_get(&wanted)), "%s:%u: '%s' became '%s'", path,
                          function->insts[i].text_line, text_get(&wanted), text_get(&printed));
            compared++;
            text_free(&printed);
            text_free(&wanted);
            free(line);
        }
    }
    ck_assert_msg(compared > 0 && compared >= all * 9 / 10, "only %u of %u instructions compared", compared, all);
    ptx_module_free(module);
    free(text);
}
END_TEST

Suite *suite_ptx_roundtrip(void)
{
    Suite *suite = suite_create("ptx_roundtrip");
    TCase *files = tcase_create("files");
    int count = 0;
    while (ptx_data_files[count])
        count++;
    tcase_add_loop_test(files, every_instruction_is_kept_whole, 0, count);
    tcase_set_timeout(files, 30);
    suite_add_tcase(suite, files);
    return suite;
}
