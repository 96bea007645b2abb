package diagnostics_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// A failure of the server comes with a step that can work, and says "try again" only if another attempt may help.
func TestNextStepAfterServerErrors(t *testing.T) {
	t.Parallel()
	answer := func(code int32, message string) *cluster.Error {
		status := metav1.Status{Code: code, Message: message}
		if code == 429 {
			status.Reason = metav1.StatusReasonTooManyRequests
		}
		return &cluster.Error{
			Reason: cluster.ReasonServer, Object: web, Message: message, OutcomeUnknown: code >= 500,
			Cause: &apierrors.StatusError{ErrStatus: status},
		}
	}
	for name, tc := range map[string]struct {
		err  *cluster.Error
		want string
	}{
		"no node port is left": {
			answer(500, "Internal error occurred: failed to allocate a nodePort: range is full"), "All node ports of the cluster are in use.",
		},
		"no node port for health checks": {
			answer(500, "Internal error occurred: failed to allocate a HealthCheck NodePort 0: range is full"), "All node ports of the cluster are in use.",
		},
		"no address is left": {
			answer(500, `Internal error occurred: failed to allocate a serviceIP for Service "web": range is full`), "All cluster IP addresses of Services are in use.",
		},
		"etcd is full":             {answer(500, "etcdserver: mvcc: database space exceeded"), "The storage of the cluster (etcd) is full"},
		"a Secret without its key": {answer(500, `Internal error occurred: unable to transform key "/registry/secrets/a/b": no matching prefix found`), "cannot decrypt the stored object"},
		"a conversion webhook":     {answer(500, "conversion webhook for a.example.com/v1, Kind=A failed: Post \"https://a.b.svc:443\": EOF"), "Repair the conversion webhook"},
		"a webhook that converts to nothing": {
			answer(500, "failed to convert live object (n/x; a/v1, Kind=A) to proper version: conversion webhook for a/v1, Kind=A returned 0 objects, expected 1"),
			"Repair the conversion webhook",
		},
		"another webhook that fails": {answer(500, `Internal error occurred: failed calling webhook "a.b.c": received invalid webhook response`), "Repair the admission webhook"},
		"what the object refers to":  {answer(404, `clusters "c-1" not found`), "Correct what the message names, in yaml_body or in the cluster connection."},
		"too many requests":          {answer(429, "slow down"), "Try again later"},
		"an accident":                {answer(500, "etcdserver: leader changed"), "the API server failed each time"},
		"no answer of an API server": {
			&cluster.Error{Reason: cluster.ReasonServer, Object: web, Message: "the server does not know the path /apis"}, "Check that the URL in the cluster connection",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := manifestWords.Error(diagnostics.Planned, web, tc.err).Detail()
			if !strings.Contains(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if strings.Contains(strings.ToLower(got), "try again") != (name == "too many requests") {
				t.Errorf("trying again is advised, or not: %q", got)
			}
		})
	}
}

// "Correct the fields" is the step only if the user has written them.
func TestNextStepAfterInvalidObjects(t *testing.T) {
	t.Parallel()
	invalid := func(field, message string) *cluster.Error {
		causes := []metav1.StatusCause{{Field: field, Message: message}}
		return &cluster.Error{Reason: cluster.ReasonInvalid, Object: web, Message: message, Details: &cluster.InvalidError{Causes: causes}}
	}
	required := invalid("spec.template.spec.containers[1].image", "Required value")
	required.Details = &cluster.InvalidError{Causes: []metav1.StatusCause{
		{Field: "spec.template.spec.containers[1].image", Message: "Required value", Type: metav1.CauseTypeFieldValueRequired},
	}}
	patchWords := manifestWords
	patchWords.Type = "k8sconnect_patch"
	if got := patchWords.Error(diagnostics.Planned, web, required).Detail(); !strings.Contains(got, "to change one, write its key as the object has it") {
		t.Errorf("about a patch: %q", got)
	}
	for name, tc := range map[string]struct {
		operation diagnostics.Operation
		err       *cluster.Error
		want      string
	}{
		"what a plan sends": {
			diagnostics.Planned, invalid("spec.replicas", "Invalid value: -1"), "Correct the fields named above in yaml_body.",
		},
		"an object that is deleted": {
			diagnostics.ForceDeleted, invalid("spec.size", "Required value"),
			"Correct the fields named above on the object:\n\n  kubectl edit deployment.v1.apps/web -n default",
		},
		"a version of stored objects": {
			diagnostics.Planned, invalid("status.storedVersions[0]", "Invalid value: \"v1alpha1\": missing from spec.versions"),
			"which yaml_body does not set. Do first what the message asks for, then correct them on the object, and plan again:\n\n  kubectl edit deployment.v1.apps/web -n default --subresource=status",
		},
		"an object that is restarted": {
			diagnostics.Restarted, invalid("spec.size", "Required value"), "kubectl edit deployment.v1.apps/web -n default",
		},
		"a node port of another Service": {
			diagnostics.Created, invalid("spec.ports[0].nodePort", "Invalid value: 30080: provided port is already allocated"),
			"NAME:.metadata.name,VALUE:.spec.ports[*].nodePort'\n\nWrite a value that is free in yaml_body, or leave the field out",
		},
		"a node port twice in one Service": {
			diagnostics.Planned, &cluster.Error{Reason: cluster.ReasonInvalid, Object: web, Message: "duplicate nodePort: {TCP 30080}", Details: &cluster.InvalidError{
				Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueDuplicate, Field: "spec.ports[*].nodePort", Message: "Duplicate value: 30080"}},
			}},
			"use that number in yaml_body, or give the port its number back:\n\n  kubectl edit deployment.v1.apps/web -n default",
		},
		"an address of another Service": {
			diagnostics.Created, invalid("spec.clusterIPs", "Invalid value: [\"10.0.0.1\"]: failed to allocate IP 10.0.0.1: provided IP is already allocated"),
			"VALUE:.spec.clusterIPs'",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := manifestWords.Error(tc.operation, web, tc.err).Detail(); !strings.Contains(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// What a configuration repairs must not keep it from being planned and applied.
func TestRepairOfWhatServesAKind(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]*cluster.Error{
		"an API server": {Reason: cluster.ReasonAPIUnavailable, Object: web, Message: "no answer"},
		"the API server of a group": {
			Reason: cluster.ReasonServer, Message: "unavailable", Cause: apierrors.NewServiceUnavailable("unavailable"),
			Object: manifest.Identity{APIVersion: "a.example.com/v1", Kind: "A", Name: "a"},
		},
		"a conversion webhook": {Reason: cluster.ReasonServer, Object: web, Message: "conversion webhook for a.example.com/v1, Kind=A failed: EOF"},
	} {
		for operation, want := range map[diagnostics.Operation]string{
			diagnostics.Read: "\n\n  terraform apply -refresh=false", diagnostics.Planned: "leave the object out, or as it is, until the repair is applied",
		} {
			if got := manifestWords.Error(operation, web, err).Detail(); !strings.Contains(got, want) {
				t.Errorf("%s, %s: %q", name, operation, got)
			}
		}
	}
}

// The API server lets a user grant only the permissions of the user. That is no policy, unless one quotes it.
func TestNextStepOfAnEscalation(t *testing.T) {
	t.Parallel()
	const says = `roles.rbac.authorization.k8s.io "r" is forbidden: user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held: {}`
	for message, want := range map[string]string{
		says: "A user can grant only what the user may do.",
		`admission webhook "w" denied the request: ` + says: "ask the policy's owner.",
	} {
		err := &cluster.Error{Reason: cluster.ReasonForbidden, Object: web, Message: message}
		if got := manifestWords.Error(diagnostics.Created, web, err).Detail(); !strings.Contains(got, want) {
			t.Errorf("%s: %q", message, got)
		}
	}
}

// The next step fits a request that was not sent, or that is not the operation's, and a user who may not act as another one.
func TestNextStepOfAConnection(t *testing.T) {
	t.Parallel()
	words := manifestWords
	words.PlanWithoutDryRun = "plan_without_dry_run"
	for name, tc := range map[string]struct {
		reason      cluster.Reason
		details     error
		want, lacks string
	}{
		"qps":                 {cluster.ReasonTimeout, &cluster.ThrottledError{QPS: 1}, "Raise qps in the provider block", "raise the timeouts"},
		"discovery":           {cluster.ReasonBusy, &cluster.BusyError{}, "Try again later.", "raise the timeouts"},
		"an impersonation":    {cluster.ReasonForbidden, &cluster.MissingRightError{Verb: "impersonate"}, "", "plan_without_dry_run"},
		"a user who may read": {cluster.ReasonForbidden, &cluster.MissingRightError{Verb: "patch"}, "plan_without_dry_run", "kubeconfig"},
	} {
		err := &cluster.Error{Reason: tc.reason, Object: web, Message: "no", Details: tc.details}
		if got := words.Error(diagnostics.Planned, web, err).Detail(); !strings.Contains(got, tc.want) || strings.Contains(got, tc.lacks) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
