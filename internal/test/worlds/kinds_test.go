package worlds_test

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"

func texts(values ...string) []any {
	all := make([]any, len(values))
	for i, value := range values {
		all[i] = value
	}
	return all
}

func numbers(values ...int64) []any {
	all := make([]any, len(values))
	for i, value := range values {
		all[i] = value
	}
	return all
}

var empty = map[string]any{}

// withMetadata returns fields, and the metadata fields that every kind has.
func withMetadata(fields ...field) []field {
	return append(fields,
		field{"metadata|labels|team", texts("orders", "search")},
		field{"metadata|labels|tier", texts("front", "back")},
		field{"metadata|annotations|note", texts("one", "two")},
		field{"metadata|annotations|example.com/owner", texts("ann", "bob")},
		field{"metadata|annotations", []any{empty}},
		field{"metadata|labels", []any{empty}},
	)
}

var configMap = kind{
	name: "ConfigMap", resource: "/v1/configmaps",
	base: "{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: NS}}",
	fields: withMetadata(
		field{"data|a", texts("1", "2", "3")},
		field{"data|b", texts("1", "2", "3")},
		field{"data|c.d", texts("1", "2", "a long value of more than sixty-two bytes, as an image with a digest has")},
		field{"data", []any{empty}},
		field{"binaryData|e", texts("AAEC", "AwQF")},
	),
	ignorable: []string{"data.a", "data.b", "data", "data.c.d", "metadata.labels.team", "metadata.annotations", "metadata.annotations.note", "binaryData"},
	pinnable:  []string{"data.a", "data.c.d", "data", "metadata.labels", "metadata.annotations.note", "binaryData.e"},
}

var secret = kind{
	name: "Secret", resource: "/v1/secrets",
	base: "{apiVersion: v1, kind: Secret, type: Opaque, metadata: {name: x, namespace: NS}}",
	fields: withMetadata(
		field{"data|user", texts("aHVudGVyLW9uZQ==", "aHVudGVyLXR3bw==")},
		field{"data|password", texts("aHVudGVyLXRocmVl", "aHVudGVyLWZvdXI=")},
		field{"stringData|token", texts("hunter-five", "hunter-six")},
		field{"data", []any{empty}},
	),
	ignorable: []string{"data.user", "data.password", "data", "metadata.annotations.note", "metadata.labels"},
	pinnable:  []string{"metadata.labels.team", "metadata.labels", "metadata.annotations", "metadata.annotations.note"},
}

// clear are the values of secrets, plain and in base64, that nothing may show.
var clear = []string{"hunter-", "aHVudGVyL"}

const container = "spec|template|spec|containers|[name=app]"

var deployment = kind{
	name: "Deployment", resource: "apps/v1/deployments", scales: true, changes: true,
	base: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: x, namespace: NS}, spec: {selector: {matchLabels: {app: x}},
  template: {metadata: {labels: {app: x}}, spec: {containers: [{name: app, image: "nginx:1"}]}}}}`,
	fields: withMetadata(
		field{"spec|replicas", numbers(0, 1)},
		field{"spec|minReadySeconds", numbers(0, 5)},
		field{"spec|paused", []any{true, false}},
		field{container + "|image", texts("nginx:2", "registry.example.com/shop/web@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")},
		field{container + "|env|[name=A]|value", texts("1", "2")},
		field{container + "|env|[name=B]|value", texts("1", "2")},
		field{container + "|ports|[containerPort=80,protocol=TCP]|name", texts("web", "http")},
		field{container + "|ports|[containerPort=81,protocol=UDP]", []any{empty}},
		field{container + "|resources|limits|cpu", texts("1", "500m", "1000m")},
		field{container + "|resources|requests|memory", texts("64Mi", "128Mi")},
		field{container + "|livenessProbe|httpGet", []any{map[string]any{"port": int64(80)}, map[string]any{"port": int64(81), "path": "/live"}}},
		field{container + "|livenessProbe|periodSeconds", numbers(10, 20)},
		field{container + "|imagePullPolicy", texts("Always", "Never")},
		field{container + "|args", []any{texts("a"), texts("a", "b")}},
		field{container + "|resources", []any{empty}},
		field{"spec|template|spec|containers|[name=side]|image", texts("envoy:1", "envoy:2")},
		field{"spec|template|spec|containers|[name=side]|env|[name=T]|value", texts("1", "2")},
		field{"spec|template|metadata|annotations|note", texts("1", "2")},
		field{"spec|template|spec|nodeSelector|zone", texts("a", "b")},
		field{"spec|template|spec|securityContext", []any{empty}},
	),
	ignorable: []string{
		"spec.replicas", `spec.template.spec.containers[name="app"].image`, `spec.template.spec.containers[name="side"]`,
		`spec.template.spec.containers[name="app"].env`, `spec.template.spec.containers[name="app"].env[name="A"]`,
		`spec.template.spec.containers[*].resources`, `spec.template.spec.containers[name="app"].resources.limits.cpu`,
		"metadata.annotations", "spec.template.metadata.annotations", `spec.template.spec.containers[name="app"].args`,
	},
	pinnable: []string{
		"spec.replicas", "spec.strategy", "spec.template.spec.terminationGracePeriodSeconds", "spec.template.spec.containers[*].imagePullPolicy",
		"spec.template.spec.containers[*].resources", `spec.template.spec.containers[name="side"].image`,
		"spec.template.spec.containers[*].env[*].value", "spec.template.spec.containers[*].ports[*].name", "spec.template.metadata.annotations",
		"spec.template.spec.nodeSelector", "metadata.labels.team",
	},
	countable: []string{"spec.template.spec.containers"},
	unions: []union{
		{"spec|strategy", [][]choice{
			{{"spec|strategy|type", "Recreate"}}, {{"spec|strategy|type", "RollingUpdate"}},
			{{"spec|strategy|type", "RollingUpdate"}, {"spec|strategy|rollingUpdate|maxSurge", int64(2)}},
		}},
		{container + "|env|[name=U]", [][]choice{
			{{container + "|env|[name=U]|value", "1"}},
			{{container + "|env|[name=U]|valueFrom|fieldRef|fieldPath", "spec.nodeName"}},
			{{container + "|env|[name=U]|valueFrom|configMapKeyRef", map[string]any{"name": "c", "key": "k"}}},
		}},
		{"spec|template|spec|volumes|[name=v]", [][]choice{
			{{"spec|template|spec|volumes|[name=v]|emptyDir", empty}},
			{{"spec|template|spec|volumes|[name=v]|emptyDir|medium", "Memory"}},
			{{"spec|template|spec|volumes|[name=v]|hostPath|path", "/v"}},
			{{"spec|template|spec|volumes|[name=v]|configMap|name", "c"}},
			{{"spec|template|spec|volumes|[name=v]|secret|secretName", "s"}},
		}},
		{container + "|readinessProbe", [][]choice{
			{{container + "|readinessProbe|httpGet|port", int64(80)}}, {{container + "|readinessProbe|tcpSocket|port", int64(80)}},
			{{container + "|readinessProbe|exec|command", texts("true")}}, {{container + "|readinessProbe|grpc|port", int64(90)}},
		}},
		{container + "|lifecycle|preStop", [][]choice{
			{{container + "|lifecycle|preStop|exec|command", texts("true")}}, {{container + "|lifecycle|preStop|httpGet|port", int64(80)}},
			{{container + "|lifecycle|preStop|sleep|seconds", int64(1)}},
		}},
	},
	keyed: []field{
		{container + "|ports|[containerPort=80,protocol=TCP]|containerPort", numbers(8080, 82)},
		{container + "|ports|[containerPort=81,protocol=UDP]|protocol", texts("TCP")},
		{container + "|env|[name=A]|name", texts("A2")},
		{"spec|template|spec|containers|[name=side]|name", texts("sidecar")},
		{"spec|template|spec|volumes|[name=v]|name", texts("w")},
	},
	extras: []choice{
		{"spec|template|spec|containers|[name=main]|image", "nginx:3"}, {container + "|env|[name=EXTRA]|value", "1"},
		{container + "|ports|[containerPort=9000,protocol=TCP]|name", "extra"}, {"spec|template|spec|volumes|[name=extra]|emptyDir", empty},
		{"spec|template|spec|tolerations", []any{map[string]any{"key": "extra", "operator": "Exists"}}},
	},
}

var service = kind{
	name: "Service", resource: "/v1/services",
	base: "{apiVersion: v1, kind: Service, metadata: {name: x, namespace: NS}, spec: {ports: [{name: web, port: 80}]}}",
	fields: withMetadata(
		field{"spec|ports|[port=80,protocol=TCP]|targetPort", []any{int64(8080), int64(9999), "web"}},
		field{"spec|ports|[port=53,protocol=UDP]|name", texts("dns", "dns-udp")},
		field{"spec|ports|[port=80,protocol=UDP]|name", texts("web-udp", "quic")},
		field{"spec|ports|[port=443,protocol=TCP]|name", texts("tls", "https")},
		field{"spec|selector|app", texts("x", "y")},
		field{"spec|selector|tier", texts("x", "y")},
		field{"spec|sessionAffinity", texts("None", "ClientIP")},
		field{"spec|externalIPs", []any{texts("192.0.2.1"), texts("192.0.2.1", "192.0.2.2")}},
		field{"spec|publishNotReadyAddresses", []any{true, false}},
		field{"spec|type", texts("NodePort", "ClusterIP")},
	),
	ignorable: []string{
		`spec.ports[protocol="TCP"]`, `spec.ports[port=53,protocol="UDP"]`, `spec.ports[port=80,protocol="UDP"]`, "spec.ports[*].targetPort", "spec.sessionAffinity", "spec.selector",
		"spec.externalIPs", "metadata.labels",
	},
	pinnable: []string{
		"spec.clusterIP", "spec.clusterIPs", "spec.ports[*].nodePort", "spec.ports[*].targetPort", `spec.ports[port=53,protocol="UDP"].name`,
		"spec.sessionAffinity", "spec.sessionAffinityConfig", "spec.selector", "spec.externalIPs", "spec.type",
	},
	countable: []string{"spec.ports"},
	unions: []union{
		{"spec|type", [][]choice{
			{{"spec|type", "NodePort"}}, {{"spec|type", "ClusterIP"}}, {{"spec|type", "LoadBalancer"}},
			{{"spec|type", "NodePort"}, {"spec|externalTrafficPolicy", "Local"}},
			{{"spec|type", "LoadBalancer"}, {"spec|allocateLoadBalancerNodePorts", false}},
			{{"spec|type", "ExternalName"}, {"spec|externalName", "example.com"}},
		}},
		{"spec|sessionAffinity", [][]choice{
			{{"spec|sessionAffinity", "None"}}, {{"spec|sessionAffinity", "ClientIP"}},
			{{"spec|sessionAffinity", "ClientIP"}, {"spec|sessionAffinityConfig|clientIP|timeoutSeconds", int64(60)}},
		}},
	},
	keyed: []field{
		{"spec|ports|[port=80,protocol=TCP]|port", numbers(8081, 82)}, {"spec|ports|[port=53,protocol=UDP]|protocol", texts("TCP")},
		{"spec|ports|[port=443,protocol=TCP]|port", numbers(8443)},
	},
	extras: []choice{
		{"spec|ports|[port=9000,protocol=TCP]|name", "extra"}, {"spec|selector|extra", "x"}, {"spec|ports|[port=8080,protocol=TCP]|name", "alt"},
	},
}

var autoscaler = kind{
	name: "HorizontalPodAutoscaler", resource: "autoscaling/v2/horizontalpodautoscalers", changes: true,
	base: `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: x, namespace: NS},
  spec: {maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}}}`,
	fields: withMetadata(
		field{"spec|maxReplicas", numbers(6, 7)},
		field{"spec|minReplicas", numbers(1, 2)},
		field{"spec|metrics", []any{cpuMetric(50), cpuMetric(70)}},
		field{"spec|behavior|scaleDown|stabilizationWindowSeconds", numbers(60, 120)},
	),
	ignorable: []string{"spec.minReplicas", "spec.metrics", "spec.maxReplicas", "spec.behavior", "metadata.labels.team"},
	pinnable:  []string{"spec.minReplicas", "spec.metrics", "spec.behavior", "spec.behavior.scaleDown", "metadata.labels"},
	others: []version{{
		base:   "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: x, namespace: NS}}",
		fields: []field{{"spec|targetCPUUtilizationPercentage", numbers(50, 60)}, {"spec|minReplicas", numbers(1, 3)}, {"spec|maxReplicas", numbers(8, 9)}},
		whole: `{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: x, namespace: NS},
  spec: {maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}}}`,
	}},
}

func cpuMetric(percent int64) []any {
	return []any{map[string]any{"type": "Resource", "resource": map[string]any{
		"name": "cpu", "target": map[string]any{"type": "Utilization", "averageUtilization": percent}}}}
}

var widget = kind{
	name: "Widget", resource: "worlds.example.com/v1/widgets",
	base: "{apiVersion: worlds.example.com/v1, kind: Widget, metadata: {name: x, namespace: NS}, spec: {}}",
	fields: withMetadata(
		field{"spec|text", texts("a", "b")},
		field{"spec|free|cfg", []any{"important", "x", map[string]any{"x": int64(1)}, map[string]any{"x": int64(2), "y": "z"}, texts("q"), empty}},
		field{"spec|free|other", []any{int64(1), "1", true}},
		field{"spec|size", []any{int64(1), "1", "50%"}},
		field{"spec|nest|a.a|b", numbers(1, 2)},
		field{"spec|nest|a.a", []any{empty}},
		field{"spec|nest|n|a", texts("x", "y")},
		field{"spec|gmap|k", texts("x", "y")},
		field{"spec|gmap|l", texts("x", "y")},
		field{"spec|gmap", []any{empty}},
		field{"spec|amap", []any{map[string]any{"k": "v"}, map[string]any{"k": "w", "l": "v"}, empty}},
		field{"spec|tags", []any{texts("red"), texts("red", "blue"), texts("blue", "green"), []any{}}},
		field{"spec|entries|[name=one]|val", texts("x", "y")},
		field{"spec|entries|[name=one]|labels|k", texts("x", "y")},
		field{"spec|entries|[name=two]|val", texts("x", "y")},
		field{"spec|entries|[name=two]|vals", []any{texts("x"), texts("x", "y")}},
		field{"spec|entries|[name=two]|ports|[port=80,protocol=TCP]|note", texts("x", "y")},
		field{"spec|steps", []any{texts("x"), texts("x", "y"), []any{}}},
	),
	ignorable: []string{
		"spec.text", "spec.free", "spec.free.cfg", "spec.size", "spec.gmap", "spec.gmap.k", "spec.amap", "spec.tags", `spec.tags[="red"]`,
		`spec.entries[name="two"]`, "spec.entries[*].val", "spec.nest", "spec.steps", "metadata.annotations.note",
	},
	pinnable: []string{
		"spec.text", "spec.free", "spec.free.cfg", "spec.size", "spec.gmap", "spec.gmap.k", "spec.amap", "spec.tags", `spec.tags[="red"]`, "spec.steps",
		"spec.entries[*].val", "spec.entries[*].labels", `spec.entries[name="two"]`, "spec.entries[*].ports[*].note", "spec.nest", "spec.nest.n.a",
	},
	countable: []string{"spec.tags", "spec.entries"},
	unions: []union{
		{"spec|source", [][]choice{
			{{"spec|source|git", "a"}}, {{"spec|source|http|url", "b"}}, {{"spec|source|http|url", "c"}, {"spec|source|http|token", "t"}},
		}},
		{"spec|schedule", [][]choice{
			{{"spec|schedule|mode", "auto"}}, {{"spec|schedule|mode", "manual"}, {"spec|schedule|every", int64(5)}},
		}},
		{"spec|entries|[name=one]|kind", [][]choice{
			{{"spec|entries|[name=one]|kind", "plain"}}, {{"spec|entries|[name=one]|kind", "rich"}, {"spec|entries|[name=one]|depth", int64(3)}},
		}},
	},
	keyed: []field{
		{"spec|entries|[name=one]|name", texts("uno")}, {"spec|entries|[name=two]|name", texts("due")},
		{"spec|entries|[name=two]|ports|[port=80,protocol=TCP]|port", numbers(81)},
	},
	extras: []choice{
		{"spec|entries|[name=extra]|val", "x"}, {"spec|gmap|extra", "x"}, {"spec|tags", []any{"extra"}},
	},
}

var widgets = customresource.Definition("worlds.example.com", "Widget", `
spec:
  type: object
  properties:
    text: {type: string, default: m}
    free: {type: object, x-kubernetes-preserve-unknown-fields: true}
    size: {x-kubernetes-int-or-string: true}
    gmap: {type: object, additionalProperties: {type: string}}
    amap: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
    tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
    steps: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}
    nest:
      type: object
      additionalProperties:
        type: object
        properties:
          a: {type: string}
          b: {type: integer, format: int64}
    source:
      type: object
      oneOf: [{required: [git]}, {required: [http]}]
      properties:
        git: {type: string}
        http: {type: object, required: [url], properties: {url: {type: string}, token: {type: string}, retries: {type: integer, default: 3}}}
    schedule:
      type: object
      required: [mode]
      properties:
        mode: {type: string, enum: [auto, manual]}
        every: {type: integer}
      x-kubernetes-validations:
      - {rule: "self.mode == 'manual' || !has(self.every)", message: "every is for the mode manual"}
    entries:
      type: array
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [name]
      maxItems: 20
      items:
        type: object
        required: [name]
        x-kubernetes-validations:
        - {rule: "!has(self.kind) || self.kind == 'rich' || !has(self.depth)", message: "depth is for the kind rich"}
        properties:
          name: {type: string, maxLength: 20}
          kind: {type: string, enum: [plain, rich]}
          depth: {type: integer}
          val: {type: string}
          vals: {type: array, items: {type: string}}
          labels: {type: object, additionalProperties: {type: string}}
          ports:
            type: array
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [port, protocol]
            items:
              type: object
              required: [port]
              properties:
                port: {type: integer}
                protocol: {type: string, default: TCP}
                note: {type: string}
`)

// gadget is of a group that each world has a definition of.
var gadget = kind{
	name: "Gadget", resource: "gadgets", defined: true,
	base: "{apiVersion: NS.example.com/v1alpha1, kind: Gadget, metadata: {name: x, namespace: NS}, spec: {}}",
	fields: withMetadata(
		field{"spec|size", []any{int64(1), int64(2), "50%"}},
		field{"spec|mode", texts("a", "b", "c")},
		field{"spec|extra", texts("x", "y")},
		field{"spec|nest|deep", texts("x", "y")},
		field{"spec|gmap|k", texts("x", "y")},
		field{"spec|gmap|l", texts("x", "y")},
		field{"spec|entries|[name=one]|val", texts("x", "y")},
		field{"spec|entries|[name=two]|val", texts("x", "y")},
	),
	ignorable: []string{"spec.size", "spec.gmap", "spec.gmap.k", `spec.entries[name="two"]`, "metadata.annotations.note"},
	pinnable:  []string{"spec.size", "spec.gmap", "spec.entries[*].val", "metadata.labels.team"},
	countable: []string{"spec.entries"},
	keyed:     []field{{"spec|entries|[name=one]|name", texts("uno")}},
}

var kinds = []kind{configMap, secret, deployment, service, autoscaler, widget}
