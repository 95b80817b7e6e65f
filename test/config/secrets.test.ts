import { describe, expect, test } from "vitest";
import { fingerprintsOf, judgeSecret, stateAfter } from "../../src/config/secrets.js";
import { configWorld, errorOf } from "../helpers/config.js";

const key = "k".repeat(43);
const prints = fingerprintsOf(key, "0123456789ab");
const other = fingerprintsOf("o".repeat(43), "0123456789ab");
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

describe("secrets", () => {
  test("[S2] fingerprints are made for strong keys only, and differ by key and project", () => {
    expect(fingerprintsOf("short", "p")).toBeUndefined();
    expect(fingerprintsOf(`vak_${key}`, "p")).toBeUndefined();
    expect(prints?.of("a")).toMatch(/^[0-9a-f]{32}$/);
    expect(prints?.tag).toMatch(/^[0-9a-f]{4}$/);
    expect(new Set([prints?.of("a"), other?.of("a"), fingerprintsOf(key, "ffff")?.of("a")]).size).toBe(3);
  });

  test("[S3] [S4] a secret is sent exactly where the table says", () => {
    const kept = stateAfter({}, "geheim", prints);
    const foreign = stateAfter({}, "geheim", other);
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
    expect(judge({ state: foreign })).toMatchObject({ state: "unknown", isSent: false });
    expect(judge({ state: foreign, value: "neu" })).toMatchObject({ state: "unknown", isSent: false });
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

  test("[S6] a value is in no file, lock, plan or output; another key sends nothing, another value does", async () => {
    const value = "MARKIERT-4711-geheim";
    const tool = "name: crm_lookup\nurl: https://crm.example.com/lookup\nsecret: { from: env:CRM }\n";
    const world = await configWorld({ "tools/crm.yaml": tool });
    const run = (env: Record<string, string>, ...argv: string[]) =>
      world.runWith({ cwd: world.root, env }, "config", argv[0] ?? "", "--target", "dev", ...argv.slice(1));
    const unset = await run({}, "apply", "--yes", "-o", "json");
    expect(unset.code).toBe(2);
    expect(errorOf(unset).message).toContain("env:CRM is unset");
    expect((await world.writes()).length).toBe(0);
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
    texts.push(...Object.values(world.all()));
    for (const text of texts) expect(text).not.toContain("MARKIERT");
    expect(await world.list("tools")).toMatchObject([{ has_secret: true }]);
    const before = (await world.writes()).length;
    expect((await run({ CRM: value }, "apply", "--yes")).code).toBe(0);
    expect((await world.writes()).length).toBe(before);
    const lock = world.read("locks/dev.jsonl");
    expect(lock).toMatch(/"secrets":\{"secret":\{"[0-9a-f]{4}":"[0-9a-f]{32}"\}\}/);
    expect((await run({ CRM: "anders-4712" }, "plan")).json.update).toEqual([
      { key: "tools/crm", fields: ["secret"] },
    ]);
    expect((await run({ CRM: "anders-4712" }, "secrets", "confirm")).code).toBe(2);
    const confirmed = await world.runWith(
      { cwd: world.root, env: { CRM: "anders-4712" } },
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

  test("[S1] a literal secret, and one that is yet to be filled in, are told by check", async () => {
    const { config, write } = await configWorld({
      "tools/crm.yaml": "name: crm\nurl: https://x.example.com\nsecret: geheim123\n",
    });
    const literal = await config("check");
    expect(literal.code).toBe(2);
    expect(literal.json).toMatchObject([{ file: "tools/crm.yaml", line: 3, field: "secret" }]);
    expect(literal.stdout).not.toContain("geheim123");
    write({ "tools/crm.yaml": "name: crm\nurl: https://x.example.com\nsecret: { from: env:TODO }\n" });
    expect((await config("check")).json).toMatchObject([{ line: 3, field: "secret.from" }]);
  });
});
