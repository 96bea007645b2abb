package documents

import (
	"maps"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// scope says whether objects of a kind have a namespace.
type scope int

const (
	unknownScope scope = iota
	clusterScoped
	namespacedScope
)

type scopes map[schema.GroupKind]scope

var customResourceDefinition = schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}

// builtIn are the scopes of the kinds that kube-apiserver serves itself.
var builtIn = sync.OnceValue(builtInScopes)

// of returns the scope of a kind.
func (s scopes) of(kind schema.GroupKind) scope {
	if scope, found := s[kind]; found {
		return scope
	}
	return builtIn()[kind]
}

// scopesOf returns the scopes of the kinds that CustomResourceDefinitions among the objects define.
func scopesOf(all []manifest.Located) scopes {
	found := scopes{}
	for _, m := range all {
		if schema.FromAPIVersionAndKind(m.APIVersion, m.Kind).GroupKind() != customResourceDefinition {
			continue
		}
		spec, _ := m.Object["spec"].(map[string]any)
		names, _ := spec["names"].(map[string]any)
		group, _ := spec["group"].(string)
		kind, _ := names["kind"].(string)
		switch spec["scope"] {
		case "Cluster":
			found[schema.GroupKind{Group: group, Kind: kind}] = clusterScoped
		case "Namespaced":
			found[schema.GroupKind{Group: group, Kind: kind}] = namespacedScope
		}
	}
	return found
}

// builtInScopes reads the types of client-go's clients: Deployments(namespace string), but Nodes().
func builtInScopes() scopes {
	found := scopes{
		// client-go has no clients of these two, which come from other modules.
		customResourceDefinition:                              clusterScoped,
		{Group: "apiregistration.k8s.io", Kind: "APIService"}: clusterScoped,
	}
	kinds := map[reflect.Type]schema.GroupKind{}
	for kind, known := range scheme.Scheme.AllKnownTypes() {
		kinds[known] = kind.GroupKind()
	}
	for group := range methods(reflect.TypeFor[kubernetes.Interface]()) {
		maps.Copy(found, scopesIn(group, kinds))
	}
	return found
}

func scopesIn(group reflect.Type, kinds map[reflect.Type]schema.GroupKind) scopes {
	found := scopes{}
	for client, arguments := range methods(group) {
		create, creates := client.MethodByName("Create")
		if !creates || create.Type.NumOut() == 0 || create.Type.Out(0).Kind() != reflect.Pointer {
			continue
		}
		kind, known := kinds[create.Type.Out(0).Elem()]
		switch {
		case !known:
		case arguments == 0:
			found[kind] = clusterScoped
		default:
			found[kind] = namespacedScope
		}
	}
	return found
}

// methods yields the interfaces that the methods of an interface return, with the number of arguments of the method.
func methods(of reflect.Type) func(yield func(reflect.Type, int) bool) {
	return func(yield func(reflect.Type, int) bool) {
		for i := range of.NumMethod() {
			method := of.Method(i).Type
			if method.NumOut() == 1 && method.Out(0).Kind() == reflect.Interface && !yield(method.Out(0), method.NumIn()) {
				return
			}
		}
	}
}
