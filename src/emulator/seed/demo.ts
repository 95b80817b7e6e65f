import type { World } from "../world.js";
import { plantContacts } from "./demo/contacts.js";

/** A believable dental practice; the same for the same start time and seed. */
export function plantDemo(world: World, organizationId: string): void {
  plantContacts(world, organizationId);
}
