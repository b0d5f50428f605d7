// What the compiler knows of an object type. `octavo types` writes such shapes from the catalog of a service; without
// them every name and every value is allowed, and the service judges.

export type ScalarKind =
  'string' | 'boolean' | 'integer' | 'long' | 'double' | 'decimal' | 'date' | 'timestamp'

/** The type of the values that a query compares a field with; `[]` marks a property with many values. */
export type FieldKind = ScalarKind | `${ScalarKind}[]` | 'any'

export type OrderDirection = 'asc' | 'desc'

export interface OrderKey<Field extends string = string> {
  readonly field: Field
  /** `asc` when left out. */
  readonly direction?: OrderDirection
}

export interface ObjectTypeShape {
  /** The name of the property that is the primary key. */
  readonly primaryKey: string
  /** Every property with the type of its value; those that an object may lack are optional. */
  readonly properties: object
  /** What a query may name: properties that are searchable, and components of structs as `property:component`. */
  readonly fields: object
  /** Those of them whose terms can be searched. */
  readonly terms: string
  /** What a walk can be ordered by. */
  readonly sortable: string
  /** The declared composite orders. */
  readonly orders: readonly OrderKey[]
}

export type ScalarValue = string | number | boolean
export type StructValue = Readonly<Record<string, ScalarValue>>
export type PropertyValue = ScalarValue | StructValue | readonly (ScalarValue | StructValue)[]

export interface AnyObjectType extends ObjectTypeShape {
  readonly properties: Readonly<Record<string, PropertyValue>>
  readonly fields: Readonly<Record<string, 'any'>>
}

export type AnyTypes = Readonly<Record<string, AnyObjectType>>

/** The constraint of every `Types`: an interface has no index signature, so a record would refuse generated files. */
export type TypesOf<Types> = { readonly [Name in keyof Types]: ObjectTypeShape }

export type PropertyName<Type extends ObjectTypeShape> = Extract<keyof Type['properties'], string>

/** The value of the primary key. */
export type KeyOf<Type extends ObjectTypeShape> = Type['primaryKey'] extends keyof Type['properties']
  ? Exclude<Type['properties'][Type['primaryKey']], object | boolean | undefined>
  : string | number

/** Revision 1.0 returns scalars only. */
export type ScalarName<Type extends ObjectTypeShape> =
  string extends PropertyName<Type>
    ? string
    : {
        [Name in PropertyName<Type>]-?: NonNullable<Type['properties'][Name]> extends ScalarValue
          ? Name
          : never
      }[PropertyName<Type>]

/** The primary key is always returned. */
type Selected<Type extends ObjectTypeShape, Name extends string> = Pick<
  Type['properties'],
  Extract<keyof Type['properties'], Name | Type['primaryKey']>
>

/** An object as revision 1.0 lists it. */
export interface ListedObject<
  Type extends ObjectTypeShape = AnyObjectType,
  Name extends string = ScalarName<Type>,
> {
  readonly rid: string
  readonly properties: Selected<Type, Name>
}

/** An object as revision 2.0 finds it. */
export interface FoundObject<
  Type extends ObjectTypeShape = AnyObjectType,
  Name extends string = PropertyName<Type>,
> {
  /** The text of the primary key, whatever its type. */
  readonly primaryKey: string
  readonly objectType: string
  readonly title?: string
  readonly properties: Selected<Type, Name>
}

export type OrderBy<Type extends ObjectTypeShape> =
  readonly [OrderKey<Type['sortable'] | Type['primaryKey']>] | Type['orders']
