package examples_test

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planPinned is a Service with a port that another client changes, and with ports that another client adds.
func planPinned(e *example) {
	const target = "v1 Service shop"
	e.apply()
	e.plan(story.Nothing)
	port := e.nodePorts(target)[0]
	other := "30999"
	if port == other {
		other = "30998"
	}
	e.As("kubectl-edit").JSONPatch(target, `[{"op": "replace", "path": "/spec/ports/0/nodePort", "value": `+other+`}]`)
	e.showsChosen("pinned", story.Changes, map[string]string{port: "31234", other: "30999"})
	e.apply()
	if now := e.nodePorts(target); now[0] != port {
		e.T.Errorf("the node port is %s, and %s was pinned", now[0], port)
	}
	e.As("kubectl-patch").StrategicPatch(target, `{"spec":{"ports":[{"name":"metrics","port":9090}]}}`)
	e.plan(story.Nothing)
	e.As("kubectl-edit").JSONPatch(target, `[{"op": "add", "path": "/spec/ports/-", "value": {"name": "debug", "port": 6060}}]`)
	e.says(e.plan(story.Nothing), "Warning: List Too Long: Service default/shop (v1)", "spec.ports has 3 entries, and list_lengths allows 2.",
		`spec.ports[port=6060,protocol="TCP"]: owned by "kubectl-edit"`, "Raise max, or remove entries with the tool that manages them.")
	e.apply()
	if ports := e.nodePorts(target); len(ports) != 3 || !slices.Contains(ports, port) {
		e.T.Errorf("the Service has the node ports %s, and %s was pinned", ports, port)
	}
}

// showsChosen does what showsWarnings does, with other texts instead of those that the API server chose.
func (e *example) showsChosen(name string, exit int, chosen map[string]string) {
	e.T.Helper()
	_, text, _ := strings.Cut(excerpt(e.plan(exit), quiet), "\nWarning: ")
	for is, shown := range chosen {
		text = strings.ReplaceAll(text, is, shown)
	}
	e.compare(name, "$ terraform plan\n\nWarning: "+text)
}

// nodePorts returns the node ports of a Service, in the order of its ports.
func (e *example) nodePorts(target string) []string {
	e.T.Helper()
	ports, _, err := unstructured.NestedSlice(e.Live(target).Object, "spec", "ports")
	story.Must(e.T, err)
	var chosen []string
	for _, port := range ports {
		fields, _ := port.(map[string]any)
		chosen = append(chosen, story.AsJSON(fields["nodePort"]))
	}
	return chosen
}
