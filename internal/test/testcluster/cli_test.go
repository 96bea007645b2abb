package testcluster

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTerraformCLIPrefersTheNamedOne changes the environment and thus is not parallel.
func TestTerraformCLIPrefersTheNamedOne(t *testing.T) {
	const named, onPath = "named", "path"
	executables := map[string]string{}
	add := func(dir, name string) string {
		path := filepath.Join(t.TempDir(), dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		executables[dir+"/"+name] = path
		return path
	}
	tests := map[string]struct {
		named  string
		onPath []string
		want   string
		env    map[string]string
	}{
		"the variable comes before the PATH": {
			named: add(named, "tofu-1.11"), onPath: []string{add(onPath, "terraform")}, want: "named/tofu-1.11",
			env: map[string]string{"TF_ACC_PROVIDER_HOST": "registry.opentofu.org"}},
		"Terraform comes before OpenTofu": {
			onPath: []string{add(onPath, "tofu"), add(onPath, "terraform")}, want: "path/terraform"},
		"OpenTofu serves where Terraform is missing": {
			onPath: []string{add(onPath, "tofu")}, want: "path/tofu",
			env: map[string]string{"TF_ACC_PROVIDER_HOST": "registry.opentofu.org"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var path string
			for _, executable := range tt.onPath {
				executables["path/"+filepath.Base(executable)] = executable
				path += string(filepath.ListSeparator) + filepath.Dir(executable)
			}
			t.Setenv("PATH", path)
			t.Setenv(envCLIPath, tt.named)
			t.Setenv(envCLI, "")
			cli, err := TerraformCLI(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{
				"TF_ACC_TERRAFORM_PATH": executables[tt.want], "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.DevNull,
				"TF_DISABLE_PLUGIN_TLS": "1",
			}
			for key, value := range tt.env {
				want[key] = value
			}
			if diff := cmp.Diff(want, cli.Env()); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTerraformCLIThatIsAskedFor finds the pinned CLIs in the cache, with a Terraform on the PATH.
func TestTerraformCLIThatIsAskedFor(t *testing.T) {
	cache, onPath := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv("PATH", onPath)
	t.Setenv(envCLIPath, "")
	if err := os.WriteFile(filepath.Join(onPath, "terraform"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, pinned := range map[string]struct {
		recipe  recipe
		file    string
		product Product
	}{
		"tofu":           {opentofuRecipe, "tofu", ProductOpenTofu},
		"terraform-1.16": {terraformRecipe, "terraform", ProductTerraform},
	} {
		build, err := newModuleBuild(t.Context(), pinned.recipe, &counter{})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(build.target, 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(build.file(completeFile), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv(envCLI, name)
		cli, err := TerraformCLI(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(CLI{Path: build.file(pinned.file), Product: pinned.product}, cli); diff != "" {
			t.Errorf("the CLI that %s asks for (-want +got):\n%s", name, diff)
		}
	}
	t.Setenv(envCLI, "terraform")
	const want = "K8SCONNECT_TEST_CLI=terraform: it can be terraform-1.16 or tofu only; TF_ACC_TERRAFORM_PATH names any other CLI"
	if _, err := TerraformCLI(t.Context(), nil); err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
