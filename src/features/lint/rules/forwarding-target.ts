import type { LintRule } from "../lint-rule.js";
import { getText, type ResourceRecord } from "../organization.js";

/**
 * Destination field of each forwarding type. The service accepts an empty destination, although such a
 * forwarding can't connect callers (public.operations.8c).
 */
const targets: Readonly<Record<string, { field: string; flag: string; what: string }>> = {
  phone: { field: "phone_number", flag: "--phone-number +49…", what: "no phone number" },
  sip: { field: "sip_uri", flag: "--sip-uri sip:…", what: "no SIP address" },
  sip_refer: { field: "sip_refer_target", flag: "--sip-refer-target …", what: "no SIP REFER target" },
};

export const forwardingTarget: LintRule = {
  id: "forwarding-target",
  severity: "error",
  summary: "Every forwarding has a destination number or address",
  resource: "forwardings",
  *check({ records }) {
    for (const forwarding of records("forwardings")) {
      const target = findTarget(forwarding);
      if (target === undefined || getText(forwarding, target.field).trim() !== "") continue;
      yield {
        record: forwarding,
        message: `has ${target.what}, so it can't connect callers`,
        help: `voxctl forwardings update ${String(forwarding["id"])} ${target.flag}`,
      };
    }
  },
};

function findTarget(forwarding: ResourceRecord) {
  const type = getText(forwarding, "destination_type");
  return Object.hasOwn(targets, type) ? targets[type] : undefined;
}
