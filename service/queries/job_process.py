"""A process that does jobs one by one: `python -m service.queries.job_process`, started by `process_pool`.

It reads frames from its standard input: the setup, then jobs, each a function with its arguments. It writes a frame for
each job to its standard output: what came of it, and the seconds of CPU time that it took. It ends with its input.
"""

import asyncio
import os
import sys
import time
from typing import Any, BinaryIO

from service.queries.frames import Done, frame, read_frame
from service.queries.jobs import JobContext, opened

NICENESS = 10
"""How much less urgent jobs are than what serves requests, for the kernel."""


async def _do(context: JobContext, job: Any, arguments: tuple[Any, ...]) -> Done:
    began = time.process_time()
    try:
        result, error = await job(context, *arguments), None
    except Exception as raised:  # whatever it is, it belongs to the one that waits for the job
        result, error = None, raised
    return Done(result, error, time.process_time() - began)


async def _work(answers: BinaryIO) -> None:
    jobs = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(jobs), sys.stdin)
    async with opened(await read_frame(jobs)) as context:
        while True:
            try:
                job, arguments = await read_frame(jobs)
            except asyncio.IncompleteReadError:
                return
            answers.write(frame(await _do(context, job, arguments)))
            answers.flush()


def main() -> None:
    """Does jobs until there are no more."""
    os.nice(NICENESS)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        # What anything prints must not get between the frames.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        asyncio.run(_work(answers))


if __name__ == "__main__":
    main()
