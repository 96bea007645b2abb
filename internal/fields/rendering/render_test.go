package rendering

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

var (
	plainField  = paths.Path{paths.Field("spec"), paths.Field("a")}
	secretField = paths.Path{paths.Field("data"), paths.Field("password")}
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		value any
		want  string
	}{
		"a text is itself":         {"a: \"b\"\n<c>", "a: \"b\"\n<c>"},
		"an empty text":            {"", ""},
		"as Terraform keeps it":    {"e\u0301", "\u00e9"},
		"so in a list":             {[]any{"e\u0301"}, "[\"\u00e9\"]"},
		"an integer over 2^53":     {int64(9007199254740993), "9007199254740993"},
		"a whole float":            {3.0, "3"},
		"a float":                  {0.25, "0.25"},
		"a boolean":                {true, "true"},
		"null":                     {nil, "null"},
		"a list as it was written": {[]any{"sh", "-c", "a && b > c"}, `["sh","-c","a && b > c"]`},
		"a map with sorted keys":   {map[string]any{"b": 1.0, "a": []any{}}, `{"a":[],"b":1}`},
		"what JSON cannot hold":    {func() {}, "unprintable"},
		"4 KiB are shown":          {strings.Repeat("x", 4096), strings.Repeat("x", 4096)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Renderer{}.Text(plainField, tt.value)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("digests of long texts tell them apart", func(t *testing.T) {
		t.Parallel()
		long := strings.Repeat("x", 5000)
		a, b := Renderer{}.Text(plainField, long+"a"), Renderer{}.Text(plainField, long+"b")
		if a == b || len(a) > 100 || !strings.HasPrefix(a, "(5001 bytes, sha256:") {
			t.Errorf("%s and %s", a, b)
		}
	})
}

func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	const clear = "hunter2-hunter2"
	encoded := base64.StdEncoding.EncodeToString([]byte(clear))
	secret := clustertest.Object(t, "{data: {password: "+encoded+"}, stringData: {password: "+clear+"}, type: Opaque}")
	fields := clustertest.Fields(t, `{"f:data":{".":{},"f:password":{}},"f:stringData":{"f:password":{}},"f:type":{}}`)
	renderers := map[string]Renderer{
		"without a key": {Secret: true},
		"with a key":    {Secret: true, DigestKey: []byte("k")},
	}
	for name, renderer := range renderers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var shown []string
			for _, text := range renderer.State(secret, fields, paths.NewFormatter(fields)) {
				shown = append(shown, text)
			}
			for _, print := range renderer.Fingerprints(secret, fields) {
				shown = append(shown, print)
			}
			shown = append(shown, renderer.Text(secretField, encoded), renderer.Text(secretField[:1], secret["data"]),
				renderer.Text(secretField, strings.Repeat(clear, 1000)), renderer.Text(secretField, func() {}))
			for _, text := range shown {
				if strings.Contains(text, clear) || strings.Contains(text, encoded) || len(text) > 100 {
					t.Errorf("%q", text)
				}
			}
			if got := renderer.Text(paths.Path{paths.Field("type")}, "Opaque"); got != "Opaque" {
				t.Errorf("the type is shown as %q", got)
			}
		})
	}
	one, other := renderers["with a key"], Renderer{Secret: true, DigestKey: []byte("another")}
	if renderers["without a key"].Text(secretField, clear) != Redacted {
		t.Error("a secret without a key is not undisclosed")
	}
	same := Renderer{Secret: true, DigestKey: one.DigestKey}
	if same.Text(secretField, clear) != one.Text(secretField, clear) || one.Text(secretField, clear) == one.Text(secretField, clear+"x") {
		t.Error("digests under one key do not compare")
	}
	if one.Text(secretField, clear) == other.Text(secretField, clear) {
		t.Error("digests under two keys can be compared")
	}
	if (Renderer{}).Text(secretField, clear) != clear {
		t.Error("the data of an object that is no Secret is masked")
	}
	if one.IsSecret(nil) || one.IsSecret(paths.Path{paths.Index(0)}) {
		t.Error("a path without a field is secret")
	}
}

// TestLastAppliedOfASecret checks that kubectl's copy of a Secret is as secret as the Secret.
func TestLastAppliedOfASecret(t *testing.T) {
	t.Parallel()
	const copied = `{"data":{"password":"aHVudGVyMg=="}}`
	if got := (Renderer{Secret: true, DigestKey: []byte("k")}).Text(lastApplied, copied); strings.Contains(got, "aHVudGVyMg") {
		t.Errorf("shown as %s", got)
	}
	if got := (Renderer{}).Text(lastApplied, copied); got != copied {
		t.Errorf("that of another kind is shown as %s", got)
	}
}

// shelf has every kind of container that a field can be in.
const shelf = `
spec:
  replicas: 3
  nothing: null
  empty: {}
  args: [serve, --fast]
  ports:
  - {containerPort: 80, name: short}
  - {containerPort: 80, protocol: UDP, name: udp}
`

func TestState(t *testing.T) {
	t.Parallel()
	from := clustertest.Object(t, shelf)
	clustertest.Frozen(t, from)
	declared := clustertest.Fields(t, `{"f:spec":{".":{},"f:replicas":{},"f:paused":{},"f:nothing":{},"f:empty":{},
		"f:args":{},"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:name":{}}}}}`)
	want := map[string]string{
		"spec.replicas": "3",
		"spec.empty":    "{}",
		"spec.args":     `["serve","--fast"]`,
		`spec.ports[containerPort=80,protocol="TCP"].name`: "short",
	}
	if diff := cmp.Diff(want, Renderer{}.State(from, declared, paths.NewFormatter(declared))); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}

func TestFingerprints(t *testing.T) {
	t.Parallel()
	from := clustertest.Object(t, shelf)
	clustertest.Frozen(t, from)
	fields := clustertest.Fields(t, `{"f:spec":{"f:replicas":{},"f:paused":{},"f:nothing":{},"f:args":{"i:0":{}}}}`)
	want := map[string]string{
		paths.ID(paths.Path{paths.Field("spec"), paths.Field("replicas")}):             "3",
		paths.ID(paths.Path{paths.Field("spec"), paths.Field("args"), paths.Index(0)}): `"serve"`,
	}
	if diff := cmp.Diff(want, Renderer{}.Fingerprints(from, fields)); diff != "" {
		t.Errorf("fingerprints (-want +got):\n%s", diff)
	}
}
