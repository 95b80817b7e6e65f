/** A process's access to the fleets in a store. */
import { openStoreOf, type StoreSettings } from "../../../cli/bulk/store.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetRoles, FleetTables } from "../../../store/index.js";

export interface SharedFleets {
  tables: FleetTables;
  roles: FleetRoles;
  /** Address, key and password of the store, for members' commands. */
  variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** How long a process waits for a store that is unavailable. */
const outageMilliseconds = 600_000;

/**
 * @param command for messages on other machines: `fleet work`
 * @throws StoreError; `store_older` if the store has no tables for fleets
 */
export async function openSharedFleets(
  { clock, random, notes }: Session,
  settings: StoreSettings,
  command: string,
): Promise<SharedFleets> {
  const { assertFleetLayout, createFleetRoles, createFleetTables, openFleetQueue } = await import(
    "../../../store/index.js"
  );
  const store = await openStoreOf(settings);
  try {
    assertFleetLayout(store.info);
    const roles = createFleetRoles({
      ...{ store, clock, random, outageMilliseconds, queue: await openFleetQueue(store.connection) },
      holder: { ...settings.holder, command },
      leaseMilliseconds: settings.leaseMilliseconds,
      onOutage: (error) => notes.note(`${error.message}; waiting for the store…`),
    });
    const { address, password } = settings;
    const key = (await settings.readKey()) ?? "";
    return {
      tables: createFleetTables(store),
      roles,
      variables: {
        ...{ VOXCTL_STORE: address, VOXCTL_STORE_KEY: key },
        ...(password === undefined ? {} : { PGPASSWORD: password }),
      },
      async close() {
        await roles.close();
        await store.connection.close();
      },
    };
  } catch (error) {
    // An open connection would keep the process alive.
    await store.connection.close();
    throw error;
  }
}
