// Cases made by chance: few for every change, always the same, and many at night, others each time.
import { randomInt } from 'node:crypto'
import process from 'node:process'

const isNight = process.env['OCTAVO_MANY_GENERATED'] !== undefined

/** How many of something, of which every change is checked with so many. */
export const many = (forChange: number): number => (isNight ? forChange * 8 : forChange)

/** What only the night tries too. */
export const atNight = <Case>(cases: readonly Case[]): readonly Case[] => (isNight ? cases : [])

/** The seed for every change; at night another one, which is printed: to repeat that night, write it here. */
export function seed(forChange: number): number {
  if (!isNight) return forChange
  const drawn = randomInt(2 ** 31)
  process.stdout.write(`generated cases with the seed ${drawn} instead of ${forChange}\n`)
  return drawn
}
