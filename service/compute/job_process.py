"""A process that runs jobs one by one: `python -m service.compute.job_process`, started by `process_pool`.

It reads messages from its standard input: the setup, then jobs, each a function with its arguments. For each job it
writes a message to its standard output: the outcome, and the CPU seconds spent. It ends with its input, or when nobody
reads its output.
"""

import asyncio
import os
import sys
import time
from contextlib import suppress
from typing import Any, BinaryIO

from service.compute.job_messages import Done, message, read_message
from service.compute.jobs import JobContext, opened
from service.garbage import collect_seldom

NICENESS = 10
"""The niceness of jobs, which makes them less urgent to the kernel than requests."""


async def _do(context: JobContext, job: Any, arguments: tuple[Any, ...]) -> Done:
    began = time.process_time()
    try:
        result, error = await job(context, *arguments), None
    except Exception as raised:  # it is returned to the job's caller
        result, error = None, raised
    return Done(result, error, time.process_time() - began)


async def _work(answers: BinaryIO) -> None:
    """Runs jobs without end. Raises IncompleteReadError when the input ends, and ConnectionError when nobody reads."""
    jobs = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(jobs), sys.stdin)
    async with opened(await read_message(jobs)) as context:
        collect_seldom()
        while True:
            job, arguments = await read_message(jobs)
            answers.write(message(await _do(context, job, arguments)))
            answers.flush()


def main() -> None:
    """Runs jobs until the input ends."""
    os.nice(NICENESS)
    ended = asyncio.IncompleteReadError, ConnectionError
    with suppress(*ended), os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        # Printed text must not get between the messages.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        asyncio.run(_work(answers))


if __name__ == "__main__":
    main()
