"""Does a little of what programs do. What the interpreter needs for it is compiled well and kept for every process."""

import bisect
import collections
import datetime
import decimal
import fractions
import functools
import heapq
import itertools
import json
import math
import random
import re
import statistics
import string
import textwrap
from dataclasses import dataclass, field


@dataclass(order=True)
class Book:
    year: int
    title: str = field(compare=False)
    tags: list = field(default_factory=list, compare=False)

    @property
    def century(self):
        return (self.year - 1) // 100 + 1


class Shelf:
    def __init__(self, books):
        self._books = sorted(books)

    def __len__(self):
        return len(self._books)

    def __iter__(self):
        yield from self._books

    def __getitem__(self, place):
        return self._books[place]


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def primes(limit):
    sieve = bytearray([1]) * (limit + 1)
    for n in range(2, math.isqrt(limit) + 1):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(range(n * n, limit + 1, n)))
    return [n for n in range(2, limit + 1) if sieve[n]]


def fail(depth):
    if depth == 0:
        raise ValueError("as far as it goes")
    fail(depth - 1)


shelf = Shelf(Book(1800 + 7 * n % 200, f"Title {n:>3}", ["a", "ב", "😀"][: n % 4]) for n in range(60))
words = re.findall(r"\w+", " ".join(f"{book.title} {book.year}" for book in shelf).lower())
counts = collections.Counter(words)
by_century = collections.defaultdict(list)
for book in shelf:
    by_century[book.century].append(book.title)
print(len(shelf), shelf[0], shelf[-1].title, counts.most_common(3), dict(by_century).keys())
print(fibonacci(80), primes(200), 3**200 % 10**50, 7 // 2, -7 % 3, 2.5e3, 1 / 3, round(math.pi, 4), f"{12345.678:,.2f}")
print(json.dumps({"a": [1, 2.5, None, True], "שלום": "עולם"}, ensure_ascii=False, indent=2), json.loads('{"x": [1, "y"]}'))
print(sorted({3, 1, 2}, reverse=True), [*zip("abc", range(3))], {k: v for k, v in enumerate("xyz")}, tuple(map(str, range(5))))
print("%s %05.1f %r" % ("old", 3.14159, "style"), "{:>8}|{:<8}|{:^8}".format("a", "b", "c"), "a,b,,c".split(","), " x ".strip())
print("Hello".upper(), "Hello"[::-1], "abc".replace("b", "x"), "x" in "text", "-".join("abc"), b"bytes".hex(), ord("א"), chr(1488))
print(datetime.date(2024, 2, 29) + datetime.timedelta(days=366), datetime.datetime(2024, 5, 1, 12, 30).isoformat())
print(decimal.Decimal("1.10") + decimal.Decimal("2.20"), fractions.Fraction(1, 3) + fractions.Fraction(1, 6))
print(statistics.mean([1, 2, 3, 4]), statistics.median([5, 1, 3]), random.random() < 1, random.choice("abc") in "abc")
print(list(itertools.permutations("abc", 2))[:3], list(itertools.accumulate(range(5))), functools.reduce(int.__mul__, range(1, 9)))
print(textwrap.fill(string.ascii_letters * 3, 40), bisect.bisect([1, 3, 5], 4), heapq.nsmallest(2, [3, 1, 2]))
total = 0
for i in range(2_000):
    total += i * i % 7
    if i % 3 == 0:
        total ^= i
    elif i % 5 == 0:
        continue
print(total, sum(n for n in range(1000) if n % 2), max(range(10), key=lambda n: -n), all([1, 2]), any([]))
matrix = [[i * j for j in range(12)] for i in range(12)]
print([sum(row) for row in zip(*matrix)], [x for row in matrix[:2] for x in row], matrix[3][4:9:2])
with open("notes.txt", "w", encoding="utf-8") as file:
    file.write("line\n" * 5)
with open("notes.txt", encoding="utf-8") as file:
    print([line.rstrip() for line in file])
first, *rest = range(5)
match {"kind": "circle", "radius": 2}:
    case {"kind": "circle", "radius": radius}:
        print(first, rest, radius)
try:
    fail(4)
except (KeyError, ValueError) as error:
    print(repr(error), isinstance(error, Exception), type(error).__name__)
finally:
    print(not None, 5 if total else 6, "a" < "b" <= "c")
fail(2)
