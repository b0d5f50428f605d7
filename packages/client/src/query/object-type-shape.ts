// What the compiler knows of an object type. `octavo types` generates such shapes from the catalog of a service; without
// them the compiler allows every name and value, and the service checks them.

export type ScalarKind =
  'string' | 'boolean' | 'integer' | 'long' | 'double' | 'decimal' | 'date' | 'timestamp'

/** The type of the values that a query compares a field with; `[]` marks a property with many values. */
export type FieldKind = ScalarKind | `${ScalarKind}[]` | 'any'

export type OrderDirection = 'asc' | 'desc'

export interface OrderKey<Field extends string = string> {
  readonly field: Field
  /** The default is `asc`. */
  readonly direction?: OrderDirection
}

export interface ObjectTypeShape {
  /** The name of the property that is the primary key. */
  readonly primaryKey: string
  /** Every property with the type of its value; properties that an object may lack are optional. */
  readonly properties: object
  /** The fields that a query may name: searchable properties, and components of structs as `property:component`. */
  readonly fields: object
  /** The fields whose terms can be searched. */
  readonly terms: string
  /** The fields that a walk can be ordered by. */
  readonly sortable: string
  /** The declared composite orders. */
  readonly orders: readonly OrderKey[]
  /** The links, each with the shape of the object type that it leads to. */
  readonly links?: object
}

export type ScalarValue = string | number | boolean
export type StructValue = Readonly<Record<string, ScalarValue>>
export type PropertyValue = ScalarValue | StructValue | readonly (ScalarValue | StructValue)[]

export interface AnyObjectType extends ObjectTypeShape {
  readonly properties: Readonly<Record<string, PropertyValue>>
  readonly fields: Readonly<Record<string, 'any'>>
  readonly links: Readonly<Record<string, AnyObjectType>>
}

export type AnyTypes = Readonly<Record<string, AnyObjectType>>

/**
 * The constraint of every `Types`. Not a record: an interface has no index signature, so a record would refuse generated
 * files.
 */
export type TypesOf<Types> = { readonly [Name in keyof Types]: ObjectTypeShape }

export type PropertyName<Type extends ObjectTypeShape> = Extract<keyof Type['properties'], string>

/** The type of the primary key's value. */
export type KeyOf<Type extends ObjectTypeShape> = Type['primaryKey'] extends keyof Type['properties']
  ? Exclude<Type['properties'][Type['primaryKey']], object | boolean | undefined>
  : string | number

/** The properties that revision 1.0 returns: scalars only. */
export type ScalarName<Type extends ObjectTypeShape> =
  string extends PropertyName<Type>
    ? string
    : {
        [Name in PropertyName<Type>]-?: NonNullable<Type['properties'][Name]> extends ScalarValue
          ? Name
          : never
      }[PropertyName<Type>]

/**
 * The selected properties, and the primary key, which is always returned. If all are selected, the type has the name that it was
 * declared with.
 */
type Selected<Type extends ObjectTypeShape, Name extends string> = [keyof Type['properties']] extends [
  Name | Type['primaryKey'],
]
  ? Type['properties']
  : Pick<Type['properties'], Extract<keyof Type['properties'], Name | Type['primaryKey']>>

/** An object as revision 1.0 returns it. */
export interface ListedObject<
  Type extends ObjectTypeShape = AnyObjectType,
  Name extends string = ScalarName<Type>,
> {
  readonly rid: string
  readonly properties: Selected<Type, Name>
}

/** An object as revision 2.0 returns it. */
export interface FoundObject<
  Type extends ObjectTypeShape = AnyObjectType,
  Name extends string = PropertyName<Type>,
> {
  /** The primary key as text, whatever its type. */
  readonly primaryKey: string
  readonly objectType: string
  readonly title?: string
  readonly properties: Selected<Type, Name>
}

export type OrderBy<Type extends ObjectTypeShape> =
  readonly [OrderKey<Type['sortable'] | Type['primaryKey']>] | Type['orders']
