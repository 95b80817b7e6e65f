import { ClientError } from "../../../client/errors.js";
import { type Inventory, type InventoryContext, type KnownLicense, readLicenses } from "../inventory.js";

/** Age, in milliseconds, after which an MSP's licenses are read again before a request changes them. */
const freshMilliseconds = 2_000;

type Licenses = ReadonlyMap<string, KnownLicense> | undefined;

/**
 * The current licenses of a run's MSPs. They must be recent, because the service would overwrite another
 * user's changes to a license without an error.
 */
export interface OwnedLicenses {
  see(inventory: Pick<Inventory, "licenses">, readAt: number): void;
  /**
   * Records the licenses of an MSP that was created at `sentAt`: only the license from the create request.
   */
  seeCreated(mspId: string, sentAt: number): void;
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
        // A key that may write licenses can lack the permission to read them.
        if (error instanceof ClientError && error.status === 403) return undefined;
        throw error;
      });
      known.set(mspId, { licenses, readAt });
      return licenses;
    },
  };
}
