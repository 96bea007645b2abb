package acceptance_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// blanks defines a kind that may have every empty value.
var blanks = customresource.Definition("NS.example.com", "Blank", `
spec:
  type: object
  properties:
    list: {type: array, items: {type: string}}
    entries:
      type: array
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [name]
      items: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer}}}
    labels: {type: object, additionalProperties: {type: string}}
    nested: {type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}
    flag: {type: boolean}
    size: {type: integer}
    text: {type: string}
`)

// empties are objects with empty values that another client wrote.
var empties = map[string]struct{ target, manifest string }{
	"egress of a NetworkPolicy": {"networking.k8s.io/v1 NetworkPolicy web", `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: NS, labels: {}}
spec: {podSelector: {}, ingress: [], egress: [], policyTypes: [Ingress, Egress]}
`},
	"a Deployment": {story.Web, strings.Replace(story.Deployment, `containers: [{name: app, image: "nginx:1.25"}]`,
		`hostNetwork: false
      nodeSelector: {}
      tolerations: []
      volumes: [{name: s, emptyDir: {}}]
      containers:
      - {name: app, image: "nginx:1.25", args: [], env: [], stdin: false, volumeMounts: [{name: s, mountPath: /s, readOnly: false}]}`, 1)},
	"rules of a Role": {"rbac.authorization.k8s.io/v1 Role web", `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: web, namespace: NS}
rules: []
`},
	"a ConfigMap": {"v1 ConfigMap web", `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: NS, annotations: {}}
data: {}
immutable: false
`},
	"a custom resource": {"NS.example.com/v1 Blank web", `
apiVersion: NS.example.com/v1
kind: Blank
metadata: {name: web, namespace: NS}
spec: {list: [], entries: [], labels: {}, nested: {a: {}}, flag: false, size: 0, text: ""}
`},
	"zeros in list items of a custom resource": {"NS.example.com/v1 Blank web", `
apiVersion: NS.example.com/v1
kind: Blank
metadata: {name: web, namespace: NS}
spec: {list: [""], entries: [{name: "", size: 0}], labels: {a: ""}, nested: {}}
`},
}

// The first plan after an import changes nothing that is empty, 0 or false on the object, whoever wrote that and how.
func TestImportOfEmptyValues(t *testing.T) {
	t.Parallel()
	writers := map[string]func(s *story.Story, manifest string){
		"applied server-side": func(s *story.Story, manifest string) { s.As("kubectl").Apply(manifest) },
		"applied client-side": func(s *story.Story, manifest string) {
			s.As("kubectl-client-side-apply").ApplyClientSide(manifest)
		},
		"created": func(s *story.Story, manifest string) { s.As("kubectl-create").Create(manifest) },
	}
	for name, test := range empties {
		for how, write := range writers {
			t.Run(name+", "+how, func(t *testing.T) {
				s := story.New(t)
				if strings.Contains(test.manifest, "kind: Blank") {
					s.InstallKind(blanks)
				}
				write(s, test.manifest)
				if test.target == story.Web {
					s.AwaitRollouts()
				}
				before := s.Live(test.target).Object
				w := s.HostedWorkspace()
				version, kind, _ := strings.Cut(strings.TrimSuffix(test.target, " web"), " ")
				w.Generate("apiVersion=" + s.Expand(version) + ",kind=" + kind + ",namespace=NS,name=web")
				out := w.Do("plan", "-out=first")
				for _, text := range []string{"removes", "stay on", "stays on", "sets back", "The apply changes"} {
					if strings.Contains(out, text) {
						t.Errorf("the first plan says %q:\n%s", text, out)
					}
				}
				w.ExpectSaved("first", story.ExpectOnly(story.ManagedState))
				w.Do("apply", "first")
				after := s.Live(test.target).Object
				for _, part := range []string{"spec", "data", "rules", "immutable"} {
					if diff := cmp.Diff(before[part], after[part]); diff != "" {
						t.Errorf("%s after the import (-before +after):\n%s", part, diff)
					}
				}
				w.Do("plan", "-out=second")
				w.ExpectSaved("second", plancheck.ExpectEmptyPlan())
			})
			t.Run(name+", "+how+", with the manifest of its author", func(t *testing.T) {
				s := story.New(t)
				if strings.Contains(test.manifest, "kind: Blank") {
					s.InstallKind(blanks)
				}
				version, kind, _ := strings.Cut(strings.TrimSuffix(test.target, " web"), " ")
				s.Run(
					resource.TestStep{
						PreConfig:        func() { write(s, test.manifest) },
						Config:           s.ImportBlock("apiVersion="+version+",kind="+kind+",namespace=NS,name=web") + s.Config(test.manifest),
						ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState)),
					},
					s.Noop(s.Config(test.manifest)),
				)
			})
		}
	}
}
