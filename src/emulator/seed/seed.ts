import type { EmulatorState } from "../emulator-state.js";
import { hashSecret } from "../kernel/keys.js";
import { createOrganization } from "../kernel/organizations.js";
import { seededKey, seededKeys, seededNames, toKeyPrefix } from "./keys.js";
import { plantVoices } from "./voices.js";

export type PlantDemo = (state: EmulatorState, organizationId: string) => void;

const dayMilliseconds = 86_400_000;

export function plantSeed(state: EmulatorState, demo: readonly PlantDemo[] | undefined): void {
  const { database } = state;
  const now = state.clock.now();
  const distributorId = state.ids.next();
  database
    .prepare("INSERT INTO distributors (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)")
    .run(distributorId, "Distributor", now, now);
  const name = demo ? "Zahnarztpraxis Dr. Sommer" : "Organization";
  const organizationId = createOrganization(database, () => state.ids.next(), now, { name });
  for (const keyName of seededNames()) {
    const key = seededKeys[keyName];
    const value = seededKey(state, keyName);
    const distributor = key.kind === "distributor";
    database
      .prepare(
        "INSERT INTO keys (id, digest, prefix, kind, name, seeded, organization_id, distributor_id, role, versions, creator, expires_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, 'seed', ?, ?, ?)",
      )
      .run(
        state.ids.next(),
        hashSecret(value),
        toKeyPrefix(value),
        key.kind,
        keyName,
        distributor ? null : organizationId,
        distributor ? distributorId : null,
        key.role ?? null,
        key.versions ? JSON.stringify(key.versions) : null,
        // Distributor keys expire after 365 days by default (dist.auth.expired).
        distributor ? now + 365 * dayMilliseconds : null,
        now,
        now,
      );
  }
  plantVoices(state);
  // Reload only keys and organizations. A complete reload would also reset the last ID, which is not stored
  // yet.
  state.keys.reload();
  state.organizations.reload();
  for (const plant of demo ?? []) plant(state, organizationId);
}
