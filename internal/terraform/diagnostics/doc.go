// Package diagnostics turns the results of the use cases into Terraform diagnostics: a general summary, then the
// object, what happened, and one next step.
//
// # Words
//
// A sentence that names an attribute is a method of [Words]. The method takes the names from the resource that reports,
// and leaves out a next step for which the resource has no attribute. A test fails if a string in this package, or
// below it, names an attribute of k8sconnect_manifest. A sentence that names no attribute comes from a plain function.
//
// # Summaries
//
// Terraform folds warnings with the same summary into the first one and a count. So the summary depends on what
// the reader has to do:
//
//   - A warning that asks for a decision about one object has the object's name in its summary. So Terraform does not
//     fold it.
//   - A warning that is the same for each object has a general summary, or one that names the kind.
//   - A warning of the API server has the server's words in the summary. So Terraform folds only equal ones.
//   - The summary of an error is general.
//
// Each summary has a section in the troubleshooting guide. A test fails without the section.
//
// # Secrets
//
// Each operation on an object defers [Scrub]: the use cases read the server's messages, which can quote secret values. Scrub
// replaces the values that the operation knows before the diagnostics reach Terraform. What policies, webhooks and controllers say
// was cleaned where it arrived; see cluster.Secrecy.
//
// # Messages that are matched
//
// Kubernetes has no reason code for a policy or a quota that refuses an object. So the next step depends on the
// server's message. The tests of bad inputs record the resulting diagnostics.
package diagnostics
