import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { commandLine } from "../helpers/cli.js";

async function setUp() {
  const shell = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
  const { run, home, data, config } = shell;
  const succeed = async (...words: string[]) => {
    const ran = await run(...words);
    expect(ran.code, ran.stderr).toBe(0);
    return ran;
  };
  writeFileSync(join(home, "list.csv"), "nr,first_name,phone\n1,Anna,+4915112345671\n");
  const words = ["list.csv", "--group", "Kunden", "--create-group", "-o", "json"];
  const { run_id: runId } = (await succeed("contacts", "import", ...words)).json;
  const journal = join(data, "runs", `${runId}.sqlite`);
  const change = async (path: string, sql: string) => {
    const database = await openDatabase(path);
    database.exec(sql);
    database.close();
  };
  const copyDatabase = async (path: string, format: number) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, readFileSync(join(data, "offline.db")));
    await change(path, `PRAGMA user_version = ${format}`);
  };
  const lookFor = async (check: string) => {
    const ran = await run("doctor", "-o", "json");
    const checks: { check: string; state: string; message: string; details: object[] }[] = ran.json;
    return checks.find((candidate) => candidate.check === check);
  };
  return { ...{ run, succeed, home, data, config, runId, journal, change, copyDatabase, lookFor } };
}

describe("`doctor` and files of other versions", () => {
  test("`doctor` lists no formats if this version of voxctl wrote all files", async () => {
    const { lookFor } = await setUp();
    for (const check of ["run formats", "databases", "mirror formats", "store"])
      expect(await lookFor(check)).toBeUndefined();
  });

  test("`doctor` lists runs of older formats and the command that updates them", async () => {
    const { lookFor, succeed, journal, change } = await setUp();
    const removed = ["input", "answer", "sent_tick", "ended_tick"];
    const drop = removed.map((column) => `ALTER TABLE items DROP COLUMN ${column};`).join("");
    await change(journal, `${drop} PRAGMA user_version = 1`);
    for (let time = 1; time <= 2; time += 1)
      expect(await lookFor("run formats")).toEqual({
        ...{ check: "run formats", state: "warning" },
        message: "1 run has an older format: to update it, run `voxctl runs list`",
        details: [{ path: journal, format: 1, current: 3, update: "`voxctl runs list`" }],
      });
    await succeed("runs", "list");
    expect(await lookFor("run formats")).toBeUndefined();
  });

  test("`doctor` lists the unfinished runs even if another run has a newer format", async () => {
    const { lookFor, succeed, data, home, journal, change } = await setUp();
    writeFileSync(join(home, "more.csv"), "first_name,phone\nBert,+4915112345672\n");
    const more = (await succeed("contacts", "import", "more.csv", "--group", "Kunden", "-o", "json")).json;
    await change(
      join(data, "runs", `${more.run_id}.sqlite`),
      "DELETE FROM settings WHERE name = 'finished_at'",
    );
    await change(journal, "PRAGMA user_version = 99");
    expect((await lookFor("run formats"))?.message).toBe("1 run has a newer format: update voxctl");
    expect((await lookFor("runs"))?.message).toContain(`voxctl runs resume ${more.run_id}`);
  });

  test("`doctor` lists emulator databases of older formats", async () => {
    const { lookFor, succeed, data, copyDatabase } = await setUp();
    await succeed("profiles", "add", "alt", "--offline");
    const [named, unnamed] = [join(data, "alt.db"), join(data, "lost.db")];
    await copyDatabase(named, 8);
    await copyDatabase(unnamed, 7);
    const found = await lookFor("databases");
    expect(found?.message).toBe(
      `2 emulator databases have an older format: to update them, run \`voxctl ping --profile alt\`, \`voxctl emulator start --db ${unnamed}\``,
    );
  });

  test.each([
    ["a finished", "refresh", "'{}'", {}],
    ["an unfinished", "create", "NULL", {}],
    ["an unreadable", "refresh", "NULL", { profile: undefined }],
  ])(
    "`doctor` names the command that updates %s mirror of an older format",
    async (_, verb, manifest, fields) => {
      const { lookFor, data, change, copyDatabase } = await setUp();
      const path = join(data, "mirrors", "acme", "world.db");
      await copyDatabase(path, 8);
      const url = "https://voice.example.com/api/v1";
      const request = { name: "acme", profile: "acme", base_url: url, include: [], contact_groups: null };
      const text = JSON.stringify({
        ...request,
        calls_from: null,
        call_details: false,
        pseudonymize: false,
        ...fields,
      });
      await change(path, `INSERT INTO mirror (request, manifest) VALUES ('${text}', ${manifest})`);
      expect((await lookFor("mirror formats"))?.message).toBe(
        `1 mirror has an older format: to update it, run \`voxctl mirror ${verb} acme\``,
      );
    },
  );

  test("`doctor` warns about a configuration that a newer voxctl wrote", async () => {
    const { lookFor, config } = await setUp();
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.json"), '{"version": 2, "profiles": {}}', { mode: 0o600 });
    expect(await lookFor("configuration")).toMatchObject({
      state: "warning",
      message: expect.stringContaining("written by a newer voxctl (file version 2)"),
    });
  });
});

test("a sync refuses a key map that a newer voxctl wrote", async () => {
  const { run, succeed, home, data, change } = await setUp();
  const sync = ["contacts", "sync", "list.csv", "--group", "Kunden", "--key", "nr", "--yes"];
  await succeed(...sync);
  const { readdirSync } = await import("node:fs");
  const [map = ""] = readdirSync(join(data, "sync")).filter((name) => name.endsWith(".sqlite"));
  await change(
    join(data, "sync", map),
    "UPDATE info SET value = replace(value, '\"voxctl_state\":2', '\"voxctl_state\":3') WHERE name = 'header'",
  );
  writeFileSync(join(home, "list.csv"), "nr,first_name,phone\n1,Anne,+4915112345671\n");
  const refused = await run(...sync);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("the group's key map was written by a different version of voxctl");
});
