import fc from "fast-check";
import type { Body } from "./fields.js";

/**
 * One step of a sequence, as JSON that can be stored and replayed. `{{g1}}` is the ID of the last resource
 * created under that name, `{{a1.phone}}` an assistant's number, `{{cursor}}` the last page's cursor.
 */
export type Step =
  | { request: Request }
  | { advance: number }
  /** Continues the list that was requested last. */
  | { next: { limit: string } }
  | { operate: string; enterprise?: boolean; blocked_numbers?: string[] };

export interface Request {
  key: string;
  method: string;
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: Body;
  /** Name that refers to the created resource in later steps. */
  creates?: string;
}

/** A secret that no response may contain. */
export const secretMark = "s3cret";

const pick = fc.constantFrom;
const named = (...names: string[]) => pick(...names).map((name) => `{{${name}}}`);

const groupNames = ["g1", "g2", "g3", "g4"];
const defaults = ["contacts", "knowledges", "forwardings", "glossaries", "pronunciations"];
/** Default groups, new groups, a group of another organization, and an unknown group. */
const anyGroup = fc.oneof(
  { weight: 5, arbitrary: named(...defaults) },
  { weight: 5, arbitrary: named(...groupNames) },
  { weight: 1, arbitrary: pick("{{s.contacts}}", "{{nothing}}") },
);
const groupOf = (type: string) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(`{{${type}}}`) },
    { weight: 2, arbitrary: named(...groupNames) },
    { weight: 1, arbitrary: anyGroup },
  );
const groupType = pick(...defaults);
const shortName = pick("A", "B", "C", " A ", "Default");
const badName = pick<unknown>("", "   ", 7, null, "x".repeat(201));
const text = pick("", "one", "two @preCallData");
const rarely = <T>(common: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 20) =>
  fc.oneof({ weight, arbitrary: common }, { weight: 1, arbitrary: rare });
const name = rarely<unknown>(shortName, badName);
const partial = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
/** The body of a create. Sometimes fields are missing, or one field is unknown. */
const whole = (
  fields: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
) =>
  rarely<Body>(
    fc.record({ ...fields, ...optional }, { requiredKeys: Object.keys(fields) }),
    fc.oneof(partial({ ...fields, ...optional }), fc.record({ ...fields, colour: fc.constant("red") })),
  );

const phones = pick<unknown>([], ["+4930123456"], ["+4930123456", "+493011"]);
const references = (names: string[]) => fc.uniqueArray(named(...names), { maxLength: 2 });
const nullable = (value: fc.Arbitrary<string>) => fc.option(value, { freq: 4 });

const credential = fc.constant(`${secretMark}-1`);
const auth = fc.oneof(
  fc.constant(null),
  fc.constant({ type: "none" }),
  fc.record({ type: fc.constant("bearer"), secret: credential }, { requiredKeys: ["type"] }),
  fc.record(
    { type: fc.constant("basic"), username: pick("u", "v"), password: credential },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    { type: fc.constant("api_key"), header_name: pick("X-Key", "X-Other"), secret: credential },
    { requiredKeys: ["type"] },
  ),
  // The auth of a GET response, sent back unchanged (public.operations.7k).
  fc.constant({ type: "bearer", has_secret: true }),
);
const webhook = fc.option(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record(
        {
          enabled: fc.boolean(),
          url: pick("https://a.example/", "https://b.example/hook"),
          headers: pick<unknown>({}, { a: "1" }, { a: "2", B: "3" }, null),
          auth,
        },
        { requiredKeys: ["enabled"] },
      ),
    },
    { weight: 1, arbitrary: fc.constant({ url: "https://a.example/" }) },
  ),
  { freq: 6 },
);

const assistantReferences = {
  prompt_id: nullable(named("p1", "p2", "p3")),
  email_prompt_id: nullable(named("p1", "p2", "p3")),
  knowledge_group_ids: references(["knowledges", ...groupNames]),
  forwarding_group_ids: references(["forwardings", ...groupNames]),
  glossary_group_ids: references(["glossaries", ...groupNames]),
  pronunciation_group_ids: references(["pronunciations", ...groupNames]),
  calendar_ids: references(["k1", "k2"]),
  tool_ids: references(["t1", "t2"]),
};
const assistantTexts = {
  name: shortName,
  language: pick("de", "en"),
  company_name: shortName,
  company_industry: shortName,
  introduction: text,
};
const voice = rarely(named("v1", "v2"), named("v.legacy", "nothing"));
const refersRarely = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  // Only some bodies have a reference, because most random names refer to missing resources.
  ...Object.entries(assistantReferences).map(([field, value]) => ({
    weight: 1,
    arbitrary: fc.record({ [field]: value }),
  })),
);

interface Subject {
  weight: number;
  path: string;
  names: string[];
  create: fc.Arbitrary<Body>;
  update: fc.Arbitrary<Body>;
  filters?: fc.Arbitrary<Record<string, string>>;
}

const byGroup = (type: string) =>
  partial({ group_id: groupOf(type) }) as fc.Arbitrary<Record<string, string>>;

const subjects: readonly Subject[] = [
  {
    weight: 4,
    path: "/groups",
    names: [...groupNames, ...defaults],
    create: whole({ type: rarely<unknown>(groupType, pick("people", null)), name }),
    update: rarely<Body>(partial({ name }), fc.constant({ type: "contacts" }), 8),
    filters: partial({ type: rarely(groupType, fc.constant("people")) }) as fc.Arbitrary<
      Record<string, string>
    >,
  },
  {
    weight: 3,
    path: "/contacts",
    names: ["c1", "c2"],
    create: whole(
      { group_id: groupOf("contacts"), first_name: name },
      {
        last_name: shortName,
        phone_numbers: rarely<unknown>(phones, pick(["030 1"], "030")),
        emails: pick([], ["a@b.example"]),
      },
    ),
    update: partial({ group_id: groupOf("contacts"), first_name: name, phone_numbers: phones }),
    filters: byGroup("contacts"),
  },
  {
    weight: 2,
    path: "/knowledge-items",
    names: ["n1", "n2"],
    create: whole({ group_id: groupOf("knowledges"), name, text }, { active: fc.boolean() }),
    update: partial({ group_id: groupOf("knowledges"), name, text, active: fc.boolean() }),
    filters: byGroup("knowledges"),
  },
  {
    weight: 2,
    path: "/forwardings",
    names: ["f1", "f2"],
    create: whole(
      {
        group_id: groupOf("forwardings"),
        destination_type: pick("phone", "phone", "phone", "sip", "sip_refer", "fax"),
      },
      {
        phone_number: rarely(pick("", "+4930123456"), fc.constant("030")),
        sip_uri: pick("sip:a@b.example", ""),
        sip_refer_target: fc.constant("sip:c@d.example"),
        timeout: rarely<unknown>(pick(1, 300), pick<unknown>(301, "30"), 6),
        type: pick("standard", "night"),
      },
    ),
    update: partial({
      destination_type: pick("phone", "sip", "sip_refer"),
      sip_uri: pick("sip:a@b.example", "", null),
      sip_refer_target: pick("sip:c@d.example", null),
      phone_number: pick("", "+4930123456"),
    }),
    filters: byGroup("forwardings"),
  },
  {
    weight: 1,
    path: "/glossary",
    names: ["y1"],
    create: whole({ group_id: groupOf("glossaries"), term: name }, { definition: text }),
    update: rarely<Body>(
      partial({ term: name, definition: text }),
      fc.record({ group_id: groupOf("glossaries") }),
      4,
    ),
    filters: byGroup("glossaries"),
  },
  {
    weight: 1,
    path: "/pronunciation",
    names: ["r1"],
    create: whole(
      { group_id: groupOf("pronunciations"), token: rarely(fc.constant("PZR"), pick("two words", ""), 6) },
      { replacement: pick("x", "y"), spell_out: fc.boolean() },
    ),
    update: partial({
      token: pick("PZR", "two words"),
      replacement: pick<unknown>("x", null),
      spell_out: fc.boolean(),
    }),
    filters: byGroup("pronunciations"),
  },
  {
    weight: 2,
    path: "/prompts",
    names: ["p1", "p2", "p3"],
    create: whole({ name, kind: rarely(pick("answering", "email"), fc.constant("fax")), text }),
    update: rarely<Body>(partial({ name, text }), fc.constant({ kind: "email" })),
  },
  {
    weight: 2,
    path: "/calendars",
    names: ["k1", "k2"],
    create: whole(
      { name },
      {
        timezone: rarely(fc.constant("Europe/Vienna"), fc.constant("Mars/Base"), 6),
        schedules: pick<unknown>([], [{ kind: "opening", weekly: {}, overrides: [] }]),
      },
    ),
    update: partial({ name, schedules: fc.constant([]) }),
  },
  {
    weight: 1,
    path: "/tools",
    names: ["t1", "t2"],
    create: whole(
      {
        name: pick<unknown>("book", "cancel", "Not Snake"),
        url: pick("https://a.example/", "ftp://a.example/"),
      },
      { secret: credential, type: rarely(fc.constant("webhook"), fc.constant("code"), 6) },
    ),
    update: partial({ name: pick("book", "cancel"), secret: fc.option(credential) }),
  },
  {
    weight: 6,
    path: "/assistants",
    names: ["a1", "a2"],
    create: fc
      .tuple(
        whole({ ...assistantTexts, voice_id: voice }),
        refersRarely,
        partial({ pre_call_webhook: webhook }),
      )
      .map(([texts, refers, hook]) => ({ ...texts, ...refers, ...hook })),
    // Each update has only one of these groups of fields. D-order defines no order for two failures of the same type.
    update: fc.oneof(
      partial({ ...assistantTexts, voice_id: voice }),
      refersRarely,
      fc
        .tuple(partial({ name: shortName }), fc.record({ pre_call_webhook: webhook }))
        .map(([first, second]) => ({ ...first, ...second })),
      fc.constant({ phone_number: "+4930123456" }),
    ),
  },
];

const key = fc.oneof(
  { weight: 30, arbitrary: fc.constant("admin") },
  { weight: 2, arbitrary: pick("editor", "caller", "viewer") },
  { weight: 1, arbitrary: pick("stranger", "wrong", "none") },
);
const pickName = (names: string[]) =>
  rarely(named(...names), pick("{{nothing}}", "nonsense", "{{contacts}}"), 12);
const page = partial({ limit: rarely(pick("1", "2", "50"), pick("0", "201", "x")) }) as fc.Arbitrary<
  Record<string, string>
>;

function requestsOf({ weight, path, names, create, update, filters }: Subject) {
  const request = (share: number, method: string, more: Record<string, fc.Arbitrary<unknown>>) => ({
    weight: weight * share,
    arbitrary: fc.record({ key, method: fc.constant(method), ...more }) as unknown as fc.Arbitrary<Request>,
  });
  const at = pickName(names).map((id) => `${path}/${id}`);
  const filtered = fc
    .tuple(page, filters ?? fc.constant({}))
    .map(([first, second]) => ({ ...first, ...second }));
  const newNames = names.filter((known) => !defaults.includes(known));
  return [
    request(6, "POST", { path: fc.constant(path), body: create, creates: pick(...newNames) }),
    request(3, "PATCH", { path: at, body: update }),
    request(2, "GET", { path: at }),
    request(2, "DELETE", { path: at }),
    request(2, "GET", { path: fc.constant(path), query: filtered }),
    request(1, "GET", {
      path: fc.constant(path),
      query: filtered.map((query) => ({ ...query, cursor: "{{cursor}}" })),
    }),
  ];
}

/** The initial steps of every sequence, so that most names refer to a resource. */
export const beginning: readonly Request[] = [
  ["/groups", "g1", { type: "contacts", name: "A" }],
  ["/groups", "g2", { type: "knowledges", name: "A" }],
  ["/groups", "g3", { type: "forwardings", name: "A" }],
  ["/groups", "g4", { type: "glossaries", name: "A" }],
  ["/contacts", "c1", { group_id: "{{g1}}", first_name: "A" }],
  ["/contacts", "c2", { group_id: "{{contacts}}", first_name: "B", phone_numbers: ["+4930123456"] }],
  ["/knowledge-items", "n1", { group_id: "{{g2}}", name: "A", text: "one" }],
  ["/forwardings", "f1", { group_id: "{{g3}}", destination_type: "phone" }],
  ["/glossary", "y1", { group_id: "{{g4}}", term: "A" }],
  ["/pronunciation", "r1", { group_id: "{{pronunciations}}", token: "PZR", spell_out: true }],
  ["/prompts", "p1", { name: "A", kind: "answering", text: "" }],
  ["/prompts", "p2", { name: "B", kind: "email", text: "" }],
  ["/calendars", "k1", { name: "A" }],
  ["/tools", "t1", { name: "book", url: "https://a.example/" }],
  [
    "/assistants",
    "a1",
    {
      ...{ name: "A", language: "de", voice_id: "{{v1}}", company_name: "A", company_industry: "A" },
      ...{
        introduction: "",
        prompt_id: "{{p1}}",
        email_prompt_id: "{{p2}}",
        knowledge_group_ids: ["{{g2}}"],
      },
      pre_call_webhook: {
        ...{ enabled: true, url: "https://a.example/", headers: { a: "1" } },
        auth: { type: "bearer", secret: `${secretMark}-0` },
      },
    },
  ],
  [
    "/assistants",
    "a2",
    {
      ...{ name: "B", language: "de", voice_id: "{{v2}}", company_name: "A", company_industry: "A" },
      ...{
        introduction: "",
        calendar_ids: ["{{k1}}"],
        tool_ids: ["{{t1}}"],
        forwarding_group_ids: ["{{g3}}"],
      },
    },
  ],
].map(([path, creates, body]) => ({ key: "observer", method: "POST", path, creates, body }) as Request);

const numbers = ["+4930123456", "+49301230001", "+49301230004"];
const destination = rarely(
  pick(...numbers, "030 123456", "0049 (30) 123-456", "+49301230002"),
  pick("nobody", "+1"),
);
const trigger = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ assistant_id: named("a1", "a2"), to: destination }) as fc.Arbitrary<Body>,
  },
  {
    weight: 2,
    arbitrary: fc.record({ assistant_phone: named("a1.phone", "a2.phone"), target_phone: destination }),
  },
  {
    weight: 1,
    arbitrary: partial({
      assistant_id: named("a1"),
      assistant_phone: named("a1.phone"),
      to: destination,
      target_phone: destination,
      details: text,
    }),
  },
);
const callNames = ["x1", "x2"];
const calls = [
  {
    weight: 24,
    arbitrary: fc.record({
      key,
      method: fc.constant("POST"),
      path: fc.constant("/calls"),
      body: trigger,
      creates: pick(...callNames),
    }) as fc.Arbitrary<Request>,
  },
  {
    weight: 8,
    arbitrary: fc.record({
      key,
      method: fc.constant("GET"),
      path: pickName(callNames).map((id) => `/calls/${id}`),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      key,
      method: fc.constant("DELETE"),
      path: pickName(callNames).map((id) => `/calls/${id}/recording`),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      key,
      method: fc.constant("GET"),
      path: fc.constant("/calls"),
      query: fc
        .tuple(page, partial({ assistant_id: named("a1", "nothing"), cursor: fc.constant("{{cursor}}") }))
        .map(([first, second]) => ({ ...first, ...second }) as Record<string, string>),
    }),
  },
];

/** Any step, with weights chosen to reach many states. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.oneof(...subjects.flatMap(requestsOf), ...calls).map((request): Step => ({ request })),
  },
  {
    weight: 4,
    arbitrary: pick(1, 2, 5, 7, 17, 59, 60, 61, 102, 3_600).map((advance): Step => ({ advance })),
  },
  { weight: 3, arbitrary: pick("1", "3").map((limit): Step => ({ next: { limit } })) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ operate: pick("a1", "a2"), enterprise: fc.boolean() }),
      fc.record({ operate: pick("a1", "a2"), blocked_numbers: fc.subarray(numbers) }),
    ),
  },
);
