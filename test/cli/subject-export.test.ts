import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { createSubjectShell, setUpSubject } from "../helpers/subject.js";

const anna = "+491713920001";
const hostile = `<script>alert(1)</script> "quoted" & <img src=x onerror='alert(2)'> \u202eenola`;

/** One caller's contact and call contain hostile text. Another caller mentions the first caller's number. */
async function setUpHostile() {
  const setup = await setUpSubject();
  const { assistantId } = setup;
  const [group_id] = setup.contactGroups;
  const named = { first_name: hostile, last_name: "Schmidt" };
  return {
    world: setup,
    own: await setup.create("/contacts", { group_id, ...named, phone_numbers: [anna] }),
    namesake: await setup.create("/contacts", { group_id, first_name: "Anna", last_name: "Schmidt" }),
    call: await setup.call({
      ...{ assistant_id: assistantId, from: anna, recording: "flac" },
      transcript: [{ role: "user", text: hostile, offset_seconds: 1.5 }],
    }),
    others: await setup.call({
      ...{ assistant_id: assistantId, from: "+491713920003", recording: "wav" },
      transcript: [
        { role: "user", text: "Ich habe Fieber.", offset_seconds: 0 },
        { role: "user", text: `Meine Frau erreichen Sie unter ${anna}, danke.`, offset_seconds: 4 },
      ],
    }),
    ...createSubjectShell(setup),
  };
}

describe("subject export", () => {
  test("`subject export` writes the caller's resources, mentions in other resources and a manifest", async () => {
    const { run, home, own, call, others: otherCall, namesake } = await setUpHostile();
    const flags = ["--phone", anna, "--name", "Anna Schmidt", "--details", "--recordings"];
    const exported = await run("subject", "export", "auskunft", ...flags);
    expect(exported.code, exported.stderr).toBe(0);
    expect(exported.json).toEqual({
      ...{ folder: "auskunft", contacts: 1, calls: 1, mentions: 1, recordings: 1, not_read: 0, left_out: 1 },
    });
    const folder = join(home, "auskunft");
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    const data = JSON.parse(read("data.json"));
    expect([data.contacts[0].id, data.calls[0].id]).toEqual([own, call]);
    expect(data.calls[0].transcript[0].text).toBe(hostile);
    expect(data.mentions).toEqual([
      {
        ...{ where: "calls", id: otherCall, field: "transcript[1].text" },
        excerpt: `Meine Frau erreichen Sie unter ${anna}, danke.`,
      },
    ]);
    expect(read("data.json")).not.toContain("Fieber");
    const manifest = JSON.parse(read("manifest.json"));
    expect(manifest).toMatchObject({ left_out: [{ where: "contacts", id: namesake }], not_read: [] });
    expect(manifest.searched).toContainEqual({ where: "calls", read: 2, found: 2, gone: 0 });
    expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual([
      `recordings/${call}.flac`,
      "data.json",
      "index.html",
    ]);
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = readFileSync(join(folder, name));
      expect([content.length, createHash("sha256").update(content).digest("hex")]).toEqual([bytes, sha256]);
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (name.isFile()) expect(statSync(join(name.parentPath, name.name)).mode & 0o077).toBe(0);
  });

  test("`subject export` writes a page without scripts and escapes all values", async () => {
    const { run, home, call } = await setUpHostile();
    await run("subject", "export", "auskunft", "--phone", anna, "--details", "--recordings");
    const html = readFileSync(join(home, "auskunft", "index.html"), "utf8");
    expect(html).toContain("default-src 'none'");
    expect(
      html.match(
        /<(?!\/?(?:!doctype|html|head|meta|title|style|body|header|main|section|article|h[1-4]|p|dl|dt|dd|ol|li|span|a|div|table|thead|tbody|tr|th|td|br)\b)/g,
      ),
    ).toBeNull();
    // Quotes in attributes are escaped, and invisible direction marks are shown.
    expect(html.match(/<[^>]*\son\w+=|<a [^>]*href="(?!recordings\/)/g)).toBeNull();
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
    expect(html).toContain(`<a href="recordings/${call}.flac">`);
  });

  test("`subject export` reports data that could not be read (exit code 68)", async () => {
    const { runWith, world: setup, home, call } = await setUpHostile();
    const overrides = reshapeResponses(setup.emulator, ({ path }, { body }) =>
      path.startsWith("/api/v1/prompts") || path.endsWith("/recording")
        ? { status: 403, body: { error: { code: "forbidden", message: "Not for this role.", details: [] } } }
        : { body },
    );
    const flags = ["--profile", "offline", "subject", "export", "a", "--phone", anna, "--details"];
    const first = await runWith({ overrides }, ...flags);
    expect([first.code, first.stderr]).toEqual([
      68,
      expect.stringContaining("not searched: prompts: Not for"),
    ]);
    const manifest = JSON.parse(readFileSync(join(home, "a", "manifest.json"), "utf8"));
    expect(manifest.not_searched).toContainEqual({
      ...{ where: "prompts", id: null, reason: "Not for this role (403)" },
    });
    expect(manifest.searched.map(({ where }: { where: string }) => where)).toEqual([
      ...["contacts", "calls", "knowledge", "groups", "assistants", "forwardings", "glossary"],
      ...["pronunciation", "calendars", "tools"],
    ]);
    const findings = await runWith(
      { overrides },
      "--profile",
      "offline",
      "subject",
      "find",
      "--phone",
      anna,
      "--details",
    );
    expect(findings.code).toBe(68);
    expect(findings.json.occurrences.map(({ id }: { id: string }) => id)).toContain(call);
  });

  test("`subject export` refuses a directory that is not empty", async () => {
    const { run, home } = await setUpHostile();
    mkdirSync(join(home, "voll"));
    writeFileSync(join(home, "voll", "x"), "");
    expect((await run("subject", "export", "voll", "--phone", anna)).code).toBe(12);
    expect(readdirSync(join(home, "voll"))).toEqual(["x"]);
  });
});
