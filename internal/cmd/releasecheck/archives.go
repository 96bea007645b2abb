package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// mostBytes is how large a program of a release may be.
const mostBytes = 60_000_000

// check compares the files of goreleaser with what the registries expect.
func (b *build) check() error {
	var problems []error
	sums, err := readChecksums(filepath.Join(b.dist(), checksumsOf(b.version)))
	if err != nil {
		return err
	}
	for _, p := range b.platforms {
		name := p.archive(b.version)
		problems = append(problems, sums.verify(b.dist(), name), b.checkArchive(p, sums[p.report(b.version)]))
	}
	problems = append(problems, b.checkManifest(sums), sums.extra(b))
	return errors.Join(problems...)
}

// checksums are the digests in SHA256SUMS, by file name.
type checksums map[string]string

func readChecksums(path string) (checksums, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sums := checksums{}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || len(sum) != hex.EncodedLen(sha256.Size) {
			return nil, fmt.Errorf("%s has the line %q", filepath.Base(path), line)
		}
		sums[name] = sum
	}
	return sums, nil
}

// verify compares the digest of a file with its line in SHA256SUMS.
func (s checksums) verify(dir, name string) error {
	want, has := s[name]
	if !has {
		return fmt.Errorf("SHA256SUMS has no %s", name)
	}
	got, err := digest(filepath.Join(dir, name))
	if err == nil && got != want {
		err = fmt.Errorf("%s has the digest %s, and SHA256SUMS says %s", name, got, want)
	}
	return err
}

// extra returns an error for archives of platforms that a release should not have.
func (s checksums) extra(b *build) error {
	var unexpected []error
	for name := range s {
		known := slices.ContainsFunc(b.platforms, func(p platform) bool { return p.archive(b.version) == name })
		if strings.HasSuffix(name, ".zip") && !known {
			unexpected = append(unexpected, fmt.Errorf("SHA256SUMS has %s, which archives.go does not", name))
		}
	}
	return errors.Join(unexpected...)
}

func digest(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	return digestOf(file)
}

func digestOf(file io.ReadCloser) (string, error) {
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// checkArchive checks that an archive has the program and the licences, and checks the program's size, mode and digest,
// which is that of the program for reports.
func (b *build) checkArchive(p platform, report string) error {
	name := p.archive(b.version)
	archive, err := zip.OpenReader(filepath.Join(b.dist(), name))
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	files := map[string]*zip.File{}
	for _, file := range archive.File {
		files[file.Name] = file
	}
	for _, want := range []string{p.program(b.version), "LICENSE", "THIRD_PARTY_NOTICES.txt"} {
		if files[want] == nil {
			return fmt.Errorf("%s has no %s", name, want)
		}
	}
	program := files[p.program(b.version)]
	fmt.Printf("      %-16s %5.1f MB, archive %5.1f MB\n", p.os+"/"+p.arch,
		float64(program.UncompressedSize64)/1e6, float64(program.CompressedSize64)/1e6)
	switch {
	case program.UncompressedSize64 > mostBytes:
		return fmt.Errorf("%s has a program of %d bytes, and it may have %d", name, program.UncompressedSize64,
			mostBytes)
	case program.Mode().Perm() != 0o755:
		return fmt.Errorf("%s has a program of mode %v", name, program.Mode())
	}
	file, err := program.Open()
	if err != nil {
		return err
	}
	if got, err := digestOf(file); err != nil || got != report {
		return errors.Join(err, fmt.Errorf("%s has a program with the digest %s, and SHA256SUMS says %q of %s", name,
			got, report, p.report(b.version)))
	}
	return nil
}

// checkManifest compares the registry manifest with that of the source, and its protocol version with the one that the
// provider serves.
func (b *build) checkManifest(sums checksums) error {
	name := manifestOf(b.version)
	want, err := digest(filepath.Join(b.dir, "terraform-registry-manifest.json"))
	switch {
	case err != nil:
		return err
	case sums[name] == "":
		return fmt.Errorf("SHA256SUMS has no %s", name)
	case sums[name] != want:
		return fmt.Errorf("the line of %s is not that of terraform-registry-manifest.json", name)
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "terraform-registry-manifest.json"))
	if err != nil {
		return err
	}
	var manifest struct {
		Version  int
		Metadata struct {
			Protocols []string `json:"protocol_versions"`
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return err
	}
	if manifest.Version != 1 || !slices.Equal(manifest.Metadata.Protocols, []string{"6.0"}) {
		return fmt.Errorf("terraform-registry-manifest.json says version %d and protocols %v, not 1 and 6.0",
			manifest.Version, manifest.Metadata.Protocols)
	}
	return nil
}

// checkBills checks that the bill of materials of each archive has all modules of the provider.
func (b *build) checkBills() error {
	for _, p := range b.platforms {
		name := p.archive(b.version) + ".sbom.json"
		text, err := os.ReadFile(filepath.Join(b.dist(), name))
		if err != nil {
			return err
		}
		for _, module := range []string{"k8s.io/client-go", "github.com/hashicorp/terraform-plugin-framework"} {
			if !bytes.Contains(text, []byte(module)) {
				return fmt.Errorf("%s does not name %s", name, module)
			}
		}
	}
	return nil
}

// same compares the archives that both builds have, byte for byte.
func same(one, two *build) error {
	for _, p := range two.platforms {
		first, err := digest(filepath.Join(one.dist(), p.archive(one.version)))
		if err != nil {
			return err
		}
		second, err := digest(filepath.Join(two.dist(), p.archive(two.version)))
		if err != nil {
			return err
		}
		if first != second {
			return fmt.Errorf("%s of one clone has the digest %s, and of another one %s", p.archive(one.version), first,
				second)
		}
	}
	return nil
}

// platform is a system that a release has an archive for.
type platform struct{ os, arch string }

// platforms are those of every release, even if .goreleaser.yml lists fewer.
var platforms = []platform{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"freebsd", "386"}, {"freebsd", "amd64"}, {"freebsd", "arm"}, {"freebsd", "arm64"},
	{"linux", "386"}, {"linux", "amd64"}, {"linux", "arm"}, {"linux", "arm64"}, {"linux", "ppc64le"},
	{"linux", "s390x"},
	{"windows", "386"}, {"windows", "amd64"}, {"windows", "arm64"},
}

func host() platform { return platform{runtime.GOOS, runtime.GOARCH} }

const project = "terraform-provider-k8sconnect"

// archive returns the file name that the registries expect of the archive of a version.
func (p platform) archive(version string) string {
	return fmt.Sprintf("%s_%s_%s_%s.zip", project, version, p.os, p.arch)
}

// program returns the file name that Terraform expects in the archive.
func (p platform) program(version string) string {
	name := project + "_v" + version
	if p.os == "windows" {
		name += ".exe"
	}
	return name
}

// report returns the name under which a release has the program for those who only want reports of plans.
func (p platform) report(version string) string {
	name := fmt.Sprintf("k8sconnect-report_%s_%s_%s", version, p.os, p.arch)
	if p.os == "windows" {
		name += ".exe"
	}
	return name
}

func checksumsOf(version string) string { return project + "_" + version + "_SHA256SUMS" }

func manifestOf(version string) string { return project + "_" + version + "_manifest.json" }
