package paths

// AnyPosition returns the patterns with [*] instead of each position in a list: they cover all that ps
// do, wherever the items are.
func (ps Patterns) AnyPosition() Patterns {
	loose := make(Patterns, len(ps))
	for i, pattern := range ps {
		steps := make([]step, len(pattern.steps))
		for j, s := range pattern.steps {
			if s.kind == stepIndex {
				s = step{kind: stepAny}
			}
			steps[j] = s
		}
		loose[i] = Pattern{text: pattern.text, steps: steps}
	}
	return loose
}
