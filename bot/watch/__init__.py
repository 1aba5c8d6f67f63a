"""What whoever runs the bot sees: logs, metrics, heartbeat, watchdogs, and the brake on crash loops."""
