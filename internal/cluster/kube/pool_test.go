package kube

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
)

const twoContexts = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://api.example.com:6443"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: prod, context: {cluster: c, user: u}}, {name: dev, context: {cluster: c, user: u}}]
current-context: prod
`

func TestPoolKeepsOneClientPerConnection(t *testing.T) {
	t.Parallel()
	base := connect.Config{Host: "https://h", Token: "t"}
	plugin := func(env string) connect.Config {
		return connect.Config{Host: "https://h", Exec: &connect.ExecConfig{
			APIVersion: "client.authentication.k8s.io/v1", Command: "c", Env: map[string]string{"A": env, "B": "2"},
		}}
	}
	cases := map[string]struct {
		one, other connect.Config
		same       bool
	}{
		"equal connections share a client":            {base, connect.Config{Host: "https://h", Token: "t"}, true},
		"equal plugins share a client":                {plugin("1"), plugin("1"), true},
		"another token is another client":             {base, connect.Config{Host: "https://h", Token: "u"}, false},
		"another variable of a plugin is another one": {plugin("1"), plugin("2"), false},
		"another context is another client": {
			connect.Config{Kubeconfig: twoContexts},
			connect.Config{Kubeconfig: twoContexts, Context: "dev"},
			false,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := NewPool(connect.Options{})
			one, err := pool.Client(tc.one)
			if err != nil {
				t.Fatal(err)
			}
			other, err := pool.Client(tc.other)
			if err != nil {
				t.Fatal(err)
			}
			if (one == other) != tc.same {
				t.Errorf("same client: want %t, got %t", tc.same, one == other)
			}
		})
	}
}

func TestPoolMakesOneClientForParallelCallers(t *testing.T) {
	t.Parallel()
	pool := NewPool(connect.Options{})
	clients := make([]*Client, 50)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() { clients[i], _ = pool.Client(connect.Config{Host: "https://h", Token: "t"}) })
	}
	wg.Wait()
	for _, client := range clients {
		if client == nil || client != clients[0] {
			t.Fatal("want the same client for all")
		}
	}
}

func TestPoolForgetsFailures(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	pool := NewPool(connect.Options{})
	_, err := pool.Client(connect.Config{ConfigPath: path})
	var invalid *connect.ConfigError
	if !errors.As(err, &invalid) || invalid.Problems[0].Attribute != "config_path" {
		t.Fatalf("want a problem with config_path, got %v", err)
	}
	if err := os.WriteFile(path, []byte(twoContexts), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Client(connect.Config{ConfigPath: path}); err != nil {
		t.Errorf("after the file was written: %v", err)
	}
}
