// Package session stands for sessions that no test opens.
package session

import (
	"errors"

	"github.com/aws/aws-sdk-go/aws"
)

// Session is what clients share.
type Session struct{}

// Options are those of a session.
type Options struct {
	Profile           string
	SharedConfigState int
}

// SharedConfigEnable makes a session read the shared configuration.
const SharedConfigEnable = 1

// New returns a session.
func New(...*aws.Config) *Session { return &Session{} }

// NewSessionWithOptions returns an error.
func NewSessionWithOptions(Options) (*Session, error) {
	return nil, errors.New("this build has no S3")
}
