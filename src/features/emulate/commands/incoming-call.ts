import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import { changeEmulator, emulatorFlags, findId } from "./control.js";
import { readShapeExample, webhookShapeFlag } from "./webhook-shape.js";

export const incomingCall: Command = {
  name: "incoming-call",
  summary: "Simulate an incoming call and its pre-call webhook",
  description:
    "Calls the assistant's pre-call webhook and uses its response as @preCallData. If the webhook fails, the call continues. The emulator sends requests to other machines only for incoming calls.",
  flags: [
    { name: "assistant", value: "assistant", description: "Name, ID or number of the assistant" },
    { name: "from", value: "number", description: "Caller's phone number" },
    webhookShapeFlag,
    ...emulatorFlags,
  ],
  examples: [{ command: "voxctl emulator incoming-call --assistant Empfang --from +4915112345678" }],
  run: (session, input) =>
    changeEmulator(session, input, async (control) => {
      const from = required(input, "from");
      const assistant_id = await findId(control, "assistants.list", required(input, "assistant"));
      const file = input.text("webhook-shape");
      const shape = file === undefined ? {} : { webhook_example: await readShapeExample(session, file) };
      const result = await control("incomingCalls.create", { body: { assistant_id, from, ...shape } });
      await session.output.item(result);
      if (result.webhook === null) session.notes.note("the assistant has no enabled webhook");
      else if (result.webhook.error !== null) session.notes.warn(`webhook failed: ${result.webhook.error}`);
    }),
};

function required(input: Input, name: string): string {
  const value = input.text(name);
  if (value === undefined) throw usageError(`missing required flag: --${name}`);
  return value;
}
