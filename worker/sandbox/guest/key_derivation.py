"""The two functions of hashlib that CPython takes from OpenSSL, which is not in this interpreter. Part of the snapshot."""

import _hmac
import hashlib
import struct

SCRYPT_DEVICE = "/dev/scrypt"
DEFAULT_MAX_MEMORY = 32 * 1024 * 1024


def _check_positive(name, value):
    if value < 1:
        raise ValueError(f"{name} must be greater than 0.")


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """Password based key derivation function 2 (PKCS #5 v2.0) with HMAC as pseudorandom function."""
    if not isinstance(hash_name, str):
        raise TypeError("hash_name must be a string")
    size = hashlib.new(hash_name).digest_size
    compute = getattr(_hmac, "compute_" + hash_name.lower().replace("-", "_"), None)
    if compute is None:
        raise ValueError(f"unsupported hash type {hash_name}")
    password, salt = bytes(memoryview(password)), bytes(memoryview(salt))
    length = size if dklen is None else dklen
    _check_positive("iteration value", iterations)
    _check_positive("key length", length)
    key = b""
    for block in range(1, -(-length // size) + 1):
        message = salt + block.to_bytes(4)
        result = 0
        for _ in range(iterations):
            message = compute(password, message)
            result ^= int.from_bytes(message)
        key += result.to_bytes(size)
    return key[:length]


def scrypt(password, *, salt, n, r, p, maxmem=0, dklen=64):
    """scrypt password-based key derivation function."""
    if n < 2 or n & (n - 1):
        raise ValueError("n must be a power of 2.")
    for name, value in (("r", r), ("p", p), ("dklen", dklen)):
        _check_positive(name, value)
    if 128 * r * (n + p + 2) > (maxmem or DEFAULT_MAX_MEMORY):
        raise ValueError("Invalid parameter combination for n, r, p, maxmem.")
    size = 128 * r
    blocks = bytearray(pbkdf2_hmac("sha256", password, salt, 1, p * size))
    head = struct.pack("<II", n, r)
    workspace = bytearray(len(head) + size * (n + 1))
    with open(SCRYPT_DEVICE, "rb", buffering=0) as device:
        for at in range(0, p * size, size):
            workspace[: len(head) + size] = head + blocks[at : at + size]
            device.readinto(workspace)
            blocks[at : at + size] = workspace[len(head) : len(head) + size]
    return pbkdf2_hmac("sha256", password, bytes(blocks), 1, dklen)


for _function in (pbkdf2_hmac, scrypt):
    _function.__module__ = "hashlib"
    setattr(hashlib, _function.__name__, _function)
