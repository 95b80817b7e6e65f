// Measures the processor time per request of several servers with the same clients, in turn. The servers are the
// emulator, a handwritten server (hand-server.mjs), json-server, Prism, and bare node:http that sends the same bytes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.mjs";
import { interleaved, median, medianRatio, processorMicroseconds, row } from "./measure.mjs";
import { installPeers, startJsonServer, startPrism } from "./peers.mjs";
import { startBare, startEmulator, startHand, startSmallest } from "./servers.mjs";
import { loadAll } from "./strict.mjs";

const rounds = 7;
const seconds = Number(process.env.BENCH_SECONDS ?? 0.5);
const contact = (group_id, index = 0) =>
  JSON.stringify({
    group_id,
    first_name: `Anna ${index}`,
    last_name: "Sommer",
    phone_numbers: ["+4915112345678"],
    emails: ["anna@example.org"],
  });

async function benchHttp() {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  const running = [];
  const keep = (server) => {
    running.push(server);
    return server;
  };
  try {
    const peers = installPeers(folder);
    const flags = ["--seed", "empty", "--limits", "read=1000000000,write=1000000000"];
    const emulator = keep(await startEmulator(folder, ["--db", join(folder, "world.db"), ...flags]));
    const asked = await prepare(emulator, "/api/v1/contacts", emulator.start.keys.admin);
    writeFileSync(join(folder, "answers.json"), JSON.stringify(asked.answers));
    const bare = keep(await startBare(join(folder, "answers.json")));
    const smallest = keep(await startSmallest(join(folder, "smallest.db")));
    const servers = {
      bare: [bare, asked],
      emulator: [emulator, asked],
      smallest: [smallest, await prepare(smallest, "/contacts", "smallest")],
    };
    if (peers) {
      const hand = keep(await startHand(folder, join(folder, "hand.db")));
      servers.hand = [hand, await prepare(hand, "/contacts", "hand")];
    }
    const rows = [];
    const wanted = { get: ["≥ 0.50", "≥ 1.3"], page: ["≥ 0.12", "≥ 3"], create: ["≥ 0.32", "≥ 1.5"] };
    for (const [kind, [overBare, overHand]] of Object.entries(wanted)) {
      const candidates = Object.fromEntries(
        Object.entries(servers).map(([name, [server, { next }]]) => [name, perRequest(server, next[kind])]),
      );
      const { results, noisy } = await warmed(candidates);
      const figures = (ratio, wish) => ({ wanted: wish, value: ratio.toFixed(2), noisy });
      rows.push(
        row(
          `${names[kind]}, over bare node:http`,
          figures(medianRatio(results.bare, results.emulator), overBare),
        ),
      );
      if (results.hand)
        rows.push(
          row(
            `${names[kind]}, over a handwritten server`,
            figures(medianRatio(results.hand, results.emulator), overHand),
          ),
        );
      rows.push(await strictRow(names[kind], servers, kind));
      rows.push(row(`${names[kind]}, ${ofSmallest}`, figures(medianRatio(results.bare, results.smallest))));
      if (results.hand)
        rows.push(
          row(
            `${names[kind]}, the smallest program, over a handwritten server`,
            figures(medianRatio(results.hand, results.smallest)),
          ),
        );
      rows.push(
        row(`${names[kind]}, processor time`, { value: `${median(results.emulator).toFixed(0)} µs`, noisy }),
      );
    }
    const mixed = await warmed(
      Object.fromEntries(
        ["bare", "emulator", "smallest"].map((name) => {
          const [server, { next }] = servers[name];
          return [name, perRequest(server, next.mixed)];
        }),
      ),
    );
    const overBare = (name) => ({
      value: medianRatio(mixed.results.bare, mixed.results[name]).toFixed(2),
      noisy: mixed.noisy,
    });
    const ofMix = "6 gets, 2 pages, 1 create, 1 change";
    rows.push(row(`${ofMix}, over bare node:http`, { wanted: "≥ 0.24", ...overBare("emulator") }));
    rows.push(await strictRow(ofMix, servers, "mixed"));
    rows.push(row(`${ofMix}, ${ofSmallest}`, overBare("smallest")));
    if (peers) {
      const jsonServer = keep(await startJsonServer(folder));
      const prism = keep(await startPrism(folder, emulator));
      const { results, noisy } = await warmed({
        emulator: perRequest(emulator, asked.next.page),
        "json-server": perRequest(jsonServer, () => ({ method: "GET", path: "/contacts?_limit=100" })),
        Prism: perRequest(prism, () => ({ ...asked.next.page(), path: "/contacts?limit=100" })),
        smallest: perRequest(smallest, servers.smallest[1].next.page),
      });
      for (const name of ["json-server", "Prism"]) {
        const over = (server) => medianRatio(results[name], results[server]).toFixed(1);
        rows.push(row(`a page of 100, over ${name}`, { wanted: "≥ 4", value: over("emulator"), noisy }));
        rows.push(
          row(`a page of 100, the smallest program, over ${name}`, { value: over("smallest"), noisy }),
        );
      }
    }
    return rows;
  } finally {
    for (const { stop } of running) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** End of the row names of the smallest program. Its result is the best that the emulator could reach. */
const ofSmallest = "the smallest program, over bare node:http";
const names = { get: "get by ID", page: "a page of 100", create: "create, durable on a file" };

/** Runs each candidate once as a warm-up, then measures all rounds. */
async function warmed(candidates) {
  for (const run of Object.values(candidates)) await run();
  return interleaved(rounds, candidates);
}

/**
 * Returns a function that measures the microseconds per request: processor time, or wall time if the system
 * does not report processor time.
 */
function perRequest({ url, pid }, next) {
  return async () => {
    const before = processorMicroseconds(pid);
    const { perSecond, statuses } = await load({ url, seconds, next });
    const failed = Object.keys(statuses).filter((status) => status >= "300");
    if (failed.length > 0) throw new Error(`${url} answered ${failed}`);
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const used = (processorMicroseconds(pid) - before) / answers;
    return Number.isNaN(used) ? 1e6 / perSecond : used;
  };
}

/** Measures one type of request with the load generator of strict.mjs. Returns the row of the table. */
async function strictRow(name, servers, kind) {
  const { results, noisy } = await warmed(
    Object.fromEntries(
      ["bare", "emulator"].map((server) => [server, perStrictRequest(...servers[server], kind)]),
    ),
  );
  const value = medianRatio(results.bare, results.emulator).toFixed(2);
  return row(`${name}, over bare node:http, faster generator`, { value, noisy });
}

/** Returns a function that measures processor time per request of the faster generator, in microseconds. */
function perStrictRequest({ url, pid }, { next }, kind) {
  return async () => {
    const requests = Array.from({ length: 4_000 }, (_, index) => next[kind](index));
    let before = Number.NaN;
    await loadAll({ url, requests, begin: () => (before = processorMicroseconds(pid)) });
    return (processorMicroseconds(pid) - before) / requests.length;
  };
}

/** Creates a thousand contacts; returns the requests, and the responses for the bare server. */
async function prepare({ url }, path, key) {
  const ask = async (method, target, body) => {
    const answer = await fetch(url + target, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body }),
    });
    const text = await answer.text();
    // Node.js sets Connection and Keep-Alive itself, in the emulator and in the bare server.
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !["connection", "keep-alive"].includes(name)),
    );
    return { status: answer.status, headers, body: text };
  };
  const groups = path.startsWith("/api") ? await ask("GET", "/api/v1/groups?type=contacts") : undefined;
  const group = groups ? JSON.parse(groups.body).data[0].id : "a".repeat(24);
  let id = "";
  for (let index = 0; index < 1000; index += 1)
    id = JSON.parse((await ask("POST", path, contact(group, index))).body).data.id;
  const get = { method: "GET", path: `${path}/${id}`, key };
  const page = { method: "GET", path: `${path}?limit=100`, key };
  const create = (index) => ({ method: "POST", path, key, body: contact(group, index) });
  const patch = { method: "PATCH", path: `${path}/${id}`, key, body: '{"last_name":"Winter"}' };
  const mix = (count) => [get, get, page, get, create(count), get, get, patch, get, page][count % 10];
  const answers = {};
  for (const { method, path: target, body } of groups ? [get, page, create(0), patch] : [])
    answers[`${method} ${target}`] = await ask(method, target, body);
  return { answers, next: { get: () => get, page: () => page, create, mixed: mix } };
}

console.log(JSON.stringify(await benchHttp()));
