package acceptance_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// deploymentObject is a Deployment as an object of the configuration.
const deploymentObject = `{
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata = {
      name        = "web"
      namespace   = "NS"
      annotations = { note = NOTE }
      labels      = null
    }
    spec = {
      replicas        = 2
      minReadySeconds = null
      selector        = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec = {
          containers = [
            { name = "app", image = IMAGE, env = [{ name = "A", value = "1" }, { name = "B", value = "2", valueFrom = null }] },
            { name = "log", image = "fluent:1", args = ["-v", ARG], resources = { requests = { cpu = "0.5", memory = MEMORY } } },
          ]
        }
      }
    }
  }`

// objectConfig returns the configuration of an object; the text of what is named before the colon is replaced by what comes after it.
func objectConfig(s *story.Story, text string, replaced ...string) string {
	known := map[string]string{"NOTE": `"one"`, "IMAGE": `"nginx:1"`, "ARG": `"-q"`, "MEMORY": `"64Mi"`}
	for _, pair := range replaced {
		name, value, _ := strings.Cut(pair, ": ")
		known[name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		text = strings.ReplaceAll(text, name, known[name])
	}
	return s.ProviderBlock() + s.Expand("resource \"k8sconnect_manifest\" \"test\" {\n  manifest = "+text+"\n}\n")
}

// later returns a text that is known only after the apply.
func later(value string) string { return story.Later("later", value) }

const laterText = `"${terraform_data.later.output}"`

// expectUnknownEntries asserts which entries of the maps are known only after the apply.
func expectUnknownEntries(want ...string) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		got := []string{}
		for _, change := range req.Plan.ResourceChanges {
			if change.Address != story.Address {
				continue
			}
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			for _, attribute := range []string{story.FieldOwnership, story.CoOwners, story.ManagedState} {
				entries, isMap := unknown[attribute].(map[string]any)
				if !isMap && unknown[attribute] == true {
					got = append(got, attribute)
				}
				for field := range entries {
					got = append(got, attribute+" "+field)
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
			return fmt.Errorf("unknown entries (-want +got):\n%s", diff)
		}
		return nil
	})
}

// An object of the configuration is applied like the text that says the same. Nulls are absent, and changes of nulls and of types
// plan nothing.
func TestObjectManifest(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	text := strings.NewReplacer("NOTE", "one", "IMAGE", "nginx:1", "ARG", "-q", "MEMORY", "64Mi").Replace(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, annotations: {note: NOTE}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "IMAGE", env: [{name: A, value: "1"}, {name: B, value: "2"}]}
      - {name: log, image: "fluent:1", args: ["-v", "ARG"], resources: {requests: {cpu: "0.5", memory: MEMORY}}}
`)
	const cpu = `spec.template.spec.containers[name="log"].resources.requests.cpu`
	s.Run(
		resource.TestStep{
			Config:            objectConfig(s, deploymentObject),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectAction(plancheck.ResourceActionCreate), expectUnknownEntries()),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.replicas: 2", cpu+": 500m")),
			Check:             story.LiveChecks(s.ExpectOwners(story.Web, "spec.replicas", story.Us), s.ExpectLive(story.Web, map[string]any{"spec.replicas": 2})),
		},
		resource.TestStep{
			PreConfig:         m.Start,
			Config:            strings.Replace(objectConfig(s, deploymentObject), "replicas        = 2", "replicas = 3", 1),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectOnly(story.ManagedState, "spec.replicas: 2 -> 3"), expectUnknownEntries()),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.replicas: 3")),
		},
		resource.TestStep{ // From one form to the other nothing is sent.
			PreConfig:        m.Start,
			Config:           strings.Replace(s.Config(text), "replicas: 2", "replicas: 3", 1),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate), expectUnknownEntries()),
			Check:            m.Applies("get deployments NS/web 200"),
		},
	)
}

// Whether a manager that is taken over keeps a map follows from a value that is not known yet, if nothing else of the
// manager is in it.
func TestUnknownValueInMapThatIsTakenOver(t *testing.T) {
	s := story.New(t)
	s.As("kubectl-create").Create(story.ConfigMapIn("web", `data: {colour: red}`))
	body := `{ apiVersion = "v1", kind = "ConfigMap", metadata = { name = "web", namespace = "NS" }, data = { colour = ` + laterText + " } }"
	s.Run(resource.TestStep{
		Config:            s.ImportBlock("apiVersion=v1,kind=ConfigMap,namespace=NS,name=web") + objectConfig(s, body) + later("blue"),
		ConfigPlanChecks:  story.PlanChecks(expectUnknownEntries("co_owners", "field_ownership", "managed_state data.colour")),
		ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "data.colour: "+story.Us, "data: kubectl-create")),
	})
}

// A value that is not known yet may bring a field that pin_fields covers.
func TestPinsOfUnknownValue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ field, before, after, pin, pinned string }{
		"a block":    {"sessionAffinity", "None", "ClientIP", "spec.sessionAffinityConfig", "spec.sessionAffinityConfig.clientIP.timeoutSeconds: 10800"},
		"list items": {"type", "ClusterIP", "NodePort", "spec.ports[*].nodePort", ""},
		"a field":    {"type", "ClusterIP", "LoadBalancer", "spec.allocateLoadBalancerNodePorts", "spec.allocateLoadBalancerNodePorts: true"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			body := func(value string) string {
				text := objectConfig(s, `{ apiVersion = "v1", kind = "Service", metadata = { name = "web", namespace = "NS" },
    spec = { ports = [{ port = 80 }], `+test.field+` = `+value+" } }")
				return strings.Replace(text, "manifest = {", `pin_fields = ["`+test.pin+"\"]\n  manifest = {", 1)
			}
			next := resource.TestStep{
				PreConfig: s.NextStep(), Config: body(laterText) + later(test.after),
				ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			}
			if test.pinned != "" {
				next.ConfigStateChecks = story.StateChecks(story.ExpectState("pinned", test.pinned))
			}
			s.Run(resource.TestStep{Config: body(`"` + test.before + `"`)}, next, s.Noop(next.Config))
		})
	}
}

// Nulls, the types of lists and the spelling of numbers are no change. Beside another change they go with it.
func TestEqualObjects(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	block := strings.TrimPrefix(objectConfig(s, deploymentObject), s.ProviderBlock())
	w.Configure(block)
	w.Do("apply", "-auto-approve")
	other := strings.NewReplacer("labels      = null", "", "minReadySeconds = null", "paused = null", `["-v", "-q"]`, `tolist(["-v", "-q"])`,
		"replicas        = 2", "replicas = 2.0").Replace(block)
	w.Configure(other)
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	w.Configure(strings.Replace(other, "manifest = {", "on_destroy = \"delete\"\n  manifest = {", 1))
	w.Exits(story.Changes, "plan", "-detailed-exitcode")
	w.Do("apply", "-auto-approve")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode", "-refresh=false")
	w.Do("destroy", "-auto-approve")
}

// If some values of an object are known only after the apply, everything else about it is known: its identity, owners,
// other values and conflicts.
func TestUnknownValueInAnObject(t *testing.T) {
	s := story.New(t)
	const (
		note   = "metadata.annotations.note"
		image  = `spec.template.spec.containers[name="app"].image`
		args   = `spec.template.spec.containers[name="log"].args`
		memory = `spec.template.spec.containers[name="log"].resources.requests.memory`
	)
	all := []string{"NOTE: " + laterText, "IMAGE: " + laterText, "ARG: " + laterText, "MEMORY: " + laterText}
	known := plancheck.ExpectKnownValue(story.Address, tfjsonpath.New("id"), knownvalue.StringExact(s.Expand(story.WebID)))
	s.Run(
		resource.TestStep{
			Config: later("128") + objectConfig(s, deploymentObject, all...),
			ConfigPlanChecks: story.PlanChecks(known,
				expectUnknownEntries("managed_state "+note, "managed_state "+image, "managed_state "+args, "managed_state "+memory),
				story.ExpectOwner("spec.replicas", story.Absent, story.Us), story.ExpectOwner(image, story.Absent, story.Us),
				story.ExpectValue("spec.replicas", story.Absent, "2"),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, image+": 128", args+`: ["-v","128"]`)),
		},
		resource.TestStep{ // Others write: what we take back is told, whatever is unknown.
			PreConfig: s.NextStep(func() {
				s.As("eve").Patch(story.Web, `{"spec": {"replicas": 5}, "metadata": {"annotations": {"note": "eve"}}}`)
			}),
			Config: strings.Replace(later("256"), "later", "again", 1) + strings.NewReplacer("data.later", "data.again",
				"manifest = {", `exports = { note = "metadata.annotations.note", app = "spec.selector.matchLabels.app" }`+"\n  manifest = {").Replace(objectConfig(s, deploymentObject, all...)),
			ConfigPlanChecks: story.PlanChecks(known,
				plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New("values").AtMapKey("note")),
				story.ExpectOwner("spec.replicas", "eve", story.Us), story.ExpectValue("spec.replicas", "5", "2"),
				expectUnknownEntries("co_owners", "field_ownership "+note, "managed_state "+note, "managed_state "+image, "managed_state "+args, "managed_state "+memory),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.replicas: 2", note+": 256", memory+": 256")),
			Check:             s.ExpectOwners(story.Web, note, story.Us),
		},
	)
}

// Where an unknown value decides which fields there are, or the server does not take the stand-in, the maps are known after the
// apply only. The identity is known.
func TestUnknownValueThatDecides(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to, value string
		unknown         []string
	}{
		"the key of a list item":      {`name = "log", image`, "name = " + laterText + ", image", "logs", []string{"co_owners", "field_ownership", "managed_state"}},
		"a map":                       {`labels      = null`, `labels = terraform_data.labels.output`, "x", []string{"co_owners", "field_ownership", "managed_state"}},
		"a value of few possible":     {`replicas        = 2`, `replicas = 2` + "\nstrategy = { type = " + laterText + " }", "Recreate", []string{"co_owners", "field_ownership", "managed_state"}},
		"a number that may be none":   {`minReadySeconds = null`, `minReadySeconds = tonumber(` + laterText + `)`, "0", []string{"co_owners", "field_ownership", "managed_state"}},
		"a number":                    {`replicas        = 2`, `replicas = tonumber(` + laterText + `)`, "0", []string{"managed_state spec.replicas"}},
		"a bool that may be none":     {`minReadySeconds = null`, `paused = tobool(` + laterText + `)`, "true", []string{"co_owners", "field_ownership", "managed_state"}},
		"a bool":                      {"        spec = {\n", "        spec = {\n enableServiceLinks = tobool(" + laterText + ")\n", "true", []string{"managed_state spec.template.spec.enableServiceLinks"}},
		"a value that leaves no item": {`["-v", "-q"]`, `["-v", terraform_data.labels.output.a]`, "x", []string{`managed_state spec.template.spec.containers[name="log"].args`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			config := strings.Replace(objectConfig(s, deploymentObject), test.from, test.to, 1) + later(test.value) +
				"resource \"terraform_data\" \"labels\" {\n  input = { a = \"b\" }\n}\n"
			s.Run(resource.TestStep{
				Config: config,
				ConfigPlanChecks: story.PlanChecks(
					plancheck.ExpectKnownValue(story.Address, tfjsonpath.New("id"), knownvalue.StringExact(s.Expand(story.WebID))),
					expectUnknownEntries(test.unknown...),
				),
			})
		})
	}
}

// The stand-in of an unknown value may be the reason why the server drops another value: a Service without session affinity has no
// timeout of it.
func TestUnknownValueBesideDroppedOne(t *testing.T) {
	t.Parallel()
	const ports = `ports = [{ name = "web", port = 80 }]`
	affinity := ports + "\nsessionAffinity = " + laterText + "\nsessionAffinityConfig = { clientIP = { timeoutSeconds = 60 } }"
	check := func(s *story.Story) resource.TestCheckFunc {
		return s.ExpectLiveJSON("v1 Service svc", `{"clientIP":{"timeoutSeconds":60}}`, "spec", "sessionAffinityConfig")
	}
	unknown := []string{story.FieldOwnership, story.CoOwners, story.ManagedState}
	t.Run("of a manifest", func(t *testing.T) {
		s := story.New(t)
		config := func(spec string) string {
			return objectConfig(s, "{\napiVersion = \"v1\"\nkind = \"Service\"\nmetadata = { name = \"svc\", namespace = \"NS\" }\nspec = {\n"+spec+"\n}\n}")
		}
		s.Run(
			resource.TestStep{Config: config(ports)},
			resource.TestStep{
				Config:            later("ClientIP") + config(affinity),
				ConfigPlanChecks:  story.PlanChecks(story.ExpectUnknown(story.Address, unknown...)),
				ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.sessionAffinityConfig.clientIP.timeoutSeconds: 60")),
				Check:             check(s),
			},
		)
	})
	t.Run("of a patch", func(t *testing.T) {
		s := story.New(t)
		s.As("admin").Apply("{apiVersion: v1, kind: Service, metadata: {name: svc, namespace: NS}, spec: {ports: [{name: web, port: 80}]}}")
		s.Run(resource.TestStep{
			Config: later("ClientIP") + s.ProviderBlock() + s.Expand("resource \"k8sconnect_patch\" \"test\" {\n"+
				`target = { api_version = "v1", kind = "Service", namespace = "NS", name = "svc" }`+"\nfield_manager = \"team\"\nmanifest = { spec = {\n"+affinity+"\n} }\n}\n"),
			ConfigPlanChecks: story.PlanChecks(story.ExpectUnknown(story.PatchAddress, unknown...)),
			Check:            check(s),
		})
	})
}

// The last value of an unknown one may not fit what else has changed, so that the server refuses the stand-in.
func TestUnknownValueThatWasAnother(t *testing.T) {
	s := story.New(t)
	config := func(spec string) string {
		return objectConfig(s, "{\napiVersion = \"v1\"\nkind = \"Service\"\nmetadata = { name = \"svc\", namespace = \"NS\" }\nspec = {\n"+
			"ports = [{ name = \"web\", port = 80 }]\n"+spec+"\n}\n}")
	}
	s.Run(
		resource.TestStep{Config: config("type = \"ExternalName\"\nexternalName = \"example.com\"")},
		resource.TestStep{
			Config:           later("NodePort") + config("type = "+laterText),
			ConfigPlanChecks: story.PlanChecks(story.ExpectUnknown(story.Address, story.FieldOwnership, story.CoOwners, story.ManagedState)),
			Check:            s.ExpectLive("v1 Service svc", map[string]any{"spec.type": "NodePort"}),
		},
	)
}

// A patch takes an object as well.
func TestPatchWithAnObject(t *testing.T) {
	s := story.New(t)
	s.As("admin").Apply(story.Deployment)
	config := func(note string) string {
		return s.ProviderBlock() + s.Expand(`resource "k8sconnect_patch" "test" {
  target        = { api_version = "apps/v1", kind = "Deployment", namespace = "NS", name = "web" }
  field_manager = "team"
  manifest = {
    metadata = { annotations = { note = `+note+`, other = null } }
    spec     = { template = { spec = { containers = [{ name = "app", env = [{ name = "P", value = "1" }] }] } } }
  }
}
`)
	}
	s.Run(
		resource.TestStep{
			Config: config(`"one"`),
			Check: story.LiveChecks(s.ExpectLive(story.Web, map[string]any{"metadata.annotations.note": "one"}),
				s.ExpectOwners(story.Web, "metadata.annotations.note", "team")),
		},
		resource.TestStep{
			Config: later("two") + config(laterText),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectUnknownValue(story.PatchAddress, tfjsonpath.New("managed_state").AtMapKey("metadata.annotations.note")),
				plancheck.ExpectKnownValue(story.PatchAddress, tfjsonpath.New("managed_state").AtMapKey(`spec.template.spec.containers[name="app"].env[name="P"].value`), knownvalue.StringExact("1")),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"metadata.annotations.note": "two"}),
		},
	)
}
