package architecture

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// TestNoVariableIsNamedLikeItsType fails if a variable hides its own type: behind it, nobody can name the type.
func TestNoVariableIsNamedLikeItsType(t *testing.T) {
	t.Parallel()
	found, err := loadModule()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	var hiding []token.Position
	for _, pkg := range found {
		for name, defined := range pkg.TypesInfo.Defs {
			variable, is := defined.(*types.Var)
			if !is || variable.IsField() {
				continue
			}
			checked++
			kind := variable.Type()
			if pointer, is := kind.(*types.Pointer); is {
				kind = pointer.Elem()
			}
			if named, is := kind.(*types.Named); is && named.Obj().Name() == name.Name && named.Obj().Pkg() == pkg.Types {
				hiding = append(hiding, pkg.Fset.Position(name.Pos()))
			}
		}
	}
	slices.SortFunc(hiding, func(a, b token.Position) int { return strings.Compare(a.String(), b.String()) })
	for _, at := range hiding {
		t.Errorf("%s: a variable with the name of its type", at)
	}
	if checked < 1000 {
		t.Errorf("only %d variables were checked", checked)
	}
}
