"""The bot under a filter of system calls, as systemd makes it for a service.

``python -m tests.bot.e2e.sandboxed_bot SYSTEM_CALL,... ADDRESS_FAMILY,...``
"""

import ctypes
import errno
import os
import socket
import sys
from collections.abc import Sequence
from typing import Final

SECCOMP_LIBRARY: Final = "libseccomp.so.2"
"""It comes with systemd."""
# Constants of libseccomp: actions, and a comparison of an argument
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EPERM
_EQUAL: Final = 4
_PR_SET_MDWE: Final = 65  # of Linux 6.3: no memory that is writable and executable


class _Condition(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("unused", ctypes.c_uint64),
    )


def restrict(system_calls: Sequence[str], families: Sequence[str]) -> None:
    """Let this process and its children make only these system calls, and sockets of these families."""
    library = ctypes.CDLL(SECCOMP_LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    add_rule = library.seccomp_rule_add_array
    add_rule.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(_Condition),
    ]  # fmt: skip
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    context = library.seccomp_init(_REFUSE)
    for name in system_calls:
        call_number = library.seccomp_syscall_resolve_name(name.encode())
        if call_number < 0:
            continue  # a call of another architecture
        if name == "socket":
            for family in families:
                condition = _Condition(0, _EQUAL, int(getattr(socket, family)), 0)
                assert add_rule(context, _ALLOW, call_number, 1, ctypes.byref(condition)) == 0
        else:
            assert add_rule(context, _ALLOW, call_number, 0, None) == 0
    ctypes.CDLL(None).prctl(_PR_SET_MDWE, 1, 0, 0, 0)
    assert library.seccomp_load(context) == 0


if __name__ == "__main__":
    restrict(sys.argv[1].split(","), sys.argv[2].split(","))
    os.execv(sys.executable, [sys.executable, "-m", "bot", "run"])  # its imports are restricted too
