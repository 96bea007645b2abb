package examples_test

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// With the settings of examples/air-gap, a CLI installs the provider from a folder with its archive, locks it, and applies. Whatever asks a
// registry fails: the proxy of these commands does not exist.
func TestAirGap(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	const version = "9.9.9"
	e := newExample(t, "getting-started", atHome(t))
	platform, mirror := runtime.GOOS+"_"+runtime.GOARCH, t.TempDir()
	archive(t, filepath.Join(mirror, e.CLI.ProviderHost(), "k8sconnect", "k8sconnect"), version, platform)
	settings := strings.Replace(pages.Read(t, filepath.Join(pages.Root, "examples", "air-gap", "cli.tfrc")), "/opt/providers", mirror, 1)
	if !strings.Contains(settings, mirror) {
		t.Fatalf("the settings name another folder:\n%s", settings)
	}
	write(t, filepath.Join(e.Dir, "offline.tfrc"), settings)
	e.Env = append(e.Env, "TF_CLI_CONFIG_FILE="+filepath.Join(e.Dir, "offline.tfrc"), "HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1")

	e.Exits(story.Refused, "init", "-lockfile=readonly")
	e.Do("providers", "lock", "-fs-mirror="+mirror, "-platform="+platform)
	e.Do("init", "-lockfile=readonly")
	lock := pages.Read(t, filepath.Join(e.Dir, ".terraform.lock.hcl"))
	if !strings.Contains(lock, `"`+version+`"`) || !strings.Contains(lock, `"h1:`) {
		t.Errorf("the provider is not locked:\n%s", lock)
	}
	e.Do("apply", "-auto-approve")
	e.plan(story.Nothing)

	// Another archive of that version is refused.
	archive(t, filepath.Join(mirror, e.CLI.ProviderHost(), "k8sconnect", "k8sconnect"), version, platform, "more")
	story.Must(t, os.RemoveAll(filepath.Join(e.Dir, ".terraform", "providers")))
	if said := e.Exits(story.Refused, "init", "-lockfile=readonly"); !strings.Contains(said, "checksums") {
		t.Errorf("it does not speak of checksums:\n%s", said)
	}
	story.Must(t, os.RemoveAll(filepath.Join(e.Dir, ".terraform.lock.hcl")))
	e.Do("init") // For the destroy.
}

// archive writes the archive of a release into a folder, with the provider and further files.
func archive(t *testing.T, folder, version, platform string, further ...string) {
	t.Helper()
	provider, err := workdir.Shared()
	story.Must(t, err)
	from, err := os.Open(provider)
	story.Must(t, err)
	defer func() { _ = from.Close() }()
	story.Must(t, os.MkdirAll(folder, 0o700))
	to, err := os.Create(filepath.Join(folder, "terraform-provider-k8sconnect_"+version+"_"+platform+".zip"))
	story.Must(t, err)
	packed := zip.NewWriter(to)
	header := &zip.FileHeader{Name: "terraform-provider-k8sconnect_v" + version, Method: zip.Store}
	header.SetMode(0o755)
	program, err := packed.CreateHeader(header)
	story.Must(t, err)
	_, err = io.Copy(program, from)
	story.Must(t, err)
	for _, name := range further {
		_, err = packed.Create(name)
		story.Must(t, err)
	}
	story.Must(t, errors.Join(packed.Close(), to.Close()))
}
