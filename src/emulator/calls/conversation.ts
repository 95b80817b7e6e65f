import type { Analysis, Utterance } from "../../contract/public/calls.js";

interface Phrases {
  reply: Readonly<Record<"inbound" | "outbound", string>>;
  thanks: string;
  farewell: string;
}

const phrases: Readonly<Record<"de" | "en", Phrases>> = {
  de: {
    reply: { inbound: "Guten Tag, ich habe eine Frage.", outbound: "Gut, dass Sie anrufen. Worum geht es?" },
    thanks: "Verstanden, vielen Dank.",
    farewell: "Ich danke Ihnen. Auf Wiederhören!",
  },
  en: {
    reply: { inbound: "Hello, I have a question.", outbound: "Thanks for calling. What is it about?" },
    thanks: "Understood, thank you.",
    farewell: "Thank you. Goodbye!",
  },
};

/**
 * Returns a call's utterances (D-lifecycle).
 * @param call.language for any language except German, the utterances are in English
 */
export function planConversation(call: {
  direction: "inbound" | "outbound";
  language: string;
  introduction: string;
  details: string | null;
  durationSeconds: number;
}): Utterance[] {
  const localized = phrases[call.language.toLowerCase().startsWith("de") ? "de" : "en"];
  const script: Utterance[] = [
    { role: "assistant", text: call.introduction, offset_seconds: 0 },
    { role: "user", text: localized.reply[call.direction], offset_seconds: 6 },
    { role: "assistant", text: call.details ?? "", offset_seconds: 12 },
    { role: "user", text: localized.thanks, offset_seconds: Math.max(30, call.durationSeconds - 12) },
    { role: "assistant", text: localized.farewell, offset_seconds: Math.max(36, call.durationSeconds - 5) },
  ];
  return script.filter(({ text, offset_seconds }) => text !== "" && offset_seconds < call.durationSeconds);
}

export function planAnalyses(utterances: readonly Utterance[]): Analysis[] {
  if (utterances.length === 0) return [];
  const userTurns = utterances.filter(({ role }) => role === "user").length;
  return [...buildTurnAnalyses(utterances), { name: "goal_reached", value: userTurns > 2 ? "yes" : "no" }];
}

export function buildTurnAnalyses(utterances: readonly Utterance[]): Analysis[] {
  return utterances.length === 0 ? [] : [{ name: "turns", value: String(utterances.length) }];
}
