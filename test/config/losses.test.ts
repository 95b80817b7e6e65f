import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { connectedTo } from "../helpers/cli.js";
import { setUpConfig } from "../helpers/config.js";
import { interruptedAt } from "../helpers/interrupted.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";

const files = {
  "prompts/a.md": "---\nname: A\nkind: answering\n---\nText A\n",
  "prompts/b.md": "---\nname: B\nkind: email\n---\nText B\n",
  "glossary/fach.yaml":
    "group: Fach\nitems:\n  - { term: PZR, definition: eins }\n  - { term: OPG, definition: zwei }\n",
  "knowledge/preise/_group.yaml": "name: Preise\n",
  "knowledge/preise/zahn.md": "---\ntitle: Zahn\nactive: true\n---\n95 EUR\n",
};

class Killed extends Error {}

describe("losses of files and text", () => {
  test("`apply` refuses a file with U+FFFD and reports the field before any request", async () => {
    const { apply, write, writes } = await setUpConfig(files);
    write({ "prompts/a.md": "---\nname: J\ufffdrgen\nkind: answering\n---\nText A\n" });
    const refused = await apply();
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining("contains U+FFFD")]);
    expect(refused.stderr).toContain("name of prompts/a");
    expect(await writes()).toEqual([]);
  });

  test("[L4] after the lock file is lost, nothing is created twice", async () => {
    const { apply, config, write, lock, writes } = await setUpConfig(files);
    expect((await apply()).code).toBe(0);
    const before = Object.fromEntries(Object.entries(lock()).map(([key, { id }]) => [key, id]));
    const sent = (await writes()).length;
    write({ "locks/dev.jsonl": undefined });
    const refused = await apply();
    expect(refused.code).toBe(10);
    expect((await config("plan")).json).toMatchObject({ create: [], refused: ["needs_adopt"] });
    expect((await config("adopt")).code).toBe(0);
    expect(Object.fromEntries(Object.entries(lock()).map(([key, { id }]) => [key, id]))).toEqual(before);
    expect(Object.values(lock()).some(({ made }) => made)).toBe(false);
    expect((await config("plan")).json).toMatchObject({ writes: 0, refused: [] });
    expect((await writes()).length).toBe(sent);
    write({ prompts: undefined, "prompts/b.md": files["prompts/b.md"] });
    expect((await config("plan", "--prune")).json).toMatchObject({
      delete: [],
      prune_candidates: ["prompts/a"],
    });
    expect((await config("plan", "--prune=adopted")).json.delete).toEqual(["prompts/a"]);
    expect((await config("adopt", "prompts/a=")).json.unbound).toEqual(["prompts/a"]);
    expect((await config("plan", "--prune")).json).toMatchObject({
      prune_candidates: [],
      unmanaged: { prompts: 1 },
    });
  });

  test.each([
    ["glossary", "term", "PZR", "definition", "anders"],
    ["prompts", "name", "A", "text", "anders"],
  ])(
    "[T7] resources missing from an outdated list of %s are not created twice",
    async (resource, nameField, name, field, value) => {
      const { runWith, root, emulator, list, json, apply, lock } = await setUpConfig(files);
      await apply("--only", "glossary/fach", "--only", "prompts/b");
      for (const resourceItem of await list(resource))
        if (resourceItem[nameField] === name) await json(resource, "delete", resourceItem.id);
      const [group] = (await list("groups")).filter(
        ({ name: groupName }: { name: string }) => groupName === "Fach",
      );
      const fields =
        resource === "glossary"
          ? ["--group", group.id, "--term", name]
          : ["--name", name, "--kind", "answering"];
      await json(resource, "create", ...fields, `--${field}`, value);
      let reads = 0;
      const overrides = reshapeResponses(emulator, ({ method, path }, { body }) => {
        if (method !== "GET" || !path.startsWith(`/api/v1/${resource}?`)) return undefined;
        reads += 1;
        // Only the first read, for the plan, omits the resource.
        if (reads > 1) return undefined;
        return {
          body: {
            ...body,
            data: body.data.filter((row: Record<string, unknown>) => row[nameField] !== name),
          },
        };
      });
      // The lock does not contain the resource, as in a clone without the last commit.
      const key = resource === "glossary" ? "glossary/fach#PZR" : "prompts/a";
      await runWith({ cwd: root }, "config", "adopt", "--target", "dev", `${key}=`);
      const ran = await runWith({ cwd: root, overrides }, "config", "apply", "--target", "dev", "--yes");
      expect([ran.code, reads > 1, lock()[key]]).toEqual([10, true, undefined]);
      const alike = (await list(resource)).filter((row: Record<string, unknown>) => row[nameField] === name);
      expect(alike).toMatchObject([{ [nameField]: name }]);
      expect((await apply()).code).toBe(10);
    },
  );

  test("[L3] an apply that was stopped at any step creates nothing twice when it resumes", async () => {
    const ends =
      process.env["PROOF"] === undefined ? [3] : Array.from({ length: 40 }, (_, index) => index + 1);
    for (const end of ends) {
      const setup = await setUpConfig(files);
      let steps = 0;
      const overrides = {
        ...connectedTo(setup.emulator),
        onJournalStep: () => {
          steps += 1;
          if (steps === end) throw new Killed("ended here");
        },
      };
      await setup
        .runWith({ cwd: setup.root, overrides }, "config", "apply", "--target", "dev", "--yes")
        .catch(() => undefined);
      if (process.env["PROOF"] === undefined) expect(steps).toBeGreaterThanOrEqual(end);
      const again = await setup.apply();
      expect([end, again.code, again.stderr.includes("error")]).toEqual([end, 0, false]);
      expect((await setup.list("prompts")).map(({ name }: { name: string }) => name).sort()).toEqual([
        "A",
        "B",
      ]);
      expect((await setup.list("glossary")).map(({ term }: { term: string }) => term).sort()).toEqual([
        "OPG",
        "PZR",
      ]);
      expect((await setup.list("knowledge")).length).toBe(1);
      expect(Object.keys(setup.lock()).length).toBe(7);
      expect((await setup.config("plan")).json).toMatchObject({ writes: 0, refused: [] });
    }
  });

  test("[L3] after Ctrl-C, the lock contains every resource that an apply created", async () => {
    const texts = Array.from({ length: 60 }, (_, at) => [
      `knowledge/preise/${at}.md`,
      `---\ntitle: Preis ${at}\nactive: true\n---\n${at} EUR\n`,
    ]);
    const setup = await setUpConfig({ ...files, ...Object.fromEntries(texts) });
    const { emulator, runWith, root, list, lock, config } = setup;
    const applying = ["config", "apply", "--target", "dev", "--yes"];
    const cut = await runWith({ cwd: root, ...interruptedAt(emulator, 3) }, ...applying);
    expect([cut.code, cut.stderr]).toEqual([130, expect.stringContaining("to resume")]);
    const made = (await list("knowledge")).map(({ id }: { id: string }) => id);
    expect(made.length).toBeGreaterThan(1);
    expect(Object.values(lock()).map(({ id }) => id)).toEqual(expect.arrayContaining(made));
    expect((await config("plan")).json.refused).toEqual([]);
  });

  describe("after Ctrl-C during `config apply`", () => {
    async function interruptApply() {
      const setup = await setUpConfig(files);
      const { emulator, runWith, root } = setup;
      const applying = ["config", "apply", "--target", "dev", "--yes"];
      const cut = await runWith({ cwd: root, ...interruptedAt(emulator, 2) }, ...applying);
      expect(cut.code).toBe(130);
      return setup;
    }

    test("`config plan` names the command that resumes the run, until it is resumed", async () => {
      const { config, apply } = await interruptApply();
      const message = "is unfinished; resume it with `voxctl config apply --target dev`";
      expect((await config("plan")).stderr).toContain(message);
      expect((await apply()).code).toBe(0);
      expect((await config("plan")).stderr).not.toContain("unfinished");
    });

    test("`config plan` shows the plan and a warning if the run's format is not supported", async () => {
      const { config, data } = await interruptApply();
      const [name = ""] = readdirSync(join(data, "runs")).filter((file) => file.endsWith(".sqlite"));
      const journal = await openDatabase(join(data, "runs", name));
      journal.exec("PRAGMA user_version = 99");
      journal.close();
      const planned = await config("plan");
      expect(planned.json.writes).toBeGreaterThan(0);
      expect(planned.stderr).toContain("could not check for an unfinished `config apply`: ");
    });

    test("`config plan` repeats --directory in the command that resumes the run", async () => {
      const { run, root } = await interruptApply();
      const planned = await run("config", "plan", "--target", "dev", "--directory", root);
      expect(planned.stderr).toContain(`\`voxctl config apply --target dev --directory ${root}\``);
    });

    test("`doctor` names the run's profile in the command that resumes it", async () => {
      const { json } = await interruptApply();
      const checks: { check: string; message: string }[] = await json("doctor");
      expect(checks.find(({ check }) => check === "runs")?.message).toBe(
        "1 unfinished run: `voxctl config apply --target dev --profile offline`",
      );
    });
  });

  test("[N2] `apply` finds a renamed file's resource by content, name or the project file", async () => {
    const { apply, config, write, lock, read, writes } = await setUpConfig(files);
    await apply();
    const before = lock();
    const sent = (await writes()).length;
    write({
      "prompts/a.md": undefined,
      "prompts/neu.md": files["prompts/a.md"],
      "glossary/fach.yaml": undefined,
      "glossary/begriffe.yaml": files["glossary/fach.yaml"],
    });
    const planned = await config("plan", "--prune");
    expect(planned.json).toMatchObject({ create: [], delete: [], writes: 0 });
    expect(planned.json.moved.length).toBe(4);
    expect((await apply("--prune")).code).toBe(0);
    expect((await writes()).length).toBe(sent);
    expect(lock()["prompts/neu"]?.id).toBe(before["prompts/a"]?.id);
    expect(lock()["glossary/begriffe#PZR"]?.id).toBe(before["glossary/fach#PZR"]?.id);
    write({
      "prompts/neu.md": undefined,
      "prompts/ganz.md": "---\nname: Anders\nkind: answering\n---\nAnderer Text\n",
    });
    const unclear = await config("plan", "--prune");
    expect(unclear.code).toBe(10);
    expect(unclear.json).toMatchObject({ unclear_moves: ["prompts/ganz"], refused: ["unclear_move"] });
    write({
      "voxctl.project.yaml": `${read("voxctl.project.yaml")}moved:\n  - { from: prompts/neu, to: prompts/ganz }\n`,
    });
    expect((await config("plan", "--prune")).json).toMatchObject({
      moved: [{ from: "prompts/neu", to: "prompts/ganz" }],
      update: [{ key: "prompts/ganz" }],
    });
  });

  test("[A5] [A6] a change of an immutable field requires --prune and recreates the resource", async () => {
    const { apply, write, list, config } = await setUpConfig({
      ...files,
      "glossary/zwei.yaml": "group: Zwei\n",
    });
    await apply();
    write({
      "prompts/a.md": files["prompts/a.md"].replace("answering", "email"),
      "glossary/fach.yaml": "group: Fach\nitems:\n  - { term: OPG, definition: zwei }\n",
      "glossary/zwei.yaml": "group: Zwei\nitems:\n  - { term: PZR, definition: eins }\n",
    });
    expect((await apply()).code).toBe(12);
    expect((await config("plan", "--prune")).json).toMatchObject({
      replace: ["glossary/zwei#PZR", "prompts/a"],
      create: [],
      delete: [],
    });
    const done = await apply("--prune");
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect((await list("prompts")).find(({ name }: { name: string }) => name === "A").kind).toBe("email");
    expect((await list("glossary")).length).toBe(2);
    expect((await config("plan")).json).toMatchObject({ writes: 0, refused: [] });
  });
});
