import { resolve } from "node:path";
import { parseJsonSafely } from "../../../base/json.js";
import { formatCount } from "../../../base/text.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import { findCaptures } from "./capture.js";
import { addToShape, createShape, toSchema } from "./schema.js";

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
    const captures = await findCaptures(resolve(session.io.cwd, shown), shown);
    const inferred = createShape();
    let bodies = 0;
    for await (const { request } of captures.read()) {
      const body = parseJsonSafely(Buffer.from(request.body_base64, "base64").toString("utf8"));
      if (body === undefined) continue;
      addToShape(inferred, body);
      bodies += 1;
    }
    if (bodies === 0) throw usageError(`${shown}: no recorded body is JSON`);
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      description: `Inferred from ${formatCount(bodies, "recorded request")}`,
      ...toSchema(inferred),
    };
    const skipped = captures.count - bodies;
    if (skipped > 0) session.notes.note(`skipped ${formatCount(skipped, "capture")} whose body is not JSON`);
    await session.output.item(schema);
  },
};
