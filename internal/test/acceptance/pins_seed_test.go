package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An object with key1 declared, key2 initialized, key3 pinned and key4 observed, and with a list whose second entry may come,
// stay as it is, go and return. Each step shows in the plan, the state and the object.
func TestDeclaredInitializedPinnedObserved(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const (
		key1, key3, key4 = "spec.free.key1", "spec.free.key3", "spec.free.key4"
		entry            = `spec.routes[host="b",port=80]`
		weight           = entry + ".weight"
		one              = `[{"host":"a","port":80,"weight":1}]`
	)
	two := func(weight int) string {
		return one[:len(one)-1] + fmt.Sprintf(`,{"host":"b","port":80,"weight":%d}]`, weight)
	}
	config := s.Config(story.Gadget("free: {key1: declared, key2: initialized}, routes: [{host: a, weight: 1}]"),
		`ignore_fields = ["spec.free.key2"]`, `pin_fields = ["spec.free.key3", "spec.routes[host=\"b\"].weight"]`,
		`list_lengths = { "spec.routes" = { min = 1, max = 2 } }`)
	keys := func(texts string) func() {
		return func() {
			s.As("controller").JSONPatch(s.GadgetTarget(), `[{"op": "replace", "path": "/spec/free", "value": `+texts+`}]`)
		}
	}
	live := func(keys, routes string) resource.TestCheckFunc {
		return story.LiveChecks(s.ExpectLiveJSON(s.GadgetTarget(), keys, "spec", "free"), s.ExpectLiveJSON(s.GadgetTarget(), routes, "spec", "routes"))
	}
	const chosen = `{"key1":"declared","key2":"2","key3":"chosen","key4":"4"}`
	unchanged := story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning())
	s.Run(
		resource.TestStep{
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(s.ExpectWarning("Pinned Field Has No Value Yet", `"spec.free.key3"`)),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, key1+": declared", "spec.free.key2: (absent)")),
			Check:             live(`{"key1":"declared","key2":"initialized"}`, one),
		},
		resource.TestStep{ // The others come: key2 and key4 are theirs, and key3 is pinned.
			PreConfig:         keys(chosen),
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(story.ExpectOnly(story.ManagedState, key3+": (absent) -> chosen")),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.Pinned, key3+": chosen"), story.ExpectState(story.FieldOwnership, key4+": controller")),
			Check:             live(chosen, one),
		},
		resource.TestStep{ // The declared and the pinned key are taken back, and nothing else is.
			PreConfig: keys(`{"key1":"drift","key2":"3","key3":"drift","key4":"5"}`),
			Config:    config,
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, key1+": drift -> declared", key3+": drift -> chosen"),
				s.ExpectPlanSays(key1+`: "drift" -> "declared"`, key3+`: "drift" -> "chosen"`),
			),
			Check: live(`{"key1":"declared","key2":"3","key3":"chosen","key4":"5"}`, one),
		},
		resource.TestStep{ // The second entry comes, and is pinned.
			PreConfig:         routesOf(s, two(5)),
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(story.ExpectOnly(story.ManagedState, entry+".host: (absent) -> b", entry+".port: (absent) -> 80", weight+": (absent) -> 5")),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.Pinned, key3+": chosen", weight+": 5")),
			Check:             live(`{"key1":"declared","key2":"3","key3":"chosen","key4":"5"}`, two(5)),
		},
		resource.TestStep{PreConfig: s.NextStep(), Config: config, ConfigPlanChecks: unchanged},                               // It stays.
		resource.TestStep{PreConfig: s.NextStep(routesOf(s, one)), Config: config, ConfigPlanChecks: unchanged},               // It goes.
		resource.TestStep{PreConfig: s.NextStep(keys(chosen), routesOf(s, one)), Config: config, ConfigPlanChecks: unchanged}, // Others write what is theirs.
		resource.TestStep{ // It returns with another value, and gets the pinned one.
			PreConfig:        routesOf(s, two(9)),
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, weight+": 9 -> 5")),
			Check:            live(chosen, two(5)),
		},
		resource.TestStep{ // A third one is too many.
			PreConfig:        s.NextStep(routesOf(s, two(5)[:len(two(5))-1]+`,{"host":"c","port":80}]`)),
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectOnlyWarning("List Too Long", "spec.routes has 3 entries, and list_lengths allows 2.")),
		},
	)
}

// The apply after an import pins what is live.
func TestPinWhatIsImported(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			PreConfig:         func() { s.As("kubectl-create").Create(service) },
			Config:            s.ImportBlock("apiVersion=v1,kind=Service,namespace=NS,name=web") + s.Config(service, ports),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectUnknown(story.Address, story.FieldOwnership, story.CoOwners, story.ManagedState, story.Pinned)),
			ConfigStateChecks: story.StateChecks(expectPinned(s)),
			Check:             s.ExpectOwners(serviceTarget, nodePort, "k8sconnect"),
		},
	)
}

// expectPinned asserts that the state has the live address and node port of the Service as pinned.
func expectPinned(s *story.Story) story.StateCheck {
	return func(attributes map[string]any) error {
		if got, want := story.Entry(attributes, story.Pinned, nodePort), liveNodePort(s); got != want {
			return fmt.Errorf("pinned[%s] is %s, and %s is live", nodePort, got, want)
		}
		if story.Entry(attributes, story.Pinned, "spec.clusterIP") == story.Absent {
			return fmt.Errorf("pinned has no spec.clusterIP: %v", attributes[story.Pinned])
		}
		return nil
	}
}
