// Package option stands for the options of clients that no test makes.
package option

import "golang.org/x/oauth2"

// ClientOption is an option of a client.
type ClientOption any

// WithTokenSource returns no option.
func WithTokenSource(oauth2.TokenSource) ClientOption { return nil }
