// The ontology: items that are linked to owners, and docs of which each caller sees those of its groups.
import { openAccessManagement } from '@octavo/service'
import type { Asking, Caller } from './ask.ts'
import type { TypeName } from './history.ts'

export interface Setting {
  readonly writer: Caller
  readonly readers: readonly [none: Caller, first: Caller, second: Caller, all: Caller]
  readonly paths: Paths
}

interface Paths {
  readonly manage: string
  readonly managed: (type: TypeName) => string
  readonly loads: string
  readonly list: string
  readonly family: string
  readonly typed: (type: TypeName) => string
  readonly v2: string
}

export async function makeSetting(databaseUrl: string, { ask }: Asking): Promise<Setting> {
  const access = openAccessManagement(databaseUrl)
  try {
    const { accessToken } = await access.createToken({
      subject: 'writer',
      scopes: ['api:ontologies-read', 'api:ontologies-write', 'api:ontologies-admin'],
    })
    const writer: Caller = { token: accessToken, groups: [] }
    const applied = async (path: string, body: object): Promise<{ readonly rid: string }> => {
      const answer = await ask<{ readonly rid: string }>(writer, { method: 'PUT', path, body })
      if (!answer.isDone) throw new Error(JSON.stringify(answer.refusal))
      return answer.json
    }
    const { rid } = await applied('/manage/v1/ontologies/checked', {
      apiName: 'checked',
      displayName: 'Checked',
      apiFamilies: ['checked'],
    })
    const manage = `/manage/v1/ontologies/${rid}`
    const reader = async (subject: string, groups: readonly string[]): Promise<Caller> => {
      const made = await access.createToken({ subject, groups, scopes: ['api:ontologies-read'] })
      await access.addGrant(rid, { principal: { type: 'subject', name: subject }, role: 'reader' })
      return { token: made.accessToken, groups }
    }
    for (const type of ['owner', 'item', 'doc'] as const)
      await applied(`${manage}/objectTypes/${type}`, definitionOf(type))
    return {
      writer,
      readers: [
        await reader('none', []),
        await reader('first', ['g1']),
        await reader('second', ['g2']),
        await reader('all', ['g1', 'g2', 'g3']),
      ],
      paths: {
        manage,
        managed: (type) => `${manage}/objectTypes/${type}`,
        loads: `${manage}/loads`,
        list: `/api/v1/ontologies/${rid}`,
        family: '/api/checked/v1',
        typed: (type) => `/api/checked/v1/objects/types/${type}`,
        v2: '/api/v2/ontologies/checked',
      },
    }
  } finally {
    await access.close()
  }
}

const text = { type: 'string' }

export function definitionOf(type: TypeName, more: object = {}): object {
  if (type === 'owner')
    return {
      apiName: 'owner',
      displayName: 'Owner',
      primaryKey: 'id',
      titleProperty: 'name',
      properties: {
        id: text,
        name: { ...text, searchable: true },
        level: { type: 'integer', searchable: true },
        stamp: { type: 'integer' },
      },
    }
  return {
    apiName: type,
    displayName: type,
    primaryKey: 'id',
    titleProperty: 'cat',
    properties: {
      id: text,
      n: { type: 'integer', searchable: true, sortable: true },
      cat: { ...text, searchable: true, sortable: true, counted: true },
      tags: { type: { array: 'string' }, searchable: true },
      note: { ...text, searchable: true },
      price: { type: 'decimal', searchable: true, sortable: true },
      ownerId: { ...text, searchable: true },
      depts: { type: { array: 'string' }, searchable: true },
      big: text,
      stamp: { type: 'integer' },
      ...more,
    },
    orders: [
      {
        fields: [
          { field: 'cat', direction: 'asc' },
          { field: 'n', direction: 'desc' },
        ],
      },
    ],
    ...(type === 'item' && {
      links: { owner: { objectType: 'owner', foreignKeyProperty: 'ownerId', reverse: 'items' } },
    }),
    ...(type === 'doc' && { policy: { type: 'in', field: 'depts', value: { claim: 'groups' } } }),
  }
}
