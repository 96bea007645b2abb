package rendering

import "testing"

// Of a field that the API server names, what can be a secret value is not shown.
func TestField(t *testing.T) {
	t.Parallel()
	r := sensitive(t, "spec", "rules[*].host", "colours", "data", "status.env[*].value")
	for field, want := range map[string]string{
		"metadata.annotations[a.b/c]":            "metadata.annotations[a.b/c]",
		"spec":                                   "spec",
		"spec.size":                              "spec.size",
		"spec.list[3].size":                      "spec.list[3].size",
		"spec.hunter2-x.size":                    "spec.(sensitive)",
		"data[hunter2-x]":                        "data.(sensitive)",
		".rules[0].host":                         ".rules[0].host",
		"rules[*].host":                          "rules[*].host",
		`.rules[host="hunter2].x",port=80].port`: ".rules",
		`.rules[port=80].weight`:                 ".rules[port=80].weight",
		`.colours[="hunter2"]`:                   ".colours",
		`.status.env[name="a"].value`:            `.status.env[name="a"].value`,
		`rules[host="hunter2`:                    "rules",
	} {
		if got := Field(r.Sensitive, field, false); got != want {
			t.Errorf("%s: got %s, want %s", field, got, want)
		}
	}
	owned := map[string]string{
		".data.hunter-x": ".data.hunter-x", "spec.hunter2-x.size": "spec.hunter2-x.size", `.colours[="hunter2"]`: ".colours",
		`.rules[host="hunter2].x",port=80].port`: ".rules",
	}
	for field, want := range owned {
		if got := OwnedField(r.Sensitive, field); got != want {
			t.Errorf("owned %s: got %s, want %s", field, got, want)
		}
	}
	for field, want := range map[string]string{"dta": "dta", "spec.hunter": "spec.(sensitive)"} {
		if got := Field(r.Sensitive, field, true); got != want {
			t.Errorf("unknown %s: got %s, want %s", field, got, want)
		}
	}
	if got := Field(nil, "data[a]", false); got != "data[a]" {
		t.Errorf("a key of a Secret: %s", got)
	}
}
