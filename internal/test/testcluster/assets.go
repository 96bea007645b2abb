package testcluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// envAssets is setup-envtest's variable for a directory with etcd, kube-apiserver and maybe other servers. Build takes
// from it what it contains.
const envAssets = "KUBEBUILDER_ASSETS"

// assets are the paths of servers in the directory of envAssets, by their names.
type assets map[string]string

// findAssets returns the servers that the recipes would build and that the directory of envAssets contains.
func findAssets(recipes []recipe) (assets, error) {
	dir := os.Getenv(envAssets)
	if dir == "" {
		return nil, nil
	}
	found := assets{}
	for _, r := range recipes {
		for _, p := range r.programs {
			path, err := filepath.Abs(filepath.Join(dir, p.name))
			if err != nil {
				return nil, err
			}
			if _, err := os.Stat(path); err == nil {
				found[p.name] = path
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s=%s has neither etcd nor kube-apiserver", envAssets, dir)
	}
	return found, nil
}

// lacks returns the recipe without the programs that are assets.
func (a assets) lacks(r recipe) recipe {
	r.programs = slices.DeleteFunc(slices.Clone(r.programs), func(p program) bool { return a[p.name] != "" })
	return r
}

// version returns the version of the kube-apiserver among the assets, or else that of the build. Both have to have the
// same minor version, because the build provides the controllers.
func (a assets) version(ctx context.Context, built string) (string, error) {
	server := a[apiServerName]
	if server == "" {
		return built, nil
	}
	text, err := exec.CommandContext(ctx, server, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("ask %s for its version: %w", server, err)
	}
	version := strings.TrimSpace(strings.TrimPrefix(string(text), "Kubernetes "))
	if minor := minorOf(version); minor != minorOf(built) {
		return "", fmt.Errorf("%s is Kubernetes %s, and the other servers are built as %s: set %s=%s",
			server, version, built, envKubernetes, minor)
	}
	return version, nil
}

// minorOf returns "1.36" for "v1.36.3".
func minorOf(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}
