import { parseTimestamp } from "../../base/time-text.js";
import type { PublicResource } from "../../contract/mirror.js";
import { contentTypes } from "../audio/recording.js";
import { encryptHeaders, encryptSecret } from "../kernel/secrets.js";
import type { Stored, Table } from "../kernel/table.js";
import { contactTable } from "../public/contacts.js";
import { forwardingTable } from "../public/forwardings.js";
import { glossaryTable } from "../public/glossary.js";
import { endsAfterMilliseconds } from "../public/knowledge-indexing.js";
import { ratingMilliseconds } from "../public/prompts.js";
import { pronunciationTable } from "../public/pronunciation.js";
import {
  array,
  type Column,
  type Field,
  flag,
  isoTimeOf,
  json,
  list,
  nullableNumber,
  nullableText,
  oneOf,
  type RawRecord,
  readObject,
  text,
  time,
} from "./conversions.js";

interface CopiedTable {
  table: string;
  /** False only for voices. */
  owned: boolean;
  groupType?: string;
  /** Fields that only GET returns. */
  unlisted?: readonly string[];
}

/** If a field has no column, the mirror returns the source's value. */
interface CopiedColumns extends CopiedTable {
  columns: Readonly<Record<string, Column>>;
}

interface CopiedRecords extends CopiedTable {
  records: Pick<Table<Stored>, "put" | "add" | "find">;
  fields: Readonly<Record<string, Field>> &
    Readonly<Record<"group_id" | "created_at" | "updated_at", Field<string>>>;
  groupType: string;
}

/** Text stored instead of a secret, because the source doesn't return secrets. */
const unknownSecret = "(not in the copy)";

const webhookColumns: Readonly<Record<string, Column>> = {
  pre_call_webhook: (raw) => {
    if (raw["pre_call_webhook"] === null || raw["pre_call_webhook"] === undefined) return null;
    const { headers, ...settings } = readObject(raw, "pre_call_webhook");
    return JSON.stringify(settings);
  },
  webhook_headers: (raw, { sealing }) =>
    JSON.stringify(encryptHeaders(sealing, readObject(readObject(raw, "pre_call_webhook"), "headers"))),
  webhook_credential: (raw, { sealing }) => {
    const auth = readObject(readObject(raw, "pre_call_webhook"), "auth");
    const { type = "none", has_secret, has_password } = auth;
    // The fields `has_secret` and `has_password` are undocumented (D-webhook). Without them, assume that all
    // types except `none` have a credential.
    const isKept = has_secret ?? has_password ?? type !== "none";
    return isKept === true ? encryptSecret(sealing, unknownSecret) : null;
  },
};

/** Returns a request time from which the emulator computes the same indexing state as the source. */
function computeIndexingStart(raw: RawRecord, now: number): number {
  const status = readObject(raw, "sync_status");
  const since = parseTimestamp(status["updated_at"]) ?? parseTimestamp(raw["updated_at"]) ?? now;
  const isOver = status["state"] === "synced" || status["state"] === "failed";
  return isOver ? since - endsAfterMilliseconds : since;
}

const callOutcomeOf: Column = (raw) => {
  const status = String(raw["status"] ?? "");
  return ["completed", "no_answer", "busy"].includes(status) ? status : "failed";
};

const endedAt: Column = (raw, { now }) =>
  parseTimestamp(raw["ended_at"]) ?? parseTimestamp(raw["created_at"]) ?? now;

function findRecordingFormat(raw: RawRecord): string | null {
  const recording = readObject(raw, "recording");
  if (recording["available"] !== true) return null;
  const [format] = Object.entries(contentTypes).find(([, type]) => type === recording["content_type"]) ?? [];
  return format ?? "wav";
}

export const copiedResources: Readonly<Record<PublicResource, CopiedColumns | CopiedRecords>> = {
  voices: {
    table: "voices",
    owned: false,
    columns: {
      name: text("name"),
      languages: list("languages"),
      gender: text("gender"),
      generation: oneOf("generation", ["v1", "v2"], "v2"),
      selectable: () => 1,
      created_at: time("created_at"),
      updated_at: time("updated_at"),
    },
  },
  groups: {
    table: "groups",
    owned: true,
    columns: {
      type: text("type"),
      name: text("name"),
      created_at: time("created_at"),
      updated_at: time("updated_at"),
    },
  },
  prompts: {
    table: "prompts",
    owned: true,
    columns: {
      name: text("name"),
      kind: text("kind"),
      text: text("text"),
      rating_asked_at: (raw) => {
        const rated = parseTimestamp(readObject(raw, "rating")["rated_at"]);
        if (raw["rating"] === null || raw["rating"] === undefined) return null;
        return rated === undefined ? (parseTimestamp(raw["updated_at"]) ?? null) : rated - ratingMilliseconds;
      },
      created_at: time("created_at"),
      updated_at: time("updated_at"),
    },
  },
  calendars: {
    table: "calendars",
    owned: true,
    columns: {
      name: text("name"),
      timezone: text("timezone"),
      schedules: json("schedules", []),
      created_at: time("created_at"),
      updated_at: time("updated_at"),
    },
  },
  tools: {
    table: "tools",
    owned: true,
    columns: {
      name: text("name"),
      description: text("description"),
      type: text("type"),
      url: text("url"),
      method: text("method"),
      headers: (raw, { sealing }) => JSON.stringify(encryptHeaders(sealing, readObject(raw, "headers"))),
      parameters: json("parameters", {}),
      secret: (raw, { sealing }) =>
        raw["has_secret"] === true ? encryptSecret(sealing, unknownSecret) : null,
      created_at: time("created_at"),
      updated_at: time("updated_at"),
    },
  },
  forwardings: {
    table: "forwardings",
    owned: true,
    groupType: "forwardings",
    records: forwardingTable,
    fields: {
      group_id: text("group_id"),
      name: nullableText("name"),
      type: text("type"),
      destination_type: text("destination_type"),
      phone_number: nullableText("phone_number"),
      sip_uri: nullableText("sip_uri"),
      sip_refer_target: nullableText("sip_refer_target"),
      timeout: (raw) => (typeof raw["timeout"] === "number" ? raw["timeout"] : 0),
      created_at: isoTimeOf("created_at"),
      updated_at: isoTimeOf("updated_at"),
    },
  },
  glossary: {
    table: "glossary_items",
    owned: true,
    groupType: "glossaries",
    records: glossaryTable,
    fields: {
      group_id: text("group_id"),
      term: text("term"),
      definition: text("definition"),
      created_at: isoTimeOf("created_at"),
      updated_at: isoTimeOf("updated_at"),
    },
  },
  pronunciation: {
    table: "pronunciation_items",
    owned: true,
    groupType: "pronunciations",
    records: pronunciationTable,
    fields: {
      group_id: text("group_id"),
      token: text("token"),
      replacement: nullableText("replacement"),
      spell_out: (raw) => raw["spell_out"] === true,
      speaking_rate: nullableNumber("speaking_rate"),
      ipa: nullableText("ipa"),
      created_at: isoTimeOf("created_at"),
      updated_at: isoTimeOf("updated_at"),
    },
  },
  knowledge: {
    table: "knowledge_items",
    owned: true,
    groupType: "knowledges",
    unlisted: ["text"],
    columns: {
      group_id: text("group_id"),
      name: text("name"),
      active: flag("active"),
      indexing_asked_at: (raw, { now }) => computeIndexingStart(raw, now),
      indexing_ends: (raw) => (readObject(raw, "sync_status")["state"] === "failed" ? "failed" : "synced"),
      created_at: time("created_at"),
      updated_at: time("updated_at"),
    },
  },
  assistants: {
    table: "assistants",
    owned: true,
    columns: {
      name: text("name"),
      language: text("language"),
      voice_id: text("voice_id"),
      company_name: text("company_name"),
      company_industry: text("company_industry"),
      introduction: text("introduction"),
      phone_number: nullableText("phone_number"),
      carrier: nullableText("carrier"),
      prompt_id: nullableText("prompt_id"),
      email_prompt_id: nullableText("email_prompt_id"),
      knowledge_group_ids: list("knowledge_group_ids"),
      glossary_group_ids: list("glossary_group_ids"),
      pronunciation_group_ids: list("pronunciation_group_ids"),
      forwarding_group_ids: list("forwarding_group_ids"),
      calendar_ids: list("calendar_ids"),
      tool_ids: list("tool_ids"),
      ...webhookColumns,
      created_at: time("created_at"),
      updated_at: time("updated_at"),
    },
  },
  contacts: {
    table: "contacts",
    owned: true,
    groupType: "contacts",
    records: contactTable,
    fields: {
      group_id: text("group_id"),
      first_name: text("first_name"),
      last_name: text("last_name"),
      phone_numbers: array("phone_numbers"),
      emails: array("emails"),
      created_at: isoTimeOf("created_at"),
      updated_at: isoTimeOf("updated_at"),
    },
  },
  calls: {
    table: "calls",
    owned: true,
    unlisted: ["details", "transcript", "analyses", "notes"],
    columns: {
      assistant_id: text("assistant_id"),
      assistant_phone: (raw) => {
        const own = raw["direction"] === "inbound" ? raw["to"] : raw["from"];
        return typeof own === "string" ? own : null;
      },
      direction: oneOf("direction", ["inbound", "outbound"], "inbound"),
      from_number: nullableText("from"),
      to_number: nullableText("to"),
      outcome: callOutcomeOf,
      rings_at: time("created_at"),
      answered_at: (raw) => parseTimestamp(raw["started_at"]) ?? null,
      ended_at: endedAt,
      duration_seconds: (raw) =>
        typeof raw["duration_seconds"] === "number" ? Math.round(raw["duration_seconds"]) : 0,
      recording_format: (raw) => findRecordingFormat(raw),
      recorded_at: (raw, conversion) => (findRecordingFormat(raw) === null ? null : endedAt(raw, conversion)),
      details: nullableText("details"),
      transcript: list("transcript"),
      analyses: list("analyses"),
      notes: list("notes"),
      created_at: time("created_at"),
    },
  },
};
