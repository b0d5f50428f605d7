// The driver's own conversion of a value to a parameter; the driver's types do not have it.
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): Buffer | string | null
}
