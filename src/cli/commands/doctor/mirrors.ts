import { messageOf } from "../../../base/error-code.js";
import { inflect } from "../../../base/text.js";
import { listMirrors } from "../../session/mirrors.js";
import type { Connection, Session } from "../../session/session.js";
import type { Finding } from "./finding.js";

/** Compares voxctl's assumptions about the service with a mirror of the profile's organization. */
export async function checkMirrors(connection: Connection, session: Session): Promise<Finding[]> {
  const present = connection.baseUrl("public");
  let mirrors: Awaited<ReturnType<typeof listMirrors>>;
  try {
    mirrors = await listMirrors(session);
  } catch (error) {
    return [{ check: "mirrors", state: "warning", message: messageOf(error) }];
  }
  return mirrors.flatMap(({ name, manifest }) => {
    if (!manifest || manifest.base_url !== present || manifest.profile !== connection.profile.name) return [];
    const { contradicted } = manifest;
    const broken = contradicted.map(({ decision }) => decision).join(", ");
    return [
      {
        check: `mirror ${name}`,
        state: contradicted.length === 0 ? "ok" : "warning",
        message:
          contradicted.length === 0
            ? "the organization's data contradicts none of voxctl's assumptions"
            : `the organization's data contradicts voxctl's ${inflect(contradicted.length, "assumption", "assumptions")} ${broken}`,
        details: contradicted,
      },
    ];
  });
}
