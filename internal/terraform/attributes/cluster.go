package attributes

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// AttributeName is the name of the connection's attribute, in the provider and in its resources.
const AttributeName = "cluster"

// secrecy describes whether Terraform hides an attribute's value. The zero value is shown.
type secrecy string

const hidden secrecy = "hidden"

// presence describes whether an attribute can be left out. The zero value is optional.
type presence string

const required presence = "required"

// field describes one attribute of the connection for the schemas that contain it.
type field struct {
	name     string
	kind     attr.Type
	secrecy  secrecy
	presence presence
	// nested are the attributes of a nested object, and validators are its own; kind is nil then.
	nested     []field
	validators []validator.Object
}

var fields = []field{
	{name: "kubeconfig", kind: types.StringType, secrecy: hidden}, {name: "config_path", kind: types.StringType},
	{name: "context", kind: types.StringType}, {name: "namespace", kind: types.StringType},
	{name: "host", kind: types.StringType}, {name: "cluster_ca_certificate", kind: types.StringType},
	{name: "client_certificate", kind: types.StringType, secrecy: hidden},
	{name: "client_key", kind: types.StringType, secrecy: hidden},
	{name: "token", kind: types.StringType, secrecy: hidden}, {name: "token_file", kind: types.StringType},
	{name: "exec", nested: execFields}, {name: "in_cluster", kind: types.BoolType},
	{name: "proxy_url", kind: types.StringType, secrecy: hidden}, {name: "tls_server_name", kind: types.StringType},
	{name: "insecure", kind: types.BoolType}, {name: "accept_new_cluster", kind: types.BoolType},
}

var execFields = []field{
	{name: "api_version", kind: types.StringType, presence: required},
	{name: "command", kind: types.StringType, presence: required},
	{name: "args", kind: types.ListType{ElemType: types.StringType}},
	{name: "env", kind: types.MapType{ElemType: types.StringType}, secrecy: hidden},
}

// ObjectType returns the type of the attribute's value.
func ObjectType() types.ObjectType { return objectType(fields) }

func objectType(fields []field) types.ObjectType {
	listed := make(map[string]attr.Type, len(fields))
	for _, f := range fields {
		listed[f.name] = f.attrType()
	}
	return types.ObjectType{AttrTypes: listed}
}

func (f field) attrType() attr.Type {
	if f.nested != nil {
		return objectType(f.nested)
	}
	return f.kind
}
