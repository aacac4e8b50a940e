"""The only modules that know both engine values and protobuf messages."""
