"""What operators see of a running bot: logs, metrics, heartbeat and watchdogs."""
