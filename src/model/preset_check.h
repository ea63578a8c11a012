/*
 * preset_check.h - what a value of a preset must agree with elsewhere in the preset. The key
 * table names a check beside each key that needs one; each reports through nmc_bind_error.
 */
#ifndef NMC_PRESET_CHECK_H
#define NMC_PRESET_CHECK_H

#include "model/preset_keys.h"

nmc_key_check nmc_check_identifier;       /* a text that can be a file's name */
nmc_key_check nmc_check_level;            /* an instance's level is among `levels` */
nmc_key_check nmc_check_count;            /* DRAM that counts has a capacity and a price */
nmc_key_check nmc_check_noc;              /* a NoC that counts has traffic */
nmc_key_check nmc_check_counted;          /* a state's instance is on a level that counts */
nmc_key_check nmc_check_when;             /* a condition can hold where it stands */
nmc_key_check nmc_check_priced;           /* a primitive that is used has a price */
nmc_key_check nmc_check_counts_something; /* a sum of primitives is not empty */
nmc_key_check nmc_check_access_model;     /* a mapped preset has a machine, and DRAM once */
nmc_key_check nmc_check_machine;          /* levels form a mesh and keep every operand */
nmc_key_check nmc_check_moves_something;  /* a state variable is read or written */

#endif
