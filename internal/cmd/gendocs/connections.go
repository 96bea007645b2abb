package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// connectionPage is the only page that lists the arguments of a connection.
const connectionPage = "index.md"

// linkConnections leaves the arguments of a connection on the page of the provider, at its cluster. tfplugindocs
// repeats them on the page of everything that has a connection; there, a link takes their place.
func linkConnections(docs string) error {
	return filepath.WalkDir(docs, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		page, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(docs, path)
		if err != nil {
			return err
		}
		linked := linkConnection(string(page), "cluster", "../"+connectionPage)
		if name == connectionPage {
			linked = linkConnection(string(page), "clusters", "")
		}
		if bytes.Equal(page, []byte(linked)) {
			return nil
		}
		return os.WriteFile(path, []byte(linked), 0o600)
	})
}

// linkConnection returns a page without the nested schema of an argument that is a connection, and with a link to the
// page target in the argument's description.
func linkConnection(page, argument, target string) string {
	below := fmt.Sprintf("(see [below for nested schema](#nestedatt--%s))", argument)
	link := fmt.Sprintf("(see [the arguments of `cluster`](%s#nestedatt--cluster))", target)
	page = strings.ReplaceAll(page, below, link)
	anchor := "<a id=\"nestedatt--" + argument
	var kept strings.Builder
	leavingOut := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "<a id=") || strings.HasPrefix(line, "## ") {
			leavingOut = strings.HasPrefix(line, anchor+"\"") || strings.HasPrefix(line, anchor+"--")
		}
		if !leavingOut {
			kept.WriteString(line)
		}
	}
	if kept.Len() == len(page) {
		return page
	}
	return strings.TrimRight(kept.String(), "\n") + "\n"
}
