package testcluster

import (
	"os"
	"path/filepath"
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
