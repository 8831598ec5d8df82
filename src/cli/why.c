// `why`: questions that people ask, answered by counts.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/process.h"
#include "cli/cli.h"
#include "lesson/markdown.h"
#include "lesson/lesson.h"
#include "lesson/topics.h"

enum { WHY_WIDTH = 80, WHY_WORDS = 32 };

struct why_request {
    bool run, json;
};

static const struct cli_option why_options[] = {
    {'r', "run", NULL, "run its commands, too", CLI_TO_FLAG(struct why_request, run)},
    CLI_OPTION_JSON(struct why_request, json),
    {0},
};

static json_t *topic_json(const struct topics *topics, const struct topic *topic)
{
    json_t *commands = json_array();
    for (size_t i = 0; i < topic->try_count; i++) {
        const struct topic_try *try = &topic->tries[i];
        struct text command = {0};
        json_t *counts = json_object();
        topics_paths(topics, try->command, &command);
        for (size_t k = 0; k < try->count; k++)
            json_object_set_new(counts, try->counts[k].key, json_real(try->counts[k].value));
        json_array_append_new(commands, json_pack("{s:s, s:o}", "command", text_get(&command), "counts", counts));
        text_free(&command);
    }
    return json_pack("{s:s, s:s, s:s, s:o}", "name", topic->name, "question", topic->question, "text", topic->text,
                     "commands", commands);
}

static int list_topics(const struct topics *topics, bool json)
{
    json_t *list = json ? json_array() : NULL;
    for (size_t i = 0; i < topics->count; i++)
        if (json)
            json_array_append_new(list, topic_json(topics, &topics->items[i]));
        else
            cli_print("  %-18s %s\n", topics->items[i].name, topics->items[i].question);
    if (json)
        cli_print_json(list);
    else
        cli_print("\n'bankshot why TOPIC' answers one, and names a command that shows it; --run runs that, too.\n");
    return CLI_PASSED;
}

static void print_topic(const struct topics *topics, const struct topic *topic)
{
    struct text source = {0}, out = {0};
    text_printf(&source, "# %s\n%s", topic->question, topic->text);
    struct text text = {0};
    topics_paths(topics, text_get(&source), &text);
    struct markdown *page = markdown_parse(text_get(&text), text.length);
    markdown_print(page, WHY_WIDTH, page_locale_is_ascii(), &out);
    markdown_free(page);
    text_free(&source);
    text_free(&text);
    cli_print_text(&out);
}

// Words are parted by single blanks; a path among them is put in its place afterwards, so it may hold any character.
static int run_try(const struct topics *topics, const struct topic_try *try)
{
    struct diagnostic diagnostic = {0};
    struct process_result result = {0};
    const char *argv[WHY_WORDS + 1] = {NULL};
    char *line = mem_strdup(try->command), *program = process_own_path();
    size_t count = 0;
    for (char *at = line, *word; (word = strsep(&at, " ")) && count < WHY_WORDS;) {
        struct text text = {0};
        topics_paths(topics, word, &text);
        argv[count] = mem_strdup(count == 0 && program ? program : text_get(&text));
        count++;
        text_free(&text);
    }
    struct process_options options = {
        .argv = argv, .environment = (const char *const *)environ, .limits = {.wall_seconds = 60}};
    int status = process_run(&options, &result, &diagnostic) == STATUS_OK ? CLI_PASSED : cli_diagnostic(&diagnostic);
    cli_print("\n$ %s\n\n", try->command);
    cli_print_escaped(stdout, text_get(&result.out));
    cli_print_escaped(stderr, text_get(&result.err));
    if (status == CLI_PASSED && !process_succeeded(&result))
        status = result.end == PROCESS_EXITED ? result.exit_code : CLI_USAGE;
    process_result_free(&result);
    for (size_t i = 0; i < count; i++)
        free((void *)(uintptr_t)argv[i]);
    free(line);
    free(program);
    return status;
}

// By name; else the one topic whose name or question has the word. NULL after a message that names what may be meant.
static const struct topic *pick_topic(const struct topics *topics, const char *word)
{
    const struct topic *topic = topics_find(topics, word), *having = NULL;
    const char **names = mem_alloc(topics->count * sizeof *names);
    struct text several = {0};
    for (size_t i = 0; i < topics->count; i++) {
        const struct topic *one = &topics->items[i];
        names[i] = one->name;
        if (!strcasestr(one->name, word) && !strcasestr(one->question, word))
            continue;
        text_printf(&several, "%s%s", having ? ", " : "", one->name);
        having = one;
    }
    if (!topic && having && strcmp(text_get(&several), having->name) == 0)
        topic = having;
    else if (!topic && having)
        cli_error("'%s' is in several topics: %s", word, text_get(&several));
    else if (!topic)
        cli_unknown("topic", word, names, topics->count, "bankshot why");
    text_free(&several);
    free(names);
    return topic;
}

// A diagnosis, as the report names it behind "why:": what the lessons that have it say. False: none has.
static bool explain_diagnosis(const char *word)
{
    struct lesson_set set;
    bool found = false;
    if (lesson_set_open(&set, NULL) != STATUS_OK)
        return false;
    for (size_t i = 0; i < set.count; i++)
        for (size_t j = 0; j < set.items[i]->diagnosis_count; j++) {
            const struct lesson_diagnosis *diagnosis = &set.items[i]->diagnoses[j];
            if (strcmp(diagnosis->id, word) != 0)
                continue;
            struct page page;
            struct text out = {0};
            page_init(&page, WHY_WIDTH, page_locale_is_ascii());
            page_line(&page, ROLE_TITLE, "%s, in lesson %s", word, set.items[i]->id);
            page_line(&page, ROLE_TEXT, "  ");
            page_words(&page, 2, ROLE_TEXT, diagnosis->message);
            page_print(&page, &out);
            cli_print_text(&out);
            text_free(&out);
            page_free(&page);
            found = true;
        }
    lesson_set_close(&set);
    return found;
}

static int answer(const struct topics *topics, const struct cli_call *call)
{
    const struct why_request *request = call->request;
    if (call->word_count == 0)
        return list_topics(topics, request->json);
    if (!request->json && !topics_find(topics, call->words[0]) && explain_diagnosis(call->words[0]))
        return CLI_PASSED;
    const struct topic *topic = pick_topic(topics, call->words[0]);
    if (!topic)
        return CLI_USAGE;
    if (request->json) {
        cli_print_json(topic_json(topics, topic));
        return CLI_PASSED;
    }
    print_topic(topics, topic);
    int worst = CLI_PASSED;
    for (size_t i = 0; i < topic->try_count && request->run; i++) {
        int status = run_try(topics, &topic->tries[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

static int run_why(struct cli_call *call)
{
    struct topics topics;
    struct diagnostic diagnostic = {0};
    if (topics_open(&topics, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    int status = answer(&topics, call);
    topics_close(&topics);
    return status;
}

const struct cli_command cli_command_why = {
    .name = "why",
    .arguments = "[TOPIC]",
    .summary = "Answer a question that people ask, with a command that shows it",
    .description = "Without a topic it lists them. The numbers that an answer states below a command\n"
                   "are what the command counts, on any computer, with or without a GPU. A diagnosis\n"
                   "that a report names (why: no-guard) is a topic, too.",
    .options = why_options,
    .request_size = sizeof(struct why_request),
    .most_words = 1,
    .word_rule = "one topic at a time",
    .run = run_why,
};
