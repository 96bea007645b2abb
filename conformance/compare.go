package conformance

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"
)

// compareAnswer compares an answer with the one that the step wants. It returns an error if it is not the server's.
func (t *telling) compareAnswer(step Step, err error) error {
	var answer apierrors.APIStatus
	if err != nil && !errors.As(err, &answer) {
		return err
	}
	status := metav1.Status{Message: "success"}
	if err != nil {
		status = answer.Status()
	}
	conflicts := conflictsOf(status)
	switch refused := step.Refused; {
	case len(step.Conflicts)+len(conflicts) > 0:
		if len(conflicts) == 0 {
			t.differs("answer", "a conflict", status.Message)
		}
		fields := maps.Clone(conflicts)
		maps.Copy(fields, step.Conflicts)
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			t.compareNames("conflicts of "+field, step.Conflicts[field], conflicts[field])
		}
	case refused == nil && err != nil:
		t.differs("answer", "success", status.Message)
	case refused != nil && (refused.Code != status.Code || !strings.Contains(status.Message, refused.Says)):
		got := fmt.Sprintf("%d: %s", status.Code, status.Message)
		t.differs("answer", fmt.Sprintf("%d with %q", refused.Code, refused.Says), got)
	}
	return nil
}

var conflictWith = regexp.MustCompile(`^conflict with "([^"]*)"`)

// conflictsOf returns the managers of the fields in the causes of a 409.
func conflictsOf(status metav1.Status) map[string][]string {
	all := map[string][]string{}
	if status.Details == nil {
		return all
	}
	for _, cause := range status.Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			manager := cause.Message
			if found := conflictWith.FindStringSubmatch(cause.Message); found != nil {
				manager = found[1]
			}
			field := strings.TrimPrefix(cause.Field, ".")
			all[field] = append(all[field], manager)
		}
	}
	return all
}

// compareNames compares lists in which the order means nothing.
func (t *telling) compareNames(what string, want, got []string) {
	want, got = slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))
	if !slices.Equal(want, got) {
		t.differs(what, want, got)
	}
}

func (t *telling) compareOwners(step Step, live *unstructured.Unstructured) {
	owners, entries := map[string][]string{}, []string{}
	for _, entry := range live.GetManagedFields() {
		name := entry.Manager + " " + string(entry.Operation)
		if entry.Subresource != "" {
			name += " /" + entry.Subresource
		}
		entries = append(entries, name+" @"+entry.APIVersion)
		var fields map[string]any
		if entry.FieldsV1 != nil && json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields) == nil {
			for _, path := range paths("", fields) {
				owners[path] = append(owners[path], name)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(step.Owners)) {
		t.compareNames("owners of "+path, step.Owners[path], owners[path])
	}
	if step.Entries != nil {
		t.compareNames("entries", step.Entries, entries)
	}
}

// paths returns the fields of an entry of managedFields, in the notation of the server's conflicts,
// without its first dot.
func paths(around string, fields map[string]any) []string {
	var all []string
	for key, value := range fields {
		children, _ := value.(map[string]any)
		switch {
		case key == ".":
			all = append(all, around)
		case len(children) == 0:
			all = append(all, strings.TrimPrefix(around+element(key), "."))
		default:
			all = append(all, paths(strings.TrimPrefix(around+element(key), "."), children)...)
		}
	}
	return all
}

// element returns a key of FieldsV1 as a part of a path: .name, [name="app",port=80], [="member"] or [0].
func element(key string) string {
	kind, rest, _ := strings.Cut(key, ":")
	var keys map[string]any
	switch {
	case kind == "f":
		return "." + rest
	case kind == "v":
		return "[=" + rest + "]"
	case kind != "k" || json.Unmarshal([]byte(rest), &keys) != nil:
		return "[" + rest + "]"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		parts = append(parts, name+"="+text(keys[name]))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// compareValues compares the values that a case names with those of the object.
func (t *telling) compareValues(path string, want, got any) {
	switch want := want.(type) {
	case map[string]any:
		object, _ := got.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			t.compareValues(strings.TrimPrefix(path+"."+name, "."), want[name], object[name])
		}
		if object != nil || len(want) > 0 {
			return
		}
	case []any:
		if list, is := got.([]any); is && len(list) == len(want) {
			for i := range want {
				t.compareValues(fmt.Sprintf("%s[%d]", path, i), want[i], list[i])
			}
			return
		}
	}
	if !reflect.DeepEqual(want, got) {
		t.differs("value of "+path, text(want), text(got))
	}
}

func text(value any) string {
	printed, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(printed)
}
