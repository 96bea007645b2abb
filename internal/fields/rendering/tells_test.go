package rendering

import (
	"encoding/hex"
	"testing"
)

// Tells finds values that Scrub leaves in a text, because they may be ordinary words.
func TestTells(t *testing.T) {
	t.Parallel()
	secrets := Renderer{Secret: true}.Secrets("Secret shop/web (v1)", map[string]any{"stringData": map[string]any{
		"pin": "4711", "short": "Zq9x7", "one": "1", "sign": "a+b", "name": "web", "long": "hunter2-long",
	}})
	for text, want := range map[string]bool{
		"the password is Zq9x7":         true,
		"the password is zq9X7.":        true,
		"https://me:Zq9x7host":          true,
		"pin=4711;":                     true,
		"47110 is no pin":               false,
		"at least 1 replica":            true,
		"at least 10 replicas":          false,
		"the sign is a+b":               true,
		"NDcxMQ is a pin":               true,
		hex.EncodeToString([]byte("1")): true,
		"web is no name":                false,
		"every Secret needs a team":     false,
	} {
		if got := secrets.Tells(secrets.Scrub(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Where a message was cut, no beginning of a value is left.
func TestScrubBeginnings(t *testing.T) {
	t.Parallel()
	secrets := Renderer{Secret: true}.Secrets("", map[string]any{"stringData": map[string]any{"a": "hunter2-first", "b": "Zq9x7"}})
	for text, want := range map[string]string{
		"the value is hunter2-f…, and more": "the value is (sensitive)…, and more",
		"the value is Zq9x...":              "the value is (sensitive)...",
		"the value is hu...":                "the value is hu...",
		"the value is hunter2-first…":       "the value is (sensitive)…",
		"one... two":                        "one... two",
	} {
		if got := secrets.Scrub(text); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// Keys of maps below a sensitive field are hidden where the kind does not have such a field, and where somebody quotes
// them.
func TestScrubKeys(t *testing.T) {
	t.Parallel()
	secrets := sensitive(t, "spec").Secrets("", map[string]any{
		"spec": map[string]any{"hunter2-key": "x", "notte": "y", "inner": map[string]any{"hunter3-key": 5}}, "open": map[string]any{"hunter4-key": "z"},
	})
	for text, want := range map[string]string{
		"its kind has no such field:\n\n  spec.hunter2-key":                                                 "its kind has no such field:\n\n  spec.(sensitive)",
		"its kind has no such fields:\n\n  spec.notte (did you mean spec.notte?)\n  spec.inner.hunter3-key": "its kind has no such fields:\n\n  spec.(sensitive) (did you mean spec.notte?)\n  spec.(sensitive).(sensitive)",
		`unknown field "spec.inner.hunter3-key"`:                                                            `unknown field "spec.(sensitive).(sensitive)"`,
		".spec.hunter2-key: field not declared in schema":                                                   ".spec.(sensitive): field not declared in schema",
		"its kind has no field spec.hunter2-key":                                                            "its kind has no field spec.(sensitive)",
		`spec[hunter2-key]: Invalid value: "hunter2-key": no`:                                               `spec(sensitive): no`,
		"spec.notte: Required value":                                                                        "spec.notte: Required value",
		`unknown field "open.hunter4-key"`:                                                                  `unknown field "open.hunter4-key"`,
	} {
		if got := secrets.Scrub(text); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	text := "no hunter2-key and no notte here"
	if got := secrets.Keys().Scrub(text); got != "no (sensitive) and no notte here" || secrets.Scrub(text) != text {
		t.Errorf("as a person's words: %s", got)
	}
}

// A value is hidden in the forms that a rule can give it.
func TestScrubForms(t *testing.T) {
	t.Parallel()
	secrets := Renderer{Secret: true}.Secrets("", map[string]any{"stringData": map[string]any{"a": "hunter2 ÿ?> first\nand second"}})
	for _, text := range []string{
		"aHVudGVyMiDDvz8+IGZpcnN0CmFuZCBzZWNvbmQ=", "aHVudGVyMiDDvz8-IGZpcnN0CmFuZCBzZWNvbmQ", "68756e7465723220c3bf3f3e2066697273740a616e64207365636f6e64",
		"hunter2%20%C3%BF%3F%3E%20first%0Aand%20second", "hunter2 ÿ?> first and second", "and second",
	} {
		if got := secrets.Scrub("no " + text + "!"); got != "no (sensitive)!" && got != "no (sensitive)=!" {
			t.Errorf("%s: got %s", text, got)
		}
	}
}
