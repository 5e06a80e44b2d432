/** Players' names. */

import { get } from "./api.js";
import { say } from "./say.js";

const AT_ONCE = 100;
const ID_LETTERS = 8;

/** The known profiles of players, by their ids. */
export class Players {
  constructor() {
    /** By id, the name and its skeleton; only people are known to the service. @type {Map<string, {player?: string, name: string | null, skeleton: string | null}>} */
    this.profiles = new Map();
  }

  /** Looks up unknown names. Throws Problem. @param {(string | null)[]} ids */
  async learn(ids) {
    const unknown = [...new Set(ids)].filter((id) => id !== null && !this.profiles.has(id));
    for (let from = 0; from < unknown.length; from += AT_ONCE) {
      const { items } = await get("/players", { id: unknown.slice(from, from + AT_ONCE) });
      for (const player of items) this.profiles.set(player.player, player);
    }
  }

  /**
   * Names bots, which have no profiles: by their level, with the seat's number where several play at the table. Call it once the
   * players at their table are known.
   * @param {(string | null)[]} ids the players by seat
   * @param {({level: string} | null)[]} bots the bots by seat, among them those that play for a person
   */
  nameBots(ids, bots) {
    const nameless = ids.map((id, seat) => (id !== null && !this.profiles.get(id)?.player && bots[seat]?.level) || null);
    ids.forEach((id, seat) => {
      const level = nameless[seat];
      if (id === null || !level) return;
      const several = nameless.filter((other) => other === level).length > 1;
      const name = say(several ? "bot.one-of" : "bot", { level: say(`level.${level}`), seat: seat + 1 });
      this.profiles.set(id, { name, skeleton: name });
    });
  }

  /** Names those by their seats whom nobody here knows, as in a record of another house. @param {(string | null)[]} ids by seat */
  nameSeats(ids) {
    ids.forEach((id, seat) => {
      const name = say("seat", { seat: seat + 1 });
      if (id !== null && !this.profiles.has(id)) this.profiles.set(id, { name, skeleton: name });
    });
  }

  /**
   * The player's name; if another player's at the table looks alike, with the id's letters that tell them apart.
   * @param {string} id
   * @param {(string | null)[]} seated the ids of the table's players
   */
  name(id, seated) {
    const { player, name: known, skeleton } = this.profiles.get(id) ?? {};
    const name = known ?? (player && say("seat.erased"));
    if (!name) return `${apart(id, seated.filter((other) => other !== null && other !== id))}…`;
    const others = seated.filter((other) => other !== null && other !== id && this.profiles.get(other)?.skeleton === skeleton);
    return others.length ? `${name} (${apart(id, others)})` : name;
  }
}

/** The first letters of an id that differ from the others. @param {string} id @param {string[]} others */
function apart(id, others) {
  let length = ID_LETTERS;
  while (others.some((other) => other.startsWith(id.slice(0, length)))) length += 1;
  return id.slice(0, length);
}
