package run

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestRunRoles(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	begin := func(s *Run) error { s.Objects.BeginRead("u", Holder{Type: "manifest"}); return nil }
	see := func(s *Run) error { s.Objects.EndRead("u", Holder{Type: "manifest"}); return nil }
	keep := func(s *Run) error { return s.PlanWithState(object, "u") }
	replace := func(s *Run) error { return s.Objects.Replace(object, "u", Holder{Type: "manifest"}) }
	take := func(s *Run) error { return s.Objects.Replace(object, "u", Holder{Type: "manifest", Adopts: true}) }
	replaceInSet := func(s *Run) error { return s.Objects.Replace(object, "u", Holder{Type: "manifests"}) }
	takeInSet := func(s *Run) error { return s.Objects.Replace(object, "u", Holder{Type: "manifests", Adopts: true}) }
	seeAdopting := func(s *Run) error { s.Objects.EndRead("u", Holder{Type: "manifest", Adopts: true}); return nil }
	adopt := func(s *Run) error { return s.Objects.Adopt(object, "u", "k8sconnect") }
	leave := func(s *Run) error { return s.Objects.PlanEnd(object, "u", "", FirstRound) }
	leaveInApply := func(s *Run) error { return s.Objects.PlanEnd(object, "u", "", SecondRound) }
	give := func(s *Run) error { return s.Objects.PlanEnd(object, "u", "shop", FirstRound) }
	isNotManaged := func(s *Run) error {
		if s.Objects.Of("u").IsManaged() {
			return &AlreadyManagedError{}
		}
		return nil
	}
	imported := func(s *Run) error { NoteImported(&s.Objects, "u"); return nil }
	deleting := func(s *Run) error { _, err := s.Objects.NoteLeaving(object, "u"); return err }
	unseen := func(s *Run) error {
		s.Objects.BeginRead("", Holder{})
		s.Objects.EndRead("", Holder{})
		return s.PlanWithState(object, "")
	}
	create := func(s *Run) error { return s.Objects.PlanCreate(nil, object, NewResource{}) }
	other := manifest.Identity{APIVersion: "v1", Kind: "Secret", Namespace: "default", Name: "web"}
	createOther := func(s *Run) error { return s.Objects.PlanCreate(nil, other, NewResource{}) }
	for name, run := range map[string]struct {
		steps []func(*Run) error
		want  error
	}{
		"an object that was never read is of another client":       {[]func(*Run) error{replace}, &AlreadyExistsError{}},
		"an object that was read and never planned is replaced":    {[]func(*Run) error{see, replace}, nil},
		"an object that is kept cannot be replaced":                {[]func(*Run) error{see, keep, replace}, &AlreadyManagedError{}},
		"an object that is being read cannot be replaced":          {[]func(*Run) error{begin, replace}, &AlreadyManagedError{}},
		"an object that is being read is adopted":                  {[]func(*Run) error{begin, take}, &AlreadyExistsError{}},
		"an object that is read and adopted is not kept":           {[]func(*Run) error{begin, adopt, see, keep}, &AlreadyManagedError{}},
		"an object that is read and adopted is not deleted":        {[]func(*Run) error{see, adopt, leave}, &AlreadyManagedError{}},
		"an object that is kept is not adopted":                    {[]func(*Run) error{see, keep, adopt}, &AlreadyManagedError{}},
		"a new wish to adopt shows another resource":               {[]func(*Run) error{see, take}, &AlreadyExistsError{}},
		"an old wish to adopt shows none":                          {[]func(*Run) error{seeAdopting, take}, nil},
		"another type shows another resource":                      {[]func(*Run) error{seeAdopting, takeInSet}, &AlreadyExistsError{}},
		"an object that was read is not replaced by another type":  {[]func(*Run) error{see, replaceInSet}, &AlreadyManagedError{}},
		"an object that was being read is replaced":                {[]func(*Run) error{begin, see, replace}, nil},
		"an object that was read and is read again is replaced":    {[]func(*Run) error{begin, see, begin, replace}, nil},
		"a kept object that is being read is kept":                 {[]func(*Run) error{keep, begin, see, replace}, &AlreadyManagedError{}},
		"a deletion, planned before it is read, is kept":           {[]func(*Run) error{leave, begin, see, replace}, &AlreadyManagedError{}},
		"a deletion, planned after it was read, is kept":           {[]func(*Run) error{begin, see, leave, replace}, &AlreadyManagedError{}},
		"an object that is replaced cannot be deleted":             {[]func(*Run) error{begin, see, replace, leave}, &AlreadyManagedError{}},
		"an object that is replaced cannot be kept":                {[]func(*Run) error{see, replace, keep}, &AlreadyManagedError{}},
		"an object is replaced once":                               {[]func(*Run) error{see, replace, replace}, &AlreadyManagedError{}},
		"two resources with states may share an object":            {[]func(*Run) error{see, keep, see, keep}, nil},
		"reading again does not make a replaced object free again": {[]func(*Run) error{see, replace, see, replace}, &AlreadyManagedError{}},
		"an object is created once":                                {[]func(*Run) error{create, create}, &AlreadyManagedError{}},
		"an object that was never read is adopted":                 {[]func(*Run) error{adopt}, nil},
		"an object is adopted in the plan and in the apply":        {[]func(*Run) error{adopt, adopt}, nil},
		"an object that is to be deleted is not adopted":           {[]func(*Run) error{leave, adopt}, &AlreadyManagedError{}},
		"an object that is adopted cannot be deleted":              {[]func(*Run) error{adopt, leave}, &AlreadyManagedError{}},
		"an object that was adopted in the apply may be left":      {[]func(*Run) error{adopt, leaveInApply, adopt}, nil},
		"an object that is adopted cannot be kept":                 {[]func(*Run) error{adopt, see, keep}, &AlreadyManagedError{}},
		"an object that is given up is adopted":                    {[]func(*Run) error{see, give, adopt}, nil},
		"an object that is given up exists":                        {[]func(*Run) error{see, give, take}, &AlreadyExistsError{}},
		"an object that is given up may have another resource":     {[]func(*Run) error{see, give, isNotManaged}, nil},
		"an object that is adopted is given up":                    {[]func(*Run) error{adopt, see, give, adopt}, nil},
		"an object that is replaced is not given up":               {[]func(*Run) error{see, replace, give}, &AlreadyManagedError{}},
		"an object that is imported cannot be deleted":             {[]func(*Run) error{see, imported, keep, leave}, &AlreadyManagedError{}},
		"nor if its deletion is planned before its import":         {[]func(*Run) error{see, leave, deleting, imported, keep}, &AlreadyManagedError{}},
		"an object that is imported is given up":                   {[]func(*Run) error{see, imported, keep, give}, nil},
		"objects that nobody has seen are not the same":            {[]func(*Run) error{unseen, unseen}, nil},
		"two objects are created side by side":                     {[]func(*Run) error{create, createOther}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s Run
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
func TestRunNamesTheOtherResource(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	intent := func(text string) NewResource {
		return NewResourceOf("k8sconnect", text)
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
			var run Run
			if err := run.Objects.PlanCreate(nil, object, test.first); err != nil {
				t.Fatal(err)
			}
			var managed *AlreadyManagedError
			if err := run.Objects.PlanCreate(nil, object, test.second); !errors.As(err, &managed) {
				t.Fatal(err)
			}
			if managed.New == nil || managed.New.FieldManager != "k8sconnect" || managed.New.Source != test.source ||
				managed.SameBody != test.same {
				t.Errorf("got %+v of %+v", managed, managed.New)
			}
		})
	}
}

func TestRounds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		happens func(*Rounds)
		want    Round
	}{
		"nothing is known":                           {func(*Rounds) {}, UnknownRound},
		"a read is of the first plan":                {func(r *Rounds) { r.Set(FirstRound) }, FirstRound},
		"an apply is of the second":                  {func(r *Rounds) { r.Set(SecondRound) }, SecondRound},
		"what is known stays":                        {func(r *Rounds) { r.Set(FirstRound); r.Set(UnknownRound) }, FirstRound},
		"an apply is an apply":                       {func(r *Rounds) { r.Set(FirstRound); r.Set(SecondRound) }, SecondRound},
		"a planned object may be applied yet":        {func(r *Rounds) { r.NotePlanned(); time.Sleep(unapplied) }, UnknownRound},
		"a planned object that nobody applies":       {func(r *Rounds) { r.NotePlanned(); time.Sleep(unapplied + 1) }, FirstRound},
		"a planned object that is applied":           {func(r *Rounds) { r.NotePlanned(); r.Set(SecondRound); time.Sleep(time.Hour) }, SecondRound},
		"many planned objects, the first one counts": {func(r *Rounds) { r.NotePlanned(); time.Sleep(unapplied + 1); r.NotePlanned() }, FirstRound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var r Rounds
				tt.happens(&r)
				if got := r.Current(); got != tt.want {
					t.Errorf("round %q, want %q", got, tt.want)
				}
			})
		})
	}
}
