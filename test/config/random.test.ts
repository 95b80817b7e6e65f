import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { projectText, setUpConfig } from "../helpers/config.js";

const proof = process.env["PROOF"] !== undefined;
const seed = Number(process.env["PROOF_SEED"] ?? 5);
/** Names are unique for all types except prompts. */
const namedTypes = [
  { kind: "calendars", resource: "calendars", ending: "yaml", file: (name: string) => `name: ${name}\n` },
  { kind: "groups", resource: "groups", ending: "yaml", file: (name: string) => `name: ${name}\n` },
  { kind: "glossary", resource: "groups", ending: "yaml", file: (name: string) => `group: ${name}\n` },
  {
    kind: "tools",
    resource: "tools",
    ending: "yaml",
    file: (name: string) => `name: ${name}\nurl: https://crm.example.com/\n`,
  },
  { kind: "prompts", resource: "prompts", ending: "md", file: (name: string) => prompt("", name, "Text") },
] as const;
const keys = ["a", "b", "c", "d"];

type Value = "0" | "1" | "2";
const value = fc.constantFrom<Value>("0", "1", "2");
const edit = fc.record({
  name: value,
  text: value,
  liveName: fc.option(value),
  liveText: fc.option(value),
  isGone: fc.boolean(),
});

const prompt = (key: string, name: string, text: string) =>
  `---\nname: ${key} ${name}\nkind: answering\n---\n${text}\n`;

describe("random changes of a configuration", () => {
  test.each(namedTypes)(
    "[A4] [N1] [N2 property] `apply` swaps and reuses names of $kind as the files specify",
    async ({ kind: type, resource, ending, file }) => {
      const path = (key: string) => `${type}/${key}.${ending}`;
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(["a", "b", "c", "d", "e", "f"], { minLength: 5, maxLength: 5 }),
          fc.subarray(keys, { maxLength: 1 }),
          fc.boolean(),
          async (names, removed, hasNew) => {
            const setup = await setUpConfig({
              "voxctl.project.yaml": projectText(`moved: [{ to: ${type}/neu }]\n`, `[${type}]`),
              ...Object.fromEntries(keys.map((key) => [path(key), file(key)])),
            });
            const { apply, write, list, lock } = setup;
            expect((await apply()).code).toBe(0);
            const ids = lock();
            const idOf = (key: string) => ids[`${type}/${key}`]?.id;
            for (const [index, key] of keys.entries())
              write({ [path(key)]: removed.includes(key) ? undefined : file(names[index] ?? "") });
            if (hasNew) write({ [path("neu")]: file(names[4] ?? "") });
            const done = await apply("--prune");
            expect([done.code, done.stderr]).toEqual([0, ""]);
            const fresh = lock()[`${type}/neu`]?.id;
            const declared = keys.flatMap((key, index) =>
              removed.includes(key) ? [] : [[idOf(key), names[index]]],
            );
            expect(ids).not.toHaveProperty(String(fresh));
            const isOurs = ({ id }: { id: string }) => id === fresh || keys.some((key) => idOf(key) === id);
            const now = (await list(resource)).filter(isOurs);
            expect(now.map(({ id, name }: { id: string; name: string }) => [id, name.trim()]).sort()).toEqual(
              [...declared, ...(hasNew ? [[fresh, names[4]]] : [])].sort(),
            );
            expect(keys.map(idOf)).not.toContain(fresh);
            const statuses = (await setup.writes()).map(({ status }) => status);
            expect(statuses).not.toContain(409);
            expect((await setup.config("plan")).json).toMatchObject({ writes: 0, refused: [] });
          },
        ),
        { numRuns: proof ? 100 : 1, seed },
      );
    },
  );

  test("[model] random changes to files and resources are merged as in a reference model", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 4, maxLength: 4 }), async (edits) => {
        const setup = await setUpConfig(
          Object.fromEntries(keys.map((key) => [`prompts/${key}.md`, prompt(key, "0", "0")])),
        );
        await setup.apply();
        const expected = {
          update: [] as string[],
          drift: [] as string[],
          conflicts: [] as string[],
          gone: [] as string[],
        };
        const live = new Map<string, [string, string]>();
        for (const [index, key] of keys.entries()) {
          const { name, text, liveName, liveText, isGone } = edits[index] ?? {
            name: "0",
            text: "0",
            liveName: null,
            liveText: null,
            isGone: false,
          };
          const id = setup.lock()[`prompts/${key}`]?.id ?? "";
          setup.write({ [`prompts/${key}.md`]: prompt(key, name, text) });
          if (isGone) await setup.json("prompts", "delete", id);
          else if (liveName !== null || liveText !== null)
            await setup.json(
              "prompts",
              "update",
              id,
              "--name",
              `${key} ${liveName ?? "0"}`,
              "--text",
              liveText ?? "0",
            );
          const now: [string, string] = [liveName ?? "0", liveText ?? "0"];
          live.set(key, now);
          const of = (word: "update" | "drift" | "conflicts") =>
            [name, text].some((file, field) => {
              const liveValue = now[field];
              if (file === liveValue) return false;
              if (word === "update") return liveValue === "0";
              return word === "drift" ? file === "0" : file !== "0" && liveValue !== "0";
            });
          if (isGone) expected.gone.push(`prompts/${key}`);
          else
            for (const word of ["update", "drift", "conflicts"] as const)
              if (of(word)) expected[word].push(`prompts/${key}`);
        }
        const { json } = await setup.config("plan");
        const keysOf = (entries: { key: string }[]) => entries.map(({ key }) => key).sort();
        expect({
          update: keysOf(json.update),
          drift: keysOf(json.drift),
          conflicts: keysOf(json.conflicts),
          gone: json.gone,
        }).toEqual(expected);
        const isBlocked = expected.drift.length + expected.conflicts.length + expected.gone.length > 0;
        const before = (await setup.writes()).length;
        const done = await setup.apply();
        expect(done.code).toBe(isBlocked ? 10 : 0);
        if (isBlocked) expect((await setup.writes()).length).toBe(before);
        // Fields with live changes keep their live value. All other fields get the file's value.
        const forced = await setup.apply("--drift", "keep", "--resolve", "live");
        if (expected.gone.length === 0) {
          expect(forced.code).toBe(0);
          for (const { name, text } of await setup.list("prompts")) {
            const [key = "", was] = name.split(" ");
            const { name: fileName, text: fileText } = edits[keys.indexOf(key)] ?? { name: "", text: "" };
            const [liveName, liveText] = live.get(key) ?? ["", ""];
            expect([was, text]).toEqual([
              liveName === "0" ? fileName : liveName,
              liveText === "0" ? fileText : liveText,
            ]);
          }
        }
        const sent = (await setup.writes()).length;
        await setup.apply("--drift", "keep", "--resolve", "live");
        expect((await setup.writes()).length).toBe(sent);
      }),
      { numRuns: proof ? 300 : 2, seed: seed + 1 },
    );
  }, 10_800_000);
});
