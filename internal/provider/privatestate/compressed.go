package privatestate

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Compressed is a document as private state holds it: zlib in a JSON string, in base64, because private state takes nothing but
// JSON. Terraform writes the whole state again for each resource that it applies, so that its size is time.
type Compressed []byte

// packer is shared, because a zlib writer is near a megabyte large.
var packer = struct {
	sync.Mutex
	*zlib.Writer
}{Writer: zlib.NewWriter(nil)}

// Compress returns a document as private state holds it.
func Compress(document []byte) (Compressed, error) {
	var text bytes.Buffer
	packer.Lock()
	defer packer.Unlock()
	packer.Reset(&text)
	if _, err := packer.Write(document); err != nil {
		return nil, err
	}
	if err := packer.Close(); err != nil {
		return nil, err
	}
	return json.Marshal(text.Bytes())
}

// Decompress returns the document that Compress was given.
func (p Compressed) Decompress() (document []byte, err error) {
	var text []byte
	if err := json.Unmarshal(p, &text); err != nil {
		return nil, err
	}
	reader, err := unpacker(text)
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	defer unpackers.Put(reader)
	defer func() { err = errors.Join(err, reader.Close()) }()
	return io.ReadAll(reader)
}

// unpackers are zlib readers, of 40 kB each.
var unpackers sync.Pool

func unpacker(text []byte) (io.ReadCloser, error) {
	used, is := unpackers.Get().(interface {
		io.ReadCloser
		zlib.Resetter
	})
	if is {
		return used, used.Reset(bytes.NewReader(text), nil)
	}
	return zlib.NewReader(bytes.NewReader(text))
}
