"""Discord: client, commands, buttons, panels, posts.  With ``bot.local``, the only discord import."""
