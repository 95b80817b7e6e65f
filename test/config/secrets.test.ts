// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of configuration files look like this
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprintsOf, judgeHeader, judgeSecret, stateAfter } from "../../src/features/config/secrets.js";
import { parseError, projectText, setUpConfig } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";

const key = "k".repeat(43);
const prints = fingerprintsOf(key, "0123456789ab");
const otherPrints = fingerprintsOf("o".repeat(43), "0123456789ab");
const source = { from: "env:X" };
const judge = (more: object) =>
  judgeSecret({
    field: "secret",
    source,
    value: "geheim",
    state: undefined,
    fingerprints: prints,
    isStored: true,
    isFresh: false,
    rewrite: false,
    ...more,
  });

describe("secrets of a configuration", () => {
  test("[S2] a fingerprint depends on the key and the project, and requires a strong key", () => {
    expect(fingerprintsOf("short", "p")).toBeUndefined();
    expect(fingerprintsOf(`vak_${key}`, "p")).toBeUndefined();
    expect(prints?.of("a")).toMatch(/^[0-9a-f]{32}$/);
    expect(prints?.tag).toMatch(/^[0-9a-f]{4}$/);
    expect(new Set([prints?.of("a"), otherPrints?.of("a"), fingerprintsOf(key, "ffff")?.of("a")]).size).toBe(
      3,
    );
  });

  test("[S3] [S4] a secret is sent if it is new, changed or cleared", () => {
    const kept = stateAfter({}, "geheim", prints);
    const otherState = stateAfter({}, "geheim", otherPrints);
    expect(judge({ isStored: undefined })).toMatchObject({ state: "new", isSent: true });
    expect(judge({ state: kept })).toMatchObject({ state: "unchanged", isSent: false });
    expect(judge({ state: kept, value: "neu" })).toMatchObject({ state: "changed", isSent: true });
    expect(judge({ state: { ...kept, version: 1 }, source: { ...source, version: 2 } })).toMatchObject({
      isSent: true,
    });
    expect(judge({ state: { ...kept, version: 2 }, source: { ...source, version: 2 } })).toMatchObject({
      isSent: false,
    });
    expect(judge({ state: kept, isStored: false })).toMatchObject({ state: "new", isSent: true });
    expect(judge({ state: kept, isFresh: true })).toMatchObject({ isSent: true });
    expect(judge({ state: kept, rewrite: true })).toMatchObject({ state: "changed", isSent: true });
    expect(judge({ state: otherState })).toMatchObject({ state: "unknown", isSent: false });
    expect(judge({ state: otherState, value: "neu" })).toMatchObject({ state: "unknown", isSent: false });
    expect(judge({})).toMatchObject({ state: "unknown", isSent: false });
    expect(judge({ state: kept, value: undefined })).toMatchObject({
      state: "unknown",
      isSent: false,
      reason: "env:X is unset",
    });
    expect(
      judge({ fingerprints: undefined, state: { version: 1 }, source: { ...source, version: 2 } }),
    ).toMatchObject({ isSent: true });
    expect(judge({ source: null, value: undefined })).toMatchObject({ state: "cleared", isSent: true });
  });

  test("the journals of `apply` and of its undo contain no secret headers", async () => {
    const value = "MARKIERT-4711-geheim";
    const tool = (description: string) =>
      `name: crm_lookup\ndescription: ${description}\nurl: https://crm.example.com/lookup\nheaders: { X-Praxis: { from: env:CRM } }\n`;
    const { home, json, list, root, run, runWith, write } = await setUpConfig({
      "tools/crm.yaml": tool("A"),
    });
    await run("profiles", "set", "offline", "allow_env=CRM");
    const apply = async (...flags: string[]) => {
      const argv = ["config", "apply", "--target", "dev", "--yes", "-o", "json", ...flags];
      const applied = await runWith({ cwd: root, env: { CRM: value } }, ...argv);
      expect(applied.code, applied.stderr).toBe(0);
      return applied.json.run.run_id;
    };
    await json("runs", "undo", await apply());
    expect(await list("tools")).toEqual([]);
    await apply("--drift", "overwrite");
    write({ "tools/crm.yaml": tool("B") });
    await json("runs", "undo", await apply());
    expect(await list("tools")).toMatchObject([{ description: "A", headers: { "X-Praxis": value } }]);
    await apply("--drift", "overwrite");
    write({ "tools/crm.yaml": undefined });
    const { report } = await json("runs", "undo", await apply("--prune"));
    expect(readFileSync(report, "utf8")).toContain("recreated without its secret");
    expect(await list("tools")).toMatchObject([{ description: "B", headers: {} }]);
    const journals = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(root))
      .map((entry) => join(entry.parentPath, entry.name));
    expect(journals.some((path) => path.endsWith(".sqlite"))).toBe(true);
    expect(journals.filter((path) => readFileSync(path, "latin1").includes(value))).toEqual([]);
  });

  test("[S6] a secret appears in no file, lock, plan or output", async () => {
    const value = "MARKIERT-4711-geheim";
    const tool = "name: crm_lookup\nurl: https://crm.example.com/lookup\nsecret: { from: env:CRM }\n";
    const setup = await setUpConfig({ "tools/crm.yaml": tool });
    await setup.run("profiles", "set", "offline", "allow_env=CRM,TODO");
    const run = (env: Record<string, string>, ...argv: string[]) =>
      setup.runWith({ cwd: setup.root, env }, "config", argv[0] ?? "", "--target", "dev", ...argv.slice(1));
    const unset = await run({}, "apply", "--yes", "-o", "json");
    expect(unset.code).toBe(2);
    expect(parseError(unset).message).toContain("the plan requires env:CRM");
    expect((await setup.writes()).length).toBe(0);
    expect((await run({}, "plan")).code).toBe(0);
    const texts: string[] = [];
    for (const argv of [
      ["plan", "--out", "a.plan"],
      ["apply", "--yes"],
      ["diff"],
      ["plan", "-o", "table"],
      ["render", "tools/crm"],
    ]) {
      const { stdout, stderr } = await run({ CRM: value }, ...argv);
      texts.push(stdout, stderr);
    }
    texts.push(...Object.values(setup.all()));
    for (const text of texts) expect(text).not.toContain("MARKIERT");
    expect(await setup.list("tools")).toMatchObject([{ has_secret: true }]);
    const before = (await setup.writes()).length;
    expect((await run({ CRM: value }, "apply", "--yes")).code).toBe(0);
    expect((await setup.writes()).length).toBe(before);
    const lock = setup.read("locks/dev.jsonl");
    expect(lock).toMatch(/"secrets":\{"secret":\{"[0-9a-f]{4}":"[0-9a-f]{32}"\}\}/);
    expect((await run({ CRM: "anders-4712" }, "plan")).json.update).toEqual([
      { key: "tools/crm", fields: ["secret"], changes: [] },
    ]);
    expect((await run({ CRM: "anders-4712" }, "secrets", "confirm")).code).toBe(2);
    const confirmed = await setup.runWith(
      { cwd: setup.root, env: { CRM: "anders-4712" } },
      "config",
      "secrets",
      "confirm",
      "--target",
      "dev",
      "tools/crm",
    );
    expect(confirmed.code).toBe(0);
    expect((await run({ CRM: "anders-4712" }, "plan")).json.update).toEqual([]);
  });

  test("a plan shows that an update of a secret and another field can be undone in part", async () => {
    const tool = (description: string) =>
      `name: crm_lookup\ndescription: ${description}\nurl: https://crm.example.com\nsecret: { from: env:CRM }\n`;
    const { root, run, runWith, write } = await setUpConfig({ "tools/crm.yaml": tool("A") });
    await run("profiles", "set", "offline", "allow_env=CRM");
    const config = (secret: string, ...argv: string[]) =>
      runWith({ cwd: root, env: { CRM: secret } }, "config", ...argv, "--target", "dev");
    expect((await config("eins-4711", "apply", "--yes")).code).toBe(0);
    write({ "tools/crm.yaml": tool("B") });
    const planned = await config("zwei-4712", "plan", "-o", "table", "--out", "a.plan");
    expect(planned.stdout).toContain("undo: all but 1 (1 secret)");
    const { stdout } = await runWith({ cwd: root }, "plan", "show", "a.plan", "-o", "table");
    expect(stdout).toContain(
      "Undo: 1 step can be undone except for secrets and the contents of organizations\n",
    );
    expect(stdout).toContain(": can only be undone in part\n");
  });

  test("[S4] the command that `plan` prints for confirming secrets works as printed", async () => {
    const tool = "name: crm_lookup\nurl: https://crm.example.com/lookup\nsecret: { from: env:CRM }\n";
    const setup = await setUpConfig({ "tools/crm.yaml": tool });
    await setup.run("profiles", "set", "offline", "allow_env=CRM");
    const run = (env: Record<string, string>, ...argv: string[]) =>
      setup.runWith({ cwd: setup.root, env: { CRM: "4711-geheim", ...env } }, ...argv);
    const plan = ["config", "plan", "--target", "dev", "-o", "table"];
    expect((await run({}, "config", "apply", "--target", "dev", "--yes")).code).toBe(0);
    setup.write({ "locks/dev.jsonl": undefined });
    expect((await run({}, "config", "adopt", "--target", "dev")).code).toBe(0);
    const rehearsed = await run({ VOXCTL_REHEARSAL: "rehearsal.json" }, ...plan);
    expect(rehearsed.stdout).not.toContain("secrets confirm");
    const [, command = ""] =
      /run `voxctl (config secrets confirm [^`]*)`/.exec((await run({}, ...plan)).stdout) ?? [];
    expect((await run({}, ...command.split(" "))).code).toBe(0);
    expect((await run({}, ...plan)).stdout).not.toContain("can't detect");
  });

  test("`secrets confirm` finds a key in any Unicode form, and confirms it once", async () => {
    const setup = await setUpConfig({
      "tools/café.yaml": "name: crm\nurl: https://crm.example.com\nsecret: { from: env:CRM }\n",
    });
    const run = (...argv: string[]) =>
      setup.runWith(
        { cwd: setup.root, env: { CRM: "geheim-4711" } },
        ...["config", ...argv, "--target", "dev", "--allow-env", "CRM"],
      );
    expect((await run("apply", "--yes")).code).toBe(0);
    const confirmed = await run("secrets", "confirm", "tools/cafe\u0301", "tools/caf\u00e9");
    expect([confirmed.code, confirmed.json.confirmed]).toEqual([
      0,
      [{ key: "tools/caf\u00e9", field: "secret" }],
    ]);
  });

  test("[U8] [S3] the value of a header with a reference is never printed", async () => {
    const value = "MARKIERT-0815-geheim";
    const tool = `name: crm_lookup
url: https://crm.example.com/lookup
headers:
  X-Tenant: praxis # offen
  X-Access-Token: { from: env:CRM } # geheim
`;
    const setup = await setUpConfig({ "tools/crm.yaml": tool });
    await setup.run("profiles", "set", "offline", "allow_env=CRM,TODO");
    const texts: string[] = [];
    const run = async (env: Record<string, string>, ...argv: string[]) => {
      const [verb = "", ...args] = argv;
      const ran = await setup.runWith({ cwd: setup.root, env }, "config", verb, "--target", "dev", ...args);
      texts.push(ran.stdout, ran.stderr);
      return ran;
    };
    const live = async () => (await setup.list("tools"))[0];
    const unset = await run({}, "apply", "--yes", "-o", "json");
    expect([unset.code, (await setup.writes()).length]).toEqual([2, 0]);
    for (const argv of [
      ["plan", "--out", "a.plan"],
      ["apply", "--yes"],
      ["diff"],
      ["plan", "-o", "table"],
      ["render", "tools/crm"],
    ])
      expect((await run({ CRM: value }, ...argv)).code).toBe(0);
    expect((await live()).headers).toEqual({ "X-Tenant": "praxis", "X-Access-Token": value });
    const sent = (await setup.writes()).length;
    for (const env of [{ CRM: value }, { CRM: "" }]) expect((await run(env, "apply", "--yes")).code).toBe(0);
    expect((await setup.writes()).length).toBe(sent);
    // A changed secret is sent together with the other headers.
    expect((await run({ CRM: "neu-0816" }, "plan")).json.update).toEqual([
      { key: "tools/crm", fields: ["headers.X-Access-Token"], changes: [] },
    ]);
    expect((await run({ CRM: "neu-0816" }, "apply", "--yes")).code).toBe(0);
    expect((await live()).headers).toEqual({ "X-Tenant": "praxis", "X-Access-Token": "neu-0816" });
    // If a plain and a secret header change live, `pull` writes the plain value and reports the secret
    // header.
    await publicApi(setup.emulator)("PATCH", `/tools/${(await live()).id}`, {
      headers: { "X-Tenant": "labor", "X-Access-Token": value, "X-Api-Key": value },
    });
    const drifted = await run({ CRM: "neu-0816" }, "plan");
    expect([drifted.code, drifted.json.drift]).toEqual([
      10,
      [{ key: "tools/crm", fields: ["headers", "headers.X-Access-Token"] }],
    ]);
    const pulled = await run({ CRM: "neu-0816" }, "pull");
    expect(pulled.json.left).toMatchObject([
      { field: "headers.X-Api-Key" },
      { field: "headers.X-Access-Token", reason: expect.stringContaining("env:CRM") },
    ]);
    expect(setup.read("tools/crm.yaml")).toBe(
      `${tool.replace("praxis #", "labor #")}  X-Api-Key:\n    from: env:TODO\n`,
    );
    expect((await setup.config("check")).json).toMatchObject([{ line: 7, field: "headers.X-Api-Key.from" }]);
    const after = await run({ CRM: "neu-0816", TODO: value }, "apply", "--yes", "--drift", "overwrite");
    expect(after.code).toBe(0);
    expect((await live()).headers).toEqual({
      "X-Tenant": "labor",
      "X-Access-Token": "neu-0816",
      "X-Api-Key": value,
    });
    texts.push(...Object.values(setup.all()));
    for (const text of texts) expect(text).not.toContain("MARKIERT");
    // A header whose value is no longer secret is compared like any plain header.
    setup.write({
      "tools/crm.yaml": "name: crm_lookup\nheaders: { X-Tenant: labor, X-Access-Token: offen }\n",
    });
    for (const updates of [1, 0]) {
      expect((await run({}, "plan")).json.update.length).toBe(updates);
      expect((await run({}, "apply", "--yes")).code).toBe(0);
    }
  });

  test("[S6] [U8] a secret header stays secret if the service changes the case of its name", async () => {
    const value = "MARKIERT-0816-geheim";
    const tool = (tenant: string) =>
      `name: crm\nurl: https://crm.example.com\nheaders:\n  X-Tenant: ${tenant}\n  X-Access-Token: { from: env:CRM }\n`;
    const setup = await setUpConfig({ "tools/crm.yaml": tool("praxis") });
    await setup.run("profiles", "set", "offline", "allow_env=CRM");
    const lowered = (row: { headers?: object }) => ({
      ...row,
      ...(row.headers === undefined
        ? {}
        : {
            headers: Object.fromEntries(
              Object.entries(row.headers).map(([name, inner]) => [name.toLowerCase(), inner]),
            ),
          }),
    });
    const overrides = reshapeResponses(setup.emulator, ({ path }, { body }) => {
      if (!path.startsWith("/api/v1/tools") || body.data === undefined) return undefined;
      const data = Array.isArray(body.data) ? body.data.map(lowered) : lowered(body.data);
      return { body: { ...body, data } };
    });
    const run = (verb: string, ...args: string[]) =>
      setup.runWith(
        { cwd: setup.root, env: { CRM: value }, overrides },
        ...["config", verb, "--target", "dev", ...args],
      );
    expect((await run("apply", "--yes")).code).toBe(0);
    expect((await run("plan")).json).toMatchObject({ update: [], drift: [] });
    setup.write({ "tools/crm.yaml": tool("labor") });
    expect((await run("plan", "--out", "a.plan")).code).toBe(0);
    for (const text of Object.values(setup.all())) expect(text).not.toContain("MARKIERT");
    expect((await run("apply", "--yes")).code).toBe(0);
    const { id } = (await setup.list("tools"))[0];
    await publicApi(setup.emulator)("PATCH", `/tools/${id}`, {
      headers: { "x-tenant": "zentrale", "x-access-token": value },
    });
    expect((await run("pull", "--force")).code).toBe(0);
    expect(setup.read("tools/crm.yaml")).toBe(tool("zentrale"));
  });

  test("[S6] a plan file contains no secret header that was set only in the organization", async () => {
    const tool = (name: string) =>
      `name: ${name}\nurl: https://crm.example.com\nheaders: { X-Tenant: praxis }\n`;
    const setup = await setUpConfig({ "tools/a.yaml": tool("a"), "tools/b.yaml": tool("b") });
    expect((await setup.apply()).code).toBe(0);
    for (const { id } of await setup.list("tools"))
      await publicApi(setup.emulator)("PATCH", `/tools/${id}`, {
        headers: { "X-Tenant": "praxis", "X-Api-Key": "MARKIERT" },
      });
    setup.write({ "tools/b.yaml": undefined });
    const planned = await setup.config("plan", "--drift", "overwrite", "--prune", "--out", "a.plan");
    expect([planned.code, planned.json.writes], planned.stderr).toEqual([0, 2]);
    expect(setup.read("a.plan")).not.toContain("MARKIERT");
    const applied = await setup.apply("a.plan");
    expect(applied.code, applied.stderr).toBe(0);
    expect(await setup.list("tools")).toMatchObject([{ name: "a", headers: { "X-Tenant": "praxis" } }]);
  });

  test("[S6] `pull` prints no header values if one of the headers comes from a variable", async () => {
    const tool =
      "name: crm\nurl: https://crm.example.com\nheaders:\n  X-Tenant: ${var.tenant}\n  X-Id: eins\n";
    const setup = await setUpConfig({
      "voxctl.project.yaml": projectText().replace("offline }", "offline, variables: { tenant: praxis } }"),
      "tools/crm.yaml": tool,
    });
    expect((await setup.apply()).code).toBe(0);
    const { id } = (await setup.list("tools"))[0];
    await publicApi(setup.emulator)("PATCH", `/tools/${id}`, {
      headers: { "X-Tenant": "praxis", "X-Id": "zwei", "X-Api-Key": "MARKIERT" },
    });
    for (const format of ["json", "table"]) {
      const { code, stdout, stderr } = await setup.config("pull", "-o", format);
      expect([code, stdout]).toEqual([0, expect.stringContaining("a value comes from ${var.tenant}")]);
      expect(stdout + stderr).not.toContain("MARKIERT");
    }
  });

  test("[S3] `pull` doesn't add a placeholder for a removed secret", async () => {
    const tool = (more: string) => `name: crm_lookup\nurl: https://crm.example.com/lookup\n${more}`;
    const setup = await setUpConfig({ "tools/crm.yaml": tool("secret: { from: env:CRM }\n") });
    await setup.run("profiles", "set", "offline", "allow_env=CRM");
    const run = (verb: string, ...args: string[]) =>
      setup.runWith(
        { cwd: setup.root, env: { CRM: "geheim-4711" } },
        ...["config", verb, "--target", "dev", ...args],
      );
    expect((await run("apply", "--yes")).code).toBe(0);
    setup.write({ "tools/crm.yaml": tool("description: Neu\n") });
    expect((await run("apply", "--yes")).code).toBe(0);
    expect((await run("pull")).json.written).toEqual([]);
    expect(setup.read("tools/crm.yaml")).toBe(tool("description: Neu\n"));
    // The service still stores the secret, so voxctl can still detect whether it changed.
    setup.write({ "tools/crm.yaml": tool("secret: { from: env:CRM }\n") });
    expect((await run("plan")).json.update).toEqual([]);
  });

  test("[A8] an update of a webhook keeps omitted credentials", async () => {
    const assistant = (url: string) =>
      `name: A\nlanguage: de\nvoice: Clara\ncompany_name: P\ncompany_industry: Z\nintroduction: Hallo\npre_call_webhook:\n  enabled: true\n  url: ${url}\n  auth: { type: bearer, secret: { from: env:CRM } }\n`;
    const setup = await setUpConfig({ "assistants/a.yaml": assistant("https://crm.example.com/a") });
    await setup.run("profiles", "set", "offline", "allow_env=CRM");
    const apply = () =>
      setup.runWith(
        { cwd: setup.root, env: { CRM: "geheim-4711" } },
        ...["config", "apply", "--target", "dev", "--yes", "--allow", "assistants:create"],
      );
    const first = await apply();
    expect([first.code, first.stderr]).toEqual([0, ""]);
    setup.write({ "assistants/a.yaml": assistant("https://crm.example.com/b") });
    const second = await apply();
    expect(second.code).toBe(0);
    expect((await setup.list("assistants"))[0].pre_call_webhook).toMatchObject({
      url: "https://crm.example.com/b",
      auth: { type: "bearer", has_secret: true },
    });
    expect(JSON.stringify((await setup.writes()).at(-1))).not.toContain("geheim");
  });

  test("the results file of `apply` contains no secret header of a normalized webhook", async () => {
    const assistant = (url: string) =>
      `name: A\nlanguage: de\nvoice: Clara\ncompany_name: P\ncompany_industry: Z\nintroduction: Hallo\npre_call_webhook: { enabled: true, url: "${url}" }\n`;
    const setup = await setUpConfig({ "assistants/a.yaml": assistant("https://crm.example.com/a") });
    expect((await setup.apply()).code).toBe(0);
    const { id } = (await setup.list("assistants"))[0];
    const set = { enabled: true, url: "https://crm.example.com/a", headers: { "X-Api-Key": "MARKIERT" } };
    await publicApi(setup.emulator)("PATCH", `/assistants/${id}`, { pre_call_webhook: set });
    setup.write({ "assistants/a.yaml": assistant("https://crm.example.com/b") });
    const overrides = reshapeResponses(setup.emulator, ({ method }, { body }) =>
      method === "PATCH" ? { body: JSON.stringify(body).replace('/b"', '/b/"') } : undefined,
    );
    const argv = ["config", "apply", "--target", "dev", "--yes", "-o", "json"];
    const { code, json, stderr } = await setup.runWith({ cwd: setup.root, overrides }, ...argv);
    expect(code, stderr).toBe(0);
    const results = readFileSync(json.run.report, "utf8");
    expect(results).toContain('"op":"assistants.update"');
    expect(results).not.toContain("MARKIERT");
  });

  test("[S3] a header that the service normalizes is not drift, even with a weak fingerprint key", () => {
    const header = (more: object) =>
      judgeHeader({
        field: "headers.A",
        source,
        value: "geheim",
        shown: "***",
        state: {},
        fingerprints: prints,
        ...more,
      }).verdict;
    const state = stateAfter({}, "geheim", prints, "***");
    expect(header({ state })).toBe("in_sync");
    expect(header({ state, value: "neu" })).toBe("changed");
    expect(header({ state, shown: "+++" })).toBe("drift");
    expect(header({ state, value: undefined })).toBe("unknown");
    expect(header({ state: stateAfter({}, "geheim", otherPrints, "***") })).toBe("unknown");
    expect(
      header({ state: stateAfter({}, "geheim", otherPrints, "***"), source: { ...source, version: 1 } }),
    ).toBe("changed");
    expect(header({ state, shown: "geheim" })).toBe("in_sync");
    const weak = { fingerprints: undefined, state: { version: 1 } };
    expect(header({ ...weak, source: { ...source, version: 1 } })).toBe("in_sync");
    expect(header({ ...weak, source: { ...source, version: 2 } })).toBe("changed");
  });

  test("[S1] `check` reports a literal secret and an unset secret", async () => {
    const { config, write } = await setUpConfig({
      "tools/crm.yaml": "name: crm\nurl: https://x.example.com\nsecret: geheim123\n",
    });
    const literal = await config("check");
    expect(literal.code).toBe(2);
    expect(literal.json).toMatchObject([{ file: "tools/crm.yaml", line: 3, field: "secret" }]);
    expect(literal.stdout).not.toContain("geheim123");
    write({ "tools/crm.yaml": "name: crm\nurl: https://x.example.com\nsecret: { from: env:TODO }\n" });
    expect((await config("check")).json).toMatchObject([{ line: 3, field: "secret.from" }]);
  });

  test("`check` reports a key that was pasted into a source, and never prints it", async () => {
    const key = "aB3".repeat(15);
    const { config, write } = await setUpConfig();
    for (const area of ["env", "file", "keychain"]) {
      write({
        "tools/crm.yaml": `name: crm\nurl: https://x.example.com\nsecret: { from: "${area}:${key}" }\n`,
      });
      const checked = await config("check");
      expect(checked.json).toMatchObject([
        { message: expect.stringContaining("contains a key, but must be") },
      ]);
      expect(checked.stdout + checked.stderr).not.toContain(key);
    }
  });

  test.each(["$CRM_SECRET", "Korrekt-Pferd.Batterie"])(
    "`check` refuses env:%s, which is not a plain name, and never prints it",
    async (name) => {
      const { config } = await setUpConfig({
        "tools/crm.yaml": `name: crm\nurl: https://x.example.com\nsecret: { from: "env:${name}" }\n`,
      });
      const checked = await config("check");
      expect(checked.code).toBe(2);
      expect(checked.json).toMatchObject([
        { message: expect.stringContaining("with letters, digits and underscores") },
      ]);
      expect(checked.stdout + checked.stderr).not.toContain(name);
    },
  );
});
