package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// envtest starts the servers of the control plane. The package does not compile for Windows.
const envtest = "sigs.k8s.io/controller-runtime/pkg/envtest"

// compileTests type-checks the provider and the tests for systems on which the tests do not run: for Windows, only the
// tests that need no control plane.
func compileTests(ctx context.Context) error {
	for _, p := range []platform{{"windows", "amd64"}, {"darwin", "arm64"}} {
		if p == host() {
			continue
		}
		packages := []string{"./..."}
		if p.os == "windows" {
			var err error
			if packages, err = packagesWithout(ctx, p, envtest); err != nil {
				return err
			}
		}
		fmt.Printf("      %s/%s\n", p.os, p.arch)
		vet := command(ctx, "", "go", append([]string{"vet"}, packages...)...)
		vet.Env = p.environment()
		if err := vet.Run(); err != nil {
			return fmt.Errorf("%s/%s: %w", p.os, p.arch, err)
		}
	}
	return nil
}

// environment returns the environment variables that make the go command compile for the platform.
func (p platform) environment() []string {
	return append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0")
}

// packagesWithout returns the packages of the module that do not depend on another package, not even in their tests.
func packagesWithout(ctx context.Context, p platform, other string) ([]string, error) {
	list := commandOf(ctx, "go", "list", "-test", "-f", "{{.ImportPath}} {{join .Deps \" \"}}", "./...")
	list.Env = p.environment()
	printed, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages: %w", err)
	}
	depends := map[string]bool{}
	for line := range strings.Lines(string(printed)) {
		fields := strings.Fields(line)
		// A test is listed as PACKAGE.test, and a package that is compiled again for it as PACKAGE [PACKAGE.test].
		name := strings.TrimSuffix(strings.TrimSuffix(fields[0], ".test"), "_test")
		depends[name] = depends[name] || name == other || slices.Contains(fields, other)
	}
	var without []string
	for name, does := range depends {
		if !does {
			without = append(without, name)
		}
	}
	if len(without) < 20 {
		return nil, errors.New("nearly all packages depend on " + other)
	}
	slices.Sort(without)
	return without, nil
}
