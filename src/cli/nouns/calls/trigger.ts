import { type Fields, getText, isFields } from "../../../base/fields.js";
import { inflect } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import { ClientError } from "../../../client/errors.js";
import type { ApiResponse } from "../../../client/types.js";
import { cooldownSeconds } from "../../../contract/limits.js";
import { E164 } from "../../../contract/primitives.js";
import { bodyFlags, readBody } from "../../derive/body.js";
import { dryRunFlag, printRequests } from "../../derive/requests.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { assistant as referable } from "../../session/references/assistant.js";
import { isId, resolveReference } from "../../session/references/references.js";
import type { Connection, Session } from "../../session/session.js";
import { literalText, readGuardedText } from "../../session/text-source.js";
import { formatPlacedCall } from "./call/text.js";
import { followCall, followFlags, readFollowOptions } from "./follow.js";

const flagByField: Readonly<Record<string, string>> = {
  to: "--to",
  target_phone: "--to",
  assistant_id: "--assistant",
  assistant_phone: "--assistant",
  details: "--details",
};

export const triggerCommand: Command = {
  name: "trigger",
  aliases: ["create"],
  summary: "Place a call from an assistant to a number",
  description:
    "A number without a country code is treated as a number in the assistant's country. An assistant can place one call per minute: if you place another one sooner, the command exits with code 7, unless --max-wait allows the wait. With --wait, exits with code 11 if the call does not complete, and with code 8 if the call is still in progress after the time set with --for.",
  flags: [
    { name: "to", value: "number", description: "Number to call, such as +4915112345678 or 0151 12345678" },
    { name: "assistant", value: "name|id|number", description: "Assistant that places the call" },
    {
      name: "details",
      value: "text",
      description: "Information for the assistant about this call",
    },
    { name: "wait", description: "Follow the call to its end and print its transcript" },
    ...followFlags,
    ...bodyFlags,
    dryRunFlag,
  ],
  examples: [
    {
      command: `voxctl calls trigger --to +4915112345678 --assistant Terminservice --details "Erinnerung an den Termin am Freitag" --wait`,
    },
    {
      command: `voxctl calls trigger --to "030 1234567" --assistant +4932221000001 --set details=@brief.txt --max-wait 2m`,
    },
  ],
  verdict: true,
  async run(session, input) {
    const dryRun = input.on("dry-run") === true;
    const following = readFollowOptions(input);
    const { body, assistantName } = await readCall(session, input, dryRun);
    const connection = () => session.connect({ mutates: !dryRun });
    if (assistantName !== undefined) {
      const { client } = await connection();
      body["assistant_id"] = await resolveReference(client, referable, assistantName, "--assistant", session);
    }
    if (dryRun) {
      await printRequests(session, [{ method: "POST", path: "/calls", body }]);
      return;
    }
    const connected = await connection();
    if (!input.on("wait")) {
      const { data } = await triggerCall(session, connected, body);
      // Add "id", the field that other commands use.
      await session.output.item(isFields(data) ? { ...data, id: getText(data, "call_id") } : data);
      return;
    }
    const { withAssistantLeases } = await import("../../bulk/assistant-leases.js");
    const leased = { command: "calls trigger --wait", assistants: [body] };
    await withAssistantLeases(session, connected, leased, async () => {
      const { data } = await triggerCall(session, connected, body);
      const id = isFields(data) ? getText(data, "call_id") : "";
      if (isFields(data)) session.notes.note(formatPlacedCall(data));
      await followCall(session, connected, id, { ...following, isPlacedHere: true });
    });
  },
};

/** Doesn't convert the assistant's name to an ID. */
async function readCall(
  session: Session,
  input: Input,
  dryRun: boolean,
): Promise<{ body: Record<string, unknown>; assistantName: string | undefined }> {
  const fields = new Map<string, unknown>();
  const to = input.text("to");
  if (to !== undefined) fields.set("to", to);
  const details = input.text("details");
  if (details !== undefined) fields.set("details", readGuardedText(details, "details"));
  const assistant = input.text("assistant");
  if (assistant === "") throw usageError("--assistant is empty");
  if (assistant !== undefined && isId(assistant)) fields.set("assistant_id", assistant);
  // public.general.8
  else if (assistant !== undefined && E164.safeParse(assistant).success)
    fields.set("assistant_phone", assistant);
  const body: Fields = await readBody(input, fields, session);
  const isNamed = assistant !== undefined && !fields.has("assistant_id") && !fields.has("assistant_phone");
  const missing = findMissingFlags(body, isNamed);
  if (missing.length > 0) {
    const canAsk = session.prompts.available && !input.has("data");
    if (!canAsk)
      throw usageError(`missing required ${inflect(missing.length, "flag", "flags")}: ${missing.join(", ")}`);
    const replies = await askForCall(session, input, { missing, body }, dryRun);
    return { body: { ...body, ...replies }, assistantName: isNamed ? assistant : undefined };
  }
  return { body: { ...body }, assistantName: isNamed ? assistant : undefined };
}

async function askForCall(
  session: Session,
  input: Input,
  { missing, body }: { missing: readonly string[]; body: Fields },
  dryRun: boolean,
): Promise<Fields> {
  const [{ confirmNew }, { askReference }] = await Promise.all([
    import("../../derive/confirm-new.js"),
    import("../../derive/ask-reference.js"),
  ]);
  await session.connect({ mutates: !dryRun });
  session.notes.note("A new call:");
  const replies: Record<string, string> = {};
  const flagValues = new Map(
    ["to", "assistant", "details"].flatMap((flag) => {
      const text = input.text(flag);
      return text === undefined ? [] : [[flag, text] as const];
    }),
  );
  if (missing.includes("--assistant")) {
    const { value, words } = await askReference(referable, "assistant:", session);
    replies["assistant_id"] = value;
    flagValues.set("assistant", words[0]);
  }
  if (missing.includes("--to")) {
    replies["to"] = await session.prompts.text({ message: "number to call:", required: true });
    flagValues.set("to", replies["to"]);
  }
  if (body["details"] === undefined) {
    const details = await session.prompts.text({ message: "Information for the assistant (optional):" });
    if (details !== "") flagValues.set("details", literalText(details));
    if (details !== "") replies["details"] = details;
  }
  await confirmNew(session, {
    noun: "call",
    dryRun,
    rows: [...flagValues],
    words: [
      "calls",
      "trigger",
      ...[...flagValues].flatMap(([flag, text]) => [`--${flag}`, text]),
      ...input.texts("set").flatMap((field) => ["--set", field]),
      ...(input.on("wait") ? ["--wait"] : []),
    ],
  });
  return replies;
}

/**
 * Checks that exactly one field of each pair is set (public.operations.12a, 12b).
 * @returns the missing flags
 * @throws usage error (2)
 */
function findMissingFlags(body: Fields, isNamed: boolean): string[] {
  const missing: string[] = [];
  for (const [flag, field, alternative, byFlag] of [
    ["--assistant", "assistant_id", "assistant_phone", isNamed],
    ["--to", "to", "target_phone", false],
  ] as const) {
    const given = [byFlag, body[field] !== undefined, body[alternative] !== undefined].filter(Boolean).length;
    if (given === 0) missing.push(flag);
    if (given > 1)
      throw usageError(`conflicting values: use only one of ${flag}, ${field} and ${alternative}`);
  }
  return missing;
}

/**
 * @throws CliError with exit code 7 and the remaining seconds if the assistant's cooldown is longer than
 * --max-wait
 */
async function triggerCall(session: Session, { client }: Connection, body: Fields): Promise<ApiResponse> {
  try {
    return await client.call(
      "calls.create",
      { body },
      {
        signal: session.signal,
        maxCooldownMilliseconds: session.flags.maxWaitMilliseconds ?? 0,
      },
    );
  } catch (error) {
    if (!(error instanceof ClientError) || !error.cooldown) {
      throw new FlaggedError(error, ([field]) => flagByField[String(field)]);
    }
    const seconds = await getRemainingSeconds(session, client, body);
    throw new CliError({
      exit: exits.rateLimit,
      code: error.code,
      message: `the assistant can place its next call in ${seconds} s: one call per ${cooldownSeconds} s is allowed`,
      retryable: true,
      hint: error.hint ?? "to wait until then, use --max-wait 2m",
      cause: error,
    });
  }
}

async function getRemainingSeconds(
  session: Session,
  client: Connection["client"],
  body: Fields,
): Promise<number> {
  const query = Object.fromEntries(
    ["assistant_id", "assistant_phone"].flatMap((name) => {
      const value = body[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
  try {
    const { data, headers } = await client.call("calls.list", { query }, { signal: session.signal });
    const calls: unknown[] = Array.isArray(data) ? data : [];
    const last = calls.filter(isFields).find((call) => call["direction"] === "outbound");
    const end = parseTime(last ? getText(last, "created_at") : "") + cooldownSeconds * 1_000;
    const remaining = Math.ceil((end - parseTime(headers["date"] ?? "")) / 1_000);
    return remaining > 0 && remaining <= cooldownSeconds ? remaining : cooldownSeconds;
  } catch {
    // Without permission to read calls, wait for the full cooldown.
    return cooldownSeconds;
  }
}
