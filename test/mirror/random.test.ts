// Mirrors of random organizations: one over each transport, or 20 with PROOF=1.
import fc from "fast-check";
import { expect, it } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { copiedLists, createEmulatorAsk, expectSameContent, openFork } from "../helpers/mirror.js";
import { applyRandomWrite, randomWrite } from "../helpers/random-writes.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

const whole = process.env["PROOF"] !== undefined;
const runs = whole ? 20 : 1;
const seed = Number(process.env["PROOF_SEED"] ?? 11);
const copied = Object.keys(copiedLists).filter((name) => name !== "calls");

it.each(["in process", "over HTTP"] as const)(
  `[M1] a mirror %s has the same lists and resources as the source (${runs} organizations)`,
  async (transport) => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomWrite, { minLength: 5, maxLength: 30 }), async (writes) => {
        await using source = await openTestEmulator(transport, { seed: "empty" });
        const ask = createEmulatorAsk(source.instance);
        for (const write of writes)
          await applyRandomWrite(async (method, path, body) => {
            const response = await ask(method, path, body);
            return { data: response.body?.data ?? response.body };
          }, write);
        // Wait until indexing has ended, because it would otherwise progress in the copy.
        await source.advance(60);
        const { run, data } = commandLine(
          transport === "in process"
            ? { overrides: connectedTo(source.instance) }
            : { env: { VOXCTL_BASE_URL: `${source.url}/api/v1`, VOXCTL_API_KEY: source.keys.admin } },
        );
        const { code, stderr } = await run("mirror", "create", "copy", "-o", "json");
        expect(code, stderr).toBe(0);
        await expectSameContent(ask, (await openFork(data, "copy")).ask, copied);
      }),
      { numRuns: runs, seed },
    );
  },
  600_000,
);
