// The filters of revision 1.0.
import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { spreadObjects } from '../subject/chosen-objects.ts'
import { otherScalars, type KnownProperty } from '../subject/known-type.ts'
import { keysOf } from '../subject/read-walk.ts'
import { keyOf, type Subject } from '../subject/subject.ts'
import { scalarOf } from '../subject/wire-page.ts'
import { list, listed } from './revision-1-list.ts'

const revision = '1.0'

const propertyWhere = (
  subject: Subject,
  allows: (property: KnownProperty) => boolean,
  reason: string,
): KnownProperty => otherScalars(subject.type).find(allows) ?? skip(reason)

export const revision1FilterCases: readonly Case[] = [
  {
    clause: 'P62',
    title: 'a parameter that looks like a filter but is not one is refused',
    revision,
    run: async (subject) => {
      for (const name of ['properties.', `properties.${subject.type.key.name}.near`, 'p.eq']) {
        demandRefusal(await list(subject, [[name, 'x']]), {
          clause: 'P62',
          name: 'MalformedPropertyFilters',
          because: `${name} is not written as properties.{property}.{operator}`,
        })
      }
    },
  },
  {
    clause: 'P63',
    title: 'several eq on one property hold if any does, and different filters must all hold',
    revision,
    run: async (subject) => {
      const { name } = subject.type.key
      const chosen = spreadObjects(subject, 4)
      const eq = keysOf(subject, chosen).map((key) => [`properties.${name}.eq`, key] as const)
      const any = await listed(subject, 'P63', eq)
      demand(any.records.length === chosen.length, {
        clause: 'P63',
        expected: `${chosen.length} objects`,
        found: `${any.records.length}`,
        exchange: any.exchange,
      })
      const [first, , , last] = keysOf(subject, chosen)
      const bounds = [
        [`properties.${name}.gte`, first],
        [`properties.${name}.lt`, last],
      ] as const
      const both = await listed(subject, 'P63', [...eq, ...bounds])
      demand(both.records.length === chosen.length - 1, {
        clause: 'P63',
        expected: `the ${chosen.length - 1} objects that meet all filters`,
        found: `${both.records.length}`,
        exchange: both.exchange,
      })
    },
  },
  {
    clause: 'P64',
    title: 'filters that contradict each other are refused by name',
    revision,
    run: async (subject) => {
      const { name } = subject.type.key
      const [record] = subject.sample
      const key = record === undefined ? '' : keyOf(subject, record)
      const at = (operator: string, value: unknown = key) =>
        [`properties.${name}.${operator}`, value] as const
      const because = 'these filters cannot be combined'
      for (const [parameters, errorName] of [
        [[at('gt'), at('gt')], 'MultiplePropertyValuesNotSupported'],
        [[at('lt'), at('lte')], 'InvalidRangeQuery'],
        [[at('isNull', false), at('eq')], 'InvalidPropertyFiltersCombination'],
      ] as const) {
        demandRefusal(await list(subject, parameters), { clause: 'P64', name: errorName, because })
      }
    },
  },
  {
    clause: 'P65',
    title: 'a filter on a property that is not searchable is refused',
    revision,
    run: async (subject) => {
      const property = propertyWhere(
        subject,
        ({ searchable }) => !searchable,
        'needs a scalar property that is not searchable',
      )
      demandRefusal(await list(subject, [[`properties.${property.name}.isNull`, false]]), {
        clause: 'P65',
        name: 'PropertiesNotFilterable',
        because: `${property.name} is not declared searchable`,
      })
    },
  },
  {
    clause: 'P66',
    title: 'neq leaves out objects without a value, and isNull finds them',
    revision,
    run: async (subject) => {
      const property = propertyWhere(
        subject,
        ({ name, searchable }) =>
          searchable && subject.sample.some((record) => scalarOf(record, name) === undefined),
        'needs a searchable property that some objects have no value for',
      )
      const record = subject.sample.find((each) => scalarOf(each, property.name) !== undefined)
      const value = record === undefined ? '' : scalarOf(record, property.name)
      for (const [operator, given, has] of [
        ['neq', value, true],
        ['isNull', true, false],
        ['isNull', false, true],
      ] as const) {
        const name = `properties.${property.name}.${operator}`
        const { records, exchange } = await listed(subject, 'P66', [[name, given]])
        demand(
          records.every((each) => (scalarOf(each, property.name) !== undefined) === has),
          {
            clause: 'P66',
            expected: `objects ${has ? 'with' : 'without'} a value of ${property.name}`,
            exchange,
          },
        )
      }
    },
  },
]
