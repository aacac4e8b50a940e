"""The stubs of the stored records, generated from the .proto file in this folder."""
