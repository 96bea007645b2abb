// Package serve runs the provider as a plugin of the Terraform CLI or OpenTofu: the server of the plugin protocol,
// its log levels, its memory and its end.
//
// # Memory
//
// The plugin framework keeps the context of every call, with the memory of its loggers and its connection, until the
// provider is stopped: about 100 kB for each resource. So the server hands the framework a context that drops its
// reference to the real one when the call ends. Memory then does not grow with the number of resources.
//
// The garbage collector runs less often than usual, because nearly everything that a call allocates is garbage
// when the call ends.
//
// # Private state
//
// Private state goes to the CLI in an envelope of its own, a third of the size of the plugin framework's encoding: see
// package privatestate. Private state that an answer does not change keeps its bytes.
//
// # Logs
//
// The plugin framework logs each step as JSON lines that the CLI parses and then drops. It also looks for the logger of
// each line. So this package sets the framework's level to that of the CLI.
//
// The provider itself logs through klog, as client-go does: cluster.Log returns the logger. If the CLI shows neither
// DEBUG nor INFO, nothing is logged.
//
// # What the protocol and the framework cost
//
// The plugin protocol costs the CLI twice as much CPU as its own work for a resource: in a plan without changes,
// values are encoded, decoded and checked against the schema in four calls.
//
// For each RPC, the plugin framework walks every entry of every map several times, copies the map of all attributes at
// each step of each path, and copies the whole object for each attribute of a plan. In a plan without changes that is
// three quarters of the provider's time, so package fastpath answers reads, most plans and most validations ahead of
// the framework.
package serve
