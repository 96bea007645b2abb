package moving

// Connection is the block cluster of a moved resource. Its attributes have the same names in this provider.
type Connection struct {
	Host                 *string `json:"host"`
	ClusterCACertificate *string `json:"cluster_ca_certificate"`
	Kubeconfig           *string `json:"kubeconfig"`
	Context              *string `json:"context"`
	Token                *string `json:"token"`
	ClientCertificate    *string `json:"client_certificate"`
	ClientKey            *string `json:"client_key"`
	Insecure             *bool   `json:"insecure"`
	ProxyURL             *string `json:"proxy_url"`
	Exec                 *Plugin `json:"exec"`
}

// Plugin is the credential plugin of a Connection.
type Plugin struct {
	APIVersion *string            `json:"api_version"`
	Command    *string            `json:"command"`
	Args       []string           `json:"args"`
	Env        map[string]*string `json:"env"`
}

// Setting is an attribute that has a value.
type Setting struct {
	// Path has the names of the attribute and of the attributes around it, the outermost first.
	Path  []string
	Value any
}

// Attributes returns the attributes of a connection that have a value.
func (c *Connection) Attributes() []Setting {
	if c == nil {
		return nil
	}
	var settings []Setting
	add := func(value *string, path ...string) {
		if value != nil {
			settings = append(settings, Setting{path, *value})
		}
	}
	add(c.Host, "host")
	add(c.ClusterCACertificate, "cluster_ca_certificate")
	add(c.Kubeconfig, "kubeconfig")
	add(c.Context, "context")
	add(c.Token, "token")
	add(c.ClientCertificate, "client_certificate")
	add(c.ClientKey, "client_key")
	add(c.ProxyURL, "proxy_url")
	if c.Insecure != nil {
		settings = append(settings, Setting{[]string{"insecure"}, *c.Insecure})
	}
	if c.Exec == nil {
		return settings
	}
	add(c.Exec.APIVersion, "exec", "api_version")
	add(c.Exec.Command, "exec", "command")
	if c.Exec.Args != nil {
		settings = append(settings, Setting{[]string{"exec", "args"}, c.Exec.Args})
	}
	if c.Exec.Env != nil {
		settings = append(settings, Setting{[]string{"exec", "env"}, c.Exec.Env})
	}
	return settings
}
