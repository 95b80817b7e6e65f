// Creates groups on deployments that normalize names or list new groups late.
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseOutput } from "./harness/bench.js";
import { createClockBench } from "./harness/in-process.js";
import { csvOf, people } from "./jobs/people.js";
import { fieldsOf } from "./server/service-state.js";
import type { SwitchName } from "./server/switches.js";

const variations: readonly (readonly SwitchName[])[] = [
  ["changes case"],
  ["changes case", "group names repeat"],
  ["changes case", "lists lag after creates"],
  ["collapses white space"],
];

describe("--create-group of bulk commands", () => {
  it.each(variations.map((switches) => [switches.join(" + "), switches] as const))(
    "[T3] [T7] a repeated --create-group finds the existing group if a deployment %s",
    async (_name, switches) => {
      const bench = createClockBench(switches);
      try {
        bench.write("texts/way.md", "# Way\n\nTake the tram.\n");
        const folder = bench.path("texts");
        const command = ["knowledge", "import", folder, "--group", "Our  texts", "--create-group"];
        const first = await bench.run(...command);
        expect(first.code, first.stderr).toBe(0);
        rmSync(bench.path("data"), { recursive: true });
        const second = await bench.run(...command);
        expect(second.code, second.stderr).toBe(0);
        const names = bench.service.state
          .rows("groups")
          .map(fieldsOf)
          .flatMap(({ type, name }) => (type === "knowledges" ? [String(name).toLowerCase()] : []));
        expect(names.filter((name) => /^our +texts$/.test(name))).toHaveLength(1);
      } finally {
        bench.remove();
      }
    },
  );

  it("[T3] an undo deletes the group of an import into an organization that had no groups", async () => {
    const bench = createClockBench([]);
    try {
      const { state } = bench.service;
      for (const row of state.rows("groups")) state.remove(row);
      const file = bench.write("terms.csv", "term,definition\nGKV,\n");
      const imported = await bench.run(
        "glossary",
        "import",
        file,
        "--group",
        "Words",
        "--create-group",
        "-o",
        "json",
      );
      expect(imported.code, imported.stderr).toBe(0);
      // A service keeps the last group of a type.
      state.insert("groups", { type: "glossaries", name: "Other" }, "somebody");
      const undone = await bench.run("runs", "undo", parseOutput(imported).run_id, "--yes");
      expect(undone.code, undone.stderr).toBe(0);
      expect(state.rows("groups").map((row) => fieldsOf(row)["name"])).toEqual(["Other"]);
    } finally {
      bench.remove();
    }
  });

  it("[T3] --create-group reports the name under which the service stored the group", async () => {
    const bench = createClockBench(["changes case"]);
    try {
      const file = bench.write("terms.csv", "term,definition\nGKV,\n");
      const command = ["glossary", "import", file, "--group", "Words", "--create-group"];
      await bench.run(...command);
      const { stderr } = await bench.run(...command, "--new-run");
      expect(stderr).toContain('Using the existing group "WORDS"');
    } finally {
      bench.remove();
    }
  });
});

describe("a deployment that does not show the group of a contact", () => {
  it("[T5] after lost responses, `apply` confirms that it created all contacts", async () => {
    const bench = createClockBench(["responses lost"], { more: { omits: ["group_id"] } });
    try {
      const plan = bench.path("people.plan");
      const file = bench.write("people.csv", csvOf(people));
      await bench.run("contacts", "import", file, "--group", "Team", "--plan", plan, ...bench.settle);
      const applied = await bench.run("apply", plan, "--yes", "-o", "json", ...bench.settle);
      expect(applied.code, applied.stderr).toBe(0);
      expect(parseOutput(applied).steps).toMatchObject({ done: people.length, unknown: 0 });
    } finally {
      bench.remove();
    }
  });
});
