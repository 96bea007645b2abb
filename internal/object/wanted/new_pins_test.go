package wanted

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestPinsAfter(t *testing.T) {
	t.Parallel()
	const one = `{"f:spec":{"f:clusterIP":{},"f:ports":{` + port80 + `{".":{},"f:port":{},"f:nodePort":{}}}}}`
	all := map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080", second: "31443"}
	away := []string{theirPort}
	for name, tt := range map[string]struct {
		change func(*testing.T, *pinnedFixture)
		// own is what the apply left with us.
		own   string
		want  map[string]string
		items []string
	}{
		"what we hold is pinned":   {func(*testing.T, *pinnedFixture) {}, bothOurs, all, away},
		"a path less is forgotten": {func(t *testing.T, f *pinnedFixture) { f.intent.Pin = clustertest.Patterns(t, "spec.clusterIP") }, one, map[string]string{"spec.clusterIP": "10.0.0.1"}, nil},
		"without paths":            {func(_ *testing.T, f *pinnedFixture) { f.intent.Pin = nil }, bothOurs, nil, nil},
		"what we do not hold is not pinned": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Ignore = clustertest.Patterns(t, "spec.ports[port=443]")
		}, one, map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080"}, nil},
		"a list item that is away is remembered": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Claims, f.live = f.claims(t, one, ""), clustertest.Object(t, "{spec: {clusterIP: 10.0.0.1, ports: [{port: 80, protocol: TCP, nodePort: 31080}]}}")
		}, one, all, away},
		"a pinned value stays when the live one is another": {func(t *testing.T, f *pinnedFixture) {
			f.live = clustertest.Object(t, "{spec: {clusterIP: 10.0.0.9, ports: [{port: 80, protocol: TCP, nodePort: 31080}]}}")
		}, one, map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080"}, nil},
		"a new pin has the live value": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Pins, f.live = record.Pins{}, clustertest.Object(t, "{spec: {clusterIP: 10.0.0.9}}")
		}, one, map[string]string{"spec.clusterIP": "10.0.0.9"}, nil},
		"a value that was in the body is as the server writes it": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Pins, f.prior.Arguments.Pin = record.Pins{}, nil
			f.prior.Arguments.Manifest = clustertest.Parsed(t, "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: 10.0.0.01, ports: [{port: 80}]}}")
		}, `{"f:spec":{"f:clusterIP":{}}}`, map[string]string{"spec.clusterIP": "10.0.0.1"}, nil},
		"a value that the server did not keep": {func(t *testing.T, f *pinnedFixture) {
			f.live = clustertest.Object(t, "{spec: {clusterIP: 10.0.0.1, ports: [{port: 80, protocol: TCP}]}}")
		}, one, map[string]string{"spec.clusterIP": "10.0.0.1"}, nil},
		"a field of the body is not pinned": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Manifest.Object = clustertest.Object(t, "{spec: {ports: [{port: 80, protocol: TCP, nodePort: 31000}]}}")
		}, one, map[string]string{"spec.clusterIP": "10.0.0.1"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pinning(t)
			tt.change(t, f)
			got := f.pinned().PinsAfter(f.live, f.prior.Snapshot.Claims, clustertest.Fields(t, tt.own))
			if diff := cmp.Diff(tt.want, f.text(got), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("pins (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.items, fieldsIn(got.Items), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("list items (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNewPins(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*testing.T, *pinnedFixture)
		want   []string
	}{
		"all of the object": {func(*testing.T, *pinnedFixture) {}, []string{"spec.clusterIP", first, second}},
		"a value that is not there yet": {func(t *testing.T, f *pinnedFixture) {
			f.live = clustertest.Object(t, "{spec: {ports: [{port: 80, protocol: TCP}]}}")
		}, nil},
		"a list item of others": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Pin = clustertest.Patterns(t, "spec.ports[port=443].nodePort")
		}, []string{second}},
		"what is ignored": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Ignore = clustertest.Patterns(t, "spec.ports[port=80].nodePort")
		}, []string{"spec.clusterIP", second}},
		"what is secret": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Sensitive = clustertest.Patterns(t, "spec.ports[port=80].nodePort")
		}, []string{"spec.clusterIP", second}},
		"what the body has": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Manifest.Object = clustertest.Object(t, "{spec: {clusterIP: None, ports: [{port: 80, protocol: TCP}]}}")
		}, []string{first, second}},
		"what only the server writes": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Pin = clustertest.Patterns(t, "metadata", "status", "kind")
			f.live = clustertest.Object(t, "{kind: Service, metadata: {name: web, uid: u, labels: {a: b}}, status: {loadBalancer: {x: y}}}")
		}, []string{"metadata.labels.a"}},
		"what others have": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Claims = f.claims(t, ours, `{"f:spec":{"f:clusterIP":{}}}`)
			f.intent.Pin = clustertest.Patterns(t, "spec.clusterIP")
		}, []string{"spec.clusterIP"}},
		"what the server adds to a map of others": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Claims = f.claims(t, ours, `{"f:spec":{"f:sessionAffinityConfig":{"f:clientIP":{".":{},"f:x":{}}}}}`)
			f.intent.Pin = clustertest.Patterns(t, "spec.sessionAffinityConfig")
			f.live = clustertest.Object(t, "{spec: {sessionAffinityConfig: {clientIP: {timeoutSeconds: 10}}}}")
		}, []string{"spec.sessionAffinityConfig.clientIP.timeoutSeconds"}},
		"what an ignored manager has": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Claims = f.claims(t, ours, `{"f:spec":{"f:clusterIP":{}}}`)
			f.intent.IgnoreManagers = []string{"kubectl"}
		}, []string{first, second}},
		"a part of a pin": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Pins = record.Pins{}.With(clustertest.Object(t, "{spec: {clusterIP: None}}"), clustertest.Fields(t, `{"f:spec":{"f:clusterIP":{}}}`))
			f.intent.Pin = clustertest.Patterns(t, "spec.clusterIP")
			f.intent, f.live = f.pinned(), clustertest.Object(t, "{spec: {clusterIP: {a: b}}}")
		}, nil},
		"nothing that is pinned": {func(_ *testing.T, f *pinnedFixture) {
			f.intent = f.pinned()
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pinning(t)
			tt.change(t, f)
			got := f.intent.NewPins(f.live, f.prior.Snapshot.Claims)
			if diff := cmp.Diff(tt.want, fieldsIn(got), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPinning(t *testing.T) {
	t.Parallel()
	f := pinning(t)
	f.intent.Repin = "2"
	intent := f.pinned()
	f.live = clustertest.Object(t, "{spec: {clusterIP: 10.0.0.9, ports: [{port: 80, protocol: TCP, nodePort: 31081}]}}")
	got := intent.Pinning(f.live, intent.NewPins(f.live, f.prior.Snapshot.Claims), f.prior.Snapshot.Claims)
	if diff := cmp.Diff(`{"clusterIP":"10.0.0.9","ports":[{"nodePort":31081,"port":80,"protocol":"TCP"}]}`, spec(got.Manifest.Object)); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{theirPort, second}, paths.Texts(got.Unpinned)); diff != "" {
		t.Errorf("released (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(`{"ports":[{"port":80,"protocol":"TCP"}]}`, spec(intent.Manifest.Object)); diff != "" {
		t.Errorf("the intent was mutated (-want +got):\n%s", diff)
	}
}

// The apply that finds a list item that no manager owns pins the values in it. One in an item that is away waits for
// it.
func TestPinningInItemOfNobody(t *testing.T) {
	t.Parallel()
	f := pinning(t)
	f.prior.Snapshot.Pins, f.prior.Snapshot.Claims = record.Pins{}, f.claims(t, ours, "")
	intent := f.pinned()
	claims := f.claims(t, bothOurs, "")
	for name, tt := range map[string]struct {
		claims ownership.Claims
		want   string
	}{
		"nobody owns it": {f.prior.Snapshot.Claims, `{"clusterIP":"10.0.0.1","ports":[{"nodePort":31080,"port":80,"protocol":"TCP"},{"nodePort":31443,"port":443,"protocol":"TCP"}]}`},
		"only we own it": {claims, `{"clusterIP":"10.0.0.1","ports":[{"nodePort":31080,"port":80,"protocol":"TCP"}]}`},
	} {
		got := intent.Pinning(f.live, intent.NewPins(f.live, tt.claims), tt.claims)
		if diff := cmp.Diff(tt.want, spec(got.Manifest.Object)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A map that other managers hold as empty, and whose content no manager owns, is pinned as a whole: fields that were
// released in it are not released any more.
func TestPinningWhole(t *testing.T) {
	t.Parallel()
	f := pinning(t)
	f.intent.Repin = "2"
	intent := f.pinned()
	claims := f.claims(t, ours, `{"f:spec":{"f:ports":{}}}`)
	got := intent.Pinning(f.live, clustertest.Fields(t, `{"f:spec":{"f:clusterIP":{},"f:ports":{}}}`), claims)
	if len(got.Unpinned) > 0 {
		t.Errorf("released: %q", paths.Texts(got.Unpinned))
	}
}

func TestAddsPins(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pin, last    []string
		repin, again string
		want         bool
	}{
		"nothing":                       {nil, nil, "", "", false},
		"the same":                      {[]string{"a", "b"}, []string{"a", "b"}, "1", "1", false},
		"a path more":                   {[]string{"a", "b"}, []string{"a"}, "", "", true},
		"the first path":                {[]string{"a"}, nil, "", "", true},
		"a path less":                   {[]string{"a"}, []string{"a", "b"}, "", "", false},
		"another path":                  {[]string{"b"}, []string{"a"}, "", "", true},
		"new values":                    {[]string{"a"}, []string{"a"}, "", "1", true},
		"new values without any path":   {nil, nil, "", "1", false},
		"new values of what has left":   {nil, []string{"a"}, "", "1", false},
		"no wish for new values longer": {[]string{"a"}, []string{"a"}, "1", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			intent := Wanted{Arguments: arguments.Arguments{Pin: clustertest.Patterns(t, tt.pin...), Repin: tt.again}}
			intent.Prior.Arguments = arguments.Arguments{Pin: clustertest.Patterns(t, tt.last...), Repin: tt.repin}
			if got := AddsPins(intent.Arguments, intent.Prior); got != tt.want {
				t.Errorf("adds %t, want %t", got, tt.want)
			}
		})
	}
}

// A read finds no value to pin in a field that the last apply called secret.
func TestAddsPinsOfFormerSecrets(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pin, sensitive, last []string
		want                 bool
	}{
		"a secret stays one":       {[]string{"a"}, []string{"b"}, []string{"b"}, false},
		"a secret more":            {[]string{"a"}, []string{"b", "c"}, []string{"b"}, false},
		"a secret less":            {[]string{"a"}, []string{"b"}, []string{"b", "c"}, true},
		"no secrets any more":      {[]string{"a"}, nil, []string{"b"}, true},
		"without any pinned paths": {nil, nil, []string{"b"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			intent := Wanted{Arguments: arguments.Arguments{Pin: clustertest.Patterns(t, tt.pin...), Sensitive: clustertest.Patterns(t, tt.sensitive...)}}
			intent.Prior.Arguments = arguments.Arguments{Pin: clustertest.Patterns(t, tt.pin...), Sensitive: clustertest.Patterns(t, tt.last...)}
			if got := AddsPins(intent.Arguments, intent.Prior); got != tt.want {
				t.Errorf("adds %t, want %t", got, tt.want)
			}
		})
	}
}
