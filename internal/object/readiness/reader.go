package readiness

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// reader reads an object that may have any type anywhere. It remembers the first field of a wrong type.
type reader struct {
	object map[string]any
	wrong  string
}

func (r *reader) value(names ...string) any {
	var at any = r.object
	for i, name := range names {
		fields, isMap := at.(map[string]any)
		if !isMap {
			if at != nil {
				r.mistyped(names[:i])
			}
			return nil
		}
		at = fields[name]
	}
	return at
}

func (r *reader) mistyped(names []string) {
	if r.wrong == "" {
		r.wrong = strings.Join(names, ".")
	}
}

func (r *reader) text(names ...string) string { return typed[string](r, names) }

func (r *reader) isTrue(names ...string) bool { return typed[bool](r, names) }

func (r *reader) list(names ...string) []any { return typed[[]any](r, names) }

func (r *reader) has(names ...string) bool { return r.value(names...) != nil }

func typed[T any](r *reader, names []string) T {
	value := r.value(names...)
	found, fits := value.(T)
	if !fits && value != nil {
		r.mistyped(names)
	}
	return found
}

// number returns the number at a field, or absent if it has no value.
func (r *reader) number(absent int64, names ...string) int64 {
	switch value := r.value(names...).(type) {
	case nil:
		return absent
	case int64:
		return value
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	case string:
		// Argo Rollouts writes its observedGeneration as a string.
		if number, err := strconv.ParseInt(value, 10, 64); err == nil && names[len(names)-1] == "observedGeneration" {
			return number
		}
	}
	r.mistyped(names)
	return absent
}

// ownedFields returns the paths of the fields that have owners, as strings.
func (r *reader) ownedFields() []string {
	all := paths.NewSet()
	for _, entry := range (&unstructured.Unstructured{Object: r.object}).GetManagedFields() {
		if entry.FieldsV1 == nil {
			continue
		}
		if fields, err := paths.ParseSet(entry.FieldsV1.GetRawBytes()); err == nil {
			all = all.Union(fields)
		}
	}
	return paths.FieldTexts(all, paths.NewFormatter(all).Format)
}

// isBehind reports whether the controller has not seen the latest change of the object.
func (r *reader) isBehind() bool {
	generation := r.number(0, "metadata", "generation")
	// A kind that does not write observedGeneration counts as up to date.
	return r.number(generation, "status", "observedGeneration") < generation
}

type condition struct{ kind, status, reason, message, changed string }

// id returns the condition with the times of its last change, and with its generation if it has one. It stays the same
// as long as a controller carries the condition over.
func (c condition) id() string { return c.kind + " " + c.changed }

func (c condition) isTrue() bool  { return c.status == "True" }
func (c condition) isFalse() bool { return c.status == "False" }

// Conditions returns the conditions of an object, as Condition of a [Status] names them.
func Conditions(object *unstructured.Unstructured) []string {
	r := &reader{object: object.Object}
	var all []string
	for _, item := range r.conditions() {
		found, _ := r.conditionIn(item)
		all = append(all, found.id())
	}
	return all
}

// kindsOfConditions returns the types of the conditions that an object has, in its order.
func (r *reader) kindsOfConditions() []string {
	var all []string
	for _, item := range r.conditions() {
		if found, _ := r.conditionIn(item); found.kind != "" {
			all = append(all, found.kind)
		}
	}
	return all
}

// conditions returns the conditions of the status. The API server writes those of a HorizontalPodAutoscaler in version
// v1 into an annotation, because that version has no field for them.
func (r *reader) conditions() []any {
	if r.value("apiVersion") != "autoscaling/v1" {
		return r.list("status", "conditions")
	}
	var all []any
	annotation := []string{"metadata", "annotations", "autoscaling.alpha.kubernetes.io/conditions"}
	if text := r.text(annotation...); text != "" && json.Unmarshal([]byte(text), &all) != nil {
		r.mistyped(annotation)
	}
	return all
}

// condition returns a condition, or one without a status if it is missing or about an older generation.
func (r *reader) condition(kind string) condition {
	for _, item := range r.conditions() {
		if found, current := r.conditionIn(item); current && found.kind == kind {
			return found
		}
	}
	return condition{kind: kind}
}

func (r *reader) conditionIn(item any) (found condition, current bool) {
	fields, isMap := item.(map[string]any)
	if !isMap {
		r.mistyped([]string{"status", "conditions"})
		return condition{}, false
	}
	c := &reader{object: fields}
	found = condition{c.text("type"), c.text("status"), c.text("reason"), c.text("message"),
		fmt.Sprintf("%s %s %v", c.text("lastTransitionTime"), c.text("lastUpdateTime"), c.value("observedGeneration"))}
	generation := r.number(0, "metadata", "generation")
	current = c.number(generation, "observedGeneration") >= generation
	if c.wrong != "" {
		r.mistyped([]string{"status", "conditions", c.wrong})
	}
	return found, current
}
