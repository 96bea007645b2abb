package patching_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// refusal is a patch that Apply refuses because of what the server makes of it.
type refusal struct {
	object string
	kind   patches.Type
	body   string
	// adapted is true if Apply accepts the patch, and another body is sent.
	adapted bool
	// accepted is true if the server accepts the patch. changes are the fields that it changes.
	accepted bool
	changes  []string
}

var refusals = map[string]refusal{
	"a removal of what is missing": {object: configMap, kind: patches.JSON, adapted: true, body: `[{"op":"remove","path":"/data/none"}]`},
	"a missing field is replaced": {object: configMap, kind: patches.JSON, body: `[{"op":"replace","path":"/data/none","value":"x"}]`,
		accepted: true, changes: []string{"Added data.none"}},
	"a missing field is copied": {object: configMap, kind: patches.JSON, body: `[{"op":"copy","from":"/data/none","path":"/data/copy"}]`,
		accepted: true, changes: []string{"Added data.copy"}},
	"a directive in a list that is replaced": {object: cronJob, kind: patches.Strategic,
		body: inPod(`{"tolerations":[{"key":"spot","operator":"Exists","$retainKeys":["key","operator"]}]}`)},
	"the server drops what replaces a missing map": {object: cronJob, kind: patches.Strategic, adapted: true, accepted: true,
		body: `{"metadata":{"annotations":{"$patch":"replace","a":"b"}}}`},
	"the server takes a directive of a missing map for a field": {object: cronJob, kind: patches.Strategic, adapted: true,
		body: inPod(`{"affinity":{"$retainKeys":["podAffinity"],"podAffinity":{}}}`)},
	"the server writes a null of a map that is replaced": {object: cronJob, kind: patches.Strategic, adapted: true, accepted: true,
		body: `{"metadata":{"labels":{"$patch":"replace","app":"web","team":null}}}`, changes: []string{"Added metadata.labels.team"}},
	"a strategic patch of a resource":     {object: gadget, kind: patches.Strategic, body: `{"spec":{"note":"a"}}`},
	"a field after a map that is missing": {object: configMap, kind: patches.JSON, body: `[{"op":"add","path":"/metadata/labels/a","value":"b"}]`},
}

// TestRefusals holds the reasons for which Apply refuses patches, or leaves out operations.
func TestRefusals(t *testing.T) {
	eachObject(t, refusals, func(r refusal) string { return r.object }, refusal.check)
}

func (r refusal) check(t *testing.T, c client) {
	patch, err := patches.Parse("", r.kind, r.body)
	story.Must(t, err)
	live := c.live(t)
	predicted, err := patch.Apply(live.Object, live.GroupVersionKind())
	var fault *patches.Error
	if refused := errors.As(err, &fault); refused == r.adapted || r.adapted && string(predicted.Body) == r.body {
		t.Errorf("predicted %s, %v", predicted.Body, err)
	}
	answer, err := c.send(t.Context(), r.kind, []byte(r.body))
	if (err == nil) != r.accepted {
		t.Fatalf("answer: %v", err)
	}
	if err != nil {
		return
	}
	var changes []string
	for _, change := range projection.Changes(withoutWrites(live.Object), withoutWrites(answer.Object), nil) {
		what := "Changed "
		if change.Before == nil {
			what = "Added "
		}
		changes = append(changes, what+paths.Format(change.Path))
	}
	if diff := cmp.Diff(r.changes, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
