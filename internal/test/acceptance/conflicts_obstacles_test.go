package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	unionDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  replicas: 0
  strategy: {type: Recreate}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: app, image: nginx, env: [{name: E, value: x}], livenessProbe: {httpGet: {port: 80}}}
      volumes: [{name: s, emptyDir: {}}]
`
	unionService = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NS}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}
`
	nodePortService = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NS}
spec: {type: NodePort, selector: {app: web}, ports: [{port: 80, nodePort: 30022}]}
`
	unionIngress = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: NS}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
`
	unionPool = `
apiVersion: NS.example.com/v1
kind: Pool
metadata: {name: web, namespace: NS}
spec: {a: {x: 1}, l: [{k: a, v: ours}], u: [{k: a, id: 1, v: ours}, {k: b, id: 2}]}
`
	unionWebhooks = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: NS-web}
webhooks:
  - name: web.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: {service: {name: web, namespace: NS}}
    rules: [{apiGroups: [NS.example.org], apiVersions: [v1], operations: [CREATE], resources: [pools]}]
`
	unionDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: rafts.NS.example.org}
spec:
  group: NS.example.org
  scope: Namespaced
  names: {plural: rafts, singular: raft, kind: Raft}
  conversion: {strategy: None}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	ingress = "networking.k8s.io/v1 Ingress web"
	pool    = "NS.example.com/v1 Pool web"
)

// pools defines a kind with a union of its own, a list of one item, and a rule about two maps.
var pools = customresource.Definition("NS.example.com", "Pool", `
spec:
  type: object
  oneOf: [{required: [a]}, {required: [b]}]
  x-kubernetes-validations:
    - {rule: "!(has(self.a) && has(self.c) && self.c.x == 2)", message: "c.x may not be 2 beside a"}
  properties:
    a: {type: object, properties: {x: {type: integer}}}
    b: {type: object, properties: {x: {type: integer}}}
    c: {type: object, properties: {x: {type: integer}, y: {type: integer}}}
    other: {type: string}
    l:
      type: array
      maxItems: 1
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [k]
      items: {type: object, required: [k], properties: {k: {type: string}, v: {type: string}}}
    u:
      type: array
      maxItems: 5
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [k]
      x-kubernetes-validations: [{rule: "self.all(x, self.exists_one(e, e.id == x.id))", message: "id is unique"}]
      items: {type: object, required: [k, id], properties: {k: {type: string}, id: {type: integer}, v: {type: string}}}
`)

func setField(value any, fields ...string) func(map[string]any) {
	return func(object map[string]any) { _ = unstructured.SetNestedField(object, value, fields...) }
}

// inPodTemplate changes the pod template: its container and its volume.
func inPodTemplate(change func(container, volume map[string]any)) func(map[string]any) {
	return func(object map[string]any) {
		template := object["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
		item := func(name string) map[string]any { return template[name].([]any)[0].(map[string]any) }
		change(item("containers"), item("volumes"))
	}
}

// obstacle is a change by another manager after which the server refuses what we declare.
type obstacle struct {
	body, target string
	change       func(map[string]any)
	says         []string
	want         map[string]any
}

var obstructions = map[string]obstacle{
	"another strategy": {
		unionDeployment, story.Web, setField(map[string]any{"type": "RollingUpdate"}, "spec", "strategy"),
		[]string{`spec.strategy.rollingUpdate.maxSurge: "25%", removed with spec.strategy.rollingUpdate, owned by "editor"`},
		map[string]any{"spec.strategy.type": "Recreate", "spec.strategy.rollingUpdate": story.Absent},
	},
	"a variable from a field": {
		unionDeployment, story.Web, inPodTemplate(func(container, _ map[string]any) {
			container["env"] = []any{map[string]any{
				"name": "E", "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": "spec.nodeName"}},
			}}
		}),
		[]string{`env[name="E"].valueFrom.fieldRef: `, `owned by "editor"`, "The API server refuses", "yaml_body to fit."}, nil,
	},
	"a volume of another type": {
		unionDeployment, story.Web, inPodTemplate(func(_, volume map[string]any) {
			delete(volume, "emptyDir")
			volume["hostPath"] = map[string]any{"path": "/x"}
		}),
		[]string{`volumes[name="s"].hostPath.path: "/x", removed with spec.template.spec.volumes[name="s"].hostPath`}, nil,
	},
	"a probe of another kind": {
		unionDeployment, story.Web, inPodTemplate(func(container, _ map[string]any) {
			container["livenessProbe"] = map[string]any{
				"periodSeconds": int64(20), "exec": map[string]any{"command": []any{"true"}},
			}
		}),
		[]string{`livenessProbe.exec.command: "[\"true\"]", removed with`}, nil,
	},
	"the key of a port": {
		unionService, serviceTarget, func(object map[string]any) {
			object["spec"].(map[string]any)["ports"].([]any)[0].(map[string]any)["port"] = int64(8081)
		},
		[]string{`spec.ports[port=8081,protocol="TCP"].name: "http", removed with the list item spec.ports[port=8081`},
		nil,
	},
	"the key of a port with a node port": {
		nodePortService, serviceTarget, func(object map[string]any) {
			object["spec"].(map[string]any)["ports"].([]any)[0].(map[string]any)["port"] = int64(8081)
		},
		[]string{`spec.ports[port=8081,protocol="TCP"].nodePort: "30022", removed with the list item spec.ports[port=8081`},
		map[string]any{"spec.ports": "[map[nodePort:30022 port:80 protocol:TCP targetPort:80]]"},
	},
	"the key of a port with a name and a node port": {
		strings.Replace(nodePortService, "port: 80, nodePort: 30022", "name: http, port: 80, nodePort: 30023", 1), serviceTarget, func(object map[string]any) {
			object["spec"].(map[string]any)["ports"].([]any)[0].(map[string]any)["port"] = int64(8081)
		},
		[]string{`spec.ports[port=8081,protocol="TCP"].name: "http", removed with the list item spec.ports[port=8081`}, nil,
	},
	"the metric of an autoscaler": {
		cpuAutoscaler, scaler, func(object map[string]any) {
			object["spec"].(map[string]any)["metrics"] = []any{map[string]any{"type": "External", "external": map[string]any{
				"metric": map[string]any{"name": "queue"}, "target": map[string]any{"type": "Value", "value": "10"},
			}}}
		},
		[]string{"spec.metrics: ", `owned by "editor"`}, nil,
	},
	"a backend of another kind": {
		unionIngress, ingress, setField(map[string]any{
			"resource": map[string]any{"apiGroup": "x.io", "kind": "Bucket", "name": "b"},
		}, "spec", "defaultBackend"),
		[]string{"spec.defaultBackend.resource: ", `removed, owned by "editor"`},
		map[string]any{"spec.defaultBackend.resource": story.Absent},
	},
	"oneOf of a custom resource": {
		unionPool, pool, func(object map[string]any) {
			spec := object["spec"].(map[string]any)
			delete(spec, "a")
			spec["b"], spec["other"] = map[string]any{"x": int64(1)}, "theirs"
		},
		[]string{`spec.b.x: "1", removed with spec.b, owned by "editor"`},
		map[string]any{"spec.a.x": int64(1), "spec.b": story.Absent, "spec.other": "theirs"},
	},
	"a rule of a custom resource": {
		unionPool, pool, func(object map[string]any) {
			spec := object["spec"].(map[string]any)
			delete(spec, "a")
			spec["b"], spec["c"] = map[string]any{"x": int64(1)}, map[string]any{"x": int64(2)}
			spec["other"] = "theirs"
		},
		[]string{`spec.b.x: "1", removed with spec.b`, `spec.c.x: "2", removed with spec.c`},
		map[string]any{"spec.b": story.Absent, "spec.c": story.Absent, "spec.other": "theirs"},
	},
	"the key of the only item": {
		unionPool, pool, func(object map[string]any) {
			object["spec"].(map[string]any)["l"] = []any{map[string]any{"k": "b", "v": "theirs"}}
		},
		[]string{`spec.l[k="b"].v: "theirs", removed with the list item spec.l[k="b"], owned by "editor"`}, nil,
	},
	"the client of a webhook": {
		unionWebhooks, "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration NS-web", func(object map[string]any) {
			object["webhooks"].([]any)[0].(map[string]any)["clientConfig"] = map[string]any{"url": "https://127.0.0.1:1/x"}
		},
		[]string{`webhooks[name="web.example.com"].clientConfig.url: "https://127.0.0.1:1/x", removed, owned by "editor"`}, nil,
	},
	"the key of an item with a value that a rule wants once": {
		unionPool, pool, func(object map[string]any) {
			object["spec"].(map[string]any)["u"].([]any)[0].(map[string]any)["k"] = "z"
		},
		[]string{`spec.u[k="z"].v: "ours", removed with the list item spec.u[k="z"], owned by "editor"`}, nil,
	},
}

// An apply takes back what another manager switched to another member of a union, or whose key it changed: the plan
// shows what is removed and whose it was. on_conflict = "fail" refuses it in the plan.
func TestObstaclesOfOthers(t *testing.T) {
	t.Parallel()
	for name, test := range obstructions {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if test.target == pool {
				s.InstallKind(pools)
			}
			checks := []resource.TestCheckFunc{s.ExpectNotOverwritten()}
			if test.want != nil {
				checks = append(checks, s.ExpectLive(test.target, test.want))
			}
			s.Run(
				resource.TestStep{Config: s.Config(test.body)},
				resource.TestStep{
					PreConfig:   s.NextStep(func() { s.As("editor").Put(test.target, test.change) }),
					Config:      s.Config(test.body, story.OrFail),
					ExpectError: story.Saying("nothing is applied, because on_conflict is"),
				},
				resource.TestStep{
					PreConfig:        s.NextStep(),
					Config:           s.Config(test.body),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(test.says...)),
					Check:            story.LiveChecks(checks...),
				},
				s.Noop(s.Config(test.body)),
			)
		})
	}
}

// An item that is in the way stays if ignore_fields covers a part of it, also if no manager owns the item, or only the
// list.
func TestObstacleWithIgnoredPart(t *testing.T) {
	t.Parallel()
	const shell = `{"manager": "editor", "operation": "Update", "apiVersion": "NS.example.com/v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:l": {}}}}`
	for name, entry := range map[string]string{"nobody owns anything": "{}", "somebody owns the list": shell} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(pools)
			s.Run(
				resource.TestStep{Config: s.Config(unionPool)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("editor").Put(pool, func(object map[string]any) {
							object["spec"].(map[string]any)["l"] = []any{map[string]any{"k": "b", "v": "theirs"}}
						})
						s.As("restore").JSONPatch(pool, `[{"op": "replace", "path": "/metadata/managedFields", "value": [`+entry+`]}]`)
					}),
					Config:      s.Config(unionPool, `ignore_fields = ["spec.l[*].v"]`),
					ExpectError: story.Saying("Field in the Way", `spec.l[k="b"]`, `Remove "spec.l[*].v" from ignore_fields, and the apply removes it`),
				},
			)
		})
	}
}

// An item in the way whose key is secret has its owner in the plan, too, and is a conflict.
func TestObstacleWithSecretKey(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, target, list, key, sensitive string }{
		"a key":            {unionService, "v1 Service web", "ports", "port", `spec.ports[protocol=\"TCP\"].port`},
		"items by a key":   {unionService, "v1 Service web", "ports", "port", `spec.ports[protocol=\"TCP\"]`},
		"a list":           {unionPool, pool, "l", "k", "spec.l"},
		"keys of any item": {unionPool, pool, "l", "k", "spec.l[*].k"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if test.target == pool {
				s.InstallKind(pools)
			}
			secret := `sensitive_fields = ["` + test.sensitive + `"]`
			s.Run(
				resource.TestStep{Config: s.Config(test.body, secret)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("editor").Put(test.target, func(object map[string]any) {
							item := object["spec"].(map[string]any)[test.list].([]any)[0].(map[string]any)
							if test.target == pool {
								item[test.key] = "hushed"
							} else {
								item[test.key] = int64(8081)
							}
						})
					}),
					Config:      s.Config(test.body, secret, story.OrFail),
					ExpectError: story.Saying("nothing is applied, because on_conflict is"),
				},
				resource.TestStep{
					PreConfig:        s.NextStep(),
					Config:           s.Config(test.body, secret),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`owned by "editor"`), s.ExpectRedacted("8081", "hushed")),
					Check:            story.LiveChecks(s.ExpectNotOverwritten()),
				},
				s.Noop(s.Config(test.body, secret)),
			)
		})
	}
}

// A value of the manifest that the configuration leaves to other managers, who have set another one, is what the error
// names if the server takes the manifest with it.
func TestDeclaredValueOfOthersInTheWay(t *testing.T) {
	t.Parallel()
	const external = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NS}
spec:
  type: NodePort
  externalTrafficPolicy: Local
  selector: {app: web}
  ports: [{port: 80}]
`
	const service = "v1 Service web"
	set := func(s *story.Story, manager, kind string) func() {
		return func() { s.As(manager).Patch(service, `{"spec": {"type": "`+kind+`"}}`) }
	}
	for name, test := range map[string]struct {
		argument, says, next string
		heed                 func(s *story.Story) func()
	}{
		"of an ignored manager": {
			`ignore_managers = ["operator"]`, "Change it on the object", `ignore_managers = ["operator"]`,
			func(s *story.Story) func() { return set(s, "kubectl-edit", "NodePort") },
		},
		"of an ignored field": {
			`ignore_fields = ["spec.type"]`, `Remove "spec.type" from ignore_fields`, "", func(*story.Story) func() { return func() {} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			config, next := s.Config(external, test.argument), s.Config(external, test.next)
			s.Run(
				resource.TestStep{Config: config},
				resource.TestStep{
					PreConfig: s.NextStep(set(s, "operator", "ClusterIP")), Config: config,
					ExpectError: story.Saying("Field in the Way", `spec.type: "ClusterIP", owned by "operator"`, test.says),
				},
				resource.TestStep{
					PreConfig: s.NextStep(test.heed(s)), Config: next,
					Check: s.ExpectLiveJSON(service, `"Local"`, "spec", "externalTrafficPolicy"),
				},
				s.Noop(next),
			)
		})
	}
}

// What the server added to our own object, and no manager owns, is removed with the apply that cannot have it.
func TestObstaclesWithoutOwner(t *testing.T) {
	t.Parallel()
	plain := strings.Replace(unionDeployment, "  strategy: {type: Recreate}\n", "", 1)
	stateful := strings.NewReplacer("Deployment", "StatefulSet", "  replicas: 0\n", "  replicas: 0\n  serviceName: web\n").
		Replace(plain)
	for name, test := range map[string]struct{ before, after, target, field, kind string }{
		"strategy": {plain, unionDeployment, story.Web, "spec.strategy.rollingUpdate", ""},
		"from an explicit strategy": {
			strings.Replace(unionDeployment, "Recreate", "RollingUpdate", 1), unionDeployment, story.Web,
			"spec.strategy.rollingUpdate", "",
		},
		"update strategy": {
			stateful, strings.Replace(stateful, "replicas: 0", "replicas: 0\n  updateStrategy: {type: OnDelete}", 1),
			"apps/v1 StatefulSet web", "spec.updateStrategy.rollingUpdate", "",
		},
	} {
		for how, arguments := range map[string][]string{"force": nil, "fail": {story.OrFail}} {
			t.Run(name+", "+how, func(t *testing.T) {
				s := story.New(t)
				s.Run(
					resource.TestStep{Config: s.Config(test.before)},
					resource.TestStep{
						PreConfig: s.NextStep(),
						Config:    s.Config(test.after, arguments...),
						ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(
							"nobody owns, because the API server refuses", test.field)),
						Check: s.ExpectLive(test.target, map[string]any{test.field: story.Absent}),
					},
					s.Noop(s.Config(test.after, arguments...)),
				)
			})
		}
	}
}

// The other manager removes what is in the way itself, after the plan that shows it.
func TestObstacleGoneAfterPlan(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(s *story.Story){
		"the server refuses nothing any more": func(s *story.Story) {
			s.As("editor").Put(story.Web, setField(map[string]any{"type": "Recreate"}, "spec", "strategy"))
		},
		"another value": func(s *story.Story) {
			s.As("editor").Put(story.Web, setField("50%", "spec", "strategy", "rollingUpdate", "maxSurge"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{Config: s.Config(unionDeployment)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("editor").Put(story.Web, setField(map[string]any{"type": "RollingUpdate"}, "spec", "strategy"))
					}),
					Config: s.Config(unionDeployment),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("spec.strategy.rollingUpdate.maxSurge"),
						story.Meanwhile(func() { goes(s) })),
					Check: s.ExpectLive(story.Web, map[string]any{
						"spec.strategy.type": "Recreate", "spec.strategy.rollingUpdate": story.Absent,
					}),
				},
				s.Noop(s.Config(unionDeployment)),
			)
		})
	}
}

// The name of a definition follows from its values, so that no dry-run of a new one shows what the apply makes of it. The
// server gives the field that is in the way a name of its own.
func TestObstacleOfDefinition(t *testing.T) {
	s := story.New(t)
	const target = "apiextensions.k8s.io/v1 CustomResourceDefinition rafts.NS.example.org"
	s.Run(
		resource.TestStep{Config: s.Config(unionDefinition)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("editor").Put(target, setField(map[string]any{
					"strategy": "Webhook", "webhook": map[string]any{
						"conversionReviewVersions": []any{"v1"}, "clientConfig": map[string]any{"url": "https://127.0.0.1:1/x"},
					},
				}, "spec", "conversion"))
			}),
			Config: s.Config(unionDefinition),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(
				"spec.conversion.strategy", "spec.conversion.webhook.clientConfig.url", "https://127.0.0.1:1/x", `"editor"`)),
			Check: s.ExpectLive(target, map[string]any{
				"spec.conversion.strategy": "None", "spec.conversion.webhook": story.Absent,
			}),
		},
		s.Noop(s.Config(unionDefinition)),
	)
}

// An item whose key another manager changed stays beside ours if the server takes both. The plan says so, and the line
// that it prints removes the item.
func TestItemsUnderAnotherKey(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change            func(container, volume map[string]any)
		item, names, left string
	}{
		"a container": {
			func(container, _ map[string]any) { container["name"] = "nginx" },
			`spec.template.spec.containers[name="nginx"]`, "{.spec.template.spec.containers[*].name}", "app",
		},
		"a variable": {
			func(container, _ map[string]any) { container["env"].([]any)[0].(map[string]any)["name"] = "F" },
			`spec.template.spec.containers[name="app"].env[name="F"]`, "{.spec.template.spec.containers[0].env[*].name}", "E",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			removing := s.Config(unionDeployment, fmt.Sprintf("remove_fields = [%q]", test.item))
			s.Run(
				resource.TestStep{Config: s.Config(unionDeployment)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("editor").Put(story.Web, inPodTemplate(test.change)) }),
					Config:    s.Config(unionDeployment),
					ConfigPlanChecks: story.PlanChecks(
						s.ExpectWarning("List Item Added", "The list has "+test.item, "name it in remove_fields")),
				},
				s.Noop(s.Config(unionDeployment)),
				resource.TestStep{
					Config:           removing,
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(test.item, "removed", `owned by "editor"`)),
					Check:            s.ExpectJSONPath(story.Web, map[string]string{test.names: test.left}),
				},
				s.Noop(removing),
			)
		})
	}
}
