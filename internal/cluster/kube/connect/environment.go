package connect

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The environment variables that name the cluster. Each describes a connection of its own.
const (
	EnvConfigPath = "KUBE_CONFIG_PATH"
	EnvHost       = "KUBE_HOST"
	EnvInCluster  = "KUBE_IN_CLUSTER_CONFIG"
)

// The environment variables that count only together with one of these.
const (
	EnvContext           = "KUBE_CTX"
	EnvClusterCA         = "KUBE_CLUSTER_CA_CERT_DATA"
	envClientCertificate = "KUBE_CLIENT_CERT_DATA"
	envClientKey         = "KUBE_CLIENT_KEY_DATA"
	EnvToken             = "KUBE_TOKEN"
	envProxyURL          = "KUBE_PROXY_URL"
	envTLSServerName     = "KUBE_TLS_SERVER_NAME"
	envInsecure          = "KUBE_INSECURE"
)

// Variables has the environment variables that attributes of a connection come from, by attribute. Their names are
// those of the provider hashicorp/kubernetes; EnvInCluster is from Terraform's backend kubernetes.
type Variables map[string]string

// allVariables has the environment variables of a connection that the environment describes.
var allVariables = Variables{
	"config_path": EnvConfigPath, "context": EnvContext, "host": EnvHost, "cluster_ca_certificate": EnvClusterCA,
	"client_certificate": envClientCertificate, "client_key": envClientKey, "token": EnvToken, "proxy_url": envProxyURL,
	"tls_server_name": envTLSServerName, "insecure": envInsecure, "in_cluster": EnvInCluster,
}

// Rename returns a problem that names variables instead of the attributes that come from them.
func (v Variables) Rename(p FieldProblem) FieldProblem {
	var names []string
	for attribute, variable := range v {
		names = append(names, "`"+attribute+"`", "`"+variable+"`", "`"+attribute+" = ", "`"+variable+"=")
	}
	renamed := strings.NewReplacer(names...)
	p.Problem, p.Suggestion = renamed.Replace(p.Problem), renamed.Replace(p.Suggestion)
	return p
}

// Inherited is a connection that the environment describes, or completes.
type Inherited struct {
	Config Config
	// Variables are where attributes of Config come from; nil if none comes from the environment.
	Variables Variables
	// Set are those of the variables that are set, in order.
	Set []string
	// Problems are mistakes that Config.Validate does not find.
	Problems []FieldProblem
}

// FromEnvironment returns the connection that environment variables describe; found is false if none of them names a
// cluster.
func FromEnvironment(getenv func(string) string) (inherited Inherited, found bool) {
	inCluster, notBool := parseBool("in_cluster", getenv)
	if getenv(EnvConfigPath) == "" && getenv(EnvHost) == "" && !inCluster && len(notBool) == 0 {
		return Inherited{}, false
	}
	problems := notBool
	insecure, notBool := parseBool("insecure", getenv)
	problems = append(problems, notBool...)
	cfg := Config{
		ConfigPath: getenv(EnvConfigPath), Context: getenv(EnvContext), Host: getenv(EnvHost), InCluster: inCluster,
		ClusterCACertificate: getenv(EnvClusterCA), ClientCertificate: getenv(envClientCertificate),
		ClientKey: getenv(envClientKey), Token: getenv(EnvToken), ProxyURL: getenv(envProxyURL),
		TLSServerName: getenv(envTLSServerName), Insecure: insecure,
	}
	if cfg.LacksCredentials() {
		problems = append(problems, lacksCredentials("Set `token`, or `client_certificate` with `client_key`.")...)
	}
	if cfg.ConfigPath != "" {
		problems = append(problems, unsupported(getenv)...)
	}
	isUnset := func(name string) bool { return getenv(name) == "" }
	set := slices.DeleteFunc(slices.Sorted(maps.Values(allVariables)), isUnset)
	return Inherited{Config: cfg, Variables: allVariables, Set: set, Problems: problems}, true
}

// CompletedFromEnvironment returns c with the credentials that environment variables have, if c is an https host
// without any. The certificate authority comes with them if c has none. The credentials are sent to the host of c, so c
// must not be the connection of a resource. If KUBE_HOST names another host, the credentials are only for that host.
func CompletedFromEnvironment(c Config, getenv func(string) string) Inherited {
	if !c.LacksCredentials() {
		return Inherited{Config: c}
	}
	const add = "Add one of `token`, `token_file`, `client_certificate` with `client_key`, or `exec`, or "
	if other := getenv(EnvHost); other != "" &&
		!strings.EqualFold(strings.TrimSuffix(other, "/"), strings.TrimSuffix(c.Host, "/")) {
		problems := wrong("host", "is set without credentials. The credentials in the environment are not for this "+
			"host, because "+EnvHost+" names another one.", add+"unset "+EnvHost+".")
		return Inherited{Config: c, Problems: problems}
	}
	taken := Variables{}
	take := func(attribute string, into *string) {
		if value := getenv(allVariables[attribute]); value != "" && *into == "" {
			*into, taken[attribute] = value, allVariables[attribute]
		}
	}
	take("token", &c.Token)
	take("client_certificate", &c.ClientCertificate)
	take("client_key", &c.ClientKey)
	if len(taken) == 0 {
		problems := lacksCredentials(add + "set the environment variable " + EnvToken + ".")
		return Inherited{Config: c, Problems: problems}
	}
	// Validation refuses a certificate authority together with `insecure`.
	if !c.Insecure {
		take("cluster_ca_certificate", &c.ClusterCACertificate)
	}
	return Inherited{Config: c, Variables: taken, Set: slices.Sorted(maps.Values(taken))}
}

// Hint returns what an environment without a connection suggests, as sentences; "" for nothing.
func Hint(getenv func(string) string) string {
	switch {
	case getenv("KUBE_CONFIG_PATHS") != "":
		return "KUBE_CONFIG_PATHS is set, but this provider reads one file. Set " + EnvConfigPath + " to it."
	case getenv(EnvToken) != "":
		return EnvToken + " is set, but nothing says where the cluster is. Set " + EnvHost +
			", or set `host` in the provider's `cluster`."
	case getenv(podHost) != "" && getenv(podPort) != "":
		return "Terraform runs in a pod. To use the cluster and the service account of the pod, set `in_cluster = " +
			"true` in the provider's `cluster`, or set " + EnvInCluster + " to true."
	default:
		return ""
	}
}

// parseBool returns the value of a variable that is true or false; a variable that is not set is false.
func parseBool(attribute string, getenv func(string) string) (bool, []FieldProblem) {
	text := getenv(allVariables[attribute])
	if text == "" {
		return false, nil
	}
	value, err := strconv.ParseBool(text)
	if err != nil {
		return false, wrong(attribute, "is \""+text+"\", which is neither true nor false.", "Write true or false.")
	}
	return value, nil
}

// unsupported returns a problem for each variable of hashicorp/kubernetes that would select another cluster or user,
// and that this provider does not support.
func unsupported(getenv func(string) string) []FieldProblem {
	var problems []FieldProblem
	for _, variable := range []struct{ name, of string }{{"KUBE_CTX_CLUSTER", "cluster"},
		{"KUBE_CTX_AUTH_INFO", "user"}} {
		if getenv(variable.name) != "" {
			problems = append(problems, wrong("",
				"The environment variable "+variable.name+" is set, which this provider does not support.",
				"Name a context with that "+variable.of+" in `context`, and unset "+variable.name+".")...)
		}
	}
	return problems
}
