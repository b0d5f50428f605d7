import { Option } from 'commander'

/** For commands that read objects. */
export const atOption = (): Option =>
  new Option('--at <TOKEN>', 'read in the state that a snapshot token names; see octavo snapshot')
