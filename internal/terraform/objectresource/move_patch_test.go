package objectresource_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

const (
	// ofMap is the state of a resource about the ConfigMap shop/settings, without its fields.
	ofMap = `"id": "x", "api_version": "v1", "kind": "ConfigMap", "metadata": [{"name": "settings", "namespace": "shop"}], "field_manager": "Terraform", "force": null, `
	// ofWeb is the same about the Deployment shop/web.
	ofWeb = `"id": "x", "api_version": "apps/v1", "kind": "Deployment", "metadata": [{"name": "web", "namespace": "shop"}], "field_manager": "team", "force": true, `
	// ofCron is the same about the CronJob shop/night.
	ofCron = `"id": "x", "api_version": "batch/v1", "kind": "CronJob", "metadata": [{"name": "night", "namespace": "shop"}], "field_manager": "Terraform", "force": null, `

	mapID  = "apiVersion=v1,kind=ConfigMap,namespace=shop,name=settings"
	cronID = "apiVersion=batch/v1,kind=CronJob,namespace=shop,name=night"
)

// moved is what a state holds after a move.
type moved struct{ ID, Body, Manager string }

// A state of each source becomes a patch of what the source applied.
func TestMovePatch(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		typeName, state string
		want            moved
	}{
		"labels": {
			"kubernetes_labels", ofMap + `"labels": {"team": "a", "tier": "b"}`,
			moved{mapID, "metadata:\n  labels:\n    team: a\n    tier: b\n", "Terraform"},
		},
		"labels of a Namespace": {
			"kubernetes_labels", `"api_version": "v1", "kind": "Namespace", "metadata": [{"name": "shop", "namespace": null}], "field_manager": "Terraform", "labels": {"team": "a"}`,
			moved{"apiVersion=v1,kind=Namespace,name=shop", "metadata:\n  labels:\n    team: a\n", "Terraform"},
		},
		"no labels":   {"kubernetes_labels", ofMap + `"labels": {}`, moved{mapID, "{}\n", "Terraform"}},
		"annotations": {"kubernetes_annotations", ofMap + `"annotations": {"a": "1"}, "template_annotations": null`, moved{mapID, "metadata:\n  annotations:\n    a: \"1\"\n", "Terraform"}},
		"annotations of a template": {
			"kubernetes_annotations", ofWeb + `"annotations": {"a": "x"}, "template_annotations": {"b": "y"}`,
			moved{webID, "metadata:\n  annotations:\n    a: x\nspec:\n  template:\n    metadata:\n      annotations:\n        b: \"y\"\n", "team"},
		},
		"annotations of a template of a CronJob": {
			"kubernetes_annotations", ofCron + `"annotations": null, "template_annotations": {"b": "z"}`,
			moved{cronID, "spec:\n  jobTemplate:\n    spec:\n      template:\n        metadata:\n          annotations:\n            b: z\n", "Terraform"},
		},
		"data": {
			"kubernetes_config_map_v1_data", `"id": "shop/settings", "metadata": [{"name": "settings", "namespace": "shop"}], "field_manager": "Terraform", "force": true, "data": {"Corefile": "a\nb\n"}`,
			moved{mapID, "data:\n  Corefile: |\n    a\n    b\n", "Terraform"},
		},
		"env": {
			"kubernetes_env", ofWeb + `"container": "app", "init_container": null, "env": [{"name": "A", "value": "1", "value_from": []}, {"name": "B", "value": "", "value_from": [` +
				`{"config_map_key_ref": [], "field_ref": [], "resource_field_ref": [], "secret_key_ref": [{"key": "k", "name": "n", "optional": null}]}]}]`,
			moved{webID, "spec:\n  template:\n    spec:\n      containers:\n      - env:\n        - name: A\n          value: \"1\"\n" +
				"        - name: B\n          valueFrom:\n            secretKeyRef:\n              key: k\n              name: \"n\"\n              optional: false\n        name: app\n", "team"},
		},
		"env of other sources": {
			"kubernetes_env", ofWeb + `"container": "app", "init_container": "", "env": [{"name": "A", "value": "", "value_from": [{"config_map_key_ref": [{"key": "k", "name": "m", "optional": true}], ` +
				`"field_ref": [{"api_version": "v1", "field_path": "spec.nodeName"}], "resource_field_ref": [{"container_name": "app", "divisor": "1", "resource": "limits.cpu"}], "secret_key_ref": []}]}]`,
			moved{webID, "spec:\n  template:\n    spec:\n      containers:\n      - env:\n        - name: A\n          valueFrom:\n            configMapKeyRef:\n              key: k\n              name: m\n              optional: true\n" +
				"            fieldRef:\n              apiVersion: v1\n              fieldPath: spec.nodeName\n            resourceFieldRef:\n              containerName: app\n              divisor: \"1\"\n              resource: limits.cpu\n        name: app\n", "team"},
		},
		"env of an init container of a CronJob": {
			"kubernetes_env", ofCron + `"container": null, "init_container": "init", "env": [{"name": "A", "value": "1", "value_from": []}]`,
			moved{cronID, "spec:\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          initContainers:\n          - env:\n            - name: A\n              value: \"1\"\n            name: init\n", "Terraform"},
		},
		"taints": {
			"kubernetes_node_taint", `"id": "n1,a=b:NoSchedule", "metadata": [{"name": "n1"}], "field_manager": "Terraform", "force": null, "taint": [{"key": "a", "value": "b", "effect": "NoSchedule"}, {"key": "c", "value": "", "effect": "NoExecute"}]`,
			moved{"apiVersion=v1,kind=Node,name=n1", "spec:\n  taints:\n  - effect: NoSchedule\n    key: a\n    value: b\n  - effect: NoExecute\n    key: c\n", "Terraform"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, fault := movePatch(t, hashicorp, tc.typeName, tc.state, 0)
			if fault != "" {
				t.Fatal(fault)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("moved (-want +got):\n%s", diff)
			}
		})
	}
}

// The provider is recognized by whatever part of its address a CLI passes.
func TestMovePatchFromAddresses(t *testing.T) {
	t.Parallel()
	for address, accepted := range map[string]bool{
		hashicorp: true, "registry.opentofu.org/hashicorp/kubernetes": true, "mirror.example.com/hashicorp/kubernetes": true,
		"hashicorp/kubernetes": true, "kubernetes": true,
		"registry.terraform.io/other/kubernetes": false, "other/kubernetes": false, "k8sconnect": false, "": false,
		"registry.terraform.io/hashicorp/kubernetes-alpha": false, "a/b/hashicorp/kubernetes": false,
	} {
		if _, fault := movePatch(t, address, "kubernetes_labels", ofMap+`"labels": {"a": "b"}`, 0); (fault == "") != accepted {
			t.Errorf("%q: %s", address, fault)
		}
	}
}

// The error about a state that cannot be moved names the types that can.
func TestMovePatchRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		typeName, state string
		version         int64
		want            string
	}{
		"a part":            {"kubernetes_secret_v1_data", `"id": "a"`, 0, "no resource reads its state. Write a k8sconnect_patch"},
		"another type":      {"kubernetes_service", `"id": "a"`, 0, "kubernetes_service of the provider " + hashicorp + " is not among"},
		"a later version":   {"kubernetes_labels", ofMap + `"labels": {}`, 1, "its state has version 1 of its schema"},
		"a list":            {"kubernetes_labels", ofMap + `"labels": ["a"]`, 0, "labels is a JSON array"},
		"no JSON":           {"kubernetes_labels", `"id"`, 0, "not of the form"},
		"no metadata":       {"kubernetes_labels", `"api_version": "v1", "kind": "ConfigMap", "metadata": [], "labels": {}, "field_manager": "Terraform"`, 0, "no block metadata"},
		"no kind":           {"kubernetes_labels", `"api_version": "v1", "metadata": [{"name": "a"}], "labels": {}, "field_manager": "Terraform"`, 0, "kind"},
		"no name":           {"kubernetes_node_taint", `"metadata": [{"name": ""}], "taint": [], "field_manager": "Terraform"`, 0, "name"},
		"no field manager":  {"kubernetes_config_map_v1_data", `"metadata": [{"name": "a", "namespace": "b"}], "data": {}`, 0, "no field_manager"},
		"no container":      {"kubernetes_env", ofWeb + `"env": []`, 0, "names no container"},
		"wrong annotations": {"kubernetes_annotations", ofMap + `"annotations": 3`, 0, "annotations is a JSON number"},
		"wrong data":        {"kubernetes_config_map_v1_data", `"data": {"a": {}}`, 0, "JSON object"},
		"wrong env":         {"kubernetes_env", `"env": {}`, 0, "env is a JSON object"},
		"wrong taints":      {"kubernetes_node_taint", `"taint": "a"`, 0, "taint is a JSON string"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, fault := movePatch(t, hashicorp, tc.typeName, tc.state, tc.version)
			for _, text := range []string{
				"Unsupported Move", tc.typeName + " cannot be moved to k8sconnect_patch: ", tc.want,
				"hashicorp/kubernetes: kubernetes_labels, kubernetes_annotations, kubernetes_config_map_v1_data, kubernetes_env, kubernetes_node_taint",
			} {
				if !strings.Contains(fault, text) {
					t.Errorf("%q is not in:\n%s", text, fault)
				}
			}
		})
	}
}

// movePatch plays a CLI that hands over a state: the fields of its JSON. It returns what became of it, or the error.
func movePatch(t *testing.T, address, typeName, fields string, version int64) (m moved, fault string) {
	t.Helper()
	server := serve.NewServer("test")()
	answer, err := server.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: address, SourceTypeName: typeName, SourceSchemaVersion: version,
		SourceState: &tfprotov6.RawState{JSON: []byte("{" + fields + "}")}, TargetTypeName: "k8sconnect_patch",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range answer.Diagnostics {
		return moved{}, d.Summary + "\n" + d.Detail
	}
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	state, err := answer.TargetState.Unmarshal(schemas.ResourceSchemas["k8sconnect_patch"].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]tftypes.Value
	if err := state.As(&values); err != nil {
		t.Fatal(err)
	}
	for name, into := range map[string]*string{"id": &m.ID, "yaml_body": &m.Body, "field_manager": &m.Manager} {
		if err := values[name].As(into); err != nil {
			t.Fatal(err)
		}
	}
	return m, ""
}
