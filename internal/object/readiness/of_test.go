package readiness_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

const (
	apps = "apiVersion: apps/v1\nkind: "
	crd  = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	own  = "apiVersion: example.com/v1\nkind: Widget\n"
)

// observation is an object and the state that it shows. differs says why our state is right if the oracle's is another.
type observation struct {
	object  string
	want    readiness.State
	differs string
}

// objects are judged and compared with the oracle.
var objects = map[string]observation{
	"ConfigMap": {"apiVersion: v1\nkind: ConfigMap", readiness.Ready, ""},
	"Deployment that is ready": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 3, progressDeadlineSeconds: 600}
status: {observedGeneration: 2, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3, conditions: [{type: Available, status: "True"}, {type: Progressing, status: "True", reason: NewReplicaSetAvailable}]}`, readiness.Ready, ""},
	"Deployment behind": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 1}
status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1}`, readiness.InProgress, ""},
	"Deployment never seen": {apps + `Deployment
metadata: {generation: 1}
spec: {replicas: 0}
status: {conditions: [{type: Available, status: "True"}]}`, readiness.InProgress, "nobody has looked at it, although it wants no pods"},
	"Deployment with an old pod": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 1}
status: {observedGeneration: 2, replicas: 2, updatedReplicas: 1, readyReplicas: 2, availableReplicas: 2}`, readiness.InProgress, ""},
	"Deployment past its deadline": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 1}
status: {observedGeneration: 2, conditions: [{type: Progressing, status: "False", reason: ProgressDeadlineExceeded}]}`, readiness.Failed, ""},
	"Deployment past its deadline, paused": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 1, paused: true}
status: {observedGeneration: 2, conditions: [{type: Progressing, status: "False", reason: ProgressDeadlineExceeded}]}`, readiness.InProgress, "somebody paused it and may resume it"},
	"Deployment with a quota": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 1}
status: {observedGeneration: 2, conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate, message: 'pods "a" is forbidden: exceeded quota: q'}]}`, readiness.Failed, "the server refuses its pods"},
	"Deployment with a quota and an old pod": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 2}
status: {observedGeneration: 2, replicas: 2, updatedReplicas: 0, conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate, message: 'pods "a" is forbidden: exceeded quota: q'}]}`, readiness.InProgress, ""},
	"Deployment with a quota and an old pod, past its deadline": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 2}
status: {observedGeneration: 2, replicas: 2, updatedReplicas: 0, conditions: [{type: Progressing, status: "False"}, {type: ReplicaFailure, status: "True", reason: FailedCreate, message: 'pods "a" is forbidden: exceeded quota: q'}]}`, readiness.Failed, "the server refuses its pods"},
	"Deployment without its service account": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 1}
status: {observedGeneration: 2, conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate, message: 'pods "a" is forbidden: error looking up service account n/s: serviceaccount "s" not found'}]}`, readiness.InProgress, ""},
	"StatefulSet with OnDelete and no pods": {apps + `StatefulSet
metadata: {generation: 1}
spec: {replicas: 2, updateStrategy: {type: OnDelete}}
status: {observedGeneration: 1, replicas: 1}`, readiness.InProgress, "its pods are not ready"},
	"StatefulSet with a partition": {apps + `StatefulSet
metadata: {generation: 1}
spec: {replicas: 3, updateStrategy: {rollingUpdate: {partition: 2}}}
status: {observedGeneration: 1, replicas: 3, readyReplicas: 3, updatedReplicas: 1}`, readiness.Ready, ""},
	"DaemonSet with OnDelete": {apps + `DaemonSet
metadata: {generation: 1}
spec: {updateStrategy: {type: OnDelete}}
status: {observedGeneration: 1, desiredNumberScheduled: 1, currentNumberScheduled: 1, numberAvailable: 1, numberReady: 1}`, readiness.Ready, "the user replaces its pods"},
	"ReplicaSet with a quota": {apps + `ReplicaSet
metadata: {generation: 1}
status: {observedGeneration: 1, conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate, message: 'pods "a" is forbidden: violates PodSecurity'}]}`, readiness.Failed, "the server refuses its pods"},
	"Job that runs":      {"apiVersion: batch/v1\nkind: Job\nstatus: {active: 1, startTime: \"2026-01-01T00:00:00Z\"}", readiness.InProgress, "it has not ended"},
	"Job that failed":    {"apiVersion: batch/v1\nkind: Job\nstatus: {conditions: [{type: Failed, status: \"True\"}]}", readiness.Failed, ""},
	"Job that completed": {"apiVersion: batch/v1\nkind: Job\nstatus: {succeeded: 1, conditions: [{type: Complete, status: \"True\"}]}", readiness.Ready, ""},
	"Job that completed and is being deleted": {"apiVersion: batch/v1\nkind: Job\nmetadata: {deletionTimestamp: \"2026-01-01T00:00:00Z\"}\nstatus: {succeeded: 1, conditions: [{type: Complete, status: \"True\"}]}",
		readiness.Ready, "it has ended, and clusters delete such Jobs"},
	"Job that runs and is being deleted": {"apiVersion: batch/v1\nkind: Job\nmetadata: {deletionTimestamp: \"2026-01-01T00:00:00Z\"}\nstatus: {active: 1, failed: 2}", readiness.InProgress, ""},
	"Pod that failed":                    {"apiVersion: v1\nkind: Pod\nstatus: {phase: Failed}", readiness.Failed, "it does not run again"},
	"Pod without a node": {`apiVersion: v1
kind: Pod
metadata: {creationTimestamp: "2020-01-01T00:00:00Z"}
status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: no nodes}]}`, readiness.InProgress, "autoscalers add nodes"},
	"Service without an address": {"apiVersion: v1\nkind: Service\nspec: {type: LoadBalancer, clusterIP: 10.0.0.1}", readiness.InProgress, "nobody reaches it"},
	"Service":                    {"apiVersion: v1\nkind: Service\nspec: {clusterIP: 10.0.0.1}", readiness.Ready, ""},
	"claim without a volume":     {"apiVersion: v1\nkind: PersistentVolumeClaim\nstatus: {phase: Pending}", readiness.InProgress, ""},
	"Ingress without an address": {"apiVersion: networking.k8s.io/v1\nkind: Ingress\nstatus: {loadBalancer: {}}", readiness.InProgress, "nobody reaches it"},
	"names refused":              {crd + "status: {conditions: [{type: NamesAccepted, status: \"False\", reason: ListKindConflict}]}", readiness.InProgress, "the definition that has them may be going"},
	"definition established":     {crd + "status: {conditions: [{type: Established, status: \"True\"}]}", readiness.Ready, ""},
	"HPA without conditions":     {"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nstatus: {}", readiness.InProgress, "nobody has looked at it"},
	"custom resource, no status": {own, readiness.InProgress, "nobody has looked at it"},
	"stalled":                    {own + "status: {conditions: [{type: Stalled, status: \"True\", reason: Bad}]}", readiness.Failed, ""},
	"reconciling":                {own + "status: {conditions: [{type: Reconciling, status: \"True\"}, {type: Ready, status: \"True\"}]}", readiness.InProgress, ""},
	"Ready of an older generation": {own + `metadata: {generation: 2}
status: {conditions: [{type: Ready, status: "True", observedGeneration: 1}]}`, readiness.InProgress, "the condition tells of another generation"},
	"being deleted": {"apiVersion: v1\nkind: Namespace\nmetadata: {deletionTimestamp: \"2026-01-01T00:00:00Z\"}\nstatus: {phase: Active}", readiness.InProgress, ""},
	"HTTPRoute with one of two parents": {`apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
spec: {parentRefs: [{name: a}, {name: b}]}
status: {parents: [{conditions: [{type: Accepted, status: "True"}, {type: ResolvedRefs, status: "True"}]}]}`, readiness.InProgress, "one parent has not accepted it"},
}

// The oracle has a state of its own for a deletion.
var oracleStates = map[status.Status]readiness.State{
	status.CurrentStatus: readiness.Ready, status.InProgressStatus: readiness.InProgress,
	status.FailedStatus: readiness.Failed, status.TerminatingStatus: readiness.InProgress,
}

func TestBesideOracle(t *testing.T) {
	all := maps.Clone(objects)
	maps.Copy(all, addons)
	if len(all) != len(objects)+len(addons) {
		t.Error("a name is there twice")
	}
	for name, tt := range all {
		t.Run(name, func(t *testing.T) {
			object := parse(t, tt.object)
			found := readiness.Of(object, object.GetKind() == "Widget")
			if found.State != tt.want {
				t.Errorf("found %+v, want %s", found, tt.want)
			}
			for line := range strings.Lines(found.Message) {
				if len(strings.TrimSpace(line)) > 80 {
					t.Errorf("line %q is too long", line)
				}
			}
			oracle, err := status.Compute(object)
			if err != nil {
				t.Fatal(err)
			}
			if same := oracleStates[oracle.Status] == tt.want; same != (tt.differs == "") {
				t.Errorf("the oracle says %s (%s), and the table %q", oracle.Status, oracle.Message, tt.differs)
			}
		})
	}
}

// A condition that a controller carries over is the same one. One that it reports again, for the new generation, is another.
func TestConditions(t *testing.T) {
	stalled := func(generation string) *unstructured.Unstructured {
		return parse(t, own+`status: {conditions: [{type: Stalled, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z", observedGeneration: `+generation+`}]}`)
	}
	condition := readiness.Of(stalled("2"), true).Condition
	for generation, want := range map[string]bool{"1": false, "2": true} {
		if got := slices.Contains(readiness.Conditions(stalled(generation)), condition); got != want {
			t.Errorf("that of generation %s is the same: %t", generation, got)
		}
	}
}

func parse(t testing.TB, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(asJSON, &object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}
