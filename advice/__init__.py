"""What to do at a table, from what a seat sees: a rule of thumb that bots and the service's hints share."""
