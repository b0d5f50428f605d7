// What writers make of the objects of a generated type.
import type { Properties } from '../contract/model-type.ts'
import type { Random } from './seeded-random.ts'

/** Without an object, the one with this key is deleted. */
export interface ModelChange {
  readonly key: string
  readonly object: Properties | undefined
}

type MakeObject = (random: Random, state: { readonly number: number; readonly edition: number }) => Properties

export class WrittenObjects {
  /** The objects as the last write left them, by key. */
  readonly current = new Map<string, Properties>()
  readonly #make: MakeObject
  #edition = 0

  constructor(make: MakeObject) {
    this.#make = make
  }

  /** Puts the objects with these numbers, each in a new edition, and deletes some of them instead. */
  write(random: Random, numbers: Iterable<number>, deletes = 0): readonly ModelChange[] {
    return [...new Set(numbers)].map((number) => {
      this.#edition += 1
      const object = this.#make(random, { number, edition: this.#edition })
      const key = String(object['id'])
      if (deletes > 0 && random.chance(deletes)) {
        this.current.delete(key)
        return { key, object: undefined }
      }
      this.current.set(key, object)
      return { key, object }
    })
  }
}
