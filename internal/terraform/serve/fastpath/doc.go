// Package fastpath answers reads, most plans and most validations ahead of the plugin framework: New, then
// Answers.Read, Answers.Plan, Answers.Validate and Answers.Upgrade. It decides nothing: only the resource knows what an
// object needs.
//
// The framework walks every entry of every map, several times in each call, to look for defaults, plan modifiers,
// blocks, semantic equality and write-only values. With the schemas of this provider it finds nothing to do in a read,
// and in a plan whose arguments are those of the state. In other plans it makes computed values unknown, write-only
// values null, and calls the plan modifiers of strings (propose). So this package decodes the request, does only that,
// calls the resource as the framework does, and encodes the answer.
//
// In a validation, the framework looks for the value and the type of each attribute from the root of the configuration.
// This package goes through the decoded configuration once (accepts). If a validator of an attribute returns a
// diagnostic, the framework validates again. The framework answers all other calls, too: applies, plans of new
// arguments with attributes below them, and validations with blocks or with elements that have attributes below them.
//
// A resource asks for that with the method AnsweredAhead. TestSchemas holds its schema to what this package takes for
// granted. In every story of the acceptance tests and every random world, package twins lets the framework answer as
// well, and compares the answers.
//
// # When this package goes
//
// BenchmarkCalls of package serve measures both ways. With framework 1.19, a Deployment of several managers, and one
// processor: a plan without changes takes 7.6 ms and 40,000 allocations in the framework, and 0.9 ms and 5,000 here. A
// read takes 4.9 ms against 2.4, a plan of a changed value 9.4 ms against 3.0, a validation 0.7 ms against 0.2. The
// framework would have to
//   - keep the map that resource/schema.Schema.GetAttributes makes, instead of making it for each step of each path,
//   - set only those attributes in SchemaModifyPlan whose plan modifiers have changed something,
//   - skip NullifyCollectionBlocks, TransformDefaults, NullifyWriteOnlyAttributes and SchemaSemanticEquality where a
//     schema has nothing for them to do,
//   - release the context of a call when the call ends (registerContext), which package serve does for it.
//
// With a framework in which a plan without changes takes about 2 ms, propose goes first, and the rest of this package
// with package twins next.
package fastpath
