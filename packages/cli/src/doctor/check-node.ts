import { ok, problem, type Check } from './finding.ts'

const needed = 24

export const checkNode: Check = async ({ nodeVersion }) =>
  Number(nodeVersion.split('.')[0]) >= needed
    ? [ok('node', `Node ${nodeVersion}`)]
    : [problem('node', `Node ${nodeVersion} is too old`, `install Node ${needed} from https://nodejs.org`)]
