package manifest

import "sync"

// parsed has the manifests of the last strings: a plan of one resource parses the same string three times or more, and
// needs more time for it than for anything else.
var parsed = cache{limit: 64 << 10}

// mostKept is the highest limit.
const mostKept = 8 << 20

// Keep lets Parse keep the manifests of strings with that many bytes together, which will be parsed again.
func Keep(bytes int) {
	parsed.mu.Lock()
	defer parsed.mu.Unlock()
	parsed.limit = max(parsed.limit, min(bytes, mostKept))
}

// cache keeps manifests by their strings, in two generations. One that is asked for comes into the younger generation.
// Once its strings have more bytes than limit, it becomes the older one, and that one is forgotten. The object of a
// string takes about ten times as much memory.
type cache struct {
	mu             sync.Mutex
	limit          int
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
