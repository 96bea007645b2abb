// Package aws stands for what downloads modules from S3, which no test does. The real one takes a quarter of the CLI's start.
package aws

import "github.com/aws/aws-sdk-go/aws/credentials"

// Config is the configuration of a client.
type Config struct {
	Credentials                  *credentials.Credentials
	Endpoint, Region             *string
	S3ForcePathStyle, DisableSSL *bool
}

// WithCredentialsChainVerboseErrors returns c.
func (c *Config) WithCredentialsChainVerboseErrors(bool) *Config { return c }

// String returns a pointer to text.
func String(text string) *string { return &text }

// StringValue returns the text, and "" for nil.
func StringValue(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Bool returns a pointer to value.
func Bool(value bool) *bool { return &value }

// BoolValue returns the value, and false for nil.
func BoolValue(value *bool) bool { return value != nil && *value }
