"""Services: the rules engine over gRPC."""
