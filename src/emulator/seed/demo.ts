import type { World } from "../world.js";
import { plantAssistants } from "./demo/assistants.js";
import { plantCalendars } from "./demo/calendars.js";
import { plantCalls } from "./demo/calls.js";
import { plantContacts } from "./demo/contacts.js";
import { plantDistributor } from "./demo/distributor.js";
import { plantForwardings } from "./demo/forwardings.js";
import { plantGlossary } from "./demo/glossary.js";
import { plantKnowledge } from "./demo/knowledge.js";
import { plantLeftovers } from "./demo/leftovers.js";
import { plantPrompts } from "./demo/prompts.js";
import { plantPronunciation } from "./demo/pronunciation.js";
import { plantTools } from "./demo/tools.js";

/** A believable dental practice; the same for the same start time and seed. */
export function plantDemo(world: World, organizationId: string): void {
  plantContacts(world, organizationId);
  plantKnowledge(world, organizationId);
  plantForwardings(world, organizationId);
  plantGlossary(world, organizationId);
  plantPronunciation(world, organizationId);
  plantCalendars(world, organizationId);
  plantTools(world, organizationId);
  plantAssistants(world, organizationId, plantPrompts(world, organizationId));
  plantLeftovers(world, organizationId);
  plantCalls(world, organizationId);
  plantDistributor(world, organizationId);
}
