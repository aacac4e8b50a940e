"""Namespace of what the services keep on disk."""
