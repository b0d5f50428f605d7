import { checkDatabase } from './check-database.ts'
import { checkNode } from './check-node.ts'
import { checkOptions } from './check-options.ts'
import { checkPort } from './check-port.ts'
import { checkReplicas } from './check-replicas.ts'
import { checkService } from './check-service.ts'
import { checkToken } from './check-token.ts'
import type { Check } from './finding.ts'

/** In the order of the report. */
export const checks: readonly Check[] = [
  checkNode,
  checkService,
  checkToken,
  checkDatabase,
  checkReplicas,
  checkOptions,
  checkPort,
]
