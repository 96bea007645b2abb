package readiness

import "strings"

// State is the progress of an object.
type State string

// The states of an object.
const (
	Ready      State = "Ready"
	InProgress State = "InProgress"
	// Failed is an object that does not become ready unless it, or something that it depends on, is changed.
	Failed State = "Failed"
)

// Status is the progress of an object, with the reason.
type Status struct {
	State State
	// Reason is one word in CamelCase, the controller's own if it has one.
	Reason string
	// Message is one sentence, in lines of at most 80 columns if words allow it.
	Message string
	// Condition is the condition that reports a failure, with the times of its last change; "" if none does.
	Condition string
	// Final is true if no change can make the object ready any more, as after a Job has failed. Other failures end with
	// their cause.
	Final bool
}

func ready(message string) Status { return status(Ready, "Ready", message) }

func inProgress(reason, message string) Status { return status(InProgress, reason, message) }

func failed(reason, message string) Status { return status(Failed, reason, message) }

// failing returns a failure that a condition reports.
func failing(c condition, sentence string) Status {
	s := failed(reasonOf(c), saying(sentence, c.message))
	s.Condition = c.id()
	return s
}

// lost returns a failure that is final.
func lost(reason, message string) Status {
	s := failed(reason, message)
	s.Final = true
	return s
}

func status(state State, reason, message string) Status {
	return Status{State: state, Reason: reason, Message: Wrap(message)}
}

const (
	// columns fit into a terminal of 80, together with the frame of the CLI and an indent. The CLI would break a longer
	// line after a word or two.
	columns    = 72
	longestSay = 300
)

// Wrap breaks a string between words into lines, which fit into a terminal.
func Wrap(text string) string {
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

// saying appends a controller's message to a sentence.
func saying(sentence, said string) string {
	said = clip(said)
	if said == "" {
		return sentence + "."
	}
	return sentence + ": " + strings.TrimSuffix(said, ".") + "."
}

// clip returns a string on one line, without its end if it is long.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if all := []rune(text); len(all) > longestSay {
		return string(all[:longestSay]) + "..."
	}
	return text
}
