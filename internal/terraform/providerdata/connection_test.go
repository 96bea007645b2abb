package providerdata

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

type values map[string]attr.Value

// connectionType is the type of the attribute cluster.
func connectionType() types.ObjectType {
	kind, _ := attributes.ProviderAttribute().GetType().(types.ObjectType)
	return kind
}

// object returns a value of the attribute with some attributes set and the others null.
func object(t *testing.T, of types.ObjectType, set values) types.Object {
	t.Helper()
	all := make(map[string]attr.Value, len(of.AttrTypes))
	for name, kind := range of.AttrTypes {
		all[name] = nullOf(kind)
		if value, found := set[name]; found {
			all[name] = value
		}
	}
	result, diags := types.ObjectValue(of.AttrTypes, all)
	if diags.HasError() {
		t.Fatal(diags)
	}
	return result
}

func nullOf(kind attr.Type) attr.Value {
	value, err := kind.ValueFromTerraform(context.Background(), tftypes.NewValue(kind.TerraformType(context.Background()), nil))
	if err != nil {
		panic(err)
	}
	return value
}

func clusterObject(t *testing.T, set values) types.Object {
	t.Helper()
	return object(t, connectionType(), set)
}

func exec(t *testing.T, set values) types.Object {
	t.Helper()
	exec, _ := connectionType().AttrTypes["exec"].(types.ObjectType)
	return object(t, exec, set)
}

func text(s string) types.String { return types.StringValue(s) }

func texts(elements ...attr.Value) types.List {
	return types.ListValueMust(types.StringType, elements)
}

func TestDecode(t *testing.T) {
	t.Parallel()
	plugin := values{"api_version": text("v1"), "command": text("aws")}
	unknownArgs, unknownEnv := values{}, values{}
	for name, value := range plugin {
		unknownArgs[name], unknownEnv[name] = value, value
	}
	unknownArgs["args"] = texts(text("a"), types.StringUnknown())
	unknownEnv["env"] = types.MapUnknown(types.StringType)

	cases := map[string]struct {
		value types.Object
		want  connect.Config
		state attributes.State
	}{
		"left out":                        {types.ObjectNull(connectionType().AttrTypes), connect.Config{}, attributes.Absent},
		"unknown as a whole":              {types.ObjectUnknown(connectionType().AttrTypes), connect.Config{}, attributes.Unknown},
		"one unknown attribute":           {clusterObject(t, values{"host": text("https://h"), "token": types.StringUnknown()}), connect.Config{}, attributes.Unknown},
		"an unknown boolean":              {clusterObject(t, values{"host": text("https://h"), "insecure": types.BoolUnknown()}), connect.Config{}, attributes.Unknown},
		"an unknown argument of a plugin": {clusterObject(t, values{"exec": exec(t, unknownArgs)}), connect.Config{}, attributes.Unknown},
		"unknown variables of a plugin":   {clusterObject(t, values{"exec": exec(t, unknownEnv)}), connect.Config{}, attributes.Unknown},
		"an empty object":                 {clusterObject(t, nil), connect.Config{}, attributes.Known},
		"every attribute": {
			clusterObject(t, values{
				"kubeconfig": text("1"), "config_path": text("2"), "context": text("3"), "host": text("4"),
				"cluster_ca_certificate": text("5"), "client_certificate": text("6"), "client_key": text("7"), "token": text("8"),
				"proxy_url": text("9"), "tls_server_name": text("10"), "insecure": types.BoolValue(true), "token_file": text("16"), "in_cluster": types.BoolValue(true),
				"exec": exec(t, values{
					"api_version": text("11"), "command": text("12"), "args": texts(text("13"), text("14")),
					"env": types.MapValueMust(types.StringType, map[string]attr.Value{"A": text("15")}),
				}),
			}),
			connect.Config{
				Kubeconfig: "1", ConfigPath: "2", Context: "3", Host: "4", ClusterCACertificate: "5", ClientCertificate: "6",
				ClientKey: "7", Token: "8", ProxyURL: "9", TLSServerName: "10", Insecure: true, TokenFile: "16", InCluster: true,
				Exec: &connect.ExecConfig{APIVersion: "11", Command: "12", Args: []string{"13", "14"}, Env: map[string]string{"A": "15"}},
			},
			attributes.Known,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, state, diags := attributes.Decode(t.Context(), tc.value)
			if diags.HasError() {
				t.Fatal(diags)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || state != tc.state {
				t.Errorf("state %s, want %s; config (-want +got):\n%s", state, tc.state, diff)
			}
		})
	}
}

// located returns the paths of the diagnostics, "" for one without.
func located(diags diag.Diagnostics) []string {
	var paths []string
	for _, d := range diags {
		at, ok := d.(diag.DiagnosticWithPath)
		if !ok {
			paths = append(paths, "")
			continue
		}
		paths = append(paths, at.Path().String())
	}
	return paths
}

func TestValid(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		value types.Object
		want  []string
	}{
		"nothing is said when left out":             {types.ObjectNull(connectionType().AttrTypes), nil},
		"nothing is said while a value is unknown":  {clusterObject(t, values{"host": text("nonsense"), "token": types.StringUnknown()}), nil},
		"nothing is said of a file that is missing": {clusterObject(t, values{"config_path": text("/no/such/file")}), nil},
		"an empty connection is wrong as a whole":   {clusterObject(t, nil), []string{"cluster"}},
		"a problem is at its attribute":             {clusterObject(t, values{"host": text("1.2.3.4:6443"), "token": text("t")}), []string{"cluster.host"}},
		"a nested problem is at its nested attribute": {
			clusterObject(t, values{"host": text("https://h"), "exec": exec(t, values{"api_version": text("v1"), "command": text("aws")})}),
			[]string{"cluster.exec.api_version"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var resp validator.ObjectResponse
			attributes.Valid().ValidateObject(t.Context(), validator.ObjectRequest{Path: path.Root("cluster"), ConfigValue: tc.value}, &resp)
			if diff := cmp.Diff(tc.want, located(resp.Diagnostics)); diff != "" {
				t.Errorf("paths (-want +got):\n%s\n%v", diff, resp.Diagnostics)
			}
		})
	}
}

func TestConnect(t *testing.T) {
	t.Parallel()
	absent, unknown := types.ObjectNull(connectionType().AttrTypes), types.ObjectUnknown(connectionType().AttrTypes)
	host := func(name string) types.Object {
		return clusterObject(t, values{"host": text("https://" + name), "token": text("t")})
	}
	bare := clusterObject(t, values{"host": text("https://p")})
	kubeconfig := filepath.Join(t.TempDir(), "config")
	content := `{apiVersion: v1, kind: Config, clusters: [{name: c, cluster: {server: "https://h"}}], users: [{name: u, user: {token: t}}],
		contexts: [{name: dev, context: {cluster: c, user: u, namespace: from-environment}}]}`
	if err := os.WriteFile(kubeconfig, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := clusterObject(t, values{"config_path": text("/no/such/file")})
	type environment map[string]string

	cases := map[string]struct {
		provider, resource types.Object
		environment        environment
		want               Status
		// says is a part of the first diagnostic, at is its path.
		says, at  string
		namespace string
	}{
		"the provider's connection is used":           {provider: host("p"), resource: absent, want: Ready, namespace: "default"},
		"a resource needs no provider's connection":   {provider: absent, resource: host("r"), want: Ready, namespace: "default"},
		"a resource's replaces an unknown provider's": {provider: unknown, resource: host("r"), want: Ready, namespace: "default"},
		"a resource's replaces an invalid provider's": {provider: missing, resource: host("r"), want: Ready, namespace: "default"},
		"an unknown connection of the provider":       {provider: unknown, resource: absent, want: Deferred},
		"an unknown connection of the resource":       {provider: host("p"), resource: unknown, want: Deferred},
		"no connection anywhere":                      {provider: absent, resource: absent, want: Missing, says: `provider "k8sconnect" {`},
		"an invalid connection of the provider":       {provider: missing, resource: absent, want: Invalid, says: "In the provider's connection, which this resource uses, `cluster.config_path`"},
		"an invalid connection of the resource":       {provider: host("p"), resource: missing, want: Invalid, says: "no such file", at: "cluster.config_path"},
		"an empty connection of the resource":         {provider: host("p"), resource: clusterObject(t, nil), want: Invalid, says: "`in_cluster` is set", at: "cluster"},
		"the environment replaces an absent provider's": {
			provider: absent, resource: absent, environment: environment{connect.EnvConfigPath: kubeconfig, connect.EnvContext: "dev"}, want: Ready, namespace: "from-environment",
		},
		"the environment does not touch a present one": {
			provider: host("p"), resource: absent, environment: environment{connect.EnvConfigPath: kubeconfig, connect.EnvContext: "dev"}, want: Ready, namespace: "default",
		},
		"a context alone is no connection": {
			provider: absent, resource: absent, environment: environment{connect.EnvContext: "dev"}, want: Missing, says: connect.EnvConfigPath,
		},
		"a wrong path of the environment is called by its name": {
			provider: absent, resource: absent, environment: environment{connect.EnvConfigPath: "/no/such/file"}, want: Invalid, says: "`KUBE_CONFIG_PATH`",
		},
		"a wrong context of the environment is called by its name": {
			provider: absent, resource: absent, environment: environment{connect.EnvConfigPath: kubeconfig, connect.EnvContext: "prod"}, want: Invalid, says: "`KUBE_CTX`",
		},
		"a host of the environment": {
			provider: absent, resource: absent, environment: environment{connect.EnvHost: "https://h", connect.EnvToken: "t"}, want: Ready, namespace: "default",
		},
		"two ways of the environment are called by their names": {
			provider: absent, resource: absent, environment: environment{connect.EnvHost: "https://h", connect.EnvToken: "t", connect.EnvConfigPath: kubeconfig},
			want: Invalid, says: "`KUBE_HOST` is set together with `KUBE_CONFIG_PATH`",
		},
		"a bad value of the environment": {
			provider: absent, resource: absent, environment: environment{connect.EnvInCluster: "yes"}, want: Invalid, says: "`KUBE_IN_CLUSTER_CONFIG` is \"yes\"",
		},
		"a bad value of the environment concerns no resource's own": {
			provider: absent, resource: host("r"), environment: environment{connect.EnvInCluster: "yes"}, want: Ready, namespace: "default",
		},
		"the environment completes a host of the provider": {
			provider: bare, resource: absent, environment: environment{connect.EnvToken: "t"}, want: Ready, namespace: "default",
		},
		"a bad value that completes a host is called by its name": {
			provider: bare, resource: absent, environment: environment{connect.EnvToken: "t", connect.EnvClusterCA: "x"}, want: Invalid, says: "`KUBE_CLUSTER_CA_CERT_DATA` is not a certificate",
		},
		"a host without credentials": {
			provider: bare, resource: absent, want: Invalid, says: "`cluster.host` is set without credentials.",
		},
		"the environment does not complete a host of the resource": {
			provider: bare, resource: bare, environment: environment{connect.EnvToken: "t"}, want: Invalid, says: "is set without credentials", at: "cluster.host",
		},
		"a token without a host": {
			provider: absent, resource: absent, environment: environment{connect.EnvToken: "t"}, want: Missing, says: "KUBE_TOKEN is set, but nothing says",
		},
		"a pod is not used unasked": {
			provider: absent, resource: absent, environment: environment{"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}, want: Missing, says: "`in_cluster = true`",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			getenv := func(name string) string { return tc.environment[name] }
			p, diags := New(t.Context(), kube.NewPool(connect.Options{}), Settings{Cluster: tc.provider}, getenv)
			if diags.HasError() {
				t.Fatal(diags)
			}
			got, status, diags := p.Connect(t.Context(), attributes.Connection{Cluster: tc.resource})
			if status != tc.want || (got != nil) != (status == Ready) {
				t.Fatalf("want %s, got %s with cluster %v: %v", tc.want, status, got, diags)
			}
			if got != nil && got.DefaultNamespace() != tc.namespace {
				t.Errorf("namespace: want %s, got %s", tc.namespace, got.DefaultNamespace())
			}
			if (tc.says == "") != (len(diags) == 0) {
				t.Fatalf("diagnostics: %v", diags)
			}
			if tc.says == "" {
				return
			}
			if !strings.Contains(diags[0].Detail(), tc.says) || located(diags)[0] != tc.at {
				t.Errorf("want %q at %q, got %v", tc.says, tc.at, diags)
			}
		})
	}
}

func TestConnectToApply(t *testing.T) {
	t.Parallel()
	p, diags := New(t.Context(), kube.NewPool(connect.Options{}), Settings{Cluster: types.ObjectUnknown(connectionType().AttrTypes)}, func(string) string { return "" })
	if diags.HasError() {
		t.Fatal(diags)
	}
	got, diags := p.ConnectToApply(t.Context(), attributes.Connection{})
	if got != nil || !diags.HasError() {
		t.Errorf("an unknown connection: want an error, got %v and %v", got, diags)
	}
}

func TestConnectSharesClients(t *testing.T) {
	t.Parallel()
	p, diags := New(t.Context(), kube.NewPool(connect.Options{}), Settings{Cluster: types.ObjectNull(connectionType().AttrTypes)}, os.Getenv)
	if diags.HasError() {
		t.Fatal(diags)
	}
	mine := clusterObject(t, values{"host": text("https://h"), "token": text("t")})
	clients := make([]any, 20)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() { clients[i], _, _ = p.Connect(t.Context(), attributes.Connection{Cluster: mine}) })
	}
	wg.Wait()
	if slices.ContainsFunc(clients, func(c any) bool { return c == nil || c != clients[0] }) {
		t.Error("want one client for all resources of one cluster")
	}
}

func TestFieldManager(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ configured, want types.String }{
		"left out is the default": {types.StringNull(), text(DefaultFieldManager)},
		"a name is kept":          {text("team-a"), text("team-a")},
		"unknown stays unknown":   {types.StringUnknown(), types.StringUnknown()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := New(t.Context(), nil, Settings{Cluster: types.ObjectNull(connectionType().AttrTypes), FieldManager: tc.configured}, func(string) string { return "" })
			if got := p.FieldManager(); !got.Equal(tc.want) {
				t.Errorf("want %s, got %s", tc.want, got)
			}
		})
	}
}

func TestFromProviderData(t *testing.T) {
	t.Parallel()
	want := &Provider{}
	for _, test := range []struct {
		data    any
		want    *Provider
		refused bool
	}{{nil, nil, false}, {"x", nil, true}, {want, want, false}} {
		var diags diag.Diagnostics
		if p := FromProviderData(test.data, &diags); p != test.want || diags.HasError() != test.refused {
			t.Errorf("%v: %v, %v", test.data, p, diags)
		}
	}
}
