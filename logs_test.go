package main

import (
	"os"
	"strings"
	"testing"
)

// The framework's log is off unless a variable of the CLI's asks for logs.
func TestQuieten(t *testing.T) {
	for asked, want := range map[string]string{
		"": "off", "TF_LOG": "", "TF_LOG_PROVIDER": "", "TF_LOG_PROVIDER_K8SCONNECT": "", "TF_LOG_SDK_FRAMEWORK": "",
	} {
		t.Run(asked, func(t *testing.T) {
			for _, setting := range os.Environ() {
				if name, _, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "TF_LOG") {
					t.Setenv(name, "")
				}
			}
			t.Setenv("TF_LOG_SDK", "")
			if asked != "" {
				t.Setenv(asked, "trace")
			}
			if err := quieten(); err != nil {
				t.Fatal(err)
			}
			if got := os.Getenv("TF_LOG_SDK"); got != want {
				t.Errorf("TF_LOG_SDK is %q, want %q", got, want)
			}
		})
	}
}
