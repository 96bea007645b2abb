package command

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// progressEvery is how often progress is printed, and after how long for the first time.
const progressEvery = 2 * time.Second

// progressPrinter prints how much has been read, if it takes long.
type progressPrinter struct {
	kinds, done, objects atomic.Int64
	once                 sync.Once
	stopped, ended       chan struct{}
}

func startProgress(w io.Writer) *progressPrinter {
	p := &progressPrinter{stopped: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-p.stopped:
				return
			case <-ticker.C:
				_, _ = fmt.Fprintln(w, p)
			}
		}
	}()
	return p
}

// String returns how much has been read.
func (p *progressPrinter) String() string {
	if p.kinds.Load() == 0 {
		return fmt.Sprintf("Reading: %d objects", p.objects.Load())
	}
	return fmt.Sprintf("Reading: %d of %d kinds, %d objects", p.done.Load(), p.kinds.Load(), p.objects.Load())
}

// stop ends the printing, and returns when nothing more is printed.
func (p *progressPrinter) stop() {
	p.once.Do(func() { close(p.stopped) })
	<-p.ended
}
