"""Namespace of the generated stubs; the published API is `daifugo.v1`."""
