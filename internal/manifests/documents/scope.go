package documents

import (
	_ "embed"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// kindScope describes whether objects of a kind have a namespace.
type kindScope int

const (
	unknownScope kindScope = iota
	clusterScoped
	namespacedScope
)

type kindScopes map[schema.GroupKind]kindScope

// scopesText contains a line for each kind that kube-apiserver serves itself. A test writes it from the markers
// in the sources of k8s.io/api. The clients that are generated from them would add four megabytes to the program.
//
//go:embed scopes.txt
var scopesText string

// builtIn are the scopes of the kinds that kube-apiserver serves itself.
var builtIn = sync.OnceValue(func() kindScopes { return parseScopes(scopesText) })

// scopeNames are the scopes as a CustomResourceDefinition names them.
var scopeNames = map[string]kindScope{"Cluster": clusterScoped, "Namespaced": namespacedScope}

func parseScopes(text string) kindScopes {
	found := kindScopes{}
	for line := range strings.Lines(text) {
		kind, scope, _ := strings.Cut(strings.TrimSpace(line), " ")
		found[schema.ParseGroupKind(kind)] = scopeNames[scope]
	}
	return found
}

func (s kindScopes) of(kind schema.GroupKind) kindScope {
	if scope, found := s[kind]; found {
		return scope
	}
	return builtIn()[kind]
}

// scopesOf returns the scopes of the kinds that CustomResourceDefinitions among the objects define.
func scopesOf(all []manifest.Located) kindScopes {
	found := kindScopes{}
	for _, m := range all {
		spec, _ := m.Object["spec"].(map[string]any)
		named, _ := spec["scope"].(string)
		if scope, known := scopeNames[named]; known && m.IsDefinition() {
			found[m.Defines()] = scope
		}
	}
	return found
}
