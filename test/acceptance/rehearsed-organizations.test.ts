// Rehearses random writes to a distributor API. After `apply`, the source must equal the fork.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { systemRandom } from "../../src/base/random.js";
import { createClient } from "../../src/client/client.js";
import {
  copyDatabaseFile,
  createFork,
  type Emulator,
  openClosedFork,
  openEmulator,
} from "../../src/emulator/index.js";
import { anchorsIn, readInventory, rehearsedOrganizationSteps } from "../../src/features/provision/index.js";
import { BulkError } from "../../src/write/errors.js";
import { writePlan } from "../../src/write/plan/index.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import {
  actOnOrganizations,
  type OrganizationAction,
  randomOrganizationWrite,
} from "../helpers/random-organizations.js";

const whole = process.env["PROOF"] !== undefined;
const runs = whole ? 100 : 2;
const seed = Number(process.env["PROOF_SEED"] ?? (whole ? Date.now() % 1e6 : 3));

const createAsk =
  ({ fetch, startLine, clock }: Emulator) =>
  async (method: string, path: string, body?: unknown) => {
    // Wait between requests, because all requests of a key share a small limit.
    await clock.sleep(1_100);
    const response = await fetch(`${startLine.distributor_v2_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${startLine.keys.distributor_v2}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
    const parsed: any = await response.json();
    return { data: parsed.data ?? parsed };
  };

/** Replaces IDs with external IDs, because the source and the fork assign different IDs. */
async function contentOf(emulator: Emulator): Promise<string[]> {
  const ask = createAsk(emulator);
  const { data: all } = await ask("GET", "/organizations?limit=200");
  const names = new Map(
    all.map((organization: { id: string; externalOrganizationId: string }) => [
      organization.id,
      organization.externalOrganizationId,
    ]),
  );
  const contents: string[] = [];
  for (const { id, createdAt: _, updatedAt: __, parentOrganizationId: parent, ...fields } of all) {
    contents.push(JSON.stringify({ ...fields, parent: names.get(parent) }));
    if (fields.type !== "msp") continue;
    const { data } = await ask("GET", `/organizations/${id}/billing-summary`);
    for (const license of data.licenses) contents.push(JSON.stringify({ ...license, owner: names.get(id) }));
  }
  return contents.sort();
}

async function applied(folder: string, actions: readonly OrganizationAction[]): Promise<boolean> {
  const at = (name: string) => join(folder, name);
  const random = systemRandom();
  await (
    await openEmulator({ db: at("source.db"), seed: "demo", clock: "virtual", exclusive: true })
  ).close();
  copyDatabaseFile(at("source.db"), at("base.db"));
  const options = { clock: "virtual", latencyMilliseconds: 0, systemClock: systemClock(), random } as const;
  await createFork(at("base.db"), at("fork.db"), options);
  const fork = await openEmulator({ db: at("fork.db"), exclusive: true });
  for (const action of actions) await actOnOrganizations(createAsk(fork), action);
  const expected = await contentOf(fork);
  await fork.close();

  const closed = await openClosedFork(at("fork.db"), at("base.db"));
  expect(closed.effect.disagreements).toEqual([]);
  const base = await openEmulator({ db: at("base.db"), exclusive: true });
  const { distributor_v2_url: baseUrl, keys } = base.startLine;
  const client = createClient({
    targets: { "distributor-v2": { baseUrl, key: keys.distributor_v2 } },
    transport: base.transport,
    clock: base.clock,
    random,
    maxWaitMilliseconds: Number.POSITIVE_INFINITY,
  });
  const { signal } = new AbortController();
  const reading = { client, clock: base.clock, signal, settleMilliseconds: 0 };
  const inventory = await readInventory(
    reading,
    { msps: [] },
    { findMoreMsps: async (all) => [...all.values()] },
  );
  await base.close();
  try {
    const target = { base_url: baseUrl, anchors: anchorsIn(inventory), surface: "distributor-v2" };
    const header = {
      made_at: new Date(systemClock().now()).toISOString(),
      made_by: "voxctl",
      command: [],
      target,
    };
    const steps = rehearsedOrganizationSteps(closed.writes(), inventory);
    await writePlan(
      at("effect.plan"),
      { header, steps },
      { force: false, random, temporaryFolder: folder, waiting: { clock: systemClock(), signal } },
    );
  } catch (error) {
    if (error instanceof BulkError && error.code === "not_sealable") return false;
    throw error;
  } finally {
    closed.close();
  }
  await using source = await openEmulator({ db: at("source.db"), exclusive: true });
  const line = commandLine({ overrides: connectedTo(source) });
  const words = ["apply", at("effect.plan"), "--yes", "--allow", "orgs:delete"];
  const { code, stderr, stdout } = await line.run(...words, "--profile", "offline");
  expect(code, stderr + stdout).toBe(0);
  expect(await contentOf(source)).toEqual(expected);
  return true;
}

// plain-words: allow title-long
test(`[M12] applying a rehearsal of organizations makes the source match the fork (${runs} runs)`, async () => {
  let sealed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(randomOrganizationWrite, { minLength: 2, maxLength: 8 }), async (actions) => {
      const folder = mkdtempSync(join(tmpdir(), "voxctl-rehearsed-"));
      try {
        if (await applied(folder, actions)) sealed += 1;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: runs, seed },
  );
  expect(sealed).toBeGreaterThan(0);
}, 3_600_000);

test("[M12] if a rehearsal changed one license twice, `apply` makes both changes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-rehearsed-"));
  const actions = [
    { verb: 4, organizationIndex: 62, licenseIndex: 13 },
    { verb: 4, organizationIndex: 346, licenseIndex: 0 },
  ];
  expect(await applied(folder, actions)).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});
