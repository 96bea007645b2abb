package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
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
	make       func(*story)
	target, id string
	want       string
}

// An import writes every key of a list item, whoever owns it and whatever its default is: without it the item
// is another one, or none. The first plan of what was generated changes no value.
func TestGeneratedItemsHaveTheirKeys(t *testing.T) {
	for name, test := range map[string]generated{
		"the port that kubectl apply leaves to the default, beside one of somebody else": {
			make: func(s *story) {
				s.as("kubectl-client-side-apply").applyClientSide(dnsService)
				s.as("kubectl-patch").jsonPatch(dns, addUDP)
			},
			target: dns, id: dnsID,
			want: strings.Replace(dnsService, "port: 53", "port: 53, protocol: TCP", 1),
		},
		"the same where the server does not take what kubectl applied any more": {
			make: func(s *story) {
				s.as("kubectl-client-side-apply").applyClientSide(dnsService)
				s.as("kubectl-patch").jsonPatch(dns, addUDP)
				s.as("kubectl-client-side-apply").patch(dns, `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":`+
					`"{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"spec\":{\"gone\":1,\"selector\":{\"app\":\"dns\"},\"ports\":[{\"name\":\"dns-tcp\",\"port\":53}]}}"}}}`)
			},
			target: dns, id: dnsID,
			want: strings.Replace(dnsService, "port: 53}", "port: 53, protocol: TCP}, {name: dns-udp, port: 53, protocol: UDP}", 1),
		},
		"the same without names, that of somebody else first": {
			make: func(s *story) {
				s.as("kubectl-client-side-apply").applyClientSide(pod("{containerPort: 53}"))
				s.as("kubectl-patch").jsonPatch(web, `[{"op": "add", "path": "/spec/template/spec/containers/0/ports/0", "value": {"containerPort": 53, "protocol": "UDP"}}]`)
			},
			target: web, id: webID,
			want: pod("{containerPort: 53, protocol: TCP}"),
		},
		"a Service of kubectl create": {
			make:   func(s *story) { s.as("kubectl-create").create(dnsService); s.as("kubectl-edit").jsonPatch(dns, addUDP) },
			target: dns, id: dnsID,
			want: strings.Replace(dnsService, "port: 53}", "port: 53, protocol: TCP}, {name: dns-udp, port: 53, protocol: UDP}", 1),
		},
		"items of lists in items, of kubectl create": {
			make:   func(s *story) { s.as("kubectl-create").create(resolver) },
			target: web, id: webID,
			want: strings.NewReplacer("53}", "53, protocol: TCP}", ", emptyDir: {}", "").Replace(resolver),
		},
		"a container of which somebody owns the image alone": {
			make: func(s *story) {
				s.as("kubectl-client-side-apply").applyClientSide(resolver)
				ownItems(s, web, "apps/v1", `{"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:image":{}}}}}}}`)
			},
			target: web, id: webID,
			want: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {replicas: 0,
				template: {spec: {containers: [{name: app, image: "nginx:1.25"}]}}}}`,
		},
		"items of which somebody owns no key": {
			make: func(s *story) {
				s.as("kubectl-create").create(resolver)
				ownItems(s, web, "apps/v1", `{"f:spec":{"f:template":{"f:spec":{
					"f:topologySpreadConstraints":{"k:{\"topologyKey\":\"zone\",\"whenUnsatisfiable\":\"DoNotSchedule\"}":{"f:maxSkew":{}}},
					"f:containers":{"k:{\"name\":\"app\"}":{
						"f:env":{"k:{\"name\":\"MODE\"}":{"f:value":{}}},
						"f:volumeMounts":{"k:{\"mountPath\":\"/tmp\"}":{"f:name":{}}},
						"f:ports":{"k:{\"containerPort\":53,\"protocol\":\"UDP\"}":{"f:containerPort":{}},"k:{\"containerPort\":53,\"protocol\":\"TCP\"}":{"f:protocol":{}}}
					}}
				}}}}`)
			},
			target: web, id: webID,
			want: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {template: {spec: {
				topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule, maxSkew: 2}],
				containers: [{name: app, env: [{name: MODE, value: fast}], volumeMounts: [{name: tmp, mountPath: /tmp}],
					ports: [{containerPort: 53, protocol: TCP}, {containerPort: 53, protocol: UDP}]}]}}}}`,
		},
		"items and members of a custom resource": {
			make: func(s *story) {
				s.installGadgets()
				s.as("kubectl-create").create(gadget("colours: [red, blue], routes: [{host: a}, {host: a, port: 81, weight: 2}, {host: b, weight: 3}]"))
				ownItems(s, "NS.example.com/v1 Gadget one", "NS.example.com/v1", `{"f:spec":{"f:colours":{"v:\"blue\"":{}},"f:routes":{
					"k:{\"host\":\"a\",\"port\":80}":{"f:host":{}},"k:{\"host\":\"a\",\"port\":81}":{"f:weight":{}},"k:{\"host\":\"b\",\"port\":80}":{"f:weight":{}}}}}`)
			},
			target: "NS.example.com/v1 Gadget one", id: "apiVersion=NS.example.com/v1,kind=Gadget,namespace=NS,name=one",
			want: gadget("colours: [blue], routes: [{host: a, port: 80}, {host: a, port: 81, weight: 2}, {host: b, port: 80, weight: 3}]"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			test.make(s)
			before := s.live(test.target).Object["spec"]
			w := s.workspace()
			w.configure(s.importBlock(test.id))
			w.do("plan", "-generate-config-out=generated.tf")
			s.compareGenerated(w, test.want)

			w.do("plan", "-out=first")
			w.expectSaved("first", plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate), expectOnly(managedState), s.expectPrediction(test.want))
			w.do("apply", "first")
			if diff := cmp.Diff(before, s.live(test.target).Object["spec"]); diff != "" {
				t.Errorf("the spec after the import (-before +after):\n%s", diff)
			}
			w.do("plan", "-out=second")
			w.expectSaved("second", plancheck.ExpectEmptyPlan())
		})
	}
}

// pod returns a Deployment of one container with these ports.
func pod(ports string) string {
	return strings.Replace(deployment, `"nginx:1.25"`, `"nginx:1.25", ports: [`+ports+"]", 1)
}

// ownItems makes kubectl-set the one manager of an object, with these fields: all others are released.
func ownItems(s *story, target, apiVersion, fields string) {
	s.t.Helper()
	s.as("kubectl-set").jsonPatch(target, `[{"op": "replace", "path": "/metadata/managedFields", "value": [{"manager": "kubectl-set", `+
		`"operation": "Update", "apiVersion": "`+apiVersion+`", "time": "2024-05-01T12:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": `+fields+`}]}]`)
}
