import { withRefusals } from "../../../cli/bulk/refusals.js";
import { withStoreConnection } from "../../../cli/bulk/store.js";
import type { Command } from "../../../cli/session/command.js";
import { requireStore } from "./connect.js";

export const initStore: Command = {
  name: "init",
  summary: "Create a store: its tables and its key",
  description:
    "Prints the store key once. Keep the key secret and safe: without it, unfinished runs can't be resumed or undone.",
  flags: [
    { name: "role", value: "name", description: "Also print the GRANT statements for this database role" },
  ],
  examples: [{ command: "voxctl store init" }, { command: "voxctl store init --role ci -o json" }],
  run: (session, input) =>
    withRefusals(async () => {
      const settings = await requireStore(session);
      const {
        createFleetQueue,
        createSchema,
        createSealer,
        createStoreKey,
        formatStoreAddress,
        grantsFor,
        parseStoreKeys,
        StoreError,
      } = await import("../../../store/index.js");
      const given = await settings.readKey();
      const key = given ?? createStoreKey(session.random);
      const keys = parseStoreKeys(key, settings.keySource);
      const role = input.text("role");
      await withStoreConnection(settings, async (connection) => {
        const { address } = connection;
        const sealerFor = (id: string) => createSealer(keys, id, session.random);
        const { id, isNew, keyCheck, layout } = await createSchema(
          connection,
          session.random,
          (newId) => sealerFor(newId).check,
        );
        if (!isNew && given !== undefined && !sealerFor(id).isKeyOf(keyCheck))
          throw new StoreError("store_key_wrong", `${settings.keySource} does not belong to this store`);
        await createFleetQueue(connection).catch((error: unknown) => {
          if (!(error instanceof StoreError) || error.code !== "store_driver_missing") throw error;
          session.notes.warn(`${error.message}; install it and run this command again to share fleets`);
        });
        await session.output.item({
          ...{ store: formatStoreAddress(address), id, layout, created: isNew },
          ...(isNew && given === undefined ? { key } : {}),
          ...(role === undefined ? {} : { grants: grantsFor(address.schema, role) }),
        });
        if (isNew && given === undefined)
          session.notes.note(
            `Set ${settings.keySource} to this key on every machine; it is not shown again.`,
          );
      });
    }),
};
