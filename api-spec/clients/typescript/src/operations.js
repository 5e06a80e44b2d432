/** A method for each operation that only asks. Made by the kits' `operations.py`, not to be edited. */

/**
 * @typedef {import("./types.js").Schemas} Schemas
 * @typedef {import("./types.js").Sending} Sending
 */

/** Operations of a service. */
export class ClientOperations {
  /**
   * The answer to any request.
   * @param {import("./types.js").Method} method @param {string} path @param {Sending} [sending] @returns {Promise<any>}
   */
  request(method, path, sending) { throw new Error(`${method} ${path} ${sending}`); }

  /**
   * The items of a list, whose pages are asked for as they are needed.
   * @param {string} path @param {{[name: string]: any}} [query] @returns {AsyncGenerator<any>}
   */
  pages(path, query) { throw new Error(`${path} ${query}`); }

  /** Whether the process is alive. @param {Sending} [sending] @returns {Promise<Schemas["Health"]>} */
  getLiveness(sending) { return this.request("GET", "/../health/live", sending); }

  /** Whether the process can serve. @param {Sending} [sending] @returns {Promise<Schemas["Readiness"]>} */
  getReadiness(sending) { return this.request("GET", "/../health/ready", sending); }

  /**
   * Finished deals of all tables. @param {{game?: string, rules_version?: number, option?: string, player?: string,
   * among?: "any" | "partners" | "declarer", since?: string, until?: string, contract?: string, trump?: "s" | "h" | "d"
   * | "c", outcome?: string, amount_from?: number, amount_to?: number, length_from?: number, length_to?: number, rule?:
   * string, bots?: boolean, disputed?: boolean, corrected?: boolean, order?: "newest" | "largest", limit?: number}}
   * [query] @returns {AsyncGenerator<Schemas["FoundDeal"]>}
   */
  listArchivedDeals(query) { return this.pages("/archive/deals", query); }

  /** The AsyncAPI document. @param {Sending} [sending] @returns {Promise<Schemas["Document"]>} */
  getAsyncApi(sending) { return this.request("GET", "/asyncapi.json", sending); }

  /** The AsyncAPI document for any game. @param {Sending} [sending] @returns {Promise<Schemas["Document"]>} */
  getGenericAsyncApi(sending) { return this.request("GET", "/asyncapi/generic.json", sending); }

  /** The bots that may be seated. @param {Sending} [sending] @returns {Promise<Schemas["BotList"]>} */
  bots(sending) { return this.request("GET", "/bots", sending); }

  /**
   * Disputes at all tables. @param {{status?: "open" | "ruled" | "upheld" | "rejected", game?: string, rule?: string,
   * limit?: number}} [query] @returns {AsyncGenerator<Schemas["Dispute"]>}
   */
  listAllDisputes(query) { return this.pages("/disputes", query); }

  /**
   * The AsyncAPI document for a game. @param {string} game @param {Sending} [sending] @returns
   * {Promise<Schemas["Document"]>}
   */
  getGameAsyncApi(game, sending) { return this.request("GET", `/games/${game}/asyncapi.json`, sending); }

  /**
   * What the rules say of deals. @param {string} game @param {Schemas["JudgeRequest"]} body @param {Sending} [sending]
   * @returns {Promise<Schemas["JudgedDeals"]>}
   */
  judgeDeals(game, body, sending) { return this.request("POST", `/games/${game}/judge`, { ...sending, body }); }

  /**
   * The OpenAPI document for a game. @param {string} game @param {Sending} [sending] @returns
   * {Promise<Schemas["Document"]>}
   */
  getGameOpenApi(game, sending) { return this.request("GET", `/games/${game}/openapi.json`, sending); }

  /**
   * What a deal is worth. @param {string} game @param {Schemas["ScoreRequest"]} body @param {Sending} [sending]
   * @returns {Promise<Schemas["ScoredDeal"]>}
   */
  scoreDeal(game, body, sending) { return this.request("POST", `/games/${game}/score`, { ...sending, body }); }

  /**
   * How a game's deals end. @param {string} game @param {{player?: string}} [query] @param {Sending} [sending] @returns
   * {Promise<Schemas["GameStatistics"]>}
   */
  getGameStatistics(game, query, sending) { return this.request("GET", `/games/${game}/statistics`, { ...sending, query }); }

  /**
   * The leaderboard of a game. @param {string} game @param {{limit?: number}} [query] @returns
   * {AsyncGenerator<Schemas["Rank"]>}
   */
  leaderboard(game, query) { return this.pages("/leaderboard", { game, ...query }); }

  /** The newest checkpoint. @param {Sending} [sending] @returns {Promise<string>} */
  getCheckpoint(sending) { return this.request("GET", "/log/checkpoint", sending); }

  /** The keys that sign checkpoints. @param {Sending} [sending] @returns {Promise<Schemas["LogKeys"]>} */
  getLogKeys(sending) { return this.request("GET", "/log/keys", sending); }

  /**
   * A proof that the log was only appended to. @param {number} first @param {{second?: number}} [query] @param
   * {Sending} [sending] @returns {Promise<Schemas["ConsistencyProof"]>}
   */
  getConsistencyProof(first, query, sending) { return this.request("GET", "/log/proof/consistency", { ...sending, query: { first, ...query } }); }

  /**
   * A proof that the log contains an event. @param {number} position @param {{size?: number}} [query] @param {Sending}
   * [sending] @returns {Promise<Schemas["InclusionProof"]>}
   */
  getInclusionProof(position, query, sending) { return this.request("GET", "/log/proof/inclusion", { ...sending, query: { position, ...query } }); }

  /** The OpenAPI document. @param {Sending} [sending] @returns {Promise<Schemas["Document"]>} */
  getOpenApi(sending) { return this.request("GET", "/openapi.json", sending); }

  /** The OpenAPI document for any game. @param {Sending} [sending] @returns {Promise<Schemas["Document"]>} */
  getGenericOpenApi(sending) { return this.request("GET", "/openapi/generic.json", sending); }

  /** Erase the caller's profile. @param {{words?: boolean}} [query] @param {Sending} [sending] @returns {Promise<null>} */
  erasePlayer(query, sending) { return this.request("DELETE", "/players/me", { ...sending, query }); }

  /** The caller. @param {Sending} [sending] @returns {Promise<Schemas["OwnProfile"]>} */
  me(sending) { return this.request("GET", "/players/me", sending); }

  /**
   * Rename the caller. @param {Schemas["Renaming"]} body @param {Sending} [sending] @returns
   * {Promise<Schemas["Player"]>}
   */
  renamePlayer(body, sending) { return this.request("PATCH", "/players/me", { ...sending, body }); }

  /**
   * Recover a player. @param {Schemas["Recovery"]} body @param {Sending} [sending] @returns
   * {Promise<Schemas["Registered"]>}
   */
  recoverPlayer(body, sending) { return this.request("POST", "/players/recovery", { ...sending, body }); }

  /** A player's profile. @param {string} player @param {Sending} [sending] @returns {Promise<Schemas["Player"]>} */
  player(player, sending) { return this.request("GET", `/players/${player}`, sending); }

  /**
   * A player's ledger. @param {string} player @param {{game?: string, since?: string, until?: string, bom?: boolean,
   * separator?: "comma" | "semicolon" | "tab", limit?: number}} [query] @returns
   * {AsyncGenerator<Schemas["StatementLine"]>}
   */
  statement(player, query) { return this.pages(`/players/${player}/ledger`, query); }

  /**
   * The records of all finished games of a player. @param {string} player @param {{after?: string, game?: string,
   * rules_version?: number, option?: string, with?: string, since?: string, until?: string, bots?: boolean, disputed?:
   * boolean, corrected?: boolean}} [query] @param {Sending} [sending] @returns {Promise<Uint8Array>}
   */
  getPlayerRecords(player, query, sending) { return this.request("GET", `/players/${player}/records.ndjson`, { ...sending, query }); }

  /** Report a name, or words. @param {Schemas["Report"]} body @param {Sending} [sending] @returns {Promise<null>} */
  report(body, sending) { return this.request("POST", "/reports", { ...sending, body }); }

  /**
   * Current and past tables. @param {{status?: "open" | "playing" | "finished" | "closed", game?: string, player?:
   * string, limit?: number}} [query] @returns {AsyncGenerator<Schemas["TableSummary"]>}
   */
  tables(query) { return this.pages("/tables", query); }

  /** The caller's tokens. @param {{limit?: number}} [query] @returns {AsyncGenerator<Schemas["Token"]>} */
  listTokens(query) { return this.pages("/tokens", query); }

  /**
   * Add a token. @param {Schemas["TokenRequest"]} [body] @param {Sending} [sending] @returns
   * {Promise<Schemas["NewToken"]>}
   */
  addToken(body, sending) { return this.request("POST", "/tokens", { ...sending, body }); }

  /**
   * Let a client in. @param {Schemas["ConsentRequest"]} body @param {Sending} [sending] @returns
   * {Promise<Schemas["Authorization"]>}
   */
  authorizeClient(body, sending) { return this.request("POST", "/tokens/authorize", { ...sending, body }); }

  /** A code for another device. @param {Sending} [sending] @returns {Promise<Schemas["Handover"]>} */
  offerHandover(sending) { return this.request("POST", "/tokens/handover", sending); }

  /**
   * Trade a code for a token. @param {Schemas["Handover"]} body @param {Sending} [sending] @returns
   * {Promise<Schemas["NewToken"]>}
   */
  claimHandover(body, sending) { return this.request("POST", "/tokens/handover/claim", { ...sending, body }); }

  /** Revoke a token. @param {string} token @param {Sending} [sending] @returns {Promise<null>} */
  revokeToken(token, sending) { return this.request("DELETE", `/tokens/${token}`, sending); }

  /** One of the caller's tokens. @param {string} token @param {Sending} [sending] @returns {Promise<Schemas["Token"]>} */
  getToken(token, sending) { return this.request("GET", `/tokens/${token}`, sending); }

  /**
   * Rotate a token. @param {string} token @param {Schemas["RotationRequest"]} [body] @param {Sending} [sending]
   * @returns {Promise<Schemas["RotatedToken"]>}
   */
  rotateToken(token, body, sending) { return this.request("POST", `/tokens/${token}/rotate`, { ...sending, body }); }

  /** The caller's webhooks. @param {Sending} [sending] @returns {Promise<Schemas["Webhooks"]>} */
  listWebhooks(sending) { return this.request("GET", "/webhooks", sending); }

  /**
   * Add a webhook. @param {Schemas["WebhookRequest"]} body @param {Sending} [sending] @returns
   * {Promise<Schemas["Webhook"]>}
   */
  addWebhook(body, sending) { return this.request("POST", "/webhooks", { ...sending, body }); }

  /** Remove a webhook. @param {string} webhook @param {Sending} [sending] @returns {Promise<null>} */
  removeWebhook(webhook, sending) { return this.request("DELETE", `/webhooks/${webhook}`, sending); }

  /**
   * One of the caller's webhooks. @param {string} webhook @param {Sending} [sending] @returns
   * {Promise<Schemas["Webhook"]>}
   */
  getWebhook(webhook, sending) { return this.request("GET", `/webhooks/${webhook}`, sending); }

  /**
   * Change a webhook. @param {string} webhook @param {Schemas["WebhookChange"]} [body] @param {Sending} [sending]
   * @returns {Promise<Schemas["Webhook"]>}
   */
  changeWebhook(webhook, body, sending) { return this.request("PATCH", `/webhooks/${webhook}`, { ...sending, body }); }

  /**
   * A webhook's deliveries. @param {string} webhook @param {{status?: "pending" | "delivered" | "failed", limit?:
   * number}} [query] @returns {AsyncGenerator<Schemas["WebhookDelivery"]>}
   */
  listWebhookDeliveries(webhook, query) { return this.pages(`/webhooks/${webhook}/deliveries`, query); }

  /**
   * Send notices again. @param {string} webhook @param {Schemas["WebhookReplay"]} body @param {Sending} [sending]
   * @returns {Promise<Schemas["Webhook"]>}
   */
  replayWebhook(webhook, body, sending) { return this.request("POST", `/webhooks/${webhook}/replay`, { ...sending, body }); }

  /**
   * Rotate a webhook's secret. @param {string} webhook @param {Schemas["WebhookRotation"]} [body] @param {Sending}
   * [sending] @returns {Promise<Schemas["Webhook"]>}
   */
  rotateWebhook(webhook, body, sending) { return this.request("POST", `/webhooks/${webhook}/rotate`, { ...sending, body }); }
}

/** Operations at a table. @template {import("./types.js").GameSchemas} [S=Schemas] */
export class TableOperations {
  /**
   * The answer to any request below the table's own path.
   * @param {import("./types.js").Method} method @param {string} path @param {Sending} [sending] @returns {Promise<any>}
   */
  request(method, path, sending) { throw new Error(`${method} ${path} ${sending}`); }

  /**
   * What is at the highest version that was seen, or a later one.
   * @param {string} path @param {{[name: string]: any}} [query] @param {AbortSignal} [signal] @returns {Promise<any>}
   */
  read(path, query, signal) { throw new Error(`${path} ${query} ${signal}`); }

  /** A deal's audit. @param {number} deal @returns {Promise<Schemas["DealAudit"]>} */
  audit(deal) { return this.read(`/deals/${deal}/audit`); }

  /** A deal's facts. @param {number} deal @returns {Promise<Schemas["DealFacts"]>} */
  getDealFacts(deal) { return this.read(`/deals/${deal}/facts`); }

  /** A table's disputes. @returns {Promise<Schemas["Disputes"]>} */
  disputes() { return this.read("/disputes"); }

  /** A dispute. @param {number} dispute @returns {Promise<Schemas["DisputeDetails"]>} */
  getDispute(dispute) { return this.read(`/disputes/${dispute}`); }

  /**
   * Rule on a dispute. @param {number} dispute @param {Schemas["RulingRequest"]} body @param {Sending} [sending]
   * @returns {Promise<Schemas["DisputeDetails"]>}
   */
  rule(dispute, body, sending) { return this.request("POST", `/disputes/${dispute}/ruling`, { ...sending, body }); }

  /** A table's record as a file. @returns {Promise<Uint8Array>} */
  export() { return this.read("/export"); }

  /** A table's invitations. @param {Sending} [sending] @returns {Promise<Schemas["InvitationList"]>} */
  listInvitations(sending) { return this.request("GET", "/invitations", sending); }

  /** Revoke an invitation. @param {string} invitation @param {Sending} [sending] @returns {Promise<null>} */
  revokeInvitation(invitation, sending) { return this.request("DELETE", `/invitations/${invitation}`, sending); }

  /** A table's ledger. @returns {Promise<Schemas["Ledger"]>} */
  ledger() { return this.read("/ledger"); }

  /** Who is connected. @param {Sending} [sending] @returns {Promise<Schemas["Presence"]>} */
  presence(sending) { return this.request("GET", "/presence", sending); }

  /**
   * A table over a range of versions. @param {{from?: number, to?: number, as?: string}} [query] @returns
   * {Promise<Schemas["Replay"]>}
   */
  getReplayRange(query) { return this.read("/replay", query); }

  /**
   * A table at a version, as a picture. @param {number} version @param {{as?: string}} [query] @returns
   * {Promise<string>}
   */
  getReplayDrawing(version, query) { return this.read(`/replay/${version}.svg`, query); }

  /** A table's running scores, as a picture. @returns {Promise<string>} */
  getScoresDrawing() { return this.read("/scores.svg"); }

  /** Abandon the game. @param {Sending} [sending] @returns {Promise<S["View"]>} */
  abandon(sending) { return this.request("POST", "/seats/me/abandon", sending); }
}
