package manifest

import "sync"

// parsed has the manifests of the last strings: a plan parses the same string three times or more, and needs more time
// for it than for anything else.
var parsed = cache{limit: 4 << 20}

// cache keeps manifests by their strings, in two generations. One that is asked for comes into the younger generation.
// Once its strings have more bytes than limit, it becomes the older one, and that one is forgotten. The object of a
// string takes about ten times as much memory.
type cache struct {
	limit int

	mu             sync.Mutex
	younger, older map[string]Manifest
	// size is the length of the strings of the younger generation, in bytes.
	size int
}

// get returns the manifest of a string; false if the cache does not have it.
func (c *cache) get(text string) (Manifest, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m, known := c.younger[text]; known {
		return m, true
	}
	m, known := c.older[text]
	if known {
		c.keep(m)
	}
	return m, known
}

// add keeps a manifest that was parsed, unless its string alone fills a generation.
func (c *cache) add(m Manifest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.younger[m.Text]; !known && len(m.Text) <= c.limit {
		c.keep(m)
	}
}

func (c *cache) keep(m Manifest) {
	if c.size += len(m.Text); c.younger == nil || c.size > c.limit {
		c.older, c.younger, c.size = c.younger, map[string]Manifest{}, len(m.Text)
	}
	c.younger[m.Text] = m
}
