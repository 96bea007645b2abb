package testcluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstalledCLI changes the environment and thus is not parallel.
func TestInstalledCLI(t *testing.T) {
	tests := map[string]struct {
		installed map[string]string
		// want is the name of the CLI that is used; "" is the one that the tests build.
		want, says string
	}{
		"terraform before tofu": {map[string]string{"terraform": "1.8.0", "tofu": "1.12.0"}, "terraform", "using terraform 1.8.0 of your PATH\n"},
		"tofu alone":            {map[string]string{"tofu": "1.9.0"}, "tofu", "using tofu 1.9.0 of your PATH\n"},
		"tofu where terraform is too old": {
			map[string]string{"terraform": "1.7.5", "tofu": "1.9.0"}, "tofu",
			"not using terraform 1.7.5 of your PATH: it is older than 1.8.0\nusing tofu 1.9.0 of your PATH\n"},
		"only one that is too old": {
			map[string]string{"terraform": "1.5.7"}, "", "not using terraform 1.5.7 of your PATH: it is older than 1.8.0\n"},
		"none": {nil, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			cache, onPath := t.TempDir(), t.TempDir()
			t.Setenv("XDG_CACHE_HOME", cache)
			t.Setenv("HOME", cache)
			t.Setenv(envCLIPath, "")
			t.Setenv(envCLI, "")
			for name, version := range tt.installed {
				script := fmt.Sprintf("#!/bin/sh\necho '{\"terraform_version\": %q}'\n", version)
				if err := os.WriteFile(filepath.Join(onPath, name), []byte(script), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			want := filepath.Join(onPath, tt.want)
			if tt.want == "" {
				want = pretendBuilt(t, terraformRecipe(usualTerraform)).file("terraform")
			}
			t.Setenv("PATH", onPath)
			var progress strings.Builder
			cli, err := InstalledCLI(t.Context(), &progress)
			if err != nil {
				t.Fatal(err)
			}
			if cli.Path != want || progress.String() != tt.says {
				t.Errorf("it is %s, want %s, and said %q, want %q", cli.Path, want, progress.String(), tt.says)
			}
		})
	}
}

// pretendBuilt makes a build complete without its programs.
func pretendBuilt(t *testing.T, r recipe) *moduleBuild {
	t.Helper()
	build, err := newModuleBuild(t.Context(), r, &buildCounter{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(build.target, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(build.file(completeFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return build
}
