export type Step =
  | { kind: "msp"; organization: string; license: string }
  | { kind: "customer"; organization: string; parent: string; license: string }
  | { kind: "reassign"; organization: string; license: string }
  | { kind: "upsert"; organization: string; license: string; status?: "available" | "disabled" }
  | { kind: "delete"; organization: string };

interface ModelOrganization {
  parent: string | null;
  license: string;
  blocked: boolean;
}

interface ModelLicense {
  owner: string;
  disabled: boolean;
}

type Code = string;

/** Model of the life cycle, written from the documents and decisions, without the emulator's code. */
export class Model {
  readonly organizations = new Map<string, ModelOrganization>();
  readonly licenses = new Map<string, ModelLicense>();

  /** Returns "ok", or the code of the refusal; a refused step has no effect. */
  take(step: Step): Code {
    switch (step.kind) {
      case "msp":
        return this.createMsp(step.organization, step.license);
      case "customer":
        return this.createCustomer(step.organization, step.parent, step.license);
      case "reassign":
        return this.reassign(step.organization, step.license);
      case "upsert":
        return this.upsert(step.organization, step.license, step.status);
      case "delete":
        return this.delete(step.organization);
    }
  }

  holderOf(license: string): string | undefined {
    for (const [name, organization] of this.organizations) if (organization.license === license) return name;
    return undefined;
  }

  stateOf(license: string): "available" | "assigned" | "disabled" {
    if (this.licenses.get(license)?.disabled) return "disabled";
    return this.holderOf(license) === undefined ? "available" : "assigned";
  }

  private createMsp(name: string, license: string): Code {
    if (this.organizations.has(name)) return "DUPLICATE_EXTERNAL_ORGANIZATION_ID";
    if (this.licenses.has(license)) return "LICENSE_NOT_AVAILABLE";
    this.organizations.set(name, { parent: null, license, blocked: false });
    this.licenses.set(license, { owner: name, disabled: false });
    return "ok";
  }

  private createCustomer(name: string, parent: string, license: string): Code {
    if (this.organizations.get(parent)?.parent !== null) return "NOT_FOUND";
    if (this.organizations.has(name)) return "DUPLICATE_EXTERNAL_ORGANIZATION_ID";
    if (this.licenses.get(license)?.owner !== parent) return "LICENSE_NOT_FOUND";
    if (this.stateOf(license) !== "available") return "LICENSE_NOT_AVAILABLE";
    this.organizations.set(name, { parent, license, blocked: false });
    return "ok";
  }

  private reassign(name: string, license: string): Code {
    const organization = this.organizations.get(name);
    if (!organization) return "NOT_FOUND";
    if (this.licenses.get(license)?.owner !== (organization.parent ?? name)) return "LICENSE_NOT_FOUND";
    if (this.stateOf(license) !== "available") return "LICENSE_NOT_AVAILABLE";
    organization.license = license;
    organization.blocked = false;
    return "ok";
  }

  private upsert(name: string, license: string, status: "available" | "disabled" | undefined): Code {
    const organization = this.organizations.get(name);
    if (!organization) return "NOT_FOUND";
    if (organization.parent !== null) return "VALIDATION_ERROR";
    const known = this.licenses.get(license);
    if (known && known.owner !== name) return "LICENSE_NOT_AVAILABLE";
    this.licenses.set(license, {
      owner: name,
      disabled: status === undefined ? known?.disabled === true : status === "disabled",
    });
    const holder = this.organizations.get(this.holderOf(license) ?? "");
    if (holder && status !== undefined) holder.blocked = status === "disabled";
    return "ok";
  }

  private delete(name: string): Code {
    const organization = this.organizations.get(name);
    if (!organization) return "NOT_FOUND";
    for (const child of this.organizations.values()) {
      if (child.parent === name) return "ORGANIZATION_HAS_CHILDREN";
    }
    this.organizations.delete(name);
    for (const [id, license] of this.licenses) if (license.owner === name) this.licenses.delete(id);
    return "ok";
  }
}
