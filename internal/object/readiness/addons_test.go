package readiness_test

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"

const (
	apiService  = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\n"
	application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
	certificate = "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {generation: 1}\n"
	gateways    = "apiVersion: gateway.networking.k8s.io/v1\nkind: "
	kustomize   = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {generation: 2}\n"
	rollout     = "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\n"
	hpa         = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"
)

// hpaV1 returns a HorizontalPodAutoscaler as the API server returns it in version v1: its conditions are an annotation.
func hpaV1(conditions string) string {
	return "apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {annotations: {autoscaling.alpha.kubernetes.io/conditions: '" + conditions + "'}}"
}

// addons are objects around the workloads: those of the cluster's own controllers, of gateways, cert-manager, Flux and Argo.
var addons = map[string]observation{
	"paused Deployment": {apps + `Deployment
metadata: {generation: 2}
spec: {replicas: 1, paused: true}
status: {observedGeneration: 2, replicas: 1, readyReplicas: 1, availableReplicas: 1, conditions: [{type: Available, status: "True"}, {type: Progressing, status: Unknown, reason: DeploymentPaused}]}`, readiness.InProgress, ""},
	"CronJob":          {"apiVersion: batch/v1\nkind: CronJob\nspec: {schedule: '0 0 * * *'}", readiness.Ready, ""},
	"Namespace":        {"apiVersion: v1\nkind: Namespace\nstatus: {phase: Active}", readiness.Ready, ""},
	"claim":            {"apiVersion: v1\nkind: PersistentVolumeClaim\nstatus: {phase: Bound}", readiness.Ready, ""},
	"claim, lost":      {"apiVersion: v1\nkind: PersistentVolumeClaim\nstatus: {phase: Lost}", readiness.Failed, "its volume does not come back"},
	"Service, address": {"apiVersion: v1\nkind: Service\nspec: {type: LoadBalancer, clusterIP: 10.0.0.1}\nstatus: {loadBalancer: {ingress: [{hostname: a.example.com}]}}", readiness.Ready, ""},
	"Ingress":          {"apiVersion: networking.k8s.io/v1\nkind: Ingress\nstatus: {loadBalancer: {ingress: [{ip: 10.0.0.1}]}}", readiness.Ready, ""},

	"HPA":               {hpa + `status: {conditions: [{type: AbleToScale, status: "True"}, {type: ScalingActive, status: "True"}]}`, readiness.Ready, ""},
	"HPA in version v1": {hpaV1(`[{"type":"AbleToScale","status":"True"},{"type":"ScalingActive","status":"True"}]`), readiness.Ready, ""},
	"HPA in version v1 without metrics": {hpaV1(`[{"type":"AbleToScale","status":"True"},{"type":"ScalingActive","status":"False","reason":"FailedGetResourceMetric"}]`),
		readiness.InProgress, "it scales nothing"},
	"HPA in version v1, new": {"apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nstatus: {currentReplicas: 0}", readiness.InProgress, "nobody has looked at it"},

	"HPA without metrics": {hpa + `status: {conditions: [{type: AbleToScale, status: "True"}, {type: ScalingActive, status: "False", reason: FailedGetResourceMetric}]}`,
		readiness.InProgress, "it scales nothing"},
	"HPA of a target with no replicas": {hpa + `status: {conditions: [{type: AbleToScale, status: "True"}, {type: ScalingActive, status: "False", reason: ScalingDisabled}]}`,
		readiness.Ready, ""},

	"PodDisruptionBudget": {"apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {generation: 1}\nstatus: {observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1}",
		readiness.Ready, ""},
	"PodDisruptionBudget, new": {"apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {generation: 1}", readiness.InProgress, "nobody has looked at it"},

	"APIService":       {apiService + `status: {conditions: [{type: Available, status: "True"}]}`, readiness.Ready, ""},
	"APIService, down": {apiService + `status: {conditions: [{type: Available, status: "False", reason: MissingEndpoints}]}`, readiness.InProgress, "requests for its group fail"},

	"Gateway": {gateways + `Gateway
status: {conditions: [{type: Accepted, status: "True"}, {type: Programmed, status: "True"}]}`, readiness.Ready, ""},
	"Gateway, accepted": {gateways + `Gateway
status: {conditions: [{type: Accepted, status: "True"}, {type: Programmed, status: "False", reason: Pending}]}`, readiness.InProgress, "no traffic passes it"},
	"GRPCRoute": {gateways + `GRPCRoute
spec: {parentRefs: [{name: a}]}
status: {parents: [{conditions: [{type: Accepted, status: "True"}, {type: ResolvedRefs, status: "True"}]}]}`, readiness.Ready, ""},
	"TLSRoute, refused": {gateways + `TLSRoute
spec: {parentRefs: [{name: a}]}
status: {parents: [{conditions: [{type: Accepted, status: "False"}, {type: ResolvedRefs, status: "True"}]}]}`, readiness.InProgress, "no parent has accepted it"},

	"Certificate":          {certificate + `status: {conditions: [{type: Ready, status: "True", observedGeneration: 1}]}`, readiness.Ready, ""},
	"Certificate, issuing": {certificate + `status: {conditions: [{type: Issuing, status: "True"}, {type: Ready, status: "False", reason: DoesNotExist}]}`, readiness.InProgress, ""},

	// cert-manager writes one condition after the other.
	"Certificate, new":            {certificate, readiness.InProgress, "nobody has looked at it"},
	"Certificate, issuing, first": {certificate + `status: {conditions: [{type: Issuing, status: "True", reason: DoesNotExist}]}`, readiness.InProgress, "it is not issued"},
	"Issuer, new":                 {"apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {generation: 1}\nstatus: {}", readiness.InProgress, "nobody has looked at it"},
	"another kind without Ready":  {"apiVersion: example.com/v1\nkind: Widget\nstatus: {conditions: [{type: Accepted, status: \"True\"}]}", readiness.Ready, ""},

	"Kustomization":         {kustomize + `status: {observedGeneration: 2, conditions: [{type: Ready, status: "True", observedGeneration: 2}]}`, readiness.Ready, ""},
	"Kustomization, behind": {kustomize + `status: {observedGeneration: 1, conditions: [{type: Ready, status: "True", observedGeneration: 1}]}`, readiness.InProgress, ""},
	"Kustomization, stalled": {kustomize + `status: {observedGeneration: 2, conditions: [{type: Stalled, status: "True", reason: BuildFailed, observedGeneration: 2}]}`,
		readiness.Failed, ""},

	"Application": {application + "status: {health: {status: Healthy}, sync: {status: Synced}}", readiness.Ready, ""},
	"Application that was compared": {
		application + "spec: {source: {repoURL: a, targetRevision: v2}}\nstatus: {health: {status: Healthy}, sync: {status: Synced, comparedTo: {source: {repoURL: a, targetRevision: v2}}}}",
		readiness.Ready, "",
	},
	"Application that was compared before a change": {
		application + "spec: {source: {repoURL: a, targetRevision: v2}}\nstatus: {health: {status: Healthy}, sync: {status: Synced, comparedTo: {source: {repoURL: a, targetRevision: v1}}}}",
		readiness.InProgress, "its status is about another source",
	},
	"Application of two sources that was compared before a change": {
		application + "spec: {sources: [{repoURL: a}, {repoURL: b}]}\nstatus: {health: {status: Healthy}, sync: {status: Synced, comparedTo: {sources: [{repoURL: a}]}}}",
		readiness.InProgress, "its status is about other sources",
	},
	"Application with empty values, which Argo CD leaves out": {
		application + "spec: {source: {repoURL: a, path: '', directory: {recurse: false}, helm: {parameters: []}}}\nstatus: {health: {status: Healthy}, sync: {status: Synced, comparedTo: {source: {repoURL: a}}}}",
		readiness.Ready, "",
	},
	"Application with an empty value that Argo CD adds": {
		application + "spec: {source: {repoURL: a, directory: {recurse: true}}}\nstatus: {health: {status: Healthy}, sync: {status: Synced, comparedTo: {source: {repoURL: a, directory: {recurse: true, jsonnet: {}}}}}}",
		readiness.Ready, "",
	},
	"Application that went from a source to two": {
		application + "spec: {sources: [{repoURL: a, path: ''}, {repoURL: b}]}\nstatus: {health: {status: Healthy}, sync: {status: Synced, comparedTo: {source: {repoURL: ''}, sources: [{repoURL: a}, {repoURL: b}]}}}",
		readiness.Ready, "",
	},
	"Application, degraded": {application + "status: {health: {status: Degraded}, sync: {status: Synced}}", readiness.InProgress, "it is not healthy"},
	"Rollout":               {rollout + "status: {phase: Healthy}", readiness.Ready, ""},
	"Rollout, late": {rollout + `status: {phase: Degraded, conditions: [{type: Progressing, status: "False", reason: ProgressDeadlineExceeded}]}`,
		readiness.Failed, "it made no progress"},
}
