package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// imported is a plan as the CLI prints it for an import, with unchanged lines in full.
const imported = `Terraform will perform the following actions:

  # k8sconnect_manifest.cart will be updated in-place
  ~ resource "k8sconnect_manifest" "cart" {
      ~ co_owners       = {
          + "spec.replicas" = [
              + "k8sconnect",
            ]
        }
        field_manager   = "k8sconnect"
      ~ field_ownership = {
            "metadata.annotations"                                 = "kube-controller-manager"
          ~ "spec.replicas"                                        = "kubectl-create" -> "k8sconnect"
            "spec.template.spec.containers[name=\"a\"].pullPolicy" = "kubectl-create"
        }
        id              = "kind=Deployment"
        yaml_body       = jsonencode(
            {
                spec = {
                    items = []
                }
            }
        )
        # (4 unchanged attributes hidden)
    }

Plan: 1 to import, 0 to add, 1 to change, 0 to destroy.
`

func TestViews(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		view       func(string) string
		text, want string
	}{
		"a plan of an update hides what is unchanged and narrows what is left": {
			view: planView, text: imported, want: `Terraform will perform the following actions:

  # k8sconnect_manifest.cart will be updated in-place
  ~ resource "k8sconnect_manifest" "cart" {
      ~ co_owners       = {
          + "spec.replicas" = [
              + "k8sconnect",
            ]
        }
      ~ field_ownership = {
          ~ "spec.replicas" = "kubectl-create" -> "k8sconnect"
            # (2 unchanged elements hidden)
        }
        id              = "kind=Deployment"
        # (4 unchanged attributes hidden)
        # (2 unchanged attributes hidden)
    }

Plan: 1 to import, 0 to add, 1 to change, 0 to destroy.
`},
		"a plan of a create stays as it is": {
			view: planView,
			text: "  + resource \"a\" \"b\" {\n      + yaml_body = <<-EOT\n            kind: Pod\n        EOT\n    }\n",
			want: "  + resource \"a\" \"b\" {\n      + yaml_body = <<-EOT\n            kind: Pod\n        EOT\n    }\n",
		},
		"an unchanged text of several lines is one attribute": {
			view: foldUnchanged,
			text: "  ~ resource \"a\" \"b\" {\n      ~ x = 1 -> 2\n        yaml_body = <<-EOT\n            kind: Pod\n        EOT\n    }\n",
			want: "  ~ resource \"a\" \"b\" {\n      ~ x = 1 -> 2\n        # (1 unchanged attribute hidden)\n    }\n",
		},
		"colours do not hide a change, and stay": {
			view: planView,
			text: "  \x1b[33m~\x1b[0m resource \"a\" \"b\" {\n      \x1b[33m~\x1b[0m x     = 1 \x1b[33m->\x1b[0m 2\n        yyyyy = 3\n    }\n",
			want: "  \x1b[33m~\x1b[0m resource \"a\" \"b\" {\n      \x1b[33m~\x1b[0m x = 1 \x1b[33m->\x1b[0m 2\n        # (1 unchanged attribute hidden)\n    }\n",
		},
		"keys with an equals sign in them stay aligned": {
			view: realign,
			text: "{\n  ~ \"a[k=\\\"v\\\"].b\"    = 1\n  ~ \"c\"               = 2\n}\n",
			want: "{\n  ~ \"a[k=\\\"v\\\"].b\" = 1\n  ~ \"c\"            = 2\n}\n",
		},
		"an apply leaves out the IDs": {
			view: applyView,
			text: "web: Creating...\nweb: Creation complete after 0s [id=apiVersion=v1,kind=Pod]\n",
			want: "web: Creating...\nweb: Creation complete after 0s\n",
		},
		"an unattended apply leaves out its plan": {
			view: resultView,
			text: "  + resource \"a\" \"b\" {}\n\n\x1b[1mPlan:\x1b[0m 1 to add, 0 to change, 0 to destroy.\nb: Creating...\n",
			want: "\x1b[1mPlan:\x1b[0m 1 to add, 0 to change, 0 to destroy.\nb: Creating...\n",
		},
		"an unattended apply without a plan stays as it is": {
			view: resultView, text: "No changes.\n", want: "No changes.\n",
		},
		"an init shows what it installed": {
			view: initView,
			text: "Initializing the backend...\n- Installed a/b v0.0.1 (unauthenticated)\n\nOpenTofu has been successfully initialized!\n",
			want: "- Installed a/b v0.0.1 (unauthenticated)\nOpenTofu has been successfully initialized!\n",
		},
		"generated configuration loses its comments": {
			view: withoutComments, text: "# generated\nresource \"a\" \"b\" {\n  x = 1 # one\n}\n", want: "resource \"a\" \"b\" {\n  x = 1 # one\n}\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.view(tt.text)); diff != "" {
				t.Errorf("view (-want +got):\n%s", diff)
			}
		})
	}
}
