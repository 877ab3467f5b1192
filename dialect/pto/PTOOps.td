//===- PTOOps.td - all of the pto dialect --------------------*- tablegen -*-===//
#ifndef PTO_OPS_TD
#define PTO_OPS_TD

include "PTOConversion.td"
include "PTOElementwise.td"
include "PTOExpansion.td"
include "PTOInitialization.td"
include "PTOKernel.td"
include "PTOLayout.td"
include "PTOMemory.td"
include "PTOReduction.td"
include "PTOTiles.td"
include "PTOViews.td"

#endif // PTO_OPS_TD
