import { deleteCommand } from "../../derive/delete.js";
import { runIgnoringNotFound } from "../../derive/ignore-not-found.js";
import type { Derivation } from "../../derive/noun.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Command } from "../../session/command.js";

export function createDeleteCommand(derivation: Derivation): Command {
  const single = deleteCommand(derivation);
  return {
    ...single,
    flags: [
      {
        name: "cascade",
        description: "Delete an MSP with its customers and licenses",
      },
      ...(single.flags ?? []),
    ],
    run: (session, input) =>
      input.on("cascade") === true
        ? runIgnoringNotFound(session, input, async () => {
            const { deleteWithCustomers } = await import("./cascade.js");
            await deleteWithCustomers(session, input);
          })
        : single.run(session, input).catch((error: unknown) => {
            throw new FlaggedError(error, () => undefined, { MSP: input.arguments[0] ?? "" });
          }),
  };
}
