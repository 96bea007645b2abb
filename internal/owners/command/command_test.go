package command

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--help":              "",
		"-o table":            `there is no output "table"`,
		"--quiet-for 90d":     "invalid argument",
		"--none":              "unknown flag: --none",
		"--kubeconfig /none":  "/none",
		"a/b c/d --context x": "",
	} {
		var out, errs strings.Builder
		code := Run(t.Context(), strings.Fields(args), &out, &errs)
		switch {
		case args == "--help" && (code != 0 || !strings.Contains(out.String(), "--context") || !strings.Contains(out.String(), "--quiet-for")):
			t.Errorf("%s: exit code %d: %s", args, code, out.String())
		case args != "--help" && (code != 1 || !strings.HasPrefix(errs.String(), "error: ") || !strings.Contains(errs.String(), want)):
			t.Errorf("%s: exit code %d: %s", args, code, errs.String())
		}
	}
}

// Progress is printed after two seconds, and not before.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := startProgress(&out)
		p.kinds.Store(60)
		p.done.Store(20)
		p.objects.Store(1500)
		time.Sleep(progressEvery - time.Millisecond)
		synctest.Wait()
		if out.String() != "" {
			t.Errorf("printed too early: %s", out.String())
		}
		time.Sleep(2 * time.Millisecond)
		p.stop()
		p.stop()
		if want := "Reading: 20 of 60 kinds, 1500 objects\n"; out.String() != want {
			t.Errorf("printed is %q, want %q", out.String(), want)
		}
	})
}
