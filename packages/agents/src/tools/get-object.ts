import type { FoundObjectsPage, SearchableObjectType } from '@octavo/protocol'
import { Type } from 'typebox'
import { answerBytes, envelopeBytes } from '../answer/answer-limit.ts'
import { shownObject } from '../answer/shown-object.ts'
import { typePath } from '../ask/object-state.ts'
import { ToolError } from '../ask/tool-error.ts'
import { argumentsOf } from './arguments.ts'
import * as is from './arguments.ts'
import { tool } from './tool.ts'

export const getObject = tool({
  name: 'get_object',
  title: 'Get an object',
  description: 'One object by its primary key.',
  input: argumentsOf({
    apiFamily: is.apiFamily,
    objectType: is.objectType,
    primaryKey: is.primaryKey,
    select: Type.Optional(is.select),
    snapshotToken: Type.Optional(is.snapshotToken),
  }),
  call: async (octavo, { apiFamily, objectType, primaryKey, select, snapshotToken }) => {
    const path = typePath({ apiFamily, objectType })
    const type = await octavo.get<SearchableObjectType>(path)
    const value = keyValue(type.properties[type.primaryKey]?.type, String(primaryKey))
    const { data } = await octavo.post<FoundObjectsPage>(`${path}/search`, {
      query: { type: 'eq', field: type.primaryKey, value },
      pageSize: 1,
      ...(select !== undefined && { select }),
      ...(snapshotToken !== undefined && { snapshotToken }),
    })
    const [object] = data
    if (object !== undefined) return shownObject(object, answerBytes - envelopeBytes)
    throw new ToolError(
      `There is no object of type ${objectType} with the primary key ${JSON.stringify(String(primaryKey))} that you may read. Find its key with search_objects.`,
    )
  },
})

/** A text that is no number is left as it is: Octavo says then what the key should be. */
const keyValue = (keyType: unknown, text: string): string | number =>
  keyType === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
