// Prints the frames of a stream as @microsoft/fetch-event-source hands them on: URL, headers.

// It was written for pages.
globalThis.window = globalThis;
globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} };
const { fetchEventSource } = await import("@microsoft/fetch-event-source");
const [url, headers] = process.argv.slice(1);
let last = "";
await fetchEventSource(url, {
  headers: JSON.parse(headers),
  onmessage({ event, id, data }) {
    JSON.parse(data);
    last = id || last;
    console.log(JSON.stringify([event, last, data]));
  },
  onerror(error) {
    // What `onmessage` throws comes here, too. Without a return value, it comes again after a second.
    if (error instanceof SyntaxError) throw error;
  },
});
