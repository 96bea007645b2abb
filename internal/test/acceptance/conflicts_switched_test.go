package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	cpuAutoscaler = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: NS}
spec:
  maxReplicas: 5
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]
`
	scaler = "autoscaling/v2 HorizontalPodAutoscaler web"
)

// union is an object, and the same with another member of a union.
type union struct {
	target, before, after string
	want                  map[string]any
}

func unionOf(target, before, from, to string, want map[string]any) union {
	return union{target, before, strings.Replace(before, from, to, 1), want}
}

var unions = map[string]union{
	"the metric of an autoscaler": unionOf(scaler, cpuAutoscaler, "type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}",
		"type: External, external: {metric: {name: queue}, target: {type: Value, value: 10}}",
		map[string]any{"spec.metrics": "[map[external:map[metric:map[name:queue] target:map[type:Value value:10]] type:External]]"}),
	"the backend of an Ingress": unionOf(ingress, unionIngress, "service: {name: web, port: {number: 80}}",
		"resource: {apiGroup: x.io, kind: Bucket, name: b}",
		map[string]any{"spec.defaultBackend.service": story.Absent, "spec.defaultBackend.resource.kind": "Bucket"}),
	"the port of a backend": unionOf(ingress, unionIngress, "number: 80", "name: http",
		map[string]any{"spec.defaultBackend.service.port.number": story.Absent, "spec.defaultBackend.service.port.name": "http"}),
	"a Service that becomes an alias": unionOf(serviceTarget, unionService, "spec: {", "spec: {type: ExternalName, externalName: a.example.com, ",
		map[string]any{"spec.externalName": "a.example.com", "spec.clusterIP": story.Absent}),
	"a Service without node ports": unionOf(serviceTarget, strings.Replace(unionService, "spec: {", "spec: {type: NodePort, ", 1),
		"type: NodePort, ", "type: ClusterIP, ", map[string]any{"spec.type": "ClusterIP"}),
	"a Service behind a load balancer": unionOf(serviceTarget,
		strings.Replace(unionService, "spec: {", "spec: {type: LoadBalancer, externalTrafficPolicy: Local, ", 1),
		"type: LoadBalancer, externalTrafficPolicy: Local, ", "type: ClusterIP, ",
		map[string]any{"spec.externalTrafficPolicy": story.Absent, "spec.healthCheckNodePort": story.Absent}),
	"oneOf of a custom resource": unionOf(pool, unionPool, "a: {x: 1}", "b: {x: 1}",
		map[string]any{"spec.a": story.Absent, "spec.b.x": int64(1)}),
	"a rule of a custom resource": unionOf(pool, strings.Replace(unionPool, "a: {x: 1}", "b: {x: 1}, c: {x: 2}", 1),
		"b: {x: 1}, c: {x: 2}", "a: {x: 1}", map[string]any{"spec.c": story.Absent, "spec.a.x": int64(1)}),
}

// The configuration switches a union of its own object, and of one that it has adopted or imported, in one apply.
func TestSwitchedUnions(t *testing.T) {
	t.Parallel()
	for name, test := range unions {
		for how, begin := range map[string]func(s *story.Story) []resource.TestStep{
			"of ours": func(s *story.Story) []resource.TestStep {
				return []resource.TestStep{{Config: s.Config(test.before)}}
			},
			"after an adoption": func(s *story.Story) []resource.TestStep {
				return []resource.TestStep{{
					PreConfig: func() { s.As("kubectl-create").Create(test.before) },
					Config:    s.Config(test.before, story.Adopting),
				}}
			},
			"in an import": func(s *story.Story) []resource.TestStep {
				s.As("kubectl-create").Create(test.before)
				return nil
			},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				s := story.New(t)
				if test.target == pool {
					s.InstallKind(pools)
				}
				steps := begin(s)
				last := resource.TestStep{Config: s.Config(test.after), Check: story.LiveChecks(s.ExpectLive(test.target, test.want), s.ExpectNotOverwritten())}
				if len(steps) == 0 {
					version, kind, _ := strings.Cut(strings.TrimSuffix(test.target, " web"), " ")
					last.Config = s.ImportBlock("apiVersion="+version+",kind="+kind+",namespace=NS,name=web") + last.Config
				}
				s.Run(append(steps, last, s.Noop(s.Config(test.after)))...)
			})
		}
	}
}
