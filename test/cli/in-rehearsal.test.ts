import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { scriptPrompts } from "../helpers/cli.js";
import { projectText } from "../helpers/config.js";
import { interruptedAt } from "../helpers/interrupted.js";
import { openRehearsedSource, type RehearsedSource } from "../helpers/rehearsal.js";

async function inRehearsal(source: RehearsedSource, { production = false } = {}) {
  const fork = await source.emulator.fork();
  await fork.control("PATCH", "/clock", { mode: "virtual" });
  onTestFinished(() => fork.close());
  const { url } = await fork.listen({ port: 0 });
  const { admin: key } = fork.startLine.keys;
  const data = join(source.line.home, "rehearsal");
  mkdirSync(data);
  const file = join(source.line.home, "rehearsal.json");
  const rehearsal = {
    version: 1,
    pid: process.pid,
    fork: { url, key, control_url: `${url}/_emulator`, control_token: fork.startLine.control_token },
    source: { profile: "acme", base_url: source.baseUrl, production, key_sha256: "", world: null },
    data,
    mirror: "acme",
  };
  writeFileSync(file, JSON.stringify(rehearsal));
  const env = {
    VOXCTL_REHEARSAL: file,
    VOXCTL_DATA_DIR: data,
    VOXCTL_BASE_URL: `${url}/api/v1`,
    VOXCTL_API_KEY: key,
  };
  const run = (...argv: string[]) => source.line.runWith({ env }, ...argv);
  const runWith = (more: Record<string, string | undefined>, ...argv: string[]) =>
    source.line.runWith({ env: { ...env, ...more } }, ...argv);
  return { fork, run, runWith, data, file, env };
}

describe("voxctl in a rehearsal", () => {
  test("a destructive command in a rehearsal needs its own --confirm flag", async () => {
    const { run } = await inRehearsal(await openRehearsedSource({ mirror: false }), { production: true });
    const { code, stderr } = await run("groups", "delete", "Labore und Lieferanten");
    expect([code, stderr]).toEqual([
      12,
      expect.stringContaining("hint: to confirm, add --confirm=acme to the rehearsed command"),
    ]);
  });

  test("a deletion in a rehearsal doesn't warn that it can't be undone", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const { env, run } = await inRehearsal(source);
    const refused = await run("groups", "delete", "Labore und Lieferanten");
    expect(refused.stderr).toMatch(/^hint: to confirm, add --yes to the rehearsed command$/m);
    for (const words of [
      ["groups", "delete", "Labore und Lieferanten"],
      ["subject", "erase", "--phone", "+491713920001"],
    ]) {
      const prompts = scriptPrompts(false);
      await source.line.runWith({ env, overrides: { prompts } }, ...words);
      expect(prompts.messages).toEqual([expect.stringMatching(/^Delete .*\?$/)]);
    }
  });

  test("an interrupted command in a rehearsal doesn't suggest resuming its run", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const { env } = await inRehearsal(source);
    const rows = Array.from({ length: 150 }, (_, at) => `A,+4930${1000000 + at}\n`);
    writeFileSync(join(source.line.home, "a.csv"), `Vorname,Telefon\n${rows.join("")}`);
    const { before, overrides } = interruptedAt(source.emulator, 2);
    const options = { env, before, overrides: { onJournalStep: overrides?.onJournalStep } };
    const importing = ["contacts", "import", "a.csv", "--group", "Cut", "--create-group", "--yes"];
    const { code, stderr } = await source.line.runWith(options, ...importing);
    expect([code, stderr]).toEqual([130, expect.stringContaining("remaining")]);
    expect(stderr).not.toContain("to resume");
  });

  test("`config apply` in a rehearsal says that `voxctl apply` doesn't update the lock file", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const { run } = await inRehearsal(source);
    mkdirSync(join(source.line.home, "prompts"));
    writeFileSync(join(source.line.home, "prompts/a.md"), "---\nname: A\nkind: email\n---\nText\n");
    writeFileSync(join(source.line.home, "voxctl.project.yaml"), projectText().replace("offline", "acme"));
    const { code, stderr } = await run("config", "apply", "--target", "dev", "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("run `voxctl config apply`")]);
  });

  test("voxctl in a rehearsal uses the fork regardless of the profile", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const { fork, run, runWith } = await inRehearsal(source);
    const none = { VOXCTL_BASE_URL: undefined, VOXCTL_API_KEY: undefined };
    const ways = [
      () => run("groups", "create", "--type", "contacts", "--name", "A", "--yes"),
      () => run("--profile", "acme", "groups", "create", "--type", "contacts", "--name", "B", "--yes"),
      () =>
        runWith({ ...none, VOXCTL_PROFILE: "acme" }, "groups", "create", "--type", "contacts", "--name", "C"),
      () => runWith(none, "groups", "create", "--type", "contacts", "--name", "D"),
    ];
    for (const way of ways) {
      const { code, stderr } = await way();
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining("REHEARSAL · profile acme: no requests reach the service"),
      ]);
    }
    expect(await source.requests()).toEqual([]);
    const created = (await fork.control("GET", "/requests?limit=50")) as { method: string }[];
    expect(created.filter(({ method }) => method === "POST")).toHaveLength(4);
  });

  test("voxctl in a rehearsal refuses services and APIs that the mirror doesn't contain", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const elsewhere = ["--url", "http://127.0.0.1:9/api/v1", "--key-env", "SOURCE", "--no-check"];
    await source.line.run("profiles", "add", "other", ...elsewhere);
    const { run } = await inRehearsal(source);
    const refused = await run("--profile", "other", "groups", "list");
    expect([refused.code, refused.stderr]).toEqual([
      12,
      expect.stringContaining('is not part of this rehearsal of "acme"'),
    ]);
    const distributor = await run("orgs", "list");
    expect([distributor.code, distributor.stderr]).toEqual([
      12,
      expect.stringContaining("doesn't contain the distributor-v2 API"),
    ]);
  });

  test("an offline profile in a rehearsal uses a temporary emulator and prints a warning", async () => {
    const { run } = await inRehearsal(await openRehearsedSource({ mirror: false }));
    const offline = await run("--profile", "offline", "groups", "list");
    expect([offline.code, offline.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^warning: profile "offline" is not rehearsed: .* deleted after the rehearsal\n$/,
      ),
    ]);
  });

  test("an import in a rehearsal suggests no undo", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const { run } = await inRehearsal(source);
    writeFileSync(join(source.line.home, "k.csv"), 'Vorname\nAnna\n""\nAnna\n');
    const ran = await run("contacts", "import", "k.csv", "--group", "Patienten", "--yes");
    expect(ran.json, ran.stderr).toMatchObject({ created: 1 });
    expect(ran.stderr).not.toContain("runs undo");
  });

  test("voxctl sends no requests after the rehearsal's file or fork was deleted", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const { fork, run, runWith } = await inRehearsal(source);
    const gone = await runWith(
      { VOXCTL_REHEARSAL: "/nowhere/rehearsal.json" },
      "--profile",
      "acme",
      "groups",
      "list",
    );
    expect([gone.code, gone.stderr]).toEqual([
      12,
      expect.stringContaining("(VOXCTL_REHEARSAL): the rehearsal may have ended"),
    ]);
    await fork.close();
    const over = await run("groups", "list");
    expect([over.code, over.stderr]).toEqual([
      12,
      expect.stringContaining("the rehearsal of acme has ended"),
    ]);
    expect(await source.requests()).toEqual([]);
  });

  test("voxctl in a rehearsal advances the fork's clock instead of waiting for the rate limit", async () => {
    const source = await openRehearsedSource({ mirror: false, limits: { write: 20 } });
    const { fork, run } = await inRehearsal(source);
    const rows = Array.from({ length: 30 }, (_, row) => `V${row},N${row},+49151${1_000_000 + row}`);
    writeFileSync(join(source.line.home, "k.csv"), `first_name,last_name,phone\n${rows.join("\n")}\n`);
    const start = fork.clock.now();
    const { code, json, stderr } = await run(
      "contacts",
      "import",
      "k.csv",
      "--group",
      "Neu",
      "--create-group",
    );
    expect([code, json?.created], stderr).toEqual([0, 30]);
    const seconds = (fork.clock.now() - start) / 1000;
    // The import may send 18 writes per minute; two more are reserved for interactive commands.
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThan(120);
    expect(await source.requests()).toEqual([]);
  });

  test("voxctl in a rehearsal uses a copy of the key map", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const path = join(source.line.home, "k.csv");
    writeFileSync(path, "id,first_name,last_name,phone\n1,Eva,Klein,+491511000001\n");
    const words = [
      "contacts",
      "sync",
      "k.csv",
      "--group",
      "Patienten",
      "--key",
      "id",
      "--state",
      "k.state",
      "--accept-new-map",
      "--yes",
    ];
    const real = await source.line.run(...words);
    expect(real.code, real.stderr).toBe(0);
    const before = readFileSync(join(source.line.home, "k.state"));
    await source.requests();
    const { run } = await inRehearsal(source);
    writeFileSync(
      path,
      "id,first_name,last_name,phone\n1,Eva,Klein,+491511000001\n2,Jan,Groß,+491511000002\n",
    );
    const rehearsed = await run(...words);
    expect(rehearsed.code, rehearsed.stderr).toBe(0);
    expect(readFileSync(join(source.line.home, "k.state")).equals(before)).toBe(true);
    expect(await source.requests()).toEqual([]);
  });
});

describe("voxctl in a rehearsal without the rehearsal's variables", () => {
  test("a command in a rehearsal can't access the service even without the rehearsal's variables", async () => {
    const source = await openRehearsedSource({ mirror: false });
    const folder = join(source.line.data, "rehearsals");
    mkdirSync(folder, { recursive: true });
    const running = { pid: process.ppid, start: null, base_url: source.baseUrl, profile: "acme" };
    writeFileSync(join(folder, String(process.ppid)), JSON.stringify(running));
    const { code, stderr } = await source.line.run("--profile", "acme", "groups", "list");
    expect([code, stderr]).toEqual([12, expect.stringContaining("a rehearsal of acme started this command")]);
    expect(await source.requests()).toEqual([]);
    expect((await source.line.run("--profile", "offline", "groups", "list")).code).toBe(0);
    // The rehearsal has ended, and another process now has its process ID.
    writeFileSync(join(folder, String(process.ppid)), JSON.stringify({ ...running, start: "another time" }));
    expect((await source.line.run("--profile", "acme", "groups", "list")).code).toBe(0);
  });
});
