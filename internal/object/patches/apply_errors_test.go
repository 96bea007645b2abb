package patches

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestApplyErrors(t *testing.T) {
	t.Parallel()
	const (
		byKey = "Name the item by its key, with a strategic patch for a built-in kind or with server-side apply. Or set the list with replace."
		state = "Write what the object should look like, so that the patch is in effect after its apply."
		again = "Write what the object should look like: set a list as a whole, or name its items by their keys with a strategic patch or server-side apply."
		types = "the patch does not apply: a value has a type that cannot be merged. Compare its fields with those of the object."
	)
	tests := map[string]struct {
		kind Type
		gvk  schema.GroupVersionKind
		live string
		body string
		want string
	}{
		"a field of a missing map": {
			kind: JSON, live: "metadata: {name: a}", body: "[{op: add, path: /metadata/annotations/b, value: c}]",
			want: "operation 1 (add /metadata/annotations/b) does not apply: the object has no /metadata/annotations. Write a merge patch, which creates the missing maps."},
		"a field of a text": {
			kind: JSON, live: "spec: {a: x}", body: "[{op: add, path: /spec/a/b, value: c}]",
			want: "operation 1 (add /spec/a/b) does not apply: the object has no /spec/a. Write a merge patch, which creates the missing maps."},
		"a missing field is replaced": {
			kind: JSON, live: "spec: {}", body: "[{op: replace, path: /spec/a, value: 1}]",
			want: "operation 1 (replace /spec/a) does not apply: the object has no /spec/a. Write an add, which also replaces a field that is there."},
		"a missing item is replaced": {
			kind: JSON, live: "spec: {a: [x]}", body: "[{op: replace, path: /spec/a/1, value: 1}]",
			want: "operation 1 (replace /spec/a/1) does not apply: the object has no /spec/a/1. Write an add, which also replaces a field that is there."},
		"a missing field is copied": {
			kind: JSON, live: "spec: {}", body: "[{op: copy, from: /spec/a, path: /spec/b}]",
			want: "operation 1 (copy /spec/b) does not apply: the object has no /spec/a. Write an add of the value that you mean."},
		"a name in a list": {
			kind: JSON, live: "spec: {a: [{name: x}]}", body: "[{op: remove, path: /spec/a/x/b}]",
			want: `operation 1 (remove /spec/a/x/b) does not apply: /spec/a is a list, and "x" is not a position. Write a position, counted from 0.`},
		"a negative position": {
			kind: JSON, live: "spec: {a: [x]}", body: "[{op: replace, path: /spec/a/-1, value: 'z'}]",
			want: `operation 1 (replace /spec/a/-1) does not apply: /spec/a is a list, and "-1" is not a position. Write a position, counted from 0.`},
		"a position with a zero": {
			kind: JSON, live: "spec: {a: [x]}", body: "[{op: test, path: /spec/a/00, value: x}, {op: remove, path: /spec/b}]",
			want: `operation 1 (test /spec/a/00) does not apply: /spec/a is a list, and "00" is not a position. Write a position, counted from 0.`},

		"an item that is a map": {
			kind: JSON, live: "spec: {a: [{b: 1}]}", body: "[{op: add, path: /spec/a/0, value: {b: 1}}]",
			want: "operation 1 (add /spec/a/0) adds an item that is an object to the list /spec/a, and the next apply could not tell whether the item is there. " + byKey},
		"an item that is copied and a list": {
			kind: JSON, live: "spec: {a: [[1]], b: [1]}", body: "[{op: copy, from: /spec/b, path: /spec/a/0}]",
			want: "operation 1 (copy /spec/a/0) adds an item that is a list to the list /spec/a, and the next apply could not tell whether the item is there. " + byKey},
		"an item that is elsewhere": {
			kind: JSON, live: "spec: {a: [x, w, z]}", body: "[{op: add, path: /spec/a/0, value: z}]",
			want: "operation 1 (add /spec/a/0) adds an item that the list has already, at position 2. Write that position, or set the list /spec/a with replace."},
		"an item after the end": {
			kind: JSON, live: "spec: {a: [x]}", body: "[{op: add, path: /spec/a/2, value: z}]",
			want: "operation 1 (add /spec/a/2) is after the end of a list of 1. Write a position from 0 to 1."},

		"an item is removed at each apply": {
			kind: JSON, live: "spec: {a: [x, w, z]}", body: "[{op: remove, path: /spec/a/1}]",
			want: "the patch changes the object again at each apply, for example spec.a. " + again},
		"a copy of what changes": {
			kind: JSON, live: "spec: {a: 1, b: 2}", body: "[{op: copy, from: /spec/a, path: /spec/b}, {op: replace, path: /spec/a, value: 3}]",
			want: "the patch changes the object again at each apply, for example spec.b. " + again},
		"a test of what changes": {
			kind: JSON, live: "spec: {a: 1}", body: "[{op: test, path: /spec/a, value: 1}, {op: replace, path: /spec/a, value: 2}]",
			want: "once it is applied, the patch does not fit the object any more: operation 1 (test /spec/a) failed: the object has another value at /spec/a. " + state},
		"items in the wrong order": {
			kind: JSON, live: "spec: {a: [x]}", body: "[{op: add, path: /spec/a/0, value: b}, {op: add, path: /spec/a/0, value: c}]",
			want: "once it is applied, the patch does not fit the object any more: operation 1 (add /spec/a/0) adds an item that the list has already, at position 1. " + state},
		"a copy of what is removed": {
			kind: JSON, live: "spec: {a: 1}", body: "[{op: copy, from: /spec/a, path: /spec/b}, {op: remove, path: /spec/a}]",
			want: "once it is applied, the patch does not fit the object any more: operation 1 (copy /spec/b) does not apply: the object has no /spec/a. " + state},

		"a directive in an item of a list that is replaced": {
			kind: Strategic, gvk: deployment, live: podWith("{tolerations: [{key: a}]}"), body: podWith("{tolerations: [{key: b, $retainKeys: [key]}]}"),
			want: `/spec/template/spec/tolerations/0 of the patch has "$retainKeys", and the object has nothing there that it could change. Leave "$retainKeys" out.`},
		"an item without its key": {
			kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a}]}"), body: podWith("{containers: [{image: 'secret:1'}]}"),
			want: `the patch does not apply: an item of a list lacks its key "name". Compare its fields with those of the object.`},
		"an unknown field": {
			kind: Strategic, gvk: deployment, live: "spec: {later: {a: 1}}", body: "spec: {later: {a: 2}}",
			want: `the patch does not apply: unable to find api field in struct DeploymentSpec for the json field "later". Compare its fields with those of the object.`},
		"a null in a list": {
			kind: Strategic, gvk: configMap, live: "metadata: {finalizers: [a/x]}", body: "metadata: {finalizers: [null]}",
			want: "the patch does not apply: a list has items of several types. Compare its fields with those of the object."},
		"items of several types": {
			kind: Strategic, gvk: configMap, live: "metadata: {finalizers: [a/x]}", body: "metadata: {finalizers: [b/x, 1]}",
			want: "the patch does not apply: a list has items of several types. Compare its fields with those of the object."},
		"a map among retained keys": {
			kind: Strategic, gvk: deployment, live: "spec: {strategy: {type: Recreate}}", body: "spec: {strategy: {$retainKeys: [{}]}}", want: types},
		"an order that is not the patch's": {
			kind: Strategic, gvk: configMap, live: "metadata: {finalizers: [a/x]}", body: "metadata: {$setElementOrder/finalizers: [a/x], finalizers: [b/x]}",
			want: "the patch does not apply: a list has another order than its $setElementOrder. Compare its fields with those of the object."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := clustertest.Object(t, tt.live)
			frozen(t, live)
			_, err := parse(t, tt.kind, tt.body).Apply(live, tt.gvk)
			if diff := cmp.Diff(tt.want, isFault(t, err).Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// The error of a patch whose test fails on its own result holds the values of the test.
func TestUnstable(t *testing.T) {
	t.Parallel()
	const body = "[{op: test, path: /spec/a, value: 1}, {op: add, path: /spec/a, value: 2}]"
	_, err := parse(t, JSON, body).Apply(clustertest.Object(t, "spec: {a: 1}"), gadget)
	var failed *TestFailedError
	if !errors.As(err, &failed) || failed.Found != int64(2) {
		t.Fatalf("error %#v", err)
	}
}

// TestErrorsHaveNoValues checks that no text of an error has a value: bodies and objects hold secrets.
func TestErrorsHaveNoValues(t *testing.T) {
	t.Parallel()
	const hidden = "hunter2"
	live := "spec: {text: hunter2, list: [hunter2, b, c], map: {name: hunter2}, containers: [{name: a, image: hunter2}]}\nmetadata: {finalizers: [hunter2]}"
	for _, one := range []struct {
		kind Type
		body string
	}{
		{JSON, `[{"op":"test","path":"/spec/text","value":"hunter2x"},{"op":"remove","path":"/spec/a"}]`},
		{JSON, `[{"op":"test","path":"/spec/map","value":1},{"op":"remove","path":"/spec/a"}]`},
		{JSON, `[{"op":"add","path":"/spec/text/a","value":"hunter2"}]`},
		{JSON, `[{"op":"add","path":"/spec/list/1","value":"hunter2"}]`},
		{JSON, `[{"op":"add","path":"/spec/list/1","value":{"a":"hunter2"}}]`},
		{JSON, `[{"op":"remove","path":"/spec/list/0"}]`},
		{JSON, `[{"op":"add","path":"/spec","value":"hunter2"},{"op":"add","path":"/spec/a","value":"b"}]`},
		{JSON, `["hunter2"]`},
		{JSON, `[{"op":"add","path":"/a","value":"hunter2"`},
		{JSON, `"hunter2"`},
		{Merge, `{"spec": hunter2}`},
		{Merge, `"hunter2"`},
		{Strategic, `{"spec":{"template":{"spec":{"$patch":"hunter2"}}}}`},
		{Strategic, `{"spec":{"$retainKeys":"hunter2"}}`},
		{Strategic, `{"metadata":{"finalizers":["hunter2"],"$deleteFromPrimitiveList/finalizers":["hunter2"]}}`},
		{Strategic, `{"metadata":{"finalizers":["hunter2",1]}}`},
		{Strategic, `{"metadata":{"finalizers":["hunter2"],"$setElementOrder/finalizers":["b"]}}`},
		{Strategic, `{"metadata":{"ownerReferences":[{"name":"hunter2"}]}}`},
		{Strategic, `{"metadata":{"ownerReferences":["hunter2"]}}`},
	} {
		patch, err := Parse("", one.kind, one.body)
		if err == nil {
			withOwner := clustertest.Object(t, live)
			withOwner["metadata"].(map[string]any)["ownerReferences"] = []any{map[string]any{"uid": hidden}}
			_, err = patch.Apply(withOwner, configMap)
		}
		if err == nil {
			t.Errorf("no error of %s", one.body)
			continue
		}
		for ; err != nil; err = errors.Unwrap(err) {
			if strings.Contains(err.Error(), hidden) {
				t.Errorf("%s: %s", one.body, err)
			}
		}
	}
}
