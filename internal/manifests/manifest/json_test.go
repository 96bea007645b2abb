package manifest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJSON checks that a text that is JSON means what it means to a reader of JSON.
func TestJSON(t *testing.T) {
	t.Parallel()
	const around = `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "a"}, "data": {"d": %s}}`
	for name, value := range map[string]string{
		"a slash":                       `"a\/b"`,
		"a backslash before a slash":    `"a\\/b"`,
		"a pair of surrogates":          `"x \ud83d\ude80 y"`,
		"two pairs":                     `"\ud83d\ude80\ud83d\ude80"`,
		"half a pair":                   `"\ud83d!"`,
		"the wrong half":                `"\ude80\ud83d"`,
		"half a pair before an escape":  `"\ud83d\u0041"`,
		"other escapes":                 `"\b\f\n\r\t\"\\\u0041\u00e9"`,
		"a control character":           "\"\u007f\u0085\u009f\"",
		"characters that end a line":    "\"a\u2028b\u2029c\"",
		"a mark of the order of bytes":  "\"a\ufeffb\"",
		"no characters":                 "\"\ufffe\uffff\"",
		"a character as it is":          `"🚀 é"`,
		"braces, quotes and a hash":     `"{\"a\": [1] # b}"`,
		"what YAML takes for a boolean": `"yes"`,
		"a number":                      `-1.5e3`,
		"tabs between values":           "{\n\t\"a\":\t1,\n\t\"b\":\t[\n\t\t1\n\t]\n}",
		"nothing between values":        `{"a":{"b":[1,{"c":null}]},"<<":{"e":1}}`,
		"a long key":                    `{"` + strings.Repeat("k", 300) + `": 1}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(around, "%s", value, 1)
			var want any
			if err := json.Unmarshal([]byte(text), &want); err != nil {
				t.Fatal(err)
			}
			parsed, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			got := roundTrip(t, parsed.Object)
			if diff := cmp.Diff(want, got); diff != "" || parsed.Text != text {
				t.Errorf("the object (-want +got):\n%s", diff)
			}
		})
	}
}

func roundTrip(t *testing.T, object map[string]any) any {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

// TestJSONObjects checks texts with several JSON objects, as jq prints them.
func TestJSONObjects(t *testing.T) {
	t.Parallel()
	object := func(name string) string {
		return "{\n\t\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\",\n\t\"metadata\": {\"name\": \"" + name + "\"}, \"data\": {\"a\": \"\\/\"}\n}"
	}
	all, err := ParseAll("\n" + object("a") + "\n\n" + object("b") + object("c") + "\n")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, found := range all {
		got = append(got, found.Name+" at "+found.Position.String())
	}
	want := []string{"a at document 1 (line 2)", "b at document 2 (line 7)", "c at document 3 (line 10)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the objects (-want +got):\n%s", diff)
	}
	if _, err := Parse(object("a") + object("b")); err == nil || !strings.Contains(err.Error(), "contains 2 documents") {
		t.Errorf("two objects as one: %v", err)
	}
	if _, err := ParseAll(object("a") + "}"); err == nil {
		t.Error("a text that is not JSON was read")
	}
}

// TestKeysThatBecomeOne checks keys that differ in YAML and are the same in JSON.
func TestKeysThatBecomeOne(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for name, tt := range map[string]struct{ data, want string }{
		"two words for true":          {"data: {on: a, yes: b}", `line 4, column 15 has a key that means "true", and so does a key of line 4. Put them in quotes, or remove one of them.`},
		"a word and a string":         {"data:\n  \"false\": a\n  off: b", `line 6, column 3 has a key that means "false", and so does a key of line 5. Put them in quotes, or remove one of them.`},
		"upper case":                  {"data: {True: a, TRUE: b}", `means "true"`},
		"numbers":                     {"data: {1.0: a, 1: b}", `means "1"`},
		"a number in another base":    {"data: {0x10: a, 16: b}", `means "16"`},
		"a number with a sign":        {"data: {+1: a, 1: b}", `means "1"`},
		"a number with an underscore": {"data: {1_000: a, 1000: b}", `means "1000"`},
		"strings":                     {"data: {\"on\": a, \"yes\": b, 'y': c}", ""},
		"other words":                 {"data: {one: a, yess: b, 1.0.0: c, 1.0: d}", ""},
		"two merges":                  {"x: &x {a: 1}\ny: &y {b: 2}\ndata:\n  <<: *x\n  <<: *y", "line 8, column 3 repeats a key of line 7. Write one key << with a list: <<: [*a, *b]."},
		"one merge of two":            {"x: &x {a: 1}\ny: &y {b: 2}\ndata:\n  <<: [*x, *y]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(head + tt.data + "\n")
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// FuzzJSON checks that each text that is JSON is read as readers of JSON read it, apart from nulls, or is refused.
func FuzzJSON(f *testing.F) {
	for _, value := range []string{`"a\/\ud83d\ude80"`, `{"a": [1, null, true, "\u2028"]}`, `"\\\""`, "[\t1.0 ]", `{"<<": {"a": 1}}`, "null"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		text := `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": ` + value + `}`
		var want any
		if json.Unmarshal([]byte(text), &want) != nil {
			return
		}
		parsed, err := Parse(text)
		if err != nil {
			return
		}
		read, _ := want.(map[string]any)
		if diff := cmp.Diff(withoutNulls(read, parsed.APIVersion, parsed.Kind), roundTrip(t, parsed.Object)); diff != "" {
			t.Errorf("the object (-want +got):\n%s", diff)
		}
		object := jsonObject(text)
		root, err := onlyDocument(text)
		if object == nil || err != nil {
			return
		}
		if byYAML, err := decodeRoot(text, root, notAnObject); err == nil && !cmp.Equal(object, byYAML) {
			t.Errorf("read as JSON (+) and as YAML (-):\n%s", cmp.Diff(byYAML, object))
		}
	})
}
