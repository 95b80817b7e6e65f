import { ids } from "./ids.js";

const openingHours = [
  {
    kind: "opening",
    weekly: {
      monday: [
        { from: "08:00", to: "12:00" },
        { from: "14:00", to: "18:00" },
      ],
      tuesday: [{ from: "08:00", to: "16:00" }],
      friday: [{ from: "08:00", to: "13:00" }],
    },
    overrides: [{ date: "2026-12-24", closed: true }],
  },
];

/** An example body for each operation that accepts one. */
export const requestExamples: Readonly<Record<string, unknown>> = {
  "contacts.create": {
    group_id: ids.group_id,
    first_name: "Anna",
    last_name: "Sommer",
    phone_numbers: ["+493012345678"],
    emails: ["anna.sommer@example.org"],
  },
  "contacts.update": { phone_numbers: ["+493012345678", "+4915112345678"] },
  "groups.create": { type: "contacts", name: "Patienten" },
  "groups.update": { name: "Patienten Mitte" },
  "knowledge.create": {
    group_id: ids.group_id,
    name: "Parken",
    text: "Hinter dem Haus sind zwei Plätze für Patienten. Die Einfahrt ist neben der Apotheke.",
  },
  "knowledge.update": { text: "Hinter dem Haus sind drei Plätze für Patienten." },
  "prompts.create": {
    name: "Empfang",
    kind: "answering",
    text: "Du nimmst Anrufe einer Zahnarztpraxis an. Was über den Anrufer bekannt ist: @preCallData",
  },
  "prompts.update": { name: "Empfang Mitte" },
  "assistants.create": {
    name: "Empfang",
    language: "de",
    voice_id: ids.voice_id,
    company_name: "Zahnarztpraxis Dr. Sommer",
    company_industry: "Zahnmedizin",
    introduction: "Guten Tag, Zahnarztpraxis Dr. Sommer. Was kann ich für Sie tun?",
    prompt_id: ids.prompt_id,
    knowledge_group_ids: [ids.group_id],
    pre_call_webhook: {
      enabled: true,
      url: "https://praxis.example.org/hooks/caller",
      headers: { "X-Location": "Mitte" },
      auth: { type: "bearer", secret: "a-secret-of-your-own" },
    },
  },
  "assistants.update": { introduction: "Zahnarztpraxis Dr. Sommer, guten Abend. Wie kann ich helfen?" },
  "forwardings.create": {
    group_id: ids.group_id,
    name: "Rezeption",
    destination_type: "phone",
    phone_number: "+493012345678",
    timeout: 45,
  },
  "forwardings.update": { destination_type: "sip", sip_uri: "sip:empfang@pbx.example.org" },
  "glossary.create": { group_id: ids.group_id, term: "PZR", definition: "Professionelle Zahnreinigung" },
  "glossary.update": { definition: "Professionelle Zahnreinigung, etwa 45 Minuten" },
  "pronunciation.create": { group_id: ids.group_id, token: "Dr.", replacement: "Doktor" },
  "pronunciation.update": { speaking_rate: 0.9 },
  "calendars.create": { name: "Praxis", timezone: "Europe/Berlin", schedules: openingHours },
  "calendars.update": { schedules: openingHours },
  "tools.create": {
    name: "find_appointment",
    description: "Finds free appointments on a day.",
    url: "https://praxis.example.org/api/appointments",
    method: "POST",
    headers: { "X-Location": "Mitte" },
    parameters: {
      type: "object",
      properties: { day: { type: "string", format: "date" } },
      required: ["day"],
    },
    secret: "a-secret-of-your-own",
  },
  "tools.update": { secret: null },
  "calls.create": {
    assistant_id: ids.assistant_id,
    to: "+4915112345678",
    details: "Erinnere an den Termin morgen um 9 Uhr.",
  },
  "orgs.create": {
    type: "customer",
    name: "Optik Lange",
    parentOrganizationId: ids.organizationId,
    externalOrganizationId: "optik-lange",
    externalLicenseId: "elbe-001",
  },
  "licenses.upsert": {
    licenses: [
      { externalLicenseId: "elbe-001", product: "Standard" },
      { externalLicenseId: "elbe-002", status: "disabled" },
    ],
  },
  "licenses.reassign": { externalLicenseId: "elbe-003" },
  "partners.create": { externalPartnerId: "elbe", name: "Elbe Systemhaus" },
  "partners.update": { name: "Elbe Systemhaus GmbH" },
  "customers.create": { externalCustomerId: "optik-lange", name: "Optik Lange", plan: "business" },
  "customers.plan": { plan: "enterprise" },
  "legacy.call": {
    assistantPhoneNumber: "+493221100001",
    targetPhoneNumber: "+4915112345678",
    details: "Erinnere an den Termin morgen um 9 Uhr.",
  },
};

/**
 * Example values for required query parameters. Cursors can't be invented, and filters would return an empty page.
 */
export const queryExamples: Readonly<Record<string, unknown>> = {
  week: 47,
  year: 2026,
  assistant_id: "all",
  from: "2026-11-01",
  to: "2026-11-30",
};
