package readiness_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

// FuzzOf checks that nothing panics on an object with any type anywhere.
func FuzzOf(f *testing.F) {
	for _, tt := range objects {
		seed, err := json.Marshal(parse(f, tt.object).Object)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	f.Add([]byte(`{"apiVersion":"v1","kind":"Pod","status":{"conditions":[1],"containerStatuses":[[]]}}`))
	f.Add([]byte(`{"apiVersion":1,"kind":[],"metadata":"a","status":7}`))
	expected, err := readiness.Expect(map[string]string{"Ready": "True"}, map[string]string{"status.conditions[*].type": "/a/"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		object := &unstructured.Unstructured{}
		if json.Unmarshal(text, &object.Object) != nil {
			return
		}
		if found := readiness.Of(object, true); found.State == "" || found.Message == "" {
			t.Errorf("found %+v", found)
		}
		expected.Of(object, true)
		readiness.PodsTrouble([]*unstructured.Unstructured{object}, []*unstructured.Unstructured{object}, nil, time.Time{})
		readiness.Warnings(object, nil, []*unstructured.Unstructured{object}, nil, 3)
	})
}
