// Names are compared in the database, which takes no NUL, and shown to people.
const form = /^[^\p{Cc}\p{Cs}]{1,255}$/u

/** Of a subject or a group, whoever names it: an identity provider or an administrator. */
export const isPrincipalName = (text: string): boolean => form.test(text)
