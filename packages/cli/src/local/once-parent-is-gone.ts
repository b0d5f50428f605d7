const pollMilliseconds = 250

/** An orphan is given another parent; that is the only sign there is of an `npm run dev` that was killed. */
export const onceParentIsGone = (act: () => void): void => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, pollMilliseconds)
  timer.unref()
}
