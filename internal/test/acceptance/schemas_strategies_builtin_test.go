package acceptance_test

import (
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// deployments returns the kind Deployment; the fields are those of its pod template. It is paused, so that no
// controller writes to it.
func deployments() sampleKind {
	const object = `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "NS"}, "spec": {
		"paused": true, "replicas": 0, "selector": {"matchLabels": {"app": "web"}}, "template": {
		"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "app", "image": "nginx:1.25"}]}}}}`
	return sampleKind{
		target:       story.Web,
		id:           story.WebID,
		strategies:   podStrategies(),
		ours:         object,
		theirs:       strings.Replace(object, `"replicas": 0,`, `"replicas": 0, "revisionHistoryLimit": 3,`, 1),
		patch:        `{"spec": {"template": {"spec": {"containers": [{"name": "app"}]}}}}`,
		forgetsEmpty: true,
	}
}

// The places of the pod template's fields.
var (
	inTemplate  = []string{"spec", "template", "metadata"}
	inPod       = []string{"spec", "template", "spec"}
	inContainer = []string{"spec", "template", "spec", "containers"}
	inResources = []string{"spec", "template", "spec", "containers", "resources"}
)

// podStrategies returns fields of a pod template by their strategies.
func podStrategies() []strategy {
	return slices.Concat(podLists(), containerLists(), podMaps())
}

// in returns the strategy at a path of the pod template; "containers" is the container app.
func (s strategy) in(parents []string, name string, shape shape) strategy {
	s = s.with(name, shape)
	s.parents = parents
	for _, parent := range parents {
		s.root = append(s.root, paths.Field(parent))
		if parent == "containers" {
			s.root = append(s.root, paths.Key(map[string]any{"name": "app"}))
		}
	}
	s.root = append(s.root, paths.Field(name))
	return s
}

func podLists() []strategy {
	alias := func(ip string, names ...any) object { return object{"ip": ip, "hostnames": names} }
	toleration := func(key string) object { return object{"key": key, "operator": "Exists"} }
	secret := func(name string) object { return object{"name": name} }
	spread := func(topology string, domains int) object {
		return object{
			"topologyKey": topology, "whenUnsatisfiable": "DoNotSchedule", "maxSkew": 1, "minDomains": domains,
			"labelSelector": object{"matchLabels": object{"app": "web"}},
		}
	}
	return []strategy{
		strategy{
			first:  list{toleration("a"), toleration("b")},
			second: list{toleration("c")},
			edit:   list{toleration("a"), toleration("x")},
			empty:  list{},
		}.in(inPod, "tolerations", atomicList(aString)),
		strategy{
			first:  list{alias("10.0.0.1", "a"), alias("10.0.0.2", "b"), alias("10.0.0.4", "d")},
			second: list{alias("10.0.0.1", "c", "a"), alias("10.0.0.3", "c"), alias("10.0.0.4", "d")},
			edit:   list{alias("10.0.0.1", "a", "x"), alias("10.0.0.2", "b"), alias("10.0.0.4", "d"), alias("10.0.0.5", "x")},
			empty:  list{},
		}.in(inPod, "hostAliases", keyedList(itemOf(map[string]shape{"ip": aString, "hostnames": atomicList(aString)}, "ip"), nil, "ip")),
		strategy{
			first:  list{secret("a"), secret("b"), secret("d")},
			second: list{secret("c"), secret("d")},
			edit:   list{secret("a"), secret("b"), secret("d"), secret("x")},
			empty:  list{},
		}.in(inPod, "imagePullSecrets", keyedList(atomicStruct(map[string]shape{"name": aString}), nil, "name")),
		strategy{
			first:  list{spread("a", 1), spread("b", 2), spread("d", 4)},
			second: list{spread("a", 7), spread("c", 3), spread("d", 4)},
			edit:   list{spread("a", 9), spread("b", 2), spread("d", 4), spread("x", 5)},
			empty:  list{},
		}.in(inPod, "topologySpreadConstraints", keyedList(itemOf(map[string]shape{
			"topologyKey": aString, "whenUnsatisfiable": aString, "maxSkew": anInt, "minDomains": anInt, "labelSelector": atomicMap(aString),
		}, "topologyKey, whenUnsatisfiable"), nil, "topologyKey", "whenUnsatisfiable")),
	}
}

func containerLists() []strategy {
	port := func(number int, name string) object { return object{"containerPort": number, "name": name} }
	return []strategy{
		strategy{first: list{"-a", "-b"}, second: list{"-c"}, edit: list{"-a", "-x"}, empty: list{}}.
			in(inContainer, "args", atomicList(aString)),
		strategy{
			first:  list{pair("a", "1"), pair("b", "2"), pair("d", "4")},
			second: list{pair("a", "7"), pair("c", "3"), pair("d", "4")},
			edit:   list{pair("a", "9"), pair("b", "2"), pair("d", "4"), pair("x", "5")},
			empty:  list{},
		}.in(inContainer, "env", keyedList(itemOf(map[string]shape{"name": aString, "value": aString}, "name"), nil, "name")),
		strategy{
			first:  list{port(80, "a"), port(81, "b"), port(84, "d")},
			second: list{port(80, "other"), port(83, "c"), port(84, "d")},
			edit:   list{port(80, "edited"), port(81, "b"), port(84, "d"), port(85, "x")},
			empty:  list{},
		}.in(inContainer, "ports", keyedList(itemOf(map[string]shape{
			"containerPort": anInt, "protocol": aString, "name": aString,
		}, "containerPort"), object{"protocol": "TCP"}, "containerPort", "protocol")),
	}
}

func podMaps() []strategy {
	keys := strategy{
		first:  object{"a": "1", "b": "2", "d": "4"},
		second: object{"a": "7", "c": "3", "d": "4"},
		edit:   object{"a": "9", "b": "2", "d": "4", "x": "5"},
		empty:  object{},
	}
	return []strategy{
		keys.in(inTemplate, "annotations", mapOf(aString)),
		keys.in(inPod, "nodeSelector", atomicMap(aString)),
		strategy{
			first:  object{"cpu": "1", "memory": "2", "ephemeral-storage": "4"},
			second: object{"cpu": "7", "example.com/c": "3", "ephemeral-storage": "4"},
			edit:   object{"cpu": "9", "memory": "2", "ephemeral-storage": "4", "example.com/x": "5"},
			empty:  object{},
		}.in(inResources, "limits", mapOf(aString)),
		strategy{
			first:  object{"runAsUser": 1, "runAsGroup": 2, "fsGroup": 4},
			second: object{"runAsUser": 7, "runAsNonRoot": true, "fsGroup": 4},
			edit:   object{"runAsUser": 9, "runAsGroup": 2, "fsGroup": 4, "fsGroupChangePolicy": "Always"},
			empty:  object{},
		}.in(inPod, "securityContext", structOf(map[string]shape{
			"runAsUser": anInt, "runAsGroup": anInt, "fsGroup": anInt, "runAsNonRoot": aString, "fsGroupChangePolicy": aString,
		})),
	}
}
