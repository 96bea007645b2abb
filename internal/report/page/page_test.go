package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/reader"
)

// The page throws at an effect without a sentence.
func TestEffectsHaveSentences(t *testing.T) {
	t.Parallel()
	for _, effect := range report.Effects() {
		if !strings.Contains(script, "\n  "+string(effect)+": ") && !strings.Contains(script, "\n  \""+string(effect)+"\": ") {
			t.Errorf("%s has no sentence", effect)
		}
	}
}

func TestPlaceholdersAreUnique(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"STYLE", "SCRIPT", "DATA", "HASH"} {
		if n := strings.Count(page, name); n != 1 {
			t.Errorf("page.html has %s %d times", name, n)
		}
	}
}

// Fields that only a warning has are lines, too.
func TestLinesOfWarnings(t *testing.T) {
	t.Parallel()
	was, becomes := "1", "2"
	us, them := []string{"us"}, []string{"them"}
	for effect, want := range map[changes.Effect]line{
		changes.Take:     {Was: &was, Becomes: &becomes, Before: them, After: us},
		changes.Add:      {Was: &was, Becomes: &becomes, Before: them, After: us},
		changes.SetBack:  {Was: &was, Becomes: &becomes, Before: us, After: us},
		changes.Share:    {Was: &was, Becomes: &becomes, Before: them, After: []string{"us", "them"}},
		changes.Remove:   {Was: &was, Becomes: &becomes, Before: them},
		changes.Restore:  {Was: &was, Becomes: &becomes, Before: them, Unknown: true},
		changes.Release:  {Was: &was, Becomes: &becomes, Before: them, After: them},
		changes.Stay:     {Was: &was, Becomes: &becomes, Before: them, After: them},
		changes.Addition: {Was: &was, Becomes: &becomes, Before: them, After: them},
		changes.Change:   {Was: &was, Becomes: &becomes, Before: them, After: them},
	} {
		owners := []reader.Owner{{Name: "them"}, {Name: "them", Subresource: "scale"}, {About: "somebody"}}
		field := report.Field{Path: "spec.x", Effect: effect, Was: &was, Becomes: &becomes, Owners: owners}
		want.Path, want.Happens = "spec.x", []int{0}
		if diff := cmp.Diff([]line{want}, linesOf(report.Object{Manager: "us", Fields: []report.Field{field}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", effect, diff)
		}
	}
}

// Two objects of one resource have links of their own: one replaces the other.
func TestLinksAreUnique(t *testing.T) {
	t.Parallel()
	made := objectsOf([]report.Object{{Address: "a", Action: report.Delete}, {Address: "a", Action: report.Create}, {Address: "a", Key: "b"}})
	if made[0].ID != "a" || made[1].ID != "a#create" || made[2].ID != "a#b" {
		t.Errorf("%q, %q, %q", made[0].ID, made[1].ID, made[2].ID)
	}
}
