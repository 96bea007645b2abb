package story

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Held is a path of managedFields with the manager that owns it.
type Held struct {
	// Path is the owned field.
	Path paths.Path
	// Manager is the name of the owner.
	Manager string
}

// HeldOnServer returns every member of every managedFields entry of an object, without status. It does not use
// the code under test.
func HeldOnServer(object *unstructured.Unstructured) ([]Held, error) {
	var all []Held
	for _, entry := range object.GetManagedFields() {
		var fields map[string]any
		if err := utiljson.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields); err != nil {
			return nil, err
		}
		delete(fields, "f:status")
		members, err := membersOf(nil, fields)
		if err != nil {
			return nil, fmt.Errorf("the entry of %s: %w", entry.Manager, err)
		}
		for _, path := range members {
			all = append(all, Held{path, entry.Manager})
		}
	}
	return all, nil
}

// membersOf reads fieldsV1: a field is a member if nothing is below it, or the element ".".
func membersOf(at paths.Path, fields map[string]any) ([]paths.Path, error) {
	var members []paths.Path
	for key, value := range fields {
		if key == "." {
			members = append(members, at)
			continue
		}
		element, err := elementOf(key)
		if err != nil {
			return nil, err
		}
		path := paths.Below(at, element)
		inner, _ := value.(map[string]any)
		if len(inner) == 0 {
			members = append(members, path)
			continue
		}
		further, err := membersOf(path, inner)
		if err != nil {
			return nil, err
		}
		members = append(members, further...)
	}
	return members, nil
}

func elementOf(key string) (paths.PathElement, error) {
	kind, text, _ := strings.Cut(key, ":")
	switch kind {
	case "f":
		return paths.Field(text), nil
	case "k":
		var keys map[string]any
		err := utiljson.Unmarshal([]byte(text), &keys)
		return paths.Key(keys), err
	case "v":
		var member any
		err := utiljson.Unmarshal([]byte(text), &member)
		return paths.Value(member), err
	case "i":
		position, err := strconv.Atoi(text)
		return paths.Index(position), err
	default:
		return paths.PathElement{}, fmt.Errorf("%q is no element of a path", key)
	}
}

// FieldsOf returns the paths of all as a set.
func FieldsOf(all []Held) *paths.Set {
	set := paths.NewSet()
	for _, h := range all {
		set.Insert(h.Path)
	}
	return set
}

// ExpectServersOwners asserts that field_ownership and co_owners agree with the managedFields of the live object, for
// all of its fields but those that only the controller of Deployments owns, which writes them with the status.
func (s *Story) ExpectServersOwners(target string) statecheck.StateCheck {
	return StateCheck(func(attributes map[string]any) error {
		all, err := HeldOnServer(s.Live(target))
		if err != nil {
			return err
		}
		formatter := paths.NewFormatter(FieldsOf(all))
		names := map[string][]string{}
		for _, h := range all {
			path := formatter.Format(h.Path)
			names[path] = append(names[path], h.Manager)
		}
		want := map[string]string{}
		for path, managers := range names {
			slices.Sort(managers)
			want[path] = strings.Join(slices.Compact(managers), " ")
			if strings.HasPrefix(path, "metadata.annotations") && want[path] == "kube-controller-manager" {
				delete(want, path)
			}
		}
		if diff := cmp.Diff(want, OwnersOf(attributes)); diff != "" {
			return fmt.Errorf("owners of all fields (-server +state):\n%s", diff)
		}
		return nil
	})
}
