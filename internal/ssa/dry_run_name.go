package ssa

// dryRunSuffix ends the names of objects that dry-runs create.
const dryRunSuffix = "-rehearsal"
