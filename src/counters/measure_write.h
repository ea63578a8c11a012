/*
 * measure_write.h - a measurement as text, JSON and CSV. Names in the JSON are those of the harness
 * that this follows, so that its readers work; what is ours stands beside them.
 */
#ifndef NMC_MEASURE_WRITE_H
#define NMC_MEASURE_WRITE_H

#include "base/json_write.h"
#include "counters/measure.h"

/* The members of one subject, into an open object. */
void nmc_measure_json(struct nmc_json *json, const struct neuromc_measurement *m,
                      const struct nmc_subject_result *subject);
/* The counter: what it includes, leaves out, and can tell apart. */
void nmc_measure_json_counter(struct nmc_json *json, const struct neuromc_measurement *m);
/* A number that may be unknown: NAN is null. */
void nmc_measure_json_number(struct nmc_json *json, const char *key, double value);
/* A summary over the rounds, or null. */
void nmc_measure_json_summary(struct nmc_json *json, const char *key,
                              const struct neuromc_measurement *m,
                              const struct nmc_subject_result *subject,
                              double (*quantity)(const struct neuromc_measurement *,
                                                 const struct nmc_round *));

void nmc_measure_text_counter(struct nmc_sink *sink, const struct neuromc_measurement *m);
void nmc_measure_text(struct nmc_sink *sink, const struct neuromc_measurement *m,
                      const struct nmc_subject_result *subject);

/* A heading, and a row for each round. */
void nmc_measure_csv(struct nmc_sink *sink, const struct neuromc_measurement *m);

/* What a verdict allows to claim, in half a sentence. */
const char *nmc_verdict_meaning(enum nmc_verdict verdict);

/* Quantities of a round; NAN: not known. */
double nmc_round_busy_w(const struct neuromc_measurement *m, const struct nmc_round *round);
double nmc_round_idle_w(const struct neuromc_measurement *m, const struct nmc_round *round);
double nmc_round_marginal_w(const struct neuromc_measurement *m, const struct nmc_round *round);
double nmc_round_ratio(const struct neuromc_measurement *m, const struct nmc_round *round);
double nmc_round_seconds(const struct neuromc_measurement *m, const struct nmc_round *round);

#endif
