package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// content returns an object without what the API server and the Deployment controller keep track of.
func content(s *story.Story, target string) map[string]any {
	object := s.Live(target)
	annotations := object.GetAnnotations()
	delete(annotations, "deployment.kubernetes.io/revision")
	object.SetAnnotations(annotations)
	for _, field := range []string{"managedFields", "resourceVersion", "generation", "creationTimestamp"} {
		delete(object.Object["metadata"].(map[string]any), field)
	}
	delete(object.Object, "status")
	return object.Object
}

// addedShape is one shape of a field that a person adds to an object of ours.
type addedShape struct {
	target, body string
	write        func(s *story.Story)
	want         []string
	says         string
}

// roomy is a Deployment with everything that a person may add a part of.
const roomy = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {app: web}, annotations: {note: ours}}
spec:
  replicas: 1
  paused: true
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      volumes: [{name: scratch, emptyDir: {}}]
      containers:
      - name: app
        image: nginx:1.25
        ports: [{containerPort: 80, protocol: TCP}]
        env: [{name: MODE, value: live}]
        volumeMounts: [{name: scratch, mountPath: /scratch}]
`

// patchedPods returns a write by kubectl patch with a strategic merge patch of the pod template's spec.
func patchedPods(spec string) func(s *story.Story) {
	return func(s *story.Story) {
		s.As("kubectl-patch").StrategicPatch(story.Web, `{"spec":{"template":{"spec":`+spec+`}}}`)
	}
}

const byPatch = ", kubectl-patch (person: Update)"

// Each shape of field is one line and one entry, its removal leaves what was there before, and the plan after it is empty.
func TestAdditionsOfEachShape(t *testing.T) {
	t.Parallel()
	const pods, app = "spec.template.spec.", `spec.template.spec.containers[name="app"].`
	patch := func(target, text string) func(s *story.Story) {
		return func(s *story.Story) { s.As("kubectl-patch").Patch(s.Expand(target), text) }
	}
	for name, test := range map[string]addedShape{
		"a port, by two keys": {
			story.Web, roomy, patchedPods(`{"containers":[{"name":"app","ports":[{"containerPort":9090}]}]}`),
			[]string{app + `ports[containerPort=9090,protocol="TCP"]` + byPatch}, `9090`,
		},
		"a variable beside ours": {
			story.Web, roomy, patchedPods(`{"containers":[{"name":"app","env":[{"name":"LD_PRELOAD","value":"/x.so"}]}]}`),
			[]string{app + `env[name="LD_PRELOAD"]` + byPatch}, `/x.so`,
		},
		"a volume and its mount": {
			story.Web, roomy, patchedPods(`{"volumes":[{"name":"node","hostPath":{"path":"/"}}],"containers":[{"name":"app","volumeMounts":[{"name":"node","mountPath":"/node"}]}]}`),
			[]string{app + `volumeMounts[mountPath="/node"]` + byPatch, pods + `volumes[name="node"]` + byPatch}, `hostPath`,
		},
		"the arguments of a container, a list without keys": {
			story.Web, roomy, patchedPods(`{"containers":[{"name":"app","args":["-a","-b"]}]}`),
			[]string{app + "args" + byPatch}, `-a`,
		},
		"an affinity, with an atomic map in it": {
			story.Web, roomy, patchedPods(`{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"Exists"}]}]}}}}`),
			[]string{pods + "affinity" + byPatch}, `nodeSelectorTerms`,
		},
		"a toleration, an atomic list": {
			story.Web, roomy, patchedPods(`{"tolerations":[{"key":"a","operator":"Exists"}]}`),
			[]string{pods + "tolerations" + byPatch}, `Exists`,
		},
		"limits": {
			story.Web, roomy, patchedPods(`{"containers":[{"name":"app","resources":{"limits":{"cpu":"1"}}}]}`),
			[]string{app + "resources.limits" + byPatch}, `cpu`,
		},
		"the other member of a union, with its key": {
			story.Web, roomy, patch(story.Web, `{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}`),
			[]string{"spec.strategy.type" + byPatch}, `Recreate`,
		},
		"a security context of the pods, which was an empty map": {
			story.Web, roomy, patchedPods(`{"securityContext":{"runAsUser":0}}`),
			[]string{pods + "securityContext.runAsUser" + byPatch}, `"0"`,
		},
		"an entry of a map of ours": {
			story.Web, roomy, patch(story.Web, `{"metadata":{"annotations":{"theirs":"x"}},"spec":{"template":{"metadata":{"labels":{"zone":"a"}}}}}`),
			[]string{"metadata.annotations.theirs" + byPatch, "spec.template.metadata.labels.zone" + byPatch}, "theirs",
		},
		"labels and annotations as a whole": {
			story.KeptMap, story.ConfigMapIn("kept", "data: {a: '1'}"), patch(story.KeptMap, `{"metadata":{"labels":{"a":"x","b":"y"},"annotations":{"a":"x"}},"binaryData":{"b":"eA=="}}`),
			[]string{"binaryData" + byPatch, "metadata.annotations" + byPatch, "metadata.labels" + byPatch}, `{\"a\":\"x\",\"b\":\"y\"}`,
		},
		"a finalizer, a set": {
			story.KeptMap, story.ConfigMapIn("kept", "data: {a: '1'}"), patch(story.KeptMap, `{"metadata":{"finalizers":["example.com/hold"]}}`),
			[]string{"metadata.finalizers" + byPatch}, "example.com/hold",
		},
		"an empty map and an empty list": {
			story.Web, roomy, patchedPods(`{"containers":[{"name":"app","resources":{"limits":{}},"command":[]}]}`), nil, "",
		},
		"an entry of a Secret": {
			"v1 Secret kept", "{apiVersion: v1, kind: Secret, metadata: {name: kept, namespace: NS}, stringData: {a: '1'}}",
			patch("v1 Secret kept", `{"stringData":{"token":"very-secret"}}`), []string{"data.token" + byPatch}, "(sensitive",
		},
		"the TLS of an Ingress and its class": {
			"networking.k8s.io/v1 Ingress web", "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web, namespace: NS}, spec: {defaultBackend: {service: {name: a, port: {number: 80}}}}}",
			patch("networking.k8s.io/v1 Ingress web", `{"spec":{"ingressClassName":"x","rules":[{"host":"a.b","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"b","port":{"number":80}}}}]}}],"tls":[{"hosts":["a.b"]}]}}`),
			[]string{"spec.ingressClassName" + byPatch, "spec.rules" + byPatch, "spec.tls" + byPatch}, `spec.tls: "[{\"hosts\":[\"a.b\"]}]"`,
		},
		"a port of a Service": {
			"v1 Service web", "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {selector: {app: web}, ports: [{name: a, port: 80}]}}",
			func(s *story.Story) {
				s.As("kubectl-patch").StrategicPatch("v1 Service web", `{"spec":{"ports":[{"name":"b","port":81}]}}`)
			},
			[]string{`spec.ports[port=81,protocol="TCP"]` + byPatch}, "81",
		},
		"a port of a Service, of another protocol": {
			"v1 Service web", "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {selector: {app: web}, ports: [{name: a, port: 80}]}}",
			func(s *story.Story) {
				s.As("kubectl-patch").JSONPatch("v1 Service web", `[{"op":"add","path":"/spec/ports/-","value":{"name":"b","port":80,"protocol":"UDP"}}]`)
			},
			[]string{`spec.ports[port=80,protocol="UDP"]` + byPatch}, "UDP",
		},
		"a port range of an atomic rule": {
			"networking.k8s.io/v1 NetworkPolicy web", "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: web, namespace: NS}, spec: {podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress]}}",
			patch("networking.k8s.io/v1 NetworkPolicy web", `{"spec":{"ingress":[{}]}}`), []string{"spec.ingress" + byPatch}, "[{}]",
		},
	} {
		t.Run(name, func(t *testing.T) { playShape(story.New(t), test) })
	}
}

// The same for the schemas of custom resources.
func TestAdditionsOfEachShapeOfACustomResource(t *testing.T) {
	t.Parallel()
	body := story.Gadget("size: 1, colours: [red], steps: [a], routes: [{host: a, port: 1}], limits: {a: '1'}, free: {ours: {a: 1}}, nest: {x: {b: 1}}")
	for name, test := range map[string]addedShape{
		"a member of a set":          {write: gadgetPatch(`{"spec":{"colours":["red","blue"]}}`), want: []string{`spec.colours[="blue"]` + byPatch}, says: `"blue"`},
		"a set":                      {write: gadgetPatch(`{"spec":{"ports":[1,2]}}`), want: []string{"spec.ports" + byPatch}, says: "[1,2]"},
		"an item of a list map":      {write: gadgetPatch(`{"spec":{"routes":[{"host":"a","port":1},{"host":"b"}]}}`), want: []string{`spec.routes[host="b",port=80]` + byPatch}, says: `\"b\"`},
		"a part of an item of ours":  {write: gadgetPatch(`{"spec":{"routes":[{"host":"a","port":1,"weight":3}]}}`), want: []string{`spec.routes[host="a",port=1].weight` + byPatch}, says: `"3"`},
		"what the schema leaves out": {write: gadgetPatch(`{"spec":{"free":{"theirs":{"a":[1,{"b":2}],"c":{"d":1}},"ours":{"z":1}}}}`), want: []string{"spec.free.ours.z" + byPatch, "spec.free.theirs" + byPatch}, says: `\"d\":1`},
		"an entry of a map of maps":  {write: gadgetPatch(`{"spec":{"nest":{"y":{"b":2},"x":{"b":1}}}}`), want: []string{"spec.nest.y" + byPatch}, says: `\"b\":2`},
		"a null":                     {write: gadgetPatch(`{"spec":{"note":null}}`)},
		"numbers":                    {write: gadgetPatch(`{"spec":{"ratio":0.5,"sizes":[9007199254740993]}}`), want: []string{"spec.ratio" + byPatch, "spec.sizes" + byPatch}, says: "9007199254740993"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			test.target, test.body = s.GadgetTarget(), body
			playShape(s, test)
		})
	}
}

func gadgetPatch(patch string) func(s *story.Story) {
	return func(s *story.Story) { s.As("kubectl-patch").Patch(s.GadgetTarget(), patch) }
}

// playShape applies, lets a person add, reports, and removes.
func playShape(s *story.Story, test addedShape) {
	s.Provider.TakesAdditions = true
	var before map[string]any
	told, removed := s.ExpectNoWarning(), s.ExpectNoWarning()
	if test.says != "" {
		told, removed = s.ExpectOnlyWarning("Fields Added by Others", test.says), s.ExpectOnlyWarning("the apply removes", "To keep ")
	}
	s.Run(
		resource.TestStep{Config: s.Config(test.body), Check: func(*terraform.State) error {
			before = content(s, test.target)
			return nil
		}},
		resource.TestStep{
			PreConfig: s.NextStep(func() { test.write(s) }), Config: s.Config(test.body),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress, test.want...), told),
		},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(test.body, `on_addition = "remove"`),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress), removed),
			Check: story.LiveChecks(s.ExpectNotOverwritten(), func(*terraform.State) error {
				if diff := cmp.Diff(before, content(s, test.target)); diff != "" {
					return fmt.Errorf("%s after the removal (-before the write +now):\n%s", strings.Fields(test.target)[1], diff)
				}
				return nil
			}),
		},
	)
}
