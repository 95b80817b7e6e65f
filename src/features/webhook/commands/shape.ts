import { resolve } from "node:path";
import { parseJsonSafely } from "../../../base/json.js";
import { formatCount } from "../../../base/text.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { findCaptures } from "../capture.js";
import { addToShape, createShape, toSchema } from "../schema.js";

export const shape: Command = {
  name: "shape",
  summary: "Infer the JSON Schema of captured requests",
  description:
    "Prints the types of each field, without values. A field is required if every capture has it. Strings get a pattern or format if all captured values match it: a phone number, an ID or a time.",
  arguments: [{ name: "recordings", description: "Directory of captures, or a single file" }],
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
    if (bodies === 0) throw usageError(`no capture in ${shown} has a JSON body`);
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      description: `Inferred from ${formatCount(bodies, "captured request")}`,
      ...toSchema(inferred),
    };
    const skipped = captures.count - bodies;
    if (skipped > 0) session.notes.note(`skipped ${formatCount(skipped, "capture")} without a JSON body`);
    await session.output.item(schema);
  },
};
