import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { installed } from "../helpers/installed.js";
import { askInScript, rehearsedSource, throughProxy } from "../helpers/rehearsal.js";

// Each of them runs processes, of which a rehearsal has three: whole in `npm run proof -- rehearse`.
const whole = process.env["PROOF"] !== undefined;

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
