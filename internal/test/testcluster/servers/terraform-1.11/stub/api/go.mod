module google.golang.org/api

go 1.26.4

require golang.org/x/oauth2 v0.27.0
