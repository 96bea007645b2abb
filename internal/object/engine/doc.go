// Package engine plans, applies and ends what a resource wants of an object, in one of three ways:
//
//	e := engine.Of(engine.Work{API: api, Args: args, Run: current})
//	plan, prior, err := e.PlanFirst(ctx, record.Snapshot{})
//	observed, result, err := e.Create(ctx, plan)
//
// A whole object is applied with server-side apply. A part is applied likewise, to an object that another client
// created. A patch is a JSON, merge or strategic merge patch of one.
package engine
