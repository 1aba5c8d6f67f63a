"""The operators' commands: backup, restore, doctor, replay, freeze, thaw."""
