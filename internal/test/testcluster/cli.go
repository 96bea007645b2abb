package testcluster

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
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
	// CanHost is true if the executable can run as a host of package clihost.
	CanHost bool
}

// envCLIPath is terraform-plugin-testing's variable for the CLI to run.
const envCLIPath = "TF_ACC_TERRAFORM_PATH"

// envPluginTLS makes the CLI talk to its plugins without TLS, unless it is empty.
const envPluginTLS = "TF_DISABLE_PLUGIN_TLS"

// envCLI asks for one of pinnedCLIs.
const envCLI = "K8SCONNECT_TEST_CLI"

// The values of envCLI for Terraform. Tests run with usualTerraform unless they ask for another CLI.
const (
	usualTerraform  = "terraform-1.11"
	newestTerraform = "terraform-1.16"
)

// pinnedCLIs are the CLIs that nested modules pin, by the name that asks for them.
var pinnedCLIs = map[string]recipe{
	string(ProductOpenTofu): opentofuRecipe,
	usualTerraform:          terraformRecipe(usualTerraform),
	newestTerraform:         terraformRecipe(newestTerraform),
}

// NewestTerraform reports whether K8SCONNECT_TEST_CLI asks for the newest pinned Terraform. It has every feature that
// tests need.
func NewestTerraform() bool { return os.Getenv(envCLI) == newestTerraform }

// TerraformCLI returns the CLI that TF_ACC_TERRAFORM_PATH names, else the one that K8SCONNECT_TEST_CLI names among
// those of the nested modules, else their Terraform 1.11. It builds those of nested modules into the cache of Build,
// and downloads no release. progress gets a line as one builds; nil is silent.
func TerraformCLI(ctx context.Context, progress io.Writer) (CLI, error) {
	if path := os.Getenv(envCLIPath); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return CLI{}, fmt.Errorf("find the CLI that %s names: %w", envCLIPath, err)
		}
		return newCLI(found)
	}
	wanted := cmp.Or(os.Getenv(envCLI), usualTerraform)
	pinned, ok := pinnedCLIs[wanted]
	if !ok {
		names := strings.Join(slices.Sorted(maps.Keys(pinnedCLIs)), " or ")
		return CLI{}, fmt.Errorf("%s=%s: it can be %s only; %s names any other CLI", envCLI, wanted, names, envCLIPath)
	}
	return pinned.cli(ctx, progress)
}

// PinnedCLIs returns the Terraform that tests run with, and OpenTofu, as [TerraformCLI] builds them, whatever the
// variables ask for.
func PinnedCLIs(ctx context.Context, progress io.Writer) ([]CLI, error) {
	var all []CLI
	for _, name := range []string{usualTerraform, string(ProductOpenTofu)} {
		cli, err := pinnedCLIs[name].cli(ctx, progress)
		if err != nil {
			return nil, err
		}
		all = append(all, cli)
	}
	return all, nil
}

// cli builds the CLI of a recipe, unless the cache has it.
func (r recipe) cli(ctx context.Context, progress io.Writer) (CLI, error) {
	build, err := newModuleBuild(ctx, r, &buildCounter{total: 1, progress: orDiscard(progress)})
	if err != nil {
		return CLI{}, err
	}
	if err := build.ensure(); err != nil {
		return CLI{}, err
	}
	cli, err := newCLI(build.file(r.programs[0].name))
	cli.CanHost = err == nil
	return cli, err
}

// newCLI returns the CLI at a path. The executable's name tells the product.
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
// variables to add, by name. The settings of the machine are left out, with an empty settings file that exists:
// about a missing one, OpenTofu warns on standard output, and the test framework takes the warning for the
// version. The CLI and a provider that it starts communicate without TLS, an option that both CLIs have for
// tests: new certificates at each start would take a third of the time of a short command.
func (c CLI) Env() map[string]string {
	env := map[string]string{
		envCLIPath:           c.Path,
		"CHECKPOINT_DISABLE": "1",
		"TF_CLI_CONFIG_FILE": os.DevNull,
		envPluginTLS:         "1",
	}
	if c.Product == ProductOpenTofu {
		env["TF_ACC_PROVIDER_HOST"] = c.ProviderHost()
	}
	return env
}

// ProviderHost returns the host in the addresses of providers without one.
func (c CLI) ProviderHost() string {
	if c.Product == ProductOpenTofu {
		return "registry.opentofu.org"
	}
	return "registry.terraform.io"
}

// oldestInstalled is the oldest version that InstalledCLI uses: the oldest that the provider is tested with.
var oldestInstalled = version.MustParseSemantic("1.8.0")

// InstalledCLI returns the terraform or else the tofu on the PATH, and reports it to progress. It returns what
// [TerraformCLI] does if both are missing or older than version 1.8, or if a variable asks for another CLI.
func InstalledCLI(ctx context.Context, progress io.Writer) (CLI, error) {
	if os.Getenv(envCLIPath) != "" || os.Getenv(envCLI) != "" {
		return TerraformCLI(ctx, progress)
	}
	for _, product := range []Product{ProductTerraform, ProductOpenTofu} {
		path, err := exec.LookPath(string(product))
		if err != nil {
			continue
		}
		cli, err := newCLI(path)
		if err != nil {
			return CLI{}, err
		}
		said, err := cli.Version(ctx)
		if err != nil {
			return CLI{}, fmt.Errorf("ask %s for its version: %w", path, err)
		}
		number, err := version.ParseSemantic(said)
		if err != nil {
			return CLI{}, fmt.Errorf("the version of %s: %w", path, err)
		}
		if number.LessThan(oldestInstalled) {
			_, _ = fmt.Fprintf(orDiscard(progress), "not using %s %s of your PATH: it is older than %s\n",
				product, said, oldestInstalled)
			continue
		}
		_, _ = fmt.Fprintf(orDiscard(progress), "using %s %s of your PATH\n", product, said)
		return cli, nil
	}
	return TerraformCLI(ctx, progress)
}
