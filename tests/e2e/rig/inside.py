"""First process in the namespace: raise the loopback, listen for the model, hand the socket out, become the client.

    unshare -n python inside.py CHANNEL PORT PROGRAM ARGUMENT…

A socket stays in the namespace it was made in, so the model can answer from outside, and the client is alone inside.
"""

import fcntl
import os
import socket
import struct
import sys

GET_FLAGS, SET_FLAGS, UP_AND_RUNNING = 0x8913, 0x8914, 0x41


def raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        request = struct.pack("16sh14s", b"lo", 0, b"")
        flags = struct.unpack("16sh14s", fcntl.ioctl(handle, GET_FLAGS, request))[1]
        fcntl.ioctl(handle, SET_FLAGS, struct.pack("16sh14s", b"lo", flags | UP_AND_RUNNING, b""))


def main(channel: str, port: str, *command: str) -> None:
    raise_loopback()
    with socket.socket(fileno=int(channel)) as outside, socket.create_server(("127.0.0.1", int(port))) as listener:
        socket.send_fds(outside, [b"listening"], [listener.fileno()])
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
