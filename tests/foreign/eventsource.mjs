// Prints the frames of a stream as npm's eventsource hands them on: URL, headers.
import { EventSource } from "eventsource";

const [url, headers] = process.argv.slice(1);
const own = JSON.parse(headers);
const source = new EventSource(url, {
  fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...own } }),
});
for (const name of ["message", "snapshot", "reset", "event", "presence", "ping", "dropped"]) {
  source.addEventListener(name, ({ type, lastEventId, data }) => {
    JSON.parse(data);
    console.log(JSON.stringify([type, lastEventId, data]));
  });
}
