package report_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
)

// actionsIn returns the actions of a report by kind and name, with "waits" for objects for which the apply waits.
func actionsIn(r report.Report) map[string]string {
	actions := map[string]string{}
	for _, o := range r.Objects {
		name := strings.TrimSpace(actions[o.Kind+" "+o.Name] + " " + o.Action)
		if o.Waits {
			name += " waits"
		}
		actions[o.Kind+" "+o.Name] = name
	}
	return actions
}

func withID(id, more string) string { return fmt.Sprintf(`{"id":%q%s}`, "apiVersion="+id, more) }

// What a resource does to an object is told by what happens to the object: also if another one replaces it, if it stays
// on the cluster, and if the resource has only a part of it, or nothing.
func TestActionsOnObjects(t *testing.T) {
	t.Parallel()
	const (
		volume, settings = "v1,kind=PersistentVolumeClaim,namespace=shop,name=orders", "v1,kind=ConfigMap,namespace=shop,name=settings"
		shop, depot      = "v1,kind=Namespace,name=shop", "v1,kind=Namespace,name=depot"
		released, ruled  = `,"on_destroy":"release"`, `,"on_destroy":null,"rules_applied":{"on_destroy":"hand_over"}`
		claim, kept      = "PersistentVolumeClaim orders", "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, annotations: {helm.sh/resource-policy: Keep}}}"
		none, ready      = "null", `{"ready":true}`
	)
	for name, test := range map[string]struct {
		change string
		want   map[string]string
	}{
		"another kind":              {changeOf("manifest", "delete,create", withID(volume, ""), withID(settings, ""), "{}"), map[string]string{claim: "delete", "ConfigMap settings": "create"}},
		"another name":              {changeOf("manifest", "create,delete", withID(shop, ""), withID(depot, ""), "{}"), map[string]string{"Namespace shop": "delete", "Namespace depot": "create"}},
		"another name that waits":   {changeOf("manifest", "delete,create", withID(shop, ""), withID(depot, ""), ready), map[string]string{"Namespace shop": "delete", "Namespace depot": "create waits"}},
		"another one, and it stays": {changeOf("manifest", "delete,create", withID(volume, released), withID(settings, ""), "{}"), map[string]string{claim: "release-object", "ConfigMap settings": "create"}},
		"another version":           {changeOf("manifest", "delete,create", withID("extensions/v1,kind=A,name=a", ""), withID("extensions/v2,kind=A,name=a", ""), "{}"), map[string]string{"A a": "replace"}},
		"another group":             {changeOf("manifest", "delete,create", withID("one/v1,kind=A,name=a", ""), withID("two/v1,kind=A,name=a", ""), "{}"), map[string]string{"A a": "delete create"}},
		"the same object":           {changeOf("manifest", "delete,create", withID(shop, ""), withID(shop, ""), "{}"), map[string]string{"Namespace shop": "replace"}},
		"the same object, released": {changeOf("manifest", "delete,create", withID(shop, released), withID(shop, ""), "{}"), map[string]string{"Namespace shop": "create release-object"}},

		"the same object, forgotten": {changeOf("manifest", "create,forget", withID(volume, ""), withID(volume, ""), "{}"), map[string]string{claim: "create release-object"}},
		"another one, and forgotten": {changeOf("manifest", "forget,create", withID(volume, ""), withID(settings, ""), "{}"), map[string]string{claim: "release-object", "ConfigMap settings": "create"}},
		"a set, forgotten": {changeOf("manifests", "create,forget", `{"objects":{"a":`+withID(shop, "")+`,"b":`+withID(depot, "")+`}}`, `{"objects":{"a":`+withID(shop, "")+`}}`, "{}"),
			map[string]string{"Namespace shop": "create release-object", "Namespace depot": "release-object"}},

		"released":                 {changeOf("manifest", "delete", withID(volume, released), none, "{}"), map[string]string{claim: "release-object"}},
		"released by a rule":       {changeOf("manifest", "delete", withID(volume, ruled), none, "{}"), map[string]string{claim: "release-object"}},
		"deleted in spite of one":  {changeOf("manifest", "delete", withID(volume, strings.Replace(ruled, "null", `"delete"`, 1)), none, "{}"), map[string]string{claim: "delete"}},
		"kept":                     {changeOf("manifest", "delete", withID(settings, `,"yaml_body":"`+kept+`"`), none, "{}"), map[string]string{"ConfigMap settings": "release-object"}},
		"kept, as an object":       {changeOf("manifest", "delete", withID(settings, `,"manifest":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings","annotations":{"helm.sh/resource-policy":"keep"}}}`), none, "{}"), map[string]string{"ConfigMap settings": "release-object"}},
		"deleted although kept":    {changeOf("manifest", "delete", withID(settings, `,"on_destroy":"delete","yaml_body":"`+kept+`"`), none, "{}"), map[string]string{"ConfigMap settings": "delete"}},
		"a set of which one stays": {changeOf("manifests", "delete", `{"manifests":{"a":"`+kept+`","b":"{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"}}`, none, "{}"), map[string]string{"ConfigMap settings": "release-object", "Namespace shop": "delete"}},
		"a set that is forgotten":  {changeOf("manifests", "forget", `{"objects":{"a":`+withID(shop, "")+`}}`, none, "{}"), map[string]string{"Namespace shop": "release-object"}},
		"one that leaves a set":    {changeOf("manifests", "update", `{"manifests":{"a":"`+kept+`"}}`, `{"manifests":{}}`, "{}"), map[string]string{"ConfigMap settings": "release-object"}},
		"a set that is replaced": {changeOf("manifests", "delete,create", `{"objects":{"a":`+withID(shop, "")+`,"b":`+withID(depot, "")+`}}`, `{"objects":{"a":`+withID(shop, "")+`}}`, "{}"),
			map[string]string{"Namespace shop": "replace", "Namespace depot": "delete"}},

		"a set that is replaced and waits": {changeOf("manifests", "delete,create", `{"objects":{"a":`+withID(shop, "")+`,"b":`+withID(depot, "")+`}}`,
			`{"wait":{},"manifests":{"a":"{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"}}`, `{"objects":true}`),
			map[string]string{"Namespace shop": "replace waits", "Namespace depot": "delete"}},

		"a new patch":                {changeOf("patch", "create", none, withID(shop, ""), "{}"), map[string]string{"Namespace shop": "update"}},
		"a patch that ends":          {changeOf("patch", "delete", withID(shop, `,"on_destroy":"remove"`), none, "{}"), map[string]string{"Namespace shop": "release-object"}},
		"a patch of another one":     {changeOf("patch", "delete,create", withID(shop, ""), withID(depot, ""), "{}"), map[string]string{"Namespace shop": "release-object", "Namespace depot": "update"}},
		"another patch":              {changeOf("patch", "delete,create", withID(shop, `,"on_destroy":"release"`), withID(shop, ""), "{}"), map[string]string{"Namespace shop": "update"}},
		"a new wait":                 {changeOf("wait", "create", none, withID(shop, ""), ready), map[string]string{"Namespace shop": "no-op waits"}},
		"a wait for a target":        {changeOf("wait", "create", none, `{"target":{"api_version":"v1","kind":"Namespace","name":"shop"}}`, `{"id":true,"ready":true}`), map[string]string{"Namespace shop": "no-op waits"}},
		"a wait that ends":           {changeOf("wait", "delete", withID(shop, ""), none, "{}"), map[string]string{"Namespace shop": "no-op"}},
		"a wait for another one":     {changeOf("wait", "delete,create", withID(shop, ""), withID(depot, ""), ready), map[string]string{"Namespace shop": "no-op", "Namespace depot": "no-op waits"}},
		"a wait with other timeouts": {changeOf("wait", "update", withID(shop, ""), withID(shop, `,"ready":true`), "{}"), map[string]string{"Namespace shop": "no-op"}},

		"an object that waits":          {changeOf("manifest", "update", withID(shop, ""), withID(shop, ""), ready), map[string]string{"Namespace shop": "update waits"}},
		"an object that does not":       {changeOf("manifest", "no-op", withID(shop, `,"wait":{}`), withID(shop, `,"wait":{},"ready":true`), "{}"), map[string]string{"Namespace shop": "no-op"}},
		"objects of a set":              {changeOf("manifests", "update", `{"objects":{"a":`+withID(shop, "")+`,"b":`+withID(depot, "")+`}}`, `{"wait":{},"objects":{"a":`+withID(shop, "")+`,"c":`+withID(settings, "")+`}}`, `{"objects":{"c":`+ready+`}}`), map[string]string{"Namespace shop": "no-op", "Namespace depot": "delete", "ConfigMap settings": "create waits"}},
		"an object under the same key":  {changeOf("manifests", "update", `{"objects":{"a":`+withID(shop, "")+`}}`, `{"objects":{"a":`+withID(depot, "")+`}}`, `{"objects":{"a":`+ready+`}}`), map[string]string{"Namespace shop": "delete", "Namespace depot": "create waits"}},
		"objects of a set that is new":  {changeOf("manifests", "create", none, `{"wait":{},"manifests":{"a":"`+kept+`"}}`, `{"objects":true}`), map[string]string{"ConfigMap settings": "create waits"}},
		"objects of a set that is gone": {changeOf("manifests", "delete", `{"wait":{},"objects":{"a":`+withID(shop, "")+`}}`, none, "{}"), map[string]string{"Namespace shop": "delete"}},
	} {
		if diff := cmp.Diff(test.want, actionsIn(reportOf(t, test.change))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A log names actions otherwise than a plan does: what leaves only the state breaks the rule about it.
func TestActionsInLogs(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]string{"remove": report.ReleaseIt, "replace": report.Replace, "move": report.NoOp, "import": report.NoOp, "noop": report.NoOp} {
		got, err := report.Of(nil, []byte(`{"type":"planned_change","change":{"resource":{"addr":"k8sconnect_manifest.x","resource_type":"k8sconnect_manifest"},"action":"`+action+`"}}`+"\n"+ended))
		if err != nil || got.Objects[0].Action != want || broken(t, got, "release-object") > 0 != (want == report.ReleaseIt) || broken(t, got, "incomplete") > 0 != (want != report.NoOp) {
			t.Errorf("%s: %v, %+v", action, err, got)
		}
	}
}

// A rule of the provider block, which no attribute has yet, releases objects as soon as it is there: the warnings have it.
func TestReleasesInWarnings(t *testing.T) {
	t.Parallel()
	shop, depot := manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: "shop"}, manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: "depot"}
	const one, two = "v1,kind=Namespace,name=shop", "v1,kind=Namespace,name=depot"
	how := sets.Departure{Manager: "k8sconnect", Fields: 2}
	handed := how
	handed.Successor = "flux"
	set := changeOf("manifests", "update", `{"objects":{"a":`+withID(one, "")+`,"b":`+withID(two, "")+`}}`, `{"manifests":{}}`, "{}")
	for name, test := range map[string]struct {
		change, summary, detail string
		want                    map[string]string
	}{
		"an object":               {changeOf("manifest", "delete", withID(one, ""), "null", "{}"), changes.Left(diagnostics.Names{}, shop, how).Summary(), changes.Left(diagnostics.Names{}, shop, how).Detail(), map[string]string{"Namespace shop": report.ReleaseIt}},
		"another object":          {changeOf("manifest", "delete,create", withID(one, ""), withID(two, ""), "{}"), changes.Left(diagnostics.Names{}, shop, handed).Summary(), changes.Left(diagnostics.Names{}, shop, handed).Detail(), map[string]string{"Namespace shop": report.ReleaseIt, "Namespace depot": report.Create}},
		"one on another cluster":  {changeOf("manifest", "delete,create", withID(one, ""), withID(one, ""), "{}"), changes.Left(diagnostics.Names{}, shop, how).Summary(), changes.Left(diagnostics.Names{}, shop, how).Detail(), map[string]string{"Namespace shop": report.Create}},
		"objects of a set":        {set, sets.Left(diagnostics.Names{}, []string{depot.String(), shop.String()}, how).Summary(), sets.Left(diagnostics.Names{}, []string{depot.String(), shop.String()}, how).Detail(), map[string]string{"Namespace shop": report.ReleaseIt, "Namespace depot": report.ReleaseIt}},
		"one that is handed over": {set, sets.Left(diagnostics.Names{}, []string{depot.String()}, handed).Summary(), sets.Left(diagnostics.Names{}, []string{depot.String()}, handed).Detail(), map[string]string{"Namespace shop": report.Delete, "Namespace depot": report.ReleaseIt}},
	} {
		address := "k8sconnect_manifest.x"
		if test.change == set {
			address = "k8sconnect_manifests.x"
		}
		said := logOf(t, address, test.summary, test.detail)
		if diff := cmp.Diff(test.want, actionsIn(reportWith(t, said[:len(said)-len(ended)], test.change))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What only waits is shown, breaks the rule about waits, and changes no object.
func TestWaitsAlone(t *testing.T) {
	t.Parallel()
	got := reportOf(t, changeOf("wait", "create", "null", withID("v1,kind=Namespace,name=shop", ""), "{}"))
	text := textOf(t, got)
	if broken(t, got, "wait:Namespace") != 1 || broken(t, got, "create") > 0 || !strings.Contains(text, "\nwaits (k8sconnect_wait.x): Namespace shop (v1)\n") || !strings.HasPrefix(text, "No object changes.") {
		t.Errorf("%+v\n%s", got.Objects, text)
	}
}

// Resources of other providers and data sources are told apart.
func TestOtherResources(t *testing.T) {
	t.Parallel()
	got := reportOf(t, `{"address":"data.k8sconnect_object.x","mode":"data","type":"k8sconnect_object","change":{"actions":["read"]}}`,
		`{"address":"data.aws_region.x","mode":"data","type":"aws_region","change":{"actions":["read"]}}`, `{"address":"aws_vpc.x","mode":"managed","type":"aws_vpc","change":{"actions":["create"]}}`)
	if got.OtherResources != 1 || len(got.Objects) > 0 {
		t.Errorf("%+v", got)
	}
	read, err := report.Of(nil, []byte(`{"type":"planned_change","change":{"resource":{"addr":"data.k8sconnect_object.x","resource_type":"k8sconnect_object"},"action":"read"}}`+"\n"+`{"type":"change_summary"}`))
	if err != nil || len(read.Objects) > 0 {
		t.Errorf("of a log alone: %+v, %v", read, err)
	}
}

// A warning is about the object of its API group, in any version, and else about the only one of its name.
func TestGroupsOfWarnings(t *testing.T) {
	t.Parallel()
	set := changeOf("manifests", "update", `{}`, `{"objects":{"a":`+withID("networking.istio.io/v1,kind=Gateway,namespace=shop,name=web", "")+`,"b":`+
		withID("gateway.networking.k8s.io/v1,kind=Gateway,namespace=shop,name=web", "")+`}}`, "{}")
	for version, want := range map[string]string{"gateway.networking.k8s.io/v1beta1": "b", "networking.istio.io/v1": "a"} {
		said := logOf(t, "k8sconnect_manifests.x", strings.NewReplacer("Deployment", "Gateway", "apps/v1", version).Replace(taking[0]), strings.NewReplacer("Deployment", "Gateway", "(apps/v1)", "("+version+")").Replace(taking[1]))
		for _, o := range reportWith(t, said[:len(said)-len(ended)], set).Objects {
			if (len(o.Fields) > 0) != (o.Key == want) {
				t.Errorf("%s: %s has %+v", version, o.Key, o.Fields)
			}
		}
	}
	got := reportWith(t, []byte(strings.ReplaceAll(strings.TrimSuffix(string(logOf(t, "k8sconnect_manifest.x", taking[0], taking[1])), ended), "(apps/v1)", "(extensions/v1beta1)")),
		changeOf("manifest", "update", "{"+webID+"}", "{"+webID+"}", "{}"))
	if len(got.Objects) != 1 || len(got.Objects[0].Fields) != 1 {
		t.Errorf("%+v", got.Objects)
	}
}

// A rule about deletions is about what the API server deletes along, too.
func TestRulesAboutWhatIsDeletedAlong(t *testing.T) {
	t.Parallel()
	names := diagnostics.Names{}
	shop := manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: "shop"}
	claim := manifest.Identity{APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "data"}
	snapshot := manifest.Identity{APIVersion: "snapshot.storage.k8s.io/v1", Kind: "VolumeSnapshot", Namespace: "shop", Name: "snap"}
	db := manifest.Identity{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "db"}
	content := []string{"PersistentVolumeClaim shop/data (kubectl, just now)", "Boat shop/one (no owner)"}
	many := slices.Repeat([]string{"ConfigMap shop/a (no owner)"}, diagnostics.Most+1)
	for name, test := range map[string]struct {
		object manifest.Identity
		said   diag.Diagnostic
		broken map[string]int
	}{
		"of a namespace":       {shop, sets.Along(names, shop, content, true), map[string]int{"delete:pvc": 1, "delete:Boat": 1, "delete:ConfigMap": 0, "delete": 3, "replace": 0}},
		"only some are listed": {shop, sets.Along(names, shop, content, false), map[string]int{"delete:pvc": 2, "delete:Secret": 1}},
		"more than are shown":  {shop, sets.Along(names, shop, many, true), map[string]int{"delete:cm": 2, "delete:Secret": 1}},
		"none can be listed":   {shop, sets.Unlisted(names, shop, false, errors.New("forbidden")), map[string]int{"delete:Secret": 1, "delete:Namespace": 2}},
		"data of a workload":   {db, sets.Data(names, db, sets.Loss{Volumes: []string{"shop/data-db-0: PersistentVolume pv-1 (policy not readable)"}, IsKnown: false}), map[string]int{"delete:pvc": 1, "delete:PersistentVolume": 1, "delete:sts": 1}},
		"data of scaled pods":  {db, sets.Data(names, db, sets.Loss{Volumes: []string{"shop/data-db-1: PersistentVolume pv-1"}, IsKnown: true, IsScaled: true}), map[string]int{"delete:pvc": 1, "delete:pv": 1}},
		"data of a snapshot":   {snapshot, sets.Data(names, snapshot, sets.Loss{Volumes: []string{"shop/snap: VolumeSnapshotContent c"}, IsKnown: true}), map[string]int{"delete:pvc": 0, "delete:VolumeSnapshot": 1, "delete:VolumeSnapshotContent": 1}},
		"data of a claim":      {claim, sets.Data(names, claim, sets.Loss{Volumes: []string{"shop/data: PersistentVolume pv-1"}, IsKnown: true}), map[string]int{"delete:pvc": 1, "delete:pv": 1}},
		"data of snapshots":    {snapshot, sets.Data(names, snapshot, sets.Loss{Volumes: []string{"shop/snap: VolumeGroupSnapshotContent c"}, IsKnown: true}), map[string]int{"delete:pvc": 0, "delete:VolumeGroupSnapshot": 1}},
	} {
		said := strings.TrimSuffix(string(logOf(t, "k8sconnect_manifest.x", test.said.Summary(), test.said.Detail())), ended)
		id := fmt.Sprintf("%s,kind=%s,namespace=%s,name=%s", test.object.APIVersion, test.object.Kind, test.object.Namespace, test.object.Name)
		if test.object.Namespace == "" {
			id = strings.Replace(id, ",namespace=", "", 1)
		}
		got := reportWith(t, []byte(said), changeOf("manifest", "delete", withID(id, ""), "null", "{}"))
		for rule, want := range test.broken {
			if n := broken(t, got, rule); n != want {
				t.Errorf("%s: %s is broken %d times, want %d: %+v", name, rule, n, want, got.Objects)
			}
		}
		rule, err := report.ParseRule("delete:Boat")
		isListed := strings.Contains(test.said.Detail(), "Boat")
		if remarks := got.Unmatched([]report.Rule{rule}); err != nil || (len(remarks) == 0) != isListed {
			t.Errorf("%s: %v, %q", name, err, remarks)
		}
	}
}

// A rule about deletions is about an object that the plan keeps, and that goes with its owner, too.
func TestRulesAboutWhatGoesWithItsOwner(t *testing.T) {
	t.Parallel()
	kept := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "kept"}
	said := sets.Orphaned(diagnostics.Names{}, kept, manifest.Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"})
	log := strings.TrimSuffix(string(logOf(t, "k8sconnect_manifest.x", said.Summary(), said.Detail())), ended)
	id := withID("v1,kind=ConfigMap,namespace=shop,name=kept", "")
	got := reportWith(t, []byte(log), changeOf("manifest", "no-op", id, id, "{}"))
	for rule, want := range map[string]int{"delete:cm": 1, "delete": 1, "delete:Deployment": 0, "update": 0} {
		if n := broken(t, got, rule); n != want {
			t.Errorf("%s is broken %d times, want %d: %+v", rule, n, want, got.Objects)
		}
	}
}

// A rule can refuse the actions of Terraform that an apply runs.
func TestRulesAboutActions(t *testing.T) {
	t.Parallel()
	plan := `{"format_version":"1.2","resource_changes":[],"action_invocations":[` +
		`{"address":"module.shop.action.k8sconnect_run_job.migrate[\"a.b\"]","type":"k8sconnect_run_job"},{"address":"action.k8sconnect_wait.w","type":"k8sconnect_wait"}]}`
	got, err := report.Of([]byte(plan), []byte(`{"type":"change_summary"}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"run": 1, "run:k8sconnect_run_job": 1, "run:*restart": 0, "run:k8sconnect_wait": 0, "create": 0} {
		if n := broken(t, got, text); n != want {
			t.Errorf("%s is broken %d times, want %d", text, n, want)
		}
	}
	const hook = `"hooks":{"a":"{\"metadata\":{\"annotations\":{\"helm.sh/hook\":\"%s\",\"helm.sh/hook-delete-policy\":\"hook-succeeded\"}}}"},"hooks_to_run":["a hook"],"revision":%d`
	before := fmt.Sprintf("{"+hook+"}", "pre-upgrade", 1)
	for name, test := range map[string]struct {
		actions, before, after, unknown string
		want                            int
	}{
		"an upgrade":              {"update", before, fmt.Sprintf("{"+hook+"}", "pre-upgrade", 2), "{}", 1},
		"no upgrade":              {"update", before, before, "{}", 0},
		"an unknown one":          {"create", "null", `{"hooks":{"a":"{}"}}`, `{"revision":true,"hooks_to_run":true}`, 1},
		"only hooks of an end":    {"update", before, `{"hooks":{"a":"{}"},"hooks_to_run":[],"revision":2}`, "{}", 0},
		"a replacement":           {"delete,create", fmt.Sprintf("{"+hook+"}", "post-delete", 1), "{}", `{"revision":true}`, 1},
		"a set that is forgotten": {"forget", fmt.Sprintf("{"+hook+"}", "pre-delete", 1), "null", "{}", 0},
		"a set without hooks":     {"update", `{"revision":null}`, "{}", `{"revision":true}`, 0},
		"a destroy with hooks":    {"delete", fmt.Sprintf("{"+hook+"}", "pre-delete", 1), "null", "{}", 1},
		"a destroy without them":  {"delete", before, "null", "{}", 0},
	} {
		got := reportOf(t, changeOf("manifests", test.actions, test.before, test.after, test.unknown))
		if n := broken(t, got, "run:k8sconnect_manifests"); n != test.want || strings.Contains(textOf(t, got), "The apply runs the hooks of k8sconnect_manifests.x.") != (n == 1) {
			t.Errorf("%s is broken %d times, want %d:\n%s", name, n, test.want, textOf(t, got))
		}
	}
	if got, err := report.Of(nil, []byte(`{"type":"change_summary"}`)); err != nil || broken(t, got, "run") != 1 {
		t.Errorf("of a log alone: %+v, %v", got, err)
	}
	deleting := changeOf("manifest", "delete", withID("v1,kind=Namespace,name=shop", ""), "null", "{}")
	if got, err := report.Of([]byte(`{"format_version":"1.2","resource_changes":[`+deleting+`]}`), nil); err != nil || broken(t, got, "incomplete") != 1 {
		t.Errorf("of a plan alone: %+v, %v", got, err)
	}
	for text, want := range map[string]int{"run:*restart": 0, "run:Job": 1} {
		rule, err := report.ParseRule(text)
		if remarks := got.Unmatched([]report.Rule{rule}); err != nil || len(remarks) != want {
			t.Errorf("%s: %v, %q", text, err, remarks)
		}
	}
}
