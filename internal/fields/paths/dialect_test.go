package paths

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTranslate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"JSONPath from the root":             {"$.spec.replicas", []string{"spec.replicas"}},
		"JSONPath of kubectl":                {"{.spec.replicas}", []string{"spec.replicas"}},
		"JSONPath of kubectl from the root":  {"{$.spec.replicas}", []string{"spec.replicas"}},
		"names in brackets":                  {`$['spec']["replicas"]`, []string{"spec.replicas"}},
		"a name with dots in brackets":       {"$.metadata.annotations['example.com/note']", []string{"metadata.annotations.example.com/note"}},
		"a name with escaped dots":           {`{.metadata.annotations.example\.com/note}`, []string{"metadata.annotations.example.com/note"}},
		"a filter":                           {`.spec.containers[?(@.name=="app")].image`, []string{`spec.containers[name="app"].image`}},
		"a filter with single quotes":        {"$.spec.containers[?(@.name=='app')].image", []string{`spec.containers[name="app"].image`}},
		"a filter without parentheses":       {"$.spec.containers[?@.name == 'app'].image", []string{`spec.containers[name="app"].image`}},
		"a filter for two keys":              {"$.spec.ports[?(@.port==80 && @.protocol=='TCP')]", []string{`spec.ports[port=80,protocol="TCP"]`}},
		"a filter with a bracket in it":      {`$.a[?(@.b=="]")].c`, []string{`a[b="]"].c`}},
		"a filter for a member":              {`$.spec.colours[?(@=="red")]`, []string{`spec.colours[="red"]`}},
		"a filter that compares otherwise":   {"$.spec.ports[?(@.port>80)]", nil},
		"any item":                           {"$.spec.containers[*].image", []string{"spec.containers[*].image"}},
		"any field":                          {"$.spec.limits.*", []string{"spec.limits[*]"}},
		"a position":                         {"$.spec.containers[0].image", []string{"spec.containers[0].image"}},
		"a descent":                          {"$..image", nil},
		"a slice":                            {"$.spec.containers[0:2].image", nil},
		"the root":                           {"$", nil},
		"a JSON pointer":                     {"/spec/replicas", []string{"spec.replicas"}},
		"a JSON pointer in a fragment":       {"#/spec/replicas", []string{"spec.replicas"}},
		"a JSON pointer with escapes":        {"/metadata/annotations/example.com~1a~0b", []string{"metadata.annotations.example.com/a~b"}},
		"a JSON pointer to an item":          {"/spec/containers/0/image", []string{"spec.containers[0].image", "spec.containers.0.image"}},
		"a JSON pointer to what has no name": {"/spec//image", nil},
		"a position between dots":            {"spec.containers.0.image", []string{"spec.containers[0].image"}},
		"a star between dots":                {"spec.containers.*.image", []string{"spec.containers[*].image"}},
		"this language":                      {`spec.containers[name="app"].image`, nil},
		"this language after a dollar":       {`$.spec.containers[name="app"].image`, []string{`spec.containers[name="app"].image`}},
		"plain words":                        {"spec.replicas", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Translate(test.text)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A text of another language that cannot be read as this one says what to write.
func TestParseTranslates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`.spec.containers[?(@.name=="app")].image`: `field path ".spec.containers[?(@.name==\"app\")].image", character 1: this is JSONPath; ` +
			`write spec.containers[name="app"].image`,
		"$['spec']['replicas']":        `field path "$['spec']['replicas']", character 1: this is JSONPath; write spec.replicas`,
		`/metadata/annotations/a"b`:    `field path "/metadata/annotations/a\"b", character 1: this is a JSON pointer; write metadata.annotations["a\"b"]`,
		"$.spec.ports[?(@.port>80)].a": `field path "$.spec.ports[?(@.port>80)].a", character 1: this is JSONPath; write a field path, as in spec.ports[name="http"].port`,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(text)
			if err == nil {
				t.Fatal("it parses")
			}
			if diff := cmp.Diff(want, err.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	all := []string{
		"data.colour", "metadata.annotations", "spec.paused", "spec.replicas", "spec.template.spec.containers[name=\"app\"].image",
		"spec.template.spec.containers[name=\"side\"].image", "spec.template.spec.containers",
	}
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"a letter too few":      {"spec.replica", []string{"spec.replicas"}},
		"a letter too many":     {"data.colours", []string{"data.colour"}},
		"capitals":              {"Spec.Replicas", []string{"spec.replicas"}},
		"the way is missing":    {"replicas", []string{"spec.replicas"}},
		"the way is a mistake":  {"spec.image", []string{all[4], all[5]}},
		"an item of other keys": {`spec.template.spec.containers[name="web"].image`, []string{all[4]}},
		"a name for an item":    {`spec.template.spec.containers["app"].image`, []string{all[4]}},
		"a position too high":   {"spec.template.spec.containers[5].image", []string{all[4]}},
		"no item":               {"spec.template.spec.containers.image", []string{all[4]}},
		"spaces":                {"spec . replicas", []string{"spec.replicas"}},
		"nothing like it":       {"spec.selector", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, Nearest(test.text, all)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseArgument(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"$.spec.replicas":   `field path "$.spec.replicas", character 1: this is JSONPath; write spec.replicas`,
		"$['spec']":         `field path "$['spec']", character 1: this is JSONPath; write spec`,
		"/spec/replicas":    `field path "/spec/replicas", character 1: this is a JSON pointer; write spec.replicas`,
		"#/spec/ports/0":    `field path "#/spec/ports/0", character 1: this is a JSON pointer; write spec.ports[0]`,
		"spec.replicas":     "",
		"metadata.labels./": "",
	} {
		got := ""
		if _, err := ParseArgument(text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
