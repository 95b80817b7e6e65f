/** By which a run is known as one of `orgs provision`. */
export const provisioningKind = "provisioning";
export type ProvisioningKind = typeof provisioningKind;
