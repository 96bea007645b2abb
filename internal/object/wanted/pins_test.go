package wanted

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

const (
	pinnedBody = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {ports: [{port: 80, protocol: TCP}]}\n"
	// pinnedLive is the object of pinnedBody. Another client has the second port.
	pinnedLive = `{spec: {clusterIP: 10.0.0.1, ports: [{port: 80, protocol: TCP, nodePort: 31080}, {port: 443, protocol: TCP, nodePort: 31443}]}}`

	port80  = `"k:{\"port\":80,\"protocol\":\"TCP\"}":`
	port443 = `"k:{\"port\":443,\"protocol\":\"TCP\"}":`
	ours    = `{"f:spec":{"f:ports":{` + port80 + `{".":{},"f:port":{}}}}}`
	theirs  = `{"f:spec":{"f:ports":{` + port443 + `{".":{},"f:port":{},"f:protocol":{}}}}}`

	first     = `spec.ports[port=80,protocol="TCP"].nodePort`
	theirPort = `spec.ports[port=443,protocol="TCP"]`
	second    = theirPort + ".nodePort"
)

// pinnedFields are the address and both node ports, bothOurs what we own if they are all pinned.
const (
	pinnedFields = `{"f:spec":{"f:clusterIP":{},"f:ports":{` + port80 + `{"f:nodePort":{}},` + port443 + `{"f:nodePort":{}}}}}`
	bothOurs     = `{"f:spec":{"f:clusterIP":{},"f:ports":{` + port80 + `{".":{},"f:port":{},"f:nodePort":{}},` + port443 + `{".":{},"f:port":{},"f:nodePort":{}}}}}`
)

// pinnedFixture is an object with pins that an apply left, and what the user asks of it.
type pinnedFixture struct {
	intent Wanted
	prior  record.Prior
	live   map[string]any
}

// pinning returns a fixture in which the address and all node ports are pinned.
func pinning(t *testing.T) *pinnedFixture {
	t.Helper()
	f := &pinnedFixture{live: clustertest.Object(t, pinnedLive)}
	parsed, err := manifest.Parse(pinnedBody)
	if err != nil {
		t.Fatal(err)
	}
	f.intent = Wanted{Arguments: arguments.Arguments{Manifest: parsed, FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "spec.clusterIP", "spec.ports[*].nodePort")}}
	f.prior = record.Prior{
		Object:    parsed.Identity,
		Arguments: arguments.Arguments{Manifest: parsed, FieldManager: "k8sconnect", Pin: f.intent.Pin},
		Snapshot: record.Snapshot{
			Object: parsed.Identity, Sighting: record.Sighting{UID: "u"}, Claims: f.claims(t, bothOurs, theirs), Digests: record.Digests{AppliedState: "a", LiveState: "a"},
			Fields: record.KnownFields{Declared: clustertest.Fields(t, bothOurs)},
		},
	}
	f.prior.Snapshot.Pins = record.Pins{}.With(f.live, clustertest.Fields(t, pinnedFields))
	f.prior.Snapshot.Pins.Items = clustertest.Fields(t, `{"f:spec":{"f:ports":{`+port443+`{}}}}`)
	return f
}

// claims returns our claim, and one of another client; "" for none. pinned returns what is wanted after the step of the
// pins.
func (f *pinnedFixture) pinned() Wanted {
	return pin(Wanted{Arguments: f.intent.Arguments, Prior: f.prior})
}

func (*pinnedFixture) claims(t *testing.T, own, others string) ownership.Claims {
	t.Helper()
	var entries []metav1.ManagedFieldsEntry
	if own != "" {
		entries = append(entries, clustertest.Owning(own)...)
	}
	if others != "" {
		entries = append(entries, clustertest.Updating("kubectl", others))
	}
	return clustertest.Claims(t, entries)
}

// text returns pins as the attribute pinned shows them.
func (f *pinnedFixture) text(pins record.Pins) map[string]string {
	return pins.Text(f.intent.Renderer(f.prior.Object, record.Snapshot{}))
}

// fieldsIn returns the texts of fields, in order of their paths.
func fieldsIn(fields *paths.Set) []string {
	var all []string
	formatter := paths.NewFormatter(paths.OrEmpty(fields))
	paths.Walk(fields, func(path paths.Path, _ bool) { all = append(all, formatter.Format(path)) })
	return all
}

func spec(object map[string]any) string {
	text, _ := json.Marshal(object["spec"])
	return string(text)
}

func TestPin(t *testing.T) {
	t.Parallel()
	const asWritten = `{"ports":[{"port":80,"protocol":"TCP"}]}`
	const both = `{"clusterIP":"10.0.0.1","ports":[{"nodePort":31080,"port":80,"protocol":"TCP"},{"nodePort":31443,"port":443,"protocol":"TCP"}]}`
	all := map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080", second: "31443"}
	for name, tt := range map[string]struct {
		change   func(*testing.T, *pinnedFixture)
		body     string
		pins     map[string]string
		released []string
		pending  bool
	}{
		"what was pinned is in the body": {func(*testing.T, *pinnedFixture) {}, both, all, nil, false},
		"nothing is pinned yet": {func(_ *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Pins = record.Pins{}
		}, asWritten, nil, nil, false},
		"a pin that a read has found is not ours yet": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Claims = f.claims(t, ours, theirs)
		}, both, all, nil, true},
		"a list item that others have left is not in the body": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Claims = f.claims(t, `{"f:spec":{"f:clusterIP":{},"f:ports":{`+port80+`{".":{},"f:port":{},"f:nodePort":{}}}}}`, "")
		}, `{"clusterIP":"10.0.0.1","ports":[{"nodePort":31080,"port":80,"protocol":"TCP"}]}`, all, nil, false},
		"a list item of which only our pins are left": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Claims = f.claims(t, bothOurs, "")
		}, `{"clusterIP":"10.0.0.1","ports":[{"nodePort":31080,"port":80,"protocol":"TCP"}]}`, all, nil, true},
		"a list item that nobody owns": {func(_ *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Claims, f.prior.Snapshot.Pins.Unowned = nil, f.prior.Snapshot.Pins.Items
		}, both, all, nil, true},
		"a path less": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Pin = clustertest.Patterns(t, "spec.clusterIP")
		}, `{"clusterIP":"10.0.0.1","ports":[{"port":80,"protocol":"TCP"}]}`, map[string]string{"spec.clusterIP": "10.0.0.1"}, []string{first, theirPort, second}, false},
		"no paths any more": {func(_ *testing.T, f *pinnedFixture) {
			f.intent.Pin = nil
		}, asWritten, nil, []string{"spec.clusterIP", first, theirPort, second}, false},
		"a part that is ignored": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Ignore = clustertest.Patterns(t, "spec.ports[port=443]")
		}, `{"clusterIP":"10.0.0.1","ports":[{"nodePort":31080,"port":80,"protocol":"TCP"}]}`, map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080"}, []string{theirPort, second}, false},
		"a part that is secret": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Sensitive = clustertest.Patterns(t, "spec.ports[port=443].nodePort")
		}, `{"clusterIP":"10.0.0.1","ports":[{"nodePort":31080,"port":80,"protocol":"TCP"}]}`, map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080"}, []string{theirPort, second}, false},
		"a part whose list item is secret": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Sensitive = clustertest.Patterns(t, "spec.ports[*].port")
		}, `{"clusterIP":"10.0.0.1","ports":[{"port":80,"protocol":"TCP"}]}`, map[string]string{"spec.clusterIP": "10.0.0.1"}, []string{first, theirPort, second}, false},
		"new values are asked for": {func(_ *testing.T, f *pinnedFixture) {
			f.intent.Repin = "2"
		}, asWritten, nil, []string{"spec.clusterIP", first, theirPort, second}, false},
		"a field that moves to the body": {func(t *testing.T, f *pinnedFixture) {
			f.intent.Manifest.Object = clustertest.Object(t, "{spec: {ports: [{port: 80, protocol: TCP, nodePort: 31000}]}}")
		}, `{"clusterIP":"10.0.0.1","ports":[{"nodePort":31000,"port":80,"protocol":"TCP"},{"nodePort":31443,"port":443,"protocol":"TCP"}]}`, map[string]string{"spec.clusterIP": "10.0.0.1", second: "31443"}, nil, false},
		"a field that moves from the body": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Pins, f.prior.Arguments.Pin = record.Pins{}, nil
			f.prior.Arguments.Manifest = clustertest.Parsed(t, "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: 10.0.0.9, ports: [{port: 80}]}}")
		}, `{"clusterIP":"10.0.0.9","ports":[{"port":80,"protocol":"TCP"}]}`, map[string]string{"spec.clusterIP": "10.0.0.9"}, nil, false},
		"an empty map that leaves the body": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Pins, f.prior.Arguments.Pin = record.Pins{}, nil
			f.prior.Arguments.Manifest = clustertest.Parsed(t, "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {}, ports: [{port: 80}]}}")
			f.prior.Snapshot.Claims = f.claims(t, `{"f:spec":{"f:selector":{}}}`, theirs)
			f.intent.Pin = clustertest.Patterns(t, "spec.selector")
		}, asWritten, nil, nil, false},
		"a field that moves from the body, and that somebody else took": {func(t *testing.T, f *pinnedFixture) {
			f.prior.Snapshot.Pins, f.prior.Arguments.Pin = record.Pins{}, nil
			f.prior.Arguments.Manifest = clustertest.Parsed(t, "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: 10.0.0.9, ports: [{port: 80}]}}")
			f.prior.Snapshot.Claims = f.claims(t, ours, `{"f:spec":{"f:clusterIP":{}}}`)
		}, asWritten, nil, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pinning(t)
			tt.change(t, f)
			got := f.pinned()
			if diff := cmp.Diff(tt.body, spec(got.Manifest.Object)); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.pins, f.text(got.Pins), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("pins (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.released, paths.Texts(got.Unpinned), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("released (-want +got):\n%s", diff)
			}
			if pending := got.pinsPending(f.prior.Snapshot.Claims.Own("k8sconnect")); pending != tt.pending {
				t.Errorf("pending %t, want %t", pending, tt.pending)
			}
		})
	}
}

// A list item inside an item of other managers is gone when that item is: no other manager has a part of it.
func TestItemOfAnItem(t *testing.T) {
	t.Parallel()
	const item, inner = `"k:{\"name\":\"a\"}":`, `"k:{\"port\":80}":`
	const pinned = `{"f:spec":{"f:list":{` + item + `{"f:ports":{` + inner + `{"f:note":{}}}}}}}`
	for name, tt := range map[string]struct{ theirs, want string }{
		"others have both items":     {`{"f:spec":{"f:list":{` + item + `{".":{},"f:ports":{` + inner + `{".":{},"f:port":{}}}}}}}`, `{"list":[{"name":"a","ports":[{"note":"x","port":80}]}],"ports":[{"port":80,"protocol":"TCP"}]}`},
		"others have the outer item": {`{"f:spec":{"f:list":{` + item + `{".":{},"f:name":{}}}}}`, `{"ports":[{"port":80,"protocol":"TCP"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pinning(t)
			f.live = clustertest.Object(t, "{spec: {list: [{name: a, ports: [{port: 80, note: x}]}]}}")
			f.prior.Snapshot.Pins = record.Pins{}.With(f.live, clustertest.Fields(t, pinned))
			f.prior.Snapshot.Claims, f.intent.Pin = f.claims(t, ours, tt.theirs), clustertest.Patterns(t, "spec.list[*].ports[*].note")
			if diff := cmp.Diff(tt.want, spec(f.pinned().Manifest.Object)); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

// A field of an ignored manager is not pinned: we send neither its value nor the list item that it is in.
func TestPinsLeftToManagers(t *testing.T) {
	t.Parallel()
	f := pinning(t)
	f.prior.Snapshot.Claims = f.claims(t, bothOurs, `{"f:spec":{"f:ports":{`+port443+`{"f:nodePort":{}}}}}`)
	f.intent.IgnoreManagers = []string{"kubectl"}
	intent := f.pinned().Ignoring(f.prior.Snapshot.Claims, "k8sconnect", map[string]string{paths.ID(secondNodePort()): "31443"})
	if diff := cmp.Diff(`{"clusterIP":"10.0.0.1","ports":[{"nodePort":31080,"port":80,"protocol":"TCP"}]}`, spec(intent.Split(paths.NewSet()))); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{second}, paths.Texts(intent.Unpinned)); diff != "" {
		t.Errorf("released (-want +got):\n%s", diff)
	}
	if left := intent.LeftTexts(); len(left) > 0 {
		t.Errorf("left by patterns: %q", left)
	}
}

// A manager that is taken over keeps the list items in which we pin something: without its part, an item would leave.
func TestTakeOverBesidePins(t *testing.T) {
	t.Parallel()
	for name, pin := range map[string][]string{"a pin that stays": {"spec.ports[*].nodePort"}, "a pin that leaves": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pinning(t)
			f.intent.TakeOver, f.intent.Pin = []string{"kubectl"}, clustertest.Patterns(t, pin...)
			claims, intent := f.prior.Snapshot.Claims, f.pinned()
			for _, rewrite := range []ownership.Rewrite{intent.BeforeApply(claims, "k8sconnect"), intent.AfterApply(claims)} {
				if left := rewrite.Claims(claims).Others("k8sconnect").Fields(); !left.Equals(clustertest.Fields(t, theirs)) {
					t.Errorf("they keep %v", left)
				}
			}
		})
	}
}

func TestPinsAgain(t *testing.T) {
	t.Parallel()
	field, item := paths.Path{paths.Field("spec"), paths.Field("clusterIP")}, secondNodePort()
	for name, tt := range map[string]struct {
		change      func(*testing.T, *Wanted)
		field, item bool
	}{
		"pins stay":                 {func(*testing.T, *Wanted) {}, false, false},
		"a path less is let go":     {func(t *testing.T, i *Wanted) { i.Pin = clustertest.Patterns(t, "spec.ports[*].nodePort") }, false, false},
		"new values are asked for":  {func(_ *testing.T, i *Wanted) { i.Repin = "2" }, true, true},
		"new values, and one less":  {func(t *testing.T, i *Wanted) { i.Pin, i.Repin = clustertest.Patterns(t, "spec.clusterIP"), "2" }, true, true},
		"new values of other paths": {func(t *testing.T, i *Wanted) { i.Pin, i.Repin = clustertest.Patterns(t, "spec.type"), "2" }, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pinning(t)
			tt.change(t, &f.intent)
			got := f.pinned()
			if field, item := got.PinsAgain(field), got.PinsAgain(item); field != tt.field || item != tt.item {
				t.Errorf("pins the field again: %t, the part of an item: %t", field, item)
			}
		})
	}
}

// secondNodePort is the node port of the port that the body does not have.
func secondNodePort() paths.Path {
	item := paths.Key(map[string]any{"port": int64(443), "protocol": "TCP"})
	return paths.Path{paths.Field("spec"), paths.Field("ports"), item, paths.Field("nodePort")}
}

// A list item that the apply removes takes its pins along: those that an apply has held are remembered.
func TestWithoutPinsIn(t *testing.T) {
	t.Parallel()
	const one = `{"f:spec":{"f:clusterIP":{},"f:ports":{` + port80 + `{".":{},"f:port":{},"f:nodePort":{}}}}}`
	for name, tt := range map[string]struct {
		change func(*testing.T, *pinnedFixture)
		items  string
		pins   map[string]string
		pinned []string
	}{
		"held": {
			func(*testing.T, *pinnedFixture) {}, port443,
			map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080", second: "31443"},
			[]string{"spec.clusterIP", first},
		},
		"found by the last read": {
			func(t *testing.T, f *pinnedFixture) {
				f.prior.Snapshot.Pins.Items = nil
				f.prior.Snapshot.Fields.Declared = clustertest.Fields(t, one)
			}, port443,
			map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080"},
			[]string{"spec.clusterIP", first},
		},
		"an item of the manifest": {
			func(*testing.T, *pinnedFixture) {}, port80,
			map[string]string{"spec.clusterIP": "10.0.0.1", first: "31080", second: "31443"},
			[]string{"spec.clusterIP", first, second},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pinning(t)
			tt.change(t, f)
			got := f.pinned().WithoutPinsIn(clustertest.Fields(t, `{"f:spec":{"f:ports":{`+tt.items+`{}}}}`))
			if diff := cmp.Diff(tt.pins, f.text(got.Pins)); diff != "" {
				t.Errorf("pins (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.pinned, fieldsIn(got.Pinned)); diff != "" {
				t.Errorf("pinned fields (-want +got):\n%s", diff)
			}
		})
	}
}
