package rendering

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestScrub(t *testing.T) {
	t.Parallel()
	r := sensitive(t, "spec.token", "spec.users", "metadata.name")
	object := map[string]any{
		"metadata": map[string]any{"name": "web-server"},
		"spec": map[string]any{
			"token": "hunter2-correct", "open": "hunter2-open",
			"users": []any{map[string]any{"pin": int64(7), "word": "is", "lines": "first-line-of-key\nsecond <line> \"of\" key"}},
		},
	}
	secrets := r.Secrets("Gadget default/web-server (v1)", object)
	for name, tc := range map[string]struct{ text, want string }{
		"in quotes":             {`Invalid value: "hunter2-correct": no`, `Invalid value: "(sensitive)": no`},
		"bare":                  {`no hunter2-correct here`, `no (sensitive) here`},
		"in base64":             {`no ` + base64.StdEncoding.EncodeToString([]byte("hunter2-correct")), `no (sensitive)`},
		"what is no secret":     {`no hunter2-open here`, `no hunter2-open here`},
		"a short word":          {`this is "is": no`, `this (sensitive) "(sensitive)": no`},
		"a number":              {`must be 17, not 7`, `must be 17, not (sensitive)`},
		"several lines in JSON": {`no "first-line-of-key\nsecond <line> \"of\" key" here`, `no "(sensitive)" here`},
		"one of several lines":  {"no\n  second <line> \"of\" key", "no\n  (sensitive)"},
		"the end was cut":       {"no hunter2-corr...", "no (sensitive)..."},
		"the object's own name": {`Gadget default/web-server (v1) is no name`, `Gadget default/web-server (v1) (sensitive) no name`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := secrets.Scrub(tc.text); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
	if text := `"hunter2-correct" got &{x}`; (Secrets{}).Scrub(text) != text || (Renderer{}).Secrets("", object).Scrub(text) != text {
		t.Error("an object without secrets changes a text")
	}
}

// Scrub keeps the name of an object that is sensitive as a whole, and removes everything else of it.
func TestScrubEverything(t *testing.T) {
	t.Parallel()
	secrets := sensitive(t, "*").Secrets("ConfigMap shop/frontdoor (v1)", map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{
			"name": "frontdoor", "namespace": "shop",
			"labels":        map[string]any{"app": "frontdoor", "owner": "hunter2-label"},
			"managedFields": []any{map[string]any{"manager": "kubectl-edit", "operation": "Update"}},
		},
		"data": map[string]any{"a": "hunter2-data", "b": "is"},
	})
	text := `ConfigMap shop/frontdoor (v1): configmaps "frontdoor" in "shop" of "v1" "ConfigMap": data.a hunter2-data, "is", hunter2-label, owned by "kubectl-edit"`
	want := `ConfigMap shop/frontdoor (v1): configmaps "frontdoor" in "shop" of "v1" "ConfigMap": data.a (sensitive), "(sensitive)", (sensitive), owned by "kubectl-edit"`
	if got := secrets.Scrub(text); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The data of a Secret are looked for as the manifest has them and as they are decoded.
func TestScrubSecret(t *testing.T) {
	t.Parallel()
	object := map[string]any{
		"data": map[string]any{
			"a": base64.StdEncoding.EncodeToString([]byte("hunter2-decoded")),
			"c": base64.StdEncoding.EncodeToString([]byte("hunter2-first line\nhunter2-second line\n")),
		},
		"stringData": map[string]any{"b": "hunter2-written"},
		"type":       "Opaque-type",
	}
	text := "hunter2-decoded hunter2-written hunter2-second line is Opaque-type"
	for _, value := range []string{"hunter2-decoded", "hunter2-written"} {
		text += " " + base64.StdEncoding.EncodeToString([]byte(value))
	}
	got := Renderer{Secret: true}.Secrets("Secret x", object).Scrub(text)
	if strings.Count(got, Redacted) != 5 || !strings.Contains(got, "Opaque-type") {
		t.Errorf("got %s", got)
	}
}
