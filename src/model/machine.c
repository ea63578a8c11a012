#include "model/machine.h"

const char *const nmc_access_model_names[NMC_ACCESS_MODELS] = {"once", "mapped"};
const char *const nmc_map_dim_names[NMC_MAP_DIMS] = {"N", "K", "C", "P", "Q", "R", "S"};
const char *const nmc_map_operand_names[NMC_MAP_OPERANDS] = {"Weights", "Inputs", "Outputs"};
const char *const nmc_map_operand_keys[NMC_MAP_OPERANDS] = {"weights", "inputs", "outputs"};
const char *const nmc_mesh_names[NMC_MESHES] = {"x", "y"};
const char *const nmc_counting_names[NMC_COUNTINGS] = {"words", "ports"};
