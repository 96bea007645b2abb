package ssa

import (
	"errors"
	"fmt"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

func TestLedger(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	prior := Prior{Object: object, Snapshot: Snapshot{UID: "u"}}
	see := func(s *Ledger) error { s.Read("u"); return nil }
	keep := func(s *Ledger) error { return s.Keep(prior) }
	replace := func(s *Ledger) error { return s.replace(object, "u") }
	adopt := func(s *Ledger) error { return s.adopt(object, "u") }
	leave := func(s *Ledger) error { s.Leave("u"); return nil }
	unseen := func(s *Ledger) error {
		s.Read("")
		return s.Keep(Prior{Object: object, Snapshot: Snapshot{Object: object, Unclear: true}})
	}
	protect := func(s *Ledger) error { s.Protect("u"); return nil }
	check := func(s *Ledger) error { return Standing{Ledger: s}.check(object, live("u", "1", nil), "k8sconnect") }
	checkReplaced := func(s *Ledger) error {
		return Standing{Replaced: Snapshot{UID: "u"}, Ledger: s}.check(object, live("u", "1", nil), "k8sconnect")
	}
	create := func(s *Ledger) error { return s.create(nil, object, NewResource{}) }
	other := manifest.Identity{APIVersion: "v1", Kind: "Secret", Namespace: "default", Name: "web"}
	createOther := func(s *Ledger) error { return s.create(nil, other, NewResource{}) }
	for name, run := range map[string]struct {
		steps []func(*Ledger) error
		want  error
	}{
		"an object that was never read is somebody else's":         {[]func(*Ledger) error{replace}, &AlreadyExistsError{}},
		"an object that was read and never planned is replaced":    {[]func(*Ledger) error{see, replace}, nil},
		"an object that is kept cannot be replaced":                {[]func(*Ledger) error{see, keep, replace}, &AlreadyManagedError{}},
		"a deletion, planned before it is read, is kept":           {[]func(*Ledger) error{keep, see, replace}, &AlreadyManagedError{}},
		"an object that is replaced cannot be kept":                {[]func(*Ledger) error{see, replace, keep}, &AlreadyManagedError{}},
		"an object is replaced once":                               {[]func(*Ledger) error{see, replace, replace}, &AlreadyManagedError{}},
		"two resources with states may share an object":            {[]func(*Ledger) error{see, keep, see, keep}, nil},
		"reading again does not make a replaced object free again": {[]func(*Ledger) error{see, replace, see, replace}, &AlreadyManagedError{}},
		"an object that is protected is not replaced":              {[]func(*Ledger) error{see, protect, check}, &ProtectedError{}},
		"nor one whose replacement was planned":                    {[]func(*Ledger) error{keep, protect, checkReplaced}, &ProtectedError{}},
		"one that is not protected is":                             {[]func(*Ledger) error{keep, checkReplaced}, nil},
		"an object is created once":                                {[]func(*Ledger) error{create, create}, &AlreadyManagedError{}},
		"an object that was never read is adopted":                 {[]func(*Ledger) error{adopt}, nil},
		"an object is adopted in the plan and in the apply":        {[]func(*Ledger) error{adopt, adopt}, nil},
		"an object that is to be deleted is not adopted":           {[]func(*Ledger) error{leave, adopt}, &AlreadyManagedError{}},
		"an object that is adopted may be left":                    {[]func(*Ledger) error{adopt, leave, adopt}, nil},
		"an object that was read is not adopted":                   {[]func(*Ledger) error{see, adopt}, &AlreadyManagedError{}},
		"an object that is adopted cannot be kept":                 {[]func(*Ledger) error{adopt, see, keep}, &AlreadyManagedError{}},
		"objects that nobody has seen are not the same":            {[]func(*Ledger) error{unseen, unseen}, nil},
		"two objects are created side by side":                     {[]func(*Ledger) error{create, createOther}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s Ledger
			var err error
			for i, step := range run.steps {
				if err = step(&s); err != nil && i < len(run.steps)-1 {
					t.Fatalf("step %d: %v", i+1, err)
				}
			}
			if got := fmt.Sprintf("%T", err); got != fmt.Sprintf("%T", run.want) {
				t.Errorf("got %s (%v), want %T", got, err, run.want)
			}
		})
	}
}

// An error about two resources says what is known of the other one.
func TestLedgerNamesTheOtherResource(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	intent := func(text string) NewResource {
		return newResource(Intent{Manifest: manifest.Manifest{Text: text}, FieldManager: "k8sconnect"})
	}
	const chart = "---\n# Copyright\n# Source: shop/templates/web.yaml\nkind: ConfigMap\n"
	for name, test := range map[string]struct {
		first, second NewResource
		source        string
		same          bool
	}{
		"the same text":              {intent("kind: ConfigMap\n"), intent("kind: ConfigMap\n"), "", true},
		"a chart beside other text":  {intent(chart), intent("kind: ConfigMap\n"), "shop/templates/web.yaml", false},
		"other text beside a chart":  {intent("kind: ConfigMap\n"), intent(chart), "", false},
		"a comment after the object": {intent("kind: ConfigMap\n# Source: a\n"), intent(chart), "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ledger Ledger
			if err := ledger.create(nil, object, test.first); err != nil {
				t.Fatal(err)
			}
			var managed *AlreadyManagedError
			if err := ledger.create(nil, object, test.second); !errors.As(err, &managed) {
				t.Fatal(err)
			}
			if managed.New == nil || managed.New.FieldManager != "k8sconnect" || managed.New.Source != test.source || managed.SameBody != test.same {
				t.Errorf("got %+v of %+v", managed, managed.New)
			}
		})
	}
}
