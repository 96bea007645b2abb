package acceptance_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

const shop = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {app: web}}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "nginx:1.28", env: [{name: LOG_LEVEL, value: info}]}]}
`

// writeShop lets five managers write a Deployment, a second apart: the times of entries, and so their order, have whole
// seconds.
func writeShop(s *story.Story) {
	s.As("k8sconnect").Apply(shop)
	for _, write := range []func(){
		func() {
			s.As("flux").Apply("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS, labels: " +
				"{app: web, owner: payments}}}")
		},
		func() {
			s.As("kubectl-edit").StrategicPatch(story.Web,
				`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.29"}]}}}}`)
		},
		func() { s.As("kubectl").Scale(story.Web, 1) },
	} {
		s.AwaitRollouts()
		time.Sleep(time.Second)
		write()
	}
	s.AwaitRollouts()
}

func TestOneObject(t *testing.T) {
	s := story.New(t)
	writeShop(s)
	c := caller{s, story.ControlPlane().RESTConfig()}
	golden.Compare(t, "owners/web.yaml", c.prints("deploy/web", "-n", s.Namespace))
	golden.Compare(t, "owners/web.json", c.prints("deploy/web", "-n", s.Namespace, "-o", "json"))
	fromYAML, err := yaml.YAMLToJSON([]byte(c.prints("deploy/web", "-n", s.Namespace, "-o", "yaml")))
	story.Must(t, err)
	fromJSON, err := yaml.YAMLToJSON([]byte(c.prints("deploy/web", "-n", s.Namespace, "-o", "json")))
	story.Must(t, err)
	if string(fromYAML) != string(fromJSON) {
		t.Errorf("-o yaml says %s, and -o json %s", fromYAML, fromJSON)
	}
	if text := c.prints("deploy/web", "-n", s.Namespace, "--status"); !strings.Contains(text, "observedGeneration") {
		t.Errorf("--status prints no status: %s", text)
	}
}

// The page of an object has its lines with values and owners, and that of a namespace the lines of each object without values.
func TestPages(t *testing.T) {
	s := story.New(t)
	writeShop(s)
	c := caller{s, story.ControlPlane().RESTConfig()}
	type line struct {
		Path   string
		Was    *string
		Before []string
	}
	// targets are the findings that a page opens on, by the objects that they lead to.
	var targets map[string]string
	linesOf := func(args ...string) map[string]line {
		_, data, _ := strings.Cut(c.prints(append(args, "-n", s.Namespace, "--html")...), `<script type="application/json" id="data">`)
		data, _, _ = strings.Cut(data, "</script>")
		var page struct {
			Live   bool
			Survey struct {
				Groups []struct {
					Alike []struct {
						Findings []struct{ Object, Target string }
					}
				}
				Managers []struct{ Label string }
			}
			Objects []struct {
				ID    string
				Kind  string
				Lines []line
			}
		}
		story.Must(t, json.Unmarshal([]byte(data), &page))
		found := map[string]line{}
		targets = map[string]string{}
		for _, group := range page.Survey.Groups {
			for _, alike := range group.Alike {
				for _, finding := range alike.Findings {
					targets[finding.Object] = finding.Target
				}
			}
		}
		if len(targets) > 0 && len(page.Survey.Managers) == 0 {
			t.Error("the page has findings and no managers")
		}
		for _, object := range page.Objects {
			for _, of := range object.Lines {
				if object.Kind == "Deployment" {
					found[of.Path] = of
				}
			}
			if target := targets[object.ID]; object.Kind == "Deployment" && len(targets) > 0 && target != "deployments.apps shop/web" {
				t.Errorf("the finding about the Deployment leads to %q", target)
			}
		}
		if !page.Live || len(found) == 0 {
			t.Fatalf("no page of owners: %s", data)
		}
		return found
	}
	one := linesOf("deploy/web")
	if len(targets) > 0 {
		t.Errorf("the page of one object has findings: %v", targets)
	}
	all := linesOf()
	if len(targets) == 0 {
		t.Error("the page of the namespace has no findings")
	}
	if got := one["spec.replicas"]; got.Was == nil || *got.Was != "1" || !slices.Equal(got.Before, []string{"kubectl (scale)"}) {
		t.Errorf("the page of the Deployment has %+v", got)
	}
	if got := all["spec.replicas"]; got.Was != nil || !slices.Equal(got.Before, []string{"kubectl (scale)"}) {
		t.Errorf("the page of the namespace has %+v", got)
	}
	for path, of := range all {
		if strings.HasPrefix(path, "status") {
			t.Errorf("a field under status without --status: %+v", of)
		}
	}
	if code, _, errs := c.run("--html", "-o", "json"); code != 1 || !strings.Contains(errs, "leave out --output or --html") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

func TestSeveralObjects(t *testing.T) {
	s := story.New(t)
	for _, name := range []string{"a", "b", "c"} {
		s.As("flux").Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: NS, labels: {test: NS}}}")
	}
	s.As("flux").Patch("v1 ConfigMap c", `{"metadata":{"labels":{"app":"web"}}}`)
	c := caller{s, story.ControlPlane().RESTConfig()}
	for args, want := range map[string]string{
		"cm/a cm/b": "a b", "cm b a": "b a", "configmaps,secrets -l test": "a b c", "cm -l app=web": "c",
	} {
		var got []string
		for part := range strings.SplitSeq(c.prints(append(strings.Fields(args), "-n", s.Namespace)...), "---\n") {
			got = append(got, strings.Fields(strings.TrimPrefix(part, "# Who owns ConfigMap shop/"))[0])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: printed are %v, want %s", args, got, want)
		}
	}
	c.user = s.AddUser("reader-of-" + s.Namespace)
	for args, want := range map[string]string{
		"cm/a cm/b": "get configmaps NS/a 200, get configmaps NS/b 200", "cm -l test": "list configmaps NS 200",
	} {
		mark := story.AuditLog(t).Mark()
		c.prints(append(strings.Fields(args), "-n", s.Namespace)...)
		sent, err := story.AuditLog(t).Since(mark, testcluster.ByUser("reader-of-"+s.Namespace), testcluster.ByResource("configmaps"))
		story.Must(t, err)
		if got := strings.ReplaceAll(strings.Join(testcluster.Lines(sent), ", "), s.Namespace, "NS"); got != want {
			t.Errorf("%s: sent are %s, want %s", args, got, want)
		}
	}
	code, out, errs := c.run("cm/a", "cm/none", "-n", s.Namespace)
	if code != 1 || !strings.Contains(out, "Who owns ConfigMap") || !strings.Contains(errs, `configmaps "none" not found`) {
		t.Errorf("one of two objects is missing: exit code %d, %s, %s", code, out, errs)
	}
}

func TestKubectlOwnersMasksSecrets(t *testing.T) {
	s := story.New(t)
	s.As("flux").ApplyClientSide("{apiVersion: v1, kind: Secret, metadata: {name: pass, namespace: NS}, stringData: {key: hunter2}}")
	c := caller{s, story.ControlPlane().RESTConfig()}
	for _, args := range []string{"secret/pass", "secret/pass -o json", "secret/pass -o yaml", "", "-o json"} {
		code, out, errs := c.run(append(strings.Fields(args), "-n", s.Namespace)...)
		if code != 0 || strings.Contains(out+errs, "hunter2") || strings.Contains(out+errs, "aHVudGVyMg==") || !strings.Contains(out, "flux") {
			t.Errorf("%s: exit code %d, %s, %s", args, code, out, errs)
		}
	}
}
