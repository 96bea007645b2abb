package ecosystem_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	// certManager is the user as which cert-manager runs.
	certManager = "cert-manager"

	issuer      = "apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: own, namespace: NS}\nspec: {selfSigned: {}}\n"
	certificate = "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: web, namespace: NS}\n" +
		"spec: {secretName: web, dnsNames: [web.example.com], issuerRef: {name: own}}\n"

	// client and webhooks are what the CA injector fills in.
	client   = "clientConfig: {service: {namespace: NS, name: hooks, path: /}}"
	webhooks = "webhooks: [{name: check.example.com, sideEffects: None, admissionReviewVersions: [v1], " + client +
		", rules: [{apiGroups: [NS.example.com], apiVersions: [v1], operations: [CREATE], resources: [hooked]}]}]\n"
)

// A Certificate that waits is ready when cert-manager has issued it, and a webhook that names it has its CA then: all in
// one apply, and without a diff afterwards.
func TestCertificateIsIssued(t *testing.T) {
	s, _ := begin(t)
	webhook := "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n" +
		"metadata: {name: NS, annotations: {cert-manager.io/inject-ca-from: NS/web}}\n" + webhooks
	config := s.ProviderBlock() + s.Manifest("issuer", issuer) + s.Manifest("certificate", certificate, "wait = {}") +
		s.Manifest("webhook", webhook, "depends_on = [k8sconnect_manifest.certificate]")
	s.Run(
		resource.TestStep{Config: config, Check: story.LiveChecks(
			checking(func() {
				if status := conditionOf(s.Live("cert-manager.io/v1 Certificate web"), "Ready")["status"]; status != "True" {
					t.Errorf("Ready is %v after the wait", status)
				}
			}),
			s.ExpectOwners("v1 Secret web", "data.tls.crt", "cert-manager-certificates-issuing"),
			story.Eventually("the CA is injected", func() bool {
				return at(s.Live("admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration NS").Object, "/webhooks/0/clientConfig/caBundle") != nil
			}),
		)},
		settled(s, config),
	)
}

// The CA injector fills in our webhooks and definitions: that is no diff, our next apply keeps it, and a guard lets it
// pass.
func TestInjectedCABundles(t *testing.T) {
	const definition = "spec:\n  group: NS.example.com\n  scope: Namespaced\n  names: {kind: Hooked, plural: hooked}\n" +
		"  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n" +
		"  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], " + client + "}}\n"
	for kind, test := range map[string]struct{ group, name, rest, bundle string }{
		"ValidatingWebhookConfiguration": {"admissionregistration.k8s.io/v1", "NS", webhooks, "/webhooks/0/clientConfig/caBundle"},
		"MutatingWebhookConfiguration":   {"admissionregistration.k8s.io/v1", "NS", webhooks, "/webhooks/0/clientConfig/caBundle"},
		"CustomResourceDefinition": {
			"apiextensions.k8s.io/v1", "hooked.NS.example.com", definition, "/spec/conversion/webhook/clientConfig/caBundle",
		},
	} {
		t.Run(kind, func(t *testing.T) {
			s, _ := begin(t)
			target := test.group + " " + kind + " " + s.Expand(test.name)
			body := func(labels string) string {
				return "apiVersion: " + test.group + "\nkind: " + kind + "\nmetadata: {name: " + test.name + labels +
					", annotations: {cert-manager.io/inject-apiserver-ca: \"true\"}}\n" + test.rest
			}
			// These objects have no namespace, so the guard knows ours by the name of the manager.
			manager := s.Expand(`field_manager = "NS"`)
			first, second := s.Config(body(""), manager), s.Config(body(", labels: {team: shop}"), manager)
			injected := story.Eventually("the CA is injected", func() bool { return at(s.Live(target).Object, test.bundle) != nil })
			s.Run(
				resource.TestStep{Config: first, Check: injected},
				settled(s, first),
				resource.TestStep{Config: second, Check: injected},
				resource.TestStep{
					PreConfig: s.NextStep(func() { protect(s, guard.Options{FieldManagers: []string{s.Namespace}}) }),
					Config:    second,
					Check: story.LiveChecks(
						checking(func() { awaitGuard(s, target, `{"metadata": {"labels": {"team": "theirs"}}}`) }),
						checking(func() { s.As("kubectl").JSONPatch(target, `[{"op": "remove", "path": "`+test.bundle+`"}]`) }),
						injected,
					),
				},
				settled(s, second),
			)
		})
	}
}

// A chart that declares an empty bundle: with ignore_fields, the injector's stays.
func TestEmptyCABundleIsIgnored(t *testing.T) {
	s, _ := begin(t)
	const target, bundle = "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration NS", "/webhooks/0/clientConfig/caBundle"
	body := func(labels string) string {
		return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: NS" + labels +
			", annotations: {cert-manager.io/inject-apiserver-ca: \"true\"}}\n" + strings.Replace(webhooks, "clientConfig: {", `clientConfig: {caBundle: "", `, 1)
	}
	const ignored = `ignore_fields = ["webhooks[*].clientConfig.caBundle"]`
	injected := func() bool {
		value, _ := at(s.Live(target).Object, bundle).(string)
		return value != ""
	}
	first, second := s.Config(body(""), ignored), s.Config(body(", labels: {team: shop}"), ignored)
	s.Run(
		resource.TestStep{Config: first, Check: story.Eventually("the CA is injected", injected)},
		settled(s, first),
		resource.TestStep{Config: second, Check: checking(func() {
			if !injected() {
				t.Error("the apply has emptied the bundle")
			}
		})},
		settled(s, second),
	)
}

// at returns the value at a JSON pointer, or nil if the pointer leads nowhere.
func at(value any, pointer string) any {
	for _, step := range strings.Split(pointer, "/")[1:] {
		switch inside := value.(type) {
		case map[string]any:
			value = inside[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(inside) {
				return nil
			}
			value = inside[i]
		default:
			return nil
		}
	}
	return value
}
