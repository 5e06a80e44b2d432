/**
 * Plays games with bots at all seats, and one who looks on: node play.mjs GAME:DEALS…
 *
 * URLS has the addresses, separated by spaces, at which the players are in turn. A line of JSON tells of each game.
 */

import { anyOf, Client } from "../../../api-spec/clients/typescript/src/index.js";

const urls = process.env.URLS.split(" ");
const at = (place) => new Client(urls[place % urls.length], null, { deadline: 600 });

async function play(game, deals, place) {
  const { seats } = await at(place).game(game);
  const players = Array.from({ length: seats }, (_, seat) => at(place + seat));
  for (const player of players) await player.register("Ada");
  const options = game === "nuts" ? { stall: 10 } : {};
  const opened = await players[0].openTable(game, { deals: Number(deals), options });
  const onlooker = at(place).table(opened.id);
  const looking = (async () => {
    const versions = [];
    for await (const { event } of onlooker.follow({ after: 0 })) versions.push(event.version);
    return versions;
  })();
  await Promise.all(players.map(async (player) => {
    const table = player.table(opened.id);
    await table.sit();
    for await (const turn of table.turns()) await turn.act(act(turn.offers));
  }));
  const versions = await looking;
  // Read by another process perhaps, and not earlier than what was followed.
  const { status, version } = await onlooker.view();
  console.log(JSON.stringify({ game, table: opened.id, status, version, versions }));
}

/** Any act; giving up is done seldom, so that games are played. */
function act(offers) {
  const others = offers.filter(({ type }) => !["concede", "talk"].includes(type));
  return anyOf(others.length && Math.random() < 0.98 ? others : offers).random();
}

await Promise.all(process.argv.slice(2).map((wanted, place) => play(...wanted.split(":"), place)));
