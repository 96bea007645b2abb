package refusals

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestImmutable(t *testing.T) {
	t.Parallel()
	cause := func(kind metav1.CauseType, field, message string) metav1.StatusCause {
		return metav1.StatusCause{Type: kind, Field: field, Message: message}
	}
	selector := cause(metav1.CauseTypeFieldValueInvalid, "spec.selector", "Invalid value: {}: field is immutable")
	storage := cause(metav1.CauseTypeForbidden, "spec", "Forbidden: updates to statefulset spec for fields other "+
		"than 'replicas' are forbidden")
	secret := cause(metav1.CauseTypeForbidden, "data", "Forbidden: field is immutable when `immutable` is set")
	rule := cause(metav1.CauseTypeFieldValueInvalid, "spec.size", "Invalid value: \"string\": size is Immutable")
	role := cause(metav1.CauseTypeFieldValueInvalid, "roleRef", "Invalid value: {}: cannot change roleRef")
	priority := cause(metav1.CauseTypeForbidden, "value", "Forbidden: may not be changed in an update.")
	pod := cause(metav1.CauseTypeForbidden, "spec", "Forbidden: pod updates may not change fields other than "+
		"`spec.containers[*].image`")
	containers := cause(metav1.CauseTypeForbidden, "spec.containers",
		"Forbidden: pod updates may not add or remove containers")
	profile := cause(metav1.CauseTypeForbidden, "metadata.annotations[a]",
		"Forbidden: may not remove or update AppArmor annotations")
	clusterIP := cause(metav1.CauseTypeFieldValueInvalid, "spec.clusterIPs[0]",
		"Invalid value: []: may not change once set")
	class := cause(metav1.CauseTypeFieldValueInvalid, "spec.loadBalancerClass",
		"Invalid value: \"b\": may not change once set")
	custom := cause(metav1.CauseTypeFieldValueInvalid, "spec.mode", "Invalid value: \"b\": mode cannot be changed")
	taken := cause(metav1.CauseTypeFieldValueInvalid, "spec.ports[0].nodePort",
		"Invalid value: 30000: provided port is already allocated")
	fault := cause(metav1.CauseTypeFieldValueInvalid, "spec.replicas",
		"Invalid value: -1: must be greater than or equal to 0")
	labels := cause(metav1.CauseTypeFieldValueInvalid, "spec.template.metadata.labels",
		"Invalid value: {\"app\":\"immutable-web\"}: `selector` does not match template `labels`")
	quota := cause(metav1.CauseTypeForbidden, "spec.hostNetwork", "Forbidden: host network is not allowed")
	tests := map[string]struct {
		reason cluster.Reason
		causes []metav1.StatusCause
		want   []string
	}{
		"an immutable field": {cluster.ReasonInvalid, []metav1.StatusCause{selector},
			[]string{"spec.selector"}},
		"updates that are forbidden": {cluster.ReasonInvalid, []metav1.StatusCause{storage},
			[]string{"spec"}},
		"an immutable Secret": {cluster.ReasonInvalid, []metav1.StatusCause{secret}, []string{"data"}},
		"a rule of a custom resource": {cluster.ReasonInvalid, []metav1.StatusCause{rule},
			[]string{"spec.size"}},
		"several fields": {cluster.ReasonInvalid, []metav1.StatusCause{selector, rule},
			[]string{"spec.selector", "spec.size"}},
		"a fault too":                      {cluster.ReasonInvalid, []metav1.StatusCause{selector, fault}, nil},
		"a fault alone":                    {cluster.ReasonInvalid, []metav1.StatusCause{fault}, nil},
		"something else that is forbidden": {cluster.ReasonInvalid, []metav1.StatusCause{quota}, nil},
		"the role of a binding": {cluster.ReasonInvalid, []metav1.StatusCause{role},
			[]string{"roleRef"}},
		"the value of a priority class": {cluster.ReasonInvalid, []metav1.StatusCause{priority},
			[]string{"value"}},
		"a pod": {cluster.ReasonInvalid, []metav1.StatusCause{pod}, []string{"spec"}},
		"the containers of a pod": {cluster.ReasonInvalid, []metav1.StatusCause{containers},
			[]string{"spec.containers"}},
		"an annotation that the server protects": {cluster.ReasonInvalid, []metav1.StatusCause{profile},
			[]string{"metadata.annotations[a]"}},
		"the address of a service": {cluster.ReasonInvalid, []metav1.StatusCause{clusterIP},
			[]string{"spec.clusterIPs[0]"}},
		"the class of a load balancer": {cluster.ReasonInvalid, []metav1.StatusCause{class},
			[]string{"spec.loadBalancerClass"}},
		"other words of a rule": {cluster.ReasonInvalid, []metav1.StatusCause{custom},
			[]string{"spec.mode"}},
		"a port that is taken":    {cluster.ReasonInvalid, []metav1.StatusCause{taken}, nil},
		"a value with such words": {cluster.ReasonInvalid, []metav1.StatusCause{labels}, nil},
		"a policy of the server": {cluster.ReasonInvalid,
			[]metav1.StatusCause{cause("", "", "ValidatingAdmissionPolicy 'x' denied request: team is immutable")}, nil},
		"no causes":                            {cluster.ReasonInvalid, nil, nil},
		"causes of an error of another reason": {cluster.ReasonForbidden, []metav1.StatusCause{selector}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := clustertest.Failing(tt.reason)
			err.Details = &cluster.FieldManagerConflictError{Causes: tt.causes}
			if tt.reason == cluster.ReasonInvalid {
				err.Details = &cluster.InvalidError{Causes: tt.causes}
			}
			if diff := cmp.Diff(tt.want, Immutable(fmt.Errorf("apply: %w", err))); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
	if got := Immutable(nil); got != nil {
		t.Errorf("no error is about %q", got)
	}
	if got := Immutable(errors.New("field is immutable")); got != nil {
		t.Errorf("an error without a type is about %q", got)
	}
}

// A rule that is known decides, whatever its words: only one by which the field keeps its value makes it immutable.
func TestImmutableByRule(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]bool{
		"self == oldSelf":                                            true,
		"oldSelf == self":                                            true,
		"oldSelf == '' || self == oldSelf":                           true,
		"self.spec.mode == oldSelf.spec.mode":                        true,
		"self['mode'] == oldSelf['mode']":                            true,
		"self.?mode == oldSelf.?mode":                                true,
		"!oldSelf.hasValue() || self == oldSelf.value()":             true,
		"!has(oldSelf.a) || has(self.a) && self.a == oldSelf.a":      true,
		"self.a == oldSelf.a && self.b == oldSelf.b":                 true,
		"self >= oldSelf":                                            false,
		"self == oldSelf || self > oldSelf":                          false,
		"self == oldSelf || oldSelf == 'A' && self == 'B'":           false,
		"!has(oldSelf.arch) || has(self.arch)":                       false,
		"has(self.arch) == has(oldSelf.arch)":                        false,
		"self.size() == oldSelf.size()":                              false,
		"size(self) != size(oldSelf) ? size(oldSelf) == 0 : true":    false,
		"oldSelf.all(op, self.exists(p, p.name == op.name))":         false,
		"oldSelf.all(key, key in self && self[key] == oldSelf[key])": false,
	} {
		for _, words := range []string{"field is immutable", "cannot be changed once set", "no"} {
			refused := clustertest.Failing(cluster.ReasonInvalid)
			details := &cluster.InvalidError{
				Causes: []metav1.StatusCause{
					{Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.frozen", Message: "field is immutable"},
					{Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.field", Message: "Invalid value: 1: " + words},
				},
				Rules: []cluster.BrokenRule{{Cause: 1, Field: "spec.field", Rule: rule}},
			}
			refused.Details = details
			if got := Immutable(refused) != nil; got != want {
				t.Errorf("%s, in the words %q: immutable is %t", rule, words, got)
			}
			details.RulesUnclear = true
			if got := Immutable(refused); got != nil {
				t.Errorf("%s beside a rule that is not clear: %q are immutable", rule, got)
			}
		}
	}
}
