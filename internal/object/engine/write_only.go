package engine

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// KeepWriteOnly returns the arguments as an apply sends them: write-only fields whose version is that of the last
// apply, and which are as that apply left them, keep their live values; see [wanted.WithLiveWriteOnly]. That costs a
// GET if there are such fields and this process has not read the object. The plan of an apply leaves the object for the
// apply. unsent are the fields whose values in the configuration are not sent.
func KeepWriteOnly(
	ctx context.Context, api cluster.Interface, current *run.Run, args arguments.Arguments, prior record.Prior,
) (sent arguments.Arguments, unsent []string, err error) {
	if !wanted.KeepsWriteOnly(args, prior) {
		return args, nil, nil
	}
	if prior.Live == nil {
		prior.Live = current.Refreshed.TakeOut(prior.Snapshot.UID)
	}
	if prior.Live == nil {
		live, err := cluster.Get(ctx, api, prior.Object)
		if err == nil {
			err = prior.CheckUID(live)
		}
		if err != nil {
			return args, nil, err
		}
		prior.Live = live.Object
	}
	// In an unknown round, this may be the plan of an apply, too. In the first round, no apply takes the object out.
	if current.Rounds.Current() != run.FirstRound {
		current.Refreshed.Hold(record.Observed{UID: prior.Snapshot.UID, Live: prior.Live})
	}
	return wanted.WithLiveWriteOnly(args, prior, prior.Live)
}
