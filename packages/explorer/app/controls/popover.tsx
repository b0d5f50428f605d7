import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface PopoverProps {
  readonly label: ComponentChildren
  /** What the button is called where its label is only a sign. */
  readonly name?: string
  readonly title: string
  readonly children: ComponentChildren
}

/** A button with a panel below it. The browser itself closes it on Escape and on a click elsewhere. */
export function Popover({ label, name, title, children }: PopoverProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const positionContent = (): void => {
    const anchor = button.current?.getBoundingClientRect()
    const element = panel.current
    if (anchor === undefined || element === null) return
    const left = Math.min(anchor.left, innerWidth - element.offsetWidth - 8)
    element.style.left = `${Math.max(8, left)}px`
    element.style.top = `${anchor.bottom + 4}px`
    element.style.maxHeight = `${innerHeight - anchor.bottom - 16}px`
  }
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} aria-label={name}>
        {label}
      </button>
      <div
        ref={panel}
        id={id}
        class="popover"
        popover="auto"
        role="dialog"
        aria-label={title}
        onToggle={positionContent}
      >
        {children}
      </div>
    </>
  )
}
