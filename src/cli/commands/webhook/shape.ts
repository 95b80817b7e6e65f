import { resolve } from "node:path";
import { jsonOf } from "../../../base/json.js";
import { counted } from "../../../base/text.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { findRecordings } from "./recording.js";
import { addToShape, emptyShape, schemaOf } from "./schema.js";

/** `voxctl webhook shape DIRECTORY` */
export const shape: Command = {
  name: "shape",
  summary: "Infer the JSON Schema of recorded requests",
  description:
    "Prints the types of each field, without values. A field is required if every recording has it. Texts have a pattern or a format if all recorded ones match it: a phone number, an ID, a time.",
  arguments: [{ name: "recordings", description: "Directory of recordings, or a single one" }],
  examples: [{ command: "voxctl webhook shape requests -o json > shape.json" }],
  async run(session, input) {
    const shown = input.arguments[0] ?? "";
    const recordings = await findRecordings(resolve(session.io.cwd, shown), shown);
    const inferred = emptyShape();
    let bodies = 0;
    for await (const { request } of recordings.read()) {
      const body = jsonOf(Buffer.from(request.body_base64, "base64").toString("utf8"));
      if (body === undefined) continue;
      addToShape(inferred, body);
      bodies += 1;
    }
    if (bodies === 0) throw usageError(`${shown}: no recorded body is JSON`);
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      description: `Inferred from ${counted(bodies, "recorded request")}`,
      ...schemaOf(inferred),
    };
    const skipped = recordings.count - bodies;
    if (skipped > 0) session.notes.note(`${counted(skipped, "recording")} left out: the body is no JSON`);
    await session.output.item(schema);
  },
};
