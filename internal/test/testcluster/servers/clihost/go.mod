// The files of this folder become part of the main package of a CLI. They are no module of their own.
module clihost

go 1.26.0
