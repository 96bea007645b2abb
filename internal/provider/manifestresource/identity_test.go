package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

const identified = "v1 ConfigMap NS web"

// An object has its identity on each way out of each operation, and keeps it.
func TestIdentityOfEveryAnswer(t *testing.T) {
	s := newStory(t)
	p := s.protocol(connected)
	null := p.state

	planned := p.plan(configMap, null, nil, nil)
	p.expectPlanned(identified, planned)
	must(t, p.apply(configMap, null, planned))
	p.expect(identified, "a create")

	p = p.continued(connected)
	must(t, p.read())
	p.expect(identified, "a read")
	p.change(configMap)
	p.expect(identified, "an update with nothing to do")
	p.change(strings.ReplaceAll(configMap, "red", "blue"))
	p.expect(identified, "an update")

	waiting := p.continued(unconnected)
	must(t, waiting.read())
	waiting.expect(identified, "a read without a connection")
	waiting.change(strings.ReplaceAll(configMap, "red", "blue"))
	waiting.expect(identified, "an update that needs no connection")

	stale := p.plan(strings.ReplaceAll(configMap, "red", "green"), p.state, p.identity, p.private)
	p.expectPlanned(identified, stale)
	destroy := p.plan("", p.state, p.identity, p.private)
	p.expectPlanned(identified, destroy)
	gone := p.continued(connected)
	must(t, gone.apply("", gone.state, destroy))
	if !gone.state.IsNull() {
		t.Error("the destroy left a state")
	}
	if err := p.apply(strings.ReplaceAll(configMap, "red", "green"), p.state, stale); err == nil {
		t.Error("an object that is gone was updated")
	}
	p.expect(identified, "an update that failed")
	p = p.continued(connected)
	must(t, p.read())
	if !p.state.IsNull() {
		t.Error("a read left the state of an object that is gone")
	}
}

// A state that a CLI or a version of the provider without identities wrote gets them silently, and an
// object that is gone meanwhile leaves such a state as any other.
func TestIdentityOfAnOlderState(t *testing.T) {
	s := newStory(t)
	p := s.protocol(connected)
	p.change(configMap)
	for _, operation := range []struct {
		name string
		do   func(*protocol)
	}{
		{"a read", func(p *protocol) { must(t, p.read()) }},
		{"an update with nothing to do", func(p *protocol) { p.change(configMap) }},
		{"an update", func(p *protocol) { p.change(strings.ReplaceAll(configMap, "red", "blue")) }},
	} {
		old := p.continued(connected)
		old.forgetIdentity()
		must(t, old.read())
		old.forgetIdentity()
		operation.do(old)
		old.expect(identified, operation.name)
		p = old
	}
	old := p.continued(forbidden)
	if err := old.apply("", old.state, old.plan("", old.state, nil, old.private)); err == nil {
		t.Error("an object was deleted by a user who may not")
	}
	old.expect(identified, "a delete that failed")
	old = p.continued(unconnected)
	old.forgetIdentity()
	must(t, old.read())
	old.expect(identified, "a read without a connection")

	old = p.continued(connected)
	old.forgetIdentity()
	destroy := old.plan("", old.state, nil, old.private)
	must(t, p.apply("", p.state, destroy))
	must(t, old.read())
	if !old.state.IsNull() {
		t.Error("a read left the state of an object that is gone")
	}
}

// A replacement has the old object's identity until it is planned as a new object.
func TestIdentityOfAReplacement(t *testing.T) {
	for name, replacement := range map[string]struct {
		edit []string
		want string
	}{
		"another object":                      {edit: []string{"name: web", "name: shop"}, want: "v1 ConfigMap NS shop"},
		"an object in a missing namespace":    {edit: []string{"namespace: NS", "namespace: NS-later"}, want: "v1 ConfigMap NS-later web"},
		"an object of a kind that is missing": {edit: []string{"v1\nkind: ConfigMap", "later.example.com/v1\nkind: Later", "\ndata:", "\nspec:"}, want: "none"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			p := s.protocol(connected)
			null := p.state
			p.change(configMap)
			body := strings.NewReplacer(replacement.edit...).Replace(configMap)
			p = p.continued(connected)
			first := p.plan(body, p.state, p.identity, p.private)
			p.expectPlanned(identified, first)
			if len(first.RequiresReplace) == 0 {
				t.Error("the plan replaces nothing")
			}
			second := p.plan(body, null, first.PlannedIdentity, first.PlannedPrivate)
			p.expectPlanned(replacement.want, second)
		})
	}
}

// A plan without a connection cannot tell the identity. It leaves none that is unknown: a create that
// fails would hand it to the CLI, which reports that as an error of its own.
func TestIdentityOfAnUnforeseenCreate(t *testing.T) {
	s := newStory(t)
	p := s.protocol(unconnected)
	null := p.state
	planned := p.plan(configMap, null, nil, nil)
	p.expectPlanned("none", planned)
	p = p.continued(connected)
	must(t, p.apply(configMap, null, planned))
	p.expect(identified, "a create")

	p = p.continued(connected)
	if err := p.apply(configMap, null, planned); err == nil {
		t.Error("an object that exists was created")
	}
	p.expect("none", "a create that failed")
}

// An import names the object by an ID or by an identity; the identity is the object's from the start, and
// the read fills in the namespace that was left out.
func TestIdentityOfAnImport(t *testing.T) {
	attributes := func(namesAndValues ...string) map[string]tftypes.Value {
		values := map[string]tftypes.Value{}
		for i := 0; i < len(namesAndValues); i += 2 {
			values[namesAndValues[i]] = text(namesAndValues[i+1])
		}
		return values
	}
	s := newStory(t)
	const here = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NS, namespace: default}\ndata: {mode: one}"
	for _, body := range []string{configMap, here, oddRole} {
		s.as("kubectl-create").create(body)
	}
	for name, imported := range map[string]struct {
		id            string
		attributes    map[string]tftypes.Value
		before, after string
	}{
		"by ID": {
			id: "apiVersion=v1,kind=ConfigMap,namespace=NS,name=web", before: identified, after: identified,
		},
		"by identity": {
			attributes: attributes("api_version", "v1", "kind", "ConfigMap", "namespace", s.namespace, "name", "web"),
			before:     identified, after: identified,
		},
		"by identity, without the namespace": {
			attributes: attributes("api_version", "v1", "kind", "ConfigMap", "name", s.namespace),
			before:     "v1 ConfigMap  NS", after: "v1 ConfigMap default NS",
		},
		"by identity, of a cluster-scoped object": {
			attributes: attributes("api_version", "rbac.authorization.k8s.io/v1", "kind", "ClusterRole",
				"name", s.expand("system:test:NS=y,z")),
			before: "rbac.authorization.k8s.io/v1 ClusterRole  system:test:NS=y,z",
			after:  "rbac.authorization.k8s.io/v1 ClusterRole  system:test:NS=y,z",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := s.protocol(connected)
			must(t, p.importBy(imported.id, imported.attributes))
			p.expect(imported.before, "the import")
			must(t, p.read())
			p.expect(imported.after, "the read")
			p = p.continued(connected)
			must(t, p.read())
			p.expect(imported.after, "the next read")
		})
	}
}

// An identity that names no object is refused before anything is sent.
func TestIdentitiesAreRefused(t *testing.T) {
	s := newStory(t)
	for name, refused := range map[string]struct{ apiVersion, kind, namespace, name, want string }{
		"no API version":        {"", "Pod", "a", "b", "apiVersion is missing"},
		"no kind":               {"v1", "", "a", "b", "kind is missing"},
		"no name":               {"v1", "Pod", "a", "", "name is missing"},
		"a wrong group":         {"a/b/c", "Pod", "a", "b", `apiVersion "a/b/c" is not of the form group/version`},
		"a slash in the name":   {"v1", "Pod", "a", "b/c", `"b/c" is not a legal name of an object`},
		"a path as a namespace": {"v1", "Pod", "..", "b", `".." is not a legal namespace`},
		"two parts in one":      {"v1", "Pod,name=x", "a", "b", "only a name may hold a comma"},
	} {
		t.Run(name, func(t *testing.T) {
			p := s.protocol(connected)
			err := p.importBy("", map[string]tftypes.Value{
				"api_version": text(refused.apiVersion), "kind": text(refused.kind),
				"namespace": text(refused.namespace), "name": text(refused.name),
			})
			if err == nil {
				t.Fatal("the identity was taken")
			}
			for _, part := range []string{"Invalid Identity", refused.want, "Write api_version, kind, namespace and name"} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error does not say %q:\n%s", part, err)
				}
			}
		})
	}
}

// The CLI itself imports by identity, keeps the identity and shows it.
func TestImportByIdentity(t *testing.T) {
	s := newStory(t)
	s.as("kubectl-create").create(configMap)
	block := s.expand("import {\n  to = k8sconnect_manifest.test\n  identity = {\n    api_version = \"v1\"\n    kind = \"ConfigMap\"\n" +
		"    namespace = \"NS\"\n    name = \"web\"\n  }\n}\n")
	s.runWith([]tfversion.TerraformVersionCheck{
		feature{tfversion.SkipBelow(tfversion.Version1_12_0), "import by identity"},
	},
		resource.TestStep{
			Config: block + s.config(configMap),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "data.colour: kubectl-create -> k8sconnect"),
				s.expectPrediction(configMap),
			),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectIdentity(address, map[string]knownvalue.Check{
					"api_version": knownvalue.StringExact("v1"),
					"kind":        knownvalue.StringExact("ConfigMap"),
					"namespace":   knownvalue.StringExact(s.namespace),
					"name":        knownvalue.StringExact("web"),
				}),
			},
			Check: s.expectOwners("v1 ConfigMap web", "data.colour", "k8sconnect"),
		},
	)
}
