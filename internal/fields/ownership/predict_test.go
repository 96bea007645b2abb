package ownership

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// chapter is one forced apply in a story, and what is true after it.
type chapter struct {
	by     string
	fields string
	// differs are the fields whose value is another one than the live value.
	differs []string
	want    []string
	taken   []string
}

func TestPredict(t *testing.T) {
	t.Parallel()
	replicas, both := `{"f:spec":{"f:replicas":{}}}`, `{"f:spec":{"f:paused":{},"f:replicas":{}}}`
	scale := through("scale", entry("kube-controller-manager", updates, -1, replicas))
	tests := map[string]struct {
		before []metav1.ManagedFieldsEntry
		story  []chapter
	}{
		"the first applier owns what it wrote": {
			story: []chapter{{by: "k8sconnect", fields: replicas, want: []string{`Apply "k8sconnect" ` + replicas}}},
		},
		"equal values are shared, another value takes the field, leaving it out gives it up": {
			before: []metav1.ManagedFieldsEntry{entry("flux", applies, 1, both)},
			story: []chapter{
				{
					by: "k8sconnect", fields: replicas,
					want: []string{`Apply "flux" ` + both, `Apply "k8sconnect" ` + replicas},
				},
				{
					by: "k8sconnect", fields: replicas, differs: []string{"spec.replicas"},
					want:  []string{`Apply "flux" {"f:spec":{"f:paused":{}}}`, `Apply "k8sconnect" ` + replicas},
					taken: []string{`spec.replicas from "flux"`},
				},
				{
					by: "k8sconnect", fields: `{}`,
					want: []string{`Apply "flux" {"f:spec":{"f:paused":{}}}`},
				},
			},
		},
		"an autoscaler's field is taken and its entry is gone": {
			before: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, both), scale},
			story: []chapter{{
				by: "k8sconnect", fields: both, differs: []string{"spec.replicas"},
				want:  []string{`Apply "k8sconnect" ` + both},
				taken: []string{`spec.replicas from "kube-controller-manager" with subresource "scale" using apps/v1`},
			}},
		},
		"an item that leaves goes with all that others hold inside of it": {
			before: []metav1.ManagedFieldsEntry{
				entry("k8sconnect", applies, 1, `{"f:l":{"k:{\"n\":\"a\"}":{".":{},"f:n":{}},"k:{\"n\":\"b\"}":{".":{},"f:n":{}}}}`),
				entry("kubectl", updates, 2, `{"f:l":{"k:{\"n\":\"a\"}":{"f:x":{}},"k:{\"n\":\"b\"}":{".":{},"f:x":{}}}}`),
			},
			story: []chapter{{
				by: "k8sconnect", fields: `{}`,
				want: []string{`Update "kubectl" using apps/v1 {"f:l":{"k:{\"n\":\"b\"}":{".":{},"f:x":{}}}}`},
			}},
		},
		"a map entry does too, and a struct does not": {
			before: []metav1.ManagedFieldsEntry{
				entry("k8sconnect", applies, 1, `{"f:map":{"f:a":{".":{},"f:n":{}}},"f:struct":{"f:n":{}}}`),
				entry("kubectl", updates, 2, `{"f:map":{"f:a":{"f:x":{}}},"f:struct":{"f:x":{}}}`),
			},
			story: []chapter{{
				by: "k8sconnect", fields: `{}`,
				want: []string{`Update "kubectl" using apps/v1 {"f:struct":{"f:x":{}}}`},
			}},
		},
		"a field that leaves the body stays with those who share it": {
			before: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, both), scale},
			story: []chapter{{
				by: "k8sconnect", fields: `{"f:spec":{"f:paused":{}}}`,
				want: []string{
					`Apply "k8sconnect" {"f:spec":{"f:paused":{}}}`,
					`Update "kube-controller-manager" with subresource "scale" using apps/v1 ` + replicas,
				},
			}},
		},
		"a new applier comes after the appliers and before the updaters": {
			before: []metav1.ManagedFieldsEntry{
				entry("zeta", applies, 1, replicas), entry("argocd", applies, 3, replicas), entry("kubectl", updates, 0, replicas),
			},
			story: []chapter{{
				by: "k8sconnect", fields: replicas,
				want: []string{
					`Apply "zeta" ` + replicas, `Apply "argocd" ` + replicas, `Apply "k8sconnect" ` + replicas,
					`Update "kubectl" using apps/v1 ` + replicas,
				},
			}},
		},
		"an apply that changes nothing of the claim keeps its place, one that does goes last": {
			before: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, replicas), entry("flux", applies, 2, replicas)},
			story: []chapter{
				{by: "k8sconnect", fields: replicas, want: []string{`Apply "k8sconnect" ` + replicas, `Apply "flux" ` + replicas}},
				{by: "k8sconnect", fields: both, want: []string{`Apply "flux" ` + replicas, `Apply "k8sconnect" ` + both}},
				{by: "k8sconnect", fields: both, want: []string{`Apply "flux" ` + replicas, `Apply "k8sconnect" ` + both}},
			},
		},
		"a list item that both have is there for both, only its values are taken": {
			before: []metav1.ManagedFieldsEntry{entry("kubectl", updates, 1,
				`{"f:l":{".":{},"k:{\"name\":\"app\"}":{".":{},"f:image":{},"f:name":{},"f:tty":{}}}}`)},
			story: []chapter{{
				by:      "k8sconnect",
				fields:  `{"f:l":{"k:{\"name\":\"app\"}":{".":{},"f:image":{},"f:name":{}}}}`,
				differs: []string{"l", `l[name="app"]`, `l[name="app"].image`},
				want: []string{
					`Apply "k8sconnect" {"f:l":{"k:{\"name\":\"app\"}":{".":{},"f:image":{},"f:name":{}}}}`,
					`Update "kubectl" using apps/v1 {"f:l":{".":{},"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:tty":{}}}}`,
				},
				taken: []string{`l[name="app"].image from "kubectl" using apps/v1`},
			}},
		},
		"a field is taken from everyone who holds it, in order of the paths": {
			before: []metav1.ManagedFieldsEntry{
				entry("flux", applies, 1, `{"f:a":{},"f:b":{}}`),
				entry("kubectl", updates, 1, `{"f:a":{},"f:c":{}}`),
				through("scale", entry("kubectl", updates, 1, `{"f:a":{}}`)),
			},
			story: []chapter{{
				by: "k8sconnect", fields: `{"f:a":{},"f:b":{},"f:c":{}}`, differs: []string{"c", "b", "a"},
				want: []string{`Apply "k8sconnect" {"f:a":{},"f:b":{},"f:c":{}}`},
				taken: []string{
					`a from "flux", "kubectl" using apps/v1, "kubectl" with subresource "scale" using apps/v1`,
					`b from "flux"`,
					`c from "kubectl" using apps/v1`,
				},
			}},
		},
		"updates by our own name are another manager's": {
			before: []metav1.ManagedFieldsEntry{entry("k8sconnect", updates, 1, replicas)},
			story: []chapter{
				{
					by: "k8sconnect", fields: replicas,
					want: []string{`Apply "k8sconnect" ` + replicas, `Update "k8sconnect" using apps/v1 ` + replicas},
				},
				{
					by: "k8sconnect", fields: replicas, differs: []string{"spec.replicas"},
					want:  []string{`Apply "k8sconnect" ` + replicas},
					taken: []string{`spec.replicas from "k8sconnect" using apps/v1`},
				},
			},
		},
		"a value of ours that changes takes nothing where nobody else has a claim": {
			before: []metav1.ManagedFieldsEntry{entry("k8sconnect", applies, 1, replicas), entry("flux", applies, 1, `{"f:x":{}}`)},
			story: []chapter{{
				by: "k8sconnect", fields: replicas, differs: []string{"spec.replicas"},
				want: []string{`Apply "k8sconnect" ` + replicas, `Apply "flux" {"f:x":{}}`},
			}},
		},
		"a claim that holds nothing, or only status, is dropped": {
			before: []metav1.ManagedFieldsEntry{entry("a", applies, 1, `{}`), entry("b", updates, 1, `{"f:status":{"f:x":{}}}`)},
			story:  []chapter{{by: "k8sconnect", fields: replicas, want: []string{`Apply "k8sconnect" ` + replicas}}},
		},
		"a claim to a field that the object has lost is taken like any other": {
			before: []metav1.ManagedFieldsEntry{entry("flux", applies, 1, both)},
			story: []chapter{{
				by: "k8sconnect", fields: replicas, differs: []string{"spec.replicas"},
				want:  []string{`Apply "flux" {"f:spec":{"f:paused":{}}}`, `Apply "k8sconnect" ` + replicas},
				taken: []string{`spec.replicas from "flux"`},
			}},
		},
		"an atomic list is taken whole": {
			before: []metav1.ManagedFieldsEntry{entry("flux", applies, 1, `{"f:args":{}}`)},
			story: []chapter{{
				by: "k8sconnect", fields: `{"f:args":{}}`, differs: []string{"args"},
				want: []string{`Apply "k8sconnect" {"f:args":{}}`}, taken: []string{`args from "flux"`},
			}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			claims := parse(t, tt.before...)
			for i, step := range tt.story {
				predicted := predict(t, claims, step)
				if diff := cmp.Diff(step.want, summary(t, predicted.After)); diff != "" {
					t.Errorf("claims after apply %d (-want +got):\n%s", i, diff)
				}
				if diff := cmp.Diff(step.taken, describe(predicted.Taken)); diff != "" {
					t.Errorf("taken by apply %d (-want +got):\n%s", i, diff)
				}
				claims = predicted.After
			}
		})
	}
}

// predict also checks that the claims before are not mutated.
func predict(t *testing.T, before Claims, step chapter) Prediction {
	t.Helper()
	was := summary(t, before)
	predicted := before.Predict(Apply{
		Manager: Manager{Name: step.by, Operation: applies, APIVersion: "apps/v1"},
		Fields:  set(t, step.fields),
		Differs: func(leaf paths.Path) bool { return slices.Contains(step.differs, paths.Format(leaf)) },
	})
	if diff := cmp.Diff(was, summary(t, before)); diff != "" {
		t.Errorf("the claims before were mutated (-want +got):\n%s", diff)
	}
	return predicted
}

func describe(taken []Taken) []string {
	var lines []string
	for _, one := range taken {
		line, separator := paths.Format(one.Path)+" from ", ""
		for _, manager := range one.From {
			line += separator + manager.String()
			separator = ", "
		}
		lines = append(lines, line)
	}
	return lines
}
