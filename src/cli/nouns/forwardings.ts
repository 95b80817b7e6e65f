import { type Fields, getText, isFields } from "../../base/fields.js";
import { forwardings as forwardingOperations } from "../../contract/public/forwardings.js";
import type { Noun } from "../derive/noun.js";
import { groupOf } from "../session/references/group.js";

function formatDestination(forwarding: Fields): unknown {
  const field = { sip: "sip_uri", sip_refer: "sip_refer_target" }[getText(forwarding, "destination_type")];
  return forwarding[field ?? "phone_number"];
}

export const forwardings: Noun = {
  name: "forwardings",
  noun: "forwarding",
  plural: "forwardings",
  summary: "Manage the destinations that assistants forward calls to",
  operations: forwardingOperations,
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "VIA", value: "destination_type", keep: true },
    { header: "DESTINATION", value: formatDestination },
    { header: "TYPE", value: "type", optional: true },
    { header: "SECONDS", value: "timeout", keep: true, optional: true, align: "right" },
    { header: "GROUP", value: "group_id", optional: true },
  ],
  referable: { list: "forwardings.list", noun: "forwarding" },
  references: { group_id: groupOf("forwardings") },
  verbs: {
    "forwardings.list": {
      examples: [
        { command: "voxctl forwardings list" },
        { command: "voxctl forwardings list --group Praxisteam -o csv" },
      ],
      flagHelp: { group_id: "List only forwardings in this group" },
    },
    "forwardings.get": { examples: [{ command: "voxctl forwardings get Empfang" }] },
    "forwardings.create": {
      description:
        "Set the destination with the flag for its type: --phone-number for phone, --sip-uri for sip, and --sip-refer-target for sip_refer.",
      examples: [
        {
          command:
            "voxctl forwardings create --group Praxisteam --name Vertretung --destination-type phone --phone-number +493023125104",
        },
        {
          command:
            "voxctl forwardings create --group Telefonanlage --name Zentrale --destination-type sip --sip-uri sip:zentrale@pbx.example.org",
        },
      ],
      flagHelp: {
        timeout: "Ring time in seconds; for the request timeout, use --global-timeout",
        type: "Type of forwarding, as free text",
      },
    },
    "forwardings.update": {
      examples: [
        { command: "voxctl forwardings update Empfang --timeout 40" },
        {
          command:
            "voxctl forwardings update Abrechnung --destination-type sip --sip-uri sip:abrechnung@pbx.example.org",
        },
      ],
      flagHelp: {
        timeout: "Ring time in seconds; for the request timeout, use --global-timeout",
        type: "Type of forwarding, as free text",
      },
    },
    "forwardings.delete": {
      examples: [{ command: "voxctl forwardings delete Warteschleife" }],
      loses: async ({ client, id, signal }) => {
        const { data } = await client.call("forwardings.get", { path: { forwarding_id: id } }, { signal });
        const forwarding = isFields(data) ? data : {};
        return { what: `forwarding to ${getText(forwarding, "name") || formatDestination(forwarding)}` };
      },
    },
  },
};
