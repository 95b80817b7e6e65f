import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const secret = "quite-secret-token";

async function practice() {
  const emulator = await openSeededEmulator({
    seed: "demo",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const writes = async () =>
    ((await emulator.control("GET", "/requests?limit=200")) as { method: string; path: string }[])
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
  const id = async (name: string): Promise<string> => (await run("assistants", "get", name)).json.id;
  return { ...shell, emulator, run, writes, id };
}

describe("assistants", () => {
  test("assistants can be created, read, updated and deleted", async () => {
    const { run } = await practice();
    const created = await run(
      ...["assistants", "create", "--name", "Labor", "--language", "de", "--voice", "Noa"],
      ...["--company-name", "Praxis", "--company-industry", "Zahnmedizin", "--introduction", "Hallo"],
      ...[
        "--prompt",
        "Notdienst",
        "--email-prompt",
        "Zusammenfassung per E-Mail",
        "--knowledge-group",
        "Default",
      ],
    );
    expect(created.code).toBe(0);
    expect(created.json.phone_number).toMatch(/^\+4932\d{9}$/);
    expect(created.json.knowledge_group_ids).toHaveLength(1);
    const changed = await run(
      "assistants",
      "update",
      "Labor",
      "--introduction",
      "Moin",
      "--set",
      "prompt_id=null",
    );
    expect(changed.json).toMatchObject({ introduction: "Moin", prompt_id: null });
    expect((await run("assistants", "get", "Labor")).json).toEqual(changed.json);
    const deleted = await run("assistants", "delete", "Labor", "--yes");
    expect(deleted.json).toEqual({ id: created.json.id, deleted: true });
    expect((await run("assistants", "get", created.json.id)).code).toBe(4);
  });

  test("`assistants update` refuses a prompt of the wrong type", async () => {
    const { run, writes } = await practice();
    const refused = await run("assistants", "update", "Empfang", "--email-prompt", "Notdienst");
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('no email prompt is named "Notdienst"');
    expect(await writes()).toEqual([]);
  });

  test("`voices list` omits voices that can't be selected", async () => {
    const { run, runWith } = await practice();
    const names = (await run("voices", "list")).json.map(({ name }: { name: string }) => name);
    expect(names).toContain("Clara");
    expect(names.join()).not.toMatch(/legacy|reserved/);
    const table = await runWith({ terminal: 80 }, "--profile", "offline", "voices", "list");
    expect(table.stdout.split("\n")[0]?.trim()).toMatch(/ID +NAME +GENERATION +LANGUAGES/);
  });

  test("the lists of assistants and prompts fit a terminal of 80 columns", async () => {
    const { runWith } = await practice();
    for (const resource of ["assistants", "prompts"]) {
      const { stdout } = await runWith(
        { terminal: 80 },
        "--profile",
        "offline",
        "--no-color",
        resource,
        "list",
      );
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
      expect(stdout).toContain("Empfang");
    }
  });
});

describe("assistants webhook", () => {
  test("`assistants webhook` reads the secret from stdin, a file or a variable", async () => {
    const { run, runWith, home } = await practice();
    const set = ["--profile", "offline", "--debug", "assistants", "webhook", "set", "Notdienst"];
    const to = ["--url", "https://crm.example/hook", "--auth", "bearer"];
    writeFileSync(join(home, "secret.txt"), `${secret}\n`);
    const runs = [
      await runWith({ stdin: `${secret}\n` }, ...set, ...to, "--secret", "-"),
      await runWith({}, ...set, ...to, "--secret", "file:secret.txt"),
      await runWith({ env: { CRM_SECRET: secret } }, ...set, ...to, "--secret", "env:CRM_SECRET"),
      await runWith(
        { env: { CRM_SECRET: secret } },
        ...set,
        ...to,
        "--secret",
        "env:CRM_SECRET",
        "--dry-run",
      ),
    ];
    for (const { code, stdout, stderr } of runs) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain(secret);
    }
    expect((await run("assistants", "get", "Notdienst")).json.pre_call_webhook).toEqual({
      enabled: true,
      url: "https://crm.example/hook",
      headers: {},
      auth: { type: "bearer", has_secret: true },
    });
  });

  test("on a terminal, `assistants webhook` asks for the secret of a new authentication type", async () => {
    const { runWith, emulator } = await practice();
    const prompts = scriptPrompts(secret);
    const overrides = { ...connectedTo(emulator), prompts };
    const set = ["assistants", "webhook", "set", "Empfang", "--auth", "basic", "--username", "praxis"];
    const { code, json } = await runWith({ overrides }, "--profile", "offline", ...set, "-o", "json");
    expect(code).toBe(0);
    expect(prompts.messages).toEqual(["password:"]);
    expect(json.auth).toEqual({ type: "basic", username: "praxis", has_password: true });
  });

  test("without a secret, `assistants webhook` shows how to pass the secret", async () => {
    const { run, writes } = await practice();
    const refused = await run(
      "assistants",
      "webhook",
      "set",
      "Empfang",
      "--auth",
      "basic",
      "--username",
      "u",
    );
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--secret env:VARIABLE");
    const none = await run("assistants", "webhook", "set", "Notdienst", "--header", "X-A: 1");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("--url");
    expect(await writes()).toEqual([]);
  });

  test("`assistants webhook` and `tools create` hide header values in a dry run and with --debug", async () => {
    const { run } = await practice();
    const set = ["assistants", "webhook", "set", "Empfang", "--header", "X-Site-Token: t0ken-of-mine"];
    const tool = [
      "tools",
      "create",
      "--data",
      '{"name":"t","url":"https://x.example","headers":{"X-A":"t0ken-of-mine"}}',
    ];
    for (const command of [set, tool]) {
      for (const flags of [["--dry-run"], ["--dry-run", "-o", "json"], ["--debug"]]) {
        const { code, stdout, stderr } = await run(...command, ...flags);
        expect(code).toBe(0);
        // With --debug, stdout contains the response with its header values, so only stderr is checked.
        const output = flags[0] === "--debug" ? stderr : stdout + stderr;
        expect(output).toMatch(/X-(?:Site-Token|A)[": ]+\*{3}/);
        expect(output).not.toContain("t0ken-of-mine");
      }
    }
  });

  test("`assistants webhook` changes only the fields whose flags are set", async () => {
    const { run } = await practice();
    const set = (...flags: string[]) => run("assistants", "webhook", "set", "Empfang", ...flags);
    const before = (await run("assistants", "get", "Empfang")).json.pre_call_webhook;
    expect((await set("--no-enabled")).json).toEqual({ ...before, enabled: false });
    const changed = { ...before, headers: { "X-A": "1: 2" } };
    expect((await set("--enabled", "--header", "X-A: 1: 2")).json).toEqual(changed);
    expect((await set("--header", "")).json).toEqual({ ...before, headers: {} });
    expect((await set("--auth", "none")).json).toEqual({ ...before, headers: {}, auth: { type: "none" } });
  });

  test("`assistants webhook` with an empty URL removes the webhook after a confirmation", async () => {
    const { run, runWith, emulator, writes } = await practice();
    expect((await run("assistants", "webhook", "set", "Empfang", "--url", "")).code).toBe(12);
    expect(await writes()).toEqual([]);
    const prompts = scriptPrompts(true);
    const overrides = { ...connectedTo(emulator), prompts };
    const clear = [
      "--profile",
      "offline",
      "assistants",
      "webhook",
      "set",
      "Empfang",
      "--url",
      "",
      "-o",
      "json",
    ];
    const { code, json, stderr } = await runWith({ overrides }, ...clear);
    expect(code).toBe(0);
    expect(json).toEqual({ id: expect.any(String), pre_call_webhook: null, cleared: true });
    expect(stderr).toMatch(
      /Removed the pre-call webhook of assistant "Empfang" and its credentials \(the URL was http/,
    );
    expect(prompts.messages[0]).toContain('"Empfang"');
    expect((await run("assistants", "get", "Empfang")).json.pre_call_webhook).toBeNull();
  });

  test("`assistants webhook` refuses an invalid URL and an enterprise assistant", async () => {
    const { run, emulator, id } = await practice();
    const refused = await run("-o", "json", "assistants", "webhook", "set", "Empfang", "--url", "ftp://x");
    expect(refused.code).toBe(5);
    expect(JSON.parse(refused.stderr).error.details[0].flag).toBe("--url");
    await emulator.control("PATCH", `/assistants/${await id("Empfang")}`, { enterprise: true });
    expect((await run("assistants", "webhook", "set", "Empfang", "--no-enabled")).code).toBe(6);
  });
});

describe("prompts delete", () => {
  test("`prompts delete` exits with code 6 if an assistant uses the prompt to answer calls", async () => {
    const { run, writes } = await practice();
    const refused = await run("prompts", "delete", "Empfang", "--yes");
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain("--detach");
    expect(await writes()).toEqual([]);
  });

  test("`prompts delete` refuses an email prompt in use, and names the assistants", async () => {
    const { run, writes } = await practice();
    const refused = await run("prompts", "delete", "Zusammenfassung per E-Mail", "--yes");
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain('"Empfang", "Notdienst"');
    expect(await writes()).toEqual([]);
  });

  test("`prompts delete --detach` first removes the prompt from the assistants that use it", async () => {
    const { run, writes, id } = await practice();
    const prompt = (await run("prompts", "get", "Zusammenfassung per E-Mail")).json.id;
    const planned = await run("prompts", "delete", prompt, "--detach", "--dry-run");
    expect(await writes()).toEqual([]);
    expect(planned.json).toEqual([
      { method: "PATCH", path: `/assistants/${await id("Empfang")}`, body: { email_prompt_id: null } },
      { method: "PATCH", path: `/assistants/${await id("Notdienst")}`, body: { email_prompt_id: null } },
      { method: "DELETE", path: `/prompts/${prompt}` },
    ]);
    const deleted = await run("prompts", "delete", prompt, "--detach", "--yes");
    expect(deleted.json).toEqual({ id: prompt, deleted: true });
    expect((await run("assistants", "get", "Empfang")).json.email_prompt_id).toBeNull();
  });

  test("`prompts delete` keeps the prompt if an assistant can't be changed (exit code 68)", async () => {
    const { run, emulator } = await practice();
    const prompt = (await run("prompts", "get", "Zusammenfassung per E-Mail")).json.id;
    await emulator.control("POST", "/faults", {
      operation: "assistants.update",
      kind: "limiter_down",
      skip: 1,
    });
    const partly = await run("--max-wait", "0", "prompts", "delete", prompt, "--detach", "--yes");
    expect(partly.code).toBe(68);
    expect(partly.stderr).toContain("removed the prompt from 1 of 2 assistants");
    expect((await run("prompts", "get", prompt)).code).toBe(0);
  });

  test("`prompts delete` deletes an unused prompt after the user types its name", async () => {
    const { run, runWith, emulator } = await practice();
    await run("prompts", "create", "--name", "Alt", "--kind", "email", "--text", "x");
    const prompts = scriptPrompts(true);
    const overrides = { ...connectedTo(emulator), prompts };
    const { code } = await runWith({ overrides }, "--profile", "offline", "prompts", "delete", "Alt");
    expect(code).toBe(0);
    expect(prompts.messages[0]).toContain('Delete prompt "Alt"');
  });
});
