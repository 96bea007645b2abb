package acceptance_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// patternBody has one field of each kind that a pattern can name; NAME and NOTE vary.
const patternBody = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: NAME
  namespace: NS
  finalizers: [x.io/y]
  annotations:
    a.b/c: ours
    note: NOTE
spec:
  replicas: 1
  paused: true
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: nginx:1.25
        ports: [{containerPort: 80, name: http}]
        resources: {limits: {cpu: 100m}}
`

// ignoring is an object whose pattern leaves a field to another client.
type ignoring struct {
	pattern string
	// covers are the fields that the pattern covers, as field_ownership writes them.
	covers []string
	// drop is the text of patternBody that is not sent.
	drop string
	// theirs is what another client writes, a merge patch.
	theirs string
	// path leads to the value, first ours and then theirs.
	path        string
	was, become string
}

func replicasBy(pattern string) ignoring {
	return ignoring{
		pattern: pattern, covers: []string{"spec.replicas"}, drop: "  replicas: 1\n",
		theirs: `{"spec":{"replicas":2}}`, path: "{.spec.replicas}", was: "1", become: "2",
	}
}

func imageBy(pattern string) ignoring {
	return ignoring{
		pattern: pattern, covers: []string{story.AppContainer + ".image"}, drop: "        image: nginx:1.25\n",
		theirs: theirContainer(`"image":"nginx:1.27"`), path: story.ImagePath, was: "nginx:1.25", become: "nginx:1.27",
	}
}

func annotationBy(pattern string) ignoring {
	return ignoring{
		pattern: pattern, covers: []string{"metadata.annotations.a.b/c"}, drop: "    a.b/c: ours\n",
		theirs: `{"metadata":{"annotations":{"a.b/c":"theirs"}}}`,
		path:   `{.metadata.annotations.a\.b/c}`, was: "ours", become: "theirs",
	}
}

func portBy(pattern string) ignoring {
	const port = story.AppContainer + `.ports[containerPort=80,protocol="TCP"]`
	return ignoring{
		pattern: pattern, covers: []string{port, port + ".name", port + ".containerPort"},
		drop:   "        ports: [{containerPort: 80, name: http}]\n",
		theirs: theirContainer(`"ports":[{"containerPort":80,"name":"https"}]`),
		path:   "{.spec.template.spec.containers[0].ports[*].name}", was: "http", become: "https",
	}
}

func portNameBy(pattern string) ignoring {
	by := portBy(pattern)
	by.covers, by.drop = by.covers[1:2], ", name: http"
	return by
}

// theirContainer rewrites the one container, with our values where others are not given.
func theirContainer(fields string) string {
	ours := map[string]string{
		"image": `"nginx:1.25"`, "ports": `[{"containerPort":80,"name":"http"}]`, "resources": `{"limits":{"cpu":"100m"}}`,
	}
	container := []string{`"name":"app"`, fields}
	for name, value := range ours {
		if !strings.HasPrefix(fields, `"`+name+`"`) {
			container = append(container, fmt.Sprintf("%q:%s", name, value))
		}
	}
	return `{"spec":{"template":{"spec":{"containers":[{` + strings.Join(container, ",") + `}]}}}}`
}

var patternForms = map[string]ignoring{
	"a plain path":                             replicasBy("spec.replicas"),
	"a path as an API conflict prints it":      replicasBy(".spec.replicas"),
	"an item by a quoted key":                  imageBy(`spec.template.spec.containers[name="app"].image`),
	"an item by a bare key":                    imageBy(`spec.template.spec.containers[name=app].image`),
	"an item by its position":                  imageBy(`spec.template.spec.containers[0].image`),
	"any item":                                 imageBy(`spec.template.spec.containers[*].image`),
	"a quoted map key":                         annotationBy(`metadata.annotations["a.b/c"]`),
	"a bare map key":                           annotationBy(`metadata.annotations.a.b/c`),
	"an item by one of its keys":               portBy(story.AppContainer + `.ports[containerPort=80]`),
	"an item by all of its keys":               portBy(story.AppContainer + `.ports[containerPort=80,protocol="TCP"]`),
	"a field of an item by one of its keys":    portNameBy(story.AppContainer + `.ports[containerPort=80].name`),
	"a field of an item by all of its keys":    portNameBy(story.AppContainer + `.ports[containerPort=80,protocol="TCP"].name`),
	"a field of an item by its default key":    portNameBy(story.AppContainer + `.ports[protocol=TCP].name`),
	"the same path as an API conflict has it":  portNameBy("." + story.AppContainer + `.ports[containerPort=80,protocol="TCP"].name`),
	"a wildcard below an item by its position": portNameBy(`spec.template.spec.containers[0].ports[*].name`),
	"a parent": {
		pattern: story.AppContainer + ".resources", covers: []string{story.AppContainer + ".resources", story.AppContainer + ".resources.limits.cpu"},
		drop:   "        resources: {limits: {cpu: 100m}}\n",
		theirs: theirContainer(`"resources":{"limits":{"cpu":"200m"}}`),
		path:   "{.spec.template.spec.containers[0].resources.limits.cpu}", was: "100m", become: "200m",
	},
	"a set member": {
		pattern: `metadata.finalizers[="x.io/y"]`, covers: []string{`metadata.finalizers[="x.io/y"]`},
		drop: "  finalizers: [x.io/y]\n", theirs: `{"metadata":{"finalizers":null}}`,
		path: "{.metadata.finalizers[*]}", was: "x.io/y", become: "",
	},
}

// Every form of a pattern leaves its field to another client: at create it is sent and released, and what they write to
// it stays over two more applies. One configuration has an object for each form.
func TestIgnorePatternForms(t *testing.T) {
	s := story.New(t)
	forms := patternObjects()
	s.Run(
		resource.TestStep{
			Config: patternConfig(s, forms, "one"),
			ConfigPlanChecks: story.PlanChecks(
				expectUnowned(forms, func(p story.Planned) map[string]any { return p.After }),
				s.ExpectNoWarning(),
			),
			Check: expectForms(s, forms, func(form ignoring) string { return form.was }, expectUnownedLive),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				for name, form := range forms {
					s.As("kubectl-edit").Patch("apps/v1 Deployment "+name, form.theirs)
				}
			}),
			Config:           patternConfig(s, forms, "two"),
			ConfigPlanChecks: story.PlanChecks(append(expectFormPredictions(s, forms, "two"), s.ExpectNoWarning())...),
			Check:            expectForms(s, forms, func(form ignoring) string { return form.become }, nil),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           patternConfig(s, forms, "three"),
			ConfigPlanChecks: story.PlanChecks(append(expectFormPredictions(s, forms, "three"), s.ExpectNoWarning())...),
			Check:            expectForms(s, forms, func(form ignoring) string { return form.become }, nil),
		},
	)
}

// patternObjects names the object of each form after its sentence.
func patternObjects() map[string]ignoring {
	objects := map[string]ignoring{}
	for sentence, form := range patternForms {
		objects[strings.ReplaceAll(strings.ToLower(sentence), " ", "-")] = form
	}
	return objects
}

// body leaves the finalizer out where no client will remove it.
func (f ignoring) body(name, note string) string {
	body := strings.NewReplacer("NAME", name, "NOTE", note).Replace(patternBody)
	if strings.Contains(f.pattern, "finalizers") {
		return body
	}
	return strings.Replace(body, "  finalizers: [x.io/y]\n", "", 1)
}

func (f ignoring) sent(name, note string) string {
	return strings.Replace(f.body(name, note), f.drop, "", 1)
}

func patternConfig(s *story.Story, forms map[string]ignoring, note string) string {
	config := s.ProviderBlock()
	for name, form := range forms {
		config += s.Manifest(name, form.body(name, note), fmt.Sprintf("ignore_fields = [%q]", form.pattern),
			`timeouts { delete = "20s" }`)
	}
	return config
}

// expectUnowned asserts that nobody is shown as the owner of a covered field on one side of the plan.
func expectUnowned(forms map[string]ignoring, side func(story.Planned) map[string]any) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		var faults []error
		for name, form := range forms {
			p, err := story.PlannedAt(req, "k8sconnect_manifest."+name)
			if err != nil {
				return err
			}
			for _, field := range form.covers {
				for _, attribute := range []string{story.FieldOwnership, story.CoOwners, story.ManagedState} {
					if got := story.Entry(side(p), attribute, field); got != story.Absent {
						faults = append(faults, fmt.Errorf("%s: %s[%s] is %s", form.pattern, attribute, field, got))
					}
				}
			}
		}
		return errors.Join(faults...)
	})
}

func expectFormPredictions(s *story.Story, forms map[string]ignoring, note string) []plancheck.PlanCheck {
	var all []plancheck.PlanCheck
	for name, form := range forms {
		at := "k8sconnect_manifest." + name
		all = append(all, plancheck.ExpectResourceAction(at, plancheck.ResourceActionUpdate),
			s.ExpectPredictionAt(at, form.sent(name, note)))
	}
	return all
}

// expectForms asserts the live value of each form's field, and what else is to hold of the object.
func expectForms(s *story.Story, forms map[string]ignoring, want func(ignoring) string, also func(*story.Story, string, ignoring) error) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		var faults []error
		for name, form := range forms {
			target := "apps/v1 Deployment " + name
			err := s.ExpectJSONPath(target, map[string]string{form.path: want(form)})(state)
			if err == nil && also != nil {
				err = also(s, target, form)
			}
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", form.pattern, err))
			}
		}
		return errors.Join(faults...)
	}
}

func expectUnownedLive(s *story.Story, target string, form ignoring) error {
	for _, field := range form.covers {
		owners, err := s.LiveOwners(target, field)
		if err != nil || slices.Contains(owners, "k8sconnect") {
			return fmt.Errorf("%s is owned by %q: %w", field, owners, err)
		}
	}
	return nil
}
