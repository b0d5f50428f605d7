import type { Database } from '../../src/postgres/database.ts'
import { databaseThat } from './database-that.ts'
import type { Random } from '@octavo/model'

/** A database that expects numbers of matches by chance, so that any plan is made that some statistics could lead to. */
export const databaseThatGuesses = (database: Database, random: Random, most: number): Database =>
  databaseThat(database, {
    rows: async (query) => {
      if (!query.text.startsWith('explain ')) return database.rows(query)
      const inputs = query.text.split(' union all ').map(() => ({ 'Plan Rows': random.integer(0, most) }))
      return [{ 'QUERY PLAN': JSON.stringify([{ Plan: { 'Plan Rows': 0, Plans: inputs } }]) }]
    },
  })
