import { limits, listParametersSchema, pageParametersSchema } from '@octavo/protocol'
import { Type } from 'typebox'

const { properties, snapshotToken } = listParametersSchema.properties
export const objectParameters = Type.Object({ properties, snapshotToken })
export const objectV2Parameters = Type.Object({
  select: Type.Optional(Type.Array(Type.String(), { description: 'Property names; all if left out.' })),
  excludeRid: Type.Optional(Type.Boolean()),
})
export const listV2Parameters = Type.Object({
  ...pageParametersSchema.properties,
  snapshot: Type.Optional(Type.Boolean()),
  orderBy: listParametersSchema.properties.orderBy,
  ...objectV2Parameters.properties,
})

const dryRun = {
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Check everything and report what would change, but change nothing.' }),
  ),
}
export const dryRunParameters = Type.Object(dryRun)
export const replaceParameters = Type.Object({
  ...dryRun,
  maxDeletions: Type.Optional(
    Type.String({
      pattern: String.raw`^\d+%?$`,
      description: `The most objects that may be deleted, as a number or a percentage of the objects of the type. By default ${limits.replace.deletedPercent}%, and always ${limits.replace.deletedObjects}.`,
    }),
  ),
})
