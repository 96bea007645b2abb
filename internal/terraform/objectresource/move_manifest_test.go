package objectresource_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

const (
	hashicorp = "registry.terraform.io/hashicorp/kubernetes"
	alekc     = "registry.terraform.io/alekc/kubectl"
	gavin     = "registry.opentofu.org/gavinbunney/kubectl"
	former    = "registry.terraform.io/jmorris0x0/k8sconnect"

	settings   = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  a: \"1\"\n"
	settingsID = "apiVersion=v1,kind=ConfigMap,namespace=shop,name=settings"
	webID      = "apiVersion=apps/v1,kind=Deployment,namespace=shop,name=web"
	bodyOfHCL  = `{"type": ["object", {"apiVersion": "string", "kind": "string", "metadata": ["object", {"name": "string", "namespace": "string", "labels": "dynamic"}], "data": ["map", "string"], "items": ["tuple", ["number", "dynamic", "bool"]]}], ` +
		`"value": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": "shop", "labels": null}, "data": {"a": "1", "n": null}, "items": [1, null, true]}}`
)

func yamlBody(text string) string { return `"yaml_body": ` + quoted(text) }

func quoted(text string) string {
	document, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(document)
}

// source is a state that a moved block hands over.
type source struct {
	address, typeName, fields, identity string
	version                             int64
}

// A state of each source becomes a manifest, with the arguments that have an equivalent. What is not named is null.
func TestMove(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		source
		want  map[string]any
		warns []string
	}{
		"kubectl_manifest": {
			source: source{address: gavin, typeName: "kubectl_manifest", version: 1, fields: yamlBody(settings) + `, "server_side_apply": false, "apply_only": false, "ignore_fields": null, "timeouts": null`},
			want:   map[string]any{"id": settingsID, "yaml_body": settings, "field_manager": "HashiCorp"},
		},
		"kubectl_manifest that applies": {
			source: source{address: gavin, typeName: "kubectl_manifest", fields: yamlBody(settings) + `, "server_side_apply": true`},
			want:   map[string]any{"id": settingsID, "yaml_body": settings, "field_manager": "kubectl"},
		},
		"kubectl_manifest with everything": {
			source: source{address: alekc, typeName: "kubectl_manifest", version: 2, fields: yamlBody(settings) + `, "server_side_apply": true, "field_manager": "team", ` +
				`"ignore_fields": ["metadata.annotations.example.com/note", "spec.containers.0.image", "data"], "sensitive_fields": ["data"], "delete_cascade": "Foreground", ` +
				`"timeouts": {"create": "5m", "update": null, "delete": "7m"}`},
			want: map[string]any{
				"id": settingsID, "yaml_body": settings, "field_manager": "team", "delete_propagation": "Foreground",
				"ignore_fields": []any{"data", "metadata.annotations.example.com/note", "spec.containers[0].image"}, "sensitive_fields": []any{"data"},
				"timeouts": map[string]any{"create": "5m", "read": nil, "update": nil, "delete": "7m"},
			},
		},
		"kubectl_manifest in another namespace": {
			source: source{address: alekc, typeName: "kubectl_manifest", version: 1, fields: yamlBody(settings) + `, "override_namespace": "other"`},
			want: map[string]any{
				"id": "apiVersion=v1,kind=ConfigMap,namespace=other,name=settings", "field_manager": "HashiCorp",
				"yaml_body": "{\n  \"apiVersion\": \"v1\",\n  \"data\": {\n    \"a\": \"1\"\n  },\n  \"kind\": \"ConfigMap\",\n  \"metadata\": {\n    \"name\": \"settings\",\n    \"namespace\": \"other\"\n  }\n}",
			},
		},
		"kubectl_manifest in its own namespace": {
			source: source{address: alekc, typeName: "kubectl_manifest", version: 1, fields: yamlBody(settings) + `, "override_namespace": "shop"`},
			want:   map[string]any{"id": settingsID, "yaml_body": settings, "field_manager": "HashiCorp"},
		},
		"kubectl_manifest that keeps its object": {
			source: source{address: gavin, typeName: "kubectl_manifest", version: 1, fields: yamlBody(settings) + `, "apply_only": true`},
			want:   map[string]any{"id": settingsID, "yaml_body": settings, "field_manager": "HashiCorp", "on_destroy": "release"},
			warns:  []string{"Destroy Would Delete", `Write on_destroy = "release", or`, "removed {\n  from = k8sconnect_manifest.NAME\n"},
		},
		"kubectl_manifest of an import": {
			source: source{address: gavin, typeName: "kubectl_manifest", version: 1, fields: yamlBody(strings.Replace(settings, "metadata:", "metadata:\n  generation: 3", 1)) +
				`, "api_version": "v1", "kind": "ConfigMap", "namespace": "shop", "name": "settings"`},
			want: map[string]any{"id": settingsID, "field_manager": "HashiCorp"},
		},
		"k8sconnect_object": {
			source: source{address: former, typeName: "k8sconnect_object", version: 2, fields: yamlBody(settings) + `, "delete_protection": true, "force_destroy": true, "delete_timeout": "3m", ` +
				`"ignore_fields": ["spec.replicas", "spec.containers[?(@.name==\"app\")].image", "webhooks[0].caBundle", "spec.ports.*.nodePort", "metadata.labels.a\\.b", "spec..image"], "cluster": {"host": "https://h", "token": "t", "insecure": true, "kubeconfig": null, ` +
				`"exec": {"api_version": "v1", "command": "get", "args": ["a"], "env": {"A": "1"}}}`},
			want: map[string]any{
				"id": settingsID, "yaml_body": settings, "field_manager": "k8sconnect", "delete_protection": true, "force_destroy": true,
				"ignore_fields": []any{"metadata.labels.a.b", "spec.containers[name=\"app\"].image", "spec.ports[*].nodePort", "spec.replicas", "webhooks[0].caBundle"},
				"timeouts":      map[string]any{"create": nil, "read": nil, "update": nil, "delete": "3m"},
				"cluster": map[string]any{
					"host": "https://h", "token": "t", "insecure": true, "kubeconfig": nil, "config_path": nil, "context": nil, "cluster_ca_certificate": nil,
					"accept_new_cluster": nil, "in_cluster": nil, "token_file": nil, "client_certificate": nil, "client_key": nil, "proxy_url": nil, "tls_server_name": nil, "namespace": nil,
					"exec": map[string]any{"api_version": "v1", "command": "get", "args": []any{"a"}, "env": map[string]any{"A": "1"}},
				},
			},
			warns: []string{"Untranslated Field Paths", "ConfigMap shop/settings (v1)", "spec..image", "ignore_fields"},
		},
		"k8sconnect_object of an older version": {
			source: source{address: former, typeName: "k8sconnect_object", fields: yamlBody(settings) + `, "delete_protection": false, "ignore_fields": null, "delete_timeout": null`},
			want:   map[string]any{"id": settingsID, "yaml_body": settings, "field_manager": "k8sconnect", "delete_protection": false},
		},
		"kubernetes_manifest": {
			source: source{address: hashicorp, typeName: "kubernetes_manifest", version: 1, fields: `"manifest": ` + bodyOfHCL + `, "object": {"type": "string", "value": "x"}, "field_manager": [], "timeouts": [], "wait": [], "computed_fields": null`},
			want: map[string]any{
				"id": settingsID, "field_manager": "Terraform",
				"manifest": map[string]any{
					"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "settings", "namespace": "shop", "labels": nil},
					"data": map[string]any{"a": "1", "n": nil}, "items": []any{"1", nil, true},
				},
			},
		},
		"kubernetes_manifest with everything": {
			source: source{address: "kubernetes", typeName: "kubernetes_manifest", version: 1, fields: `"manifest": {"type": "x", "value": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}, "spec": {"finalizers": ["a"]}}}, ` +
				`"field_manager": [{"name": "team", "force_conflicts": true}], "timeouts": [{"create": "5m", "delete": null, "update": null}], "computed_fields": ["metadata.labels", "spec.finalizers", "spec[x"]`},
			want: map[string]any{
				"id": "apiVersion=v1,kind=Namespace,name=shop", "field_manager": "team", "ignore_fields": []any{"spec.finalizers"},
				"timeouts":  map[string]any{"create": "5m", "read": nil, "update": nil, "delete": nil},
				"yaml_body": "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Namespace\",\n  \"metadata\": {\n    \"name\": \"shop\"\n  },\n  \"spec\": {\n    \"finalizers\": [\n      \"a\"\n    ]\n  }\n}",
			},
			warns: []string{"Untranslated Field Paths", "spec[x"},
		},
		"typed": {
			source: source{address: hashicorp, typeName: "kubernetes_deployment_v1", version: 1, fields: `"id": "shop/web", "metadata": [{"name": "web", "namespace": "shop", "labels": {}}], "spec": [{}], "timeouts": {"create": "9m", "delete": null}`},
			want:   map[string]any{"id": webID, "field_manager": "HashiCorp", "timeouts": map[string]any{"create": "9m", "read": nil, "update": nil, "delete": nil}},
		},
		"typed, by its id": {
			source: source{address: "hashicorp/kubernetes", typeName: "kubernetes_deployment", version: 1, fields: `"id": "shop/web", "metadata": [], "timeouts": null`},
			want:   map[string]any{"id": webID, "field_manager": "HashiCorp"},
		},
		"typed, by its identity": {
			source: source{
				address: hashicorp, typeName: "kubernetes_horizontal_pod_autoscaler", fields: `"id": "shop/web", "metadata": [{"name": "web", "namespace": "shop"}]`,
				identity: `{"api_version": "autoscaling/v1", "kind": "HorizontalPodAutoscaler", "namespace": "shop", "name": "web"}`,
			},
			want: map[string]any{"id": "apiVersion=autoscaling/v1,kind=HorizontalPodAutoscaler,namespace=shop,name=web", "field_manager": "HashiCorp"},
		},
		"typed, with metadata that are an object": {
			source: source{address: hashicorp, typeName: "kubernetes_validating_admission_policy_v1", fields: `"id": "p", "metadata": {"name": "policy"}`, identity: "null"},
			want:   map[string]any{"id": "apiVersion=admissionregistration.k8s.io/v1,kind=ValidatingAdmissionPolicy,name=policy", "field_manager": "HashiCorp"},
		},
		"typed, cluster-scoped": {
			source: source{address: hashicorp, typeName: "kubernetes_namespace", fields: `"id": "shop", "metadata": [{"name": "shop"}]`},
			want:   map[string]any{"id": "apiVersion=v1,kind=Namespace,name=shop", "field_manager": "HashiCorp"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, said, failed := move(t, tc.source)
			if failed {
				t.Fatal(said)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("moved (-want +got):\n%s", diff)
			}
			for _, text := range tc.warns {
				if !strings.Contains(said, text) {
					t.Errorf("%q is not in:\n%s", text, said)
				}
			}
			if len(tc.warns) == 0 && said != "" {
				t.Error(said)
			}
		})
	}
}

// Each type of hashicorp/kubernetes 3.2 is either moved or refused with a reason.
func TestMoveEveryType(t *testing.T) {
	t.Parallel()
	accepted := strings.Fields(`api_service api_service_v1 cluster_role cluster_role_binding cluster_role_binding_v1 cluster_role_v1 config_map config_map_v1 cron_job cron_job_v1 csi_driver
		csi_driver_v1 daemon_set_v1 daemonset deployment deployment_v1 endpoint_slice_v1 endpoints endpoints_v1 horizontal_pod_autoscaler horizontal_pod_autoscaler_v1
		horizontal_pod_autoscaler_v2 horizontal_pod_autoscaler_v2beta2 ingress ingress_class ingress_class_v1 ingress_v1 job job_v1 limit_range limit_range_v1
		mutating_webhook_configuration mutating_webhook_configuration_v1 namespace namespace_v1 network_policy network_policy_v1 persistent_volume
		persistent_volume_claim persistent_volume_claim_v1 persistent_volume_v1 pod pod_disruption_budget pod_disruption_budget_v1 pod_v1 priority_class
		priority_class_v1 replication_controller replication_controller_v1 resource_quota resource_quota_v1 role role_binding role_binding_v1 role_v1
		runtime_class_v1 secret secret_v1 service service_account service_account_v1 service_v1 stateful_set stateful_set_v1 storage_class storage_class_v1
		validating_admission_policy_v1 validating_webhook_configuration validating_webhook_configuration_v1`)
	for _, name := range accepted {
		got, said, failed := move(t, source{address: hashicorp, typeName: "kubernetes_" + name, fields: `"id": "a/b", "metadata": [{"name": "b", "namespace": "a"}]`})
		if failed {
			t.Error(said)
			continue
		}
		if id, _ := got["id"].(string); !strings.HasSuffix(id, ",namespace=a,name=b") {
			t.Errorf("%s: %s", name, id)
		}
	}
	for _, name := range []string{"default_service_account", "default_service_account_v1", "secret_v1_data"} {
		refused(t, source{address: hashicorp, typeName: "kubernetes_" + name}, "it applies part of an object, and no resource reads its state. Write a k8sconnect_patch.")
	}
	for _, name := range []string{"annotations", "config_map_v1_data", "env", "labels", "node_taint"} {
		refused(t, source{address: hashicorp, typeName: "kubernetes_" + name}, "it applies part of an object. k8sconnect_patch is the resource for that")
	}
	for _, name := range []string{"certificate_signing_request", "certificate_signing_request_v1", "token_request_v1"} {
		refused(t, source{address: hashicorp, typeName: "kubernetes_" + name}, "it leaves no object on the cluster")
	}
	for _, name := range []string{"daemonset_v1", "deployment_v1_v1", "deployment_v2", "endpoint_slice", "runtime_class", "unknown"} {
		refused(t, source{address: hashicorp, typeName: "kubernetes_" + name}, "is not among the resources that can be moved here")
	}
}

// The types are those that the sources read, and no other spelling of them.
func TestMoveAddresses(t *testing.T) {
	t.Parallel()
	for address, accepted := range map[string]bool{
		former: true, "jmorris0x0/k8sconnect": true, "k8sconnect": true,
		"registry.terraform.io/k8sconnect/k8sconnect": false, "other/k8sconnect": false, "": false,
	} {
		_, said, failed := move(t, source{address: address, typeName: "k8sconnect_object", fields: yamlBody(settings)})
		if failed == accepted {
			t.Errorf("%q: %s", address, said)
		}
	}
}

// The error about a state that cannot be moved names the types that can.
func TestMoveRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		source
		want string
	}{
		"another type":                  {source{address: alekc, typeName: "kubectl_server_version"}, "kubectl_server_version of the provider " + alekc + " is not among"},
		"another provider":              {source{address: "registry.terraform.io/a/kubectl", typeName: "kubectl_manifest"}, "is not among"},
		"a type of another provider":    {source{address: alekc, typeName: "kubernetes_labels"}, "is not among"},
		"a later manifest":              {source{address: hashicorp, typeName: "kubernetes_manifest", version: 2}, "version 2 of its schema"},
		"a later kubectl of alekc":      {source{address: alekc, typeName: "kubectl_manifest", version: 3}, "version 3 of its schema"},
		"a later kubectl":               {source{address: gavin, typeName: "kubectl_manifest", version: 2}, "version 2 of its schema"},
		"a later object":                {source{address: former, typeName: "k8sconnect_object", version: 3}, "version 3 of its schema"},
		"a later type":                  {source{address: hashicorp, typeName: "kubernetes_pod", version: 2}, "version 2 of its schema"},
		"no manifest":                   {source{address: hashicorp, typeName: "kubernetes_manifest", fields: `"manifest": null`}, "it has no manifest"},
		"a manifest without a name":     {source{address: hashicorp, typeName: "kubernetes_manifest", fields: `"manifest": {"value": {"apiVersion": "v1", "kind": "A"}}`}, "its manifest cannot be used"},
		"no yaml_body":                  {source{address: former, typeName: "k8sconnect_object", fields: `"id": "a"`}, "its manifest cannot be used"},
		"neither a body nor a name":     {source{address: gavin, typeName: "kubectl_manifest", fields: `"id": "a"`}, "not of the form"},
		"a wrong body":                  {source{address: gavin, typeName: "kubectl_manifest", fields: `"yaml_body": {}`}, "yaml_body is a JSON object"},
		"a wrong cluster":               {source{address: former, typeName: "k8sconnect_object", fields: `"cluster": []`}, "cluster is a JSON array"},
		"wrong computed fields":         {source{address: hashicorp, typeName: "kubernetes_manifest", fields: `"computed_fields": 3`}, "computed_fields is a JSON number"},
		"a typed resource without name": {source{address: hashicorp, typeName: "kubernetes_pod", fields: `"id": "", "metadata": []`}, "neither a name in its metadata nor an id"},
		"wrong timeouts":                {source{address: hashicorp, typeName: "kubernetes_pod", fields: `"id": "a/b", "timeouts": 3`}, "its timeouts are neither"},
		"a wrong id":                    {source{address: hashicorp, typeName: "kubernetes_pod", fields: `"id": 3`}, "id is a JSON number"},
		"a wrong identity":              {source{address: hashicorp, typeName: "kubernetes_pod", fields: `"id": "a/b"`, identity: `{"name": 3}`}, "name is a JSON number"},
		"no JSON":                       {source{address: hashicorp, typeName: "kubernetes_pod", fields: `"id"`}, "not of the form"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused(t, tc.source, tc.want)
		})
	}
}

// refused asserts that a state cannot be moved.
func refused(t *testing.T, of source, want string) {
	t.Helper()
	_, said, failed := move(t, of)
	for _, text := range []string{
		"Unsupported Move", of.typeName + " cannot be moved to k8sconnect_manifest: ", want,
		"hashicorp/kubernetes: kubernetes_manifest, the resources of one kind, like kubernetes_deployment_v1, alekc/kubectl: kubectl_manifest, " +
			"gavinbunney/kubectl: kubectl_manifest, jmorris0x0/k8sconnect: k8sconnect_object",
	} {
		if !failed || !strings.Contains(said, text) {
			t.Errorf("%q is not in:\n%s", text, said)
		}
	}
}

// move plays a CLI that hands over a state. It returns the attributes that have a value, and what is said.
func move(t *testing.T, of source) (attributes map[string]any, said string, failed bool) {
	t.Helper()
	server := serve.NewServer("test")()
	req := &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: of.address, SourceTypeName: of.typeName, SourceSchemaVersion: of.version,
		SourceState: &tfprotov6.RawState{JSON: []byte("{" + of.fields + "}")}, TargetTypeName: "k8sconnect_manifest",
	}
	if of.identity != "" {
		req.SourceIdentity = &tfprotov6.RawState{JSON: []byte(of.identity)}
	}
	answer, err := server.MoveResourceState(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range answer.Diagnostics {
		said += d.Summary + "\n" + d.Detail + "\n"
		failed = failed || d.Severity == tfprotov6.DiagnosticSeverityError
	}
	if failed {
		return nil, said, true
	}
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	state, err := answer.TargetState.Unmarshal(schemas.ResourceSchemas["k8sconnect_manifest"].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	attributes, _ = plain(t, state).(map[string]any)
	for name, value := range attributes {
		if value == nil {
			delete(attributes, name)
		}
	}
	return attributes, said, false
}

// plain returns a value without types.
func plain(t *testing.T, value tftypes.Value) any {
	t.Helper()
	var text string
	var flag bool
	number := new(big.Float)
	var items []tftypes.Value
	var fields map[string]tftypes.Value
	switch {
	case value.IsNull():
		return nil
	case value.As(&text) == nil:
		return text
	case value.As(&number) == nil:
		return number.String()
	case value.As(&flag) == nil:
		return flag
	case value.As(&fields) == nil:
		object := map[string]any{}
		for name, field := range fields {
			object[name] = plain(t, field)
		}
		return object
	case value.As(&items) == nil:
		list := make([]any, 0, len(items))
		for _, item := range items {
			list = append(list, plain(t, item))
		}
		if value.Type().Is(tftypes.Set{}) {
			slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		}
		return list
	}
	t.Fatalf("%s is of no type that is expected", value)
	return nil
}
