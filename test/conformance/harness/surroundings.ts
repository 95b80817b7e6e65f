import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { keys, type Service } from "../server/service.js";
import { fieldsOf, longAgo } from "../server/service-state.js";
import type { SwitchName } from "../server/switches.js";

/** A user's directory; `data` is the data directory of the command. */
export interface Surroundings {
  home: string;
  readonly data: string;
  readonly environment: Record<string, string>;
  /** Replaces the data directory by this directory, which contains the files that a killed process left. */
  moveData(folder: string): void;
  path(name: string): string;
  write(name: string, content: string): string;
  remove(): void;
}

export function createSurroundings(origin: string, switches: readonly SwitchName[]): Surroundings {
  const home = mkdtempSync(join(tmpdir(), "conforming-"));
  let data = join(home, "data");
  const config = join(home, "config");
  const path = (name: string) => join(home, name);
  const write = (name: string, content: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content, { mode: 0o600 });
    return path(name);
  };
  const target = (address: string, value: string) => ({
    url: `${origin}${address}`,
    key: { from: "stored", value },
  });
  write(
    "config/config.json",
    JSON.stringify({
      default: "conforming",
      profiles: {
        conforming: {
          kind: "remote",
          surfaces: {
            public: target("/api/v1", keys.public),
            "distributor-v1": target("/api/distributor/v1", keys.distributor),
            "distributor-v2": target("/api/distributor/v2", keys.distributor),
            legacy: target("", keys.public),
          },
          paths: pathsOf(switches),
        },
      },
    }),
  );
  return {
    home,
    get data() {
      return data;
    },
    get environment() {
      // A job that edits resources writes this script first.
      const editor = `"${process.execPath}" "${join(home, "editor.mjs")}"`;
      return {
        ...{ HOME: home, EDITOR: editor },
        ...{ VOXCTL_CONFIG_DIR: config, VOXCTL_DATA_DIR: data, VOXCTL_KEYCHAIN: "off" },
      };
    },
    moveData: (folder) => {
      data = folder;
    },
    path,
    write,
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 10 }),
  };
}

function pathsOf(switches: readonly SwitchName[]): Record<string, string> {
  const tools = Object.fromEntries(
    ["list", "create"]
      .map((verb) => [`tools.${verb}`, "/custom-tools"])
      .concat(["get", "update", "delete"].map((verb) => [`tools.${verb}`, "/custom-tools/{tool_id}"])),
  );
  const partners = {
    "partners.list": "/resellers",
    "partners.create": "/resellers",
    "partners.get": "/resellers/{externalPartnerId}",
    "partners.update": "/resellers/{externalPartnerId}",
    "partners.delete": "/resellers/{externalPartnerId}",
    "partners.billing": "/resellers/{externalPartnerId}/billing",
    "customers.list": "/resellers/{externalPartnerId}/customers",
    "customers.create": "/resellers/{externalPartnerId}/customers",
  };
  return {
    ...(switches.includes("delete elsewhere")
      ? { "orgs.delete": "/organizations/{organizationId}/deletion" }
      : {}),
    ...(switches.includes("tools elsewhere") ? tools : {}),
    ...(switches.includes("partners elsewhere") ? partners : {}),
  };
}

/** The second group of each type contains other users' resources. */
export function furnish({ state, behavior }: Service): void {
  const groups = ["contacts", "knowledges", "forwardings", "glossaries", "pronunciations"];
  for (const type of groups) {
    state.insert("groups", { type, name: "Default" }, "somebody", longAgo);
    state.insert("groups", { type, name: "Team" }, "somebody", longAgo);
  }
  const team = state.rows("groups").find((row) => isTeam(fieldsOf(row)));
  for (let count = 1; count <= 6; count += 1) {
    state.insert(
      "contacts",
      {
        group_id: team?.id,
        first_name: `Neighbor ${count}`,
        last_name: "Someone",
        phone_numbers: [`+4930999000${count}`],
        emails: [],
      },
      "otherUser",
      longAgo,
    );
  }
  if (behavior.newTypes) {
    state.insert("groups", { type: "webforms", name: "Forms" }, "somebody", longAgo);
    state.insert("voices", { name: "Kim", generation: "v3", languages: ["de"] }, "somebody", longAgo);
  }
  const voice = state.insert(
    "voices",
    { name: "Lea", generation: "v2", languages: ["de"] },
    "somebody",
    longAgo,
  );
  for (const [count, name] of ["Empfang", "Termine"].entries())
    state.insert(
      "assistants",
      {
        name,
        language: "de",
        voice_id: voice.id,
        company_name: "Praxis",
        company_industry: "health",
        introduction: "Guten Tag.",
        phone_number: `+49322210000${count}`,
        carrier: "own",
        pre_call_webhook: null,
      },
      "somebody",
      longAgo,
    );
}

function isTeam(fields: Record<string, unknown>): boolean {
  return fields["type"] === "contacts" && fields["name"] === "Team";
}
