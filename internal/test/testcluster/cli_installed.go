package testcluster

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"

	"k8s.io/apimachinery/pkg/util/version"
)

// oldestInstalled is the oldest version that InstalledCLI uses: the oldest that the provider is tested with.
var oldestInstalled = version.MustParseSemantic("1.8.0")

// InstalledCLI returns the terraform or else the tofu on the PATH, and says so to progress. It returns what
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
