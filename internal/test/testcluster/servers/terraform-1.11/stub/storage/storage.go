// Package storage stands for what downloads modules from Cloud Storage, which no test does.
package storage

import (
	"context"
	"errors"
	"io"

	"google.golang.org/api/option"
)

// Client is a client of the service.
type Client struct{}

// Query selects objects.
type Query struct{ Prefix string }

// ObjectAttrs describe an object.
type ObjectAttrs struct{ Name string }

// BucketHandle is a bucket.
type BucketHandle struct{}

// ObjectHandle is an object.
type ObjectHandle struct{}

// ObjectIterator returns objects one by one.
type ObjectIterator struct{}

// Reader reads an object.
type Reader struct{ io.ReadCloser }

var errAbsent = errors.New("this build has no Cloud Storage")

// NewClient returns an error.
func NewClient(context.Context, ...option.ClientOption) (*Client, error) { return nil, errAbsent }

// Bucket returns a bucket.
func (*Client) Bucket(string) *BucketHandle { return &BucketHandle{} }

// Objects returns the objects of a bucket.
func (*BucketHandle) Objects(context.Context, *Query) *ObjectIterator { return &ObjectIterator{} }

// Object returns an object.
func (*BucketHandle) Object(string) *ObjectHandle { return &ObjectHandle{} }

// Next returns an error.
func (*ObjectIterator) Next() (*ObjectAttrs, error) { return nil, errAbsent }

// Generation returns the object.
func (o *ObjectHandle) Generation(int64) *ObjectHandle { return o }

// NewReader returns an error.
func (*ObjectHandle) NewReader(context.Context) (*Reader, error) { return nil, errAbsent }
