package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// All that is wrong with a custom resource is one error: fields that its kind does not have, wrong types, and values that
// the server would refuse only after those are corrected.
func TestAllFaultsOfACustomResource(t *testing.T) {
	s := story.New(t)
	s.InstallKind(customresource.Definition("NS.example.com", "Gauge", `
spec:
  type: object
  properties:
    size: {type: integer}
    mode: {type: string, enum: [auto, manual]}
    level: {type: integer, minimum: 1}
    code: {type: string, pattern: "^[a-z]+$"}
    items: {type: array, items: {type: object, properties: {kind: {type: string, enum: [a, b]}}}}
`))
	s.AwaitPublished("Gauge")
	gauge := func(spec string) string {
		return s.Config("{apiVersion: NS.example.com/v1, kind: Gauge, metadata: {name: web, namespace: NS}, spec: {" + spec + "}}")
	}
	s.Run(
		resource.TestStep{
			Config: gauge(`size: big, sise: 1, mode: off-road, level: 0, code: A1, items: [{kind: a}, {kind: c}]`),
			ExpectError: story.Saying("Value Does Not Fit Schema", "spec.code: has to match ^[a-z]+$",
				"spec.items[1].kind: supported values: a, b", "spec.level: has to be at least 1", "spec.mode: supported values: auto, manual",
				"spec.size: expected numeric", "spec.sise: no such field (did you mean spec.size?)", "Correct them in yaml_body."),
		},
		resource.TestStep{Config: gauge(`size: 2, mode: manual, level: 1, code: a, items: [{kind: a}, {kind: b}]`)},
	)
}

// A body that no object can be made of is refused before the apply, with the fault and what to write
// instead, and nothing is created.
func TestInvalidBody(t *testing.T) {
	t.Parallel()
	edited := func(edit ...string) string { return strings.NewReplacer(edit...).Replace(story.Deployment) }
	for name, invalid := range map[string]struct {
		body string
		says []string
	}{
		"a field that the kind does not have": {
			body: edited("replicas: 3", "replica: 3"),
			says: []string{"Unknown Field", "Deployment", "NS/web (apps/v1) could not be planned", "spec.replica (did you mean spec.replicas?)", "yaml_body"},
		},
		"a value of the wrong type": {
			body: edited("replicas: 3", `replicas: "three"`),
			says: []string{"Deployment", "NS/web (apps/v1) could not be planned", "replicas", "yaml_body"},
		},
		"all values of the wrong type at once": {
			body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\ndata: {a: 1, b: true, c: [x], d: 1.5, e: fine}\n",
			says: []string{"Value Does Not Fit Schema", "data.a: expected string", "data.b: expected string", "data.c: expected string", "data.d: expected string", "Put them in quotes in yaml_body."},
		},
		"a wrong type, a quantity that cannot be read and an unknown field at once": {
			body: edited("replicas: 3", "replicas: three\n  replica: 3", "image: ", "resources: {limits: {memory: 1Mib}}, image: "),
			says: []string{"Value Does Not Fit Schema", "spec.replicas: expected numeric", "resources.limits.memory: the server", "cannot read the value",
				"spec.replica: no such field (did you mean spec.replicas?)", "Correct them in yaml_body."},
		},
		"two quantities that cannot be read": {
			body: edited("image: ", "resources: {limits: {memory: 1Mib, cpu: 1x}}, image: "),
			says: []string{"Value Does Not Fit Schema", "limits.cpu", "limits.memory", "Correct them in yaml_body."},
		},
		"a value that validation refuses": {
			body: edited("replicas: 3", "replicas: -3"),
			says: []string{"Invalid Object", "NS/web (apps/v1) could not be planned", "spec.replicas", "must be greater than or equal to 0"},
		},
		"a key that is written twice": {
			body: edited("replicas: 3", "replicas: 3\n  replicas: 4"),
			says: []string{"Invalid Manifest", "yaml_body", `repeats a key of line`},
		},
		"text that is no YAML": {
			body: "apiVersion: v1\n kind: [\n",
			says: []string{"Invalid Manifest", "yaml_body", "line 2, column 2 is not valid YAML", "not indented as the others"},
		},
		"several documents": {
			body: story.ConfigMap + "---" + story.ConfigMap,
			says: []string{"Invalid Manifest", "the text contains 2 documents", "each object by itself"},
		},
		"a list of objects": {
			body: "apiVersion: v1\nkind: List\nitems: []\n",
			says: []string{"Invalid Manifest", "List", "each of its items by itself"},
		},
		"no name": {
			body: edited("name: web, namespace", "namespace"),
			says: []string{"Invalid Manifest", "metadata.name is missing"},
		},
		"a name that the server is to choose": {
			body: edited("name: web, namespace", "generateName: web-, namespace"),
			says: []string{"Invalid Manifest", "metadata.generateName", "Write metadata.name"},
		},
		"a name with capitals": {
			body: edited("name: web, namespace", "name: Web_Shop, namespace"),
			says: []string{"Invalid Object", "Web_Shop", "metadata.name", "RFC 1123"},
		},
		"what the server alone writes": {
			body: edited("name: web, namespace", "name: web, uid: abc, namespace"),
			says: []string{"Invalid Manifest", "only the API server writes metadata.uid"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			says := make([]string, len(invalid.says))
			for i, text := range invalid.says {
				says[i] = s.Expand(text)
			}
			s.Run(
				resource.TestStep{Config: s.Config(invalid.body), PlanOnly: true, ExpectError: story.Saying(says...)},
				resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectGone(
					"apps/v1 Deployment web", "v1 ConfigMap web", "rbac.authorization.k8s.io/v1 ClusterRole web-NS")},
			)
		})
	}
}
