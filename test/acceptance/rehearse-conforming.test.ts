// Rehearses changes on services that differ from the emulator. PROOF=1 tests all relevant differences.
import { describe, expect, it, onTestFinished } from "vitest";
import type { Bench } from "../conformance/harness/bench.js";
import { createClockBench } from "../conformance/harness/in-process.js";
import { createSocketBench } from "../conformance/harness/sockets.js";
import { fieldsOf } from "../conformance/server/service-state.js";
import { type SwitchName, switchNames } from "../conformance/server/switches.js";
import { bin } from "../helpers/installed-cli.js";

const whole = process.env["PROOF"] !== undefined;

/** Switches that these tests skip: they don't affect contacts, or they change or lose data. */
const unrelated =
  /^(pages|ids|tree|billing|usage|snake|nested|data|licenses|delete |partners|tools|legacy|status|new statuses|ranges|recordings|WAV|statistics|a CRM|another user|requests|answers|late|reads|102|103|chunked|closes|limiter)/;
const cells: readonly SwitchName[] = whole
  ? switchNames.filter((name) => !unrelated.test(name))
  : ["changes case"];

const file = [
  "first_name,last_name,phone",
  "Neighbor 1,Someone-Else,+49309990001",
  "Eva,Klein ,+491511000001",
  "Jan,GROSS,+491511000002",
].join("\n");

/** Sends the same requests to the fork as an import of the file, but without voxctl. */
const asScript = `
const { VOXCTL_BASE_URL: base, VOXCTL_API_KEY: key } = process.env;
const ask = async (method, path, body) => (await (await fetch(base + path, { method, headers: { authorization: "Bearer " + key, "content-type": "application/json" }, body: body && JSON.stringify(body) })).json()).data;
(async () => {
  const group = (await ask("GET", "/groups")).find(({ type, name }) => type === "contacts" && name === "Team");
  const [first] = await ask("GET", "/contacts");
  await ask("PATCH", "/contacts/" + first.id, { last_name: "Someone-Else" });
  for (const [first_name, last_name] of [["Eva", "Klein "], ["Jan", "GROSS"]])
    await ask("POST", "/contacts", { group_id: group.id, first_name, last_name, phone_numbers: ["+49151100000" + first_name.length] });
})();`;

/** Compares lowercase names, because the service may change their case. */
const contactsOf = ({ service }: Bench) =>
  service.state
    .rows("contacts")
    .map((row) => JSON.stringify([row.id, String(fieldsOf(row)["last_name"]).toLowerCase()]))
    .sort();
const writesOf = ({ service }: Bench) => service.log.filter(({ method }) => method !== "GET").length;

// biome-ignore lint/suspicious/noExplicitAny: reports of any command
async function ran(bench: Bench, ...argv: string[]): Promise<any> {
  const { code, stdout, stderr } = await bench.run("-o", "json", ...argv);
  expect(code, `${argv.join(" ")}\n${stderr}${stdout}`).toBe(0);
  return JSON.parse(stdout);
}

async function rehearsed(bench: Bench, command: readonly string[]): Promise<void> {
  await ran(bench, "mirror", "create", "copy");
  const before = contactsOf(bench);
  const words = ["rehearse", "--mirror", "copy", "--plan", "k.plan", "--"];
  const { effect, steps } = await ran(bench, ...words, ...command);
  expect(effect).toEqual({ contacts: { created: 2, updated: 1, deleted: 0, cascaded: 0 } });
  expect(steps).toBe(3);
  expect([writesOf(bench), contactsOf(bench)]).toEqual([0, before]);
  const applied = await ran(bench, "apply", "k.plan", "--yes", ...bench.settle);
  expect([applied.created, applied.updated, applied.steps.done]).toEqual([2, 1, 3]);
  expect(writesOf(bench)).toBe(3);
  expect(contactsOf(bench).filter((contact) => !before.includes(contact))).toHaveLength(3);
  await bench.pass();
  await ran(bench, "runs", "undo", applied.run_id, "--yes", ...bench.settle);
  expect(contactsOf(bench)).toEqual(before);
}

describe("a rehearsal of another service", () => {
  it.each(cells)(
    "[T1] a rehearsal predicts the result of `apply` for the service behavior %s",
    async (name) => {
      const bench = createClockBench([name]);
      onTestFinished(bench.remove);
      await rehearsed(bench, [process.execPath, bench.write("as-script.cjs", asScript)]);
    },
  );

  // Starts three processes, so only `npm run proof -- rehearse` runs it.
  it.runIf(whole)("[T1] the built command rehearses and applies an import over network sockets", async () => {
    const bench = await createSocketBench([], "built");
    onTestFinished(bench.remove);
    bench.write("k.csv", file);
    const words = ["contacts", "import", "k.csv", "--group", "Team", "--on-match", "update", "--yes"];
    await rehearsed(bench, [process.execPath, bin, ...words]);
  });
});
