// Requests per second of the emulator over bare node:http that answers the same bytes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.mjs";
import { interleaved, median, medianRatio, processorMicroseconds, table, thousands } from "./measure.mjs";
import { startBare, startEmulator } from "./servers.mjs";

const limits = "read=1000000000,write=1000000000";
const contact = (group_id, index = 0) =>
  JSON.stringify({
    group_id,
    first_name: `Anna ${index}`,
    last_name: "Sommer",
    phone_numbers: ["+4915112345678"],
    emails: ["anna@example.org"],
  });

/** @returns {Promise<string>} a table in Markdown */
export async function benchHttp({ rounds = 9, seconds = 1.2 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  const emulator = await startEmulator(folder, [
    "--db",
    join(folder, "world.db"),
    "--seed",
    "empty",
    "--limits",
    limits,
  ]);
  let bare;
  try {
    const { kinds, answers } = await prepare(emulator);
    const file = join(folder, "answers.json");
    writeFileSync(file, JSON.stringify(answers));
    bare = await startBare(file);
    const rows = [];
    for (const { name, next, target } of kinds) {
      const used = { bare: [], emulator: [] };
      const run =
        (who, { url, pid }) =>
        async () => {
          const before = processorMicroseconds(pid);
          const { perSecond, statuses } = await load({ url, seconds, next });
          const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
          used[who].push((processorMicroseconds(pid) - before) / answers);
          const failed = Object.keys(statuses).filter((status) => status >= "300");
          if (failed.length > 0) throw new Error(`${name}: answered ${failed}`);
          return perSecond;
        };
      const candidates = { bare: run("bare", bare), emulator: run("emulator", emulator) };
      for (const [who, warm] of Object.entries(candidates)) {
        await warm();
        used[who] = [];
      }
      const results = await interleaved(rounds, candidates);
      rows.push([
        name,
        thousands(median(results.bare)),
        thousands(median(results.emulator)),
        medianRatio(results.emulator, results.bare).toFixed(2),
        target,
        `${median(used.bare).toFixed(0)} µs`,
        `${median(used.emulator).toFixed(0)} µs`,
      ]);
      console.error(`  ${rows.at(-1).join("  ")}`);
    }
    return table(
      [
        "request",
        "bare node:http, per s",
        "emulator, per s",
        "ratio",
        "wanted",
        "processor time, bare",
        "emulator",
      ],
      rows,
    );
  } finally {
    await bare?.stop();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is asked, and the emulator's answers to it for the bare server to repeat. */
async function prepare({ url, start }) {
  const key = start.keys.admin;
  const base = "/api/v1";
  const ask = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body }),
    });
    const text = await answer.text();
    // Connection and keep-alive are node's own, in both.
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !["connection", "keep-alive"].includes(name)),
    );
    return { status: answer.status, headers, body: text };
  };
  const group = JSON.parse((await ask("GET", `${base}/groups?type=contacts`)).body).data[0].id;
  let id = "";
  for (let index = 0; index < 1000; index += 1) {
    id = JSON.parse((await ask("POST", `${base}/contacts`, contact(group, index))).body).data.id;
  }
  const get = { method: "GET", path: `${base}/contacts/${id}`, key };
  const page = { method: "GET", path: `${base}/contacts?limit=100`, key };
  const create = (index) => ({ method: "POST", path: `${base}/contacts`, key, body: contact(group, index) });
  const patch = { method: "PATCH", path: `${base}/contacts/${id}`, key, body: '{"last_name":"Winter"}' };
  const answers = {};
  for (const { method, path, body } of [get, page, create(0), patch]) {
    answers[`${method} ${path}`] = await ask(method, path, body);
  }
  const mix = (count) => [get, get, page, get, create(count), get, get, patch, get, page][count % 10];
  const kinds = [
    { name: "get by id", next: () => get, target: "≥ 0.6" },
    { name: "page of 100", next: () => page, target: "" },
    { name: "create, durable on a file", next: create, target: "≥ 0.35" },
    { name: "mixed: 6 gets, 2 pages, 1 create, 1 change", next: mix, target: "" },
  ];
  return { kinds, answers };
}

if (import.meta.main ?? process.argv[1]?.endsWith("http.mjs")) console.log(await benchHttp());
