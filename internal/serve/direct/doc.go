// Package direct answers reads, most plans and most validations ahead of the plugin framework.
//
// The framework walks every entry of every map, several times in each call, to look for defaults, plan modifiers, blocks, semantic equality
// and write-only values. With the schemas of this provider it finds nothing to do in a read, in a plan whose arguments are those of the
// state, and in the validation of attributes that are null. In other plans it makes computed values unknown, write-only values null, and
// calls the plan modifiers of strings (propose). So this package decodes the request, does only that, calls the resource as the framework
// does, and encodes the answer. It decides nothing: only the resource knows what an object needs. The framework answers all other calls:
// applies, plans of new arguments with computed values or plan modifiers below them, and configurations with nested attributes or mistakes.
//
// A resource asks for that with the method AnsweredDirectly. TestSchemas holds its schema to what this package takes for granted. In every
// story of the acceptance tests and every random world, package twins lets the framework answer as well, and compares the answers.
package direct
