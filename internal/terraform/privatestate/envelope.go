package privatestate

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// version is the first byte of the output of Seal. Private state that is not sealed begins with "{".
const version = 1

// alwaysOpened is how large private state may always be when it is decompressed, in bytes. mostRatio is how many times
// as large as before larger private state may become: that of a set of 10,000 objects has 40 MB, twenty times as much.
// A state that was tampered with may hold a few kilobytes that decompress to gigabytes.
const (
	alwaysOpened = 16 << 20
	mostRatio    = 100
)

// mostOf returns how large private state may be that is compressed to a number of bytes.
func mostOf(compressed int) int { return max(alwaysOpened, mostRatio*compressed) }

// errTooLarge is sealed private state that is not read.
var errTooLarge = fmt.Errorf("it is larger than %d MiB and %d times as large as before when it is decompressed",
	alwaysOpened>>20, mostRatio)

//go:embed dictionary1.txt
var dictionary []byte

// packer is shared, because a flate writer takes nearly a megabyte.
var packer = sync.OnceValue(func() *sharedPacker {
	writer, _ := flate.NewWriterDict(nil, flate.BestCompression, dictionary) // The error is about the level.
	return &sharedPacker{writer: writer}
})

type sharedPacker struct {
	mu     sync.Mutex
	writer *flate.Writer
}

func (p *sharedPacker) pack(document []byte) ([]byte, error) {
	compressed := bytes.NewBuffer([]byte{version})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writer.Reset(compressed)
	if _, err := p.writer.Write(document); err != nil {
		return nil, err
	}
	err := p.writer.Close()
	return compressed.Bytes(), err
}

// unpackers are flate readers, of 40 kB each.
var unpackers = sync.Pool{New: func() any { return flate.NewReaderDict(nil, dictionary) }}

// Seal returns private state as the state is to hold it. Private state that has another form than the framework's is
// returned as it is.
func Seal(private []byte) []byte {
	var values map[string][]byte
	if json.Unmarshal(private, &values) != nil || len(values) == 0 {
		return private
	}
	documents := make(map[string]json.RawMessage, len(values))
	for key, value := range values {
		documents[key] = value
	}
	if sealed := SealDocuments(documents); sealed != nil {
		return sealed
	}
	return private
}

// SealDocuments returns the documents of private state, by key, as the state is to hold them, or nil without documents
// or if they are not JSON. Documents that are too large to be opened are not compressed.
func SealDocuments(documents map[string]json.RawMessage) []byte {
	if len(documents) == 0 {
		return nil
	}
	text, err := json.Marshal(documents)
	if err != nil {
		return nil
	}
	sealed, err := packer().pack(text)
	switch {
	case err != nil:
		return nil
	case len(text) > mostOf(len(sealed)-1):
		return plain(documents)
	}
	return sealed
}

// Open returns what Seal was given, and private state that is not sealed as it is. An error shows that the state is
// damaged, or that a newer version of the provider wrote it.
func Open(stored []byte) ([]byte, error) {
	if len(stored) == 0 || stored[0] == '{' {
		return stored, nil
	}
	documents, err := Documents(stored)
	if err != nil {
		return nil, err
	}
	return plain(documents), nil
}

// plain returns documents in the framework's form.
func plain(documents map[string]json.RawMessage) []byte {
	values := make(map[string][]byte, len(documents))
	for key, value := range documents {
		values[key] = value
	}
	text, _ := json.Marshal(values) // Maps of bytes always have a JSON form.
	return text
}

// Documents returns the documents of private state, by key, sealed or not. The errors are those of Open.
func Documents(stored []byte) (map[string]json.RawMessage, error) {
	documents := map[string]json.RawMessage{}
	switch {
	case len(stored) == 0:
		return documents, nil
	case stored[0] == '{':
		var values map[string][]byte
		err := json.Unmarshal(stored, &values)
		for key, value := range values {
			documents[key] = value
		}
		return documents, err
	case stored[0] != version:
		return nil, fmt.Errorf("it has the form %d, and this version of the provider knows the forms up to %d",
			stored[0], version)
	}
	document, err := unpack(stored[1:])
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(document, &documents)
	return documents, err
}

func unpack(compressed []byte) ([]byte, error) {
	unpacker, _ := unpackers.Get().(io.ReadCloser)
	defer unpackers.Put(unpacker)
	resetter, is := unpacker.(flate.Resetter)
	if !is {
		return nil, errors.New("package compress/flate has changed")
	}
	if err := resetter.Reset(bytes.NewReader(compressed), dictionary); err != nil {
		return nil, err
	}
	most := mostOf(len(compressed))
	document, err := io.ReadAll(io.LimitReader(unpacker, int64(most)+1))
	if len(document) > most {
		return nil, errTooLarge
	}
	return document, err
}
