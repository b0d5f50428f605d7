// Takes a valid value and makes one value inside it invalid.
import { randomBytes } from 'node:crypto'
import type { Random } from '@octavo/model'

export interface BadValues {
  readonly value: () => unknown
  readonly name: () => string
}

export function spoiled(value: unknown, random: Random, bad: BadValues): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return bad.value()
  if (Array.isArray(value)) {
    const index = random.integer(0, value.length)
    const items: readonly unknown[] = value
    if (random.chance(0.1)) return items.toSpliced(index, 1)
    return items.toSpliced(index, 1, spoiled(items[index], random, bad))
  }
  const fields = Object.entries(value)
  const index = random.integer(0, fields.length)
  const [name = bad.name(), inner] = fields[index] ?? []
  if (random.chance(0.1)) return Object.fromEntries(fields.toSpliced(index, 1))
  // Built from entries, so that a field named `__proto__` is an ordinary field.
  return Object.fromEntries(fields.toSpliced(index, 1, [name, spoiled(inner, random, bad)]))
}

/** Mostly unchanged; sometimes no longer JSON, or no longer UTF-8. */
export function damaged(text: string, random: Random): string | Buffer {
  if (random.chance(0.05)) return text.slice(0, random.integer(0, text.length))
  if (random.chance(0.05)) return text.replace(/[{}:,"]/, random.pick(['', '{', '"', '\u0000', ',', '[']))
  if (random.chance(0.01)) return '['.repeat(random.integer(1, 20_000))
  if (random.chance(0.03)) return randomBytes(random.integer(0, 200))
  if (random.chance(0.03)) {
    const at = random.integer(0, text.length)
    const wrong = random.pick(['ff', 'c0af', 'eda080', 'f4908080', 'e282', '00', 'efbbbf'])
    return Buffer.concat([
      Buffer.from(text.slice(0, at)),
      Buffer.from(wrong, 'hex'),
      Buffer.from(text.slice(at)),
    ])
  }
  return text
}
