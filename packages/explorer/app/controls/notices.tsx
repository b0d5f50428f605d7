import { signal } from '@preact/signals'

interface Notice {
  readonly number: number
  readonly text: string
}

const notices = signal<readonly Notice[]>([])
let made = 0

/** Says something that needs no answer. It goes away by itself. */
export function notify(text: string): void {
  made += 1
  const notice = { number: made, text }
  notices.value = [...notices.value.filter((each) => each.text !== text), notice].slice(-4)
  setTimeout(() => forget(notice), 9_000)
}

const forget = ({ number }: Notice): void => {
  notices.value = notices.value.filter((each) => each.number !== number)
}

export const Notices = () => (
  <div class="notices" role="status" aria-live="polite">
    {notices.value.map((notice) => (
      <div key={notice.number} class="notice">
        <span>{notice.text}</span>
        <button class="plain" aria-label="Dismiss" onClick={() => forget(notice)}>
          ×
        </button>
      </div>
    ))}
  </div>
)
