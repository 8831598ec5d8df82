// `bankshot export`: what a course system needs to grade with the lab.
#include "course/export.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"

enum { COMMAND_SECONDS = 300, EXPORT_MAX_BYTES = 512 << 20 };

// Overwritten without asking: only what an export wrote.
static const char signature[] = "Written by `bankshot export";

// ---- the templates, carried as the files are (the Makefile knows the dependency)

#define CARRY(name, source)                                                                                            \
    __asm__(".pushsection .rodata\n"                                                                                   \
            "bankshot_template_" #name ":\n"                                                                           \
            ".incbin \"src/course/templates/" source "\"\n"                                                            \
            ".byte 0\n"                                                                                                \
            ".popsection\n");                                                                                          \
    extern const char bankshot_template_##name[];
#define TEMPLATE(name, system, source, target, mode) CARRY(name, source)
#include "course/templates.def"
#undef TEMPLATE
CARRY(setup, "setup.sh")

static const struct template
{
    enum export_system system;
    const char *text, *target;
    mode_t mode;
}
templates[] = {
#define TEMPLATE(name, system, source, target, mode) {EXPORT_##system, bankshot_template_##name, target, mode},
#include "course/templates.def"
#undef TEMPLATE
};

enum { TEMPLATE_COUNT = sizeof templates / sizeof *templates };

#define SYSTEM(name, folder, what) #name,
const char *const export_names[] = {
#include "course/templates.def"
    NULL};
#undef SYSTEM
#define SYSTEM(name, folder, what) what,
const char *const export_what[] = {
#include "course/templates.def"
};
#undef SYSTEM
#define SYSTEM(name, folder, what) folder,
static const char *const folders[] = {
#include "course/templates.def"
};
#undef SYSTEM

// ---- commands

struct exporter {
    const struct export_request *request;
    struct arena *arena;
    const char *bundle; // a folder with bin, lib and share
    char stage[PATH_MAX];
    const char *files; // below the stage: what is exported
    const char *parts; // below those: the folder of setup.sh and bankshot.tar.gz
    struct text sums;  // a command that finds what was changed since
    struct diagnostic *diagnostic;
};

static enum status run_in(struct exporter *exporter, const char *folder, const char *const *words, struct text *out)
{
    char path[PATH_MAX], how[128];
    const char *argv[16] = {path};
    struct process_result result = {0};
    for (size_t i = 1; words[i]; i++)
        argv[i] = words[i];
    if (!file_find_program(words[0], path, sizeof path))
        return diagnostic_set(exporter->diagnostic, STATUS_ENVIRONMENT,
                              "no %s command here: install it (on Debian: apt install %s)", words[0],
                              strcmp(words[0], "sha256sum") == 0 ? "coreutils" : words[0]);
    struct process_options options = {.argv = argv, .directory = folder, .limits = {.wall_seconds = COMMAND_SECONDS}};
    enum status status = process_run(&options, &result, exporter->diagnostic);
    if (status == STATUS_OK && !process_succeeded(&result)) {
        struct text said = {0};
        text_escape(&said, text_get(&result.err), result.err.length, false);
        status = diagnostic_set(exporter->diagnostic, STATUS_ENVIRONMENT, "%s %s: %.400s", words[0],
                                process_describe(&result, how, sizeof how), text_get(&said));
        text_free(&said);
    }
    if (status == STATUS_OK && out)
        text_append(out, text_get(&result.out), result.out.length);
    process_result_free(&result);
    return status;
}

#define RUN(exporter, folder, ...) run_in(exporter, folder, (const char *const[]){__VA_ARGS__, NULL}, NULL)

// ---- the bundle

static bool is_bundle(struct exporter *exporter, const char *folder)
{
    return file_exists(arena_printf(exporter->arena, "%s/bin/bankshot", folder)) &&
           file_is_folder(arena_printf(exporter->arena, "%s/lib", folder)) &&
           file_is_folder(arena_printf(exporter->arena, "%s/share/bankshot/lessons", folder));
}

// Whoever builds anew and forgets `make bundle` would hand out the old lab with the new lessons.
static bool is_older(struct exporter *exporter, const char *folder, const char *program)
{
    struct stat bundled, own;
    return stat(arena_printf(exporter->arena, "%s/bin/bankshot", folder), &bundled) == 0 && program &&
           stat(program, &own) == 0 && bundled.st_mtime < own.st_mtime;
}

static enum status find_bundle(struct exporter *exporter)
{
    const struct export_request *request = exporter->request;
    struct utsname machine;
    uname(&machine);
    char *own = process_own_path();
    const char *slash = own ? strrchr(own, '/') : NULL;
    const char *beside = slash ? arena_printf(exporter->arena, "%.*s/..", (int)(slash - own), own) : "";
    const char *made = arena_printf(exporter->arena, "%s/dist/bankshot-" BANKSHOT_VERSION "-%s", request->lessons->root,
                                    machine.machine);
    enum status status = STATUS_OK;
    if (request->bundle && !is_bundle(exporter, request->bundle))
        status = diagnostic_at(exporter->diagnostic, STATUS_USAGE, request->bundle, 0, 0,
                               "this is not a folder that 'make bundle' wrote.");
    else if (request->bundle)
        exporter->bundle = request->bundle;
    else if (is_bundle(exporter, beside))
        exporter->bundle = beside;
    else if (!is_bundle(exporter, made))
        status = diagnostic_set(exporter->diagnostic, STATUS_ENVIRONMENT,
                                "an export carries a bundle, and this program is none: run 'make bundle' in the "
                                "source tree, or name its folder: --bundle dist/bankshot-" BANKSHOT_VERSION "-%s",
                                machine.machine);
    else if (is_older(exporter, made, own))
        status = diagnostic_at(exporter->diagnostic, STATUS_ENVIRONMENT, made, 0, 0,
                               "this bundle is older than this program: run 'make bundle' again.");
    else
        exporter->bundle = made;
    free(own);
    return status;
}

// bankshot.tar.gz: the bundle without its pages, and with the lessons that this program knows.
static enum status pack_bundle(struct exporter *exporter)
{
    const char *copy = arena_printf(exporter->arena, "%s/bundle", exporter->stage);
    const char *share = arena_printf(exporter->arena, "%s/share/bankshot", copy);
    const char *lessons = arena_printf(exporter->arena, "%s/lessons", exporter->request->lessons->root);
    const char *solutions = arena_printf(exporter->arena, "%s/solutions", exporter->request->lessons->root);
    enum status status = RUN(exporter, NULL, "cp", "-a", exporter->bundle, copy);
    if (status == STATUS_OK)
        status = RUN(exporter, share, "rm", "-rf", "lessons", "solutions", "exercises", "../doc", "../man");
    if (status == STATUS_OK)
        status = RUN(exporter, NULL, "cp", "-RL", lessons, solutions, share);
    if (status == STATUS_OK) // the same bytes from the same bundle
        status = RUN(exporter, copy, "tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0",
                     "--mode=go-w", "-czf", arena_printf(exporter->arena, "%s/bankshot.tar.gz", exporter->parts), "bin",
                     "lib", "share");
    return status;
}

// ---- the files

static void fill(const struct exporter *exporter, const char *text, struct text *out)
{
    const struct {
        const char *name, *value;
    } holes[] = {{"@ARGUMENTS@", exporter->request->arguments}, {"@SUMS@", text_get(&exporter->sums)}};
    while (*text) {
        size_t i = 0;
        while (i < 2 && !text_starts(text, holes[i].name))
            i++;
        text_append(out, i < 2 ? holes[i].value : text, i < 2 ? strlen(holes[i].value) : 1);
        text += i < 2 ? strlen(holes[i].name) : 1;
    }
}

static enum status put_template(struct exporter *exporter, const char *path, const char *template, mode_t mode)
{
    struct text text = {0};
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    fill(exporter, template, &text);
    enum status status = file_make_folders(folder, false, exporter->diagnostic);
    if (status == STATUS_OK)
        status = file_put(path, text_get(&text), text.length, exporter->diagnostic);
    if (status == STATUS_OK && chmod(path, mode) != 0)
        status =
            diagnostic_at(exporter->diagnostic, STATUS_IO, path, 0, 0, "cannot set its mode: %s.", strerror(errno));
    text_free(&text);
    return status;
}

// "echo HASH FILE HASH FILE | xargs -n 2 | sha256sum -c": a line without quotes, for any format that it is put into.
static enum status sum_parts(struct exporter *exporter)
{
    struct text sums = {0};
    const char *const folder = folders[exporter->request->system];
    enum status status = run_in(exporter, exporter->parts,
                                (const char *const[]){"sha256sum", "bankshot.tar.gz", "setup.sh", NULL}, &sums);
    char *rest = sums.data;
    text_puts(&exporter->sums, "echo");
    for (char *word; status == STATUS_OK && (word = strtok_r(rest, " \n", &rest));)
        text_printf(&exporter->sums, " %s%s", strchr(word, '.') ? folder : "", word);
    text_puts(&exporter->sums, " | xargs -n 2 | sha256sum -c");
    text_free(&sums);
    return status;
}

static enum status stage_files(struct exporter *exporter)
{
    enum status status = file_make_folders(exporter->parts, false, exporter->diagnostic);
    if (status == STATUS_OK)
        status = pack_bundle(exporter);
    if (status == STATUS_OK)
        status = put_template(exporter, arena_printf(exporter->arena, "%s/setup.sh", exporter->parts),
                              bankshot_template_setup, 0755);
    if (status == STATUS_OK)
        status = sum_parts(exporter);
    for (size_t i = 0; i < TEMPLATE_COUNT && status == STATUS_OK; i++)
        if (templates[i].system == exporter->request->system)
            status =
                put_template(exporter, arena_printf(exporter->arena, "%s/%s", exporter->files, templates[i].target),
                             templates[i].text, templates[i].mode);
    return status;
}

// ---- where they go

static enum status bring(struct exporter *exporter, const char *from, const char *to, mode_t mode)
{
    char *data;
    size_t length;
    enum status status = file_read(from, EXPORT_MAX_BYTES, &data, &length, exporter->diagnostic);
    if (status != STATUS_OK)
        return status;
    status = file_write(to, data, length, exporter->diagnostic);
    free(data);
    if (status == STATUS_OK && mode)
        chmod(to, mode);
    return status;
}

// A pipeline that somebody wrote stays.
static enum status refuse_others(struct exporter *exporter, const char *path)
{
    char *text;
    size_t length;
    if (!file_exists(path))
        return STATUS_OK;
    enum status status = file_read(path, EXPORT_MAX_BYTES, &text, &length, exporter->diagnostic);
    if (status == STATUS_OK && !strstr(text, signature))
        status = diagnostic_at(exporter->diagnostic, STATUS_USAGE, path, 0, 0,
                               "this is there, and no export wrote it: move it away, or export to another folder.");
    if (text)
        free(text);
    return status;
}

static enum status bring_part(struct exporter *exporter, const char *target, mode_t mode)
{
    const char *to = arena_printf(exporter->arena, "%s/%s", exporter->request->out, target);
    const char *from = arena_printf(exporter->arena, "%s/%s", exporter->files, target);
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(to, '/') - to), to);
    enum status status = file_make_folders(folder, false, exporter->diagnostic);
    return status == STATUS_OK ? bring(exporter, from, to, mode) : status;
}

static enum status bring_folder(struct exporter *exporter)
{
    const struct export_request *request = exporter->request;
    const char *parts = folders[request->system];
    enum status status = STATUS_OK;
    for (int pass = 0; pass < 2; pass++) // looks at all before it writes one
        for (size_t i = 0; i < TEMPLATE_COUNT && status == STATUS_OK; i++) {
            if (templates[i].system != request->system)
                continue;
            status = pass ? bring_part(exporter, templates[i].target, templates[i].mode)
                          : refuse_others(exporter,
                                          arena_printf(exporter->arena, "%s/%s", request->out, templates[i].target));
        }
    if (status == STATUS_OK)
        status = bring_part(exporter, arena_printf(exporter->arena, "%sbankshot.tar.gz", parts), 0644);
    return status == STATUS_OK ? bring_part(exporter, arena_printf(exporter->arena, "%ssetup.sh", parts), 0755)
                               : status;
}

static enum status bring_zip(struct exporter *exporter)
{
    const char *zip = arena_printf(exporter->arena, "%s/autograder.zip", exporter->stage);
    enum status status = RUN(exporter, exporter->files, "zip", "-q", "-X", "-r", zip, ".");
    return status == STATUS_OK ? bring(exporter, zip, exporter->request->out, 0) : status;
}

enum status export_write(const struct export_request *request, struct diagnostic *diagnostic)
{
    struct exporter exporter = {.request = request, .arena = arena_new(), .diagnostic = diagnostic};
    const char *temporary = getenv("TMPDIR");
    snprintf(exporter.stage, sizeof exporter.stage, "%.3000s/bankshot-export-",
             temporary && *temporary ? temporary : "/tmp");
    file_remove_unlocked(exporter.stage);
    strcat(exporter.stage, "XXXXXX");
    enum status status = find_bundle(&exporter);
    if (status == STATUS_OK && !file_make_own(exporter.stage))
        status = diagnostic_set(diagnostic, STATUS_IO, "cannot make a temporary folder: %s", strerror(errno));
    else if (status == STATUS_OK) {
        exporter.files = arena_printf(exporter.arena, "%s/files", exporter.stage);
        exporter.parts = arena_printf(exporter.arena, "%s/%s", exporter.files, folders[request->system]);
        status = stage_files(&exporter);
        if (status == STATUS_OK)
            status = request->system == EXPORT_gradescope ? bring_zip(&exporter) : bring_folder(&exporter);
        file_remove_own(exporter.stage);
    }
    text_free(&exporter.sums);
    arena_free(exporter.arena);
    return status;
}
