module cloud.google.com/go/storage

go 1.26.4

require google.golang.org/api v0.126.0
