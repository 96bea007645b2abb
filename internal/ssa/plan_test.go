package ssa

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// applied returns what the state and private state hold after an apply of both fields with a pattern.
func applied(t *testing.T) record.Prior {
	t.Helper()
	state := map[string]string{"data.a": "1"}
	return record.Prior{
		Object: clustertest.ConfigMap, ManagedState: state,
		Settings: record.Settings{Body: clustertest.ConfigBody, Ignore: []string{"data.b"}, FieldManager: "k8sconnect"},
		Snapshot: record.Snapshot{
			Object: clustertest.ConfigMap, UID: "u", Claims: clustertest.Claims(t, clustertest.Owning(`{"f:data":{"f:a":{}}}`)),
			Fields: record.KnownFields{Declared: clustertest.Fields(t, `{"f:data":{"f:a":{}}}`)}, AppliedState: record.DigestOf(state), LiveState: record.DigestOf(state),
		},
	}
}

func TestPending(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*record.Prior, *Intent)
		want   bool
	}{
		"nothing changed": {func(*record.Prior, *Intent) {}, false},
		"only the formatting of the body": {
			func(p *record.Prior, _ *Intent) {
				p.Settings.Body = "# formatted\n" + strings.ReplaceAll(clustertest.ConfigBody, "{a: \"1\", ", "{a: '1',   ")
			}, false,
		},
		"the body": {
			func(p *record.Prior, _ *Intent) {
				p.Settings.Body = strings.Replace(clustertest.ConfigBody, `"1"`, `"3"`, 1)
			}, true,
		},
		"a body in the state that does not parse": {func(p *record.Prior, _ *Intent) { p.Settings.Body = "{" }, true},
		"a pattern more":              {func(p *record.Prior, _ *Intent) { p.Settings.Ignore = nil }, true},
		"another text of a pattern":   {func(p *record.Prior, _ *Intent) { p.Settings.Ignore = []string{`data["b"]`} }, true},
		"the field manager":           {func(_ *record.Prior, i *Intent) { i.FieldManager = "other" }, true},
		"an object that was imported": {func(p *record.Prior, _ *Intent) { p.Snapshot.AppliedState = "" }, true},
		"a declared value": {func(p *record.Prior, _ *Intent) {
			p.Snapshot.LiveState = record.DigestOf(map[string]string{"data.a": "2"})
		}, true},
		"other texts of the paths in the state": {
			func(p *record.Prior, _ *Intent) { p.ManagedState = map[string]string{`data["a"]`: "1"} }, false,
		},
		"a part of a map that the body gives as empty": {
			func(p *record.Prior, _ *Intent) {
				p.Snapshot.Fields.Declared = clustertest.Fields(t, `{"f:data":{"f:a":{}},"f:metadata":{"f:labels":{}}}`)
				p.Snapshot.Fields.Empty = clustertest.Fields(t, `{"f:metadata":{"f:labels":{}}}`)
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("kubectl", `{"f:metadata":{"f:labels":{".":{},"f:x":{}}}}`)})...)
			}, false,
		},
		"a map that the body gives as empty, and that is gone": {
			func(p *record.Prior, _ *Intent) {
				p.Snapshot.Fields.Declared = clustertest.Fields(t, `{"f:data":{"f:a":{}},"f:metadata":{"f:labels":{}}}`)
				p.Snapshot.Fields.Empty = clustertest.Fields(t, `{"f:metadata":{"f:labels":{}}}`)
			}, true,
		},
		"somebody took a field from us":     {func(p *record.Prior, _ *Intent) { p.Snapshot.Claims = clustertest.Claims(t, clustertest.Owning(`{}`)) }, true},
		"somebody applied more in our name": {func(p *record.Prior, _ *Intent) { p.Snapshot.Claims = clustertest.Claims(t, clustertest.Owning(both)) }, true},
		"our entry is gone":                 {func(p *record.Prior, _ *Intent) { p.Snapshot.Claims = nil }, true},
		"somebody shares our fields": {
			func(p *record.Prior, _ *Intent) {
				other := clustertest.Owning(both)[0]
				other.Manager = "kubectl"
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{other})...)
			}, false,
		},
		"a manager that is taken over shares them": {
			func(p *record.Prior, i *Intent) {
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("kubectl-create", both)})...)
				i.TakeOver = []string{"kubectl-create"}
			}, true,
		},
		"a manager that is ignored shares them": {
			func(p *record.Prior, i *Intent) {
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("hpa", both)})...)
				p.Snapshot.Values = map[string]string{"f:data/f:a": `"1"`, "f:data/f:b": `"2"`}
				i.IgnoreManagers = []string{"h*"}
			}, true,
		},
		"a manager that is ignored holds a map and nothing in it": {
			func(p *record.Prior, i *Intent) {
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("hpa", `{"f:data":{}}`)})...)
				p.Snapshot.Values = map[string]string{"f:data": `{"a":"1","b":"2"}`}
				i.IgnoreManagers = []string{"hpa"}
			}, false,
		},
		"a manager that was ignored let go": {
			func(p *record.Prior, _ *Intent) { p.Snapshot.IgnoredByManager = []string{"data.c"} }, true,
		},
		"a manager that was ignored holds what it held": {
			func(p *record.Prior, i *Intent) {
				p.Snapshot.Claims = append(p.Snapshot.Claims, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("hpa", `{"f:data":{"f:b":{}}}`)})...)
				p.Snapshot.Values = map[string]string{"f:data/f:b": `"2"`}
				p.Snapshot.IgnoredByManager, i.IgnoreManagers = []string{"data.b"}, []string{"hpa"}
			}, false,
		},
		"our entry has another time": {
			func(p *record.Prior, _ *Intent) { p.Snapshot.Claims[0].Time = time.Now() }, false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior := applied(t)
			intent := intending(t, "data.b")
			tt.change(&prior, &intent)
			if got := Pending(intent, prior); got != tt.want {
				t.Errorf("pending %t, want %t", got, tt.want)
			}
		})
	}
}

func TestImmutable(t *testing.T) {
	t.Parallel()
	cause := func(kind metav1.CauseType, field, message string) metav1.StatusCause {
		return metav1.StatusCause{Type: kind, Field: field, Message: message}
	}
	selector := cause(metav1.CauseTypeFieldValueInvalid, "spec.selector", "Invalid value: {}: field is immutable")
	storage := cause(metav1.CauseTypeForbidden, "spec", "Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden")
	secret := cause(metav1.CauseTypeForbidden, "data", "Forbidden: field is immutable when `immutable` is set")
	rule := cause(metav1.CauseTypeFieldValueInvalid, "spec.size", "Invalid value: \"string\": size is Immutable")
	fault := cause(metav1.CauseTypeFieldValueInvalid, "spec.replicas", "Invalid value: -1: must be greater than or equal to 0")
	quota := cause(metav1.CauseTypeForbidden, "spec.hostNetwork", "Forbidden: host network is not allowed")
	tests := map[string]struct {
		reason cluster.Reason
		causes []metav1.StatusCause
		want   []string
	}{
		"an immutable field":                   {cluster.ReasonInvalid, []metav1.StatusCause{selector}, []string{"spec.selector"}},
		"updates that are forbidden":           {cluster.ReasonInvalid, []metav1.StatusCause{storage}, []string{"spec"}},
		"an immutable Secret":                  {cluster.ReasonInvalid, []metav1.StatusCause{secret}, []string{"data"}},
		"a rule of a custom resource":          {cluster.ReasonInvalid, []metav1.StatusCause{rule}, []string{"spec.size"}},
		"several fields":                       {cluster.ReasonInvalid, []metav1.StatusCause{selector, rule}, []string{"spec.selector", "spec.size"}},
		"a fault besides":                      {cluster.ReasonInvalid, []metav1.StatusCause{selector, fault}, nil},
		"a fault alone":                        {cluster.ReasonInvalid, []metav1.StatusCause{fault}, nil},
		"something else that is forbidden":     {cluster.ReasonInvalid, []metav1.StatusCause{quota}, nil},
		"no causes":                            {cluster.ReasonInvalid, nil, nil},
		"causes of an error of another reason": {cluster.ReasonFieldManagerConflict, []metav1.StatusCause{selector}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := clustertest.Failing(tt.reason)
			err.Details = &cluster.FieldManagerConflictError{Causes: tt.causes}
			if tt.reason == cluster.ReasonInvalid {
				err.Details = &cluster.InvalidError{Causes: tt.causes}
			}
			if diff := cmp.Diff(tt.want, immutable(fmt.Errorf("apply: %w", err))); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
	if got := immutable(nil); got != nil {
		t.Errorf("no error is about %q", got)
	}
	if got := immutable(errors.New("field is immutable")); got != nil {
		t.Errorf("an error without a type is about %q", got)
	}
}

func TestDryRunManager(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("m", validation.FieldManagerMaxLength)
	tests := map[string]struct{ manager, want string }{
		"a short name":          {"k8sconnect", "k8sconnect-plan"},
		"the longest name":      {long, long[:len(long)-len("-plan")] + "-plan"},
		"a name that just fits": {long[5:], long[5:] + "-plan"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := dryRunManager(tt.manager)
			if got != tt.want || len(got) > validation.FieldManagerMaxLength {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestMerges(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body, result any
		owned        string
		want         bool
	}{
		"an empty map into a map":               {map[string]any{}, map[string]any{"k": "v"}, `{}`, true},
		"an empty list into a list":             {[]any{}, []any{"v"}, `{}`, true},
		"an empty map that is all":              {map[string]any{}, map[string]any{}, `{}`, false},
		"an empty map that loses all its parts": {map[string]any{}, nil, `{"f:f":{"f:a":{}}}`, true},
		"an empty list that replaces":           {[]any{}, []any{}, `{"f:f":{}}`, false},
		"an empty map that was dropped":         {map[string]any{}, nil, `{}`, false},
		"a map with content":                    {map[string]any{"a": "b"}, map[string]any{"a": "b", "c": "d"}, `{}`, false},
		"a list with content":                   {[]any{"a"}, []any{"a", "b"}, `{}`, false},
		"a scalar that the server wrote":        {"1000m", "1", `{}`, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, result := map[string]any{"f": tt.body}, map[string]any{}
			if tt.result != nil {
				result["f"] = tt.result
			}
			claims, err := ownership.Parse(clustertest.Owning(tt.owned))
			if err != nil {
				t.Fatal(err)
			}
			if got := merges(claims.Fields(), paths.Path{paths.Field("f")}, projection.NewReader(body), projection.NewReader(result)); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
		})
	}
}

func TestValueBefore(t *testing.T) {
	t.Parallel()
	at := paths.Path{paths.Field("data"), paths.Field("a")}
	long := strings.Repeat("x", 300)
	print := func(value any) map[string]string {
		return map[string]string{paths.ID(at): projection.Fingerprint(value)}
	}
	tests := map[string]struct {
		prior record.Prior
		want  string
	}{
		"a declared field":            {record.Prior{ManagedState: map[string]string{"data.a": "1"}, Snapshot: record.Snapshot{Values: print("2")}}, "1"},
		"a field of others":           {record.Prior{Snapshot: record.Snapshot{Values: print("2")}}, "2"},
		"a number over 2^53":          {record.Prior{Snapshot: record.Snapshot{Values: print(int64(9007199254740993))}}, "9007199254740993"},
		"a list":                      {record.Prior{Snapshot: record.Snapshot{Values: print([]any{"a", int64(1)})}}, `["a",1]`},
		"a value known by its digest": {record.Prior{Snapshot: record.Snapshot{Values: print(long)}}, "(another value)"},
		"a field without a value":     {record.Prior{}, "(none)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := valueBefore(tt.prior, "data.a", projection.Renderer{}, at); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
