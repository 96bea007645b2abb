package conformance_test

import (
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/conformance"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestMain(m *testing.M) { os.Exit(story.Main(m)) }

// run tells cases to the control plane, in a namespace of their own.
func run(t *testing.T, files fs.FS) []string {
	t.Helper()
	namespace := story.New(t).Namespace
	config := story.ControlPlane().RESTConfig()
	config.WarningHandler = rest.NoWarnings{}
	differences, err := conformance.Run(t.Context(), config, namespace, files)
	story.Must(t, err)
	var all []string
	for _, difference := range differences {
		all = append(all, difference.String())
	}
	return all
}

// The server does what the cases say.
func TestConformance(t *testing.T) {
	for _, difference := range run(t, conformance.Cases) {
		t.Error(difference)
	}
}

// So it does in the example of the README.
func TestExample(t *testing.T) {
	text, err := os.ReadFile("../../../conformance/README.md")
	story.Must(t, err)
	_, example, _ := strings.Cut(string(text), "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	for _, difference := range run(t, fstest.MapFS{"README.yaml": {Data: []byte(example)}}) {
		t.Error(difference)
	}
}

// planted is a case in which each expectation but the first owner is wrong.
const planted = `story: wrong
shows: []
object: {apiVersion: v1, kind: ConfigMap, resource: configmaps, name: conformance-planted}
steps:
- as: bob
  does: create
  body: {data: {a: his, b: his}}
  owners: {data.a: [bob Update], data.b: [us Apply]}
  entries: [us Apply @v1]
- {as: us, does: apply, body: {data: {a: ours}}, live: {data: {a: ours, b: null, c: {d: "1"}}}}
- {as: us, does: apply, body: {data: {a: ours}}, conflicts: {data.a: [carol], data.b: [bob]}}
- {as: us, does: apply, body: {data: {a: ours}}, refused: {code: 422, says: invalid}}
- {as: us, does: apply, body: {data: {c: ours}}, conflicts: {data.c: [bob]}}
- {as: us, does: apply, body: {data: {c: ours}}, refused: {code: 422, says: invalid}}
- {as: us, does: apply, body: {data: {c: 1}}, refused: {code: 422, says: invalid}}
- as: us
  does: merge
  body: {metadata: {finalizers: [a/one]}}
  live: {metadata: {finalizers: [a/other, a/more]}, data: {a: {}}}
- {as: us, does: merge, body: {}, live: {metadata: {finalizers: [a/other]}}}
`

// A wrong expectation is reported with the file, the step and the field.
func TestPlanted(t *testing.T) {
	got := run(t, fstest.MapFS{"planted.yaml": {Data: []byte(planted)}})
	for i, sentence := range got {
		// The words of the server for a body that does not fit the schema are its own.
		if before, _, cut := strings.Cut(sentence, "got 500: "); cut {
			got[i] = before + "got 500"
		}
	}
	want := []string{
		`planted.yaml step 1: owners of data.b: want [us Apply], got [bob Update]`,
		`planted.yaml step 1: entries: want [us Apply @v1], got [bob Update @v1]`,
		`planted.yaml step 2: conflicts of data.a: want [], got [bob]`,
		`planted.yaml step 2: value of data.a: want "ours", got "his"`,
		`planted.yaml step 2: value of data.b: want null, got "his"`,
		`planted.yaml step 2: value of data.c.d: want "1", got null`,
		`planted.yaml step 3: conflicts of data.a: want [carol], got [bob]`,
		`planted.yaml step 3: conflicts of data.b: want [bob], got []`,
		`planted.yaml step 4: conflicts of data.a: want [], got [bob]`,
		`planted.yaml step 5: answer: want a conflict, got success`,
		`planted.yaml step 5: conflicts of data.c: want [bob], got []`,
		`planted.yaml step 6: answer: want 422 with "invalid", got 0: success`,
		`planted.yaml step 7: answer: want 422 with "invalid", got 500`,
		`planted.yaml step 8: value of data.a: want {}, got "his"`,
		`planted.yaml step 8: value of metadata.finalizers: want ["a/other","a/more"], got ["a/one"]`,
		`planted.yaml step 9: value of metadata.finalizers[0]: want "a/other", got "a/one"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}

// A server that refuses to create the object of a case is asked the other cases, too.
func TestUnservedKind(t *testing.T) {
	const unserved = "shows: []\nobject: {apiVersion: absent.example.com/v1, kind: Absent, resource: absents, name: a}\nsteps:\n- {as: us, does: apply, body: {}}\n"
	got := run(t, fstest.MapFS{"a.yaml": {Data: []byte(unserved)}, "b.yaml": {Data: []byte(planted)}})
	if len(got) < 5 || !strings.HasPrefix(got[0], "a.yaml step 1: answer: want success, got ") || !strings.HasPrefix(got[1], "b.yaml step 1: ") {
		t.Errorf("%q", got)
	}
}

// A file that is no case is an error, and so is a folder without cases.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]fstest.MapFS{
		"has no cases":         {"case.txt": {}},
		`unknown field "ownr"`: {"case.yaml": {Data: []byte("steps: [{does: apply, ownr: {}}]")}},
		`case.yaml step 1: there is no operation "aply"`: {"case.yaml": {Data: []byte("steps: [{does: aply}]")}},
	} {
		if _, err := conformance.Read(files); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s", err, name)
		}
	}
}

// The cases show each transition that the provider reports, and no other one.
func TestShows(t *testing.T) {
	t.Parallel()
	rows := []ownership.Transition{
		ownership.Removing, ownership.Unclaimed, ownership.Undeclared, ownership.Adding, ownership.Restoring,
	}
	for row := range 16 {
		facts := ownership.Facts{
			Owned:      ownership.Owned{Before: row&8 > 0, After: row&4 > 0},
			Configured: row&2 > 0, Contested: row&1 > 0,
		}
		transition, _ := facts.Classify()
		rows = append(rows, transition)
	}
	want, got := map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		want[string(row)] = true
	}
	cases, err := conformance.Read(conformance.Cases)
	story.Must(t, err)
	for _, c := range cases {
		for _, row := range c.Shows {
			got[row] = true
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("rows (-provider +cases):\n%s", diff)
	}
}
