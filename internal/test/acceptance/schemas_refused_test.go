package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	aLoosePair   = "{type: object, properties: {name: {type: string}, value: {type: string}}}"
	anAtomicPair = "{type: object, x-kubernetes-map-type: atomic, properties: {name: {type: string}, value: {type: string}}}"
	aSet         = ", x-kubernetes-list-type: set"
	aMapByName   = ", x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]"
	// abPairs and its JSON are a list that every list of objects takes.
	abPairs     = `[{name: a, value: "1"}, {name: b, value: "2"}]`
	abPairsLive = `[{"name":"a","value":"1"},{"name":"b","value":"2"}]`
)

// mismatch is an object whose spec has one field, of its own name, with a value that a new schema of the
// field does not take.
type mismatch struct {
	name     string
	from, to string
	declared string
	// mended is a value that the new schema takes, mendedJSON the same as JSON.
	mended, mendedJSON string
	// repair is true if the live value stands in the way of every server-side apply. Otherwise an apply of the mended
	// value replaces it.
	repair bool
}

func (m mismatch) spec(value string) string { return m.name + ": " + value }

// wholeMismatches returns those of a list that had one owner as a whole.
func wholeMismatches(listType string) []mismatch {
	const ab, abJSON = "[a, b]", `["a","b"]`
	return []mismatch{
		{
			name: "twice", from: listOf(aWord, listType), to: listOf(aWord, aSet),
			declared: "[a, b, a]", mended: ab, mendedJSON: abJSON,
		},
		{
			name: "keytwice", from: listOf(aPair, listType), to: listOf(aPair, aMapByName),
			declared: `[{name: a, value: "1"}, {name: b, value: "2"}, {name: a, value: "3"}]`,
			mended:   abPairs, mendedJSON: abPairsLive,
		},
		{
			name: "keyless", from: listOf(aLoosePair, listType), to: listOf(aPair, aMapByName),
			declared: `[{value: "1"}, {name: b, value: "2"}]`, mended: abPairs, mendedJSON: abPairsLive, repair: true,
		},
		{
			name: "words", from: listOf(aWord, listType), to: listOf(aPair, aMapByName),
			declared: ab, mended: abPairs, mendedJSON: abPairsLive, repair: true,
		},
	}
}

// members is a set of words that becomes a list of objects by key.
var members = mismatch{
	name: "members", from: listOf(aWord, aSet), to: listOf(aPair, aMapByName),
	declared: "[a, b]", mended: abPairs, mendedJSON: abPairsLive, repair: true,
}

// A value that the new schema does not take: nothing is to be done until the configuration changes. Then
// the plan says whether yaml_body or the live value is at fault, and what to do about it.
func TestSchemaRefusesValue(t *testing.T) {
	t.Parallel()
	for name, all := range map[string][]mismatch{
		"of a list without a type": wholeMismatches(""),
		"of an atomic list":        wholeMismatches(", x-kubernetes-list-type: atomic"),
		"of a set":                 {members},
	} {
		t.Run(name, func(t *testing.T) { playMismatches(story.New(t), all) })
	}
}

func playMismatches(s *story.Story, all []mismatch) {
	s.T.Helper()
	from, to := schemaFields{}, schemaFields{}
	for _, m := range all {
		from[m.name], to[m.name] = m.from, m.to
	}
	installGizmos(s, from)
	declared := func(m mismatch) string { return m.spec(m.declared) }
	noted := func(m mismatch) string { return m.spec(m.declared) + ", note: ours" }
	mended := func(m mismatch) string { return m.spec(m.mended) }
	live := []resource.TestCheckFunc{s.ExpectSilence("Owners Reset")} // The API server drops entries that do not fit.
	for _, m := range all {
		live = append(live, s.ExpectLiveJSON(gizmoTarget(s, m.name), m.mendedJSON, "spec", m.name))
	}
	var heard hearing
	steps := []resource.TestStep{
		{Config: mismatchConfig(s, all, declared)},
		{
			PreConfig: s.NextStep(func() {
				for _, m := range all {
					s.As("policy").Apply(gizmo(m.name, m.spec(m.declared)))
				}
				changeSchema(s, to)
			}),
			Config:           mismatchConfig(s, all, declared),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
		{
			PreConfig:   func() { heard = hear(s) },
			Config:      mismatchConfig(s, all, noted),
			ExpectError: story.Saying("Error: "),
		},
	}
	repairs := slices.DeleteFunc(slices.Clone(all), func(m mismatch) bool { return !m.repair })
	if len(repairs) > 0 {
		steps = append(steps, resource.TestStep{
			PreConfig: func() {
				heard.expect(all, "yaml_body")
				heard = hear(s)
			},
			Config:      mismatchConfig(s, all, mended),
			ExpectError: story.Saying("Error: "),
		})
	}
	s.Run(append(steps, resource.TestStep{
		PreConfig: s.NextStep(func() {
			heard.expect(repairs, "kubectl edit")
			for _, m := range repairs {
				s.As("kubectl-edit").Patch(gizmoTarget(s, m.name), `{"spec":{"`+m.name+`":`+m.mendedJSON+`}}`)
			}
		}),
		Config: mismatchConfig(s, all, mended),
		Check:  story.LiveChecks(live...),
	})...)
}

// mismatchConfig has one resource for each mismatch.
func mismatchConfig(s *story.Story, all []mismatch, spec func(mismatch) string) string {
	text := s.ProviderBlock()
	for _, m := range all {
		text += s.Manifest(m.name, gizmo(m.name, spec(m)))
	}
	return text
}

// hearing is what the provider has said since it began, errors included.
type hearing struct {
	story *story.Story
	after int
}

func hear(s *story.Story) hearing { return hearing{s, len(s.Provider.Everything())} }

// expect asserts that of all objects these alone were spoken of, and that what was said of each names its
// field and the next step, which is not to try again.
func (h hearing) expect(all []mismatch, next string) {
	h.story.T.Helper()
	for _, said := range h.story.Provider.Everything()[h.after:] {
		if !slices.ContainsFunc(all, func(m mismatch) bool { return h.concerns(m.name, said) }) {
			h.story.T.Errorf("said of an object with nothing wrong about it:\n%s", said)
		}
	}
	for _, m := range all {
		h.expectAbout(m.name, "spec."+m.name, next)
	}
}

func (h hearing) concerns(name, said string) bool {
	return strings.Contains(said, h.story.Expand("Gizmo NS/"+name+" "))
}

// expectAbout asserts that something was said of an object, each time with all of texts.
func (h hearing) expectAbout(name string, texts ...string) {
	h.story.T.Helper()
	heard := false
	for _, said := range h.story.Provider.Everything()[h.after:] {
		if !h.concerns(name, said) {
			continue
		}
		heard = true
		for _, text := range texts {
			if !strings.Contains(said, text) {
				h.story.T.Errorf("%s: not said: %q in\n%s", name, text, said)
			}
		}
		if strings.Contains(said, "try again") {
			h.story.T.Errorf("%s: trying again does not help:\n%s", name, said)
		}
	}
	if !heard {
		h.story.T.Errorf("%s: nothing was said, want %q", name, fmt.Sprint(texts))
	}
}
