"""Records as 棋譜: text that people read, and that is read again. docs/records.md has the grammar."""
