// Package s3 stands for a backend that the tests do not need.
package s3

import "github.com/hashicorp/terraform/internal/backend"

// New returns no backend.
func New() backend.Backend { panic("this build has no s3 backend") }
