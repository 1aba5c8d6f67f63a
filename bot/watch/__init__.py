"""What whoever runs the bot sees: logs, metrics, heartbeat and watchdogs."""
