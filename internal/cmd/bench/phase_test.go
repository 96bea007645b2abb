package main

import "testing"

// An object that is shown as changed and is not counts as much as one that is changed and not shown.
func TestWrong(t *testing.T) {
	t.Parallel()
	objects := []object{{Index: 0}, {Index: 1}, {Index: 2}}
	quiet := phase{expects: func(object) string { return noOp }}
	actions := map[string]string{objects[0].Name(): noOp, objects[1].Name(): update}
	if got := quiet.wrong(objects, actions); got != 2 {
		t.Errorf("%d are wrong, want the updated and the missing one", got)
	}
}
