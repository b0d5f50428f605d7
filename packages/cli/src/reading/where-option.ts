import { Option } from 'commander'
import { repeated } from '../options/repeated.ts'
import { operatorNames } from './read-condition.ts'

export const whereOption = (): Option =>
  new Option(
    '--where <CONDITION>',
    `'FIELD OPERATOR VALUE'; if repeated, all must hold. Operators: ${operatorNames}`,
  ).argParser(repeated)
