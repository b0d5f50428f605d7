import { Type, type Static, type TSchema } from 'typebox'

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

/** Many serialisers write a field without a value as `null`, so null counts as absent (P180). */
export const optional = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
