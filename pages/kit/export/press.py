"""Where files of many figures are made: in the background, one at a time in the process, in the order of asking."""

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto

from pages.kit.figure import Figure

LONGEST = 16
"""Jobs that may wait."""
PATIENCE = 180.0
"""Seconds without anybody looking, after which a job is given up. A hidden tab asks about once a minute."""
LIMIT = 48 * 2**20
"""Bytes that finished files may take together; the oldest go first."""


class State(Enum):
    """Of a job. ``GONE``: done, but its file was put away."""

    WAITING = auto()
    WORKING = auto()
    DONE = auto()
    CANCELLED = auto()
    FAILED = auto()
    GONE = auto()


class CancelledError(Exception):
    """Nobody wants the file any more."""


class Job:
    """A file that is being made.

    Attributes:
        name: Of the file.
        figures: Gives what it is made of, when its turn has come.
        make: Gives the file; takes one figure after the other.
        total: How many figures there will be.
        done: How many are.
        has_begun: Whether what it is made of is known.
        state: How far it is.
        file: The file, once done.
        fault: What went wrong, for the server's log.
    """

    def __init__(
        self,
        name: str,
        figures: Callable[[], Sequence[Figure]],
        make: Callable[[Iterable[Figure]], bytes],
        total: int,
    ) -> None:
        self.name, self.figures, self.make, self.total = name, figures, make, total
        self.done = 0
        self.has_begun = False
        self.state = State.WAITING
        self.file: bytes | None = None
        self.fault: BaseException | None = None
        self._seen = time.monotonic()
        self._is_wanted = True

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen by itself."""
        return self.state not in (State.WAITING, State.WORKING)

    def look(self) -> State:
        """The state; a job that nobody looks at is given up."""
        self._seen = time.monotonic()
        return self.state

    def cancel(self) -> None:
        """Stop before the next figure, and drop the file."""
        self._is_wanted = False
        self.file = None
        if self.state is not State.WORKING:
            self.state = State.CANCELLED

    def run(self) -> None:
        """Make the file, in the thread that calls. What goes wrong is kept, for the one who asked."""
        try:
            self._check()
            self.state = State.WORKING
            file = self.make(self._watched())
            self._check()
            self.file, self.state = file, State.DONE
        except CancelledError:
            self.state = State.CANCELLED
        except BaseException as error:  # Whatever it is, the jobs behind it get their turn.
            self.fault, self.state = error, State.FAILED
        finally:
            del self.figures, self.make

    def _watched(self) -> Iterator[Figure]:
        figures = self.figures()
        self.total, self.has_begun = len(figures), True
        for figure in figures:
            self._check()
            yield figure
            self.done += 1

    def _check(self) -> None:
        if not self._is_wanted or time.monotonic() - self._seen > PATIENCE:
            raise CancelledError


class Press:
    """Makes jobs in a thread of its own, which ends when none is left."""

    def __init__(self, *, longest: int = LONGEST, limit: int = LIMIT) -> None:
        self.longest, self.limit = longest, limit
        self._waiting: deque[Job] = deque()
        self._finished: deque[weakref.ref[Job]] = deque()
        self._is_working = False
        self._lock = threading.Lock()

    def start(self, job: Job) -> bool:
        """Put the job at the end of the queue; whether there was room, and a thread to make it."""
        with self._lock:
            self._drop_cancelled()
            if len(self._waiting) >= self.longest:
                return False
            if not self._is_working:
                try:
                    threading.Thread(target=self._work, name="press", daemon=True).start()
                except RuntimeError:  # The machine has no thread to spare.
                    return False
                self._is_working = True
            self._waiting.append(job)
        return True

    def ahead(self, job: Job) -> int:
        """How many others are made before the job, the one under way included."""
        with self._lock:
            self._drop_cancelled()
            waiting = list(self._waiting)
            return waiting.index(job) + 1 if job in waiting else 0

    def _drop_cancelled(self) -> None:
        self._waiting = deque(job for job in self._waiting if not job.is_over)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            job.run()
            self._keep(job)
            del job

    def _next(self) -> Job | None:
        with self._lock:
            self._drop_cancelled()
            if self._waiting:
                return self._waiting.popleft()
            self._is_working = False
            return None

    def _keep(self, job: Job) -> None:
        """Bound what finished files take. A file lives as long as its job, which only the one who asked holds."""
        if job.file is None:
            return
        self._finished.append(weakref.ref(job))
        alive = [kept for reference in self._finished if (kept := reference()) is not None and kept.file is not None]
        size = sum(len(kept.file or b"") for kept in alive)
        for kept in alive[:-1]:
            if size <= self.limit:
                break
            size -= len(kept.file or b"")
            kept.state, kept.file = State.GONE, None
        self._finished = deque(weakref.ref(kept) for kept in alive if kept.file is not None)


PRESS = Press()
"""The one of this process."""
