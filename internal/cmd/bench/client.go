package main

import (
	"os"
	"path/filepath"
	"regexp"
)

// client is a contender that is not a provider: a program that deploys manifests.
type client struct {
	// args returns its arguments for a step, in a directory with a kubeconfig and manifests.
	args func(s step, namespace string) []string
	// prepare fills the directory with what the program needs beside those.
	prepare func(dir string) error
}

// step is what a phase does, for a client.
type step int

const (
	showing step = iota
	deploying
	deleting
)

// kubectl runs kubectl diff instead of plans, and kubectl apply --server-side instead of applies. helm upgrades a chart
// whose templates are the manifests; instead of a plan it renders them with --dry-run=server, which does not show what
// would change. kubectl has no state, so it does not remove what has left the manifests.
const (
	kubectl = "kubectl"
	helm    = "helm"
)

var clients = map[string]client{
	kubectl: {args: kubectlArgs, prepare: func(string) error { return nil }},
	helm:    {args: helmArgs, prepare: chartOf},
}

// isClient reports whether the contender is not a provider.
func (c contender) isClient() bool { return clients[c.Name].args != nil }

func kubectlArgs(s step, _ string) []string {
	args := []string{"--kubeconfig=kubeconfig", "--filename=manifests"}
	if s == deleting {
		return append([]string{"delete"}, args...)
	}
	verb := map[step]string{showing: "diff", deploying: "apply"}[s]
	return append([]string{verb, "--server-side", "--force-conflicts", "--field-manager=bench"}, args...)
}

func helmArgs(s step, namespace string) []string {
	args := []string{"--kubeconfig=kubeconfig", "--namespace=" + namespace}
	if s == deleting {
		return append([]string{"uninstall", "bench"}, args...)
	}
	if s == showing {
		args = append(args, "--dry-run=server")
	}
	return append([]string{"upgrade", "bench", ".", "--install", "--server-side=true", "--force-conflicts"}, args...)
}

// chartOf makes a chart of a directory, whose templates are the manifests.
func chartOf(dir string) error {
	for name, text := range map[string]string{
		"Chart.yaml":  "apiVersion: v2\nname: bench\nversion: 1.0.0\n",
		".helmignore": "/kubeconfig\n/manifests/\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return os.Symlink("manifests", filepath.Join(dir, "templates"))
}

// kubectlDiffers is the exit code of kubectl diff if the manifests differ from the cluster.
const kubectlDiffers = 1

// compared is the head of a diff that kubectl prints: the file with the live object, whose name ends with that of the
// object, and the lines of the first difference.
var compared = regexp.MustCompile(`(?m)^diff .*/LIVE-[^/ ]+/\S*\.([^. ]+) .*\n--- .*\n\+\+\+ .*\n@@ -(\d+)`)

// kubectlActions returns what an apply would do to the objects in the output of kubectl diff, by their names.
func kubectlActions(objects []object, printed string) map[string]string {
	found := map[string]string{}
	for _, o := range objects {
		found[o.liveName()] = noOp
	}
	for _, head := range compared.FindAllStringSubmatch(printed, -1) {
		found[head[1]] = update
		if head[2] == "0" {
			found[head[1]] = creation
		}
	}
	for _, o := range objects { // The name of a large object differs from that of its resource.
		found[o.Name()] = found[o.liveName()]
	}
	return found
}
