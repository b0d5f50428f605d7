/**
 * What is remembered is there at once, and only what must be asked for comes later. As promises, the dozen things that every
 * page looks up would each be a turn of the queue of promises, for what is known already.
 */
export type Soon<T> = T | Promise<T>

/** `await`, where it should not wait for what is there. */
export const whenThere = <T, U>(value: Soon<T>, use: (value: T) => Soon<U>): Soon<U> =>
  value instanceof Promise ? value.then(use) : use(value)
