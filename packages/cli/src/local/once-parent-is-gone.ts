const pollMilliseconds = 250

/** An orphaned process gets another parent. That is the only sign that its `npm run dev` was killed. */
export const onceParentIsGone = (act: () => void): void => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, pollMilliseconds)
  timer.unref()
}
