package examples_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// lastApplied is where kubectl apply notes what it applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// before returns the objects that the example expects on the cluster, none without a before.yaml.
func (e *example) before() []string {
	e.T.Helper()
	text, err := os.ReadFile(filepath.Join(e.Dir, "before.yaml"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	story.Must(e.T, err)
	return documents(string(text))
}

// separator is the line between two documents of a file.
var separator = regexp.MustCompile(`(?m)^---$`)

func documents(text string) []string {
	var found []string
	for _, document := range separator.Split(text, -1) {
		if strings.TrimSpace(document) != "" {
			found = append(found, document)
		}
	}
	return found
}

// onServer begins an object that kubectl has applied on the server.
const onServer = "\n# kubectl apply --server-side\n"

// createBefore creates the objects that the example expects, as kubectl create does, or as onServer says.
func (e *example) createBefore() {
	e.T.Helper()
	for _, object := range e.before() {
		if strings.HasPrefix(object, onServer) {
			e.created = append(e.created, e.As("kubectl").Apply(object))
			continue
		}
		e.created = append(e.created, e.As("kubectl-create").Create(object))
	}
}

// deleteBefore deletes what createBefore created, where a destroy has left it.
func (e *example) deleteBefore() {
	for _, object := range e.created {
		err := e.ResourceOf(object).Delete(context.WithoutCancel(e.T.Context()), object.GetName(), metav1.DeleteOptions{})
		if !apierrors.IsNotFound(err) {
			story.Must(e.T, err)
		}
	}
}

// createUntilTheEnd creates the objects of a file, as kubectl create does. The test deletes them when it ends.
func (e *example) createUntilTheEnd(text string) {
	e.T.Helper()
	for _, document := range documents(text) {
		object := e.As("kubectl-create").Create(document)
		client := e.ResourceOf(object)
		e.T.Cleanup(func() {
			story.Must(e.T, client.Delete(context.WithoutCancel(e.T.Context()), object.GetName(), metav1.DeleteOptions{}))
		})
	}
}
