import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { openDatabase } from "../../src/base/database.js";
import { systemRandom } from "../../src/base/random.js";
import { createClient } from "../../src/client/client.js";
import {
  copyDatabaseFile,
  createFork,
  type Emulator,
  openClosedFork,
  openEmulator,
} from "../../src/emulator/index.js";
import { openPlan, rehearsedSteps, writePlan } from "../../src/write/plan/index.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { applyRandomWrite, randomWrite } from "../helpers/random-writes.js";

const whole = process.env["PROOF"] !== undefined;
const runs = whole ? 150 : 1;
const seed = Number(process.env["PROOF_SEED"] ?? (whole ? Date.now() % 1e6 : 11));

const lists = [
  "groups",
  "contacts",
  "prompts",
  "knowledge-items",
  "forwardings",
  "glossary",
  "pronunciation",
  "calendars",
  "tools",
  "assistants",
];

const createAsk = (emulator: Emulator) => async (method: string, path: string, body?: unknown) => {
  const response = await emulator.fetch(`/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${emulator.startLine.keys.admin}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  const parsed: any = await response.json();
  return { status: response.status, data: parsed.data ?? parsed };
};

/** Replaces IDs with the resources' content, because the source and the fork assign different IDs. */
async function contentOf(emulator: Emulator): Promise<string[]> {
  const ask = createAsk(emulator);
  const records: { path: string; id: string; value: Record<string, unknown> }[] = [];
  for (const path of lists) {
    const { data } = await ask("GET", `/${path}?limit=200`);
    for (const { id } of data) records.push({ path, id, value: (await ask("GET", `/${path}/${id}`)).data });
  }
  const names = new Map(
    records.map(({ id, value }) => [
      id,
      JSON.stringify([value["type"], value["name"], value["first_name"], value["term"]]),
    ]),
  );
  const passing = ["id", "created_at", "updated_at", "sync_status", "rating", "phone_number"];
  return records
    .map(({ path, value }) => {
      const kept = Object.entries(value).filter(
        ([field]) => path !== "assistants" || !passing.includes(field),
      );
      const shown = kept.filter(
        ([field]) => !passing.includes(field) || (field === "phone_number" && path !== "assistants"),
      );
      return `${path} ${JSON.stringify(shown, (_, inner) => (typeof inner === "string" ? (names.get(inner) ?? inner) : inner))}`;
    })
    .sort();
}

test(`[P1] [P4] applying a rehearsal makes the source match the fork (${runs} sequences)`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomWrite, { minLength: 5, maxLength: 25 }), async (writes) => {
      const folder = mkdtempSync(join(tmpdir(), "voxctl-rehearsed-"));
      try {
        await applied(folder, writes);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: runs, seed },
  );
}, 3_600_000);

async function applied(
  folder: string,
  writes: readonly Parameters<typeof applyRandomWrite>[1][],
): Promise<void> {
  const at = (name: string) => join(folder, name);
  const random = systemRandom();
  await (
    await openEmulator({ db: at("source.db"), seed: "demo", clock: "virtual", exclusive: true })
  ).close();
  copyDatabaseFile(at("source.db"), at("base.db"));
  await createFork(at("base.db"), at("fork.db"), {
    clock: "virtual",
    latencyMilliseconds: 0,
    systemClock: systemClock(),
    random,
  });
  const fork = await openEmulator({ db: at("fork.db"), exclusive: true });
  for (const write of writes) await applyRandomWrite(createAsk(fork), write);
  const expected = await contentOf(fork);
  await fork.close();

  const closed = await openClosedFork(at("fork.db"), at("base.db"));
  expect(closed.effect.disagreements).toEqual([]);
  const given: string[] = [];
  const secrets = new Map<string, string>();
  const base = await openEmulator({ db: at("base.db"), exclusive: true });
  const { base_url: baseUrl, keys } = base.startLine;
  const client = createClient({
    targets: { public: { baseUrl, key: keys.admin } },
    transport: base.transport,
    clock: base.clock,
    random,
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
  });
  const { signal } = new AbortController();
  const database = await openDatabase(at("seal.sqlite"));
  const madeAt = new Date(systemClock().now()).toISOString();
  const { data: groups } = await createAsk(base)("GET", "/groups");
  const { steps } = await writePlan(
    at("effect.plan"),
    {
      header: {
        made_at: madeAt,
        made_by: "voxctl",
        command: [],
        target: { base_url: baseUrl, anchors: [groups[0].id] },
      },
      steps: rehearsedSteps({ writes: closed.writes, base: { client, signal }, madeAt, database }),
    },
    { force: false, random, temporaryFolder: folder, waiting: { clock: systemClock(), signal } },
  );
  // The plan lists secrets in the order in which they were sent.
  const plan = await openPlan(at("effect.plan"));
  let number = 0;
  for await (const entry of plan.entries()) {
    const text = JSON.stringify(entry);
    const name = /"\$secret":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
    if (name === undefined) continue;
    number += 1;
    secrets.set(JSON.parse(`"${name}"`), `SECRET_${number}`);
  }
  for (const [name, variable] of secrets) given.push("--secret", `${name}=env:${variable}`);
  database.close();
  closed.close();
  await base.close();

  const source = await openEmulator({ db: at("source.db"), exclusive: true });
  try {
    const line = commandLine({
      env: Object.fromEntries([...secrets.values()].map((variable) => [variable, "a-secret"])),
      overrides: connectedTo(source),
    });
    const words = ["apply", at("effect.plan"), "--yes", ...given];
    const allowed = [
      "--allow",
      "groups:delete",
      "--allow",
      "assistants:create",
      "--allow",
      "assistants:delete",
    ];
    const { code, stderr, json } = await line.run(...words, ...allowed, "--profile", "offline");
    expect([code, json?.steps?.done], stderr).toEqual([0, steps]);
    expect(await contentOf(source)).toEqual(expected);
  } finally {
    await source.close();
  }
}
