package testcluster

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCompileLogCountsPackages(t *testing.T) {
	t.Parallel()
	log := &compileLog{}
	parts := []string{"go: downloading a v1\nint", "ernal/cpu\nmath\n", "# math\n./a.go:1:2: no such", " name\n"}
	for _, part := range parts {
		if _, err := log.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(2, log.begun()); diff != "" {
		t.Errorf("packages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("go: downloading a v1\n# math\n./a.go:1:2: no such name\n", log.String()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestProgressOfABuild(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		begun int
		want  string
	}{
		"too early to tell": {99, "99 of 1000 packages after 120 s"},
		"a quarter":         {250, "250 of 1000 packages after 120 s, about 6 minutes more"},
		"nearly":            {900, "900 of 1000 packages after 120 s, about a minute more"},
		"all":               {1000, "1000 of 1000 packages after 120 s, linking"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, progressOf(tt.begun, 1000, 2*time.Minute)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
