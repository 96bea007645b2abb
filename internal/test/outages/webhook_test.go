package outages_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// webhook is an admission webhook on a port of its own, which is open or not. It allows everything.
type webhook struct {
	s       *stage
	address string
	server  *httptest.Server
	asked   atomic.Int64
}

// port is the last one that a webhook got. The doors of package faults have ports below 30000.
var port atomic.Int32

func init() { port.Store(30000 + rand.Int32N(2000)) }

// newWebhook has a port on which no server listens yet. It is one that no system gives to outgoing connections, so that
// it is free when the webhook opens it.
func (s *stage) newWebhook() *webhook {
	s.T.Helper()
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port.Add(1)))
	for errors.Is(err, syscall.EADDRINUSE) {
		listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port.Add(1)))
	}
	story.Must(s.T, err)
	w := &webhook{s: s, address: listener.Addr().String()}
	story.Must(s.T, listener.Close())
	s.T.Cleanup(w.shut)
	return w
}

func (w *webhook) open() {
	listener, err := testcluster.ListenAgain(w.address)
	if err != nil {
		w.s.T.Errorf("open the webhook: %v", err)
		return
	}
	w.server = &httptest.Server{Listener: listener, Config: &http.Server{
		Handler: http.HandlerFunc(w.allow), ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0),
	}}
	w.server.StartTLS()
}

// openAfter opens the port later, while the CLI runs.
func (w *webhook) openAfter(wait time.Duration) (opened <-chan struct{}) {
	done := make(chan struct{})
	time.AfterFunc(wait, func() {
		defer close(done)
		w.open()
	})
	return done
}

func (w *webhook) shut() {
	if w.server != nil {
		w.server.CloseClientConnections()
		w.server.Close()
		w.server = nil
	}
}

func (w *webhook) allow(out http.ResponseWriter, in *http.Request) {
	w.asked.Add(1)
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(in.Body).Decode(&review); err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	out.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(out).Encode(review)
}

// authority returns the certificate that test servers have.
func authority() string {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
}

// configuration returns a ValidatingWebhookConfiguration that asks the webhook about ConfigMaps of the stage whose name
// begins with "asked".
func (w *webhook) configuration(sideEffects string, operations ...string) string {
	text := `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: gate.NS}
webhooks:
- name: gate.example.com
  admissionReviewVersions: [v1]
  sideEffects: EFFECTS
  clientConfig: {url: "https://ADDRESS/validate", caBundle: AUTHORITY}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
  matchConditions: [{name: asked, expression: "request.name.startsWith('asked')"}]
  rules:
  - {apiGroups: [""], apiVersions: [v1], operations: [OPERATIONS], resources: [configmaps]}
`
	return strings.NewReplacer("NS", w.s.Namespace, "EFFECTS", sideEffects, "ADDRESS", w.address, "AUTHORITY", authority(),
		"OPERATIONS", strings.Join(operations, ", ")).Replace(text)
}

// install creates the configuration and waits until it is in effect.
func (w *webhook) install(sideEffects string, operations ...string) {
	w.s.T.Helper()
	object := &unstructured.Unstructured{}
	// The certificate may hold the letters that Parse replaces.
	story.Must(w.s.T, yaml.Unmarshal([]byte(w.configuration(sideEffects, operations...)), &object.Object))
	client := w.s.ResourceOf(object)
	_, err := client.Create(w.s.T.Context(), object, metav1.CreateOptions{})
	story.Must(w.s.T, err)
	w.s.T.Cleanup(func() { _ = client.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{}) })
	ctx, dryRun := w.s.T.Context(), []string{metav1.DryRunAll}
	probe := w.s.Parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: asked-probe, namespace: NS}}")
	probes := w.s.ResourceOf(probe)
	if operations[0] == "DELETE" {
		_, err := probes.Create(ctx, probe, metav1.CreateOptions{})
		story.Must(w.s.T, err)
	}
	w.s.Await("the webhook counts", func() bool {
		before := w.asked.Load()
		var err error
		if operations[0] == "DELETE" {
			err = probes.Delete(ctx, probe.GetName(), metav1.DeleteOptions{DryRun: dryRun})
		} else {
			_, err = probes.Create(ctx, probe, metav1.CreateOptions{DryRun: dryRun})
		}
		return err != nil || w.asked.Load() > before
	})
}

// target returns the target of the configuration.
func (w *webhook) target() string {
	return w.s.Expand("admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration gate.NS")
}
