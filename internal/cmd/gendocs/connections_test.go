package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The arguments of a connection stay at the provider's cluster. Elsewhere, a link leads to them, and what follows them stays.
func TestConnectionsAreLinked(t *testing.T) {
	t.Parallel()
	const (
		nested = "<a id=\"nestedatt--cluster\"></a>\n### Nested Schema for `cluster`\n\n- `exec` (see [below for nested schema](#nestedatt--cluster--exec))\n\n" +
			"<a id=\"nestedatt--cluster--exec\"></a>\n### Nested Schema for `cluster.exec`\n\n- `command`\n\n"
		several = "\n\n<a id=\"nestedatt--clusters\"></a>\n### Nested Schema for `clusters`\n\n<a id=\"nestedatt--clusters--exec\"></a>\n- `command`\n"
		timeout = "<a id=\"nestedatt--timeouts\"></a>\n### Nested Schema for `timeouts`\n\n- `read`\n\n"
		text    = "## Import\n\nAn ID.\n"
	)
	docs := t.TempDir()
	if err := os.Mkdir(filepath.Join(docs, "resources"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ page, want string }{
		"index.md": {
			"- `cluster` (see [below for nested schema](#nestedatt--cluster))\n- `clusters` (see [below for nested schema](#nestedatt--clusters))\n\n" + nested + several,
			"- `cluster` (see [below for nested schema](#nestedatt--cluster))\n- `clusters` (see [the arguments of `cluster`](#nestedatt--cluster))\n\n" +
				nested[:len(nested)-1],
		},
		"resources/between.md": {
			"- `cluster` (see [below for nested schema](#nestedatt--cluster))\n\n" + nested + timeout + text,
			"- `cluster` (see [the arguments of `cluster`](../index.md#nestedatt--cluster))\n\n" + timeout + text,
		},
		"resources/last.md":    {timeout + nested + text, timeout + text},
		"resources/without.md": {timeout + text + "\n\n", timeout + text + "\n\n"},
	} {
		path := filepath.Join(docs, name)
		if err := os.WriteFile(path, []byte(test.page), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := linkConnections(docs); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != test.want {
			t.Errorf("%s is %v, %q\nwant %q", name, err, got, test.want)
		}
	}
	if err := linkConnections(filepath.Join(docs, "missing")); err == nil {
		t.Error("a folder that does not exist is no error")
	}
}
