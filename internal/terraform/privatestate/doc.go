// Package privatestate reads and writes what resources keep in private state: JSON, which package serve compresses.
package privatestate
