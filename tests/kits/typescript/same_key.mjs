/** Acts with a token and a key that another process has too: node same_key.mjs URL TOKEN TABLE KEY ACTION. Prints the answer. */

import { Client } from "../../../api-spec/clients/typescript/src/index.js";

const [url, token, table, key, action] = process.argv.slice(2);
console.log(JSON.stringify(await new Client(url, token).table(table).request("POST", "/actions", { body: JSON.parse(action), key })));
