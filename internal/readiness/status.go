package readiness

import "strings"

// State is how far an object has come.
type State string

// The states of an object.
const (
	Ready      State = "Ready"
	InProgress State = "InProgress"
	// Failed is an object that does not become ready unless somebody changes it or what it depends on.
	Failed State = "Failed"
)

// Status is how far an object has come, and why.
type Status struct {
	State State
	// Reason is one word in CamelCase, the controller's own where it gives one.
	Reason string
	// Message is one sentence, in lines of at most 80 columns where words allow it.
	Message string
	// Final says that nobody can make the object ready any more, as after a Job has failed. Other failures end with their cause.
	Final bool
}

func ready(message string) Status { return status(Ready, "Ready", message) }

func inProgress(reason, message string) Status { return status(InProgress, reason, message) }

func failed(reason, message string) Status { return status(Failed, reason, message) }

// lost returns a failure that is final.
func lost(reason, message string) Status {
	s := failed(reason, message)
	s.Final = true
	return s
}

func status(state State, reason, message string) Status {
	return Status{State: state, Reason: reason, Message: wrap(message)}
}

const (
	columns    = 80
	longestSay = 300
)

// wrap breaks a text between words.
func wrap(text string) string {
	var lines strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		width := len([]rune(word))
		switch {
		case column == 0:
		case column+1+width > columns:
			lines.WriteByte('\n')
			column = 0
		default:
			lines.WriteByte(' ')
			column++
		}
		lines.WriteString(word)
		column += width
	}
	return lines.String()
}

// saying adds what a controller said to a sentence.
func saying(sentence, said string) string {
	said = clip(said)
	if said == "" {
		return sentence + "."
	}
	return sentence + ": " + strings.TrimSuffix(said, ".") + "."
}

// clip returns a text on one line, without its end where it is long.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if all := []rune(text); len(all) > longestSay {
		return string(all[:longestSay]) + "..."
	}
	return text
}
