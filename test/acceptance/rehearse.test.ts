import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { bin, installed } from "../helpers/installed.js";
import { askInScript, rehearsedSource, throughProxy } from "../helpers/rehearsal.js";

const whole = process.env["PROOF"] !== undefined;

// A rehearsal has three processes: these are run by `npm run proof -- rehearse`.
describe.runIf(whole)("a rehearsal", () => {
  test("ends with the command's own code", async () => {
    const { line, script } = await rehearsedSource();
    const words = ["rehearse", "-o", "json", "--exec", "--"];
    const { code, json } = await line.run(...words, ...script("process.exitCode = 7"));
    expect([code, json.exit, json.effect]).toEqual([7, 7, {}]);
    expect((await line.run(...words, "no-such-program")).code).toBe(127);
  });

  test("keeps the fork where it is asked to, and says where", async () => {
    const { line, script } = await rehearsedSource();
    const { json } = await line.run("rehearse", "-o", "json", "--keep-world", "--exec", "--", ...script(""));
    expect(existsSync(join(json.world, "fork.db"))).toBe(true);
  });

  test("takes faults from a file: a lost answer is part of the effect, and of the time", async () => {
    const { line, script } = await rehearsedSource();
    const faults = '[{"kind":"drop_after","operation":"groups.create","times":1}]';
    writeFileSync(join(line.home, "faults.json"), faults);
    const words = ["rehearse", "-o", "json", "--latency", "2s", "--faults", "faults.json", "--exec", "--"];
    const lost = `${askInScript} ask("POST", "/groups", { type: "contacts", name: "Weg" }).catch(() => {});`;
    const { json } = await line.run(...words, ...script(lost));
    expect(json.effect).toMatchObject({ groups: { created: 1 } });
    expect(json.seconds).toBe(2);
  });

  test("passes on what leads elsewhere; strict refuses all but this machine", async () => {
    const { line, script } = await rehearsedSource();
    const other = await rehearsedSource({ mirror: false });
    const words = ["rehearse", "-o", "json", "--guard", "strict", "--exec", "--"];
    const { code } = await line.run(...words, ...script(throughProxy(`${other.baseUrl}/ping`)));
    expect(code).toBe(0);
    expect(await other.requests()).toEqual(["GET /api/v1/ping"]);
    const abroad = await line.run(...words, ...script(throughProxy("http://voice.invalid/")));
    expect([abroad.code, abroad.json.guard.refused]).toEqual([12, 1]);
  });
});

// A rehearsal has three processes: these are run by `npm run proof -- rehearse`.
test.runIf(whole)("an undo can be rehearsed: the run's own journal stays byte for byte", async () => {
  const source = await rehearsedSource({ mirror: false });
  const { line } = source;
  writeFileSync(join(line.home, "k.csv"), "first_name,last_name,phone\nEva,Klein,+491511000001\n");
  const imported = await line.run("contacts", "import", "k.csv", "--group", "Patienten");
  expect(imported.code, imported.stderr).toBe(0);
  expect((await line.run("mirror", "create", "acme")).code).toBe(0);
  await source.requests();
  const journal = join(line.data, "runs", `${imported.json.run_id}.sqlite`);
  const before = readFileSync(journal);
  const undo = ["runs", "undo", imported.json.run_id, "--yes"];
  const { code, json, stderr } = await line.run(
    ...["rehearse", "-o", "json", "--exec", "--", process.execPath, bin],
    ...undo,
  );
  expect(code, stderr).toBe(0);
  expect(json.effect).toEqual({ contacts: { created: 0, updated: 0, deleted: 1, cascaded: 0 } });
  expect(readFileSync(journal).equals(before)).toBe(true);
  expect(await source.writes()).toEqual([]);
  expect((await line.run(...undo)).json).toMatchObject({ deleted: 1 });
});

// A rehearsal has three processes: these are run by `npm run proof -- rehearse`.
test.runIf(whole)("the demo goes from a copy to a plan that is applied, by real commands", async () => {
  const { run } = installed({ VOXCTL_KEYCHAIN: "off" });
  const { code, stdout, stderr } = await run(["demo", "rehearse"]);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/contacts +\+2 {3}~1 {3}-0/);
  expect(stdout).toContain('last_name: "Schäfer" → "Schäfer-Klein"');
  expect(stdout).toContain("plan: kunden.plan, 3 steps, holds personal data (mode 600)");
  expect(stdout).toMatch(/applied_before +false\ncreated +2\nupdated +1/);
  expect(stdout).toMatch(/done +3\n/);
  const readme = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");
  const excerpt = /(\$ voxctl mirror create[\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const lines = excerpt.split("\n").filter((line) => line.trim() !== "" && line !== "…");
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => !`${stdout}${stderr}`.includes(line))).toEqual([]);
});
