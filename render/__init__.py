"""Pictures: a view and the recent events become a scene, a scene becomes a PNG."""
