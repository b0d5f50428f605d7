import { Type } from 'typebox'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** What a commit did, or would do. */
export const commitCountsSchema = {
  created: count('Objects that did not exist before.'),
  updated: count('Objects that existed and are different now.'),
  deleted: count('Objects that existed and do not any more.'),
  unchanged: count(
    'Lines that changed nothing: objects as they were, and deletes of objects that did not exist.',
  ),
}
