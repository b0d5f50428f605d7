/** Runs each work when the one before it has ended, well or not: a connection has one transaction at a time. */
export function oneAfterAnother(): <Answer>(work: () => Promise<Answer>) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const answer = last.then(work)
    last = answer.catch(() => {})
    return answer
  }
}
