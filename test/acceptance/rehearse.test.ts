import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, createInstalledCli } from "../helpers/installed-cli.js";
import { askScript, formatProxyScript, openRehearsedSource } from "../helpers/rehearsal.js";

const whole = process.env["PROOF"] !== undefined;

// A rehearsal starts three processes, so only `npm run proof -- rehearse` runs it.
describe.runIf(whole)("a rehearsal", () => {
  test("`rehearse` exits with the exit code of its command", async () => {
    const { line, script } = await openRehearsedSource();
    const words = ["rehearse", "-o", "json", "--"];
    const { code, json } = await line.run(...words, ...script("process.exitCode = 7"));
    expect([code, json.exit, json.effect]).toEqual([7, 7, {}]);
    expect((await line.run(...words, "no-such-program")).code).toBe(127);
  });

  test("--guard strict allows requests only to servers on this machine", async () => {
    const { line, script } = await openRehearsedSource();
    const otherSource = await openRehearsedSource({ mirror: false });
    const words = ["rehearse", "-o", "json", "--guard", "strict", "--"];
    const { code } = await line.run(...words, ...script(formatProxyScript(`${otherSource.baseUrl}/ping`)));
    expect(code).toBe(0);
    expect(await otherSource.requests()).toEqual(["GET /api/v1/ping"]);
    const abroad = await line.run(...words, ...script(formatProxyScript("http://voice.invalid/")));
    expect([abroad.code, abroad.json.guard.refused]).toEqual([12, 1]);
  });

  test("[R5] `rehearse --clock real` uses the machine's time", async () => {
    const { line, script } = await openRehearsedSource();
    const compare = script(`${askScript}
      (async () => {
        const started = Date.now();
        const { created_at } = await ask("POST", "/groups", { type: "contacts", name: "Neu" });
        const made = Date.parse(created_at);
        if (made < started || made > Date.now()) process.exitCode = 4;
      })();`);
    const words = ["rehearse", "-o", "json", "--clock", "real", "--"];
    expect((await line.run(...words, ...compare)).code).toBe(0);
  });

  test("[P3] a program's secrets are not in its plan file, summary, fork, journal or log", async () => {
    const { line, script } = await openRehearsedSource();
    const marks = ["MARKED-tool", "MARKED-bearer"];
    const send = script(`${askScript}
      (async () => {
        const url = "https://crm.example.com/";
        await ask("POST", "/tools", { name: "crm", description: "x", url, parameters: {}, secret: "MARKED-tool" });
        const [assistant] = await ask("GET", "/assistants");
        await ask("PATCH", "/assistants/" + assistant.id, { pre_call_webhook: { enabled: true, url, auth: { type: "bearer", secret: "MARKED-bearer" } } });
      })();`);
    const words = ["rehearse", "--plan", "s.plan", "--keep", "--diff", "full", "--unmasked", "-o", "table"];
    const rehearsed = await line.run(...words, "--", ...send);
    expect([rehearsed.code, rehearsed.stdout], rehearsed.stderr).toEqual([
      0,
      expect.stringMatching(/tools +\+1/),
    ]);
    const plan = readFileSync(join(line.home, "s.plan"), "utf8");
    const names = Object.keys(JSON.parse(plan.split("\n")[0] ?? "").secrets);
    expect(names).toHaveLength(2);
    const secrets = names.flatMap((name, index) => ["--secret", `${name}=env:SECRET_${index}`]);
    const env = { SECRET_0: marks[0], SECRET_1: marks[1] };
    const applied = await line.runWith({ env }, "apply", "s.plan", "--yes", ...secrets);
    expect(applied.code, applied.stderr).toBe(0);
    const printed = [rehearsed.stdout, rehearsed.stderr, applied.stdout, applied.stderr, plan].join("\n");
    const files = readdirSync(line.data, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(["fork.db", "base.db"]));
    const bytes = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
    for (const mark of marks) expect([printed, ...bytes].filter((text) => text.includes(mark))).toEqual([]);
  });
});

// A rehearsal starts three processes, so only `npm run proof -- rehearse` runs it.
test.runIf(whole)("rehearsing `runs undo` keeps the run's journal unchanged", async () => {
  const source = await openRehearsedSource({ mirror: false });
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
    ...["rehearse", "-o", "json", "--", process.execPath, bin],
    ...undo,
  );
  expect(code, stderr).toBe(0);
  expect(json.effect).toEqual({ contacts: { created: 0, updated: 0, deleted: 1, cascaded: 0 } });
  expect(readFileSync(journal).equals(before)).toBe(true);
  expect(await source.writes()).toEqual([]);
  expect((await line.run(...undo)).json).toMatchObject({ deleted: 1 });
});

// A rehearsal starts three processes, so only `npm run proof -- rehearse` runs it.
test.runIf(whole)("the rehearsal demo creates a copy, saves a plan file and applies it", async () => {
  const { run } = createInstalledCli({ VOXCTL_KEYCHAIN: "off" });
  const { code, stdout, stderr } = await run(["demo", "rehearse"]);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/contacts +\+2 {3}~1 {3}-0/);
  expect(stdout).toContain('last_name: "Schäfer" → "Schäfer-Klein"');
  expect(stdout).toContain("plan: kunden.plan, 3 steps, contains personal data (mode 600)");
  expect(stdout).toContain("Created 2, updated 1: applied 3 of 3 steps");
});
