export interface ModelCall {
  id: string;
  organization: string;
  sequence: number;
  assistant: string;
  to: string;
  details: string | null;
  createdAt: number;
  erased: boolean;
}

/**
 * A call rings after 2 s and is answered 5 s later. The last four digits of the number determine its status and
 * length (D-lifecycle).
 */
function outcomeOf({ to }: ModelCall): { status: string; lasts: number } {
  switch (to.slice(-4)) {
    case "0001":
      return { status: "no_answer", lasts: 0 };
    case "0002":
      return { status: "busy", lasts: 0 };
    case "0003":
      return { status: "failed", lasts: 0 };
    case "0004":
      return { status: "completed", lasts: 10 };
    default:
      return { status: "completed", lasts: 90 };
  }
}

export function statusOf(call: ModelCall, now: number): string {
  const seconds = (now - call.createdAt) / 1000;
  const { status, lasts } = outcomeOf(call);
  if (seconds < 2) return "queued";
  if (seconds < 7) return "ringing";
  return seconds < 7 + lasts ? "in_progress" : status;
}

/**
 * Returns `later` while the call is running or its recording is being processed (5 s, D-lifecycle). Returns
 * `none` if there will never be a recording.
 */
export function recordingOf(call: ModelCall, now: number): "none" | "later" | "there" | "erased" {
  const { lasts } = outcomeOf(call);
  const seconds = (now - call.createdAt) / 1000;
  if (lasts === 0) return seconds < 7 ? "later" : "none";
  if (seconds < 7 + lasts + 5) return "later";
  return call.erased ? "erased" : "there";
}

/**
 * Normalizes a number for an assistant with a German number (D-normalize).
 * @returns undefined if the number is invalid
 */
export function normalizeNumber(text: string): string | undefined {
  const bare = text.replace(/[\s\-./()]/g, "");
  const international = bare.startsWith("00") ? `+${bare.slice(2)}` : bare;
  const whole = international.startsWith("+") ? international : `+49${international.replace(/^0/, "")}`;
  return /^\+\d{6,20}$/.test(whole) ? whole : undefined;
}
