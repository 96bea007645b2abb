package privatestate

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"
)

// What is packed is JSON, small, and comes back whole, by many at the same time too.
func TestPacked(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			document := []byte(strings.Repeat(`{"f:spec":{"f:replicas":{}}}`, 20*i+20))
			small, err := Compress(document)
			if err != nil || !json.Valid(small) || len(small) > len(document)/3 {
				t.Errorf("%d bytes became %d, %v: %s", len(document), len(small), err, small)
				return
			}
			if got, err := small.Decompress(); err != nil || !bytes.Equal(got, document) {
				t.Errorf("%d bytes came back as %d, %v", len(document), len(got), err)
			}
		})
	}
	all.Wait()
}

func TestUnpackRefuses(t *testing.T) {
	t.Parallel()
	whole, err := Compress([]byte(strings.Repeat("{}", 100)))
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []Compressed{nil, Compressed("{}"), Compressed(`"AAAA"`), Compressed(`"` + string(whole[1:20]) + `"`)} {
		if got, err := damaged.Decompress(); err == nil {
			t.Errorf("%q is unpacked as %q", damaged, got)
		}
		if _, err := whole.Decompress(); err != nil {
			t.Errorf("after %q nothing else is unpacked: %v", damaged, err)
		}
	}
}
