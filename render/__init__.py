"""Pictures: a view, and what has just happened, as a scene; a scene as PNG."""
