/*
 * sort.c - puts every graph into topological order and links tensors to their readers.
 *
 * Kahn's algorithm per graph, iterative, with the ready node that comes first in the file taken
 * first, so a sorted file keeps its order. A node with bodies depends on whatever they capture
 * from its scope.
 */
#include <string.h>

#include "base/memory.h"
#include "graph/graph.h"

/* The bodies' nodes are in net->nodes like all others, so a capture is found from its reader by
 * walking outwards to the scope of what it reads. */
struct edge_list {
    struct nmc_node **from_to; /* pairs: producer, reader */
    size_t count, capacity;
};

static bool add_edge(struct edge_list *edges, struct nmc_node *from, struct nmc_node *to) {
    if (!nmc_grow(&edges->from_to, &edges->capacity, edges->count + 2, sizeof *edges->from_to))
        return false;
    edges->from_to[edges->count++] = from;
    edges->from_to[edges->count++] = to;
    return true;
}

/* The node of `scope` inside which `graph` lies, or NULL if graph is not inside scope. */
static struct nmc_node *enclosing(struct nmc_graph *graph, const struct nmc_graph *scope) {
    struct nmc_node *owner = NULL;
    while (graph && graph != scope) {
        owner = graph->owner;
        graph = graph->outer;
    }
    return graph ? owner : NULL;
}

/* What must run before `reader`'s graph gets to the tensor: producer -> reader, or producer ->
 * the node of the producer's scope that holds the reader. */
static bool add_use(struct edge_list *edges, const struct nmc_tensor *tensor, struct nmc_graph *at,
                    struct nmc_node *reader) {
    struct nmc_node *producer = tensor ? tensor->producer : NULL;
    if (!producer)
        return true;
    struct nmc_node *to = producer->graph == at ? reader : enclosing(at, producer->graph);
    return !to || add_edge(edges, producer, to);
}

static bool collect(struct nmc_net *net, struct edge_list *edges) {
    for (uint32_t n = 0; n < net->node_count; n++) {
        struct nmc_node *node = net->nodes[n];
        for (int i = 0; i < node->input_count; i++)
            if (!add_use(edges, node->inputs[i], node->graph, node))
                return false;
        for (int a = 0; a < node->attr_count; a++) {
            const struct nmc_attr *attr = &node->attrs[a];
            for (int64_t g = 0; attr->graphs && g < attr->count; g++) {
                struct nmc_graph *body = attr->graphs[g];
                for (int i = 0; i < body->output_count; i++)
                    if (!add_use(edges, body->outputs[i], body, NULL))
                        return false;
            }
        }
    }
    return true;
}

struct sorter {
    struct edge_list edges;
    uint32_t *degree;       /* by node id: producers not yet placed */
    uint32_t *first, *next; /* edges by producer id, chained; 0 ends (edge number + 1) */
    uint32_t *heap;         /* ready nodes, smallest place in the file first */
    uint32_t heap_count;
};

static void heap_push(struct sorter *s, uint32_t id) {
    uint32_t i = s->heap_count++;
    for (; i && s->heap[(i - 1) / 2] > id; i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = id;
}

static uint32_t heap_pop(struct sorter *s) {
    uint32_t top = s->heap[0], last = s->heap[--s->heap_count], i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && s->heap[child + 1] < s->heap[child])
            child++;
        if (s->heap[child] >= last)
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return top;
}

static bool sorter_init(struct sorter *s, struct nmc_net *net) {
    if (!collect(net, &s->edges))
        return false;
    size_t n = net->node_count + (size_t)1, e = s->edges.count / 2 + 1;
    s->degree = nmc_malloc(n * sizeof *s->degree);
    s->first = nmc_malloc(n * sizeof *s->first);
    s->heap = nmc_malloc(n * sizeof *s->heap);
    s->next = nmc_malloc(e * sizeof *s->next);
    if (!s->degree || !s->first || !s->heap || !s->next)
        return false;
    memset(s->degree, 0, n * sizeof *s->degree);
    memset(s->first, 0, n * sizeof *s->first);
    for (size_t i = 0; i + 1 < s->edges.count; i += 2) {
        uint32_t from = s->edges.from_to[i]->id, edge = (uint32_t)(i / 2);
        s->degree[s->edges.from_to[i + 1]->id]++;
        s->next[edge] = s->first[from];
        s->first[from] = edge + 1;
    }
    return true;
}

static void sorter_release(struct sorter *s) {
    nmc_free(s->edges.from_to);
    nmc_free(s->degree);
    nmc_free(s->first);
    nmc_free(s->next);
    nmc_free(s->heap);
}

/* Places every node that can be placed; returns how many. Edges never cross graphs, so one walk
 * over all nodes sorts each graph. */
static uint32_t place_nodes(struct sorter *s, struct nmc_net *net) {
    uint32_t placed = 0;
    for (uint32_t n = 0; n < net->node_count; n++)
        net->nodes[n]->graph->node_count = 0;
    for (uint32_t n = 0; n < net->node_count; n++)
        if (s->degree[n] == 0)
            heap_push(s, n);
    while (s->heap_count) {
        struct nmc_node *node = net->nodes[heap_pop(s)];
        node->graph->nodes[node->graph->node_count++] = node;
        placed++;
        struct nmc_node **pairs = s->edges.from_to; /* NULL: no edges at all */
        for (uint32_t e = s->first[node->id]; pairs && e; e = s->next[e - 1]) {
            uint32_t to = pairs[2 * (size_t)(e - 1) + 1]->id;
            if (--s->degree[to] == 0)
                heap_push(s, to);
        }
    }
    return placed;
}

/* For each node that was not placed, one producer that was not placed either; captures by bodies
 * count. The heap is empty by now and lends its room. */
static uint32_t *waiting_producers(struct sorter *s) {
    for (size_t i = 0; i + 1 < s->edges.count; i += 2) {
        uint32_t from = s->edges.from_to[i]->id, to = s->edges.from_to[i + 1]->id;
        if (s->degree[from])
            s->heap[to] = from;
    }
    return s->heap;
}

/* Walking from a node that was not placed to a producer that was not placed must come round;
 * after as many steps as there are nodes we are on the cycle. */
static neuromc_status report_cycle(struct sorter *s, struct nmc_net *net, neuromc_diags *diags) {
    const uint32_t *producer = waiting_producers(s);
    uint32_t id = 0;
    while (s->degree[id] == 0)
        id++;
    for (uint32_t steps = 0; steps < net->node_count; steps++)
        id = producer[id];
    return nmc_error(diags, NEUROMC_BAD_INPUT, nmc_node_place(net, net->nodes[id]), NULL,
                     "cycle: it needs its own result by way of %s",
                     nmc_node_label(net, net->nodes[producer[id]]));
}

static bool link_consumers(struct nmc_net *net) {
    for (uint32_t n = 0; n < net->node_count; n++)
        for (int i = 0; i < net->nodes[n]->input_count; i++)
            if (net->nodes[n]->inputs[i])
                net->nodes[n]->inputs[i]->consumer_count++;
    for (uint32_t t = 0; t < net->tensor_count; t++) {
        struct nmc_tensor *tensor = net->tensors[t];
        tensor->consumers =
            nmc_arena_array(&net->arena, (size_t)tensor->consumer_count, sizeof *tensor->consumers);
        if (!tensor->consumers)
            return false;
        tensor->consumer_count = 0;
    }
    for (uint32_t n = 0; n < net->node_count; n++)
        for (int i = 0; i < net->nodes[n]->input_count; i++) {
            struct nmc_tensor *tensor = net->nodes[n]->inputs[i];
            if (tensor)
                tensor->consumers[tensor->consumer_count++] = net->nodes[n];
        }
    return true;
}

neuromc_status nmc_net_finish(struct nmc_net *net, neuromc_diags *diags) {
    struct sorter sorter = {0};
    neuromc_status status = NEUROMC_OK;
    if (net->arena.failed || !sorter_init(&sorter, net))
        status = nmc_out_of_memory(diags);
    else if (place_nodes(&sorter, net) != net->node_count)
        status = report_cycle(&sorter, net, diags);
    else if (!link_consumers(net))
        status = nmc_out_of_memory(diags);
    sorter_release(&sorter);
    return status;
}
