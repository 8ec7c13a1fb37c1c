module steading/go-sdk

go 1.24.3

require github.com/oxidecomputer/oxide.go v0.5.0

require github.com/pelletier/go-toml v1.9.5 // indirect
