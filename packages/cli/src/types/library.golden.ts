// Written by `octavo types` from the catalog of a service. Run it again when a definition has changed.

/** The object types, for `createClient<Ontology>()`. */
export interface Ontology {
  readonly 'com.example.shelf': ComExampleShelfType
  readonly employee: EmployeeType
}

/** Shelf */
export interface ComExampleShelf {
  readonly code: string
}

export interface ComExampleShelfType {
  readonly primaryKey: 'code'
  readonly properties: ComExampleShelf
  readonly fields: {
    readonly code: 'string'
  }
  readonly terms: never
  readonly sortable: 'code'
  readonly orders: never
}

/** Employee * / of the library */
export interface Employee {
  readonly employeeId: number
  readonly fullName: string
  readonly active?: boolean
  readonly badge?: string
  readonly rating?: number
  readonly salary?: string
  readonly 'started-on'?: string
  readonly seenAt?: string
  readonly tags?: readonly string[]
  readonly scores?: readonly number[]
  readonly name?: readonly { readonly firstName?: string; readonly age?: number }[]
  readonly address?: { readonly city?: string; readonly 'post-code'?: string }
  readonly note?: string
}

export interface EmployeeType {
  readonly primaryKey: 'employeeId'
  readonly properties: Employee
  readonly fields: {
    readonly employeeId: 'integer'
    readonly fullName: 'string'
    readonly active: 'boolean'
    readonly badge: 'long'
    readonly salary: 'decimal'
    readonly seenAt: 'timestamp'
    readonly tags: 'string[]'
    readonly scores: 'integer[]'
    readonly 'name:firstName': 'string[]'
    readonly 'name:age': 'integer[]'
    readonly 'address:city': 'string'
    readonly 'address:post-code': 'string'
  }
  readonly terms: 'fullName' | 'tags' | 'name:firstName' | 'address:city' | 'address:post-code'
  readonly sortable: 'employeeId' | 'fullName' | 'started-on'
  readonly orders:
    | readonly [
        { readonly field: 'fullName'; readonly direction: 'asc' },
        { readonly field: 'started-on'; readonly direction: 'desc' },
      ]
    | readonly [
        { readonly field: 'active'; readonly direction: 'asc' },
        { readonly field: 'fullName'; readonly direction: 'asc' },
      ]
}
