package run

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestShare(t *testing.T) {
	t.Parallel()
	id := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}
	fields := func(fieldsV1 string) *paths.Set {
		set, err := paths.ParseSet([]byte(fieldsV1))
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	share := func(manager string, isPart bool, fieldsV1 string) Share {
		set := fields(fieldsV1)
		return Share{FieldManager: manager, IsPart: isPart, Fields: set, Names: paths.NewFormatter(set)}
	}
	whole := func(fieldsV1 string) Share { return share("k8sconnect", false, fieldsV1) }
	part := func(manager, fieldsV1 string) Share { return share(manager, true, fieldsV1) }
	unborn := func(manager string, body map[string]any) Share {
		return Share{FieldManager: manager, IsPart: true, Body: body, Names: paths.NewFormatter()}
	}
	removing := func(of Share, pattern string) Share {
		of.Removes = paths.PatternsOf([]string{pattern})
		return of
	}
	secret := share("k8sconnect", false, `{"f:tokens":{"v:\"s3cret\"":{},"v:\"s3cret2\"":{}}}`)
	secret.Names = rendering.Renderer{Sensitive: paths.PatternsOf([]string{"tokens"})}.Names(secret.Names)
	const a, b, ab = `{"f:data":{"f:a":{}}}`, `{"f:data":{"f:b":{}}}`, `{"f:data":{"f:a":{},"f:b":{}}}`
	const ports = `{"f:ports":{"k:{\"port\":80}":{".":{},"f:port":{}}}}`
	const services = `{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}`
	const container = `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}}}}}`
	const env = `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:env":{"k:{\"name\":\"X\"}":{".":{},"f:name":{},"f:value":{}}}}}}}`
	for name, tt := range map[string]struct {
		first, second    Share
		refused          bool
		applied, removed []string
	}{
		"disjoint parts":            {first: part("a", a), second: part("b", b)},
		"one field":                 {first: part("a", ab), second: part("b", b), refused: true, applied: []string{"data.b"}},
		"parts of a field":          {first: part("a", `{"f:x":{}}`), second: part("b", `{"f:x":{"f:y":{},"v:1":{}}}`), refused: true, applied: []string{"x.y", "x[=1]"}},
		"a field with a part":       {first: part("a", `{"f:x":{"f:y":{}}}`), second: part("b", `{"f:x":{}}`), refused: true, applied: []string{"x"}},
		"names that begin alike":    {first: part("a", `{"f:x":{}}`), second: part("b", `{"f:xy":{}}`)},
		"a name with a dot":         {first: part("a", `{"f:labels":{"f:app":{}}}`), second: part("b", `{"f:labels":{"f:app.kubernetes.io/name":{}}}`)},
		"names with a bracket":      {first: part("a", `{"f:data":{"f:x":{}}}`), second: part("b", `{"f:data":{"f:x[0]":{}}}`)},
		"the key of one item":       {first: whole(container), second: part("b", env)},
		"two parts of one item":     {first: part("a", env), second: part("b", container)},
		"one field of one item":     {first: part("a", env), second: part("b", env), refused: true, applied: []string{`spec.containers[name="app"].env[name="X"].value`}},
		"the same manager":          {first: part("a", a), second: part("a", b), refused: true},
		"a part and its whole":      {first: whole(a), second: part("a", a), refused: true, applied: []string{"data.a"}},
		"a part beside its whole":   {first: whole(a), second: part("a", b)},
		"two wholes of one object":  {first: whole(a), second: whole(a)},
		"removes what is applied":   {first: whole(ab), second: removing(part("b", b), "data.a"), refused: true, applied: []string{"data.b"}, removed: []string{"data.a"}},
		"applies what is removed":   {first: removing(part("a", `{}`), "data"), second: part("b", b), refused: true, removed: []string{"data.b"}},
		"removes a secret member":   {first: secret, second: removing(part("b", b), "tokens"), refused: true, removed: []string{"tokens"}},
		"applies a secret member":   {first: secret, second: unborn("b", map[string]any{"tokens": []any{"s3cret"}}), refused: true, applied: []string{"tokens"}},
		"replaces a list":           {first: whole(ports), second: removing(part("b", `{"f:ports":{"k:{\"port\":90}":{".":{},"f:port":{}}}}`), "ports"), refused: true, removed: []string{"ports[port=80]"}},
		"replaces, no object yet":   {first: whole(ports), second: removing(unborn("b", map[string]any{"ports": []any{map[string]any{"port": int64(90)}}}), "ports"), refused: true, removed: []string{"ports[port=80]"}},
		"replaces, other defaults":  {first: whole(services), second: removing(unborn("b", map[string]any{"ports": []any{map[string]any{"port": int64(90), "name": "q"}}}), "ports"), refused: true, removed: []string{"ports[port=80,protocol=\"TCP\"]"}},
		"replaces with the same":    {first: whole(ports), second: removing(part("b", ports), "ports")},
		"removes something else":    {first: removing(part("a", `{}`), "data.b"), second: part("b", a)},
		"no object yet":             {first: whole(a), second: unborn("b", map[string]any{"data": map[string]any{"a": "1", "c": "2"}}), refused: true, applied: []string{"data.a"}},
		"no object yet, other keys": {first: whole(a), second: unborn("b", map[string]any{"data": map[string]any{"c": "2"}})},
		"no object yet, parts":      {first: unborn("a", map[string]any{"data": map[string]any{"a": "1"}}), second: unborn("b", map[string]any{"data": map[string]any{"a": "1"}})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, uid := range []string{"", "1"} {
				var run Run
				if err := run.Objects.Share(At{Object: id, UID: uid}, tt.first); err != nil {
					t.Fatal(err)
				}
				other := id
				other.Name = "other"
				if err := run.Objects.Share(At{Object: other, UID: uid + uid}, tt.second); err != nil {
					t.Errorf("another object: %v", err)
				}
				err := run.Objects.Share(At{Object: id, UID: uid}, tt.second)
				var shared *SharedError
				if errors.As(err, &shared) != tt.refused {
					t.Fatalf("uid %q: got %v", uid, err)
				}
				if !tt.refused {
					continue
				}
				if diff := cmp.Diff([][]string{tt.applied, tt.removed}, [][]string{shared.Applied, shared.Removed}); diff != "" {
					t.Errorf("uid %q: common fields (-want +got):\n%s", uid, diff)
				}
			}
		})
	}
}
