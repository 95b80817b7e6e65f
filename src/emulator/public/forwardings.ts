import type { Forwarding, forwardings } from "../../contract/public/forwardings.js";
import { type Handlers, markSingleStatement } from "../context.js";
import { Table } from "../kernel/table.js";
import { invalid } from "../refusal.js";
import { requireGroup } from "./groups.js";

const table = new Table<Forwarding>("forwardings", "the forwarding", {
  columns: ["group_id"],
  members: ["name", "type", "destination_type", "phone_number", "sip_uri", "sip_refer_target", "timeout"],
});

export { table as forwardingTable };

type Destination = Pick<Forwarding, "destination_type" | "sip_uri" | "sip_refer_target">;

// A `phone` forwarding requires no number, although a forwarding without a number reaches nobody
// (public.operations.8b, 8c).
const requiredTarget = { sip: "sip_uri", sip_refer: "sip_refer_target" } as const;

/** Called with the fields of a create request, or with the merged fields of a PATCH (D-forwarding). */
function refuseMissingTarget(destination: Destination): void {
  if (destination.destination_type === "phone") return;
  const field = requiredTarget[destination.destination_type];
  if (destination[field] !== null && destination[field] !== "") return;
  throw invalid("public.operations.8b", [
    { path: [field], message: `is required if destination_type is ${destination.destination_type}` },
  ]);
}

export const forwardingHandlers: Handlers<typeof forwardings> = {
  // D-head
  "forwardings.list": (context, { query }) => table.page(context, query, { group_id: query.group_id }),

  "forwardings.create": markSingleStatement((context, { body }) => {
    refuseMissingTarget(body);
    requireGroup(context, body.group_id, "forwardings", "public.operations.8a");
    return table.insert(context, body);
  }),

  "forwardings.get": (context, { path }) => table.get(context, path.forwarding_id),

  "forwardings.update": markSingleStatement((context, { path, body }) => {
    const before = table.require(context, path.forwarding_id);
    refuseMissingTarget({
      destination_type: body.destination_type ?? before.destination_type,
      sip_uri: body.sip_uri === undefined ? before.sip_uri : body.sip_uri,
      sip_refer_target: body.sip_refer_target === undefined ? before.sip_refer_target : body.sip_refer_target,
    });
    return table.update(context, before, body);
  }),

  "forwardings.delete": markSingleStatement((context, { path }) => table.delete(context, path.forwarding_id)),
};
