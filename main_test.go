package main

import (
	"slices"
	"testing"
)

func TestOwnersArgs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args, want []string
		is         bool
	}{
		{[]string{"/home/a/.krew/bin/kubectl-owners", "deploy/web"}, []string{"deploy/web"}, true},
		{[]string{"kubectl-owners.exe"}, []string{}, true},
		{[]string{"terraform-provider-k8sconnect_v1.0.0", "owners", "-A"}, []string{"-A"}, true},
		{[]string{"terraform-provider-k8sconnect_v1.0.0"}, nil, false},
		{[]string{"terraform-provider-k8sconnect_v1.0.0", "report", "owners"}, nil, false},
	} {
		if got, is := ownersArgs(test.args); is != test.is || !slices.Equal(got, test.want) {
			t.Errorf("%v: %v %t", test.args, got, is)
		}
	}
}
