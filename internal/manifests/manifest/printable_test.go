package manifest_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// What others say cannot move the cursor, turn the text around, or begin a line that a CI system takes for a command.
func TestPrintable(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Größe 5 \u2192 6\tok\n\n  two":                                        "Größe 5 \u2192 6\tok\n\n  two",
		"\x1b[2J\x1b]0;pwned\x07\x1b[31mRED":                                   `\x1b[2J\x1b]0;pwned\x07\x1b[31mRED`,
		"no\n::set-output name=a::b\r\n  ::stop\n##[error]x ##vso[task]\rover": "no\n| ::set-output name=a::b\n  | ::stop\n## [error]x ## vso[task]\\x0dover",
		"\u009b2J \u202etxt.exe \u2066x":                                       `\x9b2J \u202etxt.exe \u2066x`,
	} {
		if got := manifest.Printable(said); got != want {
			t.Errorf("%q is printed as %q, want %q", said, got, want)
		}
	}
	role := manifest.Identity{APIVersion: "v1", Kind: "Role", Namespace: "x", Name: "a\n::b\x1b"}
	if got := role.String(); got != `Role x/a\n::b\x1b (v1)` {
		t.Errorf("the name is printed as %q", got)
	}
}
