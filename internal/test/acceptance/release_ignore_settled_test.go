package acceptance_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

const contestedBody = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: NS
  annotations: {a.b/c: ours}
  labels: {team: ours}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "nginx:1.25", ports: [{containerPort: 80, name: http}], env: [{name: MODE, value: ours}]}
`

// contestedFields are what theirContest takes, as field_ownership writes them.
var contestedFields = []string{
	"metadata.annotations.a.b/c",
	"metadata.labels.team",
	"spec.replicas",
	story.AppContainer + `.env[name="MODE"].value`,
	story.AppContainer + ".image",
	story.AppContainer + `.ports[containerPort=80,protocol="TCP"].name`,
}

var theirContest = strings.NewReplacer("ours", "theirs", "replicas: 1", "replicas: 2", "1.25", "1.27", "http", "https").Replace(contestedBody)

// Whatever paths a conflict warning or the API server's own conflict prints are pasted into ignore_fields
// and resolve it.
func TestConflictPathsResolveTheConflict(t *testing.T) {
	t.Parallel()
	for name, prefix := range map[string]string{
		"as the warning prints them":       "",
		"as the API server's 409 has them": ".",
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			line := ignoreLine(prefix)
			theirs := map[string]string{
				"{.spec.replicas}": "2", story.ImagePath: "nginx:1.27", `{.metadata.annotations.a\.b/c}`: "theirs", "{.metadata.labels.team}": "theirs",
				"{.spec.template.spec.containers[0].env[0].value}": "theirs", "{.spec.template.spec.containers[0].ports[0].name}": "https",
			}
			paste := func(body string, warning plancheck.PlanCheck) resource.TestStep {
				return resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(body, line),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), warning,
					),
					Check: s.ExpectJSONPath(story.Web, theirs),
				}
			}
			pasted := paste(contestedBody, s.ExpectOnlyWarning("the apply leaves 6 fields to their owners, with the values they have:"))
			pasted.ConfigPlanChecks.PreApply = append(pasted.ConfigPlanChecks.PreApply, story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.CoOwners))
			s.Run(
				resource.TestStep{Config: s.Config(contestedBody), ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(contestedBody))},
				resource.TestStep{
					PreConfig:          s.NextStep(func() { s.As("argocd").Apply(theirContest) }, s.AwaitRollouts),
					Config:             s.Config(contestedBody),
					PlanOnly:           true,
					ExpectNonEmptyPlan: true,
					ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{
						s.ExpectPrediction(contestedBody),
						s.ExpectWarning("the apply takes back 6 fields that other owners changed:\n", ignoreLine("")),
						expectCauses(s, contestedBody, contestedFields),
					}},
				},
				pasted,
				paste(contestedBody+"  minReadySeconds: 1\n", s.ExpectNoWarning()),
				paste(contestedBody+"  minReadySeconds: 2\n", s.ExpectNoWarning()),
			)
		})
	}
}

func ignoreLine(prefix string) string {
	quoted := make([]string, len(contestedFields))
	for i, field := range contestedFields {
		quoted[i] = `"` + strings.ReplaceAll(prefix+field, `"`, `\"`) + `"`
	}
	return "ignore_fields = [" + strings.Join(quoted, ", ") + "]"
}

// expectCauses asserts the fields of the API server's 409 to an apply of ours without force.
func expectCauses(s *story.Story, body string, want []string) plancheck.PlanCheck {
	return story.Check(func(ctx context.Context, _ plancheck.CheckPlanRequest) error {
		object := s.Parse(body)
		_, err := s.ResourceOf(object).Apply(ctx, object.GetName(), object,
			metav1.ApplyOptions{FieldManager: "k8sconnect", DryRun: []string{metav1.DryRunAll}})
		sorted := slices.Sorted(slices.Values(want))
		if diff := cmp.Diff(sorted, story.Conflicts(err)); diff != "" {
			return fmt.Errorf("fields of the 409 (-want +got):\n%s", diff)
		}
		return nil
	})
}

// An object of which everything is ignored is created, needs no further plan, and keeps its values when the body
// changes. No manager owns any of it then, either.
func TestEverythingIgnored(t *testing.T) {
	t.Parallel()
	const settings = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: NS, labels: {team: VALUE}}
data: {mode: VALUE}
immutable: false
`
	for name, ignore := range map[string]string{
		"by field":  `ignore_fields = ["data", "metadata.labels.team", "immutable"]`,
		"by parent": `ignore_fields = ["data", "metadata.labels", "immutable"]`,
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			const target = "v1 ConfigMap settings"
			with := func(value string) string {
				return s.Config(strings.ReplaceAll(settings, "VALUE", value), ignore)
			}
			live := s.ExpectJSONPath(target, map[string]string{
				"{.data.mode}": "one", "{.metadata.labels.team}": "one", "{.immutable}": "false",
			})
			s.Run(
				resource.TestStep{
					Config: with("one"),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectOwner("data.mode", story.Absent, story.Absent), story.ExpectValue("data.mode", story.Absent, story.Absent), s.ExpectNoWarning(),
					),
					ConfigStateChecks: story.StateChecks(
						story.ExpectState(story.FieldOwnership, "data.mode: "+story.Absent), story.ExpectState(story.ManagedState, "data.mode: "+story.Absent),
					),
					Check: story.LiveChecks(live, s.ExpectNoOwner(target, "data.mode"), s.ExpectNoOwner(target, "metadata.labels.team")),
				},
				resource.TestStep{
					Config:           with("one"),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
				},
				resource.TestStep{
					Config: with("two"),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
						story.ExpectOnly(story.ManagedState), s.ExpectNoWarning(),
					),
					ConfigStateChecks: story.StateChecks(
						story.ExpectState(story.FieldOwnership, "data.mode: "+story.Absent), story.ExpectState(story.ManagedState, "data.mode: "+story.Absent),
					),
					Check: story.LiveChecks(live, s.ExpectSilence()),
				},
			)
		})
	}
}

// A client that writes to the object again and again while its fields are released costs retries and nothing else.
func TestReleaseRetriesWhileOthersWrite(t *testing.T) {
	s := story.New(t)
	const writes = 3
	written := 0
	provider := providerThrough(s, func(r *http.Request) {
		if r.Header.Get("Content-Type") != string(types.JSONPatchType) || written == writes {
			return
		}
		written++
		s.As("noise").Patch(story.Web, fmt.Sprintf(`{"metadata":{"annotations":{"noise":"%d"}}}`, written))
	})
	var mark testcluster.Position
	s.Run(
		resource.TestStep{
			Config:           provider + s.Manifest("test", story.Deployment),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Deployment)),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { mark = story.AuditLog(t).Mark() }),
			Config:    provider + s.Manifest("test", story.Deployment, story.IgnoreReplicas),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "spec.replicas: k8sconnect -> (absent)"),
				s.ExpectOnlyWarning(released("spec.replicas", "3")...),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "spec.replicas: "+story.Absent)),
			Check: story.LiveChecks(
				s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "3", "{.metadata.annotations.noise}": fmt.Sprint(writes)}),
				s.ExpectNoOwner(story.Web, "spec.replicas"),
				s.ExpectRepeated("releases a field"),
				func(*terraform.State) error {
					refused := testcluster.Matching(s.Requests(mark), func(r testcluster.Request) bool { return r.Code == http.StatusConflict })
					if len(refused) < writes { // The deployment controller may write as well.
						return fmt.Errorf("%d releases were refused, want %d or more:\n%s", len(refused), writes, strings.Join(testcluster.Lines(refused), "\n"))
					}
					return nil
				},
			),
		},
	)
}

// providerThrough returns a provider block that connects through a server of the story's own, which calls
// before with each request and passes it on then.
func providerThrough(s *story.Story, before func(*http.Request)) string {
	s.T.Helper()
	config := story.ControlPlane().RESTConfig()
	transport, err := rest.TransportFor(config)
	story.Must(s.T, err)
	target, err := url.Parse(config.Host)
	story.Must(s.T, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = transport
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before(r)
		r.Header.Del("Authorization")
		proxy.ServeHTTP(w, r)
	}))
	s.T.Cleanup(server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { host = %q, token = \"none\", cluster_ca_certificate = %q }\n}\n", server.URL, authority)
}
