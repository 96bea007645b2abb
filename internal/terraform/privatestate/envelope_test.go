package privatestate

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func privateOf(t *testing.T, values map[string]string) []byte {
	t.Helper()
	raw := map[string][]byte{}
	for key, value := range values {
		raw[key] = []byte(value)
	}
	private, err := json.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

// Sealed private state opens as it was, with many callers at the same time too, and is a fraction of what the framework writes.
func TestSealAndOpen(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			private := privateOf(t, map[string]string{
				"snapshot":            `{"uid":"u","managers":[` + strings.Repeat(`{"f:spec":{"f:replicas":{}}},`, i) + `{}]}`,
				".import_before_read": `true`,
			})
			sealed := Seal(private)
			if len(sealed) > len(private)/2 {
				t.Errorf("%d bytes became %d", len(private), len(sealed))
			}
			opened, err := Open(sealed)
			if err != nil || !bytes.Equal(opened, private) {
				t.Errorf("%s came back as %s, %v", private, opened, err)
			}
		})
	}
	all.Wait()
}

func TestOthersPrivateState(t *testing.T) {
	t.Parallel()
	for name, private := range map[string]string{
		"none":                   "",
		"of the SDK":             `{"schema_version":"1"}`,
		"not sealed":             `{"snapshot":"ImVKeXJCZ0FCTFFEUCI="}`,
		"of the framework alone": `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Open([]byte(private))
			if err != nil || string(got) != private {
				t.Errorf("opened as %q, %v", got, err)
			}
		})
	}
	if got := Seal([]byte(`{"schema_version":1}`)); string(got) != `{"schema_version":1}` {
		t.Errorf("sealed as %q", got)
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	sealed := Seal(privateOf(t, map[string]string{"snapshot": `{"uid":"u"}`}))
	for name, tt := range map[string]struct {
		stored []byte
		says   string
	}{
		"of a newer version": {append([]byte{2}, sealed[1:]...), "it has the form 2, and this version of the provider knows the forms up to 1"},
		"cut off":            {sealed[:len(sealed)-3], "unexpected EOF"},
		"not compressed":     {[]byte{1, 7}, "flate: corrupt input"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := Open(tt.stored); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("opened as %q, %v, want an error that says %q", got, err, tt.says)
			}
		})
	}
}

// A few kilobytes may decompress to gigabytes. What is too large to be opened is not sealed.
func TestPrivateStateIsBounded(t *testing.T) {
	t.Parallel()
	zeros := func(count int64) []byte {
		var sealed bytes.Buffer
		sealed.WriteByte(version)
		writer, err := flate.NewWriterDict(&sealed, flate.BestSpeed, dictionary)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(writer, endless{}, count); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		return sealed.Bytes()
	}
	bomb := zeros(64 << 20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Open(bomb); !errors.Is(err, errTooLarge) {
		t.Errorf("got %v", err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 512<<20 {
		t.Errorf("opening it took %d MiB", (after.TotalAlloc-before.TotalAlloc)>>20)
	}
	large := privateOf(t, map[string]string{"snapshot": `"` + strings.Repeat("0", alwaysOpened) + `"`})
	if got, err := Open(Seal(large)); err != nil || !bytes.Equal(got, large) {
		t.Errorf("large private state comes back with %d bytes, %v", len(got), err)
	}
	var objects strings.Builder
	for i := range 300_000 {
		fmt.Fprintf(&objects, "%x and %x of the same object; ", i, i*i)
	}
	many := privateOf(t, map[string]string{"snapshot": `"` + objects.String() + strings.Repeat("0", alwaysOpened) + `"`})
	sealed := Seal(many)
	if got, err := Open(sealed); err != nil || !bytes.Equal(got, many) || len(sealed) > len(many)/4 {
		t.Errorf("private state of many objects, %d bytes and %d sealed, comes back with %d bytes, %v", len(many), len(sealed), len(got), err)
	}
}

// endless is a reader of zeros.
type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// States hold what was written with a dictionary for as long as they live.
func TestDictionaryIsAsItWas(t *testing.T) {
	t.Parallel()
	const want = "81aa1a0bd40d5864f6686664ec0cc706768a81561cc1b4dd66dad025132a9f77"
	sum := sha256.Sum256(dictionary)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("dictionary1.txt has the sum %s, want %s: add another dictionary and another version instead", got, want)
	}
}
