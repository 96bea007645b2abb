package setresource

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// setOf returns a set of ConfigMaps, by their keys.
func setOf(names map[string]string) *set {
	entries, kinds := map[string]attr.Value{}, map[string]attr.Type{}
	for key, name := range names {
		kinds[key] = types.StringType
		entries[key] = types.StringValue("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: shop}\n")
	}
	return &set{Manifests: types.DynamicValue(types.ObjectValueMust(kinds, entries)), Shared: model.Shared{FieldManager: types.StringValue("us")}}
}

func storedAs(names map[string]string) map[string]stored {
	objects := map[string]stored{}
	for key, name := range names {
		objects[key] = stored{Object: "apiVersion=v1,kind=ConfigMap,namespace=shop,name=" + name, UID: "uid of " + name}
	}
	return objects
}

// After an apply that fails, each manifest stands where it stood, whatever the attributes have become.
func TestWithEntries(t *testing.T) {
	t.Parallel()
	text := types.StringValue("{}")
	object := types.ObjectValueMust(map[string]attr.Type{"a": types.StringType}, map[string]attr.Value{"a": text})
	texts := set{Manifests: types.DynamicValue(types.MapValueMust(types.StringType, map[string]attr.Value{"one": text}))}
	got := texts.withEntries(map[string]entry{"two": {text, false}, "login": {object, true}})
	if _, isMap := got.Manifests.UnderlyingValue().(types.Map); !isMap {
		t.Errorf("a map has become %s", got.Manifests)
	}
	entries, known := got.entries()
	if login := entries["login"]; !known || len(entries) != 2 || !login.isSecret || !login.manifest.Equal(object) {
		t.Errorf("the entries are %v", entries)
	}
	if mixed, _ := texts.withEntries(map[string]entry{"one": {text, false}, "two": {object, false}}).entries(); len(mixed) != 2 {
		t.Errorf("a map of texts with an object is %v", mixed)
	}
	if none := texts.withEntries(nil); !none.SecretManifests.IsNull() {
		t.Errorf("secret_manifests without a manifest is %s", none.SecretManifests)
	}
}

// An APIService of a group that kube-apiserver serves itself holds up nothing, and not itself.
func TestAPIServicesOfBuiltInGroups(t *testing.T) {
	t.Parallel()
	service := func(name string) *member {
		return &member{stage: apiServicesStage, fixed: manifest.Identity{APIVersion: "apiregistration.k8s.io/v1", Kind: "APIService", Name: name}}
	}
	berth := &member{fixed: manifest.Identity{APIVersion: "harbour.example.com/v1", Kind: "Berth", Namespace: "shop", Name: "one"}}
	definition := &member{stage: definitionsStage, fixed: manifest.Identity{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: "berths.harbour.example.com"}}
	if own := service("v1.apiregistration.k8s.io"); own.needs(own) || definition.needs(service("v1.apiextensions.k8s.io")) {
		t.Error("a group of kube-apiserver is waited for")
	}
	if !berth.needs(service("v1.harbour.example.com")) {
		t.Error("the server of an object is not waited for")
	}
}

// An object belongs to its key, and if that is gone, to the new key with its manifest. The plan remembers where it was.
func TestCompare(t *testing.T) {
	t.Parallel()
	was, now := map[string]string{"a": "one", "b": "two", "c": "three"}, map[string]string{"a": "one", "x": "two", "y": "new"}
	staying, leaving := compare(setOf(now), setOf(was), storedAs(was))
	told := map[string]string{}
	for _, m := range staying {
		told[m.key] = m.stored.UID + " from " + m.stored.From
	}
	want := map[string]string{"a": "uid of one from ", "x": "uid of two from b", "y": " from "}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("staying (-want +got):\n%s", diff)
	}
	if len(leaving) != 1 || leaving[0].key != "c" || leaving[0].stored.Does != deletes {
		t.Errorf("leaving are %+v", leaving)
	}

	// The apply gets the same members from what the plan has stored.
	staying, leaving = planned(setOf(now), setOf(was), storedOf(slices.Concat(staying, leaving)))
	for _, m := range staying {
		if m.key == "x" && (m.state == nil || m.state.UID() != "uid of two" || m.plan == nil) {
			t.Errorf("the moved object has the state %+v", m.state)
		}
		if m.key == "y" && m.state != nil {
			t.Errorf("the new object has the state %+v", m.state)
		}
	}
	if len(staying) != 3 || len(leaving) != 1 || leaving[0].state.UID() != "uid of three" {
		t.Errorf("staying %d, leaving %+v", len(staying), leaving)
	}
}

// A manifest without a namespace is of the object with its name under another key, if there is but one. So is one with
// a namespace for an object without one. If there are several, it is that of its own key.
func TestCompareWithoutNamespaces(t *testing.T) {
	t.Parallel()
	was := map[string]string{"a": "one", "b": "two", "c": "three", "d": "two", "e": "four", "f": "five", "g": "five"}
	records := storedAs(was)
	records["g"] = stored{Object: "apiVersion=v1,kind=ConfigMap,namespace=other,name=five", UID: "uid of other/five"}
	records["d"] = stored{Object: "apiVersion=v1,kind=ConfigMap,namespace=other,name=two", UID: "uid of other/two"}
	records["e"] = stored{Object: "apiVersion=v1,kind=ConfigMap,name=four", UID: "uid of four"}
	before := setOf(was)
	shown := map[string]attr.Value{}
	for key, record := range records {
		shown[key] = (&member{stored: record}).shown()
	}
	before.Objects = types.MapValueMust(objectType, shown)
	kinds, bodies := map[string]attr.Type{}, map[string]attr.Value{}
	for key, metadata := range map[string]string{"a": "name: new", "b": "name: one", "x": "name: two", "y": "{name: three, namespace: shop}", "z": "{name: four, namespace: shop}", "f": "name: five"} {
		kinds[key] = types.StringType
		bodies[key] = types.StringValue("apiVersion: v1\nkind: ConfigMap\nmetadata: {" + strings.Trim(metadata, "{}") + "}\n")
	}
	now := &set{Manifests: types.DynamicValue(types.ObjectValueMust(kinds, bodies)), Shared: before.Shared}
	staying, leaving := compare(now, before, records)
	told := map[string]string{}
	for _, m := range slices.Concat(staying, leaving) {
		told[m.key] = m.stored.UID + " from " + m.stored.From
	}
	want := map[string]string{
		"a": " from ", "b": "uid of one from a", "x": " from ", "y": "uid of three from c", "z": "uid of four from e",
		"b: ConfigMap shop/two (v1)": "uid of two from b", "d": "uid of other/two from ",
		"f": "uid of five from ", "g": "uid of other/five from ",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a member is that other members need stays the same while an apply works on both of them.
func TestNeededStays(t *testing.T) {
	t.Parallel()
	of := func(kind, spec string) *member {
		body := types.StringValue("{apiVersion: v1, kind: " + kind + ", metadata: {name: runs, namespace: shop}" + spec + "}")
		m := &member{key: kind, plan: &model.Model{YAMLBody: body}, stored: stored{Object: "apiVersion=v1,kind=" + kind + ",namespace=shop,name=runs"}}
		m.stage = stageOf(m.id())
		return m
	}
	account, pod := of("ServiceAccount", ""), of("Pod", ", spec: {serviceAccountName: runs}")
	needed := neededOf([]*member{account, pod})
	done := make(chan struct{})
	go func() {
		defer close(done)
		account.stored.Object = "apiVersion=v1,kind=ServiceAccount,namespace=shop,name=other"
	}()
	for range 1000 {
		if len(needed) != 1 || !pod.refersTo(needed[0]) {
			t.Fatalf("needed are %d", len(needed))
		}
	}
	<-done
	if !pod.refersTo(account) {
		t.Error("the account is another one")
	}
}

// The objects of a set come in an order in which the API server takes them, and leave in the reverse order.
func TestInOrder(t *testing.T) {
	t.Parallel()
	want := []string{
		"v1 Namespace", "apiextensions.k8s.io/v1 CustomResourceDefinition", "v1 ResourceQuota", "v1 ServiceAccount",
		"v1 Secret", "storage.k8s.io/v1 StorageClass", "v1 PersistentVolume", "v1 PersistentVolumeClaim",
		"rbac.authorization.k8s.io/v1 ClusterRole", "rbac.authorization.k8s.io/v1 RoleBinding", "v1 Service",
		"apps/v1 Deployment", "networking.k8s.io/v1 Ingress", "apiregistration.k8s.io/v1 APIService", "example.com/v1 GatewayClass",
		"admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration",
	}
	var members []*member
	for _, kind := range want {
		version, name, _ := strings.Cut(kind, " ")
		members = append(members, &member{key: kind, stage: stageOf(manifest.Identity{APIVersion: version, Kind: name})})
	}
	slices.Reverse(members)
	var mu sync.Mutex
	var order []string
	note := func(_ context.Context, m *member) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, m.key)
	}
	inOrder(t.Context(), members, note)
	inReverse(t.Context(), members, note)
	back := slices.Clone(want)
	slices.Reverse(back)
	if diff := cmp.Diff(slices.Concat(want, back), order); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A set without a state leaves objects alone that all exist for long. One that is new, or younger, tells of an apply that was killed.
func TestIsOfAnotherState(t *testing.T) {
	t.Parallel()
	const old = quickRestart + time.Second
	for name, test := range map[string]struct {
		found []time.Duration
		want  bool
	}{
		"no object":                {nil, false},
		"all exist for long":       {[]time.Duration{old, old}, true},
		"one is new":               {[]time.Duration{old, 0}, false},
		"one was created just now": {[]time.Duration{old, quickRestart}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var members []*member
			for _, found := range test.found {
				members = append(members, &member{found: found})
			}
			if got := isOfAnotherState(members); got != test.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

// BenchmarkCompare compares a set with its own state.
func BenchmarkCompare(b *testing.B) {
	for _, size := range []int{100, 1000} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			names, shown := map[string]string{}, map[string]attr.Value{}
			for i := range size {
				name := "n" + strconv.Itoa(i)
				names[name], shown[name] = name, types.ObjectUnknown(objectType.AttrTypes)
			}
			state, objects := setOf(names), storedAs(names)
			state.Objects = types.MapValueMust(objectType, shown)
			b.ReportAllocs()
			for b.Loop() {
				if staying, leaving := compare(state, state, objects); len(staying) != size || len(leaving) > 0 {
					b.Fatal("other members")
				}
			}
		})
	}
}

// After an apply that fails, no member goes along with what the apply was to replace: the next one may not replace it.
func TestLeftGoesAlongWithNothing(t *testing.T) {
	t.Parallel()
	names := map[string]string{"one": "one"}
	objects := storedAs(names)
	one := objects["one"]
	one.Private = memory{privatestate.AlongKey: []byte(`"uid"`), "other": []byte(`{}`)}
	objects["one"] = one
	_, members := compare(nil, setOf(names), objects)
	_, kept := left(*setOf(names), members, &failures{})
	if private := kept["one"].Private; len(private) != 1 || private[privatestate.AlongKey] != nil {
		t.Errorf("private state is %s", private)
	}
}
