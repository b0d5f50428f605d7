import type { Environment } from '../base/command-context.ts'
import { commandVariables } from './setting.ts'

/** Removes the command's own variables, because the service refuses variables it does not know. */
export const forService = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !commandVariables.has(name)))
