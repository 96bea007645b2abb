package run

import (
	"testing"
	"testing/synctest"
	"time"
)

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
