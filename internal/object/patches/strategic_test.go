package patches

const pod = `{containers: [{name: a, image: a:1, env: [{name: X, value: "1"}], ports: [{containerPort: 80, protocol: TCP}]}, {name: b, image: b:1}]}`

// podWith returns the spec of a Deployment with the spec of its pods.
func podWith(spec string) string { return "spec: {template: {spec: " + spec + "}}" }

var strategicChanges = map[string]change{
	"a field is set": {
		kind: Strategic, gvk: deployment, live: "spec: {replicas: 1, paused: true}", body: "spec: {replicas: 2}", want: "spec: {replicas: 2, paused: true}"},
	"a field is removed": {
		kind: Strategic, gvk: deployment, live: "spec: {replicas: 1, paused: true}", body: "spec: {paused: null}", want: "spec: {replicas: 1}"},
	"maps are created on the way": {
		kind: Strategic, gvk: configMap, live: "metadata: {name: a}", body: "metadata: {labels: {b: c}}", want: "metadata: {name: a, labels: {b: c}}"},
	"an item is found by its key": {
		kind: Strategic, gvk: deployment, live: podWith(pod), body: podWith("{containers: [{name: b, image: 'b:2'}]}"),
		want: podWith(`{containers: [{name: a, image: a:1, env: [{name: X, value: "1"}], ports: [{containerPort: 80, protocol: TCP}]}, {name: b, image: b:2}]}`)},
	"an item is as it should be": {
		kind: Strategic, gvk: deployment, live: podWith(pod), body: podWith("{containers: [{name: a, env: [{name: X, value: '1'}], ports: [{containerPort: 80}]}]}")},
	"an item is added in front": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a}]}"), body: podWith("{containers: [{name: b, image: 'b:1', tty: null}]}"),
		want: podWith("{containers: [{name: b, image: 'b:1'}, {name: a}]}"), sent: podWith("{containers: [{name: b, image: 'b:1'}]}")},
	"a null in a map that is replaced": {
		kind: Strategic, gvk: configMap, live: "metadata: {labels: {a: x}}", body: "metadata: {labels: {$patch: replace, b: x, c: null}}",
		want: "metadata: {labels: {b: x}}", sent: "metadata: {labels: {$patch: replace, b: x}}"},
	"an item is deleted": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a}, {name: b}]}"), body: podWith("{containers: [{name: b, $patch: delete}]}"),
		want: podWith("{containers: [{name: a}]}")},
	"a deleted item is missing": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a}]}"), body: podWith("{containers: [{name: b, $patch: delete}]}")},
	"a deleted item of a missing list": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a}]}"), body: podWith("{volumes: [{name: b, $patch: delete}]}"), sent: podWith("{}")},
	"a deleted item of a missing list of an item": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a}]}"), body: podWith("{containers: [{name: a, env: [{name: b, $patch: delete}]}]}"),
		sent: podWith("{containers: [{name: a}]}")},
	"a list is emptied": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a, args: [x]}]}"), body: podWith("{containers: [{name: a, args: []}]}"),
		want: podWith("{containers: [{name: a}]}")},
	"a removed field of a missing map": {
		kind: Strategic, gvk: configMap, live: "metadata: {name: a}", body: "metadata: {annotations: {b: null}}", sent: "metadata: {}"},
	"a list is replaced": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a}, {name: b}]}"), body: podWith("{containers: [{$patch: replace}, {name: c}]}"),
		want: podWith("{containers: [{name: c}]}")},
	"a list without a merge key is replaced": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a, args: [x, y]}]}"), body: podWith("{containers: [{name: a, args: [z]}]}"),
		want: podWith("{containers: [{name: a, args: [z]}]}")},
	"a map is replaced": {
		kind: Strategic, gvk: deployment, live: "spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}",
		body: "spec: {strategy: {$patch: replace, type: Recreate}}", want: "spec: {strategy: {type: Recreate}}"},
	"a map is emptied": {
		kind: Strategic, gvk: deployment, live: podWith("{nodeSelector: {a: b}}"), body: podWith("{nodeSelector: {$patch: delete}}"), want: podWith("{nodeSelector: {}}")},
	"a map that is missing is emptied": {
		kind: Strategic, gvk: deployment, live: podWith("{nodeName: a}"), body: podWith("{nodeSelector: {$patch: delete}}"), sent: podWith("{}")},
	"a map that is missing is set and deleted": {
		kind: Strategic, gvk: deployment, live: podWith("{nodeName: a}"), body: podWith("{nodeSelector: {$patch: delete, a: b}}"), sent: podWith("{}")},
	"a map that is missing is replaced": {
		kind: Strategic, gvk: deployment, live: podWith("{nodeName: a}"), body: podWith("{nodeSelector: {$patch: replace, a: b}}"),
		want: podWith("{nodeName: a, nodeSelector: {a: b}}"), sent: podWith("{nodeSelector: {a: b}}")},
	"keys of a missing map are retained": {
		kind: Strategic, gvk: deployment, live: "spec: {}", body: "spec: {strategy: {$retainKeys: [type], type: Recreate}}",
		want: "spec: {strategy: {type: Recreate}}", sent: "spec: {strategy: {type: Recreate}}"},
	"directives in a missing list": {
		kind: Strategic, gvk: deployment, live: podWith("{}"),
		body: podWith("{containers: [{$patch: replace}, {name: b, $patch: delete}, {name: a, env: [{name: X, $patch: delete}], resources: {$retainKeys: [limits], limits: {cpu: '1'}}}]}"),
		want: podWith("{containers: [{name: a, resources: {limits: {cpu: '1'}}}]}"), sent: podWith("{containers: [{name: a, resources: {limits: {cpu: '1'}}}]}")},
	"directives in a new item": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: z}]}"),
		body: podWith("{containers: [{name: a, $setElementOrder/env: [{name: X}], resources: {$patch: replace, limits: {cpu: '1'}}}]}"),
		want: podWith("{containers: [{name: a, resources: {limits: {cpu: '1'}}}, {name: z}]}"),
		sent: podWith("{containers: [{name: a, resources: {limits: {cpu: '1'}}}]}")},
	"directives of what an item lacks": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a, tty: true}]}"),
		body: podWith("{containers: [{name: a, resources: {$patch: replace, limits: {cpu: '1'}}, securityContext: {privileged: null}}]}"),
		want: podWith("{containers: [{name: a, tty: true, resources: {limits: {cpu: '1'}}}]}"),
		sent: podWith("{containers: [{name: a, resources: {limits: {cpu: '1'}}}]}")},
	"directives of items that replace": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a, resources: {limits: {cpu: '2'}}}]}"),
		body: podWith("{containers: [{$patch: replace}, {name: a, resources: {$patch: replace, limits: {cpu: '1'}}}]}"),
		want: podWith("{containers: [{name: a, resources: {limits: {cpu: '1'}}}]}"),
		sent: podWith("{containers: [{$patch: replace}, {name: a, resources: {limits: {cpu: '1'}}}]}")},
	"keys are retained": {
		kind: Strategic, gvk: deployment, live: "spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}",
		body: "spec: {strategy: {$retainKeys: [type], type: Recreate}}", want: "spec: {strategy: {type: Recreate}}"},
	"primitives are deleted": {
		kind: Strategic, gvk: configMap, live: "metadata: {finalizers: [a/x, b/x, c/x]}", body: "metadata: {$deleteFromPrimitiveList/finalizers: [b/x, d/x]}",
		want: "metadata: {finalizers: [a/x, c/x]}"},
	"primitives are deleted and added": {
		kind: Strategic, gvk: configMap, live: "metadata: {finalizers: [a/x, b/x]}", want: "metadata: {finalizers: [c/x, a/x]}",
		body: "metadata: {$deleteFromPrimitiveList/finalizers: [b/x], finalizers: [c/x]}"},
	"primitives are merged": {
		kind: Strategic, gvk: configMap, live: "metadata: {finalizers: [a/x, b/x]}", body: "metadata: {finalizers: [b/x]}"},
	"items are ordered": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a}, {name: b}]}"),
		body: podWith("{$setElementOrder/containers: [{name: b}, {name: a}], containers: [{name: a, image: 'a:1'}]}"),
		want: podWith("{containers: [{name: b}, {name: a, image: 'a:1'}]}")},
	"items are ordered and one is not named": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: x}, {name: a}, {name: b}]}"),
		body: podWith("{$setElementOrder/containers: [{name: b}, {name: a}]}"), want: podWith("{containers: [{name: x}, {name: b}, {name: a}]}")},
	"primitives are ordered": {
		kind: Strategic, gvk: configMap, live: "metadata: {finalizers: [a/x, b/x, c/x]}",
		body: "metadata: {$setElementOrder/finalizers: [c/x, b/x, d/x], finalizers: [d/x]}", want: "metadata: {finalizers: [a/x, c/x, b/x, d/x]}"},
	"a null that the object has": {
		kind: Strategic, gvk: deployment, live: "spec: {replicas: 1, template: {metadata: {creationTimestamp: null}}}", body: "spec: {replicas: 1}"},
}
