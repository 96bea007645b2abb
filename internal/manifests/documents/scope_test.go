package documents

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
)

// The types of client-go's clients say which kinds have a namespace: Deployments(namespace string), but Nodes().
func TestBuiltInScopes(t *testing.T) {
	// client-go has no clients of these two, which come from other modules.
	lines := []string{"APIService.apiregistration.k8s.io Cluster", customResourceDefinition.String() + " Cluster"}
	kinds := map[reflect.Type]schema.GroupKind{}
	for kind, known := range scheme.Scheme.AllKnownTypes() {
		kinds[known] = kind.GroupKind()
	}
	for group := range methods(reflect.TypeFor[kubernetes.Interface]()) {
		lines = append(lines, scopesIn(group, kinds)...)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if len(lines) < 50 {
		t.Fatalf("the clients say the scope of %d kinds only", len(lines))
	}
	golden.Compare(t, "../scopes.txt", strings.Join(lines, "\n")+"\n")
}

func scopesIn(group reflect.Type, kinds map[reflect.Type]schema.GroupKind) []string {
	var lines []string
	for client, arguments := range methods(group) {
		create, creates := client.MethodByName("Create")
		if !creates || create.Type.NumOut() == 0 || create.Type.Out(0).Kind() != reflect.Pointer {
			continue
		}
		kind, known := kinds[create.Type.Out(0).Elem()]
		switch {
		case !known:
		case arguments == 0:
			lines = append(lines, kind.String()+" Cluster")
		default:
			lines = append(lines, kind.String()+" Namespaced")
		}
	}
	return lines
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
