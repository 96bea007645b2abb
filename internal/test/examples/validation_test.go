package examples_test

import (
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// validate validates a manifest with mistakes, and tests the configuration, without the cluster.
func validate(e *example) {
	var out strings.Builder
	args := []string{"--kubeconfig", story.ControlPlane().KubeconfigPath(), "--out", filepath.Join(e.Dir, "schemas")}
	if code := command.Run(e.T.Context(), args, &out, &out); code != 0 {
		e.T.Fatal(out.String())
	}
	before := e.Env
	e.Env = append(e.Env, "K8SCONNECT_SCHEMAS=schemas", "KUBE_CONFIG_PATH=", "HOME="+e.T.TempDir())
	defer func() { e.Env = before }()
	file := filepath.Join(e.Dir, "ferry.yaml")
	manifest := pages.Read(e.T, file)
	write(e.T, file, strings.NewReplacer("replicas: 2", "replica: 2", `"2"`, "2").Replace(manifest))
	said := strings.ReplaceAll(e.Exits(1, "validate"), story.ControlPlane().Version(), "v1.36.3")
	e.says(e.Exits(1, "test", "-filter=tests/override.tftest.hcl"), "Error: Value Does Not Fit Schema")
	e.showsOutput("validation", "$ export K8SCONNECT_SCHEMAS=schemas\n$ terraform validate\n\n"+excerpt(said, quiet))
	write(e.T, file, manifest)
	e.showsOutput("validation-test", "$ terraform test\n\n"+excerpt(e.Do("test"), quiet))
}
