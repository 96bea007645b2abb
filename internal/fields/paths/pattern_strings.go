package paths

// PatternsOf parses strings that were parsed before: by validation, or when they were written.
func PatternsOf(texts []string) Patterns {
	patterns := make(Patterns, 0, len(texts))
	for _, text := range texts {
		if pattern, err := Parse(text); err == nil {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// Texts returns patterns as they were written.
func Texts(patterns Patterns) []string {
	all := make([]string, len(patterns))
	for i, pattern := range patterns {
		all[i] = pattern.String()
	}
	return all
}

// Covering returns the first of patterns that covers all that p does; nil if no pattern does.
func (p Pattern) Covering(patterns Patterns) *Pattern {
	for n := range patterns {
		if p.IsWithin(patterns[n]) {
			return &patterns[n]
		}
	}
	return nil
}
