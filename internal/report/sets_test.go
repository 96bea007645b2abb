package report_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
)

// claim returns an entry of objects and one of manifests, for a PersistentVolumeClaim under a key.
func claim(key, name, class, uid string) (object, manifest string) {
	id := fmt.Sprintf(`"id":"apiVersion=v1,kind=PersistentVolumeClaim,namespace=shop,name=%s"`, name)
	if uid != "" {
		id += `,"uid":"` + uid + `"`
	}
	return fmt.Sprintf("%q:{%s}", key, id), fmt.Sprintf(
		`%q:{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":%q,"namespace":"shop"},"spec":{"storageClassName":%q}}`, key, name, class)
}

// The rule against deletions sees those of a set: by what is deleted, and not by the keys.
func TestDeletionsOfSets(t *testing.T) {
	t.Parallel()
	objects, manifests := claim("data", "old", "a", "1")
	before := fmt.Sprintf(`{"objects":{%s},"manifests":{%s}}`, objects, manifests)
	rule, err := report.ParseRule("delete:PersistentVolumeClaim")
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		key, claim, class, uid string
		unknown                string
		secret                 bool
		// was and now are the on_destroy of the state and of the configuration.
		was, now          string
		want              map[string]string
		fails, incomplete int
	}{
		"another claim under the key": {
			key: "data", claim: "new", class: "a", want: map[string]string{"new": report.Create, "old": report.Delete}, fails: 1,
		},
		"a claim that is replaced":      {key: "data", claim: "old", class: "b", want: map[string]string{"old": report.Replace}, fails: 1},
		"a claim that changes":          {key: "data", claim: "old", class: "b", uid: "1", want: map[string]string{"old": report.Update}},
		"another key":                   {key: "volume", claim: "old", class: "a", uid: "1", want: map[string]string{"old": report.NoOp}},
		"a secret claim that stays":     {key: "data", claim: "old", class: "a", uid: "1", secret: true, want: map[string]string{"old": report.NoOp}},
		"a secret claim that changes":   {key: "data", claim: "old", class: "b", uid: "1", secret: true, want: map[string]string{"old": report.Update}},
		"a secret claim that is other":  {key: "data", claim: "new", class: "a", secret: true, want: map[string]string{"new": report.Create, "old": report.Delete}, fails: 1},
		"a claim that leaves and stays": {key: "data", claim: "new", class: "a", was: "delete", now: "release", want: map[string]string{"new": report.Create, "old": report.ReleaseIt}},
		"a claim that leaves and stays no more": {
			key: "data", claim: "new", class: "a", was: "release", now: "delete", want: map[string]string{"new": report.Create, "old": report.Delete}, fails: 1,
		},
		"secret manifests that nobody knows": {
			key: "data", claim: "old", class: "a", uid: "1", unknown: `"secret_manifests":true`, want: map[string]string{"old": report.NoOp}, incomplete: 1,
		},
		"manifests that nobody knows": {
			key: "data", claim: "old", class: "a", uid: "1", unknown: `"manifests":true`, want: map[string]string{"old": report.NoOp}, incomplete: 1,
		},
	} {
		objects, manifests := claim(tc.key, tc.claim, tc.class, tc.uid)
		after := fmt.Sprintf(`{"objects":{%s},"manifests":{%s}}`, objects, manifests)
		if tc.secret {
			after = fmt.Sprintf(`{"objects":{%s},"manifests":{},"secret_manifests":{%s}}`, objects, manifests)
		}
		if tc.unknown != "" {
			after = "{}"
		}
		before := before
		if tc.now != "" {
			before, after = fmt.Sprintf(`{"on_destroy":%q,`, tc.was)+before[1:], fmt.Sprintf(`{"on_destroy":%q,`, tc.now)+after[1:]
		}
		plan := fmt.Sprintf(`{"format_version":"1.2","resource_changes":[{"address":"k8sconnect_manifests.s","mode":"managed","type":"k8sconnect_manifests",
			"change":{"actions":["update"],"before":%s,"after":%s,"after_unknown":{%s}}}]}`, before, after, tc.unknown)
		log := []byte(`{"type":"planned_change","change":{"resource":{"addr":"k8sconnect_manifests.s"}}}` + "\n" + `{"type":"change_summary"}`)
		got, err := report.Of([]byte(plan), log)
		if err != nil {
			t.Fatal(err)
		}
		actions := map[string]string{}
		for _, o := range got.Objects {
			actions[o.Name] = o.Action
		}
		if diff := cmp.Diff(tc.want, actions); diff != "" {
			t.Errorf("%s: actions (-want +got):\n%s", name, diff)
		}
		if failures := got.Check([]report.Rule{rule}); len(failures) != tc.fails {
			t.Errorf("%s: the rule fails %d times, want %d: %v", name, len(failures), tc.fails, failures)
		}
		if len(got.Incomplete) != tc.incomplete {
			t.Errorf("%s: incomplete: %q", name, got.Incomplete)
		}
	}
}
