import { ClientError } from "../../../client/errors.js";
import { type Inventory, type InventoryContext, type KnownLicense, readLicenses } from "../inventory.js";

/** Maximum age, in milliseconds, of the known licenses of an MSP when a request writes them. */
const freshMilliseconds = 2_000;

/** Licenses by ID; undefined if they can't be read. */
type Licenses = ReadonlyMap<string, KnownLicense> | undefined;

/**
 * The current licenses of the MSPs in a run. The service accepts an upsert even if another user has created or changed
 * the license, and only a recent reading shows such a change.
 */
export interface OwnedLicenses {
  /** Stores the licenses of existing MSPs, as they were at `readAt`. */
  see(inventory: Pick<Inventory, "licenses">, readAt: number): void;
  /** Stores that a new MSP had only its own license at the time of its create request. */
  seeCreated(mspId: string, sentAt: number): void;
  /** Returns an MSP's licenses. Reads them again if the last reading is too old. */
  of(mspId: string): Promise<Licenses>;
}

export function createOwnedLicenses(context: InventoryContext): OwnedLicenses {
  const known = new Map<string, { licenses: Licenses; readAt: number }>();
  return {
    see({ licenses }, readAt) {
      for (const [mspId, owned] of licenses) known.set(mspId, { licenses: owned, readAt });
    },
    seeCreated: (mspId, sentAt) => void known.set(mspId, { licenses: new Map(), readAt: sentAt }),
    async of(mspId) {
      const { clock } = context;
      const last = known.get(mspId);
      if (last !== undefined && clock.now() < last.readAt + freshMilliseconds) return last.licenses;
      const readAt = clock.now();
      const licenses = await readLicenses(context, mspId).catch((error: unknown) => {
        // A key that may write licenses is not always permitted to read them.
        if (error instanceof ClientError && error.status === 403) return undefined;
        throw error;
      });
      known.set(mspId, { licenses, readAt });
      return licenses;
    },
  };
}
