// Package consul stands for a backend that the tests do not need.
package consul

import "github.com/hashicorp/terraform/internal/backend"

// New returns no backend.
func New() backend.Backend { panic("this build has no consul backend") }
