import { describe, expect, test } from "vitest";
import { configWorld } from "../helpers/config.js";

describe("config pull", () => {
  test("writes what was changed live, where it stands, and keeps comments, variables and order", async () => {
    const file = `# Begriffe der Praxis
items: # alle
  - definition: Professionelle Zahnreinigung   # lang
    term: PZR

  - term: OPG # Röntgen
    definition: |-
      Aufnahme
      aller Zähne
  # die letzte
  - { term: KFO, definition: "Zahnspangen" }
group: Fachbegriffe
`;
    const { apply, config, list, json, read, all } = await configWorld({ "glossary/fach.yaml": file });
    expect((await apply()).code).toBe(0);
    const before = all();
    expect((await config("pull")).code).toBe(0);
    expect(all()).toEqual(before);
    for (const { id, term } of await list("glossary")) {
      if (term === "PZR") await json("glossary", "update", id, "--definition", "Kurz: sauber");
      if (term === "OPG") await json("glossary", "update", id, "--definition", "Eine Zeile");
      if (term === "KFO") await json("glossary", "update", id, "--definition", "Zwei\nZeilen");
    }
    const pulled = await config("pull");
    expect(pulled.json.written.length).toBe(3);
    expect(read("glossary/fach.yaml")).toBe(
      file
        .replace("Professionelle Zahnreinigung", '"Kurz: sauber"')
        .replace("|-\n      Aufnahme\n      aller Zähne", "Eine Zeile")
        .replace('"Zahnspangen"', '"Zwei\\nZeilen"'),
    );
    expect((await config("plan")).json).toMatchObject({ update: [], drift: [], writes: 0 });
  });

  test("init writes a folder of which nothing differs, and a second pull changes no byte", async () => {
    const { runWith, root, config, all, write } = await configWorld(
      { "voxctl.project.yaml": undefined },
      { seed: "demo" },
    );
    const made = await runWith({ cwd: root }, "config", "init", "--target", "dev", "--profile", "offline");
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const before = all();
    expect(Object.keys(before).length).toBeGreaterThan(10);
    expect((await config("plan")).json).toMatchObject({
      create: [],
      update: [],
      drift: [],
      writes: 0,
      unmanaged: {},
    });
    expect((await config("pull", "--new")).code).toBe(0);
    expect(all()).toEqual(before);
    void write;
  });
});
