/*
 * trace_claims.h - which aten operators are the inside of a module call (rule 3 of accounting).
 *
 * Both sides arrive in event order. A call's fragment claims the nearest earlier operator of its
 * key that nobody has claimed; if there is none it waits for the next one. Operators that wait
 * are kept as a stack per key, equal neighbours as one entry: memory grows with the changes
 * between different operators of one key that no call claims, and with distinct keys.
 */
#ifndef NMC_TRACE_CLAIMS_H
#define NMC_TRACE_CLAIMS_H

#include "model/trace_keys.h"
#include "model/trace_work.h"

struct nmc_claims {
    struct nmc_keys keys;
    struct nmc_claim_queue *queues; /* by number of the key */
    size_t capacity;
};

/* A zeroed struct is empty. */
void nmc_claims_release(struct nmc_claims *claims);

/* An operator's unit, known to the caller as `handle`; *claimed if a call waited for it. False:
 * memory ran out. */
bool nmc_claims_offer(struct nmc_claims *claims, const struct nmc_claim_key *key, uint32_t handle,
                      bool *claimed);
/* A call's fragment claims: *found and the handle of the unit it takes, or it waits. */
bool nmc_claims_take(struct nmc_claims *claims, const struct nmc_claim_key *key, bool *found,
                     uint32_t *handle);

#endif
