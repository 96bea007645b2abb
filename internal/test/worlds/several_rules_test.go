package worlds_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// rule is what the server of a world adds to what it does in all of them.
type rule string

const (
	// unruled: nothing.
	unruled rule = ""
	// refuses: a policy refuses one value of an annotation.
	refuses rule = "refuses"
	// spares: a policy refuses new objects that are immutable, and leaves alone those that are there.
	spares rule = "spares"
	// retains: a policy refuses the removal of a label.
	retains rule = "retains"
	// rewrites: a policy adds a label, and replaces one value of an annotation.
	rewrites rule = "rewrites"
	// limits: a ResourceQuota allows no node ports.
	limits rule = "limits"
	// forbids: the ServiceAccount of the provider may only read.
	forbids rule = "forbids"
)

// reasons are the messages of the errors that follow from a rule.
var reasons = map[rule]string{
	refuses: "several-refuses", spares: "several-spares", retains: "several-retains", limits: "exceeded quota", forbids: "forbidden",
}

// ruleLabel is the label of the namespaces in which a policy holds.
const ruleLabel = "several.worlds"

// policy is the specification of a policy: its kind, what it matches, and what it does. Each one refuses or labels an
// object with the name probe, so that a world can tell when it holds.
const policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: %[1]s
metadata: {name: %[2]s}
spec:
  %[4]s
  matchConstraints:
    namespaceSelector: {matchLabels: {several.worlds: %[3]s}}
    resourceRules:
    - {apiGroups: ["", apps, worlds.example.com], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [configmaps, services, deployments, widgets]}
`

const (
	validating = "ValidatingAdmissionPolicy"
	mutating   = "MutatingAdmissionPolicy"
	refusing   = `validations: [{expression: "object.metadata.name != 'probe' && (!has(object.metadata.annotations) || ` +
		`!('note' in object.metadata.annotations) || object.metadata.annotations['note'] != 'two')"}]`
	sparing   = `validations: [{expression: "object.metadata.name != 'probe' && (request.operation != 'CREATE' || !has(object.immutable) || !object.immutable)"}]`
	retaining = `validations: [{expression: "object.metadata.name != 'probe' && (oldObject == null || !has(oldObject.metadata.labels) || ` +
		`!('tier' in oldObject.metadata.labels) || has(object.metadata.labels) && 'tier' in object.metadata.labels)"}]`
	labelling = `reinvocationPolicy: Never
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{metadata: Object.metadata{labels: {"ruled": "yes"}}}'}}]`
	rewriting = `reinvocationPolicy: Never
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{metadata: Object.metadata{annotations: {"note": "ruled"}}}'}}]
  matchConditions: [{name: note, expression: "has(object.metadata.annotations) && 'note' in object.metadata.annotations && ` +
		`object.metadata.annotations['note'] == 'one'"}]`
)

// installRules installs the policies of all rules until the test ends.
func installRules(t *testing.T) {
	t.Helper()
	s := story.In(t, metav1.NamespaceDefault)
	for _, p := range []struct {
		kind, name string
		of         rule
		does       string
	}{
		{validating, "several-refuses", refuses, refusing}, {validating, "several-retains", retains, retaining},
		{validating, "several-spares", spares, sparing},
		{mutating, "several-labels", rewrites, labelling}, {mutating, "several-rewrites", rewrites, rewriting},
	} {
		binding := fmt.Sprintf("apiVersion: admissionregistration.k8s.io/v1\nkind: %sBinding\nmetadata: {name: %s}\nspec: {policyName: %[2]s", p.kind, p.name)
		if p.kind == validating {
			binding += ", validationActions: [Deny]"
		}
		for _, body := range []string{fmt.Sprintf(policy, p.kind, p.name, p.of, p.does), binding + "}\n"} {
			created := s.As("kubectl-create").Create(body)
			t.Cleanup(func() {
				story.Must(t, s.ResourceOf(created).Delete(context.WithoutCancel(t.Context()), created.GetName(), metav1.DeleteOptions{}))
			})
		}
	}
}

// user is the ServiceAccount of the provider in a world whose rights come and go.
const user = "provider"

// addUser makes the ServiceAccount, and returns the connection of the provider.
func (v *several) addUser(ctx context.Context) (map[string]tftypes.Value, error) {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: user}}
	if _, err := v.stage.typed.CoreV1().ServiceAccounts(v.namespace).Create(ctx, account, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: user}, Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Name: user, Namespace: v.namespace}},
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: user},
	}
	if _, err := v.stage.typed.RbacV1().Roles(v.namespace).Create(ctx, roleWith("*"), metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	if _, err := v.stage.typed.RbacV1().RoleBindings(v.namespace).Create(ctx, binding, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	token, err := v.stage.typed.CoreV1().ServiceAccounts(v.namespace).CreateToken(ctx, user, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	server := story.ControlPlane().RESTConfig()
	return map[string]tftypes.Value{
		"host": text(server.Host), "cluster_ca_certificate": text(string(server.CAData)), "token": text(token.Status.Token),
	}, v.await(ctx, func(ctx context.Context) (bool, error) { return v.mayWrite(ctx) })
}

func roleWith(verbs ...string) *rbacv1.Role {
	return &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Name: user}, Rules: []rbacv1.PolicyRule{{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: verbs}},
	}
}

func (v *several) mayWrite(ctx context.Context) (bool, error) {
	answer, err := v.stage.typed.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User:               "system:serviceaccount:" + v.namespace + ":" + user,
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: v.namespace, Verb: "patch", Resource: "configmaps"},
		},
	}, metav1.CreateOptions{})
	return err == nil && answer.Status.Allowed, err
}

func (v *several) await(ctx context.Context, holds func(context.Context) (bool, error)) error {
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, holds)
}

// obey has a rule hold in the namespace instead of the one before, and waits until it does.
func (v *several) obey(ctx context.Context, next rule) error {
	if next == v.rule {
		return nil
	}
	before := v.rule
	v.rule = next
	label := fmt.Sprintf(`{"metadata":{"labels":{%q:%q}}}`, ruleLabel, next)
	_, err := v.stage.typed.CoreV1().Namespaces().Patch(ctx, v.namespace, types.MergePatchType, []byte(label), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	switch before {
	case limits:
		err = v.stage.typed.CoreV1().ResourceQuotas(v.namespace).Delete(ctx, string(limits), metav1.DeleteOptions{})
	case forbids:
		_, err = v.stage.typed.RbacV1().Roles(v.namespace).Update(ctx, roleWith("*"), metav1.UpdateOptions{})
	}
	if err != nil {
		return err
	}
	switch next {
	case limits:
		_, err = v.stage.typed.CoreV1().ResourceQuotas(v.namespace).Create(ctx, &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Name: string(limits)},
			Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourceServicesNodePorts: resource.MustParse("0")}},
		}, metav1.CreateOptions{})
	case forbids:
		_, err = v.stage.typed.RbacV1().Roles(v.namespace).Update(ctx, roleWith("get", "list", "watch"), metav1.UpdateOptions{})
	}
	if err != nil {
		return err
	}
	return v.await(ctx, func(ctx context.Context) (bool, error) {
		now, err := v.rules(ctx)
		return now == next, err
	})
}

// rules returns the rule that holds, by what the server does with a dry-run of an object.
func (v *several) rules(ctx context.Context) (rule, error) {
	if v.isLimited {
		may, err := v.mayWrite(ctx)
		if err != nil || !may {
			return forbids, err
		}
	}
	probe := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "probe"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeNodePort, Ports: []corev1.ServicePort{{Port: 80}}},
	}
	answer, err := v.stage.typed.CoreV1().Services(v.namespace).Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		for of, reason := range reasons {
			if strings.Contains(err.Error(), reason) && of != forbids {
				return of, nil
			}
		}
		return "another refusal: " + rule(err.Error()), nil
	}
	if answer.Labels["ruled"] != "yes" {
		return unruled, nil
	}
	// The policies know the kind Widget some time after the server serves it.
	of := *v.world
	of.kind = widget
	unknown := object(widget.base, v.namespace, nil)
	unknown.SetName("probe")
	found := rewrites
	_, err = of.clientOf(unknown.GetAPIVersion()).Create(ctx, unknown, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		found = "the kind is not known yet: " + rule(err.Error())
	}
	return found, nil
}

// isOfPolicy reports whether a value was changed by the policy that rewrites it.
func (v *several) isOfPolicy(loss livediff.Loss) bool {
	return v.rule == rewrites && loss.Path.String() == "metadata.annotations.note" && loss.Gone == 0 && loss.Was == "one"
}

// isRuled reports whether an error follows from the rule of the turn, or from a node port that another test has taken.
func (v *several) isRuled(err error) bool {
	reason := reasons[v.rule]
	return v.losesPort(err) || reason != "" && strings.Contains(strings.ToLower(err.Error()), reason)
}

// rewritten is the annotation whose value the policy replaces, whoever writes the object.
const rewritten = "metadata.annotations.note"

// isNotRewritten reports whether the difference of two plans is about another field than the policy rewrites.
func isNotRewritten(difference string) bool {
	of, _, _ := strings.Cut(difference, ": ")
	isConflict := of == ".conflicts" && strings.Contains(difference, `"`+rewritten+`"`) // A map that was null, or will be.
	return of != ".managed_state."+rewritten && of != ".conflicts."+rewritten && !isConflict
}

// isRewritten reports whether the policy has changed a value, and not the apply: with the write of a destroy, of which
// there is no dry-run, with that of an apply whose plan was made without the policy, or before, with the write of
// another client or resource, which does not own the value then.
func (v *several) isRewritten(loss livediff.Loss, after *unstructured.Unstructured, destroys bool) bool {
	if loss.Path.String() != rewritten {
		return false
	}
	var planned any
	if v.planned != nil { // Sets keep no object of their plans.
		planned, _ = livediff.Lookup(v.planned.Object, loss.Path)
	}
	now, _ := livediff.Lookup(after.Object, loss.Path)
	return v.rule == rewrites && now == "ruled" && (destroys || v.switches) || loss.Was == "ruled" && planned != "ruled"
}
