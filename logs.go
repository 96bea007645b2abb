package main

import (
	"os"
	"strings"
)

// quieten turns the plugin framework's own log off where the CLI would throw it away. Unless told otherwise the framework
// writes every step it takes as JSON, which the CLI parses before it drops it: a third of what a plan costs both.
func quieten() error {
	for _, setting := range os.Environ() {
		if name, value, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "TF_LOG") && value != "" {
			return nil // somebody reads it
		}
	}
	return os.Setenv("TF_LOG_SDK", "off")
}
