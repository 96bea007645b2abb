package acceptance_test

import (
	"maps"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// strategyStep is a step of a story, for all strategies at once.
type strategyStep struct {
	name string
	// theirs is what the other manager writes before; nil for nothing.
	theirs func(strategy) any
	// ours is what the configuration says of the field; nil leaves it out.
	ours func(strategy) any
	// ignored is true if ignore_fields lists the field.
	ignored bool
}

func first(s strategy) any  { return s.first }
func second(s strategy) any { return s.second }
func edit(s strategy) any   { return s.edit }
func empty(s strategy) any  { return s.empty }
func leftOut(strategy) any  { return nil }

// strategySteps returns the steps of every story. Where we create the object, the other manager joins later.
func strategySteps(c creator) []strategyStep {
	created := strategyStep{name: "imported", theirs: first, ours: leftOut}
	shared := strategyStep{name: "shared with equal values", ours: first}
	back := strategyStep{name: "taken back", theirs: edit, ours: first}
	if c.isUs() {
		created = strategyStep{name: "created", ours: first}
		shared.theirs = first
	}
	if c.manager == "" {
		shared.theirs, back.theirs = nil, nil
	}
	return []strategyStep{
		created,
		shared,
		back,
		{name: "taken with other values", ours: second},
		{name: "emptied", ours: empty},
		{name: "filled again", ours: first},
		{name: "released", ours: first, ignored: true},
		{name: "regained", ours: first},
		{name: "removed from the body", ours: leftOut},
	}
}

// moment is what the models foretell of a story after a step.
type moment struct {
	step   strategyStep
	models map[string]*fieldModel
}

// emptied reports whether our apply empties something that has an owner.
func (m moment) emptied() bool {
	for _, model := range m.models {
		if model.emptied {
			return true
		}
	}
	return false
}

// foretell plays the steps with the models of all strategies.
func foretell(kind sampleKind, c creator, steps []strategyStep) []moment {
	models := map[string]*fieldModel{}
	for _, s := range kind.strategies {
		models[s.name] = newFieldModel(s, kind.forgetsEmpty, c.takenOver)
	}
	var moments []moment
	for _, step := range steps {
		after := map[string]*fieldModel{}
		for _, s := range kind.strategies {
			m := models[s.name]
			switch {
			case step.theirs == nil:
			case c.applies:
				m.apply(c.manager, step.theirs(s))
			default:
				m.update(c.manager, step.theirs(s))
			}
			m.ours(step.ours(s), step.ignored)
			after[s.name] = m.clone()
		}
		moments = append(moments, moment{step, after})
	}
	return moments
}

func (m *fieldModel) clone() *fieldModel {
	kept := *m
	kept.claims = maps.Clone(m.claims)
	return &kept
}

// playStrategies is the story of one creator; cells counts what it asserts.
func playStrategies(s *story.Story, kind sampleKind, c creator, played []strategyStep, cells *atomic.Int64) {
	s.T.Helper()
	if kind.install != nil {
		kind.install(s)
	}
	var steps []resource.TestStep
	for i, now := range foretell(kind, c, played) {
		steps = append(steps, stepFor(s, kind, c, now, cells))
		if i == 0 && !c.isUs() {
			steps[0].Config = s.ImportBlock(kind.id) + steps[0].Config
		}
	}
	s.Run(steps...)
}

func stepFor(s *story.Story, kind sampleKind, c creator, now moment, cells *atomic.Int64) resource.TestStep {
	body := kind.body(kind.ours, kind.each(now.step.ours))
	var arguments []string
	planned := []plancheck.PlanCheck{story.ExpectForeseen()}
	if now.step.ignored {
		arguments = append(arguments, "ignore_fields = "+kind.ignoreFields())
	} else if !now.emptied() {
		planned = append(planned, s.ExpectPrediction(body))
	}
	theirs := func() {}
	if pick := now.step.theirs; pick != nil {
		theirs = func() {
			write := c.edit
			if s.Gone(kind.target) {
				write = c.create
			}
			write(s.As(c.manager), kind, kind.each(pick))
		}
	}
	return resource.TestStep{
		PreConfig:         s.NextStep(theirs),
		Config:            s.Config(body, arguments...),
		ConfigPlanChecks:  story.PlanChecks(planned...),
		ConfigStateChecks: story.StateChecks(expectCells(s, kind, now, cells), s.ExpectServersOwners(kind.target)),
	}
}

// ignoreFields lists the fields of all strategies.
func (k sampleKind) ignoreFields() string {
	all := []string{}
	for _, s := range k.strategies {
		all = append(all, paths.Format(s.root))
	}
	return story.AsJSON(all)
}
