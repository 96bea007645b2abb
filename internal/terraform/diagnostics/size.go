package diagnostics

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/faults"
)

// etcdLimit is the size in bytes of the largest request that etcd takes by default.
const etcdLimit = 3 << 19

const smaller = "Split the object, or store large content elsewhere and refer to it. By default, etcd stores " +
	"objects of up to 1.5 MiB, managedFields included."

// Large warns of an object that is larger than etcd's default limit: the dry-run accepts it, because it does not
// reach etcd, and the apply may fail. It returns false for smaller objects.
func Large(w Names, id manifest.Identity, bytes int) (diag.Diagnostic, bool) {
	return diag.NewWarningDiagnostic(w.About("Object May Be Too Large", id), fmt.Sprintf(
		"%s: the manifest has %s, and only the apply shows whether the cluster can store it.\n\n%s",
		id, faults.Size(bytes), smaller)), bytes > etcdLimit
}

// oversized returns the sentence about an object that is too large.
func oversized(err *cluster.Error) string {
	large, is := errors.AsType[*cluster.TooLargeError](err)
	if !is || large.Bytes == 0 {
		return err.Message
	}
	return fmt.Sprintf("the manifest has %s, which is too large for the cluster: %s", faults.Size(large.Bytes),
		err.Message)
}
