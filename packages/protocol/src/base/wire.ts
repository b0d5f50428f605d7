import type { Static, TSchema } from 'typebox'

/** The type of a wire shape: what its schema accepts, deeply readonly. */
export type Wire<Schema extends TSchema> = Frozen<Static<Schema>>

type Frozen<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Frozen<Item>[]
      : { readonly [Key in keyof T]: Frozen<T[Key]> }

/** Options of every shape that a caller sends: an unknown field is refused, never ignored (P27). */
export const closed = { additionalProperties: false } as const
