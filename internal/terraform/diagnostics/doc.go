// Package diagnostics turns the results of the use cases into Terraform diagnostics: a general summary, then the
// object, the event, and one next step.
//
// Begin with [Names.Error], which explains the error of any operation. No other package makes a diagnostic, except
// those below: changes reports the effects of a plan on single fields and on parts, and invalid is about mistakes in
// the configuration.
//
// # Names
//
// A sentence that names an attribute is a method of [Names], or takes them: the names of the attributes of the resource
// that reports. It leaves out a next step for which the resource has no attribute. A test fails if a string about an
// object names an attribute of k8sconnect_manifest. A sentence that names no attribute comes from a plain function.
//
// # Summaries
//
// Terraform folds warnings with the same summary into the first one and a count. So the summary depends on the action
// that the reader has to take:
//
//   - The summary of a warning that asks for a decision about one object contains the object's name, and the field
//     manager of the resource, unless it is the provider's own: several resources may apply to one object. So Terraform
//     does not fold it; see [Names.About]. One operation on an object warns once with each summary.
//   - The summary of a warning that is the same for each object is general, or names the kind.
//   - The summary of a warning from the API server contains the server's words. So Terraform folds only equal ones.
//   - The summary of an error is general.
//
// Each summary has a section in the troubleshooting guide. A test fails without the section.
//
// # Secrets
//
// Errors about an object with secret values contain no words of the API server, of policies or of webhooks. Messages of
// controllers were cleaned on arrival: see cluster.Secrecy. Each operation on an object also defers [Scrub], which
// replaces the longer values that the operation knows before the diagnostics reach Terraform.
//
// # Messages that are matched
//
// Kubernetes defines no reason code for a policy or a quota that refuses an object. So the next step depends on the
// server's message. The tests of bad inputs record the resulting diagnostics.
package diagnostics
