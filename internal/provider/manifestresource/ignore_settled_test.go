package manifestresource_test

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
	appContainer + `.env[name="MODE"].value`,
	appContainer + ".image",
	appContainer + `.ports[containerPort=80,protocol="TCP"].name`,
}

var theirContest = strings.NewReplacer("ours", "theirs", "replicas: 1", "replicas: 2", "1.25", "1.27", "http", "https").Replace(contestedBody)

// Whatever paths a conflict warning or the API server's own conflict prints are pasted into ignore_fields
// and resolve it.
func TestConflictPathsResolveTheConflict(t *testing.T) {
	for name, prefix := range map[string]string{
		"as the warning prints them":       "",
		"as the API server's 409 has them": ".",
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			line := ignoreLine(prefix)
			theirs := map[string]string{
				"{.spec.replicas}": "2", imagePath: "nginx:1.27", `{.metadata.annotations.a\.b/c}`: "theirs", "{.metadata.labels.team}": "theirs",
				"{.spec.template.spec.containers[0].env[0].value}": "theirs", "{.spec.template.spec.containers[0].ports[0].name}": "https",
			}
			paste := func(body string, warning plancheck.PlanCheck) resource.TestStep {
				return resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(body, line),
					ConfigPlanChecks: checks(
						plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate), warning,
					),
					Check: s.expectJSONPath(web, theirs),
				}
			}
			pasted := paste(contestedBody, s.expectNoWarning())
			pasted.ConfigPlanChecks.PreApply = append(pasted.ConfigPlanChecks.PreApply, expectOnly(fieldOwnership), expectOnly(coOwners))
			s.run(
				resource.TestStep{Config: s.config(contestedBody), ConfigPlanChecks: checks(s.expectPrediction(contestedBody))},
				resource.TestStep{
					PreConfig:          s.anew(func() { s.as("argocd").apply(theirContest) }),
					Config:             s.config(contestedBody),
					PlanOnly:           true,
					ExpectNonEmptyPlan: true,
					ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{
						s.expectPrediction(contestedBody),
						s.expectWarning("the apply takes back 6 fields that other owners changed:\n", ignoreLine("")),
						expectCauses(s, contestedBody, contestedFields),
					}},
				},
				pasted,
				paste(contestedBody+"  minReadySeconds: 1\n", s.expectNoWarning()),
				paste(contestedBody+"  minReadySeconds: 2\n", s.expectNoWarning()),
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
func expectCauses(s *story, body string, want []string) plancheck.PlanCheck {
	return check(func(ctx context.Context, _ plancheck.CheckPlanRequest) error {
		object := s.parse(body)
		_, err := s.resourceOf(object).Apply(ctx, object.GetName(), object,
			metav1.ApplyOptions{FieldManager: "k8sconnect", DryRun: []string{metav1.DryRunAll}})
		sorted := slices.Sorted(slices.Values(want))
		if diff := cmp.Diff(sorted, conflicts(err)); diff != "" {
			return fmt.Errorf("fields of the 409 (-want +got):\n%s", diff)
		}
		return nil
	})
}

// An object of which everything is ignored is created, needs no further plan, and keeps its values when
// the body changes. As nobody owns any of it, that apply makes the server record before-first-apply.
func TestEverythingIgnored(t *testing.T) {
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
			s := newStory(t)
			const target = "v1 ConfigMap settings"
			with := func(value string) string {
				return s.config(strings.ReplaceAll(settings, "VALUE", value), ignore)
			}
			live := s.expectJSONPath(target, map[string]string{
				"{.data.mode}": "one", "{.metadata.labels.team}": "one", "{.immutable}": "false",
			})
			s.run(
				resource.TestStep{
					Config: with("one"),
					ConfigPlanChecks: checks(
						expectOwner("data.mode", absent, absent), expectValue("data.mode", absent, absent), s.expectNoWarning(),
					),
					ConfigStateChecks: states(
						expectState(fieldOwnership, "data.mode: "+absent), expectState(managedState, "data.mode: "+absent),
					),
					Check: lives(live, s.expectNoOwner(target, "data.mode"), s.expectNoOwner(target, "metadata.labels.team")),
				},
				resource.TestStep{
					Config:           with("one"),
					ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan(), s.expectNoWarning()),
				},
				resource.TestStep{
					Config: with("two"),
					ConfigPlanChecks: checks(
						plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
						expectUnknown(address, fieldOwnership, coOwners), expectOnly(managedState), s.expectNoWarning(),
					),
					ConfigStateChecks: states(
						expectState(fieldOwnership, "data.mode: before-first-apply"), expectState(managedState, "data.mode: "+absent),
					),
					Check: lives(live, s.expectSilence()),
				},
			)
		})
	}
}

// Somebody who writes to the object again and again while its fields are released costs retries and
// nothing else.
func TestReleaseRetriesWhileOthersWrite(t *testing.T) {
	s := newStory(t)
	const writes = 3
	written := 0
	provider := providerThrough(s, func(r *http.Request) {
		if r.Header.Get("Content-Type") != string(types.JSONPatchType) || written == writes {
			return
		}
		written++
		s.as("noise").patch(web, fmt.Sprintf(`{"metadata":{"annotations":{"noise":"%d"}}}`, written))
	})
	var mark testcluster.Position
	s.run(
		resource.TestStep{
			Config:           provider + s.manifest("test", deployment),
			ConfigPlanChecks: checks(s.expectPrediction(deployment)),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { mark = controlPlane().AuditLog().Mark() }),
			Config:    provider + s.manifest("test", deployment, ignoreReplicas),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "spec.replicas: k8sconnect -> (absent)"),
				s.expectOnlyWarning(released("spec.replicas", "3")...),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, "spec.replicas: "+absent)),
			Check: lives(
				s.expectJSONPath(web, map[string]string{"{.spec.replicas}": "3", "{.metadata.annotations.noise}": fmt.Sprint(writes)}),
				s.expectNoOwner(web, "spec.replicas"),
				s.expectRepeated("releases a field"),
				func(*terraform.State) error {
					refused := testcluster.Matching(s.requests(mark), func(r testcluster.Request) bool { return r.Code == http.StatusConflict })
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
func providerThrough(s *story, before func(*http.Request)) string {
	s.t.Helper()
	config := controlPlane().RESTConfig()
	transport, err := rest.TransportFor(config)
	must(s.t, err)
	target, err := url.Parse(config.Host)
	must(s.t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = transport
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before(r)
		r.Header.Del("Authorization")
		proxy.ServeHTTP(w, r)
	}))
	s.t.Cleanup(server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { host = %q, token = \"none\", cluster_ca_certificate = %q }\n}\n", server.URL, authority)
}
