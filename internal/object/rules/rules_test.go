package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

var web = Target{Object: manifest.Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "prod-eu", Name: "web"}}

func texts(all ...string) []any {
	list := make([]any, len(all))
	for i, text := range all {
		list[i] = text
	}
	return list
}

func parsed(t *testing.T, values ...map[string]any) Rules {
	t.Helper()
	all, problems := Parse(ProviderBlock, values)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return all
}

// A rule covers what all of its limits match.
func TestCovers(t *testing.T) {
	t.Parallel()
	pod := Target{Object: manifest.Identity{APIVersion: "v1", Kind: "Pod", Namespace: "dev", Name: "one"}, Cluster: "eu-1"}
	node := Target{Object: manifest.Identity{APIVersion: "v1", Kind: "Node", Name: "one"}}
	for name, tt := range map[string]struct {
		limits map[string]any
		want   []bool // web, pod, node
	}{
		"every kind":              {map[string]any{"kinds": texts("*")}, []bool{true, true, true}},
		"a kind of any group":     {map[string]any{"kinds": texts("Deployment", "No*")}, []bool{true, false, true}},
		"a kind in its group":     {map[string]any{"kinds": texts("apps/Deployment")}, []bool{true, false, false}},
		"a kind in another group": {map[string]any{"kinds": texts("extensions/Deployment")}, []bool{false, false, false}},
		"the core group":          {map[string]any{"kinds": texts("core/*")}, []bool{false, true, true}},
		"namespaces":              {map[string]any{"namespaces": texts("prod-*")}, []bool{true, false, false}},
		"every namespace":         {map[string]any{"namespaces": texts("*")}, []bool{true, true, false}},
		"names":                   {map[string]any{"names": texts("o?e", "w[ae]b")}, []bool{true, true, true}},
		"clusters":                {map[string]any{"clusters": texts("eu-*")}, []bool{false, true, false}},
		"all limits":              {map[string]any{"kinds": texts("Deployment"), "namespaces": texts("dev")}, []bool{false, false, false}},
	} {
		tt.limits["on_conflict"] = "fail"
		all := parsed(t, tt.limits)
		for i, target := range []Target{web, pod, node} {
			if got := !all.For(target).IsEmpty(); got != tt.want[i] {
				t.Errorf("%s: %s is covered: %t", name, target.Object, got)
			}
		}
	}
}

// The namespace in a manifest counts if a rule would cover the object in it, or in the namespace that it gets.
func TestAskNamespace(t *testing.T) {
	t.Parallel()
	all := parsed(t,
		map[string]any{"kinds": texts("Deployment"), "namespaces": texts("prod-*"), "on_conflict": "fail"},
		map[string]any{"kinds": texts("Pod"), "on_conflict": "fail"},
		map[string]any{"names": texts("db"), "clusters": texts("eu"), "namespaces": texts("data"), "on_conflict": "fail"},
	)
	for _, tt := range []struct {
		kind, namespace, name string
		want                  bool
	}{
		{"Deployment", "", "web", true},
		{"Deployment", "prod-1", "web", true},
		{"Deployment", "dev", "web", false},
		{"Pod", "prod-1", "web", false},
		{"Pod", "", "web", false},
		{"Pod", "", "db", true},
		{"Pod", "data", "db", true},
	} {
		id := manifest.Identity{APIVersion: "v1", Kind: tt.kind, Namespace: tt.namespace, Name: tt.name}
		if got := all.AskNamespace(id); got != tt.want {
			t.Errorf("%s: %t", id, got)
		}
	}
}

// Lists are joined without what the resource has. A single value is that of the most specific rule, and of several rules
// of the last one. The value of the resource comes first.
func TestFor(t *testing.T) {
	t.Parallel()
	all := parsed(t,
		map[string]any{"kinds": texts("Deployment"), "namespaces": texts("prod-*"), "on_conflict": "fail", "ignore_fields": texts("spec.replicas", "spec.paused")},
		map[string]any{"kinds": texts("*"), "on_conflict": "force", "delete_protection": true, "ignore_fields": texts("spec.replicas", "status"), "wait": map[string]any{}},
		map[string]any{"names": texts("web"), "delete_protection": false, "ignore_managers": texts("kube-*"), "take_over_managers": texts()},
		map[string]any{"names": texts("other"), "sensitive_fields": texts("*")},
	)
	for name, tt := range map[string]struct {
		own   Arguments
		lacks []string
		want  Arguments
	}{
		"nothing of its own": {want: Arguments{
			arguments.IgnoreFields: []string{"spec.paused", "spec.replicas", "status"}, arguments.IgnoreManagers: []string{"kube-*"}, arguments.TakeOverManagers: []string{},
			arguments.OnConflict: "fail", arguments.DeleteProtection: false, arguments.Wait: map[string]any{},
		}},
		"its own": {
			own: Arguments{
				arguments.IgnoreFields: []string{"status"}, arguments.TakeOverManagers: []string{"a"}, arguments.OnConflict: "force", arguments.DeleteProtection: false, arguments.Wait: map[string]any{},
			},
			want: Arguments{arguments.IgnoreFields: []string{"spec.paused", "spec.replicas"}, arguments.IgnoreManagers: []string{"kube-*"}},
		},
		"what it cannot have": {
			lacks: []string{arguments.IgnoreFields, arguments.IgnoreManagers, arguments.TakeOverManagers, arguments.DeleteProtection, arguments.Wait},
			want:  Arguments{arguments.OnConflict: "fail"},
		},
	} {
		target := web
		target.Own, target.Lacks = tt.own, tt.lacks
		if diff := cmp.Diff(tt.want, all.For(target).Arguments); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What rules add is named by the first rule that adds it.
func TestBy(t *testing.T) {
	t.Parallel()
	added := parsed(t,
		map[string]any{"kinds": texts("Pod"), "on_conflict": "force"},
		map[string]any{"kinds": texts("*"), "ignore_fields": texts("spec.template"), "ignore_managers": texts("kube-*"), "on_conflict": "fail"},
		map[string]any{"kinds": texts("*"), "ignore_fields": texts("spec.template", "spec.template.spec")},
	).For(web)
	for _, tt := range [][3]string{
		{arguments.IgnoreFields, `spec.template.spec.containers[name="a"].image`, "rules[1] of the provider block"},
		{arguments.IgnoreFields, "spec.template", "rules[1] of the provider block"},
		{arguments.IgnoreFields, "spec", ""},
		{arguments.IgnoreFields, "", ""},
		{arguments.IgnoreManagers, "kube-controller-manager", "rules[1] of the provider block"},
		{arguments.IgnoreManagers, "helm", ""},
		{arguments.OnConflict, "", "rules[1] of the provider block"},
		{arguments.DeleteProtection, "", ""},
	} {
		if got := added.By(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%s %q: %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
	if got := added.Adds(arguments.IgnoreFields, "spec.template.spec"); got != "rules[2] of the provider block" {
		t.Error(got)
	}
	if got := added.Adds(arguments.IgnoreFields, "spec.template.spec.containers"); got != "" {
		t.Error(got)
	}
}

// Every problem is a sentence that names the rule and says what to write instead.
func TestParse(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rule map[string]any
		want string
	}{
		"a mistyped limit":        {map[string]any{"kind": texts("Pod"), "on_conflict": "fail"}, "rules[1] has the key kind, which no rule has.\n\nWrite kinds."},
		"a key of something else": {map[string]any{"kinds": texts("Pod"), "repin": "a", "on_conflict": "fail"}, "rules[1] has the key repin, which no rule has.\n\nRemove it. The keys are kinds, namespaces, names, clusters, ignore_fields, ignore_managers, on_conflict, on_addition, on_destroy, adopt_existing, remove_fields, take_over_managers, sensitive_fields, delete_protection, wait and once."},
		"nothing":                 {map[string]any{}, "rules[1] does not say what it covers.\n\nAdd kinds, namespaces, names or clusters. kinds = [\"*\"] covers every object."},
		"no argument":             {map[string]any{"kinds": texts("Pod")}, "rules[1] adds nothing.\n\nAdd an argument: ignore_fields, ignore_managers, on_conflict, on_addition, on_destroy, adopt_existing, remove_fields, take_over_managers, sensitive_fields, delete_protection, wait or once."},
		"an empty argument":       {map[string]any{"kinds": texts("Pod"), "ignore_fields": texts()}, "rules[1] adds nothing."},
		"an empty limit":          {map[string]any{"kinds": texts("Pod"), "namespaces": texts(), "on_conflict": "fail"}, "rules[1].namespaces is empty, so the rule would cover nothing.\n\nAdd a pattern, or remove namespaces."},
		"a limit that is no list": {map[string]any{"kinds": "Pod", "on_conflict": "fail"}, "rules[1].kinds is not a list of strings.\n\nWrite a list, for example kinds = [\"Deployment\"]."},
		"numbers":                 {map[string]any{"kinds": texts("Pod"), "ignore_fields": []any{int64(1)}}, "rules[1].ignore_fields is not a list of strings.\n\nWrite a list, for example ignore_fields = [\"spec.replicas\"]."},
		"an invalid glob":         {map[string]any{"names": texts("a[b"), "on_conflict": "fail"}, "rules[1].names: \"a[b\" is not a pattern.\n\nWrite a name in which * stands for any characters, ? for one, and [ab] for a or b."},
		"an empty glob":           {map[string]any{"kinds": texts(""), "on_conflict": "fail"}, "rules[1].kinds: \"\" matches nothing.\n\nWrite a name, or remove it."},
		"a kind with a version":   {map[string]any{"kinds": texts("apps/v1/Deployment"), "on_conflict": "fail"}, "rules[1].kinds: \"apps/v1/Deployment\" has a version.\n\nWrite the group and the kind: \"apps/Deployment\"."},
		"a version":               {map[string]any{"kinds": texts("v1/Pod"), "on_conflict": "fail"}, "rules[1].kinds: \"v1/Pod\" has a version and no group.\n\nWrite \"Pod\", or \"core/Pod\" for the core group alone."},
		"half a kind":             {map[string]any{"kinds": texts("apps/"), "on_conflict": "fail"}, "rules[1].kinds: \"apps/\" has only one side of the slash.\n\nWrite a kind, or a group and a kind: \"apps/Deployment\"."},
		"a policy nobody has":     {map[string]any{"kinds": texts("*"), "on_conflict": "warn"}, "rules[1].on_conflict: \"warn\" is not one of its values.\n\nWrite \"force\" or \"fail\"."},
		"protection as a text":    {map[string]any{"kinds": texts("*"), "delete_protection": "yes"}, "rules[1].delete_protection is not a bool.\n\nWrite true or false."},
		"a wait that is true":     {map[string]any{"kinds": texts("*"), "wait": true}, "rules[1].wait is not an object.\n\nWrite an object as in a resource: {} waits until the object is ready."},
	} {
		_, problems := Parse(ProviderBlock, []map[string]any{nil, tt.rule}) // A rule that is null covers nothing, and keeps its position.
		if len(problems) != 1 || !strings.HasPrefix(problems[0].Text, tt.want) {
			t.Errorf("%s: got %q, want %q", name, problems, tt.want)
		}
	}
	all := parsed(t, nil, map[string]any{"kinds": texts("*"), "take_over_managers": texts()})
	if added := all.For(web); added.List(arguments.TakeOverManagers) == nil || added.IsEmpty() {
		t.Error("a rule that takes over nothing adds nothing")
	}
}

func TestUnmatchedKinds(t *testing.T) {
	t.Parallel()
	all := parsed(t,
		map[string]any{"kinds": texts("Deployment", "Deploymnet", "*Configuration"), "on_conflict": "fail"},
		map[string]any{"kinds": texts("Widget"), "clusters": texts("eu"), "on_conflict": "fail"},
	)
	served := []Kind{{"apps", "Deployment"}, {"admissionregistration.k8s.io", "MutatingWebhookConfiguration"}}
	wrong := UnmatchedKind{"rules[0] of the provider block", "Deploymnet"}
	if diff := cmp.Diff([]UnmatchedKind{wrong}, all.UnmatchedKinds("", served)); diff != "" {
		t.Errorf("without a name (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]UnmatchedKind{wrong, {"rules[1] of the provider block", "Widget"}}, all.UnmatchedKinds("eu", served)); diff != "" {
		t.Errorf("eu (-want +got):\n%s", diff)
	}
}

// States have the arguments as they once were in Go.
func TestStored(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Arguments{
		`{"IgnoreFields":null,"IgnoreManagers":null,"RemoveFields":null,"SensitiveFields":null,"TakeOverManagers":null,"OnConflict":"","OnAddition":"","OnDestroy":"","AdoptExisting":null,"DeleteProtection":null,"Wait":null,"Once":null}`: {},
		`{"IgnoreFields":["a","b"],"IgnoreManagers":null,"RemoveFields":null,"SensitiveFields":["*"],"TakeOverManagers":[],"OnConflict":"fail","OnAddition":"","OnDestroy":"release","AdoptExisting":false,"DeleteProtection":true,"Wait":{},"Once":true}`: {
			arguments.IgnoreFields: []string{"a", "b"}, arguments.SensitiveFields: []string{"*"}, arguments.TakeOverManagers: []string{}, arguments.OnConflict: "fail",
			arguments.OnDestroy: "release", arguments.AdoptExisting: false, arguments.DeleteProtection: true, arguments.Wait: map[string]any{}, arguments.Once: true,
		},
	} {
		var got Arguments
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if again, err := json.Marshal(got); err != nil || string(again) != text {
			t.Errorf("%s, %v, want %s", again, err, text)
		}
	}
}
