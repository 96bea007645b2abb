package testcluster

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
	certutil "k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// signer signs the certificates of users. Its key is a file in the control plane's directory, which only its owner can
// read, so that tests in other processes can add users. It implements envtest.Authn.
type signer struct {
	dir         string
	certificate *x509.Certificate
	key         crypto.Signer
}

const (
	signerCertificate = "users.crt"
	signerKey         = "users.key"
)

// newSigner creates a signer and its files in a directory.
func newSigner(dir string) (*signer, error) {
	// The API server checks the signature at each request, which takes it a third of the time with RSA.
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("create the key that signs users: %w", err)
	}
	keyText, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return nil, err
	}
	certificate, err := certutil.NewSelfSignedCACert(certutil.Config{CommonName: "k8sconnect-test-users"}, key)
	if err != nil {
		return nil, fmt.Errorf("create the certificate that signs users: %w", err)
	}
	err = errors.Join(
		keyutil.WriteKey(filepath.Join(dir, signerKey), keyText),
		certutil.WriteCert(filepath.Join(dir, signerCertificate), certificateText(certificate.Raw)))
	return &signer{dir: dir, certificate: certificate, key: key}, err
}

// readSigner returns the signer whose files are in a directory.
func readSigner(dir string) (*signer, error) {
	certificates, err := certutil.CertsFromFile(filepath.Join(dir, signerCertificate))
	if err != nil {
		return nil, err
	}
	key, err := keyutil.PrivateKeyFromFile(filepath.Join(dir, signerKey))
	if err != nil {
		return nil, err
	}
	signing, ok := key.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("the key of users is a %T, which does not sign", key)
	}
	return &signer{dir: dir, certificate: certificates[0], key: signing}, nil
}

func newKey() (*ecdsa.PrivateKey, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("create a key: %w", err)
	}
	text, err := keyutil.MarshalPrivateKeyToPEM(key)
	return key, text, err
}

func certificateText(raw []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: certutil.CertificateBlockType, Bytes: raw})
}

// userLifetime is how long the certificates of users are valid.
const userLifetime = 7 * 24 * time.Hour

// Configure makes the API server trust the certificates.
func (s *signer) Configure(_ string, args *envtest.Arguments) error {
	args.Set("client-ca-file", filepath.Join(s.dir, signerCertificate))
	return nil
}

// Start does nothing.
func (s *signer) Start() error { return nil }

// Stop does nothing.
func (s *signer) Stop() error { return nil }

// AddUser returns a copy of a client configuration with a new certificate for a user.
func (s *signer) AddUser(user envtest.User, server *rest.Config) (*rest.Config, error) {
	key, keyText, err := newKey()
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 64))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: user.Name, Organization: user.Groups},
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		NotBefore:    now,
		NotAfter:     now.Add(userLifetime),
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, s.certificate, key.Public(), s.key)
	if err != nil {
		return nil, fmt.Errorf("sign the certificate of %s: %w", user.Name, err)
	}
	config := rest.CopyConfig(server)
	config.CertData, config.KeyData = certificateText(raw), keyText
	return config, nil
}
