#include "sweep/grid.h"

#include "base/limits.h"

/* Rows that fit the cache, unless one group alone is longer; segments and chunks that keep many
 * threads and shards evenly busy, and whose output fits memory. */
enum { LONGEST_ROW = 1 << 16, LONGEST_SEGMENT = 4096, CHUNKS = 8192, LARGEST_CHUNK = 1 << 16 };

static void find_row(struct nmc_grid *grid, const struct nmc_plan *plan) {
    grid->inner_from = plan->group_count;
    grid->row = 1;
    while (grid->inner_from > plan->cell_groups) {
        int64_t count = plan->groups[grid->inner_from - 1].count;
        if (grid->row > 1 && grid->row * count > LONGEST_ROW)
            break;
        grid->row *= count;
        grid->inner_from--;
    }
}

static int64_t within(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

static void cut(struct nmc_grid *grid, const struct nmc_plan *plan) {
    int64_t rows = plan->points / grid->row;
    grid->segment = within(plan->points / CHUNKS, 1, LONGEST_SEGMENT);
    if (grid->segment > grid->row)
        grid->segment = grid->row;
    grid->segments_per_row = (grid->row + grid->segment - 1) / grid->segment;
    grid->segments = rows * grid->segments_per_row;
    int64_t most = within(LARGEST_CHUNK / grid->segment, 1, LARGEST_CHUNK);
    grid->segments_per_chunk = within(grid->segments / CHUNKS, 1, most);
    grid->chunks = (grid->segments + grid->segments_per_chunk - 1) / grid->segments_per_chunk;
}

static bool set_levels(struct nmc_grid *grid, const struct nmc_plan *plan) {
    int64_t stride = 1;
    for (int g = plan->group_count; g-- > grid->inner_from;) {
        grid->levels[g] = nmc_arena_array(&grid->arena, (size_t)grid->row, sizeof(int32_t));
        if (!grid->levels[g])
            return false;
        for (int64_t j = 0; j < grid->row; j++)
            grid->levels[g][j] = (int32_t)(j / stride % plan->groups[g].count);
        stride *= plan->groups[g].count;
    }
    return true;
}

bool nmc_grid_make(struct nmc_grid *grid, const struct nmc_plan *plan) {
    *grid = (struct nmc_grid){.inner_from = plan->group_count, .row = 1};
    nmc_arena_init(&grid->arena, NMC_LIMIT_MODEL_BYTES);
    find_row(grid, plan);
    if (plan->sampled) {
        grid->sample_chunk = within(plan->points / CHUNKS, 1, LONGEST_SEGMENT);
        grid->chunks = (plan->points + grid->sample_chunk - 1) / grid->sample_chunk;
        return true;
    }
    cut(grid, plan);
    return set_levels(grid, plan);
}

void nmc_grid_release(struct nmc_grid *grid) {
    nmc_arena_release(&grid->arena);
}

void nmc_grid_shard(const struct nmc_grid *grid, int64_t shard, int64_t count, int64_t *from,
                    int64_t *to) {
    /* chunks < 2^50 and shards < 2^32: the quotient and the rest are scaled apart */
    int64_t each = grid->chunks / count, rest = grid->chunks % count;
    *from = each * (shard - 1) + rest * (shard - 1) / count;
    *to = each * shard + rest * shard / count;
}

int64_t nmc_grid_first(const struct nmc_grid *grid, const struct nmc_plan *plan, int64_t chunk) {
    if (chunk >= grid->chunks)
        return plan->points;
    if (plan->sampled)
        return chunk * grid->sample_chunk;
    int64_t segment = chunk * grid->segments_per_chunk;
    return segment / grid->segments_per_row * grid->row +
           segment % grid->segments_per_row * grid->segment;
}
