import { at, done, forwardingSaves, has, itemCreates, itemUpdates, refusedBy } from "./evidence.js";
import type { Rules } from "./rule.js";

/** API rules about forwardings, glossary, pronunciation and calendars. */
export const publicItemRules: Rules = {
  "public.operations.8a": {
    text: "Creating a forwarding requires a group of type `forwardings` in the same organization; otherwise, the response is 404.",
    refuses: true,
    seen: done("forwardings.create"),
  },
  "public.operations.8b": {
    text: "A destination of type `sip` requires `sip_uri`; a destination of type `sip_refer` requires `sip_refer_target`.",
    refuses: true,
  },
  "public.operations.8c": {
    text: "The phone number of a destination of type `phone` may be empty or missing, on create and on PATCH.",
    seen: done(
      forwardingSaves,
      (seen) => at(seen.request, "destination_type") === "phone" && !at(seen.request, "phone_number"),
    ),
  },
  "public.operations.9": {
    text: "A PATCH of a forwarding, glossary entry or pronunciation rule changes only the fields that it contains, and can't change the group.",
    refusedAs: ["public.items.group-immutable"],
    seen: done(itemUpdates),
  },
  "public.operations.10": {
    text: "Creating a glossary entry or pronunciation rule requires a group of the matching type; otherwise, the response is 404.",
    refuses: true,
    seen: done(itemCreates),
  },
  "public.operations.11": {
    text: "Calendar names must be unique within the organization.",
    refusedAs: ["public.calendar.unique"],
    seen: refusedBy("public.calendar.unique", "calendars.create", "calendars.update"),
  },
  "public.operations.11b": {
    text: "`schedules` in a calendar PATCH replaces all of the calendar's schedules.",
    seen: done("calendars.update", (seen) => has(seen.request, "schedules")),
  },
  "public.operations.11c": {
    text: "Deleting a calendar that is assigned to an assistant returns 409.",
    refuses: true,
  },
};
