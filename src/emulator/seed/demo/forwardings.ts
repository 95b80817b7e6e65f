import type { Forwarding } from "../../../contract/public/forwardings.js";
import type { EmulatorState } from "../../emulator-state.js";
import { plantGroup, plantRecord } from "../../kernel/planting.js";
import { forwardingTable } from "../../public/forwardings.js";

type Item = Pick<Forwarding, "name" | "type" | "timeout"> & Partial<Forwarding>;

const groups: readonly { name: string; items: readonly Item[] }[] = [
  {
    name: "Praxisteam",
    // The ranges of these numbers are reserved for fiction.
    items: [
      { name: "Empfang", type: "standard", phone_number: "+493023125101", timeout: 25 },
      { name: "Abrechnung", type: "standard", phone_number: "+493023125102", timeout: 30 },
      { name: "Prophylaxe", type: "standard", phone_number: "+493023125103", timeout: 20 },
      { name: "Dr. Sommer (nur Notfälle)", type: "emergency", phone_number: "+491713920011", timeout: 45 },
    ],
  },
  {
    name: "Telefonanlage",
    items: [
      { name: "Warteschleife", type: "standard", sip_uri: "sip:warteschleife@pbx.example.org", timeout: 60 },
      {
        name: "Labor Brandt",
        type: "partner",
        sip_refer_target: "sip:labor@pbx.example.org;transport=tls",
        timeout: 30,
      },
    ],
  },
];

export function plantForwardings(state: EmulatorState, organizationId: string): void {
  for (const { name, items } of groups) {
    const groupId = plantGroup(state, organizationId, "forwardings", name);
    for (const item of items) {
      const destination = item.sip_uri ? "sip" : item.sip_refer_target ? "sip_refer" : "phone";
      plantRecord(state, forwardingTable, organizationId, {
        group_id: groupId,
        destination_type: destination,
        phone_number: null,
        sip_uri: null,
        sip_refer_target: null,
        ...item,
      });
    }
  }
}
