// Mirrors of a conforming service that behaves differently from the emulator. PROOF=1 tests every switch that affects
// reads.
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseExactJson } from "../../src/base/exact-json.js";
import { createClockBench } from "../conformance/harness/in-process.js";
import { keys, type Service } from "../conformance/server/service.js";
import { type SwitchName, switchNames } from "../conformance/server/switches.js";
import { type Asking, expectSameContent, openFork, readAllRows } from "../helpers/mirror.js";

const copied = [
  "voices",
  "groups",
  "prompts",
  "calendars",
  "tools",
  "forwardings",
  "glossary",
  "pronunciation",
  "knowledge",
  "assistants",
  "contacts",
];

/** Switches that affect only other APIs, writes or calls. */
const unrelated =
  /^(pages|ids|tree|billing|usage|licenses|delete|partners|status|ranges|recordings|WAV|requests|late|statistics|a CRM)/;
const wire = ["102 first", "103 three times", "chunked", "closes connections"];
const elsewhere = ["tools elsewhere"];
const reading = switchNames.filter(
  (name) => !unrelated.test(name) && ![...wire, ...elsewhere].includes(name),
);
const sample: SwitchName[] = [
  "adds fields",
  "no updated_at",
  "limit to 50",
  "numbers beyond 2^53",
  "empty is nothing",
  "another user deletes",
];
const cells = process.env["PROOF"] ? reading : sample;

/**
 * With these switches, lists and gets return different forms of a resource. A copy always uses the list's
 * form.
 */
const listsDiffer: readonly SwitchName[] = [
  "fewer fields in lists",
  "whole seconds in lists",
  "offset in lists",
];
const restless: readonly SwitchName[] = ["another user inserts", "another user deletes"];

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

function askerOfService(service: Service): Asking {
  return async (method, path, body) => {
    const {
      status,
      body: bytes,
      headers,
    } = await service.handle({
      method,
      target: `/api/v1${path}`,
      headers: { authorization: `Bearer ${keys.public}` },
      body: body === undefined ? "" : JSON.stringify(body),
    });
    const decode = decoders[headers["content-encoding"] ?? ""] ?? Buffer.from;
    // biome-ignore lint/suspicious/noExplicitAny: rows of any resource
    const parsed: any = parseExactJson(decode(bytes).toString("utf8"));
    return { status, body: parsed, headers: new Headers(headers) };
  };
}

async function fill(ask: Asking, service: Service): Promise<void> {
  const group = (type: string) => {
    const match = service.state.rows("groups").find((row) => row.versions.at(-1)?.fields["type"] === type);
    return match?.id;
  };
  const made: [string, object][] = [
    ["/prompts", { name: "Reception", kind: "answering", text: "Be kind." }],
    ["/knowledge-items", { group_id: group("knowledges"), name: "Hours", text: "From nine to five." }],
    [
      "/forwardings",
      {
        group_id: group("forwardings"),
        type: "unconditional",
        destination_type: "phone",
        phone_number: "+493012345678",
        timeout: 20,
      },
    ],
    ["/glossary", { group_id: group("glossaries"), term: "PZR", definition: "Professional cleaning" }],
    ["/pronunciation", { group_id: group("pronunciations"), token: "PZR", spell_out: true }],
    ["/contacts", { group_id: group("contacts"), first_name: " Anna ", phone_numbers: ["+491510000001"] }],
  ];
  for (const [path, body] of made) await ask("POST", path, body);
}

async function mirrored(switches: readonly SwitchName[]) {
  const bench = createClockBench(switches);
  onTestFinished(bench.remove);
  const source = askerOfService(bench.service);
  await fill(source, bench.service);
  await bench.pass();
  /** Each set of contacts that the service had at some time. */
  const states = new Set([contactsOf(bench.service)]);
  bench.service.onArrival(() => states.add(contactsOf(bench.service)));
  const made = await bench.run("mirror", "create", "copy", "-o", "json");
  states.add(contactsOf(bench.service));
  return { bench, source, made, states };
}

const contactsOf = ({ state }: Service) => idsOf(state.rows("contacts"));
const idsOf = (rows: readonly { id: string }[]) => JSON.stringify(rows.map(({ id }) => id).sort());

describe("a mirror of another service", () => {
  it.each(cells)(
    "[M1] a mirror has the same lists and resources as a service with the switch %s",
    async (name) => {
      const { bench, source, made, states } = await mirrored([name]);
      expect(made.code, made.stderr).toBe(0);
      const manifest = JSON.parse(made.stdout);
      const fork = await openFork(bench.path("data"), "copy");
      if (restless.includes(name)) {
        const isSingleState = states.has(idsOf(await readAllRows(fork.ask, "/contacts")));
        expect(isSingleState || manifest.consistency !== "consistent").toBe(true);
        return;
      }
      await expectSameContent(source, fork.ask, copied, { gets: !listsDiffer.includes(name) });
      expect(manifest.dangling).toEqual([]);
      if (name === "adds fields") expect(Object.keys(manifest.unknown_fields)).toContain("contacts");
      if (name === "no updated_at") {
        expect(manifest.consistency).toBe("equal-twice");
        expect(manifest.contradicted).toContainEqual(expect.objectContaining({ decision: "D-times" }));
      }
    },
  );

  it("[M10] [mirror.unknown-field] a fork refuses to write a field that the contract lacks", async () => {
    const { bench, made } = await mirrored(["adds fields"]);
    const fork = await openFork(bench.path("data"), "copy");
    const [contact] = await readAllRows(fork.ask, "/contacts");
    const [field = ""] = JSON.parse(made.stdout).unknown_fields.contacts;
    expect(contact).toHaveProperty(field);
    const refused = await fork.ask("PATCH", `/contacts/${contact.id}`, { [field]: "x" });
    expect([refused.status, refused.headers.get("x-emulator-rule")]).toEqual([400, "mirror.unknown-field"]);
    // A write of a known field keeps the unknown field.
    const changed = await fork.ask("PATCH", `/contacts/${contact.id}`, { last_name: "Neu" });
    expect(changed.body.data).toMatchObject({ last_name: "Neu", [field]: contact[field] });
  });

  it("[mirror.unknown-field] writes of other fields are validated as usual", async () => {
    const { bench } = await mirrored(["adds fields"]);
    const fork = await openFork(bench.path("data"), "copy");
    const [contact] = await readAllRows(fork.ask, "/contacts");
    const refused = await fork.ask("PATCH", `/contacts/${contact.id}`, { group_id: "none" });
    expect([refused.status, refused.headers.get("x-emulator-rule")]).toEqual([400, "public.general.7"]);
  });

  it("[M11] a mirror keeps two groups with the same name", async () => {
    const { bench, source } = await mirrored(["group names repeat"]);
    await source("POST", "/groups", { type: "contacts", name: "Team" });
    const made = await bench.run("mirror", "refresh", "copy", "-o", "json");
    const { contradicted } = JSON.parse(made.stdout);
    expect(contradicted).toContainEqual({
      decision: "D-group",
      example: expect.stringMatching(/^two groups "Team": [0-9a-f]{24}, [0-9a-f]{24}$/),
    });
    const fork = await openFork(bench.path("data"), "copy");
    await expectSameContent(source, fork.ask, ["groups"]);
    expect((await fork.ask("POST", "/groups", { type: "contacts", name: "Team" })).status).toBe(201);
  });
});
