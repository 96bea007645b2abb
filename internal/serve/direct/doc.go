// Package direct answers reads, and plans whose arguments are those of the state, ahead of the plugin framework.
//
// The framework walks every entry of every map to look for defaults, plan modifiers, blocks, semantic equality and write-only values. In
// these two calls, and with schemas without defaults, collection blocks and semantic equality, it finds nothing to do. So this package
// decodes the request, calls Read or ModifyPlan of the resource as the framework does, and encodes the answer. It decides nothing: what an
// object needs is known to the resource alone. The framework answers all other calls.
//
// TestSchemas holds the schemas to what this package takes for granted. Every story of the acceptance tests and every random world has
// the framework answer as well, and compares (package twins).
package direct
