package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearestNames(t *testing.T) {
	t.Parallel()
	existing := []string{"default", "kube-system", "shop", "shop-prod", "shop-test", "team-a"}
	for name, tt := range map[string]struct {
		asked string
		want  []string
	}{
		"a typo":                        {"dfault", []string{"default"}},
		"another suffix":                {"shop-pro", []string{"shop-prod"}},
		"the best comes first":          {"team-b", []string{"team-a"}},
		"nothing is similar":            {"monitoring", nil},
		"the namespace itself is there": {"shop", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, nearestNames(tt.asked, existing)); diff != "" {
				t.Errorf("nearest (-want +got):\n%s", diff)
			}
		})
	}
}
