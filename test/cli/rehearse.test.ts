import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askInScript, rehearsedSource } from "../helpers/rehearsal.js";

const change = `${askInScript}
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

describe("rehearse", () => {
  test("runs a program against a fork: the effect is told, and the source hears nothing of it", async () => {
    const { line, script, writes } = await rehearsedSource();
    const { code, json, stderr } = await line.run(
      "rehearse",
      "-o",
      "json",
      "--exec",
      "--",
      ...script(change),
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(
      /rehearsal of acme \(mirror of \d\d:\d\d, .* old, consistent\): nothing here reaches the service/,
    );
    expect(json).toMatchObject({
      exit: 0,
      mirror: { name: "acme", consistency: "collected-twice" },
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
      guard: { mode: "host", refused: 0 },
      undo: { full: 3, new_id: 1, partial: 0, none: 0 },
      plan: null,
      world: null,
    });
    expect(await writes()).toEqual([]);
    // Its copies hold personal data.
    expect(readdirSync(join(line.data, "rehearsals"))).toEqual([]);
  });

  test("tells a person in one screen, with phone numbers and e-mails in part", async () => {
    const { line, script } = await rehearsedSource();
    const words = ["rehearse", "--exec", "--diff", "full", "-o", "table"];
    const { code, stdout } = await line.run(...words, "--", ...script(change));
    expect(code).toBe(0);
    expect(stdout).toMatch(/contacts +\+1 {3}~1 {3}-1/);
    expect(stdout).toMatch(/requests +4 writes · 2 reads · 1 refused/);
    expect(stdout).toMatch(
      /duration .* at 200 writes a minute and \d+ ms a request, if nobody else writes with this key/,
    );
    expect(stdout).toContain('last_name: "Schäfer" → "Weiss"');
    expect(stdout).toContain('phone_numbers: ["+4915…03"]');
    expect(stdout).not.toContain("+491510000003");
    expect(stdout).not.toContain("neu@example.org");
    expect(stdout).toMatch(/! 1 time contacts\.create: validation_failed \(.+\)/);
    expect(stdout).toMatch(/assumed: the key may do all of this/);
    const { stdout: whole } = await line.run(...words, "--unmasked", "--", ...script(change));
    expect(whole).toContain('phone_numbers: ["+491510000003"]');
  });

  test("seals the effect as a plan, which voxctl apply carries out at the source", async () => {
    const { line, script, ask, writes } = await rehearsedSource();
    const rehearsed = await line.run(
      "rehearse",
      "-o",
      "json",
      "--plan",
      "neu.plan",
      "--exec",
      "--",
      ...script(change),
    );
    expect(rehearsed.code, rehearsed.stderr).toBe(0);
    expect(rehearsed.json).toMatchObject({
      plan: "neu.plan",
      steps: 4,
      plan_id: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(statSync(join(line.home, "neu.plan")).mode & 0o777).toBe(0o600);
    const [header, ...steps] = readFileSync(join(line.home, "neu.plan"), "utf8")
      .trim()
      .split("\n")
      .map((one) => JSON.parse(one));
    expect(header).toMatchObject({
      base: { mirror: "acme", consistency: "collected-twice" },
      summary: { contacts: { created: 1, updated: 1, deleted: 1 }, groups: { created: 1 } },
    });
    expect(steps.map(({ op, undo }) => [op, undo])).toEqual([
      ["groups.create", "full"],
      ["contacts.create", "full"],
      ["contacts.update", "full"],
      ["contacts.delete", "new-id"],
      [undefined, undefined],
    ]);
    expect(steps[0].if).toEqual({ absent: { in: "groups?type=contacts", name: "Neukunden" } });
    expect(steps[1].body.group_id).toEqual({ $ref: 1 });
    expect(steps[2].if).toEqual({ fields: { last_name: "Schäfer" } });
    expect(steps[3].if).toEqual({ same: expect.stringMatching(/^[0-9a-f]{32}$/) });

    expect((await line.run("plan", "check", "neu.plan")).code).toBe(0);
    expect(await writes()).toEqual([]);
    const applied = await line.run("apply", "neu.plan", "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    expect(applied.json.steps).toMatchObject({ done: 4 });
    expect(applied.json.stored_otherwise).toBe(0);
    const { body } = await ask("GET", "/groups?type=contacts");
    const group = body.data.find(({ name }: { name: string }) => name === "Neukunden");
    const { body: members } = await ask("GET", `/contacts?group_id=${group.id}`);
    expect(members.data).toMatchObject([{ first_name: "Neu", emails: ["neu@example.org"] }]);
    const again = await line.run("apply", "neu.plan", "--yes");
    expect(again.json.applied_before).toBe(true);
  });

  test("ends with the command's own code, and says that code where it ends otherwise", async () => {
    const { line, script } = await rehearsedSource();
    const { code, json } = await line.run(
      "rehearse",
      "-o",
      "json",
      "--exec",
      "--",
      ...script("process.exitCode = 7"),
    );
    expect([code, json.exit, json.effect]).toEqual([7, 7, {}]);
    expect((await line.run("rehearse", "-o", "json", "--exec", "--", "no-such-program")).code).toBe(127);
  });

  test("gives the command no address and no key of the service, and a folder of its own", async () => {
    const { line, script, baseUrl } = await rehearsedSource();
    const seen = join(line.home, "seen.json");
    const { code } = await line.runWith(
      { env: { VOXCTL_API_KEY: "real", VOXCTL_BASE_URL: baseUrl, VOXCTL_DISTRIBUTOR_KEY: "real" } },
      ...["rehearse", "--profile", "acme", "-o", "json", "--exec", "--"],
      ...script(`
        const fs = require("node:fs");
        const { VOXCTL_REHEARSAL: file } = process.env;
        fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ env: process.env, mode: fs.statSync(file).mode & 0o777, file: JSON.parse(fs.readFileSync(file, "utf8")) }));
      `),
    );
    expect(code).toBe(0);
    const { env, mode, file } = JSON.parse(readFileSync(seen, "utf8"));
    expect(mode).toBe(0o600);
    expect(env.VOXCTL_BASE_URL).not.toBe(baseUrl);
    expect(env.VOXCTL_API_KEY).not.toBe("real");
    expect(env.VOXCTL_DISTRIBUTOR_KEY).toBeUndefined();
    expect(env.VOXCTL_DATA_DIR.startsWith(join(line.data, "rehearsals"))).toBe(true);
    expect(file.source).toMatchObject({ profile: "acme", base_url: baseUrl });
  });

  test("keeps the fork where it is asked to, and says where", async () => {
    const { line, script } = await rehearsedSource();
    const { json } = await line.run(
      "rehearse",
      "-o",
      "json",
      "--keep-world",
      "--exec",
      "--",
      ...script(change),
    );
    expect(existsSync(join(json.world, "fork.db"))).toBe(true);
  });

  test("takes faults from a file: a lost answer is part of the effect, and of the time", async () => {
    const { line, script } = await rehearsedSource();
    writeFileSync(
      join(line.home, "faults.json"),
      '[{"kind":"drop_after","operation":"groups.create","times":1}]',
    );
    const words = ["rehearse", "-o", "json", "--latency", "2s", "--faults", "faults.json", "--exec", "--"];
    const lost = `${askInScript} ask("POST", "/groups", { type: "contacts", name: "Weg" }).catch(() => {});`;
    const { json } = await line.run(...words, ...script(lost));
    expect(json.effect).toMatchObject({ groups: { created: 1 } });
    expect(json.seconds).toBe(2);
    const { code, stderr } = await line.run("rehearse", "--faults", "none.json", "--exec", "--", "true");
    expect([code, stderr]).toEqual([2, expect.stringContaining("none.json can't be read")]);
  });
});

describe("a rehearsal is refused", () => {
  test("where there is no mirror: with the command that makes one", async () => {
    const { line } = await rehearsedSource({ mirror: false });
    const { code, stderr } = await line.run("rehearse", "--", "contacts", "list");
    expect(code).toBe(2);
    expect(stderr).toContain("voxctl mirror create acme");
  });

  test("on a mirror that is too old, or another's; in a rehearsal; and where nothing is named", async () => {
    const { line } = await rehearsedSource();
    const old = await line.run("rehearse", "--max-age", "0ms", "--", "contacts", "list");
    expect([old.code, old.stderr]).toEqual([12, expect.stringContaining("voxctl mirror refresh acme")]);
    const elsewhere = ["--url", "http://127.0.0.1:9/api/v1", "--key-env", "SOURCE", "--no-check"];
    await line.run("profiles", "add", "other", ...elsewhere);
    const other = await line.run(
      "rehearse",
      "--profile",
      "other",
      "--mirror",
      "acme",
      "--",
      "contacts",
      "list",
    );
    expect([other.code, other.stderr]).toEqual([12, expect.stringContaining("http://127.0.0.1:9/api/v1")]);
    for (const command of [
      ["rehearse", "--", "ping"],
      ["apply", "x.plan"],
    ]) {
      const inside = await line.runWith({ env: { VOXCTL_REHEARSAL: "/nowhere" } }, ...command);
      expect([inside.code, inside.stderr]).toEqual([
        2,
        expect.stringContaining("does not go into a rehearsal"),
      ]);
    }
    expect((await line.run("rehearse")).code).toBe(2);
    expect((await line.run("rehearse", "--serve", "--", "ping")).code).toBe(2);
  });
});

describe("the guard of a rehearsal", () => {
  /** Asks a proxy of the environment for an address, as programs that honour it do. */
  const throughProxy = (url: string) => `
    const http = require("node:http");
    const proxy = new URL(process.env.http_proxy);
    http.request({ host: proxy.hostname, port: proxy.port, path: ${JSON.stringify(url)}, headers: { host: new URL(${JSON.stringify(url)}).host } },
      (answer) => { process.exitCode = answer.statusCode === 403 ? 4 : 0; answer.resume(); }).end();
  `;

  test("refuses the source's own address, and ends the rehearsal with 12 whatever the command said", async () => {
    const { line, script, baseUrl, requests } = await rehearsedSource();
    const words = ["rehearse", "-o", "json", "--exec", "--"];
    const { code, json, stderr } = await line.run(...words, ...script(throughProxy(`${baseUrl}/ping`)));
    expect([code, json.exit, json.guard]).toEqual([12, 4, { mode: "host", refused: 1 }]);
    expect(stderr).toContain(`the guard refused GET ${baseUrl}/ping`);
    expect(await requests()).toEqual([]);
  });

  test("passes on what leads elsewhere; strict refuses all but this machine", async () => {
    const { line, script } = await rehearsedSource();
    const other = await rehearsedSource({ mirror: false });
    const loopback = script(throughProxy(`${other.baseUrl}/ping`));
    const { code } = await line.run(
      "rehearse",
      "-o",
      "json",
      "--guard",
      "strict",
      "--exec",
      "--",
      ...loopback,
    );
    expect(code).toBe(0);
    expect(await other.requests()).toEqual(["GET /api/v1/ping"]);
    const abroad = script(throughProxy("http://voice.invalid/"));
    const strict = await line.run("rehearse", "-o", "json", "--guard", "strict", "--exec", "--", ...abroad);
    expect([strict.code, strict.json.guard.refused]).toEqual([12, 1]);
  });
});
