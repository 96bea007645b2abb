// Package ec2rolecreds stands for the credentials of a machine that no test runs on.
package ec2rolecreds

import "github.com/aws/aws-sdk-go/aws/ec2metadata"

// EC2RoleProvider finds the credentials of a machine.
type EC2RoleProvider struct{ Client *ec2metadata.EC2Metadata }
