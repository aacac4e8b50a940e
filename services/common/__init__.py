"""What every service needs: settings, errors, identity, logs, metrics and a server that stops cleanly."""
