/*
 * limits.h - every limit on hostile input, with its reason. A file beyond one of them is refused
 * with a message that names the limit; real files stay far below.
 */
#ifndef NMC_LIMITS_H
#define NMC_LIMITS_H

/* Axes of a tensor. Real networks use up to 8; a bound keeps shape loops and messages small. */
#define NMC_LIMIT_RANK 64

/* Tensor touches of one pass when DRAM is counted: loop bodies are walked once an iteration. */
#define NMC_LIMIT_TOUCHES 20000000

/* Nested graphs, types or messages in a protobuf: the parser behind recurses once per level.
 * Real networks reach 4 subgraphs (about 16 messages). */
#define NMC_LIMIT_PROTO_DEPTH 192

/* Nested subgraphs and inlined function calls. */
#define NMC_LIMIT_GRAPH_DEPTH 32

/* Nodes after function inlining: a chain of functions each calling the next twice doubles at
 * every level. */
#define NMC_LIMIT_NODES 1000000

/* Elements of a constant that is folded as shape arithmetic; shapes have at most RANK entries,
 * index lists some hundreds. */
#define NMC_LIMIT_FOLD_ELEMENTS 4096

/* Bytes of a constant's payload that are kept through the wire walk (8 per folded element). */
#define NMC_LIMIT_PAYLOAD_BYTES (8 * NMC_LIMIT_FOLD_ELEMENTS)

/* Bytes of all payloads kept that are neither int32 nor int64: a model has some thresholds and
 * scales, and any number of bias vectors that nobody folds. */
#define NMC_LIMIT_KEPT_BYTES ((size_t)4 << 20)

/* A model without its payloads; 200,000 nodes take 20 MB. Above 2 GiB protobuf-c refuses. */
#define NMC_LIMIT_SLIM_BYTES ((size_t)1 << 30)

/* Operators looked at around one comparison that may be a neuron; Hodgkin-Huxley takes about 100.
 */
#define NMC_LIMIT_SOMA_NODES 512

/* ... and on the way from a state that comes in to where it goes out, all unrolled steps between:
 * about 15 for each step. */
#define NMC_LIMIT_SOMA_REACH 16384

/* Looks at operators while neurons are searched for, all together. Unrolled networks take one or
 * two for each node; a file made to be slow stops being searched. */
#define NMC_LIMIT_SOMA_LOOKS          1000000
#define NMC_LIMIT_SOMA_LOOKS_PER_NODE 16

/* Symbolic dims, those that inference makes included: a few per node of a net whose shapes depend
 * on data. */
#define NMC_LIMIT_SYMBOLS (1 << 24)

/* Looks at neighbours while the time axis is followed: a Concat of a million inputs may be looked
 * at from each of them. */
#define NMC_LIMIT_TIME_LOOKS 1000000000

/* Memory for one model: the slim message, the unpacked message and the graph together.
 * A 200,000-node graph needs about 200 MB. */
#define NMC_LIMIT_MODEL_BYTES ((size_t)4 << 30)

/* A model or trace read from standard input is kept in memory whole if it is ONNX. */
#define NMC_LIMIT_STDIN_BYTES ((size_t)4 << 30)

/* A preset file; the largest shipped one is 10 kB. */
#define NMC_LIMIT_PRESET_BYTES ((size_t)4 << 20)

/* Nested collections of a YAML file. */
#define NMC_LIMIT_YAML_DEPTH 32

/* Memory for one preset with all that it extends. */
#define NMC_LIMIT_PRESET_MEMORY ((size_t)256 << 20)

/* Values of a YAML file; the largest shipped preset has about 1,000. */
#define NMC_LIMIT_YAML_NODES 100000

/* Named entries of one mapping of a preset (memory instances, states): a ledger numbers its
 * resources, four per instance, in 16 bits. */
#define NMC_LIMIT_PRESET_ENTRIES 4096

/* A preset that extends a preset that extends ... */
#define NMC_LIMIT_EXTENDS_DEPTH 8

/* Values of one axis of a sweep, each kept as text; longer ranges want a coarser step. */
#define NMC_LIMIT_AXIS_VALUES 1048576

/* Presets of one sweep: each is kept as a tree. */
#define NMC_LIMIT_SWEEP_PRESETS 4096

/* Points of a sweep that is not sampled: some months at a hundred million a second. */
#define NMC_LIMIT_SWEEP_POINTS INT64_C(1000000000000000)

/* Values of a sweep's result: a front of 65,536 points with 20 numbers each, and then some. */
#define NMC_LIMIT_RESULT_NODES 8000000
#define NMC_LIMIT_RESULT_BYTES ((size_t)1 << 30)

/* One line of a trace. A line holds one event; the longest seen is 20 kB. */
#define NMC_LIMIT_TRACE_LINE_BYTES ((size_t)64 << 20)

/* Nested lists and objects in a line of a trace: one bit each of a 64-bit word. Real events
 * nest 5 deep. */
#define NMC_LIMIT_JSON_DEPTH 64

/* Top-level keys of one event, unknown ones included; ours have 6. */
#define NMC_LIMIT_EVENT_KEYS 64

/* Memory for what one event of a trace says: some ten times its line. */
#define NMC_LIMIT_TRACE_EVENT_BYTES ((size_t)1 << 30)

/* Different unknown events of a trace that are each warned of; a list of made-up names helps
 * nobody. */
#define NMC_LIMIT_UNKNOWN_EVENTS 16

/* Levels of a machine that loop nests are mapped to; Eyeriss with its scratchpads has 5. */
#define NMC_LIMIT_MAP_LEVELS 16

/* Loops of one mapping, each of two iterations or more: their product, the MACs, has 63 bits. */
#define NMC_LIMIT_MAP_LOOPS 63

/* Tiles of one layer that search tells apart; a convolution of ResNet has some 20,000. */
#define NMC_LIMIT_MAP_TILES (1 << 20)

/* Ways to spread one layer over an array that search looks into, best filled first. */
#define NMC_LIMIT_MAP_UNROLLINGS 4096

/* Mappings, beginnings of them, and bounds that search computes for one layer on its way to a good
 * mapping; those of ResNet-18 take up to 3 million. */
#define NMC_LIMIT_MAP_CLIMB 50000000

/* And then, unless told otherwise, to show that there is no better one. */
#define NMC_LIMIT_MAP_STEPS 200000

/* A JSON report that is read again, and what is kept of it; resnet50's with its ledger has 1 MB. */
#define NMC_LIMIT_REPORT_BYTES ((size_t)1 << 30)

/* A file of mappings to count; 83 of them take 270 kB. */
#define NMC_LIMIT_TRIPLES_BYTES ((size_t)256 << 20)

/* Memory for one counter: some hundreds of bytes for each zone or channel. */
#define NMC_LIMIT_COUNTER_BYTES ((size_t)16 << 20)

/* Zones, devices or channels of one counter; a server with 8 packages has some 40, an M1 Ultra
 * some 200 channels. */
#define NMC_LIMIT_COUNTER_PARTS 4096

#endif
