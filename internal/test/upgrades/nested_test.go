package upgrades

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// sealed is the first byte of private state in an envelope.
const sealed = 1

// replaceNested replaces texts in a JSON document: where they stand as they are, and within strings that hold JSON in
// base64, or private state in an envelope.
func replaceNested(t *testing.T, document []byte, replacer *strings.Replacer) []byte {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	story.Must(t, decoder.Decode(&value))
	replaced, err := json.Marshal(replaceIn(t, value, replacer))
	story.Must(t, err)
	return replaced
}

func replaceIn(t *testing.T, value any, replacer *strings.Replacer) any {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			value[key] = replaceIn(t, child, replacer)
		}
	case []any:
		for i, child := range value {
			value[i] = replaceIn(t, child, replacer)
		}
	case string:
		packed, err := base64.StdEncoding.DecodeString(value)
		switch {
		case err != nil || len(packed) == 0:
		case json.Valid(packed):
			return base64.StdEncoding.EncodeToString(replaceNested(t, packed, replacer))
		case packed[0] == sealed:
			opened, err := privatestate.Open(packed)
			story.Must(t, err)
			return base64.StdEncoding.EncodeToString(privatestate.Seal(replaceNested(t, opened, replacer)))
		}
		return replacer.Replace(value)
	}
	return value
}

func TestReplaceNested(t *testing.T) {
	t.Parallel()
	pack := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	inner := `{"uid":"old","n":12345678901234567890}`
	document := `{"a":"old","private":"` + pack(`{"plain":"`+pack(inner)+`"}`) + `",
		"sealed":"` + pack(string(privatestate.Seal([]byte(`{"snapshot":"`+pack(inner)+`"}`)))) + `"}`
	got := replaceNested(t, []byte(document), strings.NewReplacer("old", "new"))

	var outer struct {
		A, Private string
		Sealed     []byte
	}
	story.Must(t, json.Unmarshal(got, &outer))
	var private struct{ Plain []byte }
	text, err := base64.StdEncoding.DecodeString(outer.Private)
	story.Must(t, err)
	story.Must(t, json.Unmarshal(text, &private))
	opened, err := privatestate.Open(outer.Sealed)
	story.Must(t, err)
	var snapshot struct{ Snapshot []byte }
	story.Must(t, json.Unmarshal(opened, &snapshot))
	want := `{"n":12345678901234567890,"uid":"new"}`
	for name, got := range map[string]string{"as it is": outer.A, "in base64": string(private.Plain), "sealed": string(snapshot.Snapshot)} {
		if got != want && got != "new" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
