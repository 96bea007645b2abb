package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A rule protects an object from its first plan on and until an apply without it: with the resource, without its block,
// without the rule, and from the commands of Terraform.
func TestRuleProtects(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	old := s.Sight("v1 ConfigMap web")
	test := s.Manifest("test", story.ConfigMap)
	write := func(rules string, resources ...string) {
		story.Must(t, w.Write("provider \"k8sconnect\" {\n  cluster = { config_path = \"kubeconfig\" }\n  rules = ["+s.Expand(rules)+"]\n}\n"+strings.Join(resources, "\n")))
	}
	const protecting = `{ names = ["else"], on_conflict = "fail" }, { namespaces = ["NS"], delete_protection = true }`
	write("", test)
	w.Do("apply", "-auto-approve")
	story.Must(t, old.See(nil))
	var told strings.Builder
	refused := func(what string, args ...string) {
		t.Helper()
		out, err := w.Try(append(args, "-no-color")...)
		_, message, _ := strings.Cut(out, "Error: ")
		if err == nil || !story.Saying("Object Protected", s.Expand("ConfigMap NS/web (v1)")).MatchString(out) {
			t.Errorf("%s: want a refusal, got %v\n%s", what, err, out)
		}
		told.WriteString("== " + what + "\n" + s.Anonymous(message) + "\n")
		story.Must(t, old.ExpectKept(nil))
	}
	write(protecting)
	refused("a rule that was never applied, and no block", "plan")
	write(protecting, test)
	refused("terraform destroy before the first apply of the rule", "destroy", "-auto-approve")
	w.Do("apply", "-auto-approve")
	refused("terraform destroy", "destroy", "-auto-approve")
	refused("terraform destroy without a refresh", "destroy", "-auto-approve", "-refresh=false")
	refused("-replace", "plan", "-replace="+story.Address)
	write(protecting, s.Manifest("test", strings.Replace(story.ConfigMap, "name: web", "name: shop", 1)))
	refused("another name", "plan")
	write(protecting)
	refused("no block", "apply", "-auto-approve")
	write("")
	refused("neither the block nor the rule", "apply", "-auto-approve")
	golden.Compare(t, "deletion/rules/protects.txt", told.String())

	write(protecting, s.Manifest("test", story.ConfigMap, "delete_protection = false"))
	if out := w.Do("apply", "-auto-approve"); !strings.Contains(out, "delete_protection") {
		t.Error(out)
	}
	write(protecting)
	w.Do("apply", "-auto-approve")
	story.Must(t, s.ExpectGone(old.Target)(nil))
}

// A rule that goes takes its protection along with the next apply, which sends nothing.
func TestRuleOfProtectionGoes(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	write := func(rules string) {
		story.Must(t, w.Write("provider \"k8sconnect\" {\n  cluster = { config_path = \"kubeconfig\" }\n  rules = ["+rules+"]\n}\n"+s.Manifest("test", story.ConfigMap)))
	}
	write(`{ kinds = ["ConfigMap"], delete_protection = true }`)
	w.Do("apply", "-auto-approve")
	write("")
	if sent, _ := w.Cost("apply", "-auto-approve"); !slices.Equal(sent, []string{"get configmaps NS/web 200"}) {
		t.Errorf("an apply without the rule sends %q", sent)
	}
	w.Do("destroy", "-auto-approve")
	story.Must(t, s.ExpectGone("v1 ConfigMap web")(nil))
}
