package architecture

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const module = "github.com/k8sconnect/terraform-provider-k8sconnect"

// layer is what the code of one package may depend on, its tests aside.
type layer struct {
	// imports are the packages of the module that it may import, relative to internal.
	imports []string
	// forbids are import paths from outside the module; a name covers everything below it.
	forbids []string
	// allows are import paths below those of forbids that are plain Go.
	allows []string
	// clock says whether it may read the clock or wait.
	clock clock
}

type clock string

const (
	noClock  clock = "no clock"
	anyClock clock = "any clock"
)

const (
	terraform      = "github.com/hashicorp"
	clientGo       = "k8s.io/client-go"
	builtInKinds   = "k8s.io/client-go/kubernetes/scheme"
	setAlgebra     = "sigs.k8s.io/structured-merge-diff"
	testLibrary    = "testing"
	controlPlane   = "test/testcluster"
	harness        = "test/story"
	clusterStub    = "test/clustertest"
	providerStub   = "test/kubernetesstub"
	goldenFiles    = "test/golden"
	setAlgebraFile = "internal/fields/paths/fieldpath.go"
)

var (
	network = []string{"net", "net/http", clientGo, "google.golang.org/grpc"}
	process = []string{"os", "os/exec", "log", "log/slog", "k8s.io/klog", "github.com/go-logr", "context"}
	plainGo = slices.Concat([]string{terraform}, network, process)
	useCase = slices.Concat([]string{terraform, "os", "log"}, network)
	// pure are the packages that take and return plain Go.
	pure = []string{"fields/paths", "manifests/manifest", "fields/ownership", "fields/projection", "fields/rendering"}
)

// floors are the folders below internal, from the lowest one up.
var floors = []string{"manifests", "fields", "cluster", "object", "terraform"}

// layers has a rule for every package, by its path from internal, from the bottom to the top. The main
// package is ".".
var layers = map[string]layer{
	"fields/similar":      {forbids: plainGo, clock: noClock},
	"fields/paths":        {imports: []string{"fields/similar"}, forbids: plainGo, clock: noClock},
	"manifests/manifest":  {forbids: plainGo, clock: noClock},
	"fields/ownership":    {imports: []string{"fields/paths"}, forbids: plainGo, clock: noClock},
	"fields/projection":   {imports: []string{"fields/paths"}, forbids: plainGo, clock: noClock},
	"fields/rendering":    {imports: []string{"fields/paths", "manifests/manifest", "fields/projection"}, forbids: plainGo, clock: noClock},
	"fields/blame":        {imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "fields/projection", "fields/rendering"}, forbids: plainGo, clock: noClock},
	"object/builtin":      {imports: []string{"fields/paths"}, forbids: plainGo, allows: []string{builtInKinds}, clock: noClock},
	"object/readiness":    {imports: []string{"fields/paths"}, forbids: plainGo, clock: noClock},
	"object/patches":      {imports: []string{"fields/paths", "manifests/manifest", "fields/projection"}, forbids: plainGo, allows: []string{builtInKinds}, clock: noClock},
	"manifests/documents": {imports: []string{"manifests/manifest"}, forbids: plainGo, clock: noClock},
	"manifests/kustomize": {forbids: useCase, clock: noClock},

	"cluster/retry":         {forbids: useCase, clock: anyClock},
	"cluster":               {imports: []string{"manifests/manifest"}, forbids: useCase, clock: noClock},
	"test/clustertest":      {imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "cluster"}, forbids: useCase, clock: noClock},
	"cluster/kube/connect":  {imports: []string{"cluster"}, forbids: []string{terraform}, clock: anyClock},
	"cluster/kube/openapi":  {imports: []string{"fields/similar", "cluster"}, forbids: []string{terraform}, clock: noClock},
	"cluster/kube/statuses": {imports: []string{"cluster"}, forbids: useCase, allows: []string{"net/http"}, clock: noClock},
	"cluster/kube":          {imports: []string{"fields/similar", "cluster/retry", "manifests/manifest", "cluster", "cluster/kube/connect", "cluster/kube/openapi", "cluster/kube/statuses"}, forbids: []string{terraform}, clock: anyClock},
	"object/record":         {imports: slices.Concat(pure, []string{"object/patches", "cluster/retry", "cluster"}), forbids: useCase, clock: anyClock},
	"object/registry":       {imports: []string{"manifests/manifest", "cluster", "object/record"}, forbids: useCase, clock: anyClock},
	"object/importing":      {imports: slices.Concat(pure, []string{"cluster", "object/record"}), forbids: useCase, clock: noClock},
	"object/listing":        {imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "cluster"}, forbids: useCase, clock: noClock},
	"object/deletion":       {imports: []string{"cluster/retry", "manifests/manifest", "fields/ownership", "cluster", "object/record"}, forbids: useCase, clock: anyClock},
	"object/intents":        {imports: slices.Concat(pure, []string{"object/builtin", "object/patches", "cluster", "object/record"}), forbids: plainGo, clock: noClock},
	"object/prediction":     {imports: slices.Concat(pure, []string{"cluster", "object/record", "object/intents"}), forbids: useCase, clock: noClock},
	"object/waiting":        {imports: []string{"manifests/manifest", "cluster", "object/readiness", "cluster/retry"}, forbids: useCase, clock: anyClock},
	"object/disowning":      {imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "cluster", "object/record"}, forbids: useCase, clock: noClock},
	"object/restarting":     {imports: []string{"fields/paths", "manifests/manifest", "cluster", "object/record"}, forbids: useCase, clock: noClock},
	"object/creating":       {imports: []string{"manifests/manifest", "cluster", "object/record", "cluster/retry"}, forbids: useCase, clock: anyClock},
	"object/jobs":           {imports: []string{"manifests/manifest", "cluster", "object/creating"}, forbids: useCase, clock: noClock},
	"object/refusals":       {imports: []string{"fields/paths", "fields/ownership", "fields/projection", "cluster", "object/record", "object/intents", "object/prediction"}, forbids: useCase, clock: noClock},
	"object/removals":       {imports: slices.Concat(pure, []string{"cluster", "object/record", "object/intents", "object/prediction"}), forbids: useCase, clock: noClock},
	"object/ssa": {
		imports: slices.Concat(pure, []string{"cluster/retry", "cluster", "object/record", "object/registry", "object/creating", "object/intents", "object/prediction", "object/refusals", "object/removals"}),
		forbids: useCase, clock: anyClock,
	},
	"object/parts": {
		imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "fields/projection", "cluster", "object/record", "object/registry", "object/intents", "object/ssa"},
		forbids: useCase, clock: noClock,
	},
	"object/patching": {
		imports: slices.Concat(pure, []string{
			"object/patches", "cluster/retry", "cluster", "object/record", "object/registry", "object/intents", "object/prediction", "object/removals", "object/ssa", "object/parts",
		}),
		forbids: useCase, clock: anyClock,
	},

	"terraform/attributes":          {imports: []string{"fields/paths", "manifests/manifest", "object/patches", "object/intents", "cluster/kube/connect", "terraform/exports", "terraform/waits"}, forbids: network, clock: noClock},
	"terraform/exports":             {imports: []string{"fields/paths", "fields/projection", "fields/rendering"}, forbids: network, clock: noClock},
	"terraform/waits":               {imports: []string{"manifests/manifest", "object/readiness", "object/waiting", "terraform/diagnostics"}, forbids: network, clock: noClock},
	"terraform/providerdata":        {imports: []string{"manifests/manifest", "fields/similar", "cluster", "cluster/kube/connect", "cluster/kube", "object/registry", "terraform/attributes", "terraform/diagnostics"}, forbids: []string{clientGo}, clock: noClock},
	"terraform/privatestate":        {imports: []string{"object/record"}, forbids: network, clock: noClock},
	"terraform/diagnostics/phrases": {forbids: plainGo, clock: noClock},
	"terraform/diagnostics/changes": {
		imports: []string{"fields/ownership", "fields/rendering", "object/prediction", "object/ssa", "terraform/diagnostics/phrases"},
		forbids: network, clock: noClock,
	},
	"terraform/diagnostics": {
		imports: slices.Concat(pure, []string{
			"cluster", "object/registry", "object/importing", "object/intents", "object/prediction", "object/refusals", "object/ssa", "object/parts", "object/patching", "object/readiness", "object/waiting", "object/restarting",
			"terraform/diagnostics/phrases", "terraform/diagnostics/changes",
		}),
		forbids: network, clock: noClock,
	},
	"terraform/moving": {imports: []string{"manifests/manifest", "fields/paths", "fields/projection", "object/record", "terraform/privatestate", "terraform/diagnostics"}, forbids: network, clock: noClock},
	"terraform/objectkit": {
		imports: slices.Concat(pure, []string{
			"cluster", "object/record", "object/registry", "object/importing", "object/deletion", "object/intents", "object/prediction", "object/ssa", "object/parts", "object/patches", "object/patching",
			"object/readiness", "object/waiting", "terraform/attributes", "terraform/exports", "terraform/waits", "terraform/providerdata", "terraform/privatestate", "terraform/diagnostics",
		}),
		forbids: network, clock: anyClock,
	},
	"terraform/manifestresource": {
		imports: []string{"cluster", "object/deletion", "object/intents", "terraform/attributes", "terraform/objectkit", "terraform/diagnostics", "terraform/moving"},
		forbids: network, clock: noClock,
	},
	"terraform/patchresource": {
		imports: []string{"manifests/manifest", "object/patches", "object/deletion", "terraform/attributes", "terraform/objectkit", "terraform/diagnostics", "terraform/moving"},
		forbids: network, clock: noClock,
	},
	"terraform/reading": {
		imports: []string{"manifests/manifest", "fields/rendering", "cluster", "object/listing", "terraform/attributes", "terraform/providerdata", "terraform/diagnostics"},
		forbids: network, clock: noClock,
	},
	"terraform/objectdatasource": {
		imports: []string{"cluster", "object/waiting", "terraform/attributes", "terraform/waits", "terraform/providerdata", "terraform/diagnostics", "terraform/reading"},
		forbids: network, clock: anyClock,
	},
	"terraform/objectsdatasource": {
		imports: []string{"cluster", "object/listing", "terraform/attributes", "terraform/providerdata", "terraform/diagnostics", "terraform/reading"},
		forbids: network, clock: noClock,
	},
	"terraform/manifestlist": {
		imports: []string{
			"cluster", "object/listing", "terraform/attributes", "terraform/providerdata", "terraform/diagnostics", "terraform/objectkit", "terraform/reading",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/objectephemeral": {
		imports: []string{"terraform/attributes", "terraform/providerdata", "terraform/diagnostics", "terraform/reading"},
		forbids: network, clock: noClock,
	},
	"terraform/waitresource": {
		imports: []string{"object/registry",
			"manifests/manifest", "cluster", "object/readiness", "object/waiting", "terraform/attributes", "terraform/exports", "terraform/waits", "terraform/providerdata", "terraform/diagnostics",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/actions": {
		imports: []string{
			"fields/paths", "fields/rendering", "manifests/manifest", "fields/ownership", "cluster", "object/listing", "object/readiness", "object/waiting", "object/restarting", "object/jobs", "object/disowning",
			"terraform/attributes", "terraform/waits", "terraform/providerdata", "terraform/diagnostics", "terraform/reading",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/ownershipdatasource": {
		imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "fields/blame", "terraform/attributes", "terraform/providerdata", "terraform/diagnostics", "terraform/reading"},
		forbids: network, clock: noClock,
	},
	"terraform/kustomizedatasource": {imports: []string{"manifests/documents", "manifests/kustomize"}, forbids: network, clock: noClock},
	"terraform/functions":           {imports: []string{"fields/blame", "manifests/documents", "terraform/ownershipdatasource"}, forbids: network, clock: noClock},
	"terraform/provider": {
		imports: []string{
			"cluster/kube/connect", "cluster/kube", "terraform/attributes", "terraform/providerdata", "terraform/diagnostics", "terraform/functions",
			"terraform/manifestresource", "terraform/patchresource", "terraform/waitresource", "terraform/ownershipdatasource",
			"terraform/objectdatasource", "terraform/objectsdatasource", "terraform/objectephemeral", "terraform/manifestlist", "terraform/kustomizedatasource",
			"terraform/actions",
		},
		forbids: []string{clientGo}, clock: noClock,
	},
	"terraform/serve/envelope": {forbids: plainGo, clock: noClock},
	"terraform/serve/fastpath": {imports: []string{"terraform/privatestate", "terraform/serve/envelope"}, forbids: []string{clientGo}, clock: noClock},
	"terraform/serve":          {imports: []string{"cluster/kube/connect", "terraform/provider", "terraform/serve/fastpath", "terraform/serve/envelope"}, forbids: []string{clientGo}, clock: anyClock},
	".":                        {imports: []string{"terraform/serve"}, forbids: []string{clientGo}, clock: noClock},

	"test/testcluster":         {forbids: []string{terraform}, clock: anyClock},
	"test/testcluster/workdir": {imports: []string{controlPlane}, clock: noClock},
	harness: {
		imports: []string{
			"fields/paths", "manifests/manifest", "fields/ownership", "terraform/serve", "terraform/serve/envelope", "terraform/privatestate", controlPlane, "test/twins", "test/testcluster/workdir", "test/livediff", "test/customresource",
		},
		clock: anyClock,
	},
	"test/customresource": {forbids: plainGo, clock: noClock},
	"test/twins":          {imports: []string{"terraform/provider", "terraform/privatestate", "terraform/serve", "terraform/serve/fastpath"}, forbids: network, clock: noClock},
	goldenFiles:           {forbids: []string{terraform, clientGo}, clock: noClock},
	providerStub:          {clock: noClock},
	"test/largeobjects":   {imports: []string{"test/customresource"}, forbids: plainGo, clock: noClock},
	"test/livediff":       {forbids: plainGo, clock: noClock},
	"test/pages":          {forbids: []string{terraform, clientGo}, clock: noClock},
	"test/sample":         {imports: []string{"fields/paths"}, forbids: plainGo, clock: noClock},
	"cmd/buildcluster":    {imports: []string{controlPlane}, clock: anyClock},
	"cmd/cluster":         {imports: []string{controlPlane}, clock: anyClock},
	"cmd/gendocs":         {imports: []string{controlPlane, "terraform/serve"}, clock: anyClock},
	"cmd/bench":           {imports: []string{controlPlane, "test/testcluster/workdir", "test/largeobjects", "terraform/serve"}, clock: anyClock},
	"cmd/releasecheck":    {imports: []string{controlPlane, "test/testcluster/workdir"}, clock: anyClock},
	"cmd/demo":            {imports: []string{controlPlane}, forbids: []string{terraform}, clock: anyClock},
	// These have nothing but tests.
	"cluster/kube/fuzz": {clock: noClock},
	"test/examples":     {clock: noClock},
	"test/faults":       {clock: noClock},
	"test/outages":      {clock: noClock},
	"test/patching":     {clock: noClock},
	"test/readying":     {clock: noClock},
	"test/upgrades":     {clock: noClock},
	"test/worlds":       {clock: noClock},
	"test/architecture": {clock: noClock},
}

// source is what one file of the module depends on.
type source struct {
	// file is its path from the top of the module, with slashes.
	file string
	// folder is the folder of file: "." for the main package.
	folder string
	test   bool
	// imports are import paths.
	imports []string
	// clock are the functions of package time that it uses and that read the clock or wait.
	clock []string
}

// violations returns a sentence for each rule that a file breaks.
func violations(layers map[string]layer, s source) []string {
	var found []string
	report := func(format string, args ...any) {
		found = append(found, s.file+" "+fmt.Sprintf(format, args...))
	}
	for _, path := range s.imports {
		if covers(setAlgebra, path) && s.file != setAlgebraFile {
			report("imports %s, which only %s may", path, setAlgebraFile)
		}
	}
	name := strings.TrimPrefix(s.folder, "internal/")
	if s.test {
		if !hasStories(name) && slices.Contains(s.imports, module+"/internal/"+harness) {
			report("tells a story, which belongs to internal/test/acceptance")
		}
		return found
	}
	layer, ruled := layers[name]
	if !ruled {
		report("is in a package without a rule")
		return found
	}
	return append(found, s.against(name, layer)...)
}

func (s source) against(name string, layer layer) []string {
	var found []string
	for _, path := range s.imports {
		own, ours := strings.CutPrefix(path, module+"/internal/")
		switch {
		case ours && !slices.Contains(layer.imports, own):
			found = append(found, fmt.Sprintf("%s imports %s, which %s may not", s.file, own, name))
		case slices.Contains(layer.allows, path):
		case slices.ContainsFunc(layer.forbids, func(forbidden string) bool { return covers(forbidden, path) }):
			found = append(found, fmt.Sprintf("%s imports %s, which %s may not", s.file, path, name))
		case path == testLibrary && !slices.Contains([]string{controlPlane, harness, clusterStub, providerStub, goldenFiles, "test/pages"}, name):
			found = append(found, s.file+" imports testing and is no test")
		}
	}
	if layer.clock == noClock {
		for _, function := range s.clock {
			found = append(found, fmt.Sprintf("%s calls time.%s, which %s may not", s.file, function, name))
		}
	}
	return found
}

// hasStories reports whether tests in a folder may import the harness. The tests beside the provider's packages may not: they
// link fast, and test one package.
func hasStories(name string) bool {
	return strings.HasPrefix(name, "test/") || strings.HasPrefix(name, "cmd/")
}

// mostFiles is how many files a package may have, its tests aside.
const mostFiles = 20

// crowded returns a sentence for each package of the product that has more files than that.
func crowded(sources []source) []string {
	files := map[string]int{}
	for _, s := range sources {
		if !s.test && !strings.HasPrefix(s.folder, "internal/test/") {
			files[s.folder]++
		}
	}
	var found []string
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		if files[folder] > mostFiles {
			found = append(found, fmt.Sprintf("%s has %d files that are no tests, and may have %d: move one subject into a package of its own", folder, files[folder], mostFiles))
		}
	}
	return found
}

// covers reports whether path is name or below it. The standard library's net does not cover net/url.
func covers(name, path string) bool {
	if name == path {
		return true
	}
	return strings.Contains(name, ".") && strings.HasPrefix(path, name+"/")
}
