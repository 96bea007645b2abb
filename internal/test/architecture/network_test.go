package architecture

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// opens is code that opens connections, listens, or starts programs. What only passes a client on is not.
var opens = regexp.MustCompile(`\bhttp\.(Client|Transport)\{|\bhttp\.(Get|Post|PostForm|Head|DefaultClient)\b|\bnet\.(Dial|Listen)\w*|` +
	`\brest\.(HTTPClientFor|TransportFor|RESTClientFor|UnversionedRESTClientFor)\(|\w\.NewForConfig\(|\bgrpc\.(Dial|NewClient)|` +
	`\bexec\.Command|\bos\.StartProcess`)

// The provider reaches API servers, the sources of charts and its credential plugins, and nothing else: there is no other code that could,
// for telemetry for instance. THREATS.md says so.
func TestOnlyThesePackagesReachOut(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, source := range readModule(t) {
		isProduct := !source.test && !strings.HasPrefix(source.folder, "internal/test") && !strings.HasPrefix(source.folder, "internal/cmd") &&
			!strings.HasPrefix(source.folder, "tools")
		if isProduct && opens.MatchString(readText(t, "../../../"+source.file)) {
			found[source.folder] = true
		}
	}
	want := []string{
		"conformance",                    // the API server that its caller names; the provider does not use it
		"internal/cluster/kube/connect",  // API servers, and the plugins that a connection names
		"internal/manifests/chartsource", // the source that a chart names
		"internal/owners/command",        // the API server that kubectl owners is told
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(found))); diff != "" {
		t.Errorf("packages that reach out (-want +got):\n%s", diff)
	}
}
