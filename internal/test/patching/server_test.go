package patching_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// attempt is a patch of an object.
type attempt struct {
	object string
	kind   patches.Type
	body   string
	// nothing is true if the patch is in effect.
	nothing bool
	// defaults says that the server fills in more than the patch sets, and replaces that the patch replaces the defaults
	// again, so that only a dry-run tells that it is in effect.
	defaults, replaces bool
	// empties is true if the patch leaves a map empty, which the server drops.
	empties bool
}

// inPod returns a patch of the pod of the CronJob.
func inPod(spec string) string {
	return `{"spec":{"jobTemplate":{"spec":{"template":{"spec":` + spec + `}}}}}`
}

const podAt = "/spec/jobTemplate/spec/template/spec"

var attempts = map[string]attempt{
	"json: replace": {object: cronJob, kind: patches.JSON, body: `[{"op":"replace","path":"/spec/schedule","value":"1 0 * * *"}]`},
	"json: add":     {object: cronJob, kind: patches.JSON, body: `[{"op":"add","path":"/metadata/labels/team","value":"shop"}]`},
	"json: add a map": {object: cronJob, kind: patches.JSON,
		body: `[{"op":"add","path":"/metadata/annotations","value":{"example.com/a":"<b>"}}]`},
	"json: remove": {object: cronJob, kind: patches.JSON, empties: true,
		body: `[{"op":"remove","path":"/metadata/labels/app"},{"op":"remove","path":"/metadata/annotations/none"}]`},
	"json: remove nothing": {object: cronJob, kind: patches.JSON, nothing: true, body: `[{"op":"remove","path":"/metadata/labels/none"}]`},
	"json: copy":           {object: cronJob, kind: patches.JSON, body: `[{"op":"copy","from":"/metadata/labels/app","path":"/metadata/labels/copy"}]`},
	"json: insert":         {object: cronJob, kind: patches.JSON, body: `[{"op":"add","path":"` + podAt + `/containers/0/args/1","value":"--fast"}]`},
	"json: append":         {object: cronJob, kind: patches.JSON, body: `[{"op":"add","path":"` + podAt + `/containers/0/args/2","value":"--fast"}]`},
	"json: an item is there": {object: cronJob, kind: patches.JSON, nothing: true,
		body: `[{"op":"add","path":"` + podAt + `/containers/0/args/1","value":"--verbose"}]`},
	"json: remove the last item": {object: cronJob, kind: patches.JSON, body: `[{"op":"remove","path":"` + podAt + `/containers/0/args/1"}]`},
	"json: replace a list":       {object: cronJob, kind: patches.JSON, body: `[{"op":"replace","path":"` + podAt + `/containers/0/args","value":["a"]}]`},
	"json: tests": {object: configMap, kind: patches.JSON,
		body: `[{"op":"test","path":"/data/b.c","value":"<&>"},{"op":"test","path":"/data/none","value":null},` +
			`{"op":"test","path":"/metadata/labels/none","value":null},{"op":"add","path":"/data/d","value":"x"}]`},
	"json: test of a float": {object: cronJob, kind: patches.JSON, nothing: true,
		body: `[{"op":"test","path":"/spec/jobTemplate/spec/backoffLimit","value":3.0},{"op":"replace","path":"/spec/jobTemplate/spec/backoffLimit","value":3e0}]`},
	"json: test of a map": {object: cronJob, kind: patches.JSON,
		body: `[{"op":"test","path":"/spec/jobTemplate/spec/template/metadata/labels","value":{"app":"web"}},{"op":"add","path":"/metadata/labels/b","value":"c"}]`},
	"json: stringData": {object: secret, kind: patches.JSON, body: `[{"op":"add","path":"/stringData","value":{"b":"c"}}]`},
	"json: a resource": {object: gadget, kind: patches.JSON,
		body: `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}},{"op":"add","path":"/spec/steps/1","value":"c"},{"op":"remove","path":"/spec/note"}]`},
	"json: large numbers": {object: gadget, kind: patches.JSON,
		body: `[{"op":"test","path":"/spec/size","value":9007199254740993},{"op":"add","path":"/spec/sizes","value":[9007199254740995,-9223372036854775808]}]`},
	"json: an equal number": {object: gadget, kind: patches.JSON, nothing: true, body: `[{"op":"replace","path":"/spec/ratio","value":2}]`},

	"merge: fields":   {object: cronJob, kind: patches.Merge, body: `{"spec":{"schedule":"1 0 * * *","suspend":true},"metadata":{"labels":{"app":null,"b":"c"}}}`},
	"merge: remove":   {object: cronJob, kind: patches.Merge, body: `{"metadata":{"annotations":{"none":null},"labels":null}}`},
	"merge: a map":    {object: cronJob, kind: patches.Merge, body: inPod(`{"volumes":null,"nodeSelector":{"disk":null,"zone":"a"}}`)},
	"merge: an item":  {object: cronJob, kind: patches.Merge, body: inPod(`{"containers":[{"name":"app","image":"app:2"}]}`), defaults: true, replaces: true},
	"merge: nothing":  {object: cronJob, kind: patches.Merge, body: `{"metadata":{"annotations":{"none":null}},"spec":{"suspend":true}}`, nothing: true},
	"merge: a Secret": {object: secret, kind: patches.Merge, body: `{"stringData":{"a":"z","b":"c"},"data":{"d":"eA=="}}`},
	"merge: a resource": {object: gadget, kind: patches.Merge,
		body: `{"metadata":{"annotations":{"a":"b"},"labels":{"none":null}},"spec":{"size":9007199254740995,"ratio":2,"note":null,"free":{"e":{"f":1.5}}}}`},
	"merge: nothing of a resource": {object: gadget, kind: patches.Merge, nothing: true,
		body: `{"spec":{"size":9007199254740993,"ratio":2.0,"nest":{"a":{"b":null}}}}`},

	"strategic: fields":   {object: cronJob, kind: patches.Strategic, body: `{"spec":{"schedule":"1 0 * * *"},"metadata":{"labels":{"app":null,"b":"c"}}}`},
	"strategic: an item":  {object: cronJob, kind: patches.Strategic, body: inPod(`{"containers":[{"name":"proxy","image":"proxy:2"}]}`)},
	"strategic: a port":   {object: cronJob, kind: patches.Strategic, body: inPod(`{"containers":[{"name":"app","ports":[{"containerPort":80,"name":"http"}]}]}`)},
	"strategic: new item": {object: cronJob, kind: patches.Strategic, body: inPod(`{"containers":[{"name":"new","image":"new:1"}]}`), defaults: true},
	"strategic: an entry": {object: cronJob, kind: patches.Strategic,
		body: inPod(`{"containers":[{"name":"app","env":[{"name":"LEVEL","value":"2"},{"name":"NEW","value":"x"}]}]}`)},
	"strategic: nothing": {object: cronJob, kind: patches.Strategic, nothing: true,
		body: inPod(`{"containers":[{"name":"app","image":"app:1","ports":[{"containerPort":80}]}]}`)},
	"strategic: delete items": {object: cronJob, kind: patches.Strategic,
		body: inPod(`{"containers":[{"name":"proxy","$patch":"delete"},{"name":"app","env":[{"name":"MODE","$patch":"delete"}]}],"volumes":[{"name":"none","$patch":"delete"}]}`)},
	"strategic: delete nothing": {object: cronJob, kind: patches.Strategic, nothing: true,
		body: inPod(`{"initContainers":[{"name":"none","$patch":"delete"}],"containers":[{"name":"proxy","env":[{"name":"MODE","$patch":"delete"}]}]}`)},
	"strategic: delete a map":  {object: cronJob, kind: patches.Strategic, body: inPod(`{"nodeSelector":{"$patch":"delete"}}`), empties: true},
	"strategic: replace a map": {object: cronJob, kind: patches.Strategic, body: inPod(`{"nodeSelector":{"$patch":"replace","zone":"a"}}`)},
	"strategic: replace items": {object: cronJob, kind: patches.Strategic,
		body: inPod(`{"containers":[{"$patch":"replace"},{"name":"only","image":"only:1"}]}`), defaults: true, replaces: true},
	"strategic: retain keys": {object: cronJob, kind: patches.Strategic, body: inPod(`{"nodeSelector":{"$retainKeys":["zone"],"zone":"a"}}`)},
	"strategic: a volume": {object: cronJob, kind: patches.Strategic,
		body: inPod(`{"volumes":[{"name":"cache","$retainKeys":["name","hostPath"],"hostPath":{"path":"/a","type":""}}]}`)},
	"strategic: delete primitives": {object: cronJob, kind: patches.Strategic,
		body: `{"metadata":{"$deleteFromPrimitiveList/finalizers":["example.com/a"],"finalizers":["example.com/c"]}}`},
	"strategic: order": {object: cronJob, kind: patches.Strategic,
		body: inPod(`{"$setElementOrder/containers":[{"name":"proxy"},{"name":"app"}],"containers":[{"name":"app","image":"app:2"}]}`)},
	"strategic: order of primitives": {object: cronJob, kind: patches.Strategic,
		body: `{"metadata":{"$setElementOrder/finalizers":["example.com/b","example.com/c","example.com/a"],"finalizers":["example.com/c"]}}`},
	"strategic: keys of what is missing are retained": {object: cronJob, kind: patches.Strategic,
		body: inPod(`{"affinity":{"$retainKeys":["podAffinity"],"podAffinity":{}}}`)},
	"strategic: a missing map is replaced": {object: cronJob, kind: patches.Strategic,
		body: `{"metadata":{"annotations":{"$patch":"replace","a":"b"}}}`},
	"strategic: a replaced map with null": {object: cronJob, kind: patches.Strategic,
		body: `{"metadata":{"labels":{"$patch":"replace","team":"a","app":null}}}`},
	"strategic: directives in a new item": {object: cronJob, kind: patches.Strategic, defaults: true,
		body: inPod(`{"containers":[{"name":"new","image":"a","$setElementOrder/env":[{"name":"A"}],"securityContext":{"$patch":"replace","privileged":true}}]}`)},
	"strategic: directives of what an item lacks": {object: cronJob, kind: patches.Strategic,
		body: inPod(`{"containers":[{"name":"app","securityContext":{"$patch":"replace","privileged":true},"livenessProbe":{"exec":null}}]}`)},
	"strategic: a Secret": {object: secret, kind: patches.Strategic, body: `{"stringData":{"a":"z"}}`},
}

// TestServer holds that the server makes of a patch what Apply says, and that the patch is in effect then: to send it
// again changes nothing.
func TestServer(t *testing.T) {
	eachObject(t, attempts, func(a attempt) string { return a.object }, attempt.check)
}

func (a attempt) check(t *testing.T, c client) {
	patch, err := patches.Parse("", a.kind, a.body)
	story.Must(t, err)
	live := c.live(t)
	predicted, err := patch.Apply(live.Object, live.GroupVersionKind())
	story.Must(t, err)
	if predicted.InEffect != a.nothing {
		t.Errorf("in effect: %t", predicted.InEffect)
	}
	answer, err := c.send(t.Context(), a.kind, predicted.Body)
	story.Must(t, err)
	got, err := patch.Apply(answer.Object, answer.GroupVersionKind())
	story.Must(t, err)
	if want, is := withoutWrites(predicted.After), withoutWrites(got.Before); !a.predicts(want, is) {
		t.Errorf("the server's object (-predicted +got):\n%s", cmp.Diff(want, is))
	}
	if got.InEffect == a.replaces {
		t.Errorf("in effect afterwards: %t, %s", got.InEffect, cmp.Diff(got.Before, got.After))
	}
	again, err := c.send(t.Context(), a.kind, got.Body)
	story.Must(t, err)
	if again.GetResourceVersion() != answer.GetResourceVersion() || a.nothing && answer.GetResourceVersion() != live.GetResourceVersion() {
		t.Error("a patch in effect has changed the object")
	}
}

func (a attempt) predicts(want, is map[string]any) bool {
	same := cmp.Equal(want, is)
	switch {
	case a.defaults:
		return !same && covers(is, want)
	case a.empties:
		return !same && covers(want, is)
	default:
		return same
	}
}

// withoutWrites returns an object without what each write changes.
func withoutWrites(object map[string]any) map[string]any {
	copied := runtime.DeepCopyJSON(object)
	for _, field := range []string{"managedFields", "resourceVersion", "generation"} {
		unstructured.RemoveNestedField(copied, "metadata", field)
	}
	return copied
}

// covers reports whether a value has every field and item of another one.
func covers(value, part any) bool {
	switch part := part.(type) {
	case map[string]any:
		fields, _ := value.(map[string]any)
		for name, inner := range part {
			if outer, has := fields[name]; !has || !covers(outer, inner) {
				return false
			}
		}
		return true
	case []any:
		list, _ := value.([]any)
		return slices.EqualFunc(list, part, covers)
	default:
		return value == part
	}
}
