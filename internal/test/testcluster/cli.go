package testcluster

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Product is the kind of a Terraform CLI.
type Product string

// The Terraform CLIs that tests and the demo run with.
const (
	ProductTerraform Product = "terraform"
	ProductOpenTofu  Product = "tofu"
)

// CLI is a Terraform CLI on this machine.
type CLI struct {
	// Path is the absolute path of the executable.
	Path    string
	Product Product
}

// envCLIPath is terraform-plugin-testing's variable for the CLI to run.
const envCLIPath = "TF_ACC_TERRAFORM_PATH"

// envCLI asks for the pinned OpenTofu, whatever the PATH has, where it says "tofu".
const envCLI = "K8SCONNECT_TEST_CLI"

// TerraformCLI finds a Terraform CLI: the one that TF_ACC_TERRAFORM_PATH names, else terraform on the
// PATH, else tofu on the PATH, else an OpenTofu that it builds from the nested module into the cache of
// Build. With K8SCONNECT_TEST_CLI=tofu the PATH is left out. It downloads no release. progress gets a line
// as OpenTofu builds; nil is silent.
func TerraformCLI(ctx context.Context, progress io.Writer) (CLI, error) {
	if path := os.Getenv(envCLIPath); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return CLI{}, fmt.Errorf("find the CLI that %s names: %w", envCLIPath, err)
		}
		return newCLI(found)
	}
	switch wanted := os.Getenv(envCLI); Product(wanted) {
	case "":
		for _, product := range []Product{ProductTerraform, ProductOpenTofu} {
			if found, err := exec.LookPath(string(product)); err == nil {
				return newCLI(found)
			}
		}
	case ProductOpenTofu:
	default:
		return CLI{}, fmt.Errorf("%s=%s: it can be %s only; %s names any other CLI", envCLI, wanted, ProductOpenTofu, envCLIPath)
	}
	build, err := newModuleBuild(ctx, opentofuRecipe, &counter{total: 1, progress: orDiscard(progress)})
	if err != nil {
		return CLI{}, err
	}
	if err := build.ensure(); err != nil {
		return CLI{}, err
	}
	return newCLI(build.file("tofu"))
}

// newCLI tells the product from the executable's name.
func newCLI(path string) (CLI, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return CLI{}, err
	}
	product := ProductTerraform
	if strings.Contains(filepath.Base(absolute), "tofu") {
		product = ProductOpenTofu
	}
	return CLI{Path: absolute, Product: product}, nil
}

// Env returns the environment that makes terraform-plugin-testing run this CLI and look for no other: the
// variables to add, by name. The settings of the machine are left out: OpenTofu warns on standard output
// of a settings file that is missing, and the test framework takes that for the version.
func (c CLI) Env() map[string]string {
	env := map[string]string{
		envCLIPath:           c.Path,
		"CHECKPOINT_DISABLE": "1",
		"TF_CLI_CONFIG_FILE": os.DevNull,
	}
	if c.Product == ProductOpenTofu {
		env["TF_ACC_PROVIDER_HOST"] = "registry.opentofu.org"
	}
	return env
}
