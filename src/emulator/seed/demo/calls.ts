import { dayMilliseconds, hourMilliseconds } from "../../../base/iso-week.js";
import { seededDraw } from "../../../base/random.js";
import type { Analysis, CallOutcome, RecordingFormat, Utterance } from "../../../contract/public/calls.js";
import { planPast } from "../../calls/life-cycle.js";
import { type CallingAssistant, toCallingAssistant } from "../../calls/outbound.js";
import { insertCall } from "../../calls/store.js";
import type { EmulatorState } from "../../emulator-state.js";
import { isoTime } from "../../kernel/clock.js";
import { type DemoConversation, demoConversations } from "./conversations.js";
import { exampleIds } from "./example-ids.js";

const days = 28;
const weekdays = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag"];
const times = ["8", "8:30", "9", "10:15", "11", "14", "15:30", "16", "17"];

interface Person {
  name: string;
  phone: string;
}

/** Calls by day of the week, starting with Sunday; `from` and `to` are hours in UTC. */
const pattern: readonly (readonly { assistant: string; calls: number; from: number; to: number }[])[] = [
  [{ assistant: "Notdienst", calls: 2, from: 8, to: 20 }],
  ...[0, 1, 2, 3, 4].map((day) => [
    { assistant: "Empfang", calls: day === 0 ? 9 : 6, from: 6.5, to: day === 2 ? 12 : 17 },
    { assistant: "Notdienst", calls: 1, from: 18, to: 22 },
    { assistant: "Terminservice", calls: 3, from: 9, to: 15 },
  ]),
  [{ assistant: "Notdienst", calls: 3, from: 8, to: 21 }],
];

/** Assistants and contacts must already exist. */
export function plantCalls(state: EmulatorState, organizationId: string): void {
  const now = state.clock.now();
  const today = Math.floor(now / dayMilliseconds) * dayMilliseconds;
  const assistants = assistantsByName(state, organizationId);
  const people = readPeople(state, organizationId);
  for (let back = days; back >= 0; back -= 1) {
    const day = today - back * dayMilliseconds;
    const calls = (pattern[new Date(day).getUTCDay()] ?? []).flatMap((shift) =>
      Array.from({ length: shift.calls }, (_, index) => {
        const at = shift.from + (shift.to - shift.from) * draw(state, "hour", back, shift.assistant, index);
        return { assistant: shift.assistant, at: day + Math.floor((at * hourMilliseconds) / 1_000) * 1_000 };
      }),
    );
    calls
      .sort((left, right) => left.at - right.at)
      // Omit recent calls: all calls must have ended, and the user's first call must not wait for a cooldown.
      .filter(({ at }) => at < now - 15 * 60_000)
      .forEach(({ assistant: name, at }, index) => {
        const assistant = assistants.get(name);
        if (assistant)
          plantCall(state, assistant, name, at, { back, index, first: back === days && index === 0 }, people);
      });
  }
}

function draw(state: EmulatorState, ...names: (string | number)[]): number {
  return seededDraw(state.randomSeed, "demo calls", ...names);
}

function plantCall(
  state: EmulatorState,
  assistant: CallingAssistant,
  assistantName: string,
  createdAt: number,
  slot: { back: number; index: number; first: boolean },
  people: readonly Person[],
): void {
  const now = state.clock.now();
  const luck = (what: string) => draw(state, what, slot.back, slot.index);
  const pick = <T>(list: readonly T[], what: string) => list[Math.floor(luck(what) * list.length)];
  const script = pick(
    demoConversations.filter((conversation) => conversation.assistant === assistantName),
    "conversation",
  );
  const person = pick(people, "person");
  if (!script || !person) return;
  const isOutbound = assistantName === "Terminservice";
  // Examples in the documentation refer to the first call, so it must have all possible details.
  const outcome = slot.first ? "completed" : chooseOutcome(luck("outcome"), isOutbound);
  const [weekday, time] = [pick(weekdays, "weekday") ?? "", pick(times, "time") ?? ""];
  const fill = (text: string) =>
    text.replaceAll("{name}", person.name).replaceAll("{tag}", weekday).replaceAll("{zeit}", time);
  const { transcript, durationSeconds } = buildTranscript(
    outcome === "completed" ? script.lines.map(fill) : [],
    assistant,
    3 + 9 * luck("pace"),
  );
  const plan = planPast(
    {
      outcome,
      durationSeconds,
      recordingFormat: chooseFormat(durationSeconds, slot.back, luck("format")),
      createdAt,
    },
    now,
  );
  const erasedAt = createdAt + dayMilliseconds;
  if (plan.recordedAt !== null && !slot.first && luck("erased") < 0.04 && erasedAt < now)
    plan.erasedAt = erasedAt;
  insertCall(state.database, {
    id: slot.first ? exampleIds.call : state.ids.next(),
    organizationId: assistant.organizationId,
    assistantId: assistant.id,
    assistantPhone: assistant.phoneNumber,
    direction: isOutbound ? "outbound" : "inbound",
    from: isOutbound ? assistant.phoneNumber : person.phone,
    to: isOutbound ? person.phone : assistant.phoneNumber,
    plan,
    details: script.details === undefined ? null : fill(script.details),
    transcript,
    analyses: outcome === "completed" ? toAnalyses(script) : [],
    notes:
      outcome === "completed" && script.note && (slot.first || luck("note") < 0.6)
        ? [{ ...script.note, created_at: isoTime(Math.min(now, plan.endedAt + hourMilliseconds)) }]
        : [],
  });
}

function chooseOutcome(luck: number, isOutbound: boolean): CallOutcome {
  if (!isOutbound) return luck < 0.97 ? "completed" : "failed";
  if (luck < 0.72) return "completed";
  return luck < 0.9 ? "no_answer" : luck < 0.97 ? "busy" : "failed";
}

function chooseFormat(durationSeconds: number, daysBack: number, luck: number): RecordingFormat | null {
  if (durationSeconds === 0) return null;
  if (daysBack > 21) return luck < 0.2 ? "mpeg" : "wav";
  return "flac";
}

/** `pace` is in letters per second. */
function buildTranscript(
  lines: readonly string[],
  assistant: CallingAssistant,
  pace: number,
): { transcript: Utterance[]; durationSeconds: number } {
  if (lines.length === 0) return { transcript: [], durationSeconds: 0 };
  let offset = 0;
  const transcript = [assistant.introduction, ...lines].map((text, index): Utterance => {
    const utterance: Utterance = {
      role: index % 2 === 0 ? "assistant" : "user",
      text,
      offset_seconds: offset,
    };
    offset += 2 + Math.ceil(text.length / pace);
    return utterance;
  });
  return { transcript, durationSeconds: offset };
}

function toAnalyses(script: DemoConversation): Analysis[] {
  return [
    { name: "topic", value: script.topic },
    { name: "result", value: script.result },
    { name: "mood", value: script.mood },
  ];
}

function assistantsByName(state: EmulatorState, organizationId: string): Map<string, CallingAssistant> {
  const rows = state.database
    .prepare("SELECT * FROM assistants WHERE organization_id = ?")
    .all(organizationId);
  return new Map(rows.map((row) => [String(row["name"]), toCallingAssistant(row)]));
}

function readPeople(state: EmulatorState, organizationId: string): Person[] {
  const rows = state.database
    .prepare(
      `SELECT fields ->> 'first_name' AS first_name, fields ->> 'last_name' AS last_name,
         fields ->> '$.phone_numbers[0]' AS phone
       FROM (SELECT id, organization_id, '{' || members AS fields FROM contacts)
       WHERE organization_id = ? AND last_name <> '' AND phone IS NOT NULL ORDER BY id`,
    )
    .all(organizationId);
  return rows.map((row) => ({
    name: `${row["first_name"]} ${row["last_name"]}`,
    phone: String(row["phone"]),
  }));
}
