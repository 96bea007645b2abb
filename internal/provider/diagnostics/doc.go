// Package diagnostics says what the use cases report in the words of Terraform's diagnostics: a general summary,
// then the object, what was seen, and one next step.
//
// # Words
//
// A sentence that names an attribute is a method of Words: it takes the names from the resource that reports, and
// leaves out a next step for which the resource has no attribute. A test fails if a text in this package, or below it, names an
// attribute of k8sconnect_manifest. A sentence that names no attribute is a plain function.
//
// # Summaries
//
// Terraform folds warnings of one summary into the first one and a count. So the summary depends on what the
// reader has to do:
//
//   - A warning that asks for a decision about one object has the object's name in its summary, so that it is not
//     folded.
//   - A warning that says the same of each object has a general summary, or one that names the kind.
//   - A warning of the API server has its own words in the summary, so that only equal ones are folded.
//   - The summary of an error is general.
//
// Each summary has a section in the troubleshooting guide. A test fails without it.
//
// # Secrets
//
// Each operation defers Scrub: the use cases read the server's words, and what goes to Terraform has the secret
// values of the manifest replaced.
//
// # Texts that are matched
//
// Kubernetes has no reason for a policy or a quota that refuses an object. The next step goes by the server's
// words. The tests of bad inputs print what comes out of them.
package diagnostics
