// The driver's own way of writing a value as a parameter; its types do not know it.
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): Buffer | string | null
}
