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
	commandHosts   = "test/testcluster/clihost"
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
var floors = []string{"manifests", "fields", "cluster", "object", "terraform", "report", "owners"}

// layers has a rule for every package, by its path from internal, from the bottom to the top. The main
// package is ".".
var layers = map[string]layer{
	"fields/paths":        {forbids: plainGo, clock: noClock},
	"manifests/manifest":  {forbids: plainGo, clock: noClock},
	"fields/ownership":    {imports: []string{"fields/paths"}, forbids: plainGo, clock: noClock},
	"fields/projection":   {imports: []string{"fields/paths"}, forbids: plainGo, clock: noClock},
	"fields/difference":   {imports: []string{"fields/paths", "fields/projection"}, forbids: plainGo, clock: noClock},
	"fields/rendering":    {imports: []string{"fields/paths", "manifests/manifest", "fields/projection", "fields/difference"}, forbids: plainGo, clock: noClock},
	"fields/additions":    {imports: pure, forbids: plainGo, clock: noClock},
	"fields/blame":        {imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "fields/projection", "fields/rendering"}, forbids: plainGo, clock: noClock},
	"object/patches":      {imports: []string{"fields/paths", "manifests/manifest", "fields/projection"}, forbids: plainGo, allows: []string{builtInKinds}, clock: noClock},
	"manifests/documents": {imports: []string{"manifests/manifest"}, forbids: plainGo, clock: noClock},
	"manifests/tosca":     {imports: []string{"manifests/documents", "manifests/manifest"}, forbids: plainGo, clock: noClock},
	"manifests/guard":     {forbids: plainGo, clock: noClock},
	"manifests/kustomize": {forbids: useCase, clock: noClock},
	"manifests/chart":     {imports: []string{"manifests/documents", "manifests/manifest"}, forbids: useCase, clock: anyClock},
	// The rest of Helm has plugins, which run programs.
	"manifests/chartsource": {
		imports: []string{"manifests/manifest"},
		forbids: []string{
			terraform, clientGo, "os/exec", "log", "helm.sh/helm/v4/pkg/action", "helm.sh/helm/v4/pkg/downloader", "helm.sh/helm/v4/pkg/getter",
			"helm.sh/helm/v4/pkg/registry", "helm.sh/helm/v4/pkg/repo",
		},
		clock: noClock,
	},

	"cluster":               {imports: []string{"manifests/manifest"}, forbids: useCase, clock: anyClock},
	"cluster/refusals":      {imports: []string{"fields/paths", "fields/projection", "manifests/manifest", "cluster"}, forbids: plainGo, clock: noClock},
	"object/readiness":      {imports: []string{"manifests/manifest", "fields/paths", "cluster/refusals"}, forbids: plainGo, clock: noClock},
	"test/clustertest":      {imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "cluster"}, forbids: useCase, clock: noClock},
	"cluster/kube/connect":  {imports: []string{"cluster"}, forbids: []string{terraform}, clock: anyClock},
	"cluster/kube/openapi":  {imports: []string{"fields/paths", "manifests/manifest", "cluster"}, forbids: []string{terraform}, clock: noClock},
	"cluster/terminating":   {imports: []string{"fields/paths", "fields/ownership", "manifests/manifest", "cluster"}, forbids: useCase, clock: noClock},
	"cluster/kube/statuses": {imports: []string{"cluster", "cluster/refusals", "manifests/manifest"}, forbids: useCase, allows: []string{"net/http"}, clock: noClock},
	"cluster/kube":          {imports: []string{"fields/paths", "manifests/manifest", "cluster", "cluster/refusals", "cluster/kube/connect", "cluster/kube/openapi", "cluster/kube/statuses", "cluster/terminating"}, forbids: []string{terraform}, clock: anyClock},
	"object/arguments":      {imports: slices.Concat(pure, []string{"object/patches"}), forbids: plainGo, clock: noClock},
	"object/record":         {imports: slices.Concat(pure, []string{"fields/additions", "object/arguments", "object/patches", "cluster", "cluster/terminating"}), forbids: useCase, clock: anyClock},
	"object/rules":          {imports: []string{"fields/paths", "manifests/manifest", "object/arguments"}, forbids: plainGo, clock: noClock},
	"object/run":            {imports: []string{"fields/ownership", "fields/paths", "fields/projection", "fields/rendering", "manifests/manifest", "cluster", "object/record"}, forbids: useCase, clock: anyClock},
	"object/importing":      {imports: slices.Concat(pure, []string{"cluster", "object/record"}), forbids: useCase, clock: noClock},
	"object/listing":        {imports: []string{"fields/paths", "manifests/manifest", "fields/ownership", "cluster"}, forbids: useCase, clock: noClock},
	"object/helm":           {imports: []string{"manifests/manifest", "fields/ownership", "cluster"}, forbids: useCase, clock: noClock},
	"object/deletion":       {imports: []string{"manifests/manifest", "fields/ownership", "cluster", "object/record", "object/run"}, forbids: useCase, clock: anyClock},
	"object/wanted":         {imports: slices.Concat(pure, []string{"fields/additions", "object/arguments", "object/patches", "cluster", "cluster/refusals", "object/record"}), forbids: plainGo, allows: []string{builtInKinds}, clock: noClock},
	"object/prediction":     {imports: slices.Concat(pure, []string{"fields/additions", "object/record", "object/wanted"}), forbids: plainGo, clock: noClock},
	"object/waiting":        {imports: []string{"manifests/manifest", "cluster", "object/readiness"}, forbids: useCase, clock: anyClock},
	"object/operations": {
		imports: []string{"fields/paths", "fields/rendering", "manifests/manifest", "fields/ownership", "cluster", "object/record"},
		forbids: useCase, clock: noClock,
	},
	"object/obstacles": {
		imports: slices.Concat(pure, []string{"cluster", "cluster/refusals", "object/prediction", "object/record", "object/wanted"}),
		forbids: useCase, clock: noClock,
	},
	"object/ssa": {
		imports: slices.Concat(pure, []string{
			"cluster", "cluster/refusals", "object/record", "object/run", "object/arguments", "object/wanted", "object/prediction", "object/obstacles",
		}),
		forbids: useCase, clock: anyClock,
	},
	"object/patching": {
		imports: slices.Concat(pure, []string{
			"object/patches", "cluster", "object/record", "object/run", "object/arguments", "object/wanted", "object/prediction", "object/ssa",
		}),
		forbids: useCase, clock: anyClock,
	},
	"object/withdrawal": {
		imports: slices.Concat(pure, []string{"cluster", "object/arguments", "object/record", "object/ssa", "object/wanted"}),
		forbids: useCase, clock: noClock,
	},
	"object/engine": {
		imports: []string{
			"cluster", "cluster/refusals", "fields/ownership", "fields/paths", "fields/projection",
			"manifests/manifest", "object/arguments", "object/deletion", "object/patching", "object/record", "object/run", "object/ssa", "object/wanted", "object/withdrawal",
		},
		forbids: useCase, clock: anyClock,
	},
	"object/local": {
		imports: []string{
			"cluster", "fields/ownership", "fields/paths", "fields/projection", "manifests/manifest", "object/engine", "object/obstacles", "object/patches", "object/record",
			"object/ssa", "object/wanted",
		},
		forbids: useCase, clock: noClock,
	},

	"terraform/attributes": {
		imports: []string{
			"cluster", "object/deletion", "object/rules",
			"cluster/kube/connect", "fields/paths", "manifests/manifest", "object/arguments",
			"object/wanted", "terraform/diagnostics", "terraform/diagnostics/invalid", "terraform/exports",
			"terraform/validators", "terraform/waits",
		},
		forbids: network, clock: noClock,
	},
	"terraform/exports": {
		imports: []string{
			"fields/paths", "fields/projection", "fields/rendering", "terraform/diagnostics/invalid", "terraform/validators",
		},
		forbids: network, clock: noClock,
	},
	"terraform/waits": {
		imports: []string{
			"manifests/manifest", "object/readiness", "object/waiting", "terraform/diagnostics", "terraform/diagnostics/unready",
			"terraform/diagnostics/invalid", "terraform/validators",
		},
		forbids: network, clock: noClock,
	},
	"terraform/providerdata": {
		imports: []string{
			"cluster", "cluster/kube", "cluster/kube/connect", "cluster/kube/openapi", "manifests/manifest", "object/arguments",
			"object/engine", "object/local", "object/patches", "object/rules", "object/run", "terraform/attributes", "terraform/diagnostics", "terraform/diagnostics/invalid",
			"terraform/model",
		},
		forbids: []string{clientGo}, clock: noClock,
	},
	"terraform/privatestate": {
		imports: []string{"object/prediction", "object/record", "terraform/diagnostics"},
		forbids: network, clock: noClock,
	},
	"terraform/diagnostics/changes": {
		imports: []string{
			"cluster", "fields/ownership", "fields/rendering", "fields/paths", "manifests/manifest", "object/arguments", "object/engine",
			"object/prediction", "object/rules", "object/run", "object/ssa", "object/wanted", "terraform/diagnostics", "terraform/diagnostics/sets",
		},
		forbids: network, clock: noClock,
	},
	"terraform/diagnostics": {
		imports: []string{
			"cluster", "fields/ownership", "fields/projection", "fields/rendering", "manifests/manifest",
			"object/arguments", "object/importing", "object/obstacles", "object/patching", "object/prediction", "object/readiness",
			"object/rules", "object/run", "object/ssa", "object/wanted", "terraform/diagnostics/endings",
		},
		forbids: network, clock: noClock,
	},
	"terraform/diagnostics/reader": {
		imports: []string{"manifests/manifest", "terraform/diagnostics/changes", "terraform/diagnostics/sets"}, forbids: network, clock: noClock,
	},
	"report": {
		imports: []string{"fields/difference", "fields/ownership", "manifests/manifest", "terraform/diagnostics", "terraform/diagnostics/changes", "terraform/diagnostics/reader", "terraform/diagnostics/sets"},
		forbids: useCase, clock: noClock,
	},
	"report/formats": {imports: []string{"report", "terraform/diagnostics", "terraform/diagnostics/changes"}, forbids: useCase, clock: noClock},
	"report/page":    {imports: []string{"report", "report/formats", "terraform/diagnostics", "terraform/diagnostics/changes"}, forbids: useCase, clock: noClock},
	"report/command": {imports: []string{"report", "report/formats", "report/page"}, forbids: network, clock: noClock},
	"owners":         {imports: []string{"fields/additions", "fields/ownership", "fields/paths", "fields/projection", "manifests/manifest"}, forbids: plainGo, clock: noClock},
	"cluster/kube/openapi/command": {
		imports: []string{"cluster/kube/connect", "cluster/kube/openapi"}, forbids: []string{terraform}, clock: noClock,
	},
	"owners/command": {
		imports: []string{"cluster/kube/connect", "fields/blame", "fields/ownership", "manifests/manifest", "object/listing", "owners", "report", "report/page"},
		forbids: []string{terraform}, clock: anyClock,
	},
	"terraform/diagnostics/unready": {
		imports: []string{
			"cluster", "fields/ownership", "manifests/manifest", "object/arguments", "object/operations", "object/readiness", "object/waiting",
			"terraform/diagnostics", "terraform/diagnostics/endings",
		},
		forbids: network, clock: noClock,
	},
	"terraform/diagnostics/endings": {imports: []string{"cluster", "manifests/manifest"}, forbids: network, clock: noClock},
	"terraform/diagnostics/invalid": {
		imports: []string{
			"cluster/kube/connect", "cluster/kube/openapi", "fields/paths", "manifests/manifest", "object/arguments",
			"terraform/diagnostics",
		},
		forbids: network, clock: noClock,
	},
	"terraform/validators": {
		imports: []string{"terraform/diagnostics", "terraform/diagnostics/invalid"},
		forbids: network, clock: noClock,
	},
	"terraform/results": {
		imports: []string{
			"cluster", "manifests/manifest", "object/engine", "object/readiness", "object/record", "object/run", "object/waiting",
			"object/wanted", "terraform/diagnostics", "terraform/diagnostics/unready", "terraform/exports", "terraform/model", "terraform/privatestate",
			"terraform/providerdata", "terraform/waits",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/secrecy": {
		imports: []string{
			"cluster", "fields/ownership", "fields/paths", "fields/rendering", "manifests/manifest", "object/record", "object/wanted",
			"terraform/diagnostics", "terraform/model", "terraform/providerdata",
		},
		forbids: network, clock: noClock,
	},
	"terraform/moving": {
		imports: []string{
			"fields/paths", "fields/projection", "manifests/manifest", "object/record", "terraform/diagnostics",
			"terraform/privatestate",
		},
		forbids: network, clock: noClock,
	},
	"terraform/model": {
		imports: []string{
			"object/rules",
			"fields/additions", "fields/ownership", "fields/paths", "fields/rendering", "manifests/manifest", "object/arguments",
			"object/deletion", "object/patches", "object/prediction", "object/record", "terraform/attributes",
			"terraform/diagnostics", "terraform/diagnostics/invalid", "terraform/exports", "terraform/privatestate",
		},
		forbids: network, clock: noClock,
	},
	"terraform/objectkit": {
		imports: []string{
			"cluster", "manifests/manifest", "object/arguments", "object/engine", "object/importing",
			"object/record", "object/run", "object/ssa", "terraform/diagnostics", "terraform/diagnostics/changes",
			"terraform/model", "terraform/privatestate", "terraform/providerdata", "terraform/results",
			"terraform/secrecy",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/objectresource": {
		imports: []string{
			"cluster", "manifests/manifest", "object/importing", "object/patches", "object/run", "terraform/attributes",
			"terraform/diagnostics", "terraform/model", "terraform/moving", "terraform/objectkit", "terraform/privatestate",
			"terraform/providerdata", "terraform/reading", "terraform/results", "terraform/validators",
		},
		forbids: network, clock: noClock,
	},
	"terraform/setresource": {
		imports: []string{
			"cluster", "manifests/manifest", "object/listing", "object/prediction",
			"object/run", "terraform/attributes", "terraform/diagnostics", "terraform/diagnostics/sets", "terraform/hooks", "terraform/model",
			"terraform/objectkit", "terraform/privatestate", "terraform/providerdata", "terraform/reading",
		},
		forbids: network, clock: noClock,
	},
	"terraform/hooks": {
		imports: []string{
			"cluster", "manifests/chart", "manifests/manifest", "object/deletion", "object/helm", "object/operations",
			"object/readiness", "object/run", "object/waiting", "terraform/attributes", "terraform/diagnostics", "terraform/diagnostics/invalid",
			"terraform/diagnostics/sets", "terraform/diagnostics/unready", "terraform/providerdata",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/diagnostics/sets": {
		imports: []string{"cluster", "manifests/manifest", "object/arguments", "terraform/diagnostics", "terraform/diagnostics/invalid", "terraform/diagnostics/unready"},
		forbids: network, clock: noClock,
	},
	"terraform/reading": {
		imports: []string{
			"cluster", "fields/ownership", "fields/rendering", "manifests/manifest", "object/listing", "object/run",
			"terraform/attributes", "terraform/diagnostics", "terraform/diagnostics/changes", "terraform/diagnostics/invalid", "terraform/diagnostics/sets",
			"terraform/model", "terraform/providerdata", "terraform/validators",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/datasources": {
		imports: []string{
			"cluster", "fields/blame", "fields/paths", "manifests/manifest", "object/listing", "object/waiting",
			"terraform/attributes", "terraform/diagnostics", "terraform/diagnostics/invalid", "terraform/diagnostics/unready",
			"terraform/providerdata", "terraform/reading", "terraform/validators", "terraform/waits",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/manifestlist": {
		imports: []string{
			"cluster", "fields/ownership", "object/arguments", "object/listing", "terraform/attributes", "terraform/diagnostics",
			"terraform/diagnostics/invalid", "terraform/model", "terraform/objectresource", "terraform/providerdata",
			"terraform/reading", "terraform/validators",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/waitresource": {
		imports: []string{
			"cluster", "manifests/manifest", "object/readiness", "object/run", "object/waiting",
			"terraform/attributes", "terraform/diagnostics", "terraform/diagnostics/unready", "terraform/exports", "terraform/providerdata",
			"terraform/waits",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/actions": {
		imports: []string{
			"cluster", "fields/rendering", "manifests/manifest", "object/listing",
			"object/operations", "object/readiness", "object/waiting", "terraform/attributes",
			"terraform/diagnostics", "terraform/diagnostics/invalid", "terraform/diagnostics/unready", "terraform/providerdata", "terraform/reading",
			"terraform/validators", "terraform/waits",
		},
		forbids: network, clock: anyClock,
	},
	"terraform/rendered": {
		imports: []string{
			"cluster", "manifests/chart", "manifests/chartsource", "manifests/documents", "manifests/kustomize", "manifests/manifest",
			"terraform/attributes", "terraform/diagnostics", "terraform/diagnostics/invalid", "terraform/providerdata",
			"terraform/reading", "terraform/validators",
		},
		forbids: network, clock: noClock,
	},
	"terraform/functions": {
		imports: []string{
			"cluster/kube/openapi", "fields/blame", "fields/paths", "manifests/documents", "manifests/guard", "manifests/manifest",
			"manifests/tosca", "terraform/attributes", "terraform/diagnostics/invalid", "terraform/reading",
		},
		forbids: network, clock: noClock,
	},
	"terraform/provider": {
		imports: []string{
			"cluster/kube", "cluster/kube/connect", "terraform/actions", "terraform/attributes",
			"terraform/datasources", "terraform/functions", "terraform/manifestlist",
			"terraform/objectresource",
			"terraform/providerdata", "terraform/rendered", "terraform/setresource", "terraform/validators", "terraform/waitresource",
		},
		forbids: []string{clientGo}, clock: noClock,
	},
	"terraform/serve/fastpath": {
		imports: []string{"terraform/privatestate"},
		forbids: []string{clientGo}, clock: noClock,
	},
	"terraform/serve": {
		imports: []string{
			"cluster", "cluster/kube/connect", "terraform/privatestate", "terraform/provider", "terraform/serve/fastpath",
		},
		forbids: []string{clientGo}, clock: anyClock,
	},
	".": {imports: []string{"cluster/kube/openapi/command", "owners/command", "report/command", "terraform/serve"}, forbids: []string{clientGo}, clock: noClock},

	"test/testcluster":              {imports: []string{commandHosts}, forbids: []string{terraform}, clock: anyClock},
	commandHosts:                    {forbids: []string{terraform}, clock: noClock},
	"test/testcluster/providerhost": {imports: []string{"terraform/serve"}, clock: noClock},
	"test/testcluster/workdir":      {imports: []string{controlPlane, commandHosts}, clock: noClock},
	"test/play":                     {imports: []string{controlPlane, commandHosts}, clock: anyClock},
	harness: {
		imports: []string{
			"fields/paths", "manifests/manifest", "fields/ownership", "terraform/serve", "terraform/privatestate", "terraform/diagnostics/reader", "report", "report/formats", "report/page", controlPlane, "test/twins", "test/testcluster/workdir", "test/play", "test/livediff", "test/customresource",
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
	"test/projects":       {forbids: []string{terraform, clientGo}, clock: noClock},
	"test/validation":     {imports: []string{harness, "cluster/kube/openapi", "cluster/kube/openapi/command", "manifests/manifest"}, clock: noClock},
	"test/sample":         {imports: []string{"fields/paths"}, forbids: plainGo, clock: noClock},
	"conformance":         {forbids: []string{terraform}, clock: noClock},
	"cmd/cluster":         {imports: []string{controlPlane}, clock: anyClock},
	"cmd/gendocs":         {imports: []string{controlPlane, "terraform/serve"}, clock: anyClock},
	"cmd/bench":           {imports: []string{controlPlane, "cmd/bench/echo", "cmd/bench/loopback", "report", "test/testcluster/workdir", "test/largeobjects"}, clock: anyClock},
	"cmd/bench/echo":      {imports: []string{"terraform/serve"}, clock: noClock},
	"cmd/bench/loopback":  {clock: anyClock},
	"cmd/bench/plot":      {forbids: []string{terraform, clientGo}, clock: noClock},
	"cmd/estate":          {imports: []string{controlPlane, "test/testcluster/workdir"}, forbids: []string{terraform}, clock: anyClock},
	"cmd/releasecheck":    {imports: []string{controlPlane, "test/testcluster/workdir"}, clock: anyClock},
	"cmd/demo":            {imports: []string{controlPlane}, forbids: []string{terraform}, clock: anyClock},
	// These have nothing but tests.
	"test/browser":      {clock: noClock},
	"test/conformance":  {clock: noClock},
	"test/examples":     {clock: noClock},
	"test/faults":       {clock: noClock},
	"test/fuzzing":      {clock: noClock},
	"test/kubeclient":   {clock: noClock},
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
	pkg    string
	test   bool
	// imports are import paths.
	imports []string
	// clock are the functions of package time that it uses and that read the clock or wait.
	clock []string
	// diagnostics are the functions of the plugin framework that it uses and that make a diagnostic.
	diagnostics []string
	// names are the names that it declares for its package.
	names []string
	// methods are the types of its methods, one for each method.
	methods []string
	structs []structure
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
		case path == testLibrary && !slices.Contains([]string{controlPlane, harness, clusterStub, providerStub, goldenFiles, "test/pages", "test/play"}, name):
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

// covers reports whether path is name or below it. The standard library's net does not cover net/url.
func covers(name, path string) bool {
	if name == path {
		return true
	}
	return strings.Contains(name, ".") && strings.HasPrefix(path, name+"/")
}
