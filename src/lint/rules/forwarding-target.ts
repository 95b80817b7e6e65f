import { type Thing, text } from "../organization.js";
import type { LintRule } from "../rule.js";

/** public.operations.8c: an empty number is stored, and reaches no phone. */
const targets: Readonly<Record<string, { field: string; flag: string; what: string }>> = {
  phone: { field: "phone_number", flag: "--phone-number +49…", what: "no phone number" },
  sip: { field: "sip_uri", flag: "--sip-uri sip:…", what: "no SIP address" },
  sip_refer: { field: "sip_refer_target", flag: "--sip-refer-target …", what: "no SIP REFER target" },
};

export const forwardingTarget: LintRule = {
  id: "forwarding-target",
  severity: "error",
  summary: "A forwarding names the number or address that callers are put through to",
  resource: "forwardings",
  *check({ things }) {
    for (const thing of things("forwardings")) {
      const target = targetOf(thing);
      if (target === undefined || text(thing, target.field).trim() !== "") continue;
      yield {
        thing,
        message: `has ${target.what}: no caller can be put through`,
        help: `voxctl forwardings update ${String(thing["id"])} ${target.flag}`,
      };
    }
  },
};

function targetOf(thing: Thing) {
  const type = text(thing, "destination_type");
  return Object.hasOwn(targets, type) ? targets[type] : undefined;
}
