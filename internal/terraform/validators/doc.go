// Package validators contains the validators of single attributes: [OneOf], [NotEmpty], [Between] for values, [Each]
// for the elements of a list or set, and [Needs], [Excludes], [ExactlyOneOf] and [AtLeastOneOf] for attributes that
// depend on each other. Their errors are one sentence each, followed by advice.
package validators
