package architecture

import (
	"fmt"
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
	// clock says whether it may ask for the time or wait.
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
	setAlgebraFile = "internal/paths/fieldpath.go"
)

var (
	network = []string{"net", "net/http", clientGo, "google.golang.org/grpc"}
	process = []string{"os", "os/exec", "log", "log/slog", "k8s.io/klog", "github.com/go-logr", "context"}
	plainGo = slices.Concat([]string{terraform}, network, process)
	useCase = slices.Concat([]string{terraform, "os", "log"}, network)
	// pure are the packages that take and return plain Go.
	pure = []string{"paths", "manifest", "ownership", "projection"}
)

// layers has a rule for every package, by its path from internal, from the bottom to the top. The main
// package is ".".
var layers = map[string]layer{
	"similar":    {forbids: plainGo, clock: noClock},
	"paths":      {imports: []string{"similar"}, forbids: plainGo, clock: noClock},
	"manifest":   {forbids: plainGo, clock: noClock},
	"ownership":  {imports: []string{"paths"}, forbids: plainGo, clock: noClock},
	"projection": {imports: []string{"paths", "manifest"}, forbids: plainGo, clock: noClock},
	"blame":      {imports: []string{"paths", "manifest", "ownership", "projection"}, forbids: plainGo, clock: noClock},
	"readiness":  {imports: []string{"paths"}, forbids: plainGo, clock: noClock},
	"patches":    {imports: []string{"paths", "manifest", "projection"}, forbids: plainGo, allows: []string{builtInKinds}, clock: noClock},

	"retry":               {forbids: useCase, clock: anyClock},
	"cluster":             {imports: []string{"manifest"}, forbids: useCase, clock: noClock},
	"cluster/clustertest": {imports: []string{"paths", "manifest", "ownership", "cluster"}, forbids: useCase, clock: noClock},
	"kube/connect":        {imports: []string{"cluster"}, forbids: []string{terraform}, clock: anyClock},
	"kube/openapi":        {imports: []string{"similar", "cluster"}, forbids: []string{terraform}, clock: noClock},
	"kube":                {imports: []string{"similar", "retry", "manifest", "cluster", "kube/connect", "kube/openapi"}, forbids: []string{terraform}, clock: anyClock},
	"record":              {imports: slices.Concat(pure, []string{"retry", "cluster"}), forbids: useCase, clock: anyClock},
	"registry":            {imports: []string{"manifest", "cluster", "record"}, forbids: useCase, clock: anyClock},
	"importing":           {imports: slices.Concat(pure, []string{"cluster", "record"}), forbids: useCase, clock: noClock},
	"deletion":            {imports: []string{"retry", "manifest", "ownership", "cluster", "record"}, forbids: useCase, clock: anyClock},
	"intents":             {imports: slices.Concat(pure, []string{"cluster", "record"}), forbids: plainGo, clock: noClock},
	"prediction":          {imports: slices.Concat(pure, []string{"cluster", "record", "intents"}), forbids: useCase, clock: noClock},
	"ssa": {
		imports: slices.Concat(pure, []string{"retry", "cluster", "record", "registry", "intents", "prediction"}),
		forbids: useCase, clock: anyClock,
	},

	"provider/attributes":   {imports: []string{"paths", "manifest", "kube/connect"}, forbids: network, clock: noClock},
	"provider/providerdata": {imports: []string{"cluster", "kube/connect", "kube", "registry", "provider/attributes"}, forbids: []string{clientGo}, clock: noClock},
	"provider/privatestate": {imports: []string{"record"}, forbids: network, clock: noClock},
	"provider/diagnostics":  {imports: slices.Concat(pure, []string{"cluster", "registry", "importing", "intents", "prediction", "ssa"}), forbids: network, clock: noClock},
	"provider/objectkit": {
		imports: slices.Concat(pure, []string{
			"cluster", "record", "registry", "importing", "deletion", "intents", "prediction", "ssa",
			"provider/attributes", "provider/providerdata", "provider/privatestate", "provider/diagnostics",
		}),
		forbids: network, clock: anyClock,
	},
	"provider/manifestresource": {
		imports: []string{"cluster", "deletion", "intents", "provider/attributes", "provider/objectkit", "provider/diagnostics"},
		forbids: network, clock: noClock,
	},
	"provider/patchresource": {
		imports: []string{"deletion", "provider/attributes", "provider/objectkit", "provider/diagnostics"},
		forbids: network, clock: noClock,
	},
	"provider/ownershipdatasource": {
		imports: []string{"paths", "manifest", "ownership", "blame", "cluster", "provider/attributes", "provider/providerdata", "provider/diagnostics"},
		forbids: network, clock: noClock,
	},
	"provider/functions": {imports: []string{"blame", "provider/ownershipdatasource"}, forbids: network, clock: noClock},
	"provider": {
		imports: []string{
			"kube/connect", "kube", "provider/attributes", "provider/providerdata", "provider/diagnostics", "provider/functions",
			"provider/manifestresource", "provider/patchresource", "provider/ownershipdatasource",
		},
		forbids: []string{clientGo}, clock: noClock,
	},
	"serve": {imports: []string{"provider"}, forbids: []string{clientGo}, clock: noClock},
	".":     {imports: []string{"serve"}, forbids: []string{clientGo}, clock: noClock},

	"test/testcluster":         {forbids: []string{terraform}, clock: anyClock},
	"test/testcluster/workdir": {imports: []string{controlPlane}, clock: noClock},
	harness: {
		imports: []string{
			"paths", "manifest", "ownership", "serve", controlPlane, "test/testcluster/workdir", "test/livediff", "test/customresource",
		},
		clock: anyClock,
	},
	"test/customresource": {forbids: plainGo, clock: noClock},
	"test/largeobjects":   {imports: []string{"test/customresource"}, forbids: plainGo, clock: noClock},
	"test/livediff":       {forbids: plainGo, clock: noClock},
	"test/sample":         {imports: []string{"paths"}, forbids: plainGo, clock: noClock},
	"cmd/buildcluster":    {imports: []string{controlPlane}, clock: anyClock},
	"cmd/cluster":         {imports: []string{controlPlane}, clock: anyClock},
	"cmd/gendocs":         {imports: []string{controlPlane}, clock: anyClock},
	"cmd/bench":           {imports: []string{controlPlane, "test/testcluster/workdir", "test/largeobjects", "serve"}, clock: anyClock},
	"cmd/demo":            {imports: []string{controlPlane}, forbids: []string{terraform}, clock: anyClock},
	// These have nothing but tests.
	"kube/fuzz":         {clock: noClock},
	"test/examples":     {clock: noClock},
	"test/faults":       {clock: noClock},
	"test/outages":      {clock: noClock},
	"test/patching":     {clock: noClock},
	"test/readying":     {clock: noClock},
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
	// clock are the functions of the time package that it names and that ask for the time or wait.
	clock []string
}

// violations returns the sentences that a file gives cause for.
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
	if s.test {
		return found
	}
	name := strings.TrimPrefix(s.folder, "internal/")
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
		case path == testLibrary && !slices.Contains([]string{controlPlane, harness, clusterStub}, name):
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

// covers reports whether path is name or below it. The standard library's net does not cover net/url.
func covers(name, path string) bool {
	if name == path {
		return true
	}
	return strings.Contains(name, ".") && strings.HasPrefix(path, name+"/")
}
