package blame

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const live = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  managedFields:\n  - {manager: flux, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {f:data: {}}}\n"

func TestParseObject(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"YAML":                       live,
		"YAML between its markers":   "---\n" + live + "---\n# nothing\n",
		"JSON":                       `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","managedFields":[{"manager":"flux","operation":"Apply","fieldsV1":{"f:data":{}}}]}}`,
		"a kind that only sounds so": strings.Replace(live, "ConfigMap", "WaitingList", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object, entries, err := ParseObject(text)
			if err != nil {
				t.Fatal(err)
			}
			if object["apiVersion"] != "v1" || len(entries) != 1 || entries[0].Manager != "flux" || entries[0].FieldsV1.String() != `{"f:data":{}}` {
				t.Errorf("%v, %v", object, entries)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	asObject := func(text string) error { _, _, err := ParseObject(text); return err }
	asEntries := func(text string) error { _, err := ParseEntries(text); return err }
	const (
		print     = " Print one object with kubectl get -o yaml --show-managed-fields."
		asWritten = " Pass managedFields as the API server wrote them."
		oneItem   = " Pass one of its items at a time."
		without   = "the object has no metadata.managedFields. kubectl get prints them with --show-managed-fields."
	)
	tests := map[string]struct {
		parse      func(string) error
		text, want string
	}{
		"no object":            {asObject, "", "the text is not an object." + print},
		"a text":               {asObject, "hello", "the text is not an object." + print},
		"no YAML":              {asObject, "a: [", "line 1, column 5 is not valid YAML." + print},
		"a key twice":          {asObject, "a: 1\na: 2", "line 2, column 1 repeats a key of line 1." + print},
		"several documents":    {asObject, live + "---\n" + live, "the text contains 2 documents. Split the text at the --- lines, and pass one document at a time."},
		"a List":               {asObject, "apiVersion: v1\nkind: List\nitems: []", "the object is a List, which contains other objects." + oneItem},
		"a List without items": {asObject, "apiVersion: v1\nkind: List", "the object is a List, which contains other objects." + oneItem},
		"a list of a kind":     {asObject, "apiVersion: v1\nkind: PodList\nitems: []", "the object is a PodList, which contains other objects." + oneItem},
		"no kind":              {asObject, "apiVersion: v1\nmetadata: {name: a}", "the object has no kind." + print},
		"a name of no text":    {asObject, "apiVersion: v1\nkind: A\nmetadata: {name: 1}", "the object has no metadata.name." + print},
		"no managedFields":     {asObject, "apiVersion: v1\nkind: A\nmetadata: {name: a}", without},
		"null for them":        {asObject, "apiVersion: v1\nkind: A\nmetadata: {name: a, managedFields: null}", without},
		"managedFields of text": {asObject, "apiVersion: v1\nkind: A\nmetadata: {name: a, managedFields: x}",
			"metadata.managedFields cannot be read: an entry cannot be a JSON string." + asWritten},
		"an entry that says nothing": {asObject, strings.Replace(live, "operation: Apply, ", "", 1),
			"metadata.managedFields[0].operation: Required value: must not be empty." + asWritten},
		"neither YAML nor JSON":  {asEntries, "a: [", "line 1, column 5 is not valid YAML." + print},
		"several, for entries":   {asEntries, live + "---\n" + live, "the text contains 2 documents. Split the text at the --- lines, and pass one document at a time."},
		"nothing":                {asEntries, "", "the text is neither an object nor a list." + print},
		"no entries":             {asEntries, "1", "the text is neither an object nor a list." + print},
		"null as JSON":           {asEntries, "null", "the text is neither an object nor a list." + print},
		"a List as JSON":         {asEntries, `{"kind":"List","items":[]}`, "the object is a List, which contains other objects." + oneItem},
		"an object without them": {asEntries, `{"metadata":{}}`, without},
		"a list of other things": {asEntries, `[{"name":"a"}]`, "managedFields[0].operation: Required value: must not be empty." + asWritten},
		"an unknown operation": {asEntries, `[{"operation":"Create"}]`,
			`managedFields[0].operation: Unsupported value: supported values: "Apply", "Update".` + asWritten},
		"an unknown type of fields": {asEntries, `[{"operation":"Apply","fieldsType":"FieldsV2"}]`,
			"managedFields[0].fieldsType: Invalid value: must be `FieldsV1`." + asWritten},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tt.parse(tt.text)
			var fault *manifest.Error
			if !errors.As(err, &fault) {
				t.Fatalf("%v is not a *manifest.Error", err)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseEntries(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`[]`: 0, `[{"operation":"Apply"},{"operation":"Update","manager":"a"}]`: 2,
		`{"metadata":{"managedFields":[{"operation":"Apply"}]}}`: 1, `{"metadata":{"managedFields":[]}}`: 0,
		live: 1, "- operation: Apply\n  time: 2024-05-01T12:00:00Z\n  fieldsV1:\n    f:spec:\n      .: {}\n      k:{\"name\":\"a\"}: {}\n- operation: Update\n": 2,
		"[\n\t{\"operation\": \"Apply\"}\n]": 1,
	} {
		if got, err := ParseEntries(text); err != nil || len(got) != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// FuzzParseObject checks that any text is an object or a *manifest.Error, and that what is read is
// annotated safely.
func FuzzParseObject(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.yaml"))
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range []string{live, live + "data: {a: \"\\tb\\nc\", ? [x] : y}", "a: &a [*a]", live + "x: &x {<<: *x}", live + "status: !!binary aGk=\n", live + "d: 2001-01-01\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object, entries, err := ParseObject(text)
		if err != nil {
			var fault *manifest.Error
			if !errors.As(err, &fault) || fault.Problem == "" || !strings.HasSuffix(fault.Suggestion, ".") {
				t.Fatalf("error %#v", err)
			}
			return
		}
		claims, err := ownership.ParseWithStatus(entries)
		if err != nil || mixesKeys(claims.Fields()) {
			return
		}
		checkRead(t, object, entries)
	})
}

// mixesKeys reports whether a list has items with different keys, or items by key together with others. No schema does
// that, so there is no one name for such an item.
func mixesKeys(fields *paths.Set) bool {
	kinds, mixed := map[string]string{}, false
	paths.Walk(fields, func(path paths.Path, _ bool) {
		for i, element := range path {
			kind := "other"
			if keys := paths.KeyFields(element); keys != nil {
				kind = strings.Join(slices.Sorted(maps.Keys(keys)), ",")
			}
			list := paths.ID(path[:i])
			was, known := kinds[list]
			mixed = mixed || known && was != kind
			kinds[list] = kind
		}
	})
	return mixed
}

// FuzzParseEntries checks that any text is a map of owners or an error.
func FuzzParseEntries(f *testing.F) {
	for _, text := range []string{
		"[]", "null", "{}", `[{"operation":"Apply","manager":"a","fieldsV1":{"f:a":{".":{},"k:{\"b\":1}":{}}}}]`, `[{"operation":"Update","fieldsV1":{"v:x":{}}}]`,
		`{"metadata":{"managedFields":[{"operation":"Apply","time":"2024-05-01T12:00:00Z","fieldsV1":{"i:0":{"f:x.y":{}}}}]}}`, `[{"operation":"Apply","fieldsV1":7}]`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := ParseEntries(text)
		if err != nil {
			return
		}
		owners, err := Owners(entries)
		for path, of := range owners {
			if err != nil || path == "" || len(of) == 0 {
				t.Fatalf("%q: %v, %v", path, of, err)
			}
		}
	})
}
