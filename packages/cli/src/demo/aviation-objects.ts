// The objects of the demo, each generated from the seed and its number. They refer to each other by keys that exist.
import { randomSource, type RandomSource } from './random-source.ts'
import {
  airlines,
  cityBeginnings,
  cityEndings,
  countries,
  firstNames,
  languages,
  lastNames,
  models,
  roles,
  type Airline,
} from './words.ts'

/** The number of objects of each type. */
export interface AviationCounts {
  readonly airport: number
  readonly aircraft: number
  readonly person: number
  readonly flight: number
}

/** Most objects are flights, as in life. Airports have codes of three letters, so their number is limited. */
export function aviationCounts(objects: number): AviationCounts {
  const airport = Math.min(4_000, Math.max(1, Math.round(objects / 250)))
  const aircraft = Math.max(1, Math.round(objects / 50))
  const person = Math.max(1, Math.round(objects / 5))
  return { airport, aircraft, person, flight: Math.max(1, objects - airport - aircraft - person) }
}

export type DemoObject = Readonly<Record<string, unknown>>

export interface AviationObjects {
  readonly airport: (number: number) => DemoObject
  readonly aircraft: (number: number) => DemoObject
  readonly person: (number: number) => DemoObject
  readonly flight: (number: number) => DemoObject
}

const kinds = { airport: 1, aircraft: 2, person: 3, flight: 4 } as const

export function aviationObjects(seed: number, counts: AviationCounts): AviationObjects {
  const chance = (kind: keyof typeof kinds, number: number) => randomSource(seed, kinds[kind], number)
  const airlineOf = (aircraft: number): Airline => chance('aircraft', aircraft).pick(airlines)

  return {
    airport: (number) => {
      const random = chance('airport', number)
      const city = random.pick(cityBeginnings) + random.pick(cityEndings)
      const kind = random.pick(['International', 'Regional', 'City', ''])
      return {
        code: airportCode(number),
        name: `${city} ${kind}`.trim(),
        city,
        country: random.pick(countries),
        elevation: random.percent(10) ? random.between(900, 3_500) : random.between(0, 600),
        location: {
          latitude: random.between(-60_0000, 70_0000) / 10_000,
          longitude: random.between(-180_0000, 179_9999) / 10_000,
        },
        openedOn: day(random.between(-14_000, 18_000)),
      }
    },
    aircraft: (number) => {
      const random = chance('aircraft', number)
      const airline = random.pick(airlines)
      const model = random.pick(models)
      const builtOn = random.between(9_000, 20_400)
      return {
        registration: registration(number),
        model: model.name,
        airline: airline.name,
        seats: model.seats,
        builtOn: day(builtOn),
        flightHours: `${(20_450 - builtOn) * random.between(4, 11)}.${random.below(10)}`,
        isInService: random.percent(93),
      }
    },
    person: (number) => {
      const random = chance('person', number)
      const names = namesOf(random)
      return {
        personId: String(100_000 + number),
        fullName: `${names[0].firstName} ${names[0].lastName}`,
        name: names,
        role: random.pick(roles),
        languages: [
          ...new Set(['en', random.pick(languages), ...(random.percent(40) ? [random.pick(languages)] : [])]),
        ],
        homeAirport: airportCode(random.below(counts.airport)),
        bornOn: day(random.between(-7_000, 13_000)),
      }
    },
    flight: (number) => {
      const random = chance('flight', number)
      const aircraft = random.below(counts.aircraft)
      const origin = random.below(counts.airport)
      const destination = (origin + 1 + random.below(Math.max(1, counts.airport - 1))) % counts.airport
      const departs = firstDeparture + random.below(2 * 365 * 24 * 12) * fiveMinutes
      const status = random.percent(94) ? 'landed' : random.pick(['cancelled', 'diverted', 'landed'])
      return {
        flightId: String(1_000_000 + number),
        flightNumber: `${airlineOf(aircraft).code}${random.between(100, 9_999)}`,
        registration: registration(aircraft),
        origin: airportCode(origin),
        destination: airportCode(destination),
        departsAt: moment(departs),
        ...(status !== 'cancelled' && { arrivesAt: moment(departs + random.between(8, 150) * fiveMinutes) }),
        status,
        ...(status === 'landed' && {
          delayMinutes: random.percent(70) ? random.between(-10, 10) : random.between(11, 240),
        }),
        fare: `${random.between(39, 1_200)}.${random.pick(['00', '50', '90', '99'])}`,
        captainId: String(100_000 + random.below(counts.person)),
        crewIds: Array.from({ length: random.between(2, 5) }, () =>
          String(100_000 + random.below(counts.person)),
        ),
      }
    },
  }
}

type Name = { readonly firstName: string; readonly lastName: string; readonly kind: string }

/** Everybody has a legal name; some also have a birth name or an alias. */
function namesOf(random: RandomSource): readonly [Name, ...Name[]] {
  const name: Name = { firstName: random.pick(firstNames), lastName: random.pick(lastNames), kind: 'legal' }
  return [
    name,
    ...(random.percent(25) ? [{ ...name, lastName: random.pick(lastNames), kind: 'birth' }] : []),
    ...(random.percent(10) ? [{ ...name, firstName: random.pick(firstNames), kind: 'alias' }] : []),
  ]
}

const letters = (number: number, length: number): string =>
  Array.from({ length }, (_, i) =>
    String.fromCodePoint(65 + (Math.floor(number / 26 ** (length - 1 - i)) % 26)),
  ).join('')

// A step that is coprime to the number of codes visits each code once, and not in alphabetical order.
const airportCode = (number: number): string => letters((number * 7_919 + 1_234) % 26 ** 3, 3)
const registration = (number: number): string => `OV-${letters((number * 611_953 + 4_321) % 26 ** 5, 5)}`

const dayMs = 86_400_000
const fiveMinutes = 300_000
const firstDeparture = Date.UTC(2025, 0, 1)

const day = (sinceEpoch: number): string => new Date(sinceEpoch * dayMs).toISOString().slice(0, 10)
const moment = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('.000Z', 'Z')
