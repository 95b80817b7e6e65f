// Mirrors of a service that other clients change concurrently, in random order. PROOF=1 runs more samples.
import { expect, it } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { type Asking, createEmulatorAsk, openFork, readAllRows, watchSource } from "../helpers/mirror.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

const whole = process.env["PROOF"] !== undefined;
const runs = whole ? 150 : 4;
const firstSeed = Number(process.env["PROOF_SEED"] ?? 1);

/** Returns a seeded generator of numbers in [0, 1) (Park-Miller). */
function chance(seed: number): () => number {
  let state = seed * 7_919 + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Returns the content of lists and texts, without the indexing status, which changes with time. */
async function stateOf(ask: Asking): Promise<string> {
  const items = await readAllRows(ask, "/knowledge-items");
  const texts = await Promise.all(
    items.map(async ({ id }) => {
      const { sync_status, ...item } = (await ask("GET", `/knowledge-items/${id}`)).body.data;
      return item;
    }),
  );
  const rows = [...(await readAllRows(ask, "/contacts")), ...(await readAllRows(ask, "/groups")), ...texts];
  return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
}

it(`[M4] a consistent mirror equals a single state of its source despite concurrent writes`, async () => {
  const outcomes: Record<string, number> = {};
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    await using source = await openTestEmulator("in process");
    const ask = createEmulatorAsk(source.instance);
    const next = chance(seed);
    const pick = <T>(rows: readonly T[]): T | undefined => rows[Math.floor(next() * rows.length)];
    const contacts = await source.groupId("contacts");
    const knowledges = await source.groupId("knowledges");
    for (let count = 0; count < 5; count += 1) {
      await ask("POST", "/contacts", { group_id: contacts, first_name: `Anna ${count}` });
      if (count < 2)
        await ask("POST", "/knowledge-items", { group_id: knowledges, name: "x", text: `${count}` });
    }
    await source.advance(10);
    const write = async () => {
      const contact = pick(await readAllRows(ask, "/contacts"));
      const item = pick(await readAllRows(ask, "/knowledge-items"));
      await source.advance(1);
      const choice = Math.floor(next() * 5);
      if (choice === 0) await ask("POST", "/contacts", { group_id: contacts, first_name: `New ${seed}` });
      else if (choice === 1 && contact) await ask("DELETE", `/contacts/${contact.id}`);
      else if (choice === 2 && item)
        await ask("PATCH", `/knowledge-items/${item.id}`, { text: String(next()) });
      else if (choice === 3) await ask("PATCH", `/groups/${contacts}`, { name: `Group ${next()}` });
      else if (contact) await ask("PATCH", `/contacts/${contact.id}`, { last_name: String(next()) });
    };
    const rate = [0, 0.03, 0.1, 0.3][seed % 4] ?? 0;
    const states = new Set([await stateOf(ask)]);
    const busy = watchSource(source.instance, async () => {
      if (next() >= rate) return;
      await write();
      states.add(await stateOf(ask));
    });
    const { run, data } = commandLine({ overrides: busy });
    const list = "groups,contacts,knowledge";
    const made = await run("mirror", "create", "acme", "--include", list, "--passes", "4", "-o", "json");
    expect(made.code, made.stderr).toBe(0);
    const { consistency } = made.json;
    outcomes[consistency] = (outcomes[consistency] ?? 0) + 1;
    if (consistency !== "consistent") continue;
    const copy = await stateOf((await openFork(data, "acme")).ask);
    expect(states.has(copy), `seed ${seed}`).toBe(true);
  }
  // The test proves something only if some mirrors are consistent.
  expect(outcomes["consistent"]).toBeGreaterThan(0);
});
