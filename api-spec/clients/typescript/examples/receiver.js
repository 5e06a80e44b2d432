// Receives webhooks: CODILLE_TOKEN=... node receiver.js http://127.0.0.1:8000 PORT
//
// It adds a webhook that calls this machine, prints each notice once, and removes the webhook at the end. The service
// must be allowed to call this address: CODILLE_WEBHOOK_NETWORKS=127.0.0.0/8:1024-65535.

import { createServer } from "node:http";

import { Client, Forged, verifyWebhook } from "codille-client";

const [url = "", port = ""] = process.argv.slice(2);
const client = new Client(url, process.env.CODILLE_TOKEN);
const webhook = await client.addWebhook({ url: `http://127.0.0.1:${port}/` });
const seen = new Set();

const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  try {
    const notice = verifyWebhook(webhook.secret ?? "", request.headers, Buffer.concat(pieces));
    response.writeHead(204).end();
    const id = request.headers["webhook-id"];
    if (!seen.has(id)) console.log(notice.type, notice.data.table);
    seen.add(id);
  } catch (error) {
    if (!(error instanceof Forged)) throw error;
    response.writeHead(400).end(error.message);
  }
}).listen(Number(port), "127.0.0.1");

process.once("SIGINT", async () => {
  server.close();
  server.closeAllConnections();
  await client.removeWebhook(webhook.id);
});
