import type { Static, TObject, TProperties } from 'typebox'
import type { Paging } from '../paging/paging.ts'
import type { Octavo } from '../ask/octavo.ts'

/** A tool as it is listed and called, whatever its arguments are. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  /** The arguments have been checked. The answer becomes JSON. */
  readonly call: (octavo: Octavo, given: unknown, paging: Paging) => Promise<object>
}

interface ToolOf<Properties extends TProperties> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject<Properties>
  readonly call: (octavo: Octavo, given: Static<TObject<Properties>>, paging: Paging) => Promise<object>
}

export const tool = <Properties extends TProperties>({ call, ...named }: ToolOf<Properties>): Tool => ({
  ...named,
  call: (octavo, given, paging) => call(octavo, given as Static<TObject<Properties>>, paging),
})
