// Package iterator stands for the end of lists that no test reads.
package iterator

import "errors"

// Done is the end of a list.
var Done = errors.New("no more items in iterator")
