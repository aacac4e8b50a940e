"""The stubs of API version 1, generated from the .proto files in this folder."""
