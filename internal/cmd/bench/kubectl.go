package main

import (
	"regexp"
	"strings"
)

// kubectl is the contender that is no provider: kubectl diff instead of plans, and kubectl apply --server-side instead
// of applies. It has no state, so it does not remove what has left the manifests.
const kubectl = "kubectl"

// kubectlArgs are the arguments of kubectl for the manifests of a directory.
func kubectlArgs(command string) []string {
	args := []string{command, "--kubeconfig=kubeconfig", "--filename=manifests"}
	if command != kubectlDelete {
		args = append(args, "--server-side", "--force-conflicts", "--field-manager=bench")
	}
	return args
}

// The commands of kubectl.
const (
	kubectlDiff   = "diff"
	kubectlApply  = "apply"
	kubectlDelete = "delete"
)

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

// failures returns the number of errors in what the CLI, or kubectl, has printed.
func failures(printed string) int {
	return strings.Count(printed, "Error: ") + strings.Count(printed, "Error from server") +
		strings.Count(printed, "\nerror: ")
}
