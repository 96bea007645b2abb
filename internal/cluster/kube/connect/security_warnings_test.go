package connect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSecurityWarnings(t *testing.T) {
	t.Parallel()
	unchecked := strings.ReplaceAll(twoContexts, `server: "https`, `insecure-skip-tls-verify: true, server: "https`)
	plain := strings.ReplaceAll(twoContexts, `server: "https`, `server: "http`)
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte(unchecked), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		config Config
		want   []string
	}{
		"a host":                           {Config{Host: "https://h", Token: "t"}, nil},
		"a kubeconfig":                     {Config{Kubeconfig: twoContexts}, nil},
		"a host that is not checked":       {Config{Host: "https://h", Token: "t", Insecure: true}, []string{"`insecure` leaves the API server's certificate unchecked: anybody who can intercept"}},
		"a host without TLS":               {Config{Host: "http://h"}, []string{"`host` does not start with https://: anybody on the network path can read and change all that is sent"}},
		"a kubeconfig that is overridden":  {Config{Kubeconfig: twoContexts, Insecure: true}, []string{"`insecure` leaves the API server's certificate unchecked"}},
		"a kubeconfig that is not checked": {Config{Kubeconfig: unchecked}, []string{"`kubeconfig` has insecure-skip-tls-verify, which leaves the API server's certificate unchecked"}},
		"a kubeconfig without TLS":         {Config{Kubeconfig: plain}, []string{"`kubeconfig` has a server that does not start with https://"}},
		"a kubeconfig without a scheme": {
			Config{Kubeconfig: strings.ReplaceAll(twoContexts, "https://api.example.com", "10.0.0.5")},
			[]string{"`kubeconfig` has a server that does not start with https://"},
		},
		"a file that is not checked": {Config{ConfigPath: path}, []string{"`config_path` names a kubeconfig with insecure-skip-tls-verify, which leaves"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connection, err := Open(tc.config, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, exposure := range connection.SecurityWarnings {
				text := exposure.String()
				if i < len(tc.want) && strings.HasPrefix(text, tc.want[i]) {
					text = tc.want[i]
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("exposures (-want +got):\n%s", diff)
			}
		})
	}
}
