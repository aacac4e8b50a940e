"""The terminal client: plain lines of text, for a person at the keyboard, a screen reader, or a pipe."""
