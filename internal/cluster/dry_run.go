package cluster

// DryRunSuffix ends the names of objects that dry-runs create.
const DryRunSuffix = "-dry-run"
