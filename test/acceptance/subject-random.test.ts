import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { createSubjectShell, type SubjectSetup, setUpSubject } from "../helpers/subject.js";

const whole = process.env["PROOF"] !== undefined;
const emulatorCount = whole ? 100 : 1;
const seed = Number(process.env["PROOF_SEED"] ?? (whole ? Date.now() % 1e6 : 23));

type Draw = (...names: (string | number)[]) => number;

const mobile = (draw: Draw, who: string) => `17${Math.floor(10_000_000 + draw("mobile", who) * 80_000_000)}`;

/** If the country is Germany, voxctl recognizes each of these spellings with certainty. */
const writings: readonly ((national: string) => string)[] = [
  (n) => `+49${n}`,
  (n) => `+49 ${n.slice(0, 3)} ${n.slice(3)}`,
  (n) => `+49 (0)${n.slice(0, 3)} / ${n.slice(3, 6)} ${n.slice(6)}`,
  (n) => `0049-${n.slice(0, 3)}-${n.slice(3)}`,
  (n) => `0${n}`,
  (n) => `(0${n.slice(0, 3)}) ${n.slice(3).replace(/(..)/g, "$1 ").trim()}`,
  (n) => `0${n.slice(0, 3)}/${n.slice(3, 6)}.${n.slice(6)}`,
  (n) => `49${n}`,
  (n) => `https://wa.me/49${n}`,
  (n) => [..."0", ...n].map((d) => words[Number(d)]).join(" "),
  (n) => `0${n.slice(0, 3)}\u00a0${n.slice(3)}`,
];
const words = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"];

const cases: readonly ((email: string) => string)[] = [
  (email) => email,
  (email) => email.toUpperCase(),
  (email) => `<${email}>`,
  (email) => `mailto:${email.replace("@", "%40")}`,
];

const frames: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Bitte ${text}, danke.`,
  (text) => `Zimmer 12 (${text}) ab 14:30 Uhr`,
  (text) => `Preis 49 Euro\n${text}\nbis 2026-05-04`,
  (text) => `${text}; ${text}`,
];

const near = (national: string, email: string): readonly string[] => [
  `+49${national}7`,
  `+43 ${national}`,
  `0${national.slice(0, -1)}`,
  `+49${national.slice(0, -1)}${(Number(national.at(-1)) + 1) % 10}`,
  `x.${email}`,
  `${email}.evil.example`,
];

interface Planted {
  where: string;
  id: string;
  field: string;
}

async function populate(setup: SubjectSetup, draw: Draw) {
  const pick = <T>(from: readonly T[], ...names: (string | number)[]): T => {
    const picked = from[Math.floor(draw(...names) * from.length)];
    if (picked === undefined) throw new Error("nothing to pick from");
    return picked;
  };
  const national = [mobile(draw, "a"), mobile(draw, "b")];
  const email = `Anna.${Math.floor(draw("mail") * 1e6)}@example.org`;
  const writeOwn = (...names: (string | number)[]) => {
    const isNumber = draw("kind", ...names) < 0.7;
    const written = isNumber
      ? pick(writings, "writing", ...names)(pick(national, "number", ...names))
      : pick(cases, "case", ...names)(email);
    return pick(frames, "frame", ...names)(written);
  };
  const writeOther = (...names: (string | number)[]) =>
    pick(
      frames,
      "frame",
      ...names,
    )(pick(near(pick(national, "number", ...names), email.toLowerCase()), "near", ...names));
  const planted: Planted[] = [];
  const text = (where: string, id: string, field: string, isPlanted: boolean) => {
    if (isPlanted) planted.push({ where, id, field });
  };
  const own: { contacts: string[]; calls: string[] } = { contacts: [], calls: [] };
  for (let index = 0; index < 8; index += 1) {
    const is = draw("contact", index) < 0.4;
    const by = draw("by", index) < 0.6;
    const id = await setup.create("/contacts", {
      group_id: pick(setup.contactGroups, "group", index),
      first_name: pick(["Anna", "Bert", "Ülkü"], "first", index),
      last_name: "Sommer",
      phone_numbers: is && by ? [`+49${pick(national, "own", index)}`] : [`+4930${1_000_000 + index}`],
      emails: is && !by ? [pick([email, email.toUpperCase()], "mail", index)] : [`x${index}.${email}`],
    });
    if (!is) continue;
    own.contacts.push(id);
    planted.push({ where: "contacts", id, field: by ? "phone_numbers[0]" : "emails[0]" });
  }
  for (let index = 0; index < 6; index += 1) {
    const is = draw("call", index) < 0.4;
    const speaks = draw("speaks", index) < 0.4;
    const number = is ? `+49${pick(national, "from", index)}` : `+4930${2_000_000 + index}`;
    const isInbound = draw("direction", index) < 0.6;
    const id = await setup.call({
      assistant_id: setup.assistantId,
      ...(isInbound ? { from: number } : { direction: "outbound", to: number }),
      recording: draw("recording", index) < 0.5 ? "mpeg" : null,
      duration_seconds: 1,
      transcript: [
        { role: "user", text: writeOther("call", index), offset_seconds: 0 },
        { role: "user", text: speaks ? writeOwn("call", index) : "Danke.", offset_seconds: 1 },
      ],
    });
    text("calls", id, isInbound ? "from" : "to", is);
    text("calls", id, "transcript[1].text", speaks);
    if (is) own.calls.push(id);
  }
  for (let index = 0; index < 4; index += 1) {
    const is = draw("item", index) < 0.5;
    const content = is ? writeOwn("item", index) : writeOther("item", index);
    const body = { name: `Text ${index}`, text: `Vorher. ${content} Nachher.` };
    const item = await setup.create("/knowledge-items", { group_id: setup.knowledgeGroup, ...body });
    const prompt = await setup.create("/prompts", { kind: "answering", ...body });
    text("knowledge", item, "text", is);
    text("prompts", prompt, "text", is);
  }
  return { planted, own, flags: flagsOf(draw, pick, national, email) };
}

function flagsOf(
  draw: Draw,
  pick: <T>(from: readonly T[], ...names: (string | number)[]) => T,
  national: readonly string[],
  email: string,
): string[] {
  const typed = national.flatMap((n, index) => ["--phone", pick(writings.slice(0, 7), "typed", index)(n)]);
  const name = draw("name") < 0.5 ? ["--name", "Sommer, Anna"] : [];
  return [...typed, "--email", email.toUpperCase(), ...name, "--country", "DE", "--details"];
}

type Resource = Record<string, unknown> & { id: string };

/** Omits fields that change by themselves. */
async function contentsOf(setup: SubjectSetup): Promise<Map<string, Resource>> {
  const contents = new Map<string, Resource>();
  for (const path of ["/contacts", "/calls", "/knowledge-items", "/prompts", "/groups", "/assistants"])
    for (const { id } of (await setup.get(`${path}?limit=100`)).data as Resource[]) {
      const {
        updated_at: _,
        sync_status: __,
        rating: ___,
        ...resource
      } = (await setup.get(`${path}/${id}`)).data;
      contents.set(id, resource as Resource);
    }
  return contents;
}

test.each(Array.from({ length: emulatorCount }, (_, index) => [index]))(
  `case %i of seed ${seed}: \`find\` finds all planted data, and \`erase\` erases or lists it`,
  async (index) => {
    const draw: Draw = (...names) => seededDraw(seed, index, ...names);
    const setup = await setUpSubject();
    const { run, home, data } = createSubjectShell(setup);
    const { planted, own, flags } = await populate(setup, draw);
    const before = await contentsOf(setup);
    const list = join(home, "alle.csv");
    expect((await run("contacts", "export", list)).code).toBe(0);
    expect((await run("contacts", "import", list, "--group", "Patienten", "--dry-run")).code).toBeLessThan(
      69,
    );
    await run("contacts", "list", "--all");

    const findings = await run("subject", "find", ...flags, "-o", "json");
    expect(findings.code, findings.stderr).toBe(0);
    const all: (Planted & { certainty: string })[] = findings.json.occurrences;
    const toKeys = (some: readonly Planted[]) =>
      [...new Set(some.map(({ where, id, field }) => `${where} ${id} ${field}`))].sort();
    const certain = all.filter(({ certainty }) => certainty === "certain");
    expect(toKeys(certain)).toEqual(toKeys(planted));
    expect(all.filter(({ certainty }) => certainty === "possible")).toEqual([]);

    const erased = await run(
      ...["subject", "erase", ...flags, "--recordings", "--local", "--max-delete", "100%", "--yes"],
    );
    expect([0, 68], erased.stderr).toContain(erased.code);
    const { erased: done, remains } = erased.json;
    const reported = new Set([...done, ...remains].map(({ where, id }: Planted) => `${where} ${id}`));
    for (const { where, id } of planted) expect(reported, `${where} ${id}`).toContain(`${where} ${id}`);
    expect(erased.code).toBe(remains.length + erased.json.local.remains.length > 0 ? 68 : 0);

    const after = await contentsOf(setup);
    for (const [id, resource] of before) {
      const now = after.get(id);
      if (own.contacts.includes(id)) expect(now).toBeUndefined();
      else if (own.calls.includes(id))
        expect(now).toEqual({ ...resource, recording: { available: false, content_type: null } });
      else if (planted.some((planted) => planted.id === id && planted.field === "text")) {
        const [was, is] = [String(resource["text"]), String(now?.["text"])];
        expect({ ...now, text: "" }).toEqual({ ...resource, text: "" });
        expect(is).toContain("[erased]");
        let at = 0;
        for (const part of is.split("[erased]")) {
          expect(was.indexOf(part, at), part).toBeGreaterThanOrEqual(at);
          at = was.indexOf(part, at) + part.length;
        }
      } else expect(now).toEqual(resource);
    }
    expect([...after.keys()].filter((id) => !before.has(id))).toEqual([]);

    const again = await run("subject", "find", ...flags, "--local", "-o", "json");
    const left = (again.json.occurrences as typeof all).filter(({ certainty }) => certainty === "certain");
    expect(toKeys(left)).toEqual(toKeys(planted.filter(({ where }) => where === "calls")));
    const here = again.json.local.occurrences as { certainty: string; area: string }[];
    expect(here.filter(({ certainty }) => certainty === "certain")).toEqual([]);
    const receipt = readFileSync(erased.json.receipt, "utf8");
    for (const flag of flags.filter((flag) => /@|\d{5}/.test(flag))) expect(receipt).not.toContain(flag);
    expect(readdirSync(join(data, "runs")).filter((name) => name.endsWith(".sqlite"))).toEqual([]);
    writeFileSync(list, "");
  },
);
