package wanted

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
)

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
			got := DryRunManager(tt.manager)
			if got != tt.want || len(got) > validation.FieldManagerMaxLength {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
