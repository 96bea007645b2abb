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
	clusterStub    = "cluster/clustertest"
	providerStub   = "test/kubernetesstub"
	goldenFiles    = "test/golden"
	setAlgebraFile = "internal/paths/fieldpath.go"
)

var (
	network = []string{"net", "net/http", clientGo, "google.golang.org/grpc"}
	process = []string{"os", "os/exec", "log", "log/slog", "k8s.io/klog", "github.com/go-logr", "context"}
	plainGo = slices.Concat([]string{terraform}, network, process)
	useCase = slices.Concat([]string{terraform, "os", "log"}, network)
	// pure are the packages that take and return plain Go.
	pure = []string{"paths", "manifest", "ownership", "projection", "rendering"}
)

// layers has a rule for every package, by its path from internal, from the bottom to the top. The main
// package is ".".
var layers = map[string]layer{
	"similar":    {forbids: plainGo, clock: noClock},
	"paths":      {imports: []string{"similar"}, forbids: plainGo, clock: noClock},
	"manifest":   {forbids: plainGo, clock: noClock},
	"ownership":  {imports: []string{"paths"}, forbids: plainGo, clock: noClock},
	"projection": {imports: []string{"paths"}, forbids: plainGo, clock: noClock},
	"rendering":  {imports: []string{"paths", "manifest", "projection"}, forbids: plainGo, clock: noClock},
	"blame":      {imports: []string{"paths", "manifest", "ownership", "projection", "rendering"}, forbids: plainGo, clock: noClock},
	"builtin":    {imports: []string{"paths"}, forbids: plainGo, allows: []string{builtInKinds}, clock: noClock},
	"readiness":  {imports: []string{"paths"}, forbids: plainGo, clock: noClock},
	"patches":    {imports: []string{"paths", "manifest", "projection"}, forbids: plainGo, allows: []string{builtInKinds}, clock: noClock},
	"documents":  {imports: []string{"manifest"}, forbids: plainGo, clock: noClock},
	"kustomize":  {forbids: useCase, clock: noClock},

	"retry":               {forbids: useCase, clock: anyClock},
	"cluster":             {imports: []string{"manifest"}, forbids: useCase, clock: noClock},
	"cluster/clustertest": {imports: []string{"paths", "manifest", "ownership", "cluster"}, forbids: useCase, clock: noClock},
	"kube/connect":        {imports: []string{"cluster"}, forbids: []string{terraform}, clock: anyClock},
	"kube/openapi":        {imports: []string{"similar", "cluster"}, forbids: []string{terraform}, clock: noClock},
	"kube/statuses":       {imports: []string{"cluster"}, forbids: useCase, allows: []string{"net/http"}, clock: noClock},
	"kube":                {imports: []string{"similar", "retry", "manifest", "cluster", "kube/connect", "kube/openapi", "kube/statuses"}, forbids: []string{terraform}, clock: anyClock},
	"record":              {imports: slices.Concat(pure, []string{"patches", "retry", "cluster"}), forbids: useCase, clock: anyClock},
	"registry":            {imports: []string{"manifest", "cluster", "record"}, forbids: useCase, clock: anyClock},
	"importing":           {imports: slices.Concat(pure, []string{"cluster", "record"}), forbids: useCase, clock: noClock},
	"listing":             {imports: []string{"paths", "manifest", "ownership", "cluster"}, forbids: useCase, clock: noClock},
	"deletion":            {imports: []string{"retry", "manifest", "ownership", "cluster", "record"}, forbids: useCase, clock: anyClock},
	"intents":             {imports: slices.Concat(pure, []string{"builtin", "patches", "cluster", "record"}), forbids: plainGo, clock: noClock},
	"prediction":          {imports: slices.Concat(pure, []string{"cluster", "record", "intents"}), forbids: useCase, clock: noClock},
	"waiting":             {imports: []string{"manifest", "cluster", "readiness", "retry"}, forbids: useCase, clock: anyClock},
	"disowning":           {imports: []string{"paths", "manifest", "ownership", "cluster", "record"}, forbids: useCase, clock: noClock},
	"restarting":          {imports: []string{"paths", "manifest", "cluster", "record"}, forbids: useCase, clock: noClock},
	"creating":            {imports: []string{"manifest", "cluster", "record", "retry"}, forbids: useCase, clock: anyClock},
	"jobs":                {imports: []string{"manifest", "cluster", "creating"}, forbids: useCase, clock: noClock},
	"refusals":            {imports: []string{"paths", "ownership", "projection", "cluster", "record", "intents", "prediction"}, forbids: useCase, clock: noClock},
	"removals":            {imports: slices.Concat(pure, []string{"cluster", "record", "intents", "prediction"}), forbids: useCase, clock: noClock},
	"ssa": {
		imports: slices.Concat(pure, []string{"retry", "cluster", "record", "registry", "creating", "intents", "prediction", "refusals", "removals"}),
		forbids: useCase, clock: anyClock,
	},
	"parts": {
		imports: []string{"paths", "manifest", "ownership", "projection", "cluster", "record", "registry", "intents", "ssa"},
		forbids: useCase, clock: noClock,
	},
	"patching": {
		imports: slices.Concat(pure, []string{
			"patches", "retry", "cluster", "record", "registry", "intents", "prediction", "removals", "ssa", "parts",
		}),
		forbids: useCase, clock: anyClock,
	},

	"provider/attributes":          {imports: []string{"paths", "manifest", "patches", "intents", "kube/connect", "provider/exports", "provider/waits"}, forbids: network, clock: noClock},
	"provider/exports":             {imports: []string{"paths", "projection", "rendering"}, forbids: network, clock: noClock},
	"provider/waits":               {imports: []string{"manifest", "readiness", "waiting", "provider/diagnostics"}, forbids: network, clock: noClock},
	"provider/providerdata":        {imports: []string{"manifest", "similar", "cluster", "kube/connect", "kube", "registry", "provider/attributes", "provider/diagnostics"}, forbids: []string{clientGo}, clock: noClock},
	"provider/privatestate":        {imports: []string{"record"}, forbids: network, clock: noClock},
	"provider/diagnostics/phrases": {forbids: plainGo, clock: noClock},
	"provider/diagnostics/changes": {
		imports: []string{"ownership", "rendering", "prediction", "ssa", "provider/diagnostics/phrases"},
		forbids: network, clock: noClock,
	},
	"provider/diagnostics": {
		imports: slices.Concat(pure, []string{
			"cluster", "registry", "importing", "intents", "prediction", "refusals", "ssa", "parts", "patching", "readiness", "waiting", "restarting",
			"provider/diagnostics/phrases", "provider/diagnostics/changes",
		}),
		forbids: network, clock: noClock,
	},
	"provider/moving": {imports: []string{"manifest", "paths", "projection", "record", "provider/privatestate", "provider/diagnostics"}, forbids: network, clock: noClock},
	"provider/objectkit": {
		imports: slices.Concat(pure, []string{
			"cluster", "record", "registry", "importing", "deletion", "intents", "prediction", "ssa", "parts", "patches", "patching",
			"readiness", "waiting", "provider/attributes", "provider/exports", "provider/waits", "provider/providerdata", "provider/privatestate", "provider/diagnostics",
		}),
		forbids: network, clock: anyClock,
	},
	"provider/manifestresource": {
		imports: []string{"cluster", "deletion", "intents", "provider/attributes", "provider/objectkit", "provider/diagnostics", "provider/moving"},
		forbids: network, clock: noClock,
	},
	"provider/patchresource": {
		imports: []string{"manifest", "patches", "deletion", "provider/attributes", "provider/objectkit", "provider/diagnostics", "provider/moving"},
		forbids: network, clock: noClock,
	},
	"provider/reading": {
		imports: []string{"manifest", "rendering", "cluster", "listing", "provider/attributes", "provider/providerdata", "provider/diagnostics"},
		forbids: network, clock: noClock,
	},
	"provider/objectdatasource": {
		imports: []string{"cluster", "waiting", "provider/attributes", "provider/waits", "provider/providerdata", "provider/diagnostics", "provider/reading"},
		forbids: network, clock: anyClock,
	},
	"provider/objectsdatasource": {
		imports: []string{"cluster", "listing", "provider/attributes", "provider/providerdata", "provider/diagnostics", "provider/reading"},
		forbids: network, clock: noClock,
	},
	"provider/manifestlist": {
		imports: []string{
			"cluster", "listing", "provider/attributes", "provider/providerdata", "provider/diagnostics", "provider/objectkit", "provider/reading",
		},
		forbids: network, clock: anyClock,
	},
	"provider/objectephemeral": {
		imports: []string{"provider/attributes", "provider/providerdata", "provider/diagnostics", "provider/reading"},
		forbids: network, clock: noClock,
	},
	"provider/waitresource": {
		imports: []string{"registry",
			"manifest", "cluster", "readiness", "waiting", "provider/attributes", "provider/exports", "provider/waits", "provider/providerdata", "provider/diagnostics",
		},
		forbids: network, clock: anyClock,
	},
	"provider/actions": {
		imports: []string{
			"paths", "rendering", "manifest", "ownership", "cluster", "listing", "readiness", "waiting", "restarting", "jobs", "disowning",
			"provider/attributes", "provider/waits", "provider/providerdata", "provider/diagnostics", "provider/reading",
		},
		forbids: network, clock: anyClock,
	},
	"provider/ownershipdatasource": {
		imports: []string{"paths", "manifest", "ownership", "blame", "provider/attributes", "provider/providerdata", "provider/diagnostics", "provider/reading"},
		forbids: network, clock: noClock,
	},
	"provider/kustomizedatasource": {imports: []string{"documents", "kustomize"}, forbids: network, clock: noClock},
	"provider/functions":           {imports: []string{"blame", "documents", "provider/ownershipdatasource"}, forbids: network, clock: noClock},
	"provider": {
		imports: []string{
			"kube/connect", "kube", "provider/attributes", "provider/providerdata", "provider/diagnostics", "provider/functions",
			"provider/manifestresource", "provider/patchresource", "provider/waitresource", "provider/ownershipdatasource",
			"provider/objectdatasource", "provider/objectsdatasource", "provider/objectephemeral", "provider/manifestlist", "provider/kustomizedatasource",
			"provider/actions",
		},
		forbids: []string{clientGo}, clock: noClock,
	},
	"serve/envelope": {forbids: plainGo, clock: noClock},
	"serve/fastpath": {imports: []string{"provider/privatestate", "serve/envelope"}, forbids: []string{clientGo}, clock: noClock},
	"serve":          {imports: []string{"kube/connect", "provider", "serve/fastpath", "serve/envelope"}, forbids: []string{clientGo}, clock: anyClock},
	".":              {imports: []string{"serve"}, forbids: []string{clientGo}, clock: noClock},

	"test/testcluster":         {forbids: []string{terraform}, clock: anyClock},
	"test/testcluster/workdir": {imports: []string{controlPlane}, clock: noClock},
	harness: {
		imports: []string{
			"paths", "manifest", "ownership", "serve", "serve/envelope", "provider/privatestate", controlPlane, "test/twins", "test/testcluster/workdir", "test/livediff", "test/customresource",
		},
		clock: anyClock,
	},
	"test/customresource": {forbids: plainGo, clock: noClock},
	"test/twins":          {imports: []string{"provider", "provider/privatestate", "serve", "serve/fastpath"}, forbids: network, clock: noClock},
	goldenFiles:           {forbids: []string{terraform, clientGo}, clock: noClock},
	providerStub:          {clock: noClock},
	"test/largeobjects":   {imports: []string{"test/customresource"}, forbids: plainGo, clock: noClock},
	"test/livediff":       {forbids: plainGo, clock: noClock},
	"test/pages":          {forbids: []string{terraform, clientGo}, clock: noClock},
	"test/sample":         {imports: []string{"paths"}, forbids: plainGo, clock: noClock},
	"cmd/buildcluster":    {imports: []string{controlPlane}, clock: anyClock},
	"cmd/cluster":         {imports: []string{controlPlane}, clock: anyClock},
	"cmd/gendocs":         {imports: []string{controlPlane, "serve"}, clock: anyClock},
	"cmd/bench":           {imports: []string{controlPlane, "test/testcluster/workdir", "test/largeobjects", "serve"}, clock: anyClock},
	"cmd/releasecheck":    {imports: []string{controlPlane, "test/testcluster/workdir"}, clock: anyClock},
	"cmd/demo":            {imports: []string{controlPlane}, forbids: []string{terraform}, clock: anyClock},
	// These have nothing but tests.
	"kube/fuzz":         {clock: noClock},
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
