/** In the order in which the reference lists them. */
export const tags = {
  'Revision 1.0': 'List and read objects by ontology: `/api/v1/ontologies/...`.',
  'Revision 2.0': 'Search objects by API family: `/api/{apiFamily}/v1/objects/...`.',
  'Revision v2': 'What the clients of the API family ask for: `/api/v2/ontologies/...`.',
  Manage: 'Declare types, write objects, manage access: `/manage/v1/...`.',
  Health: 'For load balancers. No token needed.',
} as const

export type Tag = keyof typeof tags

/** The tag of an operation, by the beginning of its path. */
export function tagOf(url: string): Tag {
  if (url.startsWith('/manage/')) return 'Manage'
  if (url.startsWith('/api/v1/')) return 'Revision 1.0'
  return url.startsWith('/api/v2/') ? 'Revision v2' : 'Revision 2.0'
}
