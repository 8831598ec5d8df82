// progress.json: open, add a run, open again: nothing of it may get lost.
#include <string.h>

#include "folder.h"
#include "lesson/progress.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check_again(void)
{
    struct progress *progress;
    struct diagnostic diagnostic = {0};
    if (progress_open(&progress, &diagnostic) != STATUS_OK ||
        progress_get(progress, "04-padding")->state < PROGRESS_TRIED ||
        progress_get(progress, "04-padding")->run_count < 1)
        abort();
    progress_close(progress);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct progress *progress;
    struct diagnostic diagnostic = {0};
    struct progress_run run = {.score = 40, .verdict = "fail", .time = INT64_MAX};
    if (!folder_root[0]) {
        folder_make();
        setenv("XDG_STATE_HOME", folder_root, 1);
    }
    folder_write("bankshot/progress.json", data, size);
    enum status status = progress_open(&progress, &diagnostic);
    if (status == STATUS_PARSE)
        unlink(diagnostic.file);
    else if (status != STATUS_OK && status != STATUS_UNSUPPORTED) // a newer version's stays as it is
        abort();
    if (status == STATUS_OK) {
        if (progress_add_run(progress, "04-padding", &run, &diagnostic) != STATUS_OK)
            abort();
        check_again();
    }
    progress_close(progress);
    return 0;
}
