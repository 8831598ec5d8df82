// Reading docs/questions/questions.md.
#include "lesson/topics.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "lesson/lesson.h"

enum { MAX_TOPICS_BYTES = 1 << 20 };
static const char folder_name[] = "docs/questions/";

struct topics_reader {
    struct topics *topics;
    const char *path, *at;
    int line;
    size_t topic_room, try_room, count_room;
    struct diagnostic *diagnostic;
};

// The next line without its end; false: there is none.
static bool next_line(struct topics_reader *reader, const char **line, size_t *length)
{
    if (!*reader->at)
        return false;
    *line = reader->at;
    *length = strcspn(reader->at, "\n");
    reader->at += *length + (reader->at[*length] == '\n');
    reader->line++;
    return true;
}

static enum status complain(struct topics_reader *reader, const char *message)
{
    return diagnostic_at(reader->diagnostic, STATUS_PARSE, reader->path, reader->line, 1, "%s", message);
}

static void *grow_in_arena(struct arena *arena, const void *items, size_t size, size_t count, size_t *room)
{
    if (count < *room)
        return NULL;
    *room = *room ? 2 * *room : 4;
    void *larger = arena_alloc(arena, *room * size);
    if (count)
        memcpy(larger, items, count * size);
    return larger;
}

#define ADD(reader, items, count, room)                                                                                \
    do {                                                                                                               \
        void *larger = grow_in_arena((reader)->topics->arena, items, sizeof *(items), count, &(room));                 \
        (items) = larger ? larger : (items);                                                                           \
        memset(&(items)[(count)++], 0, sizeof *(items));                                                               \
    } while (0)

// ---- a `try` block: a command, and what it counts

static enum status read_count(struct topics_reader *reader, struct topic_try *try, const char *line, size_t length)
{
    struct arena *arena = reader->topics->arena;
    char *text = arena_strndup(arena, line, length), *equals = strstr(text, " = "), *end;
    if (!equals)
        return complain(reader, "a count is 'KEY = NUMBER : what it is'");
    *equals = '\0';
    double value = strtod(equals + 3, &end);
    if (end == equals + 3 || strncmp(end, " : ", 3) != 0 || !end[3])
        return complain(reader, "a count is 'KEY = NUMBER : what it is'");
    ADD(reader, try->counts, try->count, reader->count_room);
    try->counts[try->count - 1] = (struct topic_count){.key = text, .meaning = end + 3, .value = value};
    return STATUS_OK;
}

static enum status read_try(struct topics_reader *reader, struct topic *topic)
{
    const char *line;
    size_t length;
    ADD(reader, topic->tries, topic->try_count, reader->try_room);
    struct topic_try *try = &topic->tries[topic->try_count - 1];
    reader->count_room = 0;
    while (next_line(reader, &line, &length)) {
        enum status status = STATUS_OK;
        if (length == 3 && memcmp(line, "```", 3) == 0)
            return try->count ? STATUS_OK : complain(reader, "this command says nothing that it counts");
        if (!try->command && !text_starts(line, "bankshot "))
            return complain(reader, "a 'try' block begins with a line 'bankshot …'");
        if (!try->command)
            try->command = arena_strndup(reader->topics->arena, line, length);
        else
            status = read_count(reader, try, line, length);
        if (status != STATUS_OK)
            return status;
    }
    return complain(reader, "this block is not closed");
}

// ---- topics

static enum status read_heading(struct topics_reader *reader, const char *line, size_t length)
{
    struct topics *topics = reader->topics;
    const char *colon = memchr(line, ':', length);
    if (!colon || colon == line + 3 || colon + 2 >= line + length)
        return complain(reader, "a topic begins with '## name: The question?'");
    char *name = arena_strndup(topics->arena, line + 3, (size_t)(colon - line) - 3);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(name))
        return complain(reader, "a topic's name is small letters, digits and hyphens");
    if (topics_find(topics, name))
        return complain(reader, "this name is taken");
    ADD(reader, topics->items, topics->count, reader->topic_room);
    topics->items[topics->count - 1] = (struct topic){
        .name = name, .question = arena_strndup(topics->arena, colon + 2, (size_t)(line + length - colon) - 2)};
    reader->try_room = 0;
    return STATUS_OK;
}

// What was read since `start` belongs to the topic that ends here, or to the introduction.
static enum status end_topic(struct topics_reader *reader, const char *start, const char *end)
{
    struct topics *topics = reader->topics;
    struct topic *topic = topics->count ? &topics->items[topics->count - 1] : NULL;
    const char *text = arena_strndup(topics->arena, start, (size_t)(end - start));
    if (topic)
        topic->text = text;
    else
        topics->intro = text;
    return topic && !topic->try_count ? complain(reader, "the topic before has no command: a block '```try'")
                                      : STATUS_OK;
}

enum status topics_read(struct topics *topics, const char *path, const char *text, struct diagnostic *diagnostic)
{
    struct topics_reader reader = {.topics = topics, .path = path, .at = text, .diagnostic = diagnostic};
    const char *line, *start = text;
    size_t length;
    enum status status = STATUS_OK;
    *topics = (struct topics){.arena = arena_new(), .intro = ""};
    while (status == STATUS_OK && next_line(&reader, &line, &length)) {
        if (text_starts(line, "## ")) {
            status = end_topic(&reader, start, line);
            if (status == STATUS_OK)
                status = read_heading(&reader, line, length);
            start = reader.at;
        } else if (length == 6 && memcmp(line, "```try", 6) == 0) {
            status = topics->count ? read_try(&reader, &topics->items[topics->count - 1])
                                   : complain(&reader, "this block stands before the first topic");
        }
    }
    if (status == STATUS_OK)
        status = end_topic(&reader, start, reader.at);
    if (status == STATUS_OK && !topics->count)
        status = complain(&reader, "there is no topic in it");
    if (status != STATUS_OK)
        topics_close(topics);
    return status;
}

enum status topics_open(struct topics *topics, struct diagnostic *diagnostic)
{
    bool in_source_tree;
    char path[PATH_MAX], *text, *root = lesson_own_root("docs/questions", &in_source_tree);
    size_t length;
    *topics = (struct topics){0};
    if (!root)
        return diagnostic_set(
            diagnostic, STATUS_ENVIRONMENT,
            "the folder docs/questions/ is neither beside the program nor in its share folder: build or "
            "install it again, or read docs/questions.md.");
    snprintf(path, sizeof path, "%s/docs/questions/questions.md", root);
    enum status status = file_read(path, MAX_TOPICS_BYTES, &text, &length, diagnostic);
    if (status == STATUS_OK) {
        status = topics_read(topics, path, text, diagnostic);
        free(text);
    }
    if (status == STATUS_OK) {
        topics->folder = mem_resize(root, strlen(root) + sizeof folder_name + 1);
        strcat(strcat(topics->folder, "/"), folder_name);
    } else {
        free(root);
    }
    return status;
}

void topics_close(struct topics *topics)
{
    arena_free(topics->arena);
    free(topics->folder);
    *topics = (struct topics){0};
}

const struct topic *topics_find(const struct topics *topics, const char *name)
{
    for (size_t i = 0; i < topics->count; i++)
        if (strcmp(topics->items[i].name, name) == 0)
            return &topics->items[i];
    return NULL;
}

void topics_paths(const struct topics *topics, const char *text, struct text *out)
{
    for (const char *found; (found = strstr(text, folder_name)); text = found + strlen(folder_name)) {
        text_append(out, text, (size_t)(found - text));
        text_puts(out, file_shown(topics->folder));
    }
    text_puts(out, text);
}
