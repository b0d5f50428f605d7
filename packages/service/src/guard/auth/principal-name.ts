// Names are compared in the database, which accepts no NUL, and shown to people.
const form = /^[^\p{Cc}\p{Cs}]{1,255}$/u

/** Whether the text can be the name of a subject or a group, from an identity provider or from an administrator. */
export const isPrincipalName = (text: string): boolean => form.test(text)

/** In the audit, the person who has the database and the commands; the operating system knows who that is. */
export const operatorName = 'operator'

/** No caller of the API may be taken for the operator in the audit (P190), also by letters that only look like it. */
export const isReservedSubject = (text: string): boolean =>
  text.normalize('NFKC').trim().toLowerCase() === operatorName
