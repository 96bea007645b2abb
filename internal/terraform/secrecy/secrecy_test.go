package secrecy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// A message about an object is shown as far as the values of the object are known.
func TestSecrecy(t *testing.T) {
	t.Parallel()
	settings := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}
	body := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\ndata: {a: hunter2-ours}\n"
	live := clustertest.Object(t, "{data: {b: hunter2-theirs, c: Zq9x7}}")
	other := manifest.Identity{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web"}
	const withheld = "(message withheld: it may contain a sensitive value of the ConfigMap). To see it, look"
	for name, tc := range map[string]struct {
		sensitive []string
		snapshot  record.Snapshot
		see       func(*Secrecy)
		said      string
		want      string
	}{
		"nothing is sensitive":               {said: "it is hunter2-ours", want: "it is hunter2-ours"},
		"the object cannot be read":          {sensitive: []string{"data"}, said: "it is anything", want: withheld},
		"another object was read":            {sensitive: []string{"data"}, see: func(s *Secrecy) { s.See(other, live, true) }, said: "it is anything", want: withheld},
		"only the answer to a write is seen": {sensitive: []string{"data"}, see: func(s *Secrecy) { s.See(settings, live, false) }, said: "it is anything", want: withheld},
		"the object does not exist":          {sensitive: []string{"data"}, see: func(s *Secrecy) { s.See(settings, nil, true) }, said: "it is hunter2-ours", want: "it is (sensitive)"},
		"the object was read":                {sensitive: []string{"data"}, see: func(s *Secrecy) { s.See(settings, live, true) }, said: "it is hunter2-theirs", want: "it is (sensitive)"},
		"a short value of others":            {sensitive: []string{"data"}, see: func(s *Secrecy) { s.See(settings, live, true) }, said: "it is Zq9x7", want: "it is (sensitive)"},
		"a field of an earlier yaml_body_wo": {
			snapshot: record.Snapshot{Object: settings, Secrecy: record.Secrecy{WriteOnly: []string{"data.b"}}}, see: func(s *Secrecy) { s.See(settings, live, true) },
			said: "it is hunter2-theirs, not Zq9x7", want: "it is (sensitive), not Zq9x7",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := model.Model{YAMLBody: types.StringValue(body), Shared: model.Shared{SensitiveFields: setOf(tc.sensitive)}}
			ctx, secrets := Keep(t.Context(), &m, nil)
			secrets.Since(tc.snapshot)
			if tc.see != nil {
				tc.see(secrets)
			}
			if got := cluster.Show(ctx, settings, cluster.Remark{Text: tc.said, ToSee: "look"}); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// The diagnostics of an operation have none of the values that it has read.
func TestSecrecyScrubs(t *testing.T) {
	t.Parallel()
	m := model.Model{Computed: model.Computed{ID: types.StringValue("apiVersion=v1,kind=Secret,namespace=shop,name=web")}}
	ctx, secrets := Keep(t.Context(), &m)
	id := manifest.Identity{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "web"}
	for range mostSeen + 3 {
		cluster.See(ctx, id, clustertest.Object(t, "{data: {a: aHVudGVyMi10aGVpcnM=}}"), false)
	}
	diags := diag.Diagnostics{diag.NewErrorDiagnostic("No", "Secret shop/web (v1): hunter2-theirs"), diag.NewWarningDiagnostic("aHVudGVyMi10aGVpcnM=", "x")}
	secrets.Scrub(&diags)
	if text := diags[0].Detail() + diags[1].Summary(); strings.Contains(text, "hunter2") || strings.Contains(text, "aHVudGVy") || !strings.Contains(text, "Secret shop/web (v1)") {
		t.Errorf("diagnostics: %s", text)
	}
	fields := []ownership.Change{{Was: "hunter2-theirs", Becomes: "none"}, {Was: "none", Becomes: "hunter2-theirs"}}
	secrets.ScrubValues(fields)
	if want := []ownership.Change{{Was: rendering.Redacted, Becomes: "none"}, {Was: "none", Becomes: rendering.Redacted}}; !cmp.Equal(want, fields) {
		t.Errorf("fields: %v", fields)
	}
	if len(secrets.seen) != mostSeen {
		t.Errorf("%d versions are kept", len(secrets.seen))
	}
}

// What is shown of a field depends on the sensitive fields, also on those of an earlier apply.
func TestSecrecyOfFields(t *testing.T) {
	t.Parallel()
	m := model.Model{
		YAMLBody: types.StringValue("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, annotations: {copy: hunter2-ours}}\ndata: {a: hunter2-ours}\n"),
		Shared:   model.Shared{SensitiveFields: setOf([]string{"data"})},
	}
	_, secrets := Keep(t.Context(), &m)
	if !secrets.HasSecrets() {
		t.Error("data is sensitive")
	}
	for field, want := range map[string]string{
		".data.Key": ".data." + rendering.Redacted, ".metadata.annotations.copy": ".metadata.annotations.copy",
	} {
		if got := secrets.Field(field, false); got != want {
			t.Errorf("%s is shown as %s, want %s", field, got, want)
		}
		if got := secrets.OwnedField(field); got != field {
			t.Errorf("%s is shown as %s, want the field itself", field, got)
		}
	}
}

func setOf(texts []string) types.Set {
	if texts == nil {
		return types.SetNull(types.StringType)
	}
	values := make([]attr.Value, len(texts))
	for i, text := range texts {
		values[i] = types.StringValue(text)
	}
	return types.SetValueMust(types.StringType, values)
}
