package testcluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTerraformCLIOfTheVariable changes the environment and thus is not parallel.
func TestTerraformCLIOfTheVariable(t *testing.T) {
	tests := map[string]struct{ product, host string }{
		"terraform": {product: "terraform"},
		"tofu-1.11": {product: "tofu", host: "registry.opentofu.org"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, nil, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv(envCLIPath, path)
			t.Setenv(envCLI, "no CLI")
			cli, err := TerraformCLI(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{
				"TF_ACC_TERRAFORM_PATH": path, "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.DevNull, "TF_DISABLE_PLUGIN_TLS": "1",
			}
			if tt.host != "" {
				want["TF_ACC_PROVIDER_HOST"] = tt.host
			}
			if diff := cmp.Diff(want, cli.Env()); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(CLI{Path: path, Product: Product(tt.product)}, cli); diff != "" {
				t.Errorf("CLI (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTerraformCLIThatIsPinned finds the pinned CLIs in the cache, and leaves alone the one on the PATH.
func TestTerraformCLIThatIsPinned(t *testing.T) {
	cache, onPath := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("PATH", onPath+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv(envCLIPath, "")
	if err := os.WriteFile(filepath.Join(onPath, "terraform"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, pinned := range map[string]struct {
		recipe  recipe
		file    string
		product Product
	}{
		"":               {terraformRecipe("terraform-1.11"), "terraform", ProductTerraform},
		"terraform-1.11": {terraformRecipe("terraform-1.11"), "terraform", ProductTerraform},
		"terraform-1.16": {terraformRecipe("terraform-1.16"), "terraform", ProductTerraform},
		"tofu":           {opentofuRecipe, "tofu", ProductOpenTofu},
	} {
		build := pretendBuilt(t, pinned.recipe)
		t.Setenv(envCLI, name)
		cli, err := TerraformCLI(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(CLI{Path: build.file(pinned.file), Product: pinned.product, CanHost: true}, cli); diff != "" {
			t.Errorf("the CLI that %q asks for (-want +got):\n%s", name, diff)
		}
	}
	t.Setenv(envCLI, "terraform")
	const want = "K8SCONNECT_TEST_CLI=terraform: it can be terraform-1.11 or terraform-1.16 or tofu only; TF_ACC_TERRAFORM_PATH names any other CLI"
	if _, err := TerraformCLI(t.Context(), nil); err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

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
