import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEmulator } from "../../src/emulator/index.js";
import { bin } from "../helpers/installed-cli.js";
import { askScript, formatProxyScript, openRehearsedSource } from "../helpers/rehearsal.js";

const change = `${askScript}
(async () => {
  const [group] = await ask("GET", "/groups?type=contacts");
  const made = await ask("POST", "/groups", { type: "contacts", name: "Neukunden" });
  await ask("POST", "/contacts", { group_id: made.id, first_name: "Neu", phone_numbers: ["+491510000003"], emails: ["neu@example.org"] });
  const [first, second] = await ask("GET", "/contacts?limit=2");
  await ask("PATCH", "/contacts/" + first.id, { last_name: "Weiss" });
  await ask("DELETE", "/contacts/" + second.id);
  await ask("POST", "/contacts", { group_id: group.id, first_name: "" });
})();
`;

describe("voxctl rehearse", () => {
  test("[R1][R2] `rehearse` runs a program against a fork and saves its changes as a plan file", async () => {
    const { line, script, ask, requests, baseUrl } = await openRehearsedSource();
    const seen = join(line.home, "seen.json");
    const look = `
      const fs = require("node:fs");
      const { VOXCTL_REHEARSAL: file } = process.env;
      fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ env: process.env, mode: fs.statSync(file).mode & 0o777, file: JSON.parse(fs.readFileSync(file, "utf8")) }));
      ${change}
    `;
    const rehearsed = await line.runWith(
      { env: { VOXCTL_API_KEY: "real", VOXCTL_BASE_URL: baseUrl, VOXCTL_DISTRIBUTOR_KEY: "real" } },
      ...["rehearse", "--profile", "acme", "-o", "json", "--plan", "neu.plan", "--"],
      ...script(look),
    );
    expect(rehearsed.code, rehearsed.stderr).toBe(0);
    const [, age] =
      /Rehearsing with a copy of profile "acme" \(\d\d:\d\d UTC, (\d+) s old, consistent\)/.exec(
        rehearsed.stderr,
      ) ?? [];
    expect(rehearsed.json).toMatchObject({
      exit: 0,
      mirror: { name: "acme", age_seconds: Number(age), consistency: "consistent" },
      effect: {
        groups: { created: 1, updated: 0, deleted: 0 },
        contacts: { created: 1, updated: 1, deleted: 1, cascaded: 0 },
      },
      requests: {
        writes: 4,
        reads: 2,
        refused: [{ operation: "contacts.create", code: "validation_failed", count: 1 }],
      },
      assumed: expect.arrayContaining(["role"]),
      guard: { mode: "host", refused: 0, advisory: true },
      undo: { full: 3, new_id: 1, partial: 0, none: 0 },
      plan: "neu.plan",
      plan_id: expect.stringMatching(/^[0-9a-f]{12}$/),
      emulator: null,
    });
    // The program sends seven sequential requests.
    const { seconds, latency_ms } = rehearsed.json;
    // The seconds are rounded to one decimal.
    expect(Math.abs(seconds - (7 * Math.round(latency_ms)) / 1_000)).toBeLessThan(0.06);
    // The copies were deleted, because they contain personal data.
    expect(readdirSync(join(line.data, "rehearsals"))).toEqual([]);
    const { env, mode, file } = JSON.parse(readFileSync(seen, "utf8"));
    expect(mode).toBe(0o600);
    expect([env.VOXCTL_BASE_URL === baseUrl, env.VOXCTL_API_KEY, env.VOXCTL_DISTRIBUTOR_KEY]).toEqual([
      false,
      file.fork.key,
      undefined,
    ]);
    expect(env.VOXCTL_DATA_DIR.startsWith(join(line.data, "rehearsals"))).toBe(true);
    expect(file.source).toMatchObject({ profile: "acme", base_url: baseUrl });

    expect(statSync(join(line.home, "neu.plan")).mode & 0o777).toBe(0o600);
    const [header, ...steps] = readFileSync(join(line.home, "neu.plan"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(header.base).toMatchObject({ mirror: "acme", consistency: "consistent" });
    expect(steps.slice(0, 4).map(({ op, if: expected }) => [op, expected])).toEqual([
      ["groups.create", { absent: { in: "groups?type=contacts", name: "Neukunden" } }],
      ["contacts.create", {}],
      ["contacts.update", { fields: { last_name: "Schäfer" } }],
      ["contacts.delete", { same: expect.stringMatching(/^[0-9a-f]{32}$/) }],
    ]);
    expect(steps[1].body.group_id).toEqual({ $ref: 1 });

    // The source received no request: even a read would carry the real key.
    expect(await requests()).toEqual([]);
    const world = (await fetch(`${baseUrl}/ping`)).headers.get("x-emulator-world");
    expect(file.source.world).toBe(world);
    const applied = await line.run("apply", "neu.plan", "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    expect([applied.json.steps.done, applied.json.stored_otherwise]).toEqual([4, 0]);
    expect(applied.stderr).toContain(
      "Mirror acme doesn't contain these changes. To update it, run `voxctl mirror refresh acme`.",
    );
    // The mirror doesn't contain the applied changes, so a plan from it is outdated.
    await line.run("rehearse", "--plan", "alt.plan", "--", ...script(change));
    for (const words of [
      ["apply", "alt.plan", "--yes"],
      ["apply", "alt.plan", "--dry-run"],
      ["plan", "check", "alt.plan"],
    ]) {
      const outdated = await line.run(...words);
      const hint = expect.stringContaining("after `voxctl mirror refresh acme`");
      expect([outdated.code, outdated.stderr]).toEqual([10, hint]);
    }
    const { body } = await ask("GET", "/groups?type=contacts");
    const group = body.data.find(({ name }: { name: string }) => name === "Neukunden");
    const { body: members } = await ask("GET", `/contacts?group_id=${group.id}`);
    expect(members.data).toMatchObject([{ first_name: "Neu", emails: ["neu@example.org"] }]);
  });

  test("[W8] [R4] `rehearse` prints a summary with masked numbers and emails", async () => {
    const { line, script, baseUrl, requests } = await openRehearsedSource();
    const words = ["rehearse", "--diff", "full", "-o", "table", "--"];
    const { code, stdout, stderr } = await line.run(
      ...words,
      ...script(`${formatProxyScript(`${baseUrl}/ping`)} ${change}`),
    );
    expect(code).toBe(12);
    expect(stderr).toContain(`the guard blocked GET ${baseUrl}/ping`);
    expect(await requests()).toEqual([]);
    expect(stdout).toMatch(/contacts +\+1 {3}~1 {3}-1/);
    expect(stdout).toMatch(/requests +4 writes · 2 reads · 1 refused/);
    expect(stdout).toMatch(/duration .* \(200 writes per minute, \d+ ms per request\)/);
    expect(stdout).toContain('last_name: "Schäfer" → "Weiss"');
    expect(stdout).toContain('phone_numbers: ["+4915…03"]');
    expect(stdout).not.toContain("+491510000003");
    expect(stdout).not.toContain("neu@example.org");
    expect(stdout).toContain("Phone numbers and emails are partly masked: `--unmasked`\n");
    expect(stdout).toMatch(/! 1 time contacts\.create: validation_failed \(.+\)/);
    expect(stdout).toMatch(/assumptions: the key has all required permissions/);
    expect(stdout).toContain("guard: blocked 1 request to the service");
    expect(stdout).toContain("rehearse the command again with --plan FILE");
  });

  test("`rehearse` refuses an outdated or missing mirror", async () => {
    const { line } = await openRehearsedSource();
    const old = await line.run("rehearse", "--max-age", "0ms", "--", "contacts", "list");
    expect([old.code, old.stderr]).toEqual([12, expect.stringContaining("voxctl mirror refresh acme")]);
    const elsewhere = ["--url", "http://127.0.0.1:9/api/v1", "--key-env", "SOURCE", "--no-check"];
    await line.run("profiles", "add", "other", ...elsewhere);
    const none = await line.run("rehearse", "--profile", "other", "--", "contacts", "list");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("voxctl mirror create other")]);
    const rehearsed = await line.run(
      "rehearse",
      "--profile",
      "other",
      "--mirror",
      "acme",
      "--",
      "contacts",
      "list",
    );
    expect([rehearsed.code, rehearsed.stderr]).toEqual([
      12,
      expect.stringContaining("http://127.0.0.1:9/api/v1"),
    ]);
    for (const command of [
      ["rehearse", "--", "ping"],
      ["apply", "x.plan"],
      ["mirror", "create"],
      ["mirror", "refresh", "acme"],
      ["mirror", "list"],
      ["mirror", "delete", "acme", "--yes"],
    ]) {
      const inside = await line.runWith({ env: { VOXCTL_REHEARSAL: "/nowhere" } }, ...command);
      expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining("in a rehearsal")]);
    }
    expect((await line.run("rehearse")).code).toBe(2);
    expect((await line.run("rehearse", "--serve", "--", "ping")).code).toBe(2);
  });

  test("`rehearse` requires --mirror if the profile has several mirrors", async () => {
    const { line, script } = await openRehearsedSource({ mirror: false });
    const flags = ["--url", "http://127.0.0.1:9/api/v1", "--key-env", "SOURCE", "--no-check"];
    await line.run("profiles", "add", "other", ...flags);
    const words = ["--profile", "acme", "-o", "json", "--", ...script("")];
    for (const name of ["probe", "second"]) {
      expect((await line.run("mirror", "create", name, "--profile", "acme")).code).toBe(0);
      const ran = await line.run("rehearse", ...words);
      if (name === "probe") expect([ran.code, ran.json.mirror.name]).toEqual([0, "probe"]);
      else expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("2 mirrors: probe, second")]);
    }
    expect((await line.run("rehearse", "--mirror", "second", ...words)).json.mirror.name).toBe("second");
    const none = await line.run("rehearse", "--profile", "other", "--", "true");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('mirror "other" not found')]);
  });

  test("[M7] `rehearse` refuses to save a plan file from a pseudonymized mirror", async () => {
    const { line, script, writes } = await openRehearsedSource();
    for (const [name, flag] of [
      ["hidden", "--pseudonymize"],
      ["once", "--passes=1"],
    ] as const)
      expect((await line.run("mirror", "create", name, flag)).code).toBe(0);
    const add = script(`${askScript} ask("POST", "/groups", { type: "contacts", name: "Neu" });`);
    const words = (name: string) => ["rehearse", "--mirror", name, "-o", "json"];
    const sealed = await line.run(...words("hidden"), "--plan", "a.plan", "--", ...add);
    expect([sealed.code, sealed.stderr]).toEqual([12, expect.stringContaining("is pseudonymized")]);
    const unsealed = await line.run(...words("hidden"), "--", ...add);
    expect([unsealed.code, unsealed.json.effect.groups.created]).toEqual([0, 1]);
    const fuzzy = await line.run(...words("once"), "--plan", "b.plan", "--", ...add);
    expect([fuzzy.code, fuzzy.stderr]).toEqual([
      0,
      expect.stringMatching(/the copy may be inconsistent: \d+ records? changed/),
    ]);
    const [header = ""] = readFileSync(join(line.home, "b.plan"), "utf8").split("\n");
    expect(JSON.parse(header).base).toMatchObject({ mirror: "once", consistency: "fuzzy" });
    expect(await writes()).toEqual([]);
  });

  test("[M9] `rehearse` saves no plan file that depends on missing data", async () => {
    const { line, script } = await openRehearsedSource({ mirror: false });
    expect(
      (await line.run("mirror", "create", "part", "--profile", "acme", "--include", "contacts")).code,
    ).toBe(0);
    const blind = script(`${askScript}
      (async () => {
        const [group] = await ask("GET", "/groups?type=glossaries");
        if ((await ask("GET", "/glossary")).length === 0)
          await ask("POST", "/glossary", { group_id: group.id, term: "PZR", definition: "x" });
      })();`);
    const words = ["rehearse", "--mirror", "part", "-o", "json"];
    const ran = await line.run(...words, "--", ...blind);
    expect([ran.code, ran.json.absent_reads]).toEqual([0, { glossary: 1 }]);
    const sealed = await line.run(...words, "--plan", "a.plan", "--", ...blind);
    expect([sealed.code, sealed.stderr]).toEqual([
      12,
      expect.stringContaining("the command changed glossary"),
    ]);
    expect(existsSync(join(line.home, "a.plan"))).toBe(false);
    const [, hint = ""] = /create the mirror again: `(.+?)`/.exec(sealed.stderr) ?? [];
    for (const command of hint.split(" && ")) {
      const { code, stderr } = await line.run(...command.split(" ").slice(1));
      expect(code, stderr).toBe(0);
    }
    expect((await line.run(...words, "--plan", "a.plan", "--", ...blind)).code).toBe(0);
  });

  test("[M9] `rehearse` saves no plan file that deletes a group whose contacts are missing", async () => {
    const { line, script } = await openRehearsedSource({ mirror: false });
    const words = ["mirror", "create", "part", "--profile", "acme", "--group", "Patienten"];
    expect((await line.run(...words)).code).toBe(0);
    const deletion = (name: string) =>
      script(`${askScript}
        ask("GET", "/groups?type=contacts").then((groups) =>
          ask("DELETE", "/groups/" + groups.find(({ name }) => name === ${JSON.stringify(name)}).id));`);
    const rehearse = ["rehearse", "--mirror", "part", "--plan", "weg.plan", "--"];
    const refused = await line.run(...rehearse, ...deletion("Überweiser"));
    expect([refused.code, refused.stderr]).toEqual([
      12,
      expect.stringContaining(
        "the command changed contacts, but the mirror doesn't contain all of this data",
      ),
    ]);
    expect((await line.run(...rehearse, ...deletion("Patienten"))).code).toBe(0);
  });

  test("[W8] [M9] a plan contains the rehearsal's assumptions and duration", async () => {
    const { line, script } = await openRehearsedSource();
    const add = script(`${askScript}
      ask("GET", "/calls").then(() => ask("POST", "/groups", { type: "contacts", name: "Neu" }));`);
    const { json } = await line.run("rehearse", "-o", "json", "--plan", "a.plan", "--", ...add);
    const shown = await line.run("plan", "show", "a.plan", "-o", "json");
    const { assumed, estimate } = shown.json.header;
    expect(assumed).toEqual(json.assumed);
    expect(assumed).toEqual(["role", "limit:write", "absent:calls"]);
    expect(estimate.writes).toBe(1);
    expect(Math.abs(estimate.seconds - json.seconds)).toBeLessThan(0.06);
    const assumptions = /^Assumptions: .*calls that are not in the mirror don't affect the changes$/m;
    expect((await line.run("plan", "show", "a.plan", "-o", "table")).stdout).toMatch(assumptions);
    expect((await line.run("apply", "a.plan", "--yes")).stderr).toMatch(assumptions);
  });

  test("`rehearse` reports that a plan without steps has nothing to apply", async () => {
    const { line, script } = await openRehearsedSource();
    const words = ["rehearse", "-o", "table", "--plan", "a.plan", "--", ...script("")];
    const { stdout } = await line.run(...words);
    expect(stdout).toContain("plan: a.plan, 0 steps: there is nothing to apply\n");
    expect(stdout).not.toMatch(/personal data|voxctl apply/);
  });

  test("a rehearsal's results files are kept until the next rehearsal", async () => {
    const { line, script } = await openRehearsedSource();
    writeFileSync(join(line.home, "k.csv"), "first_name,phone\nAnna,x\n");
    const output = join(line.home, "output");
    const words = [bin, "contacts", "import", "k.csv", "--group", "Patienten"];
    const importing = script(`
      const { stderr } = require("node:child_process").spawnSync(process.execPath, ${JSON.stringify(words)});
      require("node:fs").writeFileSync(${JSON.stringify(output)}, stderr);`);
    const ran = await line.run("rehearse", "-o", "table", "--keep", "--", ...importing);
    const printed = readFileSync(output, "utf8");
    const [, results = ""] = /see (\S+\.report\.ndjson) for the reason/.exec(printed) ?? [];
    expect(readFileSync(results, "utf8")).toContain('"outcome":"invalid"');
    expect(ran.stderr).toContain(
      "The next rehearsal or `voxctl mirror delete` will delete the results file of this rehearsal.",
    );
    expect(ran.stdout + ran.stderr).not.toContain(results);
    const [, db = ""] = /run `voxctl emulator start --db (\S+)`/.exec(ran.stdout) ?? [];
    const kept = await openEmulator({ db });
    expect(await kept.control("GET", "/mirror")).toBeDefined();
    await kept.close();
    await line.run("rehearse", "--", ...script(""));
    expect([existsSync(results), existsSync(db)]).toEqual([false, true]);
  });
});

test("`rehearse`, `plan` and `apply` report the exit code of a rehearsed command that failed", async () => {
  const { line, script } = await openRehearsedSource();
  const failing = script(`${change}process.exitCode = 12;`);
  const { code, stdout } = await line.run("rehearse", "-o", "table", "--plan", "k.plan", "--", ...failing);
  expect([code, stdout.includes("voxctl apply")]).toEqual([12, false]);
  expect(stdout).toContain("code 12: the plan contains only the changes made before the failure");
  const shown = (await line.run("plan", "show", "k.plan", "-o", "table")).stdout;
  expect(shown).toMatch(/^Rehearsed on: mirror acme, copied 20\d\d-\S+Z \(/m);
  expect(shown).toContain(
    "Rehearsed command: exit code 12; the plan contains only the changes made before the failure",
  );
  for (const words of [
    ["plan", "check", "k.plan"],
    ["apply", "k.plan", "--dry-run"],
    ["apply", "k.plan", "--yes"],
  ]) {
    const { code, stderr } = await line.run(...words);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        "warning: the rehearsed command ended with exit code 12: the plan contains only the changes made before the failure",
      ),
    ]);
  }
  const unchanged = script("process.exitCode = 12;");
  const empty = await line.run("rehearse", "-o", "table", "--plan", "leer.plan", "--", ...unchanged);
  expect(empty.stdout).toContain(
    "0 steps: the command failed before it made a change\nthe command exited with code 12\n",
  );
});

test("without a terminal, `rehearse` prints the flag that confirms a production profile", async () => {
  const { line, script } = await openRehearsedSource({ profile: ["acme", "--production"] });
  const { stdout, stderr } = await line.run(
    ...["rehearse", "-o", "table", "--plan", "k.plan", "--", ...script(change)],
  );
  expect(stdout, stderr).toContain("voxctl apply k.plan --confirm=acme");
});

test("an import replaces the rejects file that its rehearsal wrote", async () => {
  const { line } = await openRehearsedSource();
  writeFileSync(join(line.home, "k.csv"), "Vorname,Telefon\nAnna,x\n");
  const words = ["contacts", "import", "k.csv", "--group", "Patienten", "--rejects", "rejects.csv"];
  const rehearsed = await line.run("rehearse", "-o", "table", "--", process.execPath, bin, ...words);
  expect([rehearsed.code, existsSync(join(line.home, "rejects.csv"))], rehearsed.stderr).toEqual([68, true]);
  expect(rehearsed.stdout).toContain("exited with code 68: the changes don't include the rejected items");
  expect((await line.run(...words)).code).toBe(68);
});
