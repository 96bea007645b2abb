package kube

import "time"

// forgetWebhook is how long after its last failure a webhook counts as one that has not failed before.
const forgetWebhook = 30 * time.Second

// webhookFailure has the times of the first and of the last failed call of a webhook.
type webhookFailure struct{ first, last time.Time }

// webhookFailed notes that a webhook could not be reached, and returns since when. The caller holds p.mu.
func (p *retrier) webhookFailed(name string) time.Time {
	now := time.Now()
	failing, known := p.webhooks[name]
	if !known || now.Sub(failing.last) > forgetWebhook {
		failing.first = now
	}
	failing.last = now
	if p.webhooks == nil {
		p.webhooks = map[string]webhookFailure{}
	}
	p.webhooks[name] = failing
	return failing.first
}
