package faults

import "fmt"

// Size returns a number of bytes in a readable unit.
func Size(bytes int) string {
	if bytes < 1<<17 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}
