// Package privatestate reads and writes what resources keep in private state: JSON, compressed.
package privatestate
