import type { Script } from "./suite.js";

/** Default duration of an offline call, in seconds. */
const usualSeconds = 60;

/** Spreads the utterances evenly over the call's duration. */
export function toCallUpdate({ status, duration, transcript, analyses }: Script): Record<string, unknown> {
  const seconds =
    duration === undefined ? (status === "completed" ? usualSeconds : 0) : Math.round(duration / 1_000);
  return {
    status,
    duration_seconds: seconds,
    ...(transcript
      ? {
          transcript: transcript.map(({ role, text }, index) => ({
            role,
            text,
            offset_seconds: Math.floor((index * seconds) / transcript.length),
          })),
        }
      : {}),
    ...(analyses ? { analyses: Object.entries(analyses).map(([name, value]) => ({ name, value })) } : {}),
  };
}
