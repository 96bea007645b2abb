package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// build is a build of a commit by goreleaser, in a clone.
type build struct {
	dir       string
	platforms []platform
	parallel  int
	// commit is what is built.
	commit string
	// version is the version of the snapshot, set by make.
	version string
}

// dist returns the directory in which goreleaser leaves the archives.
func (b *build) dist() string { return filepath.Join(b.dir, "dist") }

// clone copies the commit, and nothing that is not committed.
func (b *build) clone(ctx context.Context) error {
	root, err := output(ctx, "", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if err := command(ctx, "", "git", "clone", "--quiet", "--no-checkout", root, b.dir).Run(); err != nil {
		return err
	}
	return command(ctx, b.dir, "git", "checkout", "--quiet", "--detach", b.commit).Run()
}

// make runs goreleaser as a release does, without the upload.
func (b *build) make(ctx context.Context, key *signingKey) error {
	configuration, err := b.configuration()
	if err != nil {
		return err
	}
	skip := "publish"
	if !key.exists() {
		skip += ",sign"
	}
	goreleaser := []string{"tool", "-modfile=tools/release/go.mod", "goreleaser"}
	if err := command(ctx, b.dir, "go", append(goreleaser, "check", configuration)...).Run(); err != nil {
		return err
	}
	release := command(ctx, b.dir, "go",
		append(goreleaser, "release", "--snapshot", "--clean", "--config", configuration,
			"--skip", skip, "--parallelism", strconv.Itoa(b.parallel), "--timeout", "4h")...)
	release.Env = append(release.Environ(), key.environment()...)
	if err := release.Run(); err != nil {
		return err
	}
	b.version, err = versionIn(b.dist())
	return err
}

// configuration returns the path of a .goreleaser.yml for the platforms of this build.
func (b *build) configuration() (string, error) {
	own := filepath.Join(b.dir, ".goreleaser.yml")
	if len(b.platforms) == len(platforms) {
		return own, nil
	}
	text, err := os.ReadFile(own)
	if err != nil {
		return "", err
	}
	if text, err = narrowed(text, b.platforms[0]); err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(b.dir), "host.yml")
	return path, os.WriteFile(path, text, 0o600)
}

// narrowed returns a configuration of goreleaser for one platform.
func narrowed(text []byte, to platform) ([]byte, error) {
	var configuration map[string]any
	if err := yaml.Unmarshal(text, &configuration); err != nil {
		return nil, fmt.Errorf("read .goreleaser.yml: %w", err)
	}
	builds, _ := configuration["builds"].([]any)
	if len(builds) != 1 {
		return nil, fmt.Errorf(".goreleaser.yml has %d builds, not one", len(builds))
	}
	only, _ := builds[0].(map[string]any)
	only["goos"], only["goarch"] = []string{to.os}, []string{to.arch}
	delete(only, "ignore")
	return yaml.Marshal(configuration)
}

// versionIn returns the version that goreleaser wrote into a dist directory.
func versionIn(dist string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dist, "metadata.json"))
	if err != nil {
		return "", err
	}
	var noted struct{ Version string }
	if err := json.Unmarshal(text, &noted); err != nil {
		return "", err
	}
	if noted.Version == "" {
		return "", errors.New("goreleaser noted no version")
	}
	return noted.Version, nil
}

// command returns a command that prints to the terminal.
func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	c := commandOf(ctx, name, args...)
	c.Dir, c.Stdout = dir, os.Stdout
	return c
}

func commandOf(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Stderr = os.Stderr
	// The go command passes an interruption on to the tool that it runs. If the go command were killed, the tool would
	// survive it.
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = time.Minute
	return c
}

func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := commandOf(ctx, name, args...)
	c.Dir = dir
	printed, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(append([]string{name}, args...), " "), err)
	}
	return strings.TrimSpace(string(printed)), nil
}

// verifyModules compares the modules in the cache with go.sum, for each go.mod file that a release is built with.
func verifyModules(ctx context.Context) error {
	for _, file := range []string{"go.mod", "tools/release/go.mod", "tools/sbom/go.mod"} {
		if err := command(ctx, "", "go", "mod", "verify", "-modfile="+file).Run(); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}
