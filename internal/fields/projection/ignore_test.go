package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// deployment is a body, and deploymentFields what the server knows it by: args is atomic, the colours are
// a set, and the protocol of a port is a key that the body leaves to its default.
const (
	deployment = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: {app.kubernetes.io/name: web, tier: front}
spec:
  replicas: 3
  colours: [red, blue]
  selector: {matchLabels: {app: web}}
  containers:
  - name: app
    image: nginx
    args: [a, b]
    ports:
    - {containerPort: 80, hostPort: 8080}
    - {containerPort: 80, protocol: UDP, hostPort: 8081}
  - {name: side, image: envoy}
`
	deploymentFields = `{
  "f:metadata":{"f:labels":{"f:app.kubernetes.io/name":{},"f:tier":{}}},
  "f:spec":{"f:replicas":{},"f:colours":{"v:\"red\"":{},"v:\"blue\"":{}},"f:selector":{},
    "f:containers":{
      "k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{},"f:args":{},"f:ports":{
        "k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:hostPort":{}},
        "k:{\"containerPort\":80,\"protocol\":\"UDP\"}":{".":{},"f:containerPort":{},"f:protocol":{},"f:hostPort":{}}}},
      "k:{\"name\":\"side\"}":{".":{},"f:name":{},"f:image":{}}}}}`
)

type splitTest struct {
	ignore []string
	// without are the lines that the patterns take out of the body, as a transformation of it.
	without func(body map[string]any)
	matched []int
	// notIgnorable are the fields that cannot be released alone; texts writes each as "pattern why whole".
	notIgnorable []NotIgnorable
}

func inner(from any, steps ...any) map[string]any {
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			from = from.(map[string]any)[step]
		case int:
			from = from.([]any)[step]
		}
	}
	return from.(map[string]any)
}

func drop(name string, steps ...any) func(map[string]any) {
	return func(body map[string]any) { delete(inner(body, steps...), name) }
}

func dropItem(index int, name string, steps ...any) func(map[string]any) {
	return func(body map[string]any) {
		in := inner(body, steps...)
		list := in[name].([]any)
		in[name] = append(append([]any{}, list[:index]...), list[index+1:]...)
	}
}

func nothing(map[string]any) {}

func TestSplitBody(t *testing.T) {
	t.Parallel()
	app := paths.Path{paths.Field("spec"), paths.Field("containers"), paths.Key(map[string]any{"name": "app"})}
	tcp := append(app.Copy(), paths.Field("ports"), paths.Key(map[string]any{"containerPort": 80, "protocol": "TCP"}))
	tests := map[string]splitTest{
		"no patterns":                {without: nothing},
		"a pattern without a match":  {ignore: []string{"spec.paused"}, without: nothing},
		"a field":                    {ignore: []string{"spec.replicas"}, without: drop("replicas", "spec"), matched: []int{0}},
		"a map with all its members": {ignore: []string{"metadata.labels"}, without: drop("labels", "metadata"), matched: []int{0}},
		"a dotted key in quotes":     {ignore: []string{`metadata.labels["app.kubernetes.io/name"]`}, without: drop("app.kubernetes.io/name", "metadata", "labels"), matched: []int{0}},
		"a dotted key":               {ignore: []string{"metadata.labels.app.kubernetes.io/name"}, without: drop("app.kubernetes.io/name", "metadata", "labels"), matched: []int{0}},
		"a map that loses all its members goes": {
			ignore: []string{"metadata.labels.tier", "metadata.labels[*]"}, without: drop("labels", "metadata"), matched: []int{0, 1},
		},
		"a field of an item by its key":     {ignore: []string{`spec.containers[name="app"].image`}, without: drop("image", "spec", "containers", 0), matched: []int{0}},
		"a field of an item without quotes": {ignore: []string{"spec.containers[name=app].image"}, without: drop("image", "spec", "containers", 0), matched: []int{0}},
		"a field of an item as JSON":        {ignore: []string{`spec.containers[{"name":"app"}].image`}, without: drop("image", "spec", "containers", 0), matched: []int{0}},
		"a field of an item by position":    {ignore: []string{"spec.containers[1].image"}, without: drop("image", "spec", "containers", 1), matched: []int{0}},
		"a field of every item": {
			ignore: []string{"spec.containers[*].image"}, matched: []int{0},
			without: func(body map[string]any) {
				drop("image", "spec", "containers", 0)(body)
				drop("image", "spec", "containers", 1)(body)
			},
		},
		"an item with its keys": {ignore: []string{"spec.containers[name=side]"}, without: dropItem(1, "containers", "spec"), matched: []int{0}},
		"a list that loses all its items goes": {
			ignore: []string{"spec.containers[name=app]", "spec.containers[1]"}, without: drop("containers", "spec"), matched: []int{0, 1},
		},
		"a member of a set":         {ignore: []string{`spec.colours[="red"]`}, without: dropItem(0, "colours", "spec"), matched: []int{0}},
		"a member of a set as JSON": {ignore: []string{`spec.colours[=="blue"]`}, without: dropItem(1, "colours", "spec"), matched: []int{0}},
		"an atomic list as a whole": {ignore: []string{"spec.containers[name=app].args"}, without: drop("args", "spec", "containers", 0), matched: []int{0}},
		"an atomic map as a whole":  {ignore: []string{"spec.selector"}, without: drop("selector", "spec"), matched: []int{0}},
		"a key that is defaulted":   {ignore: []string{`spec.containers[name=app].ports[containerPort=80,protocol="TCP"].hostPort`}, without: drop("hostPort", "spec", "containers", 0, "ports", 0), matched: []int{0}},
		"a key that is written out": {ignore: []string{`spec.containers[name=app].ports[containerPort=80,protocol="UDP"].hostPort`}, without: drop("hostPort", "spec", "containers", 0, "ports", 1), matched: []int{0}},
		"patterns in no order":      {ignore: []string{"spec.paused", "spec.replicas", "spec.colours"}, matched: []int{1, 2}, without: func(body map[string]any) { drop("replicas", "spec")(body); drop("colours", "spec")(body) }},
		"the whole of metadata leaves the identity": {
			ignore: []string{"metadata"}, without: drop("labels", "metadata"), matched: []int{0},
		},
		"everything leaves the identity": {
			ignore: []string{"[*]"}, matched: []int{0},
			without: func(body map[string]any) { delete(body, "spec"); drop("labels", "metadata")(body) },
		},
		"the identity itself stays": {
			ignore: []string{"apiVersion", "kind", "metadata.name", "metadata.namespace"}, without: nothing, matched: []int{0, 1, 2, 3},
		},
		"a part of an atomic list cannot go alone": {
			ignore: []string{"spec.containers[name=app].args[1]"}, without: dropItem(1, "args", "spec", "containers", 0), matched: []int{0},
			notIgnorable: []NotIgnorable{{Whole: append(app.Copy(), paths.Field("args")), Why: Atomic}},
		},
		"a part of an atomic map cannot go alone": {
			ignore: []string{"spec.replicas", "spec.selector.matchLabels.app"}, matched: []int{0, 1},
			without:      func(body map[string]any) { drop("replicas", "spec")(body); drop("selector", "spec")(body) },
			notIgnorable: []NotIgnorable{{Pattern: 1, Whole: paths.Path{paths.Field("spec"), paths.Field("selector")}, Why: Atomic}},
		},
		"a key of an item cannot go alone": {
			ignore: []string{"spec.containers[name=app].ports[0].containerPort"}, matched: []int{0},
			without:      drop("containerPort", "spec", "containers", 0, "ports", 0),
			notIgnorable: []NotIgnorable{{Whole: tcp, Why: ItemKey}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, known, want := clustertest.Object(t, deployment), clustertest.Fields(t, deploymentFields), clustertest.Object(t, deployment)
			clustertest.Frozen(t, body)
			tt.without(want)
			split := SplitBody(body, patterns(t, tt.ignore...), known, nil)
			if diff := cmp.Diff(want, split.Body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.matched, split.Matched); diff != "" {
				t.Errorf("matched (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(texts(tt.notIgnorable), texts(split.NotIgnorable)); diff != "" {
				t.Errorf("inseparable (-want +got):\n%s", diff)
			}
		})
	}
}

func texts(problems []NotIgnorable) []string {
	var lines []string
	for _, problem := range problems {
		lines = append(lines, string(rune('0'+problem.Pattern))+" "+string(problem.Why)+" "+paths.Format(problem.Whole))
	}
	return lines
}

// TestSplitBodyOfAnUnknownObject checks that patterns match by what the body says if no server has reported the object
// yet.
func TestSplitBodyOfAnUnknownObject(t *testing.T) {
	t.Parallel()
	body, want := clustertest.Object(t, deployment), clustertest.Object(t, deployment)
	clustertest.Frozen(t, body)
	drop("image", "spec", "containers", 0)(want)
	drop("replicas", "spec")(want)
	drop("hostPort", "spec", "containers", 0, "ports", 1)(want)
	split := SplitBody(body, patterns(t, "spec.containers[name=app].image", "spec.replicas",
		`spec.containers[0].ports[protocol="UDP"].hostPort`), nil, nil)
	if diff := cmp.Diff(want, split.Body); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	if len(split.NotIgnorable) > 0 {
		t.Errorf("inseparable: %v", texts(split.NotIgnorable))
	}
}

// A port that leaves its protocol to the default is not the port of another protocol, known or new.
func TestSplitBodyKnowsDefaultKeys(t *testing.T) {
	t.Parallel()
	const udp, sctp, tcp = `"k:{\"port\":443,\"protocol\":\"UDP\"}":{".":{}}`, `"k:{\"port\":443,\"protocol\":\"SCTP\"}":{".":{}}`, `"k:{\"port\":443,\"protocol\":\"TCP\"}":{".":{}}`
	body := clustertest.Object(t, "apiVersion: v1\nspec: {ports: [{name: https, port: 443}]}")
	for name, fields := range map[string]string{
		"no port": "", "another": udp, "one before": sctp + "," + tcp, "one after": tcp + "," + udp,
	} {
		known := clustertest.Fields(t, `{"f:spec":{"f:ports":{`+fields+`}}}`)
		keys := DefaultKeys{}.Assuming(body)
		ignore := patterns(t, `spec.ports[port=443,protocol="UDP"]`, `spec.ports[port=443,protocol="SCTP"].name`)
		if split := SplitBody(body, ignore, known, keys); len(split.Matched) > 0 {
			t.Errorf("%s: %v matched", name, split.Matched)
		}
		own := patterns(t, `spec.ports[port=443,protocol="TCP"].name`)
		if split := SplitBody(body, own, known, keys); len(split.Matched) != 1 {
			t.Errorf("%s: TCP did not match", name)
		}
	}
}

// A selector by a field that is no key selects neither a known item nor a new one.
func TestSplitBodyBySelectorThatIsNoKey(t *testing.T) {
	t.Parallel()
	body := clustertest.Object(t, "spec: {ports: [{name: a, port: 80, nodePort: 1}, {name: b, port: 81, nodePort: 2}]}")
	known := clustertest.Fields(t, `{"f:spec":{"f:ports":{"k:{\"port\":80}":{".":{},"f:port":{},"f:name":{},"f:nodePort":{}}}}}`)
	split := SplitBody(body, patterns(t, `spec.ports[name="a"].nodePort`, `spec.ports[name="b"].nodePort`, "spec.ports[port=81].nodePort"), known, nil)
	if diff := cmp.Diff([]int{2}, split.Matched); diff != "" {
		t.Errorf("matched (-want +got):\n%s", diff)
	}
}

// TestSplitBodyReportsInOrder checks that NotIgnorable has the same order each time: the user reads the first one, and
// Terraform plans twice.
func TestSplitBodyReportsInOrder(t *testing.T) {
	t.Parallel()
	want := []string{
		`2 Atomic spec.containers[name="app"].args`,
		`3 ItemKey spec.containers[name="app"]`,
		`1 ItemKey spec.containers[name="app"].ports[containerPort=80,protocol="UDP"]`,
		`0 Atomic spec.selector`,
	}
	ignore := patterns(t, "spec.selector.matchLabels.app", "spec.containers[0].ports[1].protocol",
		"spec.containers[0].args[0]", "spec.containers[0].name")
	for range 20 {
		split := SplitBody(clustertest.Object(t, deployment), ignore, clustertest.Fields(t, deploymentFields), nil)
		if diff := cmp.Diff(want, texts(split.NotIgnorable)); diff != "" {
			t.Fatalf("inseparable (-want +got):\n%s", diff)
		}
	}
}

func TestCovered(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		ignore  []string
		want    string
		matched []int
	}{
		"no patterns":                {want: `{}`},
		"a pattern without a match":  {ignore: []string{"spec.paused"}, want: `{}`},
		"a field":                    {ignore: []string{"spec.paused", "spec.replicas"}, want: `{"f:spec":{"f:replicas":{}}}`, matched: []int{1}},
		"everything below":           {ignore: []string{"spec.containers[name=side]"}, want: `{"f:spec":{"f:containers":{"k:{\"name\":\"side\"}":{".":{},"f:name":{},"f:image":{}}}}}`, matched: []int{0}},
		"an item by position":        {ignore: []string{"spec.containers[1].image"}, want: `{"f:spec":{"f:containers":{"k:{\"name\":\"side\"}":{"f:image":{}}}}}`, matched: []int{0}},
		"a port that has a default":  {ignore: []string{"spec.containers[0].ports[0].hostPort"}, want: `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{"f:hostPort":{}}}}}}}`, matched: []int{0}},
		"the port that has none":     {ignore: []string{"spec.containers[0].ports[1].hostPort"}, want: `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"UDP\"}":{"f:hostPort":{}}}}}}}`, matched: []int{0}},
		"a set member":               {ignore: []string{"spec.colours[=red]"}, want: `{"f:spec":{"f:colours":{"v:\"red\"":{}}}}`, matched: []int{0}},
		"every label":                {ignore: []string{"metadata.labels[*]"}, want: `{"f:metadata":{"f:labels":{"f:app.kubernetes.io/name":{},"f:tier":{}}}}`, matched: []int{0}},
		"two patterns for one field": {ignore: []string{"spec.replicas", "[*].replicas"}, want: `{"f:spec":{"f:replicas":{}}}`, matched: []int{0, 1}},
		"a part of an atomic list":   {ignore: []string{"spec.containers[name=app].args[0]"}, want: `{}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, matched := Covered(clustertest.Fields(t, deploymentFields), patterns(t, tt.ignore...), clustertest.Object(t, deployment))
			if want := clustertest.Fields(t, tt.want); !got.Equals(want) {
				t.Errorf("covered %s, want %s", got, want)
			}
			if diff := cmp.Diff(tt.matched, matched); diff != "" {
				t.Errorf("matched (-want +got):\n%s", diff)
			}
		})
	}
}
