package main

import (
	"slices"
	"strings"
	"testing"
)

// Whoever asks for help learns of each command.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, command := range commands {
		if !strings.Contains(help, "\n  "+command+" ") {
			t.Errorf("the help lacks %s", command)
		}
	}
}

func TestCommandOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		name string
		want []string
	}{
		{[]string{"/home/a/.krew/bin/kubectl-owners", "deploy/web"}, "owners", []string{"deploy/web"}},
		{[]string{"kubectl-owners.exe"}, "owners", []string{}},
		{[]string{"terraform-provider-k8sconnect_v1.0.0", "owners", "-A"}, "owners", []string{"-A"}},
		{[]string{"terraform-provider-k8sconnect_v1.0.0"}, "", nil},
		{[]string{"terraform-provider-k8sconnect_v1.0.0", "-debug"}, "", nil},
		{[]string{"terraform-provider-k8sconnect_v1.0.0", "schemas", "--out", "a"}, "schemas", []string{"--out", "a"}},
		{[]string{"terraform-provider-k8sconnect_v1.0.0", "report", "owners"}, "report", []string{"owners"}},
		{[]string{"./k8sconnect-report_1.0.0_linux_amd64", "plan.json"}, "report", []string{"plan.json"}},
		{[]string{"k8sconnect-report.exe", "plan.json"}, "report", []string{"plan.json"}},
	} {
		if name, got := commandOf(test.args); name != test.name || !slices.Equal(got, test.want) {
			t.Errorf("%v: %s %v", test.args, name, got)
		}
	}
}
