package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const identified = "v1 ConfigMap NS web"

// Each response of each operation has the identity of the object, and the identity does not change.
func TestIdentityOfEveryAnswer(t *testing.T) {
	s := story.New(t)
	p := s.Protocol(story.Connected)
	null := p.State

	planned := p.Plan(story.ConfigMap, null, nil, nil)
	p.ExpectPlanned(identified, planned)
	story.Must(t, p.Apply(story.ConfigMap, null, planned))
	p.Expect(identified, "a create")

	p = p.Continued(story.Connected)
	story.Must(t, p.Read())
	p.Expect(identified, "a read")
	p.Change(story.ConfigMap)
	p.Expect(identified, "an update with nothing to do")
	p.Change(strings.ReplaceAll(story.ConfigMap, "red", "blue"))
	p.Expect(identified, "an update")

	waiting := p.Continued(story.Unconnected)
	story.Must(t, waiting.Read())
	waiting.Expect(identified, "a read without a connection")
	waiting.Change(strings.ReplaceAll(story.ConfigMap, "red", "blue"))
	waiting.Expect(identified, "an update that needs no connection")

	stale := p.Plan(strings.ReplaceAll(story.ConfigMap, "red", "green"), p.State, p.Identity, p.Private)
	p.ExpectPlanned(identified, stale)
	destroy := p.Plan("", p.State, p.Identity, p.Private)
	p.ExpectPlanned(identified, destroy)
	gone := p.Continued(story.Connected)
	story.Must(t, gone.Apply("", gone.State, destroy))
	if !gone.State.IsNull() {
		t.Error("the destroy left a state")
	}
	if err := p.Apply(strings.ReplaceAll(story.ConfigMap, "red", "green"), p.State, stale); err == nil {
		t.Error("an object that is gone was updated")
	}
	p.Expect(identified, "an update that failed")
	p = p.Continued(story.Connected)
	story.Must(t, p.Read())
	if !p.State.IsNull() {
		t.Error("a read left the state of an object that is gone")
	}
}

// A state that a CLI or a version of the provider without identities wrote gets them silently, and an
// object that is gone meanwhile leaves such a state as any other.
func TestIdentityOfAnOlderState(t *testing.T) {
	s := story.New(t)
	p := s.Protocol(story.Connected)
	p.Change(story.ConfigMap)
	for _, operation := range []struct {
		name string
		do   func(*story.Protocol)
	}{
		{"a read", func(p *story.Protocol) { story.Must(t, p.Read()) }},
		{"an update with nothing to do", func(p *story.Protocol) { p.Change(story.ConfigMap) }},
		{"an update", func(p *story.Protocol) { p.Change(strings.ReplaceAll(story.ConfigMap, "red", "blue")) }},
	} {
		old := p.Continued(story.Connected)
		old.ForgetIdentity()
		story.Must(t, old.Read())
		old.ForgetIdentity()
		operation.do(old)
		old.Expect(identified, operation.name)
		p = old
	}
	old := p.Continued(story.Forbidden)
	if err := old.Apply("", old.State, old.Plan("", old.State, nil, old.Private)); err == nil {
		t.Error("an object was deleted by a user who may not")
	}
	old.Expect(identified, "a delete that failed")
	old = p.Continued(story.Unconnected)
	old.ForgetIdentity()
	story.Must(t, old.Read())
	old.Expect(identified, "a read without a connection")

	old = p.Continued(story.Connected)
	old.ForgetIdentity()
	destroy := old.Plan("", old.State, nil, old.Private)
	story.Must(t, p.Apply("", p.State, destroy))
	story.Must(t, old.Read())
	if !old.State.IsNull() {
		t.Error("a read left the state of an object that is gone")
	}
}

// A replacement has the old object's identity until it is planned as a new object.
func TestIdentityOfAReplacement(t *testing.T) {
	t.Parallel()
	for name, replacement := range map[string]struct {
		edit []string
		want string
	}{
		"another object":                      {edit: []string{"name: web", "name: shop"}, want: "v1 ConfigMap NS shop"},
		"an object in a missing namespace":    {edit: []string{"namespace: NS", "namespace: NS-later"}, want: "v1 ConfigMap NS-later web"},
		"an object of a kind that is missing": {edit: []string{"v1\nkind: ConfigMap", "later.example.com/v1\nkind: Later", "\ndata:", "\nspec:"}, want: "none"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			p := s.Protocol(story.Connected)
			null := p.State
			p.Change(story.ConfigMap)
			body := strings.NewReplacer(replacement.edit...).Replace(story.ConfigMap)
			p = p.Continued(story.Connected)
			first := p.Plan(body, p.State, p.Identity, p.Private)
			p.ExpectPlanned(identified, first)
			if len(first.RequiresReplace) == 0 {
				t.Error("the plan replaces nothing")
			}
			second := p.Plan(body, null, first.PlannedIdentity, first.PlannedPrivate)
			p.ExpectPlanned(replacement.want, second)
		})
	}
}

// A plan without a connection cannot tell the identity. It leaves none that is unknown: a create that
// fails would hand it to the CLI, which reports that as an error of its own.
func TestIdentityOfAnUnforeseenCreate(t *testing.T) {
	s := story.New(t)
	p := s.Protocol(story.Unconnected)
	null := p.State
	planned := p.Plan(story.ConfigMap, null, nil, nil)
	p.ExpectPlanned("none", planned)
	p = p.Continued(story.Connected)
	story.Must(t, p.Apply(story.ConfigMap, null, planned))
	p.Expect(identified, "a create")

	p = p.Continued(story.Connected)
	if err := p.Apply(story.ConfigMap, null, planned); err == nil {
		t.Error("an object that exists was created")
	}
	p.Expect("none", "a create that failed")
}

// An import names the object by an ID or by an identity; the identity is the object's from the start, and
// the read fills in the namespace that was left out.
func TestIdentityOfAnImport(t *testing.T) {
	attributes := func(namesAndValues ...string) map[string]tftypes.Value {
		values := map[string]tftypes.Value{}
		for i := 0; i < len(namesAndValues); i += 2 {
			values[namesAndValues[i]] = story.Text(namesAndValues[i+1])
		}
		return values
	}
	s := story.New(t)
	const here = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NS, namespace: default}\ndata: {mode: one}"
	for _, body := range []string{story.ConfigMap, here, oddRole} {
		s.As("kubectl-create").Create(body)
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
			attributes: attributes("api_version", "v1", "kind", "ConfigMap", "namespace", s.Namespace, "name", "web"),
			before:     identified, after: identified,
		},
		"by identity, without the namespace": {
			attributes: attributes("api_version", "v1", "kind", "ConfigMap", "name", s.Namespace),
			before:     "v1 ConfigMap  NS", after: "v1 ConfigMap default NS",
		},
		"by identity, of a cluster-scoped object": {
			attributes: attributes("api_version", "rbac.authorization.k8s.io/v1", "kind", "ClusterRole",
				"name", s.Expand("system:test:NS=y,z")),
			before: "rbac.authorization.k8s.io/v1 ClusterRole  system:test:NS=y,z",
			after:  "rbac.authorization.k8s.io/v1 ClusterRole  system:test:NS=y,z",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := s.Protocol(story.Connected)
			story.Must(t, p.ImportBy(imported.id, imported.attributes))
			p.Expect(imported.before, "the import")
			story.Must(t, p.Read())
			p.Expect(imported.after, "the read")
			p = p.Continued(story.Connected)
			story.Must(t, p.Read())
			p.Expect(imported.after, "the next read")
		})
	}
}

// An identity that names no object is refused before anything is sent.
func TestIdentitiesAreRefused(t *testing.T) {
	s := story.New(t)
	for name, refused := range map[string]struct{ apiVersion, kind, namespace, name, want string }{
		"no API version":        {"", "Pod", "a", "b", "apiVersion is missing"},
		"no kind":               {"v1", "", "a", "b", "kind is missing"},
		"no name":               {"v1", "Pod", "a", "", "name is missing"},
		"a wrong group":         {"a/b/c", "Pod", "a", "b", `apiVersion "a/b/c" is not of the form group/version`},
		"a slash in the name":   {"v1", "Pod", "a", "b/c", `"b/c" is not a valid name of an object`},
		"a path as a namespace": {"v1", "Pod", "..", "b", `".." is not a valid namespace`},
		"two parts in one":      {"v1", "Pod,name=x", "a", "b", "only a name may contain a comma"},
	} {
		t.Run(name, func(t *testing.T) {
			p := s.Protocol(story.Connected)
			err := p.ImportBy("", map[string]tftypes.Value{
				"api_version": story.Text(refused.apiVersion), "kind": story.Text(refused.kind),
				"namespace": story.Text(refused.namespace), "name": story.Text(refused.name),
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
	s := story.New(t)
	s.As("kubectl-create").Create(story.ConfigMap)
	block := s.Expand("import {\n  to = k8sconnect_manifest.test\n  identity = {\n    api_version = \"v1\"\n    kind = \"ConfigMap\"\n" +
		"    namespace = \"NS\"\n    name = \"web\"\n  }\n}\n")
	s.RunWith([]tfversion.TerraformVersionCheck{
		story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_12_0), Name: "import by identity"},
	},
		resource.TestStep{
			Config: block + s.Config(story.ConfigMap),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "data: kubectl-create -> (absent)", "data.colour: kubectl-create -> k8sconnect"),
				s.ExpectPrediction(story.ConfigMap),
			),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectIdentity(story.Address, map[string]knownvalue.Check{
					"api_version":  knownvalue.StringExact("v1"),
					"kind":         knownvalue.StringExact("ConfigMap"),
					"namespace":    knownvalue.StringExact(s.Namespace),
					"name":         knownvalue.StringExact("web"),
					"cluster_name": knownvalue.Null(),
				}),
			},
			Check: s.ExpectOwners("v1 ConfigMap web", "data.colour", "k8sconnect"),
		},
	)
}
