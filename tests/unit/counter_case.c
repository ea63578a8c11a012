#include "counter_case.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t monotonic(void *user) {
    return ((struct counter_case *)user)->monotonic_ns;
}

static uint64_t boot(void *user) {
    return ((struct counter_case *)user)->boot_ns;
}

static void sleep_ns(void *user, uint64_t duration) {
    case_pass(user, (double)duration * 1e-9, 0);
}

static ssize_t read_value(void *user, const char *path, int fd, char *out, size_t size) {
    (void)path;
    if (((struct counter_case *)user)->read_error)
        return -((struct counter_case *)user)->read_error;
    ssize_t got = pread(fd, out, size, 0);
    return got < 0 ? -errno : got;
}

void case_init(struct counter_case *c) {
    *c = (struct counter_case){.monotonic_ns = 1000000000, .boot_ns = 5000000000};
    strcpy(c->root, "/tmp/neuromc-counter-XXXXXX");
    assert_non_null(mkdtemp(c->root));
    c->clock = (struct nmc_clock){monotonic, boot, sleep_ns, c};
    c->reader = (struct nmc_value_reader){read_value, c};
    c->options.asked.sysfs_root = c->root;
    c->options.clock = &c->clock;
    c->options.reader = &c->reader;
    c->diags = neuromc_diags_new();
    assert_non_null(c->diags);
}

void case_remove(struct counter_case *c, const char *path) {
    char command[1024];
    snprintf(command, sizeof command, "rm -rf '%s/%s'", c->root, path);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a path of our own */
}

void case_free(struct counter_case *c) {
    nmc_counter_close(c->counter);
    neuromc_diags_free(c->diags);
    case_remove(c, "");
}

static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
}

void case_write(struct counter_case *c, const char *path, const char *format, ...) {
    char whole[1024], text[1024];
    snprintf(whole, sizeof whole, "%s/%s", c->root, path);
    make_folders(whole);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, (size_t)length), length);
    close(fd);
}

void case_link(struct counter_case *c, const char *path, const char *target) {
    char whole[1024];
    snprintf(whole, sizeof whole, "%s/%s", c->root, path);
    make_folders(whole);
    unlink(whole);
    assert_int_equal(symlink(target, whole), 0);
}

void case_zone(struct counter_case *c, const char *id, const char *name, uint64_t energy_uj,
               const char *range) {
    char path[512];
    snprintf(path, sizeof path, "class/powercap/%s/name", id);
    case_write(c, path, "%s\n", name);
    snprintf(path, sizeof path, "class/powercap/%s/energy_uj", id);
    case_write(c, path, "%llu\n", (unsigned long long)energy_uj);
    snprintf(path, sizeof path, "class/powercap/%s/max_energy_range_uj", id);
    if (range)
        case_write(c, path, "%s\n", range);
}

static struct case_file *file_of(struct counter_case *c, const char *path) {
    for (int i = 0; i < c->file_count; i++)
        if (strcmp(c->files[i].path, path) == 0)
            return &c->files[i];
    assert_true(c->file_count < CASE_FILES);
    struct case_file *file = &c->files[c->file_count++];
    snprintf(file->path, sizeof file->path, "%s", path);
    return file;
}

void case_power(struct counter_case *c, const char *path, double watts) {
    char whole[1024];
    struct case_file *file = file_of(c, path);
    snprintf(whole, sizeof whole, "%s/%s", c->root, path);
    FILE *f = fopen(whole, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lf", &file->microjoules), 1); /* NOLINT(cert-err34-c) */
    fclose(f);
    file->watts = watts;
}

void case_pass(struct counter_case *c, double awake_s, double asleep_s) {
    c->monotonic_ns += (uint64_t)llround(awake_s * 1e9);
    c->boot_ns += (uint64_t)llround((awake_s + asleep_s) * 1e9);
    for (int i = 0; i < c->file_count; i++) {
        struct case_file *file = &c->files[i];
        file->microjoules += file->watts * awake_s * 1e6;
        if (file->watts > 0)
            case_write(c, file->path, "%.0f\n", file->microjoules);
    }
}

void case_open(struct counter_case *c, const char *name) {
    neuromc_status status = nmc_counter_open(name, &c->options, &c->counter, c->diags);
    if (status != NEUROMC_OK)
        print_error("%s\n", neuromc_diags_at(c->diags, 0)->message);
    assert_int_equal(status, NEUROMC_OK);
    for (int i = 0; i < c->file_count; i++)
        c->files[i].watts = 0;
    case_read(c);
}

void case_lacks(struct counter_case *c, const char *name, enum nmc_absence absence,
                const char *reason) {
    neuromc_diags_clear(c->diags);
    assert_int_equal(nmc_counter_open(name, &c->options, &c->counter, c->diags), NEUROMC_IO);
    assert_null(c->counter);
    const char *message = neuromc_diags_at(c->diags, 0)->message;
    if (!strstr(message, reason) || !strstr(message, nmc_absence_text(absence)))
        fail_msg("want %s: ...%s..., got %s", nmc_absence_text(absence), reason, message);
}

void case_read(struct counter_case *c) {
    assert_int_equal(nmc_counter_read(c->counter, &c->reading, c->diags), NEUROMC_OK);
}

void case_step(struct counter_case *c, double joules, unsigned quality) {
    double before = c->reading.energy_j;
    case_read(c);
    if (fabs(c->reading.step_j - joules) > 1e-12 * fabs(joules))
        fail_msg("step: want %.17g J, got %.17g J", joules, c->reading.step_j);
    assert_true(fabs(c->reading.energy_j - before - joules) <= 1e-9 * (1 + c->reading.energy_j));
    assert_int_equal(c->reading.quality, quality);
}

const struct nmc_counter_part *case_part(const struct counter_case *c, const char *name,
                                         const char *place) {
    for (size_t i = 0; i < nmc_counter_part_count(c->counter); i++) {
        const struct nmc_counter_part *part = nmc_counter_part(c->counter, i);
        if (strcmp(part->name, name) == 0 && strstr(part->place, place))
            return part;
    }
    fail_msg("no part %s at %s", name, place);
    return NULL;
}

void case_role(const struct counter_case *c, const char *name, const char *place,
               enum nmc_role role) {
    assert_string_equal(nmc_role_word(case_part(c, name, place)->role), nmc_role_word(role));
}
