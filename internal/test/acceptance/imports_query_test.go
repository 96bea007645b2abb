package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// querier runs terraform query in a story's workspace.
type querier struct {
	*story.Workspace
}

// newQuerier skips the test where the CLI has no queries.
func newQuerier(t *testing.T, feature story.Feature) querier {
	t.Helper()
	s := story.New(t)
	w := s.Workspace()
	feature.Needed(w)
	w.Configure()
	return querier{w}
}

// block writes the query: the arguments of its config, in which NS stands for the story's namespace, and lines of the list block.
func (q querier) block(config string, lines ...string) {
	q.T.Helper()
	text := "list \"k8sconnect_manifest\" \"found\" {\n  provider = k8sconnect\n" + strings.Join(lines, "\n") + "\n  config {\n" + q.Expand(config) + "\n  }\n}\n"
	story.Must(q.T, os.WriteFile(filepath.Join(q.Dir, "found.tfquery.hcl"), []byte(text), 0o600))
}

var (
	// label is what a row says of an object: its display name, without the columns before it.
	label = regexp.MustCompile(`(?m)^list\.k8sconnect_manifest\.found\s+(\S+)\s+(.*)$`)
	// age is how old a claim is.
	age = regexp.MustCompile(`, (just now|\d+ \w+ ago)\)`)
)

// found runs the query and returns the display names, with one age for all, and what the CLI printed.
func (q querier) found(args ...string) (labels []string, out string) {
	q.T.Helper()
	out = q.Do(append([]string{"query"}, args...)...)
	for _, row := range label.FindAllStringSubmatch(out, -1) {
		labels = append(labels, strings.ReplaceAll(age.ReplaceAllString(row[2], ", AGE)"), q.Namespace, "NS"))
	}
	return labels, out
}

// queries is the feature that these stories need.
const queries = "terraform query"

// populate makes objects of several people, tools and controllers.
func populate(s *story.Story) {
	s.As("kubectl-client-side-apply").ApplyClientSide("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied, namespace: NS}\ndata: {a: x}\n")
	s.As("kubectl").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied-by-server, namespace: NS, labels: {team: a}}\ndata: {a: x}\n")
	s.As("kubectl").Patch("v1 ConfigMap applied", `{"data":{"b":"y"}}`)
	s.As("helm").Create("apiVersion: v1\nkind: Secret\nmetadata: {name: sh.helm.release.v1.web.v1, namespace: NS, labels: {owner: helm}}\ntype: helm.sh/release.v1\n" +
		"stringData: {release: x}\n")
	s.As("helm").Create("apiVersion: v1\nkind: Secret\nmetadata: {name: web, namespace: NS}\nstringData: {password: x}\n")
	s.As("kubectl-client-side-apply").ApplyClientSide(story.Deployment)
	s.As(story.Us).Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ours, namespace: NS}\ndata: {a: x}\n")
	s.As("kubectl-create").Create("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot, namespace: NS}\n")
	s.As("kubectl-label").Patch("v1 Namespace "+s.Namespace, `{"metadata":{"labels":{"team":"a"}}}`)
	s.Await("the Deployment has Pods", func() bool {
		list, err := s.Typed.CoreV1().Pods(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
		return err == nil && len(list.Items) > 0
	})
}

// A query finds objects by kind, by selectors and by who owns them, with one LIST of metadata for each kind. What controllers made is
// left out, and so is what every namespace has.
func TestQuery(t *testing.T) {
	q := newQuerier(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: queries})
	populate(q.Story)
	const (
		web      = "Deployment NS/web (kubectl-client-side-apply, AGE)"
		applied  = "ConfigMap NS/applied (kubectl-client-side-apply, AGE)"
		byServer = "ConfigMap NS/applied-by-server (kubectl, AGE)"
		ours     = "ConfigMap NS/ours (k8sconnect, AGE)"
		robot    = "ServiceAccount NS/robot (no owner)"
		password = "Secret NS/web (helm, AGE)"
	)
	for name, test := range map[string]struct {
		config   string
		want     []string
		requests []string // nil does not compare them.
	}{
		"all kinds of a namespace": {`namespace = "NS"`, []string{
			"ConfigMap NS/applied (kubectl, AGE)", byServer, ours, web, password, robot,
		}, nil},
		"a manager":                 {"manager = \"kubectl-client-side-apply\"\nnamespace = \"NS\"", []string{applied, web}, nil},
		"a manager by its start":    {"manager = \"kubectl*\"\nkinds = [\"ConfigMap\"]\nnamespace = \"NS\"", []string{"ConfigMap NS/applied (kubectl, AGE)", byServer}, []string{"list configmaps NS 200"}},
		"a manager that applies":    {"manager = \"kubectl\"\nmanager_operation = \"Apply\"\nkinds = [\"ConfigMap\"]\nnamespace = \"NS\"", []string{byServer}, []string{"list configmaps NS 200"}},
		"a manager that updates":    {"manager = \"kubectl\"\nmanager_operation = \"Update\"\nkinds = [\"ConfigMap\"]\nnamespace = \"NS\"", []string{"ConfigMap NS/applied (kubectl, AGE)"}, []string{"list configmaps NS 200"}},
		"what nobody here manages":  {"unmanaged = true\nkinds = [\"ConfigMap\"]\nnamespace = \"NS\"", []string{"ConfigMap NS/applied (kubectl, AGE)", byServer}, []string{"list configmaps NS 200"}},
		"a kind with its version":   {"api_version = \"apps/v1\"\nkind = \"Deployment\"\nnamespace = \"NS\"", []string{web}, []string{"list deployments NS 200"}},
		"kinds with and without it": {"kinds = [\"Deployment\", \"v1 Secret\"]\nnamespace = \"NS\"", []string{web, password}, []string{"list deployments NS 200", "list secrets NS 200"}},
		"a label":                   {"label_selector = \"team=a\"\nnamespace = \"NS\"", []string{byServer}, nil},
		"a field of every kind":     {"field_selector = \"metadata.name=web\"\nnamespace = \"NS\"", []string{web, password}, nil},
		"a field in all namespaces": {"field_selector = \"metadata.namespace=NS\"\nkinds = [\"ServiceAccount\"]", []string{robot}, []string{"list serviceaccounts 200"}},
		"a cluster-scoped kind":     {"kinds = [\"Namespace\"]\nmanager = \"kubectl-label\"\nfield_selector = \"metadata.name=NS\"", []string{"Namespace NS (kubectl-label, AGE)"}, []string{"list namespaces NS 200"}},
		"what controllers made": {"controlled = true\nkinds = [\"ConfigMap\", \"ServiceAccount\", \"Secret\"]\nnamespace = \"NS\"", []string{
			"ConfigMap NS/applied (kubectl, AGE)", byServer, "ConfigMap NS/kube-root-ca.crt (kube-controller-manager, AGE)", ours,
			"Secret NS/sh.helm.release.v1.web.v1 (helm, AGE)", password, "ServiceAccount NS/default (no owner)", robot,
		}, nil},
		"a controller's Pods": {"controlled = true\nkinds = [\"Pod\"]\nmanager = \"nobody\"\nnamespace = \"NS\"", nil, []string{"list pods NS 200"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func(outer *testing.T) { q.T = outer }(q.T)
			q.T = t
			q.block(test.config)
			var got []string
			requests, _ := q.CostOf(func() { got, _ = q.found() })
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.requests, requests); test.requests != nil && diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			for _, request := range requests {
				if !strings.HasPrefix(request, "list ") {
					t.Errorf("the query sent %s", request)
				}
			}
			if test.requests == nil && len(slices.Compact(requests)) != len(requests) {
				t.Errorf("a kind was listed twice:\n%s", strings.Join(requests, "\n"))
			}
		})
	}
	q.As("k8sconnect-1w2e3r4t5z").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-a-set, namespace: NS}\ndata: {a: x}\n")
	q.As("k8sconnect-patch-0a1b2c3d").Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: patched, namespace: NS}\ndata: {a: x}\n")
	q.block("unmanaged = true\nkinds = [\"ConfigMap\"]\nnamespace = \"NS\"")
	got, _ := q.found()
	want := []string{"ConfigMap NS/applied (kubectl, AGE)", byServer, "ConfigMap NS/patched (k8sconnect-patch-0a1b2c3d, AGE)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what nobody here manages, beside a set and a patch (-want +got):\n%s", diff)
	}
}

// A query with its objects costs one GET for each, and the limit of the block bounds what is read. A warning says what it left out.
func TestQueryIncludesObjects(t *testing.T) {
	q := newQuerier(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: queries})
	for i := range 5 {
		q.As("kubectl-client-side-apply").ApplyClientSide(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d, namespace: NS}\ndata: {a: x}\n", i))
	}
	q.block("kinds = [\"ConfigMap\"]\nnamespace = \"NS\"", "include_resource = true", "limit = 3")
	var out string
	q.ExpectCostOf("a query with objects", []string{"list configmaps NS 200", "get configmaps NS/cm-0 200", "get configmaps NS/cm-1 200", "get configmaps NS/cm-2 200"},
		func() { _, out = q.found("-json") })
	for _, text := range []string{`"yaml_body":"{\n  \"apiVersion\": \"v1\",`, `"field_manager":null`, `"display_name":"ConfigMap `, `5 objects match, and the list block returns the first 3 of them.`} {
		if !strings.Contains(out, text) {
			t.Errorf("the query does not print %s:\n%s", text, out)
		}
	}
}

// Kinds that the user may not list are a warning each, and the others are listed.
func TestQueryOfForbiddenKinds(t *testing.T) {
	q := newQuerier(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: queries})
	q.As("kubectl").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\ndata: {a: x}\n")
	q.As("kubectl").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: reader, namespace: NS}\n" +
		"rules: [{apiGroups: [\"\"], resources: [configmaps], verbs: [list]}]\n")
	q.As("kubectl").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: reader, namespace: NS}\n" +
		"subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: NS-reader}]\nroleRef: {kind: Role, apiGroup: rbac.authorization.k8s.io, name: reader}\n")
	reader := q.Kubeconfig(q.AddUser(q.Namespace+"-reader", "readers"))
	story.Must(t, os.WriteFile(filepath.Join(q.Dir, "kubeconfig"), reader, 0o600))

	q.block("kinds = [\"v1 ConfigMap\", \"v1 Secret\", \"apps/v1 Deployment\"]\nnamespace = \"NS\"")
	labels, out := q.found()
	if diff := cmp.Diff([]string{"ConfigMap NS/web (kubectl, AGE)"}, labels); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	for _, kind := range []string{"Secret objects in namespace NS (v1)", "Deployment objects in namespace NS (apps/v1)"} {
		if n := strings.Count(flat(out), q.Expand("Warning: Kind Not Listed: "+kind)); n != 1 {
			t.Errorf("%d warnings say that %s are not listed:\n%s", n, kind, out)
		}
	}
	q.block("api_version = \"v1\"\nkind = \"Secret\"\nnamespace = \"NS\"")
	if out := q.Exits(story.Refused, "query"); !strings.Contains(flat(out), "Error: Forbidden") || !strings.Contains(flat(out), "Grant the connection's user the verb list") {
		t.Errorf("the query of one kind says:\n%s", out)
	}

	// What may be listed and not read has no configuration.
	q.block("api_version = \"v1\"\nkind = \"ConfigMap\"\nnamespace = \"NS\"")
	if out := q.Do("query", "-generate-config-out=generated.tf"); !strings.Contains(flat(out), q.Expand("Warning: Object Not Listed: ConfigMap NS/web (v1)")) {
		t.Errorf("the query says of an object that may not be read:\n%s", out)
	}
}

// flat returns what the CLI printed without the ends of its lines.
func flat(out string) string { return strings.Join(strings.Fields(out), " ") }

// Arguments that say nothing are refused before any request.
func TestQueryBadInput(t *testing.T) {
	q := newQuerier(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: queries})
	var said strings.Builder
	for _, config := range []string{
		`kind = "Deployment"`,
		`api_version = "apps/v1"`,
		"kinds = [\"Deployment\"]\nkind = \"Deployment\"\napi_version = \"apps/v1\"",
		"kinds = [\"Deployment\"]\napi_version = \"apps/v1\"",
		`kinds = []`,
		`kinds = ["apps/v1/Deployment"]`,
		`kinds = ["Deployment", "Deployment"]`,
		`manager = "kube*ctl"`,
		`manager = ""`,
		`manager_operation = "Apply"`,
		"manager = \"kubectl\"\nmanager_operation = \"apply\"",
		`label_selector = "team in a"`,
		`field_selector = "metadata.name"`,
		`field_selector = "status.phase=Running"`,
		`namespace = "Default"`,
	} {
		q.block(config)
		requests, discovery := q.CostOf(func() {
			out := q.Exits(story.Refused, "query")
			_, errors, _ := strings.Cut(out, "Error: ")
			fmt.Fprintf(&said, "%s\n\nError: %s\n----\n", config, strings.TrimSpace(errors))
		})
		if len(requests)+len(discovery) > 0 {
			t.Errorf("%s: it sent %v", config, slices.Concat(requests, discovery))
		}
	}
	golden.Compare(t, "imports/query_bad_input.txt", said.String())
}

// Custom resources are found as built-in kinds are, and their definitions come before them.
func TestQueryOfCustomResources(t *testing.T) {
	q := newQuerier(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: queries})
	q.InstallGadgets()
	q.As("kubectl-create").Create(story.Gadget("size: 1"))
	// Other stories have Gadgets too, each in a group of its own.
	q.block("kinds = [\"NS.example.com/v1 Gadget\", \"CustomResourceDefinition\"]\ncontrolled = true", "limit = 1000")
	labels, out := q.found()
	definition := slices.IndexFunc(labels, func(label string) bool {
		return strings.HasPrefix(label, "CustomResourceDefinition gadgets.NS.example.com")
	})
	gadget := slices.Index(labels, "Gadget NS/one (kubectl-create, AGE)")
	if definition < 0 || gadget < definition {
		t.Errorf("the definition is row %d, the Gadget row %d:\n%s", definition, gadget, out)
	}
}
