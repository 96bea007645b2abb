// Package credentials stands for the credentials of clients that no test needs.
package credentials

// Credentials are the credentials of a client.
type Credentials struct{}

// Provider finds credentials.
type Provider any

// EnvProvider finds them in the environment.
type EnvProvider struct{}

// SharedCredentialsProvider finds them in a file.
type SharedCredentialsProvider struct{ Filename, Profile string }

// NewChainCredentials returns the credentials of the first provider that has some.
func NewChainCredentials([]Provider) *Credentials { return &Credentials{} }

// NewStaticCredentials returns the given credentials.
func NewStaticCredentials(id, secret, token string) *Credentials { return &Credentials{} }
