package examples_test

import (
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// planGuard patches an object that a guard protects, as jane.
func planGuard(e *example) {
	e.apply()
	config := story.ControlPlane().RESTConfig()
	config.Impersonate = rest.ImpersonationConfig{UserName: "jane", Groups: []string{"system:masters"}}
	client, err := dynamic.NewForConfig(config)
	story.Must(e.T, err)
	lamps := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("harbour")
	const patch = `{"data":{"colour":"green"}}`
	write := func(dryRun ...string) error {
		_, err := lamps.Patch(e.T.Context(), "lamp", types.MergePatchType,
			[]byte(patch), metav1.PatchOptions{FieldManager: "kubectl-patch", DryRun: dryRun})
		return err
	}
	e.Await("the guard is in effect", func() bool { return write(metav1.DryRunAll) != nil })
	refusal := write()
	if !apierrors.IsForbidden(refusal) {
		e.T.Fatal(refusal)
	}
	words, column := strings.Fields(refusal.Error()), len("Error from server (Forbidden):")
	var lines strings.Builder
	for _, word := range words {
		if column += 1 + len(word); column > 100 {
			lines.WriteString("\n  " + word)
			column = 2 + len(word)
			continue
		}
		lines.WriteString(" " + word)
	}
	e.showsOutput("guard", "$ kubectl patch configmap lamp -n harbour -p '"+patch+"'\nError from server (Forbidden):"+lines.String()+"\n")
	e.plan(story.Nothing)
}

// planStrict adds a container and scales, where rules refuse both.
func planStrict(e *example) {
	ledger := deployment("ledger")
	e.apply(ledger)
	e.As("kubectl-patch").StrategicPatch(ledger, miner)
	e.As("kubectl").Scale(ledger, 5)
	e.awaitRollout(ledger)
	e.shows("strict", story.Refused)
}

// planAdded adds a container and a variable.
func planAdded(e *example) {
	hello := deployment("guest")
	e.configure("      name: hello\n", "      name: guest\n")
	e.apply(hello)
	e.As("kubectl-patch").StrategicPatch(hello, miner)
	e.As("kubectl-set").StrategicPatch(hello, `{"spec":{"template":{"spec":{"containers":[{"name":"hello","env":[{"name":"LD_PRELOAD","value":"/tmp/x.so"}]}]}}}}`)
	e.awaitRollout(hello)
	e.shows("added", story.Nothing)
}

// miner adds a privileged container.
const miner = `{"spec":{"template":{"spec":{"containers":[{"name":"miner","image":"xmrig:6","securityContext":{"privileged":true}}]}}}}`
