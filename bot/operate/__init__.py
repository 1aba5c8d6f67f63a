"""What whoever runs the bot can do while it is stopped: backup, restore, doctor, replay, freeze, thaw."""
