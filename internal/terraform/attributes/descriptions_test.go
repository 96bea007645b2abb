package attributes

import (
	"maps"
	"slices"
	"testing"
)

// A name has a description of every block, or some of single blocks.
func TestDescriptionsAreOfAllBlocksOrOfSome(t *testing.T) {
	t.Parallel()
	for name, texts := range descriptionTexts() {
		if blocks := slices.Sorted(maps.Keys(texts)); blocks[0] != "" || (texts[""] == "") != (len(texts) > 1) {
			t.Errorf("%s has a description of every block beside those of %q, or none", name, blocks[1:])
		}
	}
}
