package kubernetesstub

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The attributes that the schemas share.
var (
	optionalText  = schema.StringAttribute{Optional: true}
	optionalFlag  = schema.BoolAttribute{Optional: true}
	optionalTexts = schema.ListAttribute{Optional: true, ElementType: types.StringType}
	textsByName   = schema.MapAttribute{Optional: true, ElementType: types.StringType}
)

func textOr(value string) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString(value)}
}

func flagOr(value bool) schema.BoolAttribute {
	return schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(value)}
}

// objectSchemas returns the schemas of those resources of hashicorp/kubernetes that manage a whole object, by type. The
// typed ones lack spec.
func objectSchemas() map[string]schema.Schema {
	typed := schema.Schema{
		Version: 1,
		Attributes: map[string]schema.Attribute{
			"id": optionalText, "data": schema.MapAttribute{
				Optional: true, Sensitive: true, ElementType: types.StringType,
			},
		},
		Blocks: map[string]schema.Block{
			"metadata": list(map[string]schema.Attribute{
				"name": optionalText, "namespace": optionalText, "labels": textsByName, "annotations": textsByName,
				"generation": schema.Int64Attribute{Optional: true}, "uid": optionalText,
				"resource_version": optionalText,
			}),
			"timeouts": schema.SingleNestedBlock{
				Attributes: map[string]schema.Attribute{
					"create": optionalText, "update": optionalText, "delete": optionalText,
				},
			},
		},
	}
	condition := list(map[string]schema.Attribute{"status": optionalText, "type": optionalText})
	schemas := map[string]schema.Schema{"manifest": {
		Version: 1,
		Attributes: map[string]schema.Attribute{
			"manifest": schema.DynamicAttribute{Required: true}, "object": schema.DynamicAttribute{Optional: true},
			"computed_fields": optionalTexts,
			"wait_for": schema.SingleNestedAttribute{
				Optional: true, Attributes: map[string]schema.Attribute{"fields": textsByName},
			},
		},
		Blocks: map[string]schema.Block{
			"timeouts": list(map[string]schema.Attribute{
				"create": optionalText, "update": optionalText, "delete": optionalText,
			}),
			"field_manager": list(map[string]schema.Attribute{"name": optionalText, "force_conflicts": optionalFlag}),
			"wait": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{"rollout": optionalFlag, "fields": textsByName},
				Blocks:     map[string]schema.Block{"condition": condition},
			}},
		},
	}}
	for _, name := range []string{"deployment_v1", "secret_v1", "cluster_role_v1", "token_request_v1"} {
		schemas[name] = typed
	}
	return schemas
}

// kubectlSchema returns the attributes that kubectl_manifest has in both providers.
func kubectlSchema() map[string]schema.Attribute {
	sensitive := schema.StringAttribute{Optional: true, Sensitive: true}
	return map[string]schema.Attribute{
		"id": optionalText, "uid": optionalText, "live_uid": optionalText,
		"api_version": optionalText, "kind": optionalText, "name": optionalText, "namespace": optionalText,
		"override_namespace": optionalText,
		"yaml_body":          sensitive, "yaml_body_parsed": optionalText, "sensitive_fields": optionalTexts,
		"ignore_fields": optionalTexts,
		"force_new":     flagOr(false), "server_side_apply": flagOr(false), "force_conflicts": flagOr(false),
		"apply_only": flagOr(false),
		"wait":       optionalFlag, "wait_for_rollout": flagOr(true), "validate_schema": flagOr(true),
	}
}

func gavinbunneySchemas() map[string]schema.Schema {
	attributes := kubectlSchema()
	maps.Copy(attributes, map[string]schema.Attribute{
		"yaml_incluster":          schema.StringAttribute{Optional: true, Sensitive: true},
		"live_manifest_incluster": schema.StringAttribute{Optional: true, Sensitive: true},
	})
	return map[string]schema.Schema{"manifest": {
		Version: 1, Attributes: attributes,
		Blocks: map[string]schema.Block{
			"timeouts": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{"create": optionalText}},
		},
	}}
}

func alekcSchemas() map[string]schema.Schema {
	attributes := kubectlSchema()
	maps.Copy(attributes, map[string]schema.Attribute{
		"drift": optionalText, "show_drift_values": textOr("none"), "mask_paths": optionalTexts,
		"drift_engine":        textOr("client"),
		"upgrade_api_version": flagOr(false), "field_manager": textOr("kubectl"), "delete_cascade": optionalText,
	})
	field := list(map[string]schema.Attribute{"key": optionalText, "value": optionalText, "value_type": textOr("eq")})
	return map[string]schema.Schema{"manifest": {
		Version: 2, Attributes: attributes,
		Blocks: map[string]schema.Block{
			"wait_for": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Blocks: map[string]schema.Block{
				"condition": list(map[string]schema.Attribute{"type": optionalText, "status": optionalText}),
				"field":     field,
			}}},
			"timeouts": schema.SingleNestedBlock{
				Attributes: map[string]schema.Attribute{
					"create": optionalText, "update": optionalText, "delete": optionalText,
				},
			},
		},
	}}
}

func k8sconnectSchemas() map[string]schema.Schema {
	secret := schema.StringAttribute{Optional: true, Sensitive: true}
	return map[string]schema.Schema{"object": {
		Version: 2,
		Attributes: map[string]schema.Attribute{
			"id": optionalText, "yaml_body": schema.StringAttribute{Required: true},
			"cluster": schema.SingleNestedAttribute{Required: true, Attributes: map[string]schema.Attribute{
				"host": optionalText, "cluster_ca_certificate": secret, "kubeconfig": secret, "context": optionalText,
				"token":              secret,
				"client_certificate": secret, "client_key": secret, "insecure": optionalFlag, "proxy_url": optionalText,
				"exec": schema.SingleNestedAttribute{Optional: true, Sensitive: true,
					Attributes: map[string]schema.Attribute{
						"api_version": optionalText, "command": optionalText, "args": optionalTexts, "env": textsByName,
					}},
			}},
			"delete_protection": optionalFlag, "delete_timeout": optionalText, "force_destroy": optionalFlag,
			"ignore_fields":            optionalTexts,
			"managed_state_projection": textsByName, "managed_fields": textsByName,
			"object_ref": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
				"api_version": optionalText, "kind": optionalText, "name": optionalText, "namespace": optionalText,
			}},
		},
	}}
}
