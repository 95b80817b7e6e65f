import type { Change } from "./mutant.js";

export const callsMutants: readonly Change[] = [
  [
    "public.operations.12f",
    "assistant.blockedNumbers.includes(to)",
    "assistant.blockedNumbers.some((number) => number.startsWith(to) && false)",
  ],
  ["public.limits.1", "return context.now < endsAt ?", "return context.now <= endsAt ?"],
  ["D-cooldown", "AND direction = 'outbound' ORDER", "ORDER"],
  ["public.operations.6a", "introduction: assistant.introduction,", 'introduction: "",'],
  ["public.operations.12d", 'bare.startsWith("0") ? bare.slice(1) : bare', "bare"],
  ["D-normalize", "/[\\s\\-./()]/gu", "/[\\s\\-.()]/gu"],
  ["D-lifecycle", "answersAfter = 5_000", "answersAfter = 6_000"],
  ["public.states.recording", 'if (plan.erasedAt !== null) return "erased";', ""],
  ["public.operations.16c", "max(duration_seconds, 60)", "duration_seconds"],
  ["public.operations.16b", "if (!known) throw notFound(", "if (known === null) throw notFound("],
  [
    "public.operations.15",
    "FROM assistants WHERE organization_id = ? ORDER BY id",
    "FROM assistants WHERE organization_id = ? AND id IN (SELECT assistant_id FROM calls) ORDER BY id",
  ],
  [
    "public.operations.16d",
    "const start = context.now - dayMilliseconds + 1;",
    "const start = context.now - 2 * dayMilliseconds + 1;",
  ],
  ["D-stats", "monthAround(monday + 3 * dayMilliseconds)", "monthAround(monday)"],
  ["public.operations.14d", 'case "none":', 'case "none":\n        if (state) return;'],
  [
    "public.operations.14e",
    "if (!state.isOver) throw conflict",
    'if (state.status === "queued") throw conflict',
  ],
  ["public.operations.14a", "eraseRecording(context.database, id, context.now);", ""],
  ["public.operations.13a", '(part.kind === "part" ? 206 : 200', '(part.kind === "part" ? 200 : 200'],
  [
    "public.operations.13c",
    'recording !== "available" || plan.recordingFormat === null',
    'recording === "erased"',
  ],
  [
    "public.operations.14c",
    "// public.operations.14c\n        return;",
    'throw notFound("a recording", "public.operations.14c");',
  ],
  [
    "public.operations.14f",
    'if (context.strikes("recording_erase_failure")) {',
    'if (context.strikes("recording_erase_failure") && id === "") {',
  ],
  ["public.prompt.token", "() => data);", '() => "");'],
  [
    "public.events.2",
    "...own, ...custom, ...(auth ? [[auth.name, auth.scheme + auth.credential] as const] : [])",
    "...own, ...custom",
  ],
  ["D-deleted-assistant", "if (!known) throw notFound(", "throw notFound("],
  [
    "public.errors.2b",
    "obstacle.endsAt, context.now)} s`,",
    'obstacle.endsAt, context.now)} s`,\n          [],\n          { "Retry-After": String(secondsUntil(obstacle.endsAt, context.now)) },',
  ],
  ["public.endpoints.filters", '["assistant_phone = ?", filters["assistant_phone"]],', ""],
  ["D-call", '["created_at < ?", filters["created_to"]],', '["created_at <= ?", filters["created_to"]],'],
  [
    "public.call.detail",
    '"calls.get": (context, { path }) => callDetailOf(',
    '"calls.get": (context, { path }) => callOf(',
  ],
  ["public.call.trigger-fields", "assistant_phone: assistant.phoneNumber,", "assistant_phone: null,"],
  ["public.operations.12e", 'status: "queued",', 'status: "ringing",'],
  ["public.operations.13b", '"audio/mpeg"', '"audio/mp3"'],
  [
    "D-recording",
    'if (to !== "" && Number(to) < start) return whole;',
    'if (to !== "" && Number(to) < start) return { type: "unsatisfiable" };',
  ],
];
