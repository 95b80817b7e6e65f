import { describe, expect, test } from "vitest";
import { bin } from "../helpers/installed-cli.js";
import { askScript, openRehearsedSource } from "../helpers/rehearsal.js";

async function rehearseDeletion() {
  const source = await openRehearsedSource({ profile: ["acme", "--production"] });
  const deletion = [process.execPath, bin, "groups", "delete", "Labore und Lieferanten", "--confirm=acme"];
  const words = ["rehearse", "-o", "table", "--plan", "weg.plan", "--", ...deletion];
  return { ...source, rehearsed: await source.line.run(...words) };
}

describe("a rehearsed deletion of a group", () => {
  test("`rehearse` recommends an `apply` command with all required flags", async () => {
    const { rehearsed, line } = await rehearseDeletion();
    const [, flags = ""] = /run `voxctl apply weg\.plan ([^`]*)`/.exec(rehearsed.stdout) ?? [];
    expect(flags).toBe("--allow groups:delete --confirm=acme");
    expect((await line.run("apply", "weg.plan", ...flags.split(" "))).code).toBe(0);
  });

  test("`plan show` counts the contacts that are deleted with their group", async () => {
    const { line } = await rehearseDeletion();
    const { stdout } = await line.run("plan", "show", "weg.plan", "-o", "table");
    expect(stdout).toMatch(/^Plan \w+ will delete 1 group with 9 contacts\n/);
    expect(stdout).toContain("\nRequired by apply: --allow groups:delete\n");
    expect(stdout).toMatch(/- Labore und Lieferanten \(step 1, .*\) with 9 contacts\n/);
  });

  test("an undo's preview names a deleted group only once", async () => {
    const { line } = await rehearseDeletion();
    const flags = ["--allow", "groups:delete", "--confirm=acme"];
    const { json } = await line.run("apply", "weg.plan", ...flags, "-o", "json");
    const { stderr } = await line.run("runs", "undo", json.run_id, "--dry-run", "-o", "table");
    expect(stderr.match(/Labore und Lieferanten/g)).toHaveLength(1);
  });

  test("if a step was skipped, `apply` doesn't count the contacts of deleted groups", async () => {
    const { line, script, ask } = await openRehearsedSource();
    const words = script(
      `${askScript} (async () => {
        for (const { id } of await ask("GET", "/groups")) await ask("DELETE", "/groups/" + id);
      })();`,
    );
    expect((await line.run("rehearse", "--plan", "weg.plan", "--", ...words)).code).toBe(0);
    const { body } = await ask("GET", "/groups");
    await ask("PATCH", `/groups/${body.data[0].id}`, { name: "Umbenannt" });
    const flags = ["--allow", "groups:delete", "--skip-drifted", "--yes", "-o", "table"];
    const { code, stdout } = await line.run("apply", "weg.plan", ...flags);
    expect(code).toBe(68);
    expect(stdout).toMatch(/^Deleted 2: applied 2 of 3 steps/);
  });
});
