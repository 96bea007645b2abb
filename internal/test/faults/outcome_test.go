package faults_test

import "strings"

// diagnostic is one error or warning of a run.
type diagnostic struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	Address  string `json:"address"`
}

func (d diagnostic) String() string { return d.Severity + ": " + d.Summary + ": " + d.Detail }

// outcome is what a command says of its resources, by their keys; "" has what is about none of them.
type outcome struct {
	diagnostics map[string][]diagnostic
	// actions are the changes of a plan.
	actions map[string]string
}

// errors returns the errors about a resource.
func (o outcome) errors(key string) []diagnostic {
	var found []diagnostic
	for _, d := range o.diagnostics[key] {
		if d.Severity == "error" {
			found = append(found, d)
		}
	}
	return found
}

// message is one line of the CLI's output with -json.
type message struct {
	Type       string     `json:"type"`
	Diagnostic diagnostic `json:"diagnostic"`
	Change     struct {
		Resource struct {
			Key string `json:"resource_key"`
		} `json:"resource"`
		Action string `json:"action"`
	} `json:"change"`
}

// failed returns the keys with errors.
func (o outcome) failed() []string {
	var keys []string
	for key := range o.diagnostics {
		if len(o.errors(key)) > 0 {
			keys = append(keys, key)
		}
	}
	return keys
}

// key returns the key of the resource that a diagnostic is about: the one of its address, such as
// k8sconnect_manifest.cell["key"], else the name of the object, for deletions and imports have no address.
func (d diagnostic) key() string {
	if _, rest, found := strings.Cut(d.Address, `["`); found {
		key, _, _ := strings.Cut(rest, `"]`)
		return key
	}
	_, rest, _ := strings.Cut(d.Detail, "/")
	key, _, named := strings.Cut(rest, " (v1)")
	if !named {
		return ""
	}
	return key
}
