// Package s3 stands for a service that no test asks.
package s3

import (
	"context"
	"errors"
	"io"

	"github.com/aws/aws-sdk-go/aws/session"
)

// S3 is a client of the service.
type S3 struct{}

// ListObjectsInput is the request of a list.
type ListObjectsInput struct{ Bucket, Prefix, Marker *string }

// ListObjectsOutput is a list.
type ListObjectsOutput struct {
	Contents    []*Object
	IsTruncated *bool
}

// Object is an object of a list.
type Object struct{ Key *string }

// GetObjectInput is the request of an object.
type GetObjectInput struct{ Bucket, Key, VersionId *string }

// GetObjectOutput is an object.
type GetObjectOutput struct {
	Body          io.ReadCloser
	ContentLength *int64
}

var errAbsent = errors.New("this build has no S3")

// New returns a client.
func New(*session.Session) *S3 { return &S3{} }

// ListObjectsWithContext returns an error.
func (*S3) ListObjectsWithContext(context.Context, *ListObjectsInput) (*ListObjectsOutput, error) {
	return nil, errAbsent
}

// GetObjectWithContext returns an error.
func (*S3) GetObjectWithContext(context.Context, *GetObjectInput) (*GetObjectOutput, error) {
	return nil, errAbsent
}
