// lesson.cfg: load, look at every expression with every size.
#include "folder.h"
#include "lesson/lesson.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void look_at(const struct lesson *lesson)
{
    int points = 0;
    for (size_t i = 0; i < lesson->part_count; i++) {
        const struct lesson_part *part = &lesson->parts[i];
        for (size_t j = 0; j < part->size_count; j++)
            for (size_t k = 0; k < part->arg_count; k++)
                for (size_t l = 0; l < part->args[k].shape_count; l++)
                    if (!(lesson_value(&part->sizes[j], false, part->args[k].shape[l]) >= 1))
                        abort();
        if (part->speed_size >= part->size_count)
            abort();
    }
    for (size_t i = 0; i < lesson->gate_count; i++)
        points += (int)lesson->gates[i].points;
    if (points > 100)
        abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static char path[128];
    struct lesson *lesson = NULL;
    struct diagnostic diagnostic = {0};
    if (!path[0]) {
        folder_make();
        folder_write("lessons/04-padding/lesson.md", "# Padding\n", 10);
        folder_write("lessons/04-padding/starter.cu", "\n", 1);
        folder_write("solutions/04-padding.cu", "\n", 1);
        snprintf(path, sizeof path, "%s/lessons/04-padding", folder_root);
    }
    folder_write("lessons/04-padding/lesson.cfg", data, size);
    if (lesson_load(path, NULL, &lesson, &diagnostic) == STATUS_OK)
        look_at(lesson);
    else if (!diagnostic.message[0])
        abort();
    lesson_free(lesson);
    return 0;
}
