// Package golden compares strings with golden files, which a person has reviewed.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files below testdata")

// Compare compares a string with a file below testdata. With -update, it writes the file.
func Compare(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(file))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path) //nolint:gosec // A test names the file.
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got); go test -update writes it:\n%s", path, diff)
	}
}
