import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, type RunOptions, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function customers(options: RunOptions = {}) {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  const shell = commandLine({ ...options, overrides: { ...connectedTo(emulator), ...options.overrides } });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const group = (await run("groups", "create", "--type", "contacts", "--name", "Customers", "-o", "json"))
    .json;
  const requests = async () =>
    (await emulator.control("GET", "/requests?limit=200")) as { method: string; path: string }[];
  return { ...shell, emulator, run, group, requests };
}

describe("contacts create", () => {
  test("`contacts create` builds the body from flags and finds the group by name", async () => {
    const { run, group } = await customers();
    const created = await run(
      "contacts",
      "create",
      "--group",
      "Customers",
      "--first-name",
      "Anna",
      "--phone-number",
      "+4915112345678",
      "--phone-number",
      "+4915112345679",
    );
    expect(created.code).toBe(0);
    expect(created.json).toMatchObject({
      group_id: group.id,
      first_name: "Anna",
      phone_numbers: ["+4915112345678", "+4915112345679"],
    });
    expect((await run("contacts", "get", created.json.id)).json).toEqual(created.json);
  });

  test("flags override --data, and --set overrides both", async () => {
    const { run, group, home } = await customers();
    writeFileSync(join(home, "contact.yaml"), `first_name: Anna\nlast_name: A\ngroup_id: ${group.id}\n`);
    const created = await run(
      "contacts",
      "create",
      "--data",
      "@contact.yaml",
      "--last-name",
      "B",
      "--set",
      'emails=["a@example.org"]',
    );
    expect(created.json).toMatchObject({ first_name: "Anna", last_name: "B", emails: ["a@example.org"] });
  });

  test("--data @- reads standard input", async () => {
    const { runWith, group } = await customers();
    const stdin = JSON.stringify({ group_id: group.id, first_name: "Ben" });
    const created = await runWith({ stdin }, "--profile", "offline", "contacts", "create", "--data", "@-");
    expect(created.json).toMatchObject({ first_name: "Ben" });
  });

  test("--data @- accepts the YAML that -o yaml prints", async () => {
    const { run, runWith, group } = await customers();
    const { json } = await run(
      ...["contacts", "create", "--group", group.id, "--first-name", "Ben", "--last-name", "Old"],
    );
    const { stdout } = await run("contacts", "get", json.id, "-o", "yaml");
    const updated = await runWith(
      { stdin: stdout.replace("Old", "New") },
      ...["--profile", "offline", "contacts", "update", json.id, "--data", "@-"],
    );
    expect(updated.json).toMatchObject({ first_name: "Ben", last_name: "New" });
  });

  test("without a terminal, `contacts create` lists all missing flags before any request", async () => {
    const { run, requests } = await customers();
    const before = (await requests()).length;
    const refused = await run("contacts", "create", "--last-name", "X");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--group, --first-name");
    expect(refused.stdout).toBe("");
    expect(await requests()).toHaveLength(before);
  });

  test("`contacts create` asks for missing values on a terminal, and offers groups by name", async () => {
    const prompts = scriptPrompts("Customers", "Anna", "last-name", "O'Neil", "no, finish", true);
    const setup = await customers();
    const overrides = { ...connectedTo(setup.emulator), prompts };
    const created = await setup.runWith(
      { overrides, terminal: 80, env: { NO_COLOR: "1" } },
      "--profile",
      "offline",
      "contacts",
      "create",
      "-o",
      "json",
    );
    expect(created.code).toBe(0);
    expect(created.json).toMatchObject({ first_name: "Anna", group_id: setup.group.id });
    expect(prompts.messages).toEqual([
      "group:",
      "first name:",
      "Set another field?",
      "last name:",
      "Set another field?",
      "Create this contact?",
    ]);
    expect(created.stderr).toContain(
      "voxctl contacts create --group Customers --first-name Anna --last-name 'O'\\''Neil' --profile offline\n",
    );
  });

  test("`contacts create` asks only for missing values", async () => {
    const prompts = scriptPrompts("Anna", false);
    const setup = await customers();
    const overrides = { ...connectedTo(setup.emulator), prompts };
    const refused = await setup.runWith(
      { overrides, terminal: 80 },
      ...[
        "--profile",
        "offline",
        "contacts",
        "create",
        "--group",
        "Customers",
        "--phone-number",
        "+4930123456",
      ],
    );
    expect(refused.code).toBe(12);
    expect(prompts.messages).toEqual(["first name:", "Create this contact?"]);
    const sent = (await setup.requests()).map(({ method, path }) => `${method} ${path}`);
    expect(sent).not.toContain("POST /api/v1/contacts");
  });

  test("`contacts create` refuses an invalid phone number before any request", async () => {
    const { run, requests, group } = await customers();
    const before = (await requests()).length;
    const refused = await run(
      "contacts",
      "create",
      "--group",
      group.id,
      "--first-name",
      "A",
      "--phone-number",
      "0170",
    );
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--phone-number");
    expect(refused.stderr).not.toContain("phone_numbers");
    expect(await requests()).toHaveLength(before);
  });

  test("if the service rejects an empty first name, the error names the flag", async () => {
    const { run, group } = await customers();
    const refused = await run("contacts", "create", "--group", group.id, "--first-name", "", "-o", "json");
    expect(refused.code).toBe(5);
    const { error } = JSON.parse(refused.stderr);
    expect(error).toMatchObject({
      code: "validation_failed",
      status: 400,
      exit: 5,
      retryable: false,
      outcome: "none",
    });
    expect(error.details).toEqual([expect.objectContaining({ path: ["first_name"], flag: "--first-name" })]);
  });

  test("`contacts create --dry-run` prints the request and sends only the search for the group", async () => {
    const { run, requests, group } = await customers();
    const dry = await run(
      "contacts",
      "create",
      "--group",
      "Customers",
      "--first-name",
      "A",
      "--set",
      "api_key=hidden",
      "--dry-run",
    );
    expect(dry.json).toEqual([
      {
        method: "POST",
        path: "/contacts",
        body: { group_id: group.id, first_name: "A", api_key: "***" },
      },
    ]);
    expect(
      (await requests()).filter(({ method, path }) => method !== "GET" && !path.endsWith("/groups")),
    ).toEqual([]);
  });

  test("`contacts create` accepts any field name, such as __proto__", async () => {
    const { run } = await customers();
    const dry = await run(
      "contacts",
      "create",
      "--data",
      '{"__proto__":{"a":1}}',
      "--group",
      "0".repeat(24),
      "--first-name",
      "A",
      "--set",
      "x.__proto__.y=1",
      "--dry-run",
    );
    expect(dry.stdout).toContain('"__proto__": {\n        "a": 1');
    expect(dry.json[0].body.x).toEqual(JSON.parse('{"__proto__":{"y":1}}'));
  });
});

test("`contacts create` suggests quotes for a phone number that YAML reads as a number", async () => {
  const { run, home, group } = await customers();
  writeFileSync(
    join(home, "anna.yaml"),
    `group_id: ${group.id}\nfirst_name: Anna\nphone_numbers: [+4915112345678]\n`,
  );
  const ran = await run("contacts", "create", "--data", "@anna.yaml");
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("must be text: put the value in quotes");
});

describe("a name instead of an ID", () => {
  test("the error for an unknown name names the flag (exit code 4)", async () => {
    const { run } = await customers();
    const refused = await run("contacts", "list", "--group", "Custmers");
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('--group: no contact group is named "Custmers"');
  });

  test("if several resources have the specified name, the error lists them all", async () => {
    const { run } = await customers();
    const refused = await run("groups", "get", "Default");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /5 groups are named "Default".*[a-f0-9]{24} \(contacts\), [a-f0-9]{24} \(knowledges\)/,
    );
  });

  test("a flag finds a group by name only among groups of the required type", async () => {
    const { run } = await customers();
    const created = await run("contacts", "create", "--group", "Default", "--first-name", "A");
    expect(created.code).toBe(0);
    const { type } = (await run("groups", "get", created.json.group_id)).json;
    expect(type).toBe("contacts");
  });
});

describe("`contacts update` and `groups update`", () => {
  test("`contacts update` sends only the specified fields", async () => {
    const { run } = await customers();
    const { id } = (
      await run("contacts", "create", "--group", "Customers", "--first-name", "A", "--last-name", "B")
    ).json;
    expect((await run("contacts", "update", id, "--first-name", "C")).json).toMatchObject({
      first_name: "C",
      last_name: "B",
    });
    expect((await run("contacts", "update", id, "--set", "emails=[]", "--dry-run")).json).toEqual([
      { method: "PATCH", path: `/contacts/${id}`, body: { emails: [] } },
    ]);
  });

  test("`contacts update` refuses an update without changes", async () => {
    const { run } = await customers();
    const refused = await run("contacts", "update", "0".repeat(24));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--first-name");
  });

  test("`groups update` renames a group that is specified by name", async () => {
    const { run, group } = await customers();
    expect((await run("groups", "update", "Customers", "--name", "Clients")).json).toMatchObject({
      id: group.id,
      name: "Clients",
    });
  });
});

describe("`contacts delete` and `groups delete`", () => {
  test("after a lost response, `contacts delete` checks whether the contact still exists", async () => {
    const { run, emulator, group } = await customers();
    const made = async () =>
      (await run("contacts", "create", "--group", group.id, "--first-name", "Anna")).json.id;
    const strike = (fault: string) =>
      emulator.control("POST", "/faults", { kind: fault, operation: "contacts.delete", times: 1 });
    for (const fault of ["drop_after", "error_after"]) {
      const id = await made();
      await strike(fault);
      const deleted = await run("contacts", "delete", id, "--yes");
      expect([deleted.code, deleted.json]).toEqual([0, { id, deleted: true }]);
      expect(deleted.stderr).toContain("the response was lost, but the delete took effect");
    }
    for (const fault of ["drop_before", "error_before"]) {
      await strike(fault);
      const lost = await run("contacts", "delete", await made(), "--yes", "-o", "json");
      expect([lost.code, lost.stdout]).toEqual([75, ""]);
      expect(JSON.parse(lost.stderr).error).toMatchObject({ outcome: "unknown", exit: 75 });
    }
  });

  test("`groups delete` without a terminal requires --yes (exit code 12)", async () => {
    const { run, requests, group } = await customers();
    const before = (await requests()).length;
    const refused = await run("groups", "delete", group.id);
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("--yes");
    expect(await requests()).toHaveLength(before);
  });

  test("`groups delete` reports how many items would be deleted with the group", async () => {
    const { run, group } = await customers();
    for (const name of ["A", "B"])
      await run("contacts", "create", "--group", "Customers", "--first-name", name);
    const deleted = await run("groups", "delete", "Customers", "--yes");
    expect(deleted.stderr).toContain("2 contacts in the group will be deleted");
    expect(deleted.json).toEqual({ id: group.id, deleted: true });
    expect((await run("groups", "get", group.id)).code).toBe(4);
  });

  test('the prompt of `groups delete` names the group, and the reply "no" keeps it', async () => {
    const setup = await customers();
    const prompts = scriptPrompts(false);
    const refused = await setup.runWith(
      { terminal: 80, overrides: { ...connectedTo(setup.emulator), prompts } },
      "--profile",
      "offline",
      "groups",
      "delete",
      "Customers",
    );
    expect(refused.code).toBe(12);
    expect(prompts.messages[0]).toContain('Delete group "Customers"');
    expect((await setup.run("groups", "get", "Customers")).code).toBe(0);
  });

  test("`groups delete --dry-run` prints the request and needs no confirmation", async () => {
    const { run, group } = await customers();
    expect((await run("groups", "delete", "Customers", "--dry-run")).json).toEqual([
      { method: "DELETE", path: `/groups/${group.id}` },
    ]);
  });

  test("[public.operations.1c refuses] deleting a group in use is reported as a conflict", async () => {
    const { run } = await customers();
    const knowledges = (await run("groups", "list", "--type", "knowledges")).json;
    expect((await run("groups", "delete", knowledges[0].id, "--yes")).code).toBe(6);
  });
});

describe("contacts list", () => {
  async function manyContacts(count: number) {
    const setup = await customers();
    const { keys, base_url } = setup.emulator.startLine;
    await setup.emulator.control("PATCH", "/clock", { advance_seconds: 3600 });
    for (let index = 0; index < count; index += 1) {
      if (index % 150 === 149) await setup.emulator.control("PATCH", "/clock", { advance_seconds: 61 });
      const body = JSON.stringify({ group_id: setup.group.id, first_name: `N${index}` });
      const headers = { authorization: `Bearer ${keys.admin}`, "content-type": "application/json" };
      const response = await setup.emulator.fetch(
        new Request(`${base_url}/contacts`, { method: "POST", headers, body }),
      );
      if (response.status !== 201) throw new Error(await response.text());
    }
    return setup;
  }

  test("`contacts list` prints 50 rows and reports on stderr that more exist", async () => {
    const { run } = await manyContacts(60);
    const listed = await run("contacts", "list");
    expect(listed.json).toHaveLength(50);
    expect(listed.stderr).toContain("Showing the first 50 contacts. For more");
  });

  test("[public.general.9a] --limit and --all read several pages and print each row once", async () => {
    const { run } = await manyContacts(450);
    const some = await run("contacts", "list", "--limit", "230");
    expect(some.json).toHaveLength(230);
    const all = await run("contacts", "list", "--all");
    expect(new Set(all.json.map(({ id }: { id: string }) => id)).size).toBe(450);
    expect(all.stderr).not.toContain("more");
  });

  test("`contacts list` prints an empty document for an empty list", async () => {
    const { run } = await customers();
    for (const [format, text] of [
      ["json", "[]\n"],
      ["yaml", "[]\n"],
      ["ndjson", ""],
      ["csv", "id,group_id,first_name,last_name,phone_numbers,emails,created_at,updated_at\n"],
      ["table", ""],
    ] as const) {
      const listed = await run("contacts", "list", "-o", format);
      expect([format, listed.code, listed.stdout]).toEqual([format, 0, text]);
    }
  });

  test("`contacts list` shows the group's name in a table, and its ID in JSON", async () => {
    const { run, runWith, emulator, group } = await customers();
    await run("contacts", "create", "--group", "Customers", "--first-name", "Anna");
    const terminal = { terminal: 140, overrides: connectedTo(emulator) };
    const listed = await runWith(
      terminal,
      "--profile",
      "offline",
      "contacts",
      "list",
      "--group",
      "Customers",
    );
    expect(listed.stdout).toMatch(/Anna .* Customers$/m);
    expect((await run("contacts", "list", "--group", "Customers")).json[0].group_id).toBe(group.id);
  });

  test("`contacts list` refuses an invalid --limit, and --limit together with --all", async () => {
    const { run } = await customers();
    for (const flags of [
      ["--limit", "0"],
      ["--limit", "x"],
      ["--limit", "3", "--all"],
    ]) {
      expect((await run("contacts", "list", ...flags)).code).toBe(2);
    }
  });
});
