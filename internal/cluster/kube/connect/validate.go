package connect

import (
	"net/url"
	"slices"
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
			"Add one of `token`, `token_file`, `client_certificate` with `client_key`, or `exec`.")...)
	}
	return problems
}

func lacksCredentials(suggestion string) []FieldProblem {
	return wrong("host", "is set without credentials.", suggestion)
}

// LacksCredentials reports whether c is an https host without credentials.
func (c Config) LacksCredentials() bool {
	u := c.hostURL()
	return u != nil && u.Scheme == "https" && len(c.credentials()) == 0
}

// ValidateArguments returns the problems that ValidateShape returns, for a connection whose credentials may come from
// the environment.
func (c Config) ValidateArguments() []FieldProblem {
	problems := slices.Concat(c.validateWay(), c.validateHost(), c.validateHostOnly(), c.validateCA(),
		c.validateClientCertificate(), c.validateExec(), c.validateProxy())
	if c.Kubeconfig != "" && len(problems) == 0 {
		_, found := c.loadKubeconfig()
		problems = append(problems, found...)
	}
	return problems
}

// argument is an attribute of a connection, which may be set.
type argument struct {
	name  string
	isSet bool
}

// namesOfSet returns the names of the arguments that are set.
func namesOfSet(arguments ...argument) []string {
	var names []string
	for _, one := range arguments {
		if one.isSet {
			names = append(names, one.name)
		}
	}
	return names
}

// ways returns the attributes that are set of those that say how to reach the cluster.
func (c Config) ways() []string {
	return namesOfSet(argument{"kubeconfig", c.Kubeconfig != ""}, argument{"config_path", c.ConfigPath != ""},
		argument{"host", c.Host != ""}, argument{"in_cluster", c.InCluster})
}

// validateWay checks that there is exactly one way to the cluster.
func (c Config) validateWay() []FieldProblem {
	ways := c.ways()
	var problems []FieldProblem
	switch len(ways) {
	case 0:
		problems = append(problems, wrong("",
			"The connection does not say how to reach the cluster: none of `kubeconfig`, `config_path`, `host` and "+
				"`in_cluster` is set.",
			"Set exactly one of them, `config_path = \"~/.kube/config\"` for instance.")...)
	case 1:
	default:
		problems = append(problems, wrong(ways[1],
			"is set together with `"+ways[0]+"`: both say how to reach the cluster.",
			"Keep one of `"+strings.Join(ways, "`, `")+"` and remove the others.")...)
	}
	if faults := validation.IsDNS1123Label(c.Namespace); c.Namespace != "" && len(faults) > 0 {
		problems = append(problems, wrong("namespace",
			"is \""+c.Namespace+"\", which cannot be the name of a namespace: "+strings.Join(faults, ", ")+".",
			"Write the name of a namespace, or remove `namespace`.")...)
	}
	if c.Context != "" && c.Kubeconfig == "" && c.ConfigPath == "" {
		problems = append(problems, wrong("context", "names a context, but there is no kubeconfig to look it up in.",
			"Set `kubeconfig` or `config_path` as well, or remove `context`.")...)
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
		return wrong("host", "is not an absolute http or https URL.", suggestion)
	case u.User != nil:
		return wrong("host", "contains a user name or password.",
			"Remove it from the URL; credentials go into `token`, `token_file`, `client_certificate` "+
				"with `client_key`, or `exec`.")
	case u.RawQuery != "" || u.Fragment != "":
		return wrong("host", "has a query or a fragment, which an API server's URL cannot have.",
			"Remove everything from the `?` or `#` on.")
	}
	return c.validateCredentials(u)
}

// credentials returns the kinds of credentials that are set, each by the name of its attribute.
func (c Config) credentials() []string {
	return namesOfSet(argument{"token", c.Token != ""}, argument{"token_file", c.TokenFile != ""},
		argument{"client_certificate", c.ClientCertificate != "" || c.ClientKey != ""},
		argument{"exec", c.Exec != nil})
}

// validateCredentials checks that a host comes with at most one kind of credentials. A plain http host
// comes with none: client-go leaves credentials out of requests that are not encrypted.
func (c Config) validateCredentials(host *url.URL) []FieldProblem {
	kinds := c.credentials()
	switch {
	case host.Scheme == "http" && len(kinds) > 0:
		return wrong(kinds[0],
			"would never be sent: `host` is a plain http URL, and credentials are only sent over https.",
			"Write `https://` in `host`, or remove the credentials.")
	case len(kinds) > 1:
		return wrong(kinds[1], "is set together with `"+kinds[0]+"`: a connection has one kind of credentials.",
			"Keep one of `"+strings.Join(kinds, "`, `")+"` and remove the others.")
	}
	return nil
}

// validateHostOnly refuses attributes that only a host uses, if there is a kubeconfig or a pod, which have their own.
func (c Config) validateHostOnly() []FieldProblem {
	ways := c.ways()
	if c.Host != "" || len(ways) == 0 {
		return nil
	}
	var problems []FieldProblem
	for _, name := range namesOfSet(
		argument{"cluster_ca_certificate", c.ClusterCACertificate != ""},
		argument{"client_certificate", c.ClientCertificate != ""}, argument{"client_key", c.ClientKey != ""},
		argument{"token", c.Token != ""}, argument{"token_file", c.TokenFile != ""}, argument{"exec", c.Exec != nil},
	) {
		problems = append(problems, wrong(name,
			"is used with `host`, but this connection uses `"+ways[0]+"`, which has its own.",
			"Remove it, or replace `"+ways[0]+"` with `host`.")...)
	}
	return problems
}
