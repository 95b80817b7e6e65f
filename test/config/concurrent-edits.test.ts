import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Transport } from "../../src/base/transport.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import { setUpConfig } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";

const isProof = process.env["PROOF"] !== undefined;
const numbers = [0, 1, 2, 3];
const prompt = (number: number, text: string) => `---\nname: P${number}\nkind: answering\n---\n${text}\n`;

/** Another user's edits before the nth request of an apply, or after its response. */
const edits = fc.array(
  fc.record({
    thing: fc.constantFrom(...numbers),
    request: fc.nat(24),
    when: fc.constantFrom("before", "after"),
  }),
  { minLength: 1, maxLength: 5 },
);

async function applyAmong(all: readonly { thing: number; request: number; when: string }[]) {
  const setup = await setUpConfig(
    Object.fromEntries(numbers.map((number) => [`prompts/p${number}.md`, prompt(number, "alt")])),
  );
  await setup.apply();
  const ids = numbers.map((number) => setup.lock()[`prompts/p${number}`]?.id ?? "");
  for (const number of numbers) setup.write({ [`prompts/p${number}.md`]: prompt(number, `neu ${number}`) });
  const api = publicApi(setup.emulator);
  const textOf = async (id: string) =>
    (await api("GET", `/prompts/${id}`)).body.data as unknown as { text: string };
  /**
   * Other users' texts that the run overwrote although it knew the text or had not read the resource
   * recently.
   */
  const overwritten: string[] = [];
  /** The run's last read of each resource. */
  const looks = new Map<string, { text: string; request: number }>();
  let requests = 0;
  let foreignEdits = 0;
  const edit = async (request: number, when: string) => {
    for (const { thing: promptIndex } of all.filter(
      (change) => change.request === request && change.when === when,
    )) {
      foreignEdits += 1;
      const text = `fremd ${foreignEdits}`;
      await api("PATCH", `/prompts/${ids[promptIndex]}`, { text });
    }
  };
  const transport: Transport = async (url, request) => {
    requests += 1;
    const number = requests;
    await edit(number, "before");
    const id = /\/prompts\/(\w+)/.exec(url)?.[1] ?? "";
    if (request.method === "PATCH") {
      const { text } = await textOf(id);
      const look = looks.get(id) ?? { text: "", request: 0 };
      // Between the read and the write of a prompt, the run may read and write the other prompts.
      const isFresh = number - look.request <= 2 * numbers.length;
      if (text.startsWith("fremd") && (look.text === text || !isFresh)) overwritten.push(text);
    }
    // A change between this read and the next write can't be detected.
    if (request.method === "GET" && id !== "") looks.set(id, { ...(await textOf(id)), request: number });
    const response = await setup.emulator.transport(url, request);
    await edit(number, "after");
    return response;
  };
  const overrides = {
    connect: async (
      profile: Parameters<typeof connectEmulator>[1],
      options: Parameters<typeof connectEmulator>[2],
    ) => ({
      ...connectEmulator(
        { ...setup.emulator, startLine: setup.emulator.startLine, transport },
        profile,
        options,
      ),
      close: async () => {},
    }),
  };
  const ran = await setup.runWith(
    { cwd: setup.root, overrides },
    "config",
    "apply",
    "--target",
    "dev",
    "--yes",
  );
  const live = await Promise.all(ids.map(async (id) => (await textOf(id)).text));
  return { ...setup, ran, overwritten, live, requests };
}

describe("edits while an apply runs", () => {
  test("after an apply, `plan` reports every concurrent edit that is still in place", async () => {
    let met = 0;
    await fc.assert(
      fc.asyncProperty(edits, async (all) => {
        const { ran, overwritten, live, config } = await applyAmong(all);
        expect([0, 10, 68]).toContain(ran.code);
        expect(overwritten).toEqual([]);
        const changedPrompts = live.flatMap((text, number) =>
          text.startsWith("fremd") ? [`prompts/p${number}`] : [],
        );
        met += changedPrompts.length;
        const { json } = await config("plan");
        const reported = [...json.drift, ...json.conflicts].map(({ key }: { key: string }) => key).sort();
        expect(reported).toEqual(changedPrompts);
        for (const [number, text] of live.entries())
          if (!text.startsWith("fremd")) expect(["alt", `neu ${number}`]).toContain(text);
      }),
      { numRuns: isProof ? 250 : 3, seed: Number(process.env["PROOF_SEED"] ?? 7) },
    );
    expect(met).toBeGreaterThan(0);
  });

  test("an edit during an apply can stop the apply or make it skip the resource", async () => {
    const { requests } = await applyAmong([]);
    const codes = new Set<number>();
    const last = isProof ? 0 : requests - 4;
    for (const request of [
      ...(isProof ? [] : [2]),
      ...Array.from({ length: requests - last }, (_, index) => last + index + 1),
    ]) {
      const { ran, live } = await applyAmong([{ thing: 3, request, when: "after" }]);
      codes.add(ran.code);
      if (ran.code === 10) expect(live.slice(0, 3)).toEqual(["alt", "alt", "alt"]);
      if (ran.code === 68) expect(live).toEqual(["neu 0", "neu 1", "neu 2", "fremd 1"]);
    }
    expect([...codes].sort()).toEqual([0, 10, 68]);
  });
});
