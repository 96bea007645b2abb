package attributes

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// AttributeName is the name of the connection's attribute, in the provider and in its resources.
const AttributeName = "cluster"

// secrecy describes whether Terraform shows an attribute's value.
type secrecy string

const (
	shown  secrecy = "shown"
	hidden secrecy = "hidden"
)

// presence describes whether an attribute can be left out. The zero value is optional.
type presence string

const required presence = "required"

// field describes one attribute of the connection for the schemas that contain it.
type field struct {
	name     string
	kind     attr.Type
	secrecy  secrecy
	presence presence
	markdown string
	// nested are the attributes of a nested object; kind is nil then.
	nested []field
}

// fields are the attributes of the connection, in the order in which they are documented.
var fields = []field{
	{
		name: "kubeconfig", kind: types.StringType, secrecy: hidden,
		markdown: "Content of a kubeconfig, for example the output of the module that creates the cluster. " +
			"For a file, use `config_path`. Set exactly one of `kubeconfig`, `config_path`, `host` and `in_cluster`.",
	},
	{
		name: "config_path", kind: types.StringType, secrecy: shown,
		markdown: "Path of a kubeconfig file; a leading `~` is the home directory. The file is read when the " +
			"cluster is first needed, so it may be written during the same apply.",
	},
	{
		name: "context", kind: types.StringType, secrecy: shown,
		markdown: "Context of the kubeconfig to use. Default: its `current-context`.",
	},
	{
		name: "namespace", kind: types.StringType, secrecy: shown,
		markdown: "Namespace of objects whose manifest names none. Default: the context's namespace, or the pod's " +
			"with `in_cluster`, else `default`. An object that exists stays in its namespace when the context's " +
			"namespace changes. A change of this argument replaces the objects that it moves. Cluster-scoped kinds " +
			"ignore it.",
	},
	{
		name: "host", kind: types.StringType, secrecy: shown,
		markdown: "URL of the API server, for example `https://203.0.113.10:6443`. It needs one kind of credentials: " +
			"`token`, `token_file`, `client_certificate` with `client_key`, or `exec`.",
	},
	{
		name: "cluster_ca_certificate", kind: types.StringType, secrecy: shown,
		markdown: "Certificate of the authority that signed the API server's certificate, as PEM or as base64 of " +
			"PEM. Default: the authorities that the system trusts. Used with `host`.",
	},
	{
		name: "client_certificate", kind: types.StringType, secrecy: hidden,
		markdown: "Client certificate, as PEM or as base64 of PEM. Used with `host` and `client_key`.",
	},
	{
		name: "client_key", kind: types.StringType, secrecy: hidden,
		markdown: "Private key of the client certificate, as PEM or as base64 of PEM. Used with `host` and " +
			"`client_certificate`.",
	},
	{
		name: "token", kind: types.StringType, secrecy: hidden,
		markdown: "Bearer token. Used with `host`. If the token can expire between plan and apply, use `token_file` " +
			"or `exec` instead.",
	},
	{
		name: "token_file", kind: types.StringType, secrecy: shown,
		markdown: "Path of a file with a bearer token; a leading `~` is the home directory. The file is read for " +
			"each request, so the token may be replaced while Terraform runs. Used with `host`.",
	},
	{
		name: "exec",
		markdown: "Credential plugin that prints a token or a client certificate. It runs on the machine that runs " +
			"Terraform, whenever a credential is needed. Used with `host`.",
		nested: execFields,
	},
	{
		name: "in_cluster", kind: types.BoolType, secrecy: shown,
		markdown: "Use the cluster of the pod that Terraform runs in, with the pod's service account. Objects whose " +
			"manifest names no namespace are in the pod's. Default: `false`.",
	},
	{
		name: "proxy_url", kind: types.StringType, secrecy: hidden,
		markdown: "URL of an `http`, `https` or `socks5` proxy to reach the API server through. Default: the " +
			"kubeconfig's, then the environment's (`HTTPS_PROXY`, `NO_PROXY`).",
	},
	{
		name: "tls_server_name", kind: types.StringType, secrecy: shown,
		markdown: "Name that must be in the API server's certificate. Default: the host name of its URL.",
	},
	{
		name: "insecure", kind: types.BoolType, secrecy: shown,
		markdown: "Do not check the API server's certificate. Anybody who can intercept the connection can then read " +
			"the credentials: use this only for test clusters. Default: `false`.",
	},
	{
		name: "accept_new_cluster", kind: types.BoolType, secrecy: shown,
		markdown: "Whether the connection may lead to another cluster than the one that the state is about. By " +
			"default, that is an error: with a switched context, an apply would create everything again in the wrong " +
			"cluster. Set it for one apply after you built the cluster again: the apply creates the objects that the " +
			"new one lacks. The uid of the namespace `kube-system` tells clusters apart. Default: `false`.",
	},
}

var execFields = []field{
	{
		name: "api_version", kind: types.StringType, secrecy: shown, presence: required,
		markdown: "Version of the plugin's output: `client.authentication.k8s.io/v1` or " +
			"`client.authentication.k8s.io/v1beta1`.",
	},
	{
		name: "command", kind: types.StringType, secrecy: shown, presence: required,
		markdown: "Program to run, by path or by its name on the `PATH`.",
	},
	{
		name: "args", kind: types.ListType{ElemType: types.StringType}, secrecy: shown,
		markdown: "Arguments of the program.",
	},
	{
		name: "env", kind: types.MapType{ElemType: types.StringType}, secrecy: hidden,
		markdown: "Environment variables for the program, in addition to those that Terraform has.",
	},
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
