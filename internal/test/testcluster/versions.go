package testcluster

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// envKubernetes asks for another Kubernetes minor version than the default one, "1.35" for instance.
const envKubernetes = "K8SCONNECT_TEST_KUBERNETES"

// kubernetesModule is the name of the nested module with the default Kubernetes version. The names of modules
// with other versions end in the version: kubernetes-1.35.
const kubernetesModule = "kubernetes"

const kubernetesPath = "k8s.io/kubernetes"

// kubernetesRecipe builds the Kubernetes minor version that the variable asks for.
func kubernetesRecipe(servers string) (recipe, error) {
	module, err := kubernetesModuleOf(servers, os.Getenv(envKubernetes))
	if err != nil {
		return recipe{}, err
	}
	return recipe{
		module: module,
		path:   kubernetesPath,
		programs: []program{
			{name: "kube-apiserver", pkg: "k8s.io/kubernetes/cmd/kube-apiserver"},
			{name: "kube-controller-manager", pkg: "k8s.io/kubernetes/cmd/kube-controller-manager"},
			{name: "kube-scheduler", pkg: "k8s.io/kubernetes/cmd/kube-scheduler"},
		},
		ldflags: kubernetesLDFlags,
	}, nil
}

// kubernetesModuleOf returns the nested module that pins a minor version; the default module for "".
func kubernetesModuleOf(servers, minor string) (string, error) {
	if minor == "" {
		return kubernetesModule, nil
	}
	dirs, err := filepath.Glob(filepath.Join(servers, kubernetesModule+"*"))
	if err != nil {
		return "", err
	}
	var pinned []string
	for _, dir := range dirs {
		module, err := readPins(dir)
		if err != nil {
			return "", err
		}
		version, err := module.version(kubernetesPath)
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(version, "v"+minor+".") {
			return filepath.Base(dir), nil
		}
		pinned = append(pinned, version)
	}
	slices.Sort(pinned)
	return "", fmt.Errorf("%s asks for Kubernetes %s; pinned are %s", envKubernetes, minor, strings.Join(pinned, ", "))
}
