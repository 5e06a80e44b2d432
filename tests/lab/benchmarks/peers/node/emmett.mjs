// `@event-driven-io/emmett-postgresql`, as it comes: `prepare URL`, `write URL CLIENTS SECONDS`, `tail URL`.
// It talks with the run as tests/lab/benchmarks/peers/talking.py describes.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { dumbo } from '@event-driven-io/dumbo';
import { getPostgreSQLEventStore, readMessagesBatch } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';

const QUIET_MS = 2000;
const [mode, url, clients, seconds] = process.argv.slice(2);
const input = createInterface({ input: process.stdin });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const told = (found) => new Promise((done) => process.stdout.write(`${JSON.stringify(found)}\n`, done));

async function write() {
  const pool = new pg.Pool({ connectionString: url, max: Number(clients) });
  const store = getPostgreSQLEventStore(url, { schema: { autoMigration: 'None' }, connectionOptions: { pool } });
  const event = { type: 'card-played', data: { card: 'Ks', seat: 1 } };
  const times = [];
  console.log('ready');
  await new Promise((go) => input.once('line', go));
  const began = performance.now();
  const ends = began + 1000 * Number(seconds);
  await Promise.all(
    Array.from({ length: Number(clients) }, async () => {
      const stream = `table-${randomUUID()}`;
      let version;
      for (;;) {
        const before = performance.now();
        if (before >= ends) return;
        const appended = await store.appendToStream(
          stream,
          [event],
          version === undefined ? undefined : { expectedStreamVersion: version },
        );
        version = appended.nextExpectedStreamVersion;
        times.push((performance.now() - before) / 1000);
      }
    }),
  );
  const taken = (performance.now() - began) / 1000;
  const every = Math.max(1, Math.floor(times.length / 20_000));
  const latencies = times.sort((a, b) => a - b).filter((_, number) => number % every === 0);
  await told({ appended: times.length, seconds: taken, latencies_s: latencies });
}

async function tail() {
  const { execute } = dumbo({ connectionString: url });
  let ended = false;
  input.once('close', () => (ended = true));
  console.log('ready');
  const seen = new Set();
  let after = 0n;
  let since = performance.now();
  while (!ended || performance.now() - since < QUIET_MS) {
    const { messages, currentGlobalPosition } = await readMessagesBatch(execute, { after, batchSize: 1000 });
    if (messages.length === 0) {
      await pause(1);
      continue;
    }
    since = performance.now();
    after = currentGlobalPosition;
    for (const message of messages) seen.add(message.metadata.messageId);
  }
  await told({ seen: seen.size });
}

const modes = {
  prepare: async () => getPostgreSQLEventStore(url).schema.migrate(),
  write,
  tail,
};
await modes[mode]();
process.exit(0);
