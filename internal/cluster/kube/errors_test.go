package kube

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func status(code int32, reason metav1.StatusReason, message string, details *metav1.StatusDetails) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message, Details: details,
	}}
}

const patchObject = "failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): "

func TestErrorOf(t *testing.T) {
	t.Parallel()
	web := manifest.Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "prod", Name: "web"}
	gadget := manifest.Identity{APIVersion: "example.com/v1", Kind: "Gadget", Name: "g"}
	prod := manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: "prod"}
	resource := schema.GroupResource{Group: "apps", Resource: "deployments"}
	conflict := []metav1.StatusCause{{
		Type: metav1.CauseTypeFieldManagerConflict, Field: ".spec.replicas", Message: `conflict with "kubectl" using apps/v1`,
	}}
	invalid := []metav1.StatusCause{
		{Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.selector", Message: "field is immutable"},
	}
	unreachable := &cluster.UnreachableError{Server: "https://10.0.0.1:6443"}
	expired, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	request := func(err error) error {
		return fmt.Errorf("wrapped: %w", &url.Error{Op: "Get", URL: "https://10.0.0.1:6443/api/v1/secrets/s?x=y", Err: err})
	}

	cases := map[string]struct {
		id   manifest.Identity
		ctx  context.Context
		err  error
		want cluster.Error
	}{
		"the object is missing": {
			id: web, err: apierrors.NewNotFound(resource, "web"),
			want: cluster.Error{Reason: cluster.ReasonNotFound, Message: `deployments.apps "web" not found`},
		},
		"its namespace is missing": {
			id: web, err: apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "prod"),
			want: cluster.Error{
				Reason:  cluster.ReasonNamespaceNotFound,
				Message: `namespaces "prod" not found`,
				Details: &cluster.NamespaceNotFoundError{},
			},
		},
		"a missing namespace that is the object itself": {
			id: prod, err: apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "prod"),
			want: cluster.Error{Reason: cluster.ReasonNotFound, Message: `namespaces "prod" not found`},
		},
		"something else is missing": {
			id: web, err: apierrors.NewNotFound(schema.GroupResource{Resource: "clusters"}, "c-1"),
			want: cluster.Error{Reason: cluster.ReasonServer, Message: `clusters "c-1" not found`},
		},
		"a path that is not served yet": {
			id: gadget, err: apierrors.NewGenericServerResponse(404, "PATCH", schema.GroupResource{}, "", "404 page not found", 0, true),
			want: cluster.Error{
				Reason:  cluster.ReasonKindNotServed,
				Message: "the server could not find the requested resource",
				Details: &cluster.KindNotServedError{},
			},
		},
		"a path of a built-in group that is not served": {
			id: web, err: status(404, metav1.StatusReasonNotFound, "the server could not find the requested resource", &metav1.StatusDetails{}),
			want: cluster.Error{
				Reason:  cluster.ReasonKindNotServed,
				Message: "the server could not find the requested resource",
				Details: &cluster.KindNotServedError{BuiltinGroup: true},
			},
		},
		"the namespace is going away": {
			id: web,
			err: status(403, metav1.StatusReasonForbidden, "because it is being terminated", &metav1.StatusDetails{
				Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}},
			}),
			want: cluster.Error{
				Reason: cluster.ReasonNamespaceTerminating, Message: "because it is being terminated",
				Details: &cluster.NamespaceTerminatingError{},
			},
		},
		"RBAC refuses": {
			id: web, err: apierrors.NewForbidden(resource, "web", errors.New("no")),
			want: cluster.Error{Reason: cluster.ReasonForbidden, Message: `deployments.apps "web" is forbidden: no`},
		},
		"the credentials are not accepted": {
			id: web, err: apierrors.NewUnauthorized("Unauthorized"),
			want: cluster.Error{
				Reason:  cluster.ReasonUnauthorized,
				Message: "the server did not accept the credentials: Unauthorized",
			},
		},
		"other managers own fields": {
			id: web, err: apierrors.NewApplyConflict(conflict, "Apply failed with 1 conflict"),
			want: cluster.Error{
				Reason:  cluster.ReasonFieldManagerConflict,
				Message: "Apply failed with 1 conflict",
				Details: &cluster.FieldManagerConflictError{Causes: conflict},
			},
		},
		"the object moved on": {
			id: web, err: status(409, metav1.StatusReasonConflict, "the object has been modified", &metav1.StatusDetails{Name: "web"}),
			want: cluster.Error{Reason: cluster.ReasonConflict, Message: "the object has been modified"},
		},
		"the server's validation refuses": {
			id: web, err: status(422, metav1.StatusReasonInvalid, "is invalid", &metav1.StatusDetails{Causes: invalid}),
			want: cluster.Error{
				Reason:  cluster.ReasonInvalid,
				Message: "is invalid",
				Details: &cluster.InvalidError{Causes: invalid},
			},
		},
		"another object has taken its name": {
			id: web, err: status(422, metav1.StatusReasonInvalid, "metadata.uid: field is immutable", &metav1.StatusDetails{
				Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: "metadata.uid"}},
			}),
			want: cluster.Error{Reason: cluster.ReasonConflict, Message: "metadata.uid: field is immutable"},
		},
		"a key is there twice": {
			id: web, err: status(400, metav1.StatusReasonBadRequest, `key "replicas" already set in map`, nil),
			want: cluster.Error{Reason: cluster.ReasonBadRequest, Message: `key "replicas" already set in map`},
		},
		"a field is unknown": {
			id: web, err: status(500, "", patchObject+".spec.replica: field not declared in schema", nil),
			want: cluster.Error{
				Reason: cluster.ReasonSchemaMismatch, Message: patchObject + ".spec.replica: field not declared in schema",
				Details: &cluster.SchemaMismatchError{
					Field:   "spec.replica",
					Problem: "field not declared in schema",
					Of:      cluster.MismatchInManifest,
				},
			},
		},
		"a value that does not fit is not quoted": {
			id: web, err: status(500, "", patchObject+".metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}", nil),
			want: cluster.Error{
				Reason: cluster.ReasonSchemaMismatch, Message: patchObject + ".metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}",
				Details: &cluster.SchemaMismatchError{
					Field:   "metadata.labels.a",
					Problem: "expected string",
					Of:      cluster.MismatchInManifest,
				},
			},
		},
		"a live value does not fit": {
			id: web, err: status(500, "", "failed to create typed live object (shop/web; apps/v1, Kind=Deployment): .spec.f: expected map", nil),
			want: cluster.Error{
				Reason: cluster.ReasonSchemaMismatch, Message: "failed to create typed live object (shop/web; apps/v1, Kind=Deployment): .spec.f: expected map",
				Details: &cluster.SchemaMismatchError{Field: "spec.f", Problem: "expected map", Of: cluster.MismatchInObject},
			},
		},
		"too large for etcd": {
			id: web, err: status(500, "", "etcdserver: request is too large", nil),
			want: cluster.Error{
				Reason:  cluster.ReasonTooLarge,
				Message: "etcdserver: request is too large",
				Details: &cluster.TooLargeError{},
			},
		},
		"too large for the client of etcd": {
			id: web, err: status(500, "", "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2500546 vs. 2097152)", nil),
			want: cluster.Error{
				Reason: cluster.ReasonTooLarge, Message: "rpc error: code = ResourceExhausted desc = trying to send message larger than max (2500546 vs. 2097152)",
				Details: &cluster.TooLargeError{},
			},
		},
		"too large for the API server": {
			id: web, err: apierrors.NewRequestEntityTooLargeError("limit is 3145728"),
			want: cluster.Error{
				Reason:  cluster.ReasonTooLarge,
				Message: "Request entity too large: limit is 3145728",
				Details: &cluster.TooLargeError{},
			},
		},
		"the server is busy": {
			id: web, err: apierrors.NewTooManyRequests("slow down", 7),
			want: cluster.Error{Reason: cluster.ReasonServer, Message: "slow down"},
		},
		"nobody listens": {
			id: web, err: request(&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}),
			want: cluster.Error{
				Reason:  cluster.ReasonUnreachable,
				Message: "no answer from https://10.0.0.1:6443: dial tcp: connection refused",
				Details: unreachable,
			},
		},
		"the network's own timeout is not the operation's": {
			id: web, err: request(&net.DNSError{Err: "i/o timeout", Name: "api", IsTimeout: true}),
			want: cluster.Error{
				Reason:  cluster.ReasonUnreachable,
				Message: "no answer from https://10.0.0.1:6443: lookup api: i/o timeout",
				Details: unreachable,
			},
		},
		"a credential plugin that gives none, as the timeout runs out": {
			id: web, ctx: expired, err: request(&connect.PluginError{}),
			want: cluster.Error{Reason: cluster.ReasonCredentials, Message: `the credential plugin "" gave no credentials: `},
		},
		"the operation's timeout ran out": {
			id: web, ctx: expired, err: request(context.DeadlineExceeded),
			want: cluster.Error{
				Reason:         cluster.ReasonTimeout,
				Message:        "no answer from https://10.0.0.1:6443 before the operation's timeout ran out",
				OutcomeUnknown: true,
			},
		},
		"nobody listens until the operation's timeout runs out": {
			id: web, ctx: expired, err: request(&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}),
			want: cluster.Error{
				Reason:  cluster.ReasonUnreachable,
				Message: "no answer from https://10.0.0.1:6443: dial tcp: connection refused",
				Details: unreachable,
			},
		},
		"the answer cannot be decoded": {
			id: web, err: errors.New(`cannot unmarshal "hunter2"`),
			want: cluster.Error{
				Reason:         cluster.ReasonServer,
				Message:        "the answer of the API server could not be read; it may not be a Kubernetes API server",
				OutcomeUnknown: true,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.ctx == nil {
				tc.ctx = t.Context()
			}
			got := errorOf(tc.ctx, tc.id, tc.err)
			if !errors.Is(got, tc.err) {
				t.Errorf("the cause is lost: %v", got.Cause)
			}
			tc.want.Object = tc.id
			if diff := cmp.Diff(&tc.want, got, cmpopts.IgnoreFields(cluster.Error{}, "Cause")); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrorOfKeepsTheFirstTranslation(t *testing.T) {
	t.Parallel()
	first := &cluster.Error{Reason: cluster.ReasonConflict}
	if got := errorOf(t.Context(), manifest.Identity{}, fmt.Errorf("again: %w", first)); got != first {
		t.Errorf("want %v, got %v", first, got)
	}
	if got := errorOf(t.Context(), manifest.Identity{}, nil); got != nil {
		t.Errorf("want nil, got %v", got)
	}
}

func TestUnreachableShowsNoPassword(t *testing.T) {
	t.Parallel()
	client, err := NewPool(
		connect.Options{},
	).Client(connect.Config{Host: "http://127.0.0.1:1", ProxyURL: "http://me:hunter2@127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := client.Scope(t.Context(), "v1", "Pod")
		if cluster.ReasonOf(err) != cluster.ReasonUnreachable || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("want an unreachable server and no password, got %v", err)
		}
	})
}
