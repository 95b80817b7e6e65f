/** The version of the API description. Source: Public API, "Versioning". */
export const interfaceVersion = "1.6.0"; // public.versioning.1
