import { describe, expect, test } from "vitest";
import { parseError, setUpConfig } from "../helpers/config.js";

const prompt = (text: string, name = "Empfang") => `---\nname: ${name}\nkind: answering\n---\n${text}\n`;
const glossary = `# Begriffe
group: Fachbegriffe
items:
  - term: PZR
    definition: Professionelle Zahnreinigung
  - term: OPG
`;

describe("config apply", () => {
  test("[A2] [C3] `apply` creates resources once and in order", async () => {
    const { config, apply, list, lock, writes } = await setUpConfig({
      "prompts/empfang.md": prompt("Du nimmst Anrufe entgegen."),
      "glossary/fach.yaml": glossary,
    });
    const planned = await config("plan");
    expect(planned.stderr).toBe("");
    expect(planned.json).toMatchObject({
      create: ["glossary/fach", "glossary/fach#OPG", "glossary/fach#PZR", "prompts/empfang"],
      update: [],
      writes: 4,
      refused: [],
    });
    expect((await writes()).length).toBe(0);
    const applied = await apply();
    expect([applied.code, applied.stderr]).toEqual([0, ""]);
    expect(await list("prompts")).toMatchObject([
      { name: "Empfang", kind: "answering", text: "Du nimmst Anrufe entgegen." },
    ]);
    expect(Object.keys(lock())).toEqual([
      "glossary/fach",
      "glossary/fach#OPG",
      "glossary/fach#PZR",
      "prompts/empfang",
    ]);
    const before = (await writes()).length;
    const again = await apply();
    expect(again.code).toBe(0);
    expect((await writes()).length).toBe(before);
    expect((await config("plan")).json).toMatchObject({ create: [], update: [], writes: 0 });
  });

  test("`config apply` sends only changed fields", async () => {
    const { config, write, apply, list, writes } = await setUpConfig({
      "prompts/empfang.md": prompt("Alt"),
      "glossary/fach.yaml": glossary,
    });
    await apply();
    const before = (await writes()).length;
    write({ "prompts/empfang.md": prompt("Neu") });
    expect((await config("plan")).json.update).toEqual([
      {
        key: "prompts/empfang",
        fields: ["text"],
        changes: [{ field: "text", old: "Alt", new: "Neu" }],
      },
    ]);
    expect((await apply()).code).toBe(0);
    expect((await writes()).length).toBe(before + 1);
    expect((await list("prompts"))[0].text).toBe("Neu");
  });

  test("`config apply` exits with code 12 for an incomplete create or an unavailable voice", async () => {
    const { config, apply, write, writes } = await setUpConfig({
      "prompts/neu.md": "---\nname: Neu\n---\nHallo\n",
    });
    const incomplete = await apply();
    expect([incomplete.code, incomplete.stderr]).toEqual([
      12,
      expect.stringContaining("cannot create prompts/neu: missing kind"),
    ]);
    write({
      "prompts/neu.md": undefined,
      "assistants/a.yaml":
        'name: A\nlanguage: de\nvoice: { id: "65f1a0b2c3d4e5f601234567" }\ncompany_name: P\ncompany_industry: Z\nintroduction: Hallo\n',
    });
    expect((await config("plan")).json.refused).toEqual(["not_found"]);
    expect(await writes()).toEqual([]);
  });

  test("`config apply` exits with code 10 on drift before any write, unless --drift is set", async () => {
    const { config, apply, list, json, writes } = await setUpConfig({ "prompts/empfang.md": prompt("Alt") });
    await apply();
    const [{ id }] = await list("prompts");
    await json("prompts", "update", id, "--text", "Von Hand");
    const before = (await writes()).length;
    const refused = await apply("-o", "json");
    expect(refused.code).toBe(10);
    expect(parseError(refused).message).toContain("prompts/empfang");
    expect((await config("plan")).json).toMatchObject({
      drift: [{ key: "prompts/empfang", fields: ["text"] }],
      refused: ["drift"],
    });
    expect((await apply("--drift", "keep")).code).toBe(0);
    expect((await writes()).length).toBe(before);
    expect((await apply("--drift", "overwrite")).code).toBe(0);
    expect((await list("prompts"))[0].text).toBe("Alt");
  });
});
