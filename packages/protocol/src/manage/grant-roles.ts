/** Each role includes the ones before it. */
export const grantRoles = ['reader', 'writer', 'owner'] as const
export type GrantRole = (typeof grantRoles)[number]
