package rendering

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func pack(t *testing.T, text string) string {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return encode(packed.String())
}

// TestCopiesIn checks what counts as a copy of secret values of one object, and what does not.
func TestCopiesIn(t *testing.T) {
	t.Parallel()
	const password, short = "correct horse \"battery\"", "s3cr3"
	secret := Renderer{Secret: true}
	sensitive := sensitive(t, "data.password", "data.pin")
	data := map[string]any{"password": password, "pin": short, "other": "ordinary-words"}
	encoded := map[string]any{"password": encode(password), "pin": encode(short), "namespace": encode("shop"), "on": encode("true")}
	for name, tc := range map[string]struct {
		renderer Renderer
		data     map[string]any
		text     string
		isCopy   bool
	}{
		"plain":                           {secret, encoded, "it is " + password + ", you know", true},
		"in base64":                       {secret, encoded, "x=" + encode(password), true},
		"escaped":                         {secret, encoded, `{"note":"` + strings.ReplaceAll(password, `"`, `\"`) + `"}`, true},
		"in base64 as a whole":            {secret, encoded, encode("it is " + password), true},
		"packed":                          {secret, encoded, pack(t, `{"x":"`+encode(password)+`"}`), true},
		"a short one as a word":           {secret, encoded, "pin: " + short, true},
		"a short one inside of a word":    {secret, encoded, "pins3cr3t", false},
		"an older manifest":               {secret, encoded, `{"apiVersion":"v1","kind":"Secret","data":{"password":"b2xk"}}`, true},
		"an older manifest in YAML":       {secret, encoded, "kind: Secret\nstringData:\n  pin: x\n", true},
		"an older manifest in a list":     {secret, encoded, `{"items":[{"data":{"a":"b"}}]}`, true},
		"an older manifest, packed":       {secret, encoded, pack(t, `{"data":{"a":"b"}}`), true},
		"a manifest without data":         {secret, encoded, `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}`, false},
		"something else":                  {secret, encoded, "checked: yes\nby: the auditor\n", false},
		"the object's namespace":          {secret, encoded, "shop", false},
		"an ordinary word":                {secret, encoded, "true", false},
		"a sensitive value":               {sensitive, data, "it is " + password, true},
		"a value that is not sensitive":   {sensitive, data, "ordinary-words", false},
		"an older sensitive value":        {sensitive, data, `{"data":{"pin":"1"}}`, true},
		"a manifest without the field":    {sensitive, data, `{"data":{"other":"1"}}`, false},
		"an object without secret fields": {Renderer{}, data, "it is " + password, false},
		"not YAML":                        {secret, encoded, "{a: *x}", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object := map[string]any{
				"apiVersion": "v1", "kind": "X", "data": tc.data,
				"metadata": map[string]any{"name": "a", "namespace": "shop", "annotations": map[string]any{"example.com/x": tc.text, "b": int64(1)}},
			}
			if got := len(tc.renderer.CopiesIn(object)) > 0; got != tc.isCopy {
				t.Errorf("is a copy: %t", got)
			}
			known := tc.renderer.Knowing(object)
			known.DigestKey = []byte("k")
			annotations := paths.Path{paths.Field("metadata"), paths.Field("annotations")}
			for _, path := range []paths.Path{annotations[:1], annotations, paths.Below(annotations, paths.Field("example.com/x"))} {
				value := map[string]any{"annotations": map[string]any{"example.com/x": tc.text}}
				at := []any{value, value["annotations"], tc.text}[len(path)-1]
				if got := strings.Contains(known.Fingerprint(path, at), digestMark); got != tc.isCopy {
					t.Errorf("%s has the fingerprint %s", paths.Format(path), known.Fingerprint(path, at))
				}
			}
		})
	}
}

// Tools are known by the names of their annotations, and labels count only if they are clearly a copy.
func TestCopiesByNameAndInLabels(t *testing.T) {
	t.Parallel()
	const password = "correct-horse-battery"
	object := map[string]any{
		"data": map[string]any{"password": encode(password), "user": encode("frontend")},
		"metadata": map[string]any{
			"annotations": map[string]any{"kapp.k14s.io/original": "x", "other/last-applied": "y", "team": "z"},
			"labels":      map[string]any{"app": "frontend", "copy": password, "stored": encode("frontend")},
		},
	}
	var found []string
	for _, path := range (Renderer{Secret: true}).CopiesIn(object) {
		found = append(found, paths.Format(path))
	}
	want := []string{
		"metadata.annotations.kapp.k14s.io/original", "metadata.annotations.other/last-applied", "metadata.labels.copy", "metadata.labels.stored",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("copies (-want +got):\n%s", diff)
	}
	left, _ := (Renderer{Secret: true}).WithoutCopies(object, nil)["metadata"].(map[string]any)
	if diff := cmp.Diff(map[string]any{"annotations": map[string]any{"team": "z"}, "labels": map[string]any{"app": "frontend"}}, left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	if labels, _ := object["metadata"].(map[string]any)["labels"].(map[string]any); len(labels) != 3 {
		t.Error("the object was changed")
	}
}

// What unpacks to more than any object is not looked into, and counts.
func TestHugeCopy(t *testing.T) {
	t.Parallel()
	object := map[string]any{
		"data":     map[string]any{"password": encode("correct-horse")},
		"metadata": map[string]any{"annotations": map[string]any{"a": pack(t, strings.Repeat("0", largestUnpacked+1))}},
	}
	if len((Renderer{Secret: true}).CopiesIn(object)) != 1 {
		t.Error("it does not count")
	}
}

// A write-only value leaves no digest: neither its own, nor one of a map or of a copy around it.
func TestWriteOnlyLeavesNoDigest(t *testing.T) {
	t.Parallel()
	r := sensitive(t, "data.password", "data.other")
	r.WriteOnly = r.Sensitive[:1]
	data := paths.Path{paths.Field("data")}
	one, two := map[string]any{"password": "1", "other": "x"}, map[string]any{"password": "2", "other": "x"}
	for name, same := range map[string][2]string{
		"the value": {r.Fingerprint(paths.Below(data, paths.Field("password")), "1"), r.Fingerprint(paths.Below(data, paths.Field("password")), "2")},
		"the map":   {r.Fingerprint(data, one), r.Fingerprint(data, two)},
		"the copy":  {r.Fingerprint(lastApplied, "1"), r.Fingerprint(lastApplied, "2")},
	} {
		if same[0] != same[1] || same[0] != UnstoredPrint {
			t.Errorf("%s: %q", name, same)
		}
	}
	if got := r.Text(paths.Below(data, paths.Field("other")), "x"); !strings.HasPrefix(got, digestMark) {
		t.Errorf("another sensitive field is shown as %s", got)
	}
}
