package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// .goreleaser.yml and the list of this package name the same platforms.
func TestPlatforms(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../.goreleaser.yml")
	if err != nil {
		t.Fatal(err)
	}
	var configuration struct {
		Builds []struct {
			Goos, Goarch []string
			Ignore       []struct{ Goos, Goarch string }
		}
	}
	if err := yaml.Unmarshal(text, &configuration); err != nil {
		t.Fatal(err)
	}
	build, got, want := configuration.Builds[0], map[string]bool{}, map[string]bool{}
	for _, os := range build.Goos {
		for _, arch := range build.Goarch {
			got[os+"/"+arch] = true
		}
	}
	for _, ignored := range build.Ignore {
		delete(got, ignored.Goos+"/"+ignored.Goarch)
	}
	for _, p := range platforms {
		want[p.os+"/"+p.arch] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("platforms (-archives.go +.goreleaser.yml):\n%s", diff)
	}
}

func TestNarrowed(t *testing.T) {
	t.Parallel()
	got, err := narrowed([]byte("builds:\n  - goos: [a, b]\n    goarch: [c]\n    ignore: [{goos: a}]\n    flags: [-x]\narchives: []\n"), platform{"b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	want := "archives: []\nbuilds:\n    - flags:\n        - -x\n      goarch:\n        - c\n      goos:\n        - b\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("narrowed (-want +got):\n%s", diff)
	}
}

// written is a build with an archive for one platform, as goreleaser leaves it.
func written(t *testing.T, files map[string]string, mode os.FileMode) *build {
	t.Helper()
	b := &build{dir: t.TempDir(), platforms: []platform{{"linux", "amd64"}}, version: "1.2.3"}
	manifest := `{"version": 1, "metadata": {"protocol_versions": ["6.0"]}}`
	must(t, os.WriteFile(filepath.Join(b.dir, "terraform-registry-manifest.json"), []byte(manifest), 0o600))
	must(t, os.Mkdir(b.dist(), 0o700))
	name := b.platforms[0].archive(b.version)
	file, err := os.Create(filepath.Join(b.dist(), name))
	must(t, err)
	archive := zip.NewWriter(file)
	for name, text := range files {
		header := &zip.FileHeader{Name: name}
		header.SetMode(mode)
		w, err := archive.CreateHeader(header)
		must(t, err)
		_, err = w.Write([]byte(text))
		must(t, err)
	}
	must(t, archive.Close())
	must(t, file.Close())
	sum, err := digest(file.Name())
	must(t, err)
	sumOfManifest, err := digest(filepath.Join(b.dir, "terraform-registry-manifest.json"))
	must(t, err)
	sumOfProgram := sha256.Sum256([]byte(files[b.platforms[0].program(b.version)]))
	lines := sum + "  " + name + "\n" + hex.EncodeToString(sumOfProgram[:]) + "  " + b.platforms[0].report(b.version) + "\n" + sumOfManifest + "  " + manifestOf(b.version) + "\n"
	must(t, os.WriteFile(filepath.Join(b.dist(), checksumsOf(b.version)), []byte(lines), 0o600))
	return b
}

func TestCheck(t *testing.T) {
	t.Parallel()
	whole := map[string]string{"terraform-provider-k8sconnect_v1.2.3": "program", "LICENSE": "l", "THIRD_PARTY_NOTICES.txt": "n"}
	appendTo := func(path, text string) {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
		must(t, err)
		_, err = file.WriteString(text)
		must(t, err)
		must(t, file.Close())
	}
	tests := map[string]struct {
		files map[string]string
		mode  os.FileMode
		harm  func(b *build)
		want  string
	}{
		"whole":      {files: whole, mode: 0o755},
		"no program": {files: map[string]string{"LICENSE": "l", "THIRD_PARTY_NOTICES.txt": "n"}, mode: 0o755, want: "has no terraform-provider-k8sconnect_v1.2.3"},
		"not to run": {files: whole, mode: 0o644, want: "of mode -rw-r--r--"},
		"other bytes": {files: whole, mode: 0o755, want: "has the digest", harm: func(b *build) {
			appendTo(filepath.Join(b.dist(), b.platforms[0].archive(b.version)), "x")
		}},
		"another archive": {files: whole, mode: 0o755, want: "SHA256SUMS has terraform-provider-k8sconnect_1.2.3_plan9_amd64.zip", harm: func(b *build) {
			appendTo(filepath.Join(b.dist(), checksumsOf(b.version)), strings.Repeat("0", 64)+"  terraform-provider-k8sconnect_1.2.3_plan9_amd64.zip\n")
		}},
		"no program for reports": {files: whole, mode: 0o755, want: `SHA256SUMS says "" of k8sconnect-report_1.2.3_linux_amd64`, harm: func(b *build) {
			path := filepath.Join(b.dist(), checksumsOf(b.version))
			text, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "k8sconnect-report", "another")), 0o600))
		}},
		"no manifest": {files: whole, mode: 0o755, want: "the line of terraform-provider-k8sconnect_1.2.3_manifest.json", harm: func(b *build) {
			appendTo(filepath.Join(b.dir, "terraform-registry-manifest.json"), " ")
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := written(t, test.files, test.mode)
			if test.harm != nil {
				test.harm(b)
			}
			err := b.check()
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// A signature of other checksums is refused.
func TestSignature(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("no gpg is installed")
	}
	// The socket of gpg's agent needs a short path.
	dir, err := os.MkdirTemp("", "gpg")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	key := &signingKey{dir: filepath.Join(dir, "k")}
	must(t, key.create(t.Context()))
	t.Cleanup(func() { must(t, key.remove()) })
	b := written(t, nil, 0o755)
	sums := filepath.Join(b.dist(), checksumsOf(b.version))
	_, err = key.gpg(t.Context(), "--local-user", key.fingerprint, "--output", sums+".sig", "--detach-sign", sums)
	must(t, err)
	must(t, key.verify(t.Context(), b))
	must(t, os.WriteFile(sums, []byte("other"), 0o600))
	if err := key.verify(t.Context(), b); err == nil {
		t.Error("the signature of other checksums is accepted")
	}
}

// Two builds with other bytes are not the same.
func TestSame(t *testing.T) {
	t.Parallel()
	one, again := written(t, map[string]string{"a": "1"}, 0o755), written(t, map[string]string{"a": "1"}, 0o755)
	must(t, same(one, again))
	if err := same(one, written(t, map[string]string{"a": "2"}, 0o755)); err == nil {
		t.Error("other bytes are the same")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
