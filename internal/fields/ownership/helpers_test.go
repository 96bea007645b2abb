package ownership

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// entry returns an element of managedFields at a minute of the same hour; minute -1 is an entry without time.
func entry(name string, operation metav1.ManagedFieldsOperationType, minute int, fields string) metav1.ManagedFieldsEntry {
	e := metav1.ManagedFieldsEntry{
		Manager: name, Operation: operation, APIVersion: "apps/v1", FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(fields),
	}
	if minute >= 0 {
		e.Time = &metav1.Time{Time: at(minute)}
	}
	return e
}

func at(minute int) time.Time { return time.Date(2024, 5, 1, 12, minute, 0, 0, time.UTC) }

func through(subresource string, e metav1.ManagedFieldsEntry) metav1.ManagedFieldsEntry {
	e.Subresource = subresource
	return e
}

func set(t *testing.T, fields string) *paths.Set {
	t.Helper()
	parsed, err := paths.ParseSet([]byte(fields))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func parse(t *testing.T, entries ...metav1.ManagedFieldsEntry) Claims {
	t.Helper()
	claims, err := Parse(entries)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

// summary returns what tests compare of claims: who holds what, in order.
func summary(t *testing.T, claims Claims) []string {
	t.Helper()
	var lines []string
	for _, claim := range claims {
		fields, err := paths.MarshalSet(claim.Fields)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(claim.Operation)+" "+claim.String()+" "+string(fields))
	}
	return lines
}
