import type { EmulatorState } from "../emulator-state.js";
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

/** The same start time and seed always give the same data. */
export function plantDemo(state: EmulatorState, organizationId: string): void {
  plantContacts(state, organizationId);
  plantKnowledge(state, organizationId);
  plantForwardings(state, organizationId);
  plantGlossary(state, organizationId);
  plantPronunciation(state, organizationId);
  plantCalendars(state, organizationId);
  plantTools(state, organizationId);
  plantAssistants(state, organizationId, plantPrompts(state, organizationId));
  plantLeftovers(state, organizationId);
  plantCalls(state, organizationId);
  plantDistributor(state, organizationId);
}
