package patches

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListKeys(t *testing.T) {
	t.Parallel()
	taints := map[string][]string{"spec.taints": {"key", "effect"}}
	const gpu = `{"key":"gpu","effect":"NoSchedule"`
	for name, test := range map[string]struct {
		body, object string
		keys         map[string][]string
		want         string
	}{
		"a new entry":      {`{"spec":{"taints":[` + gpu + `,"value":"1"}]}}`, `{spec: {taints: [{key: a, effect: NoExecute}]}}`, taints, `{"spec":{"taints":[{"effect":"NoExecute","key":"a"},{"effect":"NoSchedule","key":"gpu","value":"1"}]}}`},
		"another value":    {`{"spec":{"taints":[` + gpu + `,"value":"2"}]}}`, `{spec: {taints: [{key: gpu, effect: NoSchedule, value: "1", timeAdded: x}, {key: a}]}}`, taints, `{"spec":{"taints":[{"effect":"NoSchedule","key":"gpu","timeAdded":"x","value":"2"},{"key":"a"}]}}`},
		"two with one key": {`{"spec":{"taints":[` + gpu + `,"value":"2"}]}}`, `{spec: {taints: [{key: a}, {key: gpu, effect: NoSchedule}, {key: gpu, effect: NoSchedule}]}}`, taints, `{"spec":{"taints":[{"key":"a"},{"effect":"NoSchedule","key":"gpu","value":"2"},{"effect":"NoSchedule","key":"gpu"}]}}`},
		"a removed field":  {`{"spec":{"taints":[` + gpu + `,"value":null}]}}`, `{spec: {taints: [{key: gpu, effect: NoSchedule, value: "1"}]}}`, taints, `{"spec":{"taints":[{"effect":"NoSchedule","key":"gpu"}]}}`},
		"in effect":        {`{"spec":{"taints":[` + gpu + `}]}}`, `{spec: {taints: [{key: gpu, effect: NoSchedule, value: "1"}]}}`, taints, ""},
		"no list":          {`{"spec":{"taints":[` + gpu + `}]}}`, `{spec: {}}`, taints, `{"spec":{"taints":[{"effect":"NoSchedule","key":"gpu"}]}}`},
		"a list in an entry": {
			`{"rules":[{"host":"a","paths":[{"path":"/b"}]}]}`, `{rules: [{host: a, paths: [{path: /a}]}, {host: b}]}`,
			map[string][]string{"rules": {"host"}, "rules[*].paths": {"path"}}, `{"rules":[{"host":"a","paths":[{"path":"/a"},{"path":"/b"}]},{"host":"b"}]}`,
		},
		"a list in an entry, as a whole": {
			`{"rules":[{"host":"a","paths":[{"path":"/b"}]}]}`, `{rules: [{host: a, paths: [{path: /a}]}, {host: b}]}`,
			map[string][]string{"rules": {"host"}}, `{"rules":[{"host":"a","paths":[{"path":"/b"}]},{"host":"b"}]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patch, err := Parse("", Merge, test.body)
			if err == nil {
				patch, err = patch.WithListKeys(test.keys)
			}
			if err != nil {
				t.Fatal(err)
			}
			var live map[string]any
			if err := json.Unmarshal([]byte(body(t, test.object)), &live); err != nil {
				t.Fatal(err)
			}
			frozen(t, live)
			result, err := patch.Apply(live, deployment)
			if err != nil {
				t.Fatal(err)
			}
			got := string(result.Body)
			if result.InEffect {
				got = ""
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

func TestListKeysRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind Type
		body string
		keys map[string][]string
		want string
	}{
		"a strategic patch":    {Strategic, `{"spec":{"a":1}}`, map[string][]string{"spec.a": {"k"}}, "list_keys is for a merge patch"},
		"an entry":             {Merge, `{"spec":{"a":1}}`, map[string][]string{"spec.a[0]": {"k"}}, "selects entries of a list"},
		"a wrong path":         {Merge, `{"spec":{"a":1}}`, map[string][]string{"spec.a[": {"k"}}, "list_keys: "},
		"no key":               {Merge, `{"spec":{"a":[]}}`, map[string][]string{"spec.a": {}}, "list_keys has no key for spec.a"},
		"no entry":             {Merge, `{"spec":{"a":[]}}`, map[string][]string{"spec.a": {"k"}}, "the body sets no entry there"},
		"a scalar":             {Merge, `{"spec":{"a":[1]}}`, map[string][]string{"spec.a": {"k"}}, "list_keys is for lists of objects"},
		"an entry without key": {Merge, `{"spec":{"a":[{"b":1}]}}`, map[string][]string{"spec.a": {"k"}}, "/spec/a/0 of the body does not have all keys of its list: k"},
		"the same key twice":   {Merge, `{"spec":{"a":[{"k":1},{"k":1}]}}`, map[string][]string{"spec.a": {"k"}}, "/spec/a/1 of the body has the same keys"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patch, err := Parse("", test.kind, test.body)
			if err == nil {
				_, err = patch.WithListKeys(test.keys)
			}
			if fault := isFault(t, err); !strings.Contains(fault.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
