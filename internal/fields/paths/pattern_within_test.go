package paths

import "testing"

func TestIsWithin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		part, whole string
		want        bool
	}{
		{"spec.clusterIP", "spec", true},
		{"spec.clusterIP", "spec.clusterIP", true},
		{"spec", "spec.clusterIP", false},
		{"spec.clusterIPs", "spec.clusterIP", false},
		{`metadata.annotations["a"]`, "metadata.annotations.a", true},
		{`spec.ports[port=80].nodePort`, "spec.ports[*]", true},
		{"spec.ports[*].nodePort", "spec.ports[port=80].nodePort", false},
		{"spec.ports[port=80].nodePort", "spec.ports[port=80]", true},
		{"spec.ports[port=80].nodePort", "spec.ports[port=81]", false},
	} {
		patterns, err := ParseAll([]string{test.part, test.whole})
		if err != nil {
			t.Fatal(err)
		}
		if got := patterns[0].IsWithin(patterns[1]); got != test.want {
			t.Errorf("%s within %s: %t, want %t", test.part, test.whole, got, test.want)
		}
	}
}
