/** Verifies messages of webhooks. JSON on standard input and output: secret, headers and body in base64 of each. */

import { readFileSync } from "node:fs";

import { Forged, verifyWebhook } from "../../../api-spec/clients/typescript/src/index.js";

const answers = JSON.parse(readFileSync(0, "utf8")).map(([secret, headers, body]) => {
  try {
    return verifyWebhook(secret, headers, Buffer.from(body, "base64")).type;
  } catch (error) {
    return error instanceof Forged ? `Forged: ${error.message}` : `${error}`;
  }
});
process.stdout.write(JSON.stringify(answers));
