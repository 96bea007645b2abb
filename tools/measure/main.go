// Command measure prints figures about the form of a Go tree, to compare two commits or two projects by the same rules:
// the sizes of files, functions and packages, comments, imports, and turns of phrase. It counts product code only: no
// tests, generated files or test data.
//
//	cd tools && go run ./measure [-crossed] [TREE]
//
// With -crossed it also runs a benchmark of TREE, and prints how many files and packages one plan runs code of.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	alsoCrossed := flag.Bool("crossed", false, "also count the files that a plan runs code of")
	flag.Parse()
	tree := "."
	if flag.NArg() > 0 {
		tree = flag.Arg(0)
	}
	m, err := measure(tree)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	m.print()
	if !*alsoCrossed {
		return
	}
	files, packages, err := crossed(tree)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	row("files that one plan runs code of", fmt.Sprintf("%d in %d packages", len(files), len(packages)))
}

func row(name string, value any) { fmt.Printf("%-34s %v\n", name, value) }

// figures are what is counted of a tree.
type figures struct {
	module                       string
	fileLines, funcLines         []int
	comments, inBodies, wide     int
	exported, documented, byName int
	sentences, marked            int
	packageLines                 map[string]int
	packageDocs                  map[string]bool
	packageImports               map[string]map[string]bool
	methods                      map[string]int
}

// width is the most columns that a line may have, a tab counted as four.
const width = 120

// skipped are folders without product code.
var skipped = regexp.MustCompile(`(^|/)(testdata|vendor|examples|\.[^/]+|tools|internal/test|internal/cmd)(/|$)`)

func measure(tree string) (*figures, error) {
	m := &figures{
		packageLines: map[string]int{}, packageDocs: map[string]bool{}, packageImports: map[string]map[string]bool{},
		methods: map[string]int{},
	}
	if text, err := os.ReadFile(filepath.Join(tree, "go.mod")); err == nil {
		fmt.Sscanf(string(text), "module %s", &m.module)
	}
	err := filepath.WalkDir(tree, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(tree, file)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && skipped.MatchString(filepath.ToSlash(name)):
			return filepath.SkipDir
		case entry.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return m.add(file, filepath.ToSlash(filepath.Dir(name)))
	})
	return m, err
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// add counts one file.
func (m *figures) add(file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil || generated.Match(text) {
		return err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	lines := 0
	for scanner := bufio.NewScanner(bytes.NewReader(text)); scanner.Scan(); lines++ {
		if len(strings.ReplaceAll(scanner.Text(), "\t", "    ")) > width {
			m.wide++
		}
	}
	m.fileLines = append(m.fileLines, lines)
	m.packageLines[folder] += lines
	m.packageDocs[folder] = m.packageDocs[folder] || parsed.Doc != nil
	m.addImports(parsed, folder)
	bodies := m.addDeclarations(set, parsed, folder)
	for _, group := range parsed.Comments {
		count := set.Position(group.End()).Line - set.Position(group.Pos()).Line + 1
		m.comments += count
		if slices.ContainsFunc(bodies, func(b *ast.BlockStmt) bool {
			return b.Pos() < group.Pos() &&
				group.End() < b.End()
		}) {
			m.inBodies += count
		}
		m.addSentences(group.Text())
	}
	return nil
}

func (m *figures) addImports(parsed *ast.File, folder string) {
	for _, spec := range parsed.Imports {
		if path := strings.Trim(spec.Path.Value, `"`); m.module != "" && strings.HasPrefix(path, m.module+"/") {
			if m.packageImports[folder] == nil {
				m.packageImports[folder] = map[string]bool{}
			}
			m.packageImports[folder][strings.TrimPrefix(path, m.module+"/")] = true
		}
	}
}

// addDeclarations counts functions, methods and exported names, and returns the bodies.
func (m *figures) addDeclarations(set *token.FileSet, parsed *ast.File, folder string) []*ast.BlockStmt {
	var bodies []*ast.BlockStmt
	for _, declaration := range parsed.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			if declaration.Body == nil {
				continue
			}
			bodies = append(bodies, declaration.Body)
			m.funcLines = append(m.funcLines,
				set.Position(declaration.End()).Line-set.Position(declaration.Pos()).Line+1)
			if declaration.Recv != nil {
				m.methods[folder+"."+receiver(declaration.Recv.List[0].Type)]++
			}
			m.addExported(declaration.Name, declaration.Doc)
		case *ast.GenDecl:
			for _, spec := range declaration.Specs {
				if spec, is := spec.(*ast.TypeSpec); is {
					doc := spec.Doc
					if doc == nil {
						doc = declaration.Doc
					}
					m.addExported(spec.Name, doc)
				}
			}
		}
	}
	return bodies
}

func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return "?"
}

func (m *figures) addExported(name *ast.Ident, doc *ast.CommentGroup) {
	if !name.IsExported() {
		return
	}
	m.exported++
	if doc == nil {
		return
	}
	m.documented++
	if strings.HasPrefix(doc.Text(), name.Name+" ") {
		m.byName++
	}
}

var (
	sentence = regexp.MustCompile(`[.?!:](\s|$)`)
	// dialect are turns of phrase for which the field has other words.
	dialect = regexp.MustCompile(
		`(?i)\b(says?|tells?) (that|what|how|who|which|whether)\b|\btexts?\b|\bsomebody\b|\bnobody\b|` +
			`\bothers\b|\bno such\b|\bsuch an?\b|\binto the place\b|\bbelongs? into\b|\banew\b|\bfor want of\b|\bin the place of\b|\b(is|are) none\b`)
)

func (m *figures) addSentences(text string) {
	m.sentences += len(sentence.FindAllString(text, -1))
	m.marked += len(dialect.FindAllString(text, -1))
}

func (m *figures) print() {
	total := 0
	for _, lines := range m.fileLines {
		total += lines
	}
	own, ownOf := 0, ""
	for folder, imports := range m.packageImports {
		if len(imports) > own {
			own, ownOf = len(imports), folder
		}
	}
	most, mostOf := largest(m.methods)
	pkg, pkgOf := largest(m.packageLines)
	docs := 0
	for _, has := range m.packageDocs {
		if has {
			docs++
		}
	}
	row("files", len(m.fileLines))
	row("lines", total)
	row("lines of a file: median, p90, max", spread(m.fileLines))
	row("functions", len(m.funcLines))
	row("lines of a function: same", spread(m.funcLines))
	row("comment lines %", share(m.comments, total))
	row("comment lines in bodies %", share(m.inBodies, total))
	row("exported with doc %", share(m.documented, m.exported))
	row("doc begins with name %", share(m.byName, m.documented))
	row("packages", len(m.packageLines))
	row("packages with doc %", share(docs, len(m.packageLines)))
	row("lines of the largest package", fmt.Sprint(pkg, " ", pkgOf))
	row("own imports of a package, most", fmt.Sprint(own, " ", ownOf))
	row("import depth", m.depth())
	row("methods of a type, most", fmt.Sprint(most, " ", mostOf))
	row("exported in 1000 lines", 1000*m.exported/max(1, total))
	row(fmt.Sprintf("lines over %d columns", width), m.wide)
	row("marked phrases in 100 sentences", share(m.marked, m.sentences))
}

func largest(of map[string]int) (most int, name string) {
	for _, key := range slices.Sorted(maps.Keys(of)) {
		if of[key] > most {
			most, name = of[key], key
		}
	}
	return most, name
}

// depth returns the number of packages on the longest chain of imports.
func (m *figures) depth() int {
	known := map[string]int{}
	var of func(folder string) int
	of = func(folder string) int {
		if depth, is := known[folder]; is {
			return depth
		}
		deepest := 0
		for imported := range m.packageImports[folder] {
			deepest = max(deepest, of(imported))
		}
		known[folder] = deepest + 1
		return deepest + 1
	}
	deepest := 0
	for folder := range m.packageLines {
		deepest = max(deepest, of(folder))
	}
	return deepest
}

func spread(of []int) string {
	if len(of) == 0 {
		return "-"
	}
	slices.Sort(of)
	return fmt.Sprint(of[len(of)/2], " ", of[len(of)*9/10], " ", of[len(of)-1])
}

func share(part, of int) string { return fmt.Sprintf("%.1f", 100*float64(part)/float64(max(1, of))) }
