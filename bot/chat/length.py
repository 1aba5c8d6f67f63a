"""Texts that fit what Discord takes."""


def cut(text: str, length: int) -> str:
    """At most ``length`` characters, with "…" where something was cut."""
    return text if len(text) <= length else text[: length - 1] + "…"
