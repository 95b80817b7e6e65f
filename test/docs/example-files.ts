import { formatPlan } from "../helpers/plan.js";

const customers = `Vorname;Nachname;Telefon;E-Mail
Anna;Schmidt;030 23181234;anna@example.org
Björn;Krüger;0171 3920099;
`;
const cards = `BEGIN:VCARD
VERSION:3.0
N:Schmidt;Anna;;;
FN:Anna Schmidt
TEL;TYPE=CELL:+491713920099
UID:a-1
END:VCARD
`;
const terms = `term,definition
KVA,Kostenvoranschlag für Zahnersatz
HKP,Heil- und Kostenplan
`;
const tokens = `token,replacement,spell_out,speaking_rate,ipa
KVA,,true,,
Inlay,Inlee,,0.9,
`;

const plans = {
  "kunden.plan": formatPlan({
    header: {
      target: { base_url: "http://emulator.localhost/api/v1", anchors: [] },
      made_at: new Date().toISOString(),
    },
    steps: [{ step: 1, undo: "full", op: "groups.create", body: { type: "contacts", name: "Kunden" } }],
  }),
};

export const configuredAssistant = {
  "assistants/empfang.yaml": `name: Empfang 2
language: de
voice: Clara
company_name: Praxis Sommer
company_industry: Zahnmedizin
introduction: Guten Tag!
`,
};

export const exampleFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  contacts: {
    "contact.json": JSON.stringify({ first_name: "Anna", phone_numbers: ["+4915112345678"] }),
    "kunden.csv": customers,
    "customers.csv": customers,
    "kontakte.vcf": cards,
    "crm.csv": "Kundennummer;Vorname;Nachname;Telefon\n4711;Anna;Schmidt;030 23181234\n",
    "list.csv": "Rufname,Tel1,Tel2\nAnna,+493023181234,+491713920099\n",
  },
  assistants: {
    "empfang.yaml": `name: Empfang 2
language: de
company_name: Praxis Sommer
company_industry: Zahnmedizin
introduction: Guten Tag!
`,
  },
  prompts: {
    "text.yaml": "text: |\n  Du bist freundlich.\n",
    "empfang.yaml": "name: Empfang am Abend\nkind: answering\ntext: |\n  Du bist freundlich.\n",
  },
  knowledge: { "wissen/urlaub.md": "# Urlaub\n\nVom 3. bis 14. August.\n", "wissen/parken.txt": "Im Hof.\n" },
  glossary: { "begriffe.csv": terms, "list.csv": terms },
  pronunciation: { "aussprache.csv": tokens, "list.csv": tokens },
  rehearse: { "kunden.csv": "Vorname;Telefon\nAnna;+493023181234\nBjörn;+491713920099\n" },
  config: {
    "voxctl.project.yaml": `version: 1
project: "0123456789ab"
kinds: [assistants, prompts]
targets:
  dev: { profile: offline }
  prod: { profile: offline }
  neu: { profile: offline }
`,
    "prompts/empfang.md": "---\nname: Empfang am Abend\nkind: answering\n---\nDu bist freundlich.\n",
    "prompts/alt.md": "---\nname: Empfang von früher\nkind: answering\n---\nDu bist kurz.\n",
  },
  lint: {
    "voxctl.project.yaml":
      'version: 1\nproject: "0123456789ab"\nkinds: [tools]\ntargets: { dev: {}, prod: {} }\n',
    "tools/crm.yaml": "name: crm_lookup\nurl: http://crm.example.com/lookup\n",
  },
  emulator: {
    "praxis/voxctl.project.yaml":
      'version: 1\nproject: "0123456789ab"\nkinds: [prompts]\ntargets: { dev: {}, prod: {} }\n',
    "praxis/prompts/empfang.md": "---\nname: Empfang\nkind: answering\n---\nDu bist freundlich.\n",
  },
  calendars: {
    "labor.yaml": `name: Labor
schedules:
  - kind: opening
    weekly:
      monday: [{ from: "08:00", to: "12:00" }]
`,
    "praxis.yaml": `schedules:
  - kind: opening
    weekly:
      monday: [{ from: "08:00", to: "12:00" }]
`,
  },
  tools: {
    "tool.yaml": `name: cancel_appointment
url: https://termine.praxis-sommer.example/api/cancel
description: Sagt einen Termin ab.
`,
  },
  plan: plans,
  apply: plans,
  orgs: {
    "spec.csv":
      "type,external_id,name,parent,license,product\nmsp,elbe,Elbe Systemhaus,,elbe-base,MSP\nlicense,,,elbe,elbe-001,\ncustomer,optik-lange,Optik Lange,elbe,elbe-001,\n",
    "spec.yaml": `name: offices
msps:
  - external_id: elbe
    name: Elbe Systemhaus
    license: { id: elbe-base }
    licenses: [{ id: elbe-001 }]
    customers: [{ external_id: optik-lange, name: Optik Lange, license: elbe-001 }]
`,
  },
  calls: {
    "brief.txt": "Erinnerung an den Termin am Freitag um 9 Uhr.\n",
    "smoke.yaml": `scenarios:
  - name: reminds the customer of the appointment
    assistant: Terminservice
    to: "+4915112345678"
    details: Termin am Freitag um 9 Uhr
    expect:
      status: completed
      transcript: { contains: freitag }
`,
  },
};
