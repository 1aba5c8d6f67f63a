"""Discord: client, commands, buttons, panels, posts.  Nothing else imports discord."""
