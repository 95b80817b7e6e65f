/**
 * IDs that are the same in every demo emulator, so that examples in help and guides work. The oldest contact
 * and the oldest call have these IDs, because IDs must be in order of creation (D-id).
 */
export const exampleIds = {
  contact: "65f1a0b2c3d4e5f601234567",
  call: "65f1a0b2c3d4e5f601234568",
} as const;
