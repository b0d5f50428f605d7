import { Type, type TObject, type TSchema } from 'typebox'
import { invariant } from '../base/errors/invariant.ts'

/** The parameters in the paths of operations. */
const pathParameters: Readonly<Record<string, TSchema>> = {
  ontology: Type.String({ description: 'The rid of the ontology, or its API name.' }),
  apiFamily: Type.String({ description: 'The API family, which stands for one ontology.' }),
  objectType: Type.String({ description: 'The API name of the object type.' }),
  primaryKey: Type.String({ description: 'The primary key as text, whatever its type.' }),
  link: Type.String({ description: 'The API name of the link, as the object type names it.' }),
  accessTokenId: Type.String({ description: 'The id of the access token, not the token itself.' }),
  name: Type.String({ description: 'The name of the subject or the group, as its tokens name it.' }),
  source: Type.String({ description: 'The name of the source.' }),
  loadId: Type.String({ description: 'The id that the load got when it was begun.' }),
  part: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of the part. The same number with the same contents is stored once.',
  }),
}

/** The names of the parameters in a path. */
export type NamesIn<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

/** The schema of the parameters in a path, if it has any. */
export function pathOf(path: string): { readonly path?: TObject } {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (names.length === 0) return {}
  return { path: Type.Object(Object.fromEntries(names.map((name) => [name, schemaOf(name)]))) }
}

function schemaOf(name: string): TSchema {
  const schema = pathParameters[name]
  invariant(schema !== undefined, 'path-parameter-without-a-schema')
  return schema
}
