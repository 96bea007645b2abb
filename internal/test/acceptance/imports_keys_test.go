package acceptance_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	dns   = "v1 Service dns"
	dnsID = "apiVersion=v1,kind=Service,namespace=NS,name=dns"

	dnsService = `
apiVersion: v1
kind: Service
metadata: {name: dns, namespace: NS}
spec:
  selector: {app: dns}
  ports: [{name: dns-tcp, port: 53}]
`
	addUDP = `[{"op": "add", "path": "/spec/ports/-", "value": {"name": "dns-udp", "port": 53, "protocol": "UDP"}}]`

	// resolver is a Deployment with list items of every kind that has keys.
	resolver = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      volumes: [{name: tmp, emptyDir: {}}]
      topologySpreadConstraints:
      - {topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, maxSkew: 1}
      - {topologyKey: zone, whenUnsatisfiable: DoNotSchedule, maxSkew: 2}
      containers:
      - name: app
        image: nginx:1.25
        env: [{name: MODE, value: fast}]
        volumeMounts: [{name: tmp, mountPath: /tmp}]
        ports: [{containerPort: 53}, {containerPort: 53, protocol: UDP}]
`
)

// generated is an object with the manifest that an import writes for it.
type generated struct {
	make       func(*story.Story)
	target, id string
	want       string
}

// An import writes every key of a list item, whoever owns it and whatever its default is: without it the item
// is another one, or none. The first plan of what was generated changes no value.
func TestGeneratedItemsHaveTheirKeys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]generated{
		"the port that kubectl apply leaves to the default, beside one of somebody else": {
			make: func(s *story.Story) {
				s.As("kubectl-client-side-apply").ApplyClientSide(dnsService)
				s.As("kubectl-patch").JSONPatch(dns, addUDP)
			},
			target: dns, id: dnsID,
			want: strings.Replace(dnsService, "port: 53", "port: 53, protocol: TCP", 1),
		},
		"the same where the server does not take what kubectl applied any more": {
			make: func(s *story.Story) {
				s.As("kubectl-client-side-apply").ApplyClientSide(dnsService)
				s.As("kubectl-patch").JSONPatch(dns, addUDP)
				s.As("kubectl-client-side-apply").Patch(dns, `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":`+
					`"{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"spec\":{\"gone\":1,\"selector\":{\"app\":\"dns\"},\"ports\":[{\"name\":\"dns-tcp\",\"port\":53}]}}"}}}`)
			},
			target: dns, id: dnsID,
			want: strings.Replace(dnsService, "port: 53}", "port: 53, protocol: TCP}, {name: dns-udp, port: 53, protocol: UDP}", 1),
		},
		"the same without names, that of somebody else first": {
			make: func(s *story.Story) {
				s.As("kubectl-client-side-apply").ApplyClientSide(pod("{containerPort: 53}"))
				s.As("kubectl-patch").JSONPatch(story.Web, `[{"op": "add", "path": "/spec/template/spec/containers/0/ports/0", "value": {"containerPort": 53, "protocol": "UDP"}}]`)
			},
			target: story.Web, id: story.WebID,
			want: pod("{containerPort: 53, protocol: TCP}"),
		},
		"a Service of kubectl create": {
			make: func(s *story.Story) {
				s.As("kubectl-create").Create(dnsService)
				s.As("kubectl-edit").JSONPatch(dns, addUDP)
			},
			target: dns, id: dnsID,
			want: strings.Replace(dnsService, "port: 53}", "port: 53, protocol: TCP}, {name: dns-udp, port: 53, protocol: UDP}", 1),
		},
		"items of lists in items, of kubectl create": {
			make:   func(s *story.Story) { s.As("kubectl-create").Create(resolver) },
			target: story.Web, id: story.WebID,
			want: strings.NewReplacer("53}", "53, protocol: TCP}", ", emptyDir: {}", "").Replace(resolver),
		},
		"a container of which somebody owns the image alone": {
			make: func(s *story.Story) {
				s.As("kubectl-client-side-apply").ApplyClientSide(resolver)
				ownItems(s, story.Web, "apps/v1", `{"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:image":{}}}}}}}`)
			},
			target: story.Web, id: story.WebID,
			want: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {replicas: 0,
				template: {spec: {containers: [{name: app, image: "nginx:1.25"}]}}}}`,
		},
		"items of which somebody owns no key": {
			make: func(s *story.Story) {
				s.As("kubectl-create").Create(resolver)
				ownItems(s, story.Web, "apps/v1", `{"f:spec":{"f:template":{"f:spec":{
					"f:topologySpreadConstraints":{"k:{\"topologyKey\":\"zone\",\"whenUnsatisfiable\":\"DoNotSchedule\"}":{"f:maxSkew":{}}},
					"f:containers":{"k:{\"name\":\"app\"}":{
						"f:env":{"k:{\"name\":\"MODE\"}":{"f:value":{}}},
						"f:volumeMounts":{"k:{\"mountPath\":\"/tmp\"}":{"f:name":{}}},
						"f:ports":{"k:{\"containerPort\":53,\"protocol\":\"UDP\"}":{"f:containerPort":{}},"k:{\"containerPort\":53,\"protocol\":\"TCP\"}":{"f:protocol":{}}}
					}}
				}}}}`)
			},
			target: story.Web, id: story.WebID,
			want: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {template: {spec: {
				topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule, maxSkew: 2}],
				containers: [{name: app, env: [{name: MODE, value: fast}], volumeMounts: [{name: tmp, mountPath: /tmp}],
					ports: [{containerPort: 53, protocol: TCP}, {containerPort: 53, protocol: UDP}]}]}}}}`,
		},
		"items and members of a custom resource": {
			make: func(s *story.Story) {
				s.InstallGadgets()
				s.As("kubectl-create").Create(story.Gadget("colours: [red, blue], routes: [{host: a}, {host: a, port: 81, weight: 2}, {host: b, weight: 3}]"))
				ownItems(s, "NS.example.com/v1 Gadget one", "NS.example.com/v1", `{"f:spec":{"f:colours":{"v:\"blue\"":{}},"f:routes":{
					"k:{\"host\":\"a\",\"port\":80}":{"f:host":{}},"k:{\"host\":\"a\",\"port\":81}":{"f:weight":{}},"k:{\"host\":\"b\",\"port\":80}":{"f:weight":{}}}}}`)
			},
			target: "NS.example.com/v1 Gadget one", id: "apiVersion=NS.example.com/v1,kind=Gadget,namespace=NS,name=one",
			want: story.Gadget("colours: [blue], routes: [{host: a, port: 80}, {host: a, port: 81, weight: 2}, {host: b, port: 80, weight: 3}]"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			test.check(t, func(s *story.Story) plancheck.PlanCheck { return s.ExpectPrediction(test.want) })
		})
	}
}

// check imports the object with a generated configuration. Its first plan changes no value, its second one nothing.
func (g generated) check(t *testing.T, further ...func(*story.Story) plancheck.PlanCheck) {
	s := story.New(t)
	g.make(s)
	before := s.Live(g.target).Object["spec"]
	w := s.HostedWorkspace()
	w.Generate(g.id)
	s.CompareGenerated(w, g.want)

	w.Do("plan", "-out=first")
	w.ExpectSaved("first", plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), story.ExpectOnly(story.ManagedState))
	for _, check := range further {
		w.ExpectSaved("first", check(s))
	}
	w.Do("apply", "first")
	if diff := cmp.Diff(before, s.Live(g.target).Object["spec"]); diff != "" {
		t.Errorf("the spec after the import (-before +after):\n%s", diff)
	}
	w.Do("plan", "-out=second")
	w.ExpectSaved("second", plancheck.ExpectEmptyPlan())
}

// pod returns a Deployment of one container with these ports.
func pod(ports string) string {
	return strings.Replace(story.Deployment, `"nginx:1.25"`, `"nginx:1.25", ports: [`+ports+"]", 1)
}

// ownItems makes kubectl-set the one manager of an object, with these fields: all others are released.
func ownItems(s *story.Story, target, apiVersion, fields string) {
	s.T.Helper()
	s.As("kubectl-set").JSONPatch(target, `[{"op": "replace", "path": "/metadata/managedFields", "value": [{"manager": "kubectl-set", `+
		`"operation": "Update", "apiVersion": "`+apiVersion+`", "time": "2024-05-01T12:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": `+fields+`}]}]`)
}
