// Package cos stands for a backend that the tests do not need.
package cos

import "github.com/hashicorp/terraform/internal/backend"

// New returns no backend.
func New() backend.Backend { panic("this build has no cos backend") }
