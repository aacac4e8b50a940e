"""The game service: tables, the matches played at them, and who watches."""
