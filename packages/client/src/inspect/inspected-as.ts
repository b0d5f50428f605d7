// What `console.log` shows of our objects in Node, Deno and Bun: the few facts that matter, and never the token.
const custom = Symbol.for('nodejs.util.inspect.custom')

type Inspect = (value: unknown, options: unknown) => string

export function inspectedAs<Target extends object>(
  target: Target,
  name: string,
  facts: () => Readonly<Record<string, unknown>>,
): Target {
  const value = (_depth: number, options: unknown, inspect: Inspect) => `${name} ${inspect(facts(), options)}`
  return Object.defineProperty(target, custom, { value })
}
