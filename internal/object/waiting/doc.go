// Package waiting follows an object ([Await]), or any object that has a name ([AwaitName]), until it is ready or will
// never be. Package readiness decides what ready means.
package waiting
