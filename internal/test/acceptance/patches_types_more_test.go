package acceptance_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func TestTypedPatchRefusesConflicts(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`))
	config := func(body, policy string) string {
		return s.TypedPatchConfig(story.SettingsTarget, "merge", body, ours, `on_conflict = "`+policy+`"`)
	}
	s.Run(
		resource.TestStep{
			Config:      config(`{"data": {"a": "ours"}}`, "fail"),
			ExpectError: story.Saying("Field Ownership Conflict", "nothing is applied", `data.a: "1" -> "ours", owned by "bob"`, `set on_conflict = "force"`),
		},
		resource.TestStep{Config: config(`{"data": {"new": "ours"}}`, "fail")},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"new": "theirs"}}`) }),
			Config:    config(`{"data": {"new": "ours"}}`, "fail"), ExpectError: story.Saying("Field Ownership Conflict", `data.new: "theirs" -> "ours"`),
		},
		resource.TestStep{
			Config:           config(`{"data": {"new": "changed"}}`, "force"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`data.new: "theirs" -> "changed"`, "They changed it since the last apply, and patch changes it too.")),
			Check:            s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2","new":"changed"}`, "data"),
		},
	)
}

// A test operation is a condition: while it does not hold, there is no plan. Its values are in the error, unless they are
// secret.
func TestConditionOfAPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {mode: slow, a: "1"}`))
	s.As("bob").Apply("apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: NS}\ndata: {mode: aHVudGVy}\n")
	const body = `[{"op": "test", "path": "/data/mode", "value": "fast"}, {"op": "replace", "path": "/data/a", "value": "2"}]`
	config := s.TypedPatchConfig(story.SettingsTarget, "json", body, ours)
	s.Run(
		resource.TestStep{
			Config: config,
			ExpectError: story.Saying("Patch Does Not Fit", "operation 1 (test /data/mode) failed", "the object has another value at /data/mode",
				`The patch expects "fast", and the object has "slow".`),
		},
		resource.TestStep{
			Config:      s.TypedPatchConfig("v1 Secret token", "json", body, ours),
			ExpectError: story.Saying("Patch Does Not Fit", "The values are secret and not shown."),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("bob").Patch(story.SettingsTarget, `{"data": {"mode": "fast"}}`) }),
			Config:    config,
			Check:     s.ExpectLiveJSON(story.SettingsTarget, `{"a":"2","mode":"fast"}`, "data"),
		},
		resource.TestStep{ // It holds at each plan, whether the rest is in effect or not.
			PreConfig:   s.NextStep(func() { s.As("bob").Patch(story.SettingsTarget, `{"data": {"mode": "slow"}}`) }),
			Config:      config,
			ExpectError: story.Saying("Patch Does Not Fit", "/data/mode"),
		},
	)
}

// on_destroy means the same for each kind of patch.
func TestOnDestroyOfATypedPatch(t *testing.T) {
	t.Parallel()
	for policy, want := range map[string]struct{ says, live string }{
		"remove":  {"It removes what this resource added", `{"a":"ours","b":"theirs","kept":"1"}`},
		"release": {"It keeps the values of these fields", `{"a":"ours","b":"theirs","c":"ours","kept":"1"}`},
		"restore": {`data.a: "1"`, `{"a":"1","b":"theirs","kept":"1"}`},
	} {
		t.Run(policy, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1", b: "2", kept: "1"}`))
			config := func(body string) string {
				return s.TypedPatchConfig(story.SettingsTarget, "merge", body, ours, `on_destroy = "`+policy+`"`)
			}
			s.Run(
				resource.TestStep{Config: config(`{"data": {"b": "ours"}}`)},
				resource.TestStep{Config: config(`{"data": {"a": "ours", "b": "ours", "c": "ours"}}`)},
				resource.TestStep{ // What others have taken since is theirs.
					PreConfig:        s.NextStep(func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"b": "theirs"}}`) }),
					Config:           s.ProviderBlock(),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed", want.says)),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(story.SettingsTarget, want.live, "data"), expectNoEntry(s, story.SettingsTarget, "patch"),
					),
				},
			)
		})
	}
}

// A merge patch of a custom resource works; a strategic one is an error that says what to use instead.
func TestTypedPatchOfACustomResource(t *testing.T) {
	s := story.New(t)
	const widget, merge = "NS.example.com/v1 Widget web", `{"spec": {"size": 7}}`
	base := s.ProviderBlock() + s.Manifest("definition", story.WidgetDefinition) + s.Manifest("base", story.WidgetHere)
	config := func(kind string) string { return base + s.TypedPatchBlock("test", widget, kind, merge, ours) }
	s.Run(
		resource.TestStep{Config: base},
		resource.TestStep{
			Config:      config("strategic"),
			ExpectError: story.Saying("Patch Does Not Fit", "has no known strategic merge", `Set type = "merge"`),
		},
		resource.TestStep{Config: config("merge"), Check: s.ExpectLiveJSON(widget, `7`, "spec", "size")},
		s.Noop(config("merge")),
	)
}

// The server writes some values in another way. A patch with such a value is in effect all the same.
func TestPatchWhoseValueIsRewritten(t *testing.T) {
	s := story.New(t)
	s.As("helm").Apply(story.Deployment)
	config := s.TypedPatchConfig(story.Web, "strategic",
		`{"spec": {"template": {"spec": {"containers": [{"name": "app", "resources": {"limits": {"cpu": "1000m"}}}]}}}}`, ours)
	s.Run(
		resource.TestStep{Config: config},
		s.Noop(config),
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("eve").JSONPatch(story.Web, `[{"op": "replace", "path": "/spec/template/spec/containers/0/resources/limits/cpu", "value": "2"}]`)
			}),
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`.resources.limits.cpu: "2" -> "1"`)),
		},
		s.Noop(config),
	)
}

// The server drops a value of a JSON patch, which replaces it: it could not tell drift any more. The plan refuses it, and
// says to add the value.
func TestPatchWhoseValueIsDropped(t *testing.T) {
	s := story.New(t)
	networked := strings.Replace(story.Deployment, "    spec:\n", "    spec:\n      hostNetwork: true\n", 1)
	body := func(op string) string {
		return `[{"op": "` + op + `", "path": "/spec/template/spec/hostNetwork", "value": false}, {"op": "replace", "path": "/spec/replicas", "value": 2}]`
	}
	config := func(op string) string { return s.TypedPatchConfig(story.Web, "json", body(op), ours) }
	refused := story.Saying("Patch Does Not Fit", "once the API server has applied it", "operation 1 (replace /spec/template/spec/hostNetwork)",
		"Write an add instead of a replace")
	s.As("helm").Apply(networked)
	s.Run(
		resource.TestStep{Config: config("replace"), ExpectError: refused},
		resource.TestStep{Config: config("add"), Check: s.ExpectLiveJSON(story.Web, "2", "spec", "replicas")},
		s.Noop(config("add")),
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl").Patch(story.Web, `{"spec": {"replicas": 1}}`) }),
			Config:    config("add"), ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`spec.replicas: "1" -> "2"`)),
			Check: s.ExpectLiveJSON(story.Web, "2", "spec", "replicas"),
		},
		resource.TestStep{Config: s.ProviderBlock()},
	)
}

// A policy of the server makes an object of a patch that the patch does not fit any more, and that no plan has seen. The next plan says
// so, whether the rest of the patch is in effect or not.
func TestPatchThatDoesNotFitWhatItsApplyHasLeft(t *testing.T) {
	s := story.New(t)
	s.As("bob").Create(story.ConfigMapIn("settings", `data: {a: "1"}`, `labels: {stamp: "no"}`))
	config := s.TypedPatchConfig(story.SettingsTarget, "json",
		`[{"op": "test", "path": "/metadata/labels/stamp", "value": "no"}, {"op": "add", "path": "/data/a", "value": "ours"}]`, ours)
	s.Run(resource.TestStep{ // The apply ends well, and the plan after it does not.
		PreConfig: func() { s.Provider.BeforeApply(s.InstallStamp) },
		Config:    config, ExpectError: story.Saying("Patch Does Not Fit", `The patch expects "no", and the object has "yes".`),
	})
	story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours"}`, "data")(nil))
}

// A resource whose patch becomes one of another kind takes the first patch back.
func TestPatchBecomesATypedPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {z: "1"}`))
	s.Run(
		resource.TestStep{Config: s.PatchConfig(story.SettingsTarget, "data: {a: ours}", ours)},
		resource.TestStep{
			Config:           s.TypedPatchConfig(story.SettingsTarget, "merge", `{"data": {"b": "ours"}}`, ours),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionDestroyBeforeCreate)),
			Check:            s.ExpectLiveJSON(story.SettingsTarget, `{"b":"ours","z":"1"}`, "data"),
		},
		resource.TestStep{ // The type may change, and so may the field manager.
			Config: s.TypedPatchConfig(story.SettingsTarget, "json", `[{"op": "add", "path": "/data/c", "value": "ours"}]`, `field_manager = "renamed"`),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"c":"ours","z":"1"}`, "data"), expectNoEntry(s, story.SettingsTarget, "patch"),
			),
		},
		s.Noop(s.TypedPatchConfig(story.SettingsTarget, "json", `[{"op": "add", "path": "/data/c", "value": "ours"}]`, `field_manager = "renamed"`)),
	)
}

// A patch under a new field manager meets no conflict with itself, and its plan says what it removes.
func TestTypedPatchUnderANewName(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"force", "fail"} {
		t.Run(policy, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`))
			config := func(body, manager string) string {
				return s.TypedPatchConfig(story.SettingsTarget, "merge", body, `field_manager = "`+manager+`"`, `on_conflict = "`+policy+`"`)
			}
			const second = `{"data": {"a": "ours2", "b": "2"}}`
			s.Run(
				resource.TestStep{Config: config(`{"data": {"a": "ours", "b": "2", "new": "x"}}`, "one")},
				resource.TestStep{
					Config:           config(second, "two"),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`data.new: "x"`), s.ExpectNoWarningBut("data.new")),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours2","b":"2"}`, "data"), expectNoEntry(s, story.SettingsTarget, "one"),
					),
				},
				s.Noop(config(second, "two")),
			)
		})
	}
}

// Two patches of an object have different fields, whatever their types.
func TestTypedPatchesOfOneObject(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {z: "1"}`))
	two := func(second string) string {
		return s.PatchConfig(story.SettingsTarget, "data: {a: ours}", ours) +
			s.TypedPatchBlock("second", story.SettingsTarget, "merge", second, `field_manager = "second"`)
	}
	s.Run(
		resource.TestStep{
			Config:      two(`{"data": {"a": "theirs"}}`),
			ExpectError: story.Saying("Field Managed Twice", "another patch", "data.a", "here or there"),
		},
		resource.TestStep{Config: two(`{"data": {"b": "ours"}}`), Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"ours","z":"1"}`, "data")},
		s.Noop(two(`{"data": {"b": "ours"}}`)),
	)
}

// A patch tells no secret of the object or of its own.
func TestSecretsOfATypedPatch(t *testing.T) {
	s := story.New(t)
	const theirs, mine = "aHVudGVyLXR3bw==", "aHVudGVyLW9uZQ=="
	s.As("bob").Apply("apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: NS}\ndata: {a: " + theirs + "}\n")
	config := s.TypedPatchConfig("v1 Secret token", "merge", `{"stringData": {"a": "hunter-one"}}`, ours)
	s.Run(
		resource.TestStep{
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(s.ExpectRedacted(theirs, mine), s.ExpectWarning("Field Ownership Conflict", "data.a")),
			ConfigStateChecks: story.StateChecks(s.ExpectStateRedacted(theirs, mine)),
			Check:             s.ExpectLiveJSON("v1 Secret token", `{"a":"`+mine+`"}`, "data"),
		},
		s.Noop(config),
		resource.TestStep{
			Config: s.ProviderBlock(),
			Check: story.LiveChecks(
				s.ExpectLiveJSON("v1 Secret token", `{"a":"`+mine+`"}`, "data"), expectNoEntry(s, "v1 Secret token", "patch"),
			),
		},
	)
}

// A patch of a missing object waits for it; one of an object that was created again is an update.
func TestTypedPatchOfAMissingObject(t *testing.T) {
	s := story.New(t)
	config := s.TypedPatchConfig(story.SettingsTarget, "merge", `{"data": {"a": "ours"}}`, ours)
	s.Run(
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectWarning("Object Not Found Yet", "The apply waits up to 2m for it"),
				story.Meanwhile(func() {
					s.OnceSent(1, "get configmaps", func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`)) })
				}),
			),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2"}`, "data"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("bob").Remove(story.SettingsTarget)
				s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
			}),
			Config: config,
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionUpdate), s.ExpectPlanSays(`data.a: "1" -> "ours"`),
			),
			ConfigStateChecks: story.StateChecks(expectAdded()),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours"}`, "data"),
		},
	)
}

// Ten other managers write while a patch is created, changed and taken back. Each request is guarded by the version
// that was read, and is sent again.
func TestTenWritersRaceATypedPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
	var writers sync.WaitGroup
	var last [10]string // What each has written last.
	race := func() {
		end := time.Now().Add(4 * time.Second) // A number of writes would race for longer than the timeout where the machine is slow.
		for n := range last {
			writers.Go(func() {
				for i := 0; time.Now().Before(end); i++ {
					last[n] = strconv.Itoa(i)
					s.As(fmt.Sprintf("writer-%d", n)).Patch(story.SettingsTarget, fmt.Sprintf(`{"data": {"own-%d": "%d", "a": "w%d"}}`, n, i, n))
				}
			})
		}
	}
	t.Cleanup(writers.Wait)
	stop := func(*terraform.State) error {
		writers.Wait()
		return nil
	}
	config := func(value string) string {
		return s.TypedPatchConfig(story.SettingsTarget, "merge", `{"data": {"a": "`+value+`", "added": "`+value+`"}}`, ours)
	}
	has := func(value string) resource.TestCheckFunc {
		return func(state *terraform.State) error {
			want := map[string]any{"data.a": value, "data.added": value}
			for n, value := range last {
				want[fmt.Sprintf("data.own-%d", n)] = value
			}
			return s.ExpectLive(story.SettingsTarget, want)(state)
		}
	}
	s.Run(
		resource.TestStep{PreConfig: race, Config: config("one"), Check: stop},
		resource.TestStep{Config: config("one"), ConfigStateChecks: story.StateChecks(expectAdded("data.added")), Check: has("one")},
		resource.TestStep{PreConfig: race, Config: config("two"), Check: stop},
		resource.TestStep{Config: config("two"), ConfigStateChecks: story.StateChecks(expectAdded("data.added")), Check: has("two")},
		resource.TestStep{
			Config: s.ProviderBlock(), ConfigPlanChecks: story.PlanChecks(story.Meanwhile(race)),
			Check: story.LiveChecks(expectNoEntry(s, story.SettingsTarget, "patch"), s.ExpectLive(story.SettingsTarget, map[string]any{"data.added": story.Absent})),
		},
	)
}

// Bad patches are refused before any request.
func TestBadInputOfATypedPatch(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	config := func(kind, body string, arguments ...string) string {
		return s.TypedPatchConfig(story.SettingsTarget, kind, body, arguments...)
	}
	var steps []resource.TestStep
	for _, bad := range []struct {
		config string
		says   []string
	}{
		{config("jsonpatch", "[]"), []string{"Invalid Attribute Value", "patch.type"}},
		{config("json", "{"), []string{"Invalid Patch", "not valid JSON"}},
		{config("json", `{"data": {}}`), []string{"Invalid Patch", "list of operations", `set type = "merge"`}},
		{config("json", `[{"op": "add", "path": "/data/list/-", "value": 1}]`), []string{"Invalid Patch", "adds one more item to the end of the list at each apply"}},
		{config("json", `[{"op": "replace", "path": "/metadata/name", "value": "b"}]`), []string{"Invalid Patch", "metadata.name, which says which object it is"}},
		{config("merge", `{"data": {"$patch": "delete"}}`), []string{"Invalid Patch", "directive of strategic merge patches"}},
		{config("merge", `{"data": {"a": "1"}}`, `ignore_fields = ["data.b"]`), []string{"Invalid Attribute Combination", "ignore_fields"}},
		{s.PatchConfig(story.SettingsTarget, "data: {a: ours}", `patch = { type = "merge", body = "{}" }`), []string{"Invalid Attribute Combination", "yaml_body"}},
	} {
		steps = append(steps, resource.TestStep{Config: bad.config, ExpectError: story.Saying(bad.says...)})
	}
	steps[0].PreConfig = m.Start
	s.Run(steps...)
	if sent := m.Lines(); len(sent) > 0 {
		t.Errorf("bad input was sent: %s", sent)
	}
}
