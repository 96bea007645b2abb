package manifest

import (
	"fmt"
	"strings"
)

// mistakeKind is what is said of the mistakes of one kind.
type mistakeKind struct {
	// what is the mistake, as the end of a sentence.
	what string
	// next is what to do about it, a whole sentence; "" for the general one.
	next string
	// within is the construct around the mistake, if the sentence names where it begins.
	within string
	// atBegin reports whether the mistake is where the construct begins, and not where the library noticed it.
	atBegin bool
}

// Messages that are compared as a whole.
const (
	expectedKey = "did not find expected key"
	noColonHere = "mapping values are not allowed in this context"
	noColon     = "could not find expected ':'"
	noContent   = "did not find expected node content"
	noComma     = "did not find expected ',' or "
	// These are messages of our own.
	quoteEndsLater = "a quote ends on a later line"
	notClosed      = "a list or map is not closed"
)

const (
	inOtherQuotes = "Close the quotes on that line. Put a value that has quotes in it in quotes of the other kind."
	noTag         = "Put a value that begins with ! in quotes."
	noDirective   = "Begin no line with %, and put a value that begins with % in quotes."
	noEscape      = `Write \\ for a backslash, or put the value in single quotes.`
	noBlock       = "Begin the text of | and > on the next line, indented with spaces. " +
		"Put a value that begins with | or > in quotes."
)

// mistakeKinds are the kinds of mistakes, by the beginnings of the library's messages.
var mistakeKinds = []struct {
	message string
	mistakeKind
}{
	{"unknown anchor", mistakeKind{
		what: "the anchor of an alias is unknown",
		next: "Put a value that begins with * in quotes.",
	}},
	{"did not find expected alphabetic or numeric character", mistakeKind{
		what: "an anchor or an alias has no name",
		next: "Put a value that begins with & or * in quotes.",
	}},
	{"anchor '", mistakeKind{
		what: "an anchor contains itself",
		next: "Remove the alias. Put a value that begins with * in quotes.",
	}},
	{expectedKey, mistakeKind{
		what: "a key is expected here",
		next: "Indent each key as the others of its map. " +
			"Put a value that has quotes in it in quotes of the other kind.",
	}},
	{quoteEndsLater, mistakeKind{
		what: "a value in quotes ends on a later line, before something that belongs to no value",
		next: inOtherQuotes,
	}},
	{"did not find expected '-' indicator", mistakeKind{
		what: "an item of a list is expected here",
		next: "Begin each item with -, indented as the others.",
	}},
	{notClosed, mistakeKind{
		what: "the list or map that begins here is not closed",
		next: "Close it with ] or }. Put a value that begins with [ or { in quotes.",
	}},
	{noComma + "']'", mistakeKind{
		what: "a comma or ] is missing", within: "list",
		next: "Close the list with ]. Put a value that begins with [ in quotes.",
	}},
	{noComma + "'}'", mistakeKind{
		what: "a comma or } is missing", within: "map",
		next: "Close the map with }. Put a value that begins with { in quotes.",
	}},
	{noContent, mistakeKind{
		what: "a value is expected here",
		next: "Close each [ and {. Put a value that begins with one of [ ] { } , in quotes.",
	}},
	{"found unexpected end of stream", mistakeKind{
		what: "a quote is not closed", atBegin: true,
		next: inOtherQuotes,
	}},
	{"found unexpected document indicator", mistakeKind{
		what: "a quote is not closed before the next document", atBegin: true,
		next: inOtherQuotes,
	}},
	{noColon, mistakeKind{
		what: "a line has no colon after its key", atBegin: true,
		next: "Write key: value, or indent the line as a part of the value before it.",
	}},
	{noColonHere, mistakeKind{
		what: "there may be no colon here",
		next: "Indent each key as the others of its map. Put a value with a colon and a blank in quotes.",
	}},
	{"block sequence entries are not allowed", mistakeKind{
		what: "there may be no item of a list here",
		next: "Begin a list on a line of its own. Put a value that begins with - in quotes.",
	}},
	{"mapping keys are not allowed", mistakeKind{
		what: "there may be no key here",
		next: "Put a value that begins with ? in quotes.",
	}},
	{"found unknown escape character", mistakeKind{
		what: "double quotes have a backslash with a character that it cannot escape",
		next: noEscape,
	}},
	{"did not find expected hex", mistakeKind{
		what: `double quotes have \x, \u or \U without its hexadecimal digits`,
		next: noEscape,
	}},
	{"found invalid Unicode character escape", mistakeKind{
		what: "double quotes have an escape of a character that does not exist",
		next: noEscape,
	}},
	{"did not find expected comment or line break", mistakeKind{what: "the line should end here", next: noBlock}},
	{"found an indentation indicator equal to 0", mistakeKind{
		what: "a block of text cannot have an indentation of 0",
		next: noBlock,
	}},
	{"found a tab character where", mistakeKind{what: "a tab indents a block of text", next: noTabs}},
	{"found a tab character that violates", mistakeKind{what: "a tab indents a line", next: noTabs}},
	{"found undefined tag handle", mistakeKind{what: "a tag is not valid", next: noTag}},
	{"did not find the expected '>'", mistakeKind{what: "a tag is not valid", next: noTag}},
	{"did not find expected tag URI", mistakeKind{what: "a tag is not valid", next: noTag}},
	{"did not find URI escaped octet", mistakeKind{what: "a tag is not valid", next: noTag}},
	{"did not find expected '!'", mistakeKind{what: "a tag is not valid", next: noTag}},
	{"did not find expected whitespace", mistakeKind{what: "a tag is not valid", next: noTag}},
	{"found character '", mistakeKind{what: "a tag has a character that it cannot have", next: noTag}},
	{"found a comment without", mistakeKind{
		what: "a comment has no blank before its #",
		next: "Put a value that has a # in quotes.",
	}},
	{"found unexpected content after", mistakeKind{
		what: "something follows the end of a document",
		next: "Begin the next document on a line of its own, after ---.",
	}},
	{"did not find expected <document end>", mistakeKind{
		what: "a line that begins with % is in the middle of a document",
		next: noDirective,
	}},
	{"found duplicate %", mistakeKind{what: "a directive is there twice", next: "Remove one of them."}},
	{"found unknown directive", mistakeKind{
		what: "a line that begins with % is not a directive of YAML", atBegin: true,
		next: noDirective,
	}},
	{"could not find expected directive name", mistakeKind{
		what: "a line that begins with % is not a directive of YAML", atBegin: true,
		next: noDirective,
	}},
	{"found unexpected non-alphabetical character", mistakeKind{
		what: "a line that begins with % is not a directive of YAML", atBegin: true,
		next: noDirective,
	}},
	{"found incompatible YAML document", mistakeKind{
		what: "the directive asks for another version of YAML",
		next: "Remove the line that begins with %YAML.",
	}},
	{"did not find expected <document start>", mistakeKind{
		what: "the document has ended before this",
		next: "Indent each key as the others of its map, and separate documents with ---.",
	}},
	{"control characters are not allowed", mistakeKind{
		what: "a control character",
		next: "Remove it, or write it as an escape in double quotes.",
	}},
	{"exceeded max depth", mistakeKind{what: "maps and lists are nested too deeply"}},
	{"document contains excessive aliasing", mistakeKind{what: "its aliases repeat too much"}},
	{"map merge requires", mistakeKind{
		what: "<< is followed by something else than a map",
		next: "Write an alias of a map after <<.",
	}},
	{"cannot decode", mistakeKind{what: "a value does not fit its tag", next: "Remove the tag. " + noTag}},
	{"!!binary value contains invalid base64", mistakeKind{
		what: "a value of the tag !!binary is not base64",
		next: "Remove the tag. " + noTag,
	}},
	{"invalid map key", mistakeKind{what: "a key is not a string"}},
}

const noTabs = "Indent with spaces: YAML does not allow tabs there."

// kindOf returns what is said of a mistake with a message. at is the character at its place.
func kindOf(message string, at rune) mistakeKind {
	if strings.HasPrefix(message, "found character that cannot start any token") {
		return wrongStart(at)
	}
	for _, known := range mistakeKinds {
		if strings.HasPrefix(message, known.message) {
			return known.mistakeKind
		}
	}
	if strings.Contains(message, "indentation") {
		return mistakeKind{what: "a tab indents a line", next: noTabs}
	}
	if strings.Contains(message, "UTF-") || strings.Contains(message, "Unicode character") {
		return mistakeKind{what: "the text is not UTF-8", next: "Save the text as UTF-8."}
	}
	return mistakeKind{}
}

// wrongStart returns what is said of a character with which no value may begin.
func wrongStart(char rune) mistakeKind {
	switch char {
	case '\t':
		return mistakeKind{what: "a tab indents a line", next: noTabs}
	case '@', '`', '%':
		next := fmt.Sprintf("Put a value that begins with %c in quotes.", char)
		return mistakeKind{what: fmt.Sprintf("no value may begin with %c", char), next: next}
	default:
		return mistakeKind{what: "no value may begin with this character", next: "Put the value in quotes."}
	}
}
