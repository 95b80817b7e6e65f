import type { Control } from "../../../client/control.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { parseCount } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import { changeWorld, idOf, withoutUndefined, worldFlags } from "./control.js";
import { shapeExample, webhookShapeFlag } from "./webhook-shape.js";

const assistantArgument = { name: "assistant", description: "its name, id or phone number" };

const assistantId = (control: Control, named: string) => idOf(control, "assistants.list", named);

export const assistantCommands: readonly Command[] = [
  {
    name: "update",
    summary: "Make an assistant an enterprise line, lock its greeting, block destinations",
    arguments: [assistantArgument],
    flags: [
      { name: "enterprise", description: "its webhook can't be changed through the API", negatable: true },
      { name: "greeting-locked", description: "its introduction can't be changed", negatable: true },
      {
        name: "block",
        value: "number",
        description: "a destination it must not call, in place of those it had",
        repeatable: true,
      },
      { name: "unblock-all", description: "block no destination" },
      ...worldFlags,
    ],
    examples: [{ command: "voxctl emulator assistants update Empfang --block +4930123456" }],
    run: (session, input) =>
      changeWorld(session, input, async (control) => {
        const blocked = input.texts("block");
        const body = withoutUndefined({
          enterprise: input.on("enterprise"),
          greeting_locked: input.on("greeting-locked"),
          blocked_numbers: input.on("unblock-all") ? [] : blocked.length > 0 ? blocked : undefined,
        });
        if (Object.keys(body).length === 0) {
          throw usageError("give --enterprise, --greeting-locked, --block or --unblock-all");
        }
        const id = await assistantId(control, input.arguments[0] ?? "");
        await session.output.item(await control("assistants.update", { path: { id }, body }));
      }),
  },
];

const assistantFlag: Flag = {
  name: "assistant",
  value: "assistant",
  description: "name, id or number of the assistant",
};

function required(input: Input, name: string): string {
  const value = input.text(name);
  if (value === undefined) throw usageError(`--${name} is required`);
  return value;
}

export const callCommands: readonly Command[] = [
  {
    name: "create",
    summary: "Make a call of the past",
    flags: [
      assistantFlag,
      {
        name: "direction",
        value: "direction",
        description: "who called",
        choices: ["inbound", "outbound"],
        strict: true,
        default: "inbound",
      },
      { name: "from", value: "number", description: "number of the caller" },
      { name: "to", value: "number", description: "number that was called" },
      { name: "at", value: "time", description: "when it began, ISO 8601 (default: so that it ended now)" },
      {
        name: "status",
        value: "status",
        description: "how it ended",
        choices: ["completed", "no_answer", "busy", "failed"],
        strict: true,
        default: "completed",
      },
      { name: "seconds", value: "n", description: "how long it lasted", default: "60" },
      {
        name: "recording",
        value: "format",
        description: "format of its recording (default: none)",
        choices: ["flac", "wav", "mpeg"],
        strict: true,
      },
      ...worldFlags,
    ],
    examples: [
      { command: "voxctl emulator calls create --assistant Empfang --seconds 300 --recording flac" },
    ],
    run: (session, input) =>
      changeWorld(session, input, async (control) => {
        const seconds = input.text("seconds");
        const body = withoutUndefined({
          assistant_id: await assistantId(control, required(input, "assistant")),
          direction: input.text("direction"),
          from: input.text("from"),
          to: input.text("to"),
          created_at: input.text("at"),
          status: input.text("status"),
          duration_seconds: seconds === undefined ? undefined : parseCount(seconds, "--seconds"),
          recording: input.text("recording"),
        });
        await session.output.item(await control("calls.create", { body }));
      }),
  },
];

export const incomingCall: Command = {
  name: "incoming-call",
  summary: "Let a caller ring an assistant: fires its pre-call webhook and fills @preCallData",
  description:
    "The only thing by which the emulator sends a request out of this machine. The call is made, whatever the webhook does.",
  flags: [
    assistantFlag,
    { name: "from", value: "number", description: "who calls" },
    webhookShapeFlag,
    ...worldFlags,
  ],
  examples: [{ command: "voxctl emulator incoming-call --assistant Empfang --from +4915112345678" }],
  run: (session, input) =>
    changeWorld(session, input, async (control) => {
      const from = required(input, "from");
      const assistant_id = await assistantId(control, required(input, "assistant"));
      const file = input.text("webhook-shape");
      const shape =
        file === undefined ? {} : { webhook_example: await shapeExample(session, file, "--webhook-shape") };
      const answer = await control("incomingCalls.create", { body: { assistant_id, from, ...shape } });
      await session.output.item(answer);
      if (answer.webhook === null) session.notes.note("the assistant has no webhook that is switched on");
      else if (answer.webhook.error !== null) session.notes.warn(`the webhook: ${answer.webhook.error}`);
    }),
};
