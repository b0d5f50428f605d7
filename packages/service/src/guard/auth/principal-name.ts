// Names are compared in the database, which takes no NUL, and shown to people.
const form = /^[^\p{Cc}\p{Cs}]{1,255}$/u

/** Of a subject or a group, whoever names it: an identity provider or an administrator. */
export const isPrincipalName = (text: string): boolean => form.test(text)

/** In the audit, whoever has the database and the commands; the system they run on knows which person that is. */
export const operatorName = 'operator'

/** Nobody who sends requests may be taken for the operator in the audit (P190). */
export const isReservedSubject = (text: string): boolean => text.toLowerCase() === operatorName
