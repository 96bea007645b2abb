package connect

import (
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Validate returns everything that is wrong with c, in the order of the attributes; nil if a client can be made. It
// reads the files that c names and sends nothing.
func (c Config) Validate() []FieldProblem {
	if problems := c.ValidateShape(); len(problems) > 0 {
		return problems
	}
	if _, problems := c.kubeconfig(); len(problems) > 0 {
		return problems
	}
	_, problems := c.tokenFile()
	return problems
}

// ValidateShape returns the problems that Validate returns, except those of the files that c names and of the pod that
// Terraform runs in: the apply may write these files, and they need not exist on the machine that validates the
// configuration. The files that the content of a kubeconfig names have to exist.
func (c Config) ValidateShape() []FieldProblem {
	problems := c.ValidateArguments()
	if c.LacksCredentials() {
		problems = append(problems, lacksCredentials(
			"Add one of `token`, `token_file`, `client_certificate` with `client_key`, or `exec`."))
	}
	return problems
}

func lacksCredentials(suggestion string) FieldProblem {
	return FieldProblem{Attribute: "host", Problem: "is set without credentials.", Suggestion: suggestion}
}

// LacksCredentials reports whether c is an https host without credentials.
func (c Config) LacksCredentials() bool {
	u := c.hostURL()
	return u != nil && u.Scheme == "https" && len(c.credentials()) == 0
}

// ValidateArguments returns the problems that ValidateShape returns, for a connection whose credentials may come from
// the environment.
func (c Config) ValidateArguments() []FieldProblem {
	problems := c.validateWay()
	problems = append(problems, c.validateHost()...)
	problems = append(problems, c.validateHostOnly()...)
	problems = append(problems, c.validateCA()...)
	problems = append(problems, c.validateClientCertificate()...)
	problems = append(problems, c.validateExec()...)
	problems = append(problems, c.validateProxy()...)
	if c.Kubeconfig != "" && len(problems) == 0 {
		_, found := c.loadKubeconfig()
		problems = append(problems, found...)
	}
	return problems
}

// validateWay checks that there is exactly one way to the cluster.
func (c Config) validateWay() []FieldProblem {
	var ways []string
	for _, way := range []struct {
		name string
		set  bool
	}{
		{"kubeconfig", c.Kubeconfig != ""}, {"config_path", c.ConfigPath != ""}, {"host", c.Host != ""},
		{"in_cluster", c.InCluster},
	} {
		if way.set {
			ways = append(ways, way.name)
		}
	}
	var problems []FieldProblem
	switch len(ways) {
	case 0:
		problems = append(problems, FieldProblem{
			Problem: "The connection does not say how to reach the cluster: none of `kubeconfig`, `config_path`, " +
				"`host` and `in_cluster` is set.",
			Suggestion: "Set exactly one of them, `config_path = \"~/.kube/config\"` for instance.",
		})
	case 1:
	default:
		problems = append(problems, FieldProblem{
			Attribute: ways[1], Problem: "is set together with `" + ways[0] + "`: both say how to reach the cluster.",
			Suggestion: "Keep one of `" + strings.Join(ways, "`, `") + "` and remove the others.",
		})
	}
	if faults := validation.IsDNS1123Label(c.Namespace); c.Namespace != "" && len(faults) > 0 {
		problems = append(problems, FieldProblem{
			Attribute: "namespace",
			Problem: "is \"" + c.Namespace + "\", which cannot be the name of a namespace: " +
				strings.Join(faults, ", ") + ".",
			Suggestion: "Write the name of a namespace, or remove `namespace`.",
		})
	}
	if c.Context != "" && c.Kubeconfig == "" && c.ConfigPath == "" {
		problems = append(problems, FieldProblem{
			Attribute: "context", Problem: "names a context, but there is no kubeconfig to look it up in.",
			Suggestion: "Set `kubeconfig` or `config_path` as well, or remove `context`.",
		})
	}
	return problems
}

// hostURL parses Host; nil if it is not an absolute http or https URL.
func (c Config) hostURL() *url.URL {
	u, err := url.Parse(c.Host)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil
	}
	return u
}

func (c Config) validateHost() []FieldProblem {
	if c.Host == "" {
		return nil
	}
	u := c.hostURL()
	switch {
	case u == nil:
		suggestion := "Write the API server's URL, `host = \"https://203.0.113.10:6443\"` for instance."
		if !strings.Contains(c.Host, "://") && !strings.ContainsAny(c.Host, "@?#") {
			suggestion = "Write `host = \"https://" + c.Host + "\"`."
		}
		return []FieldProblem{{
			Attribute: "host", Problem: "is not an absolute http or https URL.", Suggestion: suggestion,
		}}
	case u.User != nil:
		return []FieldProblem{{
			Attribute: "host",
			Problem:   "contains a user name or password.",
			Suggestion: "Remove it from the URL; credentials go into `token`, `token_file`, `client_certificate` " +
				"with `client_key`, or `exec`.",
		}}
	case u.RawQuery != "" || u.Fragment != "":
		return []FieldProblem{{
			Attribute: "host", Problem: "has a query or a fragment, which an API server's URL cannot have.",
			Suggestion: "Remove everything from the `?` or `#` on.",
		}}
	}
	return c.validateCredentials(u)
}

// credentials returns the kinds of credentials that are set, each by the name of its attribute.
func (c Config) credentials() []string {
	var kinds []string
	if c.Token != "" {
		kinds = append(kinds, "token")
	}
	if c.TokenFile != "" {
		kinds = append(kinds, "token_file")
	}
	if c.ClientCertificate != "" || c.ClientKey != "" {
		kinds = append(kinds, "client_certificate")
	}
	if c.Exec != nil {
		kinds = append(kinds, "exec")
	}
	return kinds
}

// validateCredentials checks that a host comes with at most one kind of credentials. A plain http host
// comes with none: client-go leaves credentials out of requests that are not encrypted.
func (c Config) validateCredentials(host *url.URL) []FieldProblem {
	kinds := c.credentials()
	switch {
	case host.Scheme == "http" && len(kinds) > 0:
		return []FieldProblem{{
			Attribute:  kinds[0],
			Problem:    "would never be sent: `host` is a plain http URL, and credentials are only sent over https.",
			Suggestion: "Write `https://` in `host`, or remove the credentials.",
		}}
	case len(kinds) > 1:
		return []FieldProblem{{
			Attribute:  kinds[1],
			Problem:    "is set together with `" + kinds[0] + "`: a connection has one kind of credentials.",
			Suggestion: "Keep one of `" + strings.Join(kinds, "`, `") + "` and remove the others.",
		}}
	}
	return nil
}

// validateHostOnly refuses attributes that only a host uses, if there is a kubeconfig or a pod, which have their own.
func (c Config) validateHostOnly() []FieldProblem {
	var way string
	switch {
	case c.Host != "":
		return nil
	case c.Kubeconfig != "":
		way = "kubeconfig"
	case c.ConfigPath != "":
		way = "config_path"
	case c.InCluster:
		way = "in_cluster"
	default:
		return nil
	}
	var problems []FieldProblem
	for _, attribute := range []struct {
		name string
		set  bool
	}{
		{"cluster_ca_certificate", c.ClusterCACertificate != ""}, {"client_certificate", c.ClientCertificate != ""},
		{"client_key", c.ClientKey != ""}, {"token", c.Token != ""}, {"token_file", c.TokenFile != ""},
		{"exec", c.Exec != nil},
	} {
		if attribute.set {
			problems = append(problems, FieldProblem{
				Attribute:  attribute.name,
				Problem:    "is used with `host`, but this connection uses `" + way + "`, which has its own.",
				Suggestion: "Remove it, or replace `" + way + "` with `host`.",
			})
		}
	}
	return problems
}
