import { grantRoles, type GrantRole } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

/** Each role includes the ones before it (P119). */
export function requireRole(role: GrantRole, requiredRole: GrantRole): void {
  if (grantRoles.indexOf(role) < grantRoles.indexOf(requiredRole)) {
    throw new ServiceError('Default:PermissionDenied', { requiredRole })
  }
}
