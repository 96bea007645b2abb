package run

import "testing"

// Each resource that has read an object finds it in its plan, and then it is not held any more.
func TestRefreshed(t *testing.T) {
	t.Parallel()
	var held Objects
	hold := func(version string) {
		held.HoldLive("u", map[string]any{"version": version})
	}
	expect := func(want any) {
		t.Helper()
		if got := held.TakeLive("u")["version"]; got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	expect(nil)
	hold("1")
	hold("2")
	expect("2")
	hold("3")
	expect("3")
	expect("3")
	expect(nil)
	if held.held > 0 {
		t.Errorf("%d objects are held", held.held)
	}
}
