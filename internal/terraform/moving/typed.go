package moving

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// typed maps the types of the resources with a schema for one kind each, without their prefix, to the kinds. If a
// resource uses an API version that is no longer served, the entry has a current one. A type with the suffix _v1 has
// the same kind, unless it has an entry of its own.
var typed = map[string]manifest.Identity{
	"config_map":              kind("v1", "ConfigMap"),
	"endpoints":               kind("v1", "Endpoints"),
	"limit_range":             kind("v1", "LimitRange"),
	"namespace":               kind("v1", "Namespace"),
	"persistent_volume":       kind("v1", "PersistentVolume"),
	"persistent_volume_claim": kind("v1", "PersistentVolumeClaim"),
	"pod":                     kind("v1", "Pod"),
	"replication_controller":  kind("v1", "ReplicationController"),
	"resource_quota":          kind("v1", "ResourceQuota"),
	"secret":                  kind("v1", "Secret"),
	"service":                 kind("v1", "Service"),
	"service_account":         kind("v1", "ServiceAccount"),

	"validating_admission_policy_v1":   kind("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"),
	"validating_webhook_configuration": kind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"),
	"mutating_webhook_configuration":   kind("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"),
	"api_service":                      kind("apiregistration.k8s.io/v1", "APIService"),
	"daemonset":                        kind("apps/v1", "DaemonSet"),
	"daemon_set_v1":                    kind("apps/v1", "DaemonSet"),
	"deployment":                       kind("apps/v1", "Deployment"),
	"stateful_set":                     kind("apps/v1", "StatefulSet"),
	"horizontal_pod_autoscaler":        kind("autoscaling/v2", "HorizontalPodAutoscaler"),
	"horizontal_pod_autoscaler_v1":     kind("autoscaling/v1", "HorizontalPodAutoscaler"),
	"horizontal_pod_autoscaler_v2":     kind("autoscaling/v2", "HorizontalPodAutoscaler"),
	// The API version of this resource is no longer served.
	"horizontal_pod_autoscaler_v2beta2": kind("autoscaling/v2", "HorizontalPodAutoscaler"),
	"cron_job":                          kind("batch/v1", "CronJob"),
	"job":                               kind("batch/v1", "Job"),
	"endpoint_slice_v1":                 kind("discovery.k8s.io/v1", "EndpointSlice"),
	"ingress":                           kind("networking.k8s.io/v1", "Ingress"),
	"ingress_class":                     kind("networking.k8s.io/v1", "IngressClass"),
	"network_policy":                    kind("networking.k8s.io/v1", "NetworkPolicy"),
	"runtime_class_v1":                  kind("node.k8s.io/v1", "RuntimeClass"),
	"pod_disruption_budget":             kind("policy/v1", "PodDisruptionBudget"),
	"cluster_role":                      kind("rbac.authorization.k8s.io/v1", "ClusterRole"),
	"cluster_role_binding":              kind("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
	"role":                              kind("rbac.authorization.k8s.io/v1", "Role"),
	"role_binding":                      kind("rbac.authorization.k8s.io/v1", "RoleBinding"),
	"priority_class":                    kind("scheduling.k8s.io/v1", "PriorityClass"),
	"csi_driver":                        kind("storage.k8s.io/v1", "CSIDriver"),
	"storage_class":                     kind("storage.k8s.io/v1", "StorageClass"),
}

const (
	ofPart   = "it applies part of an object. k8sconnect_patch is the resource for that"
	unmoved  = "it applies part of an object, and no resource reads its state. Write a k8sconnect_patch"
	noObject = "it leaves no object on the cluster"
)

// notObjects lists the reasons why the other resource types of the provider cannot be moved.
var notObjects = map[string]string{
	"kubernetes_annotations":                    ofPart,
	"kubernetes_config_map_v1_data":             ofPart,
	"kubernetes_default_service_account":        unmoved,
	"kubernetes_default_service_account_v1":     unmoved,
	"kubernetes_env":                            ofPart,
	"kubernetes_labels":                         ofPart,
	"kubernetes_node_taint":                     ofPart,
	"kubernetes_secret_v1_data":                 unmoved,
	"kubernetes_certificate_signing_request":    noObject,
	"kubernetes_certificate_signing_request_v1": noObject,
	"kubernetes_token_request_v1":               noObject,
}

func kind(apiVersion, kind string) manifest.Identity {
	return manifest.Identity{APIVersion: apiVersion, Kind: kind}
}

// kindOf returns the kind of the objects that a resource type manages.
func kindOf(typeName string) (of manifest.Identity, is bool) {
	name, is := strings.CutPrefix(typeName, "kubernetes_")
	if !is {
		return of, false
	}
	if of, is = typed[name]; is {
		return of, true
	}
	name, is = strings.CutSuffix(name, "_v1")
	// kubernetes_daemonset is kubernetes_daemon_set_v1 with the suffix.
	if !is || strings.HasSuffix(name, "_v1") || name == "daemonset" {
		return of, false
	}
	of, is = typed[name]
	return of, is
}

// Typed reads the resources with a schema for one kind each. They write the fields of an object in another form, which
// only that schema defines, so their states contain no body.
var Typed = Source{
	Provider: hashicorpKubernetes, TypeName: "the resources of one kind, like kubernetes_deployment_v1",
	SchemaVersion: 1,
	IsType: func(typeName string) bool {
		_, is := kindOf(typeName)
		return is
	},
	Read: func(source resource.MoveStateRequest) (Moved, error) {
		state, err := decode[struct {
			ID       string          `json:"id"`
			Metadata json.RawMessage `json:"metadata"`
			Timeouts json.RawMessage `json:"timeouts"`
		}](source.SourceRawState.JSON)
		if err != nil {
			return Moved{}, err
		}
		moved := Moved{FieldManager: objectUpdaters[0], Updaters: objectUpdaters}
		if moved.Settings.Timeouts, err = timeoutsOf(state.Timeouts); err != nil {
			return Moved{}, err
		}
		if moved.Object, err = identified(source); err != nil {
			return Moved{}, err
		}
		if moved.Object != (manifest.Identity{}) {
			return moved, nil
		}
		of, _ := kindOf(source.SourceTypeName)
		moved.Object, err = named(of, state.Metadata, state.ID)
		return moved, err
	},
}

// identified returns the object that the identity of a resource names; the zero value without an identity.
func identified(source resource.MoveStateRequest) (manifest.Identity, error) {
	if source.SourceIdentity == nil || len(source.SourceIdentity.JSON) == 0 {
		return manifest.Identity{}, nil
	}
	identity, err := decode[struct {
		APIVersion string `json:"api_version"`
		Kind       string `json:"kind"`
		Namespace  string `json:"namespace"`
		Name       string `json:"name"`
	}](source.SourceIdentity.JSON)
	if err != nil || identity.Kind == "" || identity.Name == "" {
		return manifest.Identity{}, err
	}
	return manifest.Identity{APIVersion: identity.APIVersion, Kind: identity.Kind, Namespace: identity.Namespace,
		Name: identity.Name}, nil
}

// named returns the object that metadata names, which is a block or an object in the state, or else the id of the
// resource.
func named(of manifest.Identity, document json.RawMessage, id string) (manifest.Identity, error) {
	var blocks metadata
	if err := json.Unmarshal(document, &blocks); err != nil {
		blocks = make(metadata, 1)
		if json.Unmarshal(document, &blocks[0]) != nil {
			blocks = nil
		}
	}
	if len(blocks) == 1 && blocks[0].Name != "" {
		return blocks.of(of.APIVersion, of.Kind)
	}
	namespace, name, both := strings.Cut(id, "/")
	if !both {
		namespace, name = "", id
	}
	if name == "" {
		return of, errors.New("it has neither a name in its metadata nor an id")
	}
	of.Namespace, of.Name = namespace, name
	return of, nil
}

// timeoutsOf returns the timeouts of a resource: an object, or a list with one.
func timeoutsOf(document json.RawMessage) (map[string]string, error) {
	if len(document) == 0 {
		return nil, nil
	}
	var block map[string]string
	if json.Unmarshal(document, &block) == nil {
		return block, nil
	}
	var blocks []map[string]string
	if err := json.Unmarshal(document, &blocks); err != nil {
		return nil, fmt.Errorf("its timeouts are neither a block nor an object")
	}
	if len(blocks) == 0 {
		return nil, nil
	}
	return blocks[0], nil
}
