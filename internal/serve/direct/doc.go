// Package direct answers reads, most plans and most validations ahead of the plugin framework.
//
// The framework walks every entry of every map, several times in each call, to look for defaults, plan modifiers, blocks, semantic equality
// and write-only values. With the schemas of this provider it finds nothing to do in a read, in a plan whose arguments are those of the
// state, and in the validation of attributes that are null. In other plans it makes computed values unknown, write-only values null, and calls
// the plan modifiers of strings (propose). So this package decodes the request, does that much, calls the resource as the framework
// does, and encodes the answer. It decides nothing: what an object needs is known to the resource alone. The framework answers all other
// calls: applies, plans of new arguments with computed values or plan modifiers below them, and configurations with nested attributes or
// mistakes.
//
// TestSchemas holds the schemas to what this package takes for granted. Every story of the acceptance tests and every random world has
// the framework answer as well, and compares (package twins).
package direct
