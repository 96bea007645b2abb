package connect

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type environment map[string]string

func (e environment) get(name string) string { return e[name] }

func TestFromEnvironment(t *testing.T) {
	t.Parallel()
	mine := newPair(t)
	for name, tc := range map[string]struct {
		environment environment
		want        Config
		// problems has a part of the text of each problem; nowhere says that nothing names a cluster.
		problems []string
		nowhere  bool
	}{
		"nothing":         {nowhere: true},
		"a context alone": {environment: environment{"KUBE_CTX": "dev"}, nowhere: true},
		"a token alone":   {environment: environment{"KUBE_TOKEN": "t"}, nowhere: true},
		"a pod alone":     {environment: environment{"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}, nowhere: true},
		"not the pod":     {environment: environment{"KUBE_IN_CLUSTER_CONFIG": "false"}, nowhere: true},
		"a file": {
			environment: environment{"KUBE_CONFIG_PATH": "~/c", "KUBE_CTX": "dev", "KUBE_NAMESPACE": "state"},
			want:        Config{ConfigPath: "~/c", Context: "dev"},
		},
		"the pod": {environment: environment{"KUBE_IN_CLUSTER_CONFIG": "true"}, want: Config{InCluster: true}},
		"a host": {
			environment: environment{"KUBE_HOST": "https://h", "KUBE_TOKEN": "t", "KUBE_CLUSTER_CA_CERT_DATA": mine.certificate, "KUBE_TLS_SERVER_NAME": "n"},
			want:        Config{Host: "https://h", Token: "t", ClusterCACertificate: mine.certificate, TLSServerName: "n"},
		},
		"a host with a certificate": {
			environment: environment{
				"KUBE_HOST": "https://h", "KUBE_CLIENT_CERT_DATA": mine.certificate, "KUBE_CLIENT_KEY_DATA": mine.key, "KUBE_INSECURE": "true",
				"KUBE_PROXY_URL": "http://p",
			},
			want: Config{Host: "https://h", ClientCertificate: mine.certificate, ClientKey: mine.key, Insecure: true, ProxyURL: "http://p"},
		},
		"a host without credentials": {
			environment: environment{"KUBE_HOST": "https://h"},
			want:        Config{Host: "https://h"},
			problems:    []string{"`KUBE_HOST` is set without credentials. Set `KUBE_TOKEN`, or `KUBE_CLIENT_CERT_DATA` with `KUBE_CLIENT_KEY_DATA`."},
		},
		"a host without a scheme": {
			environment: environment{"KUBE_HOST": "h:6443", "KUBE_TOKEN": "t"},
			want:        Config{Host: "h:6443", Token: "t"},
			problems:    []string{"`KUBE_HOST` is not an absolute http or https URL. Write `KUBE_HOST=\"https://h:6443\"`."},
		},
		"two clusters": {
			environment: environment{"KUBE_CONFIG_PATH": "~/c", "KUBE_HOST": "https://h", "KUBE_TOKEN": "t"},
			want:        Config{ConfigPath: "~/c", Host: "https://h", Token: "t"},
			problems:    []string{"`KUBE_HOST` is set together with `KUBE_CONFIG_PATH`: both say how to reach the cluster. Keep one of `KUBE_CONFIG_PATH`, `KUBE_HOST` and remove the others."},
		},
		"a file and a token": {
			environment: environment{"KUBE_CONFIG_PATH": "~/c", "KUBE_TOKEN": "t"},
			want:        Config{ConfigPath: "~/c", Token: "t"},
			problems:    []string{"`KUBE_TOKEN` is used with `KUBE_HOST`, but this connection uses `KUBE_CONFIG_PATH`, which has its own."},
		},
		"two kinds of credentials": {
			environment: environment{"KUBE_HOST": "https://h", "KUBE_TOKEN": "t", "KUBE_CLIENT_CERT_DATA": mine.certificate, "KUBE_CLIENT_KEY_DATA": mine.key},
			want:        Config{Host: "https://h", Token: "t", ClientCertificate: mine.certificate, ClientKey: mine.key},
			problems:    []string{"`KUBE_CLIENT_CERT_DATA` is set together with `KUBE_TOKEN`"},
		},
		"values that are neither true nor false": {
			environment: environment{"KUBE_IN_CLUSTER_CONFIG": "yes", "KUBE_INSECURE": "no", "KUBE_CONFIG_PATH": "~/c"},
			want:        Config{ConfigPath: "~/c"},
			problems:    []string{"`KUBE_IN_CLUSTER_CONFIG` is \"yes\"", "`KUBE_INSECURE` is \"no\""},
		},
		"a cluster and a user of hashicorp/kubernetes": {
			environment: environment{"KUBE_CONFIG_PATH": "~/c", "KUBE_CTX_CLUSTER": "staging", "KUBE_CTX_AUTH_INFO": "me"},
			want:        Config{ConfigPath: "~/c"},
			problems: []string{
				"KUBE_CTX_CLUSTER is set, which this provider does not support. Name a context with that cluster in `KUBE_CTX`",
				"KUBE_CTX_AUTH_INFO is set",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, found := FromEnvironment(tc.environment.get)
			if found == tc.nowhere {
				t.Fatalf("found is %t", found)
			}
			if diff := cmp.Diff(tc.want, got.Config); diff != "" {
				t.Errorf("the connection (-want +got):\n%s", diff)
			}
			if !found {
				return
			}
			all := got.Problems
			if len(all) == 0 {
				all = got.Config.ValidateShape()
			}
			expectProblems(t, got.Variables, all, tc.problems)
			var set []string
			for name := range tc.environment {
				if slices.Contains(slices.Collect(maps.Values(allVariables)), name) {
					set = append(set, name)
				}
			}
			if slices.Sort(set); !slices.Equal(set, got.Set) {
				t.Errorf("%v are set, not %v", set, got.Set)
			}
		})
	}
}

// expectProblems asserts what a user reads of problems.
func expectProblems(t *testing.T, variables Variables, problems []FieldProblem, want []string) {
	t.Helper()
	if len(problems) != len(want) {
		t.Fatalf("problems %v, want %v", problems, want)
	}
	for i, problem := range problems {
		if variable, found := variables[problem.Attribute]; found {
			problem.Attribute = variable
		}
		if said := variables.Rename(problem).String(); !strings.Contains(said, want[i]) {
			t.Errorf("problem %q, want %q", said, want[i])
		}
	}
}

// The environment completes a host without credentials, and no other connection.
func TestCompletedFromEnvironment(t *testing.T) {
	t.Parallel()
	mine := newPair(t)
	all := environment{
		"KUBE_TOKEN": "t", "KUBE_CLUSTER_CA_CERT_DATA": mine.certificate, "KUBE_HOST": "https://H/", "KUBE_CONFIG_PATH": "~/c", "KUBE_CTX": "dev",
		"KUBE_INSECURE": "true", "KUBE_PROXY_URL": "http://p", "KUBE_TLS_SERVER_NAME": "n", "KUBE_IN_CLUSTER_CONFIG": "true",
	}
	own := newPair(t).certificate
	for name, tc := range map[string]struct {
		config      Config
		environment environment
		want        Config
		variables   Variables
		problems    []string
	}{
		"a host": {
			config: Config{Host: "https://h"}, environment: all, want: Config{Host: "https://h", Token: "t", ClusterCACertificate: mine.certificate},
			variables: Variables{"token": "KUBE_TOKEN", "cluster_ca_certificate": "KUBE_CLUSTER_CA_CERT_DATA"},
		},
		"a host with its authority": {
			config: Config{Host: "https://h", ClusterCACertificate: own}, environment: all,
			want: Config{Host: "https://h", Token: "t", ClusterCACertificate: own}, variables: Variables{"token": "KUBE_TOKEN"},
		},
		"a host that is not checked": {
			config: Config{Host: "https://h", Insecure: true}, environment: all,
			want: Config{Host: "https://h", Token: "t", Insecure: true}, variables: Variables{"token": "KUBE_TOKEN"},
		},
		"a host with a token":        {config: Config{Host: "https://h", Token: "own"}, environment: all, want: Config{Host: "https://h", Token: "own"}},
		"a host with a token's file": {config: Config{Host: "https://h", TokenFile: "f"}, environment: all, want: Config{Host: "https://h", TokenFile: "f"}},
		"half a pair":                {config: Config{Host: "https://h", ClientKey: mine.key}, environment: all, want: Config{Host: "https://h", ClientKey: mine.key}},
		"a plugin": {
			config: Config{Host: "https://h", Exec: &ExecConfig{Command: "aws"}}, environment: all,
			want: Config{Host: "https://h", Exec: &ExecConfig{Command: "aws"}},
		},
		"a plain host": {config: Config{Host: "http://h"}, environment: all, want: Config{Host: "http://h"}},
		"a file":       {config: Config{ConfigPath: "f"}, environment: all, want: Config{ConfigPath: "f"}},
		"a kubeconfig": {config: Config{Kubeconfig: twoContexts}, environment: all, want: Config{Kubeconfig: twoContexts}},
		"the pod":      {config: Config{InCluster: true}, environment: all, want: Config{InCluster: true}},
		"credentials of another host": {
			config: Config{Host: "https://h"}, environment: environment{"KUBE_HOST": "https://other", "KUBE_TOKEN": "t"}, want: Config{Host: "https://h"},
			problems: []string{"`host` is set without credentials. The credentials in the environment are not for this host, because KUBE_HOST names another one."},
		},
		"a host and no credentials anywhere": {
			config: Config{Host: "https://h"}, environment: environment{"KUBE_HOST": "https://h"}, want: Config{Host: "https://h"},
			problems: []string{"`host` is set without credentials. Add one of `token`, `token_file`, `client_certificate` with `client_key`, or `exec`, or set the environment variable KUBE_TOKEN."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := CompletedFromEnvironment(tc.config, tc.environment.get)
			if diff := cmp.Diff(tc.want, got.Config); diff != "" {
				t.Errorf("the connection (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.variables, got.Variables); diff != "" || !slices.Equal(slices.Sorted(maps.Values(tc.variables)), got.Set) {
				t.Errorf("variables (-want +got):\n%s\n%v", diff, got.Set)
			}
			expectProblems(t, got.Variables, got.Problems, tc.problems)
		})
	}
}

func TestHint(t *testing.T) {
	t.Parallel()
	for want, environment := range map[string]environment{
		"":                    {},
		"set `in_cluster":     {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"},
		"KUBE_TOKEN is set":   {"KUBE_TOKEN": "hunter2", "KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"},
		"reads one file. Set": {"KUBE_CONFIG_PATHS": "a:b"},
	} {
		if got := Hint(environment.get); !strings.Contains(got, want) || (want == "") != (got == "") ||
			strings.Contains(got, "hunter2") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
