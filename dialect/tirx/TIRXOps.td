//===- TIRXOps.td - all of the tirx dialect ------------------*- tablegen -*-===//
#ifndef TIRX_OPS_TD
#define TIRX_OPS_TD

include "TIRXBuffers.td"
include "TIRXCopy.td"
include "TIRXElementwise.td"
include "TIRXReduction.td"
include "TIRXSync.td"

#endif // TIRX_OPS_TD
