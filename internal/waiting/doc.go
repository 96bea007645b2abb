// Package waiting follows an object, or whatever object has a name, until it is ready, or is known never to be. What ready means is
// package readiness' to say.
package waiting
