package rendering

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func sensitive(t *testing.T, texts ...string) Renderer {
	t.Helper()
	patterns, err := paths.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return Renderer{Sensitive: patterns.Cautious(), DigestKey: []byte("key")}
}

var (
	tokens = paths.Path{paths.Field("spec"), paths.Field("tokens")}
	users  = paths.Path{paths.Field("spec"), paths.Field("users")}
	member = paths.Below(tokens, paths.Value("hunter2"))
	user   = paths.Below(users, paths.Key(map[string]any{"token": "hunter2", "port": int64(80)}))
	role   = paths.Below(user, paths.Field("role"))
)

func TestRedactedPath(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		pattern    string
		path, want paths.Path
	}{
		"a field":                               {"spec.tokens", tokens, tokens},
		"a member of a set":                     {"spec.tokens", member, tokens},
		"any member":                            {"spec.tokens[*]", member, tokens},
		"a member by its position":              {"spec.tokens[3]", member, tokens},
		"a member of a set below":               {"spec", member, tokens},
		"a member of another set":               {"spec.others", member, member},
		"a list item by a secret key":           {"spec.users[*].token", user, users},
		"what is inside of one":                 {"spec.users[*].token", role, users},
		"a list item by a field that is no key": {"spec.users[*].role", role, role},
		"a list item that is secret as such":    {"spec.users", user, users},
		"a field of an object as a whole":       {"*", tokens, tokens},
		"a member where all is sensitive":       {"*", member, tokens},
		"a list item where all is sensitive":    {"*", role, users},
		"a pattern that names the item itself":  {`spec.users[token="hunter2"].role`, role, role},
		"an item selected by no key":            {`spec.users[role=x]`, role, users},
		"an item with another key":              {`spec.users[role=x,port=81]`, role, role},
		"a member selected like an item":        {`spec.tokens[name=x]`, member, tokens},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := sensitive(t, tc.pattern).RedactedPath(tc.path); !got.Equals(tc.want) {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// Masked fields hold no secret, masking twice changes nothing more, and unmasking brings back the items that the object
// has and no others.
func TestMask(t *testing.T) {
	t.Parallel()
	r := sensitive(t, "spec.tokens", "spec.users[*].token")
	gone := paths.Below(tokens, paths.Value("hunter3"))
	fields := paths.NewSet(member, gone, user, role)
	masked := r.MaskSet(fields)
	raw, err := paths.MarshalSet(masked)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "hunter") || masked.Size() != fields.Size() {
		t.Errorf("masked: %s", raw)
	}
	if again := r.MaskSet(masked); !again.Equals(masked) {
		t.Errorf("masked twice: %s", again)
	}
	object := map[string]any{"spec": map[string]any{
		"tokens": []any{"other", "hunter2"},
		"users":  []any{map[string]any{"token": "hunter2", "role": "x"}}, // The server fills in the port.
	}}
	want := paths.NewSet(member, r.MaskPath(gone), user, role)
	if got := r.UnmaskSet(masked, object); !got.Equals(want) {
		t.Errorf("recognized: %s, want %s", got, want)
	}
	whole := map[string]any{"spec": map[string]any{"users": []any{
		map[string]any{"token": "other", "port": int64(80)}, map[string]any{"token": "hunter2", "port": int64(80)},
	}}}
	if got := r.UnmaskSet(r.MaskSet(paths.NewSet(user, role)), whole); !got.Equals(paths.NewSet(user, role)) {
		t.Errorf("recognized with all keys: %s", got)
	}
	ids := map[string]string{paths.ID(role): "x"}
	if diff := cmp.Diff(ids, r.UnmaskIDs(r.MaskIDs(ids), object)); diff != "" {
		t.Errorf("IDs (-want +got):\n%s", diff)
	}
}

// A value that has a secret part is shown as a digest, and so is the copy that kubectl keeps. An empty map or list is
// not a secret.
func TestSensitiveText(t *testing.T) {
	t.Parallel()
	r := sensitive(t, "spec.users[0].token", "data")
	for name, tc := range map[string]struct {
		path   paths.Path
		value  any
		hidden bool
	}{
		"a list with a secret part":    {users, []any{map[string]any{"token": "hunter2"}}, true},
		"a list without one":           {users, []any{map[string]any{"role": "hunter2"}}, false},
		"a value below":                {paths.Path{paths.Field("data"), paths.Field("a")}, "hunter2", true},
		"a map that holds one":         {paths.Path{paths.Field("data")}, map[string]any{"a": "hunter2"}, true},
		"an empty map":                 {paths.Path{paths.Field("data")}, map[string]any{}, false},
		"the annotation of kubectl":    {lastApplied, "hunter2", true},
		"the data of something else":   {paths.Path{paths.Field("stringData"), paths.Field("a")}, "hunter2", false},
		"a number that may be guessed": {paths.Path{paths.Field("data"), paths.Field("n")}, int64(7), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, print := r.Text(tc.path, tc.value), r.Fingerprint(tc.path, tc.value)
			if got := strings.HasPrefix(text, digestMark); got != tc.hidden {
				t.Errorf("shown as %s", text)
			}
			if got := strings.HasPrefix(print, "#"+digestMark); got != tc.hidden {
				t.Errorf("fingerprint %s", print)
			}
		})
	}
}

// Leaves whose paths may not be shown share one digest, which only covers declared leaves.
func TestSensitiveState(t *testing.T) {
	t.Parallel()
	r := sensitive(t, "spec.tokens")
	declared := paths.NewSet(member)
	state := func(members ...any) map[string]string {
		object := map[string]any{"spec": map[string]any{"tokens": members}}
		return r.State(object, declared, paths.NewFormatter(declared))
	}
	one := state("hunter2")
	if !strings.HasPrefix(one["spec.tokens"], digestMark) || len(one) != 1 {
		t.Errorf("state: %v", one)
	}
	if diff := cmp.Diff(one, state("theirs", "hunter2")); diff != "" {
		t.Errorf("with a member of others (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{}, state("theirs")); diff != "" {
		t.Errorf("without the declared member (-want +got):\n%s", diff)
	}
}

// A selector by what is no key of the list hides the field in all items, rather than in none.
func TestSelectorsByNoKey(t *testing.T) {
	t.Parallel()
	value := func(keys map[string]any) paths.Path {
		return append(users.Copy(), paths.Key(keys), paths.Field("password"))
	}
	for name, tc := range map[string]struct {
		pattern string
		path    paths.Path
		hidden  bool
	}{
		"no key":                      {`spec.users[role=x].password`, value(map[string]any{"name": "a"}), true},
		"no key, quoted":              {`spec.users[role="x"].password`, value(map[string]any{"name": "a"}), true},
		"a key, and a field":          {`spec.users[name=a,role=x].password`, value(map[string]any{"name": "a"}), true},
		"another key, and a field":    {`spec.users[name=b,role=x].password`, value(map[string]any{"name": "a"}), false},
		"a key of two":                {`spec.users[port=1].password`, value(map[string]any{"port": int64(1), "protocol": "UDP"}), true},
		"another value of a key":      {`spec.users[port=2].password`, value(map[string]any{"port": int64(1), "protocol": "UDP"}), false},
		"a member of what is no set":  {`spec.users[="a"].password`, value(map[string]any{"name": "a"}), true},
		"another field of such items": {`spec.users[role=x].token`, value(map[string]any{"name": "a"}), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := sensitive(t, tc.pattern).IsSecret(tc.path); got != tc.hidden {
				t.Errorf("%s hides %s: %v", tc.pattern, paths.Format(tc.path), got)
			}
		})
	}
	whole := map[string]any{"spec": map[string]any{"users": []any{map[string]any{"role": "y", "password": "hunter2"}}}}
	if got := sensitive(t, `spec.users[role=x].password`).Text(nil, whole); strings.Contains(got, Redacted) || !strings.Contains(got, "hunter2") {
		t.Errorf("an item with another value: %s", got)
	}
	if got := sensitive(t, `spec.users[name=x].password`).Text(nil, whole); strings.Contains(got, "hunter2") {
		t.Errorf("an item without the field: %s", got)
	}
	many := make([]string, 20)
	for i := range many {
		many[i] = fmt.Sprintf(`spec.users[role="x%d"].password`, i)
	}
	if !sensitive(t, many...).IsSecret(value(map[string]any{"name": "a"})) {
		t.Error("many selectors hide nothing")
	}
}
