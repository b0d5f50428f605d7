// How values are encoded, as far as the objects of the type show it.
import {
  dateTextPattern,
  decimalTextPattern,
  longTextPattern,
  timestampTextPattern,
  type ScalarType,
} from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import { readPage, sizesOf } from '../subject/read-page.ts'
import type { Subject } from '../subject/subject.ts'

type Check = (value: unknown) => boolean

const text =
  (pattern: string): Check =>
  (value) =>
    typeof value === 'string' && new RegExp(pattern).test(value)

interface ValueRule {
  readonly clause: string
  readonly types: readonly ScalarType[]
  readonly title: string
  readonly isRight: (type: ScalarType, value: unknown) => boolean
}

const rules: readonly ValueRule[] = [
  {
    clause: 'P47',
    types: ['string'],
    title: 'string travels as a JSON string',
    isRight: (_, value) => typeof value === 'string',
  },
  {
    clause: 'P48',
    types: ['boolean', 'integer', 'double'],
    title: 'boolean, integer and double travel as JSON values of their own',
    isRight: (type, value) =>
      type === 'boolean'
        ? typeof value === 'boolean'
        : typeof value === 'number' && (type === 'double' || Number.isInteger(value)),
  },
  {
    clause: 'P49',
    types: ['long'],
    title: 'long travels as a string of digits',
    isRight: (_, value) => text(longTextPattern)(value),
  },
  {
    clause: 'P50',
    types: ['decimal'],
    title: 'decimal travels as a string in plain notation',
    isRight: (_, value) => text(decimalTextPattern)(value),
  },
  {
    clause: 'P51',
    types: ['date'],
    title: 'date travels as year-month-day',
    isRight: (_, value) => text(dateTextPattern)(value),
  },
  {
    clause: 'P52',
    types: ['timestamp'],
    title: 'timestamp travels as ISO 8601 in UTC without trailing zeros',
    isRight: (_, value) => text(timestampTextPattern)(value),
  },
]

async function demandValues(subject: Subject, { clause, types, title, isRight }: ValueRule): Promise<void> {
  const properties = subject.type.properties.filter(({ scalar }) => scalar && types.includes(scalar))
  if (properties.length === 0) skip(`needs a property of the type ${types.join(', ')}`)
  const { page, exchange } = await readPage(subject, clause, {
    pageSize: sizesOf(subject.collection.revision).maximum,
  })
  for (const { name, scalar } of properties) {
    const wrong = page.data.find(({ properties: values }) => {
      const value = values[name]
      return scalar !== undefined && value !== undefined && !isRight(scalar, value)
    })
    demand(wrong === undefined, {
      clause,
      expected: title,
      found: `${name} as ${JSON.stringify(wrong?.properties[name])}`,
      exchange,
    })
  }
}

export const valueCases: readonly Case[] = [
  {
    clause: 'P46',
    title: 'a property without a value is left out, and null is never sent',
    run: async (subject) => {
      const pageSize = sizesOf(subject.collection.revision).maximum
      const { page, exchange } = await readPage(subject, 'P46', { pageSize })
      const wrong = page.data.find(({ properties }) =>
        Object.values<unknown>(properties).some((value) => value === null),
      )
      demand(wrong === undefined, {
        clause: 'P46',
        expected: 'no property that is null',
        found: shown(wrong?.properties),
        exchange,
      })
    },
  },
  ...rules.map((rule): Case => ({
    clause: rule.clause,
    title: rule.title,
    run: (subject) => demandValues(subject, rule),
  })),
]
