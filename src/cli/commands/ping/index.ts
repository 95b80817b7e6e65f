import { isFields } from "../../../base/fields.js";
import { ping as operations } from "../../../contract/public/ping.js";
import { CliError, exits } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";

export const ping: Command = {
  name: "ping",
  summary: operations.ping.summary,
  description: "Shows the service's time and the profile that was used.",
  examples: [{ command: "voxctl ping" }, { command: "voxctl ping --profile offline -o json" }],
  async run(session) {
    const { client, profile, baseUrl } = await session.connect();
    const { data } = await client.call("ping", {}, { signal: session.signal });
    const where = profile.type === "offline" ? profile.db : baseUrl("public");
    await session.output.item({
      ...(isFields(data) ? data : {}),
      profile: profile.name,
      service: where ?? null,
    });
    if (isFields(data) && data["ok"] === false)
      throw new CliError({
        exit: exits.unavailable,
        code: "service_not_ok",
        message: "the service responded, but reports that it is not working (ok: false)",
        retryable: true,
      });
  },
};
