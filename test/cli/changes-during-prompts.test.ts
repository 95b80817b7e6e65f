import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { readLines } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";

interface Contact {
  id: string;
  first_name: string;
  last_name: string;
  phone_numbers: string[];
}

async function asking() {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const runWhile = async (meanwhile: () => Promise<unknown>, ...argv: string[]) => {
    const prompts = scriptPrompts(true);
    const confirm: typeof prompts.confirm = async (question) => {
      await meanwhile();
      return prompts.confirm(question);
    };
    const overrides = { ...connectedTo(emulator), prompts: { ...prompts, confirm } };
    return shell.runWith({ overrides }, "--profile", "offline", "-o", "json", ...argv);
  };
  const search = async (text: string): Promise<Contact[]> =>
    (await run("contacts", "list", "--search", text, "--all")).json;
  return { run, runWhile, found: search, home: shell.home };
}

describe("changes by other clients while a prompt is open", () => {
  test("`contacts delete --search` keeps a contact that was changed during the prompt", async () => {
    const { run, runWhile, found: search } = await asking();
    const [renamed, gone, ...remaining] = await search("schäfer");
    const ran = await runWhile(
      async () => {
        await run("contacts", "update", renamed?.id ?? "", "--last-name", "Vogel");
        await run("contacts", "delete", gone?.id ?? "", "--yes");
      },
      ...["contacts", "delete", "--search", "schäfer", "--max-delete", "100%"],
    );
    expect(ran.code, ran.stderr).toBe(68);
    expect(ran.stderr).toContain(
      "2 contacts were not deleted: rejected by the service, or changed or deleted by another user",
    );
    expect(ran.json).toMatchObject({ found: remaining.length + 2, deleted: remaining.length, drifted: 2 });
    expect((await run("contacts", "get", renamed?.id ?? "")).json).toMatchObject({ last_name: "Vogel" });
    expect(await search("schäfer")).toEqual([]);
  });

  test("a contact that was changed during the prompt is listed as `to_delete` in the results file", async () => {
    const { run, runWhile, found: search, home } = await asking();
    const [renamed, ...remaining] = await search("schäfer");
    await runWhile(
      () => run("contacts", "update", renamed?.id ?? "", "--last-name", "Vogel"),
      ...["contacts", "delete", "--search", "schäfer", "--max-delete", "100%", "--report", "weg.ndjson"],
    );
    const outcomes = new Map(readLines(join(home, "weg.ndjson")).map(({ id, outcome }) => [id, outcome]));
    expect(outcomes).toEqual(
      new Map([[renamed?.id, "to_delete"], ...remaining.map(({ id }) => [id, "deleted"] as const)]),
    );
  });

  test("`contacts dedupe` keeps contacts that others change while the prompt is open", async () => {
    const { run, runWhile, found: search } = await asking();
    const [kept] = await search("+491713920001");
    const group = (await run("contacts", "get", kept?.id ?? "")).json.group_id;
    const twin = await run(
      ...["contacts", "create", "--group", group, "--first-name", kept?.first_name ?? ""],
      ...["--last-name", kept?.last_name ?? "", "--phone-number", "+491713920001"],
    );
    const ran = await runWhile(
      () => run("contacts", "update", twin.json.id, "--first-name", "Zoe"),
      ...["contacts", "dedupe", "--group", group],
    );
    expect(ran.json).toMatchObject({ deleted: 0, drifted: 1 });
    expect((await run("contacts", "get", twin.json.id)).json).toMatchObject({ first_name: "Zoe" });
  });

  test.each(["its number", "its id"])(
    "if a contact found by %s is renamed during the prompt, `contacts delete` exits with code 6",
    async (by) => {
      const { run, runWhile, found: search } = await asking();
      const [contact] = await search("+491713920001");
      const given = by === "its id" ? (contact?.id ?? "") : "+491713920001";
      const rename = () => run("contacts", "update", contact?.id ?? "", "--last-name", "Vogel");
      const ran = await runWhile(rename, "contacts", "delete", given);
      expect([ran.code, ran.stderr]).toEqual([
        6,
        expect.stringMatching(/is now contact \S+ Vogel .*nothing was deleted/),
      ]);
      expect((await run("contacts", "get", contact?.id ?? "")).json).toMatchObject({ last_name: "Vogel" });
    },
  );

  test("`groups delete` exits with code 6 if an empty group is filled during the prompt", async () => {
    const { run, runWhile } = await asking();
    const { json: group } = await run("groups", "create", "--type", "contacts", "--name", "Leer");
    const fill = () => run("contacts", "create", "--group", "Leer", "--first-name", "Anna");
    const ran = await runWhile(fill, "groups", "delete", "Leer");
    expect([ran.code, ran.stderr]).toEqual([
      6,
      expect.stringMatching(
        /the consequences of the deletion have changed: 1 contact in the group will be deleted; nothing was deleted/,
      ),
    ]);
    expect((await run("groups", "get", group.id)).code).toBe(0);
    const same = await runWhile(async () => {}, "groups", "delete", "Leer");
    expect(same.json).toEqual({ id: group.id, deleted: true });
  });
});
