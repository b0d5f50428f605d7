// As `octavo types` generates it; used to test the types of the client.
export interface Library {
  readonly employee: {
    readonly primaryKey: 'employeeId'
    readonly properties: {
      readonly employeeId: number
      readonly fullName: string
      readonly active?: boolean
      readonly badge?: string
      readonly startedOn?: string
      readonly tags?: readonly string[]
      readonly name?: readonly { readonly firstName?: string; readonly lastName?: string }[]
    }
    readonly fields: {
      readonly employeeId: 'integer'
      readonly fullName: 'string'
      readonly active: 'boolean'
      readonly badge: 'long'
      readonly tags: 'string[]'
      readonly 'name:firstName': 'string[]'
      readonly 'name:lastName': 'string[]'
    }
    readonly terms: 'fullName' | 'tags' | 'name:firstName' | 'name:lastName'
    readonly sortable: 'employeeId' | 'fullName' | 'startedOn'
    readonly orders: readonly [
      { readonly field: 'fullName'; readonly direction: 'asc' },
      { readonly field: 'startedOn'; readonly direction: 'desc' },
    ]
  }
  readonly shelf: {
    readonly primaryKey: 'code'
    readonly properties: { readonly code: string }
    readonly fields: { readonly code: 'string' }
    readonly terms: never
    readonly sortable: 'code'
    readonly orders: never
  }
}
