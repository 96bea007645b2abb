package diagnostics

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"

// Words are the names of a resource, or a data source, and its attributes. Each package of a resource builds its Words
// once and reports with their methods.
type Words phrases.Names

// creates reports whether the resource creates its object.
func (w Words) creates() bool { return w.Target == "" }

// inBody returns " in yaml_body".
func (w Words) inBody() string { return phrases.Given(w.Body, " in "+w.Body) }

// ignoreLine returns the line of a configuration that ignores fields.
func (w Words) ignoreLine(fields []string) string { return phrases.Names(w).IgnoreLine(fields) }
