package wanted

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// dropsZero reports whether the API server does not store 0 and false in a field, according to the Go type of its kind:
// in a Deployment, paused: false is the same as no paused. The path leads to the field by names and positions. It is
// false for kinds and fields that are not built in.
func dropsZero(apiVersion, kind string, path paths.Path) bool {
	object, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(apiVersion, kind))
	if err != nil {
		return false
	}
	at, omitted := reflect.TypeOf(object), false
	for _, element := range path {
		for at.Kind() == reflect.Pointer {
			at = at.Elem()
		}
		switch {
		case at.Kind() == reflect.Struct && element.FieldName != nil:
			field, options, has := fieldOf(at, *element.FieldName)
			if !has {
				return false
			}
			at, omitted = field.Type, strings.Contains(options, "omitempty")
		case at.Kind() == reflect.Map || at.Kind() == reflect.Slice:
			at, omitted = at.Elem(), false
		default:
			return false
		}
	}
	switch at.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return omitted
	}
	return false
}

// fieldOf returns the field of a struct that has a name in JSON, and the options of its tag.
func fieldOf(of reflect.Type, name string) (field reflect.StructField, options string, has bool) {
	for _, field := range reflect.VisibleFields(of) {
		if tag, options, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			return field, options, true
		}
	}
	return reflect.StructField{}, "", false
}
