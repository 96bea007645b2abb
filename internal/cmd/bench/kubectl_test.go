package main

import "testing"

// The output of kubectl diff has the objects that an apply would create and those that it would change.
func TestKubectlActions(t *testing.T) {
	t.Parallel()
	const printed = `diff -u -N /tmp/LIVE-1/v1.ConfigMap.shop.object-0000 /tmp/MERGED-2/v1.ConfigMap.shop.object-0000
--- /tmp/LIVE-1/v1.ConfigMap.shop.object-0000	2026-11-26 18:00:00.000000000 +0000
+++ /tmp/MERGED-2/v1.ConfigMap.shop.object-0000	2026-11-26 18:00:00.000000000 +0000
@@ -0,0 +1,9 @@
+apiVersion: v1
diff -u -N /tmp/LIVE-1/apps.v1.Deployment.shop.object-0001 /tmp/MERGED-2/apps.v1.Deployment.shop.object-0001
--- /tmp/LIVE-1/apps.v1.Deployment.shop.object-0001	2026-11-26 18:00:00.000000000 +0000
+++ /tmp/MERGED-2/apps.v1.Deployment.shop.object-0001	2026-11-26 18:00:00.000000000 +0000
@@ -5,7 +5,7 @@
-    revision: "1"
`
	found := kubectlActions([]object{{Index: 0}, {Index: 1}, {Index: 2}}, printed)
	for i, want := range []string{creation, update, noOp} {
		if o := (object{Index: i}); found[o.Name()] != want {
			t.Errorf("%s is %q, want %q", o.Name(), found[o.Name()], want)
		}
	}
}
