package livediff

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Claims are the fields that the managers of an object own, as a tree.
type Claims struct {
	// Owners are the names of the managers of this field itself, in the order of managedFields.
	Owners []string
	below  map[string]*Claims
}

// ReadClaims reads metadata.managedFields of an object, status left out.
func ReadClaims(object map[string]any) (*Claims, error) {
	claims := &Claims{}
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		manager, _ := fields["manager"].(string)
		if err := claims.read(manager, fields["fieldsV1"]); err != nil {
			return nil, fmt.Errorf("the claims of %s: %w", manager, err)
		}
	}
	delete(claims.below, "f:status")
	return claims, nil
}

// read adds the fieldsV1 of a manager. A field is owned if nothing is below it, or the element ".".
func (c *Claims) read(manager string, fields any) error {
	below, isMap := fields.(map[string]any)
	if !isMap {
		text, err := json.Marshal(fields)
		return fmt.Errorf("%s is not a map of fields (%w)", text, err)
	}
	for element, deeper := range below {
		if element == "." {
			c.Owners = append(c.Owners, manager)
			continue
		}
		child := c.below[element]
		if child == nil {
			child = &Claims{}
			if c.below == nil {
				c.below = map[string]*Claims{}
			}
			c.below[element] = child
		}
		if nested, isMap := deeper.(map[string]any); isMap && len(nested) == 0 {
			child.Owners = append(child.Owners, manager)
			continue
		}
		if err := child.read(manager, deeper); err != nil {
			return err
		}
	}
	return nil
}

// Each calls visit for every owned field. leaf is true if nothing below the field is owned.
func (c *Claims) Each(visit func(path Path, owners []string, leaf bool)) { c.each(nil, visit) }

func (c *Claims) each(at Path, visit func(Path, []string, bool)) {
	if len(c.Owners) > 0 && len(at) > 0 {
		visit(at, c.Owners, len(c.below) == 0)
	}
	for _, element := range sortedNames(c.below) {
		c.below[element].each(at.child(element), visit)
	}
}

// At returns the claims at a path and below it, or nil without any.
func (c *Claims) At(path Path) *Claims {
	for _, element := range path {
		if c = c.child(element); c == nil {
			return nil
		}
	}
	return c
}

// OwnersOf returns the managers of the field, or of the nearest field above it that is owned as a whole.
func (c *Claims) OwnersOf(path Path) []string {
	for _, element := range path {
		next := c.child(element)
		if next == nil {
			if len(c.below) == 0 {
				return c.Owners
			}
			return nil
		}
		c = next
	}
	return c.Owners
}

func (c *Claims) child(element string) *Claims {
	if c == nil {
		return nil
	}
	return c.below[element]
}

// elements returns the elements below that identify items of a list.
func (c *Claims) elements() []string {
	if c == nil {
		return nil
	}
	return slices.DeleteFunc(sortedNames(c.below), func(element string) bool {
		return element[0] != 'k' && element[0] != 'v'
	})
}
