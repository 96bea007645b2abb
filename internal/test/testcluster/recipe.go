package testcluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// program is one executable that a nested module builds.
type program struct {
	// name is the executable's file name in the cache.
	name string
	// pkg is the import path of its main package.
	pkg string
}

// recipe describes how the programs of one nested module below servers/ are built.
type recipe struct {
	// module is the name of the nested module's directory.
	module string
	// path is the module whose version the programs have, as the nested go.mod requires it.
	path     string
	programs []program
	// ldflags are the linker flags for a version such as "v1.36.3".
	ldflags func(version string) string
	// bundle is the file that the programs need at run time, next to them; nil if they need none.
	bundle *bundle
	// host is nil for programs that are not a CLI.
	host *hostSource
}

// bundle joins YAML files of the module, in the version that is built, into one file.
type bundle struct {
	// name is that of the joined file.
	name string
	// dir is a directory of the module, and files are paths below it.
	dir   string
	files []string
}

// etcdRecipe and kwokRecipe serve every Kubernetes version. The module of the default version pins them, too: all its
// servers are built from the same packages.
var (
	etcdRecipe = recipe{
		module:   kubernetesModule,
		path:     "go.etcd.io/etcd/server/v3",
		programs: []program{{name: "etcd", pkg: "go.etcd.io/etcd/server/v3"}},
		ldflags:  strippedLDFlags,
	}
	kwokRecipe = recipe{
		module:   kubernetesModule,
		path:     "sigs.k8s.io/kwok",
		programs: []program{{name: "kwok", pkg: "sigs.k8s.io/kwok/cmd/kwok"}},
		ldflags:  strippedLDFlags,
		bundle:   &bundle{name: stagesFile, dir: "kustomize/stage", files: stageFiles},
	}
)

var opentofuRecipe = recipe{
	module:   "opentofu",
	path:     "github.com/opentofu/opentofu",
	programs: []program{{name: "tofu", pkg: "."}},
	ldflags:  releaseLDFlags("github.com/opentofu/opentofu"),
	host:     &hostSource{product: ProductOpenTofu, main: "github.com/opentofu/opentofu/cmd/tofu"},
}

// terraformRecipe returns the recipe for the Terraform that a nested module pins.
func terraformRecipe(module string) recipe {
	const path = "github.com/hashicorp/terraform"
	return recipe{
		module: module, path: path, programs: []program{{name: "terraform", pkg: "."}}, ldflags: releaseLDFlags(path),
		host: &hostSource{product: ProductTerraform, main: path},
	}
}

func strippedLDFlags(string) string { return "-s -w" }

// releaseLDFlags returns flags that make a CLI a release: its version satisfies a required_version, which "1.12.6-dev"
// would not.
func releaseLDFlags(path string) func(string) string {
	return func(string) string { return "-s -w -X " + path + "/version.dev=no" }
}

// kubernetesLDFlags stamps the version that clients parse out of /version.
func kubernetesLDFlags(version string) string {
	major, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	const pkg = "k8s.io/component-base/version"
	return fmt.Sprintf("-s -w -X %[1]s.gitVersion=%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s",
		pkg, version, major, minor)
}

// pins are the files of a nested module by their paths: go.mod, go.sum, and the stubs that replace packages.
type pins map[string][]byte

func readPins(dir string) (pins, error) {
	files, root := pins{}, os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[path], err = fs.ReadFile(root, path)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the pinned server module: %w", err)
	}
	return files, nil
}

// version returns the version that the go.mod requires of a module, "v1.36.3" for instance.
func (p pins) version(path string) (string, error) {
	for line := range strings.Lines(string(p["go.mod"])) {
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(fields) >= 2 && fields[0] == path && strings.HasPrefix(fields[1], "v") {
			return fields[1], nil
		}
	}
	return "", fmt.Errorf("the nested go.mod does not require %s", path)
}

// key names the cache directory of a recipe's results. It changes with the nested module's files, the Go
// version, the platform and the recipe, so that a stale executable is never found under it.
func (r recipe) key(m pins, version, toolchain string) string {
	sum := sha256.New()
	part := func(label string, text []byte) {
		_, _ = fmt.Fprintf(sum, "%s %d\n", label, len(text))
		_, _ = sum.Write(text)
	}
	for _, path := range slices.Sorted(maps.Keys(m)) {
		part(path, m[path])
	}
	part("toolchain", []byte(toolchain))
	part("ldflags", []byte(r.ldflags(version)))
	for _, p := range r.programs {
		part(p.name, []byte(p.pkg))
	}
	if r.bundle != nil {
		part("stages", []byte(strings.Join(r.bundle.files, "\n")))
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// toolchain returns the Go version and the platform that executables are built with and for.
func toolchain() string {
	return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// serversDir returns the directory of the nested modules in the source tree that this package was compiled
// from, or in the one that holds the working directory where the build trimmed the paths.
func serversDir() (string, error) {
	if _, file, _, ok := runtime.Caller(0); ok {
		dir := filepath.Join(filepath.Dir(file), "servers")
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		candidate := filepath.Join(dir, "internal", "test", "testcluster", "servers")
		if _, err := os.Stat(candidate); err == nil {
			return candidate, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no internal/test/testcluster/servers at or above the working directory: run from " +
				"the source tree")
		}
		dir = parent
	}
}

// cacheRoot returns the directory outside the source tree that keeps built executables.
func cacheRoot() string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "terraform-provider-k8sconnect", "servers")
}

// stageFiles are the stages of the kwok module, below its kustomize/stage, that make nodes ready and
// pods run, complete and go.
var stageFiles = []string{
	"node/fast/node-initialize.yaml",
	"node/heartbeat/node-heartbeat.yaml",
	"pod/fast/pod-ready.yaml",
	"pod/fast/pod-complete.yaml",
	"pod/fast/pod-delete.yaml",
}

// stagesFile is the name under which the joined stages lie next to kwok.
const stagesFile = "stages.yaml"

// write writes the bundle of a build.
func (b bundle) write(build *moduleBuild) error {
	out, err := build.goTool("list", "-m", "-f", "{{.Dir}}", build.recipe.path)
	if err != nil {
		return err
	}
	root := filepath.Join(strings.TrimSpace(out), filepath.FromSlash(b.dir))
	return writeAtomically(filepath.Join(build.target, b.name), func(w io.Writer) error {
		for _, name := range b.files {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "---\n%s\n", text); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeAtomically writes a file under a temporary name and renames it when write has succeeded.
func writeAtomically(path string, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	if err := write(file); err != nil {
		_ = file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
