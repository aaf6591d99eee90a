"""Call a function again when it fails, waiting longer each time."""

import random
import time
from functools import wraps


def retry(times=5, first_wait=0.2, factor=2.0, on=(Exception,)):
    """Decorate a function that may fail for a while.

    >>> @retry(times=3, first_wait=0)
    ... def answer():
    ...     return 42
    >>> answer()
    42
    """

    def decorate(work):
        @wraps(work)
        def keep_trying(*args, **kwargs):
            wait = first_wait
            for attempt in range(1, times + 1):
                try:
                    return work(*args, **kwargs)
                except on:
                    if attempt == times:
                        raise
                    # A little chance keeps many clients from coming back at once.
                    time.sleep(wait * random.uniform(0.5, 1.5))
                    wait *= factor

        return keep_trying

    return decorate


if __name__ == "__main__":
    import doctest

    print(doctest.testmod())
