"""A bot for any game: CODILLE_TOKEN=... python bot.py http://127.0.0.1:8000 TABLE

It sits down, shows what happens, and takes one of its offers whenever the game waits for it.
"""

import asyncio
import os
import random
import sys

from codille_client import Client


async def play(url: str, token: str, table_id: str) -> None:
    async with Client(url, token) as client:
        table = client.table(table_id)
        await table.sit()
        async for moment in table.follow():
            if moment.event:
                print(f"{moment.version:5}  {moment.event['type']}")
            if moment.to_act:
                await moment.act(random.choice(moment.offers).random())


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], os.environ["CODILLE_TOKEN"], sys.argv[2]))
