import { describe, expect, test } from "vitest";
import { connectEmulator } from "../../src/cli/session/connection.js";
import { projectText, setUpConfig } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";

describe("groups of a configuration", () => {
  test("[N1] renaming a group in its file keeps the group's content", async () => {
    const { apply, write, read, list, lock, json, config } = await setUpConfig({
      "glossary/fach.yaml": "group: Fach # Name\nitems:\n  - { term: PZR, definition: a }\n",
      "knowledge/preise/_group.yaml": "name: Preise\n",
    });
    await apply();
    const before = lock();
    const id = before["glossary/fach"]?.id ?? "";
    await json("glossary", "create", "--group", id, "--term", "Fremd");
    write({
      "glossary/fach.yaml": read("glossary/fach.yaml").replace("group: Fach", "group: Begriffe"),
      "knowledge/preise/_group.yaml": "name: Kosten\n",
    });
    const done = await apply();
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(Object.values(lock()).map((line) => line.id)).toEqual(
      Object.values(before).map((line) => line.id),
    );
    const terms = async () => (await list("glossary")).map((entry: { term: string }) => entry.term).sort();
    expect(await terms()).toEqual(["Fremd", "PZR"]);
    await json("groups", "update", id, "--name", "Wörter");
    expect((await config("plan")).json.drift).toEqual([{ key: "glossary/fach", fields: ["group"] }]);
    expect((await config("pull")).json.written).toEqual([{ key: "glossary/fach", fields: ["group"] }]);
    expect(read("glossary/fach.yaml")).toContain("group: Wörter # Name\n");
    expect((await config("plan")).json).toMatchObject({ writes: 0, refused: [] });
  });
});

describe("a resource that was deleted and recreated by other clients", () => {
  test("[L4] `adopt` binds a file to a resource that another client recreated", async () => {
    const { apply, all, list, lock, json, config } = await setUpConfig({
      "tools/crm.yaml": "name: crm_lookup # unser\nurl: https://crm.example.com/lookup\n",
    });
    await apply();
    await json("tools", "delete", lock()["tools/crm"]?.id ?? "");
    expect((await config("plan")).json).toMatchObject({ gone: ["tools/crm"], refused: ["gone"] });
    const again = await json(
      "tools",
      "create",
      "--name",
      "crm_lookup",
      "--url",
      "https://crm.example.com/neu",
    );
    const overwritten = await apply("--drift", "overwrite");
    expect(overwritten.code).toBe(10);
    expect((await config("plan", "--drift", "overwrite")).json).toMatchObject({
      needs_adopt: [{ key: "tools/crm", id: again.id }],
      refused: ["needs_adopt"],
    });
    const toolFiles = () => Object.keys(all()).filter((path) => path.startsWith("tools/"));
    await config("pull", "--new", "--prune");
    expect(toolFiles()).toEqual(["tools/crm.yaml"]);
    expect((await config("adopt")).code).toBe(0);
    expect(lock()["tools/crm"]?.id).toBe(again.id);
    expect((await apply("--drift", "overwrite")).code).toBe(0);
    expect(await list("tools")).toMatchObject([{ id: again.id, url: "https://crm.example.com/lookup" }]);
  });

  test("[N2] a file marked as new creates a resource even if a similar unmanaged one exists", async () => {
    const text = (words: string) => `---\nname: A\nkind: answering\n---\n${words}\n`;
    const { apply, write, list, lock } = await setUpConfig({ "prompts/a.md": text("Guten Tag.") });
    await apply();
    const former = lock()["prompts/a"]?.id;
    const project = projectText("moved: [{ to: prompts/b }]\n");
    write({
      "prompts/a.md": undefined,
      "prompts/b.md": text("Guten Abend."),
      "voxctl.project.yaml": project,
    });
    expect((await apply()).code).toBe(0);
    expect(lock()["prompts/b"]?.id).not.toBe(former);
    expect((await list("prompts")).length).toBe(2);
  });
});

describe("another client's change during an apply", () => {
  test("[L1] a change that another client makes right after a write is reported as drift", async () => {
    const file = (text: string) => `---\ntitle: Zahn\n---\n${text}\n`;
    const setup = await setUpConfig({
      "knowledge/preise/_group.yaml": "name: Preise\n",
      "knowledge/preise/zahn.md": file("95 EUR"),
    });
    const { emulator, apply, write, runWith, root, lock, config } = setup;
    await apply("--wait", "0s");
    write({ "knowledge/preise/zahn.md": file("99 EUR") });
    const path = `/knowledge-items/${lock()["knowledge/preise/zahn"]?.id}`;
    let hasWritten = false;
    const transport: typeof emulator.transport = async (url, request) => {
      if (request.method === "GET" && hasWritten && url.endsWith(path))
        await publicApi(emulator)("PATCH", path, { text: "von Hand" });
      hasWritten ||= request.method === "PATCH";
      return emulator.transport(url, request);
    };
    const applied = await runWith(
      {
        cwd: root,
        overrides: {
          connect: async (profile, options) => ({
            ...connectEmulator({ ...emulator, startLine: emulator.startLine, transport }, profile, options),
            close: async () => {},
          }),
        },
      },
      ...["config", "apply", "--target", "dev", "--yes", "--wait", "0s"],
    );
    expect(applied.code).toBe(0);
    expect((await config("plan")).json).toMatchObject({
      drift: [{ key: "knowledge/preise/zahn", fields: ["text"] }],
      refused: ["drift"],
    });
  });
});
